/* kernels/k_sample.h - directions drawn for a reflectance law, and their densities [1/sr].
 *
 * Directions are in the surface's frame (z the normal). Given the direction v to the eye, a sampler
 * turns uniform numbers into a direction l to look for light in; ty_k_brdf_pdf says how densely it
 * does so. A drawn direction below the surface (z <= 0) carries no light: both BRDF and density are
 * 0 there, and the mass lost is the lobe's. Hapke, Lommel-Seeliger, Minnaert and Oren-Nayar are
 * drawn by the cosine.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SAMPLE_H
#define TY_K_SAMPLE_H
#include "k_brdf.h"
#include "k_math.h"

/* Cosine-weighted hemisphere: density mu0 / pi. */
TY_KFN ty_k_vec3 ty_k_sample_cosine(ty_real u0, ty_real u1)
{
    ty_real r = sqrt(u0), s, c;
    ty_k_sincos(TY_R(2.0) * TY_K_PI * u1, &s, &c);
    return ty_k_vec(r * c, r * s, sqrt(ty_k_max(TY_R(1.0) - u0, TY_R(0.0))));
}
TY_KFN ty_real ty_k_pdf_cosine(ty_real mu0)
{
    return ty_k_max(mu0, TY_R(0.0)) / TY_K_PI;
}

/* Towards the skyline: three quarters of the directions with a density like mu0 / (mu0^2 + a^2)^2,
 * the rest by the cosine, so that nothing overhead is met too seldom. On open ground what lights a
 * shadow is ground near the horizon, where the cosine hardly looks; a [-] is the sine of how high over
 * the surface it reaches, given as a2 = a^2; large a is the cosine. u0 chooses and is used again, so
 * that evenly spread points stay so. */
#define TY_K_LOW_SHARE TY_R(0.75)
TY_KFN ty_k_vec3 ty_k_sample_skyline(ty_real a2, ty_real u0, ty_real u1)
{
    if (u0 >= TY_K_LOW_SHARE) {
        return ty_k_sample_cosine((u0 - TY_K_LOW_SHARE) / (TY_R(1.0) - TY_K_LOW_SHARE), u1);
    }
    ty_real w = u0 / TY_K_LOW_SHARE, z2 = w * a2 / (TY_R(1.0) + a2 - w); /* the cumulative density, turned round */
    ty_real r = sqrt(ty_k_max(TY_R(1.0) - z2, TY_R(0.0))), sine, cosine;
    ty_k_sincos(TY_R(2.0) * TY_K_PI * u1, &sine, &cosine);
    return ty_k_vec(r * cosine, r * sine, sqrt(z2));
}
TY_KFN ty_real ty_k_pdf_skyline(ty_real a2, ty_real mu0)
{
    ty_real b = mu0 * mu0 + a2, low = a2 * (TY_R(1.0) + a2) / (b * b);
    return ty_k_pdf_cosine(mu0) * (TY_R(1.0) + TY_K_LOW_SHARE * (low - TY_R(1.0)));
}

/* a2 of the two above for a surface on relief, with this normal in a frame whose z is up: relief rises some 0.35 over
 * level ground, and a slope sees the ground at its foot; what looks down or to the side is drawn nearly by the cosine.
 * Ours; the mean of what is drawn does not depend on it. */
#define TY_K_SKYLINE TY_R(0.35)
TY_KFN ty_real ty_k_skyline_a2(ty_k_vec3 n)
{
    ty_real up = ty_k_max(n.z, TY_R(0.0));
    return TY_K_SKYLINE * TY_K_SKYLINE + TY_R(1.0) - up * up;
}

/* A vector given in the base that ty_k_across() makes about unit w. */
TY_KFN ty_k_vec3 ty_k_from_base(ty_k_vec3 w, ty_k_vec3 p)
{
    ty_k_vec3 e0, e1;
    ty_k_across(w, &e0, &e1);
    return ty_k_add(ty_k_add(ty_k_scale(p.x, e0), ty_k_scale(p.y, e1)), ty_k_scale(p.z, w));
}

/* Phong lobe about the eye's mirror direction: density (n + 1)/(2 pi) cos^n.   [lafortune1994] */
TY_KFN ty_k_vec3 ty_k_sample_phong(ty_k_vec3 v, ty_real n, ty_real u0, ty_real u1)
{
    ty_real c = pow(u0, TY_R(1.0) / (n + TY_R(1.0))), s = sqrt(ty_k_max(TY_R(1.0) - c * c, TY_R(0.0)));
    ty_real sine, cosine;
    ty_k_sincos(TY_R(2.0) * TY_K_PI * u1, &sine, &cosine);
    return ty_k_from_base(ty_k_vec(-v.x, -v.y, v.z), ty_k_vec(s * cosine, s * sine, c));
}
TY_KFN ty_real ty_k_pdf_phong(ty_real n, ty_k_angles a)
{
    ty_real c = ty_k_phong_cos(a);
    return c > TY_R(0.0) ? (n + TY_R(1.0)) / (TY_R(2.0) * TY_K_PI) * pow(c, n) : TY_R(0.0);
}

/* Mirror direction about a normal of GGX drawn as the eye sees them.   [heitz2018]
 * Stretch to the hemisphere, draw on the visible half disk, put back on the hemisphere, unstretch. */
TY_KFN ty_k_vec3 ty_k_sample_ggx(ty_k_vec3 v, ty_real alpha, ty_real u0, ty_real u1)
{
    ty_k_vec3 w = ty_k_unit(ty_k_vec(alpha * v.x, alpha * v.y, v.z));
    ty_real l2 = w.x * w.x + w.y * w.y;
    ty_real inv = l2 > TY_R(0.0) ? TY_R(1.0) / sqrt(l2) : TY_R(0.0);
    ty_k_vec3 t0 =
        l2 > TY_R(0.0) ? ty_k_vec(-w.y * inv, w.x * inv, TY_R(0.0)) : ty_k_vec(TY_R(1.0), TY_R(0.0), TY_R(0.0));
    ty_k_vec3 t1 = ty_k_cross(w, t0);
    ty_real r = sqrt(u0), s = TY_R(0.5) * (TY_R(1.0) + w.z), p0, p1;
    ty_k_sincos(TY_R(2.0) * TY_K_PI * u1, &p1, &p0);
    p0 *= r, p1 *= r;
    p1 = (TY_R(1.0) - s) * sqrt(ty_k_max(TY_R(1.0) - p0 * p0, TY_R(0.0))) + s * p1;
    ty_real p2 = sqrt(ty_k_max(TY_R(1.0) - p0 * p0 - p1 * p1, TY_R(0.0)));
    ty_k_vec3 n = ty_k_add(ty_k_add(ty_k_scale(p0, t0), ty_k_scale(p1, t1)), ty_k_scale(p2, w));
    n = ty_k_unit(ty_k_vec(alpha * n.x, alpha * n.y, ty_k_max(n.z, TY_R(1e-9))));
    return ty_k_sub(ty_k_scale(TY_R(2.0) * ty_k_dot(v, n), n), v);
}
/* Density of those directions: D(n) / (4 mu (1 + Lambda(eye))).   [heitz2018] */
TY_KFN ty_real ty_k_pdf_ggx(ty_real alpha, ty_k_angles a)
{
    ty_real lambda = ty_k_ggx_lambda(alpha, a.mu, a.sin_e);
    return ty_k_ggx_d(alpha, a) / (TY_R(4.0) * a.mu * (TY_R(1.0) + lambda));
}

/* Chance of drawing from the lobe rather than by the cosine, in proportion to their albedos. */
TY_KFN ty_real ty_k_brdf_lobe_chance(ty_k_brdf m)
{
    ty_real lobe = TY_R(0.0), diffuse = m.albedo;
    if (m.law == TY_K_PHONG) {
        lobe = m.specular;
    } else if (m.law == TY_K_PRINCIPLED) {
        lobe = ty_k_max(ty_k_principled_f0(m), TY_R(0.05)); /* grazing light finds the lobe even where f0 is 0 */
        diffuse = m.albedo * (TY_R(1.0) - m.metallic);
    }
    return lobe > TY_R(0.0) ? lobe / (lobe + diffuse) : TY_R(0.0);
}

/* What directions are drawn by where dust covers a share [-] of a material: less of its lobe, as soil has none. */
TY_KFN ty_k_brdf ty_k_brdf_under_dust(ty_k_brdf m, ty_real cover)
{
    m.specular *= TY_R(1.0) - cover;
    m.metallic *= TY_R(1.0) - cover;
    return m;
}

/* v must be above the surface; u0, u1, u2 in (0, 1). */
TY_KFN ty_k_vec3 ty_k_brdf_sample(ty_k_brdf m, ty_k_vec3 v, ty_real u0, ty_real u1, ty_real u2)
{
    if (u2 >= ty_k_brdf_lobe_chance(m)) {
        return ty_k_sample_cosine(u0, u1);
    }
    return m.law == TY_K_PHONG ? ty_k_sample_phong(v, m.exponent, u0, u1)
                               : ty_k_sample_ggx(v, ty_k_ggx_alpha(m.roughness), u0, u1);
}
TY_KFN ty_real ty_k_brdf_pdf(ty_k_brdf m, ty_k_angles a)
{
    if (!(a.mu0 > TY_R(0.0) && a.mu > TY_R(0.0))) {
        return TY_R(0.0);
    }
    ty_real chance = ty_k_brdf_lobe_chance(m), pdf = (TY_R(1.0) - chance) * ty_k_pdf_cosine(a.mu0);
    if (chance > TY_R(0.0)) {
        pdf += chance *
               (m.law == TY_K_PHONG ? ty_k_pdf_phong(m.exponent, a) : ty_k_pdf_ggx(ty_k_ggx_alpha(m.roughness), a));
    }
    return pdf;
}

#endif
