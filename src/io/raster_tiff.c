/* src/io/raster_tiff.c - a grid of heights as a GeoTIFF: tiled, compressed, with overviews, and
 * under its own name only when it is whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cpl_conv.h>
#include <cpl_string.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "out.h"
#include "raster.h"
#include "rasters.h"

#define TILE 256

typedef struct job {
    const tyi_io_tiff *grid;
    tyi_io_out out;
    ty_raster_stats stats; /* of what is written */
    GDALDatasetH dataset;
    tyi_io_gdal *gdal;
} job;

static ty_status failed(const job *j, ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", j->grid->path, tyi_io_gdal_text(j->gdal));
}

static ty_status check_output(job *j, ty_diag *diag)
{
    struct stat out;
    if (stat(j->grid->path, &out) == 0) {
        if (!S_ISREG(out.st_mode)) {
            return ty_fail(diag, TY_ERR_FILE, "%s is %s; the output must be a plain file", j->grid->path,
                           S_ISDIR(out.st_mode) ? "a folder" : "a device");
        }
    }
    ty_status status = tyi_io_out_open(&j->out, j->grid->path, diag); /* GDAL writes to its temporary name */
    if (status == TY_OK) {
        fclose(j->out.file);
        j->out.file = NULL;
    }
    return status;
}

static ty_status create(job *j, ty_diag *diag)
{
    const char *const options[] = {
        "TILED=YES", "BLOCKXSIZE=256", "BLOCKYSIZE=256", "COMPRESS=DEFLATE", "PREDICTOR=3", "BIGTIFF=IF_SAFER", NULL
    };
    j->dataset = GDALCreate(GDALGetDriverByName("GTiff"), j->out.temporary, j->grid->width, j->grid->height, 1,
                            GDT_Float32, (CSLConstList)(uintptr_t)options);
    if (!j->dataset) {
        return failed(j, diag);
    }
    double gt[6]; /* GDAL takes it without const */
    memcpy(gt, j->grid->gt, sizeof gt);
    GDALRasterBandH band = GDALGetRasterBand(j->dataset, 1);
    if (GDALSetGeoTransform(j->dataset, gt) != CE_None || GDALSetSpatialRef(j->dataset, j->grid->srs) != CE_None) {
        return failed(j, diag);
    }
    GDALSetRasterUnitType(band, "m");
    GDALSetDescription(band, "height above the sphere of radius 1737400 m");
    return TY_OK;
}

static ty_status report(const job *j, const char *what, double done, double total, ty_diag *diag)
{
    if (j->grid->progress && !j->grid->progress->report(j->grid->progress->user, what, done, total)) {
        return ty_fail(diag, TY_ERR_CANCELLED, "writing %s was stopped", j->grid->path);
    }
    return TY_OK;
}

/* a row of tiles at a time, so that every tile is compressed once */
static ty_status write_heights(job *j, ty_diag *diag)
{
    int width = j->grid->width, height = j->grid->height;
    size_t bytes = (size_t)width * TILE * sizeof(float);
    float *h = tyi_get(j->grid->alloc, bytes);
    ty_status status = h ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a row of tiles", j->grid->path);
    GDALRasterBandH band = GDALGetRasterBand(j->dataset, 1);
    tyi_io_stats_start(&j->stats);
    for (int y = 0; y < height && status == TY_OK; y += TILE) {
        int rows = height - y < TILE ? height - y : TILE;
        status = j->grid->rows(j->grid->user, y, rows, h, diag);
        if (status == TY_OK) {
            tyi_io_stats_add(&j->stats, (size_t)width * (size_t)rows, h);
            if (GDALRasterIO(band, GF_Write, 0, y, width, rows, h, width, rows, GDT_Float32, 0, 0) >= CE_Failure ||
                j->gdal->failed) {
                status = failed(j, diag);
            }
        }
        if (status == TY_OK) {
            status = report(j, "rows", y + rows, height, diag);
        }
    }
    tyi_put(j->grid->alloc, h, bytes);
    tyi_io_stats_end(&j->stats);
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
    int factors[TYI_IO_LEVELS], n = 0;
    int side = j->grid->width > j->grid->height ? j->grid->width : j->grid->height;
    for (int f = 2; n < 24 && side > 64 * f; f *= 2) { /* until a side is at most 128 */
        factors[n++] = f;
    }
    if (n > 0 && (GDALBuildOverviews(j->dataset, "AVERAGE", n, factors, 0, NULL, overview_progress, j) >= CE_Failure ||
                  j->gdal->failed)) {
        return failed(j, diag);
    }
    return TY_OK;
}

/* the file as others will read it lies where the grid lies, to a hundredth of a pixel */
static ty_status check_written(job *j, ty_diag *diag)
{
    tyi_io_raster_def def = tyi_io_raster_def_default();
    def.alloc = j->grid->alloc;
    def.cache_bytes = 0;
    tyi_io_raster *back = NULL;
    ty_status status = tyi_io_raster_open(j->out.temporary, &def, &back, diag);
    double w = j->grid->width, h = j->grid->height;
    double x[5] = { 0.5, w - 0.5, 0.5, w - 0.5, 0.5 * w }, y[5] = { 0.5, 0.5, h - 0.5, h - 0.5, 0.5 * h };
    double lat[5], lon[5], bx[5], by[5], fx[5], fy[5], worst = 0.0;
    if (status == TY_OK) {
        status = tyi_io_raster_place(back, 5, x, y, lat, lon, diag);
    }
    if (status == TY_OK) {
        status = tyi_io_raster_pixel(back, 5, lat, lon, bx, by, diag);
    }
    if (status == TY_OK) {
        status = j->grid->pixel(j->grid->user, 5, lat, lon, fx, fy, diag);
    }
    for (int i = 0; i < 5 && status == TY_OK; i++) {
        double dx = fx[i] - x[i], dy = fy[i] - y[i], period = j->grid->period;
        dx -= period > 0.0 ? period * round(dx / period) : 0.0;
        if (isfinite(lat[i]) && isfinite(fx[i])) {
            worst = fmax(worst, fmax(fabs(dx), fabs(dy)));
        }
    }
    tyi_io_raster_close(back);
    if (status == TY_OK && worst > 0.01) {
        status = ty_fail(diag, TY_ERR_FORMAT,
                         "%s: a GeoTIFF cannot hold its map projection (%s); places would be off by %.3g pixels",
                         j->grid->path, OSRGetName(j->grid->srs), worst);
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
    return status;
}

ty_status tyi_io_tiff_write(const tyi_io_tiff *grid, ty_raster_stats *written, ty_diag *diag)
{
    tyi_io_gdal gdal;
    job j = { .grid = grid, .gdal = &gdal };
    tyi_io_gdal_begin(&gdal);
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", "NO"); /* no file beside the file */
    CPLSetThreadLocalConfigOption("PREDICTOR_OVERVIEW", "3");
    ty_status status = check_output(&j, diag);
    if (status == TY_OK) {
        status = tyi_io_out_close(&j.out, write_all(&j, diag), diag);
    }
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", NULL);
    CPLSetThreadLocalConfigOption("PREDICTOR_OVERVIEW", NULL);
    tyi_io_gdal_end(&gdal);
    if (written) {
        *written = j.stats;
    }
    return status;
}
