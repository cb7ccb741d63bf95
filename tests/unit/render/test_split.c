/* tests/unit/render/test_split.c - more paths in shadow, fewer in the light: the same mean, less grain, the same
 * bits for any number of threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "render_support.h"

#define W 64
#define H 40

static void take(ty_scene *s, ty_terrain *t, int samples, int depth, int split, uint64_t seed, int threads, shot *out)
{
    ty_camera c = camera_at(above(t, 3.0, 4.0, 1.5), 45.0, -20.0, 60.0, W, H);
    ty_render_def d = ty_render_def_default();
    d.samples = samples, d.depth = depth, d.split = split, d.seed = seed, d.threads = threads;
    shot_take(s, &c, &d, out);
}

/* over the pixels that the Sun does not reach: mean, and root of the mean square difference from another image */
static double shadow(const shot *a, const shot *truth, double *rms)
{
    double sum = 0.0, square = 0.0, n = 0.0;
    for (int i = 0; i < W * H; i++) {
        if (truth->out.sunlit[i] == 0.0f && isfinite(truth->out.depth[i])) {
            double e = (double)a->out.radiance[i] - (double)truth->out.radiance[i];
            sum += (double)a->out.radiance[i], square += e * e, n += 1.0;
        }
    }
    *rms = sqrt(square / n);
    TY_CHECK(n > 200.0);
    return sum / n;
}

TY_TEST(render_split, same_mean_less_grain_same_bits)
{
    ty_terrain *t = small_terrain(true);
    ty_scene *s = ground_scene(t, 0.02);
    add_sun(s, 200.0, 6.0, 0.005, 1000.0);
    shot truth = shot_make(W, H, 1), one = shot_make(W, H, 1), two = shot_make(W, H, 1);
    double none, plain = 0.0, split = 0.0, e0 = 0.0, e1 = 0.0, e;
    take(s, t, tyt_long() ? 4096 : 512, 2, 0, 1, 0, &truth);
    double want = shadow(&truth, &truth, &none);
    const int runs = 4;
    for (int k = 0; k < runs; k++) {
        take(s, t, 16, 2, 0, 100 + (uint64_t)k, 0, &one);
        plain += shadow(&one, &truth, &e) / runs;
        e0 += e / runs;
        take(s, t, 16, 2, 8, 200 + (uint64_t)k, 1, &one);
        split += shadow(&one, &truth, &e) / runs;
        e1 += e / runs;
        take(s, t, 16, 2, 8, 200 + (uint64_t)k, 2, &two);
        TY_CHECK(!memcmp(one.out.radiance, two.out.radiance, W * H * sizeof(float)));
    }
    printf("shadow [W/m2/sr]: %.4f, plain %.4f, split %.4f; error of a pixel %.4f and %.4f\n", want, plain, split, e0,
           e1);
    TY_NEAR_REL(split, want, 0.03);
    TY_CHECK(e1 < 0.6 * e0);
    take(s, t, 16, 1, 8, 1, 0, &one); /* control: without light between surfaces */
    TY_FAR_REL(shadow(&one, &truth, &e), want, 0.03);
    shot_free(&truth), shot_free(&one), shot_free(&two);
    ty_scene_destroy(s);
    ty_terrain_destroy(t);
}
