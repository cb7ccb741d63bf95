/* src/render/ground/ground_follow.c - rings that follow the eye without making it wait (ty_scene_def.wait).
 *
 * A ring stays where it is until every tile of its next place has been made by the supply; then it moves at once. A
 * ring that no longer lies inside the next coarser one, or no longer holds the eye, is not shown, nor are the finer
 * ones: there is coarser ground in its place, and no hole. Rings hold their whole square here, also below finer
 * rings.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include <time.h>
#include "ground_supply.h"

#define T     TYI_RENDER_TILE_CELLS
#define AHEAD 30 /* [frames] of the present motion for which tiles are made in advance */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* asks for all tiles of a ring around a centre; whether they are all there */
static bool ask(tyi_render_ground *g, const tyi_render_ring *r, const int32_t c[2])
{
    bool ready = true;
    int half = r->half;
    for (int32_t y = c[1] - half; y < c[1] + half; y++) {
        for (int32_t x = c[0] - half; x < c[0] + half; x++) {
            const tyi_render_plot *t = tyi_render_ring_tile(g, r, x, y);
            if (tyi_render_plot_exists(g, r, x, y) && !(t->known && t->x == x && t->y == y)) {
                ready = tyi_render_supply_ask(g->supply, r->level, x, y) && ready;
            }
        }
    }
    return ready;
}

/* moves ring k, whose tiles are all ready */
static ty_status move(tyi_render_ground *g, tyi_render_accel *accel, int k, const int32_t c[2], ty_diag *diag)
{
    tyi_render_ring *r = &g->ring[k];
    int half = r->half;
    for (int32_t y = c[1] - half; y < c[1] + half; y++) {
        for (int32_t x = c[0] - half; x < c[0] + half; x++) {
            tyi_render_plot *t = tyi_render_ring_tile(g, r, x, y);
            if (!tyi_render_plot_exists(g, r, x, y) || (t->known && t->x == x && t->y == y)) {
                continue;
            }
            if (!tyi_render_plot_make(g, accel, t)) {
                return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for a tile of ground");
            }
            tyi_render_supply_take(g->supply, r->level, x, y, t);
        }
    }
    memcpy(g->now.c[k], c, sizeof g->now.c[k]);
    r->placed = true;
    return TY_OK;
}

/* moves what can be moved, from the coarsest ring in; how many rings are not where they should be */
static ty_status move_rings(tyi_render_ground *g, tyi_render_accel *accel, const double at[2], int *late, bool *changed,
                            ty_diag *diag)
{
    tyi_render_stand want;
    tyi_render_stand_at(g, at, &want);
    *late = 0;
    for (int k = g->rings - 1; k >= g->first; k--) {
        tyi_render_ring *r = &g->ring[k];
        const int32_t *c = want.c[k];
        if (r->placed && c[0] == g->now.c[k][0] && c[1] == g->now.c[k][1]) {
            continue;
        }
        if (!ask(g, r, c)) {
            (*late)++;
            continue;
        }
        ty_status status = move(g, accel, k, c, diag);
        *changed = true;
        if (status != TY_OK) {
            return status;
        }
    }
    return TY_OK;
}

/* whether ring k can be shown inside the next coarser one: a tile of that one lies all around it, and it holds the eye
 * */
static bool fits(const tyi_render_ground *g, int k, const double at[2])
{
    const tyi_render_ring *r = &g->ring[k];
    int half = r->half, wide = g->ring[k + 1].half,
        margin = g->side > 4 ? 1 : 0; /* four tiles are too few for a margin */
    const int32_t *own = g->now.c[k], *outer = g->now.c[k + 1];
    bool ok = r->placed;
    for (int i = 0; i < 2; i++) {
        int32_t low = own[i] - half, high = own[i] + half;
        ok = ok && low >= 2 * (outer[i] - wide + margin) && high <= 2 * (outer[i] + wide - margin);
        double tile = at[i] / (T * r->d);
        ok = ok && tile > low + 1.0 && tile < high - 1.0;
    }
    return ok;
}

static void show(tyi_render_ground *g, const double at[2], bool *changed)
{
    int wanted = g->first, k = g->rings - 1, before = g->shown;
    while (k > wanted && fits(g, k - 1, at)) {
        k--;
    }
    g->shown = g->first = k;
    *changed = *changed || k != before;
}

ty_status tyi_render_rings_follow(tyi_render_ground *g, tyi_render_accel *accel, const double at[2], bool *changed,
                                  ty_diag *diag)
{
    double start = now(), left = g->wait;
    int late = 0;
    tyi_render_supply_frame(g->supply);
    ty_status status = move_rings(g, accel, at, &late, changed, diag);
    const tyi_render_ring *last = &g->ring[g->rings - 1];
    /* without the coarsest ring there is no picture at all: the first frame waits for it */
    while (status == TY_OK && late && ((left = start + g->wait - now()) > 0.0 || !last->placed)) {
        if (!tyi_render_supply_wait(g->supply, last->placed ? left : 1.0) && last->placed) {
            break;
        }
        if (!last->placed && tyi_render_supply_failure(g->supply, NULL) != TY_OK &&
            tyi_render_supply_waiting(g->supply) == 0) {
            return tyi_render_supply_failure(g->supply, diag);
        }
        status = move_rings(g, accel, at, &late, changed, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    /* what will be needed if the eye goes on as it does */
    double ahead[2] = { at[0] + AHEAD * (at[0] - g->before[0]), at[1] + AHEAD * (at[1] - g->before[1]) };
    tyi_render_stand then;
    tyi_render_stand_at(g, ahead, &then);
    for (int k = g->rings - 1; k >= g->first && g->frame > 0 && !late; k--) {
        ask(g, &g->ring[k], then.c[k]);
    }
    g->late = late;
    show(g, at, changed);
    return TY_OK;
}

bool tyi_render_rings_known(const tyi_render_ground *g, double x, double y, double *z)
{
    for (int k = 0; k < g->rings; k++) {
        const tyi_render_ring *r = &g->ring[k];
        int32_t tx = (int32_t)floor(x / (T * r->d)), ty = (int32_t)floor(y / (T * r->d));
        const tyi_render_plot *t = r->tile && r->placed ? tyi_render_ring_tile(g, r, tx, ty) : NULL;
        if (t && t->known && t->x == tx && t->y == ty) {
            int i = (int)fmin(x / r->d - (double)tx * T, T - 1), j = (int)fmin(y / r->d - (double)ty * T, T - 1);
            *z = t->z0 + (double)t->natural[(j + 1) * TYI_RENDER_TILE_STRIDE + i + 1];
            return true;
        }
    }
    return false;
}
