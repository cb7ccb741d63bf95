/* src/soil/scm_tile.c - tiles of the grid: found by hash, made where bodies go, handed out as edits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "scm.h"

static uint32_t place_of(const ty_scm *scm, int64_t ti, int64_t tj)
{
    uint64_t h = (uint64_t)ti * 0x9e3779b97f4a7c15ull ^ (uint64_t)tj * 0xc2b2ae3d27d4eb4full;
    return (uint32_t)(h >> 32 ^ h) & (uint32_t)(scm->hash_size - 1);
}

tyi_scm_tile *tyi_scm_tile_find(const ty_scm *scm, int64_t ti, int64_t tj, uint32_t *index)
{
    for (uint32_t at = place_of(scm, ti, tj);; at = (at + 1) & (uint32_t)(scm->hash_size - 1)) {
        uint32_t number = scm->hash[at];
        if (!number) {
            return NULL;
        }
        tyi_scm_tile *tile = scm->tile[number - 1];
        if (tile->ti == ti && tile->tj == tj) {
            *index = number - 1;
            return tile;
        }
    }
}

static void enter(ty_scm *scm, int index)
{
    const tyi_scm_tile *tile = scm->tile[index];
    uint32_t at = place_of(scm, tile->ti, tile->tj);
    while (scm->hash[at]) {
        at = (at + 1) & (uint32_t)(scm->hash_size - 1);
    }
    scm->hash[at] = (uint32_t)index + 1;
}

/* room for twice as many tiles in the list and, four times as many, in the hash */
static bool grow_lists(ty_scm *scm, int room)
{
    int hash_size = 64;
    while (hash_size < 4 * room) {
        hash_size *= 2;
    }
    tyi_scm_tile **list = tyi_get(scm->alloc, (size_t)room * sizeof *list);
    uint32_t *hash = tyi_get(scm->alloc, (size_t)hash_size * sizeof *hash);
    if (!list || !hash) {
        tyi_put(scm->alloc, list, (size_t)room * sizeof *list);
        tyi_put(scm->alloc, hash, (size_t)hash_size * sizeof *hash);
        return false;
    }
    if (scm->tile) {
        memcpy(list, scm->tile, (size_t)(scm->tiles + scm->spare) * sizeof *list);
    }
    tyi_put(scm->alloc, scm->tile, (size_t)scm->tiles_room * sizeof *list);
    tyi_put(scm->alloc, scm->hash, (size_t)scm->hash_size * sizeof *hash);
    scm->tile = list;
    scm->hash = hash;
    scm->tiles_room = room;
    scm->hash_size = hash_size;
    for (int i = 0; i < scm->tiles; i++) {
        enter(scm, i);
    }
    return true;
}

bool tyi_scm_tiles_reserve(ty_scm *scm, int count)
{
    if (count > scm->tiles_room && !grow_lists(scm, 2 * count)) {
        return false;
    }
    while (scm->tiles + scm->spare < count) {
        tyi_scm_tile *tile = tyi_get(scm->alloc, sizeof *tile);
        if (!tile) {
            return false;
        }
        scm->tile[scm->tiles + scm->spare++] = tile;
    }
    return true;
}

void tyi_scm_tiles_free(ty_scm *scm)
{
    for (int i = 0; i < scm->tiles + scm->spare; i++) {
        tyi_put(scm->alloc, scm->tile[i], sizeof *scm->tile[i]);
    }
    tyi_put(scm->alloc, scm->tile, (size_t)scm->tiles_room * sizeof *scm->tile);
    tyi_put(scm->alloc, scm->hash, (size_t)scm->hash_size * sizeof *scm->hash);
}

static void fill(const ty_scm *scm, tyi_scm_tile *tile)
{
    double height[TYI_TILE_NODES] = { 0 };
    uint8_t kind[TYI_TILE_NODES] = { 0 };
    if (scm->height) {
        scm->height(scm->user, tile->ti * TYI_TILE, tile->tj * TYI_TILE, TYI_TILE, TYI_TILE,
                    height);
    }
    if (scm->which) {
        scm->which(scm->user, tile->ti * TYI_TILE, tile->tj * TYI_TILE, TYI_TILE, TYI_TILE, kind);
    }
    for (int i = 0; i < TYI_TILE_NODES; i++) {
        tile->node[i] = (tyi_column){ .rest = height[i],
                                      .most = -1e9,
                                      .told = height[i],
                                      .natural = height[i],
                                      .kind = kind[i] < scm->kinds ? kind[i] : 0 };
    }
    memcpy(tile->dirty, (int[4]){ TYI_TILE, TYI_TILE, -1, -1 }, sizeof tile->dirty);
}

tyi_scm_tile *tyi_scm_tile_get(ty_scm *scm, int64_t ti, int64_t tj)
{
    uint32_t index;
    tyi_scm_tile *tile = tyi_scm_tile_find(scm, ti, tj, &index);
    if (!tile && (scm->spare || tyi_scm_tiles_reserve(scm, scm->tiles + 16))) {
        tile = scm->tile[scm->tiles];
        tile->ti = ti;
        tile->tj = tj;
        fill(scm, tile);
        scm->spare--;
        enter(scm, scm->tiles++);
    }
    return tile;
}

double ty_scm_level(ty_scm *scm, int64_t i, int64_t j)
{
    uint32_t index;
    tyi_scm_tile *tile = tyi_scm_tile_find(scm, i >> TYI_TILE_BITS, j >> TYI_TILE_BITS, &index);
    if (tile) {
        return tyi_column_level(
            &tile->node[(j & (TYI_TILE - 1)) << TYI_TILE_BITS | (i & (TYI_TILE - 1))]);
    }
    double height = 0.0;
    if (scm->height) {
        scm->height(scm->user, i, j, 1, 1, &height);
    }
    return height;
}

int ty_scm_edits(ty_scm *scm, ty_scm_edit edit, void *user)
{
    int count = 0;
    for (int t = 0; t < scm->tiles; t++) {
        tyi_scm_tile *tile = scm->tile[t];
        int *d = tile->dirty;
        if (d[0] > d[2]) {
            continue;
        }
        int nx = d[2] - d[0] + 1, ny = d[3] - d[1] + 1;
        for (int j = 0; j < ny; j++) {
            for (int i = 0; i < nx; i++) {
                tyi_column *node = &tile->node[(d[1] + j) * TYI_TILE + d[0] + i];
                double level = tyi_column_level(node) - (double)node->print;
                scm->edit[j * nx + i] = (float)(level - node->told);
                node->told = level;
            }
        }
        if (edit) {
            edit(user, tile->ti * TYI_TILE + d[0], tile->tj * TYI_TILE + d[1], nx, ny, scm->edit);
        }
        memcpy(d, (int[4]){ TYI_TILE, TYI_TILE, -1, -1 }, sizeof tile->dirty);
        count++;
    }
    return count;
}
