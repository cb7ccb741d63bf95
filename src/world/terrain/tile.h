/* src/world/terrain/tile.h - the tile provider: tiles with a margin, kept in a cache of bounded size.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_TILE_H
#define TYI_TERRAIN_TILE_H
#include <pthread.h>
#include "edit.h"
#include "generate.h"
#include "rock.h"

/* a tile carries the samples around it that the spline needs: one before, two after */
#define TYI_TERRAIN_TILE_SIDE (TY_TERRAIN_TILE + 3)

typedef struct tyi_terrain_tile {
    int level;
    int32_t x, y;
    double z0;       /* [m] what h is relative to */
    int pins;        /* readers that hold it now */
    bool stale;      /* an edit has changed it: not to be found any more */
    bool used;       /* since the clock hand last passed */
    bool made;       /* it has been filled: level, x and y say with what */
    uint32_t number; /* of its slot */
    /* [m], sample (x * TY_TERRAIN_TILE - 1 + i, y * TY_TERRAIN_TILE - 1 + j) at [j][i] */
    float h[TYI_TERRAIN_TILE_SIDE * TYI_TERRAIN_TILE_SIDE];
    uint32_t natural; /* the buffer that is lent to it; TYI_NONE: none */
    bool known;       /* that buffer holds this tile */
} tyi_terrain_tile;

/* Heights without edits of a tile that was made anew after one: the next edit finds them, as ruts grow step by step. Few
 * tiles are near wheels at a time: there is a buffer for each eighth tile, lent to the one that needs it next. */
typedef struct tyi_terrain_natural {
    tyi_terrain_tile *tile;
    float *h;
} tyi_terrain_natural;

typedef struct tyi_terrain_tiles {
    const tyi_terrain_generator *generator;
    const tyi_terrain_rocks *rocks;
    tyi_terrain_edits *edits;
    const ty_alloc *alloc;
    pthread_mutex_t lock;
    tyi_terrain_tile **slot; /* all tiles, for the clock hand */
    size_t slots, filled, hand;
    tyi_terrain_natural *natural; /* [naturals]; the next to be lent */
    uint32_t naturals, turn;
    tyi_index index;            /* of the tiles that are made */
    tyi_terrain_scratch *spare; /* room to make ground in, kept from one use to the next; NULL: in use, or none yet */
    uint64_t hits, misses;
} tyi_terrain_tiles;

ty_status tyi_terrain_tiles_init(tyi_terrain_tiles *c, const tyi_terrain_generator *g, const tyi_terrain_rocks *rocks,
                                 tyi_terrain_edits *edits, size_t bytes, const ty_alloc *alloc, ty_diag *diag);
void tyi_terrain_tiles_free(tyi_terrain_tiles *c);
/* The tile, pinned until tyi_terrain_tiles_release(); made when it is not there. */
ty_status tyi_terrain_tiles_get(tyi_terrain_tiles *c, int level, int32_t x, int32_t y, tyi_terrain_tile **out,
                                ty_diag *diag);
void tyi_terrain_tiles_release(tyi_terrain_tiles *c, tyi_terrain_tile *tile); /* NULL is allowed */
/* Room to make ground in: the same every time unless several threads ask at once, so that only the first use allocates.
 * NULL: no memory. */
tyi_terrain_scratch *tyi_terrain_tiles_scratch(tyi_terrain_tiles *c);
void tyi_terrain_tiles_scratch_back(tyi_terrain_tiles *c, tyi_terrain_scratch *scratch); /* NULL is allowed */
/* tiles that an edit of rect (samples of the edit level) has changed are made anew when next asked for */
void tyi_terrain_tiles_edited(tyi_terrain_tiles *c, const int32_t rect[4]);

#endif
