/* app/cmd_bench.c - `tycho bench NAME`: one flat JSON object on standard output.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "app.h"
#include "bench.h"
#include <time.h>

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int crm_on_host(void)
{
    return bench_crm(NULL);
}

static int dem_on_host(void)
{
    return bench_dem(NULL);
}

static int gpu_any(void)
{
    return bench_gpu(NULL);
}

#ifndef TYCHO_MINIMAL
static int dust_on_host(void)
{
    return bench_dust(NULL);
}

static int vec_on_host(void)
{
    return bench_vec(NULL);
}
#endif

static const app_bench benches[] = {
#ifndef TYCHO_MINIMAL
    { "loop", bench_loop },       { "soil", bench_soil },   { "render", bench_render },
    { "dust", dust_on_host },     { "scale", bench_scale }, { "sensor", bench_sensor },
    { "live", bench_live },       { "sweep", bench_sweep }, { "vec", vec_on_host },
#endif
    { "terrain", bench_terrain }, { "scm", bench_scm },     { "crm", crm_on_host },
    { "dem", dem_on_host },       { "gpu", gpu_any },       { NULL, NULL },
};

static int run(int argc, char **argv)
{
    if (app_flag(&argc, argv, "--list")) {
        for (const app_bench *b = benches; b->name; b++) {
            puts(b->name);
        }
        return APP_OK;
    }
#ifndef TYCHO_MINIMAL
    if (argc == 3 && !strcmp(argv[1], "peers")) { /* only half of a measurement: `make bench-peers` runs the others */
        return bench_peers(argv[2]);
    }
#endif
    const char *device = app_option(&argc, argv, "--device");
    if (device && argc == 2 && !strcmp(argv[1], "crm")) {
        return bench_crm(!strcmp(device, "any") ? "" : device);
    }
    if (device && argc == 2 && !strcmp(argv[1], "dem")) {
        return bench_dem(!strcmp(device, "any") ? "" : device);
    }
    if (device && argc == 2 && !strcmp(argv[1], "gpu")) {
        return bench_gpu(!strcmp(device, "any") ? NULL : device);
    }
#ifndef TYCHO_MINIMAL
    if (device && argc == 2 && !strcmp(argv[1], "dust")) {
        return bench_dust(!strcmp(device, "any") ? "" : device);
    }
    if (device && argc == 2 && !strcmp(argv[1], "vec")) {
        return bench_vec(!strcmp(device, "any") ? "" : device);
    }
#endif
    if (device) {
        return app_bad("bench", "--device is known to crm, dem, dust, gpu and vec alone.");
    }
    if (argc != 2) {
        return app_bad("bench", "takes one name; `tycho bench --list` lists them.");
    }
    for (const app_bench *b = benches; b->name; b++) {
        if (!strcmp(argv[1], b->name)) {
            return b->run();
        }
    }
    return app_bad("bench", "there is no benchmark '%s'; `tycho bench --list` lists them.", argv[1]);
}

const app_command app_cmd_bench = {
    "bench",
    "measure speed, as JSON",
    "usage: tycho bench NAME [--device any|NAME] | --list\n\n"
    "Prints one flat JSON object on standard output: best of at least 3 repeats, rates per second on one\n"
    "core unless the name says otherwise.\n"
    "crm and vec take --device: any, or part of a name; they then measure that device too, crm also how far it agrees with the host.\n"
    "`tycho bench peers DIR` writes a scene into DIR, renders it and prints what that took; `make bench-peers` lets Blender and\n"
    "POV-Ray render the same scene and prints all three.\n\n"
    "example: tycho bench terrain\n",
    run,
};
