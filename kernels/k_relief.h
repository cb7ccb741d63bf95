/* kernels/k_relief.h - the random numbers of the relief.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_RELIEF_H
#define TY_K_RELIEF_H
#include "k_philox.h"

/* Unit-variance, zero-mean noise from 32 random bits: the sum of two 16-bit uniform numbers (triangular).
 * Its variance is 2 (2^32 - 1) / 12; the sum over levels is close to normal, so nothing finer is needed. */
TY_KFN float ty_k_relief_unit(ty_u32 bits)
{
    return ((float)(bits & 0xffffu) + (float)(bits >> 16) - 65535.0f) * 3.7376247e-5f;
}

/* The same with few high and many low values: v^8 of the mean v of the two uniform numbers, less its mean 1022/23040, over
 * its standard deviation (its mean square is 262142/20054016); -0.42 to 9.1. Crumbs stand on soil so and, upside down,
 * pits lie in it. Ours: most soil is smooth, and the shadows of a low Sun come from the few steep places. */
TY_KFN float ty_k_relief_crumb(ty_u32 bits)
{
    float v = ((float)(bits & 0xffffu) + (float)(bits >> 16)) * (1.0f / 131070.0f), vv = v * v;
    vv *= vv;
    return (vv * vv - 0.04435764f) * 9.4898272f;
}

/* The same with some high and more low values: v^3, whose mean is 3/16 and whose variance is 1/28; -0.99 to 4.3. Hummocks
 * and, upside down, soft hollows of some decimetres. */
TY_KFN float ty_k_relief_hummock(ty_u32 bits)
{
    float v = ((float)(bits & 0xffffu) + (float)(bits >> 16)) * (1.0f / 131070.0f);
    return (v * v * v - 0.1875f) * 5.2915026f;
}

/* A bump, at the squared distance tt [reaches^2] from its middle: (1 - t^2)^3. One in each cell of a lattice, at a place in it
 * that is spread evenly, with heights of zero mean and unit variance, makes noise whose covariance is that of one bump and
 * knows of no lattice. BUMP_UNIT makes its variance 1: the integral of (1 - t^2)^6 over the circle is pi / 7. */
#define TY_K_RELIEF_BUMP_REACH 1.4 /* [cells] */
#define TY_K_RELIEF_BUMP_UNIT  (1.0 / (TY_K_RELIEF_BUMP_REACH * 0.6699239))
TY_KFN ty_real ty_k_relief_bump(ty_real tt)
{
    ty_real u = ty_k_max(TY_R(1.0) - tt, TY_R(0.0));
    return u * u * u;
}

/* Four neighbouring samples of one row share one call: sample i uses word i & 3 of block i >> 2. key: from the seed. */
TY_KFN ty_k_u32x4 ty_k_relief_bits(ty_i32 block, ty_i32 j, ty_i32 level, ty_u32 key)
{
    return ty_k_philox((ty_u32)block, (ty_u32)j, (ty_u32)level, 0, key, TY_RNG_RELIEF);
}

/* What is left of the noise of a wavelength below the inner one, where the law that was measured on longer waves ends:
 * exp(-(inner / wavelength)^2) of its height. Ours: craters and the soil's own roughness make what is shorter.
 * wavelength [m], inner [m], 0: none; returns [-] */
TY_KFN ty_real ty_k_relief_taper(ty_real wavelength, ty_real inner)
{
    ty_real x = inner / wavelength;
    return exp(-x * x);
}

/* How strong the soil's own roughness is from patch to patch: log-normal, with a mean square of 1. normal [-] a standard
 * normal number, patchy [-] its standard deviation in the logarithm. */
TY_KFN ty_real ty_k_relief_patch(ty_real normal, ty_real patchy)
{
    return exp(patchy * normal - patchy * patchy);
}

/* How much rougher the soil is at s radii from the centre of a crater, on top of 1: broken clods on floor and rim of a
 * new one, twice the roughness elsewhere; gone at 1.7 radii, and for nine in ten. Ours, by photographs.
 * freshness [-] as in k_crater.h; returns [-] */
#define TY_K_RELIEF_CLODS_REACH 1.7 /* [radii] */
TY_KFN ty_real ty_k_relief_clods(ty_real s, ty_real freshness)
{
    ty_real near = ty_k_clamp((TY_R(1.7) - s) * TY_R(2.0), TY_R(0.0), TY_R(1.0));
    return near * ty_k_clamp((freshness - TY_R(0.6)) * TY_R(5.0), TY_R(0.0), TY_R(1.0));
}

/* Mean square difference of height over a lag, of relief with the one-sided power spectrum S(f) = A f^-(2H+1):
 *
 *     D(lag) = 2 integral_0^inf S(f) (1 - cos(2 pi f lag)) df = A (2 pi lag)^2H pi / (Gamma(2H+1) sin(pi H))
 *
 * A [m^(2-2H)], H [-] in (0, 1), lag [m]; returns [m2]. The integral of (1 - cos u) u^-(2H+1) is
 * pi / (2 Gamma(2H+1) sin(pi H)) [gradshteyn2007] 3.823. */
TY_KFN ty_real ty_k_relief_structure(ty_real A, ty_real H, ty_real lag)
{
    ty_real p = TY_R(2.0) * H;
    return A * pow(TY_R(2.0) * TY_K_PI * lag, p) * TY_K_PI / (tgamma(p + TY_R(1.0)) * sin(TY_K_PI * H));
}

#endif
