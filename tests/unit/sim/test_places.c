/* Rocks and craters that a scenario puts at given places.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <unistd.h>
#include "k_crater.h"
#include "sim/run.h"
#include "scenario/scenario.h"
#include "support.h"
#include "world/terrain/inner.h"

static const char head[] = "version: 1\n"
                           "name: places\n"
                           "start_utc: 2027-03-18T12:00:00\n"
                           "site: {lat_deg: 44.1, lon_deg: -19.5}\n"
                           "soil: {model: bekker}\n";
static const char places[] = "rocks:\n"
                             "  - {name: a, at: [10, 3], size: 1.0, shape: 3}\n"
                             "  - {at: [12, 3], size: 0.03, burial: 0}\n"
                             "  - {at: [0, 20], size: 9, shape: 20, burial: 0.3}\n"
                             "craters:\n"
                             "  - {at: [-20, 0], diameter: 6, depth: 0.9, freshness: 1}\n"
                             "  - {at: [20, -30], diameter: 8, freshness: 0.25}\n";

static ty_scenario *load(const char *terrain, const char *more, ty_diag *diag)
{
    char text[4000];
    ty_scenario *s = NULL;
    int n = snprintf(text, sizeof text, "%s%s%s", head, terrain, more);
    tyi_scenario_load("places.yaml", text, (size_t)n, NULL, 0, NULL, &s, diag);
    return s;
}

static double height(ty_terrain *t, double x, double y)
{
    double z;
    ty_diag diag = { 0 };
    cr_assert(ty_terrain_sample(t, 0, 1, &x, &y, &z, NULL, &diag) == TY_OK, "%s", diag.text);
    return z;
}

static const char flat[] =
    "terrain: {extent: 200, relief: {rms_slope_deg: 0}, craters: {enabled: false}, rocks: {enabled: false}}\n";
static const char rough[] = "terrain: {kind: mare, extent: 400, seed: 5}\n";

/* where nothing else is, a crater is its own profile, and a rock is where a ray from above meets it */
TY_TEST(places, alone_on_flat_ground)
{
    ty_diag diag = { 0 };
    ty_scenario *s = load(flat, places, &diag);
    cr_assert(s, "%s", diag.text);
    ty_world *w;
    cr_assert(ty_scenario_create_world(s, &w, &diag) == TY_OK, "%s", diag.text);
    ty_terrain *t = ty_world_terrain(w);
    ty_k_crater k = ty_k_crater_make(6.0, 0.15, 1.0);
    double plain = height(t, 60, 60), round = 0.5 * (60.0 * 60.0 + 60.0 * 60.0 - 20.0 * 20.0) / TY_MOON_RADIUS;
    for (double x = 0.0; x < 9.0; x += 0.25) {
        double got = height(t, -20.0 + x, 0.0) + 0.5 * (x - 20.0) * (x - 20.0) / TY_MOON_RADIUS;
        TY_NEAR(got, (double)ty_k_crater_height(k, x, 0.0), 0.006); /* splines through samples at the crest */
    }
    TY_FAR(height(t, -20.0, 0.0), plain + round, 0.5); /* control: there is something at all */
    ty_crater c[4];
    TY_CHECK(ty_terrain_craters(t, (ty_rect){ -100, -100, 100, 100 }, 0.0, INFINITY, c, 4) == 2);
    ty_rock r[4];
    TY_CHECK(ty_terrain_rocks(t, (ty_rect){ -100, -100, 100, 100 }, 0.0, INFINITY, r, 4) == 3);
    TY_CHECK(r[2].diameter == 9.0 && r[2].id == (TY_ROCK_PLACED | 3));
    ty_terrain_patch *patch;
    double d = ty_terrain_spacing(t, 0);
    cr_assert(ty_terrain_patch_create(t, 0, (int32_t)(8 / d), (int32_t)(1 / d), (int32_t)(6 / d), (int32_t)(4 / d), 1,
                                      &patch, &diag) == TY_OK);
    cr_assert(ty_terrain_patch_add_rocks(patch, 0.0, &diag) == TY_OK);
    ty_ray ray[2] = { { { 10, 3, 50 }, { 0, 0, -1 }, 0.0, 100.0 }, { { 11, 3, 50 }, { 0, 0, -1 }, 0.0, 100.0 } };
    ty_terrain_hit hit[2];
    ty_terrain_patch_rays(patch, 2, ray, hit);
    TY_CHECK(hit[0].rock == (TY_ROCK_PLACED | 1) && hit[1].rock == 0);
    ty_terrain_patch_destroy(patch);
    ty_world_destroy(w);
    ty_scenario_destroy(s);
}

/* away from them generated ground keeps its bits, rocks and craters included */
TY_TEST(places, leave_the_rest_as_it_was)
{
    ty_diag diag = { 0 };
    ty_scenario *s = load(rough, places, &diag), *without = load(rough, "", &diag);
    ty_world *w[2];
    cr_assert(s && without && ty_scenario_create_world(s, &w[0], &diag) == TY_OK &&
                  ty_scenario_create_world(without, &w[1], &diag) == TY_OK,
              "%s", diag.text);
    static float a[128 * 128], b[128 * 128];
    for (int level = 0; level < 6; level += 2) {
        ty_diag why = { 0 };
        for (int which = 0; which < 2; which++) {
            ty_terrain *t = ty_world_terrain(w[which]);
            double x = 100.0 / ty_terrain_spacing(t, level);
            cr_assert(ty_terrain_region(t, level, (int32_t)x, (int32_t)x, 128, 128, 0.0, which ? b : a, 1, &why) ==
                      TY_OK);
        }
        TY_CHECK(!memcmp(a, b, sizeof a));
    }
    TY_CHECK(height(ty_world_terrain(w[0]), -20, 0) < height(ty_world_terrain(w[1]), -20, 0) - 0.5); /* control */
    static ty_rock r[2][4000];
    size_t n[2];
    for (int which = 0; which < 2; which++) {
        n[which] =
            ty_terrain_rocks(ty_world_terrain(w[which]), (ty_rect){ -40, -40, 40, 40 }, 0.2, INFINITY, r[which], 4000);
    }
    TY_CHECK(n[0] == n[1] + 2 && n[1] > 3 && n[0] < 4000); /* the one of 3 cm is smaller than was asked for */
    TY_CHECK(!memcmp(r[0], r[1], n[1] * sizeof r[0][0]));
    ty_world_destroy(w[0]), ty_world_destroy(w[1]);
    ty_scenario_destroy(s), ty_scenario_destroy(without);
}

TY_TEST(places, wrong_ones_get_a_sentence)
{
    static const char *const wrong[][2] = { { "rocks: [{size: 1}]\n", "rocks.0.at" },
                                            { "rocks: [{at: [1, 2], size: 60}]\n", "60" },
                                            { "rocks: [{at: [1, 2, 3], size: 1}]\n", "rocks.0.at" },
                                            { "rocks: [{at: [1, 900], size: 1}]\n", "extent" },
                                            { "rocks: [{at: [1, 2], size: 1, name: a b}]\n", "a b" },
                                            { "craters: [{at: [1, 2]}]\n", "craters.0.diameter" },
                                            { "craters: [{at: [1, 2], diameter: 3, freshness: 2}]\n", "freshness" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ty_diag diag = { 0 };
        ty_scenario *s = load(flat, wrong[i][0], &diag);
        cr_expect(!s && strstr(diag.text, wrong[i][1]), "%s: %s", wrong[i][0], diag.text);
        ty_scenario_destroy(s);
    }
}
