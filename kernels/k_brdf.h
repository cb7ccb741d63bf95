/* kernels/k_brdf.h - reflectance laws beside Hapke's, for rocks, rovers and test targets.
 *
 * Each returns a BRDF [1/sr]: radiance over irradiance. A law written as bidirectional reflectance
 * r in its source is divided by mu0 here (DESIGN 5: BRDF = r/mu0). All are 0 when the light or the
 * eye is not above the surface.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_BRDF_H
#define TY_K_BRDF_H
#include "k_angles.h"

enum ty_k_brdf_law {
    TY_K_LAMBERT = 0,
    TY_K_LOMMEL_SEELIGER = 1,
    TY_K_MINNAERT = 2,
    TY_K_OREN_NAYAR = 3,
    TY_K_PHONG = 4,
    TY_K_PRINCIPLED = 5
};

/* One band of one material; a law reads what it needs. */
typedef struct ty_k_brdf {
    int law;           /* enum ty_k_brdf_law */
    ty_real albedo;    /* [-] Lambert albedo, single-scattering albedo, or base colour of the band */
    ty_real k;         /* [-] Minnaert's limb darkening, >= 0.5 */
    ty_real sigma;     /* [rad] Oren-Nayar: standard deviation of the slopes */
    ty_real exponent;  /* [-] Phong */
    ty_real specular;  /* [-] Phong: albedo of the lobe; Principled: 0 to 1 (reflects 0.08 of it) */
    ty_real roughness; /* [-] Principled, 0 to 1; alpha = roughness^2, not below 0.001 */
    ty_real metallic;  /* [-] Principled, 0 dielectric to 1 metal */
} ty_k_brdf;

/* Lambert: albedo / pi.   [iris] (1) */
TY_KFN ty_real ty_k_lambert(ty_real albedo)
{
    return albedo / TY_K_PI;
}

/* Lommel-Seeliger: w / (4 pi (mu0 + mu)), isotropic single scattering.   [iris] (3) */
TY_KFN ty_real ty_k_lommel_seeliger(ty_real w, ty_k_angles a)
{
    return w / (TY_R(4.0) * TY_K_PI * (a.mu0 + a.mu));
}

/* Minnaert: albedo/pi (mu0 mu)^(k - 1).   [iris] (2)
 * The paper's A_M is albedo/pi here, so that k = 1 is Lambert's law with the same albedo. */
TY_KFN ty_real ty_k_minnaert(ty_real albedo, ty_real k, ty_k_angles a)
{
    return albedo / TY_K_PI * pow(a.mu0 * a.mu, k - TY_R(1.0));
}

/* Oren-Nayar, the "qualitative" model of the 1994 paper (no interreflection term).   [oren1994]
 *     albedo/pi (A + B max(0, cos psi) sin(alpha) tan(beta)), alpha >= beta of i and e
 *     A = 1 - s^2/(2 (s^2 + 0.33)), B = 0.45 s^2/(s^2 + 0.09)
 * sin(alpha) tan(beta) = sin i sin e / max(mu0, mu). */
TY_KFN ty_real ty_k_oren_nayar(ty_real albedo, ty_real sigma, ty_k_angles a)
{
    ty_real s2 = sigma * sigma;
    ty_real c0 = TY_R(1.0) - TY_R(0.5) * s2 / (s2 + TY_R(0.33));
    ty_real c1 = TY_R(0.45) * s2 / (s2 + TY_R(0.09));
    ty_real side = ty_k_max(ty_k_angles_cos_psi(a), TY_R(0.0));
    return albedo / TY_K_PI * (c0 + c1 * side * a.sin_i * a.sin_e / ty_k_max(a.mu0, a.mu));
}

/* Cosine between the eye and the light's mirror direction: mu0 mu - sin i sin e cos psi. */
TY_KFN ty_real ty_k_phong_cos(ty_k_angles a)
{
    return a.mu0 * a.mu - a.sin_i * a.sin_e * ty_k_angles_cos_psi(a);
}

/* Phong, modified and normalised as by [lafortune1994]: a lobe about the mirror direction whose
 * albedo is `specular` at normal incidence and less elsewhere, so that albedo + specular <= 1 never
 * gains energy.
 *     albedo/pi + specular (n + 2)/(2 pi) max(0, cos(eye, mirror))^n */
TY_KFN ty_real ty_k_phong(ty_real albedo, ty_real specular, ty_real n, ty_k_angles a)
{
    ty_real c = ty_k_phong_cos(a);
    ty_real lobe = c > TY_R(0.0) ? pow(c, n) : TY_R(0.0);
    return albedo / TY_K_PI + specular * (n + TY_R(2.0)) / (TY_R(2.0) * TY_K_PI) * lobe;
}

/* Half vector: cos^2 and sin^2 of its angle to the normal, from l + v; |l + v|^2 = 4 cos^2(g/2) and
 * |tangential l + v|^2 = (sin i - sin e)^2 + 4 sin i sin e cos^2(psi/2). */
TY_KFN ty_real ty_k_half_cos2(ty_k_angles a)
{
    return (a.mu0 + a.mu) * (a.mu0 + a.mu) / (TY_R(4.0) * ty_k_max(a.cos2_g, TY_R(1e-12)));
}
TY_KFN ty_real ty_k_half_sin2(ty_k_angles a)
{
    ty_real d = a.sin_i - a.sin_e;
    return (d * d + TY_R(4.0) * a.sin_i * a.sin_e * a.cos2_psi) / (TY_R(4.0) * ty_k_max(a.cos2_g, TY_R(1e-12)));
}

/* Trowbridge-Reitz (GGX) distribution of normals [1/sr] at the half vector.   [walter2007] (33)
 *     D = alpha^2 / (pi (alpha^2 cos^2 + sin^2)^2) */
TY_KFN ty_real ty_k_ggx_d(ty_real alpha, ty_k_angles a)
{
    ty_real a2 = alpha * alpha, d = ty_k_half_cos2(a) * a2 + ty_k_half_sin2(a);
    return a2 / (TY_K_PI * d * d);
}
/* Smith's auxiliary function for it: (sqrt(1 + alpha^2 tan^2) - 1) / 2   [heitz2014] (72) */
TY_KFN ty_real ty_k_ggx_lambda(ty_real alpha, ty_real c, ty_real s)
{
    ty_real t = alpha * s / ty_k_max(c, TY_R(1e-9));
    return TY_R(0.5) * (sqrt(TY_R(1.0) + t * t) - TY_R(1.0));
}
TY_KFN ty_real ty_k_ggx_alpha(ty_real roughness)
{
    return ty_k_max(roughness * roughness, TY_R(1e-3));
}
/* Reflectance at normal incidence: 0.08 specular for a dielectric, the base colour for a metal. [burley2012] */
TY_KFN ty_real ty_k_principled_f0(ty_k_brdf m)
{
    return TY_R(0.08) * m.specular * (TY_R(1.0) - m.metallic) + m.albedo * m.metallic;
}

/* Share of light that is mirrored at an angle whose cosine is c, after Schlick: f0 at right angles, all of it along the surface.
 * [burley2012] */
TY_KFN ty_real ty_k_schlick(ty_real f0, ty_real c)
{
    ty_real u = TY_R(1.0) - c, u2 = u * u;
    return f0 + (TY_R(1.0) - f0) * u2 * u2 * u;
}

/* Microfacet lobe: D F / (4 mu0 mu (1 + Lambda_i + Lambda_e)), Schlick's F = f0 + (1 - f0)(1 -
 * cos(g/2))^5. [walter2007] (20), [heitz2014] (99), [burley2012] */
TY_KFN ty_real ty_k_principled_specular(ty_k_brdf m, ty_k_angles a)
{
    ty_real alpha = ty_k_ggx_alpha(m.roughness), f0 = ty_k_principled_f0(m);
    ty_real shadow = TY_R(1.0) + ty_k_ggx_lambda(alpha, a.mu0, a.sin_i) + ty_k_ggx_lambda(alpha, a.mu, a.sin_e);
    ty_real f = ty_k_schlick(f0, sqrt(ty_k_min(a.cos2_g, TY_R(1.0))));
    return ty_k_ggx_d(alpha, a) * f / (TY_R(4.0) * a.mu0 * a.mu * shadow);
}

/* Principled, a subset of Disney's [burley2012]: base colour, metallic, specular, roughness; no
 * subsurface, sheen, clearcoat, anisotropy or tints. Two departures, both for energy: the diffuse
 * part is Lambert's (Disney's retro- reflection factor makes a white surface 0.5 to 1.5 times white
 * at grazing light), and shadowing-masking is height-correlated Smith with the same alpha instead
 * of a remapped one. Diffuse and specular add, as Disney's do. */
TY_KFN ty_real ty_k_principled(ty_k_brdf m, ty_k_angles a)
{
    return (TY_R(1.0) - m.metallic) * ty_k_lambert(m.albedo) + ty_k_principled_specular(m, a);
}

TY_KFN ty_real ty_k_brdf_eval(ty_k_brdf m, ty_k_angles a)
{
    if (!(a.mu0 > TY_R(0.0) && a.mu > TY_R(0.0))) {
        return TY_R(0.0);
    }
    switch (m.law) {
    case TY_K_LOMMEL_SEELIGER:
        return ty_k_lommel_seeliger(m.albedo, a);
    case TY_K_MINNAERT:
        return ty_k_minnaert(m.albedo, m.k, a);
    case TY_K_OREN_NAYAR:
        return ty_k_oren_nayar(m.albedo, m.sigma, a);
    case TY_K_PHONG:
        return ty_k_phong(m.albedo, m.specular, m.exponent, a);
    case TY_K_PRINCIPLED:
        return ty_k_principled(m, a);
    default:
        return ty_k_lambert(m.albedo);
    }
}

#endif
