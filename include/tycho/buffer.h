/* include/tycho/buffer.h - the data that sensors make and filters pass on: an image with its meaning.
 *
 * A buffer says what it holds: size, element type, unit, frame, time stamps, where it lives and who
 * owns it. Elements are reached through strides, so that a buffer may be a view of another one, or
 * of memory of the caller's, in any layout (bands side by side or one after the other).
 *
 * Threads: a buffer is a plain struct; whoever shares one takes care of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_BUFFER_H
#define TYCHO_BUFFER_H
#include "tycho/base.h"
TY_BEGIN_DECLS

#define TY_BANDS 8 /* the most bands of light that anything carries, DESIGN 5a */

/* Element types: name in messages, C type. */
#define TY_ELEMENT_LIST(X)             \
    X(TY_ELEMENT_F32, "f32", float)    \
    X(TY_ELEMENT_F64, "f64", double)   \
    X(TY_ELEMENT_U8, "u8", uint8_t)    \
    X(TY_ELEMENT_U16, "u16", uint16_t) \
    X(TY_ELEMENT_U32, "u32", uint32_t)

typedef enum ty_element {
#define TY_ELEMENT_ENUM(id, name, type) id,
    TY_ELEMENT_LIST(TY_ELEMENT_ENUM)
#undef TY_ELEMENT_ENUM
        TY_ELEMENT_COUNT
} ty_element;

/* What the numbers are. */
#define TY_UNIT_LIST(X)                       \
    X(TY_UNIT_NONE, "a plain number")         \
    X(TY_UNIT_RADIANCE, "radiance [W/m2/sr]") \
    X(TY_UNIT_ELECTRONS, "electrons")         \
    X(TY_UNIT_DN, "digital numbers")          \
    X(TY_UNIT_METRE, "metres")                \
    X(TY_UNIT_LABEL, "labels")                \
    X(TY_UNIT_RETURN, "lidar returns")        \
    X(TY_UNIT_POINT, "points [m]")            \
    X(TY_UNIT_PHOTONS, "photon counts")

typedef enum ty_unit {
#define TY_UNIT_ENUM(id, name) id,
    TY_UNIT_LIST(TY_UNIT_ENUM)
#undef TY_UNIT_ENUM
        TY_UNIT_COUNT
} ty_unit;
TY_API const char *ty_unit_name(ty_unit unit); /* "electrons" */

TY_API size_t ty_element_bytes(ty_element element);

typedef struct ty_buffer_type {
    int width, height, channels; /* [px], [px], [-] 1 to 32768 each; channels 1 to 64 */
    ty_element element;
    ty_unit unit;
    char frame; /* letter of docs/frames.md that directions and places refer to: 'S', 'W'; 0: none */
} ty_buffer_type;

/* When the data were collected and when their readers may have them; ns of the simulation clock. */
typedef struct ty_stamps {
    int64_t start, end, due; /* [ns] */
} ty_stamps;

typedef enum ty_buffer_place { TY_PLACE_HOST, TY_PLACE_DEVICE } ty_buffer_place;

typedef struct ty_buffer {
    ty_buffer_type type;
    ty_stamps time;
    ty_buffer_place place;
    char *data;                     /* element (0, 0, 0) */
    ptrdiff_t column, row, channel; /* [bytes] to the next pixel, the row below, the next channel */
    size_t bytes;                   /* [bytes] owned, at data; 0: a view, somebody else owns it */
    const ty_alloc *alloc;          /* of what is owned */
} ty_buffer;

/* A zeroed buffer of its own, channels interleaved, rows from the top, no padding. TY_ERR_RANGE,
 * TY_ERR_MEMORY; *out is then empty. alloc NULL: heap. */
TY_API ty_status ty_buffer_create(const ty_buffer_type *type, const ty_alloc *alloc, ty_buffer *out, ty_diag *diag);
TY_API void ty_buffer_destroy(ty_buffer *buffer); /* NULL and views are allowed */
/* Views: of the caller's memory with channels interleaved, or one after the other (planar), ... */
TY_API ty_buffer ty_buffer_wrap(const ty_buffer_type *type, void *data);
TY_API ty_buffer ty_buffer_wrap_planar(const ty_buffer_type *type, void *data);
/* ... of a rectangle of another buffer, which must lie inside, and of one of its channels. */
TY_API ty_buffer ty_buffer_crop(const ty_buffer *from, int x, int y, int width, int height);
TY_API ty_buffer ty_buffer_channel(const ty_buffer *from, int channel);

TY_API size_t ty_buffer_type_bytes(const ty_buffer_type *type); /* without padding */

static inline void *ty_buffer_at(const ty_buffer *b, int x, int y, int c)
{
    return b->data + x * b->column + y * b->row + c * b->channel;
}
/* An element of any type as a number. */
TY_API double ty_buffer_get(const ty_buffer *b, int x, int y, int c);
/* Stores a number; integers are rounded and limited to what they hold. */
TY_API void ty_buffer_set(const ty_buffer *b, int x, int y, int c, double value);
/* Copies every element between two of one type, each in its own layout; nothing to do where both are the same data. */
TY_API void ty_buffer_copy(const ty_buffer *to, const ty_buffer *from);

/* ---- what clouds of points hold: see tycho/filter.h ---- */

/* The channels of a buffer of lidar returns, in order. */
typedef struct ty_cloud_return {
    double range;              /* [m]; NaN: none */
    double azimuth, elevation; /* [rad] S, as measured */
    double intensity;          /* [-] apparent reflectivity: 1 is white, facing the beam */
    double time;               /* [s] after the buffer's time.start */
    double ring;               /* 0 is the lowest laser */
    double number;             /* 0 the first of the beam's returns, 1 the second */
    double label;              /* instance, as in ty_render_buffers */
} ty_cloud_return;
#define TY_CLOUD_RETURN_CHANNELS 8

/* The channels of a buffer of points, in order. */
typedef struct ty_cloud_point {
    double x, y, z;   /* [m] in the buffer's frame; NaN: none */
    double intensity; /* as in ty_cloud_return */
    double range;     /* [m] */
    double time;      /* [s] */
    double ring, number, label;
} ty_cloud_point;
#define TY_CLOUD_POINT_CHANNELS 9

TY_API size_t ty_cloud_count(const ty_buffer *points); /* points that are there */

TY_END_DECLS
#endif
