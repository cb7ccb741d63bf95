/* src/world/terrain/edit.h - what was changed on the ground: sparse tiles of height changes and traces, and the
 * journal.
 *
 * Changes are kept at one level. How a change shows at others is defined here and nowhere else:
 * coarser - each sample is the weighted mean (1 2 1) x (1 2 1) / 16 of its neighbours one level finer, which keeps the
 *           volume moved; finer - the 4-point interpolation that the surface itself uses.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_EDIT_H
#define TYI_TERRAIN_EDIT_H
#include <pthread.h>
#include "moved.h"
#include "relief.h"
#include "tycho/terrain.h"

#define TYI_TERRAIN_JOURNAL 65536 /* rectangles that the journal remembers */

typedef struct tyi_terrain_edit_tile {
    int level;
    int32_t x, y;
    bool stale;                         /* coarser levels: finer ones have changed since */
    struct tyi_terrain_edit_tile *next; /* in its bucket */
    float change[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
    uint8_t trace[]; /* TY_TERRAIN_TILE * TY_TERRAIN_TILE at the edit level, none above */
} tyi_terrain_edit_tile;

typedef struct tyi_terrain_edits {
    const ty_alloc *alloc;
    int level, levels;
    tyi_terrain_edit_tile **bucket;
    int32_t (*journal)[4];
    uint64_t version;
    tyi_terrain_moved moved;                        /* rocks */
    int32_t whole[4];                               /* i0, j0, nx, ny around all edits */
    pthread_mutex_t lock;                           /* of the refresh of stale coarse tiles */
    void (*watch)(void *user, const ty_edit *edit); /* told of every edit, after it; NULL: nobody */
    void *watch_user;
} tyi_terrain_edits;

/* for edit.c and edit_read.c: a tile, or NULL; the tile of a sample; the part of row range [a, a + n) inside tile x,
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

ty_status tyi_terrain_edits_init(tyi_terrain_edits *e, int level, int levels, const ty_alloc *alloc, ty_diag *diag);
void tyi_terrain_edits_free(tyi_terrain_edits *e);
/* All changes as bytes (out NULL: how many), and back, in place of those there are, as one more edit. changed: the
 * samples that may differ, its third number is 0 where none does. TY_ERR_FORMAT, TY_ERR_MEMORY. */
size_t tyi_terrain_edits_save(const tyi_terrain_edits *e, void *out);
ty_status tyi_terrain_edits_load(tyi_terrain_edits *e, const void *saved, size_t bytes, int32_t changed[4],
                                 ty_diag *diag);
ty_status tyi_terrain_edits_apply(tyi_terrain_edits *e, const ty_edit *edit, ty_diag *diag);
bool tyi_terrain_edits_rect(const tyi_terrain_edits *e, uint64_t version, int32_t rect[4]);
/* Adds the change at samples of a level to h[j * nx + i]; does nothing, and costs nothing, where nothing was edited. */
void tyi_terrain_edits_add(tyi_terrain_edits *e, int level, int32_t i0, int32_t j0, int nx, int ny, float *h);
void tyi_terrain_edits_trace(tyi_terrain_edits *e, int32_t i0, int32_t j0, int nx, int ny, uint8_t *trace);
/* The samples of a level whose height a change of rect (samples of the edit level) can alter. */
void tyi_terrain_edits_spread(const tyi_terrain_edits *e, int level, const int32_t rect[4], int32_t out[4]);

#endif
