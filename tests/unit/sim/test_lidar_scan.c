/* tests/unit/sim/test_lidar_scan.c - lidars in scenes: beam tables, ranges on planes and spheres,
 * driving past cylinders, divergence, intensity, things that move, threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/draw.h"
#include "tycho/lidar_scan.h"
#include "tyt.h"
#include "tyt_csv.h"

static const char *source(const char *name)
{
    static char path[1024];
    const char *root = getenv("TYCHO_SOURCE");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", name);
    return path;
}

static ty_lidar_def quiet_model(const char *name)
{
    ty_lidar_file file;
    ty_diag diag = { 0 };
    char path[256];
    snprintf(path, sizeof path, "models/sensors/lidar_%s.yaml", name);
    if (ty_lidar_load(source(path), NULL, 0, &file, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"a model file was refused");
    }
    ty_lidar_def def = file.def;
    ty_lidar_file_free(&file);
    def.noise = false;
    def.range_step = 0.0;
    def.threads = 1;
    return def;
}

static ty_lidar *lidar_of(const ty_lidar_def *def)
{
    ty_lidar *l = NULL;
    ty_diag diag = { 0 };
    if (ty_lidar_create(def, &l, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"a lidar was refused");
    }
    return l;
}

static ty_scene *empty_scene(void)
{
    ty_scene_def def = ty_scene_def_default();
    ty_scene *scene = NULL;
    TY_CHECK(ty_scene_create(&def, &scene, NULL) == TY_OK);
    return scene;
}

static const ty_buffer *scan(ty_lidar *l, ty_scene *s, const ty_track *track, uint64_t frame)
{
    const ty_buffer *points = NULL;
    ty_diag diag = { 0 };
    if (ty_lidar_scan(l, s, track, 0, frame, &points, &diag) != TY_OK) {
        printf("%s\n", diag.text);
        TY_CHECK(!"a scan was refused");
    }
    return points;
}

static const ty_keyframe standing = { 0, { { 0, 0, 0 }, { 1, 0, 0, 0 } } };
static const ty_track here = { &standing, 1 };

static uint32_t add_wall(ty_scene *s, ty_vec3 p, ty_vec3 a, ty_vec3 b, ty_material m)
{
    float v[12] = { 0, 0, 0, (float)a.x, (float)a.y, (float)a.z, (float)(a.x + b.x), (float)(a.y + b.y),
                    (float)(a.z + b.z), (float)b.x, (float)b.y, (float)b.z };
    uint32_t t[6] = { 0, 1, 2, 0, 2, 3 }, id = 0;
    ty_object_def def = { .vertex = v, .triangle = t, .vertices = 4, .triangles = 2, .material = m,
                          .kind = TY_CLASS_OBJECT, .pose = { p, ty_quat_identity() } };
    TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_OK);
    return id;
}

static uint32_t add_ball(ty_scene *s, ty_vec3 p, double r, ty_material m)
{
    uint32_t id = 0;
    ty_object_def def = { .radius = r, .material = m, .kind = TY_CLASS_OBJECT, .pose = { p, ty_quat_identity() } };
    TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_OK);
    return id;
}

/* ---- beams ---- */

TY_TEST(lidar, beam_tables_are_the_published_ones)
{
    TY_NEED_SHARED(path, "vectors/lidar_beams.csv");
    static const struct { const char *name, *file; int lasers; double first, last, cycle; } model[] = {
        { "VLP-16", "vlp_16", 16, 0.0, 15 * 2.304e-6, 55.296e-6 },
        { "HDL-32E", "hdl_32e", 32, 0.0, 31 * 1.152e-6, 46.08e-6 },
        { "VLP-32C", "vlp_32c", 32, 0.0, 15 * 2.304e-6, 55.296e-6 },
    };
    char file[1024]; /* the next call of tyt_shared() changes path */
    snprintf(file, sizeof file, "%s", path);
    for (size_t m = 0; m < 3; m++) {
        ty_lidar_def def = quiet_model(model[m].file);
        ty_lidar *l = lidar_of(&def);
        ty_lidar_rays rays;
        TY_CHECK(ty_lidar_aim(l, &here, 0, &rays, NULL) == TY_OK);
        int found = 0;
        double worst = 0.0, worst_ray = 0.0;
        tyt_csv table;
        TY_CHECK(tyt_csv_open(&table, file));
        while (tyt_csv_next(&table)) {
            if (strcmp(tyt_csv_text(&table, "model"), model[m].name)) {
                continue;
            }
            int id = (int)tyt_csv_number(&table, "laser_id", -1.0);
            double e = tyt_csv_number(&table, "vert_rad", NAN), a = tyt_csv_number(&table, "rot_correction_rad", NAN);
            worst = fmax(worst, fmax(fabs(def.elevation[id] - e), fabs(def.azimuth[id] - a)));
            /* the ray that leaves in column 0: from the top, so by rank; the head turns until it fires */
            double turned = a + 2.0 * TY_PI * def.spin * def.fire[id], best = 1.0;
            for (int k = 0; k < def.lasers; k++) {
                ty_vec3 d = rays.ray[k].dir;
                double off = hypot(asin(d.z) - e, remainder(atan2(d.y, d.x) - turned, 2.0 * TY_PI));
                best = fmin(best, off);
            }
            worst_ray = fmax(worst_ray, best);
            found++;
        }
        printf("%s: %d lasers, angles to %.1g rad, rays to %.1g rad\n", model[m].name, found, worst, worst_ray);
        TY_CHECK(found == model[m].lasers && def.lasers == model[m].lasers);
        TY_NEAR(worst, 0.0, 1e-12);
        TY_NEAR(worst_ray, 0.0, 1e-12);
        TY_FAR(worst + 1e-6, 0.0, 1e-12); /* control */
        TY_NEAR(def.fire[def.lasers - 1], model[m].last, 1e-12);
        TY_NEAR(def.cycle, model[m].cycle, 1e-12);
        ty_lidar_destroy(l);
    }
}

/* ---- ranges ---- */

/* inside a large sphere, beside a tilted plane and a ball: everything in closed form */
TY_TEST(lidar, ranges_on_planes_and_spheres)
{
    ty_lidar_def def = quiet_model("hdl_32e");
    def.far = 1000.0, def.reach = 1e5;
    ty_lidar *l = lidar_of(&def);
    ty_scene *s = empty_scene();
    ty_material m = ty_material_lambert(0.5);
    /* tilted by its pose, which is double: its vertices in its own frame are exact in float */
    ty_quat tilt = ty_quat_axis(ty_normalize(ty_vec3_make(1.0, -2.0, 0.0)), 0.1);
    ty_vec3 n = ty_rotate(tilt, ty_vec3_make(0, 0, 1));
    uint32_t wall = add_wall(s, ty_vec3_make(0, 0, 0), ty_vec3_make(800, 0, 0), ty_vec3_make(0, 800, 0), m);
    ty_vec3 corner = ty_add(ty_scale(-2.0, n), ty_rotate(tilt, ty_vec3_make(-400, -400, 0)));
    TY_CHECK(ty_scene_move(s, wall, (ty_pose){ corner, tilt }, NULL) == TY_OK);
    ty_vec3 middle = ty_vec3_make(8.0, 3.0, 1.0);
    uint32_t ball = add_ball(s, middle, 3.0, m);
    const ty_buffer *p = scan(l, s, &here, 0);
    double worst[2] = { 0, 0 };
    int count[2] = { 0, 0 };
    for (int y = 0; y < p->type.height; y++) {
        for (int x = 0; x < p->type.width; x++) {
            const ty_point *q = ty_buffer_at(p, x, y, 0);
            if (isnan(q->x)) {
                continue;
            }
            ty_vec3 at = ty_vec3_make(q->x, q->y, q->z), d = ty_normalize(at);
            int which = (uint32_t)q->label == ball;
            double t = -2.0 / ty_dot(n, d), incidence = acos(fmin(fabs(ty_dot(n, d)), 1.0));
            if (which) {
                double k = ty_dot(middle, d), disc = k * k - ty_dot(middle, middle) + 9.0;
                t = k - sqrt(fmax(disc, 0.0));
                ty_vec3 out = ty_scale(1.0 / 3.0, ty_sub(ty_scale(t, d), middle));
                incidence = acos(fmin(-ty_dot(out, d), 1.0));
            }
            if (incidence < 80.0 * TY_DEG) {
                worst[which] = fmax(worst[which], fabs(q->range / t - 1.0));
                count[which]++;
            }
            TY_CHECK(fabs(ty_norm(at) - q->range) < 1e-9 * q->range);
        }
    }
    printf("lidar: plane %d points to %.2g, ball %d points to %.2g relative\n", count[0], worst[0], count[1], worst[1]);
    TY_CHECK(count[0] > 5000 && count[1] > 1000);
    TY_NEAR(worst[0], 0.0, 1e-6);
    TY_NEAR(worst[1], 0.0, 1e-6);
    TY_FAR(worst[0] + 1.1e-6, 0.0, 1e-6); /* control */
    ty_scene_destroy(s);
    ty_lidar_destroy(l);
}

/* ---- driving ---- */

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
        float side[6] = { (float)(0.5 * cos(a)), (float)(0.5 * sin(a)), -8.0f, (float)(0.5 * cos(a)), (float)(0.5 * sin(a)), 8.0f };
        memcpy(v + 6 * k, side, sizeof side);
        uint32_t n = (k + 1) % FACETS, face[6] = { 2 * k, 2 * n, 2 * n + 1, 2 * k, 2 * n + 1, 2 * k + 1 };
        memcpy(t + 6 * k, face, sizeof face);
    }
    for (int i = 0; i < 2 * POSTS; i++) {
        ty_object_def def = { .vertex = v, .triangle = t, .vertices = 2 * FACETS, .triangles = 2 * FACETS,
                              .material = ty_material_lambert(0.5), .kind = TY_CLASS_OBJECT,
                              .pose = { { 2.0 * (i / 2 - POSTS / 2), i % 2 ? -ASIDE : ASIDE, 0.0 }, ty_quat_identity() } };
        uint32_t id;
        TY_CHECK(ty_scene_add(s, &def, &id, NULL) == TY_OK);
    }
}

/* the nearest post along a ray; *cos_i of its surface. The posts are polygons of 2048 sides, inside the cylinder by at most 6e-7 m. */
static double analytic_post(ty_vec3 o, ty_vec3 d, double *cos_i)
{
    double best = (double)INFINITY;
    for (int i = 0; i < 2 * POSTS; i++) {
        double cx = 2.0 * (i / 2 - POSTS / 2), cy = i % 2 ? -ASIDE : ASIDE;
        double ox = o.x - cx, oy = o.y - cy, a = d.x * d.x + d.y * d.y, b = ox * d.x + oy * d.y, c = ox * ox + oy * oy - 0.25;
        double q = b * b - a * c;
        double t = q > 0.0 ? (-b - sqrt(q)) / a : -1.0;
        if (t > 0.0 && t < best) {
            best = t;
            *cos_i = -((ox + t * d.x) * d.x + (oy + t * d.y) * d.y) / 0.5;
        }
    }
    return best;
}

/* Worst distance [m] of a scan's points, each put where it is by the pose of its own firing, from the closed form; *points: how
 * many. Directions and times come from the beam table and the clock, not from the points. */
static double worst_post(const ty_lidar_def *def, const ty_buffer *p, const ty_keyframe *key, int *points)
{
    double worst = 0.0;
    ty_track track = { key, 2 };
    *points = 0;
    for (int y = 0; y < p->type.height; y++) {
        for (int x = 0; x < p->type.width; x++) {
            const ty_point *q = ty_buffer_at(p, x, y, 0);
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
            ty_vec3 o = ty_vec3_make(SPEED * t, 0.0, 0.0), d = ty_vec3_make(cos(el) * cos(az), cos(el) * sin(az), sin(el));
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
            const ty_point *q = ty_buffer_at(p, x, y, 0);
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
        const ty_point *q = ty_buffer_at(p, i, p->type.height / 4, 0);
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
    ty_series series[2] = {
        { .kind = TY_SERIES_POINTS, .label = "scanned in 50 ms", .n = n[0], .x = x[0], .y = y[0], .size = 2.5 },
        { .kind = TY_SERIES_POINTS, .label = "all at the start", .n = n[1], .x = x[1], .y = y[1], .size = 2.5 },
    };
    ty_panel panel = { .title = "posts of 1 m, 2 m apart, seen at 20 m/s along x by an HDL-32E turning counter-clockwise",
                       .x = { .label = "x, forward [m]", .low = -9.0, .high = 9.0 }, .y = { .label = "y, left [m]" },
                       .series = series, .count = 2, .key = TY_KEY_OUTSIDE, .equal = true };
    ty_figure figure = ty_figure_default();
    figure.panel = &panel;
    figure.width = 1100, figure.height = 640;
    TY_CHECK(ty_draw_figure(path, &figure, NULL) == TY_OK);
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
    printf("cylinders: %d points, worst %.2g m; instantaneous: %d points, worst %.2g m; seen %.3f m wide on the left, %.3f m on "
           "the right\n", points, worst, frozen_points, frozen, left, right);
    TY_CHECK(points > 5000);
    TY_NEAR(worst, 0.0, 1e-4);
    TY_FAR(frozen, 0.0, 1e-4); /* control: the instantaneous scan fails the same test */
    TY_CHECK(left > right + 0.01); /* [csens]: on the right they appear shorter */
    ty_scene_destroy(s);
    ty_lidar_destroy(l);
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
        key[k] = (ty_keyframe){ ty_time_from(t) + 7 * TY_SECOND, { { 3.0 * t, 100.0, -t }, ty_quat_axis(axis, 2.0 * t) } };
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
            ty_vec3 d = ty_rotate(ty_quat_axis(axis, 2.0 * t), own);
            const ty_trace_ray *r = &rays.ray[16 * c + k];
            worst = fmax(worst, ty_norm(ty_sub(r->dir, d)) + ty_norm(ty_sub(r->from, ty_vec3_make(3.0 * t, 100.0, -t))));
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
            const ty_point *q = ty_buffer_at(p, x, y, 0);
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

/* ---- divergence ---- */

/* share of a cut Gaussian beam (exp(-2 q^2), q < 1) at u < edge, by adding up */
static double gauss_share(double edge)
{
    double inside = 0.0, all = 0.0;
    for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < 1000; j++) {
            double u = (i + 0.5) / 500.0 - 1.0, v = (j + 0.5) / 500.0 - 1.0, q = u * u + v * v;
            double w = q < 1.0 ? exp(-2.0 * q) : 0.0;
            all += w, inside += u < edge ? w : 0.0;
        }
    }
    return inside / all;
}

/* one beam along x; a wall at 10 m covers what is right of `edge` [m] (y below it), a wall at 14 m the rest. Returns of the beam. */
static int edge_returns(double edge, int samples, ty_lidar_mode mode, double range[2], double intensity[2])
{
    ty_beam beam = { { 0, 0, 0 }, { 1, 0, 0 }, 0.0 };
    ty_lidar_def def = ty_lidar_def_default();
    def.pattern = TY_LIDAR_TABLE, def.beam = &beam, def.beams = 1;
    def.samples = samples, def.mode = mode, def.noise = false, def.threads = 1;
    def.divergence_h = def.divergence_v = 3e-3, def.reach = 1000.0;
    ty_lidar *l = lidar_of(&def);
    ty_scene *s = empty_scene();
    add_wall(s, ty_vec3_make(10, edge - 2.0, -2), ty_vec3_make(0, 0, 4), ty_vec3_make(0, 2, 0), ty_material_lambert(0.4));
    add_wall(s, ty_vec3_make(14, -2, -2), ty_vec3_make(0, 0, 4), ty_vec3_make(0, 4, 0), ty_material_lambert(0.8));
    const ty_buffer *p = scan(l, s, &here, 0);
    int n = 0;
    for (int y = 0; y < p->type.height; y++) {
        const ty_point *q = ty_buffer_at(p, 0, y, 0);
        if (!isnan(q->x)) {
            TY_CHECK(q->number == n);
            range[n] = q->range, intensity[n] = q->intensity;
            n++;
        }
    }
    ty_scene_destroy(s);
    ty_lidar_destroy(l);
    return n;
}

/* [csens] Figs. 6 and 7: the edge of a near wall inside the beam, left or right of its middle. */
TY_TEST(lidar, divergence_returns_both_surfaces)
{
    double r[2], i[2];
    for (int fig = 6; fig <= 7; fig++) {
        double edge = fig == 6 ? -0.01 : 0.01; /* [m]; the beam's radius there is 0.03 */
        double near = gauss_share(edge / 0.03);
        TY_CHECK(edge_returns(edge, 1, TY_LIDAR_DUAL, r, i) == 1); /* one ray sees one wall: control */
        TY_NEAR(r[0], fig == 6 ? 14.0 : 10.0, 1e-6);
        TY_CHECK(edge_returns(edge, 128, TY_LIDAR_DUAL, r, i) == 2);
        /* the far wall is twice as bright, but reflects (10/14)^2: strongest by share */
        bool near_wins = near * 0.4 / 100.0 > (1.0 - near) * 0.8 / 196.0;
        printf("Fig. %d: %.1f %% on the near wall; returns %.4f m (%.4f) and %.4f m (%.4f)\n", fig, 100.0 * near, r[0], i[0], r[1], i[1]);
        int n = near_wins ? 0 : 1;
        TY_NEAR(r[n], 10.0, 1e-4); /* slant within the beam: 10 m / cos(3 mrad) */
        TY_NEAR(r[1 - n], 14.0, 1e-4);
        TY_NEAR(i[n], 0.4 * near, 0.02 * 0.4); /* 128 points of the beam */
        TY_NEAR(i[1 - n], 0.8 * (1.0 - near), 0.02 * 0.8);
        TY_CHECK(edge_returns(edge, 128, TY_LIDAR_FIRST, r, i) == 1);
        TY_NEAR(r[0], 10.0, 1e-4);
        TY_CHECK(edge_returns(edge, 128, TY_LIDAR_LAST, r, i) == 1);
        TY_NEAR(r[0], 14.0, 1e-4);
        TY_CHECK(edge_returns(edge, 128, TY_LIDAR_STRONGEST, r, i) == 1);
        TY_NEAR(r[0], near_wins ? 10.0 : 14.0, 1e-4);
    }
}

/* ---- threads, and ground ---- */

TY_TEST(lidar, same_bits_on_any_threads_over_rocky_ground)
{
    ty_terrain_def ground = ty_terrain_def_default();
    ground.extent = 1000.0, ground.seed = 7, ground.rock.cover = 0.1, ground.cache_bytes = 64u << 20;
    ty_terrain *t = NULL;
    TY_CHECK(ty_terrain_create(&ground, &t, NULL) == TY_OK);
    ty_scene_def sd = ty_scene_def_default();
    sd.terrain = t, sd.ring_cells = 256, sd.far = 200.0, sd.threads = 1;
    ty_scene *s = NULL;
    TY_CHECK(ty_scene_create(&sd, &s, NULL) == TY_OK);
    double x = 0.0, y = 0.0, z = 0.0;
    TY_CHECK(ty_terrain_sample(t, 0, 1, &x, &y, &z, NULL, NULL) == TY_OK);
    ty_keyframe key[2] = { { 0, { { 0, 0, z + 1.5 }, ty_quat_identity() } }, { TY_SECOND, { { 1, 0, z + 1.5 }, ty_quat_axis(ty_vec3_make(0, 0, 1), 0.3) } } };
    ty_track track = { key, 2 };
    uint64_t hash[4];
    for (int k = 0; k < 4; k++) {
        ty_lidar_def def = quiet_model("vlp_16");
        def.noise = true;
        def.samples = 3;
        def.mode = TY_LIDAR_DUAL;
        def.threads = k % 2 ? 2 : 1;
        ty_lidar *l = lidar_of(&def);
        const ty_buffer *p = scan(l, s, &track, k < 2 ? 5 : 6);
        hash[k] = 1469598103934665603u;
        const uint64_t *word = (const uint64_t *)(const void *)p->data;
        for (size_t i = 0; i < ty_buffer_type_bytes(&p->type) / 8; i++) {
            hash[k] = (hash[k] ^ word[i]) * 1099511628211u;
        }
        if (k == 0) {
            size_t n = ty_cloud_count(p);
            printf("rocky ground: %zu of %d returns\n", n, p->type.width * p->type.height);
            TY_CHECK(n > 5000);
        }
        ty_lidar_destroy(l);
    }
    TY_CHECK(hash[0] == hash[1] && hash[2] == hash[3]);
    TY_CHECK(hash[0] != hash[2]); /* control: another frame, other noise */
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

/* ---- files ---- */

static void refused(const char *const *settings, size_t count, const char *model, const char *part)
{
    ty_lidar_file file;
    ty_diag diag = { 0 };
    TY_CHECK(ty_lidar_load(source(model), settings, count, &file, &diag) != TY_OK);
    if (!strstr(diag.text, part)) {
        printf("'%s' does not hold '%s'\n", diag.text, part);
        TY_CHECK(!"another sentence");
    }
    ty_lidar_file_free(&file);
}

TY_TEST(lidar, model_files_are_checked)
{
    const char *vlp = "models/sensors/lidar_vlp_16.yaml";
    refused((const char *[]){ "mode=best" }, 1, vlp, "strongest");
    refused((const char *[]){ "mod=last" }, 1, vlp, "mode");
    refused((const char *[]){ "near=200" }, 1, vlp, "near");
    refused((const char *[]){ "azimuth_deg=[1, 2]" }, 1, vlp, "elevation_deg has 16");
    refused((const char *[]){ "pattern=table" }, 1, vlp, "beams is missing");
    refused((const char *[]){ "pattern=table", "beams=none.csv" }, 2, vlp, "none.csv");
    refused(NULL, 0, "models/sensors/no_such.yaml", "no_such.yaml");
    ty_lidar_file file;
    TY_CHECK(ty_lidar_load(source("models/sensors/lidar_flash_landing.yaml"), NULL, 0, &file, NULL) == TY_OK);
    TY_CHECK(file.def.pattern == TY_LIDAR_GRID && file.def.columns == 128 && !file.def.gauss);
    ty_lidar_file_free(&file);
}

static ty_status beams_from(const char *text, ty_beam **beam, size_t *n, ty_diag *diag)
{
    char path[] = "/tmp/tycho-beams-XXXXXX";
    int fd = mkstemp(path);
    TY_CHECK(fd >= 0);
    FILE *f = fdopen(fd, "w");
    fputs(text, f);
    fclose(f);
    ty_status status = ty_beams_load(path, beam, n, diag);
    remove(path);
    return status;
}

TY_TEST(lidar, tables_of_beams)
{
    ty_beam *beam;
    size_t n;
    ty_diag diag = { 0 };
    TY_CHECK(beams_from("time, x,y,z,dx,dy,dz,name\n0.01,1,2,3,0,0,-2,down\r\n\n0,0,0,0,1,0,0,ahead", &beam, &n, &diag) == TY_OK);
    TY_CHECK(n == 2 && beam[0].from.z == 3.0 && beam[0].dir.z == -2.0 && beam[0].time == 0.01 && beam[1].dir.x == 1.0);
    ty_lidar_def def = ty_lidar_def_default();
    def.pattern = TY_LIDAR_TABLE, def.beam = beam, def.beams = n, def.noise = false, def.threads = 1, def.reach = 1e3;
    ty_lidar *l = lidar_of(&def);
    free(beam); /* it was copied */
    ty_scene *s = empty_scene();
    add_wall(s, ty_vec3_make(-50, -50, -4), ty_vec3_make(100, 0, 0), ty_vec3_make(0, 100, 0), ty_material_lambert(0.5));
    const ty_buffer *p = scan(l, s, &here, 0);
    const ty_point *q = ty_buffer_at(p, 0, 0, 0);
    TY_CHECK(p->type.width == 2 && p->type.height == 1 && ty_cloud_count(p) == 1);
    TY_NEAR(q->range, 7.0, 1e-6);
    TY_NEAR(q->x, 1.0, 1e-9);
    TY_NEAR(q->z, -4.0, 1e-6);
    TY_NEAR(q->time, 0.01, 1e-15);
    ty_scene_destroy(s);
    ty_lidar_destroy(l);
    static const char *const bad[][2] = {
        { "", "empty" }, { "x,y,z,dx,dy\n", "no column 'dz'" }, { "x,y,z,dx,dy,dz\n", "no beams" },
        { "x,y,z,dx,dy,dz\n1,2,3,4,5\n", ":2: dz" }, { "x,y,z,dx,dy,dz\n1,2,3,0,0,0\n", "direction" },
        { "x,y,z,dx,dy,dz\n1,2,3,0,0,a\n", "'a'" }, { "x,y,z,dx,dy,dz,time\n1,2,3,0,0,1,-1\n", "time" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        diag = (ty_diag){ 0 };
        TY_CHECK(beams_from(bad[k][0], &beam, &n, &diag) != TY_OK && !beam);
        if (!strstr(diag.text, bad[k][1])) {
            printf("'%s' does not hold '%s'\n", diag.text, bad[k][1]);
            TY_CHECK(!"another sentence");
        }
    }
}
