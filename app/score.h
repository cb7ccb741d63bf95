/* app/score.h - what the files of `tycho score` share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_SCORE_H
#define TYCHO_APP_SCORE_H
#include <stdio.h>
#include "app.h"

/* each takes its options and files out of argv, whose first entry is the subcommand's name */
ty_status score_depth(int argc, char **argv, ty_diag *diag);
ty_status score_boxes(int argc, char **argv, ty_diag *diag);

/* A file that appears whole or not at all; NULL path: nothing is kept. */
ty_status score_open(const char *path, FILE **out, char part[4200], ty_diag *diag);
ty_status score_close(const char *path, FILE *out, const char *part, ty_status status, ty_diag *diag);
/* a number for JSON: null where it is not one */
void score_number(FILE *out, const char *before, double value);

#endif
