/* app/app.h - what the commands of the program share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_H
#define TYCHO_APP_H
#include "tycho/base.h"

#define APP_OK  0
#define APP_BAD 2 /* wrong input of any kind: one sentence on standard error */

typedef struct app_command {
    const char *name, *summary; /* one line for tycho --help */
    const char *help;           /* a screen for tycho NAME --help, with an example; NULL: run answers --help itself */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
} app_command;

/* every command, defined in its own app/cmd_NAME.c */
extern const app_command app_cmd_allan;
extern const app_command app_cmd_bed;
extern const app_command app_cmd_bench;
extern const app_command app_cmd_run;
extern const app_command app_cmd_camera;
extern const app_command app_cmd_check;
extern const app_command app_cmd_dataset;
extern const app_command app_cmd_eval;
extern const app_command app_cmd_fmu;
extern const app_command app_cmd_lidar;
extern const app_command app_cmd_live;
extern const app_command app_cmd_render;
extern const app_command app_cmd_score;
extern const app_command app_cmd_sweep;
extern const app_command app_cmd_terrain;
extern const app_command app_cmd_wheel;
extern const app_command app_cmd_validate;

/* Prints "tycho NAME: sentence" to standard error; returns APP_BAD. */
int app_bad(const char *command, const char *format, ...) TY_PRINTF(2, 3);

/* The progress line: one updating line with rate and time left on a terminal, a line every 10 s
 * otherwise, nothing when quiet. Start it, hand app_progress_hook() to the library, end it. */
typedef struct app_progress {
    bool quiet, terminal, shown;
    double start, last; /* [s] monotonic */
} app_progress;
void app_progress_start(app_progress *progress, bool quiet);
ty_progress app_progress_hook(app_progress *progress);
void app_progress_end(app_progress *progress);

/* Options: app_option(&argc, argv, "--seed") removes "--seed VALUE" (or "--seed=VALUE") from argv and
 * returns VALUE, NULL when it is not there; app_flag removes a flag and says whether it was there. */
const char *app_option(int *argc, char **argv, const char *name);
bool app_flag(int *argc, char **argv, const char *name);
/* After all known options are taken: a leftover that starts with "--" is an error. Returns it, or NULL. */
const char *app_unknown_option(int argc, char **argv);
bool app_number(const char *text, double *value); /* the whole text is one finite number */

#endif
