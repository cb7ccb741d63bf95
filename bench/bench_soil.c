/* bench/bench_soil.c - what a second of driving costs on each soil, one core.
 * The work is fixed: the viper preset on level ground, lunar soil and gravity, wheels at 0.8 rad/s,
 * 1 s to settle, then 10 s at 1 kHz, ruts and berms included. wall / simulated; the best of the repeats.
 * `scm` once with wheels as cylinders through the lugs' tips, once with every lug as a plate (mesh).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "tycho/vehicle.h"

#define REPEATS 3
#define SECONDS 10.0

typedef struct soil_case {
    const char *name;
    ty_soil_model_kind soil;
    double spacing; /* [m] scm */
    bool lugs;
} soil_case;

static const soil_case cases[] = {
    { "multibody", TY_SOIL_NONE, 0.02, false },        { "rigid", TY_SOIL_RIGID, 0.02, false },
    { "regression", TY_SOIL_REGRESSION, 0.02, false }, { "bekker", TY_SOIL_BEKKER, 0.02, false },
    { "scm_004", TY_SOIL_SCM, 0.04, false },           { "scm_002", TY_SOIL_SCM, 0.02, false },
    { "scm_001", TY_SOIL_SCM, 0.01, false },           { "scm_004_mesh", TY_SOIL_SCM, 0.04, true },
    { "scm_002_mesh", TY_SOIL_SCM, 0.02, true },       { "scm_001_mesh", TY_SOIL_SCM, 0.01, true },
};
enum { CASES = sizeof cases / sizeof cases[0], MULTIBODY = 0, BEKKER = 3 };

typedef struct outcome {
    double wall, cpu;     /* [-] seconds per simulated second, least of the repeats */
    double slip, sinkage; /* [-], [m] of the first wheel, mean over the last second */
} outcome;

static ty_status make(ty_terrain *terrain, const soil_case *c, ty_vehicle **out, ty_diag *diag)
{
    const char *root = getenv("TYCHO_SOURCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/models/rovers/viper.yaml", root ? root : ".");
    ty_vehicle_def def = ty_vehicle_def_default();
    def.rover = path;
    def.terrain = terrain;
    def.soil.model = c->soil;
    def.soil.grid.spacing = c->spacing;
    def.soil.grid.lugs = c->lugs;
    return ty_vehicle_create(&def, out, diag);
}

static ty_status measure(ty_terrain *terrain, const soil_case *c, outcome *best, ty_diag *diag)
{
    ty_vehicle *v = NULL;
    ty_status status = make(terrain, c, &v, diag);
    double omega[TY_WHEELS_MAX], start = 0.0, work = 0.0, slip = 0.0, sinkage = 0.0;
    int steps = (int)((1.0 + SECONDS) * 1e3), watched = 0;
    for (int i = 0; i < TY_WHEELS_MAX; i++) {
        omega[i] = 0.8;
    }
    for (int i = 0; status == TY_OK && i < steps; i++) {
        if (i == 1000) {
            status = ty_vehicle_command_wheels(v, omega, NULL, diag);
            start = bench_now(), work = bench_cpu();
        }
        status = status == TY_OK ? ty_vehicle_step(v, 1e-3, diag) : status;
        status = status == TY_OK ? ty_vehicle_press_ruts(v, diag) : status;
        if (status == TY_OK && i >= steps - 1000 && i % 50 == 0) {
            ty_vehicle_state s;
            ty_vehicle_get(v, &s);
            slip += s.wheel[0].slip, sinkage += s.wheel[0].sinkage, watched++;
        }
    }
    best->wall = fmin(best->wall, (bench_now() - start) / SECONDS);
    best->cpu = fmin(best->cpu, (bench_cpu() - work) / SECONDS);
    best->slip = slip / watched, best->sinkage = sinkage / watched;
    ty_vehicle_destroy(v);
    return status;
}

static void print(const outcome *o)
{
    printf("{");
    for (size_t k = 0; k < CASES; k++) {
        printf("\"rtf_%s\": %.5f, \"cpu_%s\": %.5f, ", cases[k].name, o[k].wall, cases[k].name, o[k].cpu);
        if (cases[k].soil == TY_SOIL_BEKKER || cases[k].soil == TY_SOIL_SCM) {
            printf("\"slip_%s\": %.5f, \"sinkage_mm_%s\": %.2f, ", cases[k].name, o[k].slip, cases[k].name,
                   1e3 * o[k].sinkage);
        }
    }
    printf("\"bekker_step_ratio\": %.3f}\n", o[BEKKER].wall / o[MULTIBODY].wall);
}

int bench_soil(void)
{
    ty_diag diag = { 0 };
    ty_terrain_def def = ty_terrain_def_default();
    def.relief.rms_slope_deg = 0.0;
    def.crater.on = def.rock.on = false;
    outcome best[CASES];
    for (size_t k = 0; k < CASES; k++) {
        best[k] = (outcome){ (double)INFINITY, (double)INFINITY, 0.0, 0.0 };
    }
    /* all soils in each round, so that a slow moment of the machine hits them alike */
    for (int r = 0; r < REPEATS; r++) {
        for (size_t k = 0; k < CASES; k++) {
            ty_terrain *terrain;
            ty_status status = ty_terrain_create(&def, &terrain, &diag);
            status = status == TY_OK ? measure(terrain, &cases[k], &best[k], &diag) : status;
            ty_terrain_destroy(terrain);
            if (status != TY_OK) {
                return app_bad("bench", "%s", diag.text);
            }
        }
    }
    print(best);
    return APP_OK;
}
