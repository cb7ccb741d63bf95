/* src/device/source.h - the kernel files inside the library, and `#include` from them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DEVICE_SOURCE_H
#define TYI_DEVICE_SOURCE_H
#include "tycho/base.h"

typedef struct tyi_device_embedded {
    const char *name;
    const unsigned char *text; /* ends with 0 */
    size_t bytes;              /* without the 0 */
} tyi_device_embedded;

/* Made at build time from the .h and .cl files of kernels/; ends with a NULL name. */
extern const tyi_device_embedded tyi_device_embedded_files[];

/* Replaces each line `#include "NAME"` by the embedded file, the first time it is named, and by
 * nothing after that. Lines keep their file and number for the compiler's messages. On success *out
 * is text of *bytes bytes (its 0 included) that tyi_put() frees. TY_ERR_INPUT: no such file;
 * TY_ERR_MEMORY. */
ty_status tyi_device_source_expand(const ty_alloc *alloc, const char *source, char **out, size_t *bytes, ty_diag *diag);

#endif
