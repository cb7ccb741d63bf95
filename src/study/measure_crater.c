/* src/study/measure_crater.c - craters counted, and their depths read off the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "world/terrain/terrain.h"
#include "measure.h"

/* Medians, 16 and 84 % points, smallest and largest of the table of [stopar2017] (rounded to 0.01
 * there), with the borders of kernels/k_crater.h; tests/unit/terrain/test_crater.c reads the same
 * numbers from the table. */
static const tyi_study_measure_crater_class classes[TYI_STUDY_CRATER_CLASSES] = {
    { 39.0, 60.0, 0.11, 0.090, 0.130, 0.06, 0.17 },    { 60.0, 100.0, 0.12, 0.100, 0.150, 0.06, 0.20 },
    { 100.0, 200.0, 0.14, 0.110, 0.170, 0.06, 0.23 },  { 200.0, 400.0, 0.15, 0.108, 0.180, 0.06, 0.20 },
    { 400.0, 1000.0, 0.19, 0.150, 0.206, 0.07, 0.25 }, { 1000.0, 3000.0, 0.22, 0.180, 0.240, 0.07, 0.25 },
};

const tyi_study_measure_crater_class *tyi_study_measure_crater_class_at(int i)
{
    return &classes[i];
}

const tyi_study_measure_crater_class *tyi_study_crater_class_of(double diameter)
{
    int i = 0;
    while (i + 1 < TYI_STUDY_CRATER_CLASSES && diameter >= classes[i].d_high) {
        i++;
    }
    return &classes[i];
}

void tyi_study_measure_craters(const ty_terrain *terrain, double sides, int n, tyi_study_measure_count *out)
{
    for (int i = 0; i < n; i++) {
        double half = 0.5 * sides * out[i].d;
        ty_rect rect = { -half, -half, half, half };
        out[i].area = 4.0 * half * half;
        out[i].count = (double)ty_terrain_craters(terrain, rect, out[i].d, INFINITY, NULL, 0);
        out[i].law = tyi_terrain_craters_density(&terrain->generator.craters, out[i].d);
    }
}

#define PROFILES 64
#define STEPS    7 /* places along a profile where the crest may be: 0.85 to 1.15 radii */

/* the mean round the crest leaves tilts out; the floor is the middle eighth */
static ty_status read_depth(ty_terrain *terrain, tyi_study_measure_depth *c, ty_diag *diag)
{
    enum { CREST = PROFILES * STEPS, FLOOR = PROFILES };
    double x[CREST + FLOOR], y[CREST + FLOOR], z[CREST + FLOOR], radius = 0.5 * c->crater.diameter;
    for (int a = 0; a < PROFILES; a++) {
        double angle = 2.0 * TY_PI * a / PROFILES, east = radius * cos(angle), north = radius * sin(angle);
        for (int k = 0; k <= STEPS; k++) {
            /* the last one: on the floor, evenly over a disk */
            double s = k < STEPS ? 0.85 + 0.05 * k : 0.12 * sqrt((double)(a * 37 % FLOOR) / FLOOR);
            int at = k < STEPS ? a * STEPS + k : CREST + a;
            x[at] = c->crater.x + s * east;
            y[at] = c->crater.y + s * north;
        }
    }
    int level = ty_terrain_level(terrain, c->crater.diameter / 32.0);
    ty_status status = ty_terrain_sample(terrain, level, CREST + FLOOR, x, y, z, NULL, diag);
    double crest = 0.0, floor_z = 0.0;
    for (int a = 0; a < PROFILES && status == TY_OK; a++) {
        double best = z[a * STEPS];
        for (int k = 1; k < STEPS; k++) {
            best = fmax(best, z[a * STEPS + k]);
        }
        crest += best / PROFILES;
        floor_z += z[CREST + a] / FLOOR;
    }
    c->ratio = (crest - floor_z) / c->crater.diameter;
    return status;
}

typedef struct depth_job {
    ty_terrain *terrain;
    tyi_study_measure_depth *depth;
    ty_status *status;
} depth_job;

static void one_depth(void *user, size_t i, int worker)
{
    (void)worker;
    depth_job *job = user;
    job->status[i] = read_depth(job->terrain, &job->depth[i], NULL);
}

ty_status tyi_study_measure_depths(ty_terrain *terrain, double size, double d_low, double d_high,
                                   tyi_study_measure_depth *out, size_t capacity, size_t *count, ty_diag *diag)
{
    ty_rect rect = { -0.5 * size, -0.5 * size, 0.5 * size, 0.5 * size };
    *count = ty_terrain_craters(terrain, rect, d_low, d_high, NULL, 0);
    size_t n = *count < capacity ? *count : capacity;
    ty_crater *list = tyi_get(NULL, (n + 1) * sizeof *list);
    ty_status *status = tyi_get(NULL, (n + 1) * sizeof *status), result = TY_OK;
    if (!list || !status) {
        result = ty_fail(diag, TY_ERR_MEMORY, "measure: no memory for %zu craters", n);
    } else {
        ty_terrain_craters(terrain, rect, d_low, d_high, list, n);
        for (size_t i = 0; i < n; i++) {
            out[i].crater = list[i];
        }
        depth_job job = { terrain, out, status };
        tyi_tasks_for(0, n, one_depth, &job);
        for (size_t i = 0; i < n && result == TY_OK; i++) {
            result = status[i] == TY_OK ? TY_OK : read_depth(terrain, &out[i], diag); /* again, for its sentence */
        }
    }
    tyi_put(NULL, list, (n + 1) * sizeof *list);
    tyi_put(NULL, status, (n + 1) * sizeof *status);
    return result;
}
