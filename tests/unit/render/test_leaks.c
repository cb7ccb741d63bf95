/* tests/unit/render/test_leaks.c - no ray passes the ground between its tiles and rings, a rock or an object. Rays aim at points that
 * lie on the ground or inside of a body, in double: whatever they meet lies before that point, or it was let through.
 * Long form (TYCHO_LONG=1): 3e7 rays per scene and tracer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "render_support.h"
#include "render/gpu/gpu.h"
#include "k_scene.h"
#include "tycho/trace.h"

enum { BATCH = 1 << 14, AIMS = 4096 };
#define SPLINE_NEAR 0.51 /* [cells] TY_K_SPLINE_NEAR of k_trace.h, and rounding */

typedef struct aim {
    ty_vec3 p;    /* [m] a point that no ray from above gets to, but for `slack` */
    bool ground;  /* lies on the ground, which other rings show otherwise */
    double slack; /* [m] how far the traced surface may lie behind it, over the sine of the ray's angle to the ground */
} aim;

static uint64_t state;
static double random01(void) /* splitmix64 [steele2014] */
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* ---- the ground's triangles in double, without the overlap of tiles: the judge of rays that went far ---- */

/* distance along a ray to a triangle with both sides and its edges; INFINITY: not met */
static double meet(ty_vec3 o, ty_vec3 d, ty_vec3 a, ty_vec3 b, ty_vec3 c)
{
    ty_vec3 e = ty_sub(b, a), f = ty_sub(c, a), p = ty_cross(d, f), s = ty_sub(o, a), q = ty_cross(s, e);
    double det = ty_dot(e, p), u = ty_dot(s, p) / det, v = ty_dot(d, q) / det, t = ty_dot(f, q) / det;
    return det != 0.0 && u >= -1e-12 && v >= -1e-12 && u + v <= 1.0 + 1e-12 && t > 0.0 ? t : (double)INFINITY;
}

/* where a ray is over an interval of one axis */
static void clip(double o, double d, double low, double high, double *t0, double *t1)
{
    double a = (low - o) / d, b = (high - o) / d;
    *t0 = fmax(*t0, fmin(a, b)), *t1 = fmin(*t1, fmax(a, b));
}

static double first_triangle(ty_scene *s, ty_vec3 from, ty_vec3 d, double *spacing)
{
    const tyi_render_flat *f = tyi_render_scene_flat(s);
    const ty_k_scene_tile *tile = f->section[TY_K_SCENE_TILE].data;
    double best = (double)INFINITY;
    for (size_t n = 0; n < f->section[TY_K_SCENE_TILE].count; n++) {
        const ty_k_scene_tile *k = &tile[n];
        const float *h = tyi_render_heights_at(s->ground.heights, k->slot, TY_K_SCENE_SAMPLES) + TY_K_SCENE_STRIDE + 1;
        double w = (double)k->d, side = 64.0 * w, t0 = 0.0, t1 = best;
        ty_vec3 o = ty_sub(ty_sub(from, s->centre), ty_vec3_make((double)k->p[0], (double)k->p[1], (double)k->p[2]));
        clip(o.x, d.x, -w, side + w, &t0, &t1), clip(o.y, d.y, -w, side + w, &t0, &t1);
        if (!(t0 <= t1)) {
            continue;
        }
        for (int j = 0; j < 64; j++) {
            double r0 = t0, r1 = t1;
            clip(o.y, d.y, (j - 0.01) * w, (j + 1.01) * w, &r0, &r1);
            int i0 = (int)fmax(floor(fmin(o.x + r0 * d.x, o.x + r1 * d.x) / w) - 1.0, 0.0),
                i1 = (int)fmin(floor(fmax(o.x + r0 * d.x, o.x + r1 * d.x) / w) + 1.0, 63.0);
            for (int i = i0; i <= i1 && r0 <= r1; i++) {
                const float *at = h + j * TY_K_SCENE_STRIDE + i;
                ty_vec3 a = { i * w, j * w, (double)at[0] }, b = { (i + 1) * w, j * w, (double)at[1] },
                        c = { i * w, (j + 1) * w, (double)at[TY_K_SCENE_STRIDE] },
                        e = { (i + 1) * w, (j + 1) * w, (double)at[TY_K_SCENE_STRIDE + 1] };
                double t = fmin(meet(o, d, a, b, c), meet(o, d, b, e, c));
                *spacing = t < best ? w : *spacing;
                best = fmin(best, t);
            }
        }
    }
    return best;
}

/* ---- rays ---- */

/* [rad] what single precision makes of a ray's direction: half of the last digit of each of its three numbers, and as much again in the arithmetic */
#define ROUNDING (4.0 * 0x1p-24)

typedef enum verdict { STOPPED, GRAZES, THROUGH } verdict;

/* A ray at the ground that was met at `range`. It grazes where the triangles themselves let it pass once it is turned by what rounding turns it: over a crest,
 * into which it dips by less than a float can tell. Gaps that the triangles do not have are none of these. */
static verdict judge(ty_scene *s, const ty_trace_ray *r, double range)
{
    double w = 0.0, there = first_triangle(s, r->from, r->dir, &w), slack = SPLINE_NEAR * w;
    /* ground is told on its spline, where that is near the triangle */
    if (range <= there * (1.0 + 1e-6) + slack) {
        return STOPPED;
    }
    ty_vec3 side = ty_normalize(ty_cross(r->dir, ty_vec3_make(0, 0, 1))), up = ty_cross(side, r->dir);
    const ty_vec3 turn[4] = { up, ty_scale(-1.0, up), side, ty_scale(-1.0, side) };
    for (int k = 0; k < 4; k++) {
        if (first_triangle(s, r->from, ty_normalize(ty_add(r->dir, ty_scale(ROUNDING, turn[k]))), &w) > there + slack) {
            return GRAZES;
        }
    }
    return THROUGH;
}

/* how many of n rays from around `eye` towards the aims pass them; worst: by how much [m]; grazes: at the ground, that only graze a crest. slit: as if the
 * tracer let all of them through */
static long leaks(ty_scene *s, ty_vec3 eye, double spread, const aim *a, long n, bool slit, double *worst, long *grazes)
{
    static ty_trace_ray ray[BATCH];
    static ty_trace_hit hit[BATCH];
    static double most[BATCH];
    long found = 0;
    *worst = 0.0, *grazes = 0;
    for (long done = 0; done < n; done += BATCH) {
        for (int i = 0; i < BATCH; i++) {
            const aim *to = &a[(size_t)(random01() * AIMS)];
            ty_vec3 from = { eye.x + spread * (random01() - 0.5), eye.y + spread * (random01() - 0.5),
                             eye.z + 0.3 * spread * random01() };
            ty_vec3 way = ty_sub(to->p, from);
            double far = ty_norm(way);
            ray[i] = (ty_trace_ray){ from, ty_scale(1.0 / far, way), 1e5, 0.0 };
            most[i] = far + to->slack / fmax(fabs(way.z) / far, 1e-3) + 1e-5 * far;
        }
        TY_CHECK(ty_scene_trace(s, eye, ray, BATCH, 0, 1, hit, NULL) == TY_OK);
        for (int i = 0; i < BATCH; i++) {
            /* ground that stopped it is told on its spline, not on the triangle */
            double behind = hit[i].kind == TY_CLASS_GROUND ? 1e-3 * most[i] : 0.0;
            hit[i].range = slit ? (double)INFINITY : hit[i].range;
            bool through = !(hit[i].range <= most[i] + behind);
            if (through && a[0].ground) { /* it may have passed over it, where the ground is coarse */
                verdict v = judge(s, &ray[i], hit[i].range);
                through = v == THROUGH, *grazes += v == GRAZES;
            }
            if (through && found < 8) {
                printf("    from %.9f %.9f %.9f along %.12f %.12f %.12f: %.6f m, aimed at %.6f\n", ray[i].from.x,
                       ray[i].from.y, ray[i].from.z, ray[i].dir.x, ray[i].dir.y, ray[i].dir.z, hit[i].range, most[i]);
            }
            found += through;
            *worst = through ? fmax(*worst, hit[i].range - most[i]) : *worst;
        }
    }
    return found;
}

/* by the host, and by a device where there is one */
static void count(ty_scene *s, ty_vec3 eye, double spread, const aim *a, const char *what)
{
    long n = tyt_long() ? 30000000 : 1 << 17;
    ty_device *device = device_or_null();
    for (int k = 0; k < (device ? 2 : 1); k++) {
        double worst;
        long grazes;
        state = 1;
        TY_CHECK(ty_scene_set_device(s, k ? device : NULL, false, NULL) == TY_OK);
        long through = leaks(s, eye, spread, a, n, false, &worst, &grazes);
        printf("%s by the %s: %ld of %ld rays pass, by up to %.3g m; %ld pass over a crest that they graze\n", what,
               k ? "device" : "host", through, n, worst, grazes);
        TY_CHECK(through == 0);
        TY_CHECK(grazes <= n / 1000000);
    }
    TY_CHECK(ty_scene_set_device(s, NULL, false, NULL) == TY_OK);
    ty_device_destroy(device);
}

/* half of the aims lie on borders of tiles, of rings too, and a part of those in their corners */
static void ground_aims(ty_terrain *t, double finest, int rings, double half, aim *a)
{
    double x[AIMS], y[AIMS], z[AIMS];
    for (int i = 0; i < AIMS; i++) {
        double d = finest * (double)(1 << (int)(random01() * rings)), tile = 64.0 * d;
        double reach = half * tile, u = reach * (random01() - 0.5), v = reach * (random01() - 0.5);
        int kind = i % 4;
        x[i] = kind < 3 ? tile * rint(u / tile) : u;
        y[i] = kind == 2 ? tile * rint(v / tile) : kind == 1 ? d * rint(v / d) : v;
        if (random01() < 0.5) { /* borders along the other axis */
            double w = x[i];
            x[i] = y[i], y[i] = w;
        }
        a[i].slack = 0.5 * d, a[i].ground = true;
    }
    TY_CHECK(ty_terrain_sample(t, 0, AIMS, x, y, z, NULL, NULL) == TY_OK);
    for (int i = 0; i < AIMS; i++) {
        a[i].p = ty_vec3_make(x[i], y[i], z[i]);
    }
}

TY_TEST(render_leaks, ground)
{
    static aim a[AIMS];
    ty_terrain *t = small_terrain(false);
    ty_scene *s = ground_scene(t, 0.0);
    state = 7;
    ground_aims(t, 0.01, 9, 4.0, a);
    count(s, above(t, 0.3, -0.2, 0.4), 1.5, a, "ground");
    /* control: rays that the ground stops, most of them at borders of tiles, are through if a tracer says so (the others pass over coarse ground) */
    double worst;
    long grazes, through = leaks(s, above(t, 0.3, -0.2, 0.4), 1.5, a, BATCH, true, &worst, &grazes);
    TY_CHECK(through > (long)(0.99 * BATCH) && grazes < BATCH / 1000);
    /* and a surface that is not there lets all rays through */
    for (int i = 0; i < AIMS; i++) {
        a[i].p.z += 3.0, a[i].slack = 0.0, a[i].ground = false;
    }
    TY_CHECK(leaks(s, above(t, 0.3, -0.2, 8.0), 1.5, a, BATCH, false, &worst, &grazes) > BATCH / 2);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

/* just inside of the edges, corners and faces of rocks, as they are shown */
TY_TEST(render_leaks, rocks)
{
    static aim a[AIMS];
    ty_terrain *t = small_terrain(true);
    ty_scene *s = ground_scene(t, 0.002);
    ty_vec3 eye = above(t, 0.0, 0.0, 1.2);
    TY_CHECK(tyi_render_scene_update(s, eye, 1, NULL) == TY_OK);
    TY_CHECK(s->rocks.count > 100);
    state = 11;
    for (int i = 0; i < AIMS; i++) {
        size_t n = (size_t)(random01() * (double)s->rocks.count);
        const ty_rock_shape *shape = ty_terrain_rock_shape(t, s->rocks.rock[n].shape);
        const uint16_t *tri = shape->triangle + 3 * (size_t)(random01() * shape->triangles);
        double w[3] = { random01(), i % 3 ? random01() : 0.0, i % 3 == 1 ? random01() : 0.0 }, sum = w[0] + w[1] + w[2];
        ty_vec3 p = { 0.0, 0.0, 0.01 * 0.5 * (double)shape->height };
        for (int k = 0; k < 3; k++) {
            const float *v = shape->vertex + 3 * tri[k];
            p = ty_add(p, ty_scale(0.99 * w[k] / sum, ty_vec3_make((double)v[0], (double)v[1], (double)v[2])));
        }
        a[i] = (aim){ ty_pose_point(s->rocks.pose[n], ty_scale(s->rocks.rock[n].scale, p)), false, 0.0 };
    }
    count(s, eye, 0.5, a, "rocks");
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

/* a ball of triangles, turned: points just inside of its edges, corners and faces */
TY_TEST(render_leaks, objects)
{
    static aim a[AIMS];
    ty_scene *s = bare_scene();
    enum { SIDE = 24, POINTS = SIDE * SIDE };
    static float vertex[3 * POINTS];
    static uint32_t index[3 * 2 * SIDE * SIDE];
    uint32_t n = 0;
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            double la = TY_PI * (j / (SIDE - 1.0) - 0.5), lo = 2.0 * TY_PI * i / SIDE;
            float *v = vertex + 3 * (j * SIDE + i);
            v[0] = (float)(cos(la) * cos(lo)), v[1] = (float)(cos(la) * sin(lo)), v[2] = (float)sin(la);
            if (j < SIDE - 1) {
                uint32_t p = (uint32_t)(j * SIDE + i), q = (uint32_t)(j * SIDE + (i + 1) % SIDE);
                const uint32_t two[6] = { p, q, q + SIDE, p, q + SIDE, p + SIDE };
                for (int k = 0; k < 6; k++) {
                    index[n++] = two[k];
                }
            }
        }
    }
    ty_object_def o = { .vertex = vertex, .vertices = POINTS, .triangle = index, .triangles = n / 3 };
    uint32_t id;
    o.material = ty_material_lambert(0.3), o.kind = TY_CLASS_OBJECT;
    o.pose.p = ty_vec3_make(3.1, 40.7, -1.9);
    o.pose.q = ty_quat_axis(ty_normalize(ty_vec3_make(1, 2, 3)), 0.7);
    TY_CHECK(ty_scene_add(s, &o, &id, NULL) == TY_OK);
    state = 13;
    for (int i = 0; i < AIMS; i++) { /* on an edge or in a corner, or anywhere on a face, a thousandth inwards */
        const uint32_t *tri = index + 3 * (size_t)(random01() * (n / 3));
        double w[3] = { random01(), i % 3 ? random01() : 0.0, i % 3 == 1 ? random01() : 0.0 }, sum = w[0] + w[1] + w[2];
        ty_vec3 p = { 0, 0, 0 };
        for (int k = 0; k < 3; k++) {
            const float *v = vertex + 3 * tri[k];
            p = ty_add(p, ty_scale(0.999 * w[k] / sum, ty_vec3_make((double)v[0], (double)v[1], (double)v[2])));
        }
        a[i] = (aim){ ty_pose_point(o.pose, p), false, 0.0 };
    }
    count(s, ty_vec3_make(0, 0, 0), 20.0, a, "objects");
    ty_scene_destroy(s);
}
