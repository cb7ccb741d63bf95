/* tests/unit/render/test_dust_faces.c - dust on the sides of objects: light, albedo and the way back of a lidar's, by host, kernels as C and a device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_ground_tone.h"
#include "render/gpu/gpu.h"
#include "render/inner.h"
#include "render_support.h"
#include "tycho/trace.h"

enum { W = 16, BANDS = 3, RAYS = 600 };

static ty_material paint(void)
{
    ty_material m = ty_material_lambert(0.7);
    m.law = TY_LAW_PRINCIPLED, m.specular = 0.5, m.roughness = 0.45;
    return m;
}

/* two plates tilted by 20 deg about x, one of paint at the origin and one of soil 4 m to the east, under the Sun; by: 0 the host, 1 kernels as C, 2 a
 * device */
static ty_scene *plates(int by, ty_device *device)
{
    ty_scene_def d = ty_scene_def_default();
    ty_scene *s;
    d.bands = BANDS;
    for (int b = 0; b < BANDS; b++) {
        d.ground.albedo[b] = 0.2 + 0.1 * b;
    }
    cr_assert(ty_scene_create(&d, &s, NULL) == TY_OK);
    ty_light sun = { .kind = TY_LIGHT_DISK, .dir_W = { 0.48, 0.64, 0.6 }, .radius = 0.00465 };
    for (int b = 0; b < BANDS; b++) {
        sun.power[b] = 500.0;
    }
    cr_assert(ty_scene_add_light(s, &sun, NULL) == TY_OK);
    for (uint32_t i = 1; i <= 2; i++) {
        ty_pose pose = { .q = ty_quat_axis(ty_vec3_make(1, 0, 0), 20.0 * TY_DEG) };
        pose.p = ty_add(ty_vec3_make(4.0 * (i - 1), 0, 0), ty_rotate(pose.q, ty_vec3_make(-1, -1, 0)));
        uint32_t id =
            add_rectangle(s, pose.p, ty_vec3_make(2, 0, 0), ty_vec3_make(0, 2, 0), i == 1 ? paint() : d.ground);
        cr_assert(id == i && ty_scene_move(s, id, pose, NULL) == TY_OK);
    }
    cr_assert(by == 0 ||
              (by == 1 ? tyi_render_use_kernels(s, NULL) : ty_scene_set_device(s, device, false, NULL)) == TY_OK);
    return s;
}

typedef struct look {
    double light[BANDS]; /* [W/m^2/sr] */
    double albedo;       /* [-] of truth */
    double back, from;   /* [1/sr], [-]: reflectance and albedo of single rays */
} look;

/* the plate at x, where a side of the painted one has so much dust */
static look look_at(ty_scene *s, double x, int side, float cover)
{
    ty_camera c = camera_at(ty_vec3_make(x, -2, 4), 0.0, -63.0, 6.0, W, W);
    ty_render_def d = ty_render_def_default();
    tyi_render_coat coat = { { 0 } };
    shot f = shot_make(W, W, BANDS);
    look l = { .albedo = 0.0 };
    static ty_trace_ray ray[RAYS];
    static ty_trace_hit hit[RAYS];
    coat.cover[side] = cover;
    tyi_render_scene_set_dust(s, &coat, 1);
    shot_take(s, &c, &d, &f);
    TY_CHECK(!ty_scene_get_stats(s).host);
    for (int i = 0; i < W * W; i++) {
        for (int b = 0; b < BANDS; b++) {
            l.light[b] += (double)f.out.radiance[b * W * W + i] / (W * W);
        }
        l.albedo += (double)f.out.albedo[i] / (W * W);
    }
    for (int i = 0; i < RAYS; i++) {
        ray[i] = (ty_trace_ray){ { x + 0.001 * i, 0, 3 }, { 0, 0, -1 }, 10.0, 0.0 };
    }
    cr_assert(ty_scene_trace(s, ty_vec3_make(x, 0, 3), ray, RAYS, 1, 1, hit, NULL) == TY_OK);
    l.back = (double)hit[7].reflectance, l.from = (double)hit[7].albedo;
    shot_free(&f);
    return l;
}

static void mixes(int by, ty_device *device)
{
    ty_scene *s = plates(by, device);
    const double share = (double)0.3f, bright = ty_k_tone_dusted(1.0);
    look some = look_at(s, 0.0, 5, 0.3f), below = look_at(s, 0.0, 4, 0.3f), bare = look_at(s, 0.0, 5, 0.0f),
         soil = look_at(s, 4.0, 5, 0.3f);
    double worst = 0.0, off = 0.0;
    for (int b = 0; b < BANDS; b++) {
        double want = (1.0 - share) * bare.light[b] + share * bright * soil.light[b];
        worst = fmax(worst, fabs(some.light[b] / want - 1.0)), off = fmax(off, fabs(bare.light[b] / want - 1.0));
        TY_CHECK(below.light[b] == bare.light[b]); /* what lies on the other side is not seen */
    }
    TY_NEAR(worst, 0.0, 1e-5); /* the eye sees the two plates from places that rounding tells apart */
    TY_FAR(off, 0.0, 1e-5);    /* control */
    TY_NEAR_REL(some.back, (1.0 - share) * bare.back + share * bright * soil.back, 1e-5);
    TY_NEAR_REL(some.albedo, (1.0 - share) * 0.7 + share * 0.2, 1e-6);
    TY_NEAR_REL(some.from, some.albedo, 1e-6);
    TY_NEAR_REL(bare.albedo, 0.7, 1e-6);
    if (by == 0) {
        TY_ROW(
            "Dust on a face: its light is that of the bare face and of soil by the share that is covered, in all bands",
            "plates of either material", "%.1e", worst);
    }
    ty_scene_destroy(s);
}

TY_TEST(dust_faces, mixes_with_what_it_lies_on)
{
    mixes(0, NULL);
    mixes(1, NULL);
}

TY_TEST(dust_faces, on_a_device)
{
    ty_device *device = device_or_skip();
    mixes(2, device);
    ty_device_destroy(device);
}

/* a round thing that is dusty on top: the share at a slope is that of the squares of its normal, and light between surfaces keeps its mean */
TY_TEST(dust_faces, goes_over_from_side_to_side)
{
    ty_scene *s = bare_scene();
    add_sphere(s, ty_vec3_make(0, 0, 0), 1.0, ty_material_lambert(0.5));
    tyi_render_coat coat = { { 0, 0, 0, 0, 0.2f, 0.8f } };
    tyi_render_scene_set_dust(s, &coat, 1);
    double soil = ty_scene_def_default().ground.albedo[0];
    for (int k = 0; k < 8; k++) {
        double e = (-80.0 + 20.0 * k) * TY_DEG, z = sin(e), c = z * z * (z > 0.0 ? (double)0.8f : (double)0.2f);
        ty_vec3 n = ty_vec3_make(cos(e), 0, z);
        ty_trace_ray ray = { ty_scale(3.0, n), ty_scale(-1.0, n), 10.0, 0.0 };
        ty_trace_hit hit;
        cr_assert(ty_scene_trace(s, ray.from, &ray, 1, 0, 1, &hit, NULL) == TY_OK);
        TY_NEAR((double)hit.albedo, 0.5 + c * (soil - 0.5), 1e-5);
    }
    tyi_render_scene_set_dust(s, NULL, 0);
    ty_trace_ray ray = { { 0, 0, 3 }, { 0, 0, -1 }, 10.0, 0.0 };
    ty_trace_hit hit;
    cr_assert(ty_scene_trace(s, ray.from, &ray, 1, 0, 1, &hit, NULL) == TY_OK);
    TY_CHECK(hit.albedo == 0.5f); /* brushed */
    ty_scene_destroy(s);
}
