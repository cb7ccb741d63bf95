/* src/io/out.h - a file that appears whole or not at all: written under a temporary name, which ends in ".part".
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_OUT_H
#define TYI_IO_OUT_H
#include <stdio.h>
#include "core/core.h"

typedef struct tyi_io_out {
    FILE *file;
    const char *path;
    char temporary[4096];
} tyi_io_out;
ty_status tyi_io_out_open(tyi_io_out *out, const char *path, ty_diag *diag);
/* Takes what came before: renames when that is TY_OK and everything reached the disk, else removes. */
ty_status tyi_io_out_close(tyi_io_out *out, ty_status status, ty_diag *diag);

#endif
