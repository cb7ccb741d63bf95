/* src/sensor/camera/camera_bands.c - the detector's quantum efficiency, and its means over bands of light; gain and offset.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "camera.h"
#include "k_spectrum.h"
#include "inner.h"

typedef double curve[2]; /* [m], [-] */

/* grey detector: quantum efficiency times fill factor, peak 60 % at 550 nm [cmv4000], second-hand as the rest of it */
#define NM(nm, qe)      \
    {                   \
        (nm) * 1e-9, qe \
    }
static const curve grey[] = { NM(300, 0.0),  NM(350, 0.10), NM(400, 0.35),  NM(450, 0.50), NM(500, 0.58), NM(550, 0.60),
                              NM(600, 0.57), NM(650, 0.52), NM(700, 0.45),  NM(750, 0.37), NM(800, 0.28), NM(850, 0.20),
                              NM(900, 0.13), NM(950, 0.07), NM(1000, 0.02), NM(1050, 0.0) };
/* the same behind colour filters and one that stops infrared light: peaks as its sheet, flanks chosen */
static const curve red[] = { NM(400, 0.03), NM(540, 0.03), NM(560, 0.05), NM(580, 0.15), NM(600, 0.38),
                             NM(620, 0.40), NM(650, 0.36), NM(680, 0.25), NM(700, 0.05), NM(720, 0.0) };
static const curve green[] = { NM(400, 0.02), NM(440, 0.04), NM(460, 0.08), NM(480, 0.15), NM(500, 0.30),
                               NM(520, 0.40), NM(540, 0.42), NM(560, 0.38), NM(580, 0.25), NM(600, 0.10),
                               NM(620, 0.06), NM(650, 0.05), NM(700, 0.02), NM(720, 0.0) };
static const curve blue[] = { NM(380, 0.05), NM(400, 0.20), NM(420, 0.28), NM(440, 0.34), NM(460, 0.36), NM(480, 0.28),
                              NM(500, 0.15), NM(520, 0.07), NM(540, 0.05), NM(600, 0.02), NM(700, 0.01), NM(720, 0.0) };

static const struct {
    const curve *point;
    int points;
} sheet[4] = { { grey, sizeof grey / sizeof *grey },
               { red, sizeof red / sizeof *red },
               { green, sizeof green / sizeof *green },
               { blue, sizeof blue / sizeof *blue } };

#define SHORTEST 300e-9 /* [m] light that a detector without a filter sees */
#define LONGEST  1100e-9
#define FULL     0.98 /* [-] of the converter's range that a full pixel takes: its noise is not cut off */

/* Means of one band: the wavelength of sunlight in it, and the efficiency that gives the electrons per joule. In a band of
 * its own a surface is as bright everywhere. All of the Sun's light (whole): radiance is that of a surface as bright at all
 * wavelengths as at 549 nm, and what is looked at is lunar ground. */
static void set_band(ty_camera_sensor_def *def, int b, double low, double high, bool whole)
{
    def->lambda[b] = ty_k_sun_integral(low, high, grey, 0, 1, 0) / ty_k_sun_share(low, high);
    for (int c = 0; c < 3; c++) {
        int k = def->colors == 3 ? c + 1 : 0;
        double rate = whole ? ty_k_sun_integral(low, high, sheet[k].point, sheet[k].points, 1, 1)
                            : ty_k_band_response(low, high, sheet[k].point, sheet[k].points); /* [m] */
        def->qe[c][b] = rate / def->lambda[b];
    }
}

ty_status ty_camera_sensor_def_bands(ty_camera_sensor_def *def, const double *low, const double *high, int bands,
                                     ty_diag *diag)
{
    if (bands < 1 || bands > TY_BANDS) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: %d bands, but 1 to %d are accepted", bands, TY_BANDS);
    }
    for (int b = 0; low && b < bands; b++) {
        if (!(low[b] >= 1e-7 && low[b] < high[b] && high[b] <= 2e-5)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "camera: band %d goes from %g to %g nm, but takes rising wavelengths from 100 to 20000 nm",
                           b, 1e9 * low[b], 1e9 * high[b]);
        }
    }
    def->bands = low ? bands : 1;
    for (int b = 0; b < TY_BANDS; b++) {
        if (low && b < bands) {
            set_band(def, b, low[b], high[b], false);
        } else if (b == 0) {
            set_band(def, 0, SHORTEST, LONGEST, true);
        } else {
            def->lambda[b] = def->lambda[0];
            for (int c = 0; c < 3; c++) {
                def->qe[c][b] = def->qe[c][0];
            }
        }
    }
    return TY_OK;
}

void tyi_camera_sensor_def_white(ty_camera_sensor_def *def, const double *low, const double *high)
{
    double electrons[3] = { 0.0, 0.0, 0.0 };
    for (int b = 0; b < def->bands; b++) {
        double share = ty_k_sun_share(low[b], high[b]);
        for (int c = 0; c < 3; c++) {
            electrons[c] += share * def->qe[c][b] * def->lambda[b];
        }
    }
    for (int c = 0; c < 3; c++) {
        def->white[c] = def->colors == 3 ? electrons[1] / electrons[c] : 1.0;
    }
}

void ty_camera_sensor_def_color(ty_camera_sensor_def *def)
{
    static const double low[3] = { 600e-9, 500e-9, 400e-9 }, high[3] = { 700e-9, 600e-9, 500e-9 };
    def->colors = 3;
    ty_camera_sensor_def_bands(def, low, high, 3, NULL);
    tyi_camera_sensor_def_white(def, low, high);
}

void tyi_camera_sensor_def_fit(ty_camera_sensor_def *def)
{
    def->b = 100.0 * exp2(def->bits - 12);
    def->a = FULL * (exp2(def->bits) - 1.0 - def->b) / (def->full_well * def->iso);
}
