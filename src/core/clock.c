/* src/core/clock.c - the wall clock, for what things cost; nothing that is computed depends on it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>
#include "core.h"

double tyi_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
