/* A synthetic exposure series gives back the camera that made it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rig.h"
#include "sensor/camera/camera_levels.h"

#define LIGHTS 18
#define DARKS  6
#define SIDE   96

static tyi_camera_level pair(rig *r, double exposure, bool dark, double full)
{
    tyi_camera_level level = { .exposure = exposure, .dark = dark };
    ty_diag diag = { 0 };
    TY_CHECK(ty_camera_sensor_set_exposure(r->sensor, exposure, &diag) == TY_OK);
    static uint16_t copy[SIDE * SIDE];
    const ty_buffer *out = rig_shoot(r);
    memcpy(copy, out->data, sizeof copy);
    ty_buffer first = ty_buffer_wrap(&out->type, copy);
    TY_CHECK(tyi_camera_level_measure(&first, rig_shoot(r), full, &level, &diag) == TY_OK);
    return level;
}

/* lights from 1/256 to 1.4 of a full well in half stops, darks of 1 ms to 8 s */
static int series(ty_camera_sensor_def *def, tyi_camera_level *level)
{
    def->on[TY_CAMERA_GLARE] = def->on[TY_CAMERA_VIGNETTING] = false;
    rig r = rig_make(def, 1);
    double full = exp2(def->bits) - 1.0;
    int n = 0;
    rig_fill(&r, rig_radiance(def, def->full_well, 10e-3));
    for (int i = 0; i < LIGHTS; i++) {
        level[n++] = pair(&r, 10e-3 * exp2(-8.0 + 0.5 * i), false, full);
    }
    rig_fill(&r, 0.0);
    for (int i = 0; i < DARKS; i++) {
        level[n++] = pair(&r, i ? 0.25 * exp2(i) : 1e-3, true, full);
    }
    rig_free(&r);
    return n;
}

static ty_camera_sensor_def camera(void)
{
    ty_camera_sensor_def def = ty_camera_sensor_def_default();
    def.width = def.height = SIDE;
    def.hot_share = def.dead_share = 0.0;
    return def;
}

TY_TEST(fit, linear_camera)
{
    ty_camera_sensor_def def = camera();
    tyi_camera_level level[32];
    tyi_camera_level_fit fit;
    ty_diag diag = { 0 };
    int n = series(&def, level);
    cr_assert(tyi_camera_level_fit_levels(level, n, -1, 4095.0, 1.0, &fit, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(fit.curve == TY_CAMERA_LINEAR && fit.saturated >= 1 && fit.misfit < 3.0);
    TY_NEAR_REL(fit.gain.value, 0.29, 0.03);
    TY_NEAR_REL(fit.b.value, 100.0, 0.03);
    TY_NEAR_REL(fit.read.value, 13.0, 0.03);
    TY_NEAR_REL(fit.dark.value, 125.0, 0.03);
    TY_NEAR_REL(fit.flux.value, 13500.0 / 10e-3, 0.03);
    TY_NEAR_REL(fit.saturation, 13500.0, 0.03);
    TY_NEAR_REL(fit.dsnu, sqrt(25.0 + 9.0 + 2.25), 0.1); /* few rows and columns: 96 of each */
    TY_NEAR_REL(fit.prnu, 0.01, 0.1);
    TY_FAR_REL(fit.gain.value, 0.31, 0.03); /* control */
    /* the stated errors are honest: within 4 of them */
    TY_NEAR(fit.gain.value, 0.29, 4.0 * fit.gain.sigma);
    TY_NEAR(fit.read.value, 13.0, 4.0 * fit.read.sigma);
    TY_NEAR(fit.dark.value, 125.0, 4.0 * fit.dark.sigma);
    printf("linear: K %.4f +- %.4f (0.29), read %.2f +- %.2f (13), dark %.1f +- %.1f (125), misfit "
           "%.2f\n",
           fit.gain.value, fit.gain.sigma, fit.read.value, fit.read.sigma, fit.dark.value, fit.dark.sigma, fit.misfit);
    double mean, variance;
    tyi_camera_level_fit_predict(&fit, 4095.0, 5000.0, &mean, &variance);
    TY_NEAR_REL(mean, 0.29 * 5000.0 + 100.0, 0.03);
    TY_NEAR_REL(variance, 0.29 * 0.29 * 5169.0 + 1.0 / 12.0, 0.03);
    TY_ROW("`tycho camera --fit`, linear: gain, read noise, dark current within 3 %", "what was put in",
           "%.2f %%, %.2f %%, %.2f %%", 100.0 * tyt_worst_rel("fit.gain.value"),
           100.0 * tyt_worst_rel("fit.read.value"), 100.0 * tyt_worst_rel("fit.dark.value"));
}

TY_TEST(fit, sigmoid_and_gamma_cameras)
{
    static const double set[2][4] = { { 1800.0, 200.0, 1.3, 2.0 }, { 0.6, -6.5, 1.0, 1.0 } };
    for (int kind = 0; kind < 2; kind++) {
        ty_camera_sensor_def def = camera();
        def.curve = (ty_camera_curve)kind;
        def.bits = 16;
        def.a = set[kind][0], def.b = set[kind][1], def.gamma = set[kind][2], def.iso = set[kind][3];
        tyi_camera_level level[32];
        tyi_camera_level_fit fit;
        ty_diag diag = { 0 };
        int n = series(&def, level);
        cr_assert(tyi_camera_level_fit_levels(level, n, -1, 65535.0, def.iso, &fit, &diag) == TY_OK, "%s", diag.text);
        printf("curve %d as %d: a %.4g +- %.2g (%g), b %.4g +- %.2g (%g), gamma %.3f +- %.3f (%g), "
               "read %.2f +- %.2f (13), dark %.1f +- %.1f (125), flux %.4g, misfit %.2f, dev %.2g, "
               "used %d sat %d\n",
               kind, (int)fit.curve, fit.a.value, fit.a.sigma, def.a, fit.b.value, fit.b.sigma, def.b, fit.gamma.value,
               fit.gamma.sigma, def.gamma, fit.read.value, fit.read.sigma, fit.dark.value, fit.dark.sigma,
               fit.flux.value, fit.misfit, fit.linearity, fit.used, fit.saturated);
        TY_CHECK((int)fit.curve == kind);
        TY_NEAR_REL(fit.a.value, def.a, 0.03);
        TY_NEAR_REL(fit.gamma.value, def.gamma, 0.03);
        TY_NEAR_REL(fit.read.value, 13.0, 0.03);
        TY_NEAR_REL(fit.dark.value, 125.0, 0.03);
        TY_NEAR_REL(fit.flux.value, 13500.0 / 10e-3, 0.03);
        TY_FAR_REL(fit.a.value, 1.1 * def.a, 0.03);
        for (double x = 500.0; x < 12000.0; x *= 1.5) { /* the curve itself */
            double mean, variance, stops = log2(def.iso * x);
            double want = kind ? 65535.0 / (1.0 + exp(-def.a * stops - def.b)) : def.a * pow(stops, def.gamma) + def.b;
            tyi_camera_level_fit_predict(&fit, 65535.0, x, &mean, &variance);
            TY_NEAR(mean, want, 0.005 * 65535.0);
        }
    }
    TY_ROW("the same, gamma and sigmoid: a, gamma, read, dark within 3 %", "what was put in",
           "%.2f %%, %.2f %%, %.2f %%, %.2f %%", 100.0 * tyt_worst_rel("fit.a.value"),
           100.0 * tyt_worst_rel("fit.gamma.value"), 100.0 * tyt_worst_rel("fit.read.value"),
           100.0 * tyt_worst_rel("fit.dark.value"));
}

TY_TEST(fit, bad_series_get_a_sentence)
{
    tyi_camera_level level[8] = { { 0 } };
    tyi_camera_level_fit fit;
    ty_diag diag = { 0 };
    for (int i = 0; i < 8; i++) {
        level[i] = (tyi_camera_level){ 0.01 * (i + 1), i < 2, 500.0, 10.0, 1.0, 0.0, 1000.0 };
    }
    TY_CHECK(tyi_camera_level_fit_levels(level, 8, -1, 4095.0, 1.0, &fit, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "no response curve fits") != NULL);
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_camera_level_fit_levels(level, 4, -1, 4095.0, 1.0, &fit, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "2 dark and 2 light exposures") != NULL);
    diag = (ty_diag){ 0 };
    level[3].exposure = 0.0;
    TY_CHECK(tyi_camera_level_fit_levels(level, 8, -1, 4095.0, 1.0, &fit, &diag) == TY_ERR_RANGE);
    uint16_t pixels[64] = { 0 };
    ty_buffer a = ty_buffer_wrap(&(ty_buffer_type){ 8, 8, 1, TY_ELEMENT_U16, TY_UNIT_DN, 0 }, pixels);
    ty_buffer b = ty_buffer_crop(&a, 0, 0, 8, 7);
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_camera_level_measure(&a, &b, 4095.0, level, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "8 x 8 and 8 x 7") != NULL);
}
