/* src/soil/scm_window.c - which part of the grid to look at around a body.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "scm.h"
#include "scm_grid.h"

static const int64_t look_again = 8; /* steps after which the levels under a body are read anew */

/* ---- where to look */

/* Half the length [m] of the wheel that can lie below `top`, and half its width, seen from above. */
static void extent(const tyi_soil_frame *f, double top, double *along, double *across)
{
    const tyi_soil_scm_shape *shape = f->shape;
    if (shape->kind == TYI_SOIL_PLATE || shape->kind == TYI_SOIL_DISC) {
        *along = *across = tyi_soil_shape_reach(shape) + f->cell;
        return;
    }
    double tilt = fabs(f->sg), r = shape->outer;
    double depth = (f->c.z - top) * f->cg - tilt * (0.5 * shape->b + f->cell);
    double square = depth > 0.0 ? r * r - depth * depth : r * r;
    *along = square > 0.0 ? sqrt(square) + f->cell : 0.0;
    *across = 0.5 * shape->b * f->cg + r * tilt + fabs(shape->y0) + f->cell;
}

/* Highest level under the body, and the slope of the natural ground there: the plane of least squares. */
static void survey(const tyi_soil_window *w, double cell, tyi_soil_slot *out)
{
    double x = 0.0, y = 0.0, xz = 0.0, yz = 0.0, top = -INFINITY;
    double xx = (double)w->ny * w->nx * ((double)w->nx * w->nx - 1.0) / 12.0,
           yy = (double)w->nx * w->ny * ((double)w->ny * w->ny - 1.0) / 12.0;
    for (int j = 0; j < w->ny; j++) {
        y = j - 0.5 * (w->ny - 1);
        for (int i = 0; i < w->nx; i++) {
            tyi_soil_scm_tile *tile;
            const tyi_soil_column *node = tyi_soil_window_node(w, w->i0 + i, w->j0 + j, &tile);
            x = i - 0.5 * (w->nx - 1);
            xz += x * node->natural;
            yz += y * node->natural;
            top = fmax(top, node->rest);
        }
    }
    out->top = top;
    out->gx = xx > 0.0 ? xz / (xx * cell) : 0.0;
    out->gy = yy > 0.0 ? yz / (yy * cell) : 0.0;
}

/* nodes of a rectangle along and across the body, with a rim for berms */
static void place(tyi_soil_window *w, double cell, double along, double across)
{
    const tyi_soil_frame *f = &w->frame;
    double x = fabs(f->fx) * along + fabs(f->sx) * across, y = fabs(f->fy) * along + fabs(f->sy) * across;
    w->i0 = (int64_t)ceil((f->c.x - x) / cell) - 1;
    w->j0 = (int64_t)ceil((f->c.y - y) / cell) - 1;
    int64_t nx = (int64_t)floor((f->c.x + x) / cell) + 2 - w->i0, ny = (int64_t)floor((f->c.y + y) / cell) + 2 - w->j0;
    w->nx = (int)(nx < w->room ? nx : w->room);
    w->ny = (int)(ny < w->room ? ny : w->room);
}

static bool gather(tyi_soil_scm *scm, tyi_soil_window *w)
{
    int64_t ti1 = (w->i0 + w->nx - 1) >> TYI_SOIL_TILE_BITS, tj1 = (w->j0 + w->ny - 1) >> TYI_SOIL_TILE_BITS;
    w->ti0 = w->i0 >> TYI_SOIL_TILE_BITS;
    w->tj0 = w->j0 >> TYI_SOIL_TILE_BITS;
    w->tx = (int)(ti1 - w->ti0 + 1);
    w->ty = (int)(tj1 - w->tj0 + 1);
    for (int t = 0; t < w->tx * w->ty; t++) {
        w->tile[t] = tyi_soil_scm_tile_get(scm, w->ti0 + t % w->tx, w->tj0 + t / w->tx);
        if (!w->tile[t]) {
            return false;
        }
    }
    return true;
}

bool tyi_soil_window_place(tyi_soil_scm *scm, int body, const tyi_soil_scm_body *state)
{
    tyi_soil_window *w = &scm->window[body];
    tyi_soil_slot *slot = &scm->slot[body];
    double along, across;
    w->frame = tyi_soil_frame_make(&scm->shape[state->shape], state, scm->cell);
    int64_t i = (int64_t)floor(w->frame.c.x / scm->cell), j = (int64_t)floor(w->frame.c.y / scm->cell);
    if (slot->age == 0 || i != slot->i || j != slot->j || slot->age >= look_again) {
        extent(&w->frame, INFINITY, &along, &across);
        place(w, scm->cell, along, across);
        if (!gather(scm, w)) {
            return false;
        }
        *slot = (tyi_soil_slot){ .i = i, .j = j, .slip = slot->slip, .roll = slot->roll };
        survey(w, scm->cell, slot);
    }
    slot->age++;
    w->frame.ground_x = slot->gx;
    w->frame.ground_y = slot->gy;
    extent(&w->frame, slot->top + 0.1 * scm->cell, &along, &across);
    if (!(along > 0.0)) {
        w->nx = w->ny = 0;
        return true;
    }
    place(w, scm->cell, along, across);
    return gather(scm, w);
}
