/* tests/unit/kernels/test_k_earth_pressure.c - passive earth pressure on sloping ground against the wedge it comes from.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_earth_pressure.h"
#include "tyt.h"

static double passive(double phi, double t)
{
    return ty_k_earth_passive(sin(phi), cos(phi), sin(t), cos(t));
}

/* The weakest of all plane wedges under a face square to the ground: its weight, leaning by the slope t along the
 * push, and friction on its plane at the angle a: cot a (cos t tan(a + phi) - sin t). */
static double wedge(double phi, double t)
{
    double least = INFINITY, end = 0.5 * TY_K_PI - phi;
    for (int i = 1; i < 200000; i++) {
        double a = end * i / 200000.0;
        least = fmin(least, (cos(t) * tan(a + phi) - sin(t)) / tan(a));
    }
    return least;
}

TY_TEST(earth, passive_is_the_weakest_wedge)
{
    for (double deg = 20.0; deg < 46.0; deg += 6.0) {
        double phi = deg * TY_K_PI / 180.0;
        TY_NEAR_REL(passive(phi, 0.0), pow(tan(0.25 * TY_K_PI + 0.5 * phi), 2.0), 1e-12); /* Rankine */
        TY_NEAR_REL(passive(phi, phi), 1.0 / cos(phi), 1e-7);
        for (double t = -0.9 * phi; t < 0.99 * phi; t += 0.1 * phi) {
            TY_NEAR_REL(passive(phi, t), wedge(phi, t), 1e-4);
        }
        TY_FAR_REL(passive(phi, 0.5 * phi), wedge(phi, 0.0), 0.05); /* control: level ground */
    }
}

/* Downhill it falls steadily to the limit of the slope, and nothing jumps there or at the steepest rise. */
TY_TEST(earth, passive_falls_downhill)
{
    const double phi = 38.0 * TY_K_PI / 180.0;
    double was = passive(phi, 0.0);
    TY_NEAR(was, 4.204, 1e-3);
    TY_NEAR(passive(phi, 15.0 * TY_K_PI / 180.0), 3.496, 1e-3);
    for (double t = 0.001; t < phi; t += 0.001) {
        double now = passive(phi, t);
        TY_CHECK(now < was);
        was = now;
    }
    TY_NEAR(passive(phi, phi - 1e-9), passive(phi, phi + 1e-9), 1e-3);
    double end = phi - acos(0.05);
    TY_NEAR_REL(passive(phi, end - 1e-9), passive(phi, end + 1e-9), 1e-6);
    for (double t = -1.5; t < 1.5; t += 0.01) {
        TY_CHECK(passive(phi, t) > 1.0 && passive(phi, t) < 5.0);
    }
}

/* Stresses at failure, sigma_1 / sigma_3 = N, on every plane: where soil of constant volume does not stretch, 45 deg
 * off the principal directions, shear over pressure is less than on the plane where it leans most. */
TY_TEST(earth, shear_angle_is_that_of_the_plane_that_does_not_stretch)
{
    for (double deg = 5.0; deg < 80.0; deg += 5.0) {
        double phi = deg * TY_K_PI / 180.0, major = pow(tan(0.25 * TY_K_PI + 0.5 * phi), 2.0), most = 0.0;
        for (int i = 1; i < 9000; i++) {
            double a = i / 9000.0 * 0.5 * TY_K_PI;
            double normal = major * cos(a) * cos(a) + sin(a) * sin(a), shear = (major - 1.0) * sin(a) * cos(a);
            most = fmax(most, shear / normal);
            if (i == 4500) {
                TY_NEAR_REL(tan(ty_k_earth_shear_angle(phi)), shear / normal, 1e-9);
            }
        }
        TY_NEAR_REL(most, tan(phi), 1e-5);
        TY_FAR_REL(tan(ty_k_earth_shear_angle(phi)), most, 2e-3); /* control: the plane of most lean */
    }
    TY_NEAR(ty_k_earth_shear_angle(33.4 * TY_K_PI / 180.0) * 180.0 / TY_K_PI, 28.83, 0.005);
}

/* Strength of triaxial tests, sigma_1 / sigma_3 = N with sigma_2 = sigma_3, and of plane strain at constant volume, sigma_2 in the middle: the same I1 I2 / I3. */
static double invariants(double a, double b, double c)
{
    return (a + b + c) * (a * b + b * c + c * a) / (a * b * c);
}
TY_TEST(earth, plane_strain_has_the_invariants_of_the_triaxial_test)
{
    for (double deg = 20.0; deg < 46.0; deg += 5.0) {
        double phi = deg * TY_K_PI / 180.0, s = sin(phi), m = ty_k_earth_plane_strain(phi);
        double triaxial = invariants((1.0 + s) / (1.0 - s), 1.0, 1.0);
        TY_NEAR_REL(invariants(1.0 + m, 1.0, 1.0 - m), triaxial, 1e-12);
        TY_FAR_REL(invariants(1.0 + s, 1.0, 1.0 - s), triaxial, 1e-2); /* control: one angle for both */
    }
    TY_NEAR(asin(ty_k_earth_plane_strain(33.4 * TY_K_PI / 180.0)) * 180.0 / TY_K_PI, 37.3, 0.05);
}
