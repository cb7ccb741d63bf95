/* kernels/k_spad.h - photon timing by single-photon avalanche diodes.
 *
 * Times in seconds from the moment the pulse leaves; a histogram's bin i covers [i dt, (i + 1) dt).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SPAD_H
#define TY_K_SPAD_H
#include "k_base.h"
#include "k_noise.h"
#include "k_philox.h"

#define TY_K_LIGHT TY_R(299792458.0) /* [m/s] */

/* Share of a pulse's photons that are registered before t, the echo's middle being at 0: a pulse of
 * even power over `length` [s], seen through Gaussian jitter sigma [s] > 0 (of diode, timer and
 * pulse together).
 *
 *     F(t) = sigma/length (G((t + length/2)/sigma) - G((t - length/2)/sigma))
 *     G(x) = x Phi(x) + phi(x), the integral of the normal distribution;   length -> 0:
 * Phi(t/sigma) */
TY_KFN ty_real ty_k_normal_cdf(ty_real x)
{
    return TY_R(0.5) * erfc(-x * TY_R(0.70710678118654752440));
}
TY_KFN ty_real ty_k_spad_before(ty_real t, ty_real length, ty_real sigma)
{
    ty_real a = (t - TY_R(0.5) * length) / sigma, b = (t + TY_R(0.5) * length) / sigma;
    if (b - a < TY_R(1e-3)) { /* the pulse is far shorter than the jitter: no difference of nearly
                                 equal numbers */
        return ty_k_normal_cdf(t / sigma);
    }
    const ty_real norm = TY_R(0.39894228040143267794);
    ty_real ga = a * ty_k_normal_cdf(a) + norm * exp(TY_R(-0.5) * a * a);
    ty_real gb = b * ty_k_normal_cdf(b) + norm * exp(TY_R(-0.5) * b * b);
    return (gb - ga) / (b - a);
}

/* Photons of one pulse that the diode would register from a surface with all the light: `white` is
 * their number for a white Lambertian surface facing it 1 m away. r = BRDF cos(i) [1/sr]. */
TY_KFN ty_real ty_k_spad_photons(ty_real white, ty_real r, ty_real R)
{
    return white * TY_K_PI * r / (R * R);
}

/* Pile-up. A diode that fires is blind for its dead time. In a cycle that starts with a live diode,
 * with lambda the mean number of photons of a bin and `busy` the probability that it fired within
 * the dead time before the bin, it fires in the bin with
 *
 *     p = (1 - busy) (1 - exp(-lambda))
 *
 * The firings that make `busy` exclude each other, so that busy is the sum of their p. With a dead
 * time longer than the cycle this is the law of single-photon counting [coates1968]:
 * p_i = exp(-sum of lambda_j, j < i) (1 - exp(-lambda_i)). */
TY_KFN ty_real ty_k_spad_fire(ty_real busy, ty_real lambda)
{
    return (TY_R(1.0) - busy) * -expm1(-lambda);
}
/* The mean number of photons from counts, [coates1968]: n counts in the bin, `live` cycles in which
 * the diode could have fired. */
TY_KFN ty_real ty_k_spad_coates(ty_real n, ty_real live)
{
    return live > n ? -log1p(-n / live) : TY_R(0.0);
}

/* A count of a binomial law: n trials of chance p, from four random words. Exact by adding up the
 * law for means (of hits or of misses) up to TY_K_POISSON_EXACT, then by the quantile of Cornish
 * and Fisher to the third cumulant [cornish1938], rounded. */
TY_KFN ty_real ty_k_binomial(ty_real n, ty_real p, ty_k_u32x4 r)
{
    int flip = p > TY_R(0.5);
    ty_real q = flip ? TY_R(1.0) - p : p, mean = n * q;
    if (!(mean > TY_R(0.0))) {
        return flip ? n : TY_R(0.0);
    }
    ty_real count = TY_R(0.0);
    if (mean <= TY_K_POISSON_EXACT) {
        ty_real u = ty_k_uniform_fine(r.v[0], r.v[1]);
        ty_real chance = exp(n * log1p(-q)), sum = chance, odds = q / (TY_R(1.0) - q);
        while (u > sum && count < n && (count < mean || chance > TY_K_POISSON_END)) {
            chance *= odds * (n - count) / (count + TY_R(1.0));
            count += TY_R(1.0);
            sum += chance;
        }
    } else {
        ty_real z = ty_k_normal(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), 0);
        ty_real s = sqrt(mean * (TY_R(1.0) - q) - TY_R(1.0 / 12.0));
        ty_real x = mean + s * z + (TY_R(1.0) - TY_R(2.0) * q) * (z * z - TY_R(1.0)) / TY_R(6.0);
        count = ty_k_clamp(floor(x + TY_R(0.5)), TY_R(0.0), n);
    }
    return flip ? n - count : count;
}

#endif
