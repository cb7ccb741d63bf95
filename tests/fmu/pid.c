/* tests/fmu/pid.c - a controller as an FMU, as somebody else would write one: PID for heading, P for speed, with a state. Built by
 * tests/cli/fmu.sh for FMI 2.0 (-DVERSION=2) and 3.0; knows nothing of Tycho.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN     "{pid}"
#define FIRST_OUT OMEGA
enum { HEADING, SPEED, KP, KI, KD, TARGET, CRUISE, OMEGA, V, COUNT }; /* value references */

typedef struct unit {
    double value[COUNT], sum, before;
    int64_t steps;
} unit;

static void *make(void)
{
    unit *p = calloc(1, sizeof *p);
    if (p) {
        p->value[KP] = 1.0, p->value[KI] = 0.1, p->value[KD] = 0.2, p->value[CRUISE] = 0.15;
    }
    return p;
}

static int start(unit *p)
{
    return !p;
}

static int step(unit *p, double t, double h)
{
    (void)t;
    double *x = p->value, error = remainder(x[TARGET] - x[HEADING], 2.0 * 3.14159265358979323846);
    p->sum += error * h;
    double rate = p->steps++ ? (error - p->before) / h : 0.0;
    p->before = error;
    x[OMEGA] = fmin(fmax(x[KP] * error + x[KI] * p->sum + x[KD] * rate, -0.3), 0.3);
    x[V] = x[CRUISE] + 0.5 * (x[CRUISE] - x[SPEED]);
    return 0;
}

#include "unit.h"
