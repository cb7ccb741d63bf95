/* Every raster of shared/data imported and compared with GDAL: heights sample by sample from the
 * original file, places through OSR's own transformation of the original reference system. Issue 2,
 * line 3.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "raster_support.h"
#include "io/rasters.h"

typedef struct input {
    const char *name;
    int band;
    double scale;           /* [m] what height is by the data's own description (shared/data/README.md) */
    bool give_scale;        /* the file does not say it: an option */
    double pixel, lat, lon; /* [m] [deg] [deg] for a file without georeference */
    bool global;            /* without georeference, but all round: -90..90, -180..180 deg */
    bool big;               /* in a crop, unless the long form is asked for */
} input;

static const input inputs[] = {
    { .name = "data/lola/LDEM_4.LBL", .scale = 0.5 },
    { .name = "data/gld100/gld100_apollo11_2deg_256ppd.tif" },
    { .name = "data/gld100/gld100_apollo12_14_8deg_256ppd.tif" },
    { .name = "data/gld100/gld100_apollo15_3deg_256ppd.tif" },
    { .name = "data/gld100/gld100_apollo16_3deg_256ppd.tif" },
    { .name = "data/gld100/gld100_apollo17_3deg_256ppd.tif" },
    { .name = "data/gld100/gld100_aristarchus_5deg_256ppd.tif" },
    { .name = "data/gld100/gld100_copernicus_5deg_256ppd.tif" },
    { .name = "data/gld100/gld100_global_16ppd.tif", .big = true },
    { .name = "data/gld100/gld100_marius_hills_4deg_256ppd.tif" },
    { .name = "data/gld100/gld100_tycho_5deg_256ppd.tif" },
    { .name = "data/gld100/south_pole_80S_400m.tif" },
    { .name = "data/southpole/Shoemaker_final_adj_5mpp_surf_1k.tif" },
    { .name = "data/sites/aristarchus_cp_hsr.tif", .band = 1 },
    { .name = "data/sites/aristarchus_cp_old_hsr.tif", .band = 1 },
    { .name = "data/sites/aristarchus_imp_hsr.tif", .band = 1 },
    { .name = "data/sites/aristarchus_imp_old_hsr.tif", .band = 1 },
    { .name = "data/sites/herodotus_mons_hsr.tif", .band = 2 },
    { .name = "data/sites/kepler.tif", .scale = 0.5, .give_scale = true },
    { .name = "data/nac/gz_dem_moon.tif" },
    { .name = "data/nac/NAC_DTM_APOLLO15_E261N0036_257x257+7472+2152.png",
      .scale = 0.4,
      .give_scale = true,
      .pixel = 2.0,
      .lat = 26.1,
      .lon = 3.6 },
    { .name = "data/nac/NAC_DTM_TRANQPIT1_E080N0330_257x257+7903+1406.png",
      .scale = 119.0 / 255.0,
      .give_scale = true,
      .pixel = 2.0,
      .lat = 8.3,
      .lon = 33.2 },
    { .name = "data/nac/NAC_DTM_TRANQPIT1_M152662021_50CM_1024x1024+31613+5622.png",
      .scale = 0.1,
      .give_scale = true,
      .pixel = 0.5,
      .lat = -8.3,
      .lon = -166.8 },
    { .name = "data/maps/ldem_3_8bit.jpg", .scale = 77.0, .give_scale = true, .global = true },
};

/* the judge: GDAL's dataset, and OSR from map coordinates to degrees on the sphere of the same reference system */
typedef struct judge {
    GDALDatasetH dataset;
    OGRCoordinateTransformationH to_degrees;
    double gt[6];
    int width, height;
} judge;

static judge judge_open(const char *path, const input *in)
{
    GDALAllRegister();
    judge j = { .dataset = GDALOpen(path, GA_ReadOnly) };
    cr_assert(j.dataset != NULL);
    j.width = GDALGetRasterXSize(j.dataset);
    j.height = GDALGetRasterYSize(j.dataset);
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL), degrees = OSRNewSpatialReference(NULL);
    if (in->pixel > 0.0) {
        char text[200];
        snprintf(text, sizeof text, "+proj=ortho +lat_0=%.17g +lon_0=%.17g +R=1737400 +units=m +no_defs", in->lat,
                 in->lon);
        OSRImportFromProj4(srs, text);
        double gt[6] = { -0.5 * j.width * in->pixel, in->pixel, 0, 0.5 * j.height * in->pixel, 0, -in->pixel };
        memcpy(j.gt, gt, sizeof gt);
    } else if (in->global) {
        OSRImportFromProj4(srs, MOON_DEGREES);
        double gt[6] = { -180.0, 360.0 / j.width, 0, 90.0, 0, -180.0 / j.height };
        memcpy(j.gt, gt, sizeof gt);
    } else {
        OSRDestroySpatialReference(srs);
        srs = OSRClone(GDALGetSpatialRef(j.dataset));
        cr_assert(GDALGetGeoTransform(j.dataset, j.gt) == CE_None);
    }
    OSRImportFromProj4(degrees, MOON_DEGREES);
    OSRSetAxisMappingStrategy(srs, OAMS_TRADITIONAL_GIS_ORDER);
    OSRSetAxisMappingStrategy(degrees, OAMS_TRADITIONAL_GIS_ORDER);
    j.to_degrees = OCTNewCoordinateTransformation(srs, degrees);
    cr_assert(j.to_degrees != NULL);
    OSRDestroySpatialReference(srs);
    OSRDestroySpatialReference(degrees);
    return j;
}

static void judge_close(judge *j)
{
    OCTDestroyCoordinateTransformation(j->to_degrees);
    GDALClose(j->dataset);
}

static void judge_place(const judge *j, double x, double y, double *lat, double *lon)
{
    double u = j->gt[0] + j->gt[1] * x + j->gt[2] * y, v = j->gt[3] + j->gt[4] * x + j->gt[5] * y;
    cr_assert(OCTTransform(j->to_degrees, 1, &u, &v, NULL));
    *lat = v * TY_DEG;
    *lon = u * TY_DEG;
}

static tyi_io_raster_def def_of(const input *in)
{
    tyi_io_raster_def def = tyi_io_raster_def_default();
    def.band = in->band;
    if (in->give_scale) {
        def.scale = in->scale;
    }
    if (in->pixel > 0.0) {
        def.pixel = in->pixel;
        def.lat = in->lat * TY_DEG;
        def.lon = in->lon * TY_DEG;
    }
    if (in->global) {
        double bounds[4] = { -90.0 * TY_DEG, 90.0 * TY_DEG, -180.0 * TY_DEG, 180.0 * TY_DEG };
        memcpy(def.bounds, bounds, sizeof bounds);
    }
    return def;
}

typedef struct worst {
    double height, place, sampled; /* [m] [pixels] [m] */
    double shifted, unscaled;      /* [m] the controls: the pixel beside; the scale left out. Means. */
} worst;

static worst compare(const input *in, judge *j, const char *path, tyi_io_raster_window w)
{
    enum { N = 1000 };
    tyi_io_raster *imported = raster_open(path, NULL);
    GDALDatasetH written = GDALOpen(path, GA_ReadOnly);
    int band = in->band ? in->band : 1;
    double scale = in->scale != 0.0 ? in->scale : 1.0;
    uint64_t state = 12345;
    worst out = { 0 };
    for (int i = 0; i < N; i++) {
        int x = (int)(raster_random(&state) * w.width), y = (int)(raster_random(&state) * w.height);
        double want = raster_stored(j->dataset, band, (w.x + x + j->width) % j->width, w.y + y) * scale;
        double lat, lon, px, py, h, mine, place_x = x + 0.5, place_y = y + 0.5;
        out.height = fmax(out.height, fabs(raster_stored(written, 1, x, y) - want));
        /* where GDAL puts the pixel, and where we find that place */
        judge_place(j, w.x + x + 0.5, w.y + y + 0.5, &lat, &lon);
        tyi_io_raster_pixel(imported, 1, &lat, &lon, &px, &py, NULL);
        out.place = fmax(out.place, fmax(fabs(px - x - 0.5), fabs(py - y - 0.5)));
        /* the height that a terrain gets there */
        tyi_io_raster_place(imported, 1, &place_x, &place_y, &lat, &lon, NULL);
        tyi_io_raster_sample(imported, 1, &lat, &lon, 0.0, &mine, NULL);
        out.sampled = fmax(out.sampled, fabs(mine - want));
        int beside = x + 1 < w.width ? x + 1 : x - 1;
        h = raster_stored(written, 1, beside, y);
        out.shifted += fabs(h - want) / N;
        out.unscaled += fabs(want / scale - want) / N;
    }
    GDALClose(written);
    tyi_io_raster_close(imported);
    return out;
}

static void check_import(const input *in, const char *path)
{
    judge j = judge_open(path, in);
    tyi_io_raster_def def = def_of(in);
    tyi_io_raster *raster = raster_open(path, &def);
    char out[64];
    snprintf(out, sizeof out, "/tmp/tycho-import-%d.tif", (int)getpid());
    tyi_io_raster_window w = { 0, 0, j.width, j.height };
    if (in->big && !tyt_long()) {
        w = (tyi_io_raster_window){ 5500, 1000, 700, 600 }; /* across the seam */
    }
    ty_diag diag = { 0 };
    ty_raster_stats stats;
    cr_assert(tyi_io_raster_write(raster, w, out, NULL, &stats, &diag) == TY_OK, "%s", diag.text);
    worst got = compare(in, &j, out, w);
    printf("%-70s height %.1e m  place %.1e px  sampled %.1e m  filled %.0f\n", in->name, got.height, got.place,
           got.sampled, stats.missing);
    TY_NEAR(got.height, 0.0, 1e-3); /* the bound */
    TY_NEAR(got.sampled, 0.0, 1e-3);
    TY_NEAR(got.place, 0.0, 1e-3);  /* the issue asks for 0.5; LDEM_4's label rounds its pixel size by 3e-7 */
    TY_FAR(got.shifted, 0.0, 1e-3); /* control: one pixel beside */
    if (in->scale != 0.0) {
        TY_FAR(got.unscaled, 0.0, 1e-3); /* control: scale ignored */
    }
    tyi_io_raster_close(raster);
    judge_close(&j);
    unlink(out);
}

TY_TEST(raster_import, every_raster_of_the_shared_data_agrees_with_gdal)
{
    TY_NEED_SHARED(root, "data");
    (void)root;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        const char *path = tyt_shared(inputs[i].name);
        cr_assert(path != NULL, "shared/%s is absent", inputs[i].name);
        check_import(&inputs[i], path);
    }
    TY_ROW("heights within 1e-3 m, places within 1e-3 pixels of 24 rasters (PDS, GeoTIFF, PNG)",
           "GDAL's own values, 1000 samples each", "%.1e m, %.1e px",
           fmax(tyt_worst("got.height"), tyt_worst("got.sampled")), tyt_worst("got.place"));
}

/* Half a pixel off must be seen by the place check above: a raster whose corner is moved by half a pixel. */
TY_TEST(raster_import, control_half_a_pixel_is_seen)
{
    TY_NEED_SHARED(path, "data/southpole/Shoemaker_final_adj_5mpp_surf_1k.tif");
    input in = { .name = "shoemaker" };
    judge j = judge_open(path, &in);
    tyi_io_raster *raster = raster_open(path, NULL);
    double lat, lon, x, y;
    judge_place(&j, 100.0, 50.0, &lat, &lon); /* the corner, taken for the centre */
    tyi_io_raster_pixel(raster, 1, &lat, &lon, &x, &y, NULL);
    TY_FAR(x, 100.5, 0.4);
    TY_FAR(y, 50.5, 0.4);
    tyi_io_raster_close(raster);
    judge_close(&j);
}

/* LDEM_4's offset is the radius of the sphere: heights, not radii, must come out. The extremes are
 * those of the label, but for the least value: the label says -17758, the least of the file's
 * numbers is -17757. */
TY_TEST(raster_import, label_scale_and_offset)
{
    TY_NEED_SHARED(path, "data/lola/LDEM_4.LBL");
    tyi_io_raster *raster = raster_open(path, NULL);
    ty_raster_stats stats;
    TY_CHECK(tyi_io_raster_scan(raster, NULL, &stats, NULL) == TY_OK);
    TY_NEAR(stats.max, 21008 * 0.5, 0.0);
    TY_NEAR(stats.min, -17757 * 0.5, 0.0);
    TY_FAR(stats.max, 21008, 1.0);               /* control: scale forgotten */
    TY_FAR(stats.max, 21008 * 0.5 + 1737400, 1); /* control: radius */
    const tyi_io_raster_info *info = tyi_io_raster_get_info(raster);
    TY_CHECK(info->wraps);
    TY_NEAR(info->spacing, 7580.84, 0.01); /* MAP_SCALE */
    tyi_io_raster_close(raster);
}

/* Heights of two surveys at the same places: longitudes of both, 0..360 and as they come, land on
 * the same ground. GLD100 and LOLA agree to a few hundred metres at 7.6 km (README: r 0.9992),
 * terrain's own spread is 2200 m. */
TY_TEST(raster_import, two_global_maps_see_the_same_moon)
{
    TY_NEED_SHARED(root, "data/gld100/gld100_global_16ppd.tif");
    tyi_io_raster *a = raster_open(root, NULL);
    tyi_io_raster *b = raster_open(tyt_shared("data/lola/LDEM_4.LBL"), NULL);
    enum { N = 400 };
    double lat[N], lon[N], other[N], ha[N], hb[N], hc[N], same = 0.0, turned = 0.0;
    uint64_t state = 9;
    for (int i = 0; i < N; i++) {
        lat[i] = (raster_random(&state) - 0.5) * 120.0 * TY_DEG;
        lon[i] = (raster_random(&state) * 720.0 - 360.0) * TY_DEG;
        other[i] = lon[i] + 180.0 * TY_DEG;
    }
    TY_CHECK(tyi_io_raster_sample(a, N, lat, lon, 7581.0, ha, NULL) == TY_OK);
    TY_CHECK(tyi_io_raster_sample(b, N, lat, lon, 7581.0, hb, NULL) == TY_OK);
    TY_CHECK(tyi_io_raster_sample(b, N, lat, other, 7581.0, hc, NULL) == TY_OK);
    for (int i = 0; i < N; i++) {
        same += (ha[i] - hb[i]) * (ha[i] - hb[i]) / N;
        turned += (ha[i] - hc[i]) * (ha[i] - hc[i]) / N;
    }
    printf("GLD100 against LOLA: RMS %.0f m; half a turn off: %.0f m\n", sqrt(same), sqrt(turned));
    TY_NEAR(sqrt(same), 0.0, 300.0);
    TY_FAR(sqrt(turned), 0.0, 1500.0); /* control */
    tyi_io_raster_close(a);
    tyi_io_raster_close(b);
    TY_ROW("two surveys see the same Moon (bound: 300 m rms)", "GLD100 against LOLA at 7.6 km, 400 places",
           "rms %.0f m; half a turn off %.0f m", sqrt(same), sqrt(turned));
}
