/* The wheel of a run: it comes to the static solution, it holds on a slope, and no force jumps, whatever it does.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "soils.h"
#include "soil/inner.h"

/* A rig: the wheel is led at v_x, v_y, omega and sinks freely under its load. */
typedef struct rig {
    tyi_soil_wheel *wheel;
    tyi_soil_wheel_state state;
    double load, mass;
} rig;

static ty_wheel_load rig_step(rig *r, double dt)
{
    ty_wheel_load out;
    tyi_soil_wheel_advance(r->wheel, &r->state, dt);
    tyi_soil_wheel_force(r->wheel, &r->state, &out);
    r->state.h_rate += dt * (r->load - out.fz) / r->mass;
    r->state.h += dt * r->state.h_rate;
    return out;
}

/* Must-show 2: the rig at rest equals the static solution. Here to 0.1 % of the load; it differs by the one panel. */
static void compare(const ty_soil_params *p, const ty_wheel_shape *shape, double load)
{
    tyi_soil_wheel *wheel = make_wheel(p, shape);
    double rs = tyi_soil_wheel_shear_radius(p, shape), worst = 0.0, worst_h = 0.0;
    for (double s = -0.5; s <= 0.91; s += 0.2) {
        for (double deg = 0.0; deg <= 45.0; deg += 15.0) {
            double omega = 0.3 / rs, v_x = s > 0.0 ? 0.3 * (1.0 - s) : 0.3 / (1.0 + s), h;
            rig r = {
                wheel, { .h = 1e-4, .v_x = v_x, .v_y = v_x * tan(deg * TY_DEG), .omega = omega }, load, load / p->g
            };
            ty_wheel_load a = { 0 }, b = solve(p, shape, load, s, deg * TY_DEG, &h);
            for (int i = 0; i < 6000; i++) {
                a = rig_step(&r, 1e-3);
            }
            double e = fmax(fmax(fabs(a.fx - b.fx), fabs(a.fy - b.fy)),
                            fmax(fabs(a.fz - load), fabs(a.torque - b.torque) / shape->r));
            worst = fmax(worst, e / load);
            worst_h = fmax(worst_h, fabs(r.state.h / h - 1.0));
        }
    }
    printf("wheel: rig against static solution: forces %.1e of the load, sinkage %.1e\n", worst, worst_h);
    TY_NEAR(worst, 0.0, 1e-3);
    TY_NEAR(worst_h, 0.0, 1e-3);
    tyi_soil_wheel_destroy(wheel);
}

TY_TEST(wheel, rig_comes_to_the_static_solution)
{
    ty_soil_params soil[2] = { soil_ishigami(), soil_ding() };
    soil[1].n1 = soil[1].n1_skid = 0.5;
    compare(&soil[0], &wheel_ishigami, 64.7);
    compare(&soil[1], &wheel_ding, 80.0);
    compare(&soil[1], &wheel_ding_lugs, 80.0);
    /* control: a soil 5 % stiffer is seen */
    double h, g;
    solve(&soil[0], &wheel_ishigami, 64.7, 0.2, 0.0, &h);
    soil[0].k_phi *= 1.05;
    solve(&soil[0], &wheel_ishigami, 64.7, 0.2, 0.0, &g);
    TY_FAR_REL(g, h, 1e-2);
}

/* The static solution (eval) and the step (a run) are one function: a constant moves both alike. */
TY_TEST(wheel, static_and_step_move_together)
{
    double last = 0.0;
    for (double kx = 0.02; kx < 0.05; kx += 0.01) {
        ty_soil_params p = soil_ishigami();
        p.kx = kx;
        tyi_soil_wheel *wheel = make_wheel(&p, &wheel_ishigami);
        tyi_soil_wheel_state s = { .h = 0.015, .v_x = 0.06, .omega = 1.0 }; /* slip 1/3 */
        ty_wheel_steady m = { .by_sinkage = true, .h = 0.015, .slip = 1.0 / 3.0 };
        ty_wheel_load a, b;
        double h;
        for (int i = 0; i < 20000; i++) {
            tyi_soil_wheel_advance(wheel, &s, 1e-3);
        }
        tyi_soil_wheel_force(wheel, &s, &a);
        TY_CHECK(ty_wheel_static(&p, &wheel_ishigami, &m, &h, &b, NULL) == TY_OK);
        TY_NEAR_REL(a.fx, b.fx, 1e-4);
        TY_NEAR_REL(a.torque, b.torque, 1e-4);
        TY_FAR_REL(a.torque, last, 1e-2); /* control: the constant matters */
        last = a.torque;
        tyi_soil_wheel_destroy(wheel);
    }
}

/* Forward and backward are alike. */
TY_TEST(wheel, forward_backward)
{
    ty_soil_params p = soil_ishigami();
    tyi_soil_wheel *wheel = make_wheel(&p, &wheel_ishigami);
    tyi_soil_wheel_state a = { .h = 0.012, .h_rate = 0.01 }, b = a;
    for (int i = 0; i < 3000; i++) {
        ty_wheel_load x, y;
        a.v_x = 0.1 * sin(2e-3 * i);
        a.v_y = 0.03 * cos(3e-3 * i);
        a.omega = 1.5 * sin(2e-3 * i + 0.3);
        b.v_x = -a.v_x;
        b.v_y = a.v_y;
        b.omega = -a.omega;
        tyi_soil_wheel_advance(wheel, &a, 1e-3);
        tyi_soil_wheel_advance(wheel, &b, 1e-3);
        tyi_soil_wheel_force(wheel, &a, &x);
        tyi_soil_wheel_force(wheel, &b, &y);
        TY_NEAR(x.fx, -y.fx, 0.0);
        TY_NEAR(x.torque, -y.torque, 0.0);
        TY_NEAR(x.mz, -y.mz, 0.0);
        TY_NEAR(x.fy, y.fy, 0.0);
        TY_NEAR(x.fz, y.fz, 0.0);
        TY_NEAR(x.mx, y.mx, 0.0);
        TY_NEAR(x.theta1, y.theta1, 0.0);
    }
    tyi_soil_wheel_destroy(wheel);
}

/* A wheel that was set down and not moved: symmetric contact, no force but upwards, carried less
 * deep than a moving one. */
TY_TEST(wheel, set_down)
{
    ty_soil_params p = soil_ishigami();
    tyi_soil_wheel *wheel = make_wheel(&p, &wheel_ishigami);
    rig r = { wheel, { .h = 0.0 }, 64.7, 64.7 / p.g };
    ty_wheel_load a = { 0 };
    for (int i = 0; i < 4000; i++) {
        a = rig_step(&r, 1e-3);
        TY_CHECK(a.fz >= 0.0);
    }
    TY_NEAR_REL(a.fz, 64.7, 1e-6);
    TY_NEAR(a.fx, 0.0, 1e-12);
    TY_NEAR(a.torque, 0.0, 1e-12);
    TY_NEAR(a.fy, 0.0, 0.0);
    TY_NEAR(a.theta2, -a.theta1, 0.0);
    /* n = 1, symmetric: b k r^2 (theta - sin cos) = load */
    double k = 1370.0 / 0.11 + 8.14e5, t = a.theta1;
    TY_NEAR_REL(0.11 * k * 0.09 * 0.09 * (t - sin(t) * cos(t)), 64.7, 3e-5);
    /* driving off, it goes over to the moving contact, and keeps it when it stops: no rising */
    double standing = r.state.h;
    r.state.v_x = 0.05;
    r.state.omega = 0.7;
    for (int i = 0; i < 6000; i++) {
        a = rig_step(&r, 1e-3);
    }
    double moving = r.state.h;
    TY_CHECK(moving > 1.1 * standing);
    r.state.v_x = r.state.omega = 0.0;
    for (int i = 0; i < 6000; i++) {
        a = rig_step(&r, 1e-3);
    }
    TY_NEAR_REL(r.state.h, moving, 1e-4); /* it had not quite come to its end when it stopped */
    tyi_soil_wheel_destroy(wheel);
}

/* The largest change of any force in one step of a wild ride: off the ground and on, forward, stop,
 * backward, sideways, locked, spinning. */
static double largest_change(const tyi_soil_wheel *wheel, double dt, bool steady, const ty_soil_params *p)
{
    tyi_soil_wheel_state s = { 0 };
    ty_wheel_load last = { 0 };
    double worst = 0.0;
    int steps = (int)lrint(20.0 / dt);
    for (int i = 0; i < steps; i++) {
        double t = i * dt;
        ty_wheel_load now = { 0 };
        s.h = 0.008 + 0.012 * sin(0.9 * t);
        s.h_rate = 0.0108 * cos(0.9 * t);
        s.v_x = 0.08 * sin(0.7 * t);
        s.v_y = 0.05 * sin(1.1 * t) * sin(0.31 * t);
        s.omega = t > 8.0 && t < 9.5 ? 0.0 : sin(0.7 * t + 0.2) * sin(1.7 * t) * pow(sin(TY_PI * (t - 8.0) / 1.5), 2.0);
        if (steady) { /* control: the steady formula at the slip of the moment */
            double u = 0.09 * s.omega, most = fmax(fabs(u), fabs(s.v_x));
            ty_wheel_steady m = { .by_sinkage = true,
                                  .h = fmax(s.h, 0.0),
                                  .slip = most > 0.0 ? (u - s.v_x) / most : 0.0 };
            m.slip = fmax(-1.0, fmin(1.0, m.slip));
            double h;
            ty_wheel_static(p, &wheel_ishigami, &m, &h, &now, NULL);
        } else {
            tyi_soil_wheel_advance(wheel, &s, dt);
            tyi_soil_wheel_force(wheel, &s, &now);
        }
        double d = fmax(fmax(fabs(now.fx - last.fx), fabs(now.fy - last.fy)),
                        fmax(fabs(now.fz - last.fz), fabs(now.torque - last.torque) / 0.09));
        worst = i > 0 ? fmax(worst, d) : 0.0;
        last = now;
    }
    return worst;
}

/* No jump: with half the step, the largest change halves. A jump would stay as it is, as the control's does. */
TY_TEST(wheel, no_force_jumps)
{
    ty_soil_params p = soil_ishigami();
    p.n1 = 0.3;
    p.n1_skid = 0.5;
    tyi_soil_wheel *wheel = make_wheel(&p, &wheel_ishigami);
    double a = largest_change(wheel, 1e-3, false, &p), b = largest_change(wheel, 5e-4, false, &p);
    double c = largest_change(wheel, 2.5e-4, false, &p);
    printf("wheel: largest change in a step of 1, 0.5, 0.25 ms: %.3f, %.3f, %.3f N\n", a, b, c);
    TY_CHECK(b < 0.6 * a && c < 0.6 * b);
    double x = largest_change(wheel, 4e-3, true, &p), y = largest_change(wheel, 2e-3, true, &p);
    printf("wheel: the steady formula at the slip of the moment, 4 and 2 ms: %.1f, %.1f N\n", x, y);
    TY_CHECK(y > 0.8 * x);
    tyi_soil_wheel_destroy(wheel);
}

static double distance(const ty_wheel_load *a, const ty_wheel_load *b)
{
    return fmax(fmax(fabs(a->fx - b->fx), fabs(a->fy - b->fy)), fmax(fabs(a->fz - b->fz), fabs(a->torque - b->torque)));
}

/* Continuity of the contact itself in every entry of the state, at rest and around zero of each: a
 * step of 1e-7 moves no force by more than the stiffest slope of the model, a few times 1e4 N per
 * unit; a jump of 1 N would read 1e7. */
TY_TEST(wheel, contact_is_continuous_in_every_entry)
{
    ty_soil_params p = soil_ishigami();
    tyi_soil_wheel *wheel = make_wheel(&p, &wheel_ishigami);
    const double e = 1e-7;
    double worst = 0.0;
    for (int base = 0; base < 16; base++) {
        tyi_soil_wheel_state s = { .h = base & 1 ? 0.01 : 1e-5,
                                   .v_x = base & 2 ? 0.05 : 0.0,
                                   .omega = base & 2 ? 0.8 : 0.0 };
        s.history.ux = base & 4 ? 0.01 : 0.0;
        s.history.uy = base & 4 ? -0.003 : 0.0;
        s.history.slip = base & 4 ? 0.4 : 0.0;
        s.history.roll = base & 8 ? 0.6 : 0.0;
        double *entry[12] = { &s.h,          &s.h_rate,       &s.v_x,          &s.v_y,
                              &s.omega,      &s.history.ux,   &s.history.uy,   &s.history.px,
                              &s.history.py, &s.history.slip, &s.history.side, &s.history.roll };
        for (int k = 0; k < 12; k++) {
            ty_wheel_load a, b;
            double at = *entry[k];
            *entry[k] = at - 0.5 * e;
            tyi_soil_wheel_force(wheel, &s, &a);
            *entry[k] = at + 0.5 * e;
            tyi_soil_wheel_force(wheel, &s, &b);
            *entry[k] = at;
            worst = fmax(worst, distance(&a, &b) / e);
        }
    }
    printf("wheel: steepest slope of a force: %.2g N per unit of state\n", worst);
    TY_CHECK(worst < 5e4);
    tyi_soil_wheel_destroy(wheel);
}

/* A wheel with its brake on, on a slope: a mass of load / g that may slide along it and sink. Where it is after t. */
static double slide(const ty_soil_params *p, double slope, double t0, double t1)
{
    tyi_soil_wheel *wheel = make_wheel(p, &wheel_ishigami);
    const double dt = 1e-3, m = 30.0;
    tyi_soil_wheel_state s = { .h = 1e-4 };
    double x = 0.0, before = 0.0;
    for (int i = 0; i < (int)(t1 / dt); i++) {
        ty_wheel_load f;
        tyi_soil_wheel_advance(wheel, &s, dt);
        tyi_soil_wheel_force(wheel, &s, &f);
        s.v_x += dt * (f.fx / m - p->g * sin(slope));
        s.h_rate += dt * (p->g * cos(slope) - f.fz / m);
        x += dt * s.v_x;
        s.h += dt * s.h_rate;
        if (i * dt <= t0) {
            before = x;
        }
    }
    tyi_soil_wheel_destroy(wheel);
    return x - before;
}

/* Must-show 6, for one wheel: below its limit it creeps less than 1 mm in 60 s, above it slides. */
TY_TEST(wheel, holds_on_a_slope_below_its_limit)
{
    ty_soil_params p = ty_soil_params_default();
    double flat = slide(&p, 0.0, 5.0, 65.0), gentle = slide(&p, 15.0 * TY_DEG, 5.0, 65.0);
    double steep = slide(&p, 25.0 * TY_DEG, 5.0, 65.0), over = slide(&p, 45.0 * TY_DEG, 1.0, 6.0);
    printf("wheel: in a minute on 0, 15, 25 deg: %.1e, %.1e, %.1e m; in 5 s on 45 deg: %.2f m\n", flat, gentle, steep,
           over);
    TY_NEAR(flat, 0.0, 1e-3);
    TY_NEAR(gentle, 0.0, 1e-3);
    TY_NEAR(steep, 0.0, 1e-3);
    TY_CHECK(over < -1.0);
    TY_ROW("a standing wheel creeps under 1 mm a minute up to 25 deg, and slides at 45", "the bound", "%.0e m; %.1f m",
           fabs(steep), fabs(over));
}

/* The forces go back to zero with the sinkage, and a wheel in the air has neither force nor memory. */
TY_TEST(wheel, lifts_off)
{
    ty_soil_params p = soil_ishigami();
    tyi_soil_wheel *wheel = make_wheel(&p, &wheel_ishigami);
    tyi_soil_wheel_state s = { .h = 0.01, .v_x = 0.1, .omega = 2.0 };
    ty_wheel_load f;
    for (int i = 0; i < 1000; i++) {
        tyi_soil_wheel_advance(wheel, &s, 1e-3);
    }
    double last = 1e9;
    for (s.h = 0.01; s.h > 1e-9; s.h *= 0.1) {
        tyi_soil_wheel_force(wheel, &s, &f);
        double size = fabs(f.fx) + fabs(f.fz) + fabs(f.torque);
        TY_CHECK(size < last);
        last = size;
    }
    TY_NEAR(last, 0.0, 1e-2); /* cohesion acts on an area that shrinks as sqrt(h) */
    s.h = -0.001;
    tyi_soil_wheel_force(wheel, &s, &f);
    TY_CHECK(f.fx == 0.0 && f.fy == 0.0 && f.fz == 0.0 && f.torque == 0.0);
    tyi_soil_wheel_advance(wheel, &s, 1e-3);
    tyi_soil_wheel_history none = { 0 };
    TY_CHECK(memcmp(&s.history, &none, sizeof none) == 0);
    tyi_soil_wheel_destroy(wheel);
}
