/* src/world/terrain/edit_read.c - what the edits have changed, at any level: see edit.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "core/core.h"
#include "edit.h"
#include "k_print.h"
#include "subdivide.h"

/* The samples of the edit level that a block of finer ones looks at: changes, without the traces' pattern where there are prints, and prints.
 * Whether there are any. */
static bool gather_fine(tyi_terrain_edits *e, tyi_terrain_block b, double *change, uint32_t *print)
{
    bool any = false;
    for (int j = 0; j < b.ny; j++) {
        const tyi_terrain_edit_data *data = NULL;
        int32_t have = INT32_MIN;
        for (int i = 0; i < b.nx; i++) {
            int32_t x = tyi_terrain_edit_tile_of(b.i0 + i), y = tyi_terrain_edit_tile_of(b.j0 + j);
            data = x == have ? data : tyi_terrain_edit_get(e, tyi_terrain_edit_find(e, e->level, x, y));
            have = x;
            int at = ((b.j0 + j) & (TY_TERRAIN_TILE - 1)) * TY_TERRAIN_TILE + ((b.i0 + i) & (TY_TERRAIN_TILE - 1));
            uint32_t word = data ? data->print[at] : 0;
            double h = data ? (double)data->change[at] : 0.0;
            change[j * b.nx + i] = word ? h - ty_k_print_trace(data->trace[at]) : h;
            print[j * b.nx + i] = word;
            any = any || word;
        }
    }
    return any;
}

enum { SIDE = 2 * TY_TERRAIN_TILE + 1 };

/* the samples of the next finer level that a coarse tile looks at, into e->field; tiles in the file are only looked at, and stay there */
static void gather(tyi_terrain_edits *e, const tyi_terrain_edit_tile *tile)
{
    const int32_t i0 = 2 * tile->x * TY_TERRAIN_TILE - 1, j0 = 2 * tile->y * TY_TERRAIN_TILE - 1;
    memset(e->field, 0, (size_t)SIDE * SIDE * sizeof *e->field);
    for (int32_t y = 2 * tile->y - 1; y <= 2 * tile->y + 1; y++) {
        for (int32_t x = 2 * tile->x - 1; x <= 2 * tile->x + 1; x++) {
            const tyi_terrain_edit_data *data =
                tyi_terrain_edit_peek(e, tyi_terrain_edit_find(e, tile->level - 1, x, y));
            int i, j, nx = tyi_terrain_edit_overlap(i0, SIDE, x, &i), ny = tyi_terrain_edit_overlap(j0, SIDE, y, &j);
            for (int row = 0; row < ny && data; row++) {
                memcpy(e->field + (size_t)(j + row - j0) * SIDE + (size_t)(i - i0),
                       data->change + (j + row - y * TY_TERRAIN_TILE) * TY_TERRAIN_TILE + (i - x * TY_TERRAIN_TILE),
                       (size_t)nx * sizeof(float));
            }
        }
    }
}

/* Rebuilds a stale coarse tile from the next finer level, whose own tiles were made fresh before. */
static void coarsen(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile)
{
    static const float weight[3] = { 0.25f, 0.5f, 0.25f };
    tyi_terrain_edit_data *data = tyi_terrain_edit_make(e, tile, true);
    if (!data) {
        return; /* no memory: this level shows what it showed before */
    }
    gather(e, tile);
    for (int j = 0; j < TY_TERRAIN_TILE; j++) {
        for (int i = 0; i < TY_TERRAIN_TILE; i++) {
            float sum = 0.0f;
            for (int r = 0; r < 3; r++) {
                const float *c = e->field + (size_t)(2 * j + r) * SIDE + (size_t)(2 * i);
                sum += weight[r] * (weight[0] * c[0] + weight[1] * c[1] + weight[2] * c[2]);
            }
            data->change[j * TY_TERRAIN_TILE + i] = sum;
        }
    }
    tile->stale = tile->filed = false;
    tyi_terrain_edit_trim(e);
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

static void add_tiles(tyi_terrain_edits *e, int level, int32_t i0, int32_t j0, int nx, int ny, float *h)
{
    for (int32_t y = tyi_terrain_edit_tile_of(j0); y <= tyi_terrain_edit_tile_of(j0 + ny - 1); y++) {
        for (int32_t x = tyi_terrain_edit_tile_of(i0); x <= tyi_terrain_edit_tile_of(i0 + nx - 1); x++) {
            const tyi_terrain_edit_data *data = tyi_terrain_edit_get(e, tyi_terrain_edit_find(e, level, x, y));
            int i, j, mx = tyi_terrain_edit_overlap(i0, nx, x, &i), my = tyi_terrain_edit_overlap(j0, ny, y, &j);
            for (int row = 0; data && row < my; row++) {
                const float *in =
                    data->change + (j + row - y * TY_TERRAIN_TILE) * TY_TERRAIN_TILE + (i - x * TY_TERRAIN_TILE);
                float *out = h + (size_t)(j + row - j0) * (size_t)nx + (size_t)(i - i0);
                for (int k = 0; k < mx; k++) {
                    out[k] += in[k];
                }
            }
        }
    }
}

/* The lugs' grooves at samples of a finer level: between the four samples around each, by the trains that these have. */
static void add_prints(const tyi_terrain_edits *e, int level, tyi_terrain_block b, tyi_terrain_block top,
                       const uint32_t *print, float *h, int stride)
{
    const int down = e->level - level;
    const double per = ldexp(1.0, -down), d = e->spacing * per;
    for (int j = 0; j < b.ny; j++) {
        for (int i = 0; i < b.nx; i++) {
            int32_t x = (b.i0 + i) >> down, y = (b.j0 + j) >> down;
            double u = (b.i0 + i) * per - x, v = (b.j0 + j) * per - y, sum = 0.0;
            const uint32_t *at = print + (y - top.j0) * top.nx + (x - top.i0);
            for (int k = 0; k < 4; k++) {
                int r = k & 1, s = k >> 1;
                double w = (r ? u : 1.0 - u) * (s ? v : 1.0 - v);
                uint32_t word = at[s * top.nx + r];
                if (word && w > 0.0) {
                    sum +=
                        w * ty_k_print_height(ty_k_print_unpack(word), (u - r) * e->spacing, (v - s) * e->spacing, d);
                }
            }
            h[(size_t)j * (size_t)stride + (size_t)i] += (float)sum;
        }
    }
}

/* a block of at most FINE samples a side at a level finer than the edits': the 4-point scheme, level by level */
#define FINE 64
static void add_fine(tyi_terrain_edits *e, int level, tyi_terrain_block b, float *h, int stride)
{
    TY_ASSERT(level < e->level && b.nx <= FINE && b.ny <= FINE);
    enum { ROOM = FINE + 8 };
    double a[ROOM * ROOM], c[ROOM * ROOM], rows[ROOM * ROOM], *coarse = a, *fine = c;
    tyi_terrain_block chain[TYI_TERRAIN_MAX_LEVELS];
    chain[level] = b;
    for (int l = level + 1; l <= e->level; l++) {
        chain[l] = tyi_terrain_block_parent(chain[l - 1]);
    }
    tyi_terrain_block top = chain[e->level];
    uint32_t print[ROOM * ROOM];
    bool lugs = gather_fine(e, top, coarse, print);
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
    if (lugs) {
        add_prints(e, level, b, top, print, h, stride);
    }
}

void tyi_terrain_edits_add(tyi_terrain_edits *e, int level, int32_t i0, int32_t j0, int nx, int ny, float *h)
{
    if (e->journal.version == 0) {
        return;
    }
    int32_t near[4];
    tyi_terrain_edits_spread(e, level, e->journal.whole, near);
    if (!touches(near, i0, j0, nx, ny)) {
        return;
    }
    if (level > e->level) {
        pthread_mutex_lock(&e->lock);
        refresh(e, level, i0, j0, nx, ny);
        pthread_mutex_unlock(&e->lock);
    }
    pthread_rwlock_rdlock(&e->in_use);
    for (int j = 0; j < ny && level < e->level; j += FINE) {
        for (int i = 0; i < nx; i += FINE) {
            tyi_terrain_block b = { i0 + i, j0 + j, nx - i < FINE ? nx - i : FINE, ny - j < FINE ? ny - j : FINE };
            add_fine(e, level, b, h + (size_t)j * (size_t)nx + (size_t)i, nx);
        }
    }
    if (level >= e->level) {
        add_tiles(e, level, i0, j0, nx, ny, h);
    }
    pthread_rwlock_unlock(&e->in_use);
}

/* one row of a layer, or zeros */
static void copy_row(void *to, const void *layer, size_t size, int out, int in, int n)
{
    if (to && layer) {
        memcpy((char *)to + (size_t)out * size, (const char *)layer + (size_t)in * size, (size_t)n * size);
    } else if (to) {
        memset((char *)to + (size_t)out * size, 0, (size_t)n * size);
    }
}

void tyi_terrain_edits_view(tyi_terrain_edits *e, int32_t i0, int32_t j0, int nx, int ny, tyi_terrain_edit_view out)
{
    pthread_rwlock_rdlock(&e->in_use);
    for (int32_t y = tyi_terrain_edit_tile_of(j0); y <= tyi_terrain_edit_tile_of(j0 + ny - 1); y++) {
        for (int32_t x = tyi_terrain_edit_tile_of(i0); x <= tyi_terrain_edit_tile_of(i0 + nx - 1); x++) {
            const tyi_terrain_edit_data *d = tyi_terrain_edit_get(e, tyi_terrain_edit_find(e, e->level, x, y));
            const uint8_t *more = d ? d->more : NULL;
            int i, j, mx = tyi_terrain_edit_overlap(i0, nx, x, &i), my = tyi_terrain_edit_overlap(j0, ny, y, &j);
            for (int row = 0; row < my; row++) {
                int to = (j + row - j0) * nx + (i - i0),
                    from = (j + row - y * TY_TERRAIN_TILE) * TY_TERRAIN_TILE + (i - x * TY_TERRAIN_TILE);
                copy_row(out.pressed, d ? d->pressed : NULL, sizeof(float), to, from, mx);
                copy_row(out.trace, d ? d->trace : NULL, 1, to, from, mx);
                copy_row(out.material, more, 1, to, from, mx);
                copy_row(out.covered, more ? more + TYI_TERRAIN_TILE_SAMPLES : NULL, 1, to, from, mx);
                copy_row(out.print, d ? d->print : NULL, sizeof(uint32_t), to, from, mx);
            }
        }
    }
    pthread_rwlock_unlock(&e->in_use);
}

bool tyi_terrain_edits_marked(tyi_terrain_edits *e, int32_t i0, int32_t j0, int nx, int ny)
{
    uint8_t any = 0;
    pthread_rwlock_rdlock(&e->in_use);
    for (int32_t y = tyi_terrain_edit_tile_of(j0); y <= tyi_terrain_edit_tile_of(j0 + ny - 1) && !any; y++) {
        for (int32_t x = tyi_terrain_edit_tile_of(i0); x <= tyi_terrain_edit_tile_of(i0 + nx - 1) && !any; x++) {
            const tyi_terrain_edit_data *d = tyi_terrain_edit_get(e, tyi_terrain_edit_find(e, e->level, x, y));
            int i, j, mx = tyi_terrain_edit_overlap(i0, nx, x, &i), my = tyi_terrain_edit_overlap(j0, ny, y, &j);
            for (int row = 0; row < my && d; row++) {
                int from = (j + row - y * TY_TERRAIN_TILE) * TY_TERRAIN_TILE + (i - x * TY_TERRAIN_TILE);
                for (int k = from; k < from + mx; k++) {
                    any |= d->trace[k];
                }
                for (int k = from; k < from + mx && d->more; k++) {
                    any |= d->more[k];
                }
            }
        }
    }
    pthread_rwlock_unlock(&e->in_use);
    return any;
}
