/* src/io/raster_spectrum.c - how rough a raster is at which wavelength, and the power law behind it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "raster.h"
#include "spectrum.h"
#include "tycho/math.h"
#include "rasters.h"

#define SIDE_MIN  64
#define SIDE_MAX  512
#define FIT_SHORT 6.0 /* [pixels] wavelengths of the fit */
#define FIT_LONG  20.0

/* the two directions of a window, each with its own step on the ground */
typedef struct estimate {
    int n;
    double step[2];              /* [m] along rows, along columns */
    double psd[2][SIDE_MAX / 2]; /* [m^3] mean over the lines, by cycles per line */
} estimate;

static void estimate_psd(estimate *e, const float *height)
{
    int n = e->n;
    double line[SIDE_MAX], cosine[SIDE_MAX];
    for (int i = 0; i < n; i++) {
        cosine[i] = cos(2.0 * TY_PI * i / n);
    }
    for (int way = 0; way < 2; way++) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                line[i] = (double)(way ? height[i * n + j] : height[j * n + i]);
            }
            tyi_io_spectrum_line(line, n, e->step[way], cosine, e->psd[way]);
        }
        for (int k = 1; k < n / 2; k++) {
            e->psd[way][k] /= n;
        }
    }
}

/* least squares of log S over log f, wavelengths of FIT_SHORT to FIT_LONG pixels */
static void fit(const estimate *e, ty_raster_spectrum *out)
{
    double m = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int way = 0; way < 2; way++) {
        for (int k = 1; k < e->n / 2; k++) {
            double pixels = (double)e->n / k;
            if (pixels >= FIT_SHORT && pixels <= FIT_LONG) {
                double x = log(k / (e->n * e->step[way])), y = log(e->psd[way][k]);
                m += 1.0;
                sx += x;
                sy += y;
                sxx += x * x;
                sxy += x * y;
            }
        }
    }
    double slope = (m * sxy - sx * sy) / (m * sxx - sx * sx);
    out->hurst = 0.5 * (-slope - 1.0);
    out->amplitude = exp((sy - slope * sx) / m);
}

/* means of the estimate and of the law where pixels_low <= wavelength < pixels_high; returns how many frequencies */
static int mean_over(const estimate *e, const ty_raster_spectrum *s, double low, double high, double *psd, double *law,
                     double *wavelength)
{
    int m = 0;
    double f_sum = 0.0;
    *psd = *law = 0.0;
    for (int way = 0; way < 2; way++) {
        for (int k = 1; k < e->n / 2; k++) {
            double pixels = (double)e->n / k, f = k / (e->n * e->step[way]);
            if (pixels > low && pixels <= high) {
                *psd += e->psd[way][k];
                *law += s->amplitude * pow(f, -2.0 * s->hurst - 1.0);
                f_sum += f;
                m++;
            }
        }
    }
    *psd /= m;
    *law /= m;
    *wavelength = m / f_sum;
    return m;
}

/* bands of a third of an octave up from 2 pixels, while there are frequencies in them */
static void fill_bands(const estimate *e, ty_raster_spectrum *out)
{
    double psd, law, wavelength;
    for (int b = 0; b < TY_SPECTRUM_BANDS; b++) {
        double low = 2.0 * exp2(b / 3.0), high = 2.0 * exp2((b + 1) / 3.0);
        if (mean_over(e, out, low, high, &psd, &law, &wavelength) > 0) {
            out->wavelength[out->bands] = wavelength;
            out->psd[out->bands] = psd;
            out->fit[out->bands++] = law;
        }
    }
    for (int o = 0; o < TY_SPECTRUM_OCTAVES; o++) {
        int m = mean_over(e, out, 2.0 * exp2(o), 4.0 * exp2(o), &psd, &law, &wavelength);
        out->missing[o] = m > 0 ? fmin(fmax(1.0 - psd / law, 0.0), 1.0) : 0.0;
    }
}

static ty_status window_at(tyi_io_raster *raster, double lat, double lon, double size, tyi_io_raster_window *out,
                           ty_diag *diag)
{
    const tyi_io_raster_info *info = &raster->info;
    double x, y;
    ty_status status = tyi_io_raster_pixel(raster, 1, &lat, &lon, &x, &y, diag);
    if (status != TY_OK) {
        return status;
    }
    double side = fmin(fmin(size / info->spacing, SIDE_MAX), fmin(info->width, info->height));
    int n = side > 0.0 ? (int)(side + 1e-6) / 4 * 4 : 0; /* a quarter turn must be a whole number of samples */
    if (!(x >= 0.0 && x <= info->width && y >= 0.0 && y <= info->height) || n < SIDE_MIN) {
        return ty_fail(
            diag, TY_ERR_RANGE,
            "%s: a spectrum at %g, %g deg over %g m needs at least %d x %d samples there, and the raster has %d x "
            "%d, %.4g m apart; take a larger cut of it, a finer one, or one that has the site inside",
            raster->path, lat / TY_DEG, lon / TY_DEG, size, SIDE_MIN, SIDE_MIN, info->width, info->height,
            info->spacing);
    }
    *out = (tyi_io_raster_window){ (int)fmin(fmax(x - 0.5 * n, 0.0), info->width - n),
                                   (int)fmin(fmax(y - 0.5 * n, 0.0), info->height - n), n, n };
    return TY_OK;
}

/* steps on the ground at the middle of the window */
static ty_status steps(tyi_io_raster *raster, tyi_io_raster_window w, estimate *e, ty_diag *diag)
{
    double cx = w.x + 0.5 * w.width, cy = w.y + 0.5 * w.height, lat[3], lon[3];
    double x[3] = { cx, cx + 1.0, cx }, y[3] = { cy, cy, cy + 1.0 };
    ty_status status = tyi_io_raster_place(raster, 3, x, y, lat, lon, diag);
    ty_site site = ty_site_make(lat[0], lon[0], TY_MOON_RADIUS);
    for (int way = 0; way < 2; way++) {
        e->step[way] = ty_norm(ty_site_point(&site, lat[way + 1], lon[way + 1], 0.0));
    }
    return status;
}

static void finish(estimate *e, const float *height, ty_raster_spectrum *out)
{
    estimate_psd(e, height);
    fit(e, out);
    fill_bands(e, out);
}

ty_status tyi_io_raster_spectrum_of(const float *height, int n, double spacing, ty_raster_spectrum *out, ty_diag *diag)
{
    *out = (ty_raster_spectrum){ .spacing = spacing, .samples = n };
    if (n < SIDE_MIN || n > SIDE_MAX || n % 4) {
        return ty_fail(diag, TY_ERR_RANGE, "a spectrum of %d x %d samples, but %d to %d in steps of 4 are accepted", n,
                       n, SIDE_MIN, SIDE_MAX);
    }
    estimate *e = tyi_get(NULL, sizeof *e);
    if (!e) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for a spectrum");
    }
    e->n = n;
    e->step[0] = e->step[1] = spacing;
    finish(e, height, out);
    tyi_put(NULL, e, sizeof *e);
    return TY_OK;
}

/* Missing heights become the mean of their neighbours that have one, from the edge of a hole inwards; how many there were.
 * Where more than a quarter is missing they stay. */
static size_t fill_holes(float *h, int width, int height)
{
    size_t n = (size_t)width * (size_t)height, holes = 0, left;
    for (size_t i = 0; i < n; i++) {
        holes += isnan(h[i]) ? 1u : 0u;
    }
    for (left = holes; left && 4 * holes <= n;) {
        size_t before = left;
        for (int pass = 0; pass < 2; pass++) { /* forth and back, so that a hole is filled in few turns */
            for (size_t k = 0; k < n; k++) {
                size_t i = pass ? n - 1 - k : k;
                int x = (int)(i % (size_t)width), y = (int)(i / (size_t)width), count = 0;
                double sum = 0.0;
                for (int d = 0; d < 4 && isnan(h[i]); d++) {
                    int nx = x + (d == 0) - (d == 1), ny = y + (d == 2) - (d == 3);
                    if (nx >= 0 && nx < width && ny >= 0 && ny < height) {
                        float v = h[(size_t)ny * (size_t)width + (size_t)nx];
                        sum += isnan(v) ? 0.0 : (double)v, count += !isnan(v);
                    }
                }
                if (count) {
                    h[i] = (float)(sum / count), left--;
                }
            }
        }
        if (left == before) {
            break;
        }
    }
    return holes;
}

ty_status tyi_io_raster_fit_spectrum(tyi_io_raster *raster, double lat, double lon, double size,
                                     ty_raster_spectrum *out, ty_diag *diag)
{
    *out = (ty_raster_spectrum){ .spacing = raster->info.spacing };
    tyi_io_raster_window w;
    ty_status status = window_at(raster, lat, lon, size, &w, diag);
    if (status != TY_OK) {
        return status;
    }
    size_t bytes = (size_t)w.width * (size_t)w.height * sizeof(float);
    float *height = tyi_get(raster->alloc, bytes);
    estimate *e = tyi_get(raster->alloc, sizeof *e);
    if (!height || !e) {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a spectrum", raster->path);
    } else {
        e->n = out->samples = w.width;
        status = tyi_io_raster_read(raster, 0, w, height, diag);
    }
    if (status == TY_OK) {
        size_t holes = fill_holes(height, w.width, w.height), all = bytes / sizeof *height;
        out->filled = (int)holes;
        if (4 * holes > all) {
            status =
                ty_fail(diag, TY_ERR_RANGE,
                        "%s: %zu of %zu heights around the site are missing, and a spectrum needs three quarters of "
                        "them; choose another site, or fill the raster: gdal_fillnodata.py %s filled.tif",
                        raster->path, holes, all, raster->path);
        }
    }
    if (status == TY_OK && (status = steps(raster, w, e, diag)) == TY_OK) {
        finish(e, height, out);
    }
    tyi_put(raster->alloc, e, sizeof *e);
    tyi_put(raster->alloc, height, bytes);
    return status;
}
