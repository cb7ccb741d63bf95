/* include/tycho/tools/out.h - the one way to write a file: it appears whole or not at all.
 *
 * A file is written under a temporary name beside its place and renamed when all of it is on the disk. Links are
 * followed; what is no plain file (a device, a pipe) is never replaced: the bytes go through it at the end. What
 * processes that are gone left behind in the folder (NAME.PID-K.part) is swept away.
 *
 * Statuses: TY_ERR_FILE with the reason, TY_ERR_MEMORY.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_OUT_H
#define TYCHO_OUT_H
#include <stdio.h>
#include "tycho/base.h"
TY_BEGIN_DECLS

typedef struct ty_out ty_out;

/* path NULL: standard output. On success the caller owns *out. */
TY_API ty_status ty_out_open(const char *path, ty_out **out, ty_diag *diag);
TY_API FILE *ty_out_file(ty_out *out); /* to be written to, not closed */
/* Takes what came before: the file takes its place when that is TY_OK and everything was written, else nothing is left
 * of it. Returns the first failure. NULL is allowed. */
TY_API ty_status ty_out_close(ty_out *out, ty_status status, ty_diag *diag);

TY_END_DECLS
#endif
