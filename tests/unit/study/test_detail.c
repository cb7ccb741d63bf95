/* Generated detail over the real Shoemaker raster: it continues the raster's own spectrum without a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "study/measure.h"
#include "tycho/scenario.h"

/* Largest difference [dB] between the finished ground and the law fitted to the raster, in half
 * octaves of wavelength from far below the raster's resolution to 10 of its pixels; *control:
 * against a law 3 dB higher. */
static double compare(const char *base, bool craters, double *control)
{
    ty_scenario s = ty_scenario_default();
    s.terrain.lat = -87.1835 * TY_DEG; /* the raster's middle */
    s.terrain.lon = 62.835 * TY_DEG;
    s.terrain.extent = 1200.0;
    s.terrain.crater.on = craters;
    s.terrain.rock.on = false;
    snprintf(s.base_path, sizeof s.base_path, "%s", base);
    ty_world *w = NULL;
    ty_diag diag = { 0 };
    cr_assert(ty_scenario_create_world(&s, &w, &diag) == TY_OK, "%s", diag.text);
    const ty_raster_spectrum *fit = ty_world_spectrum(w);
    tyi_study_measure_continued c;
    cr_assert(tyi_study_measure_continuation(ty_world_terrain(w), fit->hurst, fit->amplitude, &c, &diag) == TY_OK, "%s",
              diag.text);
    double worst = 0.0;
    *control = 0.0;
    TY_CHECK(c.bands >= 12 && c.wavelength[0] < 1.0 && c.wavelength[c.bands - 1] > 40.0);
    for (int b = 0; b < c.bands; b++) {
        printf("detail, craters %s: wavelength %6.2f m: %+.1f dB\n", craters ? "on" : "off", c.wavelength[b], c.db[b]);
        worst = fmax(worst, fabs(c.db[b]));
        *control = fmax(*control, fabs(c.db[b] - 10.0 * log10(2.0)));
    }
    ty_world_destroy(w);
    return worst;
}

TY_TEST(detail, continues_the_spectrum_of_the_raster, .timeout = 120)
{
    TY_NEED_SHARED(path, "data/southpole/Shoemaker_final_adj_5mpp_surf_1k.tif");
    double control, bare = compare(path, false, &control);
    TY_CHECK(bare < 2.0);
    TY_CHECK(control > 2.0);
    double cratered = compare(path, true, &control);
    TY_CHECK(cratered < 2.0);
    TY_CHECK(control > 2.0);
    TY_ROW("detail below a raster's resolution continues its spectrum within 2 dB",
           "Shoemaker, 5 m, 0.6 to 50 m of wavelength", "%.1f dB without, %.1f dB with craters", bare, cratered);
}
