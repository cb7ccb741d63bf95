/* src/render/host/trace.c - ty_scene_trace(): batches of rays of any sensor.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lanes.h"
#include <stdlib.h>
#include <time.h>
#include "gpu/gpu.h"
#include "k_medium.h"
#include "tycho/trace.h"
#include "inner.h"

#define DEVICE_RAYS 512 /* fewer, as an altimeter has, are not worth the way to a device */

typedef struct batch {
    tyi_render_frame frame;
    const ty_trace_ray *ray;
    ty_trace_hit *hit;
    ty_ray_segments *segments; /* NULL: are not asked for */
    size_t n;
    int band;
} batch;

/* lanes of block number i, in the traced frame; returns how many rays it has */
static int load(const ty_scene *s, const ty_trace_ray *ray, size_t n, size_t i, tyi_render_rays *r)
{
    size_t first = i * N;
    int count = (int)(n - first < N ? n - first : N);
    for (int k = 0; k < count; k++) {
        const ty_trace_ray *q = &ray[first + (size_t)k];
        ty_vec3 o = ty_sub(q->from, s->centre);
        r->ox[k] = (float)o.x, r->oy[k] = (float)o.y, r->oz[k] = (float)o.z;
        r->dx[k] = (float)q->dir.x, r->dy[k] = (float)q->dir.y, r->dz[k] = (float)q->dir.z;
        r->time[k] = (float)q->time;
        r->near[k] = 0.0f;
        /* a little farther, as the mesh may lie behind the surface it stands for */
        r->far[k] = q->far >= 0.0 ? (float)(q->far * (1.0 + 1e-3)) : -1.0f;
        if (!(fabsf(r->ox[k]) + fabsf(r->oy[k]) + fabsf(r->oz[k]) < INFINITY && r->dx[k] * r->dx[k] < 4.0f &&
              r->dy[k] * r->dy[k] < 4.0f && r->dz[k] * r->dz[k] < 4.0f && q->time >= 0.0 && q->time <= 1.0)) {
            /* a ray that is no ray never reaches a tracer */
            r->ox[k] = r->oy[k] = r->oz[k] = r->dx[k] = r->dy[k] = r->time[k] = 0.0f;
            r->dz[k] = 1.0f, r->far[k] = -1.0f;
        }
    }
    for (int k = count; k < N; k++) {
        r->near[k] = 0.0f, r->far[k] = -1.0f;
    }
    return count;
}

/* the reflectance back along the rays, into f[band] */
static void reflect(tyi_render_block *b, const tyi_render_frame *f, int band)
{
    b->cone = 0.0f; /* textures as fine as they are */
    tyi_render_block_resolve(b, f);
    for (int k = 0; k < N; k++) {
        b->shadow.dx[k] = -b->ray.dx[k], b->shadow.dy[k] = -b->ray.dy[k], b->shadow.dz[k] = -b->ray.dz[k];
    }
    tyi_render_block_brdf(b, f->scene, f->shading, band + 1, false);
}

/* what a medium sends back along a ray, in a band */
static void add_haze(const ty_ray_segments *way, int band, ty_trace_hit *out)
{
    float pass = 1.0f;
    for (int k = 0, n = 0; k < way->count && n < TY_MEDIUM_PARTS; k++) {
        const ty_ray_segment *s = &way->segment[k];
        if (s->back[band] > 0.0f) {
            float tau = -2.0f * logf(fmaxf(s->transmittance[band], 1e-30f));
            out->haze[n++] =
                (ty_trace_haze){ s->t0 + (s->t1 - s->t0) * ty_k_medium_middle(tau), pass * pass * s->back[band] };
        }
        pass *= s->transmittance[band];
    }
}

static void job(void *user, size_t i, int worker)
{
    const batch *t = user;
    const ty_scene *s = t->frame.scene;
    tyi_render_block *b = &t->frame.block[worker];
    int count = load(s, t->ray, t->n, i, &b->ray);
    tyi_render_accel_hit(s->accel, &b->ray, N);
    reflect(b, &t->frame, t->band);
    for (int k = 0; k < N; k++) { /* lamps light a medium from their middle */
        b->u[k] = b->v[k] = 0.5f;
    }
    for (int k = 0; k < count; k++) {
        const ty_trace_ray *q = &t->ray[i * N + (size_t)k];
        ty_trace_hit h = tyi_render_truth_of(s, &b->ray, k, q->from, q->dir), *out = &t->hit[i * N + (size_t)k];
        if (!(h.range <= q->far)) {
            *out = (ty_trace_hit){ .range = (double)INFINITY };
        } else {
            float mu = -(b->normal.x[k] * b->ray.dx[k] + b->normal.y[k] * b->ray.dy[k] + b->normal.z[k] * b->ray.dz[k]);
            h.normal = ty_dot(h.normal, q->dir) > 0.0 ? ty_scale(-1.0, h.normal) : h.normal;
            h.reflectance = b->material[k] >= 0 ? b->f[t->band][k] * mu : 0.0f;
            *out = h;
        }
        if (t->segments || s->medium.parts) {
            ty_ray_segments own;
            ty_trace_ray way = *q;
            way.far = fmin(q->far, out->range);
            ty_ray_segments *to = t->segments ? &t->segments[i * N + (size_t)k] : &own;
            out->tau = tyi_render_lane_segments(b, &t->frame, k, &way, t->band, true, t->segments, to);
            add_haze(to, t->band, out);
        }
    }
}

ty_status ty_scene_trace_segments(ty_scene *scene, ty_vec3 centre, const ty_trace_ray *ray, size_t n, int band,
                                  int threads, ty_trace_hit *hit, ty_ray_segments *segments, ty_diag *diag)
{
    if (band < 0 || band >= scene->def.bands) {
        return ty_fail(diag, TY_ERR_RANGE, "trace: band %d, but the scene has %d", band, scene->def.bands);
    }
    int workers = tyi_tasks_threads(threads);
    batch t = { .frame = { .scene = scene }, .ray = ray, .hit = hit, .segments = segments, .n = n, .band = band };
    ty_status status = tyi_render_scene_update(scene, centre, threads ? threads : scene->def.threads, diag);
    if (status == TY_OK && scene->gpu && !segments && n >= DEVICE_RAYS) {
        scene->stats.host = tyi_render_gpu_cannot(scene, NULL);
        if (!scene->stats.host) {
            status = tyi_render_gpu_trace(scene->gpu, scene, ray, n, band, threads, hit, diag);
            int all = threads ? threads : scene->def.threads;
            while (status == TY_ERR_MEMORY && tyi_render_gpu_squeeze(scene)) {
                status = tyi_render_scene_update(scene, centre, all, diag);
                if (status == TY_OK) {
                    status = tyi_render_gpu_trace(scene->gpu, scene, ray, n, band, threads, hit, diag);
                }
            }
            if (status == TY_OK || (status = tyi_render_gpu_failed(scene, status, diag)) != TY_OK) {
                return status;
            }
            scene->stats.host = scene->lost;
            status = tyi_render_scene_update(scene, centre, all, diag);
        }
    }
    if (status == TY_OK) {
        status = tyi_render_frame_scratch(scene, &t.frame, workers, diag);
    }
    status = status == TY_OK ? tyi_render_frame_ready(&t.frame, threads, diag) : status;
    if (status == TY_OK) {
        tyi_tasks_for(workers, (n + N - 1) / N, job, &t);
    }
    return status;
}

ty_status ty_scene_trace(ty_scene *scene, ty_vec3 centre, const ty_trace_ray *ray, size_t n, int band, int threads,
                         ty_trace_hit *hit, ty_diag *diag)
{
    return ty_scene_trace_segments(scene, centre, ray, n, band, threads, hit, NULL, diag);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

ty_status tyi_render_trace_measure(ty_scene *scene, ty_vec3 centre, const ty_trace_ray *ray, size_t n, int repeats,
                                   ty_render_bench *out, ty_diag *diag)
{
    *out = (ty_render_bench){ .seconds = (double)INFINITY, .hash = TYI_HASH_START };
    ty_status status = tyi_render_scene_update(scene, centre, 1, diag);
    status = status == TY_OK ? tyi_render_scene_ready(scene, 1, diag) : status;
    size_t blocks = (n + N - 1) / N;
    tyi_render_rays *tape = status == TY_OK ? aligned_alloc(64, blocks * sizeof *tape) : NULL;
    if (status == TY_OK && !tape) {
        status = ty_fail(diag, TY_ERR_MEMORY, "trace: no memory for %zu rays", n);
    }
    for (int k = 0; k < repeats && status == TY_OK; k++) {
        for (size_t i = 0; i < blocks; i++) {
            tyi_render_rays_init(&tape[i]);
            load(scene, ray, n, i, &tape[i]);
        }
        double start = now();
        for (size_t i = 0; i < blocks; i++) {
            tyi_render_accel_hit(scene->accel, &tape[i], N);
        }
        out->seconds = fmin(out->seconds, now() - start);
    }
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        out->rays += ray[i].far >= 0.0;
        out->hits += tape[i / N].slot[i % N] != TYI_RENDER_NOTHING;
    }
    for (size_t i = 0; i < blocks && status == TY_OK; i++) {
        out->hash = tyi_hash(tape[i].far, sizeof tape[i].far, out->hash);
    }
    free(tape);
    return status;
}
