/* src/world/export.c - the ground of a site as a raster that other programs read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "tycho/world.h"
#include "io/rasters.h"
#include "world/terrain/inner.h"

ty_world_export_def ty_world_export_def_default(void)
{
    return (ty_world_export_def){ .size = 1000.0, .spacing = 1.0, .cookie = TYI_COOKIE };
}

typedef struct job {
    ty_terrain *terrain;
    int level, threads;
    tyi_io_raster_grid grid;
} job;

/* W point above the place whose orthographic coordinates are given: its x and y grow with its
 * height, which depends on x and y. Each round makes the error smaller by slope * distance /
 * radius, below 1 % on any site. */
static double height_above(const ty_terrain_patch *patch, const ty_site *site, double east, double north)
{
    double height = 0.0;
    for (int round = 0; round < 4; round++) {
        double k = 1.0 + height / site->radius, x = k * east, y = k * north, lat, lon;
        ty_terrain_ground g;
        ty_terrain_patch_sample(patch, 1, &x, &y, &g);
        ty_site_geodetic(site, ty_vec3_make(x, y, g.z), &lat, &lon, &height);
    }
    return height;
}

/* Bounds of the heights [m] around a rectangle, from samples across it: what lies between them is within the distance, on slopes of up to 45 deg;
 * and heights themselves move points outwards. */
static ty_status heights_around(const job *j, ty_rect r, double *low, double *high, ty_diag *diag)
{
    enum { N = 5 };
    const ty_site *site = ty_terrain_site(j->terrain);
    double x[N * N], y[N * N], z[N * N], sx = (r.x1 - r.x0) / (N - 1), sy = (r.y1 - r.y0) / (N - 1), far = 0.0;
    int level = ty_terrain_level(j->terrain, fmax(fmin(sx, sy), ty_terrain_spacing(j->terrain, j->level)));
    for (int k = 0; k < N * N; k++) {
        x[k] = r.x0 + k % N * sx, y[k] = r.y0 + k / N * sy;
        far = fmax(far, hypot(x[k], y[k]));
    }
    ty_status status = ty_terrain_sample(j->terrain, level, N * N, x, y, z, NULL, diag);
    *low = INFINITY, *high = -INFINITY;
    for (int k = 0; k < N * N && status == TY_OK; k++) {
        double lat, lon, height;
        ty_site_geodetic(site, ty_vec3_make(x[k], y[k], z[k]), &lat, &lon, &height);
        *low = fmin(*low, height), *high = fmax(*high, height);
    }
    double slack = hypot(sx, sy) + far * fmax(fabs(*low), fabs(*high)) / site->radius + 10.0;
    *low -= slack, *high += slack;
    return status;
}

static ty_status rows(void *user, int y, int count, float *out, ty_diag *diag)
{
    const job *j = user;
    const ty_site *site = ty_terrain_site(j->terrain);
    const tyi_io_raster_grid *g = &j->grid;
    double d = ty_terrain_spacing(j->terrain, j->level), x0 = g->west, x1 = x0 + g->width * g->spacing;
    double y1 = g->north - y * g->spacing, y0 = y1 - count * g->spacing;
    /* how far heights move the corners outwards, and what the spline needs */
    double low, high, margin = 4.0 * d;
    ty_status status = heights_around(j, (ty_rect){ x0, y0, x1, y1 }, &low, &high, diag);
    if (status != TY_OK) {
        return status;
    }
    double a = 1.0 + low / site->radius, b = 1.0 + high / site->radius;
    int32_t i0 = (int32_t)floor((fmin(a * x0, b * x0) - margin) / d),
            i1 = (int32_t)ceil((fmax(a * x1, b * x1) + margin) / d);
    int32_t j0 = (int32_t)floor((fmin(a * y0, b * y0) - margin) / d),
            j1 = (int32_t)ceil((fmax(a * y1, b * y1) + margin) / d);
    ty_terrain_patch *patch = NULL;
    status = ty_terrain_patch_create(j->terrain, j->level, i0, j0, i1 - i0 + 1, j1 - j0 + 1, j->threads, &patch, diag);
    for (int r = 0; r < count && status == TY_OK; r++) {
        double north = y1 - (r + 0.5) * g->spacing;
        for (int i = 0; i < g->width; i++) {
            double east = x0 + (i + 0.5) * g->spacing;
            out[(size_t)r * (size_t)g->width + (size_t)i] = (float)height_above(patch, site, east, north);
        }
    }
    ty_terrain_patch_destroy(patch);
    return status;
}

ty_status ty_world_export_check(const ty_terrain *terrain, const ty_world_export_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "export: the definition does not come from ty_world_export_def_default()");
    }
    double size_y = def->size_y > 0.0 ? def->size_y : def->size;
    double nx = round(def->size / def->spacing), ny = round(size_y / def->spacing);
    double far = fmax(fabs(def->x), fabs(def->y)) + 0.5 * fmax(def->size, size_y);
    double finest = ty_terrain_get_def(terrain)->resolution;
    if (!(fmin(nx, ny) >= 2.0 && fmax(nx, ny) <= 100000.0) || !(def->spacing >= finest * (1.0 - 1e-9)) ||
        !(far <= 5e5)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "a square of %g m every %g m around %g,%g makes %.0f x %.0f samples; 2 to "
                       "100000 a side, not finer than "
                       "%g m and within 500 km of the site are accepted",
                       def->size, def->spacing, def->x, def->y, nx, ny, finest);
    }
    return TY_OK;
}

ty_status ty_terrain_write(ty_terrain *terrain, const ty_world_export_def *def, const char *path,
                           const ty_progress *progress, ty_raster_stats *written, ty_diag *diag)
{
    ty_status status = ty_world_export_check(terrain, def, diag);
    if (status != TY_OK) {
        return status;
    }
    double nx = round(def->size / def->spacing), ny = def->size_y > 0.0 ? round(def->size_y / def->spacing) : nx;
    const ty_site *site = ty_terrain_site(terrain);
    job j = { .terrain = terrain, .level = ty_terrain_level(terrain, def->spacing), .threads = def->threads };
    j.grid = (tyi_io_raster_grid){ .lat = site->lat,
                                   .lon = site->lon,
                                   .west = def->x - 0.5 * nx * def->spacing,
                                   .north = def->y + 0.5 * ny * def->spacing,
                                   .spacing = def->spacing,
                                   .width = (int)nx,
                                   .height = (int)ny,
                                   .rows = rows,
                                   .user = &j };
    return tyi_io_raster_write_grid(&j.grid, path, progress, written, diag);
}

/* ---- what was edited ---- */

#define MARGIN 0.5 /* [m] around it: untouched ground beside the ruts */

/* [samples of the edit level] around all edits; false: there are none */
static bool edited(const ty_terrain *terrain, int32_t low[2], int32_t high[2])
{
    uint64_t newest = ty_terrain_version(terrain);
    low[0] = low[1] = INT32_MAX, high[0] = high[1] = INT32_MIN;
    for (uint64_t v = 1; v <= newest; v++) {
        int32_t r[4];
        if (!tyi_terrain_edit_rect(terrain, v, r) || r[2] < 1 || r[3] < 1) {
            continue; /* no longer known, or a rock that was moved */
        }
        for (int k = 0; k < 2; k++) {
            low[k] = r[k] < low[k] ? r[k] : low[k];
            high[k] = r[k] + r[k + 2] - 1 > high[k] ? r[k] + r[k + 2] - 1 : high[k];
        }
    }
    return low[0] <= high[0] && low[1] <= high[1];
}

/* a level that is not finer than the edits', and the rectangle: whole samples of it, whose centres are the terrain's
 * own */
static ty_world_edits_report plan(ty_terrain *terrain, size_t most, int *level)
{
    ty_world_edits_report out = { 0 };
    int32_t low[2], high[2];
    *level = ty_terrain_get_def(terrain)->edit_level;
    if (!edited(terrain, low, high)) {
        return out;
    }
    double edit = ty_terrain_spacing(terrain, *level), d = edit, i0, j0;
    for (;; (*level)++) {
        d = ty_terrain_spacing(terrain, *level);
        i0 = floor((low[0] * edit - MARGIN) / d), j0 = floor((low[1] * edit - MARGIN) / d);
        out.width = (int)(ceil((high[0] * edit + MARGIN) / d) - i0 + 1.0);
        out.height = (int)(ceil((high[1] * edit + MARGIN) / d) - j0 + 1.0);
        if ((size_t)out.width * (size_t)out.height <= most || *level + 1 >= ty_terrain_levels(terrain)) {
            break;
        }
    }
    out.spacing = d;
    out.rect = (ty_rect){ (i0 - 0.5) * d, (j0 - 0.5) * d, (i0 + out.width - 0.5) * d, (j0 + out.height - 0.5) * d };
    return out;
}

static ty_status extremes(ty_terrain *terrain, int level, ty_world_edits_report *r, ty_diag *diag)
{
    size_t n = (size_t)r->width * (size_t)r->height;
    float *change = tyi_get(NULL, n * sizeof *change);
    if (!change) {
        return ty_fail(diag, TY_ERR_MEMORY, "export: no memory for %d x %d changes of height", r->width, r->height);
    }
    ty_terrain_edits(terrain, level, (int32_t)lrint(r->rect.x0 / r->spacing + 0.5),
                     (int32_t)lrint(r->rect.y0 / r->spacing + 0.5), r->width, r->height, change, NULL);
    for (size_t k = 0; k < n; k++) {
        r->lowest = fmin(r->lowest, (double)change[k]);
        r->highest = fmax(r->highest, (double)change[k]);
    }
    tyi_put(NULL, change, n * sizeof *change);
    return TY_OK;
}

ty_status ty_terrain_write_edits(ty_terrain *terrain, size_t most, const char *before, const char *after,
                                 ty_world_edits_report *out, ty_diag *diag)
{
    int level;
    *out = plan(terrain, most, &level);
    if (!out->width) {
        return TY_OK;
    }
    ty_world_export_def def = ty_world_export_def_default();
    def.x = 0.5 * (out->rect.x0 + out->rect.x1), def.y = 0.5 * (out->rect.y0 + out->rect.y1);
    def.size = out->width * out->spacing, def.size_y = out->height * out->spacing;
    def.spacing = out->spacing;
    ty_terrain *bare = NULL; /* the same ground, made anew, has no edits */
    ty_status status = extremes(terrain, level, out, diag);
    if (status == TY_OK) {
        status = ty_terrain_create(ty_terrain_get_def(terrain), &bare, diag);
    }
    if (status == TY_OK) {
        status = ty_terrain_write(bare, &def, before, NULL, NULL, diag);
    }
    ty_terrain_destroy(bare);
    return status == TY_OK ? ty_terrain_write(terrain, &def, after, NULL, NULL, diag) : status;
}
