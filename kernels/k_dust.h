/* kernels/k_dust.h - dust: what wheels throw, how it flies, what it does to light and surfaces.
 *
 * No mass rate of dust against slip has been published: the form of ty_k_dust_rate() and its two shares are ours, free to
 * fit. Everything else here is ballistics and geometric optics.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_DUST_H
#define TY_K_DUST_H
#include "k_base.h"
#include "k_math.h"
#include "k_vec.h"

/* ---- source ---- */

/* Mass rate [kg/s] of dust from a wheel of width b [m]: of the soil (bulk density rho [kg/m^3], a share `fine` of dust by mass)
 * a layer z_s [m] is sheared at slip speed v_s [m/s], and a layer d_c [m] is carried round at rim speed v_r [m/s]; the shares
 * e_s and e_c of these become airborne. Ours.
 *     fine rho b (e_s z_s v_s + e_c d_c v_r) */
TY_KFN ty_real ty_k_dust_rate(ty_real fine, ty_real rho, ty_real b, ty_real sheared, ty_real carried)
{
    return fine * rho * b * (sheared + carried);
}

/* Direction in the wheel's plane, x forward and z up, of what leaves the rim at an angle phi behind its lowest point (pi/2: at the
 * height of the axle), `out` [rad] away from the rim: along the rim it is (-cos phi, sin phi), back at the bottom, up behind. */
TY_KFN ty_k_vec3 ty_k_dust_leave(ty_real phi, ty_real out)
{
    return ty_k_vec(-cos(phi - out), TY_R(0.0), sin(phi - out));
}

/* [m] from the rim (radius r) to a circle of radius R > r around the same axle, for what leaves it `out` [rad] away from the rim:
 * the ray's distance from the axle is r cos(out). */
TY_KFN ty_real ty_k_dust_gap(ty_real r, ty_real R, ty_real out)
{
    ty_real c = r * cos(out);
    return sqrt(R * R - c * c) - r * sin(out);
}
/* [rad] behind the lowest point where it meets that circle, having left the rim at phi */
TY_KFN ty_real ty_k_dust_meets(ty_real r, ty_real way, ty_real phi, ty_real out)
{
    return phi + atan2(way * cos(out), r + way * sin(out));
}

/* ---- flight ---- */

/* [m] along one axis after t [s], without air: x0 + v0 t + a t^2 / 2 */
TY_KHOT ty_real ty_k_dust_at(ty_real x0, ty_real v0, ty_real a, ty_real t)
{
    return x0 + t * (v0 + TY_R(0.5) * a * t);
}

/* [s] until something thrown up at v [m/s] is h [m] below where it started, on the way down; h at or above -v^2 / 2g
 *     (v + sqrt(v^2 + 2 g h)) / g */
TY_KFN ty_real ty_k_dust_fall(ty_real v, ty_real h, ty_real g)
{
    return (v + sqrt(ty_k_max(v * v + TY_R(2.0) * g * h, TY_R(0.0)))) / g;
}

/* ---- grains and light ---- */

/* Mean shadow [m^2/kg] of spheres of diameter D [m] and density rho [kg/m^3]: (pi D^2 / 4) / (rho pi D^3 / 6) = 3 / (2 rho D).
 * Of a mixture D is the Sauter mean, sum n D^3 / sum n D^2. */
TY_KFN ty_real ty_k_dust_area(ty_real rho, ty_real D)
{
    return TY_R(1.5) / (rho * D);
}

/* Share [-] of a surface that grains of areal shadow a [m^2/m^2] hide, thrown on it at random: 1 - exp(-a); what a cell under
 * them still gives is the rest. */
TY_KFN ty_real ty_k_dust_cover(ty_real a)
{
    return ty_k_decay(a);
}

/* Absorptivity or emissivity of a surface under that cover: linear in it, [gaier2009]. */
TY_KFN ty_real ty_k_dust_mix(ty_real bare, ty_real dust, ty_real cover)
{
    return bare + (dust - bare) * cover;
}

/* Diffraction by a grain takes as much light again as it hides, and sends it straight on. Half width [-] of the lobe, as 1 - g of a
 * Henyey-Greenstein function with the forward peak of Airy's pattern, x^2 / 4 pi with x = pi D / lambda [hulst1957]:
 *     (1 + g) / (4 pi (1 - g)^2) = x^2 / 4 pi,   1 - g = sqrt(2) / x for x >> 1
 * Both fall as the cube of the angle, Airy's pattern on the mean. */
TY_KFN ty_real ty_k_dust_spread(ty_real lambda, ty_real D)
{
    return ty_k_min(TY_R(1.41421356237309504880) * lambda / (TY_K_PI * D), TY_R(0.9));
}

#endif
