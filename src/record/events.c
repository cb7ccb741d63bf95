/* src/record/events.c - what is worth a look in a run: slip, tilt, rocks, shadow; rovers that are stuck or tip over.
 *
 * The rovers are looked at 100 times a second, the Sun once. Something that goes on is one event from its first to
 * its last look, also across short breaks; the list of them is all that is remembered, and is kept in checkpoints.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "body/world.h"
#include "record.h"
#include "scenario/scenario.h"
#include "sim/run.h"
#include "vehicle/driver.h"
#include "vehicle/look.h"
#include "vehicle/vehicle.h"

#define LOOK    (TY_SECOND / 100)
#define LOOK_UP TY_SECOND
#define HANGS   1.0    /* [s] that a wheel touches nothing: chosen */
#define BREAK   1.0    /* [s] what comes again after less is the same event */
#define MOST    100000 /* events */

/* what begins an event and keeps it going, and how it reads */
static const struct {
    tyi_vehicle_limit limit;
    const char *what, *unit;
    double scale;   /* of the worst value, for people */
    bool per_wheel; /* one event for each wheel */
} kinds[TYI_EVENTS] = {
    [TYI_EVENT_SLIP] = { TYI_VEHICLE_HIGH_SLIP, "high slip", "%", 100.0, false },
    [TYI_EVENT_TILT] = { TYI_VEHICLE_TILT, "tilt", "deg", 1.0 / TY_DEG, false },
    [TYI_EVENT_ROCK] = { TYI_VEHICLE_ROCK, "rock contact", "N", 1.0, true },
    [TYI_EVENT_SHADOW] = { { 0.5, 0.5 }, "shadow", "% of the Sun seen", 100.0, false }, /* half of the disk is hidden */
    [TYI_EVENT_COLLISION] = { { 1.0, 0.5 }, "collision", "N", 1.0, false },
    [TYI_EVENT_STUCK] = { { 0.90, 0.80 }, "stuck", "% of the wheels' way lost", 100.0, false },
    [TYI_EVENT_TIP_OVER] = { TYI_VEHICLE_TIPPED, "tipped over", "deg", 1.0 / TY_DEG, false },
    [TYI_EVENT_WHEEL_OFF] = { { HANGS, HANGS }, "wheel in the air", "s", 1.0, true },
    [TYI_EVENT_MOTOR_LINE] = { { 0.05, 0.02 }, "motor beyond its line", "% of the stall torque", 100.0, true },
    [TYI_EVENT_WAYPOINT] = { { -INFINITY, -INFINITY }, "waypoint", "s late", 1.0, false },
    [TYI_EVENT_GAVE_UP] = { { 0.0, 0.0 }, "driver gave up", "m to the next waypoint", 1.0, false },
    [TYI_EVENT_ADDED] = { { 0.0, 0.0 }, "added", "", 1.0, false },
    [TYI_EVENT_REMOVED] = { { 0.0, 0.0 }, "taken away", "", 1.0, false },
};

const char *tyi_record_event_name(tyi_record_event_kind kind)
{
    return tyi_scenario_events[kind];
}

const char *tyi_record_event_what(tyi_record_event_kind kind)
{
    return kinds[kind].what;
}

double tyi_record_event_worst(const tyi_record_event *v)
{
    return kinds[v->kind].scale * v->worst;
}

const char *tyi_record_event_unit(const tyi_record_event *v)
{
    return kinds[v->kind].unit;
}

/* the event that goes on, or has just ended; NULL: none */
static tyi_record_event *last_of(tyi_record_events *e, double t, tyi_record_event_kind kind, size_t rover, int wheel,
                                 uint64_t rock)
{
    double gap = kind == TYI_EVENT_SHADOW ? 1.5 * ty_seconds(LOOK_UP) : BREAK;
    for (size_t i = e->count; i-- > 0;) {
        tyi_record_event *v = &e->list[i];
        if (v->kind == (int32_t)kind && v->rover == (int32_t)rover &&
            (!kinds[kind].per_wheel || (v->wheel == wheel && v->rock == rock)) &&
            (kind != TYI_EVENT_COLLISION || v->rock == rock)) {
            return t - v->end <= gap && kind != TYI_EVENT_WAYPOINT ? v : NULL;
        }
    }
    return NULL;
}

static tyi_record_event *grown(tyi_record_events *e)
{
    tyi_record_event *list = e->count < MOST ? tyi_list_grown(e->list, e->count, &e->room, sizeof *list, 64) : NULL;
    e->list = list ? list : e->list;
    return e->count < e->room ? &e->list[e->count++] : NULL;
}

/* a value of a kind now: begins an event, goes on with it, or is nothing. Returns the event if it has just begun. */
static tyi_record_event *note(tyi_record_events *e, double t, tyi_record_event_kind kind, size_t rover, int wheel,
                              uint64_t rock, double value, ty_vec3 p)
{
    tyi_record_event *v = last_of(e, t, kind, rover, wheel, rock);
    bool low = kind == TYI_EVENT_SHADOW; /* the less the worse */
    tyi_vehicle_limit limit = kinds[kind].limit;
    if (low ? value >= limit.begins : !tyi_vehicle_worth(limit, value, v != NULL)) {
        return NULL;
    }
    if (v) {
        v->end = t;
        if (low ? value < v->worst : value > v->worst) {
            v->worst = value;
            v->wheel = wheel;
        }
        return NULL;
    }
    v = grown(e);
    if (v) {
        *v = (tyi_record_event){ .kind = (int32_t)kind,
                                 .rover = (int32_t)rover,
                                 .wheel = wheel,
                                 .rock = rock,
                                 .begin = t,
                                 .end = t,
                                 .worst = value,
                                 .x = p.x,
                                 .y = p.y };
    }
    return v;
}

/* [m] of a rock near a place; 0: it is not there */
static double diameter_of(ty_terrain *terrain, uint64_t id, ty_vec3 p)
{
    enum { ROOM = 4096 };
    double reach = 4.0, found = 0.0;
    ty_rect rect = { p.x - reach, p.y - reach, p.x + reach, p.y + reach };
    ty_rock *rock = malloc(ROOM * sizeof *rock);
    size_t n = rock ? ty_terrain_rocks(terrain, rect, 0.0, INFINITY, rock, ROOM) : 0;
    for (size_t i = 0; i < n && i < ROOM; i++) {
        found = rock[i].id == id ? rock[i].diameter : found;
    }
    free(rock);
    return found;
}

/* waypoints that were reached since the last look, and a driver that gives up */
static void look_at_driver(tyi_record_events *e, ty_record *r, size_t rover, double t, ty_vec3 p)
{
    const tyi_vehicle_driver *d = r->run->rover[rover].driver;
    const ty_scenario_driver *def = &r->scenario->rover[rover].driver;
    tyi_record_watch *w = &r->rover[rover].watch;
    if (!def->points || !d) {
        return;
    }
    for (; w->reached < d->next && w->reached < def->points; w->reached++) {
        double plan = def->point[w->reached].arrive;
        tyi_record_event *v = note(e, t, TYI_EVENT_WAYPOINT, rover, -1, 0, plan > 0.0 ? t - plan : 0.0, p);
        if (v) {
            v->index = (int32_t)w->reached;
        }
    }
    if (d->memory.gave_up) {
        note(e, t, TYI_EVENT_GAVE_UP, rover, -1, 0, hypot(d->point[d->next].x - p.x, d->point[d->next].y - p.y), p);
    }
}

static void look(tyi_record_events *e, ty_record *r, size_t rover, double t)
{
    ty_run *run = r->run;
    ty_vehicle_state s;
    const ty_vehicle *vehicle = ty_run_rover(run, rover);
    tyi_record_watch *watch = &r->rover[rover].watch;
    ty_vehicle_get(vehicle, &s);
    tyi_vehicle_look at = tyi_vehicle_look_at(&s);
    for (int w = 0; w < s.wheels; w++) {
        const ty_wheel_view *v = &s.wheel[w];
        if (v->rock) {
            tyi_record_event *new = note(e, t, TYI_EVENT_ROCK, rover, w, v->rock, v->f_rock, v->p_W);
            if (new) {
                new->diameter = diameter_of(ty_world_terrain(ty_run_world(run)), v->rock, v->p_W);
            }
        }
        bool off = !v->contact && !v->rock;
        watch->off[w] = !off ? -1.0 : watch->off[w] < 0.0 || t == 0.0 ? t : watch->off[w];
        if (off) {
            tyi_record_event *new = note(e, t, TYI_EVENT_WHEEL_OFF, rover, w, 0, t - watch->off[w], v->p_W);
            if (new) {
                new->begin = watch->off[w];
            }
        }
        note(e, t, TYI_EVENT_MOTOR_LINE, rover, w, 0, vehicle->run.control.beyond[w], v->p_W);
    }
    note(e, t, TYI_EVENT_SLIP, rover, at.wheel, 0, at.slip, s.pose.p);
    note(e, t, TYI_EVENT_STUCK, rover, -1, 0, tyi_record_stuck(watch, vehicle, &s, t, ty_seconds(LOOK)), s.pose.p);
    note(e, t, TYI_EVENT_TILT, rover, -1, 0, at.tilt, s.pose.p);
    note(e, t, TYI_EVENT_TIP_OVER, rover, -1, 0, at.tilt, s.pose.p);
    look_at_driver(e, r, rover, t, s.pose.p);
}

/* what else than wheels' rocks the rover touches: one event for each other, with the largest force of all steps */
static void look_at_touches(tyi_record_events *e, ty_run *run, size_t rover, double t)
{
    const tyi_body_touch *touch;
    int n = tyi_body_world_touches(tyi_sim_bodies_world(run), &touch);
    for (int i = 0; i < n; i++) {
        const tyi_body_touch *k = &touch[i];
        if (k->rover != (int32_t)rover || t - k->last > 1.5 * ty_seconds(LOOK)) {
            continue;
        }
        uint64_t other = tyi_hash(&k->id, sizeof k->id, tyi_hash(&k->kind, sizeof k->kind, TYI_HASH_START));
        tyi_record_event *new = note(e, t, TYI_EVENT_COLLISION, rover, -1, other, k->peak, k->at);
        if (new) {
            new->begin = k->begin;
            memcpy(new->other, k->name, sizeof new->other);
        }
    }
}

/* tells of an event that has begun */
static void publish(ty_record *r, const tyi_record_event *v)
{
    static const ty_message_column column[] = {
        { "begin", "s", TY_QUANTITY_TIME, NULL }, { "worst", "", TY_QUANTITY_NONE, NULL },
        { "wheel", "", TY_QUANTITY_COUNT, NULL }, { "x", "m", TY_QUANTITY_LENGTH, NULL },
        { "y", "m", TY_QUANTITY_LENGTH, NULL },   { 0 }
    };
    static const ty_message_schema schema = { "event", column };
    double value[5] = { v->begin, tyi_record_event_worst(v), v->wheel, v->x, v->y };
    tyi_sim_state_send(r->run, TY_MESSAGE_EVENT, v->rover >= 0 ? r->rover[v->rover].name : v->other,
                       tyi_scenario_events[v->kind], v->rover >= 0 ? (size_t)v->rover : SIZE_MAX, &schema, value, 5, 1);
}

const char *tyi_record_event_rover(const ty_record *r, const tyi_record_event *v)
{
    return v->rover >= 0 ? r->rover[v->rover].name : "";
}

/* what has come or left since the last look, by the run's log */
static void look_at_cast(ty_record *r)
{
    tyi_record_events *e = &r->events;
    size_t rows = tyi_sim_cast_count(r->run), known = 0;
    if (rows == e->told) {
        return;
    }
    for (size_t i = 0; i < e->count; i++) { /* of a run that was resumed, too */
        known += e->list[i].kind >= TYI_EVENT_ADDED;
    }
    for (; known < rows; known++) {
        tyi_sim_coming row = tyi_sim_cast_row(r->run, known);
        tyi_record_event *v = grown(e);
        if (v) {
            *v = (tyi_record_event){ .kind = row.leaves ? TYI_EVENT_REMOVED : TYI_EVENT_ADDED,
                                     .rover = -1,
                                     .wheel = -1,
                                     .begin = ty_seconds(row.time),
                                     .end = ty_seconds(row.time),
                                     .x = row.x,
                                     .y = row.y };
            for (size_t i = 0; i < r->rovers; i++) {
                v->rover = !strcmp(r->rover[i].name, row.name) ? (int32_t)i : v->rover;
            }
            snprintf(v->other, sizeof v->other, "%.63s", row.name);
        }
    }
    e->told = rows;
}

/* waypoints that were reached in the last step */
void tyi_record_events_end(ty_record *r)
{
    size_t before = r->events.count;
    for (size_t i = 0; i < r->rovers; i++) {
        ty_vec3 p = ty_vehicle_body_pose(ty_run_rover(r->run, i), ty_run_rover(r->run, i)->body, NULL, NULL).p;
        look_at_driver(&r->events, r, i, ty_seconds(ty_run_time(r->run)), p);
    }
    for (size_t i = before; i < r->events.count; i++) {
        publish(r, &r->events.list[i]);
    }
}

ty_status tyi_record_events_step(ty_record *r, ty_diag *diag)
{
    tyi_record_events *e = &r->events;
    ty_run *run = r->run;
    size_t before = e->count;
    ty_time now = ty_run_time(run);
    double t = ty_seconds(now);
    ty_status status = TY_OK;
    bool rovers = now >= e->next_look, sun = now >= e->next_sun;
    look_at_cast(r);
    for (size_t i = 0; i < ty_run_rovers(run) && rovers; i++) {
        if (!run->rover[i].away) {
            look(e, r, i, t);
            look_at_touches(e, run, i, t);
        }
    }
    for (size_t i = 0; i < ty_run_rovers(run) && sun && status == TY_OK; i++) {
        ty_vehicle_state s;
        if (run->rover[i].away) {
            continue;
        }
        ty_vehicle_get(ty_run_rover(run, i), &s);
        double seen = 1.0;
        status = ty_run_sunlight(run, i, &seen, diag);
        r->rover[i].watch.lit = seen;
        note(e, t, TYI_EVENT_SHADOW, i, -1, 0, seen, s.pose.p);
    }
    for (size_t i = before; i < e->count; i++) {
        publish(r, &e->list[i]);
        for (size_t k = 0; k < r->scenario->end_ons; k++) {
            r->ends_with = r->ends_with || e->list[i].kind != r->scenario->end_on[k] ? r->ends_with : i + 1;
        }
    }
    e->next_look = rovers ? now + LOOK : e->next_look;
    e->next_sun = sun ? now + LOOK_UP : e->next_sun;
    return status;
}

/* ---- what is told of them ---- */

/* "wheel front_left, 38 %" */
void tyi_record_event_text(const tyi_record_event *v, ty_run *run, char *out, size_t size)
{
    ty_wheel_info wheel[TY_WHEELS_MAX];
    double worst = tyi_record_event_worst(v);
    if (v->rover >= 0) {
        ty_vehicle_wheels(ty_run_rover(run, (size_t)v->rover), wheel);
    }
    if (v->kind >= TYI_EVENT_ADDED) {
        snprintf(out, size, "%s %s", v->other, v->kind == TYI_EVENT_ADDED ? "has come" : "was taken away");
    } else if (v->kind == TYI_EVENT_ROCK) {
        snprintf(out, size, "wheel %s on a rock of %.2f m, up to %.3g N", wheel[v->wheel].name, v->diameter, worst);
    } else if (v->kind == TYI_EVENT_SHADOW) {
        snprintf(out, size, "down to %.0f %% of the Sun's disk", worst);
    } else if (v->kind == TYI_EVENT_COLLISION) {
        snprintf(out, size, "with %s, up to %.3g N", v->other, worst);
    } else if (v->kind == TYI_EVENT_SLIP) {
        snprintf(out, size, "up to %.0f %% at wheel %s", worst, wheel[v->wheel].name);
    } else if (v->kind == TYI_EVENT_STUCK) {
        snprintf(out, size, "%.0f %% of the wheels' way is lost", worst);
    } else if (v->kind == TYI_EVENT_WHEEL_OFF) {
        snprintf(out, size, "wheel %s touches nothing for %.1f s", wheel[v->wheel].name, worst);
    } else if (v->kind == TYI_EVENT_MOTOR_LINE) {
        snprintf(out, size, "motor of wheel %s by %.0f %% of its stall torque", wheel[v->wheel].name, worst);
    } else if (v->kind == TYI_EVENT_WAYPOINT) {
        double plan = run->scenario.rover[v->rover].driver.point[v->index].arrive;
        int n = snprintf(out, size, "waypoint %d reached", v->index);
        if (plan > 0.0) {
            snprintf(out + n, size - (size_t)n, ", %.1f s %s than planned", fabs(worst),
                     worst > 0.0 ? "later" : "earlier");
        }
    } else if (v->kind == TYI_EVENT_GAVE_UP) {
        snprintf(out, size, "%.1f m before the next waypoint", worst);
    } else {
        snprintf(out, size, "up to %.1f deg", worst);
    }
}

size_t tyi_record_events_count(const ty_record *r, tyi_record_event_kind kind, size_t rover, double *seconds)
{
    size_t n = 0;
    double sum = 0.0;
    for (size_t i = 0; i < r->events.count; i++) {
        const tyi_record_event *v = &r->events.list[i];
        bool is = v->kind == (int32_t)kind && (rover == SIZE_MAX || v->rover == (int32_t)rover);
        n += is;
        sum += is ? v->end - v->begin : 0.0;
    }
    *seconds = sum;
    return n;
}

ty_status tyi_record_events_write(const ty_record *r, ty_diag *diag)
{
    char path[TYI_RECORD_PATH];
    tyi_io_out out;
    ty_status status = tyi_io_out_open(&out, tyi_record_path(r, "events.csv", path), diag);
    if (status != TY_OK) {
        return status;
    }
    FILE *f = out.file;
    fprintf(f, "event,rover,begin_s,end_s,worst,unit,wheel,rock,rock_diameter_m,x_m,y_m,other\n");
    for (size_t i = 0; i < r->events.count; i++) {
        const tyi_record_event *v = &r->events.list[i];
        ty_wheel_info wheel[TY_WHEELS_MAX];
        if (v->wheel >= 0) {
            ty_vehicle_wheels(ty_run_rover(r->run, (size_t)v->rover), wheel);
        }
        fprintf(f, "%s,%s,%.3f,%.3f,%.4f,%s,%s,", tyi_scenario_events[v->kind], tyi_record_event_rover(r, v), v->begin,
                v->end, tyi_record_event_worst(v), tyi_record_event_unit(v), v->wheel >= 0 ? wheel[v->wheel].name : "");
        bool rock = v->rock && v->kind == TYI_EVENT_ROCK;
        if (rock) {
            fprintf(f, "%llu,%.4f", (unsigned long long)v->rock, v->diameter);
        }
        fprintf(f, "%s,%.3f,%.3f,%s\n", rock ? "" : ",", v->x, v->y, v->other);
    }
    return tyi_io_out_close(&out, TY_OK, diag);
}
