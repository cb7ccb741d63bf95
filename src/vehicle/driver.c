/* src/vehicle/driver.c - who steers: a constant command, a table in time, or a path of waypoints.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "driver.h"
#include "k_pursuit.h"
#include "schedule.h"

tyi_vehicle_driver_path_def tyi_vehicle_driver_path_def_default(void)
{
    return (tyi_vehicle_driver_path_def){ .speed = 0.2,
                                          .law = TY_PATH_PURSUIT,
                                          .ahead = 1.5,
                                          .gain = 0.5,
                                          .omega_max = 0.3,
                                          .reach = 0.25,
                                          .give_up = 120.0,
                                          .cookie = TYI_COOKIE };
}

ty_status tyi_vehicle_driver_make(tyi_vehicle_driver_kind kind, size_t rows, size_t points, const ty_alloc *alloc,
                                  tyi_vehicle_driver **out, ty_diag *diag)
{
    size_t bytes = sizeof(tyi_vehicle_driver) + rows * sizeof(tyi_vehicle_drive_row) + points * sizeof(ty_waypoint);
    tyi_vehicle_driver *d = tyi_get(alloc, bytes);
    *out = d;
    if (!d) {
        return ty_fail(diag, TY_ERR_MEMORY, "driver: no memory (%zu bytes)", bytes);
    }
    d->kind = kind, d->alloc = alloc, d->bytes = bytes;
    d->rows = rows, d->points = points;
    d->row = (tyi_vehicle_drive_row *)(d + 1);
    d->point = (ty_waypoint *)(d->row + rows);
    return TY_OK;
}

void tyi_vehicle_driver_destroy(tyi_vehicle_driver *d)
{
    if (d) {
        tyi_vehicle_schedule_free(d->schedule);
        tyi_put(d->alloc, d, d->bytes);
    }
}

ty_status tyi_vehicle_driver_constant(const ty_drive_command *command, const ty_alloc *alloc, tyi_vehicle_driver **out,
                                      ty_diag *diag)
{
    *out = NULL;
    if (!isfinite(command->v) || !isfinite(command->omega) || !isfinite(command->crab)) {
        return ty_fail(diag, TY_ERR_INPUT,
                       "driver: the command v = %g m/s, omega = %g rad/s, crab = %g rad is not finite", command->v,
                       command->omega, command->crab);
    }
    ty_status status = tyi_vehicle_driver_make(TYI_VEHICLE_DRIVER_CONSTANT, 1, 0, alloc, out, diag);
    if (status == TY_OK) {
        (*out)->row[0].command = *command;
    }
    return status;
}

static ty_status check_numbers(const tyi_vehicle_driver_path_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF,
                       "driver: the definition did not start from tyi_vehicle_driver_path_def_default()");
    }
    const struct {
        const char *name;
        double value, low, high;
    } fields[] = { { "speed", def->speed, 1e-4, 100.0 }, { "ahead", def->ahead, 1e-2, 1e3 },
                   { "gain", def->gain, 0.0, 1e3 },      { "omega_max", def->omega_max, 1e-4, 100.0 },
                   { "reach", def->reach, 1e-3, 1e3 },   { "give_up", def->give_up, 0.0, 1e7 } };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (!(fields[i].value >= fields[i].low && fields[i].value <= fields[i].high)) {
            return ty_fail(diag, TY_ERR_RANGE, "driver: %s is %g, but takes %g to %g", fields[i].name, fields[i].value,
                           fields[i].low, fields[i].high);
        }
    }
    return TY_OK;
}

static ty_status check_path(const tyi_vehicle_driver_path_def *def, ty_diag *diag)
{
    ty_status status = check_numbers(def, diag);
    if (status != TY_OK) {
        return status;
    }
    if (!def->count || !def->points || (def->law != TY_PATH_PURSUIT && def->law != TY_PATH_PROPORTIONAL)) {
        return ty_fail(diag, TY_ERR_INPUT, "driver: a path takes one waypoint or more, and law 0 or 1");
    }
    double before = 0.0;
    for (size_t i = 0; i < def->count; i++) {
        const ty_waypoint *p = &def->points[i];
        if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->arrive) || (p->arrive > 0.0 && p->arrive <= before)) {
            return ty_fail(diag, TY_ERR_INPUT,
                           "driver: waypoint %zu is (%g, %g) m at %g s, but takes finite numbers and rising "
                           "times",
                           i, p->x, p->y, p->arrive);
        }
        before = p->arrive > 0.0 ? p->arrive : before;
    }
    return TY_OK;
}

ty_status tyi_vehicle_driver_path(const tyi_vehicle_driver_path_def *def, tyi_vehicle_driver **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = check_path(def, diag);
    if (status == TY_OK) {
        status = tyi_vehicle_driver_make(TYI_VEHICLE_DRIVER_PATH, 0, def->count, def->alloc, out, diag);
    }
    if (status == TY_OK) {
        (*out)->path = *def;
        memcpy((*out)->point, def->points, def->count * sizeof *def->points);
    }
    return status;
}

ty_status tyi_vehicle_driver_led(const tyi_vehicle_driver_path_def *def, tyi_vehicle_driver_kind kind,
                                 tyi_vehicle_driver **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = check_numbers(def, diag);
    status = status == TY_OK ? tyi_vehicle_driver_make(kind, 0, 0, def->alloc, out, diag) : status;
    if (status == TY_OK) {
        (*out)->path = *def;
    }
    return status;
}

tyi_vehicle_driver_sight *tyi_vehicle_driver_sees(tyi_vehicle_driver *d)
{
    return d && d->kind >= TYI_VEHICLE_DRIVER_AVOID ? &d->sight : NULL;
}

tyi_vehicle_schedule *tyi_vehicle_driver_schedule(tyi_vehicle_driver *d)
{
    return d ? d->schedule : NULL;
}

size_t tyi_vehicle_driver_progress(const tyi_vehicle_driver *d)
{
    return d->next;
}

void tyi_vehicle_driver_set_progress(tyi_vehicle_driver *d, size_t progress)
{
    d->next = progress < d->points ? progress : d->points;
}

/* ---- the path ---- */

/* way [m] from p to waypoint `to`, through those before it */
static double way_to(const tyi_vehicle_driver *d, double x, double y, size_t to)
{
    double sum = 0.0;
    for (size_t i = d->next; i <= to; i++) {
        sum += hypot(d->point[i].x - x, d->point[i].y - y);
        x = d->point[i].x, y = d->point[i].y;
    }
    return sum;
}

/* as fast as the next time of arrival asks for, within twice the speed */
static double speed_for(const tyi_vehicle_driver *d, const ty_vehicle_state *s)
{
    for (size_t i = d->next; i < d->points; i++) {
        if (d->point[i].arrive > 0.0) {
            double left = d->point[i].arrive - ty_seconds(s->time), way = way_to(d, s->pose.p.x, s->pose.p.y, i);
            return left > 1e-3 ? fmin(way / left, 2.0 * d->path.speed) : 2.0 * d->path.speed;
        }
    }
    return d->path.speed;
}

/* The point `ahead` along the path from the rover's nearest point on the present leg; past the last
 * waypoint the last leg goes on, so that the rover arrives along it. */
static void aim(const tyi_vehicle_driver *d, double x, double y, double *ax, double *ay)
{
    const ty_waypoint *to = &d->point[d->next];
    double fx = d->next ? d->point[d->next - 1].x : x, fy = d->next ? d->point[d->next - 1].y : y;
    double length = hypot(to->x - fx, to->y - fy), rest = d->path.ahead, at = 0.0;
    if (length > 1e-9) {
        at = fmin(fmax(((x - fx) * (to->x - fx) + (y - fy) * (to->y - fy)) / (length * length), 0.0), 1.0);
        rest -= (1.0 - at) * length;
    }
    for (size_t i = d->next; rest > 0.0 && i + 1 < d->points; i++) {
        double next = hypot(d->point[i + 1].x - d->point[i].x, d->point[i + 1].y - d->point[i].y);
        if (next > rest) {
            *ax = d->point[i].x + rest / next * (d->point[i + 1].x - d->point[i].x);
            *ay = d->point[i].y + rest / next * (d->point[i + 1].y - d->point[i].y);
            return;
        }
        rest -= next;
        to = &d->point[i + 1], fx = d->point[i].x, fy = d->point[i].y, length = next, at = 0.0;
        if (i + 2 == d->points) { /* the last leg: go on beyond its end */
            *ax = to->x + (next > 1e-9 ? rest / next * (to->x - fx) : 0.0);
            *ay = to->y + (next > 1e-9 ? rest / next * (to->y - fy) : 0.0);
            return;
        }
    }
    double ahead = length > 1e-9 ? at + d->path.ahead / length : 1.0;
    *ax = fx + ahead * (to->x - fx);
    *ay = fy + ahead * (to->y - fy);
}

/* a waypoint is done when the rover is near it, or has passed the line across the path there */
static bool reached(const tyi_vehicle_driver *d, double x, double y)
{
    const ty_waypoint *to = &d->point[d->next];
    double dx = to->x - x, dy = to->y - y;
    if (hypot(dx, dy) < d->path.reach) {
        return true;
    }
    if (!d->next) {
        return false;
    }
    const ty_waypoint *from = &d->point[d->next - 1];
    bool past = dx * (to->x - from->x) + dy * (to->y - from->y) < 0.0;
    return past && hypot(dx, dy) < 4.0 * d->path.reach;
}

#define NEARER 0.05 /* [m] that counts as progress: chosen */

/* whether it has come no nearer to the next waypoint for too long */
static bool hopeless(tyi_vehicle_driver *d, double x, double y, double t)
{
    tyi_vehicle_driver_memory *m = &d->memory;
    double left = hypot(d->point[d->next].x - x, d->point[d->next].y - y);
    if (m->at != d->next + 1 || left < m->best - NEARER) {
        m->at = d->next + 1, m->best = left, m->since = t;
    }
    m->gave_up = m->gave_up || (d->path.give_up > 0.0 && t - m->since > d->path.give_up);
    return m->gave_up;
}

bool tyi_vehicle_driver_path_aim(tyi_vehicle_driver *d, const ty_vehicle_state *s, tyi_vehicle_driver_aim *out)
{
    double x = s->pose.p.x, y = s->pose.p.y;
    while (d->next < d->points && reached(d, x, y)) {
        d->next++;
    }
    if (d->next == d->points || hopeless(d, x, y, ty_seconds(s->time))) {
        return false;
    }
    out->v = speed_for(d, s);
    aim(d, x, y, &out->x, &out->y);
    return true;
}

double tyi_vehicle_driver_heading(const ty_vehicle_state *s)
{
    ty_vec3 forward = ty_rotate(s->pose.q, ty_vec3_make(1.0, 0.0, 0.0));
    return atan2(forward.y, forward.x);
}

void tyi_vehicle_driver_steer(const tyi_vehicle_driver *d, const ty_vehicle_state *s, const tyi_vehicle_driver_aim *to,
                              ty_drive_command *out)
{
    double x = s->pose.p.x, y = s->pose.p.y, heading = tyi_vehicle_driver_heading(s), most = d->path.omega_max;
    double forth = (to->x - x) * cos(heading) + (to->y - y) * sin(heading),
           left = (to->y - y) * cos(heading) - (to->x - x) * sin(heading);
    if (forth <= 0.0) { /* the path lies behind: turn on the spot */
        out->mode = TY_STEER_POINT;
        out->omega = left < 0.0 ? -most : most;
        return;
    }
    double bend = ty_k_pursuit(forth, left);
    out->v = fabs(bend) * to->v > most ? most / fabs(bend) : to->v;
    out->omega = bend * out->v;
}

static bool follow(tyi_vehicle_driver *d, const ty_vehicle_state *s, ty_drive_command *out)
{
    tyi_vehicle_driver_aim to;
    *out = (ty_drive_command){ .mode = TY_STEER_ACKERMANN };
    if (!tyi_vehicle_driver_path_aim(d, s, &to)) {
        return false;
    }
    if (d->path.law == TY_PATH_PROPORTIONAL) {
        const ty_waypoint *next = &d->point[d->next];
        double error = ty_k_wrap(atan2(next->y - s->pose.p.y, next->x - s->pose.p.x) - tyi_vehicle_driver_heading(s));
        out->omega = fmin(fmax(d->path.gain * error, -d->path.omega_max), d->path.omega_max);
        out->v = to.v * fmax(cos(error), 0.0); /* turns first where the point lies to the side */
    } else {
        tyi_vehicle_driver_steer(d, s, &to, out);
    }
    return true;
}

bool tyi_vehicle_driver_command(tyi_vehicle_driver *d, const ty_vehicle_state *s, ty_drive_command *out)
{
    *out = (ty_drive_command){ 0 };
    switch (d->kind) {
    case TYI_VEHICLE_DRIVER_PATH:
        return follow(d, s, out);
    case TYI_VEHICLE_DRIVER_AVOID:
        return tyi_vehicle_driver_avoid_command(d, s, out);
    case TYI_VEHICLE_DRIVER_FOLLOW:
        return tyi_vehicle_driver_follow_command(d, s, out);
    case TYI_VEHICLE_DRIVER_FORMATION:
        return tyi_vehicle_driver_formation_command(d, s, out);
    case TYI_VEHICLE_DRIVER_CONSTANT:
    case TYI_VEHICLE_DRIVER_TABLE:
        break;
    }
    double t = ty_seconds(s->time);
    size_t row = 0;
    while (row + 1 < d->rows && d->row[row + 1].t <= t) {
        row++;
    }
    *out = d->row[row].command;
    /* the last row of a table says what holds at the end: a row of zeros stops it there */
    return d->kind == TYI_VEHICLE_DRIVER_CONSTANT || row + 1 < d->rows || out->v != 0.0 || out->omega != 0.0;
}
