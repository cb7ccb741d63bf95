/* Nanoseconds per call of tyi_soil_wheel_force() and tyi_soil_wheel_advance(), best of 7 runs. No part of the tests: timing
 * does not belong there. After `make build`:
 *     gcc -O2 -Iinclude tests/timing/wheel_contact.c build/libtycho.a -lm -lpthread -fopenmp -o build/t && build/t
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <time.h>
#include "tycho/soil.h"
#include "soil/inner.h"

enum { CALLS = 100000, RUNS = 7 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const char *name, const ty_wheel_shape *shape, double v_y)
{
    ty_soil_params soil = ty_soil_params_default();
    tyi_soil_wheel *wheel;
    double contact = 1.0, advance = 1.0, sum = 0.0;
    soil.n0 = 1.1; /* a power that has no short cut */
    if (tyi_soil_wheel_create(&soil, shape, NULL, &wheel, NULL) != TY_OK) {
        return;
    }
    for (int run = 0; run < RUNS; run++) {
        tyi_soil_wheel_state s = { .h = 0.02, .v_x = 0.1, .v_y = v_y, .omega = 0.5 };
        ty_wheel_load load;
        double t = now();
        for (int i = 0; i < CALLS; i++) {
            tyi_soil_wheel_advance(wheel, &s, 1e-3);
            sum += s.history.ux;
        }
        t = (now() - t) / CALLS;
        advance = t < advance ? t : advance;
        t = now();
        for (int i = 0; i < CALLS; i++) {
            s.h = 0.02 + 1e-9 * i;
            tyi_soil_wheel_force(wheel, &s, &load);
            sum += load.fz;
        }
        t = (now() - t) / CALLS;
        contact = t < contact ? t : contact;
    }
    printf("%-24s contact %4.0f ns, advance %3.0f ns%s\n", name, 1e9 * contact, 1e9 * advance,
           sum > 0.0 ? "" : " (no force)");
    tyi_soil_wheel_destroy(wheel);
}

int main(void)
{
    const ty_wheel_shape plain = { 0.25, 0.2, 0.0, 0 }, lugs = { 0.225, 0.2, 0.025, 24 };
    measure("straight", &plain, 0.0);
    measure("with side slip", &plain, 0.02);
    measure("lugs, straight", &lugs, 0.0);
    measure("lugs, with side slip", &lugs, 0.02);
    return 0;
}
