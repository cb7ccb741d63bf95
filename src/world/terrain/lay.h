/* src/world/terrain/lay.h - rasters laid over the base (ty_terrain_layer).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_LAY_H
#define TYI_TERRAIN_LAY_H
#include "generate.h"
#include "subdivide.h"

/* latitude and longitude [rad] of the place whose height stands at x, y of the lattice [m], when that height is h [m]
 * */
void tyi_terrain_place_below(const tyi_terrain_generator *g, double x, double y, double h, double *lat, double *lon);
/* how often height and place have to be found in turn, from x0 to x1 of a row */
int tyi_terrain_place_rounds(const tyi_terrain_generator *g, double x0, double x1, double y);
/* whether a place lies within margin [rad] of a layer's circle, or a little farther */
bool tyi_terrain_laid_near(const tyi_terrain_laid *laid, double lat, double lon, double margin);
/* Quietens noise [m] whose samples are `step` [m] apart, at the samples of level l, in and around the layers from
 * number `from` on: it ends some samples before their rims, so that both sides meet there. */
ty_status tyi_terrain_calm(const tyi_terrain_generator *g, int from, int l, tyi_terrain_block b, double step,
                           double *noise, ty_diag *diag);
/* Lays layer k over the samples of a block of level l: h is scratch->a or scratch->b, the other one is overwritten. */
ty_status tyi_terrain_lay(const tyi_terrain_generator *g, int k, int l, tyi_terrain_block b, double *h,
                          tyi_terrain_scratch *scratch, ty_diag *diag);

#endif
