/* bench/bench_dust.c - parcels of dust per second, and a frame with a cloud of them, on one core.
 *
 * Four wheels of the LRV at 2.8 m/s for 5 s with its fenders, over the ground of `bench render` without rocks: some 100 000 parcels are in flight. A step of 20 ms moves all of them, with 16 boxes of a rover in their way; only those that fly are counted. Frames: 1024 x 768 pixels from
 * 10 m aside, one sample, the Sun 25 deg high; frame_ratio includes filling the grid.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "dust/cloud.h"
#include "tycho/render.h"
#include "tycho/trace.h"

#define WIDTH   1024
#define HEIGHT  768
#define REPEATS 5
#define PARCELS 240000
enum { WHEELS = 4, BOXES = 16 };

typedef struct dust_bench {
    ty_terrain *terrain;
    ty_scene *scene;
    tyi_dust *dust;
    tyi_dust_cloud *cloud;
    tyi_dust_point *point;
    tyi_dust_wheel wheel[WHEELS];
    tyi_dust_box box[BOXES];
    double t;
    ty_vec3 sun;
    ty_camera camera;
    ty_render_def def;
    ty_render_buffers out;
} dust_bench;

static bool make(dust_bench *b, ty_diag *diag)
{
    ty_terrain_def ground = ty_terrain_def_default();
    ground.seed = 20260101;
    ground.resolution = 0.04;
    ground.relief.rms_slope_deg = 1.0;
    ground.crater.on = ground.rock.on = false;
    tyi_dust_def def = {
        .params = tyi_dust_params_default(), .gravity = 1.62, .wheels = WHEELS, .boxes = BOXES, .threads = 1
    };
    def.params.parcels = PARCELS;
    def.params.carried = 0.02;
    ty_scene_def scene = ty_scene_def_default();
    ty_light sun = { .kind = TY_LIGHT_DISK,
                     .dir_W = ty_normalize(ty_vec3_make(0.9, 0.1, 0.42)),
                     .radius = 0.00465,
                     .power = { 1361.0 } };
    b->sun = sun.dir_W;
    bool ok = ty_terrain_create(&ground, &b->terrain, diag) == TY_OK;
    def.terrain = scene.terrain = b->terrain;
    scene.threads = 1;
    b->point = calloc(PARCELS, sizeof *b->point);
    b->out.radiance = calloc((size_t)WIDTH * HEIGHT, sizeof(float));
    ok = ok && b->point && b->out.radiance && tyi_dust_create(&def, &b->dust, diag) == TY_OK;
    return ok && tyi_dust_cloud_create(&def.params, 1, &b->cloud, diag) == TY_OK &&
           ty_scene_create(&scene, &b->scene, diag) == TY_OK && ty_scene_add_light(b->scene, &sun, diag) == TY_OK;
}

/* wheels and boxes at a time, on the ground as it lies */
static bool place(dust_bench *b, double t, ty_diag *diag)
{
    bool ok = true;
    for (int i = 0; i < WHEELS; i++) {
        double x = -12.0 + 2.8 * t + (i % 2 ? 1.15 : -1.15), y = i / 2 ? 0.73 : -0.73, z = 0.0;
        ok = ok && ty_terrain_sample(b->terrain, 0, 1, &x, &y, &z, NULL, diag) == TY_OK;
        b->wheel[i] = (tyi_dust_wheel){ .contact = true,
                                        .p_W = { x, y, z + 0.41 },
                                        .v_W = { 2.8, 0, 0 },
                                        .forward = { 1, 0, 0 },
                                        .normal = { 0, 0, 1 },
                                        .omega = 2.9 / 0.41,
                                        .r = 0.41,
                                        .b = 0.218,
                                        .sinkage = 0.02,
                                        .fender = { 85.0 * TY_DEG, 0.05, 0.04 } };
    }
    for (int i = 0; i < BOXES; i++) {
        ty_vec3 middle = ty_add(b->wheel[0].p_W, ty_vec3_make(0.15 * i, 0.3 + 0.05 * i, 0.1 + 0.06 * i));
        b->box[i].before = b->box[i].now;
        b->box[i].now = (ty_pose){ middle, ty_quat_identity() };
        b->box[i].half = ty_vec3_make(0.2, 0.3, 0.05);
    }
    return ok;
}

static bool step(dust_bench *b, ty_diag *diag)
{
    double from = b->t;
    b->t += 0.02;
    return place(b, b->t, diag) && tyi_dust_step(b->dust, from, b->t, b->wheel, b->box, diag) == TY_OK;
}

/* best frame [s], with filling the cloud where there is one */
static double frame_time(dust_bench *b, bool dusty, ty_diag *diag)
{
    double best = INFINITY;
    ty_medium medium;
    ty_vec3 from = b->camera.pose.p;
    size_t n = tyi_dust_points(b->dust, b->t, from, b->point);
    for (int k = 0; k < REPEATS && diag->status == TY_OK; k++) {
        double start = bench_cpu();
        if (dusty && tyi_dust_cloud_fill(b->cloud, from, b->point, n, &b->sun, diag) == TY_OK) {
            ty_scene_set_medium(b->scene, tyi_dust_cloud_medium(b->cloud, &medium) ? &medium : NULL);
        }
        ty_render(b->scene, &b->camera, &b->def, &b->out, diag);
        best = fmin(best, bench_cpu() - start);
    }
    return best;
}

static void measure(dust_bench *b, ty_diag *diag)
{
    bool ok = place(b, 0.0, diag);
    for (int k = 0; k < 250 && ok; k++) {
        ok = step(b, diag);
    }
    double rate = 0.0;
    for (int k = 0; k < REPEATS && ok; k++) {
        double start = bench_cpu();
        ok = step(b, diag);
        rate = fmax(rate, (double)tyi_dust_get_ledger(b->dust).parcels / (bench_cpu() - start));
    }
    b->camera = ty_camera_default();
    b->camera.width = WIDTH, b->camera.height = HEIGHT, b->camera.hfov = 70.0 * TY_DEG;
    b->camera.pose.q = ty_camera_look(0.0, -5.0 * TY_DEG, 0.0);
    b->camera.pose.p = ty_add(b->wheel[0].p_W, ty_vec3_make(-1.0, -10.0, 1.5));
    b->def = ty_render_def_default();
    b->def.samples = 1;
    b->def.threads = 1;
    double start = bench_cpu(), clear = frame_time(b, false, diag), dusty = frame_time(b, true, diag), fill = INFINITY;
    size_t n = tyi_dust_points(b->dust, b->t, b->camera.pose.p, b->point);
    for (int k = 0; k < REPEATS; k++) {
        start = bench_cpu();
        tyi_dust_cloud_fill(b->cloud, b->camera.pose.p, b->point, n, &b->sun, diag);
        fill = fmin(fill, bench_cpu() - start);
    }
    if (ok && diag->status == TY_OK) {
        printf(
            "{\"parcels_per_s\": %.4g, \"frame_ratio\": %.3f, \"parcels\": %zu, \"frame_ms\": %.2f, \"fill_ms\": %.2f}\n",
            rate, dusty / clear, n, 1e3 * dusty, 1e3 * fill);
    }
}

int bench_dust(void)
{
    dust_bench b = { 0 };
    ty_diag diag = { 0 };
    if (make(&b, &diag)) {
        measure(&b, &diag);
    }
    ty_scene_destroy(b.scene);
    tyi_dust_cloud_destroy(b.cloud);
    tyi_dust_destroy(b.dust);
    ty_terrain_destroy(b.terrain);
    free(b.point), free(b.out.radiance);
    return diag.status == TY_OK ? APP_OK : app_bad("bench", "%s.", diag.text);
}
