/* app/score.h - what the files of `tycho score` share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_SCORE_H
#define TYCHO_APP_SCORE_H
#include <stdio.h>
#include "app.h"
#include "io/out_file.h"

/* each takes its options and files out of argv, whose first entry is the subcommand's name */
ty_status score_depth(int argc, char **argv, ty_diag *diag);
ty_status score_boxes(int argc, char **argv, ty_diag *diag);
ty_status score_map(int argc, char **argv, ty_diag *diag);

/* path NULL: nothing is kept */
ty_status score_open(const char *path, tyi_io_sink **out, ty_diag *diag);
/* a number for JSON: null where it is not one */
void score_number(FILE *out, const char *before, double value);

#endif
