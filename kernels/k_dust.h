/* kernels/k_dust.h - dust: what wheels, tools and plumes throw, how it flies, what it does to light and surfaces.
 *
 * No mass rate of dust against slip, cutting speed or the speed of loose soil has been published: the form of
 * ty_k_dust_rate() and its two shares are ours, free to fit; it serves wheels, drums, blades and particles of soil alike.
 * A plume's rate is given. Everything else here is ballistics, geometric optics, and adhesion.
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

/* Direction of what a blade or a plume throws: x forward, y left, z up, by azimuth [rad] from x and elevation [rad]. */
TY_KFN ty_k_vec3 ty_k_dust_fan(ty_real azimuth, ty_real elevation)
{
    ty_real c = cos(elevation);
    return ty_k_vec(c * cos(azimuth), c * sin(azimuth), sin(elevation));
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

/* [-] of its rim's speed at which a grain leaves a wheel, for a quantile u: grains that stick until they are let go have all of it, those that slip
 * less, down to the share `least`. peak 1: all shares are as likely; above: the full one is likelier. Ours: films of the LRV show a
 * fan with a sharp upper edge, which peak 1 has not (docs/dust.md).
 *     1 - (1 - least) u^peak */
TY_KFN ty_real ty_k_dust_speed(ty_real u, ty_real least, ty_real peak)
{
    return TY_R(1.0) - (TY_R(1.0) - least) * pow(u, peak);
}

/* ---- flight ---- */

/* [m/s^2] that a field [V/m] adds to the fall of grains of a charge per mass [C/kg]. One field everywhere; grains do not act on each other. */
TY_KFN ty_real ty_k_dust_drift(ty_real charge, ty_real field)
{
    return charge * field;
}

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

/* [s] when c + b t + a t^2 goes from above 0 to below it, as a parabola's height over a plane does on its way in; it has no such time, or
 * one that is not finite, where it never does: then -1. The root whose slope is below 0, -sqrt(b^2 - 4 a c). */
TY_KFN ty_real ty_k_dust_enters(ty_real a, ty_real b, ty_real c)
{
    ty_real d = b * b - TY_R(4.0) * a * c;
    if (d <= TY_R(0.0)) {
        return TY_R(-1.0);
    }
    ty_real root = sqrt(d), t = b < TY_R(0.0)    ? TY_R(2.0) * c / (root - b)
                                : a != TY_R(0.0) ? -(b + root) / (TY_R(2.0) * a)
                                                 : TY_R(-1.0);
    return t >= TY_R(0.0) ? t : TY_R(-1.0);
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

/* What a radiator under dust absorbs of sunlight over what it emits, as times that of a clean one [-]; and its temperature in
 * sunlight alone, where it gives off what it takes in, as times that of a clean one [-]: the fourth root. */
TY_KFN ty_real ty_k_dust_radiator(ty_real absorbs, ty_real emits, ty_real bare_absorbs, ty_real bare_emits)
{
    return absorbs * bare_emits / (emits * bare_absorbs);
}
TY_KFN ty_real ty_k_dust_warmer(ty_real ratio)
{
    return sqrt(sqrt(ratio));
}

/* ---- lenses ---- */

/* Radiance [W/m^2/sr] that grains on a lens add to what it sees: those that hide the share `cover` of it scatter sunlight of
 * this irradiance [W/m^2] once, with this albedo [-] and phase function [1/sr], to where the lens looks. Of spheres on glass
 * the shadow along any direction is the same, the area that they stand on is seen foreshortened by mu [-], the cosine
 * between the direction of view and the glass's normal.
 *     E albedo phase cover / mu */
TY_KFN ty_real ty_k_dust_veil(ty_real irradiance, ty_real albedo, ty_real phase, ty_real cover, ty_real mu)
{
    return irradiance * albedo * phase * cover / mu;
}

/* [-] how many grains of diameter D [m] lie on an area [m^2] of that areal shadow a [m^2/m^2], on the mean */
TY_KFN ty_real ty_k_dust_grains(ty_real a, ty_real area, ty_real D)
{
    return a * area / (TY_R(0.25) * TY_K_PI * D * D);
}

/* ---- what holds grains ---- */

/* Diameter [m] of the smallest grain that slides off a face tilted by sin_tilt: its weight along the face, rho pi D^3 / 6 g
 * sin_tilt, is that of the force that holds it, A S^2 R / (48 Om^2) with R = D / 2, [perko2001] [walton2007]: A = 4.3e-20 J, Om =
 * 1.4e-10 m, S [-] how bare the surfaces are (1: of anything but themselves). Friction with a coefficient of 1.
 *     D^2 = A S^2 / (16 Om^2 pi rho g sin_tilt) */
TY_KFN ty_real ty_k_dust_slides(ty_real S, ty_real rho, ty_real g, ty_real sin_tilt)
{
    const ty_real hold = TY_R(4.3e-20 / (16.0 * 1.4e-10 * 1.4e-10));
    return S * sqrt(hold / (TY_K_PI * rho * g * sin_tilt));
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
