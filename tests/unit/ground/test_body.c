/* Irregular bodies: a lumpy mesh, half a kilometre long, from orbit and from close by, against every triangle tried in
 * double.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "planet_support.h"

enum { ROWS = 96, COLUMNS = 192, VERTICES = (ROWS + 1) * COLUMNS, TRIANGLES = 2 * ROWS * COLUMNS, W = 64, H = 48 };

static float vertex[3 * VERTICES];
static uint32_t triangle[3 * TRIANGLES];

static void make_body(void)
{
    for (int j = 0; j <= ROWS; j++) {
        for (int i = 0; i < COLUMNS; i++) {
            double v = TY_PI * j / ROWS, u = 2.0 * TY_PI * i / COLUMNS;
            double r =
                270.0 * (1.0 + 0.15 * sin(3.0 * v) * cos(2.0 * u) + 0.04 * sin(9.0 * v + 1.0) * sin(11.0 * u) * sin(v));
            float *p = vertex + 3 * (j * COLUMNS + i);
            p[0] = (float)(r * sin(v) * cos(u)), p[1] = (float)(0.55 * r * sin(v) * sin(u)),
            p[2] = (float)(0.45 * r * cos(v));
        }
    }
    uint32_t *t = triangle;
    for (uint32_t j = 0; j < ROWS; j++) {
        for (uint32_t i = 0; i < COLUMNS; i++) {
            uint32_t a = j * COLUMNS + i, b = j * COLUMNS + (i + 1) % COLUMNS, c = a + COLUMNS, d = b + COLUMNS;
            const uint32_t two[6] = { a, c, b, b, c, d };
            memcpy(t, two, sizeof two);
            t += 6;
        }
    }
}

static ty_vec3 corner(uint32_t k)
{
    return ty_vec3_make((double)vertex[3 * k], (double)vertex[3 * k + 1], (double)vertex[3 * k + 2]);
}

/* nearest triangle along a ray in the body's frame, INFINITY: none */
static double try_all(ty_vec3 o, ty_vec3 d)
{
    double best = INFINITY;
    for (int k = 0; k < TRIANGLES; k++) {
        ty_vec3 a = corner(triangle[3 * k]), e = ty_sub(corner(triangle[3 * k + 1]), a),
                f = ty_sub(corner(triangle[3 * k + 2]), a);
        ty_vec3 p = ty_cross(d, f);
        double det = ty_dot(e, p);
        if (det == 0.0) {
            continue;
        }
        ty_vec3 s = ty_sub(o, a), q = ty_cross(s, e);
        double u = ty_dot(s, p) / det, v = ty_dot(d, q) / det, t = ty_dot(f, q) / det;
        best = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 && t < best ? t : best;
    }
    return best;
}

typedef struct tally {
    int seen, sky, wrong, edge;
    double worst; /* [m] */
} tally;

static void compare(const ty_camera *c, ty_pose body, double pixel, const double *range, tally *all)
{
    for (int k = 0; k < W * H; k += 13) {
        double want[9];
        for (int s = 0; s < 9; s++) { /* the middle first, then within half a pixel */
            static const double by[9][2] = { { 0, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 }, { -1, 0 },
                                             { 1, 0 }, { -1, 1 },  { 0, 1 },  { 1, 1 } };
            ty_vec3 o, d;
            ty_camera_ray(c, k % W + 0.5 + 0.5 * by[s][0], k / W + 0.5 + 0.5 * by[s][1], &o, &d);
            want[s] = try_all(ty_rotate(ty_quat_conj(body.q), ty_sub(o, body.p)), ty_rotate(ty_quat_conj(body.q), d));
            if (s == 0 && isfinite(want[0]) == isfinite(range[k]) &&
                (isinf(range[k]) || fabs(range[k] - want[0]) < 1e-4)) {
                break;
            }
        }
        all->seen++;
        if (isfinite(range[k]) && fabs(range[k] - want[0]) < 1e-4) {
            all->worst = fmax(all->worst, fabs(range[k] - want[0]));
        } else if (isinf(range[k]) && isinf(want[0])) {
            all->sky++;
        } else {
            double low = INFINITY, high = 0.0;
            for (int s = 0; s < 9; s++) {
                low = fmin(low, want[s]), high = fmax(high, want[s]);
            }
            bool edge = range[k] >= low - pixel && range[k] <= high + pixel;
            all->edge += edge;
            all->wrong += !edge;
        }
    }
}

/* Turned, at a place of its own in space, seen from 1000 km to 300 m from its middle: distances within a micrometre
 * of those to the triangles in double, silhouettes within half a pixel. Control: the body a millimetre aside. */
TY_TEST(body, from_orbit_to_the_surface, .timeout = 120)
{
    make_body();
    ty_scene_def def = ty_scene_def_default();
    ty_scene *scene = NULL;
    cr_assert(ty_scene_create(&def, &scene, NULL) == TY_OK);
    ty_pose body = { { 4.1e6, -2.7e6, 8.8e5 }, ty_quat_normalize((ty_quat){ 0.5, -0.3, 0.7, 0.2 }) };
    ty_object_def object = { .vertex = vertex,
                             .triangle = triangle,
                             .vertices = VERTICES,
                             .triangles = TRIANGLES,
                             .material = ty_material_lambert(0.3),
                             .kind = TY_CLASS_OBJECT,
                             .pose = body };
    uint32_t id;
    cr_assert(ty_scene_add(scene, &object, &id, NULL) == TY_OK);
    static const double distance[5] = { 1e6, 2e4, 2e3, 700.0, 300.0 };
    static double range[W * H];
    ty_render_buffers out = { .range = range };
    ty_render_def render = ty_render_def_default();
    double worst = 0.0;
    for (int k = 0; k < 5; k++) {
        ty_camera c = ty_camera_default();
        c.width = W, c.height = H, c.hfov = fmin(2.0 * atan(240.0 / distance[k]), 1.0);
        double pixel = c.hfov / W * distance[k];
        c.pose.q = ty_camera_look(0.9, -0.4, 0.0);
        c.pose.p = ty_sub(body.p, ty_scale(distance[k], ty_rotate(c.pose.q, ty_vec3_make(0, 0, 1))));
        cr_assert(ty_render(scene, &c, &render, &out, NULL) == TY_OK);
        tally all = { 0 }, aside = { 0 };
        compare(&c, body, pixel, range, &all);
        printf(
            "body: from %g m: %d pixels, %d sky, %d on a silhouette within half a pixel, %d wrong; distances off by %.1e m at most\n",
            distance[k], all.seen, all.sky, all.edge, all.wrong, all.worst);
        TY_CHECK(all.wrong == 0 && all.seen - all.sky > 60 && all.edge < all.seen / 20);
        TY_NEAR(all.worst, 0.0, 1e-6);
        worst = fmax(worst, all.worst);
        if (k == 3) {
            ty_pose moved = { ty_add(body.p, ty_vec3_make(1e-3, 0, 0)), body.q };
            compare(&c, moved, pixel, range, &aside);
            TY_CHECK(aside.worst > 1e-5 || aside.edge > all.edge);
        }
    }
    TY_ROW(
        "an irregular body of half a kilometre from 1000 km to 150 m above it: distances to 1e-6 m, silhouettes to half a pixel",
        "every triangle tried in double", "worst %.1e m", worst);
    ty_scene_destroy(scene);
}
