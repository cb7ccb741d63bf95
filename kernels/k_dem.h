/* kernels/k_dem.h - contact of two grains: Hertz and Mindlin with a memory of the tangential way.
 *
 * Forces act on body 1; the normal points from body 2 to body 1; velocities are those of body 1 relative to body 2 at the
 * contact point. Form of [tsuji1992] as soil codes have it; corrections: dry grains do not pull (F_n >= 0), and the spring is
 * set back to what friction bears, without the damping.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_DEM_H
#define TY_K_DEM_H
#include "k_vec.h"

/* What two bodies have together. */
typedef struct ty_k_dem_pair {
    ty_real r, m;    /* [m] R* = R1 R2 / (R1 + R2), [kg] m* = m1 m2 / (m1 + m2) */
    ty_real e, g;    /* [Pa] 1/E* = sum (1 - nu^2)/E, 1/G* = sum 2 (2 - nu)(1 + nu)/E */
    ty_real damping; /* [-] 2 sqrt(5/6) beta, beta = ln e / sqrt(ln^2 e + pi^2): 0 for restitution 1, else negative */
    ty_real mu;      /* [-] friction */
} ty_k_dem_pair;

/* ln e / sqrt(ln^2 e + pi^2), restitution e in (0, 1]. */
TY_KFN ty_real ty_k_dem_beta(ty_real restitution)
{
    ty_real l = log(restitution);
    return l / sqrt(l * l + TY_K_PI * TY_K_PI);
}

TY_KFN ty_k_dem_pair ty_k_dem_make(ty_real r1, ty_real r2, ty_real m1, ty_real m2, ty_real e1, ty_real e2, ty_real nu1,
                                   ty_real nu2, ty_real restitution, ty_real mu)
{
    ty_k_dem_pair p;
    p.r = r1 * r2 / (r1 + r2);
    p.m = m1 * m2 / (m1 + m2);
    p.e = TY_R(1.0) / ((TY_R(1.0) - nu1 * nu1) / e1 + (TY_R(1.0) - nu2 * nu2) / e2);
    p.g = TY_R(1.0) / (TY_R(2.0) * (TY_R(2.0) - nu1) * (TY_R(1.0) + nu1) / e1 +
                       TY_R(2.0) * (TY_R(2.0) - nu2) * (TY_R(1.0) + nu2) / e2);
    p.damping = TY_R(2.0) * sqrt(TY_R(5.0) / TY_R(6.0)) * ty_k_dem_beta(restitution);
    p.mu = mu;
    return p;
}

/* Normal force [N], >= 0 pushes apart: 4/3 E* sqrt(R* dn) dn + 2 sqrt(5/6) beta sqrt(S_n m*) vn, S_n = 2 E* sqrt(R* dn);
 * overlap dn [m], vn [m/s] > 0 where the bodies part. */
TY_KFN ty_real ty_k_dem_normal(ty_k_dem_pair p, ty_real overlap, ty_real vn)
{
    if (overlap <= TY_R(0.0)) {
        return TY_R(0.0);
    }
    ty_real s = TY_R(2.0) * p.e * sqrt(p.r * overlap);
    return ty_k_max(TY_R(2.0) / TY_R(3.0) * s * overlap + p.damping * sqrt(s * p.m) * vn, TY_R(0.0));
}

/* Tangential stiffness [N/m], 8 G* sqrt(R* dn). */
TY_KFN ty_real ty_k_dem_stiffness(ty_k_dem_pair p, ty_real overlap)
{
    return TY_R(8.0) * p.g * sqrt(p.r * ty_k_max(overlap, TY_R(0.0)));
}

/* Tangential force [N] and the spring's way xi [m] after a step: xi + vt dt first, then
 *     F_t = -k_t xi + 2 sqrt(5/6) beta sqrt(k_t m*) vt, cut to mu F_n, where xi becomes -F_t / k_t. */
typedef struct ty_k_dem_slide {
    ty_k_vec3 f, xi;
} ty_k_dem_slide;

TY_KFN ty_k_dem_slide ty_k_dem_tangent(ty_k_dem_pair p, ty_real overlap, ty_real fn, ty_k_vec3 xi, ty_k_vec3 vt,
                                       ty_real dt)
{
    ty_k_dem_slide s = { { 0, 0, 0 }, { 0, 0, 0 } };
    ty_real k = ty_k_dem_stiffness(p, overlap);
    if (overlap <= TY_R(0.0)) {
        return s;
    }
    s.xi = ty_k_add(xi, ty_k_scale(dt, vt));
    s.f = ty_k_add(ty_k_scale(-k, s.xi), ty_k_scale(p.damping * sqrt(k * p.m), vt));
    ty_real size = ty_k_norm(s.f), most = p.mu * fn;
    if (size > most) {
        s.f = ty_k_scale(most / size, s.f);
        s.xi = ty_k_scale(TY_R(-1.0) / k, s.f);
    }
    return s;
}

/* Turns the memory into the contact plane as it is now, n its unit normal, and keeps its length. */
TY_KFN ty_k_vec3 ty_k_dem_carry(ty_k_vec3 xi, ty_k_vec3 n)
{
    ty_k_vec3 flat = ty_k_sub(xi, ty_k_scale(ty_k_dot(xi, n), n));
    ty_real was = ty_k_norm(xi), is = ty_k_norm(flat);
    return is > TY_R(0.0) ? ty_k_scale(was / is, flat) : flat;
}

#endif
