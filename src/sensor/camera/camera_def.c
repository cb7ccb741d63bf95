/* src/sensor/camera/camera_def.c - a camera's parameters: defaults, ranges, EMVA 1288 data sheets.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "camera.h"
#include "core/rules.h"
#include "inner.h"

ty_camera_sensor_def ty_camera_sensor_def_default(void)
{
    ty_camera_sensor_def def = {
        .width = 1024, .height = 1024, .bands = 1, .colors = 1,
        /* [maki2003]: 45 deg, f/12, focused at 1 m */
        .focal = 6.80e-3, .f_number = 12.0, .focus = 1.0, .transmission = 0.9,
        .pixel = 5.5e-6, .g_defocus = 1.0, .defocus_most = 63.0, .g_vignet = 1.0,
        .glare = 0.005, .glare_core = 60.0, .flare = 5e-4,
        .dust_spots = 60, .dust_radius = 18.0, .dust_opacity = 0.3,
        .exposure = 1e-3, .g_aggregator = 1.0,
        /* [cmv4000] */
        .dark = 125.0, .dark_at = 298.0, .doubling = 6.5, .temperature = 298.0,
        .hot_share = 1e-4, .hot = 5000.0, .g_noise = 1.0, .read = 13.0, .prnu = 0.01,
        .dsnu = 5.0, .dsnu_row = 1.5, .dsnu_column = 3.0, .dead_share = 2e-5, .full_well = 13500.0,
        .curve = TY_CAMERA_LINEAR, .iso = 1.0, .gamma = 1.0, .bits = 12,
        .amplifier_s1 = 0.5, .amplifier_s2 = 2.0,
        .demosaic = TY_CAMERA_MALVAR, .white = { 1.0, 1.0, 1.0 }, .quality = 75,
        .auto_share = 0.95, .auto_target = 0.7, .auto_step = 8.0,
        .exposure_min = 1e-5, .exposure_max = 1.0,
        .on = {
#define STAGE_ON(id, name, on, color) [id] = on,
            TY_CAMERA_STAGE_LIST(STAGE_ON)
        },
        .seed = 1, .cookie = TYI_COOKIE,
    };
    tyi_camera_sensor_def_fit(&def);
    ty_camera_sensor_def_bands(&def, NULL, NULL, 1, NULL);
    return def;
}

#define FIELD(field, unit, low, high)                                              \
    {                                                                              \
#field, unit, offsetof(ty_camera_sensor_def, field), TYI_DOUBLE, low, high \
    }
#define COUNT(field, low, high)                                               \
    {                                                                         \
#field, "", offsetof(ty_camera_sensor_def, field), TYI_INT, low, high \
    }

static const tyi_limit limits[] = {
    COUNT(width, 1, 32768),
    COUNT(height, 1, 32768),
    COUNT(bands, 1, TY_BANDS),
    COUNT(colors, 1, 3),
    FIELD(focal, "m", 1e-5, 100.0),
    FIELD(f_number, "", 0.1, 1000.0),
    FIELD(focus, "m", 1e-4, 1e12),
    FIELD(transmission, "", 0.0, 1.0),
    FIELD(pixel, "m", 1e-8, 1e-2),
    FIELD(g_defocus, "", 0.0, 1e6),
    FIELD(defocus_most, "px", 1.0, 1023.0),
    FIELD(g_vignet, "", 0.0, 1.0),
    FIELD(glare, "", 0.0, 1.0),
    FIELD(glare_core, "px", 1.0, 1e5),
    FIELD(flare, "", 0.0, 0.1),
    COUNT(dust_spots, 0, 10000),
    FIELD(dust_radius, "px", 0.1, 1e4),
    FIELD(dust_opacity, "", 0.0, 1.0),
    FIELD(exposure, "s", 1e-9, 1e6),
    FIELD(g_aggregator, "", 0.0, 1e30),
    FIELD(dark, "1/s", 0.0, 1e9),
    FIELD(dark_at, "K", 1.0, 1000.0),
    FIELD(doubling, "K", 0.1, 100.0),
    FIELD(temperature, "K", 1.0, 1000.0),
    FIELD(hot_share, "", 0.0, 1.0),
    FIELD(hot, "1/s", 0.0, 1e9),
    FIELD(g_noise, "", 0.0, 1e6),
    FIELD(read, "e-", 0.0, 1e6),
    FIELD(prnu, "", 0.0, 1.0),
    FIELD(dsnu, "e-", 0.0, 1e6),
    FIELD(dsnu_row, "e-", 0.0, 1e6),
    FIELD(dsnu_column, "e-", 0.0, 1e6),
    FIELD(dead_share, "", 0.0, 1.0),
    FIELD(full_well, "e-", 1.0, 1e9),
    FIELD(iso, "", 1e-6, 1e9),
    FIELD(a, "", 1e-9, 1e9),
    FIELD(b, "", -1e6, 1e6),
    FIELD(gamma, "", 0.01, 100.0),
    COUNT(bits, 8, 16),
    FIELD(amplifier_s1, "DN^(1/2)", 0.0, 1e4),
    FIELD(amplifier_s2, "DN", 0.0, 1e5),
    COUNT(shift_x, 0, 1),
    COUNT(shift_y, 0, 1),
    FIELD(white[0], "", 0.0, 100.0),
    FIELD(white[1], "", 0.0, 100.0),
    FIELD(white[2], "", 0.0, 100.0),
    COUNT(quality, 1, 100),
    FIELD(auto_share, "", 0.0, 1.0),
    FIELD(auto_target, "", 0.01, 0.99),
    FIELD(auto_step, "", 1.01, 1e6),
    FIELD(exposure_min, "s", 1e-9, 1e6),
    FIELD(exposure_max, "s", 1e-9, 1e6),
    { NULL, NULL, 0, TYI_DOUBLE, 0.0, 0.0 },
};
static const tyi_order orders[] = {
    { offsetof(ty_camera_sensor_def, focal), offsetof(ty_camera_sensor_def, focus) },
    { offsetof(ty_camera_sensor_def, exposure_min), offsetof(ty_camera_sensor_def, exposure_max) },
    { 0, 0 },
};
const tyi_rules tyi_camera_rules = { "camera", limits, orders };

ty_status tyi_camera_check(const ty_camera_sensor_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "camera: the definition was not started by ty_camera_sensor_def_default()");
    }
    ty_status status = tyi_rules_check(&tyi_camera_rules, def, diag);
    if (status != TY_OK) {
        return status;
    }
    if (def->colors == 2) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: colors is 2, but takes 1 or 3");
    }
    if ((unsigned)def->curve > TY_CAMERA_LINEAR || (unsigned)def->demosaic > TY_CAMERA_BILINEAR) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: there is no such curve or demosaic method");
    }
    for (int b = 0; b < def->bands; b++) {
        if (!(def->lambda[b] >= 1e-8 && def->lambda[b] <= 1e-3)) {
            return ty_fail(diag, TY_ERR_RANGE, "camera: lambda[%d] is %g, but takes 1e-8 to 1e-3 m", b, def->lambda[b]);
        }
        for (int c = 0; c < def->colors; c++) {
            if (!(def->qe[c][b] >= 0.0 && def->qe[c][b] <= 1.0)) {
                return ty_fail(diag, TY_ERR_RANGE, "camera: qe[%d][%d] is %g, but takes 0 to 1", c, b, def->qe[c][b]);
            }
        }
    }
    return TY_OK;
}

void tyi_camera_amplifier(double g, double read, double adc, double *s1, double *s2)
{
    /* (3) at an intensity I [DN], whose flux gives I g electrons, is linear in I: two values say all */
    double at0 = ty_k_amplifier_variance(0.0, read, g, adc);
    *s1 = sqrt(ty_k_amplifier_variance(g, read, g, adc) - at0);
    *s2 = sqrt(at0);
}

/* 0 outside the sheet */
static double sheet_qe(const ty_emva1288 *sheet, double lambda)
{
    if (sheet->points == 1) {
        return sheet->qe[0];
    }
    for (int i = 1; i < sheet->points; i++) {
        double x0 = sheet->lambda[i - 1], x1 = sheet->lambda[i];
        if (lambda >= x0 && lambda <= x1) {
            return sheet->qe[i - 1] + (sheet->qe[i] - sheet->qe[i - 1]) * (lambda - x0) / (x1 - x0);
        }
    }
    return 0.0;
}

static ty_status check_sheet(const ty_emva1288 *sheet, ty_diag *diag)
{
    if (sheet->points < 1 || sheet->points > TY_EMVA_POINTS) {
        return ty_fail(diag, TY_ERR_RANGE, "EMVA 1288 sheet: %d points of quantum efficiency, but it takes 1 to %d",
                       sheet->points, TY_EMVA_POINTS);
    }
    for (int i = 0; i < sheet->points; i++) {
        if (!(sheet->qe[i] >= 0.0 && sheet->qe[i] <= 1.0) || (i && !(sheet->lambda[i] > sheet->lambda[i - 1]))) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "EMVA 1288 sheet: point %d of the quantum efficiency is %g at %g m; it "
                           "takes 0 to 1 at rising wavelengths",
                           i, sheet->qe[i], sheet->lambda[i]);
        }
    }
    return TY_OK;
}

ty_status ty_camera_sensor_def_emva(ty_camera_sensor_def *def, const ty_emva1288 *sheet, ty_diag *diag)
{
    ty_status status = check_sheet(sheet, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_camera_sensor_def d = *def;
    d.curve = TY_CAMERA_LINEAR;
    d.iso = 1.0;
    d.a = sheet->gain;
    d.b = sheet->offset;
    d.bits = sheet->bits;
    d.read = sheet->dark_noise;
    d.dark = sheet->dark_current;
    d.dark_at = d.temperature = sheet->temperature;
    d.dsnu = sheet->dsnu;
    d.dsnu_row = d.dsnu_column = 0.0;
    d.prnu = sheet->prnu;
    d.full_well = sheet->saturation;
    d.pixel = sheet->pixel;
    d.hot_share = d.dead_share = 0.0; /* a sheet's spread includes them */
    for (int b = 0; b < d.bands; b++) {
        for (int c = 0; c < 3; c++) {
            d.qe[c][b] = sheet_qe(sheet, d.lambda[b]);
        }
    }
    status = tyi_camera_check(&d, diag);
    if (status == TY_OK) {
        *def = d;
    }
    return status;
}
