/* src/render/ground/ground_store.h - tiles of ground that no ring shows now, kept for eyes elsewhere.
 *
 * Rings stand around one eye at a time. Where sensors take turns, the tiles of one must not be made anew
 * each time the other has looked: when a ring goes to another eye, what it held goes here, and comes back when it is needed. A cache
 * with a fixed number of tiles: the one that was used longest ago makes room (LRU). What a frame shows does not depend
 * on it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_GROUND_STORE_H
#define TYI_RENDER_GROUND_STORE_H
#include "scene/scene.h"

ty_status tyi_render_store_init(tyi_render_ground *g, size_t tiles, ty_diag *diag);
void tyi_render_store_free(tyi_render_ground *g);
/* Whether tile x, y of a ring with these edges is here, and filled. If it is here it has changed places with `tile`: one that an edit has reached since knows its heights without edits. */
bool tyi_render_store_take(tyi_render_ground *g, const tyi_render_ring *ring, tyi_render_plot *tile, int32_t x,
                           int32_t y, uint8_t edges);
/* The same question alone. */
bool tyi_render_store_has(const tyi_render_ground *g, const tyi_render_ring *ring, int32_t x, int32_t y, uint8_t edges);
/* Keeps a filled tile; afterwards it holds memory of another one, or none, and is not filled. */
void tyi_render_store_keep(tyi_render_ground *g, const tyi_render_ring *ring, tyi_render_plot *tile);
/* Calls mark for all tiles with their ring's rectangle. */
void tyi_render_store_mark(tyi_render_ground *g, void (*mark)(tyi_render_plot *tile, const int32_t rect[4]),
                           const int32_t (*rect)[4]);

#endif
