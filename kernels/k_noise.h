/* kernels/k_noise.h - counts of a Poisson law, dark current over temperature, uneven pixels.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_NOISE_H
#define TY_K_NOISE_H
#include "k_base.h"
#include "k_philox.h"

#define TY_K_POISSON_EXACT TY_R(64.0) /* means up to this are drawn exactly */
#ifdef TY_KERNEL_FLOAT
#define TY_K_POISSON_END TY_R(1e-9) /* terms past the mean that a sum no longer feels */
#define TY_K_BELOW_ONE   TY_R(0.99999994)
#else
#define TY_K_POISSON_END TY_R(1e-18)
#define TY_K_BELOW_ONE   TY_R(0.9999999999999999)
#endif

/* Uniform in (0, 1) with all the digits ty_real holds, for tails: two words instead of one. */
TY_KFN ty_real ty_k_uniform_fine(ty_u32 high, ty_u32 low)
{
    const ty_real step = TY_R(1.0 / 4294967296.0);
    ty_real u = ((ty_real)high + ((ty_real)low + TY_R(0.5)) * step) * step;
    return ty_k_min(u, TY_K_BELOW_ONE); /* rounding may reach 1 */
}

/* A count of mean m > 0 from a uniform number u: exact by adding up the law, for m up to
 * TY_K_POISSON_EXACT. It ends where the terms are lost in the sum's rounding. */
TY_KFN ty_real ty_k_poisson_small(ty_real m, ty_real u)
{
    ty_real chance = exp(-m), sum = chance;
    int k = 0;
    while (u > sum && ((ty_real)k < m || chance > TY_K_POISSON_END)) {
        k++;
        chance *= m / (ty_real)k;
        sum += chance;
    }
    return (ty_real)k;
}
/* The same from a standard normal number z, for large m: the quantile of Cornish and Fisher to the
 * third cumulant's square [cornish1938], rounded; the variance less 1/12 for the rounding
 * (Sheppard). x = m + s z + (z^2 - 1)/6 + (z - z^3)/(72 s), s^2 = m - 1/12 */
TY_KFN ty_real ty_k_poisson_large(ty_real m, ty_real z)
{
    ty_real s = sqrt(m - TY_R(1.0 / 12.0));
    ty_real x = m + s * z + (z * z - TY_R(1.0)) / TY_R(6.0) + (z - z * z * z) / (TY_R(72.0) * s);
    return ty_k_max(floor(x + TY_R(0.5)), TY_R(0.0));
}
/* A count of mean m from four random words; 0 for m <= 0 and for NaN. */
TY_KFN ty_real ty_k_poisson(ty_real m, ty_k_u32x4 r)
{
    if (!(m > TY_R(0.0))) {
        return TY_R(0.0);
    }
    if (m <= TY_K_POISSON_EXACT) {
        return ty_k_poisson_small(m, ty_k_uniform_fine(r.v[0], r.v[1]));
    }
    return ty_k_poisson_large(m, ty_k_normal(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), 0));
}

/* Dark current [1/s] at temperature T, given at T0 and doubling every `doubling` [K].   [emva1288] */
TY_KFN ty_real ty_k_dark_rate(ty_real rate, ty_real T, ty_real T0, ty_real doubling)
{
    return rate * exp2((T - T0) / doubling);
}

/* Rate of a hot pixel [1/s] from a uniform number: exponential law of the given mean. */
TY_KFN ty_real ty_k_hot_rate(ty_real mean, ty_real u)
{
    return -mean * log(u);
}

#endif
