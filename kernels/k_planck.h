/* kernels/k_planck.h - how much of a black body's light falls into a band.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_PLANCK_H
#define TY_K_PLANCK_H
#include "k_base.h"

/* Fraction [-] of a black body's exitance at wavelengths below lambda [m], temperature [K]; x = h c / (lambda k T):
 *     F = 15/pi^4 sum_n exp(-n x) (x^3/n + 3 x^2/n^2 + 6 x/n^3 + 6/n^4)   [siegel1992] (1-33) */
TY_KFN ty_real ty_k_planck_below(ty_real lambda, ty_real temperature)
{
    /* second radiation constant, CODATA 2018 */
    ty_real x = TY_R(0.01438776877) / (lambda * temperature), sum = TY_R(0.0);
    for (int n = 1; n < 40; n++) {
        ty_real m = TY_R(1.0) / (ty_real)n;
        sum += exp(-(ty_real)n * x) * m * (x * x * x + m * (TY_R(3.0) * x * x + m * (TY_R(6.0) * x + m * TY_R(6.0))));
    }
    return ty_k_min(TY_R(0.153989733820265) * sum, TY_R(1.0)); /* 15/pi^4 */
}

/* Share [-] of the Sun's irradiance between two wavelengths [m], the Sun as a black body of 5772 K [prsa2016].
 * Against the measured spectrum within 7 % over bands of 100 nm from 400 to 900 nm. */
TY_KFN ty_real ty_k_sun_share(ty_real low, ty_real high)
{
    return ty_k_planck_below(high, TY_R(5772.0)) - ty_k_planck_below(low, TY_R(5772.0));
}

#endif
