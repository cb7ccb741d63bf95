/* src/io/raster_write.c - a window of a raster as a GeoTIFF, and which window a box of coordinates
 * is. SPDX-License-Identifier: BSD-3-Clause */
#include <cpl_conv.h>
#include <cpl_string.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "raster.h"
#include "tycho/math.h"

#define TILE 256

/* ---- crop ---- */

typedef struct box {
    double x0, y0, x1, y1; /* pixels */
} box;

/* the pixels of an edge of a box of places: corner a to corner b, both lat, lon */
static ty_status add_edge(ty_raster *raster, const double a[2], const double b[2], double middle,
                          box *out, ty_diag *diag)
{
    enum { N = 361 };
    double lat[N], lon[N], x[N], y[N], x_middle, y_middle;
    for (int i = 0; i < N; i++) {
        double u = (double)i / (N - 1);
        lat[i] = a[0] + u * (b[0] - a[0]);
        lon[i] = a[1] + u * (b[1] - a[1]);
    }
    ty_status status = ty_raster_pixel(raster, N, lat, lon, x, y, diag);
    if (status == TY_OK) {
        status = ty_raster_pixel(raster, 1, lat, &middle, &x_middle, &y_middle, diag);
    }
    for (int i = 0; i < N && status == TY_OK; i++) {
        if (raster->geo
                .cylindrical) { /* counted from the middle of the box, so that no seam lies in it */
            x[i] = x_middle + (lon[i] - middle) * raster->geo.kx;
        }
        if (isfinite(x[i]) && isfinite(y[i])) {
            out->x0 = fmin(out->x0, x[i]);
            out->x1 = fmax(out->x1, x[i]);
            out->y0 = fmin(out->y0, y[i]);
            out->y1 = fmax(out->y1, y[i]);
        }
    }
    return status;
}

ty_status ty_raster_crop(ty_raster *raster, double south, double north, double west, double east,
                         ty_window *window, ty_diag *diag)
{
    const ty_raster_info *info = &raster->info;
    double turned = east < west ? east + 2.0 * TY_PI : east, middle = 0.5 * (west + turned);
    const double corner[5][2] = {
        { south, west }, { south, turned }, { north, turned }, { north, west }, { south, west }
    };
    box b = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < 4; k++) {
        ty_status status = add_edge(raster, corner[k], corner[k + 1], middle, &b, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    b.y0 = fmax(floor(b.y0 + 1e-6), 0.0);
    b.y1 = fmin(ceil(b.y1 - 1e-6), info->height);
    b.x0 = floor(b.x0 + 1e-6);
    b.x1 = fmin(ceil(b.x1 - 1e-6), b.x0 + info->width);
    if (!info->wraps) {
        b.x0 = fmax(b.x0, 0.0);
        b.x1 = fmin(b.x1, info->width);
    }
    if (!(b.x1 > b.x0 && b.y1 > b.y0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "latitude %g to %g, longitude %g to %g deg lies outside %s, which covers "
                       "%.6g to %.6g and %.6g to %.6g deg",
                       south / TY_DEG, north / TY_DEG, west / TY_DEG, east / TY_DEG, raster->path,
                       info->lat_min / TY_DEG, info->lat_max / TY_DEG, info->lon_min / TY_DEG,
                       info->lon_max / TY_DEG);
    }
    *window = (ty_window){ (int)b.x0, (int)b.y0, (int)(b.x1 - b.x0), (int)(b.y1 - b.y0) };
    return TY_OK;
}

/* ---- write ---- */

typedef struct job {
    ty_raster *raster;
    ty_window window;
    const char *path; /* that the caller wants */
    char temporary[4096];
    const ty_progress *progress;
    ty_raster_stats stats; /* of what is written; missing: filled */
    GDALDatasetH dataset;
    tyi_gdal *gdal;
} job;

static ty_status failed(const job *j, ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", j->path, tyi_gdal_text(j->gdal));
}

static ty_status check_output(job *j, ty_diag *diag)
{
    struct stat in, out;
    if (stat(j->path, &out) == 0) {
        if (!S_ISREG(out.st_mode)) {
            return ty_fail(diag, TY_ERR_FILE, "%s is %s; the output must be a plain file", j->path,
                           S_ISDIR(out.st_mode) ? "a folder" : "a device");
        }
        if (stat(j->raster->path, &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino) {
            return ty_fail(diag, TY_ERR_INPUT, "%s is the input; the output must be another file",
                           j->path);
        }
    }
    int n = snprintf(j->temporary, sizeof j->temporary, "%s.part-%ld", j->path, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof j->temporary) {
        return ty_fail(diag, TY_ERR_INPUT, "the name of the output is longer than %zu characters",
                       sizeof j->temporary - 20);
    }
    FILE *probe = fopen(j->temporary, "wb"); /* a plain reason where GDAL would give a long one */
    if (!probe) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", j->path, strerror(errno));
    }
    fclose(probe);
    return TY_OK;
}

static ty_status create(job *j, ty_diag *diag)
{
    const tyi_georef *geo = &j->raster->geo;
    const char *const options[] = { "TILED=YES",
                                    "BLOCKXSIZE=256",
                                    "BLOCKYSIZE=256",
                                    "COMPRESS=DEFLATE",
                                    "PREDICTOR=3",
                                    "BIGTIFF=IF_SAFER",
                                    NULL };
    j->dataset = GDALCreate(GDALGetDriverByName("GTiff"), j->temporary, j->window.width,
                            j->window.height, 1, GDT_Float32, (CSLConstList)(uintptr_t)options);
    if (!j->dataset) {
        return failed(j, diag);
    }
    double gt[6];
    memcpy(gt, geo->gt, sizeof gt);
    gt[0] += j->window.x * gt[1] + j->window.y * gt[2];
    gt[3] += j->window.x * gt[4] + j->window.y * gt[5];
    GDALRasterBandH band = GDALGetRasterBand(j->dataset, 1);
    if (GDALSetGeoTransform(j->dataset, gt) != CE_None ||
        GDALSetSpatialRef(j->dataset, geo->srs) != CE_None) {
        return failed(j, diag);
    }
    GDALSetRasterUnitType(band, "m");
    GDALSetDescription(band, "height above the sphere of radius 1737400 m");
    return TY_OK;
}

static ty_status report(const job *j, const char *what, double done, double total, ty_diag *diag)
{
    if (j->progress && !j->progress->report(j->progress->user, what, done, total)) {
        return ty_fail(diag, TY_ERR_CANCELLED, "writing %s was stopped", j->path);
    }
    return TY_OK;
}

/* a row of tiles at a time, so that every tile is compressed once */
static ty_status write_heights(job *j, ty_diag *diag)
{
    size_t bytes = (size_t)j->window.width * TILE * sizeof(float);
    float *height = tyi_get(j->raster->alloc, bytes);
    ty_status status =
        height ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a row of tiles", j->path);
    GDALRasterBandH band = GDALGetRasterBand(j->dataset, 1);
    double filled = 0.0;
    tyi_stats_start(&j->stats);
    for (int y = 0; y < j->window.height && status == TY_OK; y += TILE) {
        int rows = j->window.height - y < TILE ? j->window.height - y : TILE;
        ty_window row = { j->window.x, j->window.y + y, j->window.width, rows };
        double missing = 0.0;
        status = tyi_raster_fill(j->raster, 0, row, height, &missing, diag);
        if (status == TY_OK) {
            tyi_stats_add(&j->stats, (size_t)row.width * (size_t)rows, height);
            filled += missing;
        }
        if (status == TY_OK && (GDALRasterIO(band, GF_Write, 0, y, row.width, rows, height,
                                             row.width, rows, GDT_Float32, 0, 0) >= CE_Failure ||
                                j->gdal->failed)) {
            status = failed(j, diag);
        }
        if (status == TY_OK) {
            status = report(j, "rows", y + rows, j->window.height, diag);
        }
    }
    tyi_put(j->raster->alloc, height, bytes);
    tyi_stats_end(&j->stats);
    j->stats.missing = filled;
    if (status == TY_OK && filled >= j->stats.samples) {
        status = ty_fail(diag, TY_ERR_FORMAT,
                         "%s holds no height there: all %.0f samples are missing (stored as "
                         "no-data or not finite, or beyond "
                         "1000 km, as radii are: then give the offset -1737400)",
                         j->raster->path, filled);
    }
    return status;
}

static int CPL_STDCALL overview_progress(double done, const char *message, void *user)
{
    (void)message;
    const job *j = user;
    return report(j, "% of the overviews", 100.0 * done, 100.0, NULL) == TY_OK;
}

static ty_status write_overviews(job *j, ty_diag *diag)
{
    int factors[TYI_LEVELS], n = 0;
    int side = j->window.width > j->window.height ? j->window.width : j->window.height;
    for (int f = 2; n < 24 && side > 64 * f; f *= 2) { /* until a side is at most 128 */
        factors[n++] = f;
    }
    if (n > 0 && (GDALBuildOverviews(j->dataset, "AVERAGE", n, factors, 0, NULL, overview_progress,
                                     j) >= CE_Failure ||
                  j->gdal->failed)) {
        return failed(j, diag);
    }
    return TY_OK;
}

/* the file as others will read it lies where the raster lies, to a hundredth of a pixel */
static ty_status check_written(job *j, ty_diag *diag)
{
    ty_raster_def def = ty_raster_def_default();
    def.alloc = j->raster->alloc;
    def.cache_bytes = 0;
    ty_raster *back = NULL;
    ty_status status = ty_raster_open(j->temporary, &def, &back, diag);
    double w = j->window.width, h = j->window.height;
    double x[5] = { 0.5, w - 0.5, 0.5, w - 0.5, 0.5 * w },
           y[5] = { 0.5, 0.5, h - 0.5, h - 0.5, 0.5 * h };
    double lat[5], lon[5], bx[5], by[5], fx[5], fy[5], worst = 0.0;
    if (status == TY_OK) {
        status = ty_raster_place(back, 5, x, y, lat, lon, diag);
    }
    if (status == TY_OK) {
        status = ty_raster_pixel(back, 5, lat, lon, bx, by, diag);
    }
    if (status == TY_OK) {
        status = ty_raster_pixel(j->raster, 5, lat, lon, fx, fy, diag);
    }
    for (int i = 0; i < 5 && status == TY_OK; i++) {
        double dx = fx[i] - j->window.x - x[i], dy = fy[i] - j->window.y - y[i];
        dx -=
            j->raster->info.wraps ? j->raster->info.width * round(dx / j->raster->info.width) : 0.0;
        if (isfinite(lat[i]) && isfinite(fx[i])) {
            worst = fmax(worst, fmax(fabs(dx), fabs(dy)));
        }
    }
    ty_raster_close(back);
    if (status == TY_OK && worst > 0.01) {
        status = ty_fail(
            diag, TY_ERR_FORMAT,
            "%s: a GeoTIFF cannot hold its map projection (%s); places would be off by %.3g pixels",
            j->raster->path, j->raster->info.crs, worst);
    }
    return status;
}

static ty_status write_all(job *j, ty_diag *diag)
{
    ty_status status = create(j, diag);
    if (status == TY_OK) {
        status = write_heights(j, diag);
    }
    if (status == TY_OK) {
        status = write_overviews(j, diag);
    }
    if (j->dataset) {
        GDALClose(j->dataset); /* writes what it still holds, and tells only the error handler how
                                  that went */
    }
    if (status == TY_OK && j->gdal->failed) {
        status = failed(j, diag);
    }
    if (status == TY_OK) {
        status = check_written(j, diag);
    }
    if (status == TY_OK && rename(j->temporary, j->path) != 0) {
        status = ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", j->path, strerror(errno));
    }
    return status;
}

ty_status ty_raster_write(ty_raster *raster, ty_window window, const char *path,
                          const ty_progress *progress, ty_raster_stats *written, ty_diag *diag)
{
    const ty_raster_info *info = &raster->info;
    bool inside = window.y >= 0 && window.height <= info->height - window.y &&
                  (info->wraps || (window.x >= 0 && window.width <= info->width - window.x)) &&
                  window.width <= info->width;
    if (window.width < 2 || window.height < 2 || !inside) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "a window of %d x %d samples at %d,%d does not lie in %s, which has %d x "
                       "%d; at least 2 x 2 "
                       "are needed",
                       window.width, window.height, window.x, window.y, raster->path, info->width,
                       info->height);
    }
    tyi_gdal gdal;
    job j = {
        .raster = raster, .window = window, .path = path, .progress = progress, .gdal = &gdal
    };
    tyi_gdal_begin(&gdal);
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", "NO"); /* no file beside the file */
    CPLSetThreadLocalConfigOption("PREDICTOR_OVERVIEW", "3");
    ty_status status = check_output(&j, diag);
    if (status == TY_OK) {
        status = write_all(&j, diag);
        if (status != TY_OK) {
            unlink(j.temporary);
        }
    }
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", NULL);
    CPLSetThreadLocalConfigOption("PREDICTOR_OVERVIEW", NULL);
    tyi_gdal_end(&gdal);
    if (written) {
        *written = j.stats;
    }
    return status;
}
