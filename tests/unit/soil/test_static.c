/* Steady motion over flat ground: loads are carried, symmetries and units hold, another program agrees.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "soils.h"
#include "soil/inner.h"

TY_TEST(wheel_static, the_load_is_carried)
{
    ty_soil_params soil[2] = { soil_ishigami(), soil_ding() };
    const ty_wheel_shape *shape[2] = { &wheel_ishigami, &wheel_ding_lugs };
    for (int k = 0; k < 2; k++) {
        for (double s = -1.0; s <= 1.0; s += 0.125) {
            for (double beta = -0.8; beta < 0.85; beta += 0.4) {
                for (double load = 0.01; load < 500.0; load *= 6.0) {
                    double h;
                    ty_wheel_load a = solve(&soil[k], shape[k], load, s, beta, &h);
                    TY_NEAR_REL(a.fz, load, 1e-12);
                    /* the smallest: less is carried on the way there */
                    for (double x = 0.1; x < 1.0; x += 0.2) {
                        ty_wheel_steady less = { .by_sinkage = true, .h = x * h, .slip = s, .beta = beta };
                        double same;
                        TY_CHECK(ty_wheel_static(&soil[k], shape[k], &less, &same, &a, NULL) == TY_OK);
                        TY_CHECK(a.fz < load && same == x * h);
                    }
                }
            }
        }
    }
}

TY_TEST(wheel_static, what_cannot_be_carried_is_said)
{
    ty_soil_params p = soil_ishigami();
    ty_wheel_steady m = { .load = 1e6, .slip = 0.2 };
    ty_wheel_load out;
    ty_diag diag = { 0 };
    double h = -1.0;
    TY_CHECK(ty_wheel_static(&p, &wheel_ishigami, &m, &h, &out, &diag) == TY_ERR_NUMERIC && h == -1.0);
    TY_CHECK(strstr(diag.text, "carries 1e+06 N") && strstr(diag.text, "the most is"));
    struct {
        ty_wheel_steady m;
        const char *name;
    } wrong[] = { { { .load = 0.0 }, "load" },
                  { { .load = (double)NAN }, "load" },
                  { { .load = 1.0, .slip = 1.5 }, "slip" },
                  { { .load = 1.0, .slip = (double)NAN }, "slip" },
                  { { .load = 1.0, .beta = 1.6 }, "beta" },
                  { { .by_sinkage = true, .h = -1e-3 }, "h" },
                  { { .by_sinkage = true, .h = 0.2 }, "h" } };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ty_diag said = { 0 };
        TY_CHECK(ty_wheel_static(&p, &wheel_ishigami, &wrong[i].m, &h, &out, &said) == TY_ERR_RANGE);
        TY_CHECK(strstr(said.text, wrong[i].name) != NULL);
    }
}

/* Left and right are alike: with beta only the side force and its moments turn round; without, there is none. */
TY_TEST(wheel_static, left_right)
{
    ty_soil_params p = soil_ishigami();
    for (double s = -0.5; s < 1.0; s += 0.25) {
        double h, g;
        ty_wheel_load a = solve(&p, &wheel_ishigami, 65.0, s, 0.4, &h),
                      b = solve(&p, &wheel_ishigami, 65.0, s, -0.4, &g);
        TY_NEAR(h, g, 0.0);
        TY_NEAR(a.fx, b.fx, 0.0);
        TY_NEAR(a.fy, -b.fy, 0.0);
        TY_NEAR(a.mx, -b.mx, 0.0);
        TY_NEAR(a.mz, -b.mz, 0.0);
        TY_NEAR(a.torque, b.torque, 0.0);
        TY_CHECK(a.fy < 0.0); /* against the motion to the left */
        TY_NEAR(solve(&p, &wheel_ishigami, 65.0, s, 0.0, &h).fy, 0.0, 0.0);
    }
}

/* Lengths times L, forces times F, through the search for the sinkage and with everything switched
 * on. Accelerations scale as the weight density does: F / (mass L^2 ...), so rho is kept and g
 * carries it. */
TY_TEST(wheel_static, units)
{
    const double L = 2.5, F = 7.0;
    ty_soil_params p = soil_ding(), q = p;
    ty_wheel_shape a = wheel_ding_lugs, b = { a.r * L, a.b * L, a.grouser_h * L, a.grousers };
    q.k_c *= F / pow(L, p.n0 + 1.0);
    q.k_phi *= F / pow(L, p.n0 + 2.0);
    q.c *= F / (L * L);
    q.kx *= L;
    q.ky *= L;
    q.g *= F / (L * L * L);
    q.bulldozing_k *= L;
    for (double s = -0.4; s < 0.9; s += 0.2) {
        double h, g;
        ty_wheel_load x = solve(&p, &a, 80.0, s, 0.3, &h), y = solve(&q, &b, 80.0 * F, s, 0.3, &g);
        TY_NEAR_REL(g, h * L, 1e-11);
        TY_NEAR_REL(y.fx, x.fx * F, 1e-9);
        TY_NEAR_REL(y.fy, x.fy * F, 1e-9);
        TY_NEAR_REL(y.torque, x.torque * F * L, 1e-9);
        TY_FAR_REL(y.torque, x.torque * F, 0.1); /* control: a torque is not a force */
    }
}

/* The soil takes energy and gives none: T omega - f . v >= 0 at every slip and slip angle, and at
 * no load it is zero. */
TY_TEST(wheel_static, soil_only_takes_energy)
{
    ty_soil_params p[2] = { soil_ishigami(), soil_ding() };
    const ty_wheel_shape *shape[2] = { &wheel_ishigami, &wheel_ding_lugs };
    for (int k = 0; k < 2; k++) {
        double rs = tyi_soil_wheel_shear_radius(&p[k], shape[k]);
        for (double s = -0.95; s < 1.0; s += 0.05) {
            for (double beta = 0.0; beta < 1.0; beta += 0.2) {
                double h, v_x = s > 0.0 ? 1.0 - s : 1.0, omega = (s > 0.0 ? 1.0 : 1.0 + s) / rs;
                ty_wheel_load a = solve(&p[k], shape[k], 60.0, s, beta, &h);
                TY_CHECK(a.torque * omega - a.fx * v_x - a.fy * v_x * tan(beta) > 0.0);
            }
        }
    }
    /* zero sinkage: nothing */
    ty_wheel_steady m = { .by_sinkage = true, .h = 0.0, .slip = 0.5, .beta = 0.2 };
    ty_wheel_load a;
    double h;
    TY_CHECK(ty_wheel_static(&p[0], &wheel_ishigami, &m, &h, &a, NULL) == TY_OK);
    TY_CHECK(a.fx == 0.0 && a.fy == 0.0 && a.fz == 0.0 && a.torque == 0.0);
}

/* No jump at slip 0 or slip angle 0. The steepest change is that of bulldozing: 25 N at the deepest
 * sinkage here, over bulldozing_k / (contact length * v / (r omega)) = 2.5e-3 rad; so 1e4 N/rad,
 * 1e-2 N over 1e-6. */
TY_TEST(wheel_static, no_jump_at_zero_slip_or_angle)
{
    ty_soil_params p = soil_ishigami();
    p.n1 = 0.3;
    p.n1_skid = 0.5;
    for (double s = -0.6; s < 0.9; s += 0.3) {
        for (int along = 0; along < 2; along++) {
            double h, g, e = 1e-6;
            ty_wheel_load a = solve(&p, &wheel_ishigami, 65.0, along ? -0.5 * e : s, along ? 0.2 : -0.5 * e, &h);
            ty_wheel_load b = solve(&p, &wheel_ishigami, 65.0, along ? 0.5 * e : s, along ? 0.2 : 0.5 * e, &g);
            TY_NEAR(a.fx, b.fx, 1e-2);
            TY_NEAR(a.fy, b.fy, 1e-2);
            TY_NEAR(a.torque, b.torque, 1e-2 * 0.09);
            TY_NEAR(h, g, 1e-6);
        }
    }
    p.bulldozing_k = 0.0; /* control: bulldozing as printed does jump */
    double h;
    TY_FAR(solve(&p, &wheel_ishigami, 65.0, 0.3, 1e-9, &h).fy, solve(&p, &wheel_ishigami, 65.0, 0.3, -1e-9, &h).fy,
           1.0);
}

/* Another program's numbers: the reference grid of Autonomous-Mission-Systems-Lab/roverdevkit (MIT,
 * commit a3a959b), data/validation/wong_layer3_reference.csv, JSC-1A, r 0.10 m, b 0.06 m, 50 N,
 * bands around its own results; its convention is theta_2 = 0, a1 0.4, a2 0.2, K 0.018 m. */
TY_TEST(wheel_static, agrees_with_another_program)
{
    static const double rows[3][7] = {
        /* slip, drawbar low, high, sinkage low, high, torque low, high */
        { 0.05, -0.5, 1.5, 0.026, 0.029, 1.65, 1.86 },
        { 0.20, 5.5, 7.7, 0.026, 0.029, 2.30, 2.55 },
        { 0.50, 12.5, 14.9, 0.026, 0.029, 3.05, 3.30 },
    };
    ty_soil_params p = ty_soil_params_default();
    p.c = 1000.0;
    p.phi = 45.0 * TY_DEG;
    p.kx = 0.018;
    p.a2 = 0.2;
    p.lambda = 0.0;
    ty_wheel_shape shape = { 0.10, 0.06, 0.0, 0 };
    for (int i = 0; i < 3; i++) {
        const double *r = rows[i];
        double h;
        ty_wheel_load a = solve(&p, &shape, 50.0, r[0], 0.0, &h);
        TY_CHECK(a.fx > r[1] && a.fx < r[2] && h > r[3] && h < r[4] && a.torque > r[5] && a.torque < r[6]);
    }
    double h;
    p.lambda = 1.0;
    TY_CHECK(solve(&p, &shape, 50.0, 0.5, 0.0, &h).torque > 3.30); /* control: the other exit angle does not fit */
    TY_ROW("drawbar, sinkage, torque inside the band of another program at three slips", "bands of a published run",
           "3 of 3; with another exit angle not");
}

TY_TEST(regression, wrappers_give_the_equations)
{
    ty_regression_params fit = ty_regression_params_default();
    TY_NEAR(tyi_soil_regression_slip(&fit, 1.17, 0.0), 0.056605, 1e-15);
    TY_NEAR(tyi_soil_regression_speed(0.056605, 1.17), 1.10377215, 1e-12);
    TY_NEAR(tyi_soil_regression_sinkage(&fit, 0.2, 8.72), -9.822e-3, 1e-15);
    TY_NEAR_REL(tyi_soil_regression_stiffness(8.72, -9.822e-3, 0.0, 2), 8.72 / 2.0 / 9.822e-3, 1e-14);
    fit.fref = 5.0;
    TY_FAR(tyi_soil_regression_sinkage(&fit, 0.2, 8.72), -9.822e-3, 1e-3); /* control */
}
