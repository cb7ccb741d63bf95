/* kernels/k_rigid.h - a wheel on hard ground: spring and damper along the normal, friction that
 * sticks. Equation numbers are those of [uly].
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_RIGID_H
#define TY_K_RIGID_H
#include "k_base.h"

/* Kelvin-Voigt (2.1):  f = k h^n + gamma h_rate        [N]
 * The ground does not pull: f >= 0. h [m] >= 0, h_rate [m/s], gamma [N s/m]. */
TY_KFN ty_real ty_k_kelvin_voigt(ty_real k, ty_real n, ty_real gamma, ty_real h, ty_real h_rate)
{
    return h > TY_R(0.0) ? ty_k_max(k * pow(h, n) + gamma * h_rate, TY_R(0.0)) : TY_R(0.0);
}

/* Hunt-Crossley (2.2):  f = (k + gamma h_rate) h^n     [N]
 * The damping starts from zero at first touch. gamma [N s/m^(n+1)]. */
TY_KFN ty_real ty_k_hunt_crossley(ty_real k, ty_real n, ty_real gamma, ty_real h, ty_real h_rate)
{
    return h > TY_R(0.0) ? ty_k_max((k + gamma * h_rate) * pow(h, n), TY_R(0.0)) : TY_R(0.0);
}

/* Friction |f| <= mu fz (1.26) of a contact that sticks by a spring of stiffness k [N/m] and
 * damping c [N s/m]: u [m] is the stretch so far, v [m/s] the speed at which the contact slides.
 * Beyond the cone the stretch gives way, so that the force stays on it. A contact at rest below its
 * limit does not creep: the spring holds. Rolling brings fresh ground under the wheel at the rate
 * renew [1/s], so that stretch from earlier on is left behind. */
TY_KFN void ty_k_stick(ty_real k, ty_real c, ty_real limit, ty_real vx, ty_real vy, ty_real renew, ty_real dt,
                       ty_real *ux, ty_real *uy, ty_real *fx, ty_real *fy)
{
    ty_real keep = exp(-renew * dt);
    *ux = *ux * keep + vx * dt;
    *uy = *uy * keep + vy * dt;
    *fx = -k * *ux - c * vx;
    *fy = -k * *uy - c * vy;
    ty_real f = sqrt(*fx * *fx + *fy * *fy);
    if (f > limit) {
        ty_real share = limit / f;
        *fx *= share;
        *fy *= share;
        /* the stretch alone may not hold more than the cone: where damping is what exceeded it, the stretch stays */
        ty_real held = k * sqrt(*ux * *ux + *uy * *uy);
        if (held > limit) {
            *ux *= limit / held;
            *uy *= limit / held;
        }
    }
}

#endif
