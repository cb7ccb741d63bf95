/* src/render/gpu/frames.c - frames and ground truth of a scene that is on a device.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "store.h"
#include "host/film.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

ty_k_frame tyi_render_gpu_frame_of(const tyi_render_gpu *g, const tyi_render_frame *f)
{
    const ty_camera *c = f->camera;
    ty_vec3 shift = ty_sub(f->scene->centre, g->rock_centre);
    ty_k_frame k = tyi_render_film_of(f->scene, c, &f->def, f->cone);
    k.things = g->top, k.rocks = g->rocks.nodes ? g->rocks.node : TY_K_NONE;
    k.shift[0] = (float)shift.x, k.shift[1] = (float)shift.y, k.shift[2] = (float)shift.z;
    k.cloud = g->cloud;
    for (int i = 0; i < g->lenses && c->lens == TY_LENS_OWN; i++) {
        k.camera.kind = g->lens[i] == c->model->source ? TY_K_OWN_LENS + i : k.camera.kind;
    }
    return k;
}

ty_k_view tyi_render_gpu_view_of(const tyi_render_gpu *g, const ty_k_frame *k)
{
    const tyi_render_gpu_pool *a = g->array;
    return (ty_k_view){ .material = a[TYI_GPU_MATERIAL].data,
                        .hapke = a[TYI_GPU_HAPKE].data,
                        .normal = a[TYI_GPU_NORMAL].data,
                        .uv = a[TYI_GPU_UV].data,
                        .texel = a[TYI_GPU_TEXEL].data,
                        .map_texel = a[TYI_GPU_MAP_TEXEL].data,
                        .corner = a[TYI_GPU_CORNER].data,
                        .which = a[TYI_GPU_WHICH].data,
                        .texture = a[TYI_GPU_TEXTURE].data,
                        .map = a[TYI_GPU_MAP].data,
                        .region = a[TYI_GPU_REGION].data,
                        .light = a[TYI_GPU_LIGHT].data,
                        .tone = a[TYI_GPU_TONE].data,
                        .bands = k->bands,
                        .maps = k->maps,
                        .regions = k->regions,
                        .lights = k->lights,
                        .mesh = a[TYI_GPU_MESH].data,
                        .instance = a[TYI_GPU_INSTANCE].data,
                        .tile = a[TYI_GPU_TILE].data,
                        .vertex = a[TYI_GPU_VERTEX].data,
                        .index = a[TYI_GPU_INDEX].data,
                        .height = a[TYI_GPU_HEIGHT].data,
                        .bound = a[TYI_GPU_BOUND].data,
                        .curve = a[TYI_GPU_CURVE].data,
                        .curved = a[TYI_GPU_CURVED].data,
                        .node = a[TYI_GPU_NODE].data,
                        .item = a[TYI_GPU_ITEM].data,
                        .root = a[TYI_GPU_ROOT].data,
                        .triangle = a[TYI_GPU_TRIANGLE].data,
                        .things = k->things,
                        .rocks = k->rocks,
                        .rock = k->rock,
                        .radius = k->radius,
                        .shift = ty_k_vec(k->shift[0], k->shift[1], k->shift[2]),
                        .cloud = { k->cloud, a[TYI_GPU_CLOUD].data, a[TYI_GPU_HAZE].data },
                        .clod = a[TYI_GPU_CLOD].data,
                        .clod_node = a[TYI_GPU_CLOD_NODE].data,
                        .clods = k->clods,
                        .clod_disturbed = k->clod_disturbed };
}

typedef struct rows {
    ty_k_view view;
    const ty_k_frame *frame;
    float *radiance, *sunlit;
    uint32_t *rays;
    ty_k_truth *truth; /* NULL: the film is made */
} rows;

/* Adds sample number i of pixel x, y to film, surface by surface as kernels/render.cl does for many; *seen, *lit: whether there is a surface, and the first lamp
 * reaches it. Returns how many rays were traced. */
static uint32_t draw_sample(const ty_k_view *view, const ty_k_frame *f, uint32_t x, uint32_t y, uint32_t i, float *film,
                            int *seen, int *lit)
{
    float time, left[TY_K_BANDS], next[TY_K_BANDS];
    ty_k_ray r = ty_k_film_begin(f, x, y, i, &time);
    uint32_t rays = 0;
    bool on = r.ok;
    *seen = *lit = 0;
    for (int b = 0; b < TY_K_BANDS; b++) {
        left[b] = 1.0f;
    }
    for (int surface = 0; surface < f->depth && on; surface++) {
        ty_k_met m = ty_k_scene_ray(view, r.o, r.d, time, 3e38f, 0);
        int met = ty_k_met_any(&m), reached = 0;
        ty_k_surface at = { .material = TY_K_NONE };
        rays += 1 + ty_k_film_haze(view, f, r.o, r.d, m.t, met, time, x, y, i, surface, left, film);
        if (met) {
            ty_k_surface_of(view, f->plain, f->tint, &m, r.o, r.d, time, surface == 0 ? f->cone : TY_K_BOUNCE_CONE,
                            &at);
        } else if (surface == 0) {
            ty_k_film_sky(view, r.d, left, film);
        }
        on = at.material != TY_K_NONE;
        if (on) {
            ty_k_vec3 l = r.d;
            memcpy(next, left, sizeof next);
            *seen |= surface == 0;
            on = surface + 1 < f->depth && ty_k_film_on(view, f, &at, r.d, x, y, i, surface, next, &l);
            rays += ty_k_film_lamps(view, f, &at, r.d, time, x, y, i, surface, left, film, &reached);
            *lit |= surface == 0 && reached;
            memcpy(left, next, sizeof left);
            r.o = at.p, r.d = l;
        }
    }
    return rays;
}

/* one row of pixels */
static void row_job(void *user, size_t y, int worker)
{
    const rows *r = user;
    const ty_k_frame *f = r->frame;
    size_t plane = (size_t)f->width * (size_t)f->height;
    (void)worker;
    if (r->rays) {
        r->rays[y] = 0;
    }
    for (size_t x = 0; x < (size_t)f->width; x++) {
        size_t at = y * (size_t)f->width + x;
        if (r->truth) {
            r->truth[at] = ty_k_truth_of(&r->view, f, (float)x + 0.5f, (float)y + 0.5f);
            continue;
        }
        float sum[TY_K_BANDS] = { 0.0f };
        int seen = 0, lit = 0;
        for (int i = 0; i < f->samples; i++) {
            int a, l;
            r->rays[y] += draw_sample(&r->view, f, (uint32_t)x, (uint32_t)y, (uint32_t)i, sum, &a, &l);
            seen += a, lit += l;
        }
        for (size_t b = 0; b < (size_t)f->bands; b++) {
            r->radiance[b * plane + at] = sum[b] * (1.0f / (float)f->samples);
        }
        r->sunlit[at] = seen > 0 ? (float)lit / (float)seen : 0.0f;
    }
}

enum { GROUP_X = 16, GROUP_Y = 8 };

/* groups of pixels, n samples of each side by side, as kernels/render.cl divides the picture */
static size_t film_groups(const ty_k_frame *k, int n)
{
    int across = n > 4 ? 4 : n > 1 ? 8 : 16, down = TYI_GPU_FILM_GROUP / n / across;
    return (size_t)((k->width + across - 1) / across) * (size_t)((k->height + down - 1) / down);
}

int tyi_render_gpu_args(const tyi_render_gpu *g, const ty_k_frame *k, ty_device_arg *args)
{
    int n = 0;
    for (; n < TYI_GPU_SCENE_BUFFERS; n++) {
        args[n] = ty_device_arg_buffer(g->buffer[n]);
    }
    args[n++] = ty_device_arg_value(k, sizeof *k);
    return n;
}

/* all rows by the kernels as C: the film, or ground truth */
static ty_status run_rows(tyi_render_gpu *g, const ty_k_frame *k, bool film, int threads)
{
    rows r = { .view = tyi_render_gpu_view_of(g, k), .frame = k };
    r.radiance = film ? g->array[TYI_GPU_RADIANCE].data : NULL;
    r.sunlit = film ? g->array[TYI_GPU_SUNLIT].data : NULL;
    r.rays = film ? g->array[TYI_GPU_RAYS].data : NULL;
    r.truth = film ? NULL : g->array[TYI_GPU_TRUTH].data;
    tyi_tasks_for(tyi_tasks_threads(threads), (size_t)k->height, row_job, &r);
    return TY_OK;
}

static ty_status run_truth(tyi_render_gpu *g, const ty_k_frame *k, int threads, ty_diag *diag)
{
    if (!g->device) {
        return run_rows(g, k, false, threads);
    }
    ty_device_arg args[TYI_GPU_SCENE_BUFFERS + 2];
    int n = tyi_render_gpu_args(g, k, args);
    args[n++] = ty_device_arg_buffer(g->buffer[TYI_GPU_TRUTH]);
    ty_device_job job = { .kernel = "truth",
                          .global = { ((size_t)k->width + GROUP_X - 1) / GROUP_X * GROUP_X,
                                      ((size_t)k->height + GROUP_Y - 1) / GROUP_Y * GROUP_Y },
                          .local = { GROUP_X, GROUP_Y },
                          .args = args,
                          .arg_count = n };
    return ty_device_run(g->program, &job, NULL, diag);
}

/* numbers of rays that a frame counts: one for each group of pixels, or each row */
static size_t counts_of(const tyi_render_gpu *g, const ty_k_frame *k)
{
    return g->device ? film_groups(k, g->together) : (size_t)k->height;
}

/* radiance, sunlit share and numbers of rays, where they are made */
static ty_status expose(tyi_render_gpu *g, const ty_k_frame *k, int threads, ty_diag *diag)
{
    size_t plane = (size_t)k->width * (size_t)k->height * sizeof(float);
    bool lost = false;
    ty_status status = tyi_render_gpu_room(g, TYI_GPU_RADIANCE, plane * (size_t)k->bands, &lost, diag);
    if (status == TY_OK) {
        status = tyi_render_gpu_room(g, TYI_GPU_SUNLIT, 2 * plane, &lost, diag); /* with what film_sum has meanwhile */
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_room(g, TYI_GPU_RAYS, counts_of(g, k) * sizeof(uint32_t), &lost, diag);
    }
    return status != TY_OK ? status
           : g->device     ? tyi_render_gpu_paths(g, k, film_groups(k, g->together), diag)
                           : run_rows(g, k, true, threads);
}

/* how many rays the last frame traced */
static ty_status count_rays(tyi_render_gpu *g, const ty_k_frame *k, size_t *rays, ty_diag *diag)
{
    size_t n = counts_of(g, k);
    *rays = 0;
    if (!tyi_render_gpu_need(g, &g->counts, n * sizeof(uint32_t))) {
        return ty_fail(diag, TY_ERR_MEMORY, "render: no memory for %zu numbers", n);
    }
    const uint32_t *count = g->counts.data;
    ty_status status = tyi_render_gpu_fetch(g, TYI_GPU_RAYS, n * sizeof *count, g->counts.data, diag);
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        *rays += count[i];
    }
    return status;
}

enum { COPY = 1 << 18 }; /* bytes of one task */

typedef struct copying {
    char *to;
    const char *from;
    size_t bytes;
} copying;

static void copy_part(void *user, size_t k, int worker)
{
    const copying *c = user;
    size_t at = k * COPY, n = c->bytes - at < COPY ? c->bytes - at : COPY;
    (void)worker;
    memcpy(c->to + at, c->from + at, n);
}

/* what was exposed, where it is asked for */
static ty_status film(tyi_render_gpu *g, const tyi_render_frame *f, const ty_k_frame *k, size_t *rays, ty_diag *diag)
{
    size_t plane = (size_t)k->width * (size_t)k->height * sizeof(float), all = plane * (size_t)k->bands;
    ty_status status = TY_OK;
    if (f->out->radiance && !f->keep) {
        void *stage = NULL;
        status = tyi_render_gpu_stage(g, all, false, &stage, diag);
        status = status == TY_OK ? tyi_render_gpu_fetch(g, TYI_GPU_RADIANCE, all, stage, diag) : status;
        copying c = { (char *)f->out->radiance, stage, all };
        if (status == TY_OK) {
            tyi_tasks_for(tyi_tasks_threads(f->def.threads), (all + COPY - 1) / COPY, copy_part, &c);
        }
    }
    if (status == TY_OK && f->out->sunlit) {
        status = tyi_render_gpu_fetch(g, TYI_GPU_SUNLIT, plane, f->out->sunlit, diag);
    }
    /* light that is kept is not waited for: the host goes on with stars and the camera's stages meanwhile */
    return status == TY_OK && !f->keep ? count_rays(g, k, rays, diag) : status;
}

static void hand_out(const ty_render_buffers *o, const ty_k_truth *t, size_t i)
{
    if (o->depth) {
        o->depth[i] = (double)t->along;
    }
    if (o->range) {
        o->range[i] = (double)t->range;
    }
    if (o->normal) {
        memcpy(o->normal + 3 * i, t->normal, sizeof t->normal);
    }
    if (o->albedo) {
        o->albedo[i] = t->albedo;
    }
    if (o->instance) {
        o->instance[i] = t->instance;
    }
    if (o->kind) {
        o->kind[i] = (uint8_t)(t->kind & (TY_K_TRUTH_LOW - 1u));
    }
}

typedef struct handing {
    const tyi_render_frame *frame;
    const ty_k_truth *from;
    size_t width;
} handing;

/* the host's slot of what a low ray met */
static uint32_t slot_of(const ty_scene *s, const ty_k_truth *t)
{
    const tyi_render_ground *g = &s->ground;
    uint32_t n = t->kind >> TY_K_TRUTH_SLOT,
             first = (uint32_t)(s->flat.section[TY_K_SCENE_INSTANCE].count - s->rocks.count);
    if (t->instance != TY_K_LABEL_GROUND) {
        return n >= first ? tyi_render_slot_rocks(s) + n - first : t->instance - 1;
    }
    const ty_k_scene_tile *k = (const ty_k_scene_tile *)s->flat.section[TY_K_SCENE_TILE].data + n;
    int ring = k->level - g->ring[0].level;
    const tyi_render_plot *plot = tyi_render_ring_tile(g, &g->ring[ring], k->x, k->y);
    return TYI_RENDER_SLOT_GROUND + (uint32_t)(ring * g->side * g->side) + (uint32_t)(plot - g->ring[ring].tile);
}

/* depth of what a ray meets so low that the device's float directions tell: once more in double */
static void mend_depth(const tyi_render_frame *f, const ty_k_truth *t, size_t i)
{
    size_t width = (size_t)f->camera->width;
    tyi_render_rays r;
    ty_vec3 o, d;
    r.slot[0] = slot_of(f->scene, t), r.prim[0] = t->prim, r.far[0] = t->range, r.time[0] = 0.0f;
    if (!ty_camera_ray(f->camera, (double)(i % width) + 0.5, (double)(i / width) + 0.5, &o, &d)) {
        return;
    }
    double range = tyi_render_truth_of(f->scene, &r, 0, o, d).range;
    if (f->out->depth) {
        f->out->depth[i] = range * ty_dot(d, ty_rotate(f->camera->pose.q, ty_vec3_make(0, 0, 1)));
    }
    if (f->out->range) {
        f->out->range[i] = range;
    }
}

static void hand_row(void *user, size_t y, int worker)
{
    const handing *h = user;
    (void)worker;
    for (size_t i = y * h->width; i < (y + 1) * h->width; i++) {
        hand_out(h->frame->out, h->from + i, i);
        if (h->from[i].kind & TY_K_TRUTH_LOW && (h->frame->out->depth || h->frame->out->range)) {
            mend_depth(h->frame, h->from + i, i);
        }
    }
}

static ty_status truth(tyi_render_gpu *g, const tyi_render_frame *f, const ty_k_frame *k, ty_diag *diag)
{
    size_t pixels = (size_t)k->width * (size_t)k->height, bytes = pixels * sizeof(ty_k_truth);
    bool lost = false;
    ty_status status = tyi_render_gpu_room(g, TYI_GPU_TRUTH, bytes, &lost, diag);
    void *stage = NULL;
    status = status == TY_OK ? tyi_render_gpu_stage(g, bytes, false, &stage, diag) : status;
    if (status == TY_OK) {
        status = run_truth(g, k, f->def.threads, diag);
    }
    if (status == TY_OK) {
        status = tyi_render_gpu_fetch(g, TYI_GPU_TRUTH, bytes, stage, diag);
    }
    if (status == TY_OK) {
        handing h = { f, stage, (size_t)k->width };
        tyi_tasks_for(tyi_tasks_threads(f->def.threads), (size_t)k->height, hand_row, &h);
    }
    return status;
}

ty_status tyi_render_gpu_start(tyi_render_gpu *g, const tyi_render_frame *f, ty_diag *diag)
{
    bool light = f->out->radiance || f->out->sunlit;
    ty_status status = tyi_render_gpu_update(g, f->scene, light ? f->def.samples : 0, diag);
    ty_k_frame k = tyi_render_gpu_frame_of(g, f);
    return status == TY_OK && light ? expose(g, &k, f->def.threads, diag) : status;
}

ty_status tyi_render_gpu_frame(tyi_render_gpu *g, const tyi_render_frame *f, size_t *rays, ty_diag *diag)
{
    *rays = 0;
    const ty_render_buffers *o = f->out;
    ty_k_frame k = tyi_render_gpu_frame_of(g, f);
    ty_status status = o->radiance || o->sunlit ? film(g, f, &k, rays, diag) : TY_OK;
    if (status == TY_OK && (o->depth || o->range || o->normal || o->albedo || o->instance || o->kind)) {
        status = truth(g, f, &k, diag);
        *rays += (size_t)k.width * (size_t)k.height;
    }
    return status;
}

tyi_render_spark *tyi_render_gpu_spark_room(tyi_render_gpu *g, size_t n)
{
    return tyi_render_gpu_need(g, &g->spark, (n + 1) * sizeof(tyi_render_spark)) ? g->spark.data : NULL;
}

static int by_place(const void *a, const void *b)
{
    const tyi_render_spark *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
                          : (x->radiance > y->radiance) - (x->radiance < y->radiance);
}

ty_status tyi_render_gpu_kept(tyi_render_gpu *g, size_t sparks, ty_device_buffer **light, ty_diag *diag)
{
    *light = g->buffer[TYI_GPU_RADIANCE];
    if (!sparks) {
        return TY_OK;
    }
    /* sorted by place: one item adds all of a pixel, in an order that depends on nothing but them */
    qsort(g->spark.data, sparks, sizeof(tyi_render_spark), by_place);
    const int32_t count = (int32_t)sparks;
    ty_status status = tyi_render_gpu_put(g, TYI_GPU_RAY, g->spark.data, sparks * sizeof(tyi_render_spark), diag);
    ty_device_arg args[] = { ty_device_arg_buffer(g->buffer[TYI_GPU_RAY]), ty_device_arg_value(&count, sizeof count),
                             ty_device_arg_buffer(*light) };
    ty_device_job job = {
        .kernel = "sparks", .global = { (sparks + 63) / 64 * 64 }, .local = { 64 }, .args = args, .arg_count = 3
    };
    return status == TY_OK ? ty_device_run(g->program, &job, NULL, diag) : status;
}

ty_status tyi_render_gpu_measure(tyi_render_gpu *g, const tyi_render_frame *f, int frames, double *seconds,
                                 size_t *rays, ty_diag *diag)
{
    ty_status status = tyi_render_gpu_update(g, f->scene, f->def.samples, diag);
    ty_k_frame k = tyi_render_gpu_frame_of(g, f);
    *seconds = INFINITY;
    *rays = 0;
    for (int batch = 0; batch < 4 && status == TY_OK; batch++) {
        double start = tyi_now();
        for (int i = 0; i < frames && status == TY_OK; i++) {
            k.seed_low++;
            status = expose(g, &k, 0, diag);
        }
        status = status == TY_OK && g->device ? ty_device_finish(g->device, diag) : status;
        if (batch > 0) { /* the first builds the kernel */
            *seconds = fmin(*seconds, (tyi_now() - start) / frames);
        }
    }
    if (status == TY_OK) {
        status = count_rays(g, &k, rays, diag);
    }
    return status;
}
