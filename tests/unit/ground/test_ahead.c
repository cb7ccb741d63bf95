/* Rings that move in small steps: tiles made ahead show what tiles made at once would, and no step makes much of the
 * ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "planet_support.h"

enum { W = 48, H = 36 };

static ty_status hills(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                       ty_diag *diag)
{
    (void)user, (void)spacing, (void)diag;
    for (size_t k = 0; k < n; k++) {
        height[k] = 800.0 * sin(300.0 * lat[k]) * cos(280.0 * lon[k]);
    }
    return TY_OK;
}

static ty_terrain *ground(void)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.lat = 0.2, def.lon = 0.3;
    def.whole = true;
    def.rock.on = def.crater.on = false;
    def.base = (ty_terrain_base){ .sample = hills, .spacing = 500.0 };
    def.cache_bytes = (size_t)64 << 20;
    ty_terrain *t = NULL;
    cr_assert(ty_terrain_create(&def, &t, NULL) == TY_OK);
    return t;
}

static ty_scene *scene_of(ty_terrain *t, double wait)
{
    ty_scene_def def = ty_scene_def_default();
    def.terrain = t;
    def.ring_cells = 512;
    def.finest = 0.5;
    def.rings = 6;
    def.wait = wait;
    def.detail_px = 0.0;
    def.far = TY_WHOLE_MOON;
    ty_scene *scene = NULL;
    cr_assert(ty_scene_create(&def, &scene, NULL) == TY_OK);
    return scene;
}

static ty_scene_stats look(ty_scene *scene, ty_terrain *t, double x, double y, double *range)
{
    double z;
    cr_assert(ty_terrain_sample(t, 0, 1, &x, &y, &z, NULL, NULL) == TY_OK);
    ty_camera c = ty_camera_default();
    c.width = W, c.height = H, c.hfov = 80.0 * TY_DEG;
    c.pose = (ty_pose){ { x, y, z + 30.0 }, ty_camera_look(50.0 * TY_DEG, -35.0 * TY_DEG, 0.0) };
    ty_render_def def = ty_render_def_default();
    ty_render_buffers out = { .range = range };
    ty_diag diag = { 0 };
    cr_assert(ty_render(scene, &c, &def, &out, &diag) == TY_OK, "%s", diag.text);
    return ty_scene_get_stats(scene);
}

/* Along an axis and across both, with the ground edited on the way: every frame has the bits of a scene that was
 * never anywhere else; in steps of one cell no frame makes more than 3 % of the tiles. Control: leaps of half a ring
 * make more. */
TY_TEST(ahead, steps_of_one_cell, .timeout = 120)
{
    static const double way[3][2] = { { 0.5, 0.0 }, { 0.4, 0.3 }, { 64.0, 50.0 } };
    static double range[W * H], want[W * H];
    for (int k = 0; k < 3; k++) {
        ty_terrain *t = ground();
        ty_scene *scene = scene_of(t, 0.0);
        size_t most = 0, moved = 0, tiles = 0;
        int frames = k < 2 ? 300 : 12, differ = 0;
        for (int f = 0; f < frames; f++) {
            double x = 3.0 + f * way[k][0], y = -2.0 + f * way[k][1];
            if (f == frames / 2) { /* a pit ahead, where tiles are made already and not shown yet */
                enum { N = 400 };
                static float pit[N * N];
                for (int i = 0; i < N * N; i++) {
                    pit[i] = -2.0f;
                }
                double d = ty_terrain_spacing(t, 0);
                ty_edit edit = {
                    .i0 = (int32_t)((x + 130.0) / d), .j0 = (int32_t)(y / d), .nx = N, .ny = N, .change = pit
                };
                cr_assert(ty_terrain_edit(t, &edit, NULL) == TY_OK);
            }
            ty_scene_stats s = look(scene, t, x, y, range);
            tiles = s.tiles;
            most = f > 2 && s.made > most ? s.made : most;
            moved += f > 2 ? s.made : 0;
            if (f % (frames / 3) == 3) {
                ty_scene *fresh = scene_of(t, 0.0);
                look(fresh, t, x, y, want);
                differ += memcmp(range, want, sizeof range) != 0;
                ty_scene_destroy(fresh);
            }
        }
        printf(
            "ahead: steps of %.3g, %.3g m: %zu tiles made, at most %zu in a frame, of %zu; %d frames differ from fresh ones\n",
            way[k][0], way[k][1], moved, most, tiles, differ);
        TY_CHECK(differ == 0 && moved > 50);
        if (k == 0) {
            TY_ROW(
                "rings that move by one cell: no frame makes over 3 % of the tiles, and frames have the bits of a scene made anew",
                "scenes made anew", "at most %zu of %zu tiles in a frame, %d frames differ", most, tiles, differ);
        }
        TY_CHECK((most < (size_t)(0.03 * (double)tiles)) == (k < 2));
        ty_scene_destroy(scene);
        ty_terrain_destroy(t);
    }
}

/* An eye that stands a cell before the place where a ring moves, and starts: that step makes little, too. Control:
 * without the standing. */
TY_TEST(ahead, a_start_from_rest, .timeout = 120)
{
    static double range[W * H], want[W * H];
    ty_terrain *t = ground();
    double d = ty_terrain_spacing(t, ty_terrain_level(t, 0.5)), from = 63.5 * d, to = 64.5 * d;
    for (int stands = 0; stands < 2; stands++) {
        ty_scene *scene = scene_of(t, 0.0), *fresh = scene_of(t, 0.0);
        for (int f = 0; f < (stands ? 40 : 1); f++) {
            look(scene, t, from, -2.0, range);
        }
        ty_scene_stats s = look(scene, t, to, -2.0, range);
        look(fresh, t, to, -2.0, want);
        printf("ahead: the first step %s: %zu of %zu tiles\n", stands ? "from rest" : "of all", s.made, s.tiles);
        TY_CHECK((s.made < (size_t)(0.03 * (double)s.tiles)) == (stands == 1));
        TY_CHECK(!memcmp(range, want, sizeof range));
        ty_scene_destroy(scene);
        ty_scene_destroy(fresh);
    }
    ty_terrain_destroy(t);
}

/* With a supply: the frames of a slow eye, which is never late, are those of a scene that waits. */
TY_TEST(ahead, with_a_supply, .timeout = 120)
{
    static double range[W * H], want[W * H];
    ty_terrain *t = ground();
    ty_scene *scene = scene_of(t, 100.0), *patient = scene_of(t, 0.0);
    int differ = 0;
    for (int f = 0; f < 150; f++) {
        double x = f * 0.9, y = f * 0.7;
        TY_CHECK(look(scene, t, x, y, range).late == 0);
        if (f % 10 == 9) {
            look(patient, t, x, y, want);
            differ += memcmp(range, want, sizeof range) != 0;
        }
    }
    TY_CHECK(differ == 0);
    ty_scene_destroy(scene);
    ty_scene_destroy(patient);
    ty_terrain_destroy(t);
}
