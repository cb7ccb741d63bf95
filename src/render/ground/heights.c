/* src/render/ground/heights.c - see heights.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "heights.h"
#include <assert.h>
#include <string.h>
#include "core/core.h"

/* one block more, and room to take all slots back */
static bool grow(tyi_render_heights *h, const ty_alloc *alloc, size_t samples)
{
    if (h->blocks == h->room) {
        size_t room = h->room ? 2 * h->room : 16, slots = room * TYI_RENDER_SLOTS;
        float **block = tyi_get(alloc, room * sizeof *block);
        uint32_t *empty = tyi_get(alloc, slots * sizeof *empty);
        if (!block || !empty) {
            tyi_put(alloc, block, room * sizeof *block);
            tyi_put(alloc, empty, slots * sizeof *empty);
            return false;
        }
        if (h->blocks) {
            memcpy(block, h->block, h->blocks * sizeof *block);
            memcpy(empty, h->empty, h->empties * sizeof *empty);
        }
        tyi_put(alloc, h->block, h->room * sizeof *block);
        tyi_put(alloc, h->empty, h->empty_room * sizeof *empty);
        h->block = block, h->empty = empty, h->room = room, h->empty_room = slots;
    }
    h->block[h->blocks] = tyi_get(alloc, TYI_RENDER_SLOTS * samples * sizeof(float));
    return h->block[h->blocks] && ++h->blocks;
}

bool tyi_render_heights_take(tyi_render_heights *h, const ty_alloc *alloc, size_t samples, uint32_t *slot)
{
    if (h->empties) {
        *slot = h->empty[--h->empties];
        return true;
    }
    if (h->used == h->blocks * TYI_RENDER_SLOTS && !grow(h, alloc, samples)) {
        return false;
    }
    *slot = h->used++;
    return true;
}

void tyi_render_heights_give(tyi_render_heights *h, uint32_t slot)
{
    assert(h->empties < h->empty_room && slot < h->used);
    h->empty[h->empties++] = slot;
}

void tyi_render_heights_free(tyi_render_heights *h, const ty_alloc *alloc, size_t samples)
{
    for (size_t i = 0; i < h->blocks; i++) {
        tyi_put(alloc, h->block[i], TYI_RENDER_SLOTS * samples * sizeof(float));
    }
    tyi_put(alloc, h->block, h->room * sizeof *h->block);
    tyi_put(alloc, h->empty, h->empty_room * sizeof *h->empty);
    *h = (tyi_render_heights){ 0 };
}
