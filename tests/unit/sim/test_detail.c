/* Generated detail over the real Shoemaker raster: it continues the raster's own spectrum without a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "tycho/world.h"

#define N 512 /* samples of a line */

/* one-sided periodogram of a line, Hann window, mean and trend taken off: psd[k] at f = k / (N d) */
static void periodogram(const float *h, int stride, double d, double *psd)
{
    double x[N], mean = 0.0, slope = 0.0, norm = 0.0;
    for (int i = 0; i < N; i++) {
        mean += (double)h[i * stride] / N;
    }
    for (int i = 0; i < N; i++) {
        double u = i - 0.5 * (N - 1);
        slope += u * (double)h[i * stride];
        norm += u * u;
    }
    slope /= norm;
    double power = 0.0;
    for (int i = 0; i < N; i++) {
        double w = 0.5 - 0.5 * cos(2.0 * TY_PI * (i + 0.5) / N);
        x[i] = w * ((double)h[i * stride] - mean - slope * (i - 0.5 * (N - 1)));
        power += w * w;
    }
    static double turn[N + N / 4 + 1]; /* sines of N-ths of a turn; cosines a quarter on */
    for (int i = 0; i <= N + N / 4 && turn[N + N / 4] == 0.0; i++) {
        turn[i] = sin(2.0 * TY_PI * i / N);
    }
    for (int k = 1; k < N / 2; k++) {
        double re = 0.0, im = 0.0;
        for (int i = 0; i < N; i++) {
            re += x[i] * turn[k * i % N + N / 4];
            im += x[i] * turn[k * i % N];
        }
        psd[k] += 2.0 * d * (re * re + im * im) / power;
    }
}

/* mean spectrum of the finished ground at one spacing, over places 90 m apart */
static void spectrum(ty_terrain *t, double spacing, int places, double psd[N / 2])
{
    static float h[N * N];
    int level = ty_terrain_level(t, spacing), lines = 0;
    double d = ty_terrain_spacing(t, level);
    memset(psd, 0, N / 2 * sizeof *psd);
    for (int p = 0; p < places; p++) {
        int i0 = (int)((p % 7 - 3 * (places > 1)) * 90.0 / d) - N / 2, j0 = (int)((p / 7 - 3 * (places > 1)) * 90.0 / d) - N / 2;
        cr_assert(ty_terrain_region(t, level, i0, j0, N, N, 0.0, h, 0, NULL) == TY_OK);
        for (int j = 0; j < N; j += 16, lines += 2) {
            periodogram(h + j * N, 1, d, psd);
            periodogram(h + j, N, d, psd);
        }
    }
    for (int k = 0; k < N / 2; k++) {
        psd[k] /= lines;
    }
}

/* Largest difference [dB] between the finished ground and the law fitted to the raster, in half octaves of wavelength from
 * far below the raster's resolution to 12 of its pixels. */
static double compare(const char *base, bool craters, double slope_factor)
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
    cr_assert(ty_world_create(&s, &w, &diag) == TY_OK, "%s", diag.text);
    const ty_spectrum *fit = ty_world_spectrum(w);
    double worst = 0.0, psd[N / 2];
    for (int pass = 0; pass < 2; pass++) {
        double d = pass ? 1.28 : 0.16;
        spectrum(ty_world_terrain(w), d, pass ? 1 : 49, psd);
        for (double low = 4.0 * d; low < (pass ? 50.0 : 6.0); low *= sqrt(2.0)) {
            double got = 0.0, law = 0.0;
            for (int k = 1; k < N / 2; k++) {
                double f = k / (N * d);
                if (1.0 / f >= low && 1.0 / f < low * sqrt(2.0)) {
                    got += psd[k];
                    law += slope_factor * fit->amplitude * pow(f, -(2.0 * fit->hurst + 1.0));
                }
            }
            double db = 10.0 * log10(got / law);
            printf("detail, craters %s: wavelength %6.2f m: %+.1f dB\n", craters ? "on" : "off", low * 1.19, db);
            worst = fmax(worst, fabs(db));
        }
    }
    ty_world_destroy(w);
    return worst;
}

TY_TEST(detail, continues_the_spectrum_of_the_raster, .timeout = 120)
{
    TY_NEED_SHARED(path, "data/southpole/Shoemaker_final_adj_5mpp_surf_1k.tif");
    double off = compare(path, false, 1.0), on = compare(path, true, 1.0);
    TY_CHECK(off < 2.0);
    TY_CHECK(on < 2.0);
    TY_CHECK(compare(path, false, 2.0) > 2.0); /* control: a law 3 dB higher */
}
