/* kernels/k_angles.h - the angles between a surface, a light and an eye, as every reflectance law needs them.
 *
 * i    incidence: normal to light           e    emission: normal to eye g    phase: light to eye
 * psi  azimuth between the planes of incidence and emission,
 *                                                0 with the eye on the light's side
 *
 * Half angles are kept as sin^2 and cos^2, both from sums without cancellation: near opposition the
 * cosine of g would leave single precision with an error of 3e-4 rad, wider than a
 * coherent-backscatter peak.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_ANGLES_H
#define TY_K_ANGLES_H
#include "k_vec.h"

typedef struct ty_k_angles {
    ty_real mu0, mu;            /* [-] cos i, cos e */
    ty_real sin_i, sin_e;       /* [-] */
    ty_real sin2_g, cos2_g;     /* [-] sin^2 and cos^2 of g / 2 */
    ty_real sin2_psi, cos2_psi; /* [-] sin^2 and cos^2 of psi / 2 */
} ty_k_angles;

/* From angles [rad]. i and e in [0, pi/2], psi any.
 *     sin^2(g/2) = sin^2((i - e)/2) + sin i sin e sin^2(psi/2)      spherical law of haversines
 *     cos^2(g/2) = cos^2((i + e)/2) + sin i sin e cos^2(psi/2) */
TY_KHOT ty_k_angles ty_k_angles_from(ty_real i, ty_real e, ty_real psi)
{
    ty_k_angles a;
    a.mu0 = cos(i);
    a.mu = cos(e);
    a.sin_i = sin(i);
    a.sin_e = sin(e);
    ty_real s = sin(TY_R(0.5) * psi), c = cos(TY_R(0.5) * psi);
    ty_real d = sin(TY_R(0.5) * (i - e)), m = cos(TY_R(0.5) * (i + e));
    a.sin2_psi = s * s;
    a.cos2_psi = c * c;
    a.sin2_g = d * d + a.sin_i * a.sin_e * a.sin2_psi;
    a.cos2_g = m * m + a.sin_i * a.sin_e * a.cos2_psi;
    return a;
}

/* psi/2 by `near`, the tangent of the smaller of psi/2 and (pi - psi)/2, and by the sign of `dot` of the tangential parts. */
TY_KHOT ty_k_angles ty_k_angles_turn(ty_k_angles a, ty_real near, ty_real dot)
{
    ty_real cos2 = TY_R(1.0) / (TY_R(1.0) + near * near), sin2 = near * near * cos2;
    a.sin2_psi = dot >= TY_R(0.0) ? sin2 : cos2;
    a.cos2_psi = dot >= TY_R(0.0) ? cos2 : sin2;
    return a;
}

/* From unit vectors to the light and to the eye in the surface's frame (z the normal); nothing but square roots.
 *     sin(g/2) = |l - v| / 2, cos(g/2) = |l + v| / 2
 *     psi from the cross and dot products of the tangential parts
 * Where a tangential part vanishes psi is 0: no law depends on it there. */
TY_KHOT ty_k_angles ty_k_angles_of(ty_k_vec3 l, ty_k_vec3 v)
{
    ty_k_angles a;
    ty_k_vec3 d = ty_k_sub(l, v), m = ty_k_add(l, v);
    a.mu0 = l.z;
    a.mu = v.z;
    a.sin_i = sqrt(l.x * l.x + l.y * l.y);
    a.sin_e = sqrt(v.x * v.x + v.y * v.y);
    a.sin2_g = TY_R(0.25) * ty_k_dot(d, d);
    a.cos2_g = TY_R(0.25) * ty_k_dot(m, m);
    ty_real product = a.sin_i * a.sin_e;
    /* (l + v) x (l - v) = -2 l x v: keeps its digits where l and v are nearly equal or opposite */
    ty_real cross = TY_R(0.5) * fabs(m.x * d.y - m.y * d.x), dot = l.x * v.x + l.y * v.y;
    /* tan of the smaller of psi/2 and (pi - psi)/2 */
    ty_real near = product + fabs(dot) > TY_R(0.0) ? cross / (product + fabs(dot)) : TY_R(0.0);
    return ty_k_angles_turn(a, near, dot);
}

TY_KHOT ty_real ty_k_angles_cos_psi(ty_k_angles a)
{
    return a.cos2_psi - a.sin2_psi;
}
/* tan(g/2), large but finite at pi */
TY_KHOT ty_real ty_k_angles_tan_g(ty_k_angles a)
{
    return sqrt(a.sin2_g / ty_k_max(a.cos2_g, TY_R(1e-30)));
}

#endif
