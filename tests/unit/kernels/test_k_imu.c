/* Laws of inertial sensors and instruments: limits, scaling, conservation.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_imu.h"
#include "k_instrument.h"
#include "tyt.h"

/* second derivative of a point of a body that turns about a fixed axis, by finite differences */
TY_TEST(k_imu, lever_is_the_second_derivative)
{
    const double w = 1.3, c = 0.7, r = 0.8, h = 1e-4, t = 0.4;
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
        double u = t + (i - 1) * h, angle = w * u + 0.5 * c * u * u;
        x[i] = r * cos(angle);
        y[i] = r * sin(angle);
    }
    double ax = (x[2] - 2.0 * x[1] + x[0]) / (h * h), ay = (y[2] - 2.0 * y[1] + y[0]) / (h * h);
    double angle = w * t + 0.5 * c * t * t;
    ty_k_vec3 a = ty_k_lever(ty_k_vec(0, 0, c), ty_k_vec(0, 0, w + c * t), ty_k_vec(r, 0, 0)); /* in the body */
    TY_NEAR(a.x, cos(angle) * ax + sin(angle) * ay, 1e-6); /* differences: h^2 and 1e-16/h^2 */
    TY_NEAR(a.y, cos(angle) * ay - sin(angle) * ax, 1e-6);
    TY_FAR(a.x, 0.0, 0.5); /* control: no centripetal part */
}

TY_TEST(k_imu, steps_and_terms)
{
    TY_NEAR(ty_k_quantise(0.34, 0.1), 0.3, 1e-15);
    TY_NEAR(ty_k_quantise(-0.36, 0.1), -0.4, 1e-15);
    TY_NEAR(ty_k_quantise(0.34, 0.0), 0.34, 0.0);
    /* [ieee952]: lines cross where they should: N at tau = 1, K at tau = 3, 0.664 B */
    TY_NEAR(sqrt(ty_k_allan_white(1.0)), 1.0, 1e-15);
    TY_NEAR(sqrt(ty_k_allan_walk(3.0)), 1.0, 1e-15);
    TY_NEAR(sqrt(ty_k_allan_flicker()), 0.664, 5e-4);
    TY_NEAR(sqrt(ty_k_allan_ramp(sqrt(2.0))), 1.0, 1e-15);
    TY_NEAR(sqrt(ty_k_allan_quantisation(sqrt(3.0))), 1.0, 1e-15);
    TY_FAR(sqrt(ty_k_allan_flicker()), 1.0, 0.1); /* control */
    /* units: a signal in other units and a clock in others */
    TY_NEAR(ty_k_white_sigma(3.0 * 2.0, 4.0), 3.0 * ty_k_white_sigma(2.0, 4.0), 1e-15);
    TY_NEAR(ty_k_walk_sigma(2.0, 9.0 * 0.5), 3.0 * ty_k_walk_sigma(2.0, 0.5), 1e-15);
}

/* the processes of the flicker, added up over forty octaves, make B^2/(pi f) */
TY_TEST(k_imu, flicker_spectrum)
{
    const double B = 2.0, f = 0.01;
    double s = ty_k_flicker_sigma(B), sum = 0.0;
    for (int i = -20; i < 20; i++) {
        double T = exp2(i) * 10.0, x = 2.0 * 3.14159265358979323846 * f * T;
        sum += 4.0 * s * s * T / (1.0 + x * x);
    }
    TY_NEAR_REL(sum, B * B / (3.14159265358979323846 * f), 0.01);     /* ripple of octaves */
    TY_FAR_REL(sum, 2.0 * B * B / (3.14159265358979323846 * f), 0.1); /* control: one-sided taken for two */
}

TY_TEST(k_instrument, processes_motors_panels)
{
    /* two half steps are a whole one */
    double keep = ty_k_markov_keep(0.5, 3.0), kick = ty_k_markov_sigma(2.0, 0.5, 3.0);
    TY_NEAR(keep * keep, ty_k_markov_keep(1.0, 3.0), 1e-15);
    TY_NEAR(sqrt(keep * keep * kick * kick + kick * kick), ty_k_markov_sigma(2.0, 1.0, 3.0), 1e-14);
    TY_NEAR(ty_k_markov_sigma(2.0, 1e9, 3.0), 2.0, 1e-15);
    /* a lossless motor: electrical power is mechanical power, either way */
    for (double torque = -30.0; torque <= 30.0; torque += 20.0) {
        double i = ty_k_motor_current(torque, 1.5, 12.0, 1.0, 0.0);
        TY_NEAR(ty_k_motor_power(i, 1.5, 12.0, 0.0), torque * 1.5, 1e-12);
        double lossy = ty_k_motor_current(torque, 1.5, 12.0, 0.6, 0.2);
        TY_CHECK(ty_k_motor_power(lossy, 1.5, 12.0, 1.0) > torque * 1.5); /* losses cost in both directions */
    }
    TY_NEAR(ty_k_panel_power(1361.0, 2.0, 0.3, 0.5, 1.0), 408.3, 1e-12);
    TY_NEAR(ty_k_panel_power(1361.0, 2.0, 0.3, -0.5, 1.0), 0.0, 0.0);
}
