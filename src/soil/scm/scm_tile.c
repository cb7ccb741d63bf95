/* src/soil/scm_tile.c - tiles of the grid: found by hash, made where bodies go, handed out as edits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "scm.h"
#include "scm_grid.h"

static uint64_t hash_of(int64_t ti, int64_t tj)
{
    return (uint64_t)ti * 0x9e3779b97f4a7c15ull ^ (uint64_t)tj * 0xc2b2ae3d27d4eb4full;
}

tyi_soil_scm_tile *tyi_soil_scm_tile_find(const tyi_soil_scm *scm, int64_t ti, int64_t tj, uint32_t *index)
{
    for (uint32_t i = tyi_index_first(&scm->index, hash_of(ti, tj)); i != TYI_NONE; i = scm->index.next[i]) {
        tyi_soil_scm_tile *tile = scm->tile[i];
        if (tile->ti == ti && tile->tj == tj) {
            *index = i;
            return tile;
        }
    }
    return NULL;
}

static void enter(tyi_soil_scm *scm, int index)
{
    tyi_index_add(&scm->index, hash_of(scm->tile[index]->ti, scm->tile[index]->tj), (uint32_t)index);
}

/* room for so many tiles */
static bool grow_lists(tyi_soil_scm *scm, int room)
{
    size_t had = (size_t)scm->tiles_room;
    tyi_soil_scm_tile **list = tyi_list_room(scm->alloc, scm->tile, (size_t)(scm->tiles + scm->spare), (size_t)room,
                                             &had, sizeof *list, (size_t)room);
    scm->tile = list ? list : scm->tile;
    scm->tiles_room = (int)had;
    if (!list || !tyi_index_make(&scm->index, scm->alloc, had)) {
        return false;
    }
    for (int i = 0; i < scm->tiles; i++) {
        enter(scm, i);
    }
    return true;
}

bool tyi_soil_scm_tiles_reserve(tyi_soil_scm *scm, int count)
{
    if ((count > scm->tiles_room || count > (int)scm->index.room) && !grow_lists(scm, 2 * count)) {
        return false;
    }
    while (scm->tiles + scm->spare < count) {
        tyi_soil_scm_tile *tile = tyi_get(scm->alloc, sizeof *tile);
        if (!tile) {
            return false;
        }
        scm->tile[scm->tiles + scm->spare++] = tile;
    }
    return true;
}

void tyi_soil_scm_tiles_free(tyi_soil_scm *scm)
{
    for (int i = 0; i < scm->tiles + scm->spare; i++) {
        tyi_put(scm->alloc, scm->tile[i], sizeof *scm->tile[i]);
    }
    tyi_put(scm->alloc, scm->tile, (size_t)scm->tiles_room * sizeof *scm->tile);
    tyi_index_free(&scm->index, scm->alloc);
}

/* A column of ground at natural height with a change of level, of which `print` is slots of lugs, pressed together by `pressed`. Without knowing,
 * what lies lower is soil pressed to that depth, and what lies higher is loose. */
static tyi_soil_column column_of(const tyi_soil_scm *scm, uint8_t kind, double natural, double change, double pressed,
                                 double print)
{
    const tyi_soil_scm_kind *soil = &scm->kind[kind < scm->kinds ? kind : 0];
    double low = scm->pressed ? fmax(pressed, 0.0) : fmax(-change, 0.0), level = natural + change + print;
    return (tyi_soil_column){
        .rest = level + low,
        .plastic = low,
        .most = low > 0.0 ? low + ty_k_scm_bekker(low, soil->k_phi, soil->n) / soil->elastic : -1e9,
        .cover = low > 0.0 ? 1.0f : 0.0f,
        .told = level - print,
        .natural = natural,
        .met = level,
        .print = (float)print,
        .kind = (uint8_t)(soil - scm->kind),
    };
}

static void make_columns(const tyi_soil_scm *scm, const tyi_soil_scm_tile *tile, tyi_soil_column *out)
{
    double height[TYI_SOIL_TILE_NODES] = { 0 };
    uint8_t kind[TYI_SOIL_TILE_NODES] = { 0 };
    float change[TYI_SOIL_TILE_NODES] = { 0 }, pressed[TYI_SOIL_TILE_NODES] = { 0 }, print[TYI_SOIL_TILE_NODES] = { 0 };
    int64_t i0 = tile->ti * TYI_SOIL_TILE, j0 = tile->tj * TYI_SOIL_TILE;
    if (scm->height) {
        scm->height(scm->user, i0, j0, TYI_SOIL_TILE, TYI_SOIL_TILE, height);
    }
    if (scm->which) {
        scm->which(scm->user, i0, j0, TYI_SOIL_TILE, TYI_SOIL_TILE, kind);
    }
    if (scm->change) {
        scm->change(scm->user, i0, j0, TYI_SOIL_TILE, TYI_SOIL_TILE, change);
    }
    if (scm->pressed) {
        scm->pressed(scm->user, i0, j0, TYI_SOIL_TILE, TYI_SOIL_TILE, pressed, print);
    }
    for (int i = 0; i < TYI_SOIL_TILE_NODES; i++) {
        out[i] = column_of(scm, kind[i], height[i], (double)change[i], (double)pressed[i], (double)print[i]);
    }
}

static void fill(const tyi_soil_scm *scm, tyi_soil_scm_tile *tile)
{
    make_columns(scm, tile, tile->node);
    memcpy(tile->dirty, (int[4]){ TYI_SOIL_TILE, TYI_SOIL_TILE, -1, -1 }, sizeof tile->dirty);
}

const tyi_soil_column *tyi_soil_scm_column(const tyi_soil_scm *scm, int64_t i, int64_t j)
{
    uint32_t index;
    const tyi_soil_scm_tile *tile =
        tyi_soil_scm_tile_find(scm, i >> TYI_SOIL_TILE_BITS, j >> TYI_SOIL_TILE_BITS, &index);
    return tile ? &tile->node[(j & (TYI_SOIL_TILE - 1)) << TYI_SOIL_TILE_BITS | (i & (TYI_SOIL_TILE - 1))] : NULL;
}

void tyi_soil_scm_renew(tyi_soil_scm *scm, int64_t i0, int64_t j0, int64_t i1, int64_t j1)
{
    for (int64_t tj = j0 >> TYI_SOIL_TILE_BITS; tj <= j1 >> TYI_SOIL_TILE_BITS; tj++) {
        for (int64_t ti = i0 >> TYI_SOIL_TILE_BITS; ti <= i1 >> TYI_SOIL_TILE_BITS; ti++) {
            uint32_t index;
            tyi_soil_scm_tile *tile = tyi_soil_scm_tile_find(scm, ti, tj, &index);
            if (!tile) {
                continue;
            }
            make_columns(scm, tile, scm->renewed);
            for (int k = 0; k < TYI_SOIL_TILE_NODES; k++) {
                int64_t i = ti * TYI_SOIL_TILE + (k & (TYI_SOIL_TILE - 1)),
                        j = tj * TYI_SOIL_TILE + (k >> TYI_SOIL_TILE_BITS);
                tyi_soil_column *node = &tile->node[k];
                bool busy = node->queued || (node->stamp && scm->step - node->stamp < 8);
                if (i >= i0 && i <= i1 && j >= j0 && j <= j1 && !busy) {
                    *node = scm->renewed[k];
                }
            }
        }
    }
}

tyi_soil_scm_tile *tyi_soil_scm_tile_get(tyi_soil_scm *scm, int64_t ti, int64_t tj)
{
    uint32_t index;
    tyi_soil_scm_tile *tile = tyi_soil_scm_tile_find(scm, ti, tj, &index);
    if (!tile && (scm->spare || tyi_soil_scm_tiles_reserve(scm, scm->tiles + 16))) {
        tile = scm->tile[scm->tiles];
        tile->ti = ti;
        tile->tj = tj;
        fill(scm, tile);
        scm->spare--;
        enter(scm, scm->tiles++);
    }
    return tile;
}

/* whether a tile may go: told, nothing in it waits to flow, and far from x, y */
static bool may_go(const tyi_soil_scm *scm, const tyi_soil_scm_tile *tile, double x, double y, double distance)
{
    double side = TYI_SOIL_TILE * scm->cell, dx = fmax(fabs(x - ((double)tile->ti + 0.5) * side) - 0.5 * side, 0.0),
           dy = fmax(fabs(y - ((double)tile->tj + 0.5) * side) - 0.5 * side, 0.0);
    if (tile->dirty[0] <= tile->dirty[2] || hypot(dx, dy) <= distance) {
        return false;
    }
    for (int i = 0; i < TYI_SOIL_TILE_NODES; i++) {
        if (tile->node[i].queued) {
            return false;
        }
    }
    return true;
}

int tyi_soil_scm_forget(tyi_soil_scm *scm, double x, double y, double distance)
{
    int gone = 0;
    for (int i = 0; i < scm->tiles;) {
        if (!may_go(scm, scm->tile[i], x, y, distance)) {
            i++;
            continue;
        }
        /* the last one takes its place, also for what waits to flow there */
        uint32_t last = (uint32_t)--scm->tiles;
        tyi_soil_scm_tile *tile = scm->tile[i];
        scm->tile[i] = scm->tile[last];
        scm->tile[last] = tile;
        scm->spare++;
        gone++;
        for (uint32_t k = 0; k < scm->queue_count; k++) {
            uint32_t *entry = &scm->queue[(scm->queue_head + k) & (TYI_SOIL_SCM_QUEUE - 1)];
            if (*entry >> (2 * TYI_SOIL_TILE_BITS) == last) {
                *entry = (uint32_t)i << (2 * TYI_SOIL_TILE_BITS) | (*entry & (TYI_SOIL_TILE_NODES - 1));
            }
        }
    }
    if (gone) {
        tyi_index_clear(&scm->index);
        for (int i = 0; i < scm->tiles; i++) {
            enter(scm, i);
        }
    }
    return gone;
}

double tyi_soil_scm_level(tyi_soil_scm *scm, int64_t i, int64_t j)
{
    uint32_t index;
    tyi_soil_scm_tile *tile = tyi_soil_scm_tile_find(scm, i >> TYI_SOIL_TILE_BITS, j >> TYI_SOIL_TILE_BITS, &index);
    if (tile) {
        return tyi_soil_column_level(
            &tile->node[(j & (TYI_SOIL_TILE - 1)) << TYI_SOIL_TILE_BITS | (i & (TYI_SOIL_TILE - 1))]);
    }
    double height = 0.0;
    float change = 0.0f;
    if (scm->height) {
        scm->height(scm->user, i, j, 1, 1, &height);
    }
    if (scm->change) {
        scm->change(scm->user, i, j, 1, 1, &change);
    }
    return height + (double)change;
}

int tyi_soil_scm_edits(tyi_soil_scm *scm, tyi_soil_scm_edit edit, void *user)
{
    int count = 0;
    for (int t = 0; t < scm->tiles; t++) {
        tyi_soil_scm_tile *tile = scm->tile[t];
        int *d = tile->dirty;
        if (d[0] > d[2]) {
            continue;
        }
        int nx = d[2] - d[0] + 1, ny = d[3] - d[1] + 1;
        for (int j = 0; j < ny; j++) {
            for (int i = 0; i < nx; i++) {
                tyi_soil_column *node = &tile->node[(d[1] + j) * TYI_SOIL_TILE + d[0] + i];
                double level = tyi_soil_column_level(node) - (double)node->print;
                scm->edit[j * nx + i] = (float)(level - node->told);
                node->told = level;
            }
        }
        if (edit) {
            edit(user, tile->ti * TYI_SOIL_TILE + d[0], tile->tj * TYI_SOIL_TILE + d[1], nx, ny, scm->edit);
        }
        memcpy(d, (int[4]){ TYI_SOIL_TILE, TYI_SOIL_TILE, -1, -1 }, sizeof tile->dirty);
        count++;
    }
    return count;
}
