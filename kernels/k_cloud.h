/* kernels/k_cloud.h - a cloud of dust as rays meet it: grids of shadow per volume, in flat arrays.
 *
 * Nodes of a grid hold shadow per volume [1/m], read by trilinear interpolation; bricks of 8 x 8 x 8 cells say where there is any, so that
 * rays pass over what is empty; every other node holds the optical depth from there to the Sun. A ray is sampled along its way. What it finds is
 * gathered in bins along its way, over all grids that it meets, and these into as few parts of even optical depth as its thickness is
 * worth.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_CLOUD_H
#define TY_K_CLOUD_H
#include "k_medium.h"
#include "k_vec.h"

enum { TY_K_CLOUD_BRICK = 3 /* log2 of its side in cells */, TY_K_CLOUD_BINS = 32, TY_K_CLOUD_PARTS = 7 };
#define TY_K_CLOUD_NOTHING TY_R(1e-6) /* [-] optical depth that is not worth a part */
#define TY_K_CLOUD_STEP \
    TY_R(               \
        1.75) /* voxels from sample to sample: what lies in one slab is found within the bounds of tests/unit/render/test_dust_cloud.c */
#define TY_K_CLOUD_SUNNY TY_R(0.9998) /* cosine of how far from the middle of the Sun light counts as its */

typedef struct ty_k_cloud_grid {
    float low[3], h;           /* [m] of node 0; between nodes */
    ty_i32 n[3], b[3], m[3];   /* nodes; bricks; every other node, the last one too */
    ty_u32 node, brick, shade; /* first number of each: [1/m], 0 or 1, [-] */
} ty_k_cloud_grid;

typedef struct ty_k_cloud {
    ty_i32 grids;                      /* 0: there is no cloud */
    float albedo, lobe, share, spread; /* [-] ty_medium_part: lobes are lobe and -lobe; ahead is 1 */
    float sun[3];                      /* unit; 0, 0, 0: grids have no shade */
} ty_k_cloud;

/* its arrays, as code that light goes by sees them */
typedef struct ty_k_cloud_view {
    ty_k_cloud k;
    TY_GLOBAL const ty_k_cloud_grid *grid;
    TY_GLOBAL const float *value; /* of all grids */
} ty_k_cloud_view;

/* Grains that fly together, as tyi_dust_point has them. */
typedef struct ty_k_cloud_point {
    float x[3], area; /* [m]; [m^2] shadow */
    float apart[3];   /* [m] how far they have flown apart, to either side; a tenth of it across */
    ty_i32 group;
} ty_k_cloud_point;

/* how they fly on */
typedef struct ty_k_cloud_track {
    float v[3], apart[3], left; /* [m/s]; [m/s] that they fly apart; [s] until they land */
} ty_k_cloud_track;

#ifndef __OPENCL_VERSION__
/* as it lies in memory, for devices that take a copy, or make it of the points themselves */
typedef struct ty_k_cloud_flat {
    const ty_k_cloud_view *view; /* its values are there when make() has been called */
    void (*make)(void *user);
    void *user;
    ty_u64 values, version; /* numbers in value; another one when anything has changed */
    double from[3];         /* [m] W: what grids and points are counted from */
    const ty_i32 *group;    /* of each grid */
    const float *total;     /* [m^2] shadow of its points */
    const ty_k_cloud_point *point;
    const ty_k_cloud_track *track; /* of each point; NULL: they stand */
    ty_u64 points;
    float ahead, gravity; /* [s] how long they have flown on, [m/s^2]; grids have room for where they are then */
} ty_k_cloud_flat;
#endif

typedef struct ty_k_cloud_bin {
    ty_real t0, t1, tau; /* [m], [m], [-] shadow over it */
} ty_k_cloud_bin;

typedef struct ty_k_cloud_part {
    ty_real t0, t1, tau;
    float quarter[3]; /* ty_k_medium_within() */
} ty_k_cloud_part;

/* a ray in a grid's cells, and where it goes through */
typedef struct ty_k_cloud_way {
    ty_k_vec3 o, d, per; /* cells, cells / m, and m / cell: 1 / d, kept finite */
    ty_real t0, t1;      /* [m]; t0 >= t1: never */
} ty_k_cloud_way;

TY_KFN ty_real ty_k_cloud_per(ty_real d)
{
    return TY_R(1.0) / (fabs(d) < TY_R(1e-9) ? d < TY_R(0.0) ? TY_R(-1e-9) : TY_R(1e-9) : d);
}

TY_KFN ty_k_cloud_way ty_k_cloud_enter(const ty_k_cloud_grid *g, ty_k_vec3 o, ty_k_vec3 d, ty_real far)
{
    ty_k_cloud_way w;
    ty_real per = TY_R(1.0) / (ty_real)g->h;
    w.o = ty_k_scale(per, ty_k_sub(o, ty_k_vec((ty_real)g->low[0], (ty_real)g->low[1], (ty_real)g->low[2])));
    w.d = ty_k_scale(per, d);
    w.per = ty_k_vec(ty_k_cloud_per(w.d.x), ty_k_cloud_per(w.d.y), ty_k_cloud_per(w.d.z));
    ty_real ax = -w.o.x * w.per.x, bx = ((ty_real)(g->n[0] - 1) - w.o.x) * w.per.x;
    ty_real ay = -w.o.y * w.per.y, by = ((ty_real)(g->n[1] - 1) - w.o.y) * w.per.y;
    ty_real az = -w.o.z * w.per.z, bz = ((ty_real)(g->n[2] - 1) - w.o.z) * w.per.z;
    w.t0 = ty_k_max(ty_k_max(ty_k_min(ax, bx), ty_k_min(ay, by)), ty_k_max(ty_k_min(az, bz), TY_R(0.0)));
    w.t1 = ty_k_min(ty_k_min(ty_k_max(ax, bx), ty_k_max(ay, by)), ty_k_min(ty_k_max(az, bz), far));
    return w;
}

/* a cell of an array of nodes, and a place in it */
typedef struct ty_k_cloud_cell {
    ty_i32 i, j, k;
    ty_real u, v, w; /* 0 to 1 */
} ty_k_cloud_cell;

/* of a place in cells; what is outside counts as its edge */
TY_KFN ty_k_cloud_cell ty_k_cloud_at(const ty_i32 *n, ty_k_vec3 x)
{
    ty_k_cloud_cell c;
    ty_real px = ty_k_clamp(x.x, TY_R(0.0), (ty_real)(n[0] - 1)), py = ty_k_clamp(x.y, TY_R(0.0), (ty_real)(n[1] - 1)),
            pz = ty_k_clamp(x.z, TY_R(0.0), (ty_real)(n[2] - 1));
    c.i = (ty_i32)px, c.j = (ty_i32)py, c.k = (ty_i32)pz;
    c.i = c.i < n[0] - 2 ? c.i : n[0] - 2, c.j = c.j < n[1] - 2 ? c.j : n[1] - 2, c.k = c.k < n[2] - 2 ? c.k : n[2] - 2;
    c.u = px - (ty_real)c.i, c.v = py - (ty_real)c.j, c.w = pz - (ty_real)c.k;
    return c;
}

/* between the nodes of a cell */
TY_KFN ty_real ty_k_cloud_read(TY_GLOBAL const float *node, const ty_i32 *n, ty_k_cloud_cell c)
{
    ty_i32 row = n[0];
    TY_GLOBAL const float *p = node + (c.k * n[1] + c.j) * row + c.i, *q = p + row * n[1];
    ty_real a = (ty_real)p[0] + c.u * (ty_real)(p[1] - p[0]);
    ty_real b = (ty_real)p[row] + c.u * (ty_real)(p[row + 1] - p[row]);
    ty_real d = (ty_real)q[0] + c.u * (ty_real)(q[1] - q[0]);
    ty_real e = (ty_real)q[row] + c.u * (ty_real)(q[row + 1] - q[row]);
    a += c.v * (b - a), d += c.v * (e - d);
    return a + c.w * (d - a);
}

/* [m] along a ray where it leaves the brick around a place, along one axis */
TY_KFN ty_real ty_k_cloud_wall(ty_i32 brick, ty_real o, ty_real per)
{
    return ((ty_real)((per > TY_R(0.0) ? brick + 1 : brick) << TY_K_CLOUD_BRICK) - o) * per;
}

/* The next sample of a ray, from number *k of `steps` on, each `step` [m] wide: its place [m]; below 0: there is none. *k is then the number
 * after it. */
TY_KFN ty_real ty_k_cloud_next(TY_GLOBAL const float *value, const ty_k_cloud_grid *g, const ty_k_cloud_way *w,
                               ty_real step, ty_i32 steps, ty_i32 *k, ty_real *density)
{
    while (*k < steps) {
        ty_real t = w->t0 + ((ty_real)*k + TY_R(0.5)) * step;
        ty_k_vec3 x = ty_k_add(w->o, ty_k_scale(t, w->d));
        ty_k_cloud_cell c = ty_k_cloud_at(g->n, x);
        ty_i32 bx = c.i >> TY_K_CLOUD_BRICK, by = c.j >> TY_K_CLOUD_BRICK, bz = c.k >> TY_K_CLOUD_BRICK;
        ++*k;
        if (value[g->brick + (ty_u32)((bz * g->b[1] + by) * g->b[0] + bx)] == 0.0f) {
            ty_real out =
                ty_k_min(ty_k_min(ty_k_cloud_wall(bx, w->o.x, w->per.x), ty_k_cloud_wall(by, w->o.y, w->per.y)),
                         ty_k_cloud_wall(bz, w->o.z, w->per.z));
            ty_real next = (ty_k_min(out, w->t1) - w->t0) / step + TY_R(0.5);
            *k = next > (ty_real)*k ? (ty_i32)next : *k;
            continue;
        }
        *density = ty_k_cloud_read(value + g->node, g->n, c);
        if (*density > TY_R(0.0)) {
            return t;
        }
    }
    return TY_R(-1.0);
}

/* how many samples a ray takes in a grid */
TY_KFN ty_i32 ty_k_cloud_steps(const ty_k_cloud_grid *g, const ty_k_cloud_way *w)
{
    return w->t1 > w->t0 ? (ty_i32)ceil((w->t1 - w->t0) / (TY_K_CLOUD_STEP * (ty_real)g->h)) : 0;
}

/* parts that an optical depth is worth: one more shadow ray to each lamp for each */
TY_KFN ty_i32 ty_k_cloud_worth(ty_real tau)
{
    return tau < TY_R(0.005) ? 1 : tau < TY_R(0.06) ? 2 : tau < TY_R(0.4) ? 3 : tau < TY_R(1.0) ? 5 : TY_K_CLOUD_PARTS;
}

/* where a part that holds these bins has a quarter, half and three quarters of its optical depth before it */
TY_KFN void ty_k_cloud_quarters(const ty_k_cloud_bin *bin, ty_i32 first, ty_i32 last, ty_k_cloud_part *p)
{
    ty_real before = TY_R(0.0), per = TY_R(1.0) / (p->t1 - p->t0), each = TY_R(0.25) * p->tau;
    ty_i32 k = 0;
    for (ty_i32 i = first; i <= last && k < 3; i++) {
        ty_real tau = bin[i].tau;
        for (; k < 3 && tau > TY_R(0.0) && before + tau >= (ty_real)(k + 1) * each; k++) {
            ty_real t = bin[i].t0 + (bin[i].t1 - bin[i].t0) * ((ty_real)(k + 1) * each - before) / tau;
            p->quarter[k] = (float)ty_k_clamp((t - p->t0) * per, TY_R(1e-6), TY_R(1.0));
        }
        before += tau;
    }
    for (; k < 3; k++) {
        p->quarter[k] = 1.0f;
    }
}

/* The parts of a ray's way between 0 and far [m] in the cloud: in order, not over each other. Returns how many, at most TY_K_CLOUD_PARTS. */
TY_KFN ty_i32 ty_k_cloud_parts(const ty_k_cloud_view *c, ty_k_vec3 o, ty_k_vec3 d, ty_real far, ty_k_cloud_part *out)
{
    ty_real t0 = TY_R(3e38), t1 = TY_R(0.0), total = TY_R(0.0);
    ty_k_cloud_bin bin[TY_K_CLOUD_BINS];
    for (ty_i32 i = 0; i < c->k.grids; i++) {
        ty_k_cloud_grid g = c->grid[i];
        ty_k_cloud_way w = ty_k_cloud_enter(&g, o, d, far);
        t0 = w.t1 > w.t0 ? ty_k_min(t0, w.t0) : t0;
        t1 = w.t1 > w.t0 ? ty_k_max(t1, w.t1) : t1;
    }
    if (!(t1 > t0)) {
        return 0;
    }
    ty_real per = (ty_real)TY_K_CLOUD_BINS / (t1 - t0);
    ty_i32 first = TY_K_CLOUD_BINS, last = -1; /* bins with anything in them */
    for (ty_i32 i = 0; i < TY_K_CLOUD_BINS; i++) {
        bin[i].tau = TY_R(0.0);
    }
    for (ty_i32 i = 0; i < c->k.grids; i++) {
        ty_k_cloud_grid g = c->grid[i];
        ty_k_cloud_way w = ty_k_cloud_enter(&g, o, d, far);
        ty_i32 steps = ty_k_cloud_steps(&g, &w), k = 0;
        ty_real step = (w.t1 - w.t0) / (ty_real)(steps > 0 ? steps : 1), density = TY_R(0.0), t;
        while ((t = ty_k_cloud_next(c->value, &g, &w, step, steps, &k, &density)) >= TY_R(0.0)) {
            ty_i32 at = (ty_i32)((t - t0) * per);
            at = at < TY_K_CLOUD_BINS ? at : TY_K_CLOUD_BINS - 1;
            first = at < first ? at : first, last = at > last ? at : last;
            ty_k_cloud_bin *b = &bin[at];
            ty_real from = ty_k_max(t - TY_R(0.5) * step, TY_R(0.0)), to = t + TY_R(0.5) * step;
            int fresh = b->tau == TY_R(0.0);
            b->t0 = fresh ? from : ty_k_min(b->t0, from);
            b->t1 = fresh ? to : ty_k_max(b->t1, to);
            b->tau += density * step;
        }
    }
    for (ty_i32 i = first; i <= last; i++) {
        total += bin[i].tau;
    }
    if (!(total > TY_K_CLOUD_NOTHING)) {
        return 0;
    }
    ty_i32 made = 0, begins = first;
    ty_real most = total / (ty_real)ty_k_cloud_worth(total);
    int open = 0;
    for (ty_i32 i = first; i <= last; i++) {
        if (bin[i].tau > TY_R(0.0)) {
            ty_k_cloud_part *p = &out[made];
            begins = open ? begins : i;
            p->t0 = open ? p->t0 : made > 0 ? ty_k_max(bin[i].t0, out[made - 1].t1) : bin[i].t0;
            p->t1 = open ? ty_k_max(p->t1, bin[i].t1) : ty_k_max(bin[i].t1, p->t0 + TY_R(1e-6));
            p->tau = open ? p->tau + bin[i].tau : bin[i].tau;
            open = p->tau < most || made == TY_K_CLOUD_PARTS - 1;
            made += !open;
            if (!open || i == last) {
                ty_k_cloud_quarters(bin, begins, i, p);
            }
        }
    }
    return made + open;
}

/* [-] towards the Sun from where a ray there meets a grid, which it leaves on the other side; below 0: it ends before that */
TY_KFN ty_real ty_k_cloud_sunward(TY_GLOBAL const float *value, const ty_k_cloud_grid *g, ty_k_vec3 o, ty_k_vec3 d,
                                  ty_real far)
{
    ty_k_cloud_way w = ty_k_cloud_enter(g, o, d, TY_R(1e9));
    if (!(w.t1 > w.t0)) {
        return TY_R(0.0);
    }
    if (w.t1 > far) {
        return TY_R(-1.0);
    }
    ty_k_vec3 x = ty_k_scale(TY_R(0.5), ty_k_add(w.o, ty_k_scale(w.t0, w.d)));
    return ty_k_cloud_read(value + g->shade, g->m, ty_k_cloud_at(g->m, x));
}

/* [-] shadow on a ray's way to a lamp */
TY_KFN ty_real ty_k_cloud_depth(const ty_k_cloud_view *c, ty_k_vec3 o, ty_k_vec3 d, ty_real far)
{
    ty_real total = TY_R(0.0);
    int sunny =
        ty_k_dot(d, ty_k_vec((ty_real)c->k.sun[0], (ty_real)c->k.sun[1], (ty_real)c->k.sun[2])) > TY_K_CLOUD_SUNNY;
    for (ty_i32 i = 0; i < c->k.grids; i++) {
        ty_k_cloud_grid g = c->grid[i];
        ty_real known = sunny ? ty_k_cloud_sunward(c->value, &g, o, d, far) : TY_R(-1.0);
        if (known >= TY_R(0.0)) {
            total += known;
            continue;
        }
        ty_k_cloud_way w = ty_k_cloud_enter(&g, o, d, far);
        ty_i32 steps = ty_k_cloud_steps(&g, &w), k = 0;
        ty_real step = (w.t1 - w.t0) / (ty_real)(steps > 0 ? steps : 1), density = TY_R(0.0);
        while (ty_k_cloud_next(c->value, &g, &w, step, steps, &k, &density) >= TY_R(0.0)) {
            total += density * step;
        }
    }
    return total;
}

/* ---- from points to grids ---- */

/* Weights of three nodes for a point d [cells] from the middle one, -0.5 to 0.5: a quadratic spline */
TY_KFN ty_k_vec3 ty_k_cloud_spline(ty_real d)
{
    return ty_k_vec(TY_R(0.5) * (TY_R(0.5) - d) * (TY_R(0.5) - d), TY_R(0.75) - d * d,
                    TY_R(0.5) * (TY_R(0.5) + d) * (TY_R(0.5) + d));
}

/* Grains of a parcel that have flown apart: TY_K_CLOUD_PIECES points, evenly in a box of half sides |apart| along `apart` [cells] and a tenth of that along
 * all axes: not across their way, where a fan has its edges. The fractions of multiples of four numbers, 2^32 / p .. p^4 with
 * p^5 = p + 1, fill a cube evenly; each parcel goes on where the last one ended. wide: |apart|. [cells] */
enum { TY_K_CLOUD_PIECES = 8 };
#define TY_K_CLOUD_ACROSS TY_R(0.1)
TY_KFN ty_k_vec3 ty_k_cloud_piece(const ty_i32 *n, ty_k_vec3 x, ty_k_vec3 apart, ty_real wide, ty_u32 number)
{
    ty_real u = (ty_real)(3679390609u * number) * TY_R(4.656612873077393e-10) - TY_R(1.0);
    ty_real v = (ty_real)(3152041523u * number) * TY_R(4.656612873077393e-10) - TY_R(1.0);
    ty_real w = (ty_real)(2700274807u * number) * TY_R(4.656612873077393e-10) - TY_R(1.0);
    ty_real q = (ty_real)(2313257605u * number) * TY_R(4.656612873077393e-10) - TY_R(1.0);
    ty_real r = TY_K_CLOUD_ACROSS * wide;
    return ty_k_vec(ty_k_clamp(x.x + apart.x * u + r * v, TY_R(1.0), (ty_real)(n[0] - 3)),
                    ty_k_clamp(x.y + apart.y * u + r * w, TY_R(1.0), (ty_real)(n[1] - 3)),
                    ty_k_clamp(x.z + apart.z * u + r * q, TY_R(1.0), (ty_real)(n[2] - 3)));
}

/* Optical depth towards the Sun at every other node, slab by slab along the axis that its light mostly goes along. */
typedef struct ty_k_cloud_cast {
    ty_i32 slabs, across, down; /* how many */
    ty_i32 first, next;         /* slab that the Sun meets first; 1 or -1 */
    ty_i32 step[3], fine[3];    /* numbers from slab to slab, across and down; of every other node, of nodes */
    float du, dv, path;         /* slope of light; [m] of its way in half a slab */
} ty_k_cloud_cast;

TY_KFN ty_k_cloud_cast ty_k_cloud_cast_make(const ty_k_cloud_grid *g, const float *s)
{
    ty_k_cloud_cast k;
    int a = fabs(s[0]) >= fabs(s[1]) && fabs(s[0]) >= fabs(s[2]) ? 0 : fabs(s[1]) >= fabs(s[2]) ? 1 : 2;
    int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
    const ty_i32 step[3] = { 1, g->m[0], g->m[0] * g->m[1] }, fine[3] = { 2, 2 * g->n[0], 2 * g->n[0] * g->n[1] };
    k.slabs = g->m[a], k.across = g->m[b], k.down = g->m[c];
    k.first = s[a] > 0.0f ? k.slabs - 1 : 0, k.next = s[a] > 0.0f ? -1 : 1;
    k.step[0] = step[a], k.step[1] = step[b], k.step[2] = step[c];
    k.fine[0] = fine[a], k.fine[1] = fine[b], k.fine[2] = fine[c];
    k.du = s[b] / fabs(s[a]), k.dv = s[c] / fabs(s[a]), k.path = g->h / fabs(s[a]);
    return k;
}

/* a slab at a place [every other node] where light comes through it; 0 outside */
TY_KFN ty_real ty_k_cloud_slab(TY_GLOBAL const float *from, const ty_k_cloud_cast *k, const ty_i32 *step, ty_real y,
                               ty_real z)
{
    ty_i32 j = (ty_i32)floor(y), l = (ty_i32)floor(z);
    if (j < 0 || l < 0 || j >= k->across - 1 || l >= k->down - 1) {
        return TY_R(0.0);
    }
    TY_GLOBAL const float *p = from + j * step[1] + l * step[2], *q = p + step[2];
    ty_real v = y - (ty_real)j, w = z - (ty_real)l;
    ty_real a = (ty_real)p[0] + v * (ty_real)(p[step[1]] - p[0]), b = (ty_real)q[0] + v * (ty_real)(q[step[1]] - q[0]);
    return a + w * (b - a);
}

/* one node of slab number i, counted from the Sun; the slab before is done */
TY_KFN void ty_k_cloud_cast_at(const ty_k_cloud_cast *k, TY_GLOBAL const float *node, TY_GLOBAL float *shade, ty_i32 i,
                               ty_i32 j, ty_i32 l)
{
    ty_i32 at = k->first + i * k->next, last = at - k->next;
    ty_real y = (ty_real)j + (ty_real)k->du, z = (ty_real)l + (ty_real)k->dv, tau = TY_R(0.0);
    if (i > 0) {
        tau = ty_k_cloud_slab(shade + last * k->step[0], k, k->step, y, z) +
              (ty_real)k->path * ty_k_cloud_slab(node + last * k->fine[0], k, k->fine, y, z);
    }
    shade[at * k->step[0] + j * k->step[1] + l * k->step[2]] =
        (float)(tau + (ty_real)k->path * (ty_real)node[at * k->fine[0] + j * k->fine[1] + l * k->fine[2]]);
}

#endif
