/* src/soil/patch/tile.h - a packing of grains that repeats along all three axes: what columns of grains are taken from.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_TILE_H
#define TYI_SOIL_TILE_H
#include "tycho/soil.h"
#include "soil/dem/grains.h"

enum { TYI_SOIL_TILE = 10 }; /* columns along a side, and layers */

typedef struct tyi_soil_tile {
    tyi_dem_def grains; /* as they came out: their mean diameter and density, so that the bulk has that of the soil */
    double d, length;   /* [m] of a column, of the tile */
    double fraction;    /* [-] of its volume that grains fill */
    size_t count;
    ty_vec3 *x; /* [m] 0 to length, by columns along x, then y */
    double *r;  /* [m] */
    size_t start[TYI_SOIL_TILE * TYI_SOIL_TILE + 1];
    const ty_alloc *alloc;
} tyi_soil_tile;

/* Grains as the patch asks for, pressed together until they bear half of `pressure` [Pa]. */
ty_status tyi_soil_tile_make(const ty_soil_def *def, double pressure, const ty_alloc *alloc, tyi_soil_tile *out,
                             ty_diag *diag);
void tyi_soil_tile_free(tyi_soil_tile *tile); /* all zero is allowed */

#endif
