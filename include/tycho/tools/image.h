/* include/tycho/tools/image.h - plain images, and PNG and JPEG files.
 *
 * Files are written under a temporary name and renamed when whole, so that a failure leaves nothing behind.
 * Statuses: TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_RANGE, TY_ERR_MEMORY.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_IMAGE_H
#define TYCHO_IMAGE_H
#include "tycho/base.h"
TY_BEGIN_DECLS

typedef struct ty_image {
    int width, height; /* [px] */
    int channels;      /* 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha */
    int bits;          /* 8: data is uint8_t; 16: uint16_t */
    void *data;        /* rows from the top, channels interleaved, no padding */
} ty_image;

/* Writes numbers as they are, without a colour space. Width and height 1 to 32768. */
TY_API ty_status ty_png_write(const char *path, int width, int height, int channels, int bits, const void *data,
                              ty_diag *diag);
/* Reads any PNG; fewer than 8 bits and palettes are widened to 8. On success the caller owns out->data. */
TY_API ty_status ty_png_read(const char *path, ty_image *out, ty_diag *diag);
TY_API void ty_image_free(ty_image *image); /* NULL is allowed */

TY_END_DECLS
#endif
