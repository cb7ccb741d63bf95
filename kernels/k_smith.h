/* kernels/k_smith.h - how much of a rough surface lies in its own shadow.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SMITH_H
#define TY_K_SMITH_H
#include "k_base.h"

/* Share of a surface that light reaches, seen from above: heights and slopes Gaussian and independent of each other.
 *
 *     S = (1 - erfc(q) / 2) / (1 + Lambda),  q = mu / (sqrt(2) w)
 *     Lambda = (sqrt(2 / pi) (w / mu) exp(-q^2) - erfc(q)) / 2           [smith1967] (21), (24)
 *
 * mu [-] tangent of the light's elevation, > 0; w [-] root-mean-square slope along the light's azimuth, > 0.
 * Returns [-] 0 to 1. */
TY_KFN ty_real ty_k_smith_lit(ty_real mu, ty_real w)
{
    ty_real q = mu / (TY_R(1.4142135623730951) * w), beyond = erfc(q);
    ty_real lambda = TY_R(0.5) * (TY_R(0.7978845608028654) * (w / mu) * exp(-q * q) - beyond);
    return (TY_R(1.0) - TY_R(0.5) * beyond) / (TY_R(1.0) + lambda);
}

#endif
