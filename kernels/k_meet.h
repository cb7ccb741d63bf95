/* kernels/k_meet.h - when two that move will touch.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_MEET_H
#define TY_K_MEET_H
#include "k_base.h"

/* Velocity obstacles [fiorini1998]: the time [s] at which the distance of two discs' centres becomes r, the sum of their radii [m], when
 * the other lies at (x, y) [m] and one moves with (vx, vy) [m/s] relative to it: the smaller root of |p - v t|^2 = r^2. 0: they are as near
 * and come nearer; -1: they never meet. */
TY_KFN ty_real ty_k_meet(ty_real x, ty_real y, ty_real vx, ty_real vy, ty_real r)
{
    ty_real closing = x * vx + y * vy, speed2 = vx * vx + vy * vy, apart = x * x + y * y - r * r;
    ty_real root = closing * closing - speed2 * apart;
    if (closing <= TY_R(0.0) || root < TY_R(0.0)) {
        return TY_R(-1.0);
    }
    return apart <= TY_R(0.0) ? TY_R(0.0) : apart / (closing + sqrt(root)); /* closing - root would cancel */
}

#endif
