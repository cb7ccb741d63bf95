/* app/run_progress.c - the line that tells how a run is going: one line that is written over on a terminal, a line now
 * and then otherwise.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
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

/* what the run's own thread spends its time with */
run_costs run_costs_of(ty_run *run, const run_record *r)
{
    ty_run_stats s = ty_run_get_stats(run);
    return (run_costs){ { s.motion_s, s.soil_s, s.wait_s, s.sensor_s, s.deliver_s + r->wall_write, r->wall_events } };
}

const char *const run_cost_name[RUN_COSTS] = { "dynamics", "soil", "frames", "sensors", "writing", "events" };

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

void run_progress_step(run_progress *p, ty_run *run, const run_record *r, double done, double total)
{
    if (p->quiet || ++p->skipped < 16) { /* not the clock at every step */
        return;
    }
    p->skipped = 0;
    double now = bench_now(), pause = p->terminal ? 0.2 : 20.0;
    if (now - p->last < pause) {
        return;
    }
    p->last = now;
    p->shown = true;
    double speed = (done - p->from) / (now - p->start), sum = 0.0;
    run_costs c = run_costs_of(run, r);
    int most = 0;
    for (int i = 0; i < RUN_COSTS; i++) {
        most = c.s[i] > c.s[most] ? i : most;
        sum += c.s[i];
    }
    char left[40], line[160];
    snprintf(line, sizeof line, "%3.0f %%  %.1f of %g s, %.3gx real time, %s left at most; %.0f %% is %s",
             total > 0.0 ? 100.0 * done / total : 0.0, done, total, speed,
             span(speed > 0.0 ? (total - done) / speed : 0.0, left, sizeof left),
             sum > 0.0 ? 100.0 * c.s[most] / sum : 0.0, run_cost_name[most]);
    if (p->terminal) {
        fprintf(stderr, "\r%-*s", p->width, line); /* over what was longer */
    } else {
        fprintf(stderr, "%s\n", line);
    }
    p->width = (int)strlen(line);
    fflush(stderr);
}

void run_progress_end(run_progress *p)
{
    if (p->shown && p->terminal) {
        fprintf(stderr, "\r%*s\r", p->width, "");
    }
}
