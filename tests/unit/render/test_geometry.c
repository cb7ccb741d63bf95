/* tests/unit/render/test_geometry.c - where things appear: ground against the terrain's own rays,
 * depth, distance from the origin, edits, threads, refusals. SPDX-License-Identifier: BSD-3-Clause */
#include "render_support.h"

static ty_render_def quick(int samples, int threads)
{
    ty_render_def d = ty_render_def_default();
    d.samples = samples;
    d.threads = threads;
    return d;
}

/* Depth and instances of ground and rocks against ty_terrain_patch_rays(), which walks the spline in double. */
TY_TEST(render_geometry, depth_against_the_terrains_own_rays)
{
    ty_terrain *t = small_terrain(true);
    ty_scene *s = ground_scene(t, 0.02);
    ty_terrain_patch *patch = NULL;
    TY_CHECK(ty_terrain_patch_create(t, 0, -160, -160, 320, 320, 1, &patch, NULL) == TY_OK);
    TY_CHECK(ty_terrain_patch_add_rocks(patch, 0.01, NULL) == TY_OK);
    const int w = 96, h = 64;
    ty_camera c = camera_at(above(t, 0.0, 0.0, 1.0), 30.0, -70.0, 50.0, w, h);
    shot image = shot_make(w, h, 1);
    ty_render_def d = quick(1, 1);
    shot_take(s, &c, &d, &image);
    int ground = 0, rock = 0, other = 0;
    double worst = 0.0, worst_rock = 0.0, f = 0.5 * w / tan(25.0 * TY_DEG);
    ty_vec3 z = ty_rotate(c.pose.q, ty_vec3_make(0, 0, 1));
    for (int i = 0; i < w * h; i++) {
        ty_vec3 dir = ty_normalize(
            ty_rotate(c.pose.q, ty_vec3_make((i % w + 0.5 - 0.5 * w) / f, (i / w + 0.5 - 0.5 * h) / f, 1)));
        ty_ray ray = { c.pose.p, dir, 0.0, 100.0 };
        ty_terrain_hit hit;
        ty_terrain_patch_rays(patch, 1, &ray, &hit);
        double reach = fmax(fabs(c.pose.p.x + hit.t * dir.x), fabs(c.pose.p.y + hit.t * dir.y));
        if (!isfinite(hit.t) || reach > 1.0 || -ty_dot(hit.normal, dir) < cos(85.0 * TY_DEG)) {
            continue; /* the innermost ring goes over into the next from 1.04 m on */
        }
        bool is_rock = image.out.kind[i] == TY_CLASS_ROCK;
        if (is_rock != (hit.rock != 0)) { /* at an edge, float and double may take different sides */
            other++;
            continue;
        }
        double error = fabs(image.out.depth[i] / (hit.t * ty_dot(dir, z)) - 1.0);
        *(is_rock ? &worst_rock : &worst) = fmax(is_rock ? worst_rock : worst, error);
        *(is_rock ? &rock : &ground) += 1;
    }
    printf("depth: %d ground pixels to %.1e, %d rock pixels to %.1e, %d apart\n", ground, worst, rock, worst_rock,
           other);
    TY_CHECK(ground > 1000 && rock > 20);
    TY_CHECK(other <= 5);
    TY_NEAR(worst, 0.0, 1e-5);
    TY_NEAR(worst_rock, 0.0, 1e-5);
    shot_free(&image);
    ty_terrain_patch_destroy(patch);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
    TY_ROW("depth of ground and rocks within 1e-5", "the terrain's own rays in double", "%.0e, %.0e", worst,
           worst_rock);
}

/* A tilted plane, here and one astronomical unit away: depth differences over the change of depth per pixel. */
TY_TEST(render_geometry, the_same_at_one_astronomical_unit)
{
    const int w = 64, h = 48;
    shot image[3];
    for (int k = 0; k < 3; k++) {
        ty_vec3 at = ty_vec3_make(k ? 1.495978707e11 : 0.0, k ? -0.7e11 : 0.0,
                                  k == 2 ? 0.01 : 0.0); /* the last: a control, moved by 1 cm */
        ty_scene *s = bare_scene();
        add_rectangle(s, ty_add(at, ty_vec3_make(-200.37, 20.21, -30)), ty_vec3_make(400, 0, 0),
                      ty_vec3_make(0, 300, 60), ty_material_lambert(0.3));
        add_sun(s, 180.0, 45.0, 0.005, 1000.0);
        ty_camera c = camera_at(ty_vec3_make(at.x + 0.123, at.y - 0.456, 0.0), 0.0, -3.0, 40.0, w, h);
        ty_render_def d = quick(1, 1);
        image[k] = shot_make(w, h, 1);
        shot_take(s, &c, &d, &image[k]);
        ty_scene_destroy(s);
    }
    double worst[3] = { 0.0, 0.0, 0.0 };
    int n = 0;
    for (int i = w; i < w * h - w; i++) {
        double across = 0.5 * (image[0].out.depth[i + w] - image[0].out.depth[i - w]);
        if (isfinite(across)) {
            for (int k = 1; k < 3; k++) {
                worst[k] = fmax(worst[k], fabs((image[k].out.depth[i] - image[0].out.depth[i]) / across));
            }
            n++;
        }
    }
    printf("1 au away: %.1e px over %d pixels\n", worst[1], n);
    TY_CHECK(n > 1000);
    TY_NEAR(worst[1], 0.0, 1e-3);
    TY_FAR(worst[2], 0.0, 1e-3);
    for (int k = 0; k < 3; k++) {
        shot_free(&image[k]);
    }
    TY_ROW("the same scene 1 AU away within 1e-3 px", "the scene at the origin", "worst %.0e px", worst[1]);
}

TY_TEST(render_geometry, images_are_bit_equal_for_any_threads)
{
    ty_terrain *t = small_terrain(true);
    const int w = 80, h = 56;
    shot image[3] = { shot_make(w, h, 2), shot_make(w, h, 2), shot_make(w, h, 2) };
    for (int k = 0; k < 3; k++) {
        ty_scene_def def = ty_scene_def_default();
        ty_scene *s = NULL;
        def.terrain = t;
        def.bands = 2;
        def.ring_cells = 256;
        def.far = 300.0;
        def.rock_angle = 0.02;
        def.threads = 1 + k % 2;
        TY_CHECK(ty_scene_create(&def, &s, NULL) == TY_OK);
        add_sun(s, 200.0, 10.0, 0.005, 1000.0);
        ty_camera c = camera_at(above(t, 3.0, 4.0, 1.5), 45.0, -15.0, 60.0, w, h);
        ty_render_def d = quick(4, 1 + k % 2);
        d.depth = 2;
        d.seed = k == 2 ? 9 : 1; /* the last: a control, other random numbers */
        shot_take(s, &c, &d, &image[k]);
        ty_scene_destroy(s);
    }
    size_t n = (size_t)w * h;
    TY_CHECK(!memcmp(image[0].out.radiance, image[1].out.radiance, 2 * n * sizeof(float)));
    TY_CHECK(!memcmp(image[0].out.depth, image[1].out.depth, n * sizeof(double)));
    TY_CHECK(!memcmp(image[0].out.instance, image[1].out.instance, n * sizeof(uint32_t)));
    TY_CHECK(memcmp(image[0].out.radiance, image[2].out.radiance, 2 * n * sizeof(float)));
    for (int k = 0; k < 3; k++) {
        shot_free(&image[k]);
    }
    ty_terrain_destroy(t);
}

/* No ray slips through the seams of tiles and rings: looking down, everything is ground. */
TY_TEST(render_geometry, the_ground_has_no_gaps)
{
    ty_terrain *t = small_terrain(false);
    ty_scene *s = ground_scene(t, 0.0);
    const int w = 160, h = 120;
    shot image = shot_make(w, h, 1);
    int sky = 0, above_horizon = 0;
    for (int k = 0; k < 8; k++) {
        ty_camera c = camera_at(above(t, 0.37 * k, -0.21 * k, 1.5), 45.0 * k, -40.0, 60.0, w, h);
        ty_render_def d = quick(1, 0);
        shot_take(s, &c, &d, &image);
        for (int i = 0; i < w * h; i++) {
            sky += image.out.kind[i] == TY_CLASS_SKY;
        }
    }
    ty_camera up = camera_at(above(t, 0.0, 0.0, 1.5), 0.0, 60.0, 60.0, w, h); /* control: there is a sky */
    ty_render_def d = quick(1, 0);
    shot_take(s, &up, &d, &image);
    for (int i = 0; i < w * h; i++) {
        above_horizon += image.out.kind[i] == TY_CLASS_SKY;
    }
    TY_CHECK(sky == 0);
    TY_CHECK(above_horizon == w * h);
    shot_free(&image);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

/* A hole dug between two frames is there in the second, to the depth it was dug. */
TY_TEST(render_geometry, edits_are_seen)
{
    ty_terrain *t = small_terrain(false);
    ty_scene *s = ground_scene(t, 0.0);
    enum { SIDE = 60 };
    float change[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        change[i] = -0.05f;
    }
    ty_camera c = camera_at(above(t, 0.0, 0.0, 1.0), 0.0, -90.0, 10.0, 16, 16);
    shot before = shot_make(16, 16, 1), after = shot_make(16, 16, 1);
    ty_render_def d = quick(1, 1);
    shot_take(s, &c, &d, &before);
    ty_edit edit = { .i0 = -SIDE / 2, .j0 = -SIDE / 2, .nx = SIDE, .ny = SIDE, .change = change };
    TY_CHECK(ty_terrain_edit(t, &edit, NULL) == TY_OK);
    shot_take(s, &c, &d, &after);
    /* straight down, so that the ray meets the new ground at the same place */
    int middle = 8 * 16 + 8;
    TY_NEAR(after.out.depth[middle] - before.out.depth[middle], 0.05, 1e-3);
    TY_FAR(after.out.depth[middle], before.out.depth[middle], 1e-3);
    shot_free(&before), shot_free(&after);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

/* every lens's ray through a pixel finds the sphere that stands where the lens's own projection puts the pixel */
TY_TEST(render_geometry, lenses_see_what_they_should)
{
    static const ty_lens lens[] = { TY_LENS_PINHOLE, TY_LENS_FISHEYE, TY_LENS_SPHERICAL, TY_LENS_FOV, TY_LENS_BROWN };
    for (int k = 0; k < 5; k++) {
        ty_scene *s = bare_scene();
        double a = 20.0 * TY_DEG; /* to the right of the axis */
        add_sphere(s, ty_vec3_make(50 * sin(a), 50 * cos(a), 0), 1.5, ty_material_lambert(0.5));
        ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, 90.0, 128, 96);
        c.lens = lens[k];
        c.k1 = -0.1;
        shot image = shot_make(128, 96, 1);
        ty_render_def d = quick(1, 1);
        shot_take(s, &c, &d, &image);
        double u = 0.0, v = 0.0, n = 0.0, t = tan(a), w = 45.0 * TY_DEG;
        for (int i = 0; i < 128 * 96; i++) {
            if (image.out.instance[i] == 1) {
                u += i % 128 + 0.5, v += i / 128 + 0.5, n += 1.0;
            }
        }
        double want = lens[k] == TY_LENS_PINHOLE ? 64.0 * (1.0 + t)
                      : lens[k] == TY_LENS_FOV   ? 64.0 * (1.0 + atan(t * tan(tan(w)) / tan(w)))
                      : lens[k] == TY_LENS_BROWN ? 64.0 * (1.0 + t * (1.0 - 0.1 * t * t))
                                                 : 64.0 * (1.0 + a / w);
        TY_NEAR(u / n, want, 0.5);
        TY_NEAR(v / n, 48.0, 0.5);
        TY_FAR(u / n, 64.0, 5.0);
        shot_free(&image);
        ty_scene_destroy(s);
    }
}

static void refused(ty_scene *s, ty_camera c, ty_render_def d, ty_status want, const char *word)
{
    float pixel[16];
    ty_render_buffers out = { .radiance = pixel };
    ty_diag diag = { 0 };
    TY_CHECK(ty_render(s, &c, &d, &out, &diag) == want);
    TY_CHECK(strstr(diag.text, word));
}

TY_TEST(render_geometry, bad_input_gets_a_sentence)
{
    ty_terrain *t = small_terrain(false);
    ty_scene *s = ground_scene(t, 0.0);
    ty_camera good = camera_at(above(t, 0, 0, 1.0), 0.0, 0.0, 60.0, 4, 4), c = good;
    ty_render_def d = quick(1, 1), bad = d;
    c.pose.p.z -= 2.0;
    refused(s, c, d, TY_ERR_INPUT, "inside the ground");
    c = good, c.width = 0;
    refused(s, c, d, TY_ERR_RANGE, "0 x 4 pixels");
    c = good, c.height = 100000;
    refused(s, c, d, TY_ERR_RANGE, "100000");
    c = good, c.hfov = 200.0 * TY_DEG;
    refused(s, c, d, TY_ERR_RANGE, "field of view");
    c = good, c.cookie = 0;
    refused(s, c, d, TY_ERR_DEF, "default");
    c = good, c.pose.p.x = NAN;
    refused(s, c, d, TY_ERR_RANGE, "pose");
    bad.samples = 0;
    refused(s, good, bad, TY_ERR_RANGE, "0 samples");
    ty_scene_destroy(s);

    s = bare_scene();
    float v[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    uint32_t tri[3] = { 0, 1, 3 }, id;
    ty_object_def o = {
        .vertex = v, .triangle = tri, .vertices = 3, .triangles = 1, .pose = { { 0, 0, 0 }, ty_quat_identity() }
    };
    ty_diag diag = { 0 };
    TY_CHECK(ty_scene_add(s, &o, &id, &diag) == TY_ERR_INPUT && strstr(diag.text, "names vertex 3"));
    tri[2] = 2, v[4] = NAN;
    diag = (ty_diag){ 0 };
    TY_CHECK(ty_scene_add(s, &o, &id, &diag) == TY_ERR_INPUT && strstr(diag.text, "not finite"));
    v[4] = 0.0f;
    TY_CHECK(ty_scene_add(s, &o, &id, NULL) == TY_OK && id == 1);
    TY_CHECK(ty_scene_move(s, 2, o.pose, NULL) == TY_ERR_RANGE);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}

/* A pixel of the left image, carried by its depth into the right one and from there by the right
 * image's depth back: the two must meet. Depth between pixels is interpolated in 1/z, exact on
 * planes, so the ground's own curvature over 3 mm is in the result. */
TY_TEST(render_geometry, stereo_reprojection)
{
    ty_terrain *t = small_terrain(false);
    ty_scene *s = ground_scene(t, 0.0);
    const int w = 160, h = 120;
    ty_camera left = camera_at(above(t, 0.0, 0.0, 1.0), 20.0, -60.0, 40.0, w, h), right = left;
    right.pose.p = ty_pose_point(left.pose, ty_vec3_make(0.12, 0, 0)); /* the baseline, along the images' rows */
    shot a = shot_make(w, h, 1), b = shot_make(w, h, 1);
    ty_render_def d = quick(1, 1);
    shot_take(s, &left, &d, &a);
    shot_take(s, &right, &d, &b);
    double worst = 0.0, disparity = 0.0;
    int n = 0;
    for (int i = 0; i < w * h; i++) {
        ty_vec3 o, dir;
        double u, v, u2, v2;
        ty_camera_ray(&left, i % w + 0.5, i / w + 0.5, &o, &dir);
        TY_CHECK(ty_camera_project(&right, ty_add(o, ty_scale(a.out.range[i], dir)), &u, &v));
        int x = (int)floor(u - 0.5), y = (int)floor(v - 0.5);
        if (x < 0 || y < 0 || x + 1 >= w || y + 1 >= h) {
            continue;
        }
        double fx = u - 0.5 - x, fy = v - 0.5 - y;
        const double *z = b.out.depth + y * w + x;
        double inverse = (1 - fy) * ((1 - fx) / z[0] + fx / z[1]) + fy * ((1 - fx) / z[w] + fx / z[w + 1]);
        ty_camera_ray(&right, u, v, &o, &dir);
        double along = 1.0 / inverse / ty_dot(dir, ty_rotate(right.pose.q, ty_vec3_make(0, 0, 1)));
        TY_CHECK(ty_camera_project(&left, ty_add(o, ty_scale(along, dir)), &u2, &v2));
        worst = fmax(worst, hypot(u2 - (i % w + 0.5), v2 - (i / w + 0.5)));
        disparity = fmax(disparity, fabs(u - (i % w + 0.5)));
        n++;
    }
    printf("stereo: %d pixels, disparity up to %.1f px, back to %.4f px\n", n, disparity, worst);
    TY_CHECK(n > 5000 && disparity > 10.0);
    TY_NEAR(worst, 0.0, 0.02);
    shot_free(&a), shot_free(&b);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
    TY_ROW("left to right and back through depth within 0.02 px", "each pixel's own place", "worst %.4f px", worst);
}

/* The box around a sphere's pixels is the one its outline projects to: tangent rays at +- asin(r/d)
 * off its centre's direction. */
TY_TEST(render_geometry, boxes_are_tight)
{
    const int w = 200, h = 160;
    ty_scene *s = bare_scene();
    add_sphere(s, ty_vec3_make(0, 10, 0), 1.0, ty_material_lambert(0.5));
    uint32_t second = add_sphere(s, ty_vec3_make(3.5, 12, 1), 0.5, ty_material_lambert(0.5));
    ty_camera c = camera_at(ty_vec3_make(0, 0, 0), 0.0, 0.0, 60.0, w, h);
    shot image = shot_make(w, h, 1);
    ty_render_def d = quick(1, 1);
    shot_take(s, &c, &d, &image);
    ty_truth_box2 box[4];
    TY_CHECK(ty_truth_boxes_2d(w, h, image.out.instance, image.out.kind, box, 4) == 2);
    double f = 0.5 * w / tan(30.0 * TY_DEG), half = f * tan(asin(0.1));
    const ty_truth_box2 *first = &box[box[0].instance == 1 ? 0 : 1];
    TY_NEAR(first->x0, 0.5 * w - half, 1.0);
    TY_NEAR(first->x1, 0.5 * w + half, 1.0);
    TY_NEAR(first->y0, 0.5 * h - half, 1.0);
    TY_NEAR(first->y1, 0.5 * h + half, 1.0);
    TY_FAR(first->x0, 0.5 * w - half - 3.0, 1.0);
    TY_CHECK(box[0].instance == second || box[1].instance == second);
    TY_CHECK(ty_truth_boxes_2d(w, h, image.out.instance, image.out.kind, box, 1) == 1);
    shot_free(&image);
    ty_scene_destroy(s);
}
