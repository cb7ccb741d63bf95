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
ty_status tyi_terrain_load(ty_terrain *terrain, const void *saved, size_t bytes, ty_diag *diag);

/* Has every edit told to somebody, after it was made; NULL: nobody. */
static inline void tyi_terrain_watch(ty_terrain *terrain, void (*watch)(void *user, const ty_edit *edit), void *user)
{
    terrain->edits.watch = watch;
    terrain->edits.watch_user = user;
}

#endif
