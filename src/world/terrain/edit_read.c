/* src/world/terrain/edit_read.c - what the edits have changed, at any level: see edit.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "edit.h"
#include "subdivide.h"

/* change of one sample of a level whose tiles are fresh; 0 where there is no tile */
static float change_at(const tyi_terrain_edits *e, int level, int32_t i, int32_t j)
{
    const tyi_terrain_edit_tile *tile =
        tyi_terrain_edit_find(e, level, tyi_terrain_edit_tile_of(i), tyi_terrain_edit_tile_of(j));
    return tile ? tile->change[(j & (TY_TERRAIN_TILE - 1)) * TY_TERRAIN_TILE + (i & (TY_TERRAIN_TILE - 1))] : 0.0f;
}

/* Rebuilds a stale coarse tile from the next finer level; its own four tiles were made fresh before. */
static void coarsen(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile)
{
    enum { N = 2 * TY_TERRAIN_TILE + 1 };
    static const float weight[3] = { 0.25f, 0.5f, 0.25f };
    const int32_t i0 = 2 * tile->x * TY_TERRAIN_TILE - 1, j0 = 2 * tile->y * TY_TERRAIN_TILE - 1;
    float row[3][N]; /* three rows of the finer level, reused */
    for (int j = 0; j < TY_TERRAIN_TILE; j++) {
        for (int r = 0; r < 3; r++) {
            for (int i = 0; i < N; i++) {
                row[r][i] = change_at(e, tile->level - 1, i0 + i, j0 + 2 * j + r);
            }
        }
        for (int i = 0; i < TY_TERRAIN_TILE; i++) {
            float sum = 0.0f;
            for (int r = 0; r < 3; r++) {
                const float *c = &row[r][2 * i];
                sum += weight[r] * (weight[0] * c[0] + weight[1] * c[1] + weight[2] * c[2]);
            }
            tile->change[j * TY_TERRAIN_TILE + i] = sum;
        }
    }
    tile->stale = false;
}

/* makes the tiles of all levels up to `level` that the samples need fresh, finest first */
static void refresh(tyi_terrain_edits *e, int level, int32_t i0, int32_t j0, int nx, int ny)
{
    int32_t low[2][TYI_TERRAIN_MAX_LEVELS], high[2][TYI_TERRAIN_MAX_LEVELS];
    low[0][level] = i0, high[0][level] = i0 + nx - 1;
    low[1][level] = j0, high[1][level] = j0 + ny - 1;
    for (int l = level; l > e->level; l--) {
        for (int k = 0; k < 2; k++) { /* whole tiles are rebuilt, so whole tiles are needed below */
            low[k][l] = tyi_terrain_edit_tile_of(low[k][l]) * TY_TERRAIN_TILE;
            high[k][l] = tyi_terrain_edit_tile_of(high[k][l]) * TY_TERRAIN_TILE + TY_TERRAIN_TILE - 1;
            low[k][l - 1] = 2 * low[k][l] - 1;
            high[k][l - 1] = 2 * high[k][l] + 1;
        }
    }
    for (int l = e->level + 1; l <= level; l++) {
        for (int32_t y = tyi_terrain_edit_tile_of(low[1][l]); y <= tyi_terrain_edit_tile_of(high[1][l]); y++) {
            for (int32_t x = tyi_terrain_edit_tile_of(low[0][l]); x <= tyi_terrain_edit_tile_of(high[0][l]); x++) {
                tyi_terrain_edit_tile *tile = tyi_terrain_edit_find(e, l, x, y);
                if (tile && tile->stale) {
                    coarsen(e, tile);
                }
            }
        }
    }
}

static bool touches(const int32_t r[4], int32_t i0, int32_t j0, int nx, int ny)
{
    return r[0] < i0 + nx && i0 < r[0] + r[2] && r[1] < j0 + ny && j0 < r[1] + r[3];
}

static void add_tiles(const tyi_terrain_edits *e, int level, int32_t i0, int32_t j0, int nx, int ny, float *h)
{
    for (int32_t y = tyi_terrain_edit_tile_of(j0); y <= tyi_terrain_edit_tile_of(j0 + ny - 1); y++) {
        for (int32_t x = tyi_terrain_edit_tile_of(i0); x <= tyi_terrain_edit_tile_of(i0 + nx - 1); x++) {
            const tyi_terrain_edit_tile *tile = tyi_terrain_edit_find(e, level, x, y);
            int i, j, mx = tyi_terrain_edit_overlap(i0, nx, x, &i), my = tyi_terrain_edit_overlap(j0, ny, y, &j);
            for (int row = 0; tile && row < my; row++) {
                const float *in =
                    tile->change + (j + row - y * TY_TERRAIN_TILE) * TY_TERRAIN_TILE + (i - x * TY_TERRAIN_TILE);
                float *out = h + (size_t)(j + row - j0) * (size_t)nx + (size_t)(i - i0);
                for (int k = 0; k < mx; k++) {
                    out[k] += in[k];
                }
            }
        }
    }
}

/* a block of at most FINE samples a side at a level finer than the edits': the 4-point scheme, level by level */
#define FINE 64
static void add_fine(const tyi_terrain_edits *e, int level, tyi_terrain_block b, float *h, int stride)
{
    enum { ROOM = FINE + 8 };
    double a[ROOM * ROOM], c[ROOM * ROOM], rows[ROOM * ROOM], *coarse = a, *fine = c;
    tyi_terrain_block chain[TYI_TERRAIN_MAX_LEVELS];
    chain[level] = b;
    for (int l = level + 1; l <= e->level; l++) {
        chain[l] = tyi_terrain_block_parent(chain[l - 1]);
    }
    tyi_terrain_block top = chain[e->level];
    for (int j = 0; j < top.ny; j++) {
        for (int i = 0; i < top.nx; i++) {
            coarse[j * top.nx + i] = (double)change_at(e, e->level, top.i0 + i, top.j0 + j);
        }
    }
    for (int l = e->level; l > level; l--) {
        tyi_terrain_subdivide(coarse, chain[l], fine, chain[l - 1], rows);
        double *swap = coarse;
        coarse = fine;
        fine = swap;
    }
    for (int j = 0; j < b.ny; j++) {
        for (int i = 0; i < b.nx; i++) {
            h[(size_t)j * (size_t)stride + (size_t)i] += (float)coarse[j * b.nx + i];
        }
    }
}

void tyi_terrain_edits_add(tyi_terrain_edits *e, int level, int32_t i0, int32_t j0, int nx, int ny, float *h)
{
    if (e->version == 0) {
        return;
    }
    int32_t near[4];
    tyi_terrain_edits_spread(e, level, e->whole, near);
    if (!touches(near, i0, j0, nx, ny)) {
        return;
    }
    if (level < e->level) {
        for (int j = 0; j < ny; j += FINE) {
            for (int i = 0; i < nx; i += FINE) {
                tyi_terrain_block b = { i0 + i, j0 + j, nx - i < FINE ? nx - i : FINE, ny - j < FINE ? ny - j : FINE };
                add_fine(e, level, b, h + (size_t)j * (size_t)nx + (size_t)i, nx);
            }
        }
        return;
    }
    if (level > e->level) {
        pthread_mutex_lock(&e->lock);
        refresh(e, level, i0, j0, nx, ny);
        pthread_mutex_unlock(&e->lock);
    }
    add_tiles(e, level, i0, j0, nx, ny, h);
}

void tyi_terrain_edits_trace(tyi_terrain_edits *e, int32_t i0, int32_t j0, int nx, int ny, uint8_t *trace)
{
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            const tyi_terrain_edit_tile *tile =
                tyi_terrain_edit_find(e, e->level, tyi_terrain_edit_tile_of(i0 + i), tyi_terrain_edit_tile_of(j0 + j));
            int at = ((j0 + j) & (TY_TERRAIN_TILE - 1)) * TY_TERRAIN_TILE + ((i0 + i) & (TY_TERRAIN_TILE - 1));
            trace[(size_t)j * (size_t)nx + (size_t)i] = tile ? tile->trace[at] : 0;
        }
    }
}
