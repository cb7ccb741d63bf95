/* src/io/out.h - the one way to write a file: it appears whole or not at all.
 *
 * Written under a temporary name beside its place, which ends in ".part"; links are followed, so that a link stays one.
 * What is no plain file (a device, a pipe, /dev/stdout) is never replaced: the bytes gather elsewhere and go through it
 * at the end.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_OUT_H
#define TYI_IO_OUT_H
#include <stdio.h>
#include "core/core.h"

typedef struct tyi_io_out {
    FILE *file;
    const char *path;     /* as it was given; must outlive this */
    char target[4096];    /* where links lead */
    char temporary[4096]; /* the file that is written */
    int through;          /* file descriptor of what is no plain file; -1: the temporary is renamed */
} tyi_io_out;
ty_status tyi_io_out_open(tyi_io_out *out, const char *path, ty_diag *diag);
/* Takes what came before: the file takes its place when that is TY_OK and everything reached the disk, else nothing is
 * left of it. file may be NULL: closed already, and another library has written the temporary. */
ty_status tyi_io_out_close(tyi_io_out *out, ty_status status, ty_diag *diag);

/* Where what is gone afterwards is put: $TMPDIR, where that is a path from the root, else /tmp. */
const char *tyi_io_out_aside(void);
/* Makes a folder NAME-XXXXXX there, X by chance; its path in out. false: errno says why, and out is "". */
bool tyi_io_out_folder(const char *name, char *out, size_t size);

/* Removes what processes that are gone left in a folder: NAME.PID-K.part, a minute old at least. Returns how many. */
int tyi_io_out_sweep(const char *folder);

#endif
