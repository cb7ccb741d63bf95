/* Surfaces that rays met, and disks in the sky: against closed forms and numerical integrals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "probe_float.h"
#include "tyt.h"
#include "k_light.h"
#include "k_sample.h"
#include "k_shade.h"
#include "k_sky.h"
#include "tycho/math.h"

static double size(ty_k_vec3 v)
{
    return ty_k_norm(v);
}

/* Rings that meet lose their grain together; its slopes are as steep as the relief's, to all sides. */
TY_TEST(k_shade, grain)
{
    ty_k_grain fine = ty_k_grain_make(0.01, 1024.0), wide = ty_k_grain_make(0.02, 1024.0);
    TY_NEAR(fine.reach, 10.24, 1e-12);
    TY_NEAR(wide.reach, fine.reach, 1e-12);
    TY_CHECK(fine.first == 1 && wide.first == 0 && ty_k_grain_make(0.04, 1024.0).reach == 0.0);
    ty_k_vec3 up = ty_k_vec(0.0, 0.0, 1.0);
    double tilt = 0.0, mean = 0.0;
    const int n = 4000;
    for (int i = 0; i < n; i++) {
        double u = ty_k_grain_place(1.37 * i, 0.01), v = ty_k_grain_place(700.0 - 0.71 * i, 0.01);
        ty_k_vec3 a = ty_k_grain_normal(fine, up, u, v, 1.0);
        tilt += a.x * a.x / (a.z * a.z), mean += a.x / a.z;
    }
    printf("grain: slopes of %.3f rms, mean %.4f\n", sqrt(tilt / n), mean / n);
    TY_NEAR(sqrt(tilt / n), 0.14, 0.06);
    TY_NEAR(mean / n, 0.0, 0.01);
    TY_NEAR(ty_k_grain_fade(0.37 * 10.24, 10.24), 1.0, 0.0);
    TY_NEAR(ty_k_grain_normal(fine, up, 3.3, 4.4, 10.24).z, 1.0, 0.0);
    TY_FAR(ty_k_grain_normal(fine, up, 3.3, 4.4, 5.0).z, 1.0, 1e-6);
    /* repeats after 4096 cells of 3 cm, also on the far side of the origin */
    TY_NEAR(ty_k_grain_place(-1.0, 0.03), 4095.0, 1e-9);
    TY_NEAR(ty_k_grain_place(4096.0 * 5.0 + 2.5, 0.03), 2.5, 1e-9);
}

TY_TEST(k_shade, what_is_seen_faces_the_eye)
{
    double least = 1.0, unbent = 1.0, longest = 0.0;
    for (int i = 0; i < 2000; i++) {
        double a = 0.37 * i, b = 1.1 * i, c = 0.013 * i;
        ty_k_vec3 n = ty_k_unit(ty_k_vec(sin(a), cos(a), 0.6 * sin(b))), f = ty_k_unit(ty_k_vec(sin(c), cos(c), 0.4));
        ty_k_vec3 d = ty_k_unit(ty_k_vec(cos(b), sin(b), sin(c)));
        ty_k_facing s = ty_k_face(n, f, d);
        double mu = -ty_k_dot(s.n, d);
        least = fmin(least, fmin(mu, -ty_k_dot(s.facet, d)));
        unbent = fmin(unbent, -ty_k_dot(s.behind ? ty_k_scale(-1.0, n) : n, d));
        longest = fmax(longest, fabs(size(s.n) - 1.0));
    }
    TY_CHECK(least >= 0.0);
    TY_CHECK(unbent < -0.5); /* control: without bending, normals look away */
    TY_NEAR(longest, 0.0, 1e-14);
}

/* A start must clear the surface by some steps of a float's last digit, wherever it is. */
TY_TEST(k_shade, lift_is_above_rounding)
{
    double least = INFINITY, plain = INFINITY;
    for (double x = 1e-3; x < 3e5; x *= 1.7) {
        double step = (double)nextafterf((float)x, INFINITY) - (double)(float)x;
        least = fmin(least, ty_k_lift(ty_k_vec(x, 0.0, 0.0)) / step);
        plain = fmin(plain, 1e-5 / step);
    }
    TY_CHECK(least > 8.0);
    TY_CHECK(plain < 1.0);                               /* control: a fixed offset would not */
    TY_CHECK(ty_k_lift(ty_k_vec(3.0, 3.0, 3.0)) < 1e-4); /* and it is no step that is seen */
}

/* A pinhole's pixel: the integral of (1 + x^2 + y^2)^-1.5 over a square of the image plane. */
TY_TEST(k_shade, solid_angle_of_a_pixel)
{
    const double w = 0.01;
    for (int i = 0; i < 3; i++) {
        double x0 = 0.4 * i, y0 = 0.3 * i, sum = 0.0;
        for (int k = 0; k < 100; k++) {
            double x = x0 + w * (k % 10 + 0.5) / 10.0, y = y0 + w * (k / 10 + 0.5) / 10.0;
            sum += pow(1.0 + x * x + y * y, -1.5) * w * w / 100.0;
        }
        ty_k_vec3 a = ty_k_unit(ty_k_vec(x0, y0, 1.0)), b = ty_k_unit(ty_k_vec(x0 + w, y0, 1.0)),
                  c = ty_k_unit(ty_k_vec(x0 + w, y0 + w, 1.0)), d = ty_k_unit(ty_k_vec(x0, y0 + w, 1.0));
        TY_NEAR_REL(ty_k_pixel_angle(a, b, c, d), sum, 1e-4);
        if (i) {
            TY_FAR_REL(ty_k_pixel_angle(a, b, c, d), w * w, 0.1); /* control: its area is not its solid angle */
        }
        TY_NEAR_REL(ty_k_star_radiance(2e-9, 0.25, sum) * sum, 0.5e-9, 1e-12); /* the flux is what it was */
    }
}

/* The drawn globe and the light it is said to give are one: the mean of what is seen over its disk. */
TY_TEST(k_shade, globe_gives_what_it_shows)
{
    const double radius = 0.016;
    ty_k_disk m = {
        .axis = ty_k_vec(0, 0, 1), .chord2 = ty_k_disk_chord2(radius), .inv_sin = 1.0 / sin(radius), .globe = 1
    };
    ty_k_across(m.axis, &m.e0, &m.e1);
    for (int i = 0; i < 5; i++) {
        double phase = 0.2 + 0.55 * i, sum = 0.0;
        ty_k_vec3 sun = ty_k_unit(ty_k_vec(0.3, -0.8, 0.2));
        m.lit = ty_k_globe_lit(m.axis, sun, phase);
        TY_NEAR(size(m.lit), 1.0, 1e-14);
        TY_NEAR(acos(-m.lit.z), phase, 1e-12);
        TY_NEAR(m.lit.x * sun.y - m.lit.y * sun.x, 0.0, 1e-14); /* on the Sun's side */
        TY_CHECK(m.lit.x * sun.x > 0.0);
        const int n = 400;
        for (int k = 0; k < n * n; k++) {
            double x = (2.0 * (k % n + 0.5) / n - 1.0) * sin(radius), y = (2.0 * (k / n + 0.5) / n - 1.0) * sin(radius);
            sum += x * x + y * y < sin(radius) * sin(radius)
                       ? ty_k_disk_seen(m, ty_k_vec(x, y, sqrt(1.0 - x * x - y * y)))
                       : 0.0;
        }
        double mean = sum / (0.25 * TY_PI * n * n);
        TY_NEAR(mean, ty_k_globe_mean(phase), 1e-3);
        if (i > 0) { /* control: not the share of the disk that is lit */
            TY_FAR(mean, 2.0 / 3.0 * ty_k_lit_fraction(phase), 0.01);
        }
    }
    TY_NEAR(ty_k_lambert_phase(0.5 * TY_PI), 1.0 / TY_PI, 1e-15);
    TY_NEAR(ty_k_lambert_phase(0.0), 1.0, 1e-15);
    TY_NEAR(ty_k_lambert_phase(TY_PI), 0.0, 1e-15);
    TY_NEAR_REL(ty_k_globe_irradiance(1361.0, TY_K_EARTH_ALBEDO, 0.0, radius),
                1361.0 * 0.434 * sin(radius) * sin(radius), 1e-12);
    m.globe = 0;
    TY_CHECK(ty_k_disk_seen(m, ty_k_vec(0, 0, 1)) == 1.0 && ty_k_disk_seen(m, ty_k_unit(ty_k_vec(0.02, 0, 1))) == 0.0);
}

/* In single precision the Sun's limb is where it is, to 1e-4 of its radius. Control: by cosines it is not. */
TY_TEST(k_shade, limb_of_the_sun_in_single_precision)
{
    const double radius = 0.00465, off = 1e-4;
    int by_cosine = 0;
    for (int i = 0; i < 400; i++) {
        double az = 0.37 * i, el = 0.9 * sin(1.7 * i), turn = 2.4 * i, r = radius * (1.0 + (i % 2 ? off : -off));
        ty_k_vec3 axis = ty_k_vec(cos(el) * sin(az), cos(el) * cos(az), sin(el)), e0, e1;
        ty_k_across(axis, &e0, &e1);
        ty_k_vec3 side = ty_k_add(ty_k_scale(cos(turn), e0), ty_k_scale(sin(turn), e1));
        ty_k_vec3 d = ty_k_add(ty_k_scale(cos(r), axis), ty_k_scale(sin(r), side));
        const double a[3] = { axis.x, axis.y, axis.z }, b[3] = { d.x, d.y, d.z };
        TY_CHECK(probe_disk(radius, a, b) == (i % 2 == 0));
        float dot = (float)a[0] * (float)b[0] + (float)a[1] * (float)b[1] + (float)a[2] * (float)b[2];
        by_cosine += (dot > (float)cos(radius)) != (i % 2 == 0);
    }
    TY_CHECK(by_cosine > 20);
}

TY_TEST(k_shade, low_disks_and_the_skyline)
{
    double reach = 3e5 / 1737400.0, dip = reach + 0.03;
    TY_CHECK(!ty_k_disk_below(sin(-dip - 0.0049), 0.005, reach) && ty_k_disk_below(sin(-dip - 0.0051), 0.005, reach));
    TY_CHECK(!ty_k_disk_below(sin(-1.0), 0.005, 10.0)); /* ground all round: never */
    TY_NEAR(ty_k_skyline_a2(ty_k_vec(0, 0, 1)), 0.1225, 1e-12);
    TY_NEAR(ty_k_skyline_a2(ty_k_vec(1, 0, 0)), 1.1225, 1e-12);
    TY_NEAR(ty_k_skyline_a2(ty_k_vec(0, 0, -1)), 1.1225, 1e-12);
}

TY_TEST(k_shade, normals_of_ground_and_meshes)
{
    ty_k_ground g = { 0.0, 0.02, -0.05 }; /* per cell of 0.1 m: slopes 0.2 and -0.5 */
    ty_k_vec3 n = ty_k_ground_normal(g, 10.0);
    TY_NEAR(-n.x / n.z, 0.2, 1e-14);
    TY_NEAR(-n.y / n.z, -0.5, 1e-14);
    ty_k_vec3 a = ty_k_vec(1, 0, 0), b = ty_k_vec(0, 1, 0), c = ty_k_vec(0, 0, 1);
    ty_k_vec3 s = ty_k_smooth_normal(a, b, c, 0.2, 0.3);
    TY_NEAR(s.x, 0.5, 1e-15);
    TY_NEAR(s.y, 0.2, 1e-15);
    TY_NEAR(s.z, 0.3, 1e-15);
    double tilt = 0.0;
    for (int i = 0; i < 1000; i++) {
        ty_k_vec3 r = ty_k_rock_normal(c, ty_k_vec(0.021 * i, -0.013 * i, 0.3), 5u);
        TY_NEAR(size(r), 1.0, 1e-14);
        tilt += r.x * r.x / (r.z * r.z);
    }
    TY_NEAR(sqrt(tilt / 1000.0), 0.26, 0.1); /* five octaves of slope 0.17 times the noise's own rms */
}
