/* tests/unit/sensor/test_lidar_motion.c - lidars that drive and turn, and things that move, while they scan.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lidar_support.h"
#include "tycho/tools/draw.h"

#define SPEED  20.0 /* [m/s] */
#define POSTS  15   /* on either side, 2 m apart */
#define ASIDE  5.0  /* [m] */
#define FACETS 2048

static void add_posts(ty_scene *s)
{
    static float v[6 * FACETS];
    static uint32_t t[6 * FACETS];
    for (uint32_t k = 0; k < FACETS; k++) {
        double a = 2.0 * TY_PI * k / FACETS;
        float side[6] = { (float)(0.5 * cos(a)), (float)(0.5 * sin(a)), -8.0f,
                          (float)(0.5 * cos(a)), (float)(0.5 * sin(a)), 8.0f };
        memcpy(v + 6 * k, side, sizeof side);
        uint32_t n = (k + 1) % FACETS, face[6] = { 2 * k, 2 * n, 2 * n + 1, 2 * k, 2 * n + 1, 2 * k + 1 };
        memcpy(t + 6 * k, face, sizeof face);
    }
    for (int i = 0; i < 2 * POSTS; i++) {
        ty_object_def def = { .vertex = v,
                              .triangle = t,
                              .vertices = 2 * FACETS,
                              .triangles = 2 * FACETS,
                              .material = ty_material_lambert(0.5),
                              .kind = TY_CLASS_OBJECT,
                              .pose = { { 2.0 * (i / 2 - POSTS / 2), i % 2 ? -ASIDE : ASIDE, 0.0 },
                                        ty_quat_identity() } };
        uint32_t id;
        TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_OK);
    }
}

/* the nearest post along a ray; *cos_i of its surface. The posts are polygons of 2048 sides, inside the cylinder by at
 * most 6e-7 m. */
static double analytic_post(ty_vec3 o, ty_vec3 d, double *cos_i)
{
    double best = (double)INFINITY;
    for (int i = 0; i < 2 * POSTS; i++) {
        double cx = 2.0 * (i / 2 - POSTS / 2), cy = i % 2 ? -ASIDE : ASIDE;
        double ox = o.x - cx, oy = o.y - cy, a = d.x * d.x + d.y * d.y, b = ox * d.x + oy * d.y,
               c = ox * ox + oy * oy - 0.25;
        double q = b * b - a * c;
        double t = q > 0.0 ? (-b - sqrt(q)) / a : -1.0;
        if (t > 0.0 && t < best) {
            best = t;
            *cos_i = -((ox + t * d.x) * d.x + (oy + t * d.y) * d.y) / 0.5;
        }
    }
    return best;
}

/* Worst distance [m] of a scan's points, each put where it is by the pose of its own firing, from the closed form;
 * *points: how many. Directions and times come from the beam table and the clock, not from the points. */
static double worst_post(const ty_lidar_def *def, const ty_buffer *p, const ty_keyframe *key, int *points)
{
    double worst = 0.0;
    ty_track track = { key, 2 };
    *points = 0;
    for (int y = 0; y < p->type.height; y++) {
        for (int x = 0; x < p->type.width; x++) {
            const ty_cloud_point *q = ty_buffer_at(p, x, y, 0);
            if (isnan(q->x)) {
                continue;
            }
            int laser = -1; /* the one of this ring */
            for (int k = 0; k < def->lasers; k++) {
                int lower = 0;
                for (int i = 0; i < def->lasers; i++) {
                    lower += def->elevation[i] < def->elevation[k];
                }
                laser = lower == (int)q->ring ? k : laser;
            }
            double t = x * def->cycle + def->fire[laser], cos_i = 0.0;
            double az = 2.0 * TY_PI * def->spin * t, el = def->elevation[laser];
            ty_vec3 o = ty_vec3_make(SPEED * t, 0.0, 0.0),
                    d = ty_vec3_make(cos(el) * cos(az), cos(el) * sin(az), sin(el));
            double want = analytic_post(o, d, &cos_i);
            /* within 5 deg of the silhouette a polygon and a cylinder differ by more than rounding */
            if (!(isfinite(want) && cos_i > cos(85.0 * TY_DEG))) {
                continue;
            }
            ty_vec3 got = ty_pose_point(ty_track_at(&track, 0, q->time), ty_vec3_make(q->x, q->y, q->z));
            worst = fmax(worst, ty_norm(ty_sub(got, ty_add(o, ty_scale(want, d)))));
            (*points)++;
        }
    }
    return worst;
}

/* mean width [m] along x of the posts beside the sensor as the raw cloud shows them, left or right */
static double apparent_width(const ty_buffer *p, double side)
{
    double low[POSTS + 2], high[POSTS + 2], sum = 0.0;
    int n = 0;
    for (int i = 0; i < POSTS + 2; i++) {
        low[i] = (double)INFINITY, high[i] = -(double)INFINITY;
    }
    for (int y = 0; y < p->type.height; y++) {
        for (int x = 0; x < p->type.width; x++) {
            const ty_cloud_point *q = ty_buffer_at(p, x, y, 0);
            if (isnan(q->x) || q->y * side < 0.0 || fabs(q->x) > 4.0 || fabs(q->z) > 1.0) {
                continue;
            }
            /* the posts stand 2 m apart in W */
            int i = (int)lround((q->x + SPEED * q->time) / 2.0) + POSTS / 2;
            if (i >= 0 && i < POSTS + 2) {
                low[i] = fmin(low[i], q->x), high[i] = fmax(high[i], q->x);
            }
        }
    }
    for (int i = 0; i < POSTS + 2; i++) {
        if (high[i] > low[i] && fabs(low[i] + high[i]) < 5.0) {
            sum += high[i] - low[i];
            n++;
        }
    }
    return n ? sum / n : 0.0;
}

/* x and y of the points of one laser near the horizon, as the sensor sees them */
static size_t outline(const ty_buffer *p, double *x, double *y)
{
    size_t n = 0;
    for (int i = 0; i < p->type.width; i++) {
        const ty_cloud_point *q = ty_buffer_at(p, i, p->type.height / 4, 0);
        if (!isnan(q->x)) {
            x[n] = q->x, y[n++] = q->y;
        }
    }
    return n;
}

/* TYCHO_FIGURES=DIR leaves the picture of [csens] Fig. 5 in DIR, to be looked at */
static void draw_outlines(const double (*x)[2000], const double (*y)[2000], const size_t *n)
{
    char path[1024];
    if (!getenv("TYCHO_FIGURES")) {
        return;
    }
    snprintf(path, sizeof path, "%s/lidar_cylinders.png", getenv("TYCHO_FIGURES"));
    ty_draw_series series[2] = {
        { .kind = TY_SERIES_POINTS, .label = "scanned in 50 ms", .n = n[0], .x = x[0], .y = y[0], .size = 2.5 },
        { .kind = TY_SERIES_POINTS, .label = "all at the start", .n = n[1], .x = x[1], .y = y[1], .size = 2.5 },
    };
    ty_draw_panel panel = {
        .title = "posts of 1 m, 2 m apart, seen at 20 m/s along x by an HDL-32E turning counter-clockwise",
        .x = { .label = "x, forward [m]", .low = -9.0, .high = 9.0 },
        .y = { .label = "y, left [m]" },
        .series = series,
        .count = 2,
        .key = TY_KEY_OUTSIDE,
        .equal = true
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = &panel;
    figure.width = 1100, figure.height = 640;
    TY_CHECK(ty_draw_write_figure(path, &figure, NULL) == TY_OK);
}

/* [csens] Fig. 5: HDL-32E at 20 Hz, counter-clockwise, 20 m/s past cylinders of 1 m diameter 2 m apart. */
TY_TEST(lidar, driving_past_cylinders)
{
    ty_lidar_def def = quiet_model("hdl_32e");
    def.spin = 20.0;
    def.reach = 1e4;
    ty_lidar *l = lidar_of(&def);
    ty_scene *s = empty_scene();
    add_posts(s);
    const ty_keyframe key[2] = { { 0, { { 0, 0, 0 }, { 1, 0, 0, 0 } } },
                                 { TY_SECOND / 20, { { SPEED / 20.0, 0, 0 }, { 1, 0, 0, 0 } } } };
    ty_track moving = { key, 2 };
    int points = 0, frozen_points = 0;
    const ty_buffer *p = scan(l, s, &moving, 0);
    double worst = worst_post(&def, p, key, &points);
    double left = apparent_width(p, 1.0), right = apparent_width(p, -1.0);
    static double x[2][2000], y[2][2000];
    size_t seen[2] = { outline(p, x[0], y[0]), 0 };
    /* an instantaneous scan: all beams from where the sensor was at the start */
    p = scan(l, s, &here, 0);
    double frozen = worst_post(&def, p, key, &frozen_points);
    seen[1] = outline(p, x[1], y[1]);
    draw_outlines((const double(*)[2000])x, (const double(*)[2000])y, seen);
    printf(
        "cylinders: %d points, worst %.2g m; instantaneous: %d points, worst %.2g m; seen %.3f m wide on the left, %.3f m on "
        "the right\n",
        points, worst, frozen_points, frozen, left, right);
    TY_CHECK(points > 5000);
    TY_NEAR(worst, 0.0, 1e-4);
    TY_FAR(frozen, 0.0, 1e-4);     /* control: the instantaneous scan fails the same test */
    TY_CHECK(left > right + 0.01); /* [csens]: on the right they appear shorter */
    ty_scene_destroy(s);
    ty_lidar_destroy(l);
    TY_ROW("each point at its own firing time within 1e-4 m, past cylinders at 20 m/s", "closed form",
           "worst %.0e m; an instantaneous scan %.1f m", worst, frozen);
}

/* A sensor that turns and tumbles while it scans, inside a sphere: rays by the closed form of its motion. */
TY_TEST(lidar, turning_while_scanning)
{
    ty_lidar_def def = quiet_model("vlp_16");
    ty_lidar *l = lidar_of(&def);
    ty_vec3 axis = ty_normalize(ty_vec3_make(0.3, -0.5, 0.8));
    enum { KEYS = 101 };
    ty_keyframe key[KEYS];
    for (int k = 0; k < KEYS; k++) {
        double t = 0.001 * k;
        key[k] =
            (ty_keyframe){ ty_time_from(t) + 7 * TY_SECOND, { { 3.0 * t, 100.0, -t }, ty_quat_axis(axis, 2.0 * t) } };
    }
    ty_track track = { key, KEYS };
    ty_lidar_rays rays;
    TY_CHECK(ty_lidar_aim(l, &track, 7 * TY_SECOND, &rays, NULL) == TY_OK);
    double worst = 0.0, still = 0.0;
    int columns = (int)(rays.count / 16);
    for (int c = 0; c < columns; c++) {
        for (int k = 0; k < 16; k++) { /* the lasers by elevation: 15, 13, ... deg */
            int laser = 0;
            double want = (15.0 - 2.0 * k) * TY_DEG;
            for (int i = 0; i < 16; i++) {
                laser = fabs(def.elevation[i] - want) < 1e-6 ? i : laser;
            }
            double t = c * def.cycle + def.fire[laser], az = 2.0 * TY_PI * def.spin * t, el = def.elevation[laser];
            ty_vec3 own = ty_vec3_make(cos(el) * cos(az), cos(el) * sin(az), sin(el));
            ty_quat turned = ty_quat_axis(axis, 2.0 * t);
            ty_vec3 d = ty_rotate(turned, own), up = ty_rotate(turned, ty_vec3_make(0, 0, def.height[laser]));
            const ty_trace_ray *r = &rays.ray[16 * c + k];
            worst = fmax(worst, ty_norm(ty_sub(r->dir, d)) +
                                    ty_norm(ty_sub(r->from, ty_add(up, ty_vec3_make(3.0 * t, 100.0, -t)))));
            still = fmax(still, ty_norm(ty_sub(r->dir, own)));
            TY_CHECK(fabs(r->time - t / 0.1) < 1e-12);
        }
    }
    printf("turning: rays to %.2g (rad, m)\n", worst);
    TY_NEAR(worst, 0.0, 1e-9);
    TY_FAR(still, 0.0, 0.1); /* control: without the turn */
    ty_lidar_destroy(l);
}

/* A ball that flies through the scan is hit where it is at each firing. */
TY_TEST(lidar, things_that_move_during_the_scan)
{
    ty_lidar_def def = ty_lidar_def_default();
    def.columns = 200, def.rows = 40, def.hfov = 60.0 * TY_DEG, def.vfov = 20.0 * TY_DEG, def.sweep = 0.1;
    def.noise = false, def.threads = 1, def.reach = 1e4;
    ty_lidar *l = lidar_of(&def);
    ty_scene *s = empty_scene();
    uint32_t id = add_ball(s, ty_vec3_make(0, 0, 0), 1.0, ty_material_lambert(0.5));
    ty_pose a = { { 10.0, 3.0, 0.0 }, ty_quat_identity() }, b = { { 12.0, -3.0, 0.5 }, ty_quat_identity() };
    TY_CHECK(ty_scene_move_between(s, id, a, b, NULL) == TY_OK);
    const ty_buffer *p = scan(l, s, &here, 0);
    double worst = 0.0, frozen = 0.0;
    int n = 0;
    for (int y = 0; y < 40; y++) {
        for (int x = 0; x < 200; x++) {
            const ty_cloud_point *q = ty_buffer_at(p, x, y, 0);
            if (!isnan(q->x)) {
                double u = x / 200.0;
                ty_vec3 c = ty_add(a.p, ty_scale(u, ty_sub(b.p, a.p))), at = ty_vec3_make(q->x, q->y, q->z);
                worst = fmax(worst, fabs(ty_norm(ty_sub(at, c)) - 1.0));
                frozen = fmax(frozen, fabs(ty_norm(ty_sub(at, a.p)) - 1.0));
                n++;
            }
        }
    }
    printf("moving ball: %d points, worst %.2g m off its surface\n", n, worst);
    TY_CHECK(n > 200);
    TY_NEAR(worst, 0.0, 1e-6);
    TY_FAR(frozen, 0.0, 0.1);
    ty_scene_destroy(s);
    ty_lidar_destroy(l);
}
