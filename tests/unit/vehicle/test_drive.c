/* tests/unit/vehicle/test_drive.c - rovers driving on soft ground. TYCHO_FIGURES=DIR leaves the plots in DIR.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ground.h"
#include "tycho/tools/draw.h"
#include "vehicle/inner.h"
#include "tyt.h"

#define ROWS 4096
typedef struct track {
    size_t n;
    double way[ROWS], z[ROWS], slip[4][ROWS], sinkage[4][ROWS];
} track;

/* drives `metres` along x at 0.2 m/s, taking a row every 20 mm */
static void drive(ty_vehicle *v, double metres, track *t)
{
    ty_diag diag = { 0 };
    ty_vehicle_state s;
    t->n = 0;
    cr_assert(tyt_run(v, 1.0));
    cr_assert(ty_vehicle_command(v, &(ty_drive_command){ .v = 0.2 }, &diag) == TY_OK);
    ty_vehicle_get(v, &s);
    double start = s.pose.p.x, next = start;
    for (int i = 0; i < 400000 && s.pose.p.x < start + metres && t->n < ROWS; i++) {
        if (ty_vehicle_step(v, 1e-3, &diag) != TY_OK || ty_vehicle_press_ruts(v, &diag) != TY_OK) {
            cr_assert(false, "%s", diag.text);
        }
        ty_vehicle_get(v, &s);
        if (s.pose.p.x >= next) {
            t->way[t->n] = s.pose.p.x - start;
            t->z[t->n] = s.pose.p.z;
            for (int k = 0; k < 4; k++) {
                t->slip[k][t->n] = 100.0 * s.wheel[k].slip;
                t->sinkage[k][t->n] = 100.0 * s.wheel[k].sinkage;
            }
            t->n++;
            next += 0.02;
        }
    }
}

static void plot(const char *name, const char *title, const track *t)
{
    const char *folder = getenv("TYCHO_FIGURES");
    if (!folder) {
        return;
    }
    static const char *const wheel[4] = { "front left", "front right", "rear left", "rear right" };
    ty_draw_series slip[4], sinkage[4], height[1] = { { .n = t->n, .x = t->way, .y = t->z } };
    for (int k = 0; k < 4; k++) {
        slip[k] = (ty_draw_series){ .label = wheel[k], .n = t->n, .x = t->way, .y = t->slip[k] };
        sinkage[k] = (ty_draw_series){ .n = t->n, .x = t->way, .y = t->sinkage[k] };
    }
    ty_draw_panel panel[3] = {
        { .y = { .label = "slip [%]" }, .series = slip, .count = 4 },
        { .y = { .label = "sinkage [cm]" }, .series = sinkage, .count = 4 },
        { .x = { .label = "way [m]" }, .y = { .label = "height of the chassis [m]" }, .series = height, .count = 1 },
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = title;
    figure.panel = panel;
    figure.rows = 3;
    figure.share_x = true;
    figure.width = 1100;
    figure.height = 900;
    char path[4096];
    ty_diag diag = { 0 };
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    cr_assert(ty_draw_write_figure(path, &figure, &diag) == TY_OK, "%s", diag.text);
}

static double mean(const double *y, size_t from, size_t to)
{
    double sum = 0.0;
    for (size_t i = from; i < to; i++) {
        sum += y[i];
    }
    return sum / (double)(to - from);
}

/* On level ground and on a slope of 10 deg the rover settles where the static solution of one wheel
 * under its share of the weight does: mean slip where the drawbar pull carries the weight's share
 * down the slope. */
static void static_point(const ty_vehicle *v, double angle, double *slip, double *sinkage)
{
    ty_wheel_info info[TY_WHEELS_MAX];
    ty_wheel_load load;
    ty_diag diag = { 0 };
    ty_soil_params soil = ty_soil_def_default().bekker;
    ty_vehicle_wheels(v, info);
    double weight = 0.25 * ty_vehicle_mass(v) * 1.62, low = -0.3, high = 0.9;
    for (int i = 0; i < 60; i++) {
        *slip = 0.5 * (low + high);
        ty_wheel_steady motion = { .load = weight * cos(angle), .slip = *slip };
        cr_assert(ty_wheel_static(&soil, &info[0].shape, &motion, sinkage, &load, &diag) == TY_OK, "%s", diag.text);
        *(load.fx > weight * sin(angle) ? &high : &low) = *slip;
    }
}

TY_TEST(drive, ramp, .timeout = 200)
{
    static track t;
    tyt_ground g;
    double slip, sinkage;
    tyt_ground_ramp(&g, 4.0, 10.0 * TY_DEG);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    def.soil.multipass = false; /* every wheel on fresh soil, as the single one is */
    ty_vehicle *v = tyt_vehicle(&def);
    drive(v, tyt_long() ? 10.0 : 6.5, &t);
    plot("viper_ramp", "VIPER, lunar soil (bekker), 0.2 m/s: level, then 10\u00b0 up from 4 m on", &t);
    size_t flat0 = 60, flat1 = 140, up0 = 280,
           up1 = t.n; /* rows of 20 mm: all four wheels on level ground, on the slope */
    for (int part = 0; part < 2; part++) {
        size_t a = part ? up0 : flat0, b = part ? up1 : flat1;
        double s = 0.0, h = 0.0;
        for (int k = 0; k < 4; k++) {
            s += 0.25 * mean(t.slip[k], a, b);
            h += 0.25 * mean(t.sinkage[k], a, b);
        }
        static_point(v, part ? 10.0 * TY_DEG : 0.0, &slip, &sinkage);
        printf("%s: slip %.2f %%, sinkage %.2f cm; one wheel, static: %.2f %%, %.2f cm\n", part ? "10 deg" : "level", s,
               h, 100.0 * slip, 100.0 * sinkage);
        TY_NEAR(s, 100.0 * slip, part ? 1.0 : 0.3); /* wheels share the load unevenly, which averages to second order */
        TY_NEAR(h, 100.0 * sinkage, 0.1);
    }
    /* the control: the slope makes a difference that these bounds see */
    TY_FAR(mean(t.slip[0], up0, up1), mean(t.slip[0], flat0, flat1), 5.0);
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
    TY_ROW("a rover on bekker slips as a single wheel does within 1 %, level and 10 deg up", "the static solution",
           "worst %.2f %%; sinkage %.2f mm", tyt_worst("s"), 10.0 * tyt_worst("h"));
}

TY_TEST(drive, generated, .timeout = 200)
{
    static track t;
    tyt_ground g;
    tyt_ground_made(&g, 1);
    ty_vehicle_def def = tyt_vehicle_def(&g, "viper", TY_SOIL_BEKKER);
    ty_vehicle *v = tyt_vehicle(&def);
    drive(v, getenv("TYCHO_FIGURES") || tyt_long() ? 20.0 : 2.0, &t);
    plot("viper_generated", "VIPER, lunar soil (bekker), 0.2 m/s over generated ground (seed 1)", &t);
    for (int k = 0; k < 4; k++) {
        double h = mean(t.sinkage[k], 20, t.n);
        TY_CHECK(h > 0.3 && h < 4.0);
    }
    TY_CHECK(tyi_vehicle_loop_error(v) < 1e-5);
    ty_vehicle_destroy(v);
    tyt_ground_free(&g);
}
