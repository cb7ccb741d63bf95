/* src/core/index.c - see index.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "index.h"
#include <string.h>

bool tyi_index_make(tyi_index *x, const ty_alloc *alloc, size_t room)
{
    tyi_index made = { .chains = 16, .room = (uint32_t)room };
    if (room > UINT32_MAX / 4) {
        return false;
    }
    while (made.chains < 2 * room) {
        made.chains *= 2;
    }
    made.chain = tyi_get(alloc, made.chains * sizeof *made.chain);
    made.next = tyi_get(alloc, room * sizeof *made.next);
    if (!made.chain || !made.next) {
        tyi_index_free(&made, alloc);
        return false;
    }
    tyi_index_clear(&made);
    tyi_index_free(x, alloc);
    *x = made;
    return true;
}

void tyi_index_free(tyi_index *x, const ty_alloc *alloc)
{
    tyi_put(alloc, x->chain, x->chains * sizeof *x->chain);
    tyi_put(alloc, x->next, x->room * sizeof *x->next);
    *x = (tyi_index){ 0 };
}

void tyi_index_clear(tyi_index *x)
{
    memset(x->chain, 0xff, x->chains * sizeof *x->chain); /* TYI_NONE */
}

void tyi_index_add(tyi_index *x, uint64_t hash, uint32_t number)
{
    TY_ASSERT(number < x->room);
    uint32_t *chain = tyi_index_chain(x, hash);
    TY_ASSERT(*chain != number);
    x->next[number] = *chain;
    *chain = number;
}

void tyi_index_take(tyi_index *x, uint64_t hash, uint32_t number)
{
    uint32_t *at = tyi_index_chain(x, hash);
    while (*at != number) {
        TY_ASSERT(*at != TYI_NONE && "it is in another chain, or in none");
        at = &x->next[*at];
    }
    *at = x->next[number];
}
