/* src/render/ground/heights.h - memory of the ground's tiles: slots of one size in few blocks that never move.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_HEIGHTS_H
#define TYI_RENDER_HEIGHTS_H
#include "tycho/base.h"

#define TYI_RENDER_SLOTS 256 /* in a block */

typedef struct tyi_render_heights {
    float **block;
    size_t blocks, room; /* that there are; that the list has room for */
    uint32_t used;       /* slots that were given out at some time */
    uint32_t *empty;     /* given back */
    size_t empties, empty_room;
} tyi_render_heights;

static inline float *tyi_render_heights_at(const tyi_render_heights *h, uint32_t slot, size_t samples)
{
    return h->block[slot / TYI_RENDER_SLOTS] + (slot % TYI_RENDER_SLOTS) * samples;
}
/* A slot for so many samples, always the same number of them; false: no memory. */
bool tyi_render_heights_take(tyi_render_heights *h, const ty_alloc *alloc, size_t samples, uint32_t *slot);
void tyi_render_heights_give(tyi_render_heights *h, uint32_t slot);
void tyi_render_heights_free(tyi_render_heights *h, const ty_alloc *alloc, size_t samples);

#endif
