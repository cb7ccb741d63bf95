/* The reflectance laws beside Hapke's: reciprocity, white furnace, albedos in closed form, samplers
 * against densities.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_philox.h"
#include "k_sample.h"
#include "quadrature.h"
#include "tycho/math.h"

static const ty_k_brdf materials[] = {
    { .law = TY_K_LAMBERT, .albedo = 0.8 },
    { .law = TY_K_LOMMEL_SEELIGER, .albedo = 0.4 },
    { .law = TY_K_MINNAERT, .albedo = 0.5, .k = 0.7 },
    { .law = TY_K_OREN_NAYAR, .albedo = 0.9, .sigma = 0.5 },
    { .law = TY_K_PHONG, .albedo = 0.3, .specular = 0.6, .exponent = 40.0 },
    { .law = TY_K_PRINCIPLED, .albedo = 0.5, .specular = 0.5, .roughness = 0.4, .metallic = 0.0 },
    { .law = TY_K_PRINCIPLED, .albedo = 0.9, .specular = 0.5, .roughness = 0.7, .metallic = 1.0 },
};
#define MATERIALS ((int)(sizeof materials / sizeof materials[0]))

static ty_k_vec3 direction(double angle, double azimuth)
{
    return ty_k_vec(sin(angle) * cos(azimuth), sin(angle) * sin(azimuth), cos(angle));
}

/* All laws are reciprocal; rounding of a few operations. Control: r = BRDF mu0 is not. */
TY_TEST(brdf, reciprocity)
{
    int controls = 0;
    for (ty_u32 n = 0; n < 7000; n++) {
        ty_k_u32x4 r = ty_k_philox(n, 0, 0, 0, 21, TY_RNG_TEST);
        ty_k_vec3 l = direction(ty_k_uniform(r.v[0]) * 0.49 * TY_PI, 6.28 * ty_k_uniform(r.v[1]));
        ty_k_vec3 v = direction(ty_k_uniform(r.v[2]) * 0.49 * TY_PI, 6.28 * ty_k_uniform(r.v[3]));
        ty_k_brdf m = materials[n % MATERIALS];
        double forth = ty_k_brdf_eval(m, ty_k_angles_of(l, v)), back = ty_k_brdf_eval(m, ty_k_angles_of(v, l));
        TY_NEAR_REL(forth, back, 1e-13);
        controls += fabs(forth * l.z - back * v.z) > 1e-3 * back * v.z;
        TY_CHECK(ty_k_brdf_eval(m, ty_k_angles_of(ty_k_vec(l.x, l.y, -l.z), v)) == 0.0);
    }
    TY_CHECK(controls > 6500);
    TY_ROW("Lambert, Lommel-Seeliger, Minnaert, Oren-Nayar, Phong, Principled are reciprocal to 1e-13",
           "the law itself, 7000 pairs", "worst %.0e", tyt_worst_rel("forth"));
}

/* A white surface in a white furnace is white, to 0.5 % (issue, line 2). Control: white
 * Lommel-Seeliger particles, whose multiply scattered light the law leaves out. */
TY_TEST(brdf, white_furnace)
{
    ty_k_brdf lambert = { .law = TY_K_LAMBERT, .albedo = 1.0 };
    for (int k = 0; k < 9; k++) {
        double e = k * 10.0 * TY_DEG;
        TY_NEAR(albedo_of(lambert, NULL, e), 1.0, 5e-3);
        for (int rough = 0; rough <= 4; rough++) {
            ty_k_brdf m = { .law = TY_K_PRINCIPLED, .albedo = 1.0, .roughness = 0.25 * rough };
            ty_k_brdf metal = m;
            metal.metallic = 1.0;
            ty_k_angles a = ty_k_angles_from(0.4, e, 1.0);
            double diffuse = ty_k_principled(m, a) - ty_k_principled_specular(m, a);
            TY_NEAR_REL(diffuse, 1.0 / TY_PI, 1e-12); /* the diffuse part alone, whatever the roughness */
            TY_NEAR(ty_k_principled(metal, a), ty_k_principled_specular(metal, a), 1e-15); /* a metal has none */
        }
        TY_FAR(albedo_of((ty_k_brdf){ .law = TY_K_LOMMEL_SEELIGER, .albedo = 1.0 }, NULL, e), 1.0, 5e-3);
    }
    TY_ROW("white furnace within 0.5 %", "Lambert, Principled diffuse", "worst %.1e",
           tyt_worst("albedo_of(lambert, NULL, e)"));
}

/* Directional albedo against closed forms, 1e-4. */
TY_TEST(brdf, albedo_in_closed_form)
{
    for (int k = 0; k < 9; k++) {
        double e = k * 10.0 * TY_DEG, mu = cos(e);
        ty_k_brdf m = { .law = TY_K_LOMMEL_SEELIGER, .albedo = 0.4 };
        TY_NEAR(albedo_of(m, NULL, e), 0.2 * (1.0 - mu * log((1.0 + mu) / mu)), 1e-4);
        m = (ty_k_brdf){ .law = TY_K_MINNAERT, .albedo = 0.5, .k = 0.7 };
        TY_NEAR(albedo_of(m, NULL, e), 2.0 * 0.5 * pow(mu, -0.3) / 1.7, 1e-3); /* weak singularity at the horizon */
        TY_FAR(albedo_of(m, NULL, e), 0.5, 1e-3);                              /* control: k taken as 1 */
    }
    /* at normal incidence: Oren-Nayar has only its A, Phong its two albedos */
    double s2 = 0.25;
    ty_k_brdf rough = { .law = TY_K_OREN_NAYAR, .albedo = 0.9, .sigma = 0.5 };
    TY_NEAR(albedo_of(rough, NULL, 0.0), 0.9 * (1.0 - 0.5 * s2 / (s2 + 0.33)), 1e-6);
    for (int n = 1; n < 200; n *= 3) {
        ty_k_brdf phong = { .law = TY_K_PHONG, .albedo = 0.3, .specular = 0.6, .exponent = n };
        TY_NEAR(albedo_of(phong, NULL, 0.0), 0.9, 1e-4);
        TY_CHECK(albedo_of(phong, NULL, 1.0) < 0.9); /* elsewhere part of the lobe is below the horizon */
    }
}

/* Known values: Oren-Nayar at i = 40, e = 25, psi = 0 deg, sigma = 30 deg by hand: s2 = 0.274156, A
 * = 0.773107, B = 0.338784, sin 40 tan 25 = 0.299738. GGX retro-reflection at the normal: F0/(4 pi
 * alpha^2). */
TY_TEST(brdf, hand_values)
{
    ty_k_brdf m = { .law = TY_K_OREN_NAYAR, .albedo = 0.5, .sigma = 30.0 * TY_DEG };
    double got = ty_k_brdf_eval(m, ty_k_angles_from(40.0 * TY_DEG, 25.0 * TY_DEG, 0.0));
    TY_NEAR(got * TY_PI / 0.5, 0.773107 + 0.338784 * 0.299738, 2e-5);
    TY_FAR(ty_k_brdf_eval(m, ty_k_angles_from(40.0 * TY_DEG, 25.0 * TY_DEG, TY_PI)), got, 1e-3); /* control */
    ty_k_brdf g = { .law = TY_K_PRINCIPLED, .albedo = 0.0, .specular = 0.5, .roughness = 0.5 };
    TY_NEAR_REL(ty_k_brdf_eval(g, ty_k_angles_from(0.0, 0.0, 0.0)), 0.04 / (4.0 * TY_PI * 0.0625), 1e-12);
    g.roughness = 0.25;
    TY_FAR_REL(ty_k_brdf_eval(g, ty_k_angles_from(0.0, 0.0, 0.0)), 0.04 / (4.0 * TY_PI * 0.0625), 0.5);
    ty_k_brdf lambert = { .law = TY_K_LAMBERT, .albedo = 0.5 };
    ty_k_brdf minnaert = { .law = TY_K_MINNAERT, .albedo = 0.5, .k = 1.0 };
    ty_k_angles a = ty_k_angles_from(1.0, 0.7, 2.0);
    TY_NEAR_REL(ty_k_brdf_eval(minnaert, a), ty_k_brdf_eval(lambert, a), 1e-15);
}

/* The microfacet normals cover the surface once: int D cos = 1. Control: half the roughness. */
TY_TEST(brdf, ggx_normals_add_up)
{
    gauss g = gauss_make();
    for (int k = 1; k <= 5; k++) {
        double alpha = 0.2 * k, sum = 0.0, other = 0.0;
        for (int panel = 0; panel < 8; panel++) {
            for (int n = 0; n < GAUSS; n++) {
                double low = panel * TY_PI / 16.0, t = gauss_at(&g, n, low, low + TY_PI / 16.0);
                ty_k_angles a = ty_k_angles_from(t, t, 0.0); /* light, eye and half vector alike */
                double weight = g.weight[n] * TY_PI / 16.0 * cos(t) * sin(t) * 2.0 * TY_PI;
                sum += weight * ty_k_ggx_d(alpha, a);
                other += weight * ty_k_ggx_d(0.5 * alpha, a) * 0.9;
            }
        }
        TY_NEAR(sum, 1.0, 1e-6);
        TY_FAR(other, 1.0, 1e-6);
    }
}

/* Directional albedo by sampling against quadrature: 0.5 % (issue, line 2). Control: the density of another law. */
TY_TEST(brdf, sampled_albedo)
{
    enum { N = 200000 };
    for (int k = 0; k < MATERIALS; k++) {
        ty_k_brdf m = materials[k], other = materials[k < 4 ? 4 : 0];
        double e = 0.9, sum = 0.0, wrong = 0.0;
        ty_k_vec3 v = direction(e, 0.7);
        for (ty_u32 n = 0; n < N; n++) {
            ty_k_u32x4 r = ty_k_philox(n, (ty_u32)k, 0, 0, 22, TY_RNG_TEST);
            ty_k_vec3 l = ty_k_brdf_sample(m, v, ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), ty_k_uniform(r.v[2]));
            ty_k_angles a = ty_k_angles_of(l, v);
            double f = ty_k_brdf_eval(m, a) * l.z;
            sum += f > 0.0 ? f / ty_k_brdf_pdf(m, a) : 0.0;
            wrong += f > 0.0 ? f / ty_k_brdf_pdf(other, a) : 0.0;
        }
        double want = albedo_of(m, NULL, e);
        TY_NEAR_REL(sum / N, want, 5e-3);
        TY_FAR_REL(wrong / N, want, 5e-3);
        TY_CHECK(want <= 1.0);
    }
    TY_ROW("sampled albedo of every law within 0.5 %", "quadrature", "worst %.2f %%", 100.0 * tyt_worst_rel("sum / N"));
}

/* ---- chi-square ---- */
enum { RINGS = 12, SECTORS = 24, BINS = RINGS * SECTORS + 1, DRAWS = 200000, SUB = 12 };

/* expected draws in each bin of mu0 and azimuth, by the midpoint rule on the density; the rest is below the surface */
static void expect_counts(ty_k_brdf m, ty_k_vec3 v, double *expected)
{
    double total = 0.0;
    for (int bin = 0; bin < BINS - 1; bin++) {
        double sum = 0.0;
        for (int s = 0; s < SUB * SUB; s++) {
            double mu0 = (bin / SECTORS + (s / SUB + 0.5) / SUB) / RINGS;
            double az = (bin % SECTORS + (s % SUB + 0.5) / SUB) / SECTORS * 2.0 * TY_PI;
            sum += ty_k_brdf_pdf(m, ty_k_angles_of(direction(acos(mu0), az), v));
        }
        expected[bin] = DRAWS * sum / (SUB * SUB) * 2.0 * TY_PI / (RINGS * SECTORS);
        total += expected[bin];
    }
    expected[BINS - 1] = DRAWS - total;
}

static void draw_counts(ty_k_brdf m, ty_k_vec3 v, ty_u32 stream, double *count)
{
    memset(count, 0, BINS * sizeof *count);
    for (ty_u32 n = 0; n < DRAWS; n++) {
        ty_k_u32x4 r = ty_k_philox(n, stream, 0, 0, 23, TY_RNG_TEST);
        ty_k_vec3 l = ty_k_brdf_sample(m, v, ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), ty_k_uniform(r.v[2]));
        double az = atan2(l.y, l.x) / (2.0 * TY_PI);
        int ring = (int)(l.z * RINGS), sector = (int)((az < 0.0 ? az + 1.0 : az) * SECTORS);
        int bin = (ring > RINGS - 1 ? RINGS - 1 : ring) * SECTORS + (sector > SECTORS - 1 ? SECTORS - 1 : sector);
        count[l.z > 0.0 ? bin : BINS - 1] += 1.0;
    }
}

/* Chi-square over the bins, those that expect fewer than 10 pooled; in standard deviations above its mean. */
static double chi_square(const double *count, const double *expected)
{
    double chi = 0.0, pool = 0.0, pool_expected = 0.0;
    int bins = 0;
    for (int k = 0; k < BINS; k++) {
        if (expected[k] < 10.0) {
            pool += count[k];
            pool_expected += expected[k];
            continue;
        }
        chi += (count[k] - expected[k]) * (count[k] - expected[k]) / expected[k];
        bins++;
    }
    if (pool_expected >= 10.0) {
        chi += (pool - pool_expected) * (pool - pool_expected) / pool_expected;
        bins++;
    }
    double freedom = bins - 1;
    return (chi - freedom) / sqrt(2.0 * freedom);
}

/* Five standard deviations; the streams are fixed, so this is no gamble. Control: the cosine's density. */
TY_TEST(brdf, samplers_match_densities)
{
    static double count[BINS], expected[BINS];
    const ty_k_brdf cases[] = {
        { .law = TY_K_LAMBERT, .albedo = 1.0 },
        { .law = TY_K_PHONG, .albedo = 0.0, .specular = 1.0, .exponent = 12.0 },
        { .law = TY_K_PHONG, .albedo = 0.5, .specular = 0.5, .exponent = 5.0 },
        { .law = TY_K_PRINCIPLED, .albedo = 1.0, .metallic = 1.0, .roughness = 0.8 },
        { .law = TY_K_PRINCIPLED, .albedo = 0.2, .specular = 1.0, .roughness = 0.6 },
    };
    for (ty_u32 k = 0; k < 5; k++) {
        for (int n = 0; n < 3; n++) {
            ty_k_vec3 v = direction(0.05 + 0.55 * n, 0.8);
            draw_counts(cases[k], v, 10 * k + (ty_u32)n, count);
            expect_counts(cases[k], v, expected);
            TY_NEAR(chi_square(count, expected), 0.0, 5.0);
            if (k > 0) {
                expect_counts(cases[0], v, expected);
                TY_CHECK(chi_square(count, expected) > 5.0);
            }
        }
    }
    TY_ROW("samplers follow their densities: chi-square within 5 standard deviations", "chi-square, 15 cases",
           "worst %.1f", tyt_worst("chi_square(count, expected)"));
}

/* Draws towards the skyline against their density by height, in 24 rings: chi-square within five standard
 * deviations; the density is 1 over the hemisphere. Control: another a. */
TY_TEST(brdf, skyline_sampler_matches_its_density)
{
    enum { PARTS = 24, FINE = 200, MANY = 200000 };
    const double a2[] = { 0.01, 0.1225, 1.0 };
    for (int k = 0; k < 3; k++) {
        double count[PARTS] = { 0 }, chi = 0.0, wrong = 0.0, total = 0.0, side = 0.0;
        for (ty_u32 n = 0; n < MANY; n++) {
            ty_k_u32x4 r = ty_k_philox(n, (ty_u32)k, 0, 0, 24, TY_RNG_TEST);
            ty_k_vec3 l = ty_k_sample_skyline(a2[k], ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]));
            count[(int)fmin(l.z * PARTS, PARTS - 1)] += 1.0;
            side += l.x / MANY;
            TY_CHECK(fabs(ty_k_dot(l, l) - 1.0) < 1e-12);
        }
        for (int i = 0; i < PARTS; i++) {
            double want = 0.0, other = 0.0;
            for (int j = 0; j < FINE; j++) {
                double mu0 = (i + (j + 0.5) / FINE) / PARTS;
                want += ty_k_pdf_skyline(a2[k], mu0) * 2.0 * TY_PI / (PARTS * FINE);
                other += ty_k_pdf_skyline(a2[k] * 1.2, mu0) * 2.0 * TY_PI / (PARTS * FINE);
            }
            total += want;
            chi += (count[i] - MANY * want) * (count[i] - MANY * want) / (MANY * want);
            wrong += (count[i] - MANY * other) * (count[i] - MANY * other) / (MANY * other);
        }
        double freedom = PARTS - 1;
        TY_NEAR(total, 1.0, 1e-3);
        TY_NEAR((chi - freedom) / sqrt(2.0 * freedom), 0.0, 5.0);
        TY_CHECK((wrong - freedom) / sqrt(2.0 * freedom) > 5.0);
        TY_NEAR(side, 0.0, 0.01);
    }
}
