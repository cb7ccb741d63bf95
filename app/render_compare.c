/* app/render_compare.c - `tycho render --compare`: the same frame and a scan of rays by the host and by a device, and how far they
 * agree.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "render.h"

enum { TURNS = 720, LINES = 32, RAYS = TURNS * LINES };

typedef struct agreement {
    double mean;         /* [-] of the device's radiance over the host's */
    double near, labels; /* shares of the pixels that are no edge: radiance within 1 %; the same thing */
    double
        depth; /* [-] worst difference there, of itself; where a lens looks more than 89 deg aside, of what it is at 89 deg */
    double aside;         /* pixels left out of that: the host, looking a hair aside, sees what the device does */
    double nearest;       /* [m] depth of the nearest pixel; INFINITY: sky everywhere */
    double pixels, edges; /* that count; that do not */
    double range, same;   /* of rays: [m] worst difference at incidence below 80 deg; share that meets the same thing */
    double rays;          /* that count for the range */
    double rays_aside;    /* left out of it, as pixels are */
} agreement;

typedef struct view {
    ty_render_buffers b;
    ty_trace_hit *hit;
} view;

static bool view_make(view *v, size_t pixels, int bands)
{
    v->b.radiance = malloc(pixels * (size_t)bands * sizeof(float));
    v->b.sunlit = malloc(pixels * sizeof(float));
    v->b.depth = malloc(pixels * sizeof(double));
    v->b.range = malloc(pixels * sizeof(double));
    v->b.instance = malloc(pixels * sizeof(uint32_t));
    v->hit = malloc(RAYS * sizeof *v->hit);
    return v->b.radiance && v->b.sunlit && v->b.depth && v->b.range && v->b.instance && v->hit;
}

static void view_free(view *v)
{
    free(v->b.radiance), free(v->b.sunlit), free(v->b.depth), free(v->b.range), free(v->b.instance), free(v->hit);
}

static ty_status take(const render_job *job, ty_device *device, const ty_trace_ray *ray, view *v, ty_diag *diag)
{
    ty_status status = ty_scene_set_device(job->scene, device, false, diag);
    if (status == TY_OK) {
        status = ty_render(job->scene, &job->camera, &job->def, &v->b, diag);
    }
    if (status == TY_OK && device && ty_scene_get_stats(job->scene).host) {
        status = ty_fail(diag, TY_ERR_DEVICE, "--compare: %s", ty_scene_get_stats(job->scene).host);
    }
    return status == TY_OK
               ? ty_scene_trace(job->scene, job->camera.pose.p, ray, RAYS, 0, job->def.threads, v->hit, diag)
               : status;
}

/* whether the 3 x 3 pixels around one differ in what they show or in their sunlit share */
static bool edge(const ty_render_buffers *b, int width, int height, int i)
{
    for (int k = 0; k < 9; k++) {
        int u = i % width + k % 3 - 1, v = i / width + k / 3 - 1, n = v * width + u;
        if (u >= 0 && v >= 0 && u < width && v < height &&
            (b->instance[n] != b->instance[i] || fabsf(b->sunlit[n] - b->sunlit[i]) > 0.0f)) {
            return true;
        }
    }
    return false;
}

#define HAIR 2e-4 /* [px] some times what a float's direction is off by, */
#define TURN 4e-7 /* [rad] and of a ray that is no pixel's */

/* [m] how far the host sees along a ray that is turned by part of the way from one to another; times `along`, which is the same part of its own way */
static double seen_between(const render_job *job, const ty_trace_ray *a, const ty_trace_ray *b, double part,
                           const double along[2])
{
    ty_trace_ray ray = *a;
    ty_trace_hit hit;
    ray.dir = ty_normalize(ty_add(ty_scale(1.0 - part, a->dir), ty_scale(part, b->dir)));
    bool ok = ty_scene_trace(job->scene, job->camera.pose.p, &ray, 1, 0, 1, &hit, NULL) == TY_OK;
    return ok ? hit.range * ((1.0 - part) * along[0] + part * along[1]) : (double)NAN;
}

/* whether the host sees it between two rays, which see less and more: on ground that is all but parallel to them, what is seen runs through metres within a hair */
static bool between(const render_job *job, const ty_trace_ray *a, const ty_trace_ray *b, const double along[2],
                    bool rises, double told)
{
    double from = 0.0, to = 1.0;
    for (int step = 0; step < 30; step++) {
        double half = 0.5 * (from + to), z = seen_between(job, a, b, half, along);
        if (fabs(z - told) <= 1e-5 * fabs(told)) {
            return true;
        }
        *((z < told) == rises ? &from : &to) = half;
    }
    return false;
}

/* Whether what a device told is what the host sees from a quarter of a hair to four hairs aside of the ninth ray, towards one of the others, give or take what that changes by
 * on as much again; or between: on a crest, on ground that falls away from the ray, where two tiles meet, where the spline is met or just no more; times `along`. */
static bool sees(const render_job *job, const ty_trace_ray ray[9], const double along[9], double told)
{
    double off = 1e-5 * fabs(told),
           middle = seen_between(job, &ray[8], &ray[8], 0.0, (double[2]){ along[8], along[8] });
    for (int k = 0; k < 8; k++) {
        const double way[2] = { along[8], along[k] };
        double last = seen_between(job, &ray[8], &ray[k], 0.25, way);
        for (double part = 0.25; part < 5.0; part *= 2.0) {
            double z = last, change = fabs((last = seen_between(job, &ray[8], &ray[k], 2.0 * part, way)) - z);
            if (fabs(z - told) <= off + (change < 1e-3 * fabs(told) ? change : 0.0)) {
                return true;
            }
        }
        double one = seen_between(job, &ray[8], &ray[k], 1.0, way);
        if ((middle < told) != (one < told) && between(job, &ray[8], &ray[k], way, middle < told, told)) {
            return true;
        }
    }
    return false;
}

/* the eight around the middle of 3 x 3, -1 to 1 */
static void beside(int k, int *u, int *v)
{
    int to = k < 4 ? k : k + 1;
    *u = to % 3 - 1, *v = to / 3 - 1;
}

static bool pixel_aside(const render_job *job, int i, double depth)
{
    const ty_camera *c = &job->camera;
    ty_trace_ray ray[9];
    double along[9];
    for (int k = 0; k < 9; k++) {
        int u = 0, v = 0;
        ty_vec3 o, d;
        if (k < 8) {
            beside(k, &u, &v);
        }
        if (!ty_camera_ray(c, i % c->width + 0.5 + HAIR * u, i / c->width + 0.5 + HAIR * v, &o, &d)) {
            return false;
        }
        ray[k] = (ty_trace_ray){ .from = o, .dir = d, .far = 1e9 };
        along[k] = ty_dot(d, ty_rotate(c->pose.q, ty_vec3_make(0, 0, 1)));
    }
    return sees(job, ray, along, depth);
}

static bool ray_aside(const render_job *job, const ty_trace_ray *middle, double range)
{
    ty_trace_ray ray[9];
    double along[9];
    ty_vec3 side = ty_normalize(ty_cross(middle->dir, ty_vec3_make(0, 0, 1))), up = ty_cross(side, middle->dir);
    for (int k = 0; k < 9; k++) {
        int u = 0, v = 0;
        if (k < 8) {
            beside(k, &u, &v);
        }
        ray[k] = *middle, along[k] = 1.0;
        ray[k].dir = ty_normalize(ty_add(middle->dir, ty_add(ty_scale(TURN * u, side), ty_scale(TURN * v, up))));
    }
    return sees(job, ray, along, range);
}

#define LOOKS 300 /* pixels, and rays, that get a second look: more than may be aside */

static agreement compare(const render_job *job, const ty_trace_ray *ray, const view *h, const view *d)
{
    agreement a = { .nearest = (double)INFINITY };
    int width = job->camera.width, height = job->camera.height, bands = job->bands;
    double sum[2] = { 0.0, 0.0 };
    int looks = 0;
    for (int i = 0; i < width * height; i++) {
        bool near = true;
        for (int b = 0; b < bands; b++) {
            double x = (double)h->b.radiance[(size_t)b * (size_t)(width * height) + (size_t)i],
                   y = (double)d->b.radiance[(size_t)b * (size_t)(width * height) + (size_t)i];
            sum[0] += x, sum[1] += y;
            near = near && fabs(y - x) <= 0.01 * fabs(x) + 1e-6;
        }
        if (edge(&h->b, width, height, i)) {
            a.edges++;
            continue;
        }
        bool same = h->b.instance[i] == d->b.instance[i];
        a.pixels++, a.labels += same;
        a.near += near;
        if (same && isfinite(h->b.depth[i])) {
            double least = cos(89.0 * TY_DEG) * h->b.range[i];
            double off = fabs(d->b.depth[i] - h->b.depth[i]) / fmax(fabs(h->b.depth[i]), least);
            bool aside = off > 1e-5 && looks++ < LOOKS && pixel_aside(job, i, d->b.depth[i]);
            a.aside += aside;
            a.depth = fmax(a.depth, aside ? 0.0 : off);
            a.nearest = fmin(a.nearest, h->b.range[i]);
        }
    }
    looks = 0;
    for (int i = 0; i < RAYS; i++) {
        const ty_trace_hit *x = &h->hit[i], *y = &d->hit[i];
        bool same = x->instance == y->instance && x->kind == y->kind;
        a.same += same;
        if (same && isfinite(x->range) && fabs(ty_dot(x->normal, ray[i].dir)) > cos(80.0 * TY_DEG)) {
            double off = fabs(x->range - y->range);
            bool aside = off > 1e-4 && looks++ < LOOKS && ray_aside(job, &ray[i], y->range);
            a.rays_aside += aside;
            a.range = fmax(a.range, aside ? 0.0 : off);
            a.rays++;
        }
    }
    a.mean = sum[0] > 0.0 ? sum[1] / sum[0] : 1.0;
    a.near /= fmax(a.pixels, 1.0), a.labels /= fmax(a.pixels, 1.0), a.same /= RAYS;
    return a;
}

static bool holds(const agreement *a)
{
    return fabs(a->mean - 1.0) <= 1e-3 && a->near >= 0.995 && a->depth <= 1e-5 && a->aside <= 1e-4 * a->pixels &&
           a->labels >= 0.9999 && a->range <= 1e-4 && a->rays_aside <= 1e-4 * RAYS && a->same >= 0.999;
}

static void tell(const char *what, const agreement *a)
{
    printf(
        "%s: mean radiance %+.4f %%; of %.0f pixels (%.0f more are edges) %.2f %% within 1 %%, labels %.3f %%, depth "
        "within %.1e (%.0f aside); of %d rays %.2f %% meet the same, ranges within %.1e m (%.0f below 80 deg, %.0f aside)\n",
        what, 100.0 * (a->mean - 1.0), a->pixels, a->edges, 100.0 * a->near, 100.0 * a->labels, a->depth, a->aside,
        RAYS, 100.0 * a->same, a->range, a->rays, a->rays_aside);
}

ty_status render_compare(render_job *job, bool *agrees, ty_diag *diag)
{
    size_t pixels = (size_t)job->camera.width * (size_t)job->camera.height;
    view host = { 0 }, device = { 0 };
    ty_trace_ray *ray = malloc(RAYS * sizeof *ray);
    bool ok = view_make(&host, pixels, job->bands);
    ok = view_make(&device, pixels, job->bands) && ok && ray;
    ty_status status = ok ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for two images of %zu pixels", pixels);
    for (int i = 0; i < RAYS && ok; i++) { /* as a lidar that turns: 15 deg up to 40 deg down */
        double az = 2.0 * TY_PI * (i % TURNS) / TURNS, el = (15.0 - 55.0 * (i / TURNS) / (LINES - 1)) * TY_DEG;
        ray[i] = (ty_trace_ray){ .from = job->camera.pose.p,
                                 .dir = { cos(el) * sin(az), cos(el) * cos(az), sin(el) },
                                 .far = 200.0 };
    }
    job->def.split = 0;
    if (status == TY_OK) {
        status = take(job, NULL, ray, &host, diag);
    }
    if (status == TY_OK) {
        status = take(job, job->device, ray, &device, diag);
    }
    if (status == TY_OK) {
        status = ty_scene_set_device(job->scene, NULL, false, diag); /* for a second look */
        agreement a = compare(job, ray, &host, &device);
        tell(ty_device_get_info(job->device)->name, &a);
        *agrees = holds(&a);
        double back = isfinite(a.nearest) ? 1e-4 * a.nearest : 0.0; /* [m] */
        job->camera.pose.p = ty_pose_point(job->camera.pose, ty_vec3_make(0, 0, -back));
        status = status == TY_OK ? take(job, job->device, ray, &device, diag) : status;
        a = compare(job, ray, &host, &device);
        if (status == TY_OK && holds(&a)) {
            printf("control: an eye %g m farther back is not told from this one\n", back);
            *agrees = false;
        }
        printf("%s\n", *agrees ? "agrees" : "does not agree");
    }
    view_free(&host), view_free(&device), free(ray);
    return status;
}
