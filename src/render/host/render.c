/* src/render/host/render.c - ty_render(): checks, workers, one frame.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <time.h>
#include "frame.h"
#include "gpu/gpu.h"
#include "inner.h"
#include "world/terrain/inner.h"

ty_render_def ty_render_def_default(void)
{
    return (ty_render_def){ .samples = 16, .depth = 1, .jitter = true, .seed = 1, .cookie = TYI_COOKIE };
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ty_status check(const ty_camera *c, const ty_render_def *d, ty_diag *diag)
{
    if (c->cookie != TYI_COOKIE || d->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "render: a definition did not start from its default function");
    }
    ty_status status = tyi_render_camera_check(c, diag);
    if (status != TY_OK) {
        return status;
    }
    if (c->moving && !(c->rolling >= 0.0 && c->rolling < 1.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: rolling is %g, but takes 0 to below 1", c->rolling);
    }
    if (d->samples < 1 || d->samples > 1 << 20 || d->depth < 1 || d->depth > 64) {
        return ty_fail(diag, TY_ERR_RANGE, "render: %d samples and depth %d, but 1 to 1048576 and 1 to 64 are accepted",
                       d->samples, d->depth);
    }
    if (d->split < 0 || d->split > 64) {
        return ty_fail(diag, TY_ERR_RANGE, "render: split is %d, but 0 to 64 are accepted", d->split);
    }
    ty_vec3 p = c->pose.p;
    if (!isfinite(p.x + p.y + p.z) ||
        !(fabs(ty_norm(ty_vec3_make(c->pose.q.x, c->pose.q.y, c->pose.q.z)) - 0.5) <= 0.51)) {
        return ty_fail(diag, TY_ERR_RANGE, "camera: its pose is not a place and a unit quaternion");
    }
    return TY_OK;
}

static ty_status check_above_ground(ty_scene *s, ty_vec3 p, ty_diag *diag)
{
    if (!s->ground.terrain) {
        return TY_OK;
    }
    double x, y, z, height, R = ty_terrain_site(s->ground.terrain)->radius;
    tyi_terrain_below(s->ground.terrain, p, &x, &y, &height);
    if (height > 0.01 * R) { /* higher than any mountain */
        return TY_OK;
    }
    bool flat = hypot(p.x, p.y) < 0.2 * R; /* where the ground is a height field over W's x and y */
    x = flat ? p.x : x, y = flat ? p.y : y;
    ty_status status = TY_OK;
    if (!s->ground.supply) {
        status = ty_terrain_sample(s->ground.terrain, s->ground.ring[0].level, 1, &x, &y, &z, NULL, diag);
    } else if (!tyi_render_rings_known(&s->ground, x, y, &z)) {
        return TY_OK;
    }
    if (status == TY_OK && !flat) {
        double below;
        tyi_terrain_below(s->ground.terrain, tyi_terrain_point(s->ground.terrain, x, y, z), &x, &y, &below);
        z = p.z + below - height;
    }
    if (status == TY_OK && !(p.z > z)) {
        return ty_fail(diag, TY_ERR_INPUT, "camera: stands %g m inside the ground at x = %g, y = %g m", z - p.z, p.x,
                       p.y);
    }
    return status;
}

/* [rad] between neighbouring pixels in the middle of the image; 0: the lens has no ray there */
static double pixel_angle(const ty_camera *c)
{
    ty_vec3 o, a, b;
    double u = 0.5 * c->width, v = 0.5 * c->height;
    bool seen = ty_camera_ray(c, u, v, &o, &a) && ty_camera_ray(c, u + 0.5, v, &o, &b);
    return seen ? 2.0 * ty_norm(ty_sub(a, b)) : 0.0;
}

/* directions through corners and middles of the picture's edges; none where the lens lacks one */
static void look_edges(const ty_camera *c, tyi_render_rocks_seen *rocks)
{
    rocks->edges = 0;
    for (int k = 0; k < 9; k++) {
        ty_vec3 o, d;
        if (k == 4) {
            continue;
        }
        if (!ty_camera_ray(c, 0.5 * (k % 3) * c->width, 0.5 * (k / 3) * c->height, &o, &d)) {
            rocks->edges = 0;
            return;
        }
        rocks->edge[rocks->edges++] = d;
    }
}

/* kept from frame to frame */
ty_status tyi_render_frame_scratch(ty_scene *s, tyi_render_frame *f, int workers, ty_diag *diag)
{
    size_t block = tyi_render_block_bytes(), counts = ((size_t)workers * sizeof(size_t) + 63) / 64 * 64;
    size_t shading = (tyi_render_shading_bytes() + 63) / 64 * 64,
           need = block * (size_t)workers + counts + shading + 64;
    if (s->scratch_bytes < need) {
        tyi_put(s->def.alloc, s->scratch, s->scratch_bytes);
        s->scratch_bytes = 0;
        s->scratch = tyi_get(s->def.alloc, need);
        if (!s->scratch) {
            return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %d workers", workers);
        }
        s->scratch_bytes = need;
    }
    char *at = (char *)(((uintptr_t)s->scratch + 63) / 64 * 64);
    f->shading = (void *)at;
    f->rays = (void *)(at + shading);
    f->block = (void *)(at + shading + counts);
    for (int k = 0; k < workers; k++) {
        f->rays[k] = 0;
        tyi_render_block_start(f, k);
    }
    return TY_OK;
}

ty_status tyi_render_frame_ready(tyi_render_frame *f, int threads, ty_diag *diag)
{
    ty_status status = tyi_render_scene_ready(f->scene, threads, diag);
    if (status == TY_OK && !tyi_render_scene_flat(f->scene)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "render: no memory for the flat scene");
    }
    if (status == TY_OK) {
        tyi_render_frame_shading(f);
    }
    return status;
}

/* how wide a pixel in the middle sees */
static void aim(tyi_render_frame *f)
{
    ty_vec3 o, a = { 0, 0, 1 }, b = { 0, 0, 1 };
    double u = 0.5 * f->camera->width, v = 0.5 * f->camera->height;
    if (ty_camera_ray(f->camera, u, v, &o, &a) && ty_camera_ray(f->camera, u + 1.0, v, &o, &b)) {
        f->cone = (float)ty_norm(ty_sub(b, a));
    }
}

static void tile_job(void *user, size_t tile, int worker)
{
    const tyi_render_frame *f = user;
    if (f->out->radiance || f->out->sunlit) {
        tyi_render_block_render(f, tile, worker);
    }
    const ty_render_buffers *o = f->out;
    if (o->depth || o->range || o->normal || o->albedo || o->instance || o->kind) {
        tyi_render_truth_render(f, tile, worker);
    }
}

ty_status tyi_render_use_kernels(ty_scene *scene, ty_diag *diag)
{
    tyi_render_gpu_destroy(scene->gpu);
    scene->gpu = NULL;
    return tyi_render_gpu_create(NULL, scene->def.alloc, &scene->gpu, diag);
}

ty_status ty_scene_set_device(ty_scene *scene, ty_device *device, bool or_host, ty_diag *diag)
{
    tyi_render_gpu_destroy(scene->gpu);
    scene->gpu = NULL;
    scene->or_host = or_host;
    scene->lost[0] = '\0';
    ty_status status = device ? tyi_render_gpu_create(device, scene->def.alloc, &scene->gpu, diag) : TY_OK;
    tyi_render_gpu_fit(scene->gpu, scene); /* where not even the coarsest ground fits, the first frame says so */
    return status;
}

ty_status tyi_render_gpu_failed(ty_scene *scene, ty_status status, ty_diag *diag)
{
    if (!scene->or_host || !tyi_render_accel_works()) {
        return status;
    }
    snprintf(scene->lost, sizeof scene->lost, "%s", diag ? diag->text : ty_status_text(status));
    tyi_render_gpu_destroy(scene->gpu);
    scene->gpu = NULL;
    tyi_render_gpu_fit(NULL, scene);
    if (diag) {
        *diag = (ty_diag){ 0 };
    }
    return TY_OK;
}

static ty_status update_for(ty_scene *scene, const ty_camera *camera, int threads, ty_diag *diag)
{
    scene->ground.pixel = pixel_angle(camera);
    look_edges(camera, &scene->rocks);
    ty_status status = tyi_render_scene_update(scene, camera->pose.p, threads ? threads : scene->def.threads, diag);
    scene->ground.pixel = 0.0;
    return status;
}

/* once: light stays on the device where it is wanted there, with the stars in it; where they stand is found while it draws */
static ty_status on_device(tyi_render_frame *f, ty_device_buffer **light, size_t *traced, ty_diag *diag)
{
    ty_scene *scene = f->scene;
    size_t most = f->out->radiance ? scene->stars : 0;
    most *= (size_t)(f->camera->moving ? f->def.samples : 1) * (size_t)scene->def.bands;
    f->spark = tyi_render_gpu_spark_room(scene->gpu, most);
    f->keep = f->spark && light && tyi_render_gpu_device(scene->gpu);
    scene->sparks = 0;
    ty_status status = tyi_render_gpu_start(scene->gpu, f, diag);
    if (status == TY_OK && most && f->spark) {
        tyi_render_stars_draw(f);
    }
    status = status == TY_OK ? tyi_render_gpu_frame(scene->gpu, f, traced, diag) : status;
    if (status == TY_OK && f->keep) {
        status = tyi_render_gpu_kept(scene->gpu, scene->sparks, light, diag);
    }
    for (size_t k = 0; k < scene->sparks && status == TY_OK && !f->keep; k++) {
        f->out->radiance[f->spark[k].at] += f->spark[k].radiance;
    }
    f->keep = f->keep && status == TY_OK;
    if (light && !f->keep) {
        *light = NULL;
    }
    return status;
}

/* a frame on the device, with less ground where its memory is short */
static ty_status by_device(tyi_render_frame *f, ty_device_buffer **light, size_t *traced, ty_diag *diag)
{
    ty_scene *scene = f->scene;
    ty_status status = on_device(f, light, traced, diag);
    while (status == TY_ERR_MEMORY && tyi_render_gpu_squeeze(scene)) {
        status = update_for(scene, f->camera, f->def.threads, diag);
        if (status == TY_OK) {
            status = on_device(f, light, traced, diag);
        }
        if (status == TY_OK && diag) {
            *diag = (ty_diag){ 0 };
        }
    }
    if (status != TY_OK && (status = tyi_render_gpu_failed(scene, status, diag)) == TY_OK) {
        f->spark = NULL;                                             /* went with the device */
        status = update_for(scene, f->camera, f->def.threads, diag); /* the host has all the ground */
    }
    return status;
}

/* light: NULL, or where the radiance stays if a device makes it; NULL in it: it is in out */
static ty_status draw(ty_scene *scene, const ty_camera *camera, const ty_render_def *def, const ty_render_buffers *out,
                      ty_device_buffer **light, ty_diag *diag)
{
    double start = now();
    ty_status status = check(camera, def, diag);
    if (status == TY_OK) {
        status = check_above_ground(scene, camera->pose.p, diag);
    }
    if (status == TY_OK) {
        status = update_for(scene, camera, def->threads, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    int workers = tyi_tasks_threads(def->threads);
    tyi_render_frame f = { .scene = scene, .camera = camera, .def = *def, .out = out };
    f.across = (camera->width + TYI_RENDER_PIXELS - 1) / TYI_RENDER_PIXELS;
    f.tiles = f.across * ((camera->height + TYI_RENDER_PIXELS - 1) / TYI_RENDER_PIXELS);
    status = tyi_render_frame_scratch(scene, &f, workers, diag);
    if (status != TY_OK) {
        return status;
    }
    aim(&f);
    double ready = now();
    scene->stats.host = scene->gpu ? tyi_render_gpu_cannot(scene, camera) : scene->lost[0] ? scene->lost : NULL;
    size_t traced = 0;
    if (!tyi_render_accel_works() && (!scene->gpu || scene->stats.host)) {
        status = scene->stats.host ? ty_fail(diag, TY_ERR_INPUT, "render: %s, and this build has no Embree for that",
                                             scene->stats.host)
                                   : tyi_render_gpu_create(NULL, scene->def.alloc, &scene->gpu, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    if (scene->gpu && !scene->stats.host) {
        status = by_device(&f, light, &traced, diag);
        if (status != TY_OK) {
            return status;
        }
        scene->stats.host = scene->gpu ? NULL : scene->lost;
    }
    if (!scene->gpu || scene->stats.host) {
        status = tyi_render_frame_ready(&f, def->threads, diag);
        if (status != TY_OK) {
            return status;
        }
        tyi_tasks_for(workers, (size_t)f.tiles, tile_job, &f);
    }
    if (out->radiance && scene->stars && !f.spark) {
        tyi_render_stars_draw(&f);
    }
    scene->stats.rays = traced;
    for (int k = 0; k < workers; k++) {
        scene->stats.rays += f.rays[k];
    }
    scene->stats.update_s = ready - start;
    scene->stats.late = scene->ground.late;
    scene->stats.trace_s = now() - ready;
    return TY_OK;
}

ty_status ty_render(ty_scene *scene, const ty_camera *camera, const ty_render_def *def, const ty_render_buffers *out,
                    ty_diag *diag)
{
    return draw(scene, camera, def, out, NULL, diag);
}

ty_status tyi_render_keep(ty_scene *scene, const ty_camera *camera, const ty_render_def *def,
                          const ty_render_buffers *out, ty_device_buffer **light, ty_diag *diag)
{
    *light = NULL;
    return draw(scene, camera, def, out, light, diag);
}

ty_device *tyi_render_scene_device(const ty_scene *scene)
{
    return scene->gpu ? tyi_render_gpu_device(scene->gpu) : NULL;
}

/* one view by the host, as the scene stands */
static ty_status depth_by_host(ty_scene *scene, const ty_camera *camera, int threads, double *room, float *depth,
                               ty_diag *diag)
{
    ty_render_buffers out = { .depth = room };
    int workers = tyi_tasks_threads(threads);
    tyi_render_frame f = { .scene = scene, .camera = camera, .def = { .samples = 1, .depth = 1 }, .out = &out };
    f.across = (camera->width + TYI_RENDER_PIXELS - 1) / TYI_RENDER_PIXELS;
    f.tiles = f.across * ((camera->height + TYI_RENDER_PIXELS - 1) / TYI_RENDER_PIXELS);
    aim(&f);
    ty_status status = tyi_render_frame_scratch(scene, &f, workers, diag);
    status = status == TY_OK ? tyi_render_frame_ready(&f, threads, diag) : status;
    if (status == TY_OK) {
        tyi_tasks_for(workers, (size_t)f.tiles, tile_job, &f);
    }
    for (size_t i = 0; i < (size_t)camera->width * (size_t)camera->height && status == TY_OK; i++) {
        depth[i] = (float)room[i];
    }
    return status;
}

/* for many views near this one: rocks all round */
static ty_status update_near(ty_scene *scene, const ty_camera *camera, int threads, ty_diag *diag)
{
    scene->ground.pixel = pixel_angle(camera);
    scene->rocks.edges = 0;
    ty_status status = tyi_render_scene_update(scene, camera->pose.p, threads ? threads : scene->def.threads, diag);
    scene->ground.pixel = 0.0;
    return status;
}

ty_status ty_render_depths(ty_scene *scene, const ty_camera *camera, size_t cameras, int threads, float *depth,
                           ty_diag *diag)
{
    ty_render_def def = ty_render_def_default();
    ty_status status = TY_OK;
    for (size_t i = 0; i < cameras && status == TY_OK; i++) {
        status = check(&camera[i], &def, diag);
        if (status == TY_OK && (camera[i].width != camera->width || camera[i].height != camera->height)) {
            status = ty_fail(diag, TY_ERR_INPUT, "render: view %zu has %d x %d pixels, the first %d x %d", i,
                             camera[i].width, camera[i].height, camera->width, camera->height);
        }
        if (status == TY_OK) {
            status = check_above_ground(scene, camera[i].pose.p, diag);
        }
    }
    if (status != TY_OK || !cameras) {
        return status;
    }
    status = update_near(scene, camera, threads, diag);
    scene->stats.host = scene->gpu ? tyi_render_gpu_cannot(scene, camera) : scene->lost[0] ? scene->lost : NULL;
    if (status == TY_OK && scene->gpu && !scene->stats.host) {
        status = tyi_render_gpu_depths(scene->gpu, scene, camera, cameras, threads, 1, depth, diag);
        while (status == TY_ERR_MEMORY && tyi_render_gpu_squeeze(scene)) {
            status = update_near(scene, camera, threads, diag);
            if (status == TY_OK) {
                status = tyi_render_gpu_depths(scene->gpu, scene, camera, cameras, threads, 1, depth, diag);
            }
        }
        if (status == TY_OK || (status = tyi_render_gpu_failed(scene, status, diag)) != TY_OK) {
            return status;
        }
        scene->stats.host = scene->lost;
        status = update_near(scene, camera, threads, diag);
    }
    size_t pixels = (size_t)camera->width * (size_t)camera->height;
    double *room = status == TY_OK ? tyi_get(scene->def.alloc, pixels * sizeof *room) : NULL;
    if (status == TY_OK && !room) {
        status = ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu pixels", pixels);
    }
    for (size_t i = 0; i < cameras && status == TY_OK; i++) {
        status = depth_by_host(scene, &camera[i], threads, room, depth + i * pixels, diag);
    }
    tyi_put(scene->def.alloc, room, pixels * sizeof *room);
    return status;
}

ty_status tyi_render_measure_device(ty_scene *scene, const ty_camera *camera, const ty_render_def *def, int frames,
                                    ty_render_bench *out, ty_diag *diag)
{
    *out = (ty_render_bench){ .seconds = (double)INFINITY };
    ty_status status = check(camera, def, diag);
    if (status == TY_OK && !scene->gpu) {
        status = ty_fail(diag, TY_ERR_INPUT, "render: the scene has no device");
    }
    if (status == TY_OK) {
        look_edges(camera, &scene->rocks);
        status = tyi_render_scene_update(scene, camera->pose.p, 0, diag);
    }
    const char *why = status == TY_OK ? tyi_render_gpu_cannot(scene, camera) : NULL;
    if (why) {
        status = ty_fail(diag, TY_ERR_INPUT, "render: %s", why);
    }
    if (status == TY_OK) {
        ty_render_buffers none = { 0 };
        tyi_render_frame f = { .scene = scene, .camera = camera, .def = *def, .out = &none };
        aim(&f);
        status = tyi_render_gpu_measure(scene->gpu, &f, frames, &out->seconds, &out->rays, diag);
    }
    return status;
}

ty_status tyi_render_measure_depths(ty_scene *scene, const ty_camera *camera, size_t cameras, double *seconds,
                                    ty_diag *diag)
{
    enum { REPEATS = 10 };
    ty_status status = scene->gpu ? tyi_render_scene_update(scene, camera->pose.p, 0, diag)
                                  : ty_fail(diag, TY_ERR_INPUT, "render: the scene has no device");
    *seconds = (double)INFINITY;
    for (int k = 0; k < 4 && status == TY_OK; k++) {
        double start = now();
        status = tyi_render_gpu_depths(scene->gpu, scene, camera, cameras, 0, REPEATS, NULL, diag);
        *seconds = k > 0 ? fmin(*seconds, (now() - start) / REPEATS) : *seconds; /* the first builds the kernel */
    }
    return status;
}
