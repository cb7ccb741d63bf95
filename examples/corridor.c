/* examples/corridor.c - a rover drives between two rows of rocks on lidar alone.
 *
 * The idea is that of the first demonstration of Chrono::Sensor ([csens] section 4): no map, no position, only
 * clouds of points. With each new cloud the program looks which of 41 arcs ahead stays farthest from everything that
 * stands up from the ground, and drives along it. When no rock is left in front, the rows have ended and it stops.
 *
 *     corridor [--seed N] [--picture FILE.png] [--straight] [--scenario FILE] [--set KEY=VALUE]...
 *
 * The seed chooses where the rocks lie and how the rover stands at the start. --straight switches the steering off.
 * Exit code: 0 the rover reached the end of the rows and touched no rock, 1 it did not, 2 wrong input.
 *
 * What counts as touching: the rocks are objects of the scenario, which sensors see but wheels do not meet. So the
 * referee (course.c) measures: a rectangle around the wheels against circles around the rocks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <tycho/filter.h>
#include "course.h"

#define LENGTH  12.0 /* [m] of the rows */
#define SPEED   0.4  /* [m/s] */
#define LIDAR_Z 0.61 /* [m] the lidar stands this high above level ground */
#define TALL    0.18 /* [m] what stands higher than this above the ground is a rock */
#define LOOK    4.0  /* [m] farther points are left out: far away the ground may rise above TALL */

/* ---- the course ---- */

/* Two rows along a winding line, as settings of the scenario: "objects.0={type: mesh, ...}". */
static size_t make_rows(course *c, uint64_t seed, char (*text)[256])
{
    size_t n = 0;
    double phase = course_random(seed, 1, 0.0, 2.0 * TY_PI), bend = course_random(seed, 2, 0.5, 1.0);
    for (double x = -1.5; x < LENGTH; x += 0.95) {
        for (int side = -1; side <= 1; side += 2) {
            double r = course_random(seed, 100 + 4 * n, 0.32, 0.45), out = course_random(seed, 101 + 4 * n, 1.3, 1.5);
            double at = x + course_random(seed, 102 + 4 * n, -0.1, 0.1),
                   yaw = course_random(seed, 103 + 4 * n, 0.0, 360.0);
            double middle = bend * (sin(2.0 * TY_PI * at / LENGTH + phase) - sin(phase));
            snprintf(
                text[n], sizeof text[n],
                "objects.%zu={type: mesh, file: boulder.obj, label: rock, scale: %.3f, position: [%.3f, %.3f, -0.05], on_ground: true, "
                "rpy_deg: [0, 0, %.1f]}",
                n, r, at, middle + side * out, yaw);
            course_rock(c, at, middle + side * out, r);
            n++;
        }
    }
    c->goal_x = LENGTH;
    c->goal_y = bend * (sin(2.0 * TY_PI + phase) - sin(phase));
    double slope = bend * 2.0 * TY_PI / LENGTH * cos(phase);
    snprintf(text[n++], sizeof text[0], "rovers.0.y=%.3f", course_random(seed, 3, -0.25, 0.25));
    snprintf(text[n++], sizeof text[0], "rovers.0.yaw_deg=%.2f",
             atan(slope) / TY_DEG + course_random(seed, 4, -12.0, 12.0));
    return n;
}

/* ---- the driver: a cloud in, a command out ---- */

typedef struct driver {
    size_t n;
    double x[4096], y[4096]; /* [m] rocks' points, from the lidar: forward and left */
    int free;                /* scans in succession without a rock ahead */
} driver;

static void take_cloud(driver *d, const ty_buffer *cloud)
{
    bool ahead = false;
    d->n = 0;
    for (int j = 0; j < cloud->type.height; j++) {
        for (int i = 0; i < cloud->type.width; i++) {
            const ty_cloud_point *p = ty_buffer_at(cloud, i, j, 0);
            /* beams without a return are NaN, and fail every comparison */
            if (p->range < LOOK && p->z > TALL - LIDAR_Z && d->n < 4096) {
                d->x[d->n] = p->x, d->y[d->n++] = p->y;
                ahead = ahead || p->x > 0.0;
            }
        }
    }
    d->free = ahead ? 0 : d->free + 1;
}

/* how near an arc of 2.4 m comes to a rock [m]; curvature [1/m], left positive */
static double room(const driver *d, double curvature)
{
    double least = 2.0;
    for (double s = 0.2; s <= 2.4; s += 0.2) {
        double turn = s * curvature;
        double x = fabs(turn) < 1e-9 ? s : sin(turn) / curvature,
               y = fabs(turn) < 1e-9 ? 0.0 : (1.0 - cos(turn)) / curvature;
        for (size_t i = 0; i < d->n; i++) {
            least = fmin(least, hypot(d->x[i] - x, d->y[i] - y));
        }
    }
    return least;
}

static ty_drive_command choose(const driver *d)
{
    double best = -1.0, curvature = 0.0;
    for (int k = -20; k <= 20; k++) {
        double score = room(d, 0.05 * k) - 0.002 * abs(k); /* of equal ones the straightest */
        if (score > best) {
            best = score, curvature = 0.05 * k;
        }
    }
    /* wheels that cannot be steered turn the rover by slipping, and it turns less than told: so ask for more */
    return (ty_drive_command){ .mode = TY_STEER_SKID, .v = SPEED, .omega = 2.5 * SPEED * curvature };
}

/* ---- the loop ---- */

static ty_status drive(ty_run *run, course *c, bool straight, ty_diag *diag)
{
    driver d = { 0 };
    size_t lidar;
    if (!ty_run_find_sensor(run, NULL, "lidar", &lidar)) {
        return ty_fail(diag, TY_ERR_INPUT, "the scenario has no sensor 'lidar'");
    }
    uint64_t seen = 0;
    ty_status status = TY_OK;
    while (status == TY_OK && !ty_run_done(run) && d.free < 3) {
        status = ty_run_step(run, diag);
        course_watch(c, ty_run_rover(run, 0));
        const ty_message *m = ty_run_newest(run, lidar);
        if (status == TY_OK && m && m->sequence + 1 != seen) { /* a new cloud */
            seen = m->sequence + 1;
            take_cloud(&d, &m->part[0].data);
            ty_drive_command command = straight ? (ty_drive_command){ .mode = TY_STEER_SKID, .v = SPEED } : choose(&d);
            status = ty_run_command(run, 0, &command, diag);
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    static course c;
    static char text[120][256];
    course_options o = { .file = "examples/corridor.yaml", .seed = 1 };
    if (!course_options_read(&o, argc, argv, "corridor", "--straight")) {
        return 2;
    }
    size_t own = make_rows(&c, o.seed, text);
    for (size_t i = 0; i < own; i++) {
        o.setting[o.settings++] = text[i];
    }
    ty_diag diag = { 0 };
    ty_scenario *scenario = NULL;
    ty_run *run = NULL;
    ty_run_def def = ty_run_def_default();
    ty_status status = ty_scenario_load(o.file, o.setting, o.settings, &scenario, &diag);
    if (status == TY_OK) {
        def.scenario = scenario;
        def.detail = 256; /* less ground far away than a camera would want */
        status = ty_run_create(&def, &run, &diag);
    }
    int code = 2;
    if (status == TY_OK) {
        course_start(&c, ty_run_rover(run, 0));
        status = drive(run, &c, o.plain, &diag);
        ty_vehicle_state end;
        ty_vehicle_get(ty_run_rover(run, 0), &end);
        double past = end.pose.p.x - c.goal_x;
        char what[32];
        snprintf(what, sizeof what, "corridor, seed %llu", (unsigned long long)o.seed);
        code = course_report(&c, what, past > -0.5 && past < 2.0 && fabs(end.pose.p.y - c.goal_y) < 1.5,
                             ty_seconds(ty_run_time(run)));
        if (status == TY_OK && o.picture) {
            status = course_draw(&c, ty_world_terrain(ty_run_world(run)), "Between two rows of rocks, on lidar alone",
                                 o.picture, &diag);
        }
    }
    if (status != TY_OK) {
        fprintf(stderr, "corridor: %s\n", diag.text);
        code = 2;
    }
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
    return code;
}
