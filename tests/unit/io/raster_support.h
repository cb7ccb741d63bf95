/* Rasters for the tests, made and read by GDAL itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RASTER_SUPPORT_H
#define RASTER_SUPPORT_H
#include <cpl_conv.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>
#include "tyt.h"
#include "tycho/math.h"
#include "tycho/tools/raster.h"
#include "io/rasters.h"

/* latitude and longitude on the lunar sphere */
#define MOON_DEGREES "+proj=longlat +R=1737400 +no_defs"

/* uniform in [0, 1), by a 64-bit congruential generator */
double raster_random(uint64_t *state);

/* A Float32 GeoTIFF of w x h samples made by height(x, y) at pixel centres; projection: a PROJ string, NULL: none. */
typedef double (*raster_height)(double x, double y);
void raster_make(const char *path, int w, int h, const char *projection, const double gt[6], raster_height height);

/* Opens or fails the case. */
tyi_io_raster *raster_open(const char *path, const tyi_io_raster_def *def);
/* One sample as the file stores it. */
double raster_stored(GDALDatasetH dataset, int band, int x, int y);

#endif
