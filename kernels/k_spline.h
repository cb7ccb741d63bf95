/* kernels/k_spline.h - the surface between samples, and how a coarse grid becomes a fine one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SPLINE_H
#define TY_K_SPLINE_H
#include "k_base.h"

/* Catmull-Rom weights of four samples at -1, 0, 1, 2 for a place u in [0, 1], Catmull and Rom 1974 [catmull1974]:
 * the cubic through samples 0 and 1 whose slope at each sample is the central difference, so that value
 * and slope are continuous from cell to cell.
 *
 *     p(u) = w0 p(-1) + w1 p(0) + w2 p(1) + w3 p(2)            */
TY_KFN ty_real4 ty_k_spline_weights(ty_real u)
{
    const ty_real4 a = TY_R4(TY_R(-0.5), TY_R(1.5), TY_R(-1.5), TY_R(0.5));
    const ty_real4 b = TY_R4(TY_R(1.0), TY_R(-2.5), TY_R(2.0), TY_R(-0.5));
    const ty_real4 c = TY_R4(TY_R(-0.5), TY_R(0.0), TY_R(0.5), TY_R(0.0));
    const ty_real4 d = TY_R4(TY_R(0.0), TY_R(1.0), TY_R(0.0), TY_R(0.0));
    return ((a * u + b) * u + c) * u + d;
}

/* d/du of the same weights, per cell */
TY_KFN ty_real4 ty_k_spline_slopes(ty_real u)
{
    const ty_real4 a = TY_R4(TY_R(-1.5), TY_R(4.5), TY_R(-4.5), TY_R(1.5));
    const ty_real4 b = TY_R4(TY_R(2.0), TY_R(-5.0), TY_R(4.0), TY_R(-1.0));
    const ty_real4 c = TY_R4(TY_R(-0.5), TY_R(0.0), TY_R(0.5), TY_R(0.0));
    return (a * u + b) * u + c;
}

typedef struct ty_k_ground {
    ty_real z, zx, zy; /* height [m], its slopes per cell [m] */
} ty_k_ground;

/* Height and slopes of the cell whose 4 x 4 samples start at h, at u, v in [0, 1]. */
TY_KFN ty_k_ground ty_k_cell(TY_GLOBAL const float *h, ty_i32 stride, ty_real u, ty_real v)
{
    ty_real4 wu = ty_k_spline_weights(u), wv = ty_k_spline_weights(v);
    ty_real4 su = ty_k_spline_slopes(u), sv = ty_k_spline_slopes(v);
    ty_real4 r0 = TY_LOAD4(h), r1 = TY_LOAD4(h + stride), r2 = TY_LOAD4(h + 2 * stride), r3 = TY_LOAD4(h + 3 * stride);
    /* across the rows first; then the four columns are weighted */
    ty_real4 c = (r0 * TY_LANE(wv, 0) + r1 * TY_LANE(wv, 1)) + (r2 * TY_LANE(wv, 2) + r3 * TY_LANE(wv, 3));
    ty_real4 cy = (r0 * TY_LANE(sv, 0) + r1 * TY_LANE(sv, 1)) + (r2 * TY_LANE(sv, 2) + r3 * TY_LANE(sv, 3));
    ty_k_ground g = { TY_DOT4(wu, c), TY_DOT4(su, c), TY_DOT4(wu, cy) };
    return g;
}

/* Sample halfway between b and c of the row a, b, c, d: the 4-point scheme of Deslauriers and Dubuc 1989
 * [deslauriers1989], which is the Catmull-Rom spline at u = 1/2. Exact for cubics. */
TY_KFN double ty_k_subdivide(double a, double b, double c, double d)
{
    return (9.0 * (b + c) - (a + d)) * 0.0625;
}

#endif
