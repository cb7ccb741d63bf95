/* tests/unit/sensor/test_imager.c - the physical camera: photon transfer, fixed pattern,
 * vignetting, defocus. SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/imager.h"
#include "tyt.h"

#define SIDE   24
#define PIXELS (SIDE * SIDE)
#define FRAMES 200

static ty_camera small_camera(double fov_deg)
{
    ty_camera c = ty_camera_default();
    c.width = c.height = SIDE;
    c.hfov = fov_deg * TY_DEG;
    return c;
}

/* mean over pixels of each pixel's mean and variance in time [DN]; the mean of the first pixel's
 * row too */
static void series(const ty_imager_def *def, double radiance, double *mean, double *variance)
{
    ty_camera c = small_camera(1.0);
    float light[PIXELS], scratch[2 * PIXELS];
    uint16_t dn[PIXELS];
    static double sum[PIXELS], square[PIXELS];
    memset(sum, 0, sizeof sum), memset(square, 0, sizeof square);
    for (int i = 0; i < PIXELS; i++) {
        light[i] = (float)radiance;
    }
    for (uint32_t f = 0; f < FRAMES; f++) {
        TY_CHECK(ty_imager_expose(def, &c, 1, light, NULL, f, scratch, dn, NULL) == TY_OK);
        for (int i = 0; i < PIXELS; i++) {
            sum[i] += dn[i], square[i] += (double)dn[i] * dn[i];
        }
    }
    *mean = *variance = 0.0;
    for (int i = 0; i < PIXELS; i++) {
        double m = sum[i] / FRAMES;
        *mean += m / PIXELS;
        *variance += (square[i] - FRAMES * m * m) / (FRAMES - 1) / PIXELS;
    }
}

/* The photon-transfer line, EMVA 1288: variance = K (mean - offset) + K^2 read^2 + 1/12. Gain from
 * its slope, read noise from its start, dark current from dark frames of two exposures. */
TY_TEST(imager, photon_transfer)
{
    ty_imager_def d = ty_imager_def_default();
    d.a = 0.5, d.b = 100.0, d.bits = 14, d.read = 8.0, d.dark = 5000.0, d.exposure = 0.01,
    d.vignetting_gain = 0.0;
    double m[6], v[6], sm = 0.0, sv = 0.0, smm = 0.0, smv = 0.0;
    const int n = 6;
    for (int k = 0; k < n; k++) {
        series(&d, 0.4 * k, &m[k], &v[k]);
        sm += m[k], sv += v[k], smm += m[k] * m[k], smv += m[k] * v[k];
    }
    double slope = (n * smv - sm * sv) / (n * smm - sm * sm), start = (sv - slope * sm) / n;
    TY_NEAR_REL(slope, 0.5, 0.02);
    TY_FAR_REL(slope, 0.55, 0.02);
    double read =
        sqrt((start + slope * d.b - 1.0 / 12.0)) / slope; /* at the offset there is no light */
    double dark_mean, dark_variance, long_mean, long_variance;
    d.read = 8.0;
    ty_imager_def dark = d;
    dark.dark = 0.0;
    series(&dark, 0.0, &dark_mean, &dark_variance);
    double read_dark = sqrt(dark_variance - 1.0 / 12.0) / 0.5;
    TY_NEAR_REL(read_dark, 8.0, 0.02);
    dark = d;
    series(&dark, 0.0, &dark_mean, &dark_variance);
    dark.exposure = 0.05;
    series(&dark, 0.0, &long_mean, &long_variance);
    TY_NEAR_REL((long_mean - dark_mean) / 0.5 / 0.04, 5000.0, 0.02);
    TY_FAR_REL((long_mean - dark_mean) / 0.5 / 0.04, 4500.0, 0.02);
    printf("photon transfer: gain %.4f (0.5), read noise %.3f e- (8; from the line %.2f), dark "
           "current %.1f e-/s (5000)\n",
           slope, read_dark, read, (long_mean - dark_mean) / 0.5 / 0.04);
}

/* Mean signal against the definition: pi L / (4 N^2) C^2 t QE lambda / (h c), h and c as SI defines
 * them. */
TY_TEST(imager, mean_signal)
{
    ty_imager_def d = ty_imager_def_default();
    d.bits = 16, d.a = 1.0, d.exposure = 0.002, d.full_well = 1e5, d.dark = 0.0,
    d.vignetting_gain = 0.0;
    double mean, variance, L = 10.0;
    series(&d, L, &mean, &variance);
    double want =
        TY_PI * L / (4.0 * 16.0) * 25e-12 * 0.002 * 0.5 * 550e-9 / (6.62607015e-34 * 299792458.0);
    TY_NEAR_REL(mean, want, 1e-3);
    TY_FAR_REL(mean, 1.01 * want, 1e-3);
}

/* PRNU and DSNU are what the spread of the pixels' means says, over many pixels of one noise-free
 * frame each. */
TY_TEST(imager, fixed_pattern)
{
    enum { W = 256 };
    static float e[W * W];
    ty_imager_def d = ty_imager_def_default();
    d.noise_gain = 0.0, d.read = 0.0, d.prnu = 0.01, d.dark = 200.0, d.dark_spread = 20.0,
    d.exposure = 1.0, d.hot_share = 0.0;
    for (int what = 0; what < 2; what++) {
        double sum = 0.0, square = 0.0;
        d.prnu = what ? 0.0 : 0.01;
        d.dark_spread = what ? 20.0 : 0.0;
        for (int i = 0; i < W * W; i++) {
            e[i] = what ? 0.0f : 10000.0f;
        }
        ty_imager_noise(&d, W, W, 0, e);
        for (int i = 0; i < W * W; i++) {
            sum += (double)e[i], square += (double)e[i] * (double)e[i];
        }
        double mean = sum / (W * W), spread = sqrt(square / (W * W) - mean * mean);
        TY_NEAR_REL(spread, what ? 20.0 : 100.0, 0.02);
        TY_FAR_REL(spread, what ? 22.0 : 110.0, 0.02);
    }
    d.dark_spread = 0.0, d.hot_share = 0.02, d.hot_dark = 5000.0, d.dead_share = 0.01;
    int hot = 0, dead = 0;
    for (int i = 0; i < W * W; i++) {
        e[i] = 1000.0f;
    }
    ty_imager_noise(&d, W, W, 0, e);
    for (int i = 0; i < W * W; i++) {
        hot += e[i] > 4000.0f;
        dead += e[i] < 500.0f;
    }
    TY_NEAR_REL((double)hot / (W * W), 0.02, 0.1);
    TY_NEAR_REL((double)dead / (W * W), 0.01 * 0.98, 0.1);
}

TY_TEST(imager, vignetting_is_cos4)
{
    ty_imager_def d = ty_imager_def_default();
    ty_camera c = small_camera(80.0);
    float light[PIXELS], e[PIXELS] = { 0 };
    for (int i = 0; i < PIXELS; i++) {
        light[i] = 10.0f;
    }
    ty_imager_electrons(&d, &c, 0, light, e);
    double f = 0.5 * SIDE / tan(40.0 * TY_DEG), x = 0.5 - 0.5 * SIDE,
           y = 0.5; /* the pixel at the left edge beside the middle row */
    double q = f * f / (f * f + x * x + y * y), middle = f * f / (f * f + 0.5);
    TY_NEAR_REL((double)e[SIDE / 2 * SIDE] / (double)e[SIDE / 2 * SIDE + SIDE / 2],
                q * q / (middle * middle), 1e-5);
    TY_FAR_REL((double)e[SIDE / 2 * SIDE] / (double)e[SIDE / 2 * SIDE + SIDE / 2], q / middle, 0.1);
}

/* A bright point out of focus: all its light arrives, with standard deviation D/6 for D >= 8 px; in
 * focus it stays a point. */
TY_TEST(imager, defocus)
{
    enum { W = 64 };
    static float in[W * W], out[W * W];
    static double depth[W * W];
    ty_imager_def d = ty_imager_def_default();
    d.focal = 0.05, d.f_number = 2.0, d.focus = 10.0;
    for (int k = 0; k < 3; k++) {
        double z = k == 0 ? 10.0 : k == 1 ? 3.3 : (double)INFINITY, sum = 0.0, square = 0.0;
        double far = isfinite(z) ? fabs(z - 10.0) / z : 1.0,
               D = 0.05 * 0.05 * far / (2.0 * 5e-6 * (10.0 - 0.05));
        memset(in, 0, sizeof in);
        in[W / 2 * W + W / 2] = 1000.0f;
        for (int i = 0; i < W * W; i++) {
            depth[i] = z;
        }
        ty_imager_defocus(&d, W, W, in, depth, out);
        for (int i = 0; i < W * W; i++) {
            sum += (double)out[i], square += (double)out[i] * (i % W - W / 2) * (i % W - W / 2);
        }
        TY_NEAR_REL(sum, 1000.0, 1e-5);
        if (k) {
            TY_CHECK(D >= 8.0);
            TY_NEAR_REL(sqrt(square / sum), D / 6.0, 0.03);
            TY_FAR_REL(sqrt(square / sum), D / 5.0, 0.03);
        } else {
            TY_CHECK(out[W / 2 * W + W / 2] == 1000.0f);
        }
    }
}

TY_TEST(imager, bad_definitions)
{
    ty_imager_def d = ty_imager_def_default();
    ty_diag diag = { 0 };
    TY_CHECK(ty_imager_def_check(&d, &diag) == TY_OK);
    d.focus = 0.01;
    TY_CHECK(ty_imager_def_check(&d, &diag) == TY_ERR_RANGE && strstr(diag.text, "focus"));
    d = ty_imager_def_default(), d.bits = 17, diag = (ty_diag){ 0 };
    TY_CHECK(ty_imager_def_check(&d, &diag) == TY_ERR_RANGE && strstr(diag.text, "bits"));
    d = ty_imager_def_default(), d.qe[3] = NAN, diag = (ty_diag){ 0 };
    TY_CHECK(ty_imager_def_check(&d, &diag) == TY_ERR_RANGE && strstr(diag.text, "band 3"));
    d.cookie = 0;
    TY_CHECK(ty_imager_def_check(&d, NULL) == TY_ERR_DEF);
}
