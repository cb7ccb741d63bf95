/* tests/unit/render/test_moved.c - a rock that was moved is seen where it lies now, by cameras and by rays of a patch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "render_support.h"
#include "tycho/terrain.h"
#include "world/terrain/inner.h"

#define SIDE 64

static void lay(ty_terrain *t, double x, double y)
{
    ty_diag diag = { 0 };
    ty_rock rock = { .x = x, .y = y, .diameter = 0.3, .scale = 0.31, .burial = 0.1, .shape = 3, .id = 11 };
    ty_edit edit = { .i0 = (int32_t)floor(x / 0.02), .j0 = (int32_t)floor(y / 0.02), .nx = 1, .ny = 1, .rock = &rock };
    cr_assert(ty_terrain_edit(t, &edit, &diag) == TY_OK, "%s", diag.text);
}

/* mean place of the pixels that show rock, seen from 5 m above the origin; false: none do */
static bool seen(ty_scene *scene, double *x, double *y)
{
    shot s = shot_make(SIDE, SIDE, 1);
    ty_camera camera = camera_at(ty_vec3_make(0.0, 0.0, 5.0), 0.0, -90.0, 50.0, SIDE, SIDE);
    ty_render_def def = ty_render_def_default();
    int n = 0;
    *x = *y = 0.0;
    shot_take(scene, &camera, &def, &s);
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (s.out.instance[i] >= 1u << 31) {
            double scale = 10.0 * tan(25.0 * TY_DEG) / SIDE; /* [m] per pixel on the ground; the image's up is north */
            *x += (i % SIDE + 0.5 - SIDE / 2) * scale, *y -= (i / SIDE + 0.5 - SIDE / 2) * scale, n++;
        }
    }
    shot_free(&s);
    *x /= n ? n : 1, *y /= n ? n : 1;
    return n > 0;
}

/* whether a ray from above meets the rock at (x, y) */
static bool met(ty_terrain *t, double x, double y)
{
    ty_terrain_patch *patch;
    ty_terrain_hit hit;
    ty_ray ray = { { x, y, 5.0 }, { 0.0, 0.0, -1.0 }, 0.0, 100.0 };
    cr_assert(ty_terrain_patch_create(t, 0, -200, -200, 400, 400, 1, &patch, NULL) == TY_OK);
    cr_assert(ty_terrain_patch_add_rocks(patch, 0.05, NULL) == TY_OK);
    ty_terrain_patch_rays(patch, 1, &ray, &hit);
    ty_terrain_patch_destroy(patch);
    return hit.rock == 11;
}

TY_TEST(moved, seen_where_it_lies)
{
    static const double places[][2] = { { 0.5, 0.3 }, { -0.7, 0.4 }, { 0.2, -0.9 } };
    ty_terrain_def def = ty_terrain_def_default();
    ty_terrain *t;
    ty_diag diag = { 0 };
    def.relief.rms_slope_deg = 0.0;
    def.crater.on = false;
    def.rock.cover = 1e-9;
    cr_assert(ty_terrain_create(&def, &t, &diag) == TY_OK, "%s", diag.text);
    ty_scene_def sdef = ty_scene_def_default();
    ty_scene *scene;
    sdef.terrain = t;
    cr_assert(ty_scene_create(&sdef, &scene, &diag) == TY_OK, "%s", diag.text);
    double x, y;
    TY_CHECK(!seen(scene, &x, &y)); /* the control: no rock yet */
    for (int k = 0; k < 3; k++) {
        uint64_t version = ty_terrain_version(t), rocks = tyi_terrain_rock_version(t);
        lay(t, places[k][0], places[k][1]);
        TY_CHECK(ty_terrain_version(t) == version + 1 && tyi_terrain_rock_version(t) == rocks + 1);
        TY_CHECK(seen(scene, &x, &y));
        printf("laid at (%.2f, %.2f), seen at (%.2f, %.2f)\n", places[k][0], places[k][1], x, y);
        TY_NEAR(x, places[k][0], 0.05);
        TY_NEAR(y, places[k][1], 0.05);
        TY_CHECK(met(t, places[k][0], places[k][1]));
        TY_CHECK(k == 0 || !met(t, places[k - 1][0], places[k - 1][1])); /* and no longer where it was */
    }
    ty_rock bad = { .id = 11, .diameter = 0.3, .scale = 0.3, .x = NAN };
    TY_CHECK(ty_terrain_edit(t, &(ty_edit){ .nx = 1, .ny = 1, .rock = &bad }, &diag) == TY_ERR_RANGE);
    ty_scene_destroy(scene);
    ty_terrain_destroy(t);
}

/* the largest rock within 6 m goes a metre east */
static void push(ty_terrain *t)
{
    ty_rock rock[512], *large = NULL;
    size_t n = ty_terrain_rocks(t, (ty_rect){ -6.0, -6.0, 6.0, 6.0 }, 0.0, INFINITY, rock, 512);
    ty_diag diag = { 0 };
    for (size_t i = 0; i < n && i < 512; i++) {
        large = !large || rock[i].diameter > large->diameter ? &rock[i] : large;
    }
    cr_assert(large);
    large->x += 1.0;
    ty_edit edit = { .i0 = (int32_t)floor(large->x / 0.02), .j0 = (int32_t)floor(large->y / 0.02), .nx = 1, .ny = 1 };
    edit.rock = large;
    cr_assert(ty_terrain_edit(t, &edit, &diag) == TY_OK, "%s", diag.text);
}

static shot look(ty_scene *scene, ty_terrain *t, double x, double y)
{
    shot s = shot_make(SIDE, SIDE, 1);
    ty_camera camera = camera_at(above(t, x, y, 8.0), 0.0, -90.0, 90.0, SIDE, SIDE);
    ty_render_def def = ty_render_def_default();
    shot_take(scene, &camera, &def, &s);
    return s;
}

static bool equal(const shot *a, const shot *b)
{
    return !memcmp(a->out.depth, b->out.depth, SIDE * SIDE * sizeof *a->out.depth) &&
           !memcmp(a->out.instance, b->out.instance, SIDE * SIDE * sizeof *a->out.instance);
}

/* rocks that an eye saw before keep their poses while it goes on and others are pushed: it sees what a new eye would */
TY_TEST(moved, an_eye_that_goes_on_sees_what_a_new_one_does)
{
    static const double path[][2] = { { 0, 0 }, { 0, 0 }, { 9, 4 } };
    ty_terrain *t = small_terrain(true);
    ty_scene *scene = ground_scene(t, 0.01);
    size_t rocks = 0;
    for (int k = 0; k < 3; k++) {
        shot before = look(scene, t, path[k][0], path[k][1]);
        push(t);
        ty_scene *fresh = ground_scene(t, 0.01);
        shot a = look(scene, t, path[k][0], path[k][1]), b = look(fresh, t, path[k][0], path[k][1]);
        TY_CHECK(equal(&a, &b));
        TY_CHECK(k > 1 || !equal(&a, &before)); /* the control: the push is in the picture */
        rocks = ty_scene_get_stats(scene).rocks;
        TY_CHECK(rocks == ty_scene_get_stats(fresh).rocks);
        shot_free(&before), shot_free(&a), shot_free(&b);
        ty_scene_destroy(fresh);
    }
    printf("%zu rocks\n", rocks);
    TY_CHECK(rocks > 50);
    ty_scene_destroy(scene);
    ty_terrain_destroy(t);
}
