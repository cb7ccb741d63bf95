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
    TY_R(1.5) /* voxels from sample to sample: of splines over three nodes that misses 1 % of what lies in one slab */
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

#ifndef __OPENCL_VERSION__
/* as it lies in memory, for devices that take a copy */
typedef struct ty_k_cloud_flat {
    const ty_k_cloud_view *view;
    ty_u64 values, version; /* numbers in value; another one when anything has changed */
    double from[3];         /* [m] W: what grids are counted from */
} ty_k_cloud_flat;
#endif

typedef struct ty_k_cloud_part {
    ty_real t0, t1, tau; /* [m], [m], [-] shadow over it */
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
    return tau < TY_R(0.003) ? 1 : tau < TY_R(0.03) ? 2 : tau < TY_R(0.2) ? 3 : tau < TY_R(0.6) ? 5 : TY_K_CLOUD_PARTS;
}

/* The parts of a ray's way between 0 and far [m] in the cloud: in order, not over each other. Returns how many, at most TY_K_CLOUD_PARTS. */
TY_KFN ty_i32 ty_k_cloud_parts(const ty_k_cloud_view *c, ty_k_vec3 o, ty_k_vec3 d, ty_real far, ty_k_cloud_part *out)
{
    ty_real t0 = TY_R(3e38), t1 = TY_R(0.0), total = TY_R(0.0);
    ty_k_cloud_part bin[TY_K_CLOUD_BINS];
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
            ty_k_cloud_part *b = &bin[at < TY_K_CLOUD_BINS ? at : TY_K_CLOUD_BINS - 1];
            ty_real from = ty_k_max(t - TY_R(0.5) * step, TY_R(0.0)), to = t + TY_R(0.5) * step;
            int fresh = b->tau == TY_R(0.0);
            b->t0 = fresh ? from : ty_k_min(b->t0, from);
            b->t1 = fresh ? to : ty_k_max(b->t1, to);
            b->tau += density * step;
        }
    }
    for (ty_i32 i = 0; i < TY_K_CLOUD_BINS; i++) {
        total += bin[i].tau;
    }
    if (!(total > TY_K_CLOUD_NOTHING)) {
        return 0;
    }
    ty_i32 made = 0;
    ty_real most = total / (ty_real)ty_k_cloud_worth(total);
    int open = 0;
    for (ty_i32 i = 0; i < TY_K_CLOUD_BINS; i++) {
        if (bin[i].tau > TY_R(0.0)) {
            ty_k_cloud_part *p = &out[made];
            p->t0 = open ? p->t0 : made > 0 ? ty_k_max(bin[i].t0, out[made - 1].t1) : bin[i].t0;
            p->t1 = open ? ty_k_max(p->t1, bin[i].t1) : ty_k_max(bin[i].t1, p->t0 + TY_R(1e-6));
            p->tau = open ? p->tau + bin[i].tau : bin[i].tau;
            open = p->tau < most || made == TY_K_CLOUD_PARTS - 1;
            made += !open;
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

#endif
