/* tests/unit/render/test_truth.c - ground truth that follows from a frame: optical flow against analytic motion and
 * against the second frame itself, boxes in space against the hits in them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "render_support.h"
#include "tycho/trace.h"
#include "render/inner.h"

enum { W = 160, H = 120, N = W * H };

static void take(ty_scene *s, const ty_camera *c, shot *image)
{
    ty_render_def d = ty_render_def_default();
    d.samples = 1;
    d.threads = 1;
    shot_take(s, c, &d, image);
}

static void move(ty_scene *s, const ty_truth_moved *m)
{
    TY_CHECK(ty_scene_move(s, m->instance, m->to, NULL) == TY_OK);
}

/* A camera that slides by b past a wall at depth Z sees it move by -f b / Z; a wall that slides itself the other
 * way; the sky stays when the camera slides, and moves by f (tan(a) - tan(a + turn)) along the horizon when it
 * turns. */
TY_TEST(render_truth, flow_of_simple_motions)
{
    ty_scene *s = bare_scene();
    uint32_t wall = add_rectangle(s, ty_vec3_make(-20, 12, -20), ty_vec3_make(20, 0, 0), ty_vec3_make(0, 0, 40),
                                  ty_material_lambert(0.3));
    ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, 60.0, W, H), right = c, turned = c;
    right.pose.p.x = 0.3;
    turned.pose.q = ty_camera_look(2.0 * TY_DEG, 0.0, 0.0);
    shot image = shot_make(W, H, 1);
    take(s, &c, &image);
    float *flow = malloc(2 * N * sizeof *flow);
    double f = 0.5 * W / tan(30.0 * TY_DEG);
    int on = (H / 2) * W + 20, sky = (H / 2) * W + 140; /* the wall fills the left half */
    TY_CHECK(image.out.instance[on] == wall && image.out.instance[sky] == 0);

    ty_truth_flow(&c, &right, NULL, 0, image.out.range, image.out.instance, flow);
    TY_NEAR(flow[2 * on], -f * 0.3 / 12.0, 1e-4);
    TY_NEAR(flow[2 * on + 1], 0.0, 1e-4);
    TY_NEAR(flow[2 * sky], 0.0, 1e-4);
    TY_FAR(flow[2 * on], f * 0.3 / 12.0, 0.1); /* control: the sign */

    ty_truth_moved slid = { wall,
                            { { -20, 12, -20 }, ty_quat_identity() },
                            { { -19.7, 12, -20.2 }, ty_quat_identity() } };
    ty_truth_flow(&c, &c, &slid, 1, image.out.range, image.out.instance, flow);
    TY_NEAR(flow[2 * on], f * 0.3 / 12.0, 1e-4);
    TY_NEAR(flow[2 * on + 1], f * 0.2 / 12.0, 1e-4);
    TY_NEAR(flow[2 * sky], 0.0, 1e-4);

    ty_truth_flow(&c, &turned, NULL, 0, image.out.range, image.out.instance, flow);
    double a = atan((140.5 - 0.5 * W) / f);
    TY_NEAR(flow[2 * sky], f * (tan(a - 2.0 * TY_DEG) - tan(a)), 1e-4);
    TY_FAR(flow[2 * sky], 0.0, 1.0);
    free(flow);
    shot_free(&image);
    ty_scene_destroy(s);
}

/* [m] 1 / depth between four pixels, exact on planes; NaN where they do not show the same thing */
static double depth_between(const shot *image, double u, double v, uint32_t want)
{
    int x = (int)floor(u - 0.5), y = (int)floor(v - 0.5);
    if (x < 0 || y < 0 || x + 1 >= W || y + 1 >= H) {
        return NAN;
    }
    double fx = u - 0.5 - x, fy = v - 0.5 - y;
    const double *z = image->out.depth + y * W + x;
    const uint32_t *label = image->out.instance + y * W + x;
    if (label[0] != want || label[1] != want || label[W] != want || label[W + 1] != want) {
        return NAN;
    }
    return 1.0 / ((1 - fy) * ((1 - fx) / z[0] + fx / z[1]) + fy * ((1 - fx) / z[W] + fx / z[W + 1]));
}

/* The second frame must show, where the flow points, the same point: its depth there, carried back to the first
 * frame, ends in the middle of the pixel. A plate turns and slides over ground while the camera drives and turns. */
TY_TEST(render_truth, flow_against_the_second_frame)
{
    ty_terrain *t = small_terrain(false);
    ty_scene *s = ground_scene(t, 0.0);
    ty_vec3 p = above(t, 0.1, 0.9, 0.25);
    uint32_t plate =
        add_rectangle(s, p, ty_vec3_make(0.3, 0, 0.05), ty_vec3_make(0, 0.25, 0.1), ty_material_lambert(0.3));
    ty_truth_moved m = { plate,
                         { p, ty_quat_identity() },
                         { ty_add(p, ty_vec3_make(0.04, -0.03, 0.02)), ty_quat_axis(ty_vec3_make(0.6, 0, 0.8), 0.1) } };
    ty_camera c[2] = { camera_at(above(t, 0.0, 0.0, 1.0), 20.0, -55.0, 50.0, W, H),
                       camera_at(above(t, 0.05, 0.03, 1.02), 22.0, -54.0, 50.0, W, H) };
    shot image[2] = { shot_make(W, H, 1), shot_make(W, H, 1) };
    take(s, &c[0], &image[0]);
    move(s, &m);
    take(s, &c[1], &image[1]);
    float *flow = malloc(2 * N * sizeof *flow), *still = malloc(2 * N * sizeof *still);
    ty_truth_flow(&c[0], &c[1], &m, 1, image[0].out.range, image[0].out.instance, flow);
    /* control: the plate's move forgotten */
    ty_truth_flow(&c[0], &c[1], NULL, 0, image[0].out.range, image[0].out.instance, still);
    double worst[2] = { 0.0, 0.0 }, forgotten = 0.0, longest = 0.0;
    int n[2] = { 0, 0 };
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 2; k++) {
            const float *use = k ? still : flow;
            bool moved = image[0].out.instance[i] == plate;
            double u = i % W + 0.5 + (double)use[2 * i], v = i / W + 0.5 + (double)use[2 * i + 1], back_u, back_v;
            double z = depth_between(&image[1], u, v, image[0].out.instance[i]);
            if (isnan(z) || (k && !moved)) {
                continue;
            }
            ty_vec3 o, d;
            ty_camera_ray(&c[1], u, v, &o, &d);
            ty_vec3 q = ty_add(o, ty_scale(z / ty_dot(d, ty_rotate(c[1].pose.q, ty_vec3_make(0, 0, 1))), d));
            q = moved ? ty_pose_point(m.from, ty_pose_point(ty_pose_inverse(m.to), q)) : q;
            TY_CHECK(ty_camera_project(&c[0], q, &back_u, &back_v));
            double off = hypot(back_u - (i % W + 0.5), back_v - (i / W + 0.5));
            *(k ? &forgotten : &worst[moved]) = fmax(k ? forgotten : worst[moved], off);
            n[moved] += !k;
            longest = fmax(longest, hypot((double)use[2 * i], (double)use[2 * i + 1]));
        }
    }
    printf("flow: %d pixels of ground back to %.4f px, %d of a moving plate to %.1e px, flow up to %.1f px\n", n[0],
           worst[0], n[1], worst[1], longest);
    TY_CHECK(n[0] > 8000 && n[1] > 500 && longest > 10.0);
    TY_NEAR(worst[0], 0.0, 0.02);
    TY_NEAR(worst[1], 0.0, 1e-3);
    TY_FAR(forgotten, 0.0, 1.0);
    free(flow), free(still);
    shot_free(&image[0]), shot_free(&image[1]);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
    TY_ROW("optical flow of ground within 0.02 px, of a moving plate within 0.001 px", "the second frame's own depth",
           "%.4f px, %.0e px", worst[0], worst[1]);
}

/* A sphere behind a wall that ends at the middle of its outline: half of it is seen. */
TY_TEST(render_truth, half_a_sphere_is_visible)
{
    ty_scene *s = bare_scene();
    uint32_t ball = add_sphere(s, ty_vec3_make(0, 10, 0), 1.0, ty_material_lambert(0.5));
    add_rectangle(s, ty_vec3_make(-30, 5, -30), ty_vec3_make(30, 0, 0), ty_vec3_make(0, 0, 60),
                  ty_material_lambert(0.3));
    ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, 30.0, W, H);
    shot image = shot_make(W, H, 1);
    take(s, &c, &image);
    ty_truth_box2 flat[4];
    ty_truth_box3 box[4];
    size_t n = ty_truth_boxes_2d(W, H, image.out.instance, image.out.kind, flat, 4);
    TY_CHECK(n == 2 && ty_truth_boxes_3d(s, &c, flat, n, box, NULL) == TY_OK);
    const ty_truth_box3 *b = &box[flat[0].instance == ball ? 0 : 1], *wall = &box[flat[0].instance == ball ? 1 : 0];
    double f = 0.5 * W / tan(15.0 * TY_DEG), r = f * tan(asin(0.1));
    printf("half a sphere: %.3f of %d pixels\n", b->visible, b->outline);
    TY_NEAR_REL(b->outline, TY_PI * r * r, 0.01);
    TY_NEAR(b->visible, 0.5, 0.01);
    TY_FAR(b->visible, 1.0, 0.1);
    TY_NEAR(b->pose_S.p.z, 10.0, 1e-12);
    TY_NEAR(b->pose_W.p.y, 10.0, 1e-12);
    TY_NEAR(b->half.x, 1.0, 1e-12);
    TY_CHECK(!b->cut && wall->cut);
    TY_NEAR(wall->visible, 1.0, 1e-12);
    flat[0].instance = 77;
    ty_diag diag = { 0 };
    TY_CHECK(ty_truth_boxes_3d(s, &c, flat, 1, box, &diag) == TY_ERR_INPUT && strstr(diag.text, "label 77"));
    shot_free(&image);
    ty_scene_destroy(s);
    TY_ROW("share in view within 0.01", "a ball half behind a wall", "%.3f", fabs(b->visible - 0.5));
}

/* [m] how far p lies outside a box */
static double outside(const ty_truth_box3 *b, ty_vec3 p)
{
    ty_vec3 q = ty_pose_point(ty_pose_inverse(b->pose_W), p);
    return fmax(fabs(q.x) - b->half.x, fmax(fabs(q.y) - b->half.y, fabs(q.z) - b->half.z));
}

/* Every hit on a rock lies in the rock's box, the flat box lies in the outline of the eight corners, and where rocks
 * are seen in full the hits come to within a pixel of the box's sides that face the camera. Shares of rocks are
 * below 1: parts are buried. */
TY_TEST(render_truth, rocks_lie_in_their_boxes)
{
    ty_terrain *t = small_terrain(true);
    ty_scene *s = ground_scene(t, 0.02);
    ty_camera c = camera_at(above(t, 0.0, 0.0, 1.0), 30.0, -60.0, 60.0, W, H);
    shot image = shot_make(W, H, 1);
    take(s, &c, &image);
    enum { MOST = 400 };
    static ty_truth_box2 flat[MOST];
    static ty_truth_box3 box[MOST];
    size_t n = ty_truth_boxes_2d(W, H, image.out.instance, image.out.kind, flat, MOST);
    TY_CHECK(n > 10 && n < MOST);
    TY_CHECK(ty_truth_boxes_3d(s, &c, flat, n, box, NULL) == TY_OK);
    double worst = -1.0, loose = 1.0, corner_worst = 0.0, mean = 0.0, shrunk_worst = -1.0;
    for (size_t k = 0; k < n; k++) {
        ty_vec3 corner[8], o, d;
        double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY }, uv[2], nearest = -1.0;
        tyi_render_truth_box3_corners(&box[k], corner);
        for (int j = 0; j < 8; j++) {
            TY_CHECK(ty_camera_project(&c, corner[j], &uv[0], &uv[1]));
            for (int a = 0; a < 2; a++) {
                low[a] = fmin(low[a], uv[a]), high[a] = fmax(high[a], uv[a]);
            }
        }
        corner_worst = fmax(corner_worst, fmax(fmax(low[0] - flat[k].x0, flat[k].x1 - high[0]),
                                               fmax(low[1] - flat[k].y0, flat[k].y1 - high[1])));
        for (int i = 0; i < N; i++) {
            if (image.out.instance[i] == flat[k].instance) {
                ty_camera_ray(&c, i % W + 0.5, i / W + 0.5, &o, &d);
                ty_truth_box3 small = box[k]; /* control: a box that is too small */
                small.half = ty_scale(0.9, small.half);
                ty_vec3 p = ty_add(o, ty_scale(image.out.range[i], d));
                nearest = fmax(nearest, outside(&box[k], p));
                shrunk_worst = fmax(shrunk_worst, outside(&small, p));
            }
        }
        worst = fmax(worst, nearest);
        if (flat[k].pixels > 100) {
            loose = fmin(loose, nearest);
        }
        mean += box[k].visible / (double)n;
        TY_CHECK(box[k].visible > 0.0 && box[k].visible <= 1.0);
    }
    printf("%zu rocks: hits out of their boxes by %.1e m, short of them by %.1e m, %.2f of a rock in view\n", n, worst,
           -loose, mean);
    TY_NEAR(fmax(worst, 0.0), 0.0, 1e-5); /* shapes are float */
    TY_NEAR(loose, 0.0, 0.02);            /* a pixel is 8 mm */
    TY_NEAR(corner_worst, 0.0, 1.0);
    TY_CHECK(mean < 0.95);
    TY_CHECK(shrunk_worst > 1e-3);
    shot_free(&image);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
    TY_ROW("boxes in space hold their rocks within 1e-5 m, in the image to a pixel", "hits of every pixel",
           "%.0e m, %.2f px", fmax(worst, 0.0), corner_worst);
}

/* far more things than there is room for: the large ones are kept, wherever in the image they are */
TY_TEST(truth, boxes_of_the_largest_things)
{
    enum { SIDE = 200, ROOM = 5 };
    static uint32_t instance[SIDE * SIDE];
    static uint8_t kind[SIDE * SIDE];
    static tyi_render_things things;
    memset(kind, TY_CLASS_GROUND, sizeof kind);
    for (int i = 0; i < SIDE * SIDE / 2; i += 3) { /* specks in the upper half */
        instance[i] = 0x80000000u + (uint32_t)i, kind[i] = TY_CLASS_ROCK;
    }
    for (int k = 0; k < 3; k++) { /* three stones below: 4, 9, 16 pixels */
        for (int y = 0; y < k + 2; y++) {
            for (int x = 0; x < k + 2; x++) {
                size_t i = (size_t)(150 + y) * SIDE + (size_t)(40 * k + x);
                instance[i] = 7u + (uint32_t)k, kind[i] = TY_CLASS_OBJECT;
            }
        }
    }
    ty_truth_box2 box[ROOM];
    TY_CHECK(tyi_render_truth_largest(&things, SIDE, SIDE, instance, kind, box, ROOM) == ROOM);
    TY_CHECK(box[0].instance == 0x80000000u && box[1].instance == 0x80000003u); /* of the specks the first */
    for (int k = 0; k < 3; k++) {
        const ty_truth_box2 *b = &box[2 + k];
        TY_CHECK(b->instance == 7u + (uint32_t)k && b->pixels == (k + 2) * (k + 2));
        TY_CHECK(b->x0 == 40 * k && b->x1 == 40 * k + k + 2 && b->y0 == 150 && b->y1 == 152 + k);
    }
    ty_truth_boxes_2d(SIDE, SIDE, instance, kind, box, ROOM);
    TY_CHECK(box[ROOM - 1].instance >= 0x80000000u); /* control: rows from the top meet specks alone */
}
