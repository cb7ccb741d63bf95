/* src/soil/scm_flow.c - where displaced soil goes: heaped up beside the body, then down to the angle
 * of repose, a little in every step. What one column loses another gains: volume is kept.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "scm.h"
#include "scm_grid.h"

static const double tolerance = 0.01; /* [-] slope above repose that is left alone */
enum { A_STEP = 512 };                /* columns looked at in one step, at most */

static void enqueue(tyi_soil_scm *scm, uint32_t tile, tyi_soil_column *node)
{
    if (!node->queued && scm->queue_count < TYI_SOIL_SCM_QUEUE) {
        uint32_t at = (uint32_t)(node - scm->tile[tile]->node);
        uint32_t end = (scm->queue_head + scm->queue_count++) & (TYI_SOIL_SCM_QUEUE - 1);
        scm->queue[end] = tile << (2 * TYI_SOIL_TILE_BITS) | at;
        node->queued = 1;
    }
}

/* Free columns beside the contact; those beyond the sides of a wheel where there are any, since soil
 * before a wheel is rolled over and behind it there is the rut. Calls for each: with share 0 to count
 * them, else to raise them. */
static int each_side(tyi_soil_scm *scm, const tyi_soil_window *w, bool sides, double rise)
{
    static const int di[4] = { 1, -1, 0, 0 }, dj[4] = { 0, 0, 1, -1 };
    const tyi_soil_frame *f = &w->frame;
    int count = 0;
    for (int k = 0; k < w->hits; k++) {
        int i = w->hit[k].at % w->nx, j = w->hit[k].at / w->nx;
        for (int d = 0; d < 4; d++) {
            int64_t x = i + di[d], y = j + dj[d];
            if (w->label[y * w->nx + x]) {
                continue;
            }
            double q = ((double)(w->i0 + x) * scm->cell - f->c.x) * f->sx +
                       ((double)(w->j0 + y) * scm->cell - f->c.y) * f->sy - f->shape->y0;
            if (sides && fabs(q) < 0.5 * (f->shape->b + scm->cell)) {
                continue;
            }
            count++;
            if (rise > 0.0) {
                tyi_soil_scm_tile *tile;
                uint32_t index;
                tyi_soil_column *node = tyi_soil_window_node(w, w->i0 + x, w->j0 + y, &tile);
                tyi_soil_scm_tile_find(scm, tile->ti, tile->tj, &index);
                node->rest += rise;
                tyi_soil_scm_tile_touch(tile, (int)(node - tile->node));
                enqueue(scm, index, node);
            }
        }
    }
    return count;
}

void tyi_soil_berm(tyi_soil_scm *scm, int body)
{
    tyi_soil_window *w = &scm->window[body];
    if (!(w->displaced > 0.0)) {
        return;
    }
    bool wheel = w->frame.shape->kind == TYI_SOIL_CYLINDER || w->frame.shape->kind == TYI_SOIL_TABLE;
    int count = each_side(scm, w, wheel, 0.0);
    bool sides = wheel && count > 0;
    count = sides ? count : each_side(scm, w, false, 0.0);
    if (count) {
        each_side(scm, w, sides, w->displaced / (count * scm->cell * scm->cell));
    }
}

/* neighbour number d (0 to 3) of a column, in this tile or the next */
static tyi_soil_column *beside(tyi_soil_scm *scm, uint32_t *tile, int at, int d)
{
    static const int di[4] = { 1, -1, 0, 0 }, dj[4] = { 0, 0, 1, -1 };
    int i = (at & (TYI_SOIL_TILE - 1)) + di[d], j = (at >> TYI_SOIL_TILE_BITS) + dj[d];
    if ((i | j) >= 0 && i < TYI_SOIL_TILE && j < TYI_SOIL_TILE) {
        return &scm->tile[*tile]->node[j << TYI_SOIL_TILE_BITS | i];
    }
    const tyi_soil_scm_tile *here = scm->tile[*tile];
    tyi_soil_scm_tile *next = tyi_soil_scm_tile_get(scm, here->ti + di[d], here->tj + dj[d]);
    if (!next) {
        return NULL;
    }
    tyi_soil_scm_tile_find(scm, next->ti, next->tj, tile);
    return &next->node[(j & (TYI_SOIL_TILE - 1)) << TYI_SOIL_TILE_BITS | (i & (TYI_SOIL_TILE - 1))];
}

/* What one column gives in this step to each neighbour, from levels as they were before it: columns
 * are looked at in any order, and left and right stay alike. */
typedef struct gift {
    uint32_t tile[5]; /* of the column, then of its neighbours */
    tyi_soil_column *node[5];
    double flow[5]; /* [m] given; 0: nothing */
    bool waits;     /* a body is in the way */
} gift;

/* Columns under a body neither give nor take. */
static bool measure(tyi_soil_scm *scm, uint32_t tile, int at, gift *out)
{
    tyi_soil_column *node = &scm->tile[tile]->node[at];
    out->tile[0] = tile;
    out->node[0] = node;
    out->flow[0] = 0.0;
    out->waits = false;
    double level = tyi_soil_column_level(node), limit = scm->kind[node->kind].limit;
    for (int d = 1; d <= 4; d++) {
        out->tile[d] = tile;
        out->node[d] = beside(scm, &out->tile[d], at, d - 1);
        if (!out->node[d]) {
            return false;
        }
        double flow = ty_k_scm_flow(level - tyi_soil_column_level(out->node[d]), limit);
        bool held = out->node[d]->stamp == scm->step || node->stamp == scm->step;
        flow = flow > 0.2 * tolerance * scm->cell ? flow : 0.0;
        out->flow[d] = held ? 0.0 : flow;
        out->flow[0] += out->flow[d];
        out->waits |= held && flow > 0.0;
    }
    return true;
}

/* Soil that falls into a rut lies loose there: it takes back as much of what was pressed, so that a rut filled to its brim is fresh ground. */
static void settle(tyi_soil_column *node, double height)
{
    double cover = (double)node->cover, back = cover > 0.0 ? fmin(node->plastic, height / cover) : 0.0;
    node->plastic -= back;
    node->most = fmax(node->most - back, 0.0);
    node->rest += height - cover * back;
}

static void give(tyi_soil_scm *scm, const gift *g)
{
    for (int d = 0; d <= 4; d++) {
        if (g->flow[d] > 0.0) {
            tyi_soil_scm_tile *tile = scm->tile[g->tile[d]];
            if (d) {
                settle(g->node[d], g->flow[d]);
            } else {
                g->node[d]->rest -= g->flow[d];
            }
            tyi_soil_scm_tile_touch(tile, (int)(g->node[d] - tile->node));
        }
        /* who stands higher may now give to the one that gave */
        if (g->flow[0] > 0.0 || (g->waits && d == 0)) {
            enqueue(scm, g->tile[d], g->node[d]);
        }
    }
}

bool tyi_soil_flow(tyi_soil_scm *scm)
{
    gift gifts[A_STEP];
    uint32_t count = scm->queue_count < A_STEP ? scm->queue_count : A_STEP;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t entry = scm->queue[scm->queue_head];
        scm->queue_head = (scm->queue_head + 1) & (TYI_SOIL_SCM_QUEUE - 1);
        scm->queue_count--;
        uint32_t tile = entry >> (2 * TYI_SOIL_TILE_BITS);
        int at = (int)(entry & (TYI_SOIL_TILE_NODES - 1));
        scm->tile[tile]->node[at].queued = 0;
        if (!measure(scm, tile, at, &gifts[k])) {
            return false;
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        give(scm, &gifts[k]);
    }
    return true;
}
