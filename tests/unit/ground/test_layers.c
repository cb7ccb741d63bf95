/* Rasters laid over each other: what each shows where it lies, and that the ground has no step where one ends.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "planet_support.h"
#include "io/rasters.h"
#include "world/terrain/inner.h"

#define GLOBAL    "data/gld100/gld100_global_16ppd.tif"
#define POLAR     "data/gld100/south_pole_80S_400m.tif"
#define SHOEMAKER "data/southpole/Shoemaker_final_adj_5mpp_surf_1k.tif"

static char paths[3][512];

static ty_world *shoemaker(void)
{
    static const char *const names[3] = { GLOBAL, POLAR, SHOEMAKER };
    for (int k = 0; k < 3; k++) {
        const char *path = tyt_shared(names[k]);
        if (!path) {
            return NULL;
        }
        snprintf(paths[k], sizeof paths[k], "%s", path);
    }
    return moon_over(-87.1835, 62.833, (const char *const[]){ paths[0], paths[1], paths[2], NULL });
}

/* In the middle of a raster the ground is that raster's: compared with the heights that the file has, read by itself.
 * */
TY_TEST(layers, each_raster_where_it_lies, .timeout = 120)
{
    ty_world *world = shoemaker();
    if (!world) {
        cr_skip("shared/data is absent");
    }
    ty_terrain *t = ty_world_terrain(world);
    const ty_site *site = ty_terrain_site(t);
    static const struct {
        double from, to, spacing;
    } where[3] = { /* [m] distances from the site; level to look at */
                   { 9e5, 2e6, 4000.0 },
                   { 4e4, 1.2e5, 800.0 },
                   { 0.0, 300.0, 5.0 }
    };
    for (int k = 0; k < 3; k++) {
        tyi_io_raster_def def = tyi_io_raster_def_default();
        tyi_io_raster *raster = NULL;
        cr_assert(tyi_io_raster_open(paths[k], &def, &raster, NULL) == TY_OK);
        double sum = 0.0, other = 0.0;
        enum { N = 64 };
        for (int i = 0; i < N; i++) {
            double s = where[k].from + (where[k].to - where[k].from) * (i + 0.5) / N, a = 2.39996 * i, lat, lon, height,
                   want, beside, unused;
            ty_vec3 p = tyi_terrain_point(t, s * cos(a), s * sin(a), 0.0);
            height = ground_height(t, ty_terrain_level(t, where[k].spacing), p);
            ty_site_geodetic(site, p, &lat, &lon, &unused);
            cr_assert(tyi_io_raster_sample(raster, 1, &lat, &lon, where[k].spacing, &want, NULL) == TY_OK);
            lat += 10.0 * where[k].spacing / TY_MOON_RADIUS;
            cr_assert(tyi_io_raster_sample(raster, 1, &lat, &lon, where[k].spacing, &beside, NULL) == TY_OK);
            sum += fabs(height - want) / N;
            other += isnan(beside) ? 0.0 : fabs(height - beside) / N;
        }
        printf(
            "layers: %g to %g km from the site: mean difference from the raster %.2f m (10 samples beside: %.1f m)\n",
            where[k].from / 1e3, where[k].to / 1e3, sum, other);
        TY_CHECK(sum < 0.1 * other); /* not 0: relief fills what the raster's smoothing took */
        tyi_io_raster_close(raster);
    }
    ty_world_destroy(world);
}

/* Lines across the rims of both finer rasters: where they cross, second differences of height are no larger than
 * elsewhere on them. Rasters side by side would leave cliffs. */
TY_TEST(layers, no_step_at_a_rim, .timeout = 120)
{
    ty_world *world = shoemaker();
    if (!world) {
        cr_skip("shared/data is absent");
    }
    ty_terrain *t = ty_world_terrain(world);
    for (int k = 1; k < 3; k++) {
        tyi_io_raster *fine = NULL, *coarse = NULL;
        tyi_io_raster_def def = tyi_io_raster_def_default();
        cr_assert(tyi_io_raster_open(paths[k], &def, &fine, NULL) == TY_OK &&
                  tyi_io_raster_open(paths[k - 1], &def, &coarse, NULL) == TY_OK);
        const tyi_io_raster_info *info = tyi_io_raster_get_info(fine);
        int level = ty_terrain_level(t, info->spacing);
        double at = 0.0, elsewhere = 0.0, cliff = 0.0, square = 0.0;
        enum { LINES = 24, HALF = 20 };
        for (int i = 0; i < LINES; i++) {
            double h[3] = { NAN, NAN, NAN }, u = (i / 4 + 0.5) / (LINES / 4);
            for (int s = -HALF; s <= HALF; s++) {
                double x = i % 4 == 0 ? s : i % 4 == 1 ? info->width + s : u * info->width;
                double y = i % 4 == 2 ? s : i % 4 == 3 ? info->height + s : u * info->height, lat, lon, a, b;
                cr_assert(tyi_io_raster_place(fine, 1, &x, &y, &lat, &lon, NULL) == TY_OK);
                h[0] = h[1], h[1] = h[2];
                h[2] = ground_height(t, level, ty_site_point(ty_terrain_site(t), lat, lon, 0.0));
                double bend = fabs(h[2] - 2.0 * h[1] + h[0]);
                *(abs(s - 1) <= 1 ? &at : &elsewhere) =
                    fmax(abs(s - 1) <= 1 ? at : elsewhere, isnan(bend) ? 0.0 : bend);
                square += isnan(bend) ? 0.0 : bend * bend / (LINES * (2 * HALF - 1));
                if (s == 0) {
                    cr_assert(tyi_io_raster_sample(fine, 1, &lat, &lon, 0.0, &a, NULL) == TY_OK &&
                              tyi_io_raster_sample(coarse, 1, &lat, &lon, 0.0, &b, NULL) == TY_OK);
                    cliff = fmax(cliff, fabs(a - b));
                }
            }
        }
        printf(
            "layers: rim of %s: second differences over %.0f m: %.2f m at the rim, %.2f m elsewhere, rms %.2f m; side by side a cliff of %.1f m\n",
            strrchr(paths[k], '/') + 1, info->spacing, at, elsewhere, sqrt(square), cliff);
        char claim[160];
        snprintf(claim, sizeof claim, "no step at the rim of %s: bends over %.0f m no larger than elsewhere",
                 strrchr(paths[k], '/') + 1, info->spacing);
        TY_ROW(claim, "second differences of the ground",
               "%.2f m at the rim, %.2f m elsewhere; side by side a cliff of %.1f m", at, elsewhere, cliff);
        TY_CHECK(at <= elsewhere);
        TY_CHECK(cliff > 2.0 * sqrt(square)); /* control: rasters side by side would be seen */
        tyi_io_raster_close(fine);
        tyi_io_raster_close(coarse);
    }
    ty_world_destroy(world);
}

/* the same place asked in blocks of different size and place has the same bits, layers and all */
TY_TEST(layers, same_bits_in_any_block)
{
    ty_world *world = shoemaker();
    if (!world) {
        cr_skip("shared/data is absent");
    }
    ty_terrain *t = ty_world_terrain(world);
    static float big[64 * 64], small[7 * 5];
    static const double spacing[3] = { 1.28, 41.0, 1400.0 };
    for (int k = 0; k < 3; k++) {
        int level = ty_terrain_level(t, spacing[k]);
        int32_t i0 = (int32_t)(600.0 / ty_terrain_spacing(t, level)) - 30;
        cr_assert(ty_terrain_region(t, level, i0, -20, 64, 64, 0.0, big, 1, NULL) == TY_OK);
        cr_assert(ty_terrain_region(t, level, i0 + 31, 2, 7, 5, 0.0, small, 1, NULL) == TY_OK);
        int differ = 0;
        for (int j = 0; j < 5; j++) {
            differ += memcmp(small + 7 * j, big + (22 + j) * 64 + 31, 7 * sizeof(float)) != 0;
        }
        TY_CHECK(differ == 0);
    }
    ty_world_destroy(world);
}
