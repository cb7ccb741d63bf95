/* kernels/k_chart.h - the whole Moon on one plane, around a site.
 *
 * A terrain has its samples on a square lattice (x, y). Out to a quarter of the Moon's radius from the site the
 * lattice is the tangent plane of W itself and what a sample holds is the W coordinate z: there nothing has to be
 * converted, and physics, patches and skylines work on it as on any height field. Farther out the plane is bent
 * round the Moon: a step outwards turns by a fixed angle about the Moon's centre, as an azimuthal equidistant map
 * does [snyder1987] ch. 25, until the antipode of the site is met everywhere on one circle. Both parts meet without
 * a step in place or slope.
 *
 * Why this one: latitude and longitude do not enter, so their poles and seam are ordinary places; one lattice holds
 * all levels, so rings nest round the whole Moon with no edge between maps; along the radius a step is as long as on
 * the ground (3 % longer at most), across it shorter: nowhere does the lattice show less than its spacing promises.
 * The price is paid at the antipode, which gets more samples than it needs.
 *
 * All lengths [m]; R: radius of the reference sphere; s: distance from the site on the lattice.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_CHART_H
#define TY_K_CHART_H
#include "k_vec.h"

#define TY_K_CHART_FLAT  TY_R(0.25)                /* [-] of R: where the tangent plane ends */
#define TY_K_CHART_ANGLE TY_R(0.25268025514207865) /* [rad] asin(0.25): of the Moon's curve there */
#define TY_K_CHART_COS   TY_R(0.96824583655185426) /* its cosine */
#define TY_K_CHART_TAN   TY_R(0.25819888974716113) /* its tangent */
#define TY_K_CHART_END   TY_R(3.0471774019600306)  /* [-] of R: the antipode, 0.25 + (pi - asin 0.25) cos */

/* [-] how much of the tilt of W's vertical against the radius is left: 1 at the end of the tangent plane, 0 at twice
 * that */
TY_KFN ty_real ty_k_chart_fade(ty_real R, ty_real s)
{
    ty_real u = ty_k_clamp(s / (TY_K_CHART_FLAT * R) - TY_R(1.0), TY_R(0.0), TY_R(1.0));
    return TY_R(1.0) - u * u * (TY_R(3.0) - TY_R(2.0) * u);
}

/* [m] z coordinate in W of a point at height h above the sphere that stands over the tangent plane at s2 = x^2 + y^2 */
TY_KFN ty_real ty_k_chart_flat_z(ty_real R, ty_real s2, ty_real h)
{
    ty_real r = R + h;
    return s2 < r * r ? h - s2 / (r + sqrt(r * r - s2)) : -R;
}

/* [m] what the lattice holds at s2 = x^2 + y^2 for a height h above the sphere */
TY_KFN ty_real ty_k_chart_z(ty_real R, ty_real s2, ty_real h)
{
    ty_real flat = TY_K_CHART_FLAT * R;
    if (s2 <= flat * flat) {
        return ty_k_chart_flat_z(R, s2, h);
    }
    return ty_k_chart_flat_z(R, flat * flat, h) - TY_K_CHART_TAN * (ty_k_min(sqrt(s2), TY_K_CHART_END * R) - flat);
}

/* [rad] angle at the Moon's centre between the site and what stands at s and h; pi from the antipode on */
TY_KFN ty_real ty_k_chart_angle(ty_real R, ty_real s, ty_real h)
{
    ty_real flat = TY_K_CHART_FLAT * R;
    if (s <= flat) {
        return asin(ty_k_min(s / (R + h), TY_R(1.0)));
    }
    ty_real tilt = asin(ty_k_min(flat / (R + h), TY_R(1.0))) - TY_K_CHART_ANGLE;
    ty_real c = TY_K_CHART_ANGLE + tilt * ty_k_chart_fade(R, s) + (s - flat) / (R * TY_K_CHART_COS);
    return ty_k_min(c, TY_K_PI);
}

/* [m] s of a place on the sphere at an angle c from the site [rad] */
TY_KFN ty_real ty_k_chart_s(ty_real R, ty_real c)
{
    return c <= TY_K_CHART_ANGLE ? R * sin(c) : R * (TY_K_CHART_FLAT + (c - TY_K_CHART_ANGLE) * TY_K_CHART_COS);
}

/* A point of W from lattice coordinates, and how it moves with each of them. */
typedef struct ty_k_chart {
    ty_k_vec3 p;          /* [m] W */
    ty_k_vec3 px, py, pz; /* [-] its derivatives by x, y and z */
} ty_k_chart;

TY_KFN ty_k_chart ty_k_chart_at(ty_real R, ty_real x, ty_real y, ty_real z)
{
    ty_real s = sqrt(x * x + y * y), flat = TY_K_CHART_FLAT * R;
    if (s <= flat) {
        ty_k_chart same = { ty_k_vec(x, y, z), ty_k_vec(1, 0, 0), ty_k_vec(0, 1, 0), ty_k_vec(0, 0, 1) };
        return same;
    }
    ty_real ux = x / s, uy = y / s;
    s = ty_k_min(s, TY_K_CHART_END * R);
    /* the point on the vertical at the end of the tangent plane: radius r, angle q; then it is turned on */
    ty_real up = R + z + TY_K_CHART_TAN * (s - flat), r = sqrt(flat * flat + up * up), q = atan2(flat, up);
    ty_real u = s / flat - TY_R(1.0), fade = ty_k_chart_fade(R, s);
    ty_real fade_s = u < TY_R(1.0) ? TY_R(6.0) * u * (u - TY_R(1.0)) / flat : TY_R(0.0);
    ty_real c = TY_K_CHART_ANGLE + (q - TY_K_CHART_ANGLE) * fade + (s - flat) / (R * TY_K_CHART_COS);
    c = ty_k_min(c, TY_K_PI);
    ty_real r_z = up / r, q_z = -flat / (r * r), c_z = fade * q_z, r_s = r_z * TY_K_CHART_TAN;
    ty_real c_s = TY_R(1.0) / (R * TY_K_CHART_COS) + (q - TY_K_CHART_ANGLE) * fade_s + c_z * TY_K_CHART_TAN;
    ty_real sc = sin(c), cc = cos(c), across = r * sc / s;
    ty_real out_s = r_s * sc + r * cc * c_s, up_s = r_s * cc - r * sc * c_s;
    ty_real out_z = r_z * sc + r * cc * c_z, up_z = r_z * cc - r * sc * c_z;
    ty_k_chart k;
    k.p = ty_k_vec(ux * r * sc, uy * r * sc, r * cc - R);
    k.px = ty_k_vec(ux * ux * out_s + uy * uy * across, ux * uy * (out_s - across), ux * up_s);
    k.py = ty_k_vec(ux * uy * (out_s - across), uy * uy * out_s + ux * ux * across, uy * up_s);
    k.pz = ty_k_vec(ux * out_z, uy * out_z, up_z);
    return k;
}

#endif
