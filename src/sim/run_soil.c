/* src/sim/run_soil.c - the soil world of a run: the scenario's soils and where they lie.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "run.h"
#include "soil/soil_file.h"
#include "soil/world.h"
#include "tycho/tools/raster.h"
#include "tycho/tools/testbed.h"
#include "io/rasters.h"
#include "render/inner.h"
#include "scenario/inner.h"

static ty_status find_user(const ty_run *run, const char *name, ty_soil_def *out, ty_diag *diag)
{
    for (size_t i = 0; i < run->def.soil_models; i++) {
        if (!strcmp(run->def.soil_model[i].name, name)) {
            out->user = &run->def.soil_model[i];
            return TY_OK;
        }
    }
    return ty_fail(diag, TY_ERR_INPUT,
                   "there is no soil model '%s'; the program that runs the scenario must bring it (ty_run_def)", name);
}

static ty_status soil_of(const ty_run *run, const ty_scenario_soil *from, ty_soil_def *out, ty_diag *diag)
{
    *out = ty_soil_def_default();
    out->model = (ty_soil_model_kind)from->model;
    out->grid.spacing = from->spacing > 0.0 ? from->spacing : out->grid.spacing; /* 0: not said */
    out->grid.lugs = from->lugs;
    out->patch = from->patch.spacing > 0.0 ? from->patch : out->patch;
    ty_status status = from->model == TY_SOIL_USER ? find_user(run, from->user, out, diag) : TY_OK;
    return status == TY_OK && from->file[0] ? tyi_soil_def_load(from->file, out, diag) : status;
}

/* ---- regions by raster: which samples of a grid in W have the class ---- */

#define MOST_SIDE 8192 /* samples of a mask along a side */

/* the rectangle of W around a raster's rim, within the site */
static ty_status rect_of(tyi_io_raster *raster, const ty_site *site, double extent, ty_rect *out, ty_diag *diag)
{
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    ty_status status = TY_OK;
    *out = (ty_rect){ INFINITY, INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < 25 && status == TY_OK; k++) {
        double x = 0.25 * (k % 5) * info->width, y = 0.25 * (k / 5) * info->height, lat, lon;
        status = tyi_io_raster_place(raster, 1, &x, &y, &lat, &lon, diag);
        ty_vec3 p = ty_site_point(site, lat, lon, 0.0);
        out->x0 = fmin(out->x0, p.x), out->x1 = fmax(out->x1, p.x);
        out->y0 = fmin(out->y0, p.y), out->y1 = fmax(out->y1, p.y);
    }
    out->x0 = fmax(out->x0, -0.5 * extent), out->y0 = fmax(out->y0, -0.5 * extent);
    out->x1 = fmin(out->x1, 0.5 * extent), out->y1 = fmin(out->y1, 0.5 * extent);
    return status;
}

/* one row of the mask: the pixels that its samples lie in, no mean of neighbours; room for 4 numbers a sample */
static ty_status mask_row(tyi_io_raster *raster, const ty_site *site, const float *pixel, int number,
                          tyi_soil_region *r, int j, double *room, uint8_t *out, ty_diag *diag)
{
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    size_t n = (size_t)r->nx;
    double *lat = room, *lon = room + n, *x = room + 2 * n, *y = room + 3 * n, height;
    for (size_t i = 0; i < n; i++) {
        double px = r->x + (double)i * r->spacing, py = r->y + j * r->spacing;
        double z = sqrt(fmax(site->radius * site->radius - px * px - py * py, 0.0)) - site->radius;
        ty_site_geodetic(site, ty_vec3_make(px, py, z), &lat[i], &lon[i], &height);
    }
    ty_status status = tyi_io_raster_pixel(raster, n, lat, lon, x, y, diag);
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        bool in = x[i] >= 0.0 && y[i] >= 0.0 && x[i] < info->width && y[i] < info->height;
        out[i] = in && lrintf(pixel[(size_t)y[i] * (size_t)info->width + (size_t)x[i]]) == number;
    }
    return status;
}

static ty_status make_mask(tyi_io_raster *raster, const ty_scenario_soil_region *from, const ty_site *site,
                           double extent, tyi_soil_region *r, uint8_t **mask, ty_diag *diag)
{
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    ty_rect rect;
    size_t pixels = (size_t)info->width * (size_t)info->height;
    ty_status status = rect_of(raster, site, extent, &rect, diag);
    if (status == TY_OK && !(rect.x0 < rect.x1 && rect.y0 < rect.y1)) {
        status = ty_fail(diag, TY_ERR_INPUT, "%s: covers no part of the site", from->raster);
    }
    if (status == TY_OK && pixels > ((size_t)1 << 28)) {
        status = ty_fail(diag, TY_ERR_RANGE, "%s: %d x %d pixels, but a raster of classes takes 268 million at most",
                         from->raster, info->width, info->height);
    }
    if (status != TY_OK) {
        return status;
    }
    double side = fmax(rect.x1 - rect.x0, rect.y1 - rect.y0);
    r->x = rect.x0, r->y = rect.y0, r->points = 0;
    r->spacing = fmax(0.5 * info->spacing, side / (MOST_SIDE - 1));
    r->nx = (int)ceil((rect.x1 - rect.x0) / r->spacing) + 1, r->ny = (int)ceil((rect.y1 - rect.y0) / r->spacing) + 1;
    float *pixel = malloc(pixels * sizeof *pixel);
    double *room = malloc(4 * (size_t)r->nx * sizeof *room);
    *mask = malloc((size_t)r->nx * (size_t)r->ny);
    status = pixel && room && *mask
                 ? tyi_io_raster_read(raster, 0, (tyi_io_raster_window){ 0, 0, info->width, info->height }, pixel, diag)
                 : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for its classes", from->raster);
    for (int j = 0; j < r->ny && status == TY_OK; j++) {
        status = mask_row(raster, site, pixel, from->class_number, r, j, room, *mask + (size_t)j * (size_t)r->nx, diag);
    }
    r->mask = *mask;
    free(pixel), free(room);
    return status;
}

static ty_status load_mask(ty_run *run, size_t i, tyi_soil_region *region, ty_diag *diag)
{
    const ty_scenario_soil_region *from = &run->scenario.soil_region[i];
    ty_terrain *terrain = ty_world_terrain(run->world);
    const ty_site *site = ty_terrain_site(terrain);
    tyi_io_raster_def def = tyi_io_raster_def_default();
    tyi_io_raster *raster = NULL;
    if (from->pixel > 0.0) {
        def.pixel = from->pixel, def.lat = site->lat, def.lon = site->lon;
    }
    ty_status status = tyi_io_raster_open(from->raster, &def, &raster, diag);
    if (status == TY_OK) {
        status = make_mask(raster, from, site, ty_terrain_get_def(terrain)->extent, region, &run->soil_mask[i], diag);
    }
    tyi_io_raster_close(raster);
    return status;
}

static ty_status make_world(ty_run *run, ty_soil_def *soil, tyi_soil_region *region, ty_diag *diag)
{
    const ty_scenario *s = &run->scenario;
    double *point = run->soil_points;
    ty_scenario_soil base;
    ty_status status = tyi_scenario_soil_of(s, &base, diag);
    status = status == TY_OK ? soil_of(run, &base, &soil[0], diag) : status;
    for (size_t i = 0; i < s->soil_regions && status == TY_OK; i++) {
        const ty_scenario_soil_region *r = &s->soil_region[i];
        region[i] = (tyi_soil_region){ .soil = (int)i + 1,
                                       .x = r->x,
                                       .y = r->y,
                                       .radius = r->radius,
                                       .point = point,
                                       .points = r->shape == 1 ? r->corners : 0 };
        for (size_t k = 0; k < region[i].points; k++) {
            *point++ = r->corner[k].x;
            *point++ = r->corner[k].y;
        }
        status = soil_of(run, &r->soil, &soil[i + 1], diag);
        status = status == TY_OK && r->shape == 2 ? load_mask(run, i, &region[i], diag) : status;
    }
    status = status == TY_OK ? tyi_sim_device_soil(run, soil, s->soil_regions + 1, diag) : status;
    tyi_soil_world_def def = { .terrain = ty_world_terrain(run->world),
                               .device = run->soil_device,
                               .gravity = s->gravity,
                               .soil = soil,
                               .soils = (int)s->soil_regions + 1,
                               .region = region,
                               .regions = s->soil_regions };
    return status == TY_OK ? tyi_soil_world_create(&def, &run->soil, diag) : status;
}

ty_status tyi_sim_soil_make(ty_run *run, ty_diag *diag)
{
    size_t regions = run->scenario.soil_regions, points = 0;
    for (size_t i = 0; i < regions; i++) {
        points += run->scenario.soil_region[i].corners;
    }
    ty_soil_def *soil = tyi_get(NULL, (regions + 1) * sizeof *soil);
    tyi_soil_region *region = tyi_get(NULL, (regions + 1) * sizeof *region);
    run->soil_point_bytes = (2 * points + 1) * sizeof *run->soil_points;
    run->soil_points = tyi_get(NULL, run->soil_point_bytes);
    run->soil_mask = calloc(regions + 1, sizeof *run->soil_mask);
    ty_status status = soil && region && run->soil_points && run->soil_mask
                           ? make_world(run, soil, region, diag)
                           : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for soils");
    tyi_put(NULL, soil, soil ? (regions + 1) * sizeof *soil : 0);
    tyi_put(NULL, region, region ? (regions + 1) * sizeof *region : 0);
    return status;
}

void tyi_sim_soil_free(ty_run *run)
{
    tyi_soil_world_destroy(run->soil);
    ty_device_destroy(run->soil_device);
    for (size_t i = 0; run->soil_mask && i < run->scenario.soil_regions; i++) {
        free(run->soil_mask[i]);
    }
    free(run->soil_mask);
    tyi_put(NULL, run->soil_points, run->soil_points ? run->soil_point_bytes : 0);
}

/* ---- what is seen of it ---- */

typedef struct lumps {
    tyi_render_lump *lump;
    size_t count, room;
} lumps;

static void take_lump(void *user, ty_vec3 at, double size, uint32_t id, bool lies)
{
    lumps *l = user;
    if (l->count < l->room) {
        l->lump[l->count++] = (tyi_render_lump){ .at = at, .size = (float)size, .id = id, .lies = lies };
    }
}

size_t tyi_sim_soil_lumps(const ty_run *run, tyi_render_lump *lump, size_t room)
{
    lumps l = { .lump = lump, .room = room };
    if (room) {
        tyi_soil_world_loose(run->soil, take_lump, &l);
    }
    return l.count;
}
