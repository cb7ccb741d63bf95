/* app/progress.c - the progress line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "app.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void app_progress_start(app_progress *progress, bool quiet)
{
    double t = now();
    *progress = (app_progress){ .quiet = quiet, .terminal = isatty(STDERR_FILENO), .start = t, .last = t };
}

static bool report(void *user, const char *what, double done, double total)
{
    app_progress *p = user;
    double t = now();
    double pause = p->terminal ? 0.1 : 10.0;
    if (p->quiet || t - p->last < pause) {
        return true;
    }
    p->last = t;
    p->shown = true;
    double rate = done / (t - p->start);
    double left = rate > 0.0 ? (total - done) / rate : 0.0;
    fprintf(stderr, "%s%3.0f %%  %.4g of %.4g %s, %.3g/s, %.0f s left%s", p->terminal ? "\r" : "",
            total > 0.0 ? 100.0 * done / total : 0.0, done, total, what, rate, left, p->terminal ? "   " : "\n");
    fflush(stderr);
    return true;
}

ty_progress app_progress_hook(app_progress *progress)
{
    return (ty_progress){ report, progress };
}

void app_progress_end(app_progress *progress)
{
    if (progress->shown && progress->terminal) {
        fprintf(stderr, "\r%78s\r", "");
    }
}
