/* src/core/room.c - see room.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "room.h"
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

double tyi_memory_free(void)
{
    double room = (double)INFINITY;
    char line[200];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        unsigned long long kib;
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1) {
            room = 1024.0 * (double)kib;
        }
    }
    if (f) {
        fclose(f);
    }
    struct rlimit limit;
    unsigned long long pages = 0;
    f = fopen("/proc/self/statm", "r");
    if (f) {
        pages = fscanf(f, "%llu", &pages) == 1 ? pages : 0;
        fclose(f);
    }
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY) {
        room = fmin(room, (double)limit.rlim_cur - (double)pages * (double)sysconf(_SC_PAGESIZE));
    }
    return fmax(room, 0.0);
}
