/* bridge/web/obey.c - the commands of clients, done on the run's thread; the rovers' drivers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include "replay.h"
#include "sim/cast.h"
#include "vehicle/driver.h"

#define WATCHDOG  0.5 /* [s] of wall time after which a rover that is driven by hand and hears nothing stops */
#define SUN_SHIFT (16.0 * 86400.0) /* [s] most by which the Sun's time is moved */

/* ---- commands, done on the run's thread ---- */

void tyi_live_anchor(ty_live *l)
{
    l->origin = tyi_web_now();
    l->anchor = ty_seconds(ty_run_time(l->run));
    l->anchored = true;
}

void tyi_live_tell_path(ty_live *l, size_t rover, const command *c)
{
    json_t *points = json_array();
    for (int i = 0; c && i < c->count; i++) {
        json_array_append_new(points, json_pack("[f, f]", (double)c->point[i][0], (double)c->point[i][1]));
    }
    tyi_live_tell(l, 0, json_pack("{s:s, s:i, s:o}", "op", "path", "rover", (int)rover, "points", points));
}

static void follow(ty_live *l, const command *c)
{
    pilot *p = &l->pilot[c->rover];
    tyi_vehicle_driver_path_def def = tyi_vehicle_driver_path_def_default();
    ty_waypoint point[POINTS];
    tyi_vehicle_driver *driver = NULL;
    ty_diag diag = { 0 };
    for (int i = 0; i < c->count; i++) {
        point[i] = (ty_waypoint){ .x = (double)c->point[i][0], .y = (double)c->point[i][1] };
    }
    def.points = point, def.count = (size_t)c->count;
    def.speed = tyi_live_within(c->value, 0.01, 5.0);
    if (tyi_vehicle_driver_path(&def, &driver, &diag) != TY_OK) {
        tyi_live_note(l, c->client, diag.text);
        return;
    }
    tyi_vehicle_driver_destroy(p->path);
    p->path = driver;
    p->mode = PATHS;
    tyi_live_tell_path(l, c->rover, c);
    tyi_live_event(l, "path", l->rover[c->rover].name,
                   c->count == 1 ? "drives to a waypoint" : "drives along waypoints");
}

/* the pilots as they were at the start */
ty_status tyi_live_make_pilots(ty_live *l, const ty_scenario *from, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < l->rovers && status == TY_OK; i++) {
        pilot *p = &l->pilot[i];
        const ty_scenario_driver *d = &from->rover[i].driver;
        tyi_vehicle_driver_destroy(p->own), tyi_vehicle_driver_destroy(p->path);
        *p = (pilot){ .mode = d->kind == TY_DRIVER_STAND || d->kind == TY_DRIVER_EXTERNAL ? STANDS : SCENARIO };
        ty_drive_command constant = { .v = d->v, .omega = d->omega };
        if (d->kind == TY_DRIVER_CONSTANT) {
            status = tyi_vehicle_driver_constant(&constant, NULL, &p->own, diag);
        } else if (d->kind == TY_DRIVER_TABLE) {
            status = tyi_vehicle_driver_read_table(d->table, NULL, &p->own, diag);
        } else if (d->kind >= TY_DRIVER_AVOID) {
            status =
                ty_fail(diag, TY_ERR_INPUT,
                        "rover '%s' has a driver that sees others (avoid, follow, formation), but tycho live takes "
                        "stand, constant, table, waypoints and external; `tycho run` takes all",
                        from->rover[i].name);
        } else if (d->kind == TY_DRIVER_WAYPOINTS) {
            tyi_vehicle_driver_path_def def = tyi_vehicle_driver_path_def_default();
            ty_waypoint *point = calloc(d->points + 1, sizeof *point);
            for (size_t k = 0; point && k < d->points; k++) {
                point[k] = (ty_waypoint){ d->point[k].x, d->point[k].y, d->point[k].arrive };
            }
            def.points = point, def.count = d->points, def.speed = d->speed;
            status = point ? tyi_vehicle_driver_path(&def, &p->own, diag)
                           : ty_fail(diag, TY_ERR_MEMORY, "live: no memory for waypoints");
            free(point);
        }
        p->first = p->mode;
    }
    return status;
}

static ty_status reset(ty_live *l, uint32_t client, ty_diag *diag)
{
    if (l->record) {
        tyi_live_note(l, client,
                      "This run is recorded (-o), and what is written cannot be taken back: it is not reset.");
        return TY_OK;
    }
    ty_status status = ty_run_set_start(l->run, l->start_utc, diag);
    status = status == TY_OK ? ty_run_restore(l->run, l->start, l->start_bytes, diag) : status;
    for (size_t i = 0; i < l->rovers; i++) {
        pilot *p = &l->pilot[i];
        tyi_vehicle_driver_destroy(p->path);
        *p = (pilot){ .mode = p->first, .first = p->first, .own = p->own };
        if (p->own) {
            tyi_vehicle_driver_set_progress(p->own, 0);
        }
    }
    tyi_web_ground_reset(l->ground);
    l->rocks = 0;
    tyi_live_cast(l);
    tyi_hub_reset(l);
    tyi_web_pictures_relight(l->pictures);
    l->sun_shift = 0.0;
    l->asked = -1;
    pthread_mutex_lock(&l->lock);
    for (int i = l->commands - 1; i >= 0; i--) { /* answers to what was asked before */
        if (l->lockstep && l->command[i].verb <= MOVE) {
            memmove(l->command + i, l->command + i + 1, sizeof *l->command * (size_t)(--l->commands - i));
        }
    }
    pthread_mutex_unlock(&l->lock);
    l->done = l->ended_told = l->anchored = false;
    l->next_look = 0.0;
    l->epoch++;
    l->stats.resets++;
    l->edits = ty_terrain_version(ty_world_terrain(ty_run_world(l->run)));
    tyi_live_tell(l, 0, json_pack("{s:s, s:i}", "op", "reset", "epoch", (int)l->epoch));
    tyi_live_event(l, "reset", "", "back to the start");
    return status;
}

static ty_status move_sun(ty_live *l, const command *c, ty_diag *diag)
{
    (void)diag;
    ty_diag why = { 0 };
    if (l->record) {
        tyi_live_note(l, c->client, "This run is recorded (-o): its Sun stays where the scenario has it.");
        return TY_OK;
    }
    l->sun_shift = tyi_live_within(c->value, -SUN_SHIFT, SUN_SHIFT);
    if (ty_run_set_start(l->run, ty_utc_add(l->start_utc, ty_time_from(l->sun_shift)), &why) != TY_OK) {
        tyi_live_note(l, c->client, why.text);
    }
    tyi_web_pictures_relight(l->pictures);
    return TY_OK;
}

/* of one rover */
static void obey_rover(ty_live *l, const command *c)
{
    pilot *p = &l->pilot[c->rover];
    const char *rover = l->rover[c->rover].name;
    switch (c->verb) {
    case DRIVE:
        if (p->mode != BY_HAND) {
            tyi_live_event(l, "drive", rover, "driven by hand");
            tyi_live_tell_path(l, c->rover, NULL);
        }
        p->mode = BY_HAND;
        p->hand = c->drive;
        p->answered = true;
        p->client = c->client;
        p->heard = tyi_web_now();
        break;
    case MOVE:
        if (p->mode != JOINTS) {
            for (int i = 0; i < TYI_LIVE_JOINTS; i++) {
                p->joint[i] = i < 2 * TY_WHEELS_MAX ? 0.0 : (double)NAN;
            }
            tyi_live_event(l, "joints", rover, "its joints are commanded");
            tyi_live_tell_path(l, c->rover, NULL);
        }
        for (int i = 0; i < TYI_LIVE_JOINTS; i++) {
            p->joint[i] = isfinite(c->joint[i]) ? (double)c->joint[i] : p->joint[i];
        }
        p->mode = JOINTS;
        p->answered = true;
        p->client = c->client;
        p->heard = tyi_web_now();
        break;
    case PATH:
        follow(l, c);
        break;
    case AUTO:
        p->mode = p->first;
        tyi_live_tell_path(l, c->rover, NULL);
        tyi_live_event(l, "auto", rover,
                       p->first == STANDS ? "stands: the scenario gives it no driver" : "driven by its scenario");
        break;
    case STOP:
        p->mode = STANDS;
        tyi_live_tell_path(l, c->rover, NULL);
        tyi_live_event(l, "stop", rover, "stopped");
        break;
    case ADD:
    case REMOVE:
    case PAUSE:
    case GO:
    case STEP:
    case RESET:
    case SPEED:
    case SUN:
    case SEEK:
        break;
    }
}

ty_status tyi_live_change(ty_live *l, bool leaves, const char *text, ty_diag *diag)
{
    ty_status status = leaves ? ty_run_remove(l->run, text, diag) : ty_run_add(l->run, text, diag);
    if (status == TY_OK) {
        char told[160];
        tyi_sim_coming row = tyi_sim_cast_row(l->run, tyi_sim_cast_count(l->run) - 1);
        snprintf(told, sizeof told, "%s %s", row.name, leaves ? "was taken away" : "has come");
        tyi_live_log_change(l, leaves, text);
        tyi_live_event(l, leaves ? "removed" : "added", "", told);
        tyi_live_cast(l);
        l->next_edit = 0.0;
    }
    return status;
}

ty_status tyi_live_obey(ty_live *l, const command *c, ty_diag *diag)
{
    bool was = l->paused;
    if (l->replay && c->verb <= REMOVE) {
        tyi_live_note(l, c->client, "This is a replay: it goes the way it went.");
        return TY_OK;
    }
    switch (c->verb) {
    case DRIVE:
    case MOVE:
    case PATH:
    case AUTO:
    case STOP:
        obey_rover(l, c);
        break;
    case ADD:
    case REMOVE: {
        ty_diag why = { 0 };
        if (tyi_live_change(l, c->verb == REMOVE, c->text, &why) != TY_OK) {
            tyi_live_note(l, c->client, why.text);
        }
        break;
    }
    case PAUSE:
        l->paused = true;
        break;
    case GO:
        l->paused = l->anchored = false;
        l->steps_left = 0;
        break;
    case STEP:
        l->paused = true;
        l->steps_left += c->count;
        break;
    case RESET:
        l->steps_left = 0;
        return l->replay ? tyi_live_seek(l, 0.0, diag) : reset(l, c->client, diag);
    case SEEK:
        if (l->replay) {
            l->steps_left = 0;
            return tyi_live_seek(l, c->value, diag);
        }
        tyi_live_note(l, c->client, "This is no replay (--replay): there is no way back but reset.");
        return TY_OK;
    case SPEED:
        l->speed = c->value <= 0.0 ? 0.0 : tyi_live_within(c->value, 1e-3, 1e3);
        l->anchored = false;
        break;
    case SUN:
        return move_sun(l, c, diag);
    }
    if (was != l->paused) {
        tyi_live_event(l, l->paused ? "pause" : "run", "", l->paused ? "paused" : "goes on");
    }
    l->next_state = 0.0;
    return TY_OK;
}

/* ---- lockstep: one answer for each question, in the order in which they come ---- */

/* an answer that comes before its question */
static bool waits_for_question(const ty_live *l, const command *c)
{
    return l->lockstep && c->verb <= MOVE && (l->asked < 0 || l->pilot[c->rover].answered);
}

bool tyi_live_waits(ty_live *l)
{
    ty_time now = ty_run_time(l->run);
    bool waits = false;
    if (!l->lockstep) {
        return false;
    }
    if (now % l->lockstep < ty_time_from(l->scenario.step) && l->asked != now) {
        l->asked = now;
        l->asked_wall = tyi_web_now();
        for (size_t i = 0; i < l->rovers; i++) {
            l->pilot[i].answered = l->pilot[i].first != STANDS;
        }
        l->stats.questions++;
        tyi_hub_ask(l);
        tyi_live_tell(l, 0, json_pack("{s:s, s:f}", "op", "ask", "t", ty_seconds(now)));
        atomic_store(&l->called, true); /* what waits for it may be there */
        l->next_state = 0.0;
    }
    for (size_t i = 0; i < l->rovers; i++) {
        waits = waits || !l->pilot[i].answered;
    }
    if (!waits && l->asked_wall > 0.0) {
        double took = tyi_web_now() - l->asked_wall;
        l->stats.late_answers += l->speed > 0.0 && took > ty_seconds(l->lockstep) / l->speed;
        l->asked_wall = 0.0;
        l->anchored = false; /* the pace does not count the wait */
    }
    return waits;
}

ty_status tyi_live_take_commands(ty_live *l, ty_diag *diag)
{
    ty_status status = TY_OK;
    while (status == TY_OK && atomic_load(&l->called)) {
        command c;
        uint32_t left[COMMANDS];
        bool have = false;
        pthread_mutex_lock(&l->lock);
        int lefts = l->lefts;
        memcpy(left, l->left, sizeof *left * (size_t)lefts);
        l->lefts = 0;
        int first = 0;
        while (first < l->commands && waits_for_question(l, &l->command[first])) {
            first++;
        }
        if (first < l->commands) {
            c = l->command[first];
            memmove(l->command + first, l->command + first + 1, sizeof c * (size_t)(--l->commands - first));
            have = true;
        }
        atomic_store(&l->called, have && l->commands > 0);
        pthread_mutex_unlock(&l->lock);
        for (int k = 0; k < lefts; k++) { /* whoever drove is gone: the rover stops */
            for (size_t i = 0; i < l->rovers; i++) {
                if (l->pilot[i].mode == BY_HAND && l->pilot[i].client == left[k]) {
                    l->pilot[i].hand = (ty_drive_command){ 0 };
                }
            }
        }
        status = have ? tyi_live_obey(l, &c, diag) : status;
    }
    return status;
}

/* ---- drivers ---- */

/* the vehicle does as it is told, and it is written where the run is recorded */
static ty_status obey_told(ty_live *l, size_t rover, const tyi_live_told *told, ty_diag *diag)
{
    tyi_live_log(l, rover, told);
    if (!told->joints) {
        return ty_run_command(l->run, rover, &told->drive, diag);
    }
    ty_vehicle *v = ty_run_rover(l->run, rover);
    int motors = ty_vehicle_motors(v, NULL);
    ty_status status = ty_vehicle_command_wheels(v, told->joint, told->joint + TY_WHEELS_MAX, diag);
    for (int i = 0; i < motors && status == TY_OK; i++) {
        double value = told->joint[2 * TY_WHEELS_MAX + i];
        status = isfinite(value) ? ty_vehicle_command_motor(v, i, value, diag) : status;
    }
    return status;
}

/* wheels and motors one by one; what turns stops where nothing more is heard, what stands at an angle stays there */
static ty_status move(ty_live *l, size_t rover, ty_diag *diag)
{
    pilot *p = &l->pilot[rover];
    const ty_vehicle *v = ty_run_rover(l->run, rover);
    ty_motor_info motor[TY_MOTORS_MAX];
    int motors = ty_vehicle_motors(v, motor);
    bool silent = !l->lockstep && tyi_web_now() - p->heard > WATCHDOG;
    for (int i = 0; i < TY_WHEELS_MAX && silent; i++) {
        p->joint[i] = 0.0;
    }
    for (int i = 0; i < motors; i++) {
        double *value = &p->joint[2 * TY_WHEELS_MAX + i];
        *value = silent && motor[i].speed && isfinite(*value) ? 0.0 : *value;
    }
    tyi_live_told told;
    memset(&told, 0, sizeof told);
    told.joints = true;
    memcpy(told.joint, p->joint, sizeof told.joint);
    return obey_told(l, rover, &told, diag);
}

ty_status tyi_live_drive(ty_live *l, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < l->rovers && status == TY_OK; i++) {
        pilot *p = &l->pilot[i];
        ty_drive_command c = { 0 };
        const tyi_live_told *again = tyi_live_replayed(l, i);
        if (again || p->mode == JOINTS) {
            status = again ? obey_told(l, i, again, diag) : move(l, i, diag);
            continue;
        }
        tyi_vehicle_driver *driver = p->mode == SCENARIO ? p->own : p->mode == PATHS ? p->path : NULL;
        if (driver) {
            ty_vehicle_state s;
            ty_vehicle_get(ty_run_rover(l->run, i), &s);
            if (!tyi_vehicle_driver_command(driver, &s, &c) && p->mode == PATHS) {
                p->mode = STANDS;
                tyi_live_tell_path(l, i, NULL);
                tyi_live_event(l, "arrived", l->rover[i].name, "at its waypoint");
            }
        } else if (p->mode == BY_HAND) {
            if (!l->lockstep && tyi_web_now() - p->heard > WATCHDOG) {
                p->hand = (ty_drive_command){ 0 };
            }
            c = p->hand;
        }
        tyi_live_told told;
        memset(&told, 0, sizeof told); /* they are compared byte by byte */
        told.drive.mode = c.mode, told.drive.v = c.v, told.drive.omega = c.omega, told.drive.crab = c.crab;
        status = obey_told(l, i, &told, diag);
    }
    return status;
}
