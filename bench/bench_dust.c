/* bench/bench_dust.c - parcels of dust per second, and a frame with a cloud of them, on one core.
 *
 * Four wheels of the LRV at 2.8 m/s for 5 s with its fenders, over the ground of `bench render` without rocks: some 100 000 parcels are in flight. A step of 20 ms moves all of them, with 16 boxes of a rover in their way; only those that fly are counted. Frames: 1024 x 768 pixels from
 * 10 m aside, one sample, the Sun 25 deg high; frame_ratio includes filling the grid.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app.h"
#include "bench.h"
#include "dust/cloud.h"
#include "dust/parcels.h"
#include "k_cloud.h"
#include "tycho/render.h"
#include "tycho/trace.h"

#define WIDTH   1024
#define HEIGHT  768
#define REPEATS 5
#define PARCELS 240000
enum { WHEELS = 4, BOXES = 16, VIEWS = 4 };

typedef struct dust_bench {
    ty_terrain *terrain;
    ty_scene *scene;
    tyi_dust *dust;
    tyi_dust_cloud *cloud;
    tyi_dust_point *point;
    tyi_dust_wheel wheel[WHEELS];
    tyi_dust_box box[BOXES];
    double t;
    int parcels, width, height; /* most parcels; [px] */
    ty_device *device;          /* NULL: on the host */
    struct ty_k_cloud_track *track;
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
    tyi_dust_def def = { .params = tyi_dust_params_default(),
                         .gravity = 1.62,
                         .wheels = WHEELS,
                         .boxes = BOXES,
                         .threads = b->device ? 0 : 1 };
    def.params.parcels = b->parcels;
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
    b->point = calloc((size_t)b->parcels, sizeof *b->point);
    b->out.radiance = calloc((size_t)b->width * (size_t)b->height, sizeof(float));
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

/* 5 s of driving, and the camera beside it */
static bool drive(dust_bench *b, ty_diag *diag)
{
    bool ok = place(b, 0.0, diag);
    for (int k = 0; k < 250 && ok; k++) {
        ok = step(b, diag);
    }
    return ok;
}

static void aim(dust_bench *b)
{
    b->camera = ty_camera_default();
    b->camera.width = b->width, b->camera.height = b->height, b->camera.hfov = 70.0 * TY_DEG;
    b->camera.pose.q = ty_camera_look(0.0, -5.0 * TY_DEG, 0.0);
    b->camera.pose.p = ty_add(b->wheel[0].p_W, ty_vec3_make(-1.0, -10.0, 1.5));
    b->def = ty_render_def_default();
    b->def.samples = 1;
    b->def.threads = b->device ? 0 : 1;
}

static void measure(dust_bench *b, ty_diag *diag)
{
    bool ok = drive(b, diag);
    double rate = 0.0;
    for (int k = 0; k < REPEATS && ok; k++) {
        double start = bench_cpu();
        ok = step(b, diag);
        rate = fmax(rate, (double)tyi_dust_get_ledger(b->dust).parcels / (bench_cpu() - start));
    }
    aim(b);
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

/* how the points of now fly on */
static size_t follow(dust_bench *b)
{
    size_t n = tyi_dust_points(b->dust, b->t, b->camera.pose.p, b->point), k = 0;
    for (size_t i = 0; i < b->dust->count && k < n; i++) {
        const tyi_dust_parcel *p = &b->dust->parcel[i];
        if (p->born <= b->t && b->t < p->lands) {
            b->track[k++] =
                (ty_k_cloud_track){ { (float)p->v.x, (float)p->v.y, (float)(p->v.z - 1.62 * (b->t - p->born)) },
                                    { p->apart[0], p->apart[1], (float)((double)p->apart[2] - 0.08 * 1.62) },
                                    (float)(p->lands - b->t) };
        }
    }
    return n;
}

/* Four views of one cloud, each drawn again and again by paths of three surfaces: pixels that are not, bit by bit, those of the first time. */
static size_t draw_again(dust_bench *b, int repeats, ty_diag *diag)
{
    size_t pixels = (size_t)b->width * (size_t)b->height, differ = 0;
    float *now = b->out.radiance, *first = calloc(pixels, sizeof *first);
    const ty_render_def def = b->def;
    const ty_pose pose = b->camera.pose;
    b->def.samples = 4, b->def.depth = 3;
    for (int view = 0; view < VIEWS && first; view++) {
        b->camera.pose.q = ty_camera_look((view - 1.5) * 12.0 * TY_DEG, (-8.0 + 2.0 * view) * TY_DEG, 0.0);
        for (int k = 0; k < repeats && diag->status == TY_OK; k++) {
            b->out.radiance = k ? now : first;
            ty_render(b->scene, &b->camera, &b->def, &b->out, diag);
            for (size_t i = 0; k && i < pixels; i++) {
                differ += memcmp(&now[i], &first[i], sizeof *now) != 0;
            }
        }
    }
    b->def = def, b->camera.pose = pose, b->out.radiance = now;
    free(first);
    return differ;
}

/* Light of a frame of the cloud on the device over the host's; *near: the share of its pixels within 1 %. */
static double over_host(dust_bench *b, size_t n, double *near, ty_diag *diag)
{
    size_t pixels = (size_t)b->width * (size_t)b->height;
    float *there = b->out.radiance, *here = calloc(pixels, sizeof *here);
    double sum[2] = { 0.0, 0.0 };
    ty_medium medium;
    *near = 0.0;
    b->def.samples = 4;
    bool ok = here && tyi_dust_cloud_fill(b->cloud, b->camera.pose.p, b->point, n, &b->sun, diag) == TY_OK &&
              tyi_dust_cloud_medium(b->cloud, &medium);
    for (int k = 0; k < 2 && ok; k++) {
        ty_scene_set_medium(b->scene, &medium);
        b->out.radiance = k ? here : there;
        ok = (k == 0 || ty_scene_set_device(b->scene, NULL, false, diag) == TY_OK) &&
             ty_render(b->scene, &b->camera, &b->def, &b->out, diag) == TY_OK;
    }
    for (size_t i = 0; i < pixels && ok; i++) {
        sum[0] += (double)here[i], sum[1] += (double)there[i];
        *near += fabs((double)(there[i] - here[i])) <= 0.01 * (double)here[i] + 1e-6 ? 1.0 / (double)pixels : 0.0;
    }
    b->out.radiance = there;
    free(here);
    return sum[1] / sum[0];
}

/* Frames on a device: all parcels fly on by 5 ms, are gathered into the grid, shaded and drawn, and the picture comes back. None are
 * born meanwhile. */
static void measure_there(dust_bench *b, int frames, ty_diag *diag)
{
    ty_medium medium;
    double best[2] = { INFINITY, INFINITY };
    bool ok = drive(b, diag) && ty_scene_set_device(b->scene, b->device, false, diag) == TY_OK;
    aim(b);
    size_t n = ok ? follow(b) : 0;
    for (int dusty = 0; dusty < 2 && ok; dusty++) {
        tyi_dust_cloud_margin(b->cloud, 0.6f);
        ok = tyi_dust_cloud_fill(b->cloud, b->camera.pose.p, b->point, n, &b->sun, diag) == TY_OK;
        ty_scene_set_medium(b->scene, ok && dusty && tyi_dust_cloud_medium(b->cloud, &medium) ? &medium : NULL);
        for (int k = 0; k < 4 && ok; k++) {
            double start = bench_now();
            for (int i = 0; i < frames && ok; i++) {
                tyi_dust_cloud_fly(b->cloud, b->track, 0.005f * (float)(1 + i), 1.62f);
                ok = ty_render(b->scene, &b->camera, &b->def, &b->out, diag) == TY_OK;
            }
            best[dusty] = k > 0 ? fmin(best[dusty], (bench_now() - start) / frames) : best[dusty];
        }
    }
    size_t differ = ok ? draw_again(b, frames > 1 ? 60 : 3, diag) : 0;
    const char *host = ok ? ty_scene_get_stats(b->scene).host : NULL;
    double near = 0.0, light = ok ? over_host(b, n, &near, diag) : 0.0;
    if (ok && diag->status == TY_OK) {
        printf(
            "{\"dusty_frames_per_s\": %.4g, \"clear_frames_per_s\": %.4g, \"parcels\": %zu, \"width\": %d, \"height\": %d, "
            "\"voxel_m\": %.3g, \"views\": %d, \"repeats\": %d, \"differing_pixels\": %zu, \"over_host\": %.6f, \"near_host\": %.5f, \"on_device\": %s}\n",
            1.0 / best[1], 1.0 / best[0], n, b->width, b->height, tyi_dust_cloud_voxel(b->cloud), VIEWS,
            frames > 1 ? 60 : 3, differ, light, near, host ? "false" : "true");
    }
}

int bench_dust(const char *name)
{
    dust_bench b = { .parcels = PARCELS, .width = WIDTH, .height = HEIGHT };
    ty_diag diag = { 0 };
    ty_device_def def = ty_device_def_default();
    def.name = name && name[0] ? name : NULL;
    if (name && ty_device_create(&def, &b.device, &diag) != TY_OK) {
        return app_bad("bench", "%s.", diag.text);
    }
    bool gpu = b.device && ty_device_get_info(b.device)->gpu;
    if (gpu) {
        b.parcels = 2800000, b.width = 1920, b.height = 1080;
    } else if (b.device) { /* a processor: it only shows that it works */
        b.parcels = 24000, b.width = 256, b.height = 192;
    }
    b.track = b.device ? calloc((size_t)b.parcels, sizeof *b.track) : NULL;
    if (make(&b, &diag) && b.device && b.track) {
        measure_there(&b, gpu ? 20 : 1, &diag);
    } else if (diag.status == TY_OK && !b.device) {
        measure(&b, &diag);
    }
    ty_scene_destroy(b.scene);
    tyi_dust_cloud_destroy(b.cloud);
    tyi_dust_destroy(b.dust);
    ty_terrain_destroy(b.terrain);
    ty_device_destroy(b.device);
    free(b.point), free(b.out.radiance), free(b.track);
    return diag.status == TY_OK ? APP_OK : app_bad("bench", "%s.", diag.text);
}
