/* validation/validate_light.c - two statistics of rendered ground beside what they should be.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "tycho/tools/draw.h"
#include "draw/inner.h"
#include "study/measure.h"
#include "validate.h"

enum { SUNS = 12, LOW = 4, BINS = 48, PIXELS = TYI_STUDY_LIT_PIXELS * TYI_STUDY_LIT_PIXELS };
#define AZIMUTH 1.0 /* [rad] */

/* gentle fractal ground without craters and rocks, which the laws do not know */
static ty_status make_plain(ty_terrain **out, ty_diag *diag)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.resolution = 0.04;
    def.edit_level = 0;
    def.extent = 1000.0;
    def.seed = 11;
    def.relief = (ty_relief_def){ .rms_slope_deg = 5.0, .baseline = 0.5, .hurst = 0.85, .outer = 4.0 };
    def.crater.on = def.rock.on = false;
    return ty_terrain_create(&def, out, diag);
}

static ty_status draw(const char *path, const tyi_study_measure_lit *lit, double slope, const double *value, size_t n,
                      ty_diag *diag)
{
    double x[SUNS], got[SUNS], law[SUNS], edge[BINS + 1], count[BINS], high = 0.0, law_x[2], law_y[2], level_x[2];
    for (int k = 0; k < SUNS; k++) {
        x[k] = lit[k].elevation / TY_DEG;
        got[k] = 1.0 - lit[k].lit;
        law[k] = 1.0 - lit[k].lit_law;
    }
    const tyi_study_measure_lit *last = &lit[SUNS - 1];
    tyi_draw_histogram(value, n, fmax(last->median - 5.0 * last->spread, 0.0), last->median + 5.0 * last->spread, BINS,
                       edge, count);
    for (int k = 0; k < BINS; k++) {
        high = fmax(high, count[k]);
    }
    law_x[0] = law_x[1] = last->median_law, level_x[0] = level_x[1] = last->level;
    law_y[0] = 0.0, law_y[1] = 1.05 * high;
    double band_x[2] = { last->median_law - last->spread_law, last->median_law + last->spread_law };
    double low_y[2] = { 0.0, 0.0 }, high_y[2] = { 1.05 * high, 1.05 * high };
    char title[2][96];
    snprintf(title[0], sizeof title[0], "shadow, rms slope %.1f deg", atan(slope) / TY_DEG);
    snprintf(title[1], sizeof title[1], "radiance, Sun at %.0f deg", last->elevation / TY_DEG);
    ty_draw_series shadow[] = {
        { .kind = TY_SERIES_LINE, .label = "Gaussian ground [smith1967]", .n = SUNS, .x = x, .y = law },
        { .kind = TY_SERIES_POINTS, .label = "rendered", .n = SUNS, .x = x, .y = got }
    };
    ty_draw_series light[] = {
        { .kind = TY_SERIES_BAND,
          .label = "law, 16 to 84 % of slopes",
          .n = 2,
          .x = band_x,
          .y_low = low_y,
          .y_high = high_y },
        { .kind = TY_SERIES_STEP, .label = "rendered, lit pixels", .n = BINS, .x = edge, .y = count },
        { .kind = TY_SERIES_LINE, .label = "law, median", .n = 2, .x = law_x, .y = law_y },
        { .kind = TY_SERIES_LINE,
          .label = "law, level ground",
          .n = 2,
          .x = level_x,
          .y = law_y,
          .dash = TY_DASH_DASHED }
    };
    ty_draw_panel panel[2] = { { .title = title[0],
                                 .x = { .label = "Sun elevation [deg]" },
                                 .y = { .label = "share in shadow [-]", .low = 0.0, .high = 1.0 },
                                 .series = shadow,
                                 .count = 2 },
                               { .title = title[1],
                                 .x = { .label = "radiance [W/m2/sr]" },
                                 .y = { .label = "pixels" },
                                 .series = light,
                                 .count = 4,
                                 .key = TY_KEY_TOP_LEFT } };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = panel, figure.columns = 2, figure.width = 1200, figure.height = 480;
    return ty_draw_write_figure(path, &figure, diag);
}

ty_status validate_light(validate_book *book, ty_diag *diag)
{
    static const double deg[SUNS] = { 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 14.0, 20.0, 30.0, 35.0 };
    ty_terrain *terrain = NULL;
    tyi_study_measure_lit lit[SUNS];
    float *radiance = malloc(PIXELS * sizeof *radiance);
    double *value = malloc(PIXELS * sizeof *value), slope = 0.0, worst = 0.0;
    size_t n = 0;
    ty_status status = radiance && value ? make_plain(&terrain, diag)
                                         : ty_fail(diag, TY_ERR_MEMORY, "no memory for the statistics of light");
    for (int k = 0; k < SUNS; k++) {
        lit[k].elevation = deg[k] * TY_DEG;
    }
    if (status == TY_OK) {
        status = tyi_study_measure_light(terrain, AZIMUTH, SUNS, lit, &slope, radiance, diag);
    }
    for (int i = 0; status == TY_OK && i < PIXELS; i++) {
        if (radiance[i] > 0.0f) {
            value[n++] = (double)radiance[i];
        }
    }
    if (status == TY_OK) {
        char path[4096];
        for (int k = 0; k < SUNS; k++) {
            worst = fmax(worst, fabs(lit[k].lit - lit[k].lit_law));
        }
        const tyi_study_measure_lit *last = &lit[SUNS - 1];
        double off = fabs(last->median / last->median_law - 1.0), wide = fabs(last->spread / last->spread_law - 1.0);
        validate_add(book, worst <= 0.1 ? VALIDATE_MET : VALIDATE_MISSED,
                     "share in shadow, Sun at 1 to 35 deg (aim 0.1)", "Smith's law for Gaussian ground", "at most %.3f",
                     worst);
        validate_add(book, off <= 0.02 && wide <= 0.1 ? VALIDATE_MET : VALIDATE_MISSED,
                     "radiance of lit ground, Sun at 35 deg (aim: median 2 %, spread 10 %)",
                     "Hapke's law over Gaussian slopes", "median %.2f %%, spread %.1f %%", 100.0 * off, 100.0 * wide);
        const tyi_study_measure_lit *low = &lit[LOW];
        double low_off = fabs(low->median / low->median_law - 1.0);
        validate_add(book, low_off <= 0.1 ? VALIDATE_MET : VALIDATE_MISSED,
                     "radiance of lit ground, Sun at 4 deg (aim: median 10 %)", "Hapke's law over Gaussian slopes",
                     "median %.0f %%", 100.0 * low_off);
        double own = fabs(low->median / low->median_own - 1.0);
        validate_add(book, own <= 0.02 ? VALIDATE_MET : VALIDATE_MISSED,
                     "the same within 2 %, over the slopes that the lit pixels have",
                     "Hapke's law over the rendered normals",
                     "median %.2f %%; they lean %.1f deg towards the Sun, Gaussian slopes that face it %.1f deg",
                     100.0 * own, atan(low->lean) / TY_DEG, atan(low->lean_law) / TY_DEG);
        status = draw(validate_picture(book, "validation_pictures.png", path, sizeof path), lit, slope, value, n, diag);
    }
    free(radiance), free(value);
    ty_terrain_destroy(terrain);
    return status;
}
