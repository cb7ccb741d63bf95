/* Bytes of raster files flipped at random: every file is read or refused with a sentence, in
 * bounded memory and time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <sys/resource.h>
#include <time.h>
#include "raster_support.h"
#include "io/rasters.h"

#define GOOD "/vsimem/good.tif"
#define BAD  "/vsimem/bad.tif"

static double bumps(double x, double y)
{
    return 50.0 * sin(0.2 * x) * cos(0.3 * y);
}

/* a small file with everything in it: tiles, compression, overviews, no-data, scale, a projection */
static void make_good(void)
{
    GDALAllRegister();
    const char *options[] = { "TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=32", "COMPRESS=DEFLATE", "PREDICTOR=2", NULL };
    GDALDatasetH d = GDALCreate(GDALGetDriverByName("GTiff"), GOOD, 70, 60, 1, GDT_Int16, (char **)options);
    double gt[6] = { -1000.0, 20.0, 0.0, 800.0, 0.0, -20.0 };
    GDALSetGeoTransform(d, gt);
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    OSRImportFromProj4(srs, "+proj=stere +lat_0=-90 +lon_0=0 +k=1 +R=1737400 +units=m +no_defs");
    GDALSetSpatialRef(d, srs);
    OSRDestroySpatialReference(srs);
    GDALRasterBandH band = GDALGetRasterBand(d, 1);
    GDALSetRasterScale(band, 0.5);
    GDALSetRasterOffset(band, 1737400.0);
    GDALSetRasterNoDataValue(band, -32768.0);
    short row[70];
    for (int y = 0; y < 60; y++) {
        for (int x = 0; x < 70; x++) {
            row[x] = (short)bumps(x, y);
        }
        cr_assert(GDALRasterIO(band, GF_Write, 0, y, 70, 1, row, 70, 1, GDT_Int16, 0, 0) == CE_None);
    }
    int factors[1] = { 2 };
    cr_assert(GDALBuildOverviews(d, "AVERAGE", 1, factors, 0, NULL, NULL, NULL) == CE_None);
    GDALClose(d);
}

typedef enum verdict { REFUSED, UNREADABLE, READ } verdict;

/* opens the file and looks into it, as much as fits any size */
static verdict try_file(const char *path)
{
    tyi_io_raster_def def = tyi_io_raster_def_default();
    def.cache_bytes = 4 << 20;
    tyi_io_raster *raster = NULL;
    ty_diag diag = { 0 };
    if (tyi_io_raster_open(path, &def, &raster, &diag) != TY_OK) {
        TY_CHECK(raster == NULL && diag.text[0] != '\0' && strchr(diag.text, '\n') == NULL);
        return REFUSED;
    }
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    double x[9], y[9], lat[9], lon[9], h[9];
    for (int i = 0; i < 9; i++) {
        x[i] = info->width * (i % 3 + 0.5) / 3.0;
        y[i] = info->height * (i / 3 + 0.5) / 3.0;
    }
    ty_status status = tyi_io_raster_place(raster, 9, x, y, lat, lon, &diag);
    for (int i = 0; i < 9 && status == TY_OK; i++) {
        status = tyi_io_raster_sample(raster, 1, lat + i, lon + i, 0.0, h + i, &diag);
        TY_CHECK(status != TY_OK || isnan(h[i]) || fabs(h[i]) < 1e7);
    }
    if (status == TY_OK && (double)info->width * info->height < 1e5) {
        ty_raster_stats stats;
        status = tyi_io_raster_scan(raster, NULL, &stats, &diag);
    }
    TY_CHECK(status == TY_OK || diag.text[0] != '\0');
    tyi_io_raster_close(raster);
    return status == TY_OK ? READ : UNREADABLE;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

TY_TEST(raster_mutation, flipped_bytes_are_survived)
{
    make_good();
    vsi_l_offset size;
    GByte *good = VSIGetMemFileBuffer(GOOD, &size, FALSE);
    cr_assert(try_file(GOOD) == READ);
    GByte *bad = malloc(size);
    uint64_t state = 20240812;
    int counts[3] = { 0 }, rounds = tyt_long() ? 20000 : 2000;
    double slowest = 0.0;
    for (int r = 0; r < rounds; r++) {
        memcpy(bad, good, size);
        vsi_l_offset length = size;
        int flips = 1 + (int)(raster_random(&state) * 8.0);
        for (int f = 0; f < flips; f++) {
            /* half of them in the first 600 bytes, where the tags are */
            double reach = raster_random(&state) < 0.5 && size > 600 ? 600.0 : (double)size;
            bad[(size_t)(raster_random(&state) * reach)] = (GByte)(raster_random(&state) * 256.0);
        }
        if (r % 10 == 0) {
            length = (vsi_l_offset)(raster_random(&state) * (double)size); /* cut short */
        }
        VSIFCloseL(VSIFileFromMemBuffer(BAD, bad, length, FALSE));
        double start = now();
        counts[try_file(BAD)]++;
        slowest = fmax(slowest, now() - start);
        VSIUnlink(BAD);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%d broken files: %d refused, %d unreadable, %d read; slowest %.2f s, peak %ld MiB\n", rounds,
           counts[REFUSED], counts[UNREADABLE], counts[READ], slowest, usage.ru_maxrss / 1024);
    TY_CHECK(counts[REFUSED] > 0 && counts[UNREADABLE] > 0 && counts[READ] > 0); /* control: all ways were taken */
    TY_CHECK(slowest < 20.0);
#ifndef TYCHO_SANITIZE
    TY_CHECK(usage.ru_maxrss / 1024 < 1200); /* [MiB] a block of 256 MiB as stored, decoded, and in GDAL's own cache */
#endif
    free(bad);
    VSIUnlink(GOOD);
}

/* A PDS3 label is text: the same with its letters. */
TY_TEST(raster_mutation, flipped_label_is_survived)
{
    static const char label[] =
        "PDS_VERSION_ID = PDS3\r\nRECORD_TYPE = FIXED_LENGTH\r\nRECORD_BYTES = 32\r\nFILE_RECORDS "
        "= 16\r\n^IMAGE = \"bad.img\"\r\n"
        "OBJECT = IMAGE\r\n LINES = 16\r\n LINE_SAMPLES = 16\r\n SAMPLE_TYPE = LSB_INTEGER\r\n "
        "SAMPLE_BITS = 16\r\n"
        " SCALING_FACTOR = 0.5\r\n OFFSET = 1737400.\r\nEND_OBJECT = IMAGE\r\nOBJECT = "
        "IMAGE_MAP_PROJECTION\r\n"
        " MAP_PROJECTION_TYPE = \"SIMPLE CYLINDRICAL\"\r\n A_AXIS_RADIUS = 1737.4 <km>\r\n "
        "B_AXIS_RADIUS = 1737.4 <km>\r\n"
        " C_AXIS_RADIUS = 1737.4 <km>\r\n CENTER_LATITUDE = 0 <deg>\r\n CENTER_LONGITUDE = 0 "
        "<deg>\r\n MAP_SCALE = 30.0 <m/pix>\r\n"
        " MAP_RESOLUTION = 1010.78 <pix/deg>\r\n LINE_PROJECTION_OFFSET = 7.5\r\n "
        "SAMPLE_PROJECTION_OFFSET = 7.5\r\n"
        "END_OBJECT = IMAGE_MAP_PROJECTION\r\nEND\r\n";
    static GByte image[16 * 32], bad[sizeof label];
    GDALAllRegister();
    VSIFCloseL(VSIFileFromMemBuffer("/vsimem/bad.img", image, sizeof image, FALSE));
    VSIFCloseL(VSIFileFromMemBuffer("/vsimem/bad.lbl", memcpy(bad, label, sizeof bad), sizeof label - 1, FALSE));
    cr_assert(try_file("/vsimem/bad.lbl") == READ);
    uint64_t state = 7;
    int counts[3] = { 0 }, rounds = tyt_long() ? 5000 : 500;
    for (int r = 0; r < rounds; r++) {
        memcpy(bad, label, sizeof bad);
        for (int f = 0; f < 1 + r % 4; f++) {
            bad[(size_t)(raster_random(&state) * (sizeof label - 1))] = (GByte)(raster_random(&state) * 256.0);
        }
        VSIFCloseL(VSIFileFromMemBuffer("/vsimem/bad.lbl", bad, sizeof label - 1, FALSE));
        counts[try_file("/vsimem/bad.lbl")]++;
    }
    printf("%d broken labels: %d refused, %d unreadable, %d read\n", rounds, counts[REFUSED], counts[UNREADABLE],
           counts[READ]);
    TY_CHECK(counts[REFUSED] > 0 && counts[READ] > 0);
    VSIUnlink("/vsimem/bad.lbl");
    VSIUnlink("/vsimem/bad.img");
}
