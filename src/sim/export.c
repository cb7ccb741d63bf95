/* src/sim/export.c - the ground of a site as a raster that other programs read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core.h"
#include "tycho/world.h"

ty_export_def ty_export_def_default(void)
{
    return (ty_export_def){ .size = 1000.0, .spacing = 1.0, .cookie = TYI_COOKIE };
}

typedef struct job {
    ty_terrain *terrain;
    int level, threads;
    ty_grid grid;
} job;

/* W point above the place whose orthographic coordinates are given: its x and y grow with its height, which depends on x and
 * y. Each round makes the error smaller by slope * distance / radius, below 1 % on any site. */
static double height_above(const ty_patch *patch, const ty_site *site, double east, double north)
{
    double height = 0.0;
    for (int round = 0; round < 4; round++) {
        double k = 1.0 + height / site->radius, x = k * east, y = k * north, lat, lon;
        ty_ground g;
        ty_patch_sample(patch, 1, &x, &y, &g);
        ty_site_geodetic(site, ty_vec3_make(x, y, g.z), &lat, &lon, &height);
    }
    return height;
}

static ty_status rows(void *user, int y, int count, float *out, ty_diag *diag)
{
    const job *j = user;
    const ty_site *site = ty_terrain_site(j->terrain);
    const ty_grid *g = &j->grid;
    double d = ty_terrain_spacing(j->terrain, j->level), x0 = g->west, x1 = x0 + g->width * g->spacing;
    double y1 = g->north - y * g->spacing, y0 = y1 - count * g->spacing;
    /* how far heights (20 km at most on the Moon) move a point outwards, and what the spline needs */
    double far = fmax(fmax(fabs(x0), fabs(x1)), fmax(fabs(y0), fabs(y1))), margin = far * 20e3 / site->radius + 4.0 * d;
    int32_t i0 = (int32_t)floor((x0 - margin) / d), i1 = (int32_t)ceil((x1 + margin) / d);
    int32_t j0 = (int32_t)floor((y0 - margin) / d), j1 = (int32_t)ceil((y1 + margin) / d);
    ty_patch *patch = NULL;
    ty_status status = ty_patch_create(j->terrain, j->level, i0, j0, i1 - i0 + 1, j1 - j0 + 1, j->threads, &patch, diag);
    for (int r = 0; r < count && status == TY_OK; r++) {
        double north = y1 - (r + 0.5) * g->spacing;
        for (int i = 0; i < g->width; i++) {
            double east = x0 + (i + 0.5) * g->spacing;
            out[(size_t)r * (size_t)g->width + (size_t)i] = (float)height_above(patch, site, east, north);
        }
    }
    ty_patch_destroy(patch);
    return status;
}

ty_status ty_terrain_write(ty_terrain *terrain, const ty_export_def *def, const char *path, const ty_progress *progress,
                           ty_raster_stats *written, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "export: the definition does not come from ty_export_def_default()");
    }
    double n = round(def->size / def->spacing);
    double far = fmax(fabs(def->x), fabs(def->y)) + 0.5 * def->size;
    double finest = ty_terrain_get_def(terrain)->resolution;
    if (!(n >= 2.0 && n <= 100000.0) || !(def->spacing >= finest * (1.0 - 1e-9)) || !(far <= 5e5)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "a square of %g m every %g m around %g,%g makes %.0f x %.0f samples; 2 to 100000 a side, not finer than "
                       "%g m and within 500 km of the site are accepted", def->size, def->spacing, def->x, def->y, n, n, finest);
    }
    const ty_site *site = ty_terrain_site(terrain);
    job j = { .terrain = terrain, .level = ty_terrain_level(terrain, def->spacing), .threads = def->threads };
    double half = 0.5 * n * def->spacing;
    j.grid = (ty_grid){ .lat = site->lat, .lon = site->lon, .west = def->x - half, .north = def->y + half,
                        .spacing = def->spacing, .width = (int)n, .height = (int)n, .rows = rows, .user = &j };
    return ty_raster_write_grid(&j.grid, path, progress, written, diag);
}
