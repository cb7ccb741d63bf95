/* src/world/terrain/terrain.h - the terrain object, as its own files see it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_H
#define TYI_TERRAIN_H
#include "def.h"
#include "rock.h"
#include "tile.h"

struct ty_terrain {
    tyi_terrain_generator generator;
    tyi_terrain_edits edits;
    tyi_terrain_tiles cache;
    tyi_terrain_rocks rocks;
    const ty_alloc *alloc;
};

/* ty_terrain_region(), with the edits or without them */
ty_status tyi_terrain_region(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int32_t nx, int32_t ny, double z0,
                             bool edits, float *out, int threads, ty_diag *diag);

/* tyi_terrain_edits_load() for the terrain: cached tiles follow */
ty_status tyi_terrain_load(ty_terrain *terrain, uint64_t bytes, tyi_terrain_source source, void *user, bool saved,
                           ty_diag *diag);
/* The edits of one ground to another, in place of those that has. */
ty_status tyi_terrain_copy_edits(ty_terrain *from, ty_terrain *to, ty_diag *diag);

/* What a reader of the journal of `from` does with an entry: the same edit on its own ground. */
static inline ty_status tyi_terrain_follow(ty_terrain *terrain, const tyi_terrain_entry *entry, ty_diag *diag)
{
    return ty_terrain_edit(terrain, &entry->edit, diag);
}

#endif
