/* src/render/ground/ground_supply.h - tiles of ground made beside the frames, by a thread of their own.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_GROUND_SUPPLY_H
#define TYI_RENDER_GROUND_SUPPLY_H
#include "scene/scene.h"

/* What a tile is made from: its heights, and those of the next coarser level around it, for its edges; before any edit.
 * */
typedef struct tyi_render_made {
    int level;
    int32_t x, y;
    int state;      /* 0 free, 1 asked for, 2 being made, 3 ready, 4 failed */
    uint64_t asked; /* when, by the count of frames */
    double z0;
    float natural[TYI_RENDER_TILE_STRIDE * TYI_RENDER_TILE_STRIDE];
    float coarse[TYI_RENDER_COARSE * TYI_RENDER_COARSE];
} tyi_render_made;

typedef struct tyi_render_supply tyi_render_supply;

/* room: tiles at most. NULL: no memory or no thread. */
tyi_render_supply *tyi_render_supply_start(ty_terrain *terrain, size_t room, const ty_alloc *alloc);
void tyi_render_supply_stop(tyi_render_supply *supply); /* waits for the tile that is being made; NULL is allowed */
/* Begins a frame: what was asked for before and is not asked for again is forgotten once room is short. */
void tyi_render_supply_frame(tyi_render_supply *supply);
/* Copies a tile where it is ready; otherwise asks for it, unless it failed in one of the last frames. */
bool tyi_render_supply_take(tyi_render_supply *supply, int level, int32_t x, int32_t y, tyi_render_plot *tile);
/* Asks for a tile; whether it is ready. */
bool tyi_render_supply_ask(tyi_render_supply *supply, int level, int32_t x, int32_t y);
/* Waits until another tile is ready or failed, at most `seconds`; false: nothing is being made, or the time is over. */
bool tyi_render_supply_wait(tyi_render_supply *supply, double seconds);
size_t tyi_render_supply_waiting(tyi_render_supply *supply);                   /* asked for and not there yet */
ty_status tyi_render_supply_failure(tyi_render_supply *supply, ty_diag *diag); /* the last failure, or TY_OK */

#endif
