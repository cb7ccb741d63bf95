/* The spectrum of rasters: known power, a known power law, and what the Shoemaker crop shows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <complex.h>
#include "raster_support.h"
#include "io/rasters.h"

#define FILE_A    "/vsimem/spectrum.tif"
#define LOCAL_MAP "+proj=ortho +lat_0=0 +lon_0=0 +R=1737400 +units=m +no_defs"
enum { N = 128 };
#define STEP 10.0 /* [m] */
static const double gt[6] = { -640.0, STEP, 0.0, 640.0, 0.0, -STEP };

static double wave(double x, double y) /* 8 pixels along x, 3 m high; nothing along y */
{
    (void)y;
    return 3.0 * sin(2.0 * TY_PI * x / 8.0) + 0.4 * x;
}

static ty_raster_spectrum spectrum_of(tyi_io_raster *raster)
{
    ty_raster_spectrum s;
    ty_diag diag = { 0 };
    cr_assert(tyi_io_raster_fit_spectrum(raster, 0.0, 0.0, 1e9, &s, &diag) == TY_OK, "%s", diag.text);
    return s;
}

/* A wave of amplitude a has the variance a^2 / 2, all of it in the band of its wavelength. Rows and
 * columns are averaged, and columns see none of it: half of that. The trend does not show. */
TY_TEST(spectrum, power_of_a_wave)
{
    raster_make(FILE_A, N, N, LOCAL_MAP, gt, wave);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    ty_raster_spectrum s = spectrum_of(raster);
    TY_CHECK(s.samples == N);
    double variance = 0.0, elsewhere = 0.0;
    for (int b = 0; b < s.bands; b++) {
        /* frequencies of a band: wavelengths from 2^(b/3) to 2^((b+1)/3) times 2 pixels, 1/(N STEP) apart */
        double low = 2.0 * exp2(b / 3.0), high = 2.0 * exp2((b + 1) / 3.0);
        int count = 0;
        for (int k = 1; k < N / 2; k++) {
            count += (double)N / k > low && (double)N / k <= high;
        }
        double power = s.psd[b] * count / (N * STEP);
        *(fabs(s.wavelength[b] / STEP - 8.0) < 2.5 ? &variance : &elsewhere) += power;
    }
    TY_NEAR_REL(variance, 0.5 * 9.0 / 2.0, 0.02);
    TY_FAR_REL(variance, 9.0 / 2.0, 0.02); /* control: one direction only */
    TY_NEAR(elsewhere, 0.0, 0.01);
    tyi_io_raster_close(raster);
    VSIUnlink(FILE_A);
}

/* ---- a surface with a given law ---- */

static double complex field[N][N];

static double height_of_field(double x, double y)
{
    return creal(field[(int)y][(int)x]);
}

static void transform_lines(int across)
{
    static double complex line[N], root[N];
    for (int i = 0; i < N; i++) {
        root[i] = cexp((double complex)I * (2.0 * TY_PI * i / N));
    }
    for (int j = 0; j < N; j++) {
        for (int k = 0; k < N; k++) {
            line[k] = 0.0;
            for (int i = 0; i < N; i++) {
                line[k] += (across ? field[i][j] : field[j][i]) * root[i * k % N];
            }
        }
        for (int k = 0; k < N; k++) {
            *(across ? &field[k][j] : &field[j][k]) = line[k];
        }
    }
}

/* Random phases under S2 = f^-(2H + 2): the density along a line is the sum of S2 over the other
 * direction, known mode by mode, so the fit that an exact estimate would give is known too. */
static double make_field(double hurst, double *amplitude)
{
    uint64_t state = 4242;
    static double density[N]; /* along x, by cycles per line */
    memset(density, 0, sizeof density);
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            double fx = i < N / 2 ? i : i - N, fy = j < N / 2 ? j : j - N, f = hypot(fx, fy);
            double power = f > 0.0 && i != N / 2 && j != N / 2 ? pow(f, -2.0 * hurst - 2.0) : 0.0;
            field[j][i] = sqrt(power) * cexp((double complex)I * (2.0 * TY_PI * raster_random(&state))) * 1000.0;
            density[i] += 0.5 * power * 1e6; /* the real part holds half of a mode's power */
        }
    }
    transform_lines(0);
    transform_lines(1);
    double m = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 1; k < N / 2; k++) {
        if ((double)N / k >= 6.0 && (double)N / k <= 20.0) {
            double x = log(k / (N * STEP)), y = log((density[k] + density[N - k]) * N * STEP); /* per 1 / (N STEP) */
            m++, sx += x, sy += y, sxx += x * x, sxy += x * y;
        }
    }
    double slope = (m * sxy - sx * sy) / (m * sxx - sx * sx);
    *amplitude = exp((sy - slope * sx) / m);
    return 0.5 * (-slope - 1.0);
}

TY_TEST(spectrum, power_law_is_recovered)
{
    const double hurst[3] = { 0.5, 0.8, 0.95 };
    for (int k = 0; k < 3; k++) {
        double amplitude, want = make_field(hurst[k], &amplitude);
        raster_make(FILE_A, N, N, LOCAL_MAP, gt, height_of_field);
        tyi_io_raster *raster = raster_open(FILE_A, NULL);
        ty_raster_spectrum s = spectrum_of(raster);
        printf("Hurst %.2f: modes give %.3f, estimate %.3f; amplitude ratio %.3f\n", hurst[k], want, s.hurst,
               s.amplitude / amplitude * pow(100.0, 2.0 * (s.hurst - want)));
        TY_NEAR(s.hurst, want, 0.05);      /* 256 lines, 14 frequencies each way; scatter about 0.03 */
        TY_FAR(s.hurst, want + 0.2, 0.05); /* control */
        /* strength where it was fitted: at a wavelength of 100 m */
        double at = pow(0.01, -2.0 * s.hurst - 1.0) * s.amplitude, law = pow(0.01, -2.0 * want - 1.0) * amplitude;
        TY_NEAR(10.0 * log10(at / law), 0.0, 0.5); /* [dB] */
        tyi_io_raster_close(raster);
    }
    VSIUnlink(FILE_A);
}

TY_TEST(spectrum, shoemaker)
{
    TY_NEED_SHARED(path, "data/southpole/Shoemaker_final_adj_5mpp_surf_1k.tif");
    tyi_io_raster *raster = raster_open(path, NULL);
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    double x = 0.5 * info->width, y = 0.5 * info->height, lat, lon;
    tyi_io_raster_place(raster, 1, &x, &y, &lat, &lon, NULL);
    ty_raster_spectrum s;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_io_raster_fit_spectrum(raster, lat, lon, 1280.0, &s, &diag) == TY_OK);
    printf("Shoemaker: Hurst %.3f, amplitude %.4g; missing at 2-4, 4-8, 8-16, 16-32 pixels: %.2f "
           "%.2f %.2f %.2f\n",
           s.hurst, s.amplitude, s.missing[0], s.missing[1], s.missing[2], s.missing[3]);
    /* shared/data/README.md: Hurst exponents of such ground are .87 to .98 */
    TY_NEAR(s.hurst, 0.93, 0.08);
    for (int b = 0; b < s.bands; b++) {
        double pixels = s.wavelength[b] / s.spacing;
        if (pixels > 6.0 && pixels < 20.0) {
            TY_NEAR(10.0 * log10(s.psd[b] / s.fit[b]), 0.0, 0.5); /* the law holds where it was fitted */
        }
    }
    /* a place outside, and a window too small */
    TY_CHECK(tyi_io_raster_fit_spectrum(raster, 0.0, 0.0, 1280.0, &s, &diag) == TY_ERR_RANGE);
    TY_CHECK(tyi_io_raster_fit_spectrum(raster, lat, lon, 100.0, &s, &diag) == TY_ERR_RANGE);
    tyi_io_raster_close(raster);
}
