/* A motor's line, at the start and at the end of a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_motor.h"

/* the ends of the line, and its middle, where a motor has its largest power: stall no_load / 4 */
TY_TEST(k_motor, line)
{
    TY_NEAR(ty_k_motor_line(1.0, 0.0, 40.0, 3.0), 40.0, 0.0);
    TY_NEAR(ty_k_motor_line(1.0, 3.0, 40.0, 3.0), 0.0, 0.0);
    TY_NEAR(ty_k_motor_line(1.0, 4.0, 40.0, 3.0), 0.0, 0.0);
    TY_NEAR(ty_k_motor_line(-1.0, -1.5, 40.0, 3.0) * 1.5, 40.0 * 3.0 / 4.0, 1e-12);
    TY_NEAR(ty_k_motor_line(-1.0, 2.0, 40.0, 3.0), 40.0, 0.0); /* it brakes */
}

/* Against the definition: whatever is wanted, at the speed after the step the torque is within the line, and it is what was wanted or
 * lies on the line. The control takes the limit of the start. */
TY_TEST(k_motor, bound_holds_after_the_step)
{
    const double stall = 40.0, no_load = 3.0;
    double worst = -1e30, explicit_worst = -1e30;
    for (int i = 0; i < 40000; i++) {
        double want = 2e3 * sin(1.7 * i), coast = 5.0 * sin(0.31 * i + 1.0),
               gain = pow(10.0, -4.0 + 5.0 * (i % 97) / 96.0);
        double t = ty_k_motor_bound(want, coast, gain, stall, no_load), end = coast + gain * t;
        double limit = ty_k_motor_line(t, end, stall, no_load), over = fabs(t) - limit;
        worst = fmax(worst, over);
        TY_CHECK(t * want >= 0.0 && fabs(t) <= fabs(want));
        bool on = fabs(over) < 1e-9 || fabs(fabs(t) - stall) < 1e-9 || t == 0.0;
        TY_CHECK(on || t == want);
        double first = ty_k_clamp(want, -ty_k_motor_line(want, coast, stall, no_load),
                                  ty_k_motor_line(want, coast, stall, no_load));
        explicit_worst =
            fmax(explicit_worst, fabs(first) - ty_k_motor_line(first, coast + gain * first, stall, no_load));
    }
    TY_CHECK(worst < 1e-9);
    TY_CHECK(explicit_worst > 1.0);
}

/* a wheel of inertia I under kp alone: the implicit step decays for any gain, as 1 / (1 + kp dt / I) a step */
TY_TEST(k_motor, implicit_gain_is_stable)
{
    const double inertia = 0.06, dt = 1e-3;
    for (int k = 0; k < 3; k++) {
        double kp = (double[]){ 10.0, 100.0, 1e4 }[k], omega = 1.0, plain = 1.0;
        for (int i = 0; i < 20; i++) {
            omega += dt / inertia * ty_k_motor_implicit(-kp * omega, kp, dt / inertia);
            plain += dt / inertia * -kp * plain;
        }
        TY_NEAR_REL(omega, pow(1.0 + kp * dt / inertia, -20.0), 1e-9);
        TY_CHECK(k < 2 || fabs(plain) > 1e30); /* control */
    }
}
