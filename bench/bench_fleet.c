/* bench/bench_fleet.c - many rovers in one world, for `bench sweep`: EX1 on Bekker soil at 1 kHz, 12 m apart, without sensors and without a record. Seconds of
 * one core for a second of simulated time, after a first second; the better of 3.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "app.h"
#include "bench.h"
#include "tycho/run.h"

#define REPEATS 3

/* n rovers of which `drive` drive; sleep: those that stand sleep */
static char *scenario(int n, int drive, bool asleep)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) {
        return NULL;
    }
    fprintf(
        f,
        "{version: 1, name: fleet, duration: 1000, sleep: %s, soil: {model: bekker, file: models/soils/grc1.yaml}, terrain: {extent: 400, seed: 3, "
        "relief: {rms_slope_deg: 2}, craters: {enabled: false}, rocks: {enabled: false}}, rovers: [",
        asleep ? "true" : "false");
    for (int i = 0; i < n; i++) {
        fprintf(f, "%s{name: r%d, model: models/rovers/ex1.yaml, x: %d, y: %d, driver: {type: %s}}", i ? ", " : "", i,
                12 * (i % 9) - 48, 12 * (i / 9) - 48, i < drive ? "constant, v: 0.05" : "stand");
    }
    fprintf(f, "]}");
    fclose(f);
    return text;
}

static double resident(void)
{
    long pages = 0, all;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &all, &pages) != 2) {
        pages = 0;
    }
    if (f) {
        fclose(f);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* [s] of a core for each simulated second; mib: what the run takes */
static double cost(int n, int drive, bool asleep, double seconds, double *mib, ty_diag *diag)
{
    char *text = scenario(n, drive, asleep);
    ty_scenario *s = NULL;
    ty_run *run = NULL;
    ty_run_def def = ty_run_def_default();
    double before = resident(), best = 1e30, from = 1.0;
    ty_status status = text ? ty_scenario_parse("fleet.yaml", text, strlen(text), NULL, 0, &s, diag) : TY_ERR_MEMORY;
    def.scenario = s, def.overlap = false, def.threads = 1;
    status = status == TY_OK ? ty_run_create(&def, &run, diag) : status;
    for (int k = 0; k < REPEATS + 1 && status == TY_OK; k++) {
        double start = bench_cpu();
        while (status == TY_OK && ty_seconds(ty_run_time(run)) < from - 0.5e-3) {
            status = ty_run_step(run, diag);
        }
        double took = bench_cpu() - start;
        best = k && took / seconds < best ? took / seconds : best; /* the first is only a start */
        from += seconds;
    }
    *mib = (resident() - before) / 1048576.0;
    ty_run_destroy(run);
    ty_scenario_destroy(s);
    free(text);
    return status == TY_OK ? best : -1.0;
}

int bench_fleet_fields(FILE *out)
{
    ty_diag diag = { 0 };
    double mib[4];
    double one = cost(1, 1, false, 10.0, &mib[0], &diag), all = cost(64, 64, false, 0.5, &mib[1], &diag);
    double parked = cost(65, 1, true, 10.0, &mib[2], &diag), awake = cost(65, 1, false, 0.5, &mib[3], &diag);
    if (one < 0.0 || all < 0.0 || parked < 0.0 || awake < 0.0) {
        return app_bad("bench", "%s.", diag.text);
    }
    fprintf(
        out,
        "\"rover_rtf\": %.4g, \"rovers_64_rtf\": %.4g, \"rovers_64_ratio\": %.4g, \"parked_64_ratio\": %.4g, \"parked_64_awake_ratio\": %.4g, "
        "\"mib_per_rover\": %.4g",
        one, all, all / (64.0 * one), parked / one, awake / one, (mib[1] - mib[0]) / 63.0);
    return APP_OK;
}
