/* app/run_events.c - what is worth a look in a run: high slip, tilt, rocks that wheels meet, shadow.
 *
 * The rovers are looked at 100 times a second, the Sun once. Something that goes on is one event from its first to
 * its last look, also across short breaks; the list of them is all that is remembered, and is kept in checkpoints.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "run.h"

#define LOOK    (TY_SECOND / 100)
#define LOOK_UP TY_SECOND
#define SETTLED 2.0    /* [s] the rover is put down at the start and sinks in: not counted */
#define BREAK   1.0    /* [s] what comes again after less is the same event */
#define MOST    100000 /* events */

/* what begins an event, what keeps it going (so that a value on the edge does not make many), and how it reads */
static const struct {
    double begins, keeps;
    const char *name, *what, *unit;
    double scale; /* of the worst value, for people */
} kinds[RUN_EVENTS] = {
    [RUN_EVENT_SLIP] = { 0.40, 0.30, "high_slip", "high slip", "%", 100.0 },
    [RUN_EVENT_TILT] = { 15.0 * TY_DEG, 13.0 * TY_DEG, "tilt", "tilt", "deg", 1.0 / TY_DEG },
    [RUN_EVENT_ROCK] = { 1.0, 0.5, "rock_contact", "rock contact", "N", 1.0 },
    [RUN_EVENT_SHADOW] = { 0.5, 0.5, "shadow", "shadow", "% of the Sun seen", 100.0 }, /* half of the disk is hidden */
};

const char *run_event_name(run_event_kind kind)
{
    return kinds[kind].name;
}

const char *run_event_what(run_event_kind kind)
{
    return kinds[kind].what;
}

double run_event_worst(const run_event *v)
{
    return kinds[v->kind].scale * v->worst;
}

const char *run_event_unit(const run_event *v)
{
    return kinds[v->kind].unit;
}

/* the event that goes on, or has just ended; NULL: none */
static run_event *last_of(run_events *e, double t, run_event_kind kind, size_t rover, int wheel, uint64_t rock)
{
    double gap = kind == RUN_EVENT_SHADOW ? 1.5 * ty_seconds(LOOK_UP) : BREAK;
    for (size_t i = e->count; i-- > 0;) {
        run_event *v = &e->list[i];
        if (v->kind == (int32_t)kind && v->rover == (int32_t)rover &&
            (kind != RUN_EVENT_ROCK || (v->wheel == wheel && v->rock == rock))) {
            return t - v->end <= gap ? v : NULL;
        }
    }
    return NULL;
}

static run_event *grown(run_events *e)
{
    if (e->count == e->room && e->count < MOST) {
        size_t room = e->room ? 2 * e->room : 64;
        run_event *larger = realloc(e->list, room * sizeof *larger);
        e->list = larger ? larger : e->list;
        e->room = larger ? room : e->room;
    }
    return e->count < e->room ? &e->list[e->count++] : NULL;
}

/* a value of a kind now: begins an event, goes on with it, or is nothing. Returns the event if it has just begun. */
static run_event *note(run_events *e, double t, run_event_kind kind, size_t rover, int wheel, uint64_t rock,
                       double value, ty_vec3 p)
{
    run_event *v = last_of(e, t, kind, rover, wheel, rock);
    bool low = kind == RUN_EVENT_SHADOW; /* the less the worse */
    double limit = v ? kinds[kind].keeps : kinds[kind].begins;
    if (low ? value >= limit : value <= limit) {
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
        *v = (run_event){ .kind = (int32_t)kind,
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

static void look(run_events *e, ty_run *run, size_t rover, double t)
{
    ty_vehicle_state s;
    ty_vehicle_get(ty_run_rover(run, rover), &s);
    ty_vec3 up = ty_rotate(s.pose.q, ty_vec3_make(0.0, 0.0, 1.0));
    double slip = 0.0;
    int worst = 0;
    for (int w = 0; w < s.wheels; w++) {
        const ty_wheel_view *v = &s.wheel[w];
        if (v->rock) {
            run_event *new = note(e, t, RUN_EVENT_ROCK, rover, w, v->rock, v->f_rock, v->p_W);
            if (new) {
                new->diameter = diameter_of(ty_world_terrain(ty_run_world(run)), v->rock, v->p_W);
            }
        }
        if (v->contact && fabs(v->slip) > slip) {
            slip = fabs(v->slip);
            worst = w;
        }
    }
    if (t > SETTLED && ty_norm(s.v_W) > 0.02) { /* a wheel of a rover that stands slips by any measure */
        note(e, t, RUN_EVENT_SLIP, rover, worst, 0, slip, s.pose.p);
    }
    note(e, t, RUN_EVENT_TILT, rover, -1, 0, acos(fmin(fmax(up.z, -1.0), 1.0)), s.pose.p);
}

ty_status run_events_step(run_events *e, ty_run *run, ty_diag *diag)
{
    ty_time now = ty_run_time(run);
    double t = ty_seconds(now);
    ty_status status = TY_OK;
    bool rovers = now >= e->next_look, sun = now >= e->next_sun;
    for (size_t i = 0; i < ty_run_rovers(run) && rovers; i++) {
        look(e, run, i, t);
    }
    for (size_t i = 0; i < ty_run_rovers(run) && sun && status == TY_OK; i++) {
        ty_vehicle_state s;
        ty_vehicle_get(ty_run_rover(run, i), &s);
        double seen = 1.0;
        status = ty_run_sunlight(run, i, &seen, diag);
        e->lit = i ? e->lit : seen;
        note(e, t, RUN_EVENT_SHADOW, i, -1, 0, seen, s.pose.p);
    }
    e->next_look = rovers ? now + LOOK : e->next_look;
    e->next_sun = sun ? now + LOOK_UP : e->next_sun;
    return status;
}

/* ---- what is told of them ---- */

/* "wheel front_left, 38 %" */
void run_event_text(const run_event *v, ty_run *run, char *out, size_t size)
{
    ty_wheel_info wheel[TY_WHEELS_MAX];
    ty_vehicle_wheels(ty_run_rover(run, (size_t)v->rover), wheel);
    double worst = run_event_worst(v);
    if (v->kind == RUN_EVENT_ROCK) {
        snprintf(out, size, "wheel %s on a rock of %.2f m, up to %.3g N", wheel[v->wheel].name, v->diameter, worst);
    } else if (v->kind == RUN_EVENT_SHADOW) {
        snprintf(out, size, "down to %.0f %% of the Sun's disk", worst);
    } else if (v->kind == RUN_EVENT_SLIP) {
        snprintf(out, size, "up to %.0f %% at wheel %s", worst, wheel[v->wheel].name);
    } else {
        snprintf(out, size, "up to %.1f deg", worst);
    }
}

size_t run_events_count(const run_events *e, run_event_kind kind, double *seconds)
{
    size_t n = 0;
    double sum = 0.0;
    for (size_t i = 0; i < e->count; i++) {
        bool is = e->list[i].kind == (int32_t)kind;
        n += is;
        sum += is ? e->list[i].end - e->list[i].begin : 0.0;
    }
    *seconds = sum;
    return n;
}

ty_status run_events_write(const run_record *r, ty_run *run, ty_diag *diag)
{
    char path[4300];
    FILE *f = run_open_new(r, "events.csv", path, sizeof path, diag);
    if (!f) {
        return TY_ERR_FILE;
    }
    fprintf(f, "event,rover,begin_s,end_s,worst,unit,wheel,rock,rock_diameter_m,x_m,y_m\n");
    for (size_t i = 0; i < r->events.count; i++) {
        const run_event *v = &r->events.list[i];
        ty_wheel_info wheel[TY_WHEELS_MAX];
        ty_vehicle_wheels(ty_run_rover(run, (size_t)v->rover), wheel);
        fprintf(f, "%s,%s,%.3f,%.3f,%.4f,%s,%s,", kinds[v->kind].name, r->scenario->rover[v->rover].name, v->begin,
                v->end, run_event_worst(v), run_event_unit(v), v->wheel >= 0 ? wheel[v->wheel].name : "");
        if (v->rock) {
            fprintf(f, "%llu,%.4f", (unsigned long long)v->rock, v->diameter);
        }
        fprintf(f, "%s,%.3f,%.3f\n", v->rock ? "" : ",", v->x, v->y);
    }
    return run_close_new(f, path, diag);
}
