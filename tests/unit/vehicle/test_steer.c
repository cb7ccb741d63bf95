/* tests/unit/vehicle/test_steer.c - steering modes, drivers, and how soft ground widens a turn.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "ground.h"
#include "k_pursuit.h"
#include "tycho/tools/draw.h"
#include "vehicle/driver.h"
#include "tyt.h"

static double yaw_of(const ty_vehicle_state *s)
{
    ty_vec3 f = ty_rotate(s->pose.q, ty_vec3_make(1.0, 0.0, 0.0));
    return atan2(f.y, f.x);
}

/* drives a command for a time after a second to settle and turn the wheels */
static void after(const tyt_ground *g, const char *rover, ty_soil_model_kind soil, ty_drive_command c, double seconds,
                  ty_vehicle_state *a, ty_vehicle_state *b)
{
    ty_diag diag = { 0 };
    ty_vehicle_def def = tyt_vehicle_def(g, rover, soil);
    ty_vehicle *v = tyt_vehicle(&def);
    ty_vehicle_command(v, &c, &diag);
    tyt_run(v, 4.0);
    ty_vehicle_get(v, a);
    tyt_run(v, seconds);
    ty_vehicle_get(v, b);
    ty_vehicle_destroy(v);
}

/* On hard ground every mode does what it says: the body turns at omega about its centre, and goes where it should. */
TY_TEST(steer, modes)
{
    tyt_ground g;
    ty_vehicle_state a, b;
    tyt_ground_flat(&g);
    /* Ackermann: a circle of v / omega = 4 m */
    after(&g, "viper", TY_SOIL_RIGID, (ty_drive_command){ .v = 0.2, .omega = 0.05 }, 10.0, &a, &b);
    double turn = ty_k_wrap(yaw_of(&b) - yaw_of(&a)), chord = hypot(b.pose.p.x - a.pose.p.x, b.pose.p.y - a.pose.p.y);
    TY_NEAR(turn, 0.5, 0.01);
    TY_NEAR(chord, 2.0 * 4.0 * sin(0.25), 0.03);
    /* every wheel stands across the line to the turning centre, 4 m to the left of the middle */
    for (int i = 0; i < 4; i++) {
        double x = i < 2 ? 0.6418 : -0.6418, y = i % 2 ? -0.6098 : 0.6098;
        TY_NEAR(b.wheel[i].steer, atan2(0.05 * x, 0.2 - 0.05 * y), 5e-3);
    }
    TY_FAR(b.wheel[0].steer, b.wheel[1].steer, 0.01); /* the control: they are not parallel */
    /* crab: no turn, motion at the angle */
    after(&g, "viper", TY_SOIL_RIGID, (ty_drive_command){ .mode = TY_STEER_CRAB, .v = 0.2, .crab = 0.4 }, 5.0, &a, &b);
    TY_NEAR(yaw_of(&b), yaw_of(&a), 0.01);
    TY_NEAR(atan2(b.pose.p.y - a.pose.p.y, b.pose.p.x - a.pose.p.x), 0.4, 0.02);
    /* on the spot; viper steers by 30 deg only, so that its wheels scrub, curiosity's do not */
    after(&g, "curiosity", TY_SOIL_RIGID, (ty_drive_command){ .mode = TY_STEER_POINT, .omega = 0.08 }, 8.0, &a, &b);
    TY_NEAR(ty_k_wrap(yaw_of(&b) - yaw_of(&a)), 0.64, 0.02);
    TY_NEAR(hypot(b.pose.p.x - a.pose.p.x, b.pose.p.y - a.pose.p.y), 0.0, 0.1);
    /* skid: turns, more slowly than asked because the wheels slide */
    after(&g, "ex1", TY_SOIL_RIGID, (ty_drive_command){ .mode = TY_STEER_SKID, .v = 0.1, .omega = 0.3 }, 5.0, &a, &b);
    TY_CHECK(ty_k_wrap(yaw_of(&b) - yaw_of(&a)) > 0.2);
    TY_CHECK(ty_k_wrap(yaw_of(&b) - yaw_of(&a)) < 1.5);
    tyt_ground_free(&g);
    TY_ROW("Ackermann, crab, point turn on hard ground: heading within 0.01 to 0.02 rad", "kinematics",
           "%.4f, %.4f, %.4f rad", tyt_worst("turn"), tyt_worst("yaw_of(&b)"),
           tyt_worst("ty_k_wrap(yaw_of(&b) - yaw_of(&a))"));
}

/* reverse is forward mirrored */
TY_TEST(steer, reverse)
{
    tyt_ground g;
    ty_vehicle_state a, b, c, d;
    tyt_ground_flat(&g);
    after(&g, "ishigami", TY_SOIL_BEKKER, (ty_drive_command){ .v = 0.1 }, 5.0, &a, &b);
    tyt_ground_free(&g);
    tyt_ground_flat(&g); /* without ruts */
    after(&g, "ishigami", TY_SOIL_BEKKER, (ty_drive_command){ .v = -0.1 }, 5.0, &c, &d);
    TY_NEAR(b.pose.p.x - a.pose.p.x, c.pose.p.x - d.pose.p.x, 2e-3);
    TY_CHECK(b.pose.p.x - a.pose.p.x > 0.45);
    TY_NEAR(b.wheel[0].slip, d.wheel[2].slip, 2e-3); /* what leads forward trails backward */
    tyt_ground_free(&g);
}

#define ROWS 1000
typedef struct path {
    size_t n;
    double x[ROWS], y[ROWS];
} path;

/* fitted: each wheel at the speed that the circle without slip asks of it; otherwise all at one
 * speed, as in the experiment */
static void turn(const tyt_ground *g, ty_soil_model_kind soil, bool fitted, double steer_deg, double seconds, path *p,
                 double *radius)
{
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    ty_vehicle_def def = tyt_vehicle_def(g, "ishigami", soil);
    def.gravity = 9.81;
    def.soil.bekker.kx = 0.036,
    def.soil.bekker.kx_beta = 0.043; /* the soil of Ishigami 2007, models/soils/ishigami.yaml */
    def.soil.bekker.ky = 0.013, def.soil.bekker.ky_beta = 0.020;
    def.soil.bekker.k_c = 1.37e3, def.soil.bekker.k_phi = 8.14e5, def.soil.bekker.c = 800.0,
    def.soil.bekker.phi = 37.2 * TY_DEG;
    def.soil.bekker.rho = 1600.0, def.soil.bekker.lambda = 0.9;
    ty_vehicle *v = tyt_vehicle(&def);
    double rear = 0.60 / tan(steer_deg * TY_DEG), omega[4] = { 1.0, 1.0, 1.0, 1.0 };
    if (fitted) {
        omega[0] *= hypot(0.60, rear - 0.20) / rear, omega[1] *= hypot(0.60, rear + 0.20) / rear;
        omega[2] *= (rear - 0.20) / rear, omega[3] *= (rear + 0.20) / rear;
    }
    double steer[4] = { steer_deg * TY_DEG, steer_deg * TY_DEG, 0.0, 0.0 }, none[4] = { 0.0 };
    ty_vehicle_command_wheels(v, none, steer, &diag);
    tyt_run(v, 2.0);
    ty_vehicle_command_wheels(v, omega, steer, &diag);
    p->n = 0;
    double yaw = 0.0, way = 0.0;
    for (int i = 0; i < (int)(seconds * 10.0); i++) {
        tyt_run(v, 0.1);
        ty_vehicle_get(v, &s);
        if (i == (int)(seconds * 5.0)) {
            yaw = yaw_of(&s), way = s.odometer;
        }
        p->x[p->n] = s.pose.p.x, p->y[p->n++] = s.pose.p.y;
    }
    *radius = (s.odometer - way) / ty_k_wrap(yaw_of(&s) - yaw);
    ty_vehicle_destroy(v);
}

/* Front wheels at 15 and 30 deg: on soft soil side slip carries the rover outward of the circle
 * that it drives on hard ground, as [uly] Fig. 4.4 and Ishigami 2007 tell. No measured track is at
 * hand as numbers. */
TY_TEST(steer, widens, .timeout = 200)
{
    static path p[6];
    static const char *const label[6] = {
        "hard ground, no slip, 15\u00b0", "bekker, 15\u00b0", "hard ground, one speed, 15\u00b0",
        "hard ground, no slip, 30\u00b0", "bekker, 30\u00b0", "hard ground, one speed, 30\u00b0"
    };
    static const ty_draw_dash dash[3] = { TY_DASH_DASHED, TY_DASH_SOLID, TY_DASH_DOTTED };
    double radius[6], seconds = 20.0;
    ty_draw_series series[6];
    for (int k = 0; k < 6; k++) {
        tyt_ground g; /* each time a new one, without the ruts of the last run */
        tyt_ground_flat(&g);
        turn(&g, k % 3 == 1 ? TY_SOIL_BEKKER : TY_SOIL_RIGID, k % 3 == 0, k < 3 ? 15.0 : 30.0, seconds, &p[k],
             &radius[k]);
        series[k] = (ty_draw_series){ .label = label[k],
                                      .n = p[k].n,
                                      .x = p[k].x,
                                      .y = p[k].y,
                                      .color = ty_draw_palette(k / 3),
                                      .dash = dash[k % 3] };
        tyt_ground_free(&g);
    }
    for (int k = 0; k < 6; k += 3) {
        /* the rear wheels do not steer: without slip the circle's radius is wheelbase / tan(angle) at the rear axle */
        double rear = 0.60 / tan((k ? 30.0 : 15.0) * TY_DEG);
        printf("turning radius at %d deg: no slip %.2f m (geometry %.2f), bekker %.2f m, hard "
               "ground at one speed %.2f m\n",
               k ? 30 : 15, radius[k], hypot(rear, 0.30), radius[k + 1], radius[k + 2]);
        TY_NEAR(radius[k], hypot(rear, 0.30), 0.05 * rear);
        TY_CHECK(radius[k + 1] > 1.05 * radius[k]);
    }
    TY_CHECK(radius[1] > radius[4]);
    if (getenv("TYCHO_FIGURES")) {
        char file[4096];
        ty_diag diag = { 0 };
        ty_draw_panel panel = { .x = { .label = "x [m]" },
                                .y = { .label = "y [m]" },
                                .series = series,
                                .count = 6,
                                .equal = true,
                                .key = TY_KEY_OUTSIDE };
        ty_draw_figure figure = ty_draw_figure_default();
        figure.title = "Ishigami rover, front wheels steered, 1 rad/s for 20 s, Earth gravity";
        figure.panel = &panel;
        figure.height = 800;
        snprintf(file, sizeof file, "%s/ishigami_turn.png", getenv("TYCHO_FIGURES"));
        cr_assert(ty_draw_write_figure(file, &figure, &diag) == TY_OK, "%s", diag.text);
    }
}

/* ---- drivers ---- */

static double cross_track(const ty_waypoint *w, size_t n, double x, double y)
{
    double best = INFINITY;
    for (size_t i = 0; i + 1 < n; i++) {
        double dx = w[i + 1].x - w[i].x, dy = w[i + 1].y - w[i].y, l2 = dx * dx + dy * dy;
        double at = fmin(fmax(((x - w[i].x) * dx + (y - w[i].y) * dy) / l2, 0.0), 1.0);
        best = fmin(best, hypot(x - w[i].x - at * dx, y - w[i].y - at * dy));
    }
    return best;
}

TY_TEST(steer, waypoints, .timeout = 200)
{
    static const ty_waypoint points[] = { { 0.0, 0.0, 0.0 }, { 2.0, 0.0, 0.0 }, { 3.5, 1.0, 0.0 }, { 4.5, 2.5, 0.0 } };
    tyt_ground g;
    ty_diag diag = { 0 };
    tyt_ground_flat(&g);
    for (int law = 0; law < 2; law++) {
        tyi_vehicle_driver_path_def def = tyi_vehicle_driver_path_def_default();
        tyi_vehicle_driver *driver;
        def.points = points, def.count = 4, def.speed = 0.25, def.ahead = 0.8,
        def.law = (tyi_vehicle_driver_path_law)law, def.gain = 1.0;
        cr_assert(tyi_vehicle_driver_path(&def, &driver, &diag) == TY_OK, "%s", diag.text);
        ty_vehicle_def vdef = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
        ty_vehicle *v = tyt_vehicle(&vdef);
        ty_vehicle_state s;
        double worst = 0.0;
        bool more = true;
        ty_vehicle_get(v, &s);
        for (int i = 0; i < 4000 && more; i++) {
            ty_drive_command c;
            more = tyi_vehicle_driver_command(driver, &s, &c);
            ty_vehicle_command(v, &c, &diag);
            tyt_run(v, 0.02);
            ty_vehicle_get(v, &s);
            worst = fmax(worst, cross_track(points, 4, s.pose.p.x, s.pose.p.y));
        }
        printf("%s: arrives after %.1f s, %.2f m from the end, at most %.2f m off the path\n",
               law ? "proportional" : "pursuit", ty_seconds(s.time), hypot(s.pose.p.x - 4.5, s.pose.p.y - 2.5), worst);
        TY_CHECK(!more);
        TY_NEAR(hypot(s.pose.p.x - 4.5, s.pose.p.y - 2.5), 0.0, 0.3);
        TY_CHECK(worst < 0.35);
        tyi_vehicle_driver_destroy(driver);
        ty_vehicle_destroy(v);
    }
    tyt_ground_free(&g);
}

/* arrival in time: twice as late, half as fast */
TY_TEST(steer, in_time)
{
    const ty_waypoint points[] = { { 3.0, 0.0, 30.0 } };
    tyi_vehicle_driver_path_def def = tyi_vehicle_driver_path_def_default();
    tyi_vehicle_driver *driver;
    ty_diag diag = { 0 };
    ty_drive_command c;
    ty_vehicle_state s = { .pose = { .q = { 1.0, 0.0, 0.0, 0.0 } } };
    def.points = points, def.count = 1;
    cr_assert(tyi_vehicle_driver_path(&def, &driver, &diag) == TY_OK);
    TY_CHECK(tyi_vehicle_driver_command(driver, &s, &c));
    TY_NEAR(c.v, 0.1, 1e-9);
    s.time = ty_time_from(15.0);
    TY_CHECK(tyi_vehicle_driver_command(driver, &s, &c));
    TY_NEAR(c.v, 0.2, 1e-9);
    s.time = ty_time_from(40.0); /* late: as fast as it may */
    TY_CHECK(tyi_vehicle_driver_command(driver, &s, &c));
    TY_NEAR(c.v, 0.4, 1e-9);
    tyi_vehicle_driver_destroy(driver);
    def.points = (const ty_waypoint[]){ { NAN, 0.0, 0.0 } };
    TY_CHECK(tyi_vehicle_driver_path(&def, &driver, &diag) == TY_ERR_INPUT);
    TY_ROW("waypoints with times: speed asked within 1e-9 m/s", "distance over time", "%.0e m/s", tyt_worst("c.v"));
}

static ty_status table(const char *text, tyi_vehicle_driver **driver, ty_diag *diag)
{
    char name[] = "/tmp/tycho-table-XXXXXX";
    int file = mkstemp(name);
    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    *diag = (ty_diag){ 0 };
    ty_status status = tyi_vehicle_driver_read_table(name, NULL, driver, diag);
    unlink(name);
    return status;
}

TY_TEST(steer, table)
{
    tyi_vehicle_driver *driver;
    ty_diag diag;
    ty_drive_command c;
    ty_vehicle_state s = { 0 };
    cr_assert(table("t, v, omega_deg, mode\n0, 0.1, 0, ackermann\r\n5,0.2,10,skid\n\n7.5,0,0,ackermann\n", &driver,
                    &diag) == TY_OK,
              "%s", diag.text);
    TY_CHECK(tyi_vehicle_driver_command(driver, &s, &c) && c.v == 0.1 && c.mode == TY_STEER_ACKERMANN);
    s.time = ty_time_from(5.0);
    TY_CHECK(tyi_vehicle_driver_command(driver, &s, &c) && c.v == 0.2 && c.mode == TY_STEER_SKID);
    TY_NEAR(c.omega, 10.0 * TY_DEG, 1e-12);
    s.time = ty_time_from(8.0);
    TY_CHECK(!tyi_vehicle_driver_command(driver, &s, &c) && c.v == 0.0);
    tyi_vehicle_driver_destroy(driver);
    static const char *const wrong[][2] = {
        { "", "is empty" },
        { "t,v\n", "'omega_deg' is needed" },
        { "t,v,omega_deg,w\n", "column 'w' is unknown" },
        { "t,v,v,omega_deg\n", "there twice" },
        { "t,v,omega_deg\n", "no row" },
        { "t,v,omega_deg\n0,x,0\n", ":2: v is 'x'" },
        { "t,v,omega_deg\n0,nan,0\n", "finite" },
        { "t,v,omega_deg\n0,1\n", "has 2 fields" },
        { "t,v,omega_deg\n0,1,2,3\n", "more fields" },
        { "t,v,omega_deg\n0,1,2\n0,1,2\n", ":3: t is 0, but must be above 0" },
        { "t,v,omega_deg,mode\n0,1,2,fly\n", "mode is 'fly'" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ty_status status = table(wrong[i][0], &driver, &diag);
        cr_expect(status != TY_OK && !driver && strstr(diag.text, wrong[i][1]), "%zu: %s", i, diag.text);
    }
    TY_CHECK(tyi_vehicle_driver_read_table("/nonexistent/table.csv", NULL, &driver, &diag) == TY_ERR_FILE);
}
