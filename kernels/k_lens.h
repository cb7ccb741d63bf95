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

/* ---- stray light on a coarse grid ----
 * Veil and ghosts are wide and smooth: they are made from the means over cells of the image and brought back by interpolation between the
 * cells' middles. */
typedef struct ty_k_veil {
    int cell, w, h;    /* [px] side of a cell; cells */
    int width, height; /* [px] of the image */
} ty_k_veil;

/* Mean of a cell; those at the edge count only the pixels they have, but divide by a whole cell: what is outside the image
 * gives no light. image: its first pixel; step, row: from one pixel, one row to the next. */
TY_KFN float ty_k_veil_mean(ty_k_veil v, TY_GLOBAL const float *image, int step, int row, int i, int j)
{
    ty_real sum = TY_R(0.0);
    for (int y = j * v.cell; y < (j + 1) * v.cell && y < v.height; y++) {
        for (int x = i * v.cell; x < (i + 1) * v.cell && x < v.width; x++) {
            sum += (ty_real)image[y * row + x * step];
        }
    }
    return (float)(sum / ((ty_real)v.cell * (ty_real)v.cell));
}
/* Stray light in a cell, from all of them; weight: ty_k_glare()'s means by distance, (2 w - 1) x (2 h - 1). */
TY_KFN float ty_k_veil_stray(ty_k_veil v, TY_GLOBAL const float *weight, TY_GLOBAL const float *mean, int i, int j)
{
    float sum = 0.0f;
    for (int l = 0; l < v.h; l++) {
        TY_GLOBAL const float *to = weight + (j - l + v.h - 1) * (2 * v.w - 1) + i + v.w - 1, *from = mean + l * v.w;
        for (int k = 0; k < v.w; k++) {
            sum += to[-k] * from[k];
        }
    }
    return sum;
}
/* value of a grid at a place of the image [px]; beyond the outer middles it stays as there */
TY_KFN ty_real ty_k_veil_between(ty_k_veil v, TY_GLOBAL const float *grid, ty_real x, ty_real y)
{
    ty_real u = ty_k_clamp(x / (ty_real)v.cell - TY_R(0.5), TY_R(0.0), (ty_real)(v.w - 1));
    ty_real t = ty_k_clamp(y / (ty_real)v.cell - TY_R(0.5), TY_R(0.0), (ty_real)(v.h - 1));
    int i = (int)u, j = (int)t, i1 = i + 1 < v.w ? i + 1 : i, j1 = j + 1 < v.h ? j + 1 : j;
    TY_GLOBAL const float *a = grid + j * v.w, *b = grid + j1 * v.w;
    u -= (ty_real)i, t -= (ty_real)j;
    return (TY_R(1.0) - t) * ((TY_R(1.0) - u) * (ty_real)a[i] + u * (ty_real)a[i1]) +
           t * ((TY_R(1.0) - u) * (ty_real)b[i] + u * (ty_real)b[i1]);
}
/* radiance with the veil over it; stray: ty_k_veil_stray()'s */
TY_KFN ty_real ty_k_veil_glared(ty_k_veil v, TY_GLOBAL const float *stray, ty_real x, ty_real y, ty_real share,
                                ty_real radiance)
{
    return (TY_R(1.0) - share) * radiance + share * ty_k_veil_between(v, stray, x, y);
}
/* radiance with three ghosts over it; mean: ty_k_veil_mean()'s. Sizes of the ghosts against the image, upside down where
 * negative, are plausible reflections between lens faces, of no certain lens. */
TY_KFN ty_real ty_k_veil_flared(ty_k_veil v, TY_GLOBAL const float *mean, ty_real x, ty_real y, ty_real share,
                                ty_real radiance)
{
    const ty_real ghost[3] = { TY_R(-0.45), TY_R(-0.8), TY_R(0.3) };
    ty_real sum = TY_R(0.0), cx = TY_R(0.5) * (ty_real)v.width, cy = TY_R(0.5) * (ty_real)v.height;
    ty_real reach = ty_k_min(cx, cy);
    for (int g = 0; g < 3; g++) {
        ty_real dx = (x - cx) / ghost[g], dy = (y - cy) / ghost[g];
        ty_real strength = ty_k_ghost((dx * dx + dy * dy) / (reach * reach));
        if (strength > TY_R(0.0)) { /* the same light, on less area */
            sum += strength * ty_k_veil_between(v, mean, cx + dx, cy + dy) / (ghost[g] * ghost[g]);
        }
    }
    return (TY_R(1.0) - TY_R(3.0) * share) * radiance + share * sum;
}

/* Light that passes a speck of dust out of focus: 1 - opacity in its middle, smoothly 1 at radius.
 *     1 - opacity (1 - (r/radius)^2)^2 */
TY_KFN ty_real ty_k_dust(ty_real opacity, ty_real radius, ty_real r2)
{
    ty_real q = TY_R(1.0) - r2 / (radius * radius);
    return q > TY_R(0.0) ? TY_R(1.0) - opacity * q * q : TY_R(1.0);
}

#endif
