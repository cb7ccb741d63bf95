/* tests/unit/kernels/test_k_sequence.c - Sobol points, the unit disk, angles about a normal, noise.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_bump.h"
#include "k_light.h"
#include "k_sequence.h"
#include "tyt.h"

/* The first 2^m points of every scrambled sequence are a (0, m, 2)-net: one in each of the 2^m
 * boxes of every shape 2^-a by 2^-(m-a). */
static int boxes_missed(uint32_t m, uint32_t seed, bool sobol)
{
    int missed = 0;
    for (uint32_t a = 0; a <= m; a++) {
        uint8_t box[1 << 10] = { 0 };
        for (uint32_t i = 0; i < 1u << m; i++) {
            ty_k_point2 p = ty_k_sobol(i, seed, seed * 77u + 1u, seed * 1001u + 2u);
            if (!sobol) { /* control: independent numbers */
                p.u = fmod(i * 0.754877666 + 0.31 * i * i, 1.0);
            }
            box[((uint32_t)(p.u * (1u << a)) << (m - a)) + (uint32_t)(p.v * (1u << (m - a)))] = 1;
        }
        for (uint32_t i = 0; i < 1u << m; i++) {
            missed += !box[i];
        }
    }
    return missed;
}

TY_TEST(k_sequence, points_are_nets)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        TY_CHECK(boxes_missed(4, seed, true) == 0);
        TY_CHECK(boxes_missed(10, seed * 0x9e3779b9u, true) == 0);
    }
    TY_CHECK(boxes_missed(10, 1, false) > 100);
}

/* Uniform over the disk: moments of x, y, r^2 are 0, 0, 1/2; and no point outside. */
TY_TEST(k_light, unit_disk)
{
    double sx = 0.0, sy = 0.0, sr = 0.0, s4 = 0.0, most = 0.0;
    const int n = 1 << 16;
    for (int i = 0; i < n; i++) {
        ty_k_point2 p = ty_k_sobol((uint32_t)i, 1, 2, 3);
        double x, y;
        ty_k_unit_disk(p.u, p.v, &x, &y);
        double q = x * x + y * y;
        sx += x / n, sy += y / n, sr += q / n, s4 += q * q / n, most = fmax(most, q);
    }
    TY_NEAR(sx, 0.0, 1e-4);
    TY_NEAR(sy, 0.0, 1e-4);
    TY_NEAR(sr, 0.5, 1e-4);
    TY_NEAR(s4, 1.0 / 3.0, 1e-4);
    TY_CHECK(most <= 1.0 + 1e-6);
    TY_FAR(sr, 2.0 / 3.0, 0.1); /* control: a point taken by radius, not by area, gives 1/3; by square 2/3 */
}

/* angles_about in any frame agrees with angles_of in the surface's own */
TY_TEST(k_light, angles_do_not_depend_on_the_frame)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < 2000; i++) {
        ty_k_point2 p = ty_k_sobol(i, 5, 6, 7), q = ty_k_sobol(i, 8, 9, 10), r = ty_k_sobol(i, 11, 12, 13);
        double a = 2.0 * M_PI * p.u, b = 2.0 * M_PI * q.u, c = acos(2.0 * r.v - 1.0), d = 2.0 * M_PI * r.u;
        double si = sqrt(1.0 - p.v * p.v), se = sqrt(1.0 - q.v * q.v);
        ty_k_vec3 l = ty_k_vec(si * cos(a), si * sin(a), p.v), v = ty_k_vec(se * cos(b), se * sin(b), q.v);
        ty_k_vec3 n = ty_k_vec(sin(c) * cos(d), sin(c) * sin(d), cos(c)), e0, e1;
        ty_k_across(n, &e0, &e1);
        ty_k_vec3 L = ty_k_add(ty_k_add(ty_k_scale(l.x, e0), ty_k_scale(l.y, e1)), ty_k_scale(l.z, n));
        ty_k_vec3 V = ty_k_add(ty_k_add(ty_k_scale(v.x, e0), ty_k_scale(v.y, e1)), ty_k_scale(v.z, n));
        ty_k_angles x = ty_k_angles_of(l, v), y = ty_k_angles_about(n, L, V);
        worst =
            fmax(worst, fabs(x.mu0 - y.mu0) + fabs(x.mu - y.mu) + fabs(x.sin_i - y.sin_i) + fabs(x.sin_e - y.sin_e));
        worst = fmax(worst, fabs(x.sin2_g - y.sin2_g) + fabs(x.cos2_g - y.cos2_g) + fabs(x.sin2_psi - y.sin2_psi) +
                                fabs(x.cos2_psi - y.cos2_psi));
    }
    TY_NEAR(worst, 0.0, 1e-11);
}

/* A spot: full inside, nothing outside, falling with the square of the distance. */
TY_TEST(k_light, spot)
{
    ty_k_light m = { .kind = TY_K_LIGHT_SPOT,
                     .axis = { 0, 0, -1 },
                     .place = { 0, 0, 2 },
                     .cos_outer = cos(0.5),
                     .inv_blend = 1.0 / (cos(0.3) - cos(0.5)) };
    TY_NEAR(ty_k_light_place(m, ty_k_vec(0, 0, 0)).share, 0.25, 1e-15);
    TY_NEAR(ty_k_light_place(m, ty_k_vec(0, 0, -2)).share, 1.0 / 16.0, 1e-15);
    TY_NEAR(ty_k_light_place(m, ty_k_vec(2.0 * tan(0.51), 0, 0)).share, 0.0, 0.0);
    double half = ty_k_light_place(m, ty_k_vec(2.0 * tan(0.4), 0, 0)).share * 4.0 / (cos(0.4) * cos(0.4));
    TY_CHECK(half > 0.3 && half < 0.7);
    TY_ROW("lamps: inverse square and cone", "closed form", "worst %.0e",
           tyt_worst("ty_k_light_place(m, ty_k_vec(0, 0, -2)).share"));
}

/* The gradient is the derivative of something: its integral around a closed square vanishes, and it
 * is continuous across cells. */
TY_TEST(k_bump, gradient_is_a_gradient)
{
    double loop = 0.0, size = 0.0;
    const int n = 4000;
    for (int i = 0; i < n; i++) {
        double t = (i + 0.5) / n * 2.0;
        loop += ty_k_noise_gradient(ty_k_vec(0.3 + t, 0.2, 0.7), 9).x +
                ty_k_noise_gradient(ty_k_vec(2.3, 0.2 + t, 0.7), 9).y;
        loop -= ty_k_noise_gradient(ty_k_vec(0.3 + t, 2.2, 0.7), 9).x +
                ty_k_noise_gradient(ty_k_vec(0.3, 0.2 + t, 0.7), 9).y;
        size += fabs(ty_k_noise_gradient(ty_k_vec(0.3 + t, 0.2, 0.7), 9).x);
    }
    TY_NEAR(loop / n, 0.0, 1e-5);
    TY_CHECK(size / n > 0.1);
    ty_k_vec3 a = ty_k_noise_gradient(ty_k_vec(0.999999999, 0.4, 0.6), 3),
              b = ty_k_noise_gradient(ty_k_vec(1.000000001, 0.4, 0.6), 3);
    TY_NEAR(a.x - b.x, 0.0, 1e-6);
    TY_NEAR(a.y - b.y, 0.0, 1e-6);
    ty_k_vec3 tilted = ty_k_bump(ty_k_vec(0, 0, 1), ty_k_vec(0.3, 0.4, 0.5), 0.1, 4, 5);
    TY_NEAR(ty_k_norm(tilted), 1.0, 1e-12);
    TY_CHECK(tilted.z > 0.5 && tilted.z < 1.0);
}
