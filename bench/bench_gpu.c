/* bench/bench_gpu.c - frames on a device, beside the bare walk over a height field.
 *
 * The scene of bench_render.c, 1920 x 1080, with a rover of boxes and drums of VIPER's size in view; one camera and one
 * Sun ray per sample. A device that is a CPU draws a smaller picture. Last, ten million grains of loose soil in view (a quarter of a million
 * where the device is a CPU): a frame of them, what it takes to put other ones there, and a frame by the host's cores.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "tycho/render.h"
#include "render/inner.h"
#include "tycho/trace.h"

typedef struct gpu_bench {
    ty_device *device;
    ty_terrain *terrain;
    ty_scene *scene;
    ty_camera camera;
    ty_render_def def;
    float *radiance;
    double *depth;
    int frames;
} gpu_bench;

static bool make_terrain(gpu_bench *b, ty_diag *diag)
{
    ty_terrain_def def = ty_terrain_def_default();
    def.seed = 20260101;
    def.resolution = 0.04;
    def.edit_level = 0;
    def.rock.cover = 0.1;
    def.rock.d_min = 0.02;
    return ty_terrain_create(&def, &b->terrain, diag) == TY_OK;
}

static ty_vec3 sun_at(double elevation_deg)
{
    double e = elevation_deg * TY_DEG, flat = hypot(0.8, 0.3);
    return ty_vec3_make(-0.8 / flat * cos(e), 0.3 / flat * cos(e), sin(e));
}

/* a drum about y: radius, half width, standing at p */
static ty_status add_drum(ty_scene *s, ty_vec3 p, double radius, double half, int sides, ty_diag *diag)
{
    float *v = calloc((size_t)sides * 6 + 6, sizeof *v);
    uint32_t *t = calloc((size_t)sides * 12, sizeof *t), id;
    ty_status status = v && t ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "bench: no memory");
    for (int i = 0; i < sides && status == TY_OK; i++) {
        double a = 2.0 * TY_PI * i / sides;
        for (int k = 0; k < 2; k++) {
            float *at = v + 3 * (2 * i + k);
            at[0] = (float)(radius * cos(a)), at[1] = (float)(k ? half : -half), at[2] = (float)(radius * sin(a));
        }
        uint32_t n = (uint32_t)(2 * ((i + 1) % sides)), m = (uint32_t)(2 * i), end = (uint32_t)(2 * sides);
        const uint32_t add[12] = { m, m + 1, n, n, m + 1, n + 1, end, m, n, end + 1, n + 1, m + 1 };
        for (int k = 0; k < 12; k++) {
            t[12 * i + k] = add[k];
        }
    }
    if (status == TY_OK) {
        v[6 * sides + 1] = (float)-half, v[6 * sides + 4] = (float)half;
        ty_object_def def = { .vertex = v,
                              .triangle = t,
                              .vertices = (size_t)sides * 2 + 2,
                              .triangles = (size_t)sides * 4,
                              .material = ty_material_lambert(0.3),
                              .kind = TY_CLASS_ROVER,
                              .pose = { p, ty_quat_identity() } };
        status = ty_scene_add(s, &def, &id, diag);
    }
    free(v), free(t);
    return status;
}

static ty_status add_box(ty_scene *s, ty_vec3 p, double x, double y, double z, ty_diag *diag)
{
    float v[24];
    static const uint32_t t[36] = { 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5 };
    for (int i = 0; i < 8; i++) {
        v[3 * i] = (float)(i & 1 ? x : -x), v[3 * i + 1] = (float)(i & 2 ? y : -y),
              v[3 * i + 2] = (float)(i & 4 ? z : -z);
    }
    uint32_t id;
    ty_object_def def = { .vertex = v,
                          .triangle = t,
                          .vertices = 8,
                          .triangles = 12,
                          .material = ty_material_lambert(0.6),
                          .kind = TY_CLASS_ROVER,
                          .pose = { p, ty_quat_identity() } };
    return ty_scene_add(s, &def, &id, diag);
}

static ty_status add_rover(ty_scene *s, ty_vec3 g, ty_diag *diag)
{
    ty_status status = add_box(s, ty_vec3_make(g.x, g.y, g.z + 0.9), 0.75, 0.75, 0.5, diag);
    for (int i = 0; i < 4 && status == TY_OK; i++) {
        ty_vec3 p = { g.x + (i & 1 ? 0.6 : -0.6), g.y + (i & 2 ? 0.75 : -0.75), g.z + 0.25 };
        status = add_drum(s, p, 0.25, 0.1, 48, diag);
    }
    if (status == TY_OK) {
        status = add_drum(s, ty_vec3_make(g.x + 0.5, g.y, g.z + 2.0), 0.1, 0.3, 24, diag);
    }
    return status;
}

static bool make_scene(gpu_bench *b, double elevation_deg, ty_diag *diag)
{
    ty_scene_def def = ty_scene_def_default();
    def.terrain = b->terrain;
    def.ring_cells = 2048;
    def.rings = 1;
    def.finest = 0.04;
    def.far = 41.0;
    def.rock_angle = 1e-4;
    def.rock_limit = 5000;
    ty_light sun = { .kind = TY_LIGHT_DISK, .dir_W = sun_at(elevation_deg), .radius = 0.00465, .power = { 1361.0 } };
    double x = 1.5, y = 7.0, z;
    return ty_scene_create(&def, &b->scene, diag) == TY_OK && ty_scene_add_light(b->scene, &sun, diag) == TY_OK &&
           ty_terrain_sample(b->terrain, 0, 1, &x, &y, &z, NULL, diag) == TY_OK &&
           add_rover(b->scene, ty_vec3_make(x, y, z), diag) == TY_OK &&
           ty_scene_set_device(b->scene, b->device, false, diag) == TY_OK;
}

static bool aim(gpu_bench *b, int width, int height, ty_diag *diag)
{
    double x = 0.0, y = 0.0, z;
    b->camera = ty_camera_default();
    b->camera.width = width, b->camera.height = height, b->camera.hfov = 70.0 * TY_DEG;
    b->camera.pose.q = ty_camera_look(0.0, -20.0 * TY_DEG, 0.0);
    b->def = ty_render_def_default();
    b->def.samples = 1;
    bool ok = ty_terrain_sample(b->terrain, 0, 1, &x, &y, &z, NULL, diag) == TY_OK;
    b->camera.pose.p = ty_vec3_make(x, y, z + 2.0);
    return ok;
}

/* [s] of a frame that comes back to the host */
static double read_back(gpu_bench *b, ty_diag *diag)
{
    ty_render_buffers out = { .radiance = b->radiance };
    double best = INFINITY;
    for (int k = 0; k < 4 && diag->status == TY_OK; k++) {
        double start = bench_now();
        for (int i = 0; i < b->frames && diag->status == TY_OK; i++) {
            ty_render(b->scene, &b->camera, &b->def, &out, diag);
        }
        best = k > 0 ? fmin(best, (bench_now() - start) / b->frames) : best;
    }
    return best;
}

/* [s] from an edit of 200 x 200 samples to its frame, less a frame */
static double edit_time(gpu_bench *b, double frame, ty_diag *diag)
{
    enum { SIDE = 200 };
    static float change[SIDE * SIDE];
    ty_render_buffers out = { .radiance = b->radiance };
    double best = INFINITY;
    for (int i = 0; i < SIDE * SIDE; i++) {
        change[i] = -1e-3f * (float)(1 + i % 7);
    }
    for (int k = 0; k < 10 && diag->status == TY_OK; k++) {
        ty_edit edit = { .i0 = -SIDE / 2 + k, .j0 = 50, .nx = SIDE, .ny = SIDE, .change = change };
        double start = bench_now();
        ty_terrain_edit(b->terrain, &edit, diag);
        ty_render(b->scene, &b->camera, &b->def, &out, diag);
        best = fmin(best, bench_now() - start - frame);
    }
    return best;
}

/* [s] of 256 views of 128 x 128 depth from within 2 m, on the device and read back */
enum { VIEWS = 256, SIDE_PX = 128 };
static void small_views(gpu_bench *b, double *device, double *host, ty_diag *diag)
{
    ty_camera *view = malloc(VIEWS * sizeof *view);
    float *depth = malloc((size_t)VIEWS * SIDE_PX * SIDE_PX * sizeof *depth);
    if (!view || !depth) {
        ty_fail(diag, TY_ERR_MEMORY, "bench: no memory for views");
    }
    for (int i = 0; i < VIEWS && diag->status == TY_OK; i++) {
        view[i] = b->camera;
        view[i].width = view[i].height = SIDE_PX;
        view[i].pose.p.x += 0.25 * (i % 16) - 2.0, view[i].pose.p.y += 0.25 * (i / 16) - 2.0;
        view[i].pose.q = ty_camera_look(i * 1.4 * TY_DEG, -20.0 * TY_DEG, 0.0);
    }
    if (diag->status == TY_OK) {
        tyi_render_measure_depths(b->scene, view, VIEWS, device, diag);
    }
    for (int k = 0; k < 5 && diag->status == TY_OK; k++) {
        double start = bench_now();
        ty_render_depths(b->scene, view, VIEWS, 0, depth, diag);
        *host = fmin(*host, bench_now() - start);
    }
    free(view), free(depth);
}

/* [s] of a turn of a VLP-32C, read back: 1800 firings of 32 beams, each of 5 rays over its divergence */
static double lidar_turn(gpu_bench *b, size_t *rays, ty_diag *diag)
{
    enum { TURN = 1800, BEAMS = 32, SUB = 5, RAYS = TURN * BEAMS * SUB };
    ty_trace_ray *ray = malloc(RAYS * sizeof *ray);
    ty_trace_hit *hit = malloc(RAYS * sizeof *hit);
    double best = INFINITY;
    if (!ray || !hit) {
        ty_fail(diag, TY_ERR_MEMORY, "bench: no memory for rays");
    }
    for (int i = 0; i < RAYS && diag->status == TY_OK; i++) {
        int beam = i / SUB % BEAMS, firing = i / SUB / BEAMS, sub = i % SUB;
        double az = firing * 0.2 * TY_DEG + (sub == 1 ? 7.5e-4 : sub == 2 ? -7.5e-4 : 0.0);
        double el = (15.0 - 40.0 * beam / (BEAMS - 1.0)) * TY_DEG + (sub == 3 ? 7.5e-4 : sub == 4 ? -7.5e-4 : 0.0);
        ray[i] = (ty_trace_ray){ .from = b->camera.pose.p,
                                 .dir = { cos(el) * sin(az), cos(el) * cos(az), sin(el) },
                                 .far = 200.0 };
    }
    for (int k = 0; k < 6 && diag->status == TY_OK; k++) {
        double start = bench_now();
        ty_scene_trace(b->scene, b->camera.pose.p, ray, RAYS, 0, 0, hit, diag);
        best = fmin(best, bench_now() - start);
    }
    *rays = RAYS;
    free(ray), free(hit);
    return best;
}

/* A field of loose soil before the eye, 8 x 8 m with ridges of 0.15 m: side^2 lumps of 24 grains each, other ones for another `first`. */
static ty_status throw_soil(gpu_bench *b, size_t side, uint32_t first, ty_diag *diag)
{
    size_t n = side * side;
    double *x = calloc(3 * n, sizeof *x), *y = x ? x + n : NULL, *z = x ? x + 2 * n : NULL, wide = 8.0 / (double)side;
    tyi_render_lump *lump = malloc(n * sizeof *lump);
    ty_status status = x && lump ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "bench: no memory for %zu lumps", n);
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        x[i] = wide * ((double)(i % side) + 0.5) - 4.0, y[i] = wide * ((double)(i / side) + 0.5) + 1.5;
    }
    status = status == TY_OK ? ty_terrain_sample(b->terrain, 0, n, x, y, z, NULL, diag) : status;
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        double ridge = 0.15 * sin(2.0 * x[i]) * cos(3.0 * y[i]);
        lump[i] = (tyi_render_lump){ { x[i], y[i], z[i] + 0.16 + ridge }, (float)wide, first + (uint32_t)i, false };
    }
    tyi_render_scene_set_most_clods(b->scene, 24 * n);
    status = status == TY_OK ? tyi_render_scene_set_lumps(b->scene, lump, n, diag) : status;
    free(x), free(lump);
    return status;
}

typedef struct soil_times {
    double grains, frame, put, host; /* [-]; [s] a frame; new grains in it; a frame of the host, by its cores */
} soil_times;

static void loose_soil(gpu_bench *b, soil_times *t, ty_diag *diag)
{
    size_t side = ty_device_get_info(b->device)->gpu ? 646 : 100;
    ty_render_bench frame = { 0 };
    ty_render_buffers out = { .radiance = b->radiance };
    b->def.samples = 1, b->def.depth = 1;
    t->grains = 24.0 * (double)(side * side);
    if (throw_soil(b, side, 0, diag) == TY_OK) {
        tyi_render_measure_device(b->scene, &b->camera, &b->def, b->frames, &frame, diag);
        t->frame = frame.seconds;
    }
    if (diag->status == TY_OK && throw_soil(b, side, 1, diag) == TY_OK) {
        double start = bench_now();
        ty_render(b->scene, &b->camera, &b->def, &out, diag);
        t->put = bench_now() - start - frame.seconds;
    }
    if (diag->status == TY_OK && ty_scene_set_device(b->scene, NULL, false, diag) == TY_OK) {
        ty_render(b->scene, &b->camera, &b->def, &out, diag); /* builds its tracer */
        double start = bench_now();
        ty_render(b->scene, &b->camera, &b->def, &out, diag);
        t->host = bench_now() - start;
    }
}

int bench_gpu(const char *name)
{
    gpu_bench b = { 0 };
    ty_diag diag = { 0 };
    ty_device_def def = ty_device_def_default();
    def.name = name;
    ty_render_bench walk = { 0 }, frame = { 0 }, low = { 0 }, path = { 0 };
    double back = INFINITY, edit = INFINITY, small[2] = { INFINITY, INFINITY }, turn = INFINITY;
    size_t rays_of_turn = 0;
    soil_times soil = { 0.0, INFINITY, INFINITY, INFINITY };
    if (ty_device_create(&def, &b.device, &diag) != TY_OK) {
        return app_bad("bench", "%s.", diag.text);
    }
    const ty_device_info *info = ty_device_get_info(b.device);
    int width = info->gpu ? 1920 : 480, height = info->gpu ? 1080 : 270;
    b.frames = info->gpu ? 20 : 1;
    b.radiance = calloc((size_t)width * (size_t)height, sizeof *b.radiance);
    if (b.radiance && make_terrain(&b, &diag) && aim(&b, width, height, &diag)) {
        tyi_render_measure_walk(b.terrain, b.device, &b.camera, sun_at(25.0), 2048, &walk, &diag);
        if (diag.status == TY_OK && make_scene(&b, 5.0, &diag)) {
            tyi_render_measure_device(b.scene, &b.camera, &b.def, b.frames, &low, &diag);
        }
        ty_scene_destroy(b.scene);
        b.scene = NULL;
        if (diag.status == TY_OK && make_scene(&b, 25.0, &diag)) {
            tyi_render_measure_device(b.scene, &b.camera, &b.def, b.frames, &frame, &diag);
            back = read_back(&b, &diag);
            edit = edit_time(&b, back, &diag);
            b.def.samples = 8, b.def.depth = 3;
            tyi_render_measure_device(b.scene, &b.camera, &b.def, b.frames / 10 + 1, &path, &diag);
            small_views(&b, &small[0], &small[1], &diag);
            turn = lidar_turn(&b, &rays_of_turn, &diag);
            loose_soil(&b, &soil, &diag);
        }
    }
    ty_scene_destroy(b.scene);
    ty_terrain_destroy(b.terrain);
    free(b.radiance);
    if (diag.status != TY_OK) {
        ty_device_destroy(b.device);
        return app_bad("bench", "%s.", diag.text);
    }
    double bare = (double)walk.rays / walk.seconds, rays = (double)frame.rays / frame.seconds;
    printf(
        "{\"device\": \"%s\", \"width\": %d, \"height\": %d, \"walk_rays_per_s\": %.4g, \"frame_rays_per_s\": %.4g, "
        "\"ratio\": %.3f, \"fps_1080p\": %.4g, \"fps_1080p_host\": %.4g, \"fps_1080p_path\": %.4g, "
        "\"fps_1080p_sun_5deg\": %.4g, \"path_rays_per_s\": %.4g, \"edit_ms\": %.3f, \"small_frames_per_s\": %.4g, \"small_frames_per_s_host\": %.4g, "
        "\"lidar_rays\": %zu, \"lidar_turn_ms\": %.3f, \"grains\": %.0f, \"fps_1080p_grains\": %.4g, \"grains_put_ms\": %.4g, \"fps_1080p_grains_cpu\": %.4g}\n",
        info->name, width, height, bare, rays, rays / bare, 1.0 / frame.seconds, 1.0 / back, 1.0 / path.seconds,
        1.0 / low.seconds, (double)path.rays / path.seconds, 1e3 * edit, VIEWS / small[0], VIEWS / small[1],
        rays_of_turn, 1e3 * turn, soil.grains, 1.0 / soil.frame, 1e3 * soil.put, 1.0 / soil.host);
    ty_device_destroy(b.device);
    return APP_OK;
}
