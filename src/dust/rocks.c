/* src/dust/rocks.c - rocks that stand in the ground, in the way of parcels: the first of their planes that a parabola enters by.
 *
 * Rocks are looked up by square cells of the site, which are made when a parcel first comes there and kept until a rock has moved. What a cell
 * holds depends on the ground alone, so that it does not matter when it was made.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "k_dust.h"
#include "parcels.h"
#include "world/terrain/inner.h"
#include "world/terrain/patch.h"

#define LEAST 0.1 /* [m] diameter of rocks that count; smaller ones are ground */
#define WIDE  2.0 /* [-] times its diameter: no rock reaches farther from its axis */
#define BIG   2.0 /* [m] diameter from which on rocks of farther away are looked for, too */

enum { CELL = 8 /* [m] */, SLOTS = 1024, POOL = 8192 };

typedef struct cell {
    int32_t x, y;
    uint32_t first, count;
    double top; /* [m] of its highest rock */
    bool made;
} cell;

struct tyi_dust_rocks {
    ty_terrain *terrain;
    uint64_t version; /* of the rocks that have moved */
    uint32_t used;    /* of pool */
    cell slot[SLOTS];
    tyi_terrain_placed_rock pool[POOL];
    ty_rock listed[POOL];
};

ty_status tyi_dust_rocks_create(ty_terrain *terrain, struct tyi_dust_rocks **out, ty_diag *diag)
{
    struct tyi_dust_rocks *r = *out = tyi_get(NULL, sizeof *r);
    if (!r) {
        return ty_fail(diag, TY_ERR_MEMORY, "dust: no memory for rocks");
    }
    r->terrain = terrain;
    return TY_OK;
}

void tyi_dust_rocks_destroy(struct tyi_dust_rocks *r)
{
    tyi_put(NULL, r, r ? sizeof *r : 0);
}

static void forget(struct tyi_dust_rocks *r)
{
    for (int i = 0; i < SLOTS; i++) {
        r->slot[i].made = false;
    }
    r->used = 0;
}

/* rocks of a band of diameters whose middle is at most `more` [m] from a cell, into r->listed from n on; how many there are then */
static size_t list(struct tyi_dust_rocks *r, int32_t x, int32_t y, double d_min, double d_max, size_t n)
{
    double more = WIDE * fmin(d_max, ty_terrain_get_def(r->terrain)->extent);
    ty_rect rect = { CELL * x - more, CELL * y - more, CELL * (x + 1) + more, CELL * (y + 1) + more };
    return n +
           ty_terrain_rocks(r->terrain, rect, d_min, d_max, n < POOL ? r->listed + n : NULL, n < POOL ? POOL - n : 0);
}

static ty_status fill(struct tyi_dust_rocks *r, cell *c, ty_diag *diag)
{
    size_t n = POOL + 1;
    double largest = tyi_terrain_rock_most(r->terrain);
    for (double least = LEAST; n > POOL; least *= 2.0) { /* where there are too many, the smallest do not count */
        n = list(r, c->x, c->y, least, BIG, 0);
        n = largest > BIG ? list(r, c->x, c->y, fmax(BIG, least), fmax(largest * 1.001, BIG), n) : n;
    }
    if (n > POOL - r->used) {
        forget(r);
    }
    c->first = r->used, c->count = 0, c->top = -INFINITY, c->made = true;
    ty_status status = TY_OK;
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        tyi_terrain_placed_rock *p = &r->pool[c->first + c->count];
        status = tyi_terrain_place_rock(r->terrain, &r->listed[i], p, diag);
        double x = fmax(fabs(p->base.x - CELL * (c->x + 0.5)) - 0.5 * CELL, 0.0),
               y = fmax(fabs(p->base.y - CELL * (c->y + 0.5)) - 0.5 * CELL, 0.0);
        if (status == TY_OK && x <= p->radius && y <= p->radius) {
            c->top = fmax(c->top, p->top);
            c->count++;
        }
    }
    r->used += c->count;
    c->made = status == TY_OK;
    return status;
}

static ty_status cell_at(struct tyi_dust_rocks *r, int32_t x, int32_t y, cell **out, ty_diag *diag)
{
    uint32_t key = ((uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u) % SLOTS;
    cell *c = *out = &r->slot[key];
    if (c->made && c->x == x && c->y == y) {
        return TY_OK;
    }
    c->x = x, c->y = y;
    return fill(r, c, diag);
}

/* [s] after which a parabola enters a rock, before `most`; that: it does not */
static double enter(const tyi_dust *d, const tyi_dust_parcel *p, const tyi_terrain_placed_rock *rock, double most,
                    bool *above)
{
    double per = 1.0 / rock->scale, a[3][3], c[TY_ROCK_PLANES][3];
    const ty_vec3 way[3] = { ty_sub(p->x, rock->base), p->v, ty_scale(0.5, d->fall) };
    for (int k = 0; k < 3; k++) { /* the rock's own frame */
        a[k][0] = per * (rock->c * way[k].x + rock->s * way[k].y);
        a[k][1] = per * (rock->c * way[k].y - rock->s * way[k].x);
        a[k][2] = per * way[k].z;
    }
    const ty_rock_shape *s = rock->shape;
    for (int i = 0; i < s->planes; i++) {
        for (int k = 0; k < 3; k++) {
            c[i][k] = (double)s->plane[i][0] * a[k][0] + (double)s->plane[i][1] * a[k][1] +
                      (double)s->plane[i][2] * a[k][2] - (k ? 0.0 : (double)s->plane[i][3]);
        }
    }
    for (int i = 0; i < s->planes; i++) {
        double t = ty_k_dust_enters(c[i][2], c[i][1], c[i][0]);
        bool in = t >= 0.0 && t < most;
        for (int k = 0; k < s->planes && in; k++) {
            in = k == i || c[k][0] + t * (c[k][1] + t * c[k][2]) <= 1e-9;
        }
        if (in) {
            most = t;
            *above = (double)s->plane[i][2] > TYI_DUST_UP;
        }
    }
    return most;
}

/* whether the straight way from a to b, seen from above, comes near a rock's axis, and low enough; bent ways do so within `slack` [m] */
static bool passes(const tyi_terrain_placed_rock *rock, ty_vec3 a, ty_vec3 b, double slack)
{
    double dx = b.x - a.x, dy = b.y - a.y, way = dx * dx + dy * dy, px = rock->base.x - a.x, py = rock->base.y - a.y;
    double t = way > 0.0 ? fmin(fmax((px * dx + py * dy) / way, 0.0), 1.0) : 0.0, near = rock->radius + slack;
    double ex = px - t * dx, ey = py - t * dy;
    return ex * ex + ey * ey < near * near && fmin(a.z, b.z) < rock->top;
}

/* one piece of a parcel's way, t0 to t1 after its birth: shortens it where a rock ends it */
static ty_status piece(tyi_dust *d, tyi_dust_parcel *p, double t0, double t1, double slack, ty_diag *diag)
{
    ty_vec3 a = tyi_dust_place(d, p, p->born + t0), b = tyi_dust_place(d, p, p->born + t1);
    int32_t x0 = (int32_t)floor((fmin(a.x, b.x) - slack) / CELL), x1 = (int32_t)floor((fmax(a.x, b.x) + slack) / CELL);
    int32_t y0 = (int32_t)floor((fmin(a.y, b.y) - slack) / CELL), y1 = (int32_t)floor((fmax(a.y, b.y) + slack) / CELL);
    double low = fmin(a.z, b.z);
    ty_status status = TY_OK;
    for (int32_t k = 0; k < (x1 - x0 + 1) * (y1 - y0 + 1) && status == TY_OK; k++) {
        cell *c = NULL;
        status = cell_at(d->rocks, x0 + k % (x1 - x0 + 1), y0 + k / (x1 - x0 + 1), &c, diag);
        for (uint32_t i = 0; status == TY_OK && low < c->top && i < c->count; i++) {
            const tyi_terrain_placed_rock *rock = &d->rocks->pool[c->first + i];
            bool above = false;
            double most = p->lands - p->born, t = passes(rock, a, b, slack) ? enter(d, p, rock, most, &above) : most;
            if (t < most) {
                p->lands = p->born + t, p->rock = true, p->above = above;
            }
        }
    }
    return status;
}

ty_status tyi_dust_rocks_stop(tyi_dust *d, tyi_dust_parcel *parcel, size_t n, ty_diag *diag)
{
    struct tyi_dust_rocks *r = d->rocks;
    ty_status status = TY_OK;
    if (r->version != tyi_terrain_rock_version(r->terrain)) {
        forget(r);
        r->version = tyi_terrain_rock_version(r->terrain);
    }
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        tyi_dust_parcel *p = &parcel[i];
        double time = p->lands - p->born, bend = 0.125 * hypot(d->fall.x, d->fall.y) * time * time;
        ty_vec3 end = tyi_dust_place(d, p, p->lands);
        int pieces = (int)fmin(ceil((hypot(end.x - p->x.x, end.y - p->x.y) + bend) / (0.5 * CELL)) + 1.0, 4096.0);
        for (int k = 0; k < pieces && status == TY_OK && k * time / pieces < p->lands - p->born; k++) {
            status = piece(d, p, k * time / pieces, (k + 1) * time / pieces, bend / pieces / pieces, diag);
        }
    }
    return status;
}
