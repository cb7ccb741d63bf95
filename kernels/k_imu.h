/* kernels/k_imu.h - what an inertial sensor feels, and the laws of its errors.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_IMU_H
#define TY_K_IMU_H
#include "k_base.h"
#include "k_vec.h"

/* What the motion of the body adds at a point r [m] from its origin, in the body's frame:
 *     alpha x r + omega x (omega x r)      omega [rad/s], alpha [rad/s^2]; returns [m/s^2] */
TY_KFN ty_k_vec3 ty_k_lever(ty_k_vec3 alpha, ty_k_vec3 omega, ty_k_vec3 r)
{
    return ty_k_add(ty_k_cross(alpha, r), ty_k_cross(omega, ty_k_cross(omega, r)));
}

/* Standard deviation of white noise of density N [u/sqrt(Hz)] in a mean over `window` [s]. */
TY_KFN ty_real ty_k_white_sigma(ty_real N, ty_real window)
{
    return N / sqrt(window);
}

/* Step of a random walk over dt [s]: its standard deviation is K sqrt(dt), K [u/sqrt(s)].
 * [csens] (5) writes b0 sqrt(dt/tb): K = b0/sqrt(tb). */
TY_KFN ty_real ty_k_walk_sigma(ty_real K, ty_real dt)
{
    return K * sqrt(dt);
}

/* Flicker noise as a sum of first-order Gauss-Markov processes whose time constants double from one
 * to the next: each has this standard deviation. With variances s^2 and time constants T the sum's
 * one-sided spectrum is the integral of 4 s^2 T/(1 + (2 pi f T)^2) over d ln T/ln 2, which is
 * s^2/(f ln 2); that of bias instability B is B^2/(pi f)                        [ieee952] C.1.3 */
TY_KFN ty_real ty_k_flicker_sigma(ty_real B)
{
    return B * sqrt(TY_R(0.69314718055994531) / TY_K_PI);
}

/* Allan variance [u^2] at averaging time tau [s]                                  [ieee952] C.1 */
TY_KFN ty_real ty_k_allan_quantisation(ty_real tau) /* of Q = 1 [u s] */
{
    return TY_R(3.0) / (tau * tau);
}
TY_KFN ty_real ty_k_allan_white(ty_real tau) /* of N = 1 [u/sqrt(Hz)] */
{
    return TY_R(1.0) / tau;
}
TY_KFN ty_real ty_k_allan_flicker(void) /* of B = 1 [u]: 2 ln 2/pi at any tau; 0.664 squared */
{
    return TY_R(2.0) * TY_R(0.69314718055994531) / TY_K_PI;
}
TY_KFN ty_real ty_k_allan_walk(ty_real tau) /* of K = 1 [u/sqrt(s)] */
{
    return tau / TY_R(3.0);
}
TY_KFN ty_real ty_k_allan_ramp(ty_real tau) /* of R = 1 [u/s] */
{
    return TY_R(0.5) * tau * tau;
}

#endif
