/* tests/unit/render/test_store.c - eyes that take turns, far apart or on one rover: their ground is made once, pictures do not depend on
 * what was kept, and memory is bounded.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "render_support.h"
#include "tycho/trace.h"

enum { W = 24, H = 16, TURNS = 5 };

static ty_scene *scene_with(ty_terrain *t, size_t spare)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *s = NULL;
    def.terrain = t, def.ring_cells = 256, def.far = 300.0, def.rock_angle = 0.0, def.threads = 1;
    def.spare_tiles = spare;
    TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
    add_sun(s, 100.0, 20.0, 0.0, 1000.0);
    return s;
}

typedef struct turns {
    size_t made[2 * TURNS]; /* tiles, by frame */
    float light[2 * TURNS][W * H];
} turns;

/* two eyes so far apart [m] look in turn, the first drives on by 2 cm each time; half way somebody digs before it */
static void take_turns(double apart, size_t spare, turns *out)
{
    ty_terrain *t = small_terrain(false);
    ty_scene *s = scene_with(t, spare);
    shot image = shot_make(W, H, 1);
    ty_render_def d = ty_render_def_default();
    d.samples = 1, d.threads = 1;
    for (int i = 0; i < 2 * TURNS; i++) {
        double x = i % 2 ? apart : 0.3 + 0.01 * i;
        if (i == TURNS) { /* seen from the second eye, dug at the first */
            float change[900];
            for (int k = 0; k < 900; k++) {
                change[k] = -0.05f;
            }
            ty_edit edit = { .i0 = 10, .j0 = 60, .nx = 30, .ny = 30, .change = change };
            TY_CHECK(ty_terrain_edit(t, &edit, NULL) == TY_OK);
        }
        ty_camera c = camera_at(above(t, x, 0.3, 1.2), 0.0, -35.0, 70.0, W, H);
        shot_take(s, &c, &d, &image);
        out->made[i] = ty_scene_get_stats(s).made;
        memcpy(out->light[i], image.out.radiance, sizeof out->light[i]);
    }
    shot_free(&image);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

static void made_once(double apart)
{
    static turns with, without, few;
    take_turns(apart, 2048, &with);
    take_turns(apart, 0, &without);
    take_turns(apart, 40, &few);
    size_t again = 0, anew = 0;
    for (int i = 2; i < 2 * TURNS; i++) {
        again += with.made[i], anew += without.made[i];
    }
    printf(
        "ground of two eyes in turn, %g m apart: %zu + %zu tiles at first, then %zu in %d frames; without the store %zu\n",
        apart, with.made[0], with.made[1], again, 2 * TURNS - 2, anew);
    TY_CHECK(with.made[0] > 20 && with.made[1] > 10);
    TY_CHECK(again <= 8);              /* tiles of the digging, on all rings, and of a step ahead */
    TY_CHECK(anew > 10 * (again + 1)); /* control */
    TY_CHECK(!memcmp(with.light, without.light, sizeof with.light));
    TY_CHECK(!memcmp(with.light, few.light, sizeof with.light)); /* what has no room is made anew */
    TY_CHECK(memcmp(with.light[2 * TURNS - 2], with.light[TURNS - 1], sizeof with.light[0])); /* the pit is seen */
}

TY_TEST(store, eyes_apart_make_their_ground_once)
{
    made_once(200.0);
}

/* as cameras before and behind a rover, whose rings are one move apart */
TY_TEST(store, eyes_of_a_rover_make_their_ground_once)
{
    made_once(2.0);
}

/* a sensor of one ray beside a camera makes no ground of its own */
TY_TEST(store, one_ray_beside_a_camera)
{
    ty_terrain *t = small_terrain(false);
    ty_scene *s = scene_with(t, 2048);
    shot image = shot_make(W, H, 1);
    ty_render_def d = ty_render_def_default();
    size_t made = 0;
    for (int i = 0; i < 8; i++) {
        ty_camera c = camera_at(above(t, 0.3, 0.3, 1.2), 0.0, -35.0, 70.0, W, H);
        shot_take(s, &c, &d, &image);
        made += i > 1 ? ty_scene_get_stats(s).made : 0;
        ty_trace_ray ray = { above(t, -1.2, 0.3, 0.4), { 0, 0, -1 }, 100.0, 0.0 };
        ty_trace_hit hit;
        TY_CHECK(ty_scene_trace(s, ray.from, &ray, 1, 0, 1, &hit, NULL) == TY_OK);
        TY_NEAR(hit.range, 0.4, 1e-3);
        made += i > 1 ? ty_scene_get_stats(s).made : 0;
    }
    printf("a camera and one ray in turn: %zu tiles after the second turn\n", made);
    TY_CHECK(made == 0);
    shot_free(&image);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}
