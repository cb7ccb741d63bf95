/* src/world/terrain/edit.h - the sum of all edits: sparse tiles of what was changed on the ground.
 *
 * Changes are kept at one level. How a change shows at others is defined here and nowhere else:
 * coarser - each sample is the weighted mean (1 2 1) x (1 2 1) / 16 of its neighbours one level finer, which keeps the
 *           volume moved; finer - the 4-point interpolation that the surface itself uses, with the lugs' grooves as their words have
 *           them (k_print.h) instead of the trace's pattern. What was pressed, traces, materials and covers are of the edit level alone.
 * A tile is a small head for ever and its data in memory while it is used: what nobody has touched of late goes to a temporary file when there is
 * more than `budget` (second chance), and comes back when it is asked for. So memory does not grow with the way that was driven.
 * One thread edits, while nobody reads; any number read at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_EDIT_H
#define TYI_TERRAIN_EDIT_H
#include <pthread.h>
#include <stdatomic.h>
#include "core/index.h"
#include "journal.h"
#include "moved.h"
#include "relief.h"
#include "tycho/terrain.h"

#define TYI_TERRAIN_TILE_SAMPLES ((size_t)TY_TERRAIN_TILE * TY_TERRAIN_TILE)
#define TYI_TERRAIN_EDIT_BYTES   ((size_t)24 << 20) /* budget [bytes] of tiles in memory */

/* What one tile holds; coarser levels have `change` alone. */
typedef struct tyi_terrain_edit_data {
    float change[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
    float pressed[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
    uint8_t trace[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
    uint32_t print[TY_TERRAIN_TILE * TY_TERRAIN_TILE]; /* lugs' grooves (k_print.h) */
    uint8_t *more; /* material, then covered, of as many samples; NULL: none of both */
} tyi_terrain_edit_data;

typedef struct tyi_terrain_edit_tile {
    int level;
    int32_t x, y;
    bool stale;       /* coarser levels: finer ones have changed since */
    bool unsaved;     /* edit level: changed since tyi_terrain_edits_save() last told what is new */
    bool filed;       /* what the file has of it is what it is */
    atomic_bool used; /* since the clock hand last passed */
    uint64_t at;      /* its record in the file, */
    uint32_t bytes;   /* of this size; 0: none */
    uint32_t room;    /* of that place */
    _Atomic(tyi_terrain_edit_data *) data; /* NULL: in the file, or nothing yet */
} tyi_terrain_edit_tile;

typedef struct tyi_terrain_edits {
    const ty_alloc *alloc;
    int level, levels;
    double spacing;               /* [m] of the edit level */
    tyi_terrain_edit_tile **tile; /* in the order they came */
    tyi_index index;              /* of these */
    size_t tiles, room, hand;
    size_t resident, budget; /* [bytes] of data in memory, and how many there may be */
    void **spare[2];         /* data that no tile uses any more, of coarser levels and of the edit level */
    tyi_terrain_journal journal;
    tyi_terrain_moved moved; /* rocks */
    tyi_terrain_spill spill;
    pthread_mutex_t lock;       /* of what comes from the file, and of the refresh of stale coarse tiles */
    pthread_rwlock_t in_use;    /* held by readers of data, so that none goes to the file under their eyes */
    char *record;               /* room for one record */
    tyi_terrain_edit_data *one; /* room for one tile */
    float *field;               /* room for what a coarse tile is made of */
} tyi_terrain_edits;

/* for the edit_*.c: a tile, or NULL; the tile of a sample; the part of row range [a, a + n) inside tile x,
 * its first sample and how many */
tyi_terrain_edit_tile *tyi_terrain_edit_find(const tyi_terrain_edits *e, int level, int32_t x, int32_t y);
_Static_assert(TY_TERRAIN_TILE == 1 << 7, "tyi_terrain_edit_tile_of() divides by TY_TERRAIN_TILE");
static inline int32_t tyi_terrain_edit_tile_of(int32_t i) /* floor(i / TY_TERRAIN_TILE) */
{
    return i >> 7;
}
static inline int tyi_terrain_edit_overlap(int32_t a, int n, int32_t x, int *first)
{
    int32_t low = a > x * TY_TERRAIN_TILE ? a : x * TY_TERRAIN_TILE;
    int32_t high = a + n < (x + 1) * TY_TERRAIN_TILE ? a + n : (x + 1) * TY_TERRAIN_TILE;
    *first = (int)low;
    return (int)(high - low);
}

/* ---- edit_keep.c: data of tiles in memory and in the file ---- */
/* Bytes of a tile's data in memory. */
size_t tyi_terrain_edit_bytes(const tyi_terrain_edits *e, int level);
/* The data, from the file where it is not in memory; NULL: nothing was ever written to it, or it cannot be had. locked: with e->lock held. */
tyi_terrain_edit_data *tyi_terrain_edit_load(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile, bool locked);
static inline tyi_terrain_edit_data *tyi_terrain_edit_get(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile)
{
    tyi_terrain_edit_data *data = tile ? atomic_load_explicit(&tile->data, memory_order_acquire) : NULL;
    if (!data) {
        return tile && tile->bytes ? tyi_terrain_edit_load(e, tile, false) : NULL;
    }
    if (!atomic_load_explicit(&tile->used, memory_order_relaxed)) {
        atomic_store_explicit(&tile->used, true, memory_order_relaxed);
    }
    return data;
}
/* The same to be written to, made where there is none; NULL: no memory. */
tyi_terrain_edit_data *tyi_terrain_edit_make(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile, bool locked);
/* With e->lock held: the data to look at now, in memory, or read into e->one; NULL: nothing. */
const tyi_terrain_edit_data *tyi_terrain_edit_peek(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile);
/* Sends data to the file until it keeps to the budget; does nothing while others read. With e->lock held. */
void tyi_terrain_edit_trim(tyi_terrain_edits *e);
/* With e->lock held: what the record of `bytes` in e->record says becomes the data; false: damaged, or no memory. */
bool tyi_terrain_edit_take(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile, size_t bytes);
/* All of it goes; heads too. */
void tyi_terrain_edit_clear(tyi_terrain_edits *e);
/* A tile as bytes into e->record, which sparse blocks of 16 x 16 samples make short; its size. */
size_t tyi_terrain_edit_encode(tyi_terrain_edits *e, const tyi_terrain_edit_tile *tile,
                               const tyi_terrain_edit_data *data);

/* spacing [m]: of the edit level */
ty_status tyi_terrain_edits_init(tyi_terrain_edits *e, int level, int levels, double spacing, const ty_alloc *alloc,
                                 ty_diag *diag);
void tyi_terrain_edits_free(tyi_terrain_edits *e);

/* All changes, or those since it was last asked for what is new, as bytes through `sink` (false: it cannot take more). TY_ERR_FILE. */
typedef bool (*tyi_terrain_sink)(void *user, const void *data, size_t bytes);
ty_status tyi_terrain_edits_save(tyi_terrain_edits *e, bool all, tyi_terrain_sink sink, void *user, ty_diag *diag);
/* Back, in place of those there are, as one more edit; any number of saves one after the other, the later over the earlier. `source` gives the
 * next bytes, or false. changed: the samples that may differ, its third number is 0 where none does. saved: these bytes are what later saves
 * add to. TY_ERR_FORMAT, TY_ERR_MEMORY. */
typedef bool (*tyi_terrain_source)(void *user, void *data, size_t bytes);
ty_status tyi_terrain_edits_load(tyi_terrain_edits *e, uint64_t bytes, tyi_terrain_source source, void *user,
                                 bool saved, int32_t changed[4], ty_diag *diag);
void tyi_terrain_edits_unsave(tyi_terrain_edits *e); /* the next save of what is new tells all */
/* [bytes] that a save of all would take, but for rocks. */
uint64_t tyi_terrain_edits_size(tyi_terrain_edits *e);
/* The ground as it was before any edit. */
ty_status tyi_terrain_edits_forget(tyi_terrain_edits *e, int32_t changed[4], ty_diag *diag);
/* Calls each(user, edit) with edits that make these changes on untouched ground, tile by tile; moved rocks are not told. */
ty_status tyi_terrain_edits_each(tyi_terrain_edits *e, ty_status (*each)(void *user, const ty_edit *edit), void *user);

ty_status tyi_terrain_edits_apply(tyi_terrain_edits *e, const ty_edit *edit, ty_diag *diag);
/* Adds the change at samples of a level to h[j * nx + i]; does nothing, and costs nothing, where nothing was edited. */
void tyi_terrain_edits_add(tyi_terrain_edits *e, int level, int32_t i0, int32_t j0, int nx, int ny, float *h);
/* Samples of the edit level; each array may be NULL. */
typedef struct tyi_terrain_edit_view {
    float *pressed;
    uint8_t *trace, *material, *covered;
    uint32_t *print;
} tyi_terrain_edit_view;
void tyi_terrain_edits_view(tyi_terrain_edits *e, int32_t i0, int32_t j0, int nx, int ny, tyi_terrain_edit_view out);
/* Whether any of these has a trace or a material. */
bool tyi_terrain_edits_marked(tyi_terrain_edits *e, int32_t i0, int32_t j0, int nx, int ny);
/* The samples of a level whose height a change of rect (samples of the edit level) can alter. */
void tyi_terrain_edits_spread(const tyi_terrain_edits *e, int level, const int32_t rect[4], int32_t out[4]);

#endif
