/* src/world/terrain/bed.h - the bed of a rut at levels finer than the edits.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_BED_H
#define TYI_TERRAIN_BED_H
#include "edit.h"
#include "generate.h"

/* Takes from h[j * nx + i] [m], which has the edits, what the soil's own roughness of this level adds where soil was pressed: a wheel leaves no
 * crumbs. Does nothing, and costs nothing, at the edits' own level and above, and where nothing was edited. nx, ny: at most TYI_TERRAIN_BLOCK. */
void tyi_terrain_press_bed(const tyi_terrain_generator *g, tyi_terrain_edits *e, int level, int32_t i0, int32_t j0,
                           int nx, int ny, float *h, tyi_terrain_scratch *scratch);

#endif
