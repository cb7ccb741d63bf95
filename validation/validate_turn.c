/* validation/validate_turn.c - the Ishigami rover with its front wheels steered by 15 and 30 deg, all wheels at one
 * speed: soft soil carries it outward of the path without slip. No measured track is at hand as numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/tools/draw.h"
#include "tycho/math.h"
#include "tycho/tools/testbed.h"
#include "tycho/vehicle.h"
#include "validate.h"

enum { WAYS = 4, ROWS = 200, WHEELS = 4 };
static const double base = 0.60, track = 0.40; /* [m] of the ishigami preset */

typedef struct path {
    const char *label;
    ty_soil_model_kind soil;
    /* each wheel at the speed that the circle without slip asks of it; else all at one, as in the experiment */
    bool fitted;
    ty_draw_dash dash;
    double radius; /* [m] of the body's middle, over the second half */
    int n;
    double x[ROWS], y[ROWS];
} path;

static double yaw_of(const ty_vehicle_state *s)
{
    ty_vec3 f = ty_rotate(s->pose.q, ty_vec3_make(1.0, 0.0, 0.0));
    return atan2(f.y, f.x);
}

/* 2 s to settle and steer, then 20 s at 1 rad/s */
static ty_status follow(ty_vehicle *v, const double *omega, const double *steer, path *p, ty_diag *diag)
{
    const double none[WHEELS] = { 0.0 };
    double way = 0.0, turned = 0.0, last = 0.0;
    ty_vehicle_state s;
    ty_status status = ty_vehicle_command_wheels(v, none, steer, diag);
    for (int i = 0; i < 22000 && status == TY_OK; i++) {
        status = i == 2000 ? ty_vehicle_command_wheels(v, omega, steer, diag) : status;
        status = status == TY_OK ? ty_vehicle_step(v, 1e-3, diag) : status;
        status = status == TY_OK ? ty_vehicle_press_ruts(v, diag) : status;
        if (status == TY_OK && i >= 2000 && i % 100 == 0 && p->n < ROWS) {
            ty_vehicle_get(v, &s);
            double yaw = yaw_of(&s), step = remainder(yaw - last, 2.0 * TY_PI);
            turned += i > 12000 ? step : 0.0;
            way = i <= 12000 ? s.odometer : way;
            last = yaw;
            p->x[p->n] = s.pose.p.x, p->y[p->n++] = s.pose.p.y;
            p->radius = turned > 0.0 ? (s.odometer - way) / turned : 0.0;
        }
    }
    return status;
}

static ty_status turn(path *p, double deg, ty_diag *diag)
{
    static const double level = 0.0;
    double rear = base / tan(deg * TY_DEG), omega[WHEELS] = { 1.0, 1.0, 1.0, 1.0 };
    double steer[WHEELS] = { deg * TY_DEG, deg * TY_DEG, 0.0, 0.0 };
    for (int i = 0; i < WHEELS && p->fitted; i++) {
        double side = rear + (i % 2 ? 0.5 : -0.5) * track;
        omega[i] = (i < 2 ? hypot(base, side) : side) / rear;
    }
    char file[4096];
    const char *root = getenv("TYCHO_SOURCE");
    ty_terrain *terrain = NULL;
    ty_vehicle *v = NULL;
    ty_vehicle_def def = ty_vehicle_def_default();
    ty_status status = validate_plane(&level, &terrain, diag);
    status =
        status == TY_OK ? ty_soil_params_load("models/soils/ishigami.yaml", NULL, 0, &def.soil.bekker, diag) : status;
    snprintf(file, sizeof file, "%s/models/rovers/ishigami.yaml", root ? root : ".");
    def.rover = file;
    def.terrain = terrain;
    def.gravity = 9.81;
    def.soil.model = p->soil;
    def.soil.grid.spacing = 0.01; /* wheels are 0.11 m wide */
    status = status == TY_OK ? ty_vehicle_create(&def, &v, diag) : status;
    status = status == TY_OK ? follow(v, omega, steer, p, diag) : status;
    ty_vehicle_destroy(v);
    ty_terrain_destroy(terrain);
    return status;
}

/* Radius [m] that Coulomb friction alone gives with all rims at one speed: the motion in which the friction of four
 * equally loaded wheels, each against its own sliding, has no resultant. Found as the rest of a body that it drives. */
static double coulomb_radius(double deg)
{
    double q[3] = { 0.09, 0.0, 0.03 }, rim = 0.09; /* [m/s], [m/s], [rad/s] of the middle */
    for (int it = 0; it < 1000000; it++) {
        double f[3] = { 0.0 };
        for (int i = 0; i < WHEELS; i++) {
            double x = (i < 2 ? 0.5 : -0.5) * base, y = (i % 2 ? -0.5 : 0.5) * track, a = i < 2 ? deg * TY_DEG : 0.0;
            double vx = q[0] - q[2] * y - rim * cos(a), vy = q[1] + q[2] * x - rim * sin(a);
            double size = sqrt(vx * vx + vy * vy + 1e-10);
            f[0] -= vx / size, f[1] -= vy / size, f[2] -= (x * vy - y * vx) / size;
        }
        q[0] += 5e-6 * f[0], q[1] += 5e-6 * f[1], q[2] += 4e-5 * f[2];
    }
    return hypot(q[0], q[1]) / q[2];
}

static ty_status draw(validate_book *book, path *const p[2], ty_diag *diag)
{
    ty_draw_series series[2][WAYS];
    ty_draw_panel panel[2];
    memset(series, 0, sizeof series);
    memset(panel, 0, sizeof panel);
    for (int a = 0; a < 2; a++) {
        for (int k = 0; k < WAYS; k++) {
            series[a][k] =
                (ty_draw_series){ .label = p[a][k].label,
                                  .n = (size_t)p[a][k].n,
                                  .x = p[a][k].x,
                                  .y = p[a][k].y,
                                  .color = k ? ty_draw_palette(k - 1) : (ty_draw_color){ 0.45, 0.45, 0.45, 1.0 },
                                  .dash = p[a][k].dash };
        }
        panel[a] = (ty_draw_panel){ .title = a ? "30\u00b0" : "15\u00b0",
                                    .x = { .label = "x [m]" },
                                    .y = { .label = "y [m]" },
                                    .series = series[a],
                                    .count = WAYS,
                                    .equal = true,
                                    .key = a ? TY_KEY_NONE : TY_KEY_TOP_LEFT };
    }
    char file[4096];
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = "Ishigami rover, front wheels steered, wheels at 1 rad/s for 20 s, 9.81 m/s\u00b2";
    figure.panel = panel;
    figure.columns = 2;
    figure.width = 1200;
    figure.height = 640;
    return ty_draw_write_figure(validate_picture(book, "validation_turn.png", file, sizeof file), &figure, diag);
}

ty_status validate_turn(validate_book *book, ty_diag *diag)
{
    path *p[2] = { calloc(WAYS, sizeof **p), calloc(WAYS, sizeof **p) };
    ty_status status = p[0] && p[1] ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the paths");
    for (int a = 0; a < 2 && status == TY_OK; a++) {
        double deg = a ? 30.0 : 15.0, geometry = hypot(base / tan(deg * TY_DEG), 0.5 * base);
        p[a][0] = (path){ .label = "no slip (hard ground, fitted speeds)",
                          .soil = TY_SOIL_RIGID,
                          .fitted = true,
                          .dash = TY_DASH_DASHED };
        p[a][1] = (path){ .label = "bekker", .soil = TY_SOIL_BEKKER };
        p[a][2] = (path){ .label = "scm on 10 mm", .soil = TY_SOIL_SCM };
        p[a][3] = (path){ .label = "hard ground, one speed", .soil = TY_SOIL_RIGID, .dash = TY_DASH_DOTTED };
        for (int k = 0; k < WAYS && status == TY_OK; k++) {
            status = turn(&p[a][k], deg, diag);
        }
        if (status == TY_OK) {
            char claim[120];
            snprintf(claim, sizeof claim, "front wheels at %g deg: soft soil leaves the path without slip outward",
                     deg);
            bool outward = p[a][1].radius > 1.03 * p[a][0].radius && p[a][2].radius > 1.03 * p[a][0].radius;
            validate_add(
                book, outward ? VALIDATE_MET : VALIDATE_MISSED, claim, "direction as in [uly] Fig. 4.4",
                "radius %.2f m without slip (geometry %.2f), bekker %.2f, scm %.2f; hard ground at one speed %.2f "
                "(Coulomb friction alone %.2f)",
                p[a][0].radius, geometry, p[a][1].radius, p[a][2].radius, p[a][3].radius, coulomb_radius(deg));
        }
    }
    status = status == TY_OK ? draw(book, p, diag) : status;
    free(p[0]);
    free(p[1]);
    return status;
}
