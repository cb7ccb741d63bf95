/* tests/unit/render/test_bands_scene.c - bands of a scene: the Sun's share, the ground's colour, grey objects.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "render_support.h"
#include "tycho/trace.h"

static double mean(const float *v, const uint8_t *kind, int n, ty_render_class what)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < n; i++) {
        sum += kind[i] == what ? (double)v[i] : 0.0;
        count += kind[i] == what;
    }
    cr_assert(count > 50);
    return sum / count;
}

TY_TEST(bands_scene, sun_and_ground)
{
    enum { W = 64, H = 48, N = W * H };
    ty_terrain *terrain = small_terrain(false);
    ty_scene *scene = ground_scene(terrain, 0.0);
    ty_light sun = { .kind = TY_LIGHT_DISK, .dir_W = { 0.0, 0.6, 0.8 }, .radius = 0.00465 };
    for (int b = 0; b < TY_BANDS; b++) {
        sun.power[b] = 1361.0;
    }
    TY_CHECK(ty_scene_add_light(scene, &sun, NULL) == TY_OK);
    add_sphere(scene, ty_add(above(terrain, 0, 3, 0.8), ty_vec3_make(0, 0, 0)), 0.8, ty_material_lambert(0.2));
    ty_camera camera = camera_at(above(terrain, 0, 0, 1.5), 0.0, -25.0, 60.0, W, H);
    ty_render_def def = ty_render_def_default();
    def.samples = 4;
    shot plain = shot_make(W, H, 1), after = shot_make(W, H, 1), banded = shot_make(W, H, 3);
    shot_take(scene, &camera, &def, &plain);
    const ty_band rgb[3] = { { 600e-9, 700e-9 }, { 500e-9, 600e-9 }, { 400e-9, 500e-9 } };
    TY_CHECK(ty_scene_set_bands(scene, rgb, 3, NULL) == TY_OK && ty_scene_bands(scene) == 3);
    shot_take(scene, &camera, &def, &banded);
    /* shares of ASTM G173-03, extraterrestrial, of 1366.1 W/m2; the Moon's colour is not grey [kieffer2005] */
    static const double share[3] = { 158.77 / 1366.1, 184.68 / 1366.1, 186.52 / 1366.1 };
    for (int b = 0; b < 3; b++) {
        const float *v = banded.out.radiance + b * N;
        double grey =
            mean(v, banded.out.kind, N, TY_CLASS_OBJECT) / mean(plain.out.radiance, plain.out.kind, N, TY_CLASS_OBJECT);
        double ground = mean(v, banded.out.kind, N, TY_CLASS_GROUND) /
                        mean(plain.out.radiance, plain.out.kind, N, TY_CLASS_GROUND) / share[b];
        printf("band %d: grey ball %.4f of the light, ground %.3f\n", b, grey, ground);
        TY_NEAR_REL(grey, share[b], 0.01); /* pixels at its edge show some ground */
        TY_CHECK(b == 0   ? ground > 1.1 && ground < 1.4
                 : b == 2 ? ground > 0.6 && ground < 0.9
                          : fabs(ground - 1.0) < 0.05);
    }
    /* and back: the same bits as before */
    TY_CHECK(ty_scene_set_bands(scene, NULL, 0, NULL) == TY_OK && ty_scene_bands(scene) == 1);
    shot_take(scene, &camera, &def, &after);
    TY_CHECK(!memcmp(plain.out.radiance, after.out.radiance, N * sizeof(float)));
    /* a laser of 905 nm meets brighter ground than visible light does */
    ty_trace_ray ray = { .from = above(terrain, 1, 1, 2.0), .dir = { 0, 0, -1 }, .far = 100.0 };
    ty_trace_hit visible, infrared;
    const ty_band laser = { 904e-9, 906e-9 }, wrong = { 700e-9, 600e-9 };
    TY_CHECK(ty_scene_trace(scene, ray.from, &ray, 1, 0, 1, &visible, NULL) == TY_OK);
    TY_CHECK(ty_scene_set_bands(scene, &laser, 1, NULL) == TY_OK);
    TY_CHECK(ty_scene_trace(scene, ray.from, &ray, 1, 0, 1, &infrared, NULL) == TY_OK);
    TY_CHECK(infrared.reflectance > 1.3f * visible.reflectance && infrared.reflectance < 2.0f * visible.reflectance);
    TY_CHECK(ty_scene_set_bands(scene, &wrong, 1, NULL) == TY_ERR_RANGE &&
             ty_scene_set_bands(scene, rgb, 9, NULL) == TY_ERR_RANGE);
    shot_free(&plain), shot_free(&after), shot_free(&banded);
    ty_scene_destroy(scene);
    ty_terrain_destroy(terrain);
}
