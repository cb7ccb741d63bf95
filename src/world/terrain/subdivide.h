/* src/world/terrain/subdivide.h - from a grid to one twice as dense.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_SUBDIVIDE_H
#define TYI_TERRAIN_SUBDIVIDE_H
#include <stdint.h>

/* a rectangle of samples of one level: i0 .. i0+nx-1, j0 .. j0+ny-1 */
typedef struct tyi_terrain_block {
    int32_t i0, j0;
    int nx, ny;
} tyi_terrain_block;

/* the samples of the next coarser level that the 4-point scheme needs */
tyi_terrain_block tyi_terrain_block_parent(tyi_terrain_block b);
/* Child from parent, which is tyi_terrain_block_parent(c) or larger; rows is room for c.nx * p.ny numbers. What a
 * sample gets does not depend on the block around it. */
void tyi_terrain_subdivide(const double *parent, tyi_terrain_block p, double *child, tyi_terrain_block c, double *rows);

#endif
