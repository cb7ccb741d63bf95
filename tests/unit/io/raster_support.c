/* Rasters for the tests, made and read by GDAL itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "raster_support.h"
#include "io/rasters.h"

double raster_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 11) * 0x1p-53;
}

void raster_make(const char *path, int w, int h, const char *projection, const double gt[6], raster_height height)
{
    GDALAllRegister();
    GDALDatasetH d = GDALCreate(GDALGetDriverByName("GTiff"), path, w, h, 1, GDT_Float32, NULL);
    cr_assert(d != NULL);
    if (gt) {
        double copy[6];
        memcpy(copy, gt, sizeof copy);
        GDALSetGeoTransform(d, copy);
    }
    if (projection) {
        OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
        cr_assert(OSRSetFromUserInput(srs, projection) == OGRERR_NONE);
        GDALSetSpatialRef(d, srs);
        OSRDestroySpatialReference(srs);
    }
    float *row = malloc((size_t)w * sizeof *row);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            row[x] = (float)height(x + 0.5, y + 0.5);
        }
        cr_assert(GDALRasterIO(GDALGetRasterBand(d, 1), GF_Write, 0, y, w, 1, row, w, 1, GDT_Float32, 0, 0) == CE_None);
    }
    free(row);
    GDALClose(d);
}

tyi_io_raster *raster_open(const char *path, const tyi_io_raster_def *def)
{
    ty_diag diag = { 0 };
    tyi_io_raster_def plain = tyi_io_raster_def_default();
    tyi_io_raster *raster = NULL;
    cr_assert(tyi_io_raster_open(path, def ? def : &plain, &raster, &diag) == TY_OK, "%s", diag.text);
    return raster;
}

double raster_stored(GDALDatasetH dataset, int band, int x, int y)
{
    double value = NAN;
    cr_assert(GDALRasterIO(GDALGetRasterBand(dataset, band), GF_Read, x, y, 1, 1, &value, 1, 1, GDT_Float64, 0, 0) ==
              CE_None);
    return value;
}
