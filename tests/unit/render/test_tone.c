/* tests/unit/render/test_tone.c - which radiance is white: by the lit ground, never by the Sun.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "render_support.h"
#include "tycho/tone.h"

enum { SIDE = 100, N = SIDE * SIDE };

/* a hundred rows: 40 of black sky, 60 of ground that brightens from 10 to 30 W/m2/sr, a fifth of it in shadow */
static void make_picture(float *radiance, uint8_t *kind)
{
    for (int i = 0; i < N; i++) {
        bool sky = i / SIDE < 40, shadow = i % 5 == 0;
        kind[i] = sky ? TY_CLASS_SKY : TY_CLASS_GROUND;
        radiance[i] = sky ? 0.0f : shadow ? 0.02f : 10.0f + 20.0f * (float)(i % SIDE) / SIDE;
    }
}

TY_TEST(tone, sun_does_not_decide)
{
    static float radiance[N];
    static uint8_t kind[N];
    make_picture(radiance, kind);
    double bare = ty_tone_white(radiance, NULL, N, ty_tone_single());
    TY_NEAR_REL(bare, 1.1 * 29.8, 0.02);
    for (int y = 10; y < 20; y++) { /* a narrow lens: the disk is a hundredth of the picture, its limb dimmer */
        for (int x = 40; x < 50; x++) {
            radiance[y * SIDE + x] = y == 10 ? 2.0e7f / 4096.0f : 2.0e7f;
        }
    }
    TY_NEAR_REL(ty_tone_white(radiance, NULL, N, ty_tone_single()), bare, 1e-12);
    TY_NEAR_REL(ty_tone_white(radiance, kind, N, ty_tone_single()), bare, 1e-12);
    /* the Earth is as bright as the ground; known to be sky, it does not count */
    for (int i = 0; i < 20 * SIDE; i++) {
        radiance[i] = 120.0f;
    }
    TY_NEAR_REL(ty_tone_white(radiance, kind, N, ty_tone_single()), bare, 1e-12);
    TY_FAR_REL(ty_tone_white(radiance, NULL, N, ty_tone_single()), bare, 1.0); /* control */
    /* a glint of the rover, a pixel that is no number */
    kind[60 * SIDE] = TY_CLASS_ROVER, radiance[60 * SIDE] = 5000.0f;
    radiance[61 * SIDE] = NAN, radiance[62 * SIDE] = INFINITY;
    TY_NEAR_REL(ty_tone_white(radiance, kind, N, ty_tone_single()), bare, 1e-3);
}

TY_TEST(tone, something_is_always_white)
{
    static float radiance[N];
    static uint8_t kind[N];
    TY_NEAR(ty_tone_white(radiance, NULL, N, ty_tone_single()), 1.0, 0.0);
    TY_NEAR(ty_tone_white(radiance, NULL, 0, ty_tone_single()), 1.0, 0.0);
    radiance[7] = 3e-5f; /* a star */
    TY_NEAR_REL(ty_tone_white(radiance, kind, N, ty_tone_single()), 1.1 * 3e-5, 1e-6);
    memset(kind, TY_CLASS_SKY, N);
    for (int i = 0; i < N; i++) {
        radiance[i] = 2.0e7f; /* nothing but the Sun */
    }
    TY_NEAR_REL(ty_tone_white(radiance, kind, N, ty_tone_single()), 2.2e7, 1e-6);
}

TY_TEST(tone, curve)
{
    ty_tone linear = { 100.0, 4095.0, 1.0, 0.0 }, eye = { 0.0, 80.0, 2.2, 0.0 }, soft = { 0.0, 80.0, 1.0, 10.0 };
    TY_NEAR(ty_tone_byte(&eye, 80.0), 255.0, 0.0);
    TY_NEAR(ty_tone_byte(&eye, 2e7), 255.0, 0.0);
    TY_NEAR(ty_tone_byte(&eye, -1.0), 0.0, 0.0);
    TY_NEAR(ty_tone_byte(&eye, 8.0), lrint(255.0 * pow(0.1, 1.0 / 2.2)), 0.0);
    TY_NEAR(ty_tone_word(&soft, 80.0), 65535.0, 0.0);
    TY_NEAR(ty_tone_word(&soft, 10.0), lrint(65535.0 * (1.0 + 1.0 / 64.0) / 2.0), 0.0);
    TY_NEAR(ty_tone_word(&linear, 100.0 + 0.25 * 3995.0), lrint(65535.0 * 0.25), 0.0);
}

/* a whole picture against the Sun: what the tracer gives, through the curve, is lit ground and not black */
TY_TEST(tone, up_sun_down_sun)
{
    ty_terrain *terrain = small_terrain(false);
    ty_scene *scene = ground_scene(terrain, 0.0);
    ty_light sun = { .kind = TY_LIGHT_DISK, .radius = 0.00465, .visible = true, .power = { 1361.0 } };
    sun.dir_W = ty_vec3_make(0.0, cos(8.0 * TY_DEG), sin(8.0 * TY_DEG));
    TY_CHECK(ty_scene_add_light(scene, &sun, NULL) == TY_OK);
    double white[3], middle[3];
    for (int k = 0; k < 3; k++) { /* up, cross, down */
        ty_camera camera = camera_at(above(terrain, 0, 0, 1.5), 90.0 * k, -5.0, 60.0, 96, 72);
        ty_render_def def = ty_render_def_default();
        def.samples = 4;
        shot s = shot_make(96, 72, 1);
        shot_take(scene, &camera, &def, &s);
        float most = 0.0f;
        for (int i = 0; i < 96 * 72; i++) {
            most = fmaxf(most, s.out.radiance[i]);
        }
        TY_CHECK((most > 1e6f) == (k == 0)); /* the Sun is in the first */
        white[k] = ty_tone_white(s.out.radiance, NULL, 96 * 72, ty_tone_single());
        TY_NEAR_REL(ty_tone_white(s.out.radiance, s.out.kind, 96 * 72, ty_tone_single()), white[k], 0.2);
        middle[k] = (double)s.out.radiance[60 * 96 + 48];
        printf("white %.4g, ground %.4g W/m2/sr\n", white[k], middle[k]);
        TY_CHECK(white[k] > 1.0 && white[k] < 400.0);
        shot_free(&s);
    }
    /* one curve for all three, by the ground all around: nothing lit is black, nothing but a little is white */
    ty_camera around = camera_at(above(terrain, 0, 0, 1.5), 0.0, 0.0, 360.0, 180, 45);
    around.lens = TY_LENS_SPHERICAL;
    shot s = shot_make(180, 45, 1);
    ty_render_def def = ty_render_def_default();
    def.samples = 4;
    shot_take(scene, &around, &def, &s);
    ty_tone one = ty_tone_series(s.out.radiance, s.out.kind, 180 * 45);
    shot_free(&s);
    for (int k = 0; k < 3; k++) {
        printf("level %d\n", ty_tone_byte(&one, middle[k]));
        TY_CHECK(ty_tone_byte(&one, middle[k]) > 90 && ty_tone_byte(&one, middle[k]) < 250);
    }
    TY_CHECK(ty_tone_byte(&(ty_tone){ 0.0, 2.2e7, 2.2, 0.0 }, middle[0]) == 0); /* control: white by the Sun */
    ty_scene_destroy(scene);
    ty_terrain_destroy(terrain);
}
