/* kernels/k_sph.h - soil as an elasto-plastic continuum carried by particles (SPH): smoothing kernel, sums over
 * neighbours, stress rate, return to mu(I).
 *
 * sigma is Cauchy stress, tension positive; p = -tr(sigma)/3; s = sigma + p I; tau = sqrt(s:s/2). x_ij = x_i - x_j; gradients
 * of W with respect to i. All particles have one mass m = rho0 d0^3; volume V = m / rho.
 *
 * The density is carried: e = rho/rho0 - 1 follows the corrected divergence of the velocity, p = K max(e, 0), and soil that is
 * looser than rho0 bears no stress [dunatunga2015]. So soil that flew apart must close again before it bears.
 * Everything is free of branches (k_wide.h); an entry of a neighbour list that is the particle itself adds exactly nothing.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SPH_H
#define TY_K_SPH_H
#include "k_wide.h"

/* The same for all particles in a step. ty_k_sph_make() fills what follows from the rest. */
typedef struct ty_k_sph {
    ty_real rho, K, G;            /* [kg/m^3] rho0, [Pa] bulk and shear modulus */
    ty_real mu_s, mu_2, i0, d, c; /* [-] [-] [-] [m] grain [Pa] cohesion */
    ty_real h, spacing;           /* [m] smoothing length, d0 */
    ty_real alpha, xsph, delta;   /* [-] viscosity, smoothing of the motion, diffusion of density */
    ty_real forget;               /* [-] of how loose soil is: 0 nothing, 1 all */
    ty_real lode;                 /* [-] 1: mu is that of plane strain, other states by Matsuoka and Nakai; 0: one mu */
    ty_real dt;                   /* [s] */
    ty_real gx, gy, gz;           /* [m/s^2] */
    ty_real ux, uy, uz;           /* [m] unit of positions along each axis */
    ty_real cw, cf, inv_h, eta2;  /* of W [1/m^3], of its gradient [1/m^5], [1/m], 0.01 h^2 [m^2] */
    ty_real visc, diffuse, volume,
        rate;     /* alpha h c_p [m^2/s], 2 delta h c_p [m^2/s], d0^3 [m^3], i0 G dt / d [Pa s/m] */
    ty_real norm; /* [-] of forces: 1 / (moment of the lattice) */
} ty_k_sph;

/* Speed [m/s] of a pressure wave in confined soil, sqrt((K + 4G/3) / rho). */
TY_KFN ty_real ty_k_sph_wave(ty_real K, ty_real G, ty_real rho)
{
    return sqrt((K + TY_R(4.0) / TY_R(3.0) * G) / rho);
}

/* Moduli [Pa] of an isotropic elastic body: K = E / (3 (1 - 2 nu)), G = E / (2 (1 + nu)). */
TY_KFN ty_real ty_k_sph_bulk(ty_real E, ty_real nu)
{
    return E / (TY_R(3.0) * (TY_R(1.0) - TY_R(2.0) * nu));
}
TY_KFN ty_real ty_k_sph_shear(ty_real E, ty_real nu)
{
    return E / (TY_R(2.0) * (TY_R(1.0) + nu));
}

/* Stress at rest under the soil's own weight: sigma_horizontal = K0 sigma_vertical. Elastic, nu / (1 - nu), but never
 * beyond yield: with k = mu / sqrt(3), tau = (1 - K0) sigma_v / sqrt(3) <= mu p asks for K0 >= (1 - k) / (1 + 2 k). */
TY_KFN ty_real ty_k_sph_k0(ty_real nu, ty_real mu)
{
    ty_real k = mu / sqrt(TY_R(3.0));
    return ty_k_max(nu / (TY_R(1.0) - nu), (TY_R(1.0) - k) / (TY_R(1.0) + TY_R(2.0) * k));
}

/* One third of the trace of -sum V x grad W over the cubic lattice, smoothing = h / spacing, by Wendland's function. */
TY_KFN ty_real ty_k_sph_moment(ty_real smoothing)
{
    ty_real sum = TY_R(0.0);
    for (int k = 0; k < 7 * 7 * 7; k++) {
        ty_real x = (ty_real)(k % 7 - 3), y = (ty_real)(k / 7 % 7 - 3), z = (ty_real)(k / 49 - 3),
                r2 = x * x + y * y + z * z;
        ty_real a = ty_k_max(TY_R(2.0) - sqrt(r2) / smoothing, TY_R(0.0));
        sum += a * a * a * r2;
    }
    ty_real h2 = smoothing * smoothing;
    return TY_R(70.0) / (TY_R(256.0) * TY_K_PI * h2 * h2 * smoothing) * sum;
}

TY_KFN ty_k_sph ty_k_sph_make(ty_k_sph p)
{
    ty_real c = ty_k_sph_wave(p.K, p.G, p.rho), h2 = p.h * p.h;
    p.inv_h = TY_R(1.0) / p.h;
    p.cw = TY_R(21.0) / (TY_R(256.0) * TY_K_PI) * p.inv_h * p.inv_h * p.inv_h;
    p.cf = -TY_R(10.0) * p.cw * p.inv_h * p.inv_h;
    p.eta2 = TY_R(0.01) * h2;
    p.visc = p.alpha * p.h * c;
    p.diffuse = TY_R(2.0) * p.delta * p.h * c;
    p.volume = p.spacing * p.spacing * p.spacing;
    p.rate = p.i0 * p.G * p.dt / p.d;
    p.norm = TY_R(1.0) / ty_k_sph_moment(p.h / p.spacing);
    return p;
}

/* Wendland's C2 function in three dimensions, support 2 h [wendland1995], q = r/h:
 *     W = 21/(256 pi h^3) (2 - q)^4 (2 q + 1),   grad W = F x_ij,   F = -210/(256 pi h^5) (2 - q)^3. */
TY_KHOT ty_wide ty_k_sph_w(const ty_k_sph *p, ty_wide q)
{
    ty_wide a = ty_k_wide_max(TY_W(2.0) - q, TY_W(0.0)), b = a * a;
    return p->cw * (b * b) * (TY_R(2.0) * q + TY_R(1.0));
}
TY_KHOT ty_wide ty_k_sph_f(const ty_k_sph *p, ty_wide q)
{
    ty_wide a = ty_k_wide_max(TY_W(2.0) - q, TY_W(0.0));
    return p->cf * (a * a * a);
}

/* A neighbour as the sums see it. */
typedef struct ty_k_sph_near {
    ty_wide x, y, z;                /* [m] x_ij */
    ty_wide vx, vy, vz, V;          /* [m/s], [m^3] of j */
    ty_wide xx, yy, zz, xy, xz, yz; /* [Pa] sigma_j */
    ty_wide e, gx, gy, gz;          /* [-] density of j, [1/m] its gradient */
    ty_wide soil;                   /* 1: soil, 0: wall */
} ty_k_sph_near;

/* a x + b y + c z, in fused steps: fewer instructions on the host and on a device, and the same bits on both */
TY_KHOT ty_wide ty_k_sph_dot(ty_wide a, ty_wide b, ty_wide c, ty_wide x, ty_wide y, ty_wide z)
{
    return ty_k_wide_fma(a, x, ty_k_wide_fma(b, y, c * z));
}

/* What the momentum equation adds up, per particle. */
typedef struct ty_k_sph_force {
    ty_wide ax, ay, az; /* [Pa/m] div sigma + viscous part */
    ty_wide sx, sy, sz; /* [m/s] mean velocity of the neighbours relative to i, weighted by V W */
} ty_k_sph_force;

/* One pair in the momentum equation, times rho_i:
 *     rho_i dv_i/dt += V_j [sigma_i + sigma_j + alpha h c rho0 (v_ij . x_ij)/(r^2 + 0.01 h^2) I] . grad W
 * Forces on equal masses are m a_i = V_i V_j [...] . grad W: equal and opposite for the two of a pair, as long as the viscous
 * part and the stress see the same [...]. The viscosity acts on closing and parting pairs alike [monaghan1992]. */
TY_KHOT void ty_k_sph_force_add(ty_k_sph_force *sum, const ty_k_sph *p, const ty_k_sph_near *i, const ty_k_sph_near *j)
{
    ty_wide r2 = ty_k_sph_dot(j->x, j->y, j->z, j->x, j->y, j->z);
    ty_wide q = ty_k_wide_sqrt(r2) * p->inv_h;
    ty_wide a = ty_k_wide_max(TY_W(2.0) - q, TY_W(0.0)), a3 = a * a * a * j->V;
    ty_wide f = p->cf * a3, w = (p->cw * a3) * (a * ty_k_wide_fma(TY_W(2.0), q, TY_W(1.0)));
    ty_wide dx = i->vx - j->vx, dy = i->vy - j->vy, dz = i->vz - j->vz;
    ty_wide viscous = (p->visc * p->rho) * ty_k_sph_dot(dx, dy, dz, j->x, j->y, j->z) / (r2 + p->eta2);
    ty_wide xx = i->xx + j->xx + viscous, yy = i->yy + j->yy + viscous, zz = i->zz + j->zz + viscous;
    ty_wide xy = i->xy + j->xy, xz = i->xz + j->xz, yz = i->yz + j->yz;
    sum->ax = ty_k_wide_fma(f, ty_k_sph_dot(xx, xy, xz, j->x, j->y, j->z), sum->ax);
    sum->ay = ty_k_wide_fma(f, ty_k_sph_dot(xy, yy, yz, j->x, j->y, j->z), sum->ay);
    sum->az = ty_k_wide_fma(f, ty_k_sph_dot(xz, yz, zz, j->x, j->y, j->z), sum->az);
    sum->sx = ty_k_wide_fma(-w, dx, sum->sx);
    sum->sy = ty_k_wide_fma(-w, dy, sum->sy);
    sum->sz = ty_k_wide_fma(-w, dz, sum->sz);
}

/* What the rates of density and stress add up, per particle. */
typedef struct ty_k_sph_rate {
    ty_wide l[9];                   /* [1/s] velocity gradient dv_a/dx_b, row by row, not yet corrected */
    ty_wide xx, yy, zz, xy, xz, yz; /* [-] -sum V x_ij grad W: the unit matrix where the support is whole */
    ty_wide gx, gy, gz;             /* [1/m] gradient of e, not yet corrected */
    ty_wide spread;                 /* [1/m^2] for the diffusion of e */
    ty_wide w;                      /* [-] sum V W without the particle itself */
} ty_k_sph_rate;

/* One pair in the rates of density and stress. */
TY_KHOT void ty_k_sph_rate_add(ty_k_sph_rate *sum, const ty_k_sph *p, const ty_k_sph_near *i, const ty_k_sph_near *j)
{
    ty_wide r2 = ty_k_sph_dot(j->x, j->y, j->z, j->x, j->y, j->z);
    ty_wide q = ty_k_wide_sqrt(r2) * p->inv_h;
    ty_wide a = ty_k_wide_max(TY_W(2.0) - q, TY_W(0.0)), a3 = a * a * a * j->V;
    ty_wide f = p->cf * a3;
    sum->w += ty_k_pick(r2 > TY_W(0.0), (p->cw * a3) * (a * ty_k_wide_fma(TY_W(2.0), q, TY_W(1.0))), TY_W(0.0));
    ty_wide fx = f * j->x, fy = f * j->y, fz = f * j->z;
    ty_wide dx = j->vx - i->vx, dy = j->vy - i->vy, dz = j->vz - i->vz;
    sum->l[0] = ty_k_wide_fma(dx, fx, sum->l[0]);
    sum->l[1] = ty_k_wide_fma(dx, fy, sum->l[1]);
    sum->l[2] = ty_k_wide_fma(dx, fz, sum->l[2]);
    sum->l[3] = ty_k_wide_fma(dy, fx, sum->l[3]);
    sum->l[4] = ty_k_wide_fma(dy, fy, sum->l[4]);
    sum->l[5] = ty_k_wide_fma(dy, fz, sum->l[5]);
    sum->l[6] = ty_k_wide_fma(dz, fx, sum->l[6]);
    sum->l[7] = ty_k_wide_fma(dz, fy, sum->l[7]);
    sum->l[8] = ty_k_wide_fma(dz, fz, sum->l[8]);
    sum->xx = ty_k_wide_fma(-j->x, fx, sum->xx);
    sum->yy = ty_k_wide_fma(-j->y, fy, sum->yy);
    sum->zz = ty_k_wide_fma(-j->z, fz, sum->zz);
    sum->xy = ty_k_wide_fma(-j->x, fy, sum->xy);
    sum->xz = ty_k_wide_fma(-j->x, fz, sum->xz);
    sum->yz = ty_k_wide_fma(-j->y, fz, sum->yz);
}

/* One pair in the diffusion of density, which takes what the linear part of e leaves [antuono2010]: nothing in a field that grows
 * evenly (the weight alone, rho g . x_ij, would do that only in a fluid). Only between soil that bears. x_ij/r^2 . grad W is F itself, which stays finite:
 * nothing to divide by. F is written as in ty_k_sph_rate_add(), so that both are one to a compiler. */
TY_KHOT void ty_k_sph_spread_add(ty_k_sph_rate *sum, const ty_k_sph *p, const ty_k_sph_near *i, const ty_k_sph_near *j)
{
    ty_wide r2 = ty_k_sph_dot(j->x, j->y, j->z, j->x, j->y, j->z);
    ty_wide a = ty_k_wide_max(TY_W(2.0) - ty_k_wide_sqrt(r2) * p->inv_h, TY_W(0.0)), a3 = a * a * a * j->V;
    ty_wide f = p->cf * a3;
    ty_wide both = ty_k_pick(ty_k_wide_min(i->e, j->e) > TY_W(0.0), j->soil, TY_W(0.0));
    ty_wide de = (i->e - j->e) * both;
    sum->gx = ty_k_wide_fma(-de, f * j->x, sum->gx);
    sum->gy = ty_k_wide_fma(-de, f * j->y, sum->gy);
    sum->gz = ty_k_wide_fma(-de, f * j->z, sum->gz);
    ty_wide linear = ty_k_sph_dot(i->gx + j->gx, i->gy + j->gy, i->gz + j->gz, j->x, j->y, j->z);
    sum->spread = ty_k_wide_fma(f, ty_k_wide_fma(TY_R(-0.5) * both, linear, de), sum->spread);
}

/* Acceleration [m/s^2] by a component of the force that was added up. The discrete moment sum V x grad W of the cubic lattice at
 * h = 1.2 d0 is 0.985, not 1; norm makes up for that, the same for all pairs, so that momentum is kept. Without it a confined
 * column settled by 1.5 % too much. */
TY_KHOT ty_wide ty_k_sph_acceleration(const ty_k_sph *p, ty_wide force, ty_wide e)
{
    return force * (p->norm / (p->rho * (TY_R(1.0) + e)));
}

/* What a wall particle takes over from the soil next to it [adami2012]. */
typedef struct ty_k_sph_ghost {
    ty_wide w, x, y, z;             /* sums of W and of W x_ij */
    ty_wide vx, vy, vz;             /* sums of W v_j */
    ty_wide xx, yy, zz, xy, xz, yz; /* sums of W sigma_j */
} ty_k_sph_ghost;

TY_KHOT void ty_k_sph_ghost_add(ty_k_sph_ghost *sum, const ty_k_sph *p, const ty_k_sph_near *j)
{
    ty_wide r2 = j->x * j->x + j->y * j->y + j->z * j->z;
    ty_wide w = ty_k_sph_w(p, ty_k_wide_sqrt(r2) * p->inv_h) * j->soil;
    sum->w += w;
    sum->x += w * j->x;
    sum->y += w * j->y;
    sum->z += w * j->z;
    sum->vx += w * j->vx;
    sum->vy += w * j->vy;
    sum->vz += w * j->vz;
    sum->xx += w * j->xx;
    sum->yy += w * j->yy;
    sum->zz += w * j->zz;
    sum->xy += w * j->xy;
    sum->xz += w * j->xz;
    sum->yz += w * j->yz;
}

/* Stress of a wall particle: the mean of the soil's, continued over the mean distance x with the weight of what would lie there,
 *     sigma_b = mean(sigma) - rho [(g . x) I + g_t x^T + x g_t^T],  g_t = g - (g . x) x / |x|^2,
 * whose traction on planes across x grows by -rho |x| g. [adami2012] has the isotropic part, which is all that a fluid needs; without
 * the shear a floor on a slope bore too little, by some half a spacing over the depth. */
TY_KHOT void ty_k_sph_ghost_stress(ty_k_sph_ghost *sum, const ty_k_sph *p)
{
    ty_mask some = sum->w > TY_W(0.0);
    ty_wide by = ty_k_pick(some, TY_R(1.0) / ty_k_pick(some, sum->w, TY_W(1.0)), TY_W(0.0));
    ty_wide x = sum->x * by, y = sum->y * by, z = sum->z * by, r2 = x * x + y * y + z * z;
    ty_wide along = p->gx * x + p->gy * y + p->gz * z, part = along / ty_k_wide_max(r2, TY_W(1e-20));
    ty_wide tx = p->gx - part * x, ty = p->gy - part * y, tz = p->gz - part * z;
    sum->xx = sum->xx * by - p->rho * (along + TY_R(2.0) * tx * x);
    sum->yy = sum->yy * by - p->rho * (along + TY_R(2.0) * ty * y);
    sum->zz = sum->zz * by - p->rho * (along + TY_R(2.0) * tz * z);
    sum->xy = sum->xy * by - p->rho * (tx * y + ty * x);
    sum->xz = sum->xz * by - p->rho * (tx * z + tz * x);
    sum->yz = sum->yz * by - p->rho * (ty * z + tz * y);
}

/* Shear stress [Pa] after an implicit step of mu(I) = mu_s + (mu_2 - mu_s) I / (I0 + I), I = rate d sqrt(rho / p):
 *     S0 = mu_s p + c,  S2 = mu_2 p + c,  a = I0 G dt sqrt(p / rho) / d,  rate = (trial - tau) / (G dt)
 *     tau^2 - B tau + H = 0,  B = S2 + trial + a,  H = S2 trial + S0 a,  tau = 2 H / (B + sqrt(B^2 - 4 H))
 * where trial > S0, else trial. B^2 - 4 H = (trial - S2)^2 + a (a + 2 (S2 - S0) + 2 (trial - S0)): never negative, and without
 * cancellation. [jop2006] with the implicit form of [dunatunga2015]. p >= 0 and trial >= 0 [Pa], root = sqrt(p / rho) [m/s],
 * rate = I0 G dt / d [Pa s/m]. At p = 0: min(trial, c). */
TY_KHOT ty_wide ty_k_sph_return(ty_wide p, ty_wide trial, ty_wide root, ty_real rate, ty_real mu_s, ty_real mu_2,
                                ty_real c)
{
    ty_wide s0 = mu_s * p + c, s2 = mu_2 * p + c, a = rate * root;
    ty_wide b = s2 + trial + a, h = s2 * trial + s0 * a, over = trial - s2;
    ty_wide d = over * over + a * (a + TY_R(2.0) * (s2 - s0) + TY_R(2.0) * (trial - s0));
    ty_mask yields = trial > s0;
    ty_wide below = b + ty_k_wide_sqrt(ty_k_wide_max(d, TY_W(0.0)));
    return ty_k_pick(yields, TY_R(2.0) * h / ty_k_pick(yields, below, TY_W(1.0)), trial);
}

/* Friction over that of plane strain, y = mu / mu_p, by Matsuoka and Nakai's criterion [matsuoka1974], I1 I2 / I3 = const of the principal stresses. With
 * j = J3 / tau^3, pressure positive, it is y^2 = 1 + q y^3, q = j mu_p (3 - mu_p^2) / 2: j = 0 in plane strain without change of volume, 2 / 27^(1/2)
 * where one stress is larger than two that are alike (mu_p 0.55: y 1.25), its negative where it is smaller (0.89). |q| < 0.385; three steps of
 * Halley's way from the first two terms of the series are right to rounding up to |q| 0.37. */
TY_KHOT ty_wide ty_k_sph_lode(ty_wide q)
{
    ty_wide y = TY_R(1.0) + TY_R(0.5) * q;
    for (int k = 0; k < 3; k++) {
        ty_wide f = TY_R(1.0) + y * y * (q * y - TY_R(1.0)), g = y * (TY_R(3.0) * q * y - TY_R(2.0)),
                h = TY_R(6.0) * q * y - TY_R(2.0);
        y = y - TY_R(2.0) * f * g / (TY_R(2.0) * g * g - f * h);
    }
    return y;
}

/* Stress and density of a particle. */
typedef struct ty_k_sph_state {
    ty_wide xx, yy, zz, xy, xz, yz; /* [Pa] */
    ty_wide e, V;                   /* [-], [m^3] */
    ty_wide gx, gy, gz;             /* [1/m] corrected gradient of e */
    ty_wide support;                /* [-] trace of the moment matrix: 3 inside, about 2 in a flat surface */
} ty_k_sph_state;

/* Turns a symmetric tensor by the rotation of a step [hughes1980]: R = I + 2 (A + A A) / (1 + |a|^2), A the cross
 * product with a = half the step's turn. Keeps the invariants for any angle. */
TY_KHOT void ty_k_sph_turn(ty_k_sph_state *s, ty_wide ax, ty_wide ay, ty_wide az)
{
    ty_wide f = TY_R(2.0) / (TY_R(1.0) + ax * ax + ay * ay + az * az);
    ty_wide r0 = TY_R(1.0) - f * (ay * ay + az * az), r1 = f * (ax * ay - az), r2 = f * (ax * az + ay);
    ty_wide r3 = f * (ax * ay + az), r4 = TY_R(1.0) - f * (ax * ax + az * az), r5 = f * (ay * az - ax);
    ty_wide r6 = f * (ax * az - ay), r7 = f * (ay * az + ax), r8 = TY_R(1.0) - f * (ax * ax + ay * ay);
    ty_wide a0 = r0 * s->xx + r1 * s->xy + r2 * s->xz, a1 = r0 * s->xy + r1 * s->yy + r2 * s->yz,
            a2 = r0 * s->xz + r1 * s->yz + r2 * s->zz;
    ty_wide b0 = r3 * s->xx + r4 * s->xy + r5 * s->xz, b1 = r3 * s->xy + r4 * s->yy + r5 * s->yz,
            b2 = r3 * s->xz + r4 * s->yz + r5 * s->zz;
    ty_wide c0 = r6 * s->xx + r7 * s->xy + r8 * s->xz, c1 = r6 * s->xy + r7 * s->yy + r8 * s->yz,
            c2 = r6 * s->xz + r7 * s->yz + r8 * s->zz;
    s->xx = a0 * r0 + a1 * r1 + a2 * r2;
    s->xy = a0 * r3 + a1 * r4 + a2 * r5;
    s->xz = a0 * r6 + a1 * r7 + a2 * r8;
    s->yy = b0 * r3 + b1 * r4 + b2 * r5;
    s->yz = b0 * r6 + b1 * r7 + b2 * r8;
    s->zz = c0 * r6 + c1 * r7 + c2 * r8;
}

/* The new density: de = -(1 + e) tr D dt / (1 + tr D dt / 2), which stays above -1; diffusion; and no looser, by more than 5 %,
 * than what the neighbours add up to: an integrated density forgets nothing, also not its errors in free flight, and soil
 * that believed itself loose would fall together without bearing. Nor looser than forget - 1: with 0 all is remembered, with 1 nothing, as by codes
 * that add up rates of pressure and cut it off at 0: there soil that came apart bears as soon as it begins to close. */
TY_KHOT ty_wide ty_k_sph_density(const ty_k_sph *p, ty_wide e, ty_wide divergence, ty_wide spread, ty_wide sum_w,
                                 ty_wide V)
{
    ty_wide a = p->dt * divergence, middle = ty_k_wide_max(TY_R(0.5) * a, TY_W(-0.5));
    e = e - (TY_R(1.0) + e) * a / (TY_R(1.0) + middle) + (p->dt * p->diffuse) * spread;
    ty_wide least = (sum_w + (p->cw * TY_R(16.0)) * V) - TY_R(1.05);
    return ty_k_wide_max(ty_k_wide_max(e, least), TY_W(0.0) + (p->forget - TY_R(1.0)));
}

/* Stress and density after a step of the rates that were added up. */
TY_KHOT ty_k_sph_state ty_k_sph_advance(const ty_k_sph *p, ty_k_sph_state s, const ty_k_sph_rate *r)
{
    /* inverse of the moment matrix; the unit matrix where it is nearly singular */
    ty_wide axx = r->yy * r->zz - r->yz * r->yz, axy = r->xz * r->yz - r->xy * r->zz,
            axz = r->xy * r->yz - r->xz * r->yy;
    ty_wide ayy = r->xx * r->zz - r->xz * r->xz, ayz = r->xy * r->xz - r->xx * r->yz,
            azz = r->xx * r->yy - r->xy * r->xy;
    ty_wide det = r->xx * axx + r->xy * axy + r->xz * axz, one = TY_W(1.0), none = TY_W(0.0);
    ty_mask good = det > TY_W(0.05);
    ty_wide inv = TY_R(1.0) / ty_k_pick(good, det, one);
    axx = ty_k_pick(good, axx * inv, one);
    ayy = ty_k_pick(good, ayy * inv, one);
    azz = ty_k_pick(good, azz * inv, one);
    axy = ty_k_pick(good, axy * inv, none);
    axz = ty_k_pick(good, axz * inv, none);
    ayz = ty_k_pick(good, ayz * inv, none);
    const ty_wide *l = r->l;
    ty_wide l0 = l[0] * axx + l[1] * axy + l[2] * axz, l1 = l[0] * axy + l[1] * ayy + l[2] * ayz,
            l2 = l[0] * axz + l[1] * ayz + l[2] * azz;
    ty_wide l3 = l[3] * axx + l[4] * axy + l[5] * axz, l4 = l[3] * axy + l[4] * ayy + l[5] * ayz,
            l5 = l[3] * axz + l[4] * ayz + l[5] * azz;
    ty_wide l6 = l[6] * axx + l[7] * axy + l[8] * axz, l7 = l[6] * axy + l[7] * ayy + l[8] * ayz,
            l8 = l[6] * axz + l[7] * ayz + l[8] * azz;
    s.gx = r->gx * axx + r->gy * axy + r->gz * axz;
    s.gy = r->gx * axy + r->gy * ayy + r->gz * ayz;
    s.gz = r->gx * axz + r->gy * ayz + r->gz * azz;
    s.support = r->xx + r->yy + r->zz;

    /* deviator: turned with the soil, and Hooke's law */
    ty_wide divergence = l0 + l4 + l8, third = divergence / TY_R(3.0), mean = (s.xx + s.yy + s.zz) / TY_R(3.0);
    s.xx -= mean;
    s.yy -= mean;
    s.zz -= mean;
    ty_real turn = TY_R(0.25) * p->dt, g2 = TY_R(2.0) * p->G * p->dt, g1 = p->G * p->dt;
    ty_k_sph_turn(&s, turn * (l7 - l5), turn * (l2 - l6), turn * (l3 - l1));
    s.xx += g2 * (l0 - third);
    s.yy += g2 * (l4 - third);
    s.zz += g2 * (l8 - third);
    s.xy += g1 * (l1 + l3);
    s.xz += g1 * (l2 + l6);
    s.yz += g1 * (l5 + l7);

    /* pressure by the density, return to the yield surface, nothing where the soil is loose */
    s.e = ty_k_sph_density(p, s.e, divergence, r->spread, r->w, s.V);
    ty_wide pressure = p->K * ty_k_wide_max(s.e, none);
    ty_wide trial =
        ty_k_wide_sqrt(TY_R(0.5) * (s.xx * s.xx + s.yy * s.yy + s.zz * s.zz) + s.xy * s.xy + s.xz * s.xz + s.yz * s.yz);
    ty_wide bears = pressure; /* times the friction of plane strain */
    if (p->lode > TY_R(0.0)) {
        ty_wide third_invariant = s.xx * (s.yz * s.yz - s.yy * s.zz) + s.xy * (s.xy * s.zz - s.xz * s.yz) +
                                  s.xz * (s.xz * s.yy - s.xy * s.yz);
        ty_wide unit = ty_k_wide_max(trial, TY_W(1e-6));
        ty_real most = TY_R(0.5) * p->lode * p->mu_s * (TY_R(3.0) - p->mu_s * p->mu_s);
        bears = pressure * ty_k_sph_lode(most * (third_invariant / (unit * unit * unit)));
    }
    ty_wide tau = ty_k_sph_return(bears, trial, ty_k_wide_sqrt(pressure / p->rho), p->rate, p->mu_s, p->mu_2, p->c);
    ty_wide keep = ty_k_pick(s.e > none, tau / ty_k_wide_max(trial, TY_W(1e-30)), none);
    s.xx = s.xx * keep - pressure;
    s.yy = s.yy * keep - pressure;
    s.zz = s.zz * keep - pressure;
    s.xy *= keep;
    s.xz *= keep;
    s.yz *= keep;
    s.V = p->volume / (TY_R(1.0) + s.e);
    return s;
}

/* Velocity [m/s] after a step, along one axis: a [m/s^2] of stress and bodies, g of gravity, keep [-] what a drag leaves. */
TY_KFN ty_real ty_k_sph_kick(ty_real v, ty_real a, ty_real g, ty_real dt, ty_real keep)
{
    return (v + dt * (a + g)) * keep;
}

/* Way of a step in units of the position, along one axis: with a share of the neighbours' velocity relative to the particle's
 * [monaghan1992]; inv [1/m] units in a metre. */
TY_KFN ty_i32 ty_k_sph_way(ty_real v, ty_real shift, ty_real xsph, ty_real dt, ty_real inv)
{
    return (ty_i32)rint(dt * (v + xsph * shift) * inv);
}

/* Contact of a particle with a rigid surface: a spring as stiff as the soil, k = c_p^2 rho d0 [N/m], damped, and friction with a
 * memory. sdf [m] distance of the particle's centre from the surface, n its gradient (out of the body), v [m/s] velocity relative to
 * the surface, xi [m] memory, m [kg], damping as a share of the critical one. Returns the force [N] on the particle, and xi. */
typedef struct ty_k_sph_touch {
    ty_real fx, fy, fz; /* [N] */
    ty_real x, y, z;    /* [m] xi */
} ty_k_sph_touch;

TY_KFN ty_k_sph_touch ty_k_sph_contact(ty_real sdf, ty_real nx, ty_real ny, ty_real nz, ty_real vx, ty_real vy,
                                       ty_real vz, ty_k_sph_touch was, ty_real half_spacing, ty_real k, ty_real m,
                                       ty_real damping, ty_real mu, ty_real dt)
{
    ty_k_sph_touch now = { 0, 0, 0, 0, 0, 0 };
    ty_real deep = half_spacing - sdf;
    if (deep <= TY_R(0.0)) {
        return now;
    }
    ty_real vn = vx * nx + vy * ny + vz * nz, dash = TY_R(2.0) * damping * sqrt(k * m);
    ty_real fn = ty_k_max(k * deep - dash * vn, TY_R(0.0));
    /* the memory lies in the surface as it is now */
    ty_real along = was.x * nx + was.y * ny + was.z * nz;
    now.x = was.x - along * nx + (vx - vn * nx) * dt;
    now.y = was.y - along * ny + (vy - vn * ny) * dt;
    now.z = was.z - along * nz + (vz - vn * nz) * dt;
    ty_real tx = -k * now.x - dash * (vx - vn * nx), ty = -k * now.y - dash * (vy - vn * ny),
            tz = -k * now.z - dash * (vz - vn * nz);
    ty_real size = sqrt(tx * tx + ty * ty + tz * tz), most = mu * fn;
    if (size > most) {
        ty_real cut = most / size;
        tx *= cut;
        ty *= cut;
        tz *= cut;
        now.x = -tx / k;
        now.y = -ty / k;
        now.z = -tz / k;
    }
    now.fx = fn * nx + tx;
    now.fy = fn * ny + ty;
    now.fz = fn * nz + tz;
    return now;
}

#endif
