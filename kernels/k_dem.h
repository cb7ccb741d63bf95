/* kernels/k_dem.h - contact of two grains: Hertz and Mindlin with a memory of the tangential way.
 *
 * Forces act on body 1; the normal points from body 2 to body 1; velocities are those of body 1 relative to body 2 at the
 * contact point. Form of [tsuji1992] as soil codes have it; corrections: dry grains do not pull (F_n >= 0), and the spring is
 * set back to what friction bears, without the damping. Rolling: a spring with a memory, type C of [ai2011]. Cohesion: a constant pull
 * while grains touch, as large as the pull-off force of [johnson1971].
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

/* Pull [N] of two bodies that touch: 3/2 pi gamma R*, the pull-off force of soft bodies [johnson1971]; gamma [J/m^2] work of adhesion. */
TY_KFN ty_real ty_k_dem_pull(ty_real gamma, ty_real r)
{
    return TY_R(1.5) * TY_K_PI * gamma * r;
}

/* Work of adhesion [J/m^2] with which equal grains of diameter d [m] make a soil of cohesion c [Pa]: the tensile strength of a packing,
 * fraction Z F / (pi d^2) with Z contacts of a grain and the pull F of each [rumpf1962, by sptj], times its friction. */
TY_KFN ty_real ty_k_dem_adhesion(ty_real c, ty_real friction, ty_real fraction, ty_real contacts, ty_real d)
{
    ty_real pull = c * TY_K_PI * d * d / (friction * fraction * contacts);
    return pull / ty_k_dem_pull(TY_R(1.0), TY_R(0.25) * d);
}

/* Resistance to rolling [N m] and the spring's angle [rad] after a step, [ai2011] type C: k_r = 2.25 k_n (mu_r R*)^2 with k_n = 2/3 S_n, torque
 * -k_r theta cut to mu_r R* F_n; below the cut it is damped by 2 eta sqrt(I k_r), I [kg m^2] of both bodies about the contact.
 * s [N/m] S_n, fn [N], theta [rad] the memory, wr [rad/s] relative spin without its part along the normal. */
TY_KFN ty_k_dem_slide ty_k_dem_roll(ty_real s, ty_real r, ty_real roll, ty_real eta, ty_real inertia, ty_real fn,
                                    ty_k_vec3 theta, ty_k_vec3 wr, ty_real dt)
{
    ty_k_dem_slide now;
    ty_real arm = roll * r, k = TY_R(1.5) * s * arm * arm, most = arm * fn;
    now.xi = ty_k_add(theta, ty_k_scale(dt, wr));
    now.f = ty_k_scale(-k, now.xi);
    ty_real size = ty_k_norm(now.f);
    if (size > most) {
        now.f = ty_k_scale(most / size, now.f);
        now.xi = ty_k_scale(TY_R(-1.0) / k, now.f);
    } else {
        now.f = ty_k_sub(now.f, ty_k_scale(TY_R(2.0) * eta * sqrt(inertia * k), wr));
    }
    return now;
}

/* What all contacts of a soil share in a step. */
typedef struct ty_k_dem_law {
    ty_real e, g;        /* [Pa] E*, G* of two grains */
    ty_real damping, mu; /* [-] as in ty_k_dem_pair */
    ty_real roll, eta;   /* [-] mu_r, share of the critical damping of rolling */
    ty_real gamma;       /* [J/m^2] work of adhesion */
    ty_real dt;          /* [s] */
    ty_real gx, gy, gz;  /* [m/s^2] */
    ty_real ux, uy, uz;  /* [m] units of positions */
    ty_real ix, iy, iz;  /* [1/m] */
    ty_real keep;        /* [-] what a drag leaves of a velocity */
    ty_real most;        /* [m] farthest way of a step */
} ty_k_dem_law;

/* One contact as its first body has it. */
typedef struct ty_k_dem_touch {
    ty_k_vec3 f, turn;   /* [N] on it, [N m] of rolling resistance on it */
    ty_k_vec3 xi, theta; /* [m], [rad] memory */
    ty_real k, push;     /* [N/m] tangential stiffness, for the memory; [N] the part of the normal force that pushes */
} ty_k_dem_touch;

/* A whole contact over a step. p: of the pair; inertia [kg m^2] of both about the contact; overlap [m] > 0; n from the second body to the first;
 * v [m/s], w [rad/s] of the first relative to the second at the contact; was: its memory, k 0 where there is none. A spring that gets stiffer
 * keeps its force. The other body finds exactly the opposite, to the bit. */
TY_KFN ty_k_dem_touch ty_k_dem_contact(const ty_k_dem_law *law, ty_k_dem_pair p, ty_real inertia, ty_real overlap,
                                       ty_k_vec3 n, ty_k_vec3 v, ty_k_vec3 w, ty_k_dem_touch was)
{
    ty_k_dem_touch now;
    ty_real vn = ty_k_dot(v, n);
    now.push = ty_k_dem_normal(p, overlap, vn);
    now.k = ty_k_dem_stiffness(p, overlap);
    ty_k_vec3 xi = ty_k_dem_carry(was.xi, n);
    if (now.k > was.k) {
        xi = ty_k_scale(was.k / now.k, xi);
    }
    ty_k_dem_slide t = ty_k_dem_tangent(p, overlap, now.push, xi, ty_k_sub(v, ty_k_scale(vn, n)), law->dt);
    now.xi = t.xi;
    now.f = ty_k_add(ty_k_scale(now.push - ty_k_dem_pull(law->gamma, p.r), n), t.f);
    now.turn = now.theta = ty_k_vec(0, 0, 0);
    if (law->roll > TY_R(0.0)) {
        ty_k_dem_slide r =
            ty_k_dem_roll(TY_R(2.0) * p.e * sqrt(p.r * overlap), p.r, law->roll, law->eta, inertia, now.push,
                          ty_k_dem_carry(was.theta, n), ty_k_sub(w, ty_k_scale(ty_k_dot(w, n), n)), law->dt);
        now.turn = r.f;
        now.theta = r.xi;
    }
    return now;
}

/* What a grain remembers of its contacts lies in slots of its own, 31 at most. A list's entry is the other's place times 32 and the slot + 1, 0: none. A word says
 * which slots are used, its last bit that one of them is of a body. A slot names the other grain by its home, which stays where grains are sorted, or a body. */
enum {
    TY_K_DEM_ENTRY = 32,
    TY_K_DEM_SLOTS = 31,
    TY_K_DEM_BODY = 1 << 30 /* and its number */
};
#define TY_K_DEM_MEETS 0x80000000u

/* The first slot that is free; -1: none. */
TY_KFN int ty_k_dem_free(ty_u32 used, int slots)
{
    int k = 0;
    while (k < slots && (used >> k & 1u)) {
        k++;
    }
    return k < slots ? k : -1;
}

/* A grain. */
typedef struct ty_k_dem_grain {
    ty_k_vec3 v, w; /* [m/s], [rad/s] */
    ty_real r, m;   /* [m], [kg] */
} ty_k_dem_grain;

/* [kg m^2] of a ball about a point of its surface: 2/5 m r^2 + m r^2 */
TY_KFN ty_real ty_k_dem_inertia(ty_real m, ty_real r)
{
    return TY_R(1.4) * m * r * r;
}

/* What a contact does to a grain: sums. */
typedef struct ty_k_dem_sum {
    ty_k_vec3 f, turn; /* [N], [N m] about its centre */
} ty_k_dem_sum;

/* Two grains, x [m] from the second to the first, which are apart by `apart` [m] < r1 + r2; contacts are half way into the overlap. */
TY_KFN ty_k_dem_touch ty_k_dem_grains(const ty_k_dem_law *law, const ty_k_dem_grain *a, const ty_k_dem_grain *b,
                                      ty_k_vec3 x, ty_real apart, ty_k_dem_touch was, ty_k_dem_sum *sum)
{
    ty_real overlap = (a->r + b->r) - apart, into = TY_R(0.5) * overlap, ia = ty_k_dem_inertia(a->m, a->r),
            ib = ty_k_dem_inertia(b->m, b->r), la = a->r - into, lb = b->r - into;
    ty_k_vec3 n = ty_k_scale(TY_R(1.0) / apart, x);
    ty_k_dem_pair p = {
        a->r * b->r / (a->r + b->r), a->m * b->m / (a->m + b->m), law->e, law->g, law->damping, law->mu
    };
    ty_k_vec3 spin = ty_k_add(ty_k_scale(la, a->w), ty_k_scale(lb, b->w));
    ty_k_vec3 v = ty_k_sub(ty_k_sub(a->v, b->v), ty_k_cross(spin, n));
    ty_k_dem_touch now = ty_k_dem_contact(law, p, ia * ib / (ia + ib), overlap, n, v, ty_k_sub(a->w, b->w), was);
    sum->f = ty_k_add(sum->f, now.f);
    sum->turn = ty_k_add(sum->turn, ty_k_sub(now.turn, ty_k_scale(la, ty_k_cross(n, now.f))));
    return now;
}

/* A grain and a body far larger than it, as stiff as a grain, with a friction of its own: d [m] from its surface, n out of it, v, w how its
 * surface moves and turns there. stiff [-] of its stiffness. */
TY_KFN ty_k_dem_touch ty_k_dem_wall(const ty_k_dem_law *law, const ty_k_dem_grain *a, ty_real d, ty_k_vec3 n,
                                    ty_k_vec3 v, ty_k_vec3 w, ty_real friction, ty_real stiff, ty_k_dem_touch was,
                                    ty_k_dem_sum *sum)
{
    ty_real overlap = a->r - d;
    ty_k_dem_pair p = { a->r, a->m, stiff * law->e, stiff * law->g, law->damping, friction };
    ty_k_vec3 slip = ty_k_sub(ty_k_sub(a->v, ty_k_scale(d, ty_k_cross(a->w, n))), v);
    ty_k_dem_touch now =
        ty_k_dem_contact(law, p, ty_k_dem_inertia(a->m, a->r), overlap, n, slip, ty_k_sub(a->w, w), was);
    sum->f = ty_k_add(sum->f, now.f);
    sum->turn = ty_k_add(sum->turn, ty_k_sub(now.turn, ty_k_scale(d, ty_k_cross(n, now.f))));
    return now;
}

/* Velocity and spin after a step, the way in units of positions, and the speed squared [m^2/s^2]. */
typedef struct ty_k_dem_motion {
    ty_k_vec3 v, w;
    ty_i32 x, y, z;
    ty_real speed;
} ty_k_dem_motion;

TY_KFN ty_k_dem_motion ty_k_dem_advance(const ty_k_dem_law *law, const ty_k_dem_grain *a, const ty_k_dem_sum *sum)
{
    ty_k_dem_motion to;
    ty_real kick = law->dt / a->m, spin = law->dt / (TY_R(0.4) * a->m * a->r * a->r);
    to.v = ty_k_vec((a->v.x + (kick * sum->f.x + law->dt * law->gx)) * law->keep,
                    (a->v.y + (kick * sum->f.y + law->dt * law->gy)) * law->keep,
                    (a->v.z + (kick * sum->f.z + law->dt * law->gz)) * law->keep);
    to.w = ty_k_scale(law->keep, ty_k_add(a->w, ty_k_scale(spin, sum->turn)));
    to.speed = ty_k_dot(to.v, to.v);
    to.x = (ty_i32)rint(law->dt * to.v.x * law->ix);
    to.y = (ty_i32)rint(law->dt * to.v.y * law->iy);
    to.z = (ty_i32)rint(law->dt * to.v.z * law->iz);
    return to;
}

/* Time [s] that a wave needs over a grain, pi r sqrt(rho/G)/(0.1631 nu + 0.8766), and that a collision at v [m/s] lasts,
 * 2.87 (m*^2/(R* E*^2 v))^(1/5), after Rayleigh and Hertz: steps are a fifth of the first and a twentieth of the second at most. */
TY_KFN ty_real ty_k_dem_rayleigh(ty_real r, ty_real rho, ty_real e, ty_real nu)
{
    return TY_K_PI * r * sqrt(TY_R(2.0) * rho * (TY_R(1.0) + nu) / e) / (TY_R(0.1631) * nu + TY_R(0.8766));
}
TY_KFN ty_real ty_k_dem_lasts(ty_real m, ty_real r, ty_real e, ty_real v)
{
    return TY_R(2.87) * pow(m * m / (r * e * e * v), TY_R(0.2));
}

#endif
