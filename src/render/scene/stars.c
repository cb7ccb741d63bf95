/* src/render/scene/stars.c - stars: points without size, one pixel each.
 *
 * After the image is made, each star in view that nothing hides adds its irradiance over the pixel's solid angle to
 * the pixel it stands in. In order, on one thread, so that sums do not depend on the number of threads. Most stars are far outside of the image:
 * a lens for each of 1630 of them, at each of 8 times, took 29 % of what a run on an H200 waited for frames.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "host/frame.h"
#include "k_shade.h"
#include "gpu/gpu.h"

ty_status ty_scene_set_stars(ty_scene *s, const ty_star_seen *star, size_t count, ty_diag *diag)
{
    s->changed |= TYI_RENDER_STAR_CHANGED;
    if (count && count == s->stars) { /* as from frame to frame */
        memcpy(s->star, star, count * sizeof *s->star);
        return TY_OK;
    }
    tyi_put(s->def.alloc, s->star, s->stars * sizeof *s->star);
    s->stars = 0;
    s->star = NULL;
    if (!count) {
        return TY_OK;
    }
    s->star = tyi_get(s->def.alloc, count * sizeof *s->star);
    if (!s->star) {
        return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for %zu stars", count);
    }
    memcpy(s->star, star, count * sizeof *s->star);
    s->stars = count;
    return TY_OK;
}

/* [sr] what a pixel sees: the two triangles between the rays of its corners; 0: not all of them exist */
static double pixel_angle(const ty_camera *c, int x, int y)
{
    ty_vec3 d[4], o;
    for (int k = 0; k < 4; k++) {
        if (!ty_camera_ray(c, x + (k == 1 || k == 2), y + (k >= 2), &o, &d[k])) {
            return 0.0;
        }
    }
    ty_k_vec3 e[4];
    for (int k = 0; k < 4; k++) {
        e[k] = ty_k_vec(d[k].x, d[k].y, d[k].z);
    }
    return ty_k_pixel_angle(e[0], e[1], e[2], e[3]);
}

/* the camera at a share of its exposure */
static ty_camera at_time(const ty_camera *c, double t)
{
    ty_camera now = *c;
    now.pose.p = ty_add(c->pose.p, ty_scale(t, ty_sub(c->pose_end.p, c->pose.p)));
    now.pose.q = ty_quat_slerp(c->pose.q, c->pose_end.q, t);
    return now;
}

typedef struct point { /* one appearance of a star */
    size_t star;
    size_t pixel;
    double share; /* [-] of the exposure */
    double angle; /* [sr] the pixel's */
} point;

typedef struct batch {
    point point[TYI_RENDER_LANES];
    unsigned count;
} batch;

/* far below 0 for those that something hides: asked where the frame was made */
static void hide(const tyi_render_frame *f, unsigned n, tyi_render_rays *r)
{
    ty_scene *s = f->scene;
    if (s->gpu && !s->stats.host) {
        ty_trace_ray ray[TYI_RENDER_LANES];
        ty_trace_hit hit[TYI_RENDER_LANES];
        for (unsigned k = 0; k < n; k++) {
            ray[k] = (ty_trace_ray){ .from = ty_add(s->centre,
                                                    ty_vec3_make((double)r->ox[k], (double)r->oy[k], (double)r->oz[k])),
                                     .dir = { (double)r->dx[k], (double)r->dy[k], (double)r->dz[k] },
                                     .far = 1e9 };
        }
        if (n == 0 || tyi_render_gpu_trace_more(s->gpu, s, ray, n, 0, 1, hit, NULL) == TY_OK) {
            for (unsigned k = 0; k < n; k++) {
                r->far[k] = isfinite(hit[k].range) ? -INFINITY : r->far[k];
            }
            return;
        }
    }
    if (tyi_render_scene_ready(s, f->def.threads, NULL) == TY_OK) {
        tyi_render_accel_occlude(s->accel, r, TYI_RENDER_LANES);
    }
}

/* keeps those that nothing hides */
static void expose(const tyi_render_frame *f, batch *b, tyi_render_rays *r)
{
    size_t plane = (size_t)f->camera->width * (size_t)f->camera->height;
    for (unsigned k = b->count; k < TYI_RENDER_LANES; k++) {
        r->near[k] = 0.0f, r->far[k] = -1.0f;
    }
    hide(f, b->count, r);
    for (unsigned k = 0; k < b->count; k++) {
        const point *p = &b->point[k];
        float pass[TY_BANDS];
        if (!(r->far[k] > 0.0f)) {
            continue;
        }
        tyi_render_ray_pass(f->scene, r, k, pass);
        for (int band = 0; band < f->scene->def.bands; band++) {
            size_t at = (size_t)band * plane + p->pixel;
            float adds =
                pass[band] * (float)(ty_k_star_radiance(f->scene->star[p->star].power[band], p->share, p->angle) *
                                     f->scene->share[band]);
            if (f->spark) {
                f->spark[f->scene->sparks++] = (tyi_render_spark){ (uint32_t)at, adds };
            } else {
                f->out->radiance[at] += adds;
            }
        }
    }
    b->count = 0;
}

static bool behind_disk(const ty_scene *s, ty_vec3 dir)
{
    for (int i = 0; i < s->lights; i++) {
        const ty_light *l = &s->light[i];
        if (l->kind == TY_LIGHT_DISK && l->visible && ty_dot(l->dir_W, dir) > cos(l->radius)) {
            return true;
        }
    }
    return false;
}

typedef struct cone { /* of all that a camera sees while it is exposed */
    ty_vec3 axis;
    double least; /* cosine of its half angle; -2: it sees in any direction */
} cone;

static double angle_between(ty_vec3 a, ty_vec3 b)
{
    return atan2(ty_norm(ty_cross(a, b)), ty_dot(a, b));
}

/* a point of the image's border, a share of the way round it */
static void border(const ty_camera *c, double share, double *u, double *v)
{
    double side = 4.0 * share, at = side - floor(side);
    int k = (int)side & 3;
    *u = c->width * (k == 0 ? at : k == 1 ? 1.0 : k == 2 ? 1.0 - at : 0.0);
    *v = c->height * (k == 0 ? 0.0 : k == 1 ? at : k == 2 ? 1.0 : 1.0 - at);
}

/* Round the middle of the image, as far as its border is. What lies between two points of the border, and the way that the camera turns, are added. A
 * program's own lens, and an image that has a border without rays, may see anything. */
static cone seen_by(const ty_camera *c)
{
    enum { POINTS = 64 };
    ty_vec3 o, axis, last, d;
    double widest = 0.0, step = 0.0, u, v;
    bool ok = c->lens != TY_LENS_OWN && ty_camera_ray(c, 0.5 * c->width, 0.5 * c->height, &o, &axis) &&
              ty_camera_ray(c, 0.0, 0.0, &o, &last);
    for (int k = 1; k <= POINTS && ok; k++) {
        border(c, (double)k / POINTS, &u, &v);
        ok = ty_camera_ray(c, u, v, &o, &d);
        widest = ok ? fmax(widest, angle_between(axis, d)) : widest;
        step = ok ? fmax(step, angle_between(last, d)) : step;
        last = ok ? d : last;
    }
    ty_quat a = c->pose.q, b = c->pose_end.q;
    double same = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    double half = widest + step + (c->moving ? 2.0 * acos(fmin(same, 1.0)) : 0.0);
    return ok && half < 3.0 ? (cone){ axis, cos(half) } : (cone){ { 0, 0, 1 }, -2.0 };
}

static void add_point(const tyi_render_frame *f, batch *b, tyi_render_rays *r, size_t i, const ty_camera *now,
                      double share)
{
    const ty_camera *c = f->camera;
    ty_vec3 dir = f->scene->star[i].dir_W, o, d;
    double u, v;
    /* far enough that the origin does not matter: the lens sees a direction */
    if (!ty_camera_project(now, ty_add(now->pose.p, ty_scale(1e12, dir)), &u, &v) ||
        !(u >= 0.0 && u < c->width && v >= 0.0 && v < c->height)) {
        return;
    }
    int x = (int)u, y = (int)v;
    double angle = pixel_angle(now, x, y);
    if (!(angle > 0.0) || !ty_camera_ray(now, u, v, &o, &d) || ty_dot(d, dir) < 0.99) { /* a fold of the lens's law */
        return;
    }
    unsigned k = b->count++;
    o = ty_sub(o, f->scene->centre);
    b->point[k] = (point){ i, (size_t)y * (size_t)c->width + (size_t)x, share, angle };
    r->ox[k] = (float)o.x, r->oy[k] = (float)o.y, r->oz[k] = (float)o.z;
    r->dx[k] = (float)dir.x, r->dy[k] = (float)dir.y, r->dz[k] = (float)dir.z;
    r->near[k] = 0.0f, r->far[k] = INFINITY;
    if (b->count == TYI_RENDER_LANES) {
        expose(f, b, r);
    }
}

void tyi_render_stars_draw(const tyi_render_frame *f)
{
    const ty_scene *s = f->scene;
    const ty_camera *c = f->camera;
    tyi_render_rays *r = tyi_render_block_rays(f, 0);
    batch b = { .count = 0 };
    cone seen = seen_by(c);
    int times = c->moving ? f->def.samples : 1;
    for (size_t i = 0; i < s->stars; i++) {
        if (ty_dot(s->star[i].dir_W, seen.axis) < seen.least || behind_disk(s, s->star[i].dir_W)) {
            continue;
        }
        for (int n = 0; n < times; n++) {
            ty_camera now = *c;
            if (c->moving) {
                /* the row decides when it is exposed, and the time where the row sees: twice is enough */
                double u, v = 0.5 * c->height, open = (1.0 - c->rolling) * (n + 0.5) / times;
                for (int round = 0; round < 2; round++) {
                    now = at_time(c, c->rolling * v / c->height + open);
                    if (!ty_camera_project(&now, ty_add(now.pose.p, ty_scale(1e12, s->star[i].dir_W)), &u, &v)) {
                        break;
                    }
                    v = fmin(fmax(v, 0.0), c->height);
                }
            }
            add_point(f, &b, r, i, &now, 1.0 / times);
        }
    }
    expose(f, &b, r);
}
