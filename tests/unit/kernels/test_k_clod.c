/* tests/unit/kernels/test_k_clod.c - clods: bodies that rays from all sides agree about.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_clod.h"
#include "tyt.h"

static double uniform(uint32_t i, uint32_t k)
{
    return ty_k_uniform(ty_k_philox(i, k, 0u, 0u, 1u, 2u).v[0]);
}

/* Chords along an axis over a grid: the volume by Fubini, the same whichever way one looks; in *closed how far a chord from one side is from
 * that of the other [m], in *outside how far points lie outside the ball. */
static double volume(ty_k_clod clod, int axis, double *closed, double *outside)
{
    enum { SIDE = 60 };
    double sum = 0.0, cell = 2.0 * clod.r / SIDE;
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            double a = -clod.r + (i + 0.5) * cell, b = -clod.r + (j + 0.5) * cell, far = 3.0;
            ty_k_vec3 d = axis == 0 ? ty_k_vec(1, 0, 0) : axis == 1 ? ty_k_vec(0, 1, 0) : ty_k_vec(0, 0, 1);
            ty_k_vec3 off = axis == 0 ? ty_k_vec(0, a, b) : axis == 1 ? ty_k_vec(b, 0, a) : ty_k_vec(a, b, 0);
            ty_k_vec3 middle = ty_k_add(clod.p, off);
            ty_k_clod_hit in = ty_k_clod_ray(clod, ty_k_sub(middle, ty_k_scale(far, d)), d),
                          out = ty_k_clod_ray(clod, ty_k_add(middle, ty_k_scale(far, d)), ty_k_scale(-1.0, d));
            TY_CHECK((in.t > 0.0) == (out.t > 0.0));
            if (!(in.t > 0.0)) {
                continue;
            }
            double chord = 2.0 * far - in.t - out.t;
            TY_CHECK(chord > 0.0 && ty_k_dot(in.n, d) < 0.0 && ty_k_dot(out.n, d) > 0.0);
            TY_NEAR(ty_k_norm(in.n), 1.0, 1e-12);
            sum += chord * cell * cell;
            ty_k_vec3 p = ty_k_sub(ty_k_add(middle, ty_k_scale(in.t - far, d)), clod.p);
            *outside = fmax(*outside, ty_k_norm(p) - clod.r);
            /* a ray that starts on the surface and leaves meets nothing: convex */
            ty_k_vec3 on = ty_k_add(ty_k_add(clod.p, p), ty_k_scale(1e-9, in.n));
            *closed = fmax(*closed, ty_k_clod_ray(clod, on, in.n).t);
        }
    }
    return sum;
}

TY_TEST(k_clod, bodies_of_their_volume)
{
    double fill = 0.0, worst = 0.0, closed = -1.0, outside = -1.0;
    enum { COUNT = 60 };
    for (uint32_t k = 0; k < COUNT; k++) {
        ty_k_clod clod = { { 0.3, -0.2, 0.1 }, 0.004 + 0.01 * uniform(k, 0), 77u * k + 5u };
        double ball = 4.0 / 3.0 * TY_K_PI * clod.r * clod.r * clod.r, v[3];
        for (int axis = 0; axis < 3; axis++) {
            v[axis] = volume(clod, axis, &closed, &outside) / ball;
            fill += v[axis] / (3.0 * COUNT);
        }
        worst = fmax(worst, fmax(fabs(v[0] - v[1]), fabs(v[1] - v[2])));
    }
    printf("clods: fill %.4f, volumes by three axes differ by %.4f at most\n", fill, worst);
    TY_NEAR(fill, (double)TY_K_CLOD_FILL, 0.015);
    TY_FAR(fill, 1.0, 0.1); /* control: a ball */
    TY_NEAR(worst, 0.0, 0.01);
    TY_CHECK(closed < 0.0);
    TY_CHECK(outside < 1e-12);
    ty_k_clod one = { { 0, 0, 0 }, 0.01, 1u }, other = { { 0, 0, 0 }, 0.01, 2u };
    double c, o;
    TY_FAR(volume(one, 0, &c, &o), volume(other, 0, &c, &o), 1e-8); /* control: another number, another body */
}

/* The clods of a lump add up to 0.6 of its cube, and stay near it. */
TY_TEST(k_clod, lumps_of_their_volume)
{
    double sum = 0.0, far = 0.0;
    for (int k = 0; k < TY_K_CLODS; k++) {
        ty_k_clod c = ty_k_clod_of(ty_k_vec(1, 2, 3), 0.02, 12345u, k);
        sum += (double)TY_K_CLOD_FILL * 4.0 / 3.0 * TY_K_PI * c.r * c.r * c.r;
        far = fmax(far, ty_k_norm(ty_k_sub(c.p, ty_k_vec(1, 2, 3))) + c.r);
    }
    TY_NEAR(sum / (0.02 * 0.02 * 0.02), 0.6, 0.02);
    TY_CHECK(far <= 0.5 * 0.02 + 1e-12);
    ty_k_clod a = ty_k_clod_of(ty_k_vec(0, 0, 0), 0.02, 1u, 0), b = ty_k_clod_of(ty_k_vec(0, 0, 0), 0.02, 2u, 0);
    TY_CHECK(a.seed != b.seed); /* control */
}
