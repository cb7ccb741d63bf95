/* src/study/measure_rock.c - how much of the ground rocks cover, by rays straight down.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "core/core.h"
#include "k_philox.h"
#include "k_rock.h"
#include "measure.h"
#include "world/terrain/inner.h"

typedef struct named {
    uint64_t id;
    double d;
} named;

static int by_id(const void *a, const void *b)
{
    uint64_t x = ((const named *)a)->id, y = ((const named *)b)->id;
    return (x > y) - (x < y);
}

typedef struct rays_job {
    const ty_terrain_patch *patch;
    const named *rocks;
    size_t count;
    double size;
    int rays, n;
    const tyi_study_measure_cover *cover;
    ty_ray *ray; /* rays of them per worker */
    ty_terrain_hit *hit;
    double *hits; /* n of them per row */
} rays_job;

/* one row of a jittered grid */
static void cast_row(void *user, size_t j, int worker)
{
    const rays_job *job = user;
    ty_ray *ray = job->ray + (size_t)worker * (size_t)job->rays;
    ty_terrain_hit *hit = job->hit + (size_t)worker * (size_t)job->rays;
    double *hits = job->hits + j * (size_t)job->n;
    for (int i = 0; i < job->rays; i++) {
        ty_k_u32x4 r = ty_k_philox((ty_u32)i, (ty_u32)j, 0, 0, 1, TY_RNG_TEST);
        double x = ((i + ty_k_uniform(r.v[0])) / job->rays - 0.5) * job->size;
        double y = (((double)j + ty_k_uniform(r.v[1])) / job->rays - 0.5) * job->size;
        ray[i] = (ty_ray){ ty_vec3_make(x, y, 1e5), { 0.0, 0.0, -1.0 }, 0.0, 1e6 };
    }
    ty_terrain_patch_rays(job->patch, (size_t)job->rays, ray, hit);
    for (int i = 0; i < job->rays; i++) {
        named key = { hit[i].rock, 0.0 };
        const named *rock = hit[i].rock ? bsearch(&key, job->rocks, job->count, sizeof key, by_id) : NULL;
        for (int k = 0; rock && k < job->n && rock->d >= job->cover[k].d; k++) {
            hits[k] += 1.0;
        }
    }
}

/* Fills the law and the error. Rocks come in groups, so that their number scatters up to twice as
 * widely as single ones would; large ones count by their area. */
static void finish(const rays_job *job, const ty_rock_def *def, tyi_study_measure_cover *out)
{
    double rays = (double)job->rays * job->rays;
    for (int k = 0; k < job->n; k++) {
        double hits = 0.0, area = 0.0, square = 0.0;
        for (int j = 0; j < job->rays; j++) {
            hits += job->hits[j * job->n + k];
        }
        for (size_t i = 0; i < job->count; i++) {
            double a = job->rocks[i].d >= out[k].d ? 0.25 * TY_PI * job->rocks[i].d * job->rocks[i].d : 0.0;
            area += a;
            square += a * a;
        }
        out[k].cover = hits / rays;
        out[k].law = tyi_terrain_def_rock_cover(def, out[k].d);
        double by_rocks = area > 0.0 ? 4.0 * square / (area * area) : 1.0, by_rays = hits > 0.0 ? 1.0 / hits : 1.0;
        out[k].error = fmax(out[k].cover, 1.0 / rays) * sqrt(by_rocks + by_rays);
    }
}

static ty_status list_rocks(ty_terrain *terrain, rays_job *job, named **list, size_t *bytes, double d_min,
                            ty_diag *diag)
{
    double half = 0.5 * job->size + 20.0; /* rocks that reach into the square from outside */
    ty_rect rect = { -half, -half, half, half };
    job->count = ty_terrain_rocks(terrain, rect, d_min, INFINITY, NULL, 0);
    size_t room = (job->count + 1) * sizeof(ty_rock);
    ty_rock *rocks = tyi_get(NULL, room);
    *bytes = (job->count + 1) * sizeof **list;
    *list = tyi_get(NULL, *bytes);
    if (rocks && *list) {
        ty_terrain_rocks(terrain, rect, d_min, INFINITY, rocks, job->count);
        for (size_t i = 0; i < job->count; i++) {
            (*list)[i] = (named){ rocks[i].id, rocks[i].diameter };
        }
        qsort(*list, job->count, sizeof **list, by_id);
        job->rocks = *list;
    }
    ty_status status =
        rocks && *list ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "measure: no memory for %zu rocks", job->count);
    tyi_put(NULL, rocks, room);
    return status;
}

ty_status tyi_study_measure_rocks(ty_terrain *terrain, double size, int rays, int n, tyi_study_measure_cover *out,
                                  ty_diag *diag)
{
    if (n < 1 || rays < 2 || rays > 20000 || !(size > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "measure: %d sizes and %d x %d rays over %g m; at least 1 and 2 to 20000 are accepted", n, rays,
                       rays, size);
    }
    int threads = tyi_tasks_threads(0), level = ty_terrain_level(terrain, fmax(0.7 * out[0].d, size / 4000.0));
    double d = ty_terrain_spacing(terrain, level);
    int32_t i0 = (int32_t)floor(-(0.5 * size + 20.0) / d), side = 1 - 2 * i0;
    rays_job job = { .size = size, .rays = rays, .n = n, .cover = out };
    named *list = NULL;
    ty_terrain_patch *patch = NULL;
    size_t list_bytes = 0, per = (size_t)threads * (size_t)rays, hits_bytes = (size_t)rays * (size_t)n * sizeof(double);
    job.ray = tyi_get(NULL, per * sizeof *job.ray);
    job.hit = tyi_get(NULL, per * sizeof *job.hit);
    job.hits = tyi_get(NULL, hits_bytes);
    ty_status status =
        job.ray && job.hit && job.hits ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "measure: no memory for %d rays", rays);
    if (status == TY_OK) {
        status = list_rocks(terrain, &job, &list, &list_bytes, out[0].d, diag);
    }
    if (status == TY_OK) {
        status = ty_terrain_patch_create(terrain, level, i0, i0, side, side, threads, &patch, diag);
    }
    if (status == TY_OK) {
        status = ty_terrain_patch_add_rocks(patch, out[0].d, diag);
    }
    if (status == TY_OK) {
        job.patch = patch;
        tyi_tasks_for(threads, (size_t)rays, cast_row, &job);
        finish(&job, &ty_terrain_get_def(terrain)->rock, out);
    }
    ty_terrain_patch_destroy(patch);
    tyi_put(NULL, list, list_bytes);
    tyi_put(NULL, job.hits, hits_bytes);
    tyi_put(NULL, job.hit, per * sizeof *job.hit);
    tyi_put(NULL, job.ray, per * sizeof *job.ray);
    return status;
}
