/* src/world/terrain/moved.h - rocks that no longer lie where they were generated, by id.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_MOVED_H
#define TYI_TERRAIN_MOVED_H
#include "tycho/terrain.h"

/* Sorted by id, so that the order does not tell who moved first. */
typedef struct tyi_terrain_moved {
    const ty_alloc *alloc;
    ty_rock *rock;
    size_t count, room;
    uint64_t version; /* number of moves */
    double largest;   /* [m] all so far are smaller */
} tyi_terrain_moved;

/* NULL: it lies where it was generated. */
const ty_rock *tyi_terrain_moved_find(const tyi_terrain_moved *moved, uint64_t id);
/* In place of what is known of this id. TY_ERR_RANGE, TY_ERR_MEMORY. */
ty_status tyi_terrain_moved_put(tyi_terrain_moved *moved, const ty_rock *rock, ty_diag *diag);
/* All of them at once, in place of those there are. */
ty_status tyi_terrain_moved_load(tyi_terrain_moved *moved, const ty_rock *rocks, size_t count, ty_diag *diag);
void tyi_terrain_moved_free(tyi_terrain_moved *moved);

#endif
