/* tests/unit/vehicle/test_physics.c - what must hold whatever the rover: conservation, rest, slopes, work.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ground.h"
#include "tyt.h"

/* high above the ground, thrown and spinning, wheels turning against the body */
static ty_vehicle *fly(tyt_ground *g, ty_body_integrator integrator)
{
    ty_vehicle_def def = tyt_vehicle_def(g, "viper", TY_SOIL_NONE);
    def.drop = 1000.0;
    def.integrator = integrator;
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_set_twist(v, ty_vec3_make(1.0, -0.5, 8.0), ty_vec3_make(0.05, -0.08, 0.3));
    return v;
}

static bool float_on(ty_vehicle *v, double dt, double seconds)
{
    ty_diag diag = { 0 };
    for (long i = 0, n = lround(seconds / dt); i < n; i++) {
        if (ty_vehicle_step(v, dt, &diag) != TY_OK) {
            cr_expect(false, "%s", diag.text);
            return false;
        }
    }
    return true;
}

static double energy(ty_vehicle *v)
{
    double kinetic, potential;
    ty_vehicle_energy(v, &kinetic, &potential, NULL, NULL);
    return kinetic + potential;
}

TY_TEST(physics, flight_energy)
{
    tyt_ground g;
    tyt_ground_flat(&g);
    ty_vehicle *v = fly(&g, TY_INTEGRATOR_RK4);
    double kinetic;
    ty_vehicle_energy(v, &kinetic, NULL, NULL, NULL);
    double before = energy(v);
    float_on(v, 1e-3, 10.0);
    printf("RK4, 10 s: relative change of energy %.2e\n", (energy(v) - before) / kinetic);
    TY_NEAR(energy(v), before, 1e-8 * kinetic);
    TY_ROW("free flight (RK4) keeps energy within 1e-8 over 10 s", "conservation", "%.0e",
           fabs((energy(v) - before) / kinetic));
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}

TY_TEST(physics, flight_momentum)
{
    tyt_ground g;
    tyt_ground_flat(&g);
    double drift[2];
    for (int k = 0; k < 2; k++) {
        ty_vehicle *v = fly(&g, TY_INTEGRATOR_EULER);
        ty_vec3 p0, l0, p1, l1;
        double before = energy(v), dt = k ? 5e-4 : 1e-3;
        ty_vehicle_energy(v, NULL, NULL, &p0, &l0);
        float_on(v, dt, 10.0);
        ty_vehicle_energy(v, NULL, NULL, &p1, &l1);
        drift[k] = energy(v) - before;
        p0.z -= ty_vehicle_mass(v) * 1.62 * 10.0;
        printf("Euler, step %g: momentum off by %.1e, angular %.1e (relative), energy %.3g J\n", dt,
               ty_norm(ty_sub(p1, p0)) / ty_norm(p0), ty_norm(ty_sub(l1, l0)) / ty_norm(l0), drift[k]);
        TY_NEAR(ty_norm(ty_sub(p1, p0)), 0.0, 1e-10 * ty_norm(p0));
        TY_NEAR(ty_norm(ty_sub(l1, l0)), 0.0, 1e-10 * ty_norm(l0));
        p0.z += 1e-9 * ty_norm(p0); /* the control */
        TY_FAR(ty_norm(ty_sub(p1, p0)), 0.0, 1e-10 * ty_norm(p0));
        ty_vehicle_destroy(v);
    }
    TY_NEAR(drift[0] / drift[1], 2.0, 0.02); /* first order */
    tyt_ground_free(&g);
    TY_ROW("free flight keeps momentum within 1e-10; energy error halves with the step within 1 %", "conservation",
           "ratio %.3f for 2", drift[0] / drift[1]);
}

TY_TEST(physics, drop)
{
    tyt_ground g;
    tyt_ground_flat(&g);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    def.drop = 0.5;
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_state s;
    double lowest = 1.0, highest = 0.0, kinetic;
    for (int i = 0; i < 80; i++) {
        tyt_run(v, 0.1);
        ty_vehicle_get(v, &s);
        lowest = fmin(lowest, s.pose.p.z);
        highest = i > 15 ? fmax(highest, s.pose.p.z) : highest;
    }
    ty_vehicle_energy(v, &kinetic, NULL, NULL, NULL);
    double weight = 0.0;
    for (int k = 0; k < s.wheels; k++) {
        weight += s.wheel[k].fz;
    }
    TY_NEAR(weight, ty_vehicle_mass(v) * 1.62, 1e-3 * weight); /* the ground carries it all */
    TY_NEAR(s.v_W.z, 0.0, 1e-5);
    TY_CHECK(kinetic < 1e-3);
    TY_CHECK(lowest > 0.225 - 0.12); /* wheels go in, not through */
    printf("dropped from 0.5 m: lowest %.3f m, rest %.4f m, kinetic %.1e J\n", lowest, s.pose.p.z, kinetic);
    TY_ROW("dropped from 0.5 m it settles: the ground carries its weight within 0.1 %", "weight",
           "%.2f %%, %.0e J left", 100.0 * fabs(weight / (ty_vehicle_mass(v) * 1.62) - 1.0), kinetic);
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}

/* how far [m] a braked rover goes in `seconds` on a slope of `deg`, after 3 s to settle */
static double creep(ty_soil_model_kind soil, double deg, double seconds)
{
    tyt_ground g;
    tyt_ground_slope(&g, deg * TY_DEG);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", soil);
    def.soil.rigid.mu = 0.4; /* weak ground, so that the rover slides before it tips over at 34 deg */
    def.soil.bekker.phi = 20.0 * TY_DEG;
    def.soil.bekker.c = 0.0;
    ty_vehicle *v = tyt_vehicle(&def);
    double way = tyt_creep(v, seconds);
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    return way;
}

TY_TEST(physics, slopes)
{
    double seconds = tyt_long() ? 60.0 : 5.0;
    /* friction 0.4 holds up to 21.8 deg; soil of 20 deg holds less than that on its own, some more with lugs in it */
    static const struct {
        ty_soil_model_kind soil;
        double hold, slide;
    } cases[] = { { TY_SOIL_RIGID, 20.0, 24.0 }, { TY_SOIL_BEKKER, 15.0, 27.0 } };
    for (int k = 0; k < 2; k++) {
        double held = creep(cases[k].soil, cases[k].hold, seconds), slid = creep(cases[k].soil, cases[k].slide, 3.0);
        printf("%s: %.1e m in %g s on %g deg, %.2f m in 3 s on %g deg\n", ty_soil_model_name(cases[k].soil), held,
               seconds, cases[k].hold, slid, cases[k].slide);
        TY_ROW(k ? "the same on bekker: holds 15 deg, slides at 27 deg"
                 : "a rover standing on hard ground creeps under 1 mm on 20 deg, slides on 24 deg",
               k ? "soil of 20 deg" : "friction 0.4: 21.8 deg", "%.0e m in %g s; slides %.2f m in 3 s", held, seconds,
               slid);
        TY_CHECK(held < 1e-3);
        TY_CHECK(slid > 0.05);
    }
}

TY_TEST(physics, work)
{
    static const ty_soil_model_kind soils[] = { TY_SOIL_BEKKER, TY_SOIL_RIGID, TY_SOIL_SCM };
    for (int k = 0; k < 3; k++) {
        tyt_ground g;
        tyt_ground_ramp(&g, 1.5, 8.0 * TY_DEG);
        ty_vehicle_def def = tyt_vehicle_def(&g, "viper", soils[k]);
        ty_vehicle *v = tyt_vehicle(&def);
        ty_vehicle_state a, b;
        ty_diag diag = { 0 };
        tyt_run(v, 2.0);
        ty_vehicle_get(v, &a);
        double before = energy(v);
        ty_vehicle_command(v, &(ty_drive_command){ .v = 0.3 }, &diag);
        tyt_run(v, tyt_long() ? 60.0 : 12.0);
        ty_vehicle_get(v, &b);
        double gained = energy(v) - before, motor = b.work_motor - a.work_motor, soil = b.work_soil - a.work_soil,
               damper = b.work_damper - a.work_damper;
        printf("motors %.2f J, ground %.2f J, dampers %.3f J, change of energy %.2f J: off by %.3f "
               "%%\n",
               motor, soil, damper, gained, 100.0 * (motor + soil + damper - gained) / motor);
        TY_NEAR(motor, gained - soil - damper, 0.01 * motor);
        TY_CHECK(motor > 50.0 && soil < 0.0);
        if (k != 1) { /* the control: without the ground's part it does not close */
            TY_FAR(motor, gained, 0.01 * motor);
        }
        ty_vehicle_destroy(v);
        tyt_ground_free(&g);
    }
    TY_ROW("motor work = losses + change of energy within 1 %: bekker, rigid, scm", "conservation", "worst %.3f %%",
           100.0 * tyt_worst_rel("motor"));
}
