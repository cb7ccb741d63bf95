/* The generated ground as a raster: what is written is the ground, at the right places, and can be stood on again.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "k_philox.h"
#include "tyt.h"
#include "tycho/world.h"
#include "io/rasters.h"

static double uniform(uint32_t i, int word)
{
    return ty_k_uniform(ty_k_philox(i, 0, 0, 0, 5, TY_RNG_TEST).v[word]);
}

static ty_terrain *make(ty_terrain_def def)
{
    ty_terrain *t = NULL;
    ty_diag diag = { 0 };
    cr_assert(ty_terrain_create(&def, &t, &diag) == TY_OK, "%s", diag.text);
    return t;
}

TY_TEST(export, raster_holds_the_ground, .timeout = 60)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.lat = -89.45 * TY_DEG;
    def.lon = 222.7 * TY_DEG;
    def.relief = (ty_relief_def){ .rms_slope_deg = 7.5, .baseline = 400.0, .hurst = 0.94, .outer = 5000.0 };
    ty_terrain *t = make(def);
    ty_world_export_def out = ty_world_export_def_default();
    out.x = 2000.0, out.y = -3000.0, out.size = 640.0, out.spacing = 0.64; /* level 6 as it is */
    ty_diag diag = { 0 };
    ty_raster_stats stats;
    cr_assert(ty_terrain_write(t, &out, "ground.tif", NULL, &stats, &diag) == TY_OK, "%s", diag.text);
    tyi_io_raster *r = NULL;
    tyi_io_raster_def open = tyi_io_raster_def_default();
    cr_assert(tyi_io_raster_open("ground.tif", &open, &r, &diag) == TY_OK, "%s", diag.text);
    const tyi_io_raster_info *info = tyi_io_raster_get_info(r);
    TY_CHECK(info->width == 1000 && info->height == 1000 && stats.samples == 1e6);
    TY_NEAR_REL(info->spacing, 0.64, 1e-5); /* on the sphere, 3.6 km from the site, a little more */
    const ty_site *site = ty_terrain_site(t);
    double worst = 0.0, beside = 0.0;
    for (uint32_t i = 0; i < 1000; i++) {
        double x = (int)(uniform(i, 0) * 1000) + 0.5, y = (int)(uniform(i, 1) * 1000) + 0.5, lat, lon, h, z, z_beside;
        tyi_io_raster_place(r, 1, &x, &y, &lat, &lon, NULL);
        tyi_io_raster_sample(r, 1, &lat, &lon, 0.0, &h, NULL);
        ty_vec3 p = ty_site_point(site, lat, lon, h);
        double next = p.x + 0.64;
        ty_terrain_sample(t, 6, 1, &p.x, &p.y, &z, NULL, NULL);
        ty_terrain_sample(t, 6, 1, &next, &p.y, &z_beside, NULL, NULL);
        worst = fmax(worst, fabs(z - p.z));
        beside = fmax(beside, fabs(z_beside - p.z));
    }
    printf("export: heights of 1000 samples differ by %.2g m at most (a sample beside: %.2g m)\n", worst, beside);
    TY_NEAR(worst, 0.0, 5e-5); /* float rounding of some 500 m: 3e-5 m */
    TY_FAR(beside, 0.0, 0.05); /* control: one sample to the east */
    tyi_io_raster_close(r);
    ty_terrain_destroy(t);
    unlink("ground.tif");
    TY_ROW("ground written as GeoTIFF and read back within 5e-5 m", "the ground itself, 1000 samples", "worst %.1e m",
           worst);
}

/* A site that stands on the written raster has the same ground, between samples too. */
TY_TEST(export, a_site_on_the_raster_has_the_same_ground, .timeout = 60)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.lat = 26.1 * TY_DEG;
    def.lon = 3.6 * TY_DEG;
    def.crater.on = def.rock.on = false;
    ty_terrain *t = make(def);
    ty_world_export_def out = ty_world_export_def_default();
    out.size = 400.0 * 1.28, out.spacing = 1.28;
    out.x = out.y = 0.64; /* so that the raster's samples are samples of level 7 */
    cr_assert(ty_terrain_write(t, &out, "base.tif", NULL, NULL, NULL) == TY_OK);
    tyi_io_raster *r = NULL;
    tyi_io_raster_def open = tyi_io_raster_def_default();
    cr_assert(tyi_io_raster_open("base.tif", &open, &r, NULL) == TY_OK);
    def.base = tyi_io_raster_base(r);
    def.relief.rms_slope_deg = 0.0;
    ty_terrain *again = make(def);
    double worst = 0.0;
    double beside = 0.0;
    for (uint32_t i = 0; i < 1000; i++) {
        double x = 480.0 * (uniform(i, 2) - 0.5), y = 480.0 * (uniform(i, 3) - 0.5), a, b, c, east = x + 1.28;
        ty_terrain_sample(t, 7, 1, &x, &y, &a, NULL, NULL);
        ty_terrain_sample(again, 7, 1, &x, &y, &b, NULL, NULL);
        ty_terrain_sample(again, 7, 1, &east, &y, &c, NULL, NULL);
        worst = fmax(worst, fabs(a - b));
        beside = fmax(beside, fabs(a - c));
    }
    printf("export: ground over the written raster differs by %.2g m at most\n", worst);
    TY_NEAR(worst, 0.0, 1e-3); /* places grow with the height: 250 m / R * 10 m, times slopes of up to 0.5 */
    TY_FAR(beside, 0.0, 0.05); /* control: one sample to the east */
    ty_terrain_destroy(again);
    ty_terrain_destroy(t);
    tyi_io_raster_close(r);
    unlink("base.tif");
}

/* A trench and a heap that are edited in: the files before and after differ by them and nothing else, sample by
 * sample, and lie where the terrain has them. Too many samples: a coarser level. */
TY_TEST(export, before_and_after_differ_by_the_edits, .timeout = 60)
{
    enum { N = 60 };
    static float change[N * N], want[300 * 300], before[300 * 300], after[300 * 300];
    ty_terrain_def def = ty_terrain_def_default();
    def.lat = -84.0 * TY_DEG, def.lon = 222.7 * TY_DEG;
    ty_terrain *t = make(def);
    ty_world_edits_report r;
    ty_diag diag = { 0 };
    cr_assert(ty_terrain_write_edits(t, 1000000, "b.tif", "a.tif", &r, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(r.width == 0 && access("b.tif", F_OK) != 0 && access("a.tif", F_OK) != 0); /* nothing was edited */
    for (int k = 0; k < N * N; k++) {
        change[k] = (float)(k % N < N / 2 ? -0.03 : 0.01) * (float)uniform((uint32_t)k, 1);
    }
    ty_edit edit = { .i0 = 100, .j0 = -70, .nx = N, .ny = N, .change = change };
    cr_assert(ty_terrain_edit(t, &edit, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_terrain_write_edits(t, 1000000, "b.tif", "a.tif", &r, &diag) == TY_OK, "%s", diag.text);
    double d = ty_terrain_spacing(t, def.edit_level);
    int32_t i0 = (int32_t)lrint(r.rect.x0 / d + 0.5), j0 = (int32_t)lrint(r.rect.y0 / d + 0.5);
    cr_assert(r.spacing == d && r.width <= 300 && r.height <= 300 && i0 < 100 && j0 < -70 && i0 + r.width > 100 + N &&
              j0 + r.height > N - 70);
    TY_CHECK(r.lowest < -0.029 && r.lowest >= -0.03 && r.highest > 0.009 && r.highest <= 0.01);
    ty_terrain_edits(t, def.edit_level, i0, j0, r.width, r.height, want, NULL);
    tyi_io_raster_def open = tyi_io_raster_def_default();
    for (int k = 0; k < 2; k++) {
        tyi_io_raster *file = NULL;
        cr_assert(tyi_io_raster_open(k ? "a.tif" : "b.tif", &open, &file, &diag) == TY_OK, "%s", diag.text);
        TY_CHECK(tyi_io_raster_get_info(file)->width == r.width && tyi_io_raster_get_info(file)->height == r.height);
        tyi_io_raster_read(file, 0, (tyi_io_raster_window){ 0, 0, r.width, r.height }, k ? after : before, NULL);
        double x = 0.5, y = 0.5, lat, lon; /* the north-west corner's sample lies where the terrain has it */
        tyi_io_raster_place(file, 1, &x, &y, &lat, &lon, NULL);
        ty_vec3 p = ty_site_point(ty_terrain_site(t), lat, lon, 0.0);
        TY_NEAR(p.x, i0 * d, 1e-6);
        TY_NEAR(p.y, (j0 + r.height - 1) * d, 1e-6);
        tyi_io_raster_close(file);
    }
    double worst = 0.0, beside = 0.0;
    for (int row = 0; row < r.height; row++) {
        for (int i = 0; i + 1 < r.width; i++) { /* files start in the north */
            size_t f = (size_t)row * (size_t)r.width + (size_t)i,
                   at = (size_t)(r.height - 1 - row) * (size_t)r.width + (size_t)i;
            worst = fmax(worst, fabs((double)after[f] - (double)before[f] - (double)want[at]));
            beside = fmax(beside, fabs((double)after[f] - (double)before[f] - (double)want[at + 1]));
        }
    }
    printf("export: after - before differs from the edits by %.2g m at most (a sample beside: %.2g m)\n", worst,
           beside);
    /* heights h move places by h / R, 1e-4 m at 3 m from the site: up to 1.5 times that where neighbours differ by 3
     * cm */
    TY_NEAR(worst, 0.0, 2e-4);
    TY_FAR(beside, 0.0, 0.01); /* control */
    cr_assert(ty_terrain_write_edits(t, 4000, "b.tif", "a.tif", &r, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(r.width * r.height <= 4000 && r.spacing > d);
    ty_terrain_destroy(t);
    unlink("a.tif");
    unlink("b.tif");
}

TY_TEST(export, wrong_squares_get_a_sentence)
{
    ty_terrain *t = make(ty_terrain_def_default());
    ty_world_export_def def = ty_world_export_def_default();
    ty_diag diag = { 0 };
    def.size = 1e5, def.spacing = 0.5;
    TY_CHECK(ty_terrain_write(t, &def, "x.tif", NULL, NULL, &diag) == TY_ERR_RANGE &&
             strstr(diag.text, "200000 x 200000"));
    def = (ty_world_export_def){ 0 };
    TY_CHECK(ty_terrain_write(t, &def, "x.tif", NULL, NULL, NULL) == TY_ERR_DEF);
    def = ty_world_export_def_default();
    def.spacing = NAN;
    TY_CHECK(ty_terrain_write(t, &def, "x.tif", NULL, NULL, NULL) == TY_ERR_RANGE);
    TY_CHECK(access("x.tif", F_OK) != 0);
    ty_terrain_destroy(t);
}

/* Ruts 20 km from the origin, 3 km above the sphere: what heights move places by is asked of the ground there, not of all the Moon. */
static ty_status high_ground(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                             ty_diag *diag)
{
    (void)user, (void)lat, (void)lon, (void)spacing, (void)diag;
    for (size_t i = 0; i < n; i++) {
        height[i] = 3000.0;
    }
    return TY_OK;
}

TY_TEST(export, ruts_far_from_the_origin, .timeout = 60)
{
    enum { N = 40 };
    static float change[N * N], read[400 * 400], want[400 * 400];
    ty_terrain_def def = ty_terrain_def_default();
    def.base = (ty_terrain_base){ .sample = high_ground, .spacing = 100.0 };
    def.extent = 50e3;
    def.crater.on = def.rock.on = false;
    ty_terrain *t = make(def);
    ty_world_edits_report r;
    ty_diag diag = { 0 };
    for (int k = 0; k < N * N; k++) {
        change[k] = -0.05f;
    }
    ty_edit edit = { .i0 = 1000000, .j0 = -600000, .nx = N, .ny = N, .change = change };
    cr_assert(ty_terrain_edit(t, &edit, &diag) == TY_OK, "%s", diag.text);
    cr_assert(ty_terrain_write_edits(t, 4000000, "b.tif", "a.tif", &r, &diag) == TY_OK, "%s", diag.text);
    cr_assert(r.width <= 400 && r.height <= 400);
    /* heights in the file are those of the ground at places that their height has moved outwards */
    tyi_io_raster *file = NULL;
    tyi_io_raster_def open = tyi_io_raster_def_default();
    cr_assert(tyi_io_raster_open("b.tif", &open, &file, &diag) == TY_OK, "%s", diag.text);
    tyi_io_raster_read(file, 0, (tyi_io_raster_window){ 0, 0, r.width, r.height }, read, NULL);
    tyi_io_raster_close(file);
    double worst = 0.0, unmoved = 0.0;
    ty_terrain *bare = make(def);
    for (int k = 0; k < r.width * r.height; k++) {
        double x = r.rect.x0 + (k % r.width + 0.5) * r.spacing, y = r.rect.y1 - (k / r.width + 0.5) * r.spacing, lat,
               lon;
        double h = 0.0, h0 = 0.0;
        for (int round = 0; round < 5; round++) {
            double grown = 1.0 + h / def.radius, px = grown * x, py = grown * y, z;
            ty_terrain_sample(bare, def.edit_level, 1, &px, &py, &z, NULL, NULL);
            ty_site_geodetic(ty_terrain_site(t), ty_vec3_make(px, py, z), &lat, &lon, &h);
            h0 = round ? h0 : h;
        }
        want[k] = (float)h;
        worst = fmax(worst, fabs((double)(read[k] - want[k])));
        unmoved = fmax(unmoved, fabs((double)read[k] - h0));
    }
    printf("export: 23 km out, heights differ by %.2g m, by %.2g m where they are not moved\n", worst, unmoved);
    TY_NEAR(worst, 0.0, 2e-3);  /* float of 3 km, and of the patch */
    TY_FAR(unmoved, 0.0, 2e-2); /* control: 35 m beside */
    ty_terrain_destroy(bare);
    ty_terrain_destroy(t);
    unlink("a.tif"), unlink("b.tif");
}
