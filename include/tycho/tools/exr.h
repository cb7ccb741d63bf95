/* include/tycho/tools/exr.h - float images of any number of named channels, as OpenEXR files.
 *
 * Tycho writes radiance [W/m2/sr] with channels R, G, B where there are three bands, Y where there
 * is one, and radiance.0, radiance.1 ... otherwise; depth [m] along the optical axis is Z.
 *
 * Statuses: TY_ERR_RANGE (sizes, names), TY_ERR_FILE, TY_ERR_FORMAT (not an EXR, broken, or of a
 * kind that is not read: tiles, deep data, subsampled channels), TY_ERR_MEMORY.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_EXR_H
#define TYCHO_EXR_H
#include "tycho/base.h"
TY_BEGIN_DECLS

#define TY_EXR_CHANNELS 64

typedef struct ty_exr {
    int width, height, channels;    /* [px] 1 to 32768; 1 to TY_EXR_CHANNELS */
    char name[TY_EXR_CHANNELS][32]; /* a file keeps them sorted */
    float *data;                    /* rows from the top, channel after channel */
} ty_exr;

/* Appears whole or not at all. Lossless (32-bit float, ZIP). */
TY_API ty_status ty_exr_write(const char *path, const ty_exr *image, ty_diag *diag);
/* On success the caller owns out->data; halves and integers become floats. */
TY_API ty_status ty_exr_read(const char *path, ty_exr *out, ty_diag *diag);
TY_API void ty_exr_free(ty_exr *image);                           /* NULL is allowed */
TY_API float *ty_exr_find(const ty_exr *image, const char *name); /* a channel; NULL: none */

TY_END_DECLS
#endif
