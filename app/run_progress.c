/* app/run_progress.c - the line that tells how a run is going: one line that is written over on a terminal, a line now
 * and then otherwise.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"
#include "run.h"

void run_progress_start(run_progress *p, bool quiet, double simulated)
{
    double now = bench_now();
    *p = (run_progress){
        .quiet = quiet, .terminal = isatty(STDERR_FILENO), .start = now, .last = now, .from = simulated
    };
}

static const char *span(double seconds, char *out, size_t size)
{
    long s = lround(fmin(seconds, 1e7));
    if (s < 100) {
        snprintf(out, size, "%ld s", s);
    } else if (s < 6000) {
        snprintf(out, size, "%ld min %02ld s", s / 60, s % 60);
    } else {
        snprintf(out, size, "%ld h %02ld min", s / 3600, s / 60 % 60);
    }
    return out;
}

static void show(run_progress *p, const char *line)
{
    p->shown = true;
    if (p->terminal) {
        fprintf(stderr, "\r%-*s", p->width, line); /* over what was longer */
    } else {
        fprintf(stderr, "%s\n", line);
    }
    p->width = (int)strlen(line);
    fflush(stderr);
}

void run_progress_step(run_progress *p, ty_record *record, double total)
{
    enum { COSTS = 6 };
    if (p->quiet || ++p->skipped < 16) { /* not the clock at every step */
        return;
    }
    p->skipped = 0;
    double now = bench_now(), pause = p->terminal ? 0.2 : 20.0;
    if (now - p->last < pause) {
        return;
    }
    p->last = now;
    ty_record_stats s = ty_record_get_stats(record);
    double done = s.simulated, speed = (done - p->from) / (now - p->start), sum = 0.0;
    int most = 0;
    for (int i = 0; i < COSTS; i++) {
        most = s.cost[i] > s.cost[most] ? i : most;
        sum += s.cost[i];
    }
    char left[40], line[160];
    snprintf(line, sizeof line, "%3.0f %%  %.1f of %g s, %.3gx real time, %s left at most; %.0f %% is %s",
             total > 0.0 ? 100.0 * done / total : 0.0, done, total, speed,
             span(speed > 0.0 ? (total - done) / speed : 0.0, left, sizeof left),
             sum > 0.0 ? 100.0 * s.cost[most] / sum : 0.0, ty_record_cost_name(most));
    show(p, line);
}

bool run_progress_draw(void *user, const char *what, double done, double total)
{
    run_progress *p = user;
    char line[160];
    snprintf(line, sizeof line, "drawing %s; the data are written", what);
    if (!p->quiet && p->terminal && done < total) {
        show(p, line);
    }
    return true;
}

void run_progress_end(run_progress *p)
{
    if (p->shown && p->terminal) {
        fprintf(stderr, "\r%*s\r", p->width, "");
    }
}
