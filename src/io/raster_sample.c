/* src/io/raster_sample.c - heights between samples, and the raster as the base of a terrain.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_spline.h"
#include "raster.h"
#include "rasters.h"

#define CHUNK 256
#define EDGE  1e-6 /* [pixels] rounding at the rim of the cover, as at a pole */

/* the blocks that a batch works on; neighbours never share a place */
typedef struct held {
    tyi_io_pin pin[4];
    int bx[4], by[4];
} held;

static ty_status hold(tyi_io_raster *raster, held *h, int level, int bx, int by, const float **samples, ty_diag *diag)
{
    int k = (bx & 1) + 2 * (by & 1);
    ty_status status = TY_OK;
    if (!h->pin[k].samples || h->bx[k] != bx || h->by[k] != by) {
        tyi_io_cache_unpin(raster, &h->pin[k]);
        status = tyi_io_cache_pin(raster, level, bx, by, &h->pin[k], diag);
        h->bx[k] = bx;
        h->by[k] = by;
    }
    *samples = h->pin[k].samples;
    return status;
}

/* The spline next to a hole: samples that do not count are left out, missing ones around the cell
 * take the height of the cell's nearest corner; a missing corner makes the height missing. */
static double spline_at_hole(const float *s, double tu, double tv)
{
    ty_real4 u = ty_k_spline_weights(tu), v = ty_k_spline_weights(tv);
    double height = 0.0;
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 4; i++) {
            double w = u[i] * v[j];
            if (w != 0.0) {
                float sample = s[j * TYI_IO_BLOCK + i];
                int ci = i < 2 ? 1 : 2, cj = j < 2 ? 1 : 2;
                height += w * (double)(isnan(sample) ? s[cj * TYI_IO_BLOCK + ci] : sample);
            }
        }
    }
    return height;
}

static double spline(const float *s, double tu, double tv)
{
    double height = ty_k_cell(s, TYI_IO_BLOCK, tu, tv).z;
    return isnan(height) ? spline_at_hole(s, tu, tv) : height;
}

/* coarsest level whose samples are not further apart than spacing */
static int level_for(const tyi_io_raster *raster, double spacing)
{
    double ratio = spacing / raster->info.spacing * (1.0 + 1e-9);
    int l = 0;
    while (l + 1 < raster->levels && fmax(raster->level[l + 1].ratio[0], raster->level[l + 1].ratio[1]) <= ratio) {
        l++;
    }
    return l;
}

static ty_status sample_pixels(tyi_io_raster *raster, int level, held *h, int n, const double *x, const double *y,
                               double *height, ty_diag *diag)
{
    const tyi_io_level *l = &raster->level[level];
    double w = raster->info.width, hh = raster->info.height;
    ty_status status = TY_OK;
    for (int i = 0; i < n && status == TY_OK; i++) {
        if (!(x[i] >= -EDGE && x[i] <= w + EDGE && y[i] >= -EDGE && y[i] <= hh + EDGE)) {
            height[i] = NAN;
            continue;
        }
        /* cell c lies between samples c - 1 and c */
        double u = fmin(fmax(x[i], 0.0), w) / l->ratio[0] + 0.5, v = fmin(fmax(y[i], 0.0), hh) / l->ratio[1] + 0.5;
        int cx = (int)u, cy = (int)v;
        double tu = u - cx, tv = v - cy;
        if (raster->info.wraps && cx >= l->width) {
            cx -= l->width;
        }
        int bx = cx / TYI_IO_CORE, by = cy / TYI_IO_CORE;
        const float *samples;
        status = hold(raster, h, level, bx, by, &samples, diag);
        if (status == TY_OK) {
            height[i] = spline(samples + (cy - by * TYI_IO_CORE) * TYI_IO_BLOCK + (cx - bx * TYI_IO_CORE), tu, tv);
        }
    }
    return status;
}

/* to the nearest place of the cover; what the projection does not reach stays NaN */
static void clamp_to_cover(const tyi_io_raster *raster, int n, double *x, double *y)
{
    double w = raster->info.width, h = raster->info.height;
    for (int i = 0; i < n; i++) {
        if (!isnan(x[i]) && !isnan(y[i])) {
            x[i] = raster->info.wraps ? x[i] : fmin(fmax(x[i], 0.0), w);
            y[i] = fmin(fmax(y[i], 0.0), h);
        }
    }
}

/* x in 0 .. w as mirrors at both ends show it */
static double mirror(double x, double w)
{
    double t = fmod(fabs(x), 2.0 * w);
    return t <= w ? t : 2.0 * w - t;
}

/* to the place of the cover that a mirror at its edge shows there: ground as rough as the raster's goes on */
static void mirror_into_cover(const tyi_io_raster *raster, int n, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        if (!isnan(x[i]) && !isnan(y[i])) {
            x[i] = raster->info.wraps ? x[i] : mirror(x[i], raster->info.width);
            y[i] = mirror(y[i], raster->info.height);
        }
    }
}

typedef void outward_fn(const tyi_io_raster *raster, int n, double *x, double *y);

/* outward: what stands for places outside the cover; NULL: nothing does */
static ty_status sample(tyi_io_raster *raster, size_t n, const double *lat, const double *lon, double spacing,
                        outward_fn *outward, double *height, ty_diag *diag)
{
    int level = level_for(raster, spacing);
    held h = { 0 };
    ty_status status = TY_OK;
    for (size_t at = 0; at < n && status == TY_OK; at += CHUNK) {
        double x[CHUNK], y[CHUNK];
        size_t m = n - at < CHUNK ? n - at : CHUNK;
        status = tyi_io_raster_pixel(raster, m, lat + at, lon + at, x, y, diag);
        if (status == TY_OK && outward) {
            outward(raster, (int)m, x, y);
        }
        if (status == TY_OK) {
            status = sample_pixels(raster, level, &h, (int)m, x, y, height + at, diag);
        }
    }
    for (int k = 0; k < 4; k++) {
        tyi_io_cache_unpin(raster, &h.pin[k]);
    }
    return status;
}

ty_status tyi_io_raster_sample(tyi_io_raster *raster, size_t n, const double *lat, const double *lon, double spacing,
                               double *height, ty_diag *diag)
{
    return sample(raster, n, lat, lon, spacing, NULL, height, diag);
}

static ty_status base_sample(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                             ty_diag *diag)
{
    return sample(user, n, lat, lon, spacing, clamp_to_cover, height, diag);
}

ty_terrain_base tyi_io_raster_base(tyi_io_raster *raster)
{
    return (ty_terrain_base){ .sample = base_sample, .user = raster, .spacing = raster->info.spacing };
}

static ty_status mirrored_sample(void *user, size_t n, const double *lat, const double *lon, double spacing,
                                 double *height, ty_diag *diag)
{
    return sample(user, n, lat, lon, spacing, mirror_into_cover, height, diag);
}

ty_terrain_base tyi_io_raster_base_mirrored(tyi_io_raster *raster)
{
    return (ty_terrain_base){ .sample = mirrored_sample, .user = raster, .spacing = raster->info.spacing };
}
