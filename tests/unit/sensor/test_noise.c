/* The detector's noise against its laws: Poisson by chi-square, the photon-transfer line, and what
 * a data sheet promises.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rig.h"
#include "k_noise.h"
#include "sensor/camera/inner.h"

/* ---- Poisson ---- */

/* Chi-square of n counts of a mean against the law, bins with at least 10 expected; as a number of
 * standard deviations from its mean (Wilson and Hilferty's cube root). */
static double chi_square(double mean, double law, int n, uint32_t stream)
{
    enum { MOST = 600 };
    static double count[MOST];
    memset(count, 0, sizeof count);
    for (int i = 0; i < n; i++) {
        double k = ty_k_poisson(mean, ty_k_philox((uint32_t)i, stream, 0, 0, 5, TY_RNG_TEST));
        TY_CHECK(k >= 0.0 && k < MOST && k == floor(k));
        count[(int)k]++;
    }
    double chi = 0.0, got = 0.0, expected = 0.0;
    int bins = 0;
    for (int k = 0; k < MOST; k++) {
        got += count[k];
        expected += n * exp(k * log(law) - law - lgamma(k + 1.0));
        if (expected >= 10.0) {
            chi += (got - expected) * (got - expected) / expected;
            bins++;
            got = expected = 0.0;
        }
    }
    double f = bins - 1;
    return (cbrt(chi / f) - (1.0 - 2.0 / (9.0 * f))) / sqrt(2.0 / (9.0 * f));
}

TY_TEST(noise, counts_follow_poissons_law)
{
    static const double means[] = { 0.02, 0.7, 3.0, 20.0, 63.9, 64.1, 100.0, 400.0 };
    for (uint32_t i = 0; i < sizeof means / sizeof means[0]; i++) {
        TY_NEAR(chi_square(means[i], means[i], 100000, i), 0.0, 3.5);
        TY_CHECK(chi_square(means[i], 1.03 * means[i] + 0.01, 100000, i) > 3.5); /* control */
    }
    ty_k_u32x4 r = { { 1, 2, 3, 4 } }, most = { { 0xffffffffu, 0xffffffffu, 0, 0 } };
    TY_NEAR(ty_k_poisson(0.0, r), 0.0, 0.0);
    TY_NEAR(ty_k_poisson(-3.0, r), 0.0, 0.0);
    TY_NEAR(ty_k_poisson((double)NAN, r), 0.0, 0.0);
    TY_CHECK(ty_k_poisson(50.0, most) < 150.0); /* the farthest tail ends */
    TY_NEAR(ty_k_dark_rate(10.0, 311.0, 298.0, 6.5), 40.0, 1e-12);
    TY_ROW("shot noise is Poisson's: chi-square within 3.5 standard deviations", "chi-square, means 0.02 to 400",
           "worst %.1f", tyt_worst("chi_square(means[i], means[i], 100000, i)"));
}

/* Drawn once more through the filter: the camera uses that law, keyed by frame and pixel. */
TY_TEST(noise, shot_noise_of_a_frame)
{
    ty_camera_sensor_def def = rig_bare(128, 128);
    def.on[TY_CAMERA_AGGREGATOR] = def.on[TY_CAMERA_SHOT] = true;
    for (double gain = 1.0; gain < 3.0; gain += 1.5) {
        def.g_noise = gain;
        rig r = rig_make(&def, 1);
        rig_fill(&r, rig_radiance(&def, 40.0, def.exposure));
        moments m = moments_make(128 * 128);
        for (int i = 0; i < 10; i++) {
            moments_add(&m, rig_shoot(&r));
        }
        /* 5 standard errors of mean and variance over 163840 numbers */
        TY_NEAR(moments_mean(&m), 40.0, 5.0 * gain * sqrt(40.0 / 163840.0));
        TY_NEAR_REL(moments_variance(&m), gain * gain * 40.0, 5.0 * sqrt(2.05 / 147456.0));
        TY_FAR_REL(moments_variance(&m), gain * gain * 42.0, 5.0 * sqrt(2.05 / 147456.0));
        moments_free(&m);
        rig_free(&r);
    }
}

/* ---- the photon-transfer line ---- */

typedef struct point {
    double mean, variance;
} point;

static point expose(rig *r, double exposure, int frames)
{
    ty_camera_sensor_set_exposure(r->sensor, exposure, NULL);
    int pixels = r->radiance.type.width * r->radiance.type.height;
    moments m = moments_make(pixels);
    for (int i = 0; i < frames; i++) {
        moments_add(&m, rig_shoot(r));
    }
    point p = { moments_mean(&m), moments_variance(&m) };
    moments_free(&m);
    return p;
}

static void line(const double *x, const double *y, int n, double *slope, double *at0)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < n; i++) {
        sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i];
    }
    *slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    *at0 = (sy - *slope * sx) / n;
}

/* 200 frames at each of six exposures, and six darks: variance against mean is a line of slope K =
 * a ISO, dark means grow by K D t, and the darkest variance is K^2 read^2 + 1/12. The whole chain
 * of the detector is on, so even the uneven pixels must not disturb it (they are the same in all
 * frames). 40 x 25 pixels over 200 frames: a variance is known to sqrt(2/2e5) = 0.3 %. */
TY_TEST(noise, photon_transfer_line)
{
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    def.width = 40, def.height = 25;
    def.hot_share = def.dead_share = 0.0;
    def.iso = 2.0, def.a = 0.4; /* K = 0.8 DN/e- */
    def.bits = 14;
    def.on[TY_CAMERA_GLARE] = false; /* a veil over an even scene only costs time */
    rig r = rig_make(&def, 1);
    double mean[6], variance[6], t[6], dark[6], gain, at0, slope, offset;
    rig_fill(&r, rig_radiance(&def, 1000.0, 1e-3));
    for (int i = 0; i < 6; i++) {
        point p = expose(&r, 0.5e-3 + 2e-3 * i, 200);
        mean[i] = p.mean, variance[i] = p.variance;
    }
    rig_fill(&r, 0.0);
    point darkest = { 0, 0 };
    for (int i = 0; i < 6; i++) {
        t[i] = 1e-3 + 0.2 * i;
        point p = expose(&r, t[i], 200);
        dark[i] = p.mean;
        darkest = i ? darkest : p;
    }
    line(mean, variance, 6, &gain, &at0);
    line(t, dark, 6, &slope, &offset);
    TY_NEAR_REL(gain, 0.8, 0.02);
    TY_NEAR_REL(sqrt(darkest.variance - 1.0 / 12.0) / gain, sqrt(13.0 * 13.0 + 0.125), 0.02);
    TY_NEAR_REL(slope / gain, 125.0, 0.02);
    TY_NEAR(offset, 100.0, 1.0); /* the mean of 65 row and column offsets of 2 e- remains */
    TY_FAR_REL(gain, 0.4, 0.02); /* control: ISO forgotten */
    TY_FAR_REL(sqrt(darkest.variance) / gain, 15.0, 0.02);
    printf("photon transfer: K %.4f (0.8), read %.3f (13), dark %.2f (125), offset %.2f (100)\n", gain,
           sqrt(darkest.variance - 1.0 / 12.0) / gain, slope / gain, offset);
    rig_free(&r);
    TY_ROW("photon transfer: gain, read noise, dark current within 2 %", "what was put in, 200 frames each",
           "%.2f %%, %.2f %%, %.2f %%", 100.0 * tyt_worst_rel("gain"),
           100.0 * tyt_worst_rel("sqrt(darkest.variance - 1.0 / 12.0) / gain"), 100.0 * tyt_worst_rel("slope / gain"));
}

/* ---- a data sheet ---- */

static const ty_emva1288 sheet = { .gain = 0.25,
                                   .dark_noise = 6.0,
                                   .dark_current = 300.0,
                                   .temperature = 303.0,
                                   .dsnu = 9.0,
                                   .prnu = 0.012,
                                   .saturation = 14000.0,
                                   .offset = 80.0,
                                   .pixel = 4.5e-6,
                                   .bits = 12,
                                   .points = 3,
                                   .lambda = { 400e-9, 600e-9, 1000e-9 },
                                   .qe = { 0.3, 0.6, 0.1 } };

/* EMVA 1288: SNR = mu/sqrt(sigma_d^2 + sigma_q^2/K^2 + mu); DSNU and PRNU from spatial variances of
 * averaged dark and half-full images. 128 x 128 pixels know a spread to 1/sqrt(2 16384) = 0.55 %;
 * the bounds are 2 %, as the issue asks for the photon-transfer numbers. */
TY_TEST(noise, data_sheet)
{
    ty_diag diag = { 0 };
    ty_camera_sensor_def def = rig_bare(128, 128);
    for (int i = TY_CAMERA_AGGREGATOR; i <= TY_CAMERA_QUANTISE; i++) {
        def.on[i] = i != TY_CAMERA_MOSAIC && i != TY_CAMERA_AMPLIFIER;
    }
    def.lambda[0] = 550e-9;
    TY_CHECK(ty_camera_sensor_def_emva(&def, &sheet, &diag) == TY_OK);
    TY_NEAR(def.qe[0][0], 0.525, 1e-12); /* three quarters of the way from 0.3 to 0.6 */
    rig r = rig_make(&def, 1);
    moments dark = moments_make(128 * 128), half = moments_make(128 * 128), full = moments_make(128 * 128);
    for (int i = 0; i < 20; i++) {
        moments_add(&dark, rig_shoot(&r));
    }
    rig_fill(&r, rig_radiance(&def, 7000.0, def.exposure));
    for (int i = 0; i < 20; i++) {
        moments_add(&half, rig_shoot(&r));
    }
    rig_fill(&r, rig_radiance(&def, 50000.0, def.exposure));
    moments_add(&full, rig_shoot(&r));
    double signal = moments_mean(&half) - moments_mean(&dark);
    double snr = signal / sqrt(moments_variance(&half));
    double mu = 7000.0, want = mu / sqrt(36.0 + 0.3 + 1.0 / 12.0 / 0.0625 + mu);
    TY_NEAR_REL(signal, 0.25 * mu, 0.02);
    TY_NEAR_REL(snr, want, 0.02);
    TY_FAR_REL(snr, mu / sqrt(mu + 36.0 * 36.0), 0.02);
    TY_NEAR_REL(sqrt(moments_spread(&dark)) / 0.25, 9.0, 0.02);
    double prnu = sqrt(moments_spread(&half) - moments_spread(&dark)) / signal;
    TY_NEAR_REL(prnu, 0.012, 0.02);
    TY_FAR_REL(prnu, 0.0125, 0.02);                                 /* control */
    TY_NEAR_REL(moments_mean(&full), 0.25 * 14000.0 + 80.0, 0.001); /* saturation capacity */
    printf("data sheet: SNR %.2f (%.2f), DSNU %.3f (9) e-, PRNU %.3f (1.2) %%\n", snr, want,
           sqrt(moments_spread(&dark)) / 0.25, 100.0 * prnu);
    moments_free(&dark), moments_free(&half), moments_free(&full);
    rig_free(&r);
    ty_emva1288 bad = sheet;
    bad.lambda[1] = 300e-9;
    TY_CHECK(ty_camera_sensor_def_emva(&def, &bad, &diag) == TY_ERR_RANGE);
    TY_CHECK(strstr(diag.text, "point 1 of the quantum efficiency") != NULL);
    bad = sheet;
    bad.saturation = (double)NAN;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_camera_sensor_def_emva(&def, &bad, &diag) == TY_ERR_RANGE && strstr(diag.text, "full_well"));
    TY_ROW("SNR, DSNU, PRNU of an EMVA 1288 sheet within 2 %", "the sheet", "%.2f %%, %.2f %%, %.2f %%",
           100.0 * tyt_worst_rel("snr"), 100.0 * tyt_worst_rel("sqrt(moments_spread(&dark)) / 0.25"),
           100.0 * tyt_worst_rel("prnu"));
}

/* ---- what is fixed ---- */

/* Row and column offsets: means over rows and over columns have the spreads asked for. */
TY_TEST(noise, pattern_by_row_and_column)
{
    ty_camera_sensor_def def = rig_bare(400, 400);
    def.dsnu = 2.0, def.dsnu_row = 6.0, def.dsnu_column = 3.0;
    def.on[TY_CAMERA_AGGREGATOR] = def.on[TY_CAMERA_PATTERN] = true;
    rig r = rig_make(&def, 1);
    const ty_buffer *out = rig_shoot(&r);
    double row = 0.0, column = 0.0, all = 0.0;
    for (int i = 0; i < 400; i++) {
        double sr = 0.0, sc = 0.0;
        for (int k = 0; k < 400; k++) {
            sr += ty_buffer_get(out, k, i, 0) / 400.0;
            sc += ty_buffer_get(out, i, k, 0) / 400.0;
            all += pow(ty_buffer_get(out, k, i, 0), 2.0) / 160000.0;
        }
        row += sr * sr / 400.0, column += sc * sc / 400.0;
    }
    /* 400 numbers know a standard deviation to 3.5 %: bounds of three of those */
    TY_NEAR_REL(sqrt(row), 6.0, 0.11);
    TY_NEAR_REL(sqrt(column), 3.0, 0.11);
    TY_NEAR_REL(sqrt(all), 7.0, 0.11);
    TY_FAR_REL(sqrt(row), 3.0, 0.11);
    rig_free(&r);
    TY_ROW("fixed pattern by row and column within 11 % (three errors of 400 numbers)", "what was put in",
           "%.1f %%, %.1f %%", 100.0 * tyt_worst_rel("sqrt(row)"), 100.0 * tyt_worst_rel("sqrt(column)"));
}

/* Hot pixels: share and mean rate; dead ones: share. Sixteen standard deviations of a count would
 * not pass; the bounds are four. */
TY_TEST(noise, hot_and_dead_pixels)
{
    ty_camera_sensor_def def = rig_bare(500, 400);
    def.hot_share = 0.01, def.hot = 4000.0, def.dead_share = 0.005, def.exposure = 0.5;
    def.temperature = def.dark_at + def.doubling; /* twice the rates */
    def.on[TY_CAMERA_AGGREGATOR] = def.on[TY_CAMERA_DARK] = def.on[TY_CAMERA_DEAD] = true;
    rig r = rig_make(&def, 1);
    const ty_buffer *out = rig_shoot(&r);
    double hot = 0.0, extra = 0.0, dead = 0.0;
    for (int i = 0; i < 200000; i++) {
        double v = ty_buffer_get(out, i % 500, i / 500, 0);
        dead += v == 0.0;
        hot += v > 125.01;
        extra += v > 125.01 ? v - 125.0 : 0.0;
    }
    TY_NEAR(hot, 200000 * 0.01 * 0.995, 4.0 * sqrt(2000.0));
    TY_NEAR(dead, 1000.0, 4.0 * sqrt(1000.0));
    TY_NEAR_REL(extra / hot, 4000.0, 4.0 / sqrt(2000.0)); /* 4000/s twice, half a second */
    TY_FAR_REL(extra / hot, 2000.0, 4.0 / sqrt(2000.0));
    rig_free(&r);
    TY_ROW("hot and dead pixels within 4 counting errors", "shares that were put in", "%.1f %%, %.1f %%",
           100.0 * tyt_worst_rel("hot"), 100.0 * tyt_worst_rel("dead"));
}

/* [csens] (4) on numbers, parameters from (3). */
TY_TEST(noise, amplifier_model)
{
    ty_camera_sensor_def def = rig_bare(128, 128);
    def.bits = 16, def.a = 0.29;
    tyi_camera_amplifier(2.5, 10.0, 3.0, &def.amplifier_s1, &def.amplifier_s2);
    def.on[TY_CAMERA_AGGREGATOR] = def.on[TY_CAMERA_RESPONSE] = def.on[TY_CAMERA_AMPLIFIER] = true;
    rig r = rig_make(&def, 1);
    rig_fill(&r, rig_radiance(&def, 10000.0, def.exposure));
    moments m = moments_make(128 * 128);
    for (int i = 0; i < 8; i++) {
        moments_add(&m, rig_shoot(&r));
    }
    double intensity = 0.29 * 10000.0 + 100.0;
    double want = (intensity * 2.5 + 100.0) / 6.25 + 9.0; /* (flux t + read^2)/g^2 + adc^2 */
    TY_NEAR(moments_mean(&m), intensity, 5.0 * sqrt(want / 131072.0));
    TY_NEAR_REL(moments_variance(&m), want, 5.0 * sqrt(2.0 / 114688.0));
    TY_FAR_REL(moments_variance(&m), want - 25.0, 1e-3);
    moments_free(&m);
    rig_free(&r);
    TY_ROW("amplifier noise of [csens] 3 and 4 within 5 errors", "(flux t + read^2) / g^2 + adc^2", "%.2f %%",
           100.0 * tyt_worst_rel("moments_variance(&m)"));
}
