/* Rasters made on the spot: sampling, levels, seams, holes, the bounded cache, reference systems
 * that are wrong or absent.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "core/core.h"
#include "raster_support.h"
#include "io/rasters.h"

#define FILE_A "/vsimem/a.tif"
#define FILE_B "/vsimem/b.tif"

static const double gt_metres[6] = { -1000.0, 10.0, 0.0, 2000.0, 0.0, -10.0 }; /* 10 m pixels, a local map */
#define LOCAL_MAP "+proj=stere +lat_0=-90 +lon_0=0 +k=1 +R=1737400 +units=m +no_defs"

static double sample(tyi_io_raster *raster, double lat, double lon, double spacing)
{
    double h = NAN;
    ty_diag diag = { 0 };
    cr_assert(tyi_io_raster_sample(raster, 1, &lat, &lon, spacing, &h, &diag) == TY_OK, "%s", diag.text);
    return h;
}

static double sample_pixel(tyi_io_raster *raster, double x, double y, double spacing)
{
    double lat, lon;
    cr_assert(tyi_io_raster_place(raster, 1, &x, &y, &lat, &lon, NULL) == TY_OK);
    return sample(raster, lat, lon, spacing);
}

static double wavy(double x, double y)
{
    return 100.0 + 3.0 * sin(0.7 * x) + 2.0 * cos(0.9 * y + 0.2 * x);
}

static double quadratic(double x, double y)
{
    return 5.0 + 0.3 * x - 0.2 * y + 0.01 * x * x - 0.02 * x * y;
}

/* The spline passes through samples, reproduces a quadratic (Catmull-Rom is exact to second order),
 * has a continuous slope; bilinear interpolation, the control, has none of the last two. */
TY_TEST(raster, spline_is_exact_and_smooth)
{
    raster_make(FILE_A, 300, 280, LOCAL_MAP, gt_metres, quadratic);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    uint64_t state = 3;
    for (int i = 0; i < 300; i++) {
        double x = 2.0 + raster_random(&state) * 296.0, y = 2.0 + raster_random(&state) * 276.0;
        TY_NEAR(sample_pixel(raster, x, y, 0.0), quadratic(x, y), 1e-4); /* float samples up to 1700 m: 6e-5 each */
    }
    double bilinear = 0.5 * (quadratic(250.5, 9.5) + quadratic(251.5, 9.5));
    TY_FAR(bilinear, quadratic(251.0, 9.5), 1e-4); /* control */
    tyi_io_raster_close(raster);

    raster_make(FILE_A, 300, 280, LOCAL_MAP, gt_metres, wavy);
    raster = raster_open(FILE_A, NULL);
    const double e = 1e-4;
    /* block edges at cell 256 too */
    for (int x = 252; x < 260; x++) {
        double here = sample_pixel(raster, x + 0.5, 77.3, 0.0);
        double left = (here - sample_pixel(raster, x + 0.5 - e, 77.3, 0.0)) / e;
        double right = (sample_pixel(raster, x + 0.5 + e, 77.3, 0.0) - here) / e;
        TY_NEAR(left, right, 3e-3); /* e times the largest second derivative, 10, and rounding of places 1e-10 / e */
        double at = wavy(x + 0.5, 77.3), steps = wavy(x + 1.5, 77.3) + wavy(x - 0.5, 77.3) - 2.0 * at;
        if (fabs(steps) > 0.5) {
            TY_FAR(steps, 0.0, 3e-3); /* control: how much a bilinear slope would jump */
        }
    }
    tyi_io_raster_close(raster);
    VSIUnlink(FILE_A);
}

/* Outside: NaN. The outer half pixel continues the last sample. */
TY_TEST(raster, cover_ends_at_the_pixel_edge)
{
    raster_make(FILE_A, 60, 50, LOCAL_MAP, gt_metres, wavy);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    TY_CHECK(isnan(sample_pixel(raster, -0.01, 20.0, 0.0)));
    TY_CHECK(isnan(sample_pixel(raster, 60.01, 20.0, 0.0)));
    TY_CHECK(isnan(sample_pixel(raster, 20.0, 50.01, 0.0)));
    TY_NEAR(sample_pixel(raster, 0.01, 20.5, 0.0), wavy(0.5, 20.5), 0.5);
    TY_NEAR(sample_pixel(raster, 59.99, 49.99, 0.0), wavy(59.5, 49.5), 0.5);
    tyi_io_raster_window window = { -2, 48, 5, 4 };
    float h[20];
    TY_CHECK(tyi_io_raster_read(raster, 0, window, h, NULL) == TY_OK);
    TY_CHECK(isnan(h[0]) && isnan(h[1]) && !isnan(h[2]) && isnan(h[10]));
    TY_NEAR((double)h[2], wavy(0.5, 48.5), 1e-5);
    tyi_io_raster_close(raster);
    VSIUnlink(FILE_A);
}

/* Level l of even sides: means of 2^l x 2^l samples, whether the file holds overviews or not. */
TY_TEST(raster, levels_are_means)
{
    raster_make(FILE_A, 512, 384, LOCAL_MAP, gt_metres, wavy);
    for (int pass = 0; pass < 2; pass++) {
        if (pass) {
            int factors[2] = { 2, 4 };
            GDALDatasetH d = GDALOpen(FILE_A, GA_Update);
            cr_assert(GDALBuildOverviews(d, "AVERAGE", 2, factors, 0, NULL, NULL, NULL) == CE_None);
            GDALClose(d);
        }
        tyi_io_raster *raster = raster_open(FILE_A, NULL);
        TY_CHECK(tyi_io_raster_get_info(raster)->overviews == 2 * pass);
        for (int l = 1; l <= 4; l++) {
            int w, h, n = 1 << l;
            double ratio[2], mean = 0.0;
            TY_CHECK(tyi_io_raster_level(raster, l, &w, &h, ratio) && w == 512 >> l && h == 384 >> l && ratio[0] == n);
            for (int k = 0; k < n * n; k++) {
                mean += wavy(3 * n + k % n + 0.5, 5 * n + k / n + 0.5) / (n * n);
            }
            /* ground spacing is 10 m on the map but a little less on the ground: ask for what the level has */
            double spacing = tyi_io_raster_get_info(raster)->spacing * n;
            TY_NEAR(sample_pixel(raster, 3.5 * n, 5.5 * n, spacing), mean,
                    2e-5); /* float rounding at 100 m, and of the overviews */
            TY_FAR(sample_pixel(raster, 3.5 * n, 5.5 * n, 0.0), mean, 1e-3); /* control: level 0 */
        }
        int w, h;
        TY_CHECK(tyi_io_raster_level(raster, tyi_io_raster_get_info(raster)->levels - 1, &w, &h, NULL) && w == 1 &&
                 h == 1);
        tyi_io_raster_close(raster);
    }
    VSIUnlink(FILE_A);
}

/* Odd sides: a level's samples divide the width evenly. Means of a ramp then miss it by less than
 * 1/8 pixel of the next finer level (a sample that is cut in two counts at both sides with its one
 * height). */
static double ramp(double x, double y)
{
    return x + 1000.0 * y;
}

TY_TEST(raster, levels_of_odd_sides_stay_in_place)
{
    raster_make(FILE_A, 257, 131, LOCAL_MAP, gt_metres, ramp);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    for (int l = 1; l < 6; l++) {
        int w, h;
        double ratio[2];
        TY_CHECK(tyi_io_raster_level(raster, l, &w, &h, ratio));
        float row[200];
        tyi_io_raster_window window = { 0, 0, w, 1 };
        TY_CHECK(tyi_io_raster_read(raster, l, window, row, NULL) == TY_OK);
        for (int i = 0; i < w; i++) {
            double x = (double)row[i] - (double)row[0] + 0.5 * ratio[0];
            TY_NEAR(x, (i + 0.5) * ratio[0], 0.25);
        }
        TY_FAR((double)row[w - 1] - (double)row[0] + 0.5 * ratio[0], (w - 0.5) * exp2(l),
               0.25); /* control: ratio 2^l */
    }
    tyi_io_raster_close(raster);
    VSIUnlink(FILE_A);
}

/* ---- round the Moon ---- */

static double from_zero(double x, double y) /* 1 degree pixels, longitude 0..360 */
{
    return 1000.0 * sin(2.0 * x * TY_DEG) * cos((90.0 - y) * TY_DEG) + 300.0 * cos(x * TY_DEG);
}
static double from_west(double x, double y) /* -180..180 */
{
    return from_zero(x - 180.0, y);
}
static double moon(double lat, double lon)
{
    return 1000.0 * sin(2.0 * lon) * cos(lat) + 300.0 * cos(lon);
}

TY_TEST(raster, both_longitude_conventions_and_the_seam)
{
    const double gt_zero[6] = { 0.0, 1.0, 0.0, 90.0, 0.0, -1.0 }, gt_west[6] = { -180.0, 1.0, 0.0, 90.0, 0.0, -1.0 };
    raster_make(FILE_A, 360, 180, MOON_DEGREES, gt_zero, from_zero);
    raster_make(FILE_B, 360, 180, MOON_DEGREES, gt_west, from_west);
    tyi_io_raster *a = raster_open(FILE_A, NULL), *b = raster_open(FILE_B, NULL);
    TY_CHECK(tyi_io_raster_get_info(a)->wraps && tyi_io_raster_get_info(b)->wraps);
    uint64_t state = 5;
    for (int i = 0; i < 500; i++) {
        double lat = (raster_random(&state) - 0.5) * 170.0 * TY_DEG,
               lon = (raster_random(&state) * 900.0 - 400.0) * TY_DEG;
        /* third-order error of the spline: (2 deg in rad)^3 / 12 of 1000 m */
        TY_NEAR(sample(a, lat, lon, 0.0), moon(lat, lon), 5e-3);
        TY_NEAR(sample(b, lat, lon, 0.0), moon(lat, lon), 5e-3);
    }
    for (int k = 0; k < 40; k++) { /* fine steps over both seams, and at level 2, whose 4 degree
                                      samples are the same in both */
        double step = (k - 20) * 0.05 * TY_DEG;
        TY_NEAR(sample(a, 0.3, step, 0.0), moon(0.3, step), 5e-3);
        TY_NEAR(sample(b, 0.3, TY_PI + step, 0.0), moon(0.3, TY_PI + step), 5e-3);
        TY_NEAR(sample(a, 0.3, step, 4.1 * 30323.0), sample(b, 0.3, step, 4.1 * 30323.0), 2e-4);
    }
    TY_FAR(moon(0.3, 0.5 * TY_DEG), moon(0.3, 0.0), 1.0); /* control: the seam held at its last sample */
    /* poles: last row, finite, at any longitude */
    for (int k = 0; k < 8; k++) {
        TY_CHECK(isfinite(sample(a, 0.5 * TY_PI, k, 0.0)) && isfinite(sample(b, -0.5 * TY_PI, k, 0.0)));
    }
    TY_CHECK(isnan(sample(a, 0.5 * TY_PI + 0.01, 0.0, 0.0)));
    tyi_io_raster_close(a);
    tyi_io_raster_close(b);
    VSIUnlink(FILE_A);
    VSIUnlink(FILE_B);
}

/* A crop across the seam is one window, and its heights are those of the place. */
TY_TEST(raster, crop_across_the_seam)
{
    const double gt[6] = { 0.0, 1.0, 0.0, 90.0, 0.0, -1.0 };
    raster_make(FILE_A, 360, 180, MOON_DEGREES, gt, from_zero);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    tyi_io_raster_window w;
    TY_CHECK(tyi_io_raster_crop(raster, -10 * TY_DEG, 20 * TY_DEG, 350 * TY_DEG, 15 * TY_DEG, &w, NULL) == TY_OK);
    TY_CHECK(w.width == 25 && w.height == 30 && (w.x == -10 || w.x == 350) && w.y == 70);
    char out[64];
    snprintf(out, sizeof out, "/tmp/tycho-crop-%d.tif", (int)getpid());
    TY_CHECK(tyi_io_raster_write(raster, w, out, NULL, NULL, NULL) == TY_OK);
    tyi_io_raster *crop = raster_open(out, NULL);
    for (int k = -8; k < 13; k++) {
        TY_NEAR(sample(crop, 0.05, k * TY_DEG, 0.0), moon(0.05, k * TY_DEG), 5e-3);
    }
    TY_CHECK(isnan(sample(crop, 0.05, 20 * TY_DEG, 0.0)));
    ty_diag diag = { 0 };
    TY_CHECK(tyi_io_raster_crop(crop, 40 * TY_DEG, 50 * TY_DEG, 0, 0.1, &w, &diag) == TY_ERR_RANGE);
    TY_CHECK(strstr(diag.text, "outside") != NULL);
    tyi_io_raster_close(crop);
    tyi_io_raster_close(raster);
    unlink(out);
    VSIUnlink(FILE_A);
}

/* ---- holes ---- */

static double plane_with_holes(double x, double y)
{
    bool hole =
        (hypot(x - 150.0, y - 120.0) < 40.0) || (x > 280.0 && y > 200.0) || (x > 20 && x < 21 && y > 30 && y < 31);
    return hole ? (double)NAN : 200.0 + 0.5 * x - 0.25 * y;
}

TY_TEST(raster, holes_are_reported_and_filled)
{
    raster_make(FILE_A, 320, 240, LOCAL_MAP, gt_metres, plane_with_holes);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    ty_raster_stats stats, written;
    TY_CHECK(tyi_io_raster_scan(raster, NULL, &stats, NULL) == TY_OK);
    double holes = 0.0;
    for (int k = 0; k < 320 * 240; k++) {
        holes += isnan(plane_with_holes(k % 320 + 0.5, k / 320 + 0.5));
    }
    TY_NEAR(stats.missing, holes, 0.0);
    TY_CHECK(isnan(sample_pixel(raster, 150.0, 120.0, 0.0)));
    TY_CHECK(isfinite(sample_pixel(raster, 20.5, 29.5, 0.0))); /* a sample beside a hole keeps its height */
    TY_NEAR(sample_pixel(raster, 20.5, 29.5, 0.0), plane_with_holes(20.5, 29.5), 1e-4);
    char out[64];
    snprintf(out, sizeof out, "/tmp/tycho-holes-%d.tif", (int)getpid());
    TY_CHECK(tyi_io_raster_write(raster, (tyi_io_raster_window){ 0, 0, 320, 240 }, out, NULL, &written, NULL) == TY_OK);
    TY_NEAR(written.missing, holes, 0.0);
    tyi_io_raster *filled = raster_open(out, NULL);
    static float h[320 * 240];
    TY_CHECK(tyi_io_raster_read(filled, 0, (tyi_io_raster_window){ 0, 0, 320, 240 }, h, NULL) == TY_OK);
    double inside = 0.0, corner = 0.0;
    for (int k = 0; k < 320 * 240; k++) {
        double x = k % 320 + 0.5, y = k / 320 + 0.5, want = plane_with_holes(x, y), plane = 200.0 + 0.5 * x - 0.25 * y;
        TY_CHECK(isfinite(h[k]));
        if (!isnan(want)) {
            TY_NEAR((double)h[k], want, 2e-5); /* untouched, but for float */
        } else if (x < 280.0) {
            inside = fmax(inside, fabs((double)h[k] - plane));
        } else {
            corner = fmax(corner, fabs((double)h[k] - plane));
        }
    }
    printf("plane under a hole of 80 pixels: off by %.2f m of 45 m; open corner of 40 pixels: %.2f "
           "m\n",
           inside, corner);
    TY_NEAR(inside, 0.0, 12.0); /* the plane falls 45 m across the hole: filling by its mean would be off by 22 */
    TY_FAR(inside, 0.0, 1e-6);  /* control: it is a guess, and was looked at */
    tyi_io_raster_close(filled);
    tyi_io_raster_close(raster);
    unlink(out);
    VSIUnlink(FILE_A);
}

static double nothing(double x, double y)
{
    (void)x;
    (void)y;
    return NAN;
}

TY_TEST(raster, nothing_but_holes_is_refused)
{
    raster_make(FILE_A, 40, 40, LOCAL_MAP, gt_metres, nothing);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    char out[64];
    snprintf(out, sizeof out, "/tmp/tycho-none-%d.tif", (int)getpid());
    ty_diag diag = { 0 };
    TY_CHECK(tyi_io_raster_write(raster, (tyi_io_raster_window){ 0, 0, 40, 40 }, out, NULL, NULL, &diag) ==
             TY_ERR_FORMAT);
    TY_CHECK(strstr(diag.text, "no height") != NULL);
    TY_CHECK(access(out, F_OK) != 0);
    tyi_io_raster_close(raster);
    VSIUnlink(FILE_A);
}

/* ---- the cache ---- */

typedef struct crowd {
    tyi_io_raster *raster;
    const double *lat, *lon;
    double *height;
} crowd;

static void crowd_job(void *user, size_t i, int worker)
{
    (void)worker;
    crowd *c = user;
    tyi_io_raster_sample(c->raster, 50, c->lat + 50 * i, c->lon + 50 * i, 0.0, c->height + 50 * i, NULL);
}

/* A raster of 30 blocks through a cache of 3: the same bits on 1 and 4 threads, and memory stays in its bound. */
TY_TEST(raster, cache_is_bounded_and_does_not_change_heights)
{
    enum { N = 4000 };
    static double lat[N], lon[N], x[N], y[N], one[N], four[N], roomy[N];
    raster_make(FILE_A, 1536, 1280, LOCAL_MAP, gt_metres, wavy);
    const size_t block = 259 * 259 * sizeof(float);
    tyi_io_raster_def def = tyi_io_raster_def_default();
    tyi_io_raster *big = raster_open(FILE_A, &def);
    def.cache_bytes = 3 * block;
    tyi_io_raster *small = raster_open(FILE_A, &def);
    uint64_t state = 77;
    for (int i = 0; i < N; i++) { /* runs of 50 near each other, as a tile asks */
        bool jump = i % 50 == 0;
        x[i] = jump ? 20.0 + 1490.0 * raster_random(&state) : x[i - 1] + 8.0 * (raster_random(&state) - 0.5);
        y[i] = jump ? 20.0 + 1240.0 * raster_random(&state) : y[i - 1] + 8.0 * (raster_random(&state) - 0.5);
    }
    TY_CHECK(tyi_io_raster_place(big, N, x, y, lat, lon, NULL) == TY_OK);
    TY_CHECK(tyi_io_raster_sample(big, N, lat, lon, 0.0, roomy, NULL) == TY_OK);
    crowd c = { small, lat, lon, one };
    tyi_tasks_for(1, N / 50, crowd_job, &c);
    ty_raster_cache_stats stats = tyi_io_raster_cache(small);
    TY_CHECK(stats.peak_bytes <= 3 * block + 5 * block);
    TY_CHECK(stats.bytes <= 3 * block);
    TY_CHECK(stats.loads > 30); /* control: it did have to throw away */
    TY_CHECK(tyi_io_raster_cache(big).loads <= 30);
    c.height = four;
    tyi_tasks_for(4, N / 50, crowd_job, &c);
    stats = tyi_io_raster_cache(small);
    printf("cache of 3 blocks, 4 threads: %zu blocks at most, %llu loads; roomy cache: %llu loads\n",
           stats.peak_bytes / block, (unsigned long long)stats.loads,
           (unsigned long long)tyi_io_raster_cache(big).loads);
    TY_CHECK(stats.peak_bytes <= 3 * block + 4 * 5 * block);
    TY_CHECK(memcmp(one, four, sizeof one) == 0);
    TY_CHECK(memcmp(one, roomy, sizeof one) == 0);
    TY_NEAR(one[7], wavy(x[7], y[7]), 0.2);
    tyi_io_raster_close(big);
    tyi_io_raster_close(small);
    VSIUnlink(FILE_A);
}

/* ---- reference systems ---- */

TY_TEST(raster, earth_datum_is_taken_as_lunar)
{
    const double gt[6] = { 10.0, 0.1, 0.0, -20.0, 0.0, -0.1 };
    raster_make(FILE_A, 50, 40, "EPSG:4326", gt, wavy);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    TY_CHECK(strstr(tyi_io_raster_get_info(raster)->note, "taken as lunar") != NULL);
    TY_NEAR(sample(raster, -20.05 * TY_DEG, 10.05 * TY_DEG, 0.0), wavy(0.5, 0.5), 1e-5);
    TY_NEAR(tyi_io_raster_get_info(raster)->step_y, 0.1 * TY_DEG * TY_MOON_RADIUS, 0.1);
    tyi_io_raster_close(raster);
    /* metres of an Earth-sized world do not fit on the Moon */
    const double wide[6] = { -20037508.0, 40075.0, 0.0, 10018754.0, 0.0, -40075.0 };
    raster_make(FILE_A, 1000, 500, "+proj=eqc +datum=WGS84 +units=m", wide, wavy);
    ty_diag diag = { 0 };
    tyi_io_raster_def def = tyi_io_raster_def_default();
    TY_CHECK(tyi_io_raster_open(FILE_A, &def, &raster, &diag) == TY_ERR_FORMAT && raster == NULL);
    TY_CHECK(strstr(diag.text, "past the pole") != NULL);
    VSIUnlink(FILE_A);
}

TY_TEST(raster, no_reference_system)
{
    const double degrees[6] = { 350.0, 0.5, 0.0, 10.0, 0.0, -0.5 };
    raster_make(FILE_A, 40, 40, NULL, degrees, wavy); /* 350 to 370 deg east */
    ty_diag diag = { 0 };
    tyi_io_raster_def def = tyi_io_raster_def_default();
    tyi_io_raster *raster = NULL;
    TY_CHECK(tyi_io_raster_open(FILE_A, &def, &raster, &diag) == TY_ERR_INPUT); /* 370: cannot be degrees */
    const double fine[6] = { 340.0, 0.5, 0.0, 10.0, 0.0, -0.5 };
    raster_make(FILE_A, 40, 40, NULL, fine, wavy);
    raster = raster_open(FILE_A, NULL);
    TY_CHECK(strstr(tyi_io_raster_get_info(raster)->note, "latitude and longitude") != NULL);
    TY_NEAR(sample(raster, 9.75 * TY_DEG, -19.75 * TY_DEG, 0.0), wavy(0.5, 0.5), 1e-5);
    tyi_io_raster_close(raster);
    /* nothing at all: a sentence; then placed by the caller, at a pole */
    raster_make(FILE_A, 40, 40, NULL, NULL, wavy);
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_io_raster_open(FILE_A, &def, &raster, &diag) == TY_ERR_INPUT);
    TY_CHECK(strstr(diag.text, "pixel size") != NULL);
    def.pixel = 30.0;
    def.lat = -90.0 * TY_DEG;
    def.lon = 0.0;
    raster = raster_open(FILE_A, &def);
    TY_NEAR(sample(raster, -90.0 * TY_DEG, 1.0, 0.0), sample_pixel(raster, 20.0, 20.0, 0.0), 1e-6);
    /* orthographic: 300 m from the pole along longitude 0 is up (+y), 10 pixels */
    TY_NEAR(sample(raster, -acos(300.0 / TY_MOON_RADIUS), 0.0, 0.0), sample_pixel(raster, 20.0, 10.0, 0.0), 1e-6);
    TY_NEAR(tyi_io_raster_get_info(raster)->spacing, 30.0, 1e-6);
    TY_CHECK(tyi_io_raster_get_info(raster)->lat_min == -0.5 * TY_PI);
    tyi_io_raster_close(raster);
    VSIUnlink(FILE_A);
}

/* Radii and kilometres, as LOLA's float products store them. */
TY_TEST(raster, radii_in_kilometres_become_heights)
{
    raster_make(FILE_A, 20, 20, LOCAL_MAP, gt_metres, wavy);
    GDALDatasetH d = GDALOpen(FILE_A, GA_Update);
    GDALSetRasterOffset(GDALGetRasterBand(d, 1), 1737.4);
    GDALClose(d);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    TY_NEAR(sample_pixel(raster, 5.5, 5.5, 0.0), 1000.0 * wavy(5.5, 5.5), 1e-2);
    tyi_io_raster_close(raster);
    VSIUnlink(FILE_A);
}

/* Masks hide samples, as alpha bands of pictures do. */
TY_TEST(raster, alpha_hides_samples)
{
    GDALAllRegister();
    GDALDatasetH d = GDALCreate(GDALGetDriverByName("GTiff"), FILE_A, 8, 8, 2, GDT_Byte, NULL);
    GDALSetRasterColorInterpretation(GDALGetRasterBand(d, 2), GCI_AlphaBand);
    double gt[6];
    memcpy(gt, gt_metres, sizeof gt);
    GDALSetGeoTransform(d, gt);
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    OSRImportFromProj4(srs, LOCAL_MAP);
    GDALSetSpatialRef(d, srs);
    OSRDestroySpatialReference(srs);
    unsigned char grey[64], alpha[64];
    memset(grey, 9, sizeof grey);
    memset(alpha, 255, sizeof alpha);
    alpha[10] = 0;
    cr_assert(GDALRasterIO(GDALGetRasterBand(d, 1), GF_Write, 0, 0, 8, 8, grey, 8, 8, GDT_Byte, 0, 0) == CE_None);
    cr_assert(GDALRasterIO(GDALGetRasterBand(d, 2), GF_Write, 0, 0, 8, 8, alpha, 8, 8, GDT_Byte, 0, 0) == CE_None);
    GDALClose(d);
    tyi_io_raster *raster = raster_open(FILE_A, NULL);
    float h[64];
    TY_CHECK(tyi_io_raster_read(raster, 0, (tyi_io_raster_window){ 0, 0, 8, 8 }, h, NULL) == TY_OK);
    for (int i = 0; i < 64; i++) {
        TY_CHECK(i == 10 ? isnan(h[i]) : h[i] == 9.0f);
    }
    tyi_io_raster_close(raster);
    VSIUnlink(FILE_A);
}

/* A definition that was not started from its default, and allocations that fail: a status, no crash, no leak. */
typedef struct meagre {
    int left;
} meagre;
static void *meagre_get(size_t bytes, void *user)
{
    meagre *m = user;
    return m->left-- > 0 ? malloc(bytes) : NULL;
}
static void meagre_put(void *memory, size_t bytes, void *user)
{
    (void)bytes;
    (void)user;
    free(memory);
}

TY_TEST(raster, every_allocation_may_fail)
{
    raster_make(FILE_A, 300, 300, LOCAL_MAP, gt_metres, plane_with_holes);
    tyi_io_raster *raster = NULL;
    tyi_io_raster_def zero = { 0 };
    TY_CHECK(tyi_io_raster_open(FILE_A, &zero, &raster, NULL) == TY_ERR_DEF);
    bool done = false;
    int tries = 0;
    for (; !done && tries < 200; tries++) {
        meagre m = { tries };
        ty_alloc alloc = { meagre_get, meagre_put, &m };
        tyi_io_raster_def def = tyi_io_raster_def_default();
        def.alloc = &alloc;
        ty_diag diag = { 0 };
        ty_status status = tyi_io_raster_open(FILE_A, &def, &raster, &diag);
        if (status == TY_OK) {
            double x[2] = { 10, 290 }, y[2] = { 10, 290 }, lat[2], lon[2], h[2];
            ty_raster_stats stats;
            tyi_io_raster_place(raster, 2, x, y, lat, lon, NULL);
            status = tyi_io_raster_sample(raster, 2, lat, lon, 80.0, h, &diag);
            status = status == TY_OK ? tyi_io_raster_scan(raster, NULL, &stats, &diag) : status;
            tyi_io_raster_close(raster);
        }
        TY_CHECK(status == TY_OK || (status == TY_ERR_MEMORY && diag.text[0]));
        done = status == TY_OK;
    }
    TY_CHECK(done && tries > 10);
    VSIUnlink(FILE_A);
}
