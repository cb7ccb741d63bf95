/* app/run.h - `tycho run`: the line that tells how it is going.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_RUN_H
#define TYCHO_APP_RUN_H
#include "app.h"
#include "tycho/record.h"

typedef struct run_progress {
    bool quiet, terminal, shown;
    int skipped, width;
    double start, last, from; /* [s] wall, wall, simulated at the start */
} run_progress;
void run_progress_start(run_progress *p, bool quiet, double simulated);
void run_progress_step(run_progress *p, ty_record *record, double total);
/* what is drawn at the end: a ty_progress's report, user is a run_progress */
bool run_progress_draw(void *user, const char *what, double done, double total);
void run_progress_end(run_progress *p);

/* What was asked for. */
typedef struct run_options {
    ty_record_def record;
    ty_run_def run;
    const char *scenario, *resume;
    const char **set;
    bool quiet;
} run_options;
void run_note(void *user, const char *sentence);                       /* what the record has to say */
void run_tell(ty_record *record, const char *name, bool realtime);     /* how it went */
void run_begin(run_progress *progress, ty_record *record, bool quiet); /* what it will need */

/* run_ranks.c: one world over the ranks of mpirun; the exit code. run_hush(): a rank other than the first, which speaks for all, says nothing while options
 * are read; its standard error for later, or -1. */
int run_hush(void);
int run_over_ranks(run_options *options, int loud);

#endif
