/* src/io/out_file.h - the one way to write a file: it appears whole or not at all.
 *
 * A file is written under a temporary name beside its place and renamed when all of it is on the disk. Links are
 * followed; what is no plain file (a device, a pipe) is never replaced: the bytes go through it at the end. What
 * processes that are gone left behind in the folder (NAME.PID-K.part) is swept away.
 *
 * Statuses: TY_ERR_FILE with the reason, TY_ERR_MEMORY.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_OUT_FILE_H
#define TYI_IO_OUT_FILE_H
#include <stdio.h>
#include "tycho/base.h"

typedef struct tyi_io_sink tyi_io_sink;

/* path NULL: standard output. On success the caller owns *out. */
ty_status tyi_io_sink_open(const char *path, tyi_io_sink **out, ty_diag *diag);
FILE *tyi_io_sink_file(tyi_io_sink *out); /* to be written to, not closed */
/* Takes what came before: the file takes its place when that is TY_OK and everything was written, else nothing is left
 * of it. Returns the first failure. NULL is allowed. */
ty_status tyi_io_sink_close(tyi_io_sink *out, ty_status status, ty_diag *diag);

#endif
