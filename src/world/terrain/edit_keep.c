/* src/world/terrain/edit_keep.c - data of edited tiles: in memory while they are used, else in a file: see edit.h
 *
 * A record is a head and the 16 x 16 blocks of each layer that are not all zero.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "core/core.h"
#include "edit.h"

#define N      TYI_TERRAIN_TILE_SAMPLES
#define BLOCK  16
#define BLOCKS (TY_TERRAIN_TILE / BLOCK)
#define LAYERS 6 /* change, pressed, trace, material, covered, print */
_Static_assert(BLOCKS *BLOCKS == 64, "a layer's blocks are the bits of a word");

typedef struct record {
    uint32_t magic, bytes; /* bytes: of all of it */
    int32_t level, x, y, pad;
    uint64_t sum; /* of all that follows */
    uint64_t mask[LAYERS];
} record;
#define MAGIC 0x324c4954u /* "TIL2" */
#define MOST  (sizeof(record) + N * (3 * sizeof(float) + 3))

static const size_t size_of[LAYERS] = { sizeof(float), sizeof(float), 1, 1, 1, sizeof(uint32_t) };

/* where layer k of a tile is; NULL: it has none */
static char *layer(const tyi_terrain_edit_data *d, bool fine, int k)
{
    union {
        const void *in;
        char *out;
    } at = { .in = k == 0            ? (const void *)d->change
                   : !fine           ? NULL
                   : k == 1          ? (const void *)d->pressed
                   : k == 2          ? (const void *)d->trace
                   : k == 5          ? (const void *)d->print
                   : d->more == NULL ? NULL
                                     : (const void *)(d->more + (k == 4 ? N : 0)) };
    return at.out;
}

static bool is_zero(const char *from, size_t bytes)
{
    static const char zero[BLOCK * sizeof(float)];
    return !memcmp(from, zero, bytes);
}

/* one block out of a layer, or into it; a copy that holds nothing is not told. Returns whether it holds anything. */
static bool copy_block(char *all, size_t size, int block, char *flat, bool out)
{
    size_t row = BLOCK * size;
    bool any = false;
    for (int j = 0; j < BLOCK; j++) {
        char *at = all + (size_t)((block / BLOCKS * BLOCK + j) * TY_TERRAIN_TILE + block % BLOCKS * BLOCK) * size;
        any = any || (out && !is_zero(at, row));
        memcpy(out ? flat + (size_t)j * row : at, out ? at : flat + (size_t)j * row, row);
    }
    return any;
}

size_t tyi_terrain_edit_encode(tyi_terrain_edits *e, const tyi_terrain_edit_tile *tile,
                               const tyi_terrain_edit_data *data)
{
    record r = { .magic = MAGIC, .level = tile->level, .x = tile->x, .y = tile->y };
    char *to = e->record + sizeof r;
    for (int k = 0; k < LAYERS; k++) {
        char *all = layer(data, tile->level == e->level, k);
        for (int b = 0; b < BLOCKS * BLOCKS && all; b++) {
            if (copy_block(all, size_of[k], b, to, true)) {
                r.mask[k] |= (uint64_t)1 << b;
                to += BLOCK * BLOCK * size_of[k];
            }
        }
    }
    r.bytes = (uint32_t)(to - e->record);
    memcpy(e->record, &r, sizeof r);
    r.sum = tyi_hash(e->record + offsetof(record, mask), r.bytes - offsetof(record, mask), TYI_HASH_START);
    memcpy(e->record, &r, sizeof r);
    return r.bytes;
}

/* fills data, which is all zero, from e->record; false: damaged, or no memory */
static bool decode(tyi_terrain_edits *e, size_t bytes, tyi_terrain_edit_data *data)
{
    record r;
    memcpy(&r, e->record, sizeof r);
    char *from = e->record + sizeof r, *end = e->record + bytes;
    if (r.magic != MAGIC || r.bytes != bytes || bytes < sizeof r ||
        r.sum != tyi_hash(e->record + offsetof(record, mask), bytes - offsetof(record, mask), TYI_HASH_START)) {
        return false;
    }
    bool fine = r.level == e->level;
    if (fine && (r.mask[3] || r.mask[4]) && !data->more) {
        data->more = tyi_get(e->alloc, 2 * N);
        if (!data->more) {
            return false;
        }
    }
    for (int k = 0; k < LAYERS; k++) {
        char *all = layer(data, fine, k);
        for (int b = 0; b < BLOCKS * BLOCKS; b++) {
            size_t size = BLOCK * BLOCK * size_of[k];
            if (!(r.mask[k] >> b & 1)) {
                continue;
            }
            if (!all || (size_t)(end - from) < size) {
                return false;
            }
            copy_block(all, size_of[k], b, from, false);
            from += size;
        }
    }
    return true;
}

/* ---- memory ---- */

size_t tyi_terrain_edit_bytes(const tyi_terrain_edits *e, int level)
{
    return level == e->level ? sizeof(tyi_terrain_edit_data) : N * sizeof(float);
}

/* What one tile leaves the next one takes: blocks of this size between others, given back and asked for again all the time, would leave
 * the heap full of holes. A spare one holds the pointer to the next in its first bytes. */
static void **take_spare(tyi_terrain_edits *e, bool fine)
{
    void **spare = e->spare[fine];
    e->spare[fine] = spare ? *spare : NULL;
    return spare;
}

/* gives spare ones of a kind back to the heap, up to so many bytes */
static void free_spare(tyi_terrain_edits *e, bool fine, size_t bytes)
{
    size_t each = tyi_terrain_edit_bytes(e, fine ? e->level : e->level + 1);
    for (size_t gone = 0; gone < bytes && e->spare[fine]; gone += each) {
        tyi_put(e->alloc, take_spare(e, fine), each);
    }
}

static tyi_terrain_edit_data *get_data(tyi_terrain_edits *e, int level)
{
    bool fine = level == e->level;
    size_t bytes = tyi_terrain_edit_bytes(e, level);
    void **spare = take_spare(e, fine);
    if (!spare) {
        free_spare(e, !fine, bytes); /* so that both together keep to the budget */
        return tyi_get(e->alloc, bytes);
    }
    return memset(spare, 0, bytes);
}

static void free_data(tyi_terrain_edits *e, int level, tyi_terrain_edit_data *data)
{
    if (data) {
        uint8_t *more = level == e->level ? data->more : NULL;
        tyi_put(e->alloc, more, more ? 2 * N : 0);
        void **spare = (void **)data;
        *spare = e->spare[level == e->level];
        e->spare[level == e->level] = spare;
    }
}

void tyi_terrain_edit_clear(tyi_terrain_edits *e)
{
    for (size_t i = 0; i < e->tiles; i++) {
        free_data(e, e->tile[i]->level, atomic_load(&e->tile[i]->data));
        tyi_put(e->alloc, e->tile[i], sizeof *e->tile[i]);
    }
    free_spare(e, true, SIZE_MAX);
    free_spare(e, false, SIZE_MAX);
    if (e->index.chains) {
        tyi_index_clear(&e->index);
    }
    e->tiles = e->hand = e->resident = 0;
    tyi_terrain_spill_clear(&e->spill);
}

static bool read_record(tyi_terrain_edits *e, const tyi_terrain_edit_tile *tile, tyi_terrain_edit_data *data)
{
    return tile->bytes <= MOST && tyi_terrain_spill_read(&e->spill, e->record, tile->bytes, tile->at) &&
           decode(e, tile->bytes, data);
}

static tyi_terrain_edit_data *load(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile)
{
    tyi_terrain_edit_data *data = atomic_load(&tile->data); /* another thread may have been faster */
    if (data || !tile->bytes) {
        return data;
    }
    data = get_data(e, tile->level);
    if (data && !read_record(e, tile, data)) {
        free_data(e, tile->level, data);
        data = NULL;
    }
    if (data) {
        e->resident += tyi_terrain_edit_bytes(e, tile->level);
        atomic_store(&tile->used, true);
        atomic_store_explicit(&tile->data, data, memory_order_release);
    }
    return data;
}

tyi_terrain_edit_data *tyi_terrain_edit_load(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile, bool locked)
{
    if (!locked) {
        pthread_mutex_lock(&e->lock);
    }
    tyi_terrain_edit_data *data = load(e, tile);
    if (!locked) {
        pthread_mutex_unlock(&e->lock);
    }
    return data;
}

tyi_terrain_edit_data *tyi_terrain_edit_make(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile, bool locked)
{
    tyi_terrain_edit_data *data = atomic_load(&tile->data);
    if (!data && tile->bytes) {
        return tyi_terrain_edit_load(e, tile, locked);
    }
    if (!data) {
        data = get_data(e, tile->level);
        e->resident += data ? tyi_terrain_edit_bytes(e, tile->level) : 0;
        atomic_store_explicit(&tile->data, data, memory_order_release);
    }
    atomic_store_explicit(&tile->used, true, memory_order_relaxed);
    return data;
}

bool tyi_terrain_edit_take(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile, size_t bytes)
{
    tyi_terrain_edit_data *data = get_data(e, tile->level);
    tyi_terrain_edit_data *before = atomic_load(&tile->data);
    if (!data || !decode(e, bytes, data)) {
        free_data(e, tile->level, data);
        return false;
    }
    e->resident += before ? 0 : tyi_terrain_edit_bytes(e, tile->level);
    free_data(e, tile->level, before);
    tile->filed = false;
    atomic_store(&tile->used, true);
    atomic_store(&tile->data, data);
    return true;
}

const tyi_terrain_edit_data *tyi_terrain_edit_peek(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile)
{
    TYI_LOCKED(&e->lock);
    tyi_terrain_edit_data *data = tile ? atomic_load(&tile->data) : NULL;
    if (data || !tile || !tile->bytes) {
        return data;
    }
    uint8_t *more = e->one->more;
    memset(e->one, 0, sizeof *e->one);
    e->one->more = more;
    if (more) {
        memset(more, 0, 2 * N);
    }
    return read_record(e, tile, e->one) ? e->one : NULL;
}

/* one tile's data to the file; false: it has to stay */
static bool put_away(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile)
{
    tyi_terrain_edit_data *data = atomic_load(&tile->data);
    if (!tile->filed) {
        size_t bytes = tyi_terrain_edit_encode(e, tile, data);
        bool fits = bytes <= tile->room;
        bool there = fits ? tyi_terrain_spill_write(&e->spill, e->record, bytes, tile->at)
                          : tyi_terrain_spill_add(&e->spill, e->record, bytes, &tile->at);
        if (!there) {
            return false;
        }
        tile->bytes = (uint32_t)bytes;
        tile->room = fits ? tile->room : (uint32_t)bytes;
        tile->filed = true;
    }
    atomic_store(&tile->data, NULL);
    free_data(e, tile->level, data);
    e->resident -= tyi_terrain_edit_bytes(e, tile->level);
    return true;
}

void tyi_terrain_edit_trim(tyi_terrain_edits *e)
{
    TYI_LOCKED(&e->lock);
    if (e->resident <= e->budget || pthread_rwlock_trywrlock(&e->in_use) != 0) {
        return;
    }
    size_t aim = e->budget - e->budget / 8;
    for (size_t tries = 0; tries < 2 * e->tiles && e->resident > aim; tries++) {
        tyi_terrain_edit_tile *tile = e->tile[e->hand];
        e->hand = (e->hand + 1) % e->tiles;
        bool used = atomic_exchange(&tile->used, false);
        if (!used && atomic_load(&tile->data) && !put_away(e, tile)) {
            e->budget = 2 * e->resident; /* no room on the disk: memory has to do */
        }
    }
    pthread_rwlock_unlock(&e->in_use);
}
