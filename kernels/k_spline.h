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
TY_KFN void ty_k_spline_weights(ty_real u, ty_real w[4])
{
    ty_real v = TY_R(1.0) - u;
    w[0] = TY_R(-0.5) * u * v * v;
    w[1] = TY_R(1.0) + u * u * (TY_R(1.5) * u - TY_R(2.5));
    w[2] = TY_R(1.0) + v * v * (TY_R(1.5) * v - TY_R(2.5));
    w[3] = TY_R(-0.5) * v * u * u;
}

/* d/du of the same weights, per cell */
TY_KFN void ty_k_spline_slopes(ty_real u, ty_real w[4])
{
    w[0] = TY_R(-0.5) + u * (TY_R(2.0) - TY_R(1.5) * u);
    w[1] = u * (TY_R(4.5) * u - TY_R(5.0));
    w[2] = TY_R(0.5) + u * (TY_R(4.0) - TY_R(4.5) * u);
    w[3] = u * (TY_R(1.5) * u - TY_R(1.0));
}

/* Sample halfway between b and c of the row a, b, c, d: the 4-point scheme of Deslauriers and Dubuc 1989
 * [deslauriers1989], which is the Catmull-Rom spline at u = 1/2. Exact for cubics. */
TY_KFN double ty_k_subdivide(double a, double b, double c, double d)
{
    return (9.0 * (b + c) - (a + d)) * 0.0625;
}

#endif
