/* tests/fmu/kite.c - something that flies a circle round a rover, as an FMU, as somebody else would write one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN     "{kite}"
#define FIRST_OUT X
enum { NORTH, EAST, RADIUS, RATE, HEIGHT, X, Y, Z, YAW, COUNT }; /* value references */

typedef struct unit {
    double value[COUNT], turned;
} unit;

static void *make(void)
{
    unit *p = calloc(1, sizeof *p);
    if (p) {
        p->value[RADIUS] = 2.0, p->value[RATE] = 0.5, p->value[HEIGHT] = 3.0;
    }
    return p;
}

static int start(unit *p)
{
    double *x = p->value;
    x[X] = x[EAST] + x[RADIUS] * cos(p->turned);
    x[Y] = x[NORTH] + x[RADIUS] * sin(p->turned);
    x[Z] = x[HEIGHT];
    x[YAW] = p->turned + 0.5 * 3.14159265358979323846; /* along its way */
    return 0;
}

static int step(unit *p, double t, double h)
{
    (void)t;
    p->turned += p->value[RATE] * h;
    return start(p);
}

#include "unit.h"
