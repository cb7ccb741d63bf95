/* src/render/ground/ground_store.c - see ground_store.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ground_store.h"
#include "core/index.h"

#define NONE TYI_NONE

typedef struct kept {
    tyi_render_plot plot;
    const tyi_render_ring *ring; /* NULL: memory only */
    uint32_t newer, older;       /* in the order of use */
} kept;

/* an index, and a list in the order of use */
struct tyi_render_store {
    kept *tile;
    tyi_index index;      /* of those with a ring */
    uint32_t room, count; /* tiles at most, so far */
    uint32_t newest, oldest;
};
typedef struct tyi_render_store store;

ty_status tyi_render_store_init(tyi_render_ground *g, size_t tiles, ty_diag *diag)
{
    store *s = tyi_get(g->alloc, sizeof *s);
    g->store = s;
    if (!s) {
        return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for the ground's tiles");
    }
    *s = (store){ .room = (uint32_t)tiles, .newest = NONE, .oldest = NONE };
    s->tile = tyi_get(g->alloc, (tiles + 1) * sizeof *s->tile);
    return s->tile && tyi_index_make(&s->index, g->alloc, tiles + 1)
               ? TY_OK
               : ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for the ground's tiles");
}

void tyi_render_store_free(tyi_render_ground *g)
{
    store *s = g->store;
    if (!s) {
        return;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        tyi_render_plot_free(g, &s->tile[i].plot);
    }
    tyi_put(g->alloc, s->tile, (s->room + (size_t)1) * sizeof *s->tile);
    tyi_index_free(&s->index, g->alloc);
    tyi_put(g->alloc, s, sizeof *s);
    g->store = NULL;
}

static uint64_t hash_of(const tyi_render_ring *r, int32_t x, int32_t y)
{
    uint32_t h = (uint32_t)r->level * 0x9e3779b1u ^ (uint32_t)x * 0x85ebca6bu ^ (uint32_t)y * 0xc2b2ae35u;
    return h ^ h >> 15;
}

static uint32_t find(const store *s, const tyi_render_ring *r, int32_t x, int32_t y, uint8_t edges)
{
    for (uint32_t i = tyi_index_first(&s->index, hash_of(r, x, y)); i != NONE; i = s->index.next[i]) {
        const kept *k = &s->tile[i];
        if (k->ring == r && k->plot.x == x && k->plot.y == y && k->plot.edges == edges) {
            return i;
        }
    }
    return NONE;
}

/* out of the index: the entry holds memory only */
static void forget(store *s, uint32_t i)
{
    kept *k = &s->tile[i];
    tyi_index_take(&s->index, hash_of(k->ring, k->plot.x, k->plot.y), i);
    k->ring = NULL;
}

static void unlink_use(store *s, uint32_t i)
{
    kept *k = &s->tile[i];
    *(k->newer == NONE ? &s->newest : &s->tile[k->newer].older) = k->older;
    *(k->older == NONE ? &s->oldest : &s->tile[k->older].newer) = k->newer;
}

static void link_use(store *s, uint32_t i, bool newest)
{
    kept *k = &s->tile[i];
    k->newer = newest ? NONE : s->oldest;
    k->older = newest ? s->newest : NONE;
    *(k->newer == NONE ? &s->newest : &s->tile[k->newer].older) = i;
    *(k->older == NONE ? &s->oldest : &s->tile[k->older].newer) = i;
}

bool tyi_render_store_has(const tyi_render_ground *g, const tyi_render_ring *r, int32_t x, int32_t y, uint8_t edges)
{
    return g->store && g->store->room && find(g->store, r, x, y, edges) != NONE;
}

bool tyi_render_store_take(tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *tile, int32_t x, int32_t y,
                           uint8_t edges)
{
    store *s = g->store;
    uint32_t i = s && s->room ? find(s, r, x, y, edges) : NONE;
    if (i == NONE) {
        return false;
    }
    forget(s, i);
    tyi_render_plot old = *tile;
    *tile = s->tile[i].plot;
    tile->wanted = tile->fresh = true;
    s->tile[i].plot = old; /* its memory is the next to be used */
    s->tile[i].plot.filled = s->tile[i].plot.known = false;
    unlink_use(s, i);
    link_use(s, i, false);
    return tile->filled;
}

void tyi_render_store_keep(tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *tile)
{
    store *s = g->store;
    if (!s || !s->room) {
        return;
    }
    uint32_t i = find(s, r, tile->x, tile->y, tile->edges);
    if (i == NONE && s->count < s->room && (s->oldest == NONE || s->tile[s->oldest].ring)) {
        i = s->count++;
        s->tile[i] = (kept){ .ring = NULL };
    } else {
        i = i == NONE ? s->oldest : i; /* the same again, memory that is free, or what was used longest ago */
        unlink_use(s, i);
    }
    if (s->tile[i].ring) {
        forget(s, i);
    }
    tyi_render_plot memory = s->tile[i].plot;
    s->tile[i].plot = *tile;
    s->tile[i].ring = r;
    *tile = memory;
    tile->filled = tile->known = false;
    tyi_index_add(&s->index, hash_of(r, s->tile[i].plot.x, s->tile[i].plot.y), i);
    link_use(s, i, true);
}

void tyi_render_store_mark(tyi_render_ground *g, void (*mark)(tyi_render_plot *tile, const int32_t rect[4]),
                           const int32_t (*rect)[4])
{
    store *s = g->store;
    for (uint32_t i = 0; s && i < s->count; i++) {
        if (s->tile[i].ring) {
            mark(&s->tile[i].plot, rect[s->tile[i].ring - g->ring]);
        }
    }
}
