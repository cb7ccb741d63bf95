/* Columns of soil, one formula at a time, against closed forms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_scm.h"

TY_TEST(k_scm, width)
{
    TY_NEAR(ty_k_scm_width(TY_K_PI * 0.09, 2.0 * TY_K_PI * 0.3), 0.3, 1e-15);   /* disc: radius */
    TY_NEAR(ty_k_scm_width(0.1 * 100.0, 2.0 * 100.1), 0.1, 1e-3 * 0.1 + 1e-12); /* strip: width */
    TY_FAR(ty_k_scm_width(0.1 * 0.1, 0.4), 0.1, 0.04); /* control: a square has half its side */
}

/* mean of max(x, 0) over an even spread, against a sum */
TY_TEST(k_scm, part_of_a_cell)
{
    const double h = 0.4;
    for (double x = -0.6; x < 0.7; x += 0.05) {
        double sum = 0.0;
        for (int i = 0; i < 10000; i++) {
            sum += fmax(x - h + 2.0 * h * (i + 0.5) / 10000, 0.0) / 10000;
        }
        double part = ty_k_scm_part(x, h);
        TY_NEAR(part, sum, 1e-8); /* midpoint rule with one kink: (2 h / 10000)^2 / 8 */
    }
    TY_NEAR(ty_k_scm_part(0.3, 0.0), 0.3, 0.0);
    TY_NEAR(ty_k_scm_part(-0.3, 0.0), 0.0, 0.0);
    TY_FAR(ty_k_scm_part(0.0, h), 0.0, 0.05); /* control: half a cell counts */
}

/* Down along k S^n, up and down again along E without loss, on along k S^n: the work of the closed
 * loop is that of loading alone. */
TY_TEST(k_scm, load_unload_reload)
{
    const double k = 8e5, n = 1.2, E = 2e8;
    double plastic = 0.0, most = -1e9, sigma = 0.0;
    for (double S = 1e-5; S < 0.02; S += 1e-5) {
        sigma = ty_k_scm_pressure(S, 0.0, 0.0, k, n, E, &plastic, &most);
        TY_NEAR(sigma, k * pow(S, n), 1e-9 * sigma);
    }
    double top = most, peak = sigma;
    TY_NEAR(plastic, top - peak / E, 1e-12);
    for (double d = 0.0; d < 2.0 * peak / E; d += 0.01 * peak / E) {
        double got = ty_k_scm_pressure(top - d, 0.0, 0.0, k, n, E, &plastic, &most);
        TY_NEAR(got, fmax(peak - E * d, 0.0), 1e-6 * peak);
    }
    TY_NEAR(plastic, top - peak / E, 1e-12);
    TY_NEAR(ty_k_scm_pressure(top, 0.0, 0.0, k, n, E, &plastic, &most), peak, 1e-6 * peak);
    sigma = ty_k_scm_pressure(0.025, 0.0, 0.0, k, n, E, &plastic, &most);
    TY_NEAR(sigma, k * pow(0.025, n), 1e-9 * sigma);
    TY_FAR(sigma, E * 0.025, 1e5); /* control: it is not elastic all the way */
}

/* No jump in pressure as the variation across the cell grows from none. */
TY_TEST(k_scm, continuous_across_a_cell)
{
    double last = 0.0, step = 0.0;
    double plastic = 0.0, most = -1e9;
    for (double S = -0.004; S < 0.01; S += 1e-6) {
        double sigma = ty_k_scm_pressure(S, 0.003, 0.0, 8e5, 1.0, 2e8, &plastic, &most);
        step = fmax(step, fabs(sigma - last));
        last = sigma;
    }
    TY_NEAR(step, 0.0, 1.01 * 8e5 * 1e-6);
    TY_CHECK(step > 0.5); /* control: it moved at all */
    /* a small way back up is stiff, not a jump: E times the way; a tilted gap takes the rear half away */
    double up = ty_k_scm_pressure(most - 1e-7, 0.003, 0.0, 8e5, 1.0, 2e8, &plastic, &most);
    TY_NEAR(last - up, 2e8 * 1e-7, 1e-3 * last);
    TY_NEAR(ty_k_scm_pressure(most - 1e-7, 0.003, 1.0, 8e5, 1.0, 2e8, &plastic, &most), 0.5 * last, 1e-3 * last);
}

TY_TEST(k_scm, shear_is_janosi_and_keeps_its_sign)
{
    const double K = 0.0178, unload = 20.0;
    ty_k_scm_share m = { 0.0, 0.0, 0.0 };
    double j = 0.0;
    for (int i = 0; i < 200; i++) {
        double d = 1e-4 * (1.0 + i % 3);
        m = ty_k_scm_shear(m, 0.6 * d, -0.8 * d, K, unload);
        j += d;
        TY_NEAR(m.x, 0.6 * (1.0 - exp(-j / K)), 1e-12);
        TY_NEAR(m.y, -0.8 * (1.0 - exp(-j / K)), 1e-12);
    }
    /* small cycles come back to where they began; back by 2 p K / unload it is fully reversed, and on
     * from there loads first again */
    ty_k_scm_share was = m;
    m = ty_k_scm_shear(m, -1e-4, 2e-5, K, unload);
    TY_CHECK(fabs(m.x - was.x) > 0.05);
    m = ty_k_scm_shear(m, 1e-4, -2e-5, K, unload);
    TY_NEAR(m.x, was.x, 1e-14);
    TY_NEAR(m.p, was.p, 0.0);
    double back = 2.0 * was.p * K / unload;
    m = ty_k_scm_shear(m, -0.6 * back, 0.8 * back, K, unload);
    TY_NEAR(m.x, -was.x, 1e-12);
    m = ty_k_scm_shear(m, -0.6 * 0.01, 0.8 * 0.01, K, unload);
    TY_NEAR(m.p, 1.0 - (1.0 - was.p) * exp(-0.01 / K), 1e-12);
    TY_CHECK(m.x < -was.p * 0.6); /* control: the sign has turned */
    /* damping adds nothing to motion that is fully mobilised, and something to what is not */
    ty_k_scm_share same = ty_k_scm_damped(m, -0.03, 0.04, K, unload, 0.03);
    TY_NEAR(same.x, m.x, 1e-12);
    TY_CHECK(fabs(ty_k_scm_damped(m, 0.003, 0.004, K, unload, 0.03).x - m.x) > 0.01);
}

TY_TEST(k_scm, rebound)
{
    TY_NEAR_REL(ty_k_scm_rebound(0.5, 2e8, 1620.0, 1.62, 1e-3), sqrt(2e8 * 1000.0) * 1e-3, 1e-12);
    TY_NEAR(ty_k_scm_rebound(0.5, 2e8, 1620.0, 1.62, -1.0), 0.0, 0.0);
}

TY_TEST(k_scm, flow)
{
    TY_NEAR(ty_k_scm_flow(0.01, 0.02), 0.0, 0.0);
    TY_NEAR(ty_k_scm_flow(0.05, 0.02), 0.2 * 0.03, 1e-18);
    TY_NEAR(ty_k_scm_flow(-0.05, 0.02), 0.0, 0.0);
}

/* lengths times L, stresses times S: a stress comes back times S */
TY_TEST(k_scm, units)
{
    const double L = 3.7, S = 0.21, n = 1.3;
    double p1 = 0.0, m1 = -1e9, p2 = 0.0, m2 = -1e9;
    double a = ty_k_scm_pressure(0.01, 0.002, 0.001, 8e5, n, 2e8, &p1, &m1);
    double b = ty_k_scm_pressure(0.01 * L, 0.002 * L, 0.001 * L, 8e5 * S / pow(L, n), n, 2e8 * S / L, &p2, &m2);
    TY_NEAR_REL(b, a * S, 1e-12);
    TY_NEAR_REL(p2, p1 * L, 1e-12);
}
