/* src/world/inner.h - what other modules and tests ask of a world beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WORLD_INNER_H
#define TYI_WORLD_INNER_H
#include "tycho/world.h"

/* The place: ground, the rasters it stands on, when the clock starts. Everything is read during tyi_world_create() only.
 * */
typedef struct tyi_world_def {
    const ty_terrain_def *terrain; /* lat and lon are the site's; its base is left empty */
    const char *base_path;         /* raster that the terrain stands on, relative to the working folder; "": none */
    /* rasters of the Moon around the site, from the coarsest to the finest; base_path comes last */
    const ty_world_layer_def *layer;
    size_t layers;
    size_t memory;         /* [bytes] bound on cached blocks of all rasters */
    const char *start_utc; /* YYYY-MM-DDThh:mm:ss[.fraction] */
} tyi_world_def;

/* Opens the base raster, if one is named, and makes the terrain. Over a base the relief is not taken from the
 * definition but continues the raster's own spectrum, fitted at the site. On success the caller owns *out. Returns
 * what the raster and the terrain return. */
ty_status tyi_world_create(const tyi_world_def *def, ty_world **out, ty_diag *diag);

/* The skyline from one point: slope[k] [-] towards azimuth k * 2 pi / n clockwise from north, from all relief between
 * two samples of the level that fits `spacing` [m] and `far` [m]. A tyi_world_skyline holds the ground around a site. */
typedef struct tyi_world_skyline tyi_world_skyline;
ty_status tyi_world_skyline_create(ty_terrain *terrain, ty_rect rect, double spacing, double far, int threads,
                                   tyi_world_skyline **out, ty_diag *diag);
void tyi_world_skyline_destroy(tyi_world_skyline *skyline);
void tyi_world_skyline_at(const tyi_world_skyline *skyline, double x, double y, double height, int n, double *slope);

#endif
