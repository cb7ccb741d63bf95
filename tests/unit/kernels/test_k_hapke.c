/* Hapke's model against the numbers of ISIS, Eradiate, VICAR, xitau and RefMod (shared/vectors),
 * reciprocity, the disk of a uniform sphere, albedo, and single precision.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "tyt_csv.h"
#include "k_hapke_presets.h"
#include "k_philox.h"
#include "k_sample.h"
#include "probe_float.h"
#include "quadrature.h"
#include "tycho/math.h"

/* unit vector at an angle from the normal and an azimuth */
static ty_k_vec3 direction(double angle, double azimuth)
{
    return ty_k_vec(sin(angle) * cos(azimuth), sin(angle) * sin(azimuth), cos(angle));
}

static double random_number(ty_u32 counter, ty_u32 which)
{
    return ty_k_uniform(ty_k_philox(counter, which, 0, 0, 11, TY_RNG_TEST).v[0]);
}

/* one row of hapke_vectors.csv; false for models that are not ours (Legendre particles, AMSA, no azimuth given) */
static bool read_row(const tyt_csv *csv, ty_k_hapke_params *p, double *angles, double *want, double *bound)
{
    const char *phase = tyt_csv_text(csv, "phase_fn"), *how = tyt_csv_text(csv, "how");
    if (!strncmp(phase, "LEG2", 4) || !strncmp(tyt_csv_text(csv, "model_variant"), "AMSA", 4) ||
        !*tyt_csv_text(csv, "az_deg") || !*tyt_csv_text(csv, "brdf_per_sr")) {
        return false;
    }
    double b = tyt_csv_number(csv, "b", 0.0), c = tyt_csv_number(csv, "c", 0.0);
    if (!strcmp(phase, "HG1")) { /* one lobe: all the weight on one side */
        c = b < 0.0 ? 1.0 : -1.0;
        b = fabs(b);
    } else if (strstr(tyt_csv_text(csv, "c_def"), "[0,1]")) {
        c = 2.0 * c - 1.0;
    }
    double hs = tyt_csv_number(csv, "hs", 0.0), hc = tyt_csv_number(csv, "hc", 0.0);
    *p = (ty_k_hapke_params){ tyt_csv_number(csv, "w", 0.0),
                              b,
                              c,
                              tyt_csv_number(csv, "Bs0", 0.0),
                              hs > 0.0 ? hs : 1.0,
                              tyt_csv_number(csv, "Bc0", 0.0),
                              hc > 0.0 ? hc : 1.0,
                              tyt_csv_number(csv, "theta_bar_deg", 0.0) * TY_DEG,
                              tyt_csv_number(csv, "phi_fill", 0.0),
                              !strncmp(tyt_csv_text(csv, "H_approx"), "H81", 3) };
    angles[0] = tyt_csv_number(csv, "inc_deg", 0.0) * TY_DEG;
    angles[1] = tyt_csv_number(csv, "emi_deg", 0.0) * TY_DEG;
    angles[2] = tyt_csv_number(csv, "az_deg", 0.0) * TY_DEG;
    *want = tyt_csv_number(csv, "brdf_per_sr", 0.0);
    /* the bound; rows quoted from print carry fewer digits */
    *bound = strstr(how, "digits") || strstr(how, "float32") ? 2e-5 : 2e-6;
    return true;
}

/* Through angles (what eval does) and through vectors (what a renderer does). Control: c counted the other way. */
TY_TEST(hapke, vectors_of_other_programs)
{
    TY_NEED_SHARED(path, "vectors/hapke_vectors.csv");
    tyt_csv csv;
    int rows = 0, controls = 0;
    for (bool more = tyt_csv_open(&csv, path); more && tyt_csv_next(&csv);) {
        ty_k_hapke_params p;
        double a[3], want, bound;
        if (!read_row(&csv, &p, a, &want, &bound)) {
            continue;
        }
        rows++;
        double by_angles = ty_k_hapke_brdf(ty_k_hapke_make(p), ty_k_angles_from(a[0], a[1], a[2]));
        double by_vectors =
            ty_k_hapke_brdf(ty_k_hapke_make(p), ty_k_angles_of(direction(a[0], 0.3), direction(a[1], 0.3 + a[2])));
        TY_NEAR_REL(by_angles, want, bound);
        TY_NEAR_REL(by_vectors, want, bound);
        p.c = -p.c;
        controls += fabs(ty_k_hapke_brdf(ty_k_hapke_make(p), ty_k_angles_from(a[0], a[1], a[2])) / want - 1.0) > 1e-3;
    }
    TY_CHECK(rows == 442); /* as many as the shared check converts */
    TY_CHECK(controls > 300);
    TY_ROW("Hapke with all its parts: within 2e-6, or the digits that are printed",
           "ISIS, VICAR, Eradiate, RefMod: 442 rows", "worst %.1e", tyt_worst_rel("by_angles"));
}

static void check_component(const tyt_csv *csv, int *counts)
{
    const char *component = tyt_csv_text(csv, "component"), *out = tyt_csv_text(csv, "out_name");
    double want = tyt_csv_number(csv, "expected", 0.0);
    ty_k_hapke_params p = { .w = tyt_csv_number(csv, "w", 0.5),
                            .b = tyt_csv_number(csv, "b", 0.0),
                            .c = tyt_csv_number(csv, "c", 0.0),
                            .hs = 1.0,
                            .hc = 1.0,
                            .theta = tyt_csv_number(csv, "theta_bar_deg", 0.0) * TY_DEG };
    ty_k_hapke h = ty_k_hapke_make(p);
    double mu = tyt_csv_number(csv, "mu", 0.0);
    if (!strcmp(component, "H_exact")) { /* the stated tolerances of the two approximations */
        p.h81 = 1;
        TY_NEAR_REL(ty_k_hapke_h(h, mu), want, 8e-3);
        TY_NEAR_REL(ty_k_hapke_h(ty_k_hapke_make(p), mu), want, 5e-2);
        counts[0]++;
        counts[1] += fabs(1.0 - want) > 8e-3 * want; /* control: no multiple scattering */
    } else if (!strcmp(component, "DHG")) {          /* 16 digits given */
        TY_NEAR_REL(ty_k_hapke_phase(h, 0.5 * (1.0 - mu), 0.5 * (1.0 + mu)), want, 1e-14);
        counts[2]++;
    } else if (!strcmp(component, "roughness")) {
        ty_k_angles a =
            ty_k_angles_from(tyt_csv_number(csv, "inc_deg", 0.0) * TY_DEG, tyt_csv_number(csv, "emi_deg", 0.0) * TY_DEG,
                             tyt_csv_number(csv, "psi_deg", 0.0) * TY_DEG);
        ty_k_hapke_slope s = ty_k_hapke_rough(h, a);
        bool light_high = a.mu0 >= a.mu;
        double mu0_e = light_high ? s.high : s.low, mu_e = light_high ? s.low : s.high;
        double eta_i = light_high ? s.eta_high : s.eta_low, eta_e = light_high ? s.eta_low : s.eta_high;
        double factor = mu_e / eta_e * a.mu0 / eta_i * s.shade;
        /* psi went through an arc cosine there: off by up to sqrt(2 eps) = 2e-8 rad near psi = 0 */
        TY_NEAR_REL(!strcmp(out, "S") ? factor : !strcmp(out, "mu0_e") ? mu0_e : mu_e, want, 1e-7);
        counts[3]++;
        counts[4] += !strcmp(out, "S") && fabs(1.0 - want) > 1e-3; /* control: no shadows */
    }
}

/* AMSA rows are another model. */
TY_TEST(hapke, components)
{
    TY_NEED_SHARED(path, "vectors/hapke_components.csv");
    tyt_csv csv;
    int counts[5] = { 0 };
    for (bool more = tyt_csv_open(&csv, path); more && tyt_csv_next(&csv);) {
        check_component(&csv, counts);
    }
    TY_CHECK(counts[0] == 126 && counts[2] == 10 && counts[3] == 237);
    TY_CHECK(counts[1] > 100 && counts[4] > 40);
    TY_ROW("H function within 0.8 % (the approximation's own), roughness within 1e-7",
           "exact H; published S, mu0e, mue: 363 rows", "H %.2f %%, roughness %.0e",
           100.0 * tyt_worst_rel("ty_k_hapke_h(h, mu)"),
           tyt_worst_rel("!strcmp(out, \"S\") ? factor : !strcmp(out, \"mu0_e\") ? mu0_e : mu_e"));
}

/* Helmholtz: exactly equal, because both orders run the same operations. Control: r is not symmetric, only BRDF is. */
TY_TEST(hapke, reciprocity)
{
    int controls = 0;
    for (ty_u32 n = 0; n < 2000; n++) {
        ty_k_hapke h = ty_k_hapke_make(ty_k_hapke_presets[n % TY_K_HAPKE_PRESETS].params);
        double inc = random_number(n, 0) * 0.5 * TY_PI, emi = random_number(n, 1) * 0.5 * TY_PI;
        double psi = random_number(n, 2) * TY_PI;
        ty_k_vec3 l = direction(inc, 0.1), v = direction(emi, 0.1 + psi);
        double forth = ty_k_hapke_brdf(h, ty_k_angles_of(l, v)), back = ty_k_hapke_brdf(h, ty_k_angles_of(v, l));
        TY_CHECK(forth == back && forth > 0.0);
        controls += fabs(forth * l.z / (back * v.z) - 1.0) > 1e-3;
    }
    TY_CHECK(controls > 1900);
    ty_k_hapke h = ty_k_hapke_make(ty_k_hapke_presets[0].params);
    TY_CHECK(ty_k_hapke_brdf(h, ty_k_angles_of(direction(1.0, 0.0), direction(2.0, 0.0))) == 0.0); /* eye below */
}

/* Disk brightness p Phi(alpha) = 1/pi int RADF mu dOmega of a uniform sphere, in photometric
 * latitude and longitude over the lit and seen part. */
static double disk(ty_k_hapke h, double alpha, bool lambert)
{
    gauss g = gauss_make();
    double sum = 0.0;
    for (int a = 0; a < GAUSS; a++) {
        double lon = gauss_at(&g, a, alpha - 0.5 * TY_PI, 0.5 * TY_PI);
        for (int b = 0; b < GAUSS; b++) {
            double lat = gauss_at(&g, b, 0.0, 0.5 * TY_PI);
            ty_k_vec3 n = ty_k_vec(cos(lat) * sin(lon), sin(lat), cos(lat) * cos(lon));
            ty_k_vec3 eye = ty_k_vec(0.0, 0.0, 1.0), sun = ty_k_vec(sin(alpha), 0.0, cos(alpha));
            ty_k_vec3 e0 = ty_k_vec(cos(lon), 0.0, -sin(lon)), e1 = ty_k_cross(n, e0);
            ty_k_vec3 l = ty_k_vec(ty_k_dot(sun, e0), ty_k_dot(sun, e1), ty_k_dot(sun, n));
            ty_k_vec3 v = ty_k_vec(ty_k_dot(eye, e0), ty_k_dot(eye, e1), ty_k_dot(eye, n));
            double brdf = lambert ? 1.0 / TY_PI : ty_k_hapke_brdf(h, ty_k_angles_of(l, v));
            sum += g.weight[a] * g.weight[b] * brdf * l.z * v.z * cos(lat);
        }
    }
    return sum * (TY_PI - alpha) * 0.5 * TY_PI * 2.0; /* both hemispheres; RADF/pi = r */
}

TY_TEST(hapke, sphere_against_isis)
{
    TY_NEED_SHARED(path, "vectors/hapke_disk_vectors.csv");
    tyt_csv csv;
    int rows = 0, controls = 0;
    double worst = 0.0;
    for (bool more = tyt_csv_open(&csv, path); more && tyt_csv_next(&csv); rows++) {
        ty_k_hapke_params p = { tyt_csv_number(&csv, "w", 0),        tyt_csv_number(&csv, "b", 0),
                                tyt_csv_number(&csv, "c", 0),        tyt_csv_number(&csv, "Bs0", 0),
                                tyt_csv_number(&csv, "hs", 1),       tyt_csv_number(&csv, "Bc0", 0),
                                tyt_csv_number(&csv, "hc", 1),       tyt_csv_number(&csv, "theta_bar_deg", 0) * TY_DEG,
                                tyt_csv_number(&csv, "phi_fill", 0), 0 };
        double alpha = tyt_csv_number(&csv, "phase_deg", 0) * TY_DEG;
        double want = tyt_csv_number(&csv, "disk_reflectance_pPhi", 0);
        double got = disk(ty_k_hapke_make(p), alpha, false);
        TY_NEAR_REL(got, want, 1e-3); /* the issue asks for 1 % */
        worst = fmax(worst, fabs(got / want - 1.0));
        p.theta = 0.0;
        controls += fabs(disk(ty_k_hapke_make(p), alpha, false) / want - 1.0) > 1e-2; /* control: smooth */
    }
    cr_log_info("disk: worst %.2e of %d", worst, rows);
    TY_CHECK(rows == 35 && controls > 20);
    TY_ROW("brightness of a Hapke sphere by quadrature within 0.1 %", "ISIS, 35 phases and materials", "worst %.1e",
           worst);
}

/* The Moon is 9 to 10 times as bright at 5 deg as at 90 deg (Allen, ROLO:
 * shared/vectors/radiometry_facts.csv). */
TY_TEST(hapke, moon_phase_ratio)
{
    for (int k = 0; k < TY_K_HAPKE_PRESETS; k++) {
        const ty_k_hapke_preset *preset = &ty_k_hapke_presets[k];
        if (strcmp(preset->name, "moon_566") && strcmp(preset->name, "moon_643") &&
            strcmp(preset->name, "moon_visual")) {
            continue;
        }
        ty_k_hapke h = ty_k_hapke_make(preset->params);
        double ratio = disk(h, 5.0 * TY_DEG, false) / disk(h, 90.0 * TY_DEG, false);
        cr_log_info("%s: 5/90 deg ratio %.3f", preset->name, ratio);
        cr_expect(ratio > 9.0 && ratio < 10.0, "%s: 5/90 deg ratio %.3f", preset->name, ratio);
    }
    ty_k_hapke any = ty_k_hapke_make(ty_k_hapke_presets[0].params);
    double lambert = disk(any, 5.0 * TY_DEG, true) / disk(any, 90.0 * TY_DEG, true);
    TY_NEAR(lambert, (sin(5.0 * TY_DEG) + (TY_PI - 5.0 * TY_DEG) * cos(5.0 * TY_DEG)), 1e-3); /* Lambert's sphere */
    TY_CHECK(lambert < 4.0);                                                                  /* the control */
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of one column of the Sato map at a wavelength. */
static double sato_median(const char *path, int nm, const char *column)
{
    double value[64];
    int n = 0;
    tyt_csv csv;
    for (bool more = tyt_csv_open(&csv, path); more && tyt_csv_next(&csv);) {
        if ((int)tyt_csv_number(&csv, "wavelength_nm", 0.0) == nm && n < 64) {
            value[n++] = tyt_csv_number(&csv, column, 0.0);
        }
    }
    cr_assert(n == 44);
    qsort(value, (size_t)n, sizeof value[0], by_value);
    return 0.5 * (value[21] + value[22]);
}

TY_TEST(hapke, presets_are_the_medians_of_the_map)
{
    TY_NEED_SHARED(shared, "vectors/sato2014_reduced_map.csv");
    char path[4096];
    snprintf(path, sizeof path, "%s", shared);
    for (int k = 0; k < TY_K_HAPKE_PRESETS; k++) {
        const ty_k_hapke_params *p = &ty_k_hapke_presets[k].params;
        int nm = (int)lround(ty_k_hapke_presets[k].wavelength * 1e9);
        if (nm == 0) {
            continue;
        }
        TY_NEAR_REL(p->w, sato_median(path, nm, "w"), 1e-6);
        TY_NEAR_REL(p->b, sato_median(path, nm, "b"), 1e-6);
        TY_NEAR_REL(p->c, sato_median(path, nm, "c"), 1e-6);
        TY_NEAR_REL(p->bs0, sato_median(path, nm, "Bs0"), 1e-6);
        TY_NEAR_REL(p->hs, sato_median(path, nm, "hs"), 1e-5);
        TY_NEAR(p->theta / TY_DEG, sato_median(path, nm, "theta_deg"), 1e-9);
        TY_FAR_REL(p->w, sato_median(path, nm == 321 ? 360 : 321, "w"), 1e-2); /* control: another band */
    }
}

/* Smooth ground of isotropic particles reflects a = 1 - sqrt(1 - w) H(mu0) of a beam: exact for
 * Chandrasekhar's H. H02 is within 8e-3 of it, and enters the integral twice and sqrt(1 - w) H = 1
 * - a once. Control: H = 1. */
TY_TEST(hapke, albedo_of_isotropic_particles)
{
    for (int k = 1; k < 10; k++) {
        double w = 0.1 * k, inc = 0.15 * k;
        ty_k_hapke h = ty_k_hapke_make((ty_k_hapke_params){ .w = w, .hs = 1.0, .hc = 1.0 });
        double got = albedo_of((ty_k_brdf){ 0 }, &h, inc);
        double bound = 8e-3 * (2.0 * got + (1.0 - got));
        TY_NEAR(got, 1.0 - sqrt(1.0 - w) * ty_k_hapke_h(h, cos(inc)), bound);
        TY_FAR(got, 1.0 - sqrt(1.0 - w), bound);
    }
}

/* Directional albedo by the cosine sampler against quadrature, 0.5 % as the issue asks. Control: density forgotten. */
TY_TEST(hapke, sampled_albedo)
{
    enum { N = 100000 };
    for (int k = 0; k < TY_K_HAPKE_PRESETS; k += 3) {
        ty_k_hapke h = ty_k_hapke_make(ty_k_hapke_presets[k].params);
        double emi = 0.2 + 0.3 * (k / 3), sum = 0.0, wrong = 0.0;
        ty_k_vec3 v = direction(emi, 1.0);
        for (ty_u32 n = 0; n < N; n++) {
            ty_k_u32x4 r = ty_k_philox(n, (ty_u32)k, 0, 0, 12, TY_RNG_TEST);
            ty_k_vec3 l = ty_k_sample_cosine(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]));
            double f = ty_k_hapke_brdf(h, ty_k_angles_of(l, v)) * l.z;
            sum += f / ty_k_pdf_cosine(l.z);
            wrong += f * 2.0 * TY_PI;
        }
        double want = albedo_of((ty_k_brdf){ 0 }, &h, emi);
        TY_NEAR_REL(sum / N, want, 5e-3);
        TY_FAR_REL(wrong / N, want, 5e-3);
        TY_CHECK(want > 0.0 && want < 1.0);
    }
}

static void pack(const ty_k_hapke_params *p, double *out)
{
    const double fields[9] = { p->w, p->b, p->c, p->bs0, p->hs, p->bc0, p->hc, p->theta, p->phi };
    memcpy(out, fields, sizeof fields);
}

/* Relative error of single precision at one geometry. Both see the same directions, as far as
 * single precision holds them; shift moves the light of the single one. */
static double float_error(const ty_k_hapke_params *p, double inc, double emi, double psi, double shift)
{
    double fields[9];
    pack(p, fields);
    ty_k_vec3 l = direction(inc, 0.4), v = direction(emi, 0.4 + psi);
    double ld[3] = { probe_round(l.x), probe_round(l.y), probe_round(l.z) };
    double vd[3] = { probe_round(v.x), probe_round(v.y), probe_round(v.z) };
    l = ty_k_unit(ty_k_vec(ld[0], ld[1], ld[2]));
    v = ty_k_unit(ty_k_vec(vd[0], vd[1], vd[2]));
    ld[0] += shift;
    double want = ty_k_hapke_brdf(ty_k_hapke_make(*p), ty_k_angles_of(l, v));
    return fabs((double)probe_hapke(fields, 0, ld, vd) / want - 1.0);
}

/* A dense grid to 89.9 deg, and a scan through opposition with a coherent peak of 0.17 deg: 1e-5,
 * what the device must also keep (issue, line 7). Control: the light's direction in half precision. */
TY_TEST(hapke, single_precision)
{
    double worst = 0.0, opposition = 0.0, low = 0.0, control = 0.0;
    for (int k = 0; k < TY_K_HAPKE_PRESETS; k++) {
        ty_k_hapke_params p = ty_k_hapke_presets[k].params;
        p.bc0 = k % 2 ? 0.4 : 0.0;
        p.hc = k % 2 ? 0.003 : 1.0;
        for (int n = 0; n < 61 * 61 * 25; n++) {
            double inc = 89.9 / 60.0 * (n % 61) * TY_DEG, emi = 89.9 / 60.0 * (n / 61 % 61) * TY_DEG;
            worst = fmax(worst, float_error(&p, inc, emi, 7.5 * (n / 3721) * TY_DEG, 0.0));
        }
        for (int n = 0; n < 4000; n++) {
            double inc = 0.02 * (n % 75), off = 1e-6 * pow(1.25, n / 75);
            opposition = fmax(opposition, float_error(&p, inc, inc + 0.6 * off, off, 0.0));
            control = fmax(control, float_error(&p, inc, inc + 0.6 * off, off, 5e-4));
        }
        for (ty_u32 n = 0; n < 20000; n++) { /* both low and nearly opposite */
            double inc = (80.0 + 9.9 * random_number(n, 20)) * TY_DEG;
            double emi = (80.0 + 9.9 * random_number(n, 21)) * TY_DEG;
            low = fmax(low, float_error(&p, inc, emi, TY_PI - 0.5 * random_number(n, 22), 0.0));
        }
    }
    cr_log_info("float against double: grid %.2e, opposition %.2e, low %.2e", worst, opposition, low);
    TY_NEAR(worst, 0.0, 1e-5);
    TY_NEAR(opposition, 0.0, 1e-5);
    TY_NEAR(low, 0.0, 1e-5);
    TY_CHECK(control > 1e-2);
}

/* The polynomials against the C library, in units of the float's own step; and lanes give the bits of single calls. */
TY_TEST(hapke, single_precision_functions)
{
    double worst[4] = { 0 };
    for (int k = 1; k <= 200000; k++) {
        float e = -80.0f + 8e-4f * (float)k, l = expf(e), t = 5e-5f * (float)k * (float)k * 1e-3f;
        float z = 2e-4f * (float)k;
        worst[0] = fmax(worst[0], fabs((double)probe_math(0, e) / exp((double)e) - 1.0));
        worst[1] = fmax(worst[1], fabs((double)probe_math(1, l) - log((double)l)) / fmax(fabs(log((double)l)), 0.1));
        worst[2] = fmax(worst[2], fabs((double)probe_math(2, t) / atan((double)t) - 1.0));
        worst[3] = fmax(worst[3], fabs((double)probe_math(3, z) / (-expm1(-(double)z) / (double)z) - 1.0));
    }
    cr_log_info("exp %.2e log %.2e atan %.2e mean %.2e", worst[0], worst[1], worst[2], worst[3]);
    for (int k = 0; k < 3; k++) {
        TY_NEAR(worst[k], 0.0, 2.5e-7); /* two units in the last place */
    }
    TY_NEAR(worst[3], 0.0, 1e-6);                                         /* 1 - exp(-0.1) loses a digit */
    TY_FAR(fabs((double)(1.0f - 1e-3f) / exp(-1e-3) - 1.0), 0.0, 2.5e-7); /* control: a cut series */
}

TY_TEST(hapke, lanes_equal_single_calls)
{
    enum { N = 1003 };
    static float l[3 * N], v[3 * N], out[N];
    double fields[9];
    pack(&ty_k_hapke_presets[5].params, fields);
    for (ty_u32 k = 0; k < N; k++) {
        ty_k_vec3 a = direction(random_number(k, 5) * 1.7, random_number(k, 6) * 6.0);
        ty_k_vec3 b = direction(random_number(k, 7) * 1.7, random_number(k, 8) * 6.0);
        const double both[6] = { a.x, a.y, a.z, b.x, b.y, b.z };
        for (ty_u32 c = 0; c < 3; c++) {
            l[c * N + k] = (float)both[c];
            v[c * N + k] = (float)both[3 + c];
        }
    }
    probe_hapke_lanes(fields, N, l, v, out);
    int dark = 0;
    for (int k = 0; k < N; k++) {
        double ld[3] = { (double)l[k], (double)l[N + k], (double)l[2 * N + k] };
        double vd[3] = { (double)v[k], (double)v[N + k], (double)v[2 * N + k] };
        TY_CHECK(out[k] == probe_hapke(fields, 0, ld, vd));
        dark += out[k] == 0.0f;
        TY_CHECK((out[k] == 0.0f) == (ld[2] <= 0.0 || vd[2] <= 0.0));
    }
    TY_CHECK(dark > 50 && dark < 500);
}
