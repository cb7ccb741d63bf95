/* src/world/terrain/tile.c - see tile.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tile.h"
#include <string.h>
#include "bed.h"
#include "core/core.h"

enum { SAMPLES = TYI_TERRAIN_TILE_SIDE * TYI_TERRAIN_TILE_SIDE, TILES_PER_NATURAL = 8 };

ty_status tyi_terrain_tiles_init(tyi_terrain_tiles *c, const tyi_terrain_generator *g, const tyi_terrain_rocks *rocks,
                                 tyi_terrain_edits *edits, size_t bytes, const ty_alloc *alloc, ty_diag *diag)
{
    size_t slots = bytes / (sizeof(tyi_terrain_tile) + SAMPLES * sizeof(float) / TILES_PER_NATURAL);
    slots = slots < 64 ? 64 : slots; /* fewer could not serve the readers of one batch */
    uint32_t naturals = (uint32_t)(slots / TILES_PER_NATURAL);
    *c = (tyi_terrain_tiles){
        .generator = g, .rocks = rocks, .edits = edits, .alloc = alloc, .slots = slots, .naturals = naturals
    };
    c->slot = tyi_get(alloc, slots * sizeof *c->slot);
    c->natural = tyi_get(alloc, naturals * sizeof *c->natural);
    if (!c->slot || !c->natural || !tyi_index_make(&c->index, alloc, slots)) {
        tyi_put(alloc, c->slot, slots * sizeof *c->slot);
        tyi_put(alloc, c->natural, naturals * sizeof *c->natural);
        return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for a cache of %zu tiles", slots);
    }
    pthread_mutex_init(&c->lock, NULL);
    return TY_OK;
}

void tyi_terrain_tiles_free(tyi_terrain_tiles *c)
{
    for (size_t s = 0; s < c->filled; s++) {
        TY_ASSERT(c->slot[s]->pins == 0);
        tyi_put(c->alloc, c->slot[s], sizeof(tyi_terrain_tile));
    }
    for (uint32_t n = 0; n < c->naturals; n++) {
        tyi_put(c->alloc, c->natural[n].h, c->natural[n].h ? SAMPLES * sizeof(float) : 0);
    }
    tyi_put(c->alloc, c->natural, c->naturals * sizeof *c->natural);
    tyi_put(c->alloc, c->slot, c->slots * sizeof *c->slot);
    tyi_index_free(&c->index, c->alloc);
    tyi_put(c->alloc, c->spare, sizeof *c->spare);
    pthread_mutex_destroy(&c->lock);
}

tyi_terrain_scratch *tyi_terrain_tiles_scratch(tyi_terrain_tiles *c)
{
    pthread_mutex_lock(&c->lock);
    tyi_terrain_scratch *scratch = c->spare;
    c->spare = NULL;
    pthread_mutex_unlock(&c->lock);
    return scratch ? scratch : tyi_get(c->alloc, sizeof *scratch);
}

void tyi_terrain_tiles_scratch_back(tyi_terrain_tiles *c, tyi_terrain_scratch *scratch)
{
    pthread_mutex_lock(&c->lock);
    tyi_terrain_scratch *other = c->spare;
    c->spare = scratch ? scratch : other;
    pthread_mutex_unlock(&c->lock);
    tyi_put(c->alloc, scratch ? other : NULL, sizeof *other);
}

static uint64_t hash_of(int level, int32_t x, int32_t y)
{
    int32_t key[3] = { level, x, y };
    return tyi_hash(key, sizeof key, TYI_HASH_START);
}

/* the tile there; or, where it is stale, the one as it was before edits, if nobody holds it */
static tyi_terrain_tile *find(tyi_terrain_tiles *c, int level, int32_t x, int32_t y, bool stale)
{
    for (uint32_t i = tyi_index_first(&c->index, hash_of(level, x, y)); i != TYI_NONE; i = c->index.next[i]) {
        tyi_terrain_tile *tile = c->slot[i];
        if (tile->stale == stale && !(stale && tile->pins) && tile->level == level && tile->x == x && tile->y == y) {
            return tile;
        }
    }
    return NULL;
}

static void unlink_tile(tyi_terrain_tiles *c, tyi_terrain_tile *tile)
{
    tyi_index_take(&c->index, hash_of(tile->level, tile->x, tile->y), tile->number);
}

/* A tile that may be overwritten: its older self, a new one while there is room, else the first that nobody holds
 * and nobody used since the hand last passed. Called with the lock held; the result is pinned and not in the index. */
static tyi_terrain_tile *take_slot(tyi_terrain_tiles *c, int level, int32_t x, int32_t y)
{
    TYI_LOCKED(&c->lock);
    /* made anew in its place, so that ruts cost no memory */
    tyi_terrain_tile *stale = find(c, level, x, y, true);
    if (stale) {
        unlink_tile(c, stale);
        stale->pins = 1;
        return stale;
    }
    if (c->filled < c->slots) {
        tyi_terrain_tile *tile = tyi_get(c->alloc, sizeof *tile);
        if (tile) {
            tile->number = (uint32_t)c->filled;
            tile->natural = TYI_NONE;
            c->slot[c->filled++] = tile;
            tile->pins = 1;
            return tile;
        }
    }
    for (size_t tries = 0; tries < 2 * c->filled + 1 && c->filled; tries++) {
        tyi_terrain_tile *tile = c->slot[c->hand];
        c->hand = (c->hand + 1) % c->filled;
        if (tile->pins == 0 && (!tile->used || tile->stale)) {
            unlink_tile(c, tile);
            tile->pins = 1;
            return tile;
        }
        tile->used = tile->used && tile->pins > 0;
    }
    return NULL;
}

/* Lends the tile a buffer for its heights without edits, if there is one that nobody reads. Called with the lock held. */
static void lend_natural(tyi_terrain_tiles *c, tyi_terrain_tile *tile)
{
    for (uint32_t tries = 0; tries < c->naturals && tile->natural == TYI_NONE; tries++) {
        uint32_t n = c->turn;
        tyi_terrain_natural *natural = &c->natural[n];
        c->turn = (n + 1) % c->naturals;
        if (natural->tile && natural->tile->pins > 0) {
            continue;
        }
        natural->h = natural->h ? natural->h : tyi_get(c->alloc, SAMPLES * sizeof *natural->h);
        if (natural->h) {
            if (natural->tile) {
                natural->tile->natural = TYI_NONE, natural->tile->known = false;
            }
            natural->tile = tile;
            tile->natural = n, tile->known = false;
        }
    }
}

/* heights without edits */
static ty_status make_natural(tyi_terrain_tiles *c, tyi_terrain_tile *tile, tyi_terrain_scratch *scratch, ty_diag *diag)
{
    double z[SAMPLES];
    int32_t i0 = tile->x * TY_TERRAIN_TILE - 1, j0 = tile->y * TY_TERRAIN_TILE - 1;
    ty_status status = tyi_terrain_generate(c->generator, tile->level, i0, j0, TYI_TERRAIN_TILE_SIDE,
                                            TYI_TERRAIN_TILE_SIDE, z, scratch, diag);
    if (status == TY_OK) {
        tyi_terrain_fillets_add(c->rocks, ldexp(c->generator->def.resolution, tile->level), i0, j0,
                                TYI_TERRAIN_TILE_SIDE, TYI_TERRAIN_TILE_SIDE, z);
        tile->z0 = z[TYI_TERRAIN_TILE_SIDE * (TYI_TERRAIN_TILE_SIDE / 2) + TYI_TERRAIN_TILE_SIDE / 2];
        for (size_t k = 0; k < SAMPLES; k++) {
            tile->h[k] = (float)(z[k] - tile->z0);
        }
    }
    return status;
}

/* again: it was this tile before, and an edit came */
static ty_status fill(tyi_terrain_tiles *c, tyi_terrain_tile *tile, bool again, ty_diag *diag)
{
    tyi_terrain_scratch *scratch = tyi_terrain_tiles_scratch(c);
    ty_status status = TY_OK;
    tile->known = tile->known && again;
    if (!scratch) {
        status = ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory to make a tile");
    } else {
        int32_t i0 = tile->x * TY_TERRAIN_TILE - 1, j0 = tile->y * TY_TERRAIN_TILE - 1;
        float *natural = tile->natural != TYI_NONE ? c->natural[tile->natural].h : NULL;
        if (tile->known) {
            memcpy(tile->h, natural, SAMPLES * sizeof *tile->h);
        } else {
            status = make_natural(c, tile, scratch, diag);
            tile->known = again && natural && status == TY_OK;
            if (tile->known) {
                memcpy(natural, tile->h, SAMPLES * sizeof *tile->h);
            }
        }
        tyi_terrain_edits_add(c->edits, tile->level, i0, j0, TYI_TERRAIN_TILE_SIDE, TYI_TERRAIN_TILE_SIDE, tile->h);
        tyi_terrain_press_bed(c->generator, c->edits, tile->level, i0, j0, TYI_TERRAIN_TILE_SIDE, TYI_TERRAIN_TILE_SIDE,
                              tile->h, scratch);
    }
    tyi_terrain_tiles_scratch_back(c, scratch);
    return status;
}

ty_status tyi_terrain_tiles_get(tyi_terrain_tiles *c, int level, int32_t x, int32_t y, tyi_terrain_tile **out,
                                ty_diag *diag)
{
    *out = NULL;
    pthread_mutex_lock(&c->lock);
    tyi_terrain_tile *tile = find(c, level, x, y, false);
    if (tile) {
        tile->pins++;
        tile->used = true;
        c->hits++;
        pthread_mutex_unlock(&c->lock);
        *out = tile;
        return TY_OK;
    }
    c->misses++;
    tile = take_slot(c, level, x, y);
    bool again = tile && tile->made && tile->level == level && tile->x == x && tile->y == y;
    if (again) {
        lend_natural(c, tile);
    }
    pthread_mutex_unlock(&c->lock);
    if (!tile) {
        return ty_fail(diag, TY_ERR_MEMORY, "terrain: all %zu cached tiles are in use", c->filled);
    }
    /* made outside the lock; should another thread make the same tile meanwhile, both have the same bits */
    tile->level = level, tile->x = x, tile->y = y, tile->stale = false, tile->used = true;
    ty_status status = fill(c, tile, again, diag);
    pthread_mutex_lock(&c->lock);
    tile->stale = status != TY_OK;
    tile->made = true;
    tyi_index_add(&c->index, hash_of(level, x, y), tile->number);
    tile->pins -= status != TY_OK;
    pthread_mutex_unlock(&c->lock);
    *out = status == TY_OK ? tile : NULL;
    return status;
}

void tyi_terrain_tiles_release(tyi_terrain_tiles *c, tyi_terrain_tile *tile)
{
    if (tile) {
        pthread_mutex_lock(&c->lock);
        TY_ASSERT(tile->pins > 0);
        tile->pins--;
        pthread_mutex_unlock(&c->lock);
    }
}

void tyi_terrain_tiles_edited(tyi_terrain_tiles *c, const int32_t rect[4])
{
    pthread_mutex_lock(&c->lock);
    for (int l = 0; l < c->generator->levels && c->filled; l++) {
        int32_t r[4];
        tyi_terrain_edits_spread(c->edits, l, rect, r);
        /* the margin of a tile reaches two samples below and one above its own samples */
        for (int32_t y = (r[1] - 2) >> 7; y <= (r[1] + r[3]) >> 7; y++) {
            for (int32_t x = (r[0] - 2) >> 7; x <= (r[0] + r[2]) >> 7; x++) {
                tyi_terrain_tile *tile = find(c, l, x, y, false);
                if (tile) {
                    tile->stale = true;
                }
            }
        }
    }
    pthread_mutex_unlock(&c->lock);
}
