/* src/core/index.h - a hash table of numbers: which elements of somebody's list have a hash. Keys stay with their owner, who compares them:
 *     for (uint32_t i = tyi_index_first(x, hash); i != TYI_NONE; i = x->next[i]) if (list[i] is it) ...
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_INDEX_H
#define TYI_INDEX_H
#include "core.h"

#define TYI_NONE UINT32_MAX

typedef struct tyi_index {
    uint32_t *chain; /* the first number of each; the newest comes first */
    uint32_t *next;  /* by number; TYI_NONE: the last */
    uint32_t chains; /* a power of two */
    uint32_t room;   /* numbers are below */
} tyi_index;

/* Makes an empty one for numbers below room; what it was is given back. false: no memory, and it is as it was. */
bool tyi_index_make(tyi_index *x, const ty_alloc *alloc, size_t room);
void tyi_index_free(tyi_index *x, const ty_alloc *alloc);
void tyi_index_clear(tyi_index *x);

static inline uint32_t *tyi_index_chain(const tyi_index *x, uint64_t hash)
{
    return &x->chain[(uint32_t)(hash >> 32 ^ hash) & (x->chains - 1)];
}

static inline uint32_t tyi_index_first(const tyi_index *x, uint64_t hash)
{
    return x->chains ? *tyi_index_chain(x, hash) : TYI_NONE;
}

/* A number is in one chain at most: it is added when it is in none, and taken out with the hash that it came with. */
void tyi_index_add(tyi_index *x, uint64_t hash, uint32_t number);
void tyi_index_take(tyi_index *x, uint64_t hash, uint32_t number);

#endif
