/* src/world/terrain/crater_add.c - craters into a grid of heights: the inner loop of tile generation.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "k_crater.h"
#include "core/core.h"
#include "crater.h"

#define LANES 8   /* of one step: a whole number of vectors on every instruction set */
#define CHUNK 512 /* columns at once */

/* A grid whose samples are known by their number from the world's origin, so that a sample's
 * place does not depend on the grid: x = i * spacing + shift. */
typedef struct grid {
    int64_t i0, j0;
    int nx, ny, stride;
    double spacing, shift_x, shift_y;
    float *h;
} grid;

static int64_t whole(double x0, double spacing, double *shift)
{
    double i = round(x0 / spacing);
    double rest = x0 - i * spacing;
    *shift = fabs(rest) < 1e-6 * spacing ? 0.0 : rest;
    return (int64_t)i;
}

/* adds the crater to n samples of a row; dx has room for a whole number of steps */
TYI_PER_ISA static void add_row(const ty_k_crater *crater, const float *dx, float dy, float *h, int n)
{
    ty_k_crater k = *crater;
    for (int i = 0; i < n; i += LANES) {
        float add[LANES];
        for (int l = 0; l < LANES; l++) {
            add[l] = ty_k_crater_height(k, dx[i + l], dy);
        }
        if (n - i >= LANES) {
            for (int l = 0; l < LANES; l++) {
                h[i + l] += add[l];
            }
        } else {
            for (int l = 0; l < n - i; l++) {
                h[i + l] += add[l];
            }
        }
    }
}

/* the samples c - half .. c + half of a line, as a range of the grid's n samples from number i0 on */
static void range(double c, double half, double shift, double spacing, int64_t i0, int n, int *first, int *end)
{
    double a = ceil((c - half - shift) / spacing) - (double)i0;
    double b = floor((c + half - shift) / spacing) - (double)i0 + 1.0;
    *first = a > 0.0 ? (a < n ? (int)a : n) : 0;
    *end = b < n ? (b > 0.0 ? (int)b : 0) : n;
}

static void add_crater(const grid *g, const tyi_terrain_crater_item *item, double reach, bool worn)
{
    const ty_crater *c = &item->c;
    int i_first, i_end, j_first, j_end;
    range(c->x, reach, g->shift_x, g->spacing, g->i0, g->nx, &i_first, &i_end);
    range(c->y, reach, g->shift_y, g->spacing, g->j0, g->ny, &j_first, &j_end);
    if (i_first >= i_end || j_first >= j_end) {
        return;
    }
    ty_k_crater k =
        worn ? ty_k_crater_make_worn((float)c->diameter, (float)c->depth_ratio, (float)item->old, (float)item->rim)
             : ty_k_crater_make((float)c->diameter, (float)c->depth_ratio, (float)c->freshness);
    k = ty_k_crater_distort(k, (float)item->oval, (float)item->angle, (float)item->lobe, (float)item->phase);
    for (int from = i_first; from < i_end; from += CHUNK) {
        float dx[CHUNK + LANES];
        int n = i_end - from < CHUNK ? i_end - from : CHUNK;
        for (int i = 0; i < n + LANES; i++) {
            dx[i] = (float)((double)(g->i0 + from + i) * g->spacing + g->shift_x - c->x);
        }
        for (int j = j_first; j < j_end; j++) {
            double dy = (double)(g->j0 + j) * g->spacing + g->shift_y - c->y;
            int a, b;
            range(c->x, sqrt(fmax(reach * reach - dy * dy, 0.0)), g->shift_x, g->spacing, g->i0 + from, n, &a, &b);
            if (a < b) {
                add_row(&k, dx + a, (float)dy, g->h + (ptrdiff_t)j * g->stride + from + a, b - a);
            }
        }
    }
}

void tyi_terrain_craters_add(const tyi_terrain_craters *f, double d_min, double d_max, double x0, double y0,
                             double spacing, int nx, int ny, int stride, float *h)
{
    TY_ASSERT(spacing > 0.0 && nx > 0 && ny > 0 && stride >= nx);
    grid g = { .nx = nx, .ny = ny, .stride = stride, .spacing = spacing, .h = h };
    g.i0 = whole(x0, spacing, &g.shift_x);
    g.j0 = whole(y0, spacing, &g.shift_y);
    ty_rect rect = { x0, y0, x0 + (nx - 1) * spacing, y0 + (ny - 1) * spacing };
    tyi_terrain_crater_walk w = tyi_terrain_craters_walk(f, rect, d_min, d_max, tyi_terrain_crater_reach(1.0));
    tyi_terrain_crater_item item;
    while (tyi_terrain_craters_next(&w, &item)) {
        double reach = tyi_terrain_crater_reach(item.c.diameter);
        if (item.c.x + reach < rect.x0 || item.c.x - reach > rect.x1 || item.c.y + reach < rect.y0 ||
            item.c.y - reach > rect.y1) {
            continue;
        }
        if (f->keep && !f->keep(f->user, &item.c)) {
            continue;
        }
        tyi_terrain_crater_finish(f, &item);
        if (tyi_terrain_crater_wiped(f, &item)) {
            continue;
        }
        add_crater(&g, &item, reach, f->def.wear > 0.0);
    }
    for (size_t i = 0; i < f->def.places; i++) {
        item = (tyi_terrain_crater_item){ .c = f->def.placed[i] };
        if (item.c.diameter >= d_min && item.c.diameter < d_max) {
            add_crater(&g, &item, tyi_terrain_crater_reach(item.c.diameter), false);
        }
    }
}
