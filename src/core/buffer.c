/* src/core/buffer.c - typed buffers and views of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core.h"
#include "tycho/buffer.h"
#include "inner.h"

#define MAX_SIDE     32768
#define MAX_CHANNELS 64

static const struct {
    const char *name;
    size_t bytes;
} elements[TY_ELEMENT_COUNT] = {
#define ELEMENT_ROW(id, name, type) { name, sizeof(type) },
    TY_ELEMENT_LIST(ELEMENT_ROW)
};

static const char *const units[TY_UNIT_COUNT] = {
#define UNIT_ROW(id, name) name,
    TY_UNIT_LIST(UNIT_ROW)
};

const char *tyi_element_name(ty_element element)
{
    return (unsigned)element < TY_ELEMENT_COUNT ? elements[element].name : "unknown elements";
}

size_t ty_element_bytes(ty_element element)
{
    return (unsigned)element < TY_ELEMENT_COUNT ? elements[element].bytes : 0;
}

const char *ty_unit_name(ty_unit unit)
{
    return (unsigned)unit < TY_UNIT_COUNT ? units[unit] : "an unknown unit";
}

char *tyi_buffer_type_text(const ty_buffer_type *type, char *text, size_t size)
{
    snprintf(text, size, "%s as %s, %d x %d x %d", ty_unit_name(type->unit), tyi_element_name(type->element),
             type->width, type->height, type->channels);
    return text;
}

size_t ty_buffer_type_bytes(const ty_buffer_type *type)
{
    return (size_t)type->width * (size_t)type->height * (size_t)type->channels * ty_element_bytes(type->element);
}

ty_buffer ty_buffer_wrap(const ty_buffer_type *type, void *data)
{
    ptrdiff_t element = (ptrdiff_t)ty_element_bytes(type->element);
    ptrdiff_t column = element * type->channels;
    return (
        ty_buffer){ .type = *type, .data = data, .column = column, .row = column * type->width, .channel = element };
}

ty_buffer ty_buffer_wrap_planar(const ty_buffer_type *type, void *data)
{
    ptrdiff_t element = (ptrdiff_t)ty_element_bytes(type->element);
    ptrdiff_t row = element * type->width;
    return (ty_buffer){ .type = *type, .data = data, .column = element, .row = row, .channel = row * type->height };
}

ty_status ty_buffer_create(const ty_buffer_type *type, const ty_alloc *alloc, ty_buffer *out, ty_diag *diag)
{
    *out = (ty_buffer){ 0 };
    if (type->width < 1 || type->width > MAX_SIDE || type->height < 1 || type->height > MAX_SIDE ||
        type->channels < 1 || type->channels > MAX_CHANNELS || !ty_element_bytes(type->element) ||
        (unsigned)type->unit >= TY_UNIT_COUNT) {
        char text[128];
        return ty_fail(diag, TY_ERR_RANGE,
                       "buffer: %s; sides take 1 to %d, channels 1 to %d, and unit and elements must "
                       "be known ones",
                       tyi_buffer_type_text(type, text, sizeof text), MAX_SIDE, MAX_CHANNELS);
    }
    size_t bytes = ty_buffer_type_bytes(type);
    void *data = tyi_get(alloc, bytes);
    if (!data) {
        return ty_fail(diag, TY_ERR_MEMORY, "buffer: there is no memory for %zu bytes", bytes);
    }
    *out = ty_buffer_wrap(type, data);
    out->bytes = bytes;
    out->alloc = alloc;
    return TY_OK;
}

void ty_buffer_destroy(ty_buffer *buffer)
{
    if (buffer) {
        if (buffer->bytes) {
            tyi_put(buffer->alloc, buffer->data, buffer->bytes);
        }
        *buffer = (ty_buffer){ 0 };
    }
}

ty_buffer ty_buffer_crop(const ty_buffer *from, int x, int y, int width, int height)
{
    TY_ASSERT(x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= from->type.width &&
              y + height <= from->type.height);
    ty_buffer view = *from;
    view.data = ty_buffer_at(from, x, y, 0);
    view.type.width = width;
    view.type.height = height;
    view.bytes = 0;
    return view;
}

ty_buffer ty_buffer_channel(const ty_buffer *from, int channel)
{
    TY_ASSERT(channel >= 0 && channel < from->type.channels);
    ty_buffer view = *from;
    view.data = ty_buffer_at(from, 0, 0, channel);
    view.type.channels = 1;
    view.bytes = 0;
    return view;
}

double ty_buffer_get(const ty_buffer *b, int x, int y, int c)
{
    const void *at = ty_buffer_at(b, x, y, c);
    switch (b->type.element) {
    case TY_ELEMENT_F32:
        return (double)*(const float *)at;
    case TY_ELEMENT_F64:
        return *(const double *)at;
    case TY_ELEMENT_U8:
        return *(const uint8_t *)at;
    case TY_ELEMENT_U16:
        return *(const uint16_t *)at;
    case TY_ELEMENT_U32:
        return *(const uint32_t *)at;
    case TY_ELEMENT_COUNT:
        break;
    }
    return 0.0;
}

/* NaN becomes 0: it has no whole number */
static double whole(double value, double most)
{
    return value > 0.0 ? fmin(floor(value + 0.5), most) : 0.0;
}

void ty_buffer_set(const ty_buffer *b, int x, int y, int c, double value)
{
    void *at = ty_buffer_at(b, x, y, c);
    switch (b->type.element) {
    case TY_ELEMENT_F32:
        *(float *)at = (float)value;
        break;
    case TY_ELEMENT_F64:
        *(double *)at = value;
        break;
    case TY_ELEMENT_U8:
        *(uint8_t *)at = (uint8_t)whole(value, UINT8_MAX);
        break;
    case TY_ELEMENT_U16:
        *(uint16_t *)at = (uint16_t)whole(value, UINT16_MAX);
        break;
    case TY_ELEMENT_U32:
        *(uint32_t *)at = (uint32_t)whole(value, UINT32_MAX);
        break;
    case TY_ELEMENT_COUNT:
        break;
    }
}

void ty_buffer_copy(const ty_buffer *to, const ty_buffer *from)
{
    size_t bytes = ty_element_bytes(from->type.element);
    for (int y = 0; y < from->type.height && from->data != to->data; y++) {
        for (int x = 0; x < from->type.width; x++) {
            for (int c = 0; c < from->type.channels; c++) {
                memcpy(ty_buffer_at(to, x, y, c), ty_buffer_at(from, x, y, c), bytes);
            }
        }
    }
}

size_t ty_cloud_count(const ty_buffer *points)
{
    size_t n = 0;
    for (int y = 0; y < points->type.height; y++) {
        for (int x = 0; x < points->type.width; x++) {
            n += (size_t)!isnan(ty_buffer_get(points, x, y, 0));
        }
    }
    return n;
}
