/* src/sim/stage_ground.c - ground whose material varies: rasters and regions of a scenario into a scene.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "core/core.h"
#include "stage.h"
#include "tycho/tools/raster.h"
#include "io/rasters.h"

#define MOST_SIDE 2048 /* samples of a map along a side */

typedef struct loaded { /* what must live until the scene has copied it */
    ty_ground_map *map;
    ty_ground_region *region;
    double **point;
    size_t maps, regions;
} loaded;

static void unload(loaded *l)
{
    for (size_t i = 0; l->map && i < l->maps; i++) {
        free((void *)(uintptr_t)l->map[i].value);
    }
    for (size_t i = 0; l->point && i < l->regions; i++) {
        free(l->point[i]);
    }
    free(l->map), free(l->region), free(l->point);
}

/* The part of the site that a raster covers, sampled in W: as fine as the raster, or coarser where that is too much. */
static ty_status sample(const ty_scenario_map *m, tyi_io_raster *raster, const ty_site *site, double extent,
                        ty_ground_map *out, ty_diag *diag)
{
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    double wide = fmin(extent, 1.5 * fmax(info->width * info->step_x, info->height * info->step_y));
    /* a raster that does not lie around the site's origin may reach any part of it */
    double x = 0.5 * info->width, y = 0.5 * info->height, lat, lon, east = 0.0, north = 0.0;
    ty_status status = tyi_io_raster_place(raster, 1, &x, &y, &lat, &lon, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_vec3 middle = ty_site_point(site, lat, lon, 0.0);
    if (fabs(middle.x) < 0.5 * (extent + wide) && fabs(middle.y) < 0.5 * (extent + wide) &&
        middle.z > -0.5 * site->radius) {
        east = fmin(fmax(middle.x, -0.5 * (extent - wide)), 0.5 * (extent - wide));
        north = fmin(fmax(middle.y, -0.5 * (extent - wide)), 0.5 * (extent - wide));
    }
    int n = (int)fmin(fmax(ceil(wide / info->spacing) + 1.0, 2.0), MOST_SIDE);
    float *value = malloc((size_t)n * (size_t)n * sizeof *value);
    double *row = malloc(3 * (size_t)n * sizeof *row), spacing = wide / (n - 1), found = 0.0;
    if (!value || !row) {
        free(value), free(row);
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a map", m->file);
    }
    for (int j = 0; j < n && status == TY_OK; j++) {
        for (int i = 0; i < n; i++) {
            double px = east - 0.5 * wide + i * spacing, py = north - 0.5 * wide + j * spacing, r2 = px * px + py * py,
                   height;
            double z = sqrt(fmax(site->radius * site->radius - r2, 0.0)) - site->radius;
            ty_site_geodetic(site, ty_vec3_make(px, py, z), &row[i], &row[n + i], &height);
        }
        status = tyi_io_raster_sample(raster, (size_t)n, row, row + n, spacing, row + 2 * n, diag);
        for (int i = 0; i < n && status == TY_OK; i++) {
            value[(size_t)j * (size_t)n + (size_t)i] = (float)row[2 * n + i];
            found += !isnan(row[2 * n + i]);
        }
    }
    free(row);
    if (status == TY_OK && found < 1.0) {
        status = ty_fail(diag, TY_ERR_INPUT, "%s: covers no part of the site", m->file);
    }
    *out = (ty_ground_map){ .key = (ty_ground_key)m->key,
                            .band = -1,
                            .x0 = east - 0.5 * wide,
                            .y0 = north - 0.5 * wide,
                            .spacing = spacing,
                            .nx = n,
                            .ny = n,
                            .value = value };
    return status;
}

static ty_status load_map(const ty_scenario_map *m, ty_terrain *terrain, ty_ground_map *out, ty_diag *diag)
{
    const ty_site *site = ty_terrain_site(terrain);
    tyi_io_raster_def def = tyi_io_raster_def_default();
    tyi_io_raster *raster = NULL;
    def.band = m->raster_band;
    def.scale = m->scale, def.offset = m->offset;
    if (m->pixel > 0.0) {
        def.pixel = m->pixel, def.lat = site->lat, def.lon = site->lon;
    }
    ty_status status = tyi_io_raster_open(m->file, &def, &raster, diag);
    if (status == TY_OK) {
        status = sample(m, raster, site, ty_terrain_get_def(terrain)->extent, out, diag);
    }
    tyi_io_raster_close(raster);
    return status;
}

static ty_status load_region(const ty_render_kinds *kinds, const ty_scenario_region *r, const ty_material *soil,
                             size_t i, ty_ground_region *out, double **point, ty_diag *diag)
{
    char what[60];
    snprintf(what, sizeof what, "ground.regions.%zu.material", i);
    *out = (ty_ground_region){ .x = r->x, .y = r->y, .radius = r->radius, .edge = r->edge };
    if (r->shape == 1) {
        *point = malloc(2 * r->corners * sizeof **point);
        if (!*point) {
            return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory", what);
        }
        for (size_t k = 0; k < r->corners; k++) {
            (*point)[2 * k] = r->corner[k].x, (*point)[2 * k + 1] = r->corner[k].y;
        }
        out->point = *point;
        out->points = r->corners;
    }
    return tyi_sim_stage_material(kinds, &r->material, soil, what, &out->material, diag);
}

ty_status tyi_sim_stage_ground(const ty_render_kinds *kinds, const ty_scenario_ground *g, const ty_material *soil,
                               ty_terrain *terrain, ty_scene *scene, ty_diag *diag)
{
    if ((!g->maps && !g->regions) || !terrain) {
        return TY_OK;
    }
    loaded l = { .map = calloc(g->maps + 1, sizeof *l.map),
                 .region = calloc(g->regions + 1, sizeof *l.region),
                 .point = calloc(g->regions + 1, sizeof *l.point) };
    ty_status status = l.map && l.region && l.point ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "ground: no memory");
    for (size_t i = 0; i < g->maps && status == TY_OK; i++, l.maps++) {
        status = load_map(&g->map[i], terrain, &l.map[i], diag);
    }
    for (size_t i = 0; i < g->regions && status == TY_OK; i++, l.regions++) {
        status = load_region(kinds, &g->region[i], soil, i, &l.region[i], &l.point[i], diag);
    }
    if (status == TY_OK) {
        status = ty_scene_set_ground(scene, l.map, l.maps, l.region, l.regions, diag);
    }
    l.maps = g->maps, l.regions = g->regions; /* all that was begun */
    unload(&l);
    return status;
}
