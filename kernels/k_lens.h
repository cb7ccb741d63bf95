/* kernels/k_lens.h - what a lens adds besides the image: veil, ghosts, dust.
 *
 * Lengths on the image plane are in pixels. These are plausible shapes with few parameters, not the
 * measured stray light of a lens.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_LENS_H
#define TY_K_LENS_H
#include "k_base.h"

/* Cosine of the angle off the axis at (a, b) from the image's centre, focal length f in the same
 * unit: cos(atan(sqrt(a^2 + b^2)/f))   [lunar] (4b) */
TY_KFN ty_real ty_k_axis_cos(ty_real a, ty_real b, ty_real f)
{
    return f / sqrt(a * a + b * b + f * f);
}

/* Share of a point's stray light that falls on a unit of area at distance r; core [px] is the
 * radius within which the share stays even. Falls as r^-3; over the whole plane it adds up to 1.
 *     core / (2 pi (core^2 + r^2)^(3/2)) */
TY_KFN ty_real ty_k_glare(ty_real core, ty_real r2)
{
    ty_real s = core * core + r2;
    return core / (TY_R(2.0) * TY_K_PI * s * sqrt(s));
}

/* Strength of a ghost of a source at a distance from the axis, r2 its square in units of half the
 * shorter side: the lens lets less and less of it through, none at the edge.   (1 - r^2)^2 */
TY_KFN ty_real ty_k_ghost(ty_real r2)
{
    ty_real q = ty_k_max(TY_R(1.0) - r2, TY_R(0.0));
    return q * q;
}

/* Light that is left at a distance from the middle, r2 its square in units of half the diagonal; corner [-]: what is left in the corners.
 *     1 - (1 - corner) r^2 */
TY_KFN ty_real ty_k_vignette(ty_real corner, ty_real r2)
{
    return TY_R(1.0) - (TY_R(1.0) - corner) * r2;
}

/* Light that passes a speck of dust out of focus: 1 - opacity in its middle, smoothly 1 at radius.
 *     1 - opacity (1 - (r/radius)^2)^2 */
TY_KFN ty_real ty_k_dust(ty_real opacity, ty_real radius, ty_real r2)
{
    ty_real q = TY_R(1.0) - r2 / (radius * radius);
    return q > TY_R(0.0) ? TY_R(1.0) - opacity * q * q : TY_R(1.0);
}

#endif
