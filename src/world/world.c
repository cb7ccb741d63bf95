/* src/world/world.c - the ground of a place, with the rasters it stands on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "layers.h"
#include "world.h"
#include "world/terrain/terrain.h"
#include "tycho/world.h"
#include "inner.h"
#include "io/rasters.h"

struct ty_world {
    tyi_io_raster *raster;
    ty_terrain *terrain;
    ty_terrain_def def; /* of the terrain, with its base */
    ty_raster_spectrum spectrum;
    tyi_world_layers layers; /* of the Moon around the site */
    ty_utc start;
};

/* The base, its spectrum at the site, and a relief that continues it. */
static ty_status stand_on_base(ty_world *w, const tyi_world_def *world, ty_terrain_def *def, ty_diag *diag)
{
    tyi_io_raster_def raster = tyi_io_raster_def_default();
    ty_status status = tyi_io_raster_open(world->base_path, &raster, &w->raster, diag);
    if (status != TY_OK) {
        return status;
    }
    def->base = def->kind ? tyi_io_raster_base_mirrored(w->raster) : tyi_io_raster_base(w->raster);
    status = tyi_io_raster_sample(w->raster, 1, &def->lat, &def->lon, 0.0, &def->base.outside, diag);
    if (status == TY_OK && isnan(def->base.outside)) {
        const tyi_io_raster_info *info = tyi_io_raster_get_info(w->raster);
        status =
            ty_fail(diag, TY_ERR_INPUT,
                    "%s: holds no height at the site, latitude %g deg, longitude %g deg; it covers %.6g to %.6g and "
                    "%.6g to %.6g deg: set site.lat_deg and site.lon_deg inside it and beside its holes",
                    world->base_path, def->lat / TY_DEG, def->lon / TY_DEG, info->lat_min / TY_DEG,
                    info->lat_max / TY_DEG, info->lon_min / TY_DEG, info->lon_max / TY_DEG);
    }
    double size = fmax(def->extent, 128.0 * def->base.spacing);
    if (status == TY_OK) {
        status = tyi_io_raster_fit_spectrum(w->raster, def->lat, def->lon, size, &w->spectrum, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    double outer = def->relief.outer;
    def->relief = tyi_world_relief_over(&def->relief, &w->spectrum);
    /* the base holds what is longer; only to be a right definition */
    def->relief.outer = fmax(outer, def->relief.outer);
    for (int k = 0; k < TY_BASE_OCTAVES; k++) {
        def->base.missing[k] = w->spectrum.missing[k];
    }
    return TY_OK;
}

ty_status tyi_world_create(const tyi_world_def *world, ty_world **out, ty_diag *diag)
{
    *out = NULL;
    ty_world *w = tyi_get(NULL, sizeof *w);
    if (!w) {
        return ty_fail(diag, TY_ERR_MEMORY, "world: no memory");
    }
    ty_terrain_def def = *world->terrain;
    ty_status status = ty_utc_parse(world->start_utc, &w->start, diag);
    if (status == TY_OK && world->layers) {
        status = tyi_world_layers_open(&w->layers, world, &def, diag);
        w->spectrum = status == TY_OK ? w->layers.layer[w->layers.layers - 1].spectrum : w->spectrum;
    } else if (status == TY_OK && world->base_path[0]) {
        status = stand_on_base(w, world, &def, diag);
    }
    if (status == TY_OK) {
        w->def = def;
        status = ty_terrain_create(&def, &w->terrain, diag);
    }
    if (status != TY_OK) {
        ty_world_destroy(w);
        return status;
    }
    *out = w;
    return TY_OK;
}

ty_status tyi_world_sync(ty_world *world, ty_terrain *twin, ty_diag *diag)
{
    return tyi_terrain_copy_edits(world->terrain, twin, diag);
}

ty_status tyi_world_twin(ty_world *world, ty_terrain **out, ty_diag *diag)
{
    ty_status status = ty_terrain_create(&world->def, out, diag);
    return status == TY_OK ? tyi_world_sync(world, *out, diag) : status;
}

void ty_world_destroy(ty_world *world)
{
    if (world) {
        ty_terrain_destroy(world->terrain);
        tyi_io_raster_close(world->raster);
        tyi_world_layers_close(&world->layers);
        tyi_put(NULL, world, sizeof *world);
    }
}

ty_terrain *ty_world_terrain(ty_world *world)
{
    return world->terrain;
}

void tyi_world_set_start(ty_world *world, ty_utc start)
{
    world->start = start;
}

ty_utc ty_world_start(const ty_world *world)
{
    return world->start;
}

const ty_raster_spectrum *ty_world_spectrum(const ty_world *world)
{
    return world->raster || world->layers.layers ? &world->spectrum : NULL;
}

int ty_world_layers(const ty_world *world)
{
    return world->layers.layers;
}

ty_status ty_world_layer(const ty_world *world, int layer, ty_world_layer_report *out, ty_diag *diag)
{
    if (layer < 0 || layer >= world->layers.layers) {
        return ty_fail(diag, TY_ERR_RANGE, "layer %d, but there are %d, from 0", layer, world->layers.layers);
    }
    return tyi_world_layers_report(&world->layers, layer, out, diag);
}

ty_raster_cache_stats ty_world_cache(const ty_world *world)
{
    ty_raster_cache_stats all =
        world->raster ? tyi_io_raster_cache(world->raster) : (ty_raster_cache_stats){ 0, 0, 0, 0 };
    for (int k = 0; k < world->layers.layers; k++) {
        ty_raster_cache_stats c = tyi_io_raster_cache(world->layers.layer[k].raster);
        all.bytes += c.bytes, all.peak_bytes += c.peak_bytes;
        all.hits += c.hits, all.loads += c.loads;
    }
    return all;
}
