/* src/record/pace.c - a run at the pace of the wall clock, and how often it came late.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <time.h>
#include "record.h"

void tyi_record_pace_step(tyi_record_pace *p, double simulated)
{
    double now = tyi_now();
    if (!p->on) {
        return;
    }
    if (!p->started) {
        p->started = true;
        p->origin = now - simulated;
    }
    double ahead = simulated - (now - p->origin);
    p->steps++;
    if (ahead < -p->slack) {
        p->late++;
        p->episodes += !p->behind;
        p->behind = true;
        p->worst = fmax(p->worst, -ahead);
        return;
    }
    p->behind = false;
    while (ahead > 0.0) {
        struct timespec t = { (time_t)ahead, (long)(1e9 * (ahead - floor(ahead))) };
        nanosleep(&t, NULL);
        ahead = simulated - (tyi_now() - p->origin);
    }
}
