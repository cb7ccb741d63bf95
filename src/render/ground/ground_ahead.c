/* src/render/ground/ground_ahead.c - see ground_ahead.h
 *
 * Rings move by two tiles at a time, so that of 128 steps of a cell most need no ground at all and one needs columns
 * of it. The next places of the rings follow from the eye's motion: their tiles are made in spare memory, evenly
 * over the frames until then, and change places with the old ones in the frame in which the ring moves. What a frame
 * shows does not depend on it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ground_ahead.h"
#include <math.h>
#include <string.h>
#include "ground_store.h"
#include "ground_supply.h"

#define FARTHEST 128 /* [frames] looked ahead */
#define PER_SIDE \
    10 /* spares for each tile along a ring: two moves of a ring, each of two new columns and of edges that change */
#define CLOSE  3 /* [cells] of the finest ring that is drawn: how far around an eye that stands rings are made ready */
#define STEADY 0.5 /* [-] change of motion from frame to frame, of the motion, up to which it counts as steady */

ty_status tyi_render_ahead_init(tyi_render_ground *g, ty_diag *diag)
{
    g->spares = (size_t)(PER_SIDE * g->side);
    g->spare = tyi_get(g->alloc, g->spares * sizeof *g->spare);
    return g->spare ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for the ground's tiles");
}

void tyi_render_ahead_free(tyi_render_ground *g)
{
    for (size_t i = 0; g->spare && i < g->spares; i++) {
        tyi_render_plot_free(g, &g->spare[i].plot);
    }
    tyi_put(g->alloc, g->spare, g->spares * sizeof *g->spare);
    g->spare = NULL;
}

static tyi_render_spare *find(tyi_render_ground *g, const tyi_render_ring *r, int32_t x, int32_t y, uint8_t edges)
{
    for (size_t i = 0; i < g->spares; i++) {
        tyi_render_spare *s = &g->spare[i];
        if (s->ring == r && s->plot.x == x && s->plot.y == y && s->plot.edges == edges) {
            return s;
        }
    }
    return NULL;
}

bool tyi_render_ahead_take(tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *tile, int32_t x, int32_t y,
                           uint8_t edges)
{
    tyi_render_spare *s = find(g, r, x, y, edges);
    if (!s || !s->plot.filled) {
        return false;
    }
    tyi_render_plot old = *tile;
    *tile = s->plot;
    tile->wanted = tile->fresh = true;
    s->plot = old; /* good as it is, should the eye turn back */
    return true;
}

/* A spare that nothing nearer needs gets the tile; false: there is none, or the tile's heights are not there yet. */
static bool begin(tyi_render_ground *g, tyi_render_accel *accel, tyi_render_ring *r, int32_t x, int32_t y,
                  uint8_t edges)
{
    tyi_render_spare *s = NULL;
    for (size_t i = 0; i < g->spares; i++) {
        s = g->spare[i].asked < g->frame && (!s || g->spare[i].asked < s->asked) ? &g->spare[i] : s;
    }
    if (!s || !tyi_render_plot_make(g, accel, &s->plot)) {
        return false;
    }
    tyi_render_plot *t = &s->plot;
    const tyi_render_plot *now = tyi_render_ring_tile(g, r, x, y);
    t->filled = t->known = false;
    if (now->known && now->x == x && now->y == y) { /* only its edges change */
        memcpy(t->natural, now->natural, sizeof(float) * TYI_RENDER_TILE_STRIDE * TYI_RENDER_TILE_STRIDE);
        if (g->supply) {
            memcpy(t->coarse, now->coarse, sizeof(float) * TYI_RENDER_COARSE * TYI_RENDER_COARSE);
        }
        t->z0 = now->z0;
        t->known = true;
    } else if (g->supply && !tyi_render_supply_take(g->supply, r->level, x, y, t)) {
        s->ring = NULL;
        return false;
    }
    t->x = x, t->y = y, t->edges = edges;
    s->ring = r;
    s->asked = g->frame;
    g->work_ring[g->works] = r;
    g->work[g->works++] = t;
    return true;
}

/* How many tiles rings that stand so would need and have not; begins up to `most` of them. */
static size_t missing(tyi_render_ground *g, tyi_render_accel *accel, const tyi_render_stand *stand, size_t most)
{
    size_t n = 0;
    for (int k = stand->first; k < g->rings; k++) {
        tyi_render_ring *r = &g->ring[k];
        int half = r->half, side = 2 * half;
        const int32_t *c = stand->c[k], *in = stand->c[k > 0 ? k - 1 : 0];
        bool same = c[0] == g->now.c[k][0] && c[1] == g->now.c[k][1];
        same = same && (k == stand->first || (in[0] == g->now.c[k - 1][0] && in[1] == g->now.c[k - 1][1]));
        for (int32_t i = same ? side * side : 0; i < side * side; i++) {
            int32_t x = c[0] - half + i % side, y = c[1] - half + i / side;
            const tyi_render_plot *t = tyi_render_ring_tile(g, r, x, y);
            uint8_t edges = tyi_render_stand_edges(g, stand, k, x, y);
            if (!tyi_render_stand_wants(g, stand, k, x, y) ||
                (t->filled && t->x == x && t->y == y && t->edges == edges) || tyi_render_store_has(g, r, x, y, edges)) {
                continue;
            }
            tyi_render_spare *s = find(g, r, x, y, edges);
            if (s) {
                s->asked = g->frame;
            } else if (++n <= most && !begin(g, accel, r, x, y, edges)) {
                return n;
            }
        }
    }
    return n;
}

static size_t spares_left(const tyi_render_ground *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->spares; i++) {
        n += g->spare[i].asked < g->frame;
    }
    return n;
}

bool tyi_render_ahead_steady(tyi_render_ground *g, const double at[2])
{
    g->frame++;
    double m[2] = { at[0] - g->before[0], at[1] - g->before[1] };
    double change = hypot(m[0] - g->motion[0], m[1] - g->motion[1]), size = hypot(m[0], m[1]);
    memcpy(g->motion, m, sizeof m);
    memcpy(g->before, at, sizeof g->before);
    return g->frame > 2 && size > 0.0 && change <= STEADY * size;
}

/* An eye that stands, or turns, may start in any direction: where a ring would move within a few cells its tiles are
 * made, slowly. */
static void plan_around(tyi_render_ground *g, tyi_render_accel *accel, const double at[2])
{
    size_t left = (size_t)g->side / 4;
    double step = CLOSE * g->ring[g->first].d;
    for (int k = 0; k < 4 && left > 0; k++) {
        double then[2] = { at[0], at[1] };
        then[k / 2] += k % 2 ? step : -step;
        tyi_render_stand stand;
        tyi_render_stand_at(g, then, &stand);
        size_t before = g->works;
        if (missing(g, accel, &stand, 0) <= spares_left(g)) {
            missing(g, accel, &stand, left);
        }
        left -= g->works - before;
    }
}

void tyi_render_ahead_plan(tyi_render_ground *g, tyi_render_accel *accel, const double at[2], bool steady)
{
    if (!steady) {
        plan_around(g, accel, at);
        return;
    }
    tyi_render_stand stand[8];
    int stands = 0;
    double rate = 0.0; /* [tiles a frame] so that each stand is complete by the time it is needed */
    for (int s = 1; s <= FARTHEST && stands < 8; s *= 2) {
        double then[2] = { at[0] + s * g->motion[0], at[1] + s * g->motion[1] };
        tyi_render_stand_at(g, then, &stand[stands]);
        size_t n = missing(g, accel, &stand[stands], 0);
        if (n > spares_left(g)) {
            break;
        }
        rate = fmax(rate, (double)n / s);
        stands++;
    }
    size_t left = (size_t)ceil(rate);
    for (int k = 0; k < stands && left > 0; k++) {
        size_t before = g->works;
        missing(g, accel, &stand[k], left);
        left -= g->works - before;
    }
}
