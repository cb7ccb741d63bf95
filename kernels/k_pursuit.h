/* kernels/k_pursuit.h - following a path.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_PURSUIT_H
#define TY_K_PURSUIT_H
#include "k_base.h"

/* An angle [rad] brought to -pi .. pi. */
TY_KFN ty_real ty_k_wrap(ty_real angle)
{
    return angle - TY_R(2.0) * TY_K_PI * floor(angle / (TY_R(2.0) * TY_K_PI) + TY_R(0.5));
}

/* Pure pursuit [coulter1992]: the curvature [1/m] of the arc that starts along the heading and goes
 * through a point that lies `forth` ahead and `left` to the left [m]: kappa = 2 left / (forth^2 +
 * left^2) */
TY_KFN ty_real ty_k_pursuit(ty_real forth, ty_real left)
{
    ty_real d2 = forth * forth + left * left;
    return d2 > TY_R(0.0) ? TY_R(2.0) * left / d2 : TY_R(0.0);
}

#endif
