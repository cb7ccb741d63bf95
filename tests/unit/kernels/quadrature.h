/* tests/unit/kernels/quadrature.h - integrals over the hemisphere by Gauss-Legendre, for the tests of light.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef QUADRATURE_H
#define QUADRATURE_H
#include "k_brdf.h"
#include "k_hapke.h"

#define GAUSS 24

typedef struct gauss {
    double node[GAUSS], weight[GAUSS]; /* on 0..1 */
} gauss;

gauss gauss_make(void);
static inline double gauss_at(const gauss *g, int k, double low, double high)
{
    return low + g->node[k] * (high - low);
}

/* Directional albedo int f mu0 dOmega of a material (of hapke where it is not NULL) seen at angle e [rad]. */
double albedo_of(ty_k_brdf material, const ty_k_hapke *hapke, double e);

#endif
