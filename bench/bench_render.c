/* bench/bench_render.c - a frame against the bare ray tracer, an edit, and the cost of rocks, on one core.
 *
 * The scene is fixed: 2048 x 2048 samples 4 cm apart with 5000 rocks, 1024 x 768 pixels, one
 * primary and one Sun ray per sample, Hapke shading. The baseline traces the very same rays,
 * recorded, with Embree's streams alone; its hash is printed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "tycho/render.h"
#include "render/inner.h"

#define WIDTH   1024
#define HEIGHT  768
#define REPEATS 5

typedef struct render_bench {
    ty_terrain *terrain;
    ty_scene *scene;
    ty_camera camera;
    ty_render_def def;
    ty_render_buffers out;
} render_bench;

static bool make_terrain(render_bench *b, ty_diag *diag)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.seed = 20260101;
    def.resolution = 0.04;
    def.edit_level = 0;
    def.rock.cover = 0.1;
    def.rock.d_min = 0.02;
    return ty_terrain_create(&def, &b->terrain, diag) == TY_OK;
}

/* rocks: at most this many, the largest first */
static bool make_scene(render_bench *b, size_t rocks, ty_diag *diag)
{
    ty_scene_def def = ty_scene_def_default();
    def.terrain = b->terrain;
    def.ring_cells = 2048;
    def.rings = 1;
    def.finest = 0.04;
    def.far = 41.0;
    def.rock_angle = rocks ? 1e-4 : 0.0;
    def.rock_limit = rocks;
    def.threads = 1;
    ty_light sun = { .kind = TY_LIGHT_DISK,
                     .dir_W = ty_normalize(ty_vec3_make(-0.8, 0.3, 0.3)),
                     .radius = 0.00465,
                     .power = { 1361.0 } };
    return ty_scene_create(&def, &b->scene, diag) == TY_OK && ty_scene_add_light(b->scene, &sun, diag) == TY_OK;
}

/* 2 m above the middle, looking north and 20 deg down, 70 deg wide */
static bool aim(render_bench *b, ty_diag *diag)
{
    double x = 0.0, y = 0.0, z = 0.0;
    b->camera = ty_camera_default();
    b->camera.width = WIDTH, b->camera.height = HEIGHT, b->camera.hfov = 70.0 * TY_DEG;
    b->camera.pose.q = ty_camera_look(0.0, -20.0 * TY_DEG, 0.0);
    b->def = ty_render_def_default();
    b->def.samples = 1;
    b->def.threads = 1;
    b->out.radiance = calloc((size_t)WIDTH * HEIGHT, sizeof(float));
    bool ok = b->out.radiance && ty_terrain_sample(b->terrain, 0, 1, &x, &y, &z, NULL, diag) == TY_OK;
    b->camera.pose.p = ty_vec3_make(x, y, z + 2.0);
    return ok;
}

/* [s] best frame: update, rays, shading and film */
static double frame_time(render_bench *b, ty_diag *diag)
{
    double best = INFINITY;
    for (int k = 0; k < REPEATS && diag->status == TY_OK; k++) {
        double start = bench_cpu();
        ty_render(b->scene, &b->camera, &b->def, &b->out, diag);
        best = fmin(best, bench_cpu() - start);
    }
    return best;
}

/* [s] from the edit to the moment the next frame's rays can start */
static double edit_time(render_bench *b, ty_diag *diag)
{
    enum { SIDE = 200 };
    static float change[SIDE * SIDE];
    double best = INFINITY;
    for (int i = 0; i < SIDE * SIDE; i++) {
        change[i] = -1e-3f * (float)(1 + i % 7);
    }
    for (int k = 0; k < 10 && diag->status == TY_OK; k++) {
        ty_edit edit = { .i0 = -SIDE / 2 + k, .j0 = 50, .nx = SIDE, .ny = SIDE, .change = change };
        double start = bench_cpu();
        ty_terrain_edit(b->terrain, &edit, diag);
        double edited = bench_cpu() - start;
        ty_render(b->scene, &b->camera, &b->def, &b->out, diag);
        best = fmin(best, edited + ty_scene_get_stats(b->scene).update_s);
    }
    return best;
}

/* [s] a frame with at most so many rocks; *count: how many there were */
static double with_rocks(render_bench *b, size_t rocks, size_t *count, ty_diag *diag)
{
    double best = INFINITY;
    if (make_scene(b, rocks, diag)) {
        ty_render(b->scene, &b->camera, &b->def, &b->out, diag);
        best = frame_time(b, diag);
        *count = ty_scene_get_stats(b->scene).rocks;
    }
    ty_scene_destroy(b->scene);
    b->scene = NULL;
    return best;
}

int bench_render(void)
{
    render_bench b = { 0 };
    ty_diag diag = { 0 };
    ty_render_bench base = { 0 };
    size_t rocks = 0, many = 0, none = 0;
    double frame = INFINITY, edit = INFINITY, bare = INFINITY, crowded = INFINITY;
    if (make_terrain(&b, &diag) && aim(&b, &diag) && make_scene(&b, 5000, &diag)) {
        tyi_render_measure(b.scene, &b.camera, &b.def, b.out.radiance, REPEATS, &base, &diag);
        frame = frame_time(&b, &diag);
        rocks = ty_scene_get_stats(b.scene).rocks;
        edit = edit_time(&b, &diag);
        ty_scene_destroy(b.scene);
        b.scene = NULL;
        bare = with_rocks(&b, 0, &none, &diag);
        crowded = with_rocks(&b, 100000, &many, &diag);
    }
    ty_scene_destroy(b.scene);
    ty_terrain_destroy(b.terrain);
    free(b.out.radiance);
    if (diag.status != TY_OK) {
        return app_bad("bench", "%s.", diag.text);
    }
    double rays = (double)base.rays;
    printf("{\"embree_rays_per_s\": %.4g, \"frame_rays_per_s\": %.4g, \"ratio\": %.3f, "
           "\"edit_to_frame_ms\": %.3f, "
           "\"rocks_cost_ratio\": %.3f, \"rays\": %zu, \"hits\": %zu, \"scene_hash\": \"%016llx\", "
           "\"rocks\": %zu, "
           "\"rocks_crowded\": %zu}\n",
           rays / base.seconds, rays / frame, base.seconds / frame, 1e3 * edit, crowded / bare, base.rays, base.hits,
           (unsigned long long)base.hash, rocks, many);
    return APP_OK;
}
