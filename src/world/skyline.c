/* src/world/skyline.c - horizons from nested patches, and the map of sunlight. One body from one place: sees.c
 *
 * The ground around a rectangle is held in patches, each twice as coarse and twice as wide as the one before, out to
 * the farthest relief that counts. A direction is followed outwards through them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "tycho/world.h"
#include "inner.h"
#include "world/terrain/inner.h"

#define MAX_PATCHES 16

struct tyi_world_skyline {
    ty_terrain_patch *patch[MAX_PATCHES];
    double near[MAX_PATCHES], reach[MAX_PATCHES]; /* [m] distances that each patch answers for */
    int patches;
    const ty_alloc *alloc;
};

void tyi_world_skyline_destroy(tyi_world_skyline *skyline)
{
    if (skyline) {
        for (int k = 0; k < skyline->patches; k++) {
            ty_terrain_patch_destroy(skyline->patch[k]);
        }
        tyi_put(skyline->alloc, skyline, sizeof *skyline);
    }
}

ty_status tyi_world_skyline_create(ty_terrain *terrain, ty_rect rect, double spacing, double far, int threads,
                                   tyi_world_skyline **out, ty_diag *diag)
{
    *out = NULL;
    const ty_alloc *alloc = ty_terrain_get_def(terrain)->alloc;
    tyi_world_skyline *s = tyi_get(alloc, sizeof *s);
    if (!s) {
        return ty_fail(diag, TY_ERR_MEMORY, "skyline: no memory");
    }
    s->alloc = alloc;
    double side = fmax(rect.x1 - rect.x0, rect.y1 - rect.y0);
    int level = ty_terrain_level(terrain, spacing);
    double before = 2.0 * ty_terrain_spacing(terrain, level);
    ty_status status = TY_OK;
    while (status == TY_OK && before < far && s->patches < MAX_PATCHES) {
        double d = ty_terrain_spacing(terrain, level);
        bool last = level + 1 >= ty_terrain_levels(terrain);
        /* as far as 400 samples: at that distance a sample is 0.14 deg wide, and the next level takes over */
        double reach = last ? far : fmin(far, fmax(400.0 * d, 0.25 * side));
        double margin = reach + 4.0 * d;
        int32_t i0 = (int32_t)floor((rect.x0 - margin) / d), i1 = (int32_t)ceil((rect.x1 + margin) / d);
        int32_t j0 = (int32_t)floor((rect.y0 - margin) / d), j1 = (int32_t)ceil((rect.y1 + margin) / d);
        status = ty_terrain_patch_create(terrain, level, i0, j0, i1 - i0 + 1, j1 - j0 + 1, threads,
                                         &s->patch[s->patches], diag);
        if (status == TY_OK) {
            s->near[s->patches] = before;
            s->reach[s->patches++] = reach;
        }
        before = reach;
        level += last ? 0 : 1;
    }
    if (status != TY_OK) {
        tyi_world_skyline_destroy(s);
        return status;
    }
    *out = s;
    return TY_OK;
}

/* raises the slopes, from near to far */
static void follow(const tyi_world_skyline *skyline, double x, double y, double height, int n, const double *enough,
                   double *slope)
{
    ty_terrain_ground g;
    ty_terrain_patch_sample(skyline->patch[0], 1, &x, &y, &g);
    for (int k = 0; k < skyline->patches; k++) {
        ty_terrain_patch_horizon(skyline->patch[k], ty_vec3_make(x, y, g.z + height), skyline->near[k],
                                 skyline->reach[k], n, enough, slope);
    }
}

void tyi_world_skyline_at(const tyi_world_skyline *skyline, double x, double y, double height, int n, double *slope)
{
    for (int k = 0; k < n; k++) {
        slope[k] = -1e9;
    }
    follow(skyline, x, y, height, n, NULL, slope);
}

ty_sunlight_def ty_sunlight_def_default(void)
{
    return (ty_sunlight_def){
        .spacing = 50.0, .step = 7200 * TY_SECOND, .steps = 354, .azimuths = 360, .far = 250e3, .cookie = TYI_COOKIE
    };
}

typedef struct light_job {
    const ty_sunlight_def *def;
    const tyi_world_skyline *skyline;
    const ty_sky_view *sun;
    const double *low, *enough; /* azimuths of them: the skyline matters between these slopes only */
    double *slope;              /* azimuths of them per worker */
    float *out;
} light_job;

/* Where the Sun's disk passes: towards an azimuth, a skyline below the lowest of it hides nothing, and one above the
 * highest hides all. Looking only between the two makes the map many times faster. Where it never passes there is
 * nothing to find. */
static void bound_skyline(const ty_sunlight_def *def, const ty_sky_view *sun, double *low, double *enough)
{
    for (int k = 0; k < def->azimuths; k++) {
        low[k] = 1e9;
        enough[k] = -1e9;
    }
    for (int t = 0; t < def->steps; t++) {
        const ty_sky_body *s = &sun[t].sun;
        int at = (int)(s->azimuth / (2.0 * TY_PI) * def->azimuths);
        double bottom = tan(fmax(s->elevation - 1.01 * s->radius, -89.0 * TY_DEG));
        double top = tan(fmin(s->elevation + 1.01 * s->radius, 89.0 * TY_DEG));
        for (int side = 0; side < 2; side++) { /* the two between which it is interpolated */
            int k = (at + side) % def->azimuths;
            low[k] = fmin(low[k], bottom);
            enough[k] = fmax(enough[k], top);
        }
    }
}

static void light_row(void *user, size_t j, int worker)
{
    const light_job *job = user;
    const ty_sunlight_def *def = job->def;
    double *slope = job->slope + (size_t)worker * (size_t)def->azimuths;
    for (int i = 0; i < def->nx; i++) {
        memcpy(slope, job->low, (size_t)def->azimuths * sizeof *slope);
        follow(job->skyline, def->x0 + i * def->spacing, def->y0 + (double)j * def->spacing, def->height, def->azimuths,
               job->enough, slope);
        double sum = 0.0;
        for (int t = 0; t < def->steps; t++) {
            const ty_sky_body *sun = &job->sun[t].sun;
            double at = sun->azimuth / (2.0 * TY_PI) * def->azimuths;
            int k = (int)at;
            int m = (k + 1) % def->azimuths;
            k %= def->azimuths;
            double a = fmin(slope[k], job->enough[k]), b = fmin(slope[m], job->enough[m]);
            sum += ty_sky_visible(sun, atan(a + (b - a) * (at - floor(at))));
        }
        job->out[j * (size_t)def->nx + (size_t)i] = (float)(sum / def->steps);
    }
}

static ty_status check(const ty_sunlight_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "light map: the definition does not come from ty_sunlight_def_default()");
    }
    if (def->nx < 1 || def->ny < 1 || def->nx > 16384 || def->ny > 16384 || !(def->spacing > 0.0) || def->steps < 1 ||
        def->azimuths < 4 || !(def->far > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "light map: %d x %d points every %g m, %d times, %d azimuths; 1 to 16384 points, at least "
                       "1 time and 4 azimuths are accepted",
                       def->nx, def->ny, def->spacing, def->steps, def->azimuths);
    }
    return TY_OK;
}

ty_status ty_sunlight_map(ty_terrain *terrain, const ty_sunlight_def *def, const ty_progress *progress, float *fraction,
                          ty_diag *diag)
{
    ty_status status = check(def, diag);
    if (status != TY_OK) {
        return status;
    }
    int threads = tyi_tasks_threads(def->threads);
    size_t sun_bytes = (size_t)def->steps * sizeof(ty_sky_view);
    size_t n = (size_t)def->azimuths, slope_bytes = ((size_t)threads + 2) * n * sizeof(double);
    ty_sky_view *sun = tyi_get(NULL, sun_bytes);
    double *slope = tyi_get(NULL, slope_bytes);
    tyi_world_skyline *skyline = NULL;
    status = sun && slope ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "light map: no memory");
    if (status == TY_OK) {
        status = ty_sky_series(ty_terrain_site(terrain), def->start, def->step, (size_t)def->steps, sun, diag);
    }
    if (status == TY_OK) {
        ty_rect rect = { def->x0, def->y0, def->x0 + (def->nx - 1) * def->spacing,
                         def->y0 + (def->ny - 1) * def->spacing };
        bound_skyline(def, sun, slope, slope + n);
        status = tyi_world_skyline_create(terrain, rect, def->spacing, def->far, threads, &skyline, diag);
    }
    /* a few rows at a time, so that progress is told from this thread */
    for (int j = 0; j < def->ny && status == TY_OK; j += threads * 2) {
        int rows = def->ny - j < threads * 2 ? def->ny - j : threads * 2;
        ty_sunlight_def part = *def;
        part.y0 += j * def->spacing;
        light_job job = {
            &part, skyline, sun, slope, slope + n, slope + 2 * n, fraction + (size_t)j * (size_t)def->nx
        };
        tyi_tasks_for(threads, (size_t)rows, light_row, &job);
        if (progress && !progress->report(progress->user, "rows", j + rows, def->ny)) {
            status = ty_fail(diag, TY_ERR_CANCELLED, "light map: stopped on request");
        }
    }
    tyi_world_skyline_destroy(skyline);
    tyi_put(NULL, sun, sun_bytes);
    tyi_put(NULL, slope, slope_bytes);
    return status;
}
