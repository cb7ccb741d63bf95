/* The regressions of [ddt]: worked numbers, and that the equations agree with each other to what the paper claims.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_ddt.h"

static const ty_k_ddt fit = { 0.0265, 0.0256, 0.00522, 0.00105, 33.56, 0.9291, 3.11 };
static const double deg = 3.14159265358979323846 / 180.0;

TY_TEST(ddt, slip_by_hand)
{
    TY_NEAR(ty_k_ddt_slip(fit, 1.17, 0.0), 0.056605, 1e-15);
    TY_NEAR(ty_k_ddt_slip(fit, 0.2, 10.0 * deg), 0.2403, 1e-14); /* (0.001044 + 0.00105) 100 + 0.0053 + 0.0256 */
    TY_NEAR(ty_k_ddt_slip(fit, 0.47, 18.0 * deg), 1.0, 0.0);     /* 1.17 by (3): limited */
    TY_NEAR(ty_k_ddt_slip(fit, -0.2, -10.0 * deg), 0.2403, 1e-14);
    TY_FAR(ty_k_ddt_slip(fit, 0.2, 10.0), 0.2403, 0.5); /* control: degrees taken for radians */
    TY_NEAR(ty_k_ddt_speed(0.25, 0.8), 0.6, 1e-15);
}

/* Must-show 4, as far as formulas go: (5) then (1) give (3) back, flat from 0.2 to 1.17 m/s and on slopes to 20 deg. */
TY_TEST(ddt, slip_comes_back)
{
    double flat = 0.0, mean = 0.0;
    int n = 0;
    for (double vw = 0.2; vw <= 1.17; vw += 0.01) {
        double s = ty_k_ddt_slip(fit, vw, 0.0);
        flat = fmax(flat, fabs(ty_k_slip_ratio(vw, ty_k_ddt_speed(s, vw)) - s));
    }
    for (double vw = 0.1; vw < 0.25; vw += 0.1) {
        for (double a = 0.0; a <= 20.0; a += 1.0, n++) {
            double s = ty_k_ddt_slip(fit, vw, a * deg);
            mean += fabs(ty_k_slip_ratio(vw, ty_k_ddt_speed(s, vw)) - s);
        }
    }
    printf("ddt: slip error %.1e flat, %.1e on slopes (the paper's: 2e-4, 2.2e-3)\n", flat, mean / n);
    TY_NEAR(flat, 0.0, 1e-15);
    TY_NEAR(mean / n, 0.0, 1e-15);
    TY_NEAR(ty_k_slip_ratio(0.5, 1.0), -0.5, 0.0);
    TY_NEAR(ty_k_slip_ratio(0.0, 0.0), 0.0, 0.0);
}

TY_TEST(ddt, sinkage_by_hand)
{
    TY_NEAR(1e3 * ty_k_ddt_sinkage(fit, 0.0, 8.72, 8.72), -3.11, 1e-14);
    TY_NEAR(1e3 * ty_k_ddt_sinkage(fit, 0.2, 10.72, 8.72), -11.6802, 1e-13); /* -6.712 - 1.8582 - 3.11 */
    TY_NEAR(1e3 * ty_k_ddt_sinkage(fit, 0.0, 3.72, 8.72), 1.5355, 1e-13);    /* a light wheel: above 0, no clamp */
    TY_NEAR_REL(ty_k_ddt_stiffness(10.72, -0.0116802, 0.02, 2.0, 0.0, 0.0), 10.72 / (2.0 * 0.0316802), 1e-14);
    TY_NEAR_REL(ty_k_ddt_stiffness(0.1, 0.03, 0.02, 1.0, 1.0, 1e-3), 1000.0, 1e-14); /* thresholds */
    TY_CHECK(ty_k_ddt_stiffness(0.1, 0.03, 0.02, 1.0, 0.0, 0.0) < 0.0);              /* control: none */
}

/* A mass on the stiffness of (9) with the damping of (11), stepped by (7), comes to rest at the
 * sinkage of (4): within 0.25 mm (must-show 4) for loads within 5 N of 8.72 N and z < 0; and it
 * does not swing past. */
TY_TEST(ddt, contact_rests_at_the_regression)
{
    const double g = 1.62, h_g = 0.0;
    double mean = 0.0;
    int n = 0;
    for (double fz = 3.72; fz <= 13.73; fz += 1.0) {
        for (double s = 0.0; s <= 0.9; s += 0.15) {
            double z = ty_k_ddt_sinkage(fit, s, fz, 8.72), m = fz / g;
            if (z >= 0.0) {
                continue;
            }
            double k = ty_k_ddt_stiffness(fz, z, h_g, 1.0, 0.0, 0.0), c = ty_k_ddt_damping(k, m);
            double x = 0.0, v = 0.0, low = 0.0;
            for (int i = 0; i < 6000; i++) {
                v += 1e-3 * ty_k_ddt_bounce(x, v, m, g, k, c);
                x += 1e-3 * v;
                low = fmin(low, x);
            }
            mean += fabs(x - z);
            n++;
            TY_CHECK(low > z - 1e-4);
        }
    }
    printf("ddt: mean sinkage error %.1e mm (the paper's: 0.25 mm)\n", 1e3 * mean / n);
    TY_NEAR(mean / n, 0.0, 0.25e-3);
}

TY_TEST(ddt, limits_and_latch)
{
    TY_NEAR(ty_k_ddt_acceleration(0.5), 3.476, 0.0);
    TY_NEAR(ty_k_ddt_acceleration(0.9), 0.612, 0.0);
    TY_NEAR(ty_k_ddt_acceleration(1.1), 0.114, 0.0);
    TY_NEAR(ty_k_ddt_latch(-0.003, -0.02, 0.05, 0.1), -0.02, 0.0); /* slow: does not rise */
    TY_NEAR(ty_k_ddt_latch(-0.03, -0.02, 0.05, 0.1), -0.03, 0.0);  /* slow: may sink */
    TY_NEAR(ty_k_ddt_latch(-0.003, -0.02, 0.5, 0.1), -0.003, 0.0); /* moving: follows */
}
