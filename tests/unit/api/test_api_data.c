/* Public functions that no other test calls by name: data sets, depth maps, spectra, layers of a world, tables of keys.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <unistd.h>
#include "tycho/tools/dataset.h"
#include "tycho/tools/draw.h"
#include "tycho/tools/lidar_scan.h"
#include "tycho/tools/score.h"
#include "tycho/scenario.h"
#include "io/rasters.h"
#include "sensor/inner.h"
#include "tyt.h"

static bool tells(ty_status (*reference)(FILE *out, ty_diag *diag), const char *key)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&text, &bytes);
    cr_assert(f != NULL);
    bool good = reference(f, NULL) == TY_OK;
    fclose(f);
    good = good && strstr(text, key) != NULL;
    free(text);
    return good;
}

TY_TEST(api, tables_of_keys)
{
    TY_CHECK(tells(tyi_sensor_lidar_reference, "| `hfov_deg` |") &&
             tells(tyi_sensor_spad_reference, "| `dead_time` |"));
    TY_CHECK(tells(ty_dataset_reference, "| `baseline` |") && !tells(tyi_sensor_spad_reference, "| `baseline` |"));
}

TY_TEST(api, depth_of_a_picture)
{
    const uint16_t mm[6] = { 1234, 0, 65535, 1, 2000, 30000 };
    const uint8_t flat[6] = { 1, 2, 3, 4, 5, 6 };
    char path[] = "/tmp/tycho-depth-XXXXXX.png";
    int file = mkstemps(path, 4);
    cr_assert(file >= 0);
    close(file);
    ty_score_depth_map map = { 0 };
    TY_CHECK(ty_png_write(path, 3, 2, 1, 16, mm, NULL) == TY_OK && ty_score_depth_read(path, &map, NULL) == TY_OK);
    TY_CHECK(map.width == 3 && map.height == 2);
    for (int i = 0; i < 6 && map.depth; i++) {
        TY_NEAR((double)map.depth[i], 1e-3 * mm[i], 1e-5); /* of a float */
    }
    ty_score_depth_free(&map);
    ty_score_depth_free(NULL);
    ty_diag diag = { 0 };
    TY_CHECK(ty_png_write(path, 3, 2, 1, 8, flat, NULL) == TY_OK);
    /* control: 8 bits are no millimetres */
    TY_CHECK(ty_score_depth_read(path, &map, &diag) == TY_ERR_FORMAT && strstr(diag.text, path) != NULL);
    unlink(path);
}

TY_TEST(api, spectrum_of_a_wave)
{
    enum { N = 128 };
    static float height[N * N];
    ty_raster_spectrum one, two;
    /* waves of 8 samples of 0.5 m, k high, and a little of everything so that no band is empty */
    for (int k = 1; k <= 2; k++) {
        for (int i = 0; i < N * N; i++) {
            height[i] =
                (float)(k * (sin(2.0 * TY_PI * (i % N) / 8.0) + 1e-3 * ((unsigned)i * 2654435761u >> 22) / 1024.0));
        }
        TY_CHECK(tyi_io_raster_spectrum_of(height, N, 0.5, k == 1 ? &one : &two, NULL) == TY_OK);
    }
    int best = 0;
    for (int b = 1; b < one.bands; b++) {
        best = one.psd[b] > one.psd[best] ? b : best;
    }
    TY_NEAR_REL(one.wavelength[best], 4.0, 0.2);
    TY_NEAR_REL(two.psd[best], 4.0 * one.psd[best], 1e-5); /* power goes with the square */
    TY_FAR_REL(two.psd[best], 2.0 * one.psd[best], 1e-2);
    TY_CHECK(one.samples == N && one.spacing == 0.5);
    TY_CHECK(tyi_io_raster_spectrum_of(height, 62, 0.5, &one, NULL) == TY_ERR_RANGE);
}

/* ---- layers ---- */

static ty_status level(void *user, int y, int rows, float *out, ty_diag *diag)
{
    (void)diag;
    const float *at = user; /* height, samples in a row; 20 m up and down in waves of 30 deg */
    int width = (int)at[1];
    for (int i = 0; i < width * rows; i++) {
        out[i] = at[0] + 20.0f * (float)(sin(24.0 * TY_PI * (i % width + 0.5) / width) *
                                         cos(24.0 * TY_PI * (y + i / width + 0.5) / width));
    }
    return TY_OK;
}

TY_TEST(api, layers_of_a_world)
{
    char path[2][32] = { "/tmp/tycho-layer-XXXXXX.tif", "/tmp/tycho-layer-XXXXXX.tif" };
    float at[2][2] = { { 100.0f, 720.0f }, { 130.0f, 1440.0f } };
    ty_scenario s = ty_scenario_default();
    ty_world_layer_def layer[2] = { 0 };
    ty_diag diag = { 0 };
    s.terrain.whole = true, s.terrain.rock.on = false, s.terrain.cache_bytes = (size_t)64 << 20;
    s.layer = layer, s.layers = 2;
    for (int i = 0; i < 2; i++) {
        int file = mkstemps(path[i], 4);
        cr_assert(file >= 0);
        close(file);
        tyi_io_raster_globe globe = { 2 * i + 2, level, at[i] };
        cr_assert(tyi_io_raster_write_globe(&globe, path[i], NULL, NULL, &diag) == TY_OK, "%s", diag.text);
        snprintf(layer[i].raster, sizeof layer[i].raster, "%s", path[i]);
    }
    ty_world *world = NULL;
    cr_assert(ty_scenario_create_world(&s, &world, &diag) == TY_OK, "%s", diag.text);
    ty_world_layer_report first, second;
    TY_CHECK(ty_world_layers(world) == 2);
    TY_CHECK(ty_world_layer(world, 0, &first, &diag) == TY_OK && ty_world_layer(world, 1, &second, &diag) == TY_OK);
    TY_CHECK(first.samples == 0.0 && second.samples > 0.0 && !strcmp(second.path, path[1]));
    TY_NEAR(second.mean, 30.0, 0.1); /* the same waves, 30 m higher */
    TY_FAR(second.mean, 0.0, 1.0);
    TY_NEAR(second.high - second.low, 0.0, 2.0); /* of 40: sampled twice as finely */
    TY_NEAR_REL(first.spacing, 0.5 * 1737400.0 * TY_DEG, 0.01);
    double x = 0.0, y = 0.0, z;
    TY_CHECK(ty_terrain_sample(ty_world_terrain(world), 0, 1, &x, &y, &z, NULL, &diag) == TY_OK);
    ty_raster_cache_stats cache = ty_world_cache(world);
    TY_CHECK(cache.loads > 0 && cache.bytes > 0 && cache.peak_bytes >= cache.bytes);
    ty_world_destroy(world);
    unlink(path[0]), unlink(path[1]);
}

/* ---- data sets ---- */

TY_TEST(api, a_data_set_of_one_pair)
{
    ty_dataset_def plain = ty_dataset_def_default();
    TY_CHECK(plain.sites == 0 && plain.positions > 0 && plain.width > 0 && plain.baseline > 0.0);
    char path[4096], folder[] = "/tmp/tycho-set-XXXXXX", command[64];
    const char *source = getenv("TYCHO_SOURCE");
    const char *settings[] = { "mode=random",      "pairs=1",          "camera.width=32",
                               "camera.height=24", "camera.samples=1", "area=10" };
    snprintf(path, sizeof path, "%s/datasets/polar_200.yaml", source ? source : ".");
    cr_assert(mkdtemp(folder) != NULL);
    ty_diag diag = { 0 };
    ty_dataset_def *def = NULL;
    ty_dataset *set = NULL;
    ty_dataset_stats made, again;
    cr_assert(ty_dataset_load(path, settings, 6, &def, &diag) == TY_OK && ty_dataset_create(def, &set, &diag) == TY_OK,
              "%s", diag.text);
    TY_CHECK(ty_dataset_run(set, folder, 1, NULL, &made, &diag) == TY_OK &&
             ty_dataset_run(set, folder, 1, NULL, &again, &diag) == TY_OK);
    TY_CHECK(made.pairs == 1 && made.found == 0 && again.found == 1); /* the second run finds it done */
    TY_CHECK(ty_dataset_run(set, "/nonexistent", 1, NULL, NULL, &diag) != TY_OK);
    ty_dataset_destroy(set);
    ty_dataset_def_destroy(def);
    snprintf(command, sizeof command, "rm -r %s", folder);
    TY_CHECK(system(command) == 0);
}
