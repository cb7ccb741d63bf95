/* tests/unit/vehicle/test_rovers.c - each preset has the mass and shape its sources say, stands,
 * and keeps its loops closed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ground.h"
#include "tyt.h"
#include "vehicle/inner.h"

typedef struct preset {
    const char *name;
    double mass, radius, width; /* [kg], [m], from the table of rover facts or [ddt], [uly] */
    int wheels;
    double p[6][3]; /* [m] wheel centres in B */
    double level;   /* [rad] how far from level it may stand: where the centre of mass is off the
                       middle it leans */
} preset;

static const preset presets[] = {
    { "viper",
      434.9,
      0.225,
      0.20,
      4,
      { { 0.6418, 0.6098, 0 }, { 0.6418, -0.6098, 0 }, { -0.6418, 0.6098, 0 }, { -0.6418, -0.6098, 0 } },
      1e-3 },
    { "ex1",
      21.63,
      0.09,
      0.10,
      4,
      { { 0.30, 0.21, 0 }, { 0.30, -0.21, 0 }, { -0.30, 0.21, 0 }, { -0.30, -0.21, 0 } },
      1e-3 },
    { "ishigami",
      26.39,
      0.09,
      0.11,
      4,
      { { 0.30, 0.20, 0 }, { 0.30, -0.20, 0 }, { -0.30, 0.20, 0 }, { -0.30, -0.20, 0 } },
      1e-3 },
    { "curiosity",
      830.9,
      0.25,
      0.40,
      6,
      { { 1.095, 1.063, 0 },
        { 1.095, -1.063, 0 },
        { -0.089, 1.194, 0 },
        { -0.089, -1.194, 0 },
        { -1.163, 1.063, 0 },
        { -1.163, -1.063, 0 } },
      2e-3 },
    { "rassor",
      65.0,
      0.215,
      0.12,
      4,
      { { 0.25, 0.30, 0 }, { 0.25, -0.30, 0 }, { -0.25, 0.30, 0 }, { -0.25, -0.30, 0 } },
      1e-3 },
    { "rashid",
      10.0,
      0.10,
      0.08,
      4,
      { { 0.1525, 0.2295, 0 }, { 0.1525, -0.2295, 0 }, { -0.1525, 0.2295, 0 }, { -0.1525, -0.2295, 0 } },
      1e-3 },
    { "pragyan",
      26.0,
      0.085,
      0.07,
      6,
      { { 0.25, 0.32, 0 },
        { 0.25, -0.32, 0 },
        { 0, 0.32, 0 },
        { 0, -0.32, 0 },
        { -0.25, 0.32, 0 },
        { -0.25, -0.32, 0 } },
      5e-3 },
    { "lrv",
      700.0,
      0.41,
      0.218,
      4,
      { { 1.15, 0.73, 0 }, { 1.15, -0.73, 0 }, { -1.15, 0.73, 0 }, { -1.15, -0.73, 0 } },
      1e-3 },
};
#define PRESETS ((int)(sizeof presets / sizeof presets[0]))

TY_TEST(rovers, as_published)
{
    tyt_ground g;
    tyt_ground_flat(&g);
    for (int k = 0; k < PRESETS; k++) {
        const preset *p = &presets[k];
        ty_vehicle_def def = tyt_vehicle_def(&g, p->name, TY_SOIL_BEKKER);
        ty_vehicle *v = tyt_vehicle(&def);
        ty_wheel_info info[TY_WHEELS_MAX];
        ty_vehicle_state s;
        TY_NEAR(ty_vehicle_mass(v), p->mass, 1e-3 * p->mass);
        TY_CHECK(ty_vehicle_wheels(v, info) == p->wheels);
        for (int i = 0; i < p->wheels; i++) {
            TY_NEAR(info[i].p_B.x, p->p[i][0], 1e-6);
            TY_NEAR(info[i].p_B.y, p->p[i][1], 1e-6);
            TY_NEAR(info[i].p_B.z, p->p[i][2], 1e-6);
            TY_NEAR(info[i].shape.r, p->radius, 1e-12);
            TY_NEAR(info[i].shape.b, p->width, 1e-12);
        }
        tyt_run(v, 4.0);
        ty_vehicle_get(v, &s);
        double weight = 0.0, lean = acos(fmin(ty_rotate(s.pose.q, ty_vec3_make(0.0, 0.0, 1.0)).z, 1.0));
        for (int i = 0; i < s.wheels; i++) {
            TY_CHECK(s.wheel[i].contact && s.wheel[i].sinkage > 0.0);
            weight += s.wheel[i].fz;
        }
        TY_NEAR(weight, p->mass * 1.62, 2e-3 * weight);
        TY_CHECK(lean < p->level);
        TY_NEAR(ty_norm(s.v_W), 0.0, 1e-4);
        TY_CHECK(tyi_vehicle_loop_error(v) < 1e-5);
        printf("%s: %.2f kg, leans %.1e rad, loops %.1e, sinkage %.1f mm\n", p->name, ty_vehicle_mass(v), lean,
               tyi_vehicle_loop_error(v), 1e3 * s.wheel[0].sinkage);
        ty_vehicle_destroy(v);
    }
    tyt_ground_free(&g);
    TY_ROW(
        "viper, ex1, ishigami, curiosity, rassor, rashid, pragyan, lrv: mass within 0.1 %, wheels where they are published",
        "masses and geometry of public models and papers", "mass %.0e kg, wheels %.0e m",
        tyt_worst("ty_vehicle_mass(v)"), tyt_worst("info[i].p_B.x"));
}

/* over rough ground and through every steering mode the loops stay closed and nothing breaks */
TY_TEST(rovers, loops_hold, .timeout = 200)
{
    tyt_ground g;
    ty_diag diag = { 0 };
    tyt_ground_made(&g, 11);
    for (int k = 0; k < PRESETS; k++) {
        ty_vehicle_def def = tyt_vehicle_def(&g, presets[k].name, TY_SOIL_BEKKER);
        def.x = 2.0 * k;
        ty_vehicle *v = tyt_vehicle(&def);
        double worst = 0.0;
        for (int i = 0; i < 60; i++) {
            ty_drive_command c = { .mode = (ty_steering)(i / 15), .v = 0.12, .omega = 0.1, .crab = 0.3 };
            ty_vehicle_command(v, &c, &diag);
            if (!tyt_run(v, 0.1)) {
                break;
            }
            worst = fmax(worst, tyi_vehicle_loop_error(v));
        }
        printf("%s: worst gap of a loop %.1e\n", presets[k].name, worst);
        TY_CHECK(worst < 1e-5);
        ty_vehicle_destroy(v);
    }
    tyt_ground_free(&g);
}

/* One wheel of the rocker-bogie over a step of ground: the body turns by about a third of what a
 * rigid frame would, and the differential halves the pitch of one side. Here: the two rockers turn
 * against each other by the same angle. */
static double bump(const tyt_ground *g, double x, double y)
{
    (void)g;
    double d = hypot(x - 1.095, y - 1.063);
    return d < 0.6 ? 0.10 * (0.5 + 0.5 * cos(TY_PI * d / 0.6)) : 0.0;
}

TY_TEST(rovers, differential)
{
    tyt_ground g;
    tyt_ground_shape(&g, bump);
    ty_vehicle_def def = tyt_vehicle_def(&g, "curiosity", TY_SOIL_RIGID);
    ty_vehicle *v = tyt_vehicle(&def);
    tyt_run(v, 6.0);
    ty_vec3 f = { 1.0, 0.0, 0.0 };
    double pitch[3];
    static const char *const body[3] = { "chassis", "rocker_l", "rocker_r" };
    for (int k = 0; k < 3; k++) {
        pitch[k] = -asin(ty_rotate(ty_vehicle_body_pose(v, ty_vehicle_find_body(v, body[k]), NULL, NULL).q, f).z);
    }
    printf("pitch of chassis %.3f deg, left rocker %.3f, right rocker %.3f\n", pitch[0] / TY_DEG, pitch[1] / TY_DEG,
           pitch[2] / TY_DEG);
    TY_NEAR(pitch[0], 0.5 * (pitch[1] + pitch[2]), 2e-4); /* roll makes a second-order difference */
    TY_CHECK(pitch[1] < -1.0 * TY_DEG);                   /* nose up on the left */
    TY_FAR(pitch[0], pitch[1], 2e-3);                     /* the control */
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    TY_ROW("rocker-bogie differential: chassis pitches by the mean of the rockers within 2e-4 rad", "kinematics",
           "%.0e rad", fabs(pitch[0] - 0.5 * (pitch[1] + pitch[2])));
}
