/* kernels/k_lidar.h - beams, echoes and directions of a lidar.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_LIDAR_H
#define TY_K_LIDAR_H
#include "k_base.h"
#include "k_vec.h"

/* Unit direction of azimuth az (counter-clockwise from x) and elevation el [rad] above x, y. */
TY_KFN ty_k_vec3 ty_k_lidar_direction(ty_real az, ty_real el)
{
    ty_real c = cos(el);
    return ty_k_vec(c * cos(az), c * sin(az), sin(el));
}

/* Echo of a beam that meets one surface with all its light, in units of the weakest echo that the
 * receiver notices. The lidar equation for a target wider than the beam [jelalian1992]:
 *
 *     P_r = P_t eta A_r r / R^2,      r = BRDF cos(i) [1/sr], Lambert: rho cos(i) / pi
 *
 * P_t, eta and A_r are not in data sheets; the range `reach` [m] at which a Lambertian target of
 * reflectivity rho0 facing the beam is just noticed is, and stands for all three:
 *
 *     s = (pi r / rho0) (reach / R)^2
 *
 * r [1/sr] >= 0, R [m] > 0. */
TY_KFN ty_real ty_k_lidar_signal(ty_real r, ty_real R, ty_real reach, ty_real rho0)
{
    ty_real q = reach / R;
    return TY_K_PI * r / rho0 * q * q;
}
/* What a receiver that corrects for range reports: rho0 s (R / reach)^2 = pi r, 1 for a white
 * Lambertian surface that faces the beam. */
TY_KFN ty_real ty_k_lidar_intensity(ty_real s, ty_real R, ty_real reach, ty_real rho0)
{
    ty_real q = R / reach;
    return rho0 * s * q * q;
}

/* Probability [-] that an echo of strength s is noticed above a threshold of 1 in Gaussian noise of
 * standard deviation sigma: Phi((s - 1) / sigma). */
TY_KFN ty_real ty_k_lidar_chance(ty_real s, ty_real sigma)
{
    return TY_R(0.5) * erfc((TY_R(1.0) - s) / (sigma * TY_R(1.41421356237309504880)));
}

/* Place of sub-ray k of n in a beam's cross section, in units of its radius: points of Vogel's
 * spiral [vogel1979], each standing for the same share of the light. gauss 0: even over the disk;
 * 1: irradiance exp(-2 q^2), cut at q = 1, where it has fallen to exp(-2). One ray is the middle. */
TY_KFN ty_real ty_k_beam_radius(int k, int n, int gauss)
{
    ty_real u = n > 1 ? ((ty_real)k + TY_R(0.5)) / (ty_real)n : TY_R(0.0);
    /* 1 - exp(-2) of the light lies inside the cut: q = sqrt(-ln(1 - u (1 - e^-2)) / 2) */
    ty_real inside = TY_R(0.86466471676338730811);
    return gauss ? sqrt(TY_R(-0.5) * log1p(-u * inside)) : sqrt(u);
}
TY_KFN ty_real ty_k_beam_angle(int k)
{
    return (ty_real)k * TY_R(2.39996322972865332223); /* golden angle */
}

#endif
