/* tests/unit/render/test_lens_check.c - lenses that have no rays are refused with a sentence, and never traced.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "render_support.h"
#include "tycho/trace.h"
#include "render/inner.h"

static ty_camera cahv(ty_vec3 a, ty_vec3 h, ty_vec3 v)
{
    ty_camera c = ty_camera_default();
    c.width = 48, c.height = 32;
    c.lens = TY_LENS_CAHV;
    c.a = a, c.h = h, c.v = v;
    return c;
}

static void refused(ty_camera c, const char *why)
{
    ty_diag diag = { 0 };
    TY_CHECK(tyi_render_camera_check(&c, &diag) == TY_ERR_RANGE);
    cr_expect(strstr(diag.text, why), "'%s' does not say '%s'", diag.text, why);
    ty_scene *scene = bare_scene();
    ty_render_def def = ty_render_def_default();
    static float radiance[48 * 32];
    ty_render_buffers out = { .radiance = radiance };
    TY_CHECK(ty_render(scene, &c, &def, &out, NULL) == TY_ERR_RANGE);
    ty_scene_destroy(scene);
}

TY_TEST(lens_check, vectors)
{
    ty_vec3 a = { 0, 0, 1 }, h = { 40, 0, 24 }, v = { 0, 40, 16 }, none = { 0, 0, 0 };
    ty_camera good = cahv(a, h, v);
    TY_CHECK(tyi_render_camera_check(&good, NULL) == TY_OK);
    refused(cahv(none, none, none), "takes a, a unit vector");
    refused(cahv(a, h, none), "at least a pixel");
    refused(cahv(a, h, (ty_vec3){ 80, 0, 48 }), "v lies along h");
    refused(cahv(a, h, (ty_vec3){ 80, 0, 0 }), "v lies along h"); /* along it across a, which is what counts */
    refused(cahv(a, (ty_vec3){ 1e300, 0, 0 }, v), "h is 1e+300");
    refused(cahv(a, h, (ty_vec3){ 0, NAN, 0 }), "v is 0, nan, 0");
    refused(cahv(ty_scale(1e-200, a), h, v), "takes a, a unit vector");
    ty_camera bent = good;
    bent.lens = TY_LENS_CAHVOR;
    refused(bent, "takes o, a unit vector");
    bent.o = a;
    TY_CHECK(tyi_render_camera_check(&bent, NULL) == TY_OK);
    bent.r.y = INFINITY;
    refused(bent, "r is 0, inf, 0");
}

/* what comes to the tracer from elsewhere: rays that are no numbers meet nothing, and their neighbours what they did */
TY_TEST(lens_check, rays_that_are_none)
{
    ty_scene *scene = bare_scene();
    add_sphere(scene, ty_vec3_make(0, 0, 10), 2.0, ty_material_lambert(0.5));
    ty_trace_ray ray[40];
    ty_trace_hit hit[40];
    for (int i = 0; i < 40; i++) {
        ray[i] = (ty_trace_ray){ .from = { 0, 0, 0 }, .dir = { 0, 0, 1 }, .far = 100.0 };
    }
    ray[3].dir.x = NAN, ray[5].dir.z = INFINITY, ray[7].from.y = NAN, ray[9].dir.y = 1e300, ray[11].from.x = 1e300,
    ray[13].far = NAN, ray[15].time = NAN;
    TY_CHECK(ty_scene_trace(scene, ty_vec3_make(0, 0, 0), ray, 40, 0, 1, hit, NULL) == TY_OK);
    for (int i = 0; i < 40; i++) {
        bool wrong = i % 2 && i >= 3 && i <= 15;
        TY_CHECK(wrong ? isinf(hit[i].range) : fabs(hit[i].range - 8.0) < 1e-6);
    }
    ty_scene_destroy(scene);
}
