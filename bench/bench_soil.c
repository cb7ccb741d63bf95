/* bench/bench_soil.c - what a second of driving costs on each soil, one core.
 * The work is fixed: the viper preset on level ground, lunar soil and gravity, wheels at 0.8 rad/s,
 * 1 s to settle, then 10 s at 1 kHz, ruts included. wall / simulated; the best of the repeats.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "tycho/vehicle.h"

#define REPEATS 3
#define SECONDS 10.0

/* Wall seconds per simulated second; NAN: failed, diag says why. */
static double measure(ty_terrain *terrain, ty_soil_model_kind soil, double *slip, ty_diag *diag)
{
    const char *root = getenv("TYCHO_SOURCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/models/rovers/viper.yaml", root ? root : ".");
    ty_vehicle_def def = ty_vehicle_def_default();
    def.rover = path;
    def.terrain = terrain;
    def.soil.model = soil;
    ty_vehicle *v;
    ty_status status = ty_vehicle_create(&def, &v, diag);
    double omega[TY_WHEELS_MAX], start = 0.0;
    for (int i = 0; i < TY_WHEELS_MAX; i++) {
        omega[i] = 0.8;
    }
    for (int i = 0; status == TY_OK && i < (int)((1.0 + SECONDS) * 1e3); i++) {
        if (i == 1000) {
            status = ty_vehicle_command_wheels(v, omega, NULL, diag);
            start = bench_now();
        }
        if (status == TY_OK) {
            status = ty_vehicle_step(v, 1e-3, diag);
        }
        if (status == TY_OK) {
            status = ty_vehicle_ground(v, diag);
        }
    }
    double wall = bench_now() - start;
    ty_vehicle_state s;
    if (status == TY_OK) {
        ty_vehicle_get(v, &s);
        *slip = s.wheel[0].slip;
    }
    ty_vehicle_destroy(v);
    return status == TY_OK ? wall / SECONDS : (double)NAN;
}

int bench_soil(void)
{
    static const ty_soil_model_kind soils[] = { TY_SOIL_NONE, TY_SOIL_RIGID, TY_SOIL_REGRESSION,
                                                TY_SOIL_BEKKER };
    ty_diag diag = { 0 };
    ty_terrain_def def = ty_terrain_def_default();
    def.relief.rms_slope_deg = 0.0;
    def.crater.on = def.rock.on = false;
    double best[TY_SOIL_MODEL_COUNT], slip[TY_SOIL_MODEL_COUNT] = { 0.0 };
    for (int k = 0; k < TY_SOIL_MODEL_COUNT; k++) {
        best[k] = (double)INFINITY;
    }
    for (int r = 0; r < REPEATS;
         r++) { /* all soils in each round, so that a slow moment of the machine hits them alike */
        for (size_t k = 0; k < sizeof soils / sizeof soils[0]; k++) {
            ty_terrain *terrain;
            if (ty_terrain_create(&def, &terrain, &diag) != TY_OK) {
                return app_bad("bench", "%s", diag.text);
            }
            double rtf = measure(terrain, soils[k], &slip[soils[k]], &diag);
            ty_terrain_destroy(terrain);
            if (!isfinite(rtf)) {
                return app_bad("bench", "%s", diag.text);
            }
            best[soils[k]] = fmin(best[soils[k]], rtf);
        }
    }
    printf("{\"rtf_rigid\": %.5f, \"rtf_regression\": %.5f, \"rtf_bekker\": %.5f, "
           "\"bekker_step_ratio\": %.3f, "
           "\"rtf_multibody\": %.5f, \"slip_bekker\": %.5f, ",
           best[TY_SOIL_RIGID], best[TY_SOIL_REGRESSION], best[TY_SOIL_BEKKER],
           best[TY_SOIL_BEKKER] / best[TY_SOIL_NONE], best[TY_SOIL_NONE], slip[TY_SOIL_BEKKER]);
    int code = bench_scm_fields(stdout); /* the grid model, driven by a rover of its own: see bench_scm.c */
    printf("}\n");
    return code;
}
