/* src/sensor/camera_def.c - defaults and ranges of the physical camera.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"
#include "rules.h"
#include "tycho/imager.h"

ty_imager_def ty_imager_def_default(void)
{
    ty_imager_def d = {
        .focal = 0.02,
        .f_number = 4.0,
        .focus = 20.0,
        .pixel = 5e-6,
        .exposure = 1e-3,
        .pass = 1.0,
        .defocus_gain = 1.0,
        .vignetting_gain = 1.0,
        .aggregator_gain = 1.0,
        .noise_gain = 1.0,
        .dark = 10.0,
        .hot_dark = 1e4,
        .read = 5.0,
        .full_well = 20000.0,
        .response = TY_RESPONSE_LINEAR,
        .iso = 1.0,
        .a = 0.2,
        .gamma = 1.0,
        .bits = 12,
        .seed = 1,
        .cookie = TYI_COOKIE,
    };
    for (int b = 0; b < TY_BANDS; b++) {
        d.wavelength[b] = 550e-9;
        d.qe[b] = 0.5;
    }
    return d;
}

#define REAL(field, unit, low, high)                                                               \
    {                                                                                              \
#field, unit, offsetof(ty_imager_def, field), TYI_DOUBLE, low, high                        \
    }
static const tyi_limit limits[] = {
    REAL(focal, "m", 1e-4, 100.0),
    REAL(f_number, "", 0.1, 1000.0),
    REAL(focus, "m", 1e-3, 1e12),
    REAL(pixel, "m", 1e-8, 1e-2),
    REAL(exposure, "s", 0.0, 1e6),
    REAL(pass, "", 0.0, 1.0),
    REAL(defocus_gain, "", 0.0, 100.0),
    REAL(vignetting_gain, "", 0.0, 1.0),
    REAL(aggregator_gain, "", 0.0, 1e30),
    REAL(noise_gain, "", 0.0, 1e6),
    REAL(dark, "1/s", 0.0, 1e12),
    REAL(dark_spread, "1/s", 0.0, 1e12),
    REAL(hot_share, "", 0.0, 1.0),
    REAL(hot_dark, "1/s", 0.0, 1e12),
    REAL(dead_share, "", 0.0, 1.0),
    REAL(prnu, "", 0.0, 1.0),
    REAL(row_noise, "e-", 0.0, 1e6),
    REAL(column_noise, "e-", 0.0, 1e6),
    REAL(read, "e-", 0.0, 1e9),
    REAL(full_well, "e-", 1.0, 1e12),
    REAL(iso, "", 1e-6, 1e9),
    REAL(a, "", -1e12, 1e12),
    REAL(b, "", -1e12, 1e12),
    REAL(gamma, "", 0.01, 100.0),
    { "bits", "", offsetof(ty_imager_def, bits), TYI_INT, 8.0, 16.0 },
    { 0 },
};
static const tyi_order orders[] = {
    { offsetof(ty_imager_def, focal), offsetof(ty_imager_def, focus) }, { 0, 0 }
};
static const tyi_rules rules = { "imager", limits, orders };

ty_status ty_imager_def_check(const ty_imager_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF,
                       "imager: the definition did not start from ty_imager_def_default()");
    }
    ty_status status = tyi_rules_check(&rules, def, diag);
    for (int b = 0; b < TY_BANDS && status == TY_OK; b++) {
        if (!(def->qe[b] >= 0.0 && def->qe[b] <= 1.0 && def->wavelength[b] > 0.0 &&
              def->wavelength[b] < 1e-2)) {
            status = ty_fail(diag, TY_ERR_RANGE,
                             "imager: band %d has quantum efficiency %g and wavelength %g m, but "
                             "takes 0 to 1 and up to 0.01 m",
                             b, def->qe[b], def->wavelength[b]);
        }
    }
    return status;
}
