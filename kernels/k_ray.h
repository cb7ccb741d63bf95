/* kernels/k_ray.h - the first crossing of a ray with a height field, by walking a pyramid of bounds.
 *
 * The field is a grid of float heights; cell (i, j) lies between samples i+1, i+2 and j+1, j+2 and its surface is the
 * Catmull-Rom patch of the 4 x 4 samples from (i, j). Level 0 of the pyramid bounds each cell's surface, every
 * further level 2 x 2 of the one below. A ray steps from node to node, up when it leaves a parent, down where
 * the bounds do not exclude a crossing: no stack, so the same code runs on a GPU.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_RAY_H
#define TY_K_RAY_H
#include "k_spline.h"

#define TY_K_FIELD_LEVELS 16
#define TY_K_RAY_START    5 /* level at which the walk starts: rays mostly end, or leave, within a few such nodes */
#ifdef TY_KERNEL_FLOAT
#define TY_K_RAY_STEP TY_R(1e-3)
#else
#define TY_K_RAY_STEP TY_R(1e-7)
#endif

/* Lengths in cells; z in metres relative to the field's own zero; t in metres along the ray. */
typedef struct ty_k_field {
    ty_i32 stride;                   /* samples in a row */
    ty_i32 cx, cy;                   /* cells */
    ty_i32 levels;                   /* of the pyramid; the last has one node */
    ty_i32 start[TY_K_FIELD_LEVELS]; /* first node of each level in the arrays of bounds */
    ty_i32 width[TY_K_FIELD_LEVELS]; /* nodes in a row of each level */
} ty_k_field;

typedef struct ty_k_line {
    ty_real px, py, pz; /* origin: cells, cells, metres */
    ty_real dx, dy, dz; /* per metre along the ray: cells, cells, metres */
} ty_k_line;

/* height of the ray over the surface and its rate along the ray, times side (+1 coming from above, -1 from below) */
typedef struct ty_k_gap {
    ty_real f, g;
} ty_k_gap;

TY_KFN ty_k_gap ty_k_cell_gap(TY_GLOBAL const float *h, ty_i32 stride, ty_i32 i, ty_i32 j, ty_k_line r, ty_real side,
                              ty_real t)
{
    ty_k_ground s = ty_k_cell(h, stride, r.px + t * r.dx - (ty_real)i, r.py + t * r.dy - (ty_real)j);
    ty_k_gap gap = { side * (r.pz + t * r.dz - s.z), side * (r.dz - s.zx * r.dx - s.zy * r.dy) };
    return gap;
}

/* A crossing between ta, where the gap is fa > 0, and tb, where it is fb <= 0: Newton, kept inside the bracket. */
TY_KFN ty_real ty_k_cell_newton(TY_GLOBAL const float *h, ty_i32 stride, ty_i32 i, ty_i32 j, ty_k_line r, ty_real side,
                                ty_real ta, ty_real tb, ty_real fa, ty_real fb)
{
    ty_real t = ta + (tb - ta) * fa / (fa - fb), close = TY_K_RAY_STEP * (tb - ta);
    for (int k = 0; k < 20; k++) {
        ty_k_gap m = ty_k_cell_gap(h, stride, i, j, r, side, t);
        if (m.f > TY_R(0.0)) {
            ta = t;
        } else {
            tb = t;
        }
        ty_real next = t - m.f / m.g, step = next > t ? next - t : t - next;
        if (step <= close) {
            return next; /* Newton squares the error: what is left is far below this step */
        }
        t = next > ta && next < tb ? next : TY_R(0.5) * (ta + tb);
    }
    return t;
}

/* First crossing in one cell between ta and tb, or -1. A ray that dips below the surface and out again inside one
 * cell is found through the sign of the rate at both ends and in the middle. */
TY_KFN ty_real ty_k_cell_crossing(TY_GLOBAL const float *h, ty_i32 stride, ty_i32 i, ty_i32 j, ty_k_line r,
                                  ty_real side, ty_real ta, ty_real tb)
{
    ty_k_gap a = ty_k_cell_gap(h, stride, i, j, r, side, ta);
    if (a.f <= TY_R(0.0)) {
        return ta;
    }
    ty_k_gap b = ty_k_cell_gap(h, stride, i, j, r, side, tb);
    if (b.f > TY_R(0.0)) {
        /* above at both ends: it may dip below between. Look at the middle, then at the half in which it comes nearest
         * */
        ty_real low = ta, high = tb, gl = a.g, gh = b.g;
        tb = TY_R(0.5) * (ta + tb);
        b = ty_k_cell_gap(h, stride, i, j, r, side, tb);
        for (int k = 0; k < 4 && b.f > TY_R(0.0); k++) {
            if (gl < TY_R(0.0) && b.g > TY_R(0.0)) {
                high = tb;
                gh = b.g;
            } else if (b.g < TY_R(0.0) && gh > TY_R(0.0)) {
                low = tb;
                gl = b.g;
            } else {
                return TY_R(-1.0);
            }
            tb = low + (high - low) * gl / (gl - gh);
            b = ty_k_cell_gap(h, stride, i, j, r, side, tb);
        }
        if (b.f > TY_R(0.0)) {
            return TY_R(-1.0);
        }
    }
    ty_real first = ta, t = tb;
    for (int again = 0; again < 3; again++) {
        t = ty_k_cell_newton(h, stride, i, j, r, side, ta, tb, a.f, b.f);
        /* there may be three crossings, and Newton may have found the last: the first is wanted */
        tb = TY_R(0.5) * (first + t);
        b = ty_k_cell_gap(h, stride, i, j, r, side, tb);
        if (b.f > TY_R(0.0)) {
            break;
        }
    }
    return t;
}

/* A ray on its way over the field. */
typedef struct ty_k_walk {
    ty_real px, py, pz, dx, dy, dz; /* the line, see ty_k_line */
    ty_real idx, idy;               /* [m per cell] one over dx, dy; their signs hold also where dx, dy are 0 */
    ty_real t, t1;                  /* [m] where the ray is, where it ends */
    ty_real side;                   /* +1: above the surface, -1: below */
    ty_i32 ix, iy, level;           /* node */
    ty_i32 leaf;                    /* 1: the bounds of this cell do not exclude a crossing, it must be tested */
    ty_i32 end;                     /* 1: there is no crossing */
} ty_k_walk;

/* Clips the ray to the field and finds its first node. Where it is above everything it starts where it comes
 * down to the highest point; where it starts below the surface, the crossing from below will be found. */
TY_KFN ty_k_walk ty_k_walk_start(ty_k_field field, TY_GLOBAL const float *h, TY_GLOBAL const float *top, ty_k_line r,
                                 ty_real t0, ty_real t1)
{
    const ty_real far = TY_R(1e30);
    ty_k_walk w = { r.px, r.py, r.pz, r.dx, r.dy, r.dz, far, far, t0, t1, TY_R(1.0), 0, 0, 0, 0, 1 };
    w.idx = r.dx != TY_R(0.0) ? TY_R(1.0) / r.dx : far;
    w.idy = r.dy != TY_R(0.0) ? TY_R(1.0) / r.dy : far;
    /* a ray along an axis is inside the other sides everywhere or nowhere: far and 0 / far keep their signs */
    ty_real xa = (TY_R(0.0) - r.px) * w.idx, xb = ((ty_real)field.cx - r.px) * w.idx;
    ty_real ya = (TY_R(0.0) - r.py) * w.idy, yb = ((ty_real)field.cy - r.py) * w.idy;
    t0 = ty_k_max(t0, ty_k_max(ty_k_min(xa, xb), ty_k_min(ya, yb)));
    t1 = ty_k_min(t1, ty_k_min(ty_k_max(xa, xb), ty_k_max(ya, yb)));
    ty_real highest = (ty_real)top[field.start[field.levels - 1]];
    if (r.pz + t0 * r.dz > highest) {
        if (r.dz >= TY_R(0.0)) {
            return w;
        }
        t0 = ty_k_max(t0, (highest - r.pz) / r.dz);
    }
    if (!(t0 < t1)) {
        return w;
    }
    w.t = t0;
    w.t1 = t1;
    w.end = 0;
    w.ix = (ty_i32)ty_k_clamp(r.px + t0 * r.dx, TY_R(0.0), (ty_real)(field.cx - 1));
    w.iy = (ty_i32)ty_k_clamp(r.py + t0 * r.dy, TY_R(0.0), (ty_real)(field.cy - 1));
    if (r.pz + t0 * r.dz < (ty_real)top[w.iy * field.width[0] + w.ix]) {
        ty_k_gap gap = ty_k_cell_gap(h + w.iy * field.stride + w.ix, field.stride, w.ix, w.iy, r, TY_R(1.0), t0);
        w.side = gap.f < TY_R(0.0) ? TY_R(-1.0) : TY_R(1.0);
    }
    w.level = field.levels - 1 < TY_K_RAY_START ? field.levels - 1 : TY_K_RAY_START;
    w.ix >>= w.level;
    w.iy >>= w.level;
    return w;
}

/* where the ray leaves its node [m] */
TY_KFN ty_real ty_k_walk_exit(ty_k_walk w)
{
    ty_real tx = ((ty_real)((w.ix + (w.idx > TY_R(0.0))) << w.level) - w.px) * w.idx;
    ty_real ty = ((ty_real)((w.iy + (w.idy > TY_R(0.0))) << w.level) - w.py) * w.idy;
    return ty_k_max(w.t, ty_k_min(ty_k_min(tx, ty), w.t1));
}

/* One step: to the node's child where the ray may cross the surface inside, past the node otherwise. At a cell that may
 * be crossed it stops with leaf = 1; called again it goes past. No branches: lanes of rays step together.
 * start, width: of the walk's level. bound: top of the node coming from above, bottom coming from below. */
TY_KFN ty_k_walk ty_k_walk_step(ty_i32 cx, ty_i32 cy, ty_i32 levels, ty_real bound, ty_k_walk w)
{
    ty_i32 sx = w.idx > TY_R(0.0), sy = w.idy > TY_R(0.0);
    ty_real tx = ((ty_real)((w.ix + sx) << w.level) - w.px) * w.idx;
    ty_real ty = ((ty_real)((w.iy + sy) << w.level) - w.py) * w.idy;
    ty_real te = ty_k_min(ty_k_min(tx, ty), w.t1);
    ty_real za = w.pz + w.t * w.dz, zb = w.pz + te * w.dz;
    ty_real nearest = w.side > TY_R(0.0) ? ty_k_min(za, zb) : -ty_k_max(za, zb);
    ty_real limit = w.side > TY_R(0.0) ? bound : -bound;
    ty_i32 may = (nearest <= limit) & (w.leaf == 0);
    ty_i32 down = may & (w.level > 0), leaf = may & (w.level == 0), past = 1 - may;
    /* the child in which the ray is */
    ty_i32 below = w.level - (w.level > 0);
    ty_i32 kx = 2 * w.ix + (w.px + w.t * w.dx >= (ty_real)((2 * w.ix + 1) << below));
    ty_i32 ky = 2 * w.iy + (w.py + w.t * w.dy >= (ty_real)((2 * w.iy + 1) << below));
    kx = kx << below < cx ? kx : kx - 1;
    ky = ky << below < cy ? ky : ky - 1;
    /* the next node past this one; its parent when it is the first of it */
    ty_i32 cross_x = tx < ty;
    ty_i32 nx = w.ix + (cross_x ? 2 * sx - 1 : 0), ny = w.iy + (cross_x ? 0 : 2 * sy - 1);
    ty_i32 out = (te >= w.t1) | (nx < 0) | (ny < 0) | ((ty_i32)((ty_u32)nx << w.level) >= cx) |
                 ((ty_i32)((ty_u32)ny << w.level) >= cy);
    ty_i32 up = (cross_x ? (nx & 1) == 1 - sx : (ny & 1) == 1 - sy) & (w.level < levels - 1);
    ty_k_walk n = w;
    n.ix = down ? kx : past ? nx >> up : w.ix;
    n.iy = down ? ky : past ? ny >> up : w.iy;
    n.level = down ? below : past ? w.level + up : w.level;
    n.t = past ? ty_k_max(te, w.t) : w.t;
    n.leaf = leaf;
    n.end = w.end | (past & out);
    return n;
}

/* tests the cell that the walk stopped at: where it is crossed [m], or -1 */
TY_KFN ty_real ty_k_walk_test(ty_k_field field, TY_GLOBAL const float *h, ty_k_walk w)
{
    ty_k_line r = { w.px, w.py, w.pz, w.dx, w.dy, w.dz };
    return ty_k_cell_crossing(h + w.iy * field.stride + w.ix, field.stride, w.ix, w.iy, r, w.side, w.t,
                              ty_k_walk_exit(w));
}

/* First crossing between t0 and t1 [m], or -1. top, bottom: bounds of the nodes, all levels. */
TY_KFN ty_real ty_k_field_ray(ty_k_field field, TY_GLOBAL const float *h, TY_GLOBAL const float *top,
                              TY_GLOBAL const float *bottom, ty_k_line r, ty_real t0, ty_real t1)
{
    ty_k_walk w = ty_k_walk_start(field, h, top, r, t0, t1);
    /* every node is left at most once: the count only guards against a ray of NaNs */
    for (ty_i32 guard = 64 * (field.cx + field.cy + 64); guard > 0 && !w.end; guard--) {
        ty_i32 node = field.start[w.level] + w.iy * field.width[w.level] + w.ix;
        w = ty_k_walk_step(field.cx, field.cy, field.levels, (ty_real)(w.side > TY_R(0.0) ? top[node] : bottom[node]),
                           w);
        if (w.leaf) {
            ty_real hit = ty_k_walk_test(field, h, w);
            if (hit >= TY_R(0.0)) {
                return hit;
            }
        }
    }
    return TY_R(-1.0);
}

/* The steepest slope [-] (rise over horizontal distance) under which the field is seen from a point along a
 * horizontal direction, at distances between t0 and t1 [m]; best where nothing rises above best. px, py [cells] and
 * pz [m]: the point; dx, dy: the direction, cells per metre. Nodes that cannot rise above the best so far are passed
 * over, so the cost is that of a ray; in a cell the surface is sampled four times. From the slope `enough` on it
 * looks no further. */
TY_KFN ty_real ty_k_field_horizon(ty_k_field field, TY_GLOBAL const float *h, TY_GLOBAL const float *top, ty_real px,
                                  ty_real py, ty_real pz, ty_real dx, ty_real dy, ty_real t0, ty_real t1, ty_real best,
                                  ty_real enough)
{
    /* the line of sight as a walk: its height is best * t and rises with best. Starting high keeps start() from
     * testing the surface; the walk's own bounds test is replaced by raising the line. */
    ty_k_line line = { px, py, pz, dx, dy, TY_R(0.0) };
    const ty_real far = TY_R(1e30);
    ty_k_walk w = { px, py, pz, dx, dy, TY_R(0.0), far, far, t0, t1, TY_R(1.0), 0, 0, 0, 0, 1 };
    w.idx = dx != TY_R(0.0) ? TY_R(1.0) / dx : far;
    w.idy = dy != TY_R(0.0) ? TY_R(1.0) / dy : far;
    ty_real xa = (TY_R(0.0) - px) * w.idx, xb = ((ty_real)field.cx - px) * w.idx;
    ty_real ya = (TY_R(0.0) - py) * w.idy, yb = ((ty_real)field.cy - py) * w.idy;
    w.t = ty_k_max(t0, ty_k_max(ty_k_min(xa, xb), ty_k_min(ya, yb)));
    w.t1 = ty_k_min(t1, ty_k_min(ty_k_max(xa, xb), ty_k_max(ya, yb)));
    if (!(w.t < w.t1) || best >= enough) {
        return best;
    }
    w.level = field.levels - 1 < TY_K_RAY_START ? field.levels - 1 : TY_K_RAY_START;
    w.ix = (ty_i32)ty_k_clamp(px + w.t * dx, TY_R(0.0), (ty_real)(field.cx - 1)) >> w.level;
    w.iy = (ty_i32)ty_k_clamp(py + w.t * dy, TY_R(0.0), (ty_real)(field.cy - 1)) >> w.level;
    w.end = 0;
    for (ty_i32 guard = 64 * (field.cx + field.cy + 64); guard > 0 && !w.end && best < enough; guard--) {
        /* under a rising line the gap is smallest at the near end, under a falling one at the far end */
        ty_real te = ty_k_walk_exit(w), low = pz + best * (best > TY_R(0.0) ? w.t : te);
        ty_real over = (ty_real)top[field.start[w.level] + w.iy * field.width[w.level] + w.ix] - low;
        w = ty_k_walk_step(field.cx, field.cy, field.levels, pz + over, w);
        for (int k = 0; w.leaf && k < 4; k++) {
            ty_real t = w.t + (te - w.t) * TY_R(0.25) * ((ty_real)k + TY_R(0.5));
            ty_k_gap gap = ty_k_cell_gap(h + w.iy * field.stride + w.ix, field.stride, w.ix, w.iy, line, TY_R(1.0), t);
            best = t > TY_R(0.0) ? ty_k_max(best, -gap.f / t) : best;
        }
    }
    return best;
}

#endif
