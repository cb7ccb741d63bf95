/* src/render/gpu/rays.c - single rays of lidars and others, and depth of many small views, each in one launch.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"
#include <math.h>
#include <stddef.h>

/* ---- single rays ---- */

typedef struct batch {
    ty_k_view view;
    const ty_k_frame *frame;
    const ty_k_trace_ray *ray;
    ty_k_trace_hit *hit;
    size_t n;
    int band;
} batch;

enum { BATCH = 256, GROUP = 128 }; /* rays of one task, of one group */

static void batch_job(void *user, size_t task, int worker)
{
    const batch *b = user;
    (void)worker;
    for (size_t i = task * BATCH; i < b->n && i < (task + 1) * BATCH; i++) {
        b->hit[i] = ty_k_trace_of(&b->view, b->frame, b->ray[i], b->band);
    }
}

typedef struct transfer {
    const ty_scene *scene;
    const ty_trace_ray *ray;
    ty_trace_hit *hit;
    void *data;     /* as the kernels have them */
    size_t n, each; /* [B] of a hit: without dust the device leaves out what is said of it */
} transfer;

/* rays of W in the traced frame; what is no ray stays idle */
static void load_job(void *user, size_t task, int worker)
{
    const transfer *t = user;
    ty_k_trace_ray *to = t->data;
    (void)worker;
    for (size_t i = task * BATCH; i < t->n && i < (task + 1) * BATCH; i++) {
        const ty_trace_ray *q = &t->ray[i];
        ty_vec3 o = ty_sub(q->from, t->scene->centre);
        bool ok = isfinite(o.x + o.y + o.z) && fabs(q->dir.x) < 2.0 && fabs(q->dir.y) < 2.0 && fabs(q->dir.z) < 2.0 &&
                  q->time >= 0.0 && q->time <= 1.0 && q->far >= 0.0;
        to[i] = (ty_k_trace_ray){ .o = { (float)o.x, (float)o.y, (float)o.z },
                                  .d = { (float)q->dir.x, (float)q->dir.y, (float)q->dir.z },
                                  .time = (float)q->time,
                                  .far = ok ? (float)fmin(q->far, 3e38) : -1.0f };
    }
}

static void unload_job(void *user, size_t task, int worker)
{
    const transfer *t = user;
    (void)worker;
    for (size_t i = task * BATCH; i < t->n && i < (task + 1) * BATCH; i++) {
        const ty_k_trace_hit *h = (const void *)((const char *)t->data + i * t->each);
        t->hit[i] = (ty_trace_hit){ .range = (double)h->range,
                                    .normal = { (double)h->normal[0], (double)h->normal[1], (double)h->normal[2] },
                                    .reflectance = h->reflectance,
                                    .albedo = h->albedo,
                                    .instance = h->instance,
                                    .kind = (uint8_t)h->kind };
        if (t->each < sizeof *h) {
            continue;
        }
        t->hit[i].tau = h->tau;
        for (int k = 0; k < TY_K_CLOUD_PARTS; k++) {
            t->hit[i].haze[k] = (ty_trace_haze){ h->haze[k][0], h->haze[k][1] };
        }
    }
}

static ty_status run_rays(tyi_render_gpu *g, const ty_k_frame *k, size_t n, int band, int threads, ty_diag *diag)
{
    if (!g->device) {
        batch b = { tyi_render_gpu_view_of(g, k), k, g->array[TYI_GPU_RAY].data, g->array[TYI_GPU_HIT].data, n, band };
        tyi_tasks_for(tyi_tasks_threads(threads), (n + BATCH - 1) / BATCH, batch_job, &b);
        return TY_OK;
    }
    ty_device_arg args[TYI_GPU_SCENE_BUFFERS + 5];
    const int32_t count = (int32_t)n, in = band;
    int a = tyi_render_gpu_args(g, k, args);
    args[a++] = ty_device_arg_buffer(g->buffer[TYI_GPU_RAY]);
    args[a++] = ty_device_arg_value(&count, sizeof count);
    args[a++] = ty_device_arg_value(&in, sizeof in);
    args[a++] = ty_device_arg_buffer(g->buffer[TYI_GPU_HIT]);
    ty_device_job job = { .kernel = "trace",
                          .global = { (n + GROUP - 1) / GROUP * GROUP },
                          .local = { GROUP },
                          .args = args,
                          .arg_count = a };
    return ty_device_run(g->program, &job, NULL, diag);
}

ty_status tyi_render_gpu_trace(tyi_render_gpu *g, ty_scene *s, const ty_trace_ray *ray, size_t n, int band, int threads,
                               ty_trace_hit *hit, ty_diag *diag)
{
    ty_status status = tyi_render_gpu_update(g, s, 0, diag);
    return status == TY_OK ? tyi_render_gpu_trace_more(g, s, ray, n, band, threads, hit, diag) : status;
}

ty_status tyi_render_gpu_trace_more(tyi_render_gpu *g, ty_scene *s, const ty_trace_ray *ray, size_t n, int band,
                                    int threads, ty_trace_hit *hit, ty_diag *diag)
{
    const ty_camera none = { .width = 1, .height = 1, .hfov = 1.0, .pose = { .q = { 1, 0, 0, 0 }, .p = s->centre } };
    tyi_render_frame f = { .scene = s, .camera = &none, .def = { .samples = 1, .depth = 1 } };
    bool lost = false;
    int workers = tyi_tasks_threads(threads);
    ty_status status = TY_OK;
    size_t each = g->device && !g->dusty ? offsetof(ty_k_trace_hit, tau) : sizeof(ty_k_trace_hit);
    for (size_t first = 0; first < n && status == TY_OK; first += TYI_GPU_RAYS_AT_ONCE) {
        size_t count = n - first < TYI_GPU_RAYS_AT_ONCE ? n - first : TYI_GPU_RAYS_AT_ONCE;
        ty_k_frame k = tyi_render_gpu_frame_of(g, &f);
        status = tyi_render_gpu_room(g, TYI_GPU_RAY, count * sizeof(ty_k_trace_ray), &lost, diag);
        if (status == TY_OK) {
            status = tyi_render_gpu_room(g, TYI_GPU_HIT, count * sizeof(ty_k_trace_hit), &lost, diag);
        }
        size_t larger =
            sizeof(ty_k_trace_ray) > sizeof(ty_k_trace_hit) ? sizeof(ty_k_trace_ray) : sizeof(ty_k_trace_hit);
        void *stage = NULL;
        status = status == TY_OK ? tyi_render_gpu_stage(g, count * larger, true, &stage, diag) : status;
        transfer t = { s, ray + first, hit + first, stage, count, each };
        if (status == TY_OK) {
            tyi_tasks_for(workers, (count + BATCH - 1) / BATCH, load_job, &t);
            status = tyi_render_gpu_store(g, TYI_GPU_RAY, 0, count * sizeof(ty_k_trace_ray), stage, diag);
        }
        if (status == TY_OK) {
            status = run_rays(g, &k, count, band, threads, diag);
        }
        if (status == TY_OK) {
            status = tyi_render_gpu_fetch(g, TYI_GPU_HIT, count * each, stage, diag);
        }
        if (status == TY_OK) {
            tyi_tasks_for(workers, (count + BATCH - 1) / BATCH, unload_job, &t);
        }
    }
    return status;
}

/* ---- depth of many views ---- */

typedef struct views {
    ty_k_view view;
    const ty_k_frame *frame;
    float *out;
} views;

static void view_job(void *user, size_t row, int worker)
{
    const views *v = user;
    size_t height = (size_t)v->frame->height, width = (size_t)v->frame->width;
    const ty_k_frame *f = &v->frame[row / height];
    (void)worker;
    for (size_t x = 0; x < width; x++) {
        v->out[row * width + x] = ty_k_depth_of(&v->view, f, (float)x + 0.5f, (float)(row % height) + 0.5f);
    }
}

static ty_status run_views(tyi_render_gpu *g, const ty_k_frame *k, size_t n, int threads, ty_diag *diag)
{
    enum { ACROSS = 16, DOWN = 8 };
    if (!g->device) {
        views v = { tyi_render_gpu_view_of(g, k), k, g->array[TYI_GPU_HIT].data };
        tyi_tasks_for(tyi_tasks_threads(threads), n * (size_t)k->height, view_job, &v);
        return TY_OK;
    }
    ty_device_arg args[TYI_GPU_SCENE_BUFFERS + 4];
    const int32_t rows = (k->height + DOWN - 1) / DOWN * DOWN;
    int a = tyi_render_gpu_args(g, k, args);
    args[a++] = ty_device_arg_buffer(g->buffer[TYI_GPU_RAY]);
    args[a++] = ty_device_arg_value(&rows, sizeof rows);
    args[a++] = ty_device_arg_buffer(g->buffer[TYI_GPU_HIT]);
    ty_device_job job = { .kernel = "depths",
                          .global = { ((size_t)k->width + ACROSS - 1) / ACROSS * ACROSS, (size_t)rows * n },
                          .local = { ACROSS, DOWN },
                          .args = args,
                          .arg_count = a };
    return ty_device_run(g->program, &job, NULL, diag);
}

ty_status tyi_render_gpu_depths(tyi_render_gpu *g, ty_scene *s, const ty_camera *camera, size_t n, int threads,
                                int repeats, float *depth, ty_diag *diag)
{
    size_t pixels = (size_t)camera->width * (size_t)camera->height * n;
    bool lost = false;
    ty_status status = tyi_render_gpu_update(g, s, 0, diag);
    if (status == TY_OK && !tyi_render_gpu_need(g, &g->truth, n * sizeof(ty_k_frame))) {
        status = ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu views", n);
    }
    ty_k_frame *k = g->truth.data;
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        tyi_render_frame f = { .scene = s, .camera = &camera[i], .def = { .samples = 1, .depth = 1 } };
        k[i] = tyi_render_gpu_frame_of(g, &f);
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_put(g, TYI_GPU_RAY, k, n * sizeof *k, diag);
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_room(g, TYI_GPU_HIT, pixels * sizeof(float), &lost, diag);
    }
    for (int i = 0; i < repeats && status == TY_OK; i++) {
        status = run_views(g, k, n, threads, diag);
    }
    if (!depth) { /* for benchmarks: they stay where they are */
        return status == TY_OK && g->device ? ty_device_finish(g->device, diag) : status;
    }
    return status == TY_OK ? tyi_render_gpu_fetch(g, TYI_GPU_HIT, pixels * sizeof(float), depth, diag) : status;
}
