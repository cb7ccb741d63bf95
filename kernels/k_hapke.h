/* kernels/k_hapke.h - reflectance of a particulate surface.
 *
 * Hapke's model with isotropic multiple scattering (IMSA): Lommel-Seeliger law, double
 * Henyey-Greenstein particles, shadow-hiding and coherent-backscatter opposition effects, porosity,
 * macroscopic roughness. [hapke2012], the parts in [hapke1981], [hapke1984], [hapke2002],
 * [hapke2008].
 *
 *     r = K w/(4 pi) mu0e/(mu0e + mue) S(i, e, psi)
 *         [p(g) (1 + Bs(g)) + H(mu0e/K) H(mue/K) - 1] (1 + Bc(g))
 *
 * r [1/sr] is the bidirectional reflectance: radiance over irradiance of a surface facing the beam.
 * BRDF = r/mu0, RADF (I/F) = pi r, REFF = pi r/mu0.
 *
 * What depends on the parameters alone is prepared once (ty_k_hapke_make); ty_k_hapke_brdf is then
 * called for every pixel. It is written in the larger and the smaller of i and e instead of in two
 * branches, which makes reciprocity exact: BRDF(i, e) and BRDF(e, i) run the same operations.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_HAPKE_H
#define TY_K_HAPKE_H
#include "k_angles.h"
#include "k_math.h"

typedef struct ty_k_hapke_params {
    ty_real w;       /* [-] single-scattering albedo, 0 to 1 */
    ty_real b;       /* [-] width of the Henyey-Greenstein lobes, 0 <= b < 1 */
    ty_real c;       /* [-] -1 all forward to 1 all backward */
    ty_real bs0, hs; /* [-] shadow hiding: amplitude; half width, tan of half the phase angle, > 0 */
    ty_real bc0, hc; /* [-] coherent backscatter: the same */
    ty_real theta;   /* [rad] mean slope of the roughness, below pi/2 */
    ty_real phi;     /* [-] filling factor, 0 (K = 1) to 0.752, the limit of [hapke2008] */
    int h81;         /* which approximation of Chandrasekhar's H: 0 [hapke2002], 1 [hapke1981] */
} ty_k_hapke_params;

typedef struct ty_k_hapke {
    ty_real scale;                    /* [1/sr] K w / (4 pi) */
    ty_real w, inv_k;                 /* [-] */
    ty_real gamma, r0;                /* [-] sqrt(1 - w), (1 - gamma)/(1 + gamma) */
    ty_real back, fore;               /* [-] weights of the lobes times 1 - b^2 */
    ty_real b4, narrow;               /* [-] 4 b, (1 - b)^2 */
    ty_real bs0, inv_hs, bc0, inv_hc; /* [-] */
    ty_real tan_t, cot_t, chi;        /* [-] of the mean slope */
    int h81;
} ty_k_hapke;

/* Porosity: K = -ln(1 - 1.209 phi^(2/3)) / (1.209 phi^(2/3)), 1 for phi = 0.   [hapke2008] */
TY_KFN ty_real ty_k_hapke_porosity(ty_real phi)
{
    ty_real x = phi > TY_R(0.0) ? TY_R(1.209) * exp(TY_R(2.0 / 3.0) * log(phi)) : TY_R(0.0);
    return x > TY_R(1e-6) ? -log1p(-x) / x : TY_R(1.0) + TY_R(0.5) * x;
}

TY_KFN ty_k_hapke ty_k_hapke_make(ty_k_hapke_params p)
{
    ty_k_hapke h;
    ty_real k = ty_k_hapke_porosity(p.phi);
    h.scale = k * p.w / (TY_R(4.0) * TY_K_PI);
    h.w = p.w;
    h.inv_k = TY_R(1.0) / k;
    h.gamma = sqrt(TY_R(1.0) - p.w);
    h.r0 = (TY_R(1.0) - h.gamma) / (TY_R(1.0) + h.gamma);
    h.back = TY_R(0.5) * (TY_R(1.0) + p.c) * (TY_R(1.0) - p.b * p.b);
    h.fore = TY_R(0.5) * (TY_R(1.0) - p.c) * (TY_R(1.0) - p.b * p.b);
    h.b4 = TY_R(4.0) * p.b;
    h.narrow = (TY_R(1.0) - p.b) * (TY_R(1.0) - p.b);
    h.bs0 = p.bs0;
    h.inv_hs = TY_R(1.0) / p.hs;
    h.bc0 = p.bc0;
    h.inv_hc = TY_R(1.0) / p.hc;
    h.tan_t = tan(p.theta);
    /* finite; where tan_t is 0 nothing depends on it */
    h.cot_t = TY_R(1.0) / ty_k_max(h.tan_t, TY_R(1e-6));
    h.chi = TY_R(1.0) / sqrt(TY_R(1.0) + TY_K_PI * h.tan_t * h.tan_t);
    h.h81 = p.h81;
    return h;
}

/* Chandrasekhar's H for isotropic scatterers, x = mu/K >= 0.
 *     [hapke1981]  H = (1 + 2 x) / (1 + 2 gamma x)
 *     [hapke2002]  H = 1 / (1 - w x (r0 + (1 - 2 r0 x)/2 ln((1 + x)/x))) */
TY_KHOT ty_real ty_k_hapke_h(ty_k_hapke h, ty_real x)
{
    ty_real h81 = (TY_R(1.0) + TY_R(2.0) * x) / (TY_R(1.0) + TY_R(2.0) * h.gamma * x);
    ty_real y = ty_k_max(x, TY_R(1e-30)); /* y ln(1/y) goes to 0 */
    ty_real l = ty_k_log((TY_R(1.0) + y) / y);
    ty_real inner = h.r0 + TY_R(0.5) * (TY_R(1.0) - TY_R(2.0) * h.r0 * y) * l;
    return h.h81 ? h81 : TY_R(1.0) / (TY_R(1.0) - h.w * y * inner);
}

/* Double Henyey-Greenstein phase function, mean 1 over the sphere.   [hapke2012]
 *     p = (1+c)/2 (1-b^2)/(1 - 2 b cos g + b^2)^1.5 + (1-c)/2 (1-b^2)/(1 + 2 b cos g + b^2)^1.5
 * 1 -+ 2 b cos g + b^2 is taken as (1-b)^2 + 4 b sin^2(g/2) or cos^2(g/2), positive sums. */
TY_KHOT ty_real ty_k_hapke_phase(ty_k_hapke h, ty_real sin2_g, ty_real cos2_g)
{
    ty_real db = h.narrow + h.b4 * sin2_g, df = h.narrow + h.b4 * cos2_g;
    return h.back / (db * sqrt(db)) + h.fore / (df * sqrt(df));
}

/* Shadow hiding: Bs = Bs0 / (1 + tan(g/2)/hs)   [hapke2002] */
TY_KHOT ty_real ty_k_hapke_shoe(ty_k_hapke h, ty_real tan_g)
{
    return h.bs0 / (TY_R(1.0) + tan_g * h.inv_hs);
}

/* Coherent backscatter: Bc = Bc0 (1 + (1 - exp(-z))/z) / (2 (1 + z)^2), z = tan(g/2)/hc [hapke2002] */
TY_KHOT ty_real ty_k_hapke_cboe(ty_k_hapke h, ty_real tan_g)
{
    ty_real z = tan_g * h.inv_hc;
    return h.bc0 * (TY_R(1.0) + ty_k_decay_mean(z)) / (TY_R(2.0) * (TY_R(1.0) + z) * (TY_R(1.0) + z));
}

/* Macroscopic roughness, [hapke1984] (46) to (51), for the larger ("low") and the smaller ("high")
 * of i and e: the direction nearer the horizon and the one nearer the normal. */
typedef struct ty_k_hapke_slope {
    ty_real high, low;         /* [-] effective cosines mu_e of the two directions */
    ty_real eta_high, eta_low; /* [-] the same with the other direction along the normal */
    ty_real shade;             /* [-] chi / (1 - f + f chi cos(high)/eta(high)) */
} ty_k_hapke_slope;

/*     chi = 1/sqrt(1 + pi tan^2 t)
 *     E1(x) = exp(-2/pi cot t cot x), E2(x) = exp(-1/pi cot^2 t cot^2 x)
 *     f = exp(-2 tan(psi/2)), eta(x) = chi (cos x + sin x tan t E2(x)/(2 - E1(x)))
 *     D = 2 - E1(low) - psi/pi E1(high)
 *     mu_e(high) = chi (cos + sin tan t (cos psi E2(low) + sin^2(psi/2) E2(high)) / D)
 *     mu_e(low)  = chi (cos + sin tan t (        E2(low) - sin^2(psi/2) E2(high)) / D)
 * D and both numerators vanish for two low directions opposite each other: they are taken in 1 - E
 * and 1 - psi/pi, sums that do not cancel there. */
TY_KHOT ty_k_hapke_slope ty_k_hapke_rough(ty_k_hapke h, ty_k_angles a)
{
    ty_k_hapke_slope s;
    const ty_real inv_pi = TY_R(0.318309886183790671538), one = TY_R(1.0);
    int light_high = a.mu0 >= a.mu;
    ty_real mu_h = light_high ? a.mu0 : a.mu, mu_l = light_high ? a.mu : a.mu0;
    ty_real sin_h = light_high ? a.sin_i : a.sin_e, sin_l = light_high ? a.sin_e : a.sin_i;
    ty_real x_h = h.cot_t * mu_h / ty_k_max(sin_h, TY_R(1e-9)); /* cot t cot x */
    ty_real x_l = h.cot_t * mu_l / ty_k_max(sin_l, TY_R(1e-9));
    /* 1 - E1 and 1 - E2 of both */
    ty_real u1_h = ty_k_decay(TY_R(2.0) * inv_pi * x_h), u2_h = ty_k_decay(inv_pi * x_h * x_h);
    ty_real u1_l = ty_k_decay(TY_R(2.0) * inv_pi * x_l), u2_l = ty_k_decay(inv_pi * x_l * x_l);
    ty_real cot_psi = sqrt(a.cos2_psi / ty_k_max(a.sin2_psi, TY_R(1e-30)));
    ty_real not_f = ty_k_decay(TY_R(2.0) / ty_k_max(cot_psi, TY_R(1e-15))); /* 1 - f */
    ty_real rest = TY_R(2.0) * inv_pi * ty_k_atan(cot_psi);                 /* 1 - psi/pi */
    ty_real d = ty_k_max(u1_l + u1_h + rest * (one - u1_h), TY_R(1e-30));
    ty_real top_h = a.cos2_psi * (one - u2_l) - a.sin2_psi * (u2_h - u2_l);
    ty_real top_l = a.cos2_psi * (one - u2_h) + (u2_h - u2_l);
    s.high = h.chi * (mu_h + sin_h * h.tan_t * top_h / d);
    s.low = h.chi * (mu_l + sin_l * h.tan_t * top_l / d);
    s.eta_high = h.chi * (mu_h + sin_h * h.tan_t * (one - u2_h) / (one + u1_h));
    s.eta_low = h.chi * (mu_l + sin_l * h.tan_t * (one - u2_l) / (one + u1_l));
    s.shade = h.chi / (not_f + (one - not_f) * h.chi * mu_h / s.eta_high);
    return s;
}

/* BRDF [1/sr] = r / mu0; 0 when the light or the eye is not above the surface. With S = mue/eta(e)
 * mu0/eta(i) shade, the roughness enters as mu0e mue / ((mu0e + mue) eta(i) eta(e)) shade. */
TY_KHOT ty_real ty_k_hapke_brdf(ty_k_hapke h, ty_k_angles a)
{
    /* nothing branches: with the choice last, a loop over lanes becomes vector code */
    int lit = a.mu0 > TY_R(0.0) && a.mu > TY_R(0.0);
    ty_k_hapke_slope s = ty_k_hapke_rough(h, a);
    ty_real law = (s.high / s.eta_high) * (s.low / s.eta_low) * s.shade / (s.high + s.low);
    ty_real tan_g = ty_k_angles_tan_g(a);
    ty_real single = ty_k_hapke_phase(h, a.sin2_g, a.cos2_g) * (TY_R(1.0) + ty_k_hapke_shoe(h, tan_g));
    ty_real multiple = ty_k_hapke_h(h, s.high * h.inv_k) * ty_k_hapke_h(h, s.low * h.inv_k) - TY_R(1.0);
    ty_real brdf = h.scale * law * (single + multiple) * (TY_R(1.0) + ty_k_hapke_cboe(h, tan_g));
    return lit ? brdf : TY_R(0.0);
}

#endif
