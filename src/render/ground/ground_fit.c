/* src/render/ground/ground_fit.c - rings of ground for a reader with little memory.
 *
 * Each ring is twice as coarse as the one inside it and reaches as many cells. Where all of that does not fit, rings from some
 * distance on are narrower, so that the next coarser one begins nearer; the last one keeps its reach, and with it the horizon. A
 * ring needs a whole tile of the next one around it, in which its heights go over into the coarser ones.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_chart.h"
#include "scene/scene.h"
#include "world/terrain/inner.h"

/* middles of two rings lie at most one tile of the coarser one apart */
static int narrowest(int inside)
{
    return (inside / 2 + 2 + 1) / 2 * 2;
}

/* halves of all rings: `wide` for the first ones, as little as possible from ring `from` on */
static void lay(tyi_render_ground *g, int wide, int from)
{
    for (int k = 0; k < g->rings; k++) {
        int least = k > 0 ? narrowest(g->ring[k - 1].half) : wide;
        g->ring[k].half = k < from || least > wide ? wide : least;
        g->ring[k].placed = false;
    }
    g->ring[g->rings - 1].half = g->side / 2;
    g->now.first = -1; /* they stand anew */
}

/* [byte] at most, for an eye near the site; *tiles: how many */
static double cost(const tyi_render_ground *g, size_t tile, size_t bent, size_t *tiles)
{
    double R = ty_terrain_site(g->terrain)->radius, sum = 0.0;
    *tiles = 0;
    for (int k = 0; k < g->rings; k++) {
        const tyi_render_ring *r = &g->ring[k];
        size_t all = 4 * (size_t)r->half * (size_t)r->half,
               under = k > 0 ? (size_t)g->ring[k - 1].half * (size_t)g->ring[k - 1].half : 0;
        bool curved = sqrt(2.0) * TYI_RENDER_TILE_CELLS * r->d * (r->half + 1) > TY_K_CHART_FLAT * R;
        *tiles += all - under;
        sum += (double)(all - under) * (double)(tile + (curved ? bent : 0));
    }
    return sum;
}

size_t tyi_render_rings_fit(tyi_render_ground *g, double bytes, size_t tile, size_t bent, size_t most)
{
    size_t tiles = 1;
    int full = g->side / 2, least = full < 4 ? full : 4;
    g->coarser = 0.0;
    if (!g->rings) {
        return tiles;
    }
    bool all = true;
    for (int k = 0; k < g->rings; k++) {
        all = all && g->ring[k].half == full;
    }
    if (all && cost(g, tile, bent, &tiles) <= bytes && tiles <= most) {
        return tiles; /* as they stand */
    }
    for (int wide = full; wide >= least; wide -= 2) {
        for (int from = g->rings; from >= 1; from--) {
            lay(g, wide, from);
            if (cost(g, tile, bent, &tiles) > bytes || tiles > most) {
                continue;
            }
            for (int k = g->rings - 1; k >= 0; k--) {
                const tyi_render_ring *r = &g->ring[k];
                g->coarser = r->half < full ? TYI_RENDER_TILE_CELLS * r->d * r->half : g->coarser;
            }
            return tiles;
        }
    }
    lay(g, full, g->rings);
    return 0;
}
