/* tests/unit/sensor/test_bands.c - light in bands: photon budget by hand, a grey card, gain and bits, exposure.
 *
 * The hand calculation: the Sun by ASTM G173-03's extraterrestrial column, as sums of its rows over 50 nm (trapezoids of its
 * own rows, 1 nm apart from 400 to 700 nm, every 2 nm elsewhere), in W/m2, of 1366.1 in all.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rig.h"
#include "tycho/camera.h"
#include "sensor/camera/inner.h"
#include "tyt.h"

static const double sun_50[16] = { /* from 300 to 1100 nm */
                                   40.27, 54.80, 86.90, 99.61, 93.57, 91.11, 83.71, 75.06,
                                   67.31, 60.40, 53.68, 47.55, 43.44, 39.06, 34.99, 31.18
};
/* the detector's efficiency in the middle of each 50 nm, read off the curve in camera_bands.c by hand; the Moon's colour
 * there over that at 549 nm [kieffer2005] */
static const double qe_50[16] = { 0.05, 0.225, 0.425, 0.54,  0.59, 0.585, 0.545, 0.485,
                                  0.41, 0.325, 0.24,  0.165, 0.10, 0.045, 0.01,  0.0 };
static const double moon_50[16] = { 0.541, 0.633, 0.755, 0.817, 0.945, 1.060, 1.177, 1.255,
                                    1.290, 1.359, 1.432, 1.488, 1.464, 1.503, 1.583, 1.644 };

#define HC 1.98644586e-25

/* CMV4000-like, f/8, 2 ms, mare in sunlight of 30 deg elevation: electrons of a pixel on the axis. Radiance of the mare:
 * 1361 W/m2 times sin 30 deg times a BRDF of 0.06/pi (a normal albedo of 6 %, of all of the Sun's light). */
TY_TEST(bands, photon_budget)
{
    ty_camera_sensor_def def = rig_bare(2, 2);
    def.f_number = 8.0, def.exposure = 2e-3, def.on[TY_CAMERA_AGGREGATOR] = true;
    double radiance = 1361.0 * 0.5 * 0.06 / TY_PI;
    rig r = rig_make(&def, 1);
    rig_fill(&r, radiance);
    double got = ty_buffer_get(rig_shoot(&r), 0, 0, 0);
    rig_free(&r);
    double want = 0.0;
    for (int i = 0; i < 16; i++) {
        double lambda = (325.0 + 50.0 * i) * 1e-9, light = radiance * moon_50[i] * sun_50[i] / 1366.1;
        want += TY_PI * light * 0.9 / (4.0 * 64.0) * 5.5e-6 * 5.5e-6 * 2e-3 * qe_50[i] * lambda / HC;
    }
    TY_NEAR_REL(got, want, 0.03);
    double old = TY_PI * radiance * 0.9 / (4.0 * 64.0) * 5.5e-6 * 5.5e-6 * 2e-3 * 0.5 * 600e-9 / HC;
    TY_FAR_REL(old, want, 0.5); /* control: all of it as photons of 600 nm */
    printf("budget: %.0f electrons, by hand %.0f, as 600 nm %.0f\n", got, want, old);
    TY_ROW("photon budget of a CMV4000-like camera (f/8, 2 ms, mare, Sun at 30 deg) within 3 %",
           "hand calculation, ASTM G173-03 extraterrestrial", "%.2f %%", 100.0 * tyt_worst_rel("got"));
}

/* one band from 500 to 600 nm: all that the Sun has there, at that band's efficiency */
TY_TEST(bands, one_band)
{
    ty_camera_sensor_def def = rig_bare(2, 2);
    double low = 500e-9, high = 600e-9;
    TY_CHECK(ty_camera_sensor_def_bands(&def, &low, &high, 1, NULL) == TY_OK);
    double want = (sun_50[4] * qe_50[4] * 525.0 + sun_50[5] * qe_50[5] * 575.0) / (sun_50[4] + sun_50[5]) * 1e-9;
    TY_NEAR_REL(def.qe[0][0] * def.lambda[0], want, 0.01);
    TY_NEAR_REL(def.lambda[0], 550e-9, 0.01);
    TY_CHECK(ty_camera_sensor_def_bands(&def, &high, &low, 1, NULL) == TY_ERR_RANGE);
    TY_CHECK(ty_camera_sensor_def_bands(&def, &low, &high, 0, NULL) == TY_ERR_RANGE);
}

/* A card of 18 % in sunlight, through the Bayer pattern and the whole chain without noise: neutral, by gains from the Sun's
 * spectrum and the curves alone. The light of the card comes from the table above, not from the program's shares. */
TY_TEST(bands, grey_card)
{
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    def.width = def.height = 16, def.bands = 3;
    ty_camera_sensor_def_color(&def);
    memset(def.on, 0, sizeof def.on);
    def.on[TY_CAMERA_AGGREGATOR] = def.on[TY_CAMERA_MOSAIC] = def.on[TY_CAMERA_RESPONSE] = def.on[TY_CAMERA_QUANTISE] =
        def.on[TY_CAMERA_DEMOSAIC] = def.on[TY_CAMERA_WHITE_BALANCE] = true;
    def.bits = 16, def.f_number = 8.0, def.exposure = 1e-3;
    tyi_camera_sensor_def_fit(&def);
    double dn[2][3];
    for (int balanced = 0; balanced < 2; balanced++) {
        def.on[TY_CAMERA_WHITE_BALANCE] = balanced;
        rig r = rig_make(&def, 1);
        for (int b = 0; b < 3; b++) { /* red 600 to 700, green 500 to 600, blue 400 to 500 nm */
            double share = (sun_50[6 - 2 * b] + sun_50[7 - 2 * b]) / 1366.1;
            for (int i = 0; i < 16 * 16; i++) {
                ty_buffer_set(&r.radiance, i % 16, i / 16, b, 1361.0 * share * 0.18 / TY_PI * 0.5);
            }
        }
        const ty_buffer *image = rig_shoot(&r);
        for (int c = 0; c < 3; c++) {
            dn[balanced][c] = ty_buffer_get(image, 8, 8, c) - def.b;
        }
        rig_free(&r);
    }
    double red = dn[1][0] / dn[1][1], blue = dn[1][2] / dn[1][1];
    printf("grey card: %.0f %.0f %.0f DN, balanced %.4f 1 %.4f\n", dn[0][0], dn[0][1], dn[0][2], red, blue);
    TY_NEAR(red, 1.0, 0.01);
    TY_NEAR(blue, 1.0, 0.01);
    TY_FAR(dn[0][2] / dn[0][1], 1.0, 0.05); /* control: without the gains it is not */
    TY_ROW("a grey card in sunlight is neutral to 1 % with gains from spectrum and curves alone",
           "ASTM G173-03 extraterrestrial", "red %.2f %%, blue %.2f %%", 100.0 * fabs(red - 1.0),
           100.0 * fabs(blue - 1.0));
}

/* a full pixel fills the converter, for any number of bits, unless gain or offset are given */
TY_TEST(bands, gain_fits_the_bits)
{
    for (int bits = 8; bits <= 16; bits++) {
        char text[16];
        snprintf(text, sizeof text, "%d", bits);
        ty_camera_sensor_def def = ty_camera_sensor_def_default();
        TY_CHECK(ty_camera_sensor_def_set(&def, "bits", text, NULL) == TY_OK);
        double most = exp2(bits) - 1.0;
        TY_NEAR_REL(def.a * def.full_well + def.b, most, 0.025);
        TY_NEAR_REL(def.b, 100.0 / 4096.0 * exp2(bits), 1e-12);
        TY_CHECK(ty_camera_sensor_def_set(&def, "full_well", "27000", NULL) == TY_OK);
        TY_NEAR_REL(def.a * 27000.0 + def.b, most, 0.025);
        TY_CHECK(ty_camera_sensor_def_set(&def, "a", "0.5", NULL) == TY_OK &&
                 ty_camera_sensor_def_set(&def, "bits", "12", NULL) == TY_OK && def.a == 0.5);
    }
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    TY_FAR_REL(def.a * def.full_well, 65535.0, 0.5); /* control: 12 bits' gain uses 6 % of 16 */
}

/* automatic exposure by mean: after some frames the mean stands at its target */
TY_TEST(bands, exposure_by_mean)
{
    ty_camera_sensor_def def = rig_bare(32, 32);
    def.on[TY_CAMERA_AGGREGATOR] = def.on[TY_CAMERA_FULL_WELL] = def.on[TY_CAMERA_RESPONSE] =
        def.on[TY_CAMERA_QUANTISE] = def.on[TY_CAMERA_AUTO_EXPOSURE] = true;
    TY_CHECK(ty_camera_sensor_def_set(&def, "auto_by", "mean", NULL) == TY_OK &&
             ty_camera_sensor_def_set(&def, "auto_target", "0.3", NULL) == TY_OK);
    TY_CHECK(ty_camera_sensor_def_set(&def, "auto_by", "median", NULL) == TY_ERR_INPUT);
    double mean[2];
    for (int by = 0; by < 2; by++) {
        def.auto_by = by ? TY_CAMERA_MEAN : TY_CAMERA_PERCENTILE;
        rig r = rig_make(&def, 1);
        for (int i = 0; i < 32 * 32; i++) { /* a bright quarter */
            ty_buffer_set(&r.radiance, i % 32, i / 32, 0, i % 4 ? 10.0 : 40.0);
        }
        const ty_buffer *image = NULL;
        for (int k = 0; k < 12; k++) {
            image = rig_shoot(&r);
        }
        mean[by] = 0.0;
        for (int i = 0; i < 32 * 32; i++) {
            mean[by] += ty_buffer_get(image, i % 32, i / 32, 0) / 1024.0;
        }
        rig_free(&r);
    }
    TY_NEAR_REL(mean[1], 0.3 * 4095.0, 0.01);
    TY_FAR_REL(mean[0], 0.3 * 4095.0, 0.2); /* control: by percentile the bright quarter stands there */
}
