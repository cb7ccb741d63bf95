/* Other formats and map projections than those of the shared data, judged by GDAL and OSR.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "raster_support.h"
#include "io/rasters.h"

#define FILE_A "/vsimem/f.tif"

static double hills(double x, double y)
{
    return 40.0 * sin(0.21 * x) + 25.0 * cos(0.13 * y + 0.05 * x);
}

typedef struct map {
    const char *projection;
    double gt[6];
} map;

static const map maps[] = {
    { "+proj=merc +lon_0=30 +R=1737400 +units=m", { 100000, 500, 0, 900000, 0, -500 } },
    { "+proj=merc +lon_0=0 +R=1737400 +units=m", { 5300000, 5000, 0, 900000, 0, -5000 } }, /* across 180 deg */
    { "+proj=eqc +lat_ts=40 +lon_0=20 +R=1737400 +units=m", { -50000, 200, 0, 1300000, 0, -200 } },
    { "+proj=sinu +lon_0=10 +R=1737400 +units=m", { -90000, 700, 0, 600000, 0, -700 } },
    { "+proj=lcc +lat_1=30 +lat_2=50 +lat_0=40 +lon_0=5 +R=1737400 +units=m", { -30000, 300, 0, 30000, 0, -300 } },
    { "+proj=laea +lat_0=25 +lon_0=-60 +R=1737400 +units=m", { -30000, 300, 0, 30000, 0, -300 } },
    { "+proj=aeqd +lat_0=-45 +lon_0=100 +R=1737400 +units=m", { -30000, 300, 0, 30000, 0, -300 } },
    { "+proj=tmerc +lat_0=0 +lon_0=33.5 +k=0.9996 +x_0=500000 +R=1737400 +units=m",
      { 480000, 100, 0, 250000, 0, -100 } },
    { "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=45 +R=1737400 +units=m", { -40000, 350, 0, 40000, 0, -350 } },
    { "+proj=stere +lat_0=20 +lon_0=45 +k=1 +R=1737400 +units=m", { -40000, 350, 0, 40000, 0, -350 } },
    { "+proj=gnom +lat_0=-80 +lon_0=45 +R=1737400 +units=m", { -40000, 350, 0, 40000, 0, -350 } },
    { "+proj=stere +lat_0=-90 +lon_0=0 +k=1 +R=1737400 +units=m", { 1000, 80, 60, 5000, 60, -80 } }, /* turned */
    { "+proj=stere +lat_0=-90 +lon_0=0 +k=1 +R=1737400 +units=m", { 1000, 80, 0, 5000, 0, 80 } },    /* south up */
    { "+proj=stere +lat_0=-90 +lon_0=0 +k=1 +R=1737400 +units=km", { 1, 0.08, 0, 5, 0, -0.08 } },
    { MOON_DEGREES, { 170.0, 0.25, 0, 89.0, 0, -0.25 } }, /* across 180 deg */
};

static OGRCoordinateTransformationH to_degrees(const char *projection)
{
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL), degrees = OSRNewSpatialReference(NULL);
    OSRSetFromUserInput(srs, projection);
    OSRSetFromUserInput(degrees, MOON_DEGREES);
    OSRSetAxisMappingStrategy(srs, OAMS_TRADITIONAL_GIS_ORDER);
    OSRSetAxisMappingStrategy(degrees, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH t = OCTNewCoordinateTransformation(srs, degrees);
    OSRDestroySpatialReference(srs);
    OSRDestroySpatialReference(degrees);
    return t;
}

/* In the file itself and in its import, a place lies where OSR puts it; or the import says that it
 * cannot hold the map. */
TY_TEST(raster_formats, map_projections_agree_with_osr)
{
    char out[64];
    snprintf(out, sizeof out, "/tmp/tycho-map-%d.tif", (int)getpid());
    for (size_t m = 0; m < sizeof maps / sizeof maps[0]; m++) {
        raster_make(FILE_A, 200, 150, maps[m].projection, maps[m].gt, hills);
        tyi_io_raster *raster = raster_open(FILE_A, NULL), *back = NULL;
        ty_diag diag = { 0 };
        if (tyi_io_raster_write(raster, (tyi_io_raster_window){ 20, 10, 150, 120 }, out, NULL, NULL, &diag) == TY_OK) {
            back = raster_open(out, NULL);
        } else {
            TY_CHECK(strstr(diag.text, "cannot hold its map projection") != NULL);
        }
        OGRCoordinateTransformationH t = to_degrees(maps[m].projection);
        uint64_t state = m;
        double worst = 0.0, height = 0.0;
        for (int i = 0; i < 200; i++) {
            double x = 20.5 + floor(raster_random(&state) * 150.0), y = 10.5 + floor(raster_random(&state) * 120.0), px,
                   py, h;
            const double *gt = maps[m].gt;
            double u = gt[0] + x * gt[1] + y * gt[2], v = gt[3] + x * gt[4] + y * gt[5];
            cr_assert(OCTTransform(t, 1, &u, &v, NULL));
            double lat = v * TY_DEG, lon = u * TY_DEG;
            tyi_io_raster_pixel(raster, 1, &lat, &lon, &px, &py, NULL);
            worst = fmax(worst, hypot(px - x, py - y));
            tyi_io_raster_sample(back ? back : raster, 1, &lat, &lon, 0.0, &h, NULL);
            height = fmax(height, fabs(h - hills(x, y)));
        }
        printf("%-78s place %.1e px, height %.1e m%s\n", maps[m].projection, worst, height, back ? "" : " (no import)");
        TY_NEAR(worst, 0.0, 1e-5);
        TY_NEAR(height, 0.0, 1e-3);
        OCTDestroyCoordinateTransformation(t);
        tyi_io_raster_close(back);
        tyi_io_raster_close(raster);
        unlink(out);
    }
    TY_FAR(hills(20.5, 10.5), hills(21.0, 10.5), 1e-3); /* control: half a pixel is seen in the heights */
    VSIUnlink(FILE_A);
    TY_ROW("map projections: places within 1e-5 pixels", "OSR", "worst %.1e px", tyt_worst("worst"));
}

/* The same heights in every format that GDAL can write here. */
TY_TEST(raster_formats, formats_agree)
{
    static const char *const drivers[][2] = { { "PDS4", "xml" },  { "ISIS3", "cub" }, { "AAIGrid", "asc" },
                                              { "GTiff", "tif" }, { "HFA", "img" },   { "EHdr", "bil" },
                                              { "netCDF", "nc" } };
    const double gt[6] = { -1000.0, 10.0, 0.0, 2000.0, 0.0, -10.0 };
    raster_make(FILE_A, 120, 90, "+proj=stere +lat_0=-90 +lon_0=0 +k=1 +R=1737400 +units=m", gt, hills);
    GDALDatasetH source = GDALOpen(FILE_A, GA_ReadOnly);
    char folder[] = "/tmp/tycho-formats-XXXXXX", path[128], command[160];
    cr_assert(mkdtemp(folder) != NULL);
    int read = 0;
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        GDALDriverH driver = GDALGetDriverByName(drivers[i][0]);
        snprintf(path, sizeof path, "%s/%s.%s", folder, drivers[i][0], drivers[i][1]);
        CPLPushErrorHandler(CPLQuietErrorHandler);
        GDALDatasetH copy = driver ? GDALCreateCopy(driver, path, source, FALSE, NULL, NULL, NULL) : NULL;
        if (copy) {
            GDALClose(copy);
        }
        CPLPopErrorHandler();
        if (!copy) {
            printf("GDAL here does not write %s: not shown\n", drivers[i][0]);
            continue;
        }
        tyi_io_raster_def def = tyi_io_raster_def_default();
        tyi_io_raster *raster = NULL;
        ty_diag diag = { 0 };
        TY_CHECK(tyi_io_raster_open(path, &def, &raster, &diag) == TY_OK);
        if (!raster) {
            printf("%s: %s\n", drivers[i][0], diag.text);
            continue;
        }
        float h[20 * 10];
        TY_CHECK(tyi_io_raster_read(raster, 0, (tyi_io_raster_window){ 30, 40, 20, 10 }, h, NULL) == TY_OK);
        double worst = 0.0, x = 60.5, y = 45.5, lat, lon, u = -1000.0 + 605.0, v = 2000.0 - 455.0;
        for (int k = 0; k < 200; k++) {
            worst = fmax(worst, fabs((double)h[k] - hills(30.5 + k % 20, 40.5 + k / 20)));
        }
        tyi_io_raster_place(raster, 1, &x, &y, &lat, &lon, NULL);
        /* polar stereographic on the sphere: longitude is the direction, distance 2 R tan(colatitude / 2) */
        TY_NEAR(lon, atan2(u, v), 1e-9);
        TY_NEAR(2.0 * TY_MOON_RADIUS * tan(0.5 * (0.5 * TY_PI + lat)), hypot(u, v), 1e-3);
        TY_FAR(lon, atan2(u + 10.0, v), 1e-9); /* control: a pixel off */
        printf("%-10s %s: heights to %.1e m\n", drivers[i][0], tyi_io_raster_get_info(raster)->format, worst);
        TY_NEAR(worst, 0.0, 1e-3);
        tyi_io_raster_close(raster);
        read++;
    }
    TY_CHECK(read >= 3);
    GDALClose(source);
    VSIUnlink(FILE_A);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    TY_CHECK(system(command) == 0);
}

/* A cap around the pole: its radius is 2 R tan(2.5 deg) on the map. */
TY_TEST(raster_formats, crop_of_a_polar_cap)
{
    const double gt[6] = { -304000.0, 400.0, 0.0, 304000.0, 0.0, -400.0 };
    raster_make(FILE_A, 1520, 1520, "+proj=stere +lat_0=-90 +lon_0=0 +k=1 +R=1737400 +units=m", gt, hills);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    tyi_io_raster_window w;
    TY_CHECK(tyi_io_raster_crop(raster, -90 * TY_DEG, -85 * TY_DEG, -180 * TY_DEG, 180 * TY_DEG, &w, NULL) == TY_OK);
    double side = 2.0 * 2.0 * TY_MOON_RADIUS * tan(2.5 * TY_DEG) / 400.0;
    TY_NEAR(w.width, side, 2.0);
    TY_NEAR(w.height, side, 2.0);
    TY_NEAR(w.x + 0.5 * w.width, 760.0, 1.0);
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    TY_CHECK(info->lat_min == -0.5 * TY_PI && info->lon_max - info->lon_min == 2.0 * TY_PI);
    tyi_io_raster_close(raster);
    VSIUnlink(FILE_A);
}
