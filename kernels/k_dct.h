/* kernels/k_dct.h - what compression by blocks of 8 x 8 cosines does to an image, as JPEG does it.
 *
 * [t81] is ITU-T T.81: transform A.3.3, example tables K.1 (luminance) and K.2 (chrominance). How a
 * quality of 1 to 100 scales them is the custom of the IJG's library.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_DCT_H
#define TY_K_DCT_H
#include "k_base.h"

/* Entry (u, x) of the orthonormal transform of 8 samples: c(u)/2 cos((2 x + 1) u pi/16).   [t81]
 * A.3.3 */
TY_KFN ty_real ty_k_dct8(int u, int x)
{
    ty_real c = u ? TY_R(0.5) : TY_R(0.35355339059327376220);
    return c * cos((ty_real)((2 * x + 1) * u) * (TY_K_PI / TY_R(16.0)));
}

/* Step of an entry of a table at a quality of 1 to 100, limited to 1 .. 255 (IJG). */
TY_KFN int ty_k_jpeg_step(int entry, int quality)
{
    int scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    int step = (entry * scale + 50) / 100;
    return step < 1 ? 1 : step > 255 ? 255 : step;
}

/* A coefficient after rounding to its step. */
TY_KFN ty_real ty_k_jpeg_round(ty_real coefficient, int step)
{
    ty_real s = (ty_real)step;
    return coefficient < TY_R(0.0) ? -s * floor(-coefficient / s + TY_R(0.5)) : s * floor(coefficient / s + TY_R(0.5));
}

/* Brightness and colour differences of red, green and blue, and back ([t871], JFIF, by BT.601). */
TY_KFN ty_real ty_k_luma(ty_real r, ty_real g, ty_real b)
{
    return TY_R(0.299) * r + TY_R(0.587) * g + TY_R(0.114) * b;
}
TY_KFN ty_real ty_k_chroma_blue(ty_real luma, ty_real b)
{
    return (b - luma) / TY_R(1.772);
}
TY_KFN ty_real ty_k_chroma_red(ty_real luma, ty_real r)
{
    return (r - luma) / TY_R(1.402);
}
TY_KFN ty_real ty_k_chroma_to_blue(ty_real luma, ty_real cb)
{
    return luma + TY_R(1.772) * cb;
}
TY_KFN ty_real ty_k_chroma_to_red(ty_real luma, ty_real cr)
{
    return luma + TY_R(1.402) * cr;
}
TY_KFN ty_real ty_k_luma_to_green(ty_real luma, ty_real r, ty_real b)
{
    return (luma - TY_R(0.299) * r - TY_R(0.114) * b) / TY_R(0.587);
}

#endif
