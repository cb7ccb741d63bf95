/* bench/bench_crm.c - soil that flows: particle updates per second.
 * The work: a layer of soil on a rough plane of 25 deg that flows at up to 1 m/s, periodic along and across, mu 0.3819 to 0.643; walls
 * are not counted. On one core of the host: 64 thousand particles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "tycho/tools/crm.h"

enum { LAYERS = 3 };

/* a layer of nx x ny x nz particles on a floor */
static ty_status lay(ty_crm_def *def, int nx, int ny, int nz, ty_crm **out, ty_diag *diag)
{
    double d = def->spacing, g = 9.81, angle = 25.0 * TY_DEG, height = nz * d;
    def->soil.mu_s = 0.3819;
    def->soil.mu_2 = 0.643;
    def->soil.i0 = 0.279;
    def->soil.d = 0.01;
    def->gravity = ty_vec3_make(g * sin(angle), 0.0, -g * cos(angle));
    def->low = ty_vec3_make(0.0, 0.0, -LAYERS * d);
    def->high = ty_vec3_make(nx * d, ny * d, height + 4.0 * d);
    def->periodic[0] = def->periodic[1] = true;
    def->particles = (size_t)nx * (size_t)ny * (size_t)(nz + LAYERS);
    ty_status status = ty_crm_create(def, out, diag);
    uint32_t id = 0;
    for (int k = -LAYERS; k < nz && status == TY_OK; k++) {
        for (int j = 0; j < ny && status == TY_OK; j++) {
            for (int i = 0; i < nx && status == TY_OK; i++) {
                double z = (k + 0.5) * d, p = k < 0 ? 0.0 : def->soil.rho * g * cos(angle) * (height - z);
                ty_crm_particle a = { .x = { (i + 0.5) * d, (j + 0.5) * d, z }, .id = id++, .wall = k < 0 };
                a.stress[0] = a.stress[1] = a.stress[2] = -p;
                a.stress[4] = k < 0 ? 0.0 : 0.38 * p;
                a.v.x = k < 0 ? 0.0 : 1.0 - pow(1.0 - z / height, 1.5);
                status = ty_crm_add(*out, &a, 1, diag);
            }
        }
    }
    return status;
}

static ty_status time_host(int side, int layers, int steps, double *rate, double *core, double *searches, ty_diag *diag)
{
    ty_crm_def def = ty_crm_def_default();
    ty_crm *crm = NULL;
    ty_status status = lay(&def, side, side, layers, &crm, diag);
    double best = INFINITY, least = INFINITY, step = 0.0;
    if (status == TY_OK) {
        ty_crm_facts facts;
        ty_crm_def_facts(&def, &facts, diag);
        step = 0.9 * facts.step;
        status = ty_crm_step(crm, 5 * step, NULL, 0, NULL, diag);
    }
    uint64_t before = crm ? ty_crm_get_counts(crm).searches : 0;
    uint64_t counted = 0;
    for (int k = 0; k < 3 && status == TY_OK; k++) {
        uint64_t from = ty_crm_get_counts(crm).steps;
        double start = bench_now(), work = bench_cpu();
        for (int i = 0; i < steps && status == TY_OK; i++) {
            status = ty_crm_step(crm, step, NULL, 0, NULL, diag);
        }
        uint64_t done = ty_crm_get_counts(crm).steps - from;
        counted += done;
        best = fmin(best, (bench_now() - start) / (double)done);
        least = fmin(least, (bench_cpu() - work) / (double)done);
    }
    if (status == TY_OK) {
        *rate = (double)side * side * layers / best;
        *core = (double)side * side * layers / least;
        *searches = (double)(ty_crm_get_counts(crm).searches - before) / (double)counted;
    }
    ty_crm_destroy(crm);
    return status;
}

int bench_crm(void)
{
    double rate = 0.0, core = 0.0, searches = 0.0;
    ty_diag diag = { 0 };
    if (time_host(40, 40, 40, &rate, &core, &searches, &diag) != TY_OK) {
        return app_bad("bench", "%s.", diag.text);
    }
    printf("{\"device\": \"cpu\", \"particles\": %d, \"steps_per_s\": %.4g, \"core_steps_per_s\": %.4g, \"searches_per_step\": %.3g}\n",
           40 * 40 * 40, rate, core, searches);
    return APP_OK;
}
