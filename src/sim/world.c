/* src/sim/world.c - from a scenario to its ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core.h"
#include "k_relief.h"
#include "sensing.h"
#include "terrain.h"
#include "tycho/world.h"

struct ty_world {
    ty_raster *raster;
    ty_terrain *terrain;
    ty_terrain_def def; /* of the terrain, with its base */
    ty_spectrum spectrum;
    ty_utc start;
};

/* The base, its spectrum at the site, and a relief that continues it. */
static ty_status stand_on_base(ty_world *w, const ty_scenario *scenario, ty_terrain_def *def, ty_diag *diag)
{
    ty_raster_def raster = ty_raster_def_default();
    ty_status status = ty_raster_open(scenario->base_path, &raster, &w->raster, diag);
    if (status != TY_OK) {
        return status;
    }
    def->base = ty_raster_base(w->raster);
    status = ty_raster_sample(w->raster, 1, &def->lat, &def->lon, 0.0, &def->base.outside, diag);
    if (status == TY_OK && isnan(def->base.outside)) {
        const ty_raster_info *info = ty_raster_get_info(w->raster);
        status = ty_fail(diag, TY_ERR_INPUT,
                         "%s: holds no height at the site, latitude %g deg, longitude %g deg; it covers %.6g to %.6g and "
                         "%.6g to %.6g deg", scenario->base_path, def->lat / TY_DEG, def->lon / TY_DEG, info->lat_min / TY_DEG,
                         info->lat_max / TY_DEG, info->lon_min / TY_DEG, info->lon_max / TY_DEG);
    }
    double size = fmax(def->extent, 128.0 * def->base.spacing);
    if (status == TY_OK) {
        status = ty_raster_spectrum(w->raster, def->lat, def->lon, size, &w->spectrum, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    /* An exponent of 1 or more has no finite slope; rasters of smooth ground come close. */
    double hurst = fmin(fmax(w->spectrum.hurst, 0.1), 0.98), lag = 4.0 * def->base.spacing;
    /* the fitted law, and the one with the limited exponent, agree at the middle of the fitted wavelengths */
    double amplitude = w->spectrum.amplitude * pow(11.0 * def->base.spacing, 2.0 * (w->spectrum.hurst - hurst));
    def->relief.hurst = hurst;
    def->relief.baseline = lag;
    def->relief.outer = fmax(def->relief.outer, 2.0 * lag); /* the base holds what is longer; only to be a right definition */
    def->relief.rms_slope_deg = atan(sqrt(ty_k_relief_structure(amplitude, hurst, lag)) / lag) / TY_DEG;
    for (int k = 0; k < TY_BASE_OCTAVES; k++) {
        def->base.missing[k] = w->spectrum.missing[k];
    }
    return TY_OK;
}

ty_status ty_world_create(const ty_scenario *scenario, ty_world **out, ty_diag *diag)
{
    *out = NULL;
    ty_world *w = tyi_get(NULL, sizeof *w);
    if (!w) {
        return ty_fail(diag, TY_ERR_MEMORY, "world: no memory");
    }
    ty_terrain_def def = scenario->terrain;
    ty_status status = ty_utc_parse(scenario->start_utc, &w->start, diag);
    if (status == TY_OK && scenario->base_path[0]) {
        status = stand_on_base(w, scenario, &def, diag);
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
    const tyi_edits *edits = &world->terrain->edits;
    if (edits->version == 0 && twin->edits.version == 0) {
        return TY_OK;
    }
    size_t bytes = tyi_edits_save(edits, NULL);
    void *copy = tyi_get(NULL, bytes);
    if (!copy) {
        return ty_fail(diag, TY_ERR_MEMORY, "world: no memory for a copy of %zu bytes of edits", bytes);
    }
    tyi_edits_save(edits, copy);
    ty_status status = tyi_terrain_load(twin, copy, bytes, diag);
    tyi_put(NULL, copy, bytes);
    return status;
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
        ty_raster_close(world->raster);
        tyi_put(NULL, world, sizeof *world);
    }
}

ty_terrain *ty_world_terrain(ty_world *world)
{
    return world->terrain;
}

ty_utc ty_world_start(const ty_world *world)
{
    return world->start;
}

const ty_spectrum *ty_world_spectrum(const ty_world *world)
{
    return world->raster ? &world->spectrum : NULL;
}
