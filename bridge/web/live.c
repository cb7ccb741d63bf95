/* bridge/web/live.c - see tycho/tools/live.h: a run at a pace, its drivers, the commands of clients, what they are told.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include "tycho/tools/live.h"
#include "vehicle/driver.h"
#include "world/terrain/inner.h"
#include "web.h"

#define COOKIE        0x4c495645u
#define DRIVER_PERIOD (TY_SECOND / 50) /* as a run's own drivers */
#define STATE_HZ      60.0
#define IDLE_HZ       5.0  /* of state while nothing moves */
#define WATCHDOG      0.5  /* [s] of wall time after which a rover that is driven by hand and hears nothing stops */
#define BEHIND        0.25 /* [s] that are caught up with; more is let go */
#define LATE          0.01 /* [s] */
#define TURN          0.02 /* [s] at most, then the caller has its turn */
#define COMMANDS      256  /* of clients, on their way to the run */
#define POINTS        64   /* of a path */
#define EDIT_SIDE     512  /* samples; larger rectangles are split */
#define SUN_SHIFT     (16.0 * 86400.0) /* [s] most by which the Sun's time is moved */

typedef enum verb { DRIVE, PATH, AUTO, STOP, PAUSE, GO, STEP, RESET, SPEED, SUN } verb;

typedef struct command {
    verb verb;
    uint32_t client;
    size_t rover;
    ty_drive_command drive;
    double value; /* speed, shift of the Sun, speed along a path */
    int count;    /* steps, points */
    float point[POINTS][2];
} command;

typedef enum mode { STANDS, SCENARIO, BY_HAND, PATHS } mode;

typedef struct pilot {
    mode mode, first;
    tyi_vehicle_driver *own, *path; /* the scenario's; the one clients made */
    ty_drive_command hand;
    uint32_t client; /* who drives by hand */
    double heard;    /* [s] wall */
    /* what goes on, so that it is told once */
    bool tilted, slips;
    uint64_t rock;
} pilot;

struct ty_live {
    ty_scenario scenario; /* a copy, driven from outside */
    ty_scenario_rover *rover;
    ty_run *run;
    ty_record *record;
    void *start; /* the run as it was */
    size_t start_bytes;
    ty_utc start_utc;
    pilot *pilot;
    size_t rovers;
    tyi_web_file *file;
    tyi_web_server *server;
    tyi_web_ground *ground;
    tyi_web_pictures *pictures;
    char address[256], token[80];
    bool stay, done, ended_told;
    /* clients' commands */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    command command[COMMANDS];
    int commands;
    atomic_bool called;
    uint32_t left[COMMANDS]; /* clients that are gone */
    int lefts;
    /* pace */
    bool paused;
    double speed; /* 0: as fast as it can */
    int64_t steps_left;
    double origin, anchor; /* wall and simulated [s] from which the pace counts */
    bool anchored;
    double next_state, rate_wall, rate_sim;
    uint32_t sequence, epoch;
    uint64_t edits;
    double sun_shift, next_look, next_edit;
    double jitter_sum;
    uint64_t jitter_count;
    ty_live_stats stats;
};

ty_live_def ty_live_def_default(void)
{
    return (ty_live_def){ .listen = "127.0.0.1", .clients = 8, .speed = 1.0, .overlap = true, .cookie = COOKIE };
}

/* ---- what clients are told in words ---- */

static void tell(ty_live *l, uint32_t client, json_t *what)
{
    char *text = what ? json_dumps(what, JSON_COMPACT) : NULL;
    tyi_web_blob *blob = text && l->server ? tyi_web_blob_new(strlen(text), true) : NULL;
    if (blob) {
        memcpy(blob->data, text, blob->bytes);
        tyi_web_send(l->server, client, blob, TYI_WEB_MUST, 0);
        tyi_web_blob_drop(blob);
    }
    free(text);
    json_decref(what);
}

static void event(ty_live *l, const char *kind, const char *rover, const char *text)
{
    tell(l, 0,
         json_pack("{s:s, s:f, s:s, s:s, s:s}", "op", "event", "t", ty_seconds(ty_run_time(l->run)), "kind", kind,
                   "rover", rover, "text", text));
}

static void note(ty_live *l, uint32_t client, const char *text)
{
    tell(l, client, json_pack("{s:s, s:s}", "op", "note", "text", text));
}

/* ---- commands, read on the server's thread ---- */

static double number(const json_t *j, const char *key, double otherwise)
{
    const json_t *v = json_object_get(j, key);
    return json_is_number(v) && isfinite(json_number_value(v)) ? json_number_value(v) : otherwise;
}

static double within(double v, double low, double high)
{
    return fmin(fmax(v, low), high);
}

static const char *give(ty_live *l, const command *c)
{
    pthread_mutex_lock(&l->lock);
    int at = l->commands;
    for (int i = 0; i < l->commands; i++) { /* the newest of what is said over and over */
        const command *o = &l->command[i];
        if (o->verb == c->verb && o->client == c->client && o->rover == c->rover &&
            (c->verb == DRIVE || c->verb == SUN)) {
            at = i;
        }
    }
    bool room = at < COMMANDS;
    if (room) {
        l->command[at] = *c;
        l->commands = at == l->commands ? at + 1 : l->commands;
    }
    atomic_store(&l->called, true);
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->lock);
    return room ? NULL : "more commands than can be taken";
}

static const char *read_tiles(ty_live *l, uint32_t client, const json_t *j)
{
    int32_t tile[TYI_WEB_WISHES][3];
    int n = 0;
    size_t i;
    json_t *one, *all = json_object_get(j, "tiles");
    if (!json_is_array(all) || json_array_size(all) > TYI_WEB_WISHES) {
        return "tiles: a list of at most 64 is accepted";
    }
    json_array_foreach(all, i, one)
    {
        for (size_t k = 0; k < 3; k++) {
            json_int_t v = json_integer_value(json_array_get(one, k));
            if (!json_is_integer(json_array_get(one, k)) || v < -(1 << 24) || v > 1 << 24) {
                return "tiles: level, x and y are whole numbers";
            }
            tile[n][k] = (int32_t)v;
        }
        n++;
    }
    tyi_web_ground_want(l->ground, client, (const int32_t(*)[3])tile, n);
    return NULL;
}

static const char *read_look(ty_live *l, uint32_t client, const json_t *j)
{
    size_t i;
    json_t *one, *all = json_object_get(j, "sensors");
    if (!json_is_array(all) || json_array_size(all) > 256) {
        return "look: a list of sensors is accepted";
    }
    tyi_web_pictures_forget(l->pictures, client);
    json_array_foreach(all, i, one)
    {
        json_int_t v = json_integer_value(one);
        if (json_is_integer(one) && v >= 0) {
            tyi_web_pictures_want(l->pictures, client, (size_t)v, true);
        }
    }
    return NULL;
}

static const char *read_path(command *c, const json_t *j)
{
    size_t i;
    json_t *one, *all = json_object_get(j, "points");
    if (!json_is_array(all) || !json_array_size(all) || json_array_size(all) > POINTS) {
        return "path: 1 to 64 points are accepted";
    }
    json_array_foreach(all, i, one)
    {
        for (size_t k = 0; k < 2; k++) {
            const json_t *v = json_array_get(one, k);
            if (!json_is_number(v) || !(fabs(json_number_value(v)) <= 1e5)) {
                return "path: a point is x and y [m] within 100 km";
            }
            c->point[i][k] = (float)json_number_value(v);
        }
        c->count++;
    }
    return NULL;
}

static const struct {
    const char *op;
    verb verb;
} verbs[] = { { "drive", DRIVE }, { "path", PATH }, { "auto", AUTO },   { "stop", STOP },   { "pause", PAUSE },
              { "run", GO },      { "step", STEP }, { "reset", RESET }, { "speed", SPEED }, { "sun", SUN } };

static const char *const steering[] = { "ackermann", "crab", "point", "skid" };

static const char *received(void *user, uint32_t client, bool text, const uint8_t *data, size_t bytes)
{
    ty_live *l = user;
    json_error_t error;
    if (!text) {
        return "commands are JSON text";
    }
    json_t *j = json_loadb((const char *)data, bytes, JSON_REJECT_DUPLICATES, &error);
    const char *op = json_string_value(json_object_get(j, "op")), *why = "a command is a JSON object with a known op";
    if (op && !strcmp(op, "tiles")) {
        why = read_tiles(l, client, j);
    } else if (op && !strcmp(op, "look")) {
        why = read_look(l, client, j);
    }
    for (size_t i = 0; op && i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(op, verbs[i].op) != 0) {
            continue;
        }
        double rover = number(j, "rover", 0.0);
        command c = { .verb = verbs[i].verb, .client = client };
        c.rover = rover >= 0.0 && rover < (double)l->rovers ? (size_t)rover : SIZE_MAX;
        c.drive.v = within(number(j, "v", 0.0), -100.0, 100.0);
        c.drive.omega = within(number(j, "omega", 0.0), -100.0, 100.0);
        c.drive.crab = within(number(j, "crab", 0.0), -TY_PI, TY_PI);
        const char *how = json_string_value(json_object_get(j, "mode"));
        for (int k = 0; how && k < 4; k++) {
            c.drive.mode = !strcmp(how, steering[k]) ? (ty_steering)k : c.drive.mode;
        }
        c.count = c.verb == STEP ? (int)within(number(j, "n", 1.0), 1.0, 1e6) : 0;
        c.value = number(j, c.verb == SUN ? "shift" : c.verb == PATH ? "speed" : "times", c.verb == PATH ? 0.2 : 0.0);
        why = c.verb == PATH ? read_path(&c, j) : NULL;
        why = !why && c.rover == SIZE_MAX && c.verb <= STOP ? "there is no such rover" : why;
        why = why ? why : give(l, &c);
    }
    json_decref(j);
    return why;
}

static void opened(void *user, uint32_t client, int protocol)
{
    (void)user, (void)client, (void)protocol;
}

static void closed(void *user, uint32_t client)
{
    ty_live *l = user;
    tyi_web_ground_want(l->ground, client, NULL, 0);
    tyi_web_pictures_forget(l->pictures, client);
    pthread_mutex_lock(&l->lock);
    if (l->lefts < COMMANDS) {
        l->left[l->lefts++] = client;
    }
    atomic_store(&l->called, true);
    pthread_mutex_unlock(&l->lock);
}

/* ---- commands, done on the run's thread ---- */

static void anchor(ty_live *l)
{
    l->origin = tyi_web_now();
    l->anchor = ty_seconds(ty_run_time(l->run));
    l->anchored = true;
}

static void tell_path(ty_live *l, size_t rover, const command *c)
{
    json_t *points = json_array();
    for (int i = 0; c && i < c->count; i++) {
        json_array_append_new(points, json_pack("[f, f]", (double)c->point[i][0], (double)c->point[i][1]));
    }
    tell(l, 0, json_pack("{s:s, s:i, s:o}", "op", "path", "rover", (int)rover, "points", points));
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
    def.speed = within(c->value, 0.01, 5.0);
    if (tyi_vehicle_driver_path(&def, &driver, &diag) != TY_OK) {
        note(l, c->client, diag.text);
        return;
    }
    tyi_vehicle_driver_destroy(p->path);
    p->path = driver;
    p->mode = PATHS;
    tell_path(l, c->rover, c);
    event(l, "path", l->rover[c->rover].name, c->count == 1 ? "drives to a waypoint" : "drives along waypoints");
}

/* the pilots as they were at the start */
static ty_status make_pilots(ty_live *l, const ty_scenario *from, ty_diag *diag)
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
        note(l, client, "This run is recorded (-o), and what is written cannot be taken back: it is not reset.");
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
    tyi_web_pictures_relight(l->pictures);
    l->sun_shift = 0.0;
    l->done = l->ended_told = l->anchored = false;
    l->next_look = 0.0;
    l->epoch++;
    l->stats.resets++;
    l->edits = ty_terrain_version(ty_world_terrain(ty_run_world(l->run)));
    tell(l, 0, json_pack("{s:s, s:i}", "op", "reset", "epoch", (int)l->epoch));
    event(l, "reset", "", "back to the start");
    return status;
}

static ty_status move_sun(ty_live *l, const command *c, ty_diag *diag)
{
    (void)diag;
    ty_diag why = { 0 };
    if (l->record) {
        note(l, c->client, "This run is recorded (-o): its Sun stays where the scenario has it.");
        return TY_OK;
    }
    l->sun_shift = within(c->value, -SUN_SHIFT, SUN_SHIFT);
    if (ty_run_set_start(l->run, ty_utc_add(l->start_utc, ty_time_from(l->sun_shift)), &why) != TY_OK) {
        note(l, c->client, why.text);
    }
    tyi_web_pictures_relight(l->pictures);
    return TY_OK;
}

static ty_status obey(ty_live *l, const command *c, ty_diag *diag)
{
    pilot *p = c->verb <= STOP ? &l->pilot[c->rover] : NULL;
    const char *rover = p ? l->rover[c->rover].name : "";
    bool was = l->paused;
    switch (c->verb) {
    case DRIVE:
        if (p->mode != BY_HAND) {
            event(l, "drive", rover, "driven by hand");
            tell_path(l, c->rover, NULL);
        }
        p->mode = BY_HAND;
        p->hand = c->drive;
        p->client = c->client;
        p->heard = tyi_web_now();
        break;
    case PATH:
        follow(l, c);
        break;
    case AUTO:
        p->mode = p->first;
        tell_path(l, c->rover, NULL);
        event(l, "auto", rover,
              p->first == STANDS ? "stands: the scenario gives it no driver" : "driven by its scenario");
        break;
    case STOP:
        p->mode = STANDS;
        tell_path(l, c->rover, NULL);
        event(l, "stop", rover, "stopped");
        break;
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
        return reset(l, c->client, diag);
    case SPEED:
        l->speed = c->value <= 0.0 ? 0.0 : within(c->value, 1e-3, 1e3);
        l->anchored = false;
        break;
    case SUN:
        return move_sun(l, c, diag);
    }
    if (was != l->paused) {
        event(l, l->paused ? "pause" : "run", "", l->paused ? "paused" : "goes on");
    }
    l->next_state = 0.0;
    return TY_OK;
}

static ty_status take_commands(ty_live *l, ty_diag *diag)
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
        if (l->commands) {
            c = l->command[0];
            memmove(l->command, l->command + 1, sizeof c * (size_t)--l->commands);
            have = true;
        }
        atomic_store(&l->called, l->commands > 0);
        pthread_mutex_unlock(&l->lock);
        for (int k = 0; k < lefts; k++) { /* whoever drove is gone: the rover stops */
            for (size_t i = 0; i < l->rovers; i++) {
                if (l->pilot[i].mode == BY_HAND && l->pilot[i].client == left[k]) {
                    l->pilot[i].hand = (ty_drive_command){ 0 };
                }
            }
        }
        status = have ? obey(l, &c, diag) : status;
    }
    return status;
}

/* ---- drivers ---- */

static ty_status drive(ty_live *l, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < l->rovers && status == TY_OK; i++) {
        pilot *p = &l->pilot[i];
        ty_drive_command c = { 0 };
        tyi_vehicle_driver *driver = p->mode == SCENARIO ? p->own : p->mode == PATHS ? p->path : NULL;
        if (driver) {
            ty_vehicle_state s;
            ty_vehicle_get(ty_run_rover(l->run, i), &s);
            if (!tyi_vehicle_driver_command(driver, &s, &c) && p->mode == PATHS) {
                p->mode = STANDS;
                tell_path(l, i, NULL);
                event(l, "arrived", l->rover[i].name, "at its waypoint");
            }
        } else if (p->mode == BY_HAND) {
            if (tyi_web_now() - p->heard > WATCHDOG) {
                p->hand = (ty_drive_command){ 0 };
            }
            c = p->hand;
        }
        status = ty_run_command(l->run, i, &c, diag);
    }
    return status;
}

/* ---- what is told of the run ---- */

static void put_pose(tyi_web_bytes *to, ty_vec3 p, ty_quat q)
{
    const float v[7] = { (float)p.x, (float)p.y, (float)p.z, (float)q.w, (float)q.x, (float)q.y, (float)q.z };
    tyi_web_put(to, v, sizeof v);
}

static void put_vec(tyi_web_bytes *to, ty_vec3 p)
{
    const float v[3] = { (float)p.x, (float)p.y, (float)p.z };
    tyi_web_put(to, v, sizeof v);
}

static void put_rover(tyi_web_bytes *to, ty_live *l, size_t i)
{
    const ty_vehicle *v = ty_run_rover(l->run, i);
    ty_vehicle_state s;
    int bodies = ty_vehicle_bodies(v);
    ty_vehicle_get(v, &s);
    const double p[3] = { s.pose.p.x, s.pose.p.y, s.pose.p.z };
    tyi_web_put(to, p, sizeof p);
    put_pose(to, ty_rotate(ty_quat_conj(s.pose.q), s.v_W), s.pose.q);
    put_vec(to, s.omega_B);
    TYI_WEB_PUT(to, float, s.odometer);
    TYI_WEB_PUT(to, float, s.work_motor);
    TYI_WEB_PUT(to, uint8_t, l->pilot[i].mode);
    TYI_WEB_PUT(to, uint8_t, s.wheels);
    TYI_WEB_PUT(to, uint16_t, bodies);
    for (int b = 0; b < bodies; b++) {
        ty_pose at = ty_vehicle_body_pose(v, b, NULL, NULL);
        put_pose(to, ty_sub(at.p, s.pose.p), at.q);
    }
    for (int w = 0; w < s.wheels; w++) {
        const ty_wheel_view *f = &s.wheel[w];
        const float value[10] = { (float)f->omega, (float)f->torque,        (float)f->power, (float)f->steer,
                                  (float)f->slip,  (float)f->sinkage,       (float)f->fz,    (float)f->f_rock,
                                  (float)f->angle, f->contact ? 1.0f : 0.0f };
        tyi_web_put(to, value, sizeof value);
    }
}

static double unix_seconds(ty_utc utc)
{
    static const double year_2000 = 946728000.0; /* of 2000-01-01T12:00 */
    char text[TY_UTC_TEXT];
    struct tm t = { 0 };
    double second = 0.0;
    ty_utc_format(utc, 3, text);
    if (sscanf(text, "%d-%d-%dT%d:%d:%lf", &t.tm_year, &t.tm_mon, &t.tm_mday, &t.tm_hour, &t.tm_min, &second) != 6) {
        return year_2000;
    }
    t.tm_year -= 1900, t.tm_mon--;
    return (double)timegm(&t) + second;
}

static void send_state(ty_live *l)
{
    enum { HEAD = 88, ROVER = 76, BODY = 28, WHEEL = 40, ACTOR = 40 };
    size_t bytes = HEAD + l->scenario.actors * ACTOR;
    for (size_t i = 0; i < l->rovers; i++) {
        const ty_vehicle *v = ty_run_rover(l->run, i);
        bytes += ROVER + (size_t)ty_vehicle_bodies(v) * BODY + (size_t)ty_vehicle_wheels(v, NULL) * WHEEL;
    }
    tyi_web_blob *blob = tyi_web_blob_new(bytes, false);
    if (!blob) {
        return;
    }
    tyi_web_bytes to = { blob->data };
    ty_time now = ty_run_time(l->run);
    ty_sky_view sky = ty_run_sky(l->run);
    TYI_WEB_PUT(&to, uint8_t, TYI_WEB_STATE);
    TYI_WEB_PUT(&to, uint8_t, (l->paused ? 1 : 0) | (l->done ? 2 : 0) | (l->record ? 4 : 0));
    TYI_WEB_PUT(&to, uint16_t, l->rovers);
    TYI_WEB_PUT(&to, uint32_t, l->sequence++);
    TYI_WEB_PUT(&to, double, ty_seconds(now));
    TYI_WEB_PUT(&to, double, unix_seconds(ty_utc_add(ty_world_start(ty_run_world(l->run)), now)));
    TYI_WEB_PUT(&to, double, l->sun_shift);
    TYI_WEB_PUT(&to, float, l->speed);
    TYI_WEB_PUT(&to, float, l->stats.rate);
    put_vec(&to, sky.sun.dir_W);
    put_vec(&to, sky.earth.dir_W);
    TYI_WEB_PUT(&to, float, sky.sun.radius);
    TYI_WEB_PUT(&to, float, sky.earth.radius);
    TYI_WEB_PUT(&to, float, sky.earth_phase);
    TYI_WEB_PUT(&to, uint32_t, l->epoch);
    TYI_WEB_PUT(&to, uint16_t, l->scenario.actors);
    TYI_WEB_PUT(&to, uint16_t, tyi_web_get_stats(l->server).clients);
    TYI_WEB_PUT(&to, uint32_t, 0);
    for (size_t i = 0; i < l->rovers; i++) {
        put_rover(&to, l, i);
    }
    for (size_t i = 0; i < l->scenario.actors; i++) {
        ty_pose p = ty_run_actor_pose(l->run, i);
        const double at[3] = { p.p.x, p.p.y, p.p.z };
        const float q[4] = { (float)p.q.w, (float)p.q.x, (float)p.q.y, (float)p.q.z };
        tyi_web_put(&to, at, sizeof at);
        tyi_web_put(&to, q, sizeof q);
    }
    blob->bytes = (size_t)(to.at - blob->data);
    tyi_web_send(l->server, 0, blob, TYI_WEB_NEWEST, TYI_WEB_KEY_STATE);
    tyi_web_blob_drop(blob);
    l->stats.frames++;
}

/* the ground that changed since last time, to the thread that makes tiles */
static void send_edits(ty_live *l)
{
    ty_terrain *t = ty_world_terrain(ty_run_world(l->run));
    uint64_t newest = ty_terrain_version(t);
    int32_t all[4] = { 0 };
    bool any = false;
    for (uint64_t v = l->edits + 1; v <= newest; v++) {
        int32_t r[4];
        if (!tyi_terrain_edit_rect(t, v, r)) {
            break;
        }
        int32_t x1 = any && all[0] + all[2] > r[0] + r[2] ? all[0] + all[2] : r[0] + r[2];
        int32_t y1 = any && all[1] + all[3] > r[1] + r[3] ? all[1] + all[3] : r[1] + r[3];
        all[0] = any && all[0] < r[0] ? all[0] : r[0], all[1] = any && all[1] < r[1] ? all[1] : r[1];
        all[2] = x1 - all[0], all[3] = y1 - all[1];
        any = true;
    }
    l->edits = newest;
    for (int32_t j = 0; any && j < all[3]; j += EDIT_SIDE) {
        for (int32_t i = 0; i < all[2]; i += EDIT_SIDE) {
            int32_t rect[4] = { all[0] + i, all[1] + j, all[2] - i < EDIT_SIDE ? all[2] - i : EDIT_SIDE,
                                all[3] - j < EDIT_SIDE ? all[3] - j : EDIT_SIDE };
            size_t n = (size_t)rect[2] * (size_t)rect[3];
            float *change = malloc(n * sizeof *change);
            uint8_t *trace = malloc(n);
            if (change && trace) {
                ty_terrain_edits(t, ty_terrain_get_def(t)->edit_level, rect[0], rect[1], rect[2], rect[3], change,
                                 trace);
                tyi_web_ground_edit(l->ground, rect, change, trace);
            } else {
                free(change), free(trace);
            }
        }
    }
}

/* what is worth a look, once when it begins; limits as a record's (docs/run.md) */
static void watch(ty_live *l)
{
    char text[160];
    for (size_t i = 0; i < l->rovers; i++) {
        pilot *p = &l->pilot[i];
        ty_vehicle_state s;
        ty_wheel_info info[TY_WHEELS_MAX];
        const ty_vehicle *v = ty_run_rover(l->run, i);
        ty_vehicle_get(v, &s);
        ty_vehicle_wheels(v, info);
        double tilt = acos(within(ty_rotate(s.pose.q, ty_vec3_make(0, 0, 1)).z, -1.0, 1.0)) / TY_DEG, slip = 0.0;
        int worst = 0;
        uint64_t rock = 0;
        for (int w = 0; w < s.wheels; w++) {
            if (s.wheel[w].contact && fabs(s.wheel[w].slip) > slip) {
                slip = fabs(s.wheel[w].slip);
                worst = w;
            }
            if (s.wheel[w].rock && s.wheel[w].f_rock > 1.0 && s.wheel[w].rock != p->rock) {
                rock = s.wheel[w].rock;
                snprintf(text, sizeof text, "wheel %s meets a rock", info[w].name);
            }
        }
        if (rock) {
            p->rock = rock;
            event(l, "rock_contact", l->rover[i].name, text);
        }
        bool slips = ty_seconds(ty_run_time(l->run)) > 2.0 && ty_norm(s.v_W) > 0.02 && slip > (p->slips ? 0.3 : 0.4);
        if (slips && !p->slips) {
            snprintf(text, sizeof text, "slip %.0f %% at wheel %s", 100.0 * slip, info[worst].name);
            event(l, "high_slip", l->rover[i].name, text);
        }
        bool tilted = tilt > (p->tilted ? 13.0 : 15.0);
        if (tilted && !p->tilted) {
            snprintf(text, sizeof text, "tilt %.1f deg", tilt);
            event(l, "tilt", l->rover[i].name, text);
        }
        p->slips = slips, p->tilted = tilted;
    }
}

static void look(ty_live *l, double now)
{
    double t = ty_seconds(ty_run_time(l->run));
    if (t >= l->next_look) {
        watch(l);
        l->next_look = t + 0.05;
    }
    if (now < l->next_state) {
        return;
    }
    bool clients = tyi_web_get_stats(l->server).clients > 0, still = (l->paused && !l->steps_left) || l->done;
    l->next_state = now + 1.0 / (still ? IDLE_HZ : STATE_HZ);
    if (now >= l->next_edit) {
        l->next_edit = now + 0.2;
        send_edits(l);
    }
    if (now - l->rate_wall > 0.5) {
        l->stats.rate = (t - l->rate_sim) / (now - l->rate_wall);
        l->stats.rate = l->stats.rate < 0.0 ? 0.0 : l->stats.rate;
        l->rate_wall = now, l->rate_sim = t;
    }
    if (clients) {
        send_state(l);
    }
}

static void receive(void *user, const ty_message *m)
{
    ty_live *l = user;
    ty_sensor_info info = ty_run_sensor(l->run, m->index);
    ty_pose pose = { { 0, 0, 0 }, { 1, 0, 0, 0 } };
    for (size_t i = 0; i < l->rovers; i++) {
        if (!strcmp(l->rover[i].name, info.rover)) {
            const ty_vehicle *v = ty_run_rover(l->run, i);
            int mount = ty_vehicle_find_mount(v, info.def->mount);
            ty_vehicle_state s;
            ty_vehicle_get(v, &s);
            pose = mount >= 0 ? ty_vehicle_mount_pose(v, mount) : s.pose;
        }
    }
    for (size_t i = 0; i < l->scenario.actors; i++) {
        pose = !strcmp(l->scenario.actor[i].name, info.rover) ? ty_run_actor_pose(l->run, i) : pose;
    }
    tyi_web_pictures_put(l->pictures, m, pose);
}

/* ---- a turn ---- */

/* waits [s], or until a client calls */
static void rest(ty_live *l, double seconds)
{
    if (seconds < 0.002) { /* too short to be called: the scheduler's own grain */
        struct timespec t = { 0, (long)(1e9 * fmax(seconds, 0.0)) };
        nanosleep(&t, NULL);
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(1e9 * fmin(seconds, TURN));
    until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&l->lock);
    if (!atomic_load(&l->called)) {
        pthread_cond_timedwait(&l->wake, &l->lock, &until);
    }
    pthread_mutex_unlock(&l->lock);
}

/* how long to wait for the next step [s]; counts what comes late */
static double ahead(ty_live *l, double now)
{
    if (l->speed <= 0.0 || l->steps_left > 0) {
        return 0.0;
    }
    if (!l->anchored) {
        anchor(l);
    }
    double early = (ty_seconds(ty_run_time(l->run)) - l->anchor) / l->speed - (now - l->origin);
    if (early < -LATE) {
        l->stats.late++;
        l->stats.late_worst = fmax(l->stats.late_worst, -early);
    }
    if (early < -BEHIND) { /* it cannot keep the pace: what is lost is lost */
        anchor(l);
    }
    if (early <= 0.0 && early > -LATE) {
        l->jitter_sum += early * early;
        l->jitter_count++;
    }
    return early;
}

static ty_status step(ty_live *l, ty_diag *diag)
{
    ty_status status = TY_OK;
    ty_time now = ty_run_time(l->run);
    if (now % DRIVER_PERIOD < ty_time_from(l->scenario.step)) {
        status = drive(l, diag);
    }
    if (status == TY_OK) {
        status = l->record ? ty_record_step(l->record, diag) : ty_run_step(l->run, diag);
    }
    l->stats.steps++;
    l->steps_left -= l->steps_left > 0;
    return status;
}

ty_status ty_live_turn(ty_live *l, ty_diag *diag)
{
    double start = tyi_web_now(), now = start;
    ty_status status = TY_OK;
    do {
        if (atomic_load_explicit(&l->called, memory_order_relaxed)) {
            status = take_commands(l, diag);
        }
        if (status == TY_OK && !l->done && ty_run_done(l->run)) {
            l->done = true;
            status = l->record ? ty_record_step(l->record, diag) : TY_OK; /* the record's own end */
            event(l, "end", "", "its duration is over");
            l->next_state = 0.0;
        }
        look(l, now);
        bool still = l->done || (l->paused && !l->steps_left);
        double early = status != TY_OK || still ? TURN : ahead(l, now);
        if (early > 0.0) {
            if (status == TY_OK) {
                rest(l, early);
            }
        } else {
            status = step(l, diag);
        }
        now = tyi_web_now();
    } while (status == TY_OK && now - start < TURN && !(l->done && !l->stay));
    return status;
}

bool ty_live_done(const ty_live *l)
{
    return l->done && !l->stay;
}

/* ---- making it ---- */

static ty_status no_memory(ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_MEMORY, "live: no memory");
}

static ty_status check(const ty_live_def *def, ty_diag *diag)
{
    if (def->cookie != COOKIE || !def->scenario) {
        return ty_fail(diag, TY_ERR_DEF,
                       "live: the definition did not start from ty_live_def_default(), or has no scenario");
    }
    if (def->port < 0 || def->port > 65535) {
        return ty_fail(diag, TY_ERR_RANGE, "live: the port is %d, but 1 to 65535 is accepted, or 0 for any", def->port);
    }
    if (def->clients < 1 || def->clients > TYI_WEB_CLIENTS) {
        return ty_fail(diag, TY_ERR_RANGE, "live: clients is %d, but 1 to %d is accepted", def->clients,
                       TYI_WEB_CLIENTS);
    }
    if (!(def->speed >= 0.0 && def->speed <= 1000.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "live: the speed is %g, but 0.001 to 1000 times real time is accepted, or 0 for all that goes",
                       def->speed);
    }
    size_t n = def->token ? strlen(def->token) : 16;
    if (n < 8 || n > 64 ||
        (def->token && strspn(def->token, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != n)) {
        return ty_fail(diag, TY_ERR_INPUT, "live: a token is 8 to 64 letters and digits");
    }
    return TY_OK;
}

static ty_status make_token(ty_live *l, const char *given, ty_diag *diag)
{
    uint8_t chance[16];
    if (given) {
        snprintf(l->token, sizeof l->token, "%s", given);
        return TY_OK;
    }
    if (getrandom(chance, sizeof chance, 0) != (ssize_t)sizeof chance) {
        return ty_fail(diag, TY_ERR_FILE, "live: the system has no random numbers for a token");
    }
    for (size_t i = 0; i < sizeof chance; i++) {
        snprintf(l->token + 2 * i, 3, "%02x", chance[i]);
    }
    return TY_OK;
}

static ty_status make_run(ty_live *l, const ty_live_def *def, ty_diag *diag)
{
    l->scenario = *def->scenario;
    l->rovers = l->scenario.rovers;
    l->rover = calloc(l->rovers + 1, sizeof *l->rover);
    l->pilot = calloc(l->rovers + 1, sizeof *l->pilot);
    if (!l->rover || !l->pilot) {
        return no_memory(diag);
    }
    for (size_t i = 0; i < l->rovers; i++) {
        l->rover[i] = def->scenario->rover[i];
        l->rover[i].driver.kind = TY_DRIVER_EXTERNAL;
    }
    l->scenario.rover = l->rover;
    ty_run_def run = ty_run_def_default();
    run.scenario = &l->scenario;
    run.overlap = def->overlap;
    ty_status status = ty_run_create(&run, &l->run, diag);
    status = status == TY_OK ? make_pilots(l, def->scenario, diag) : status;
    if (status == TY_OK) {
        l->start_utc = ty_world_start(ty_run_world(l->run));
        status = ty_run_save(l->run, &l->start, &l->start_bytes, diag);
    }
    if (status == TY_OK && def->record) {
        status = ty_record_create(l->run, def->record, &l->record, diag);
    }
    return status == TY_OK ? ty_run_subscribe(l->run, NULL, NULL, receive, l, diag) : status;
}

static ty_status make_server(ty_live *l, const ty_live_def *def, ty_diag *diag)
{
    tyi_web_server_def server = { .listen = def->listen,
                                  .port = def->port,
                                  .token = l->token,
                                  .origin = def->origin,
                                  .clients = def->clients,
                                  .file = l->file,
                                  .opened = opened,
                                  .received = received,
                                  .closed = closed,
                                  .user = l };
    ty_status status = tyi_web_server_start(&server, &l->server, diag);
    if (status == TY_OK) {
        bool v6 = strchr(def->listen, ':') != NULL;
        snprintf(l->address, sizeof l->address, "http://%s%s%s:%d/%s/", v6 ? "[" : "", def->listen, v6 ? "]" : "",
                 tyi_web_server_port(l->server), l->token);
        tyi_web_ground_serve(l->ground, l->server);
        tyi_web_pictures_serve(l->pictures, l->server);
    }
    return status;
}

ty_status ty_live_create(const ty_live_def *def, ty_live **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = check(def, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_live *l = calloc(1, sizeof *l);
    if (!l) {
        return no_memory(diag);
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    l->speed = def->speed, l->paused = def->paused, l->stay = def->stay;
    status = make_token(l, def->token, diag);
    status = status == TY_OK ? make_run(l, def, diag) : status;
    status = status == TY_OK ? tyi_web_ground_start(&l->scenario, &l->ground, diag) : status;
    status = status == TY_OK ? tyi_web_pictures_start(l->run, &l->pictures, diag) : status;
    status = status == TY_OK ? tyi_web_scene_make(l->run, &l->file, diag) : status;
    status = status == TY_OK ? make_server(l, def, diag) : status;
    if (status != TY_OK) {
        ty_live_destroy(l);
        return status;
    }
    *out = l;
    return TY_OK;
}

void ty_live_destroy(ty_live *l)
{
    if (!l) {
        return;
    }
    tyi_web_ground_stop(l->ground);
    tyi_web_pictures_stop(l->pictures);
    tyi_web_server_stop(l->server, "the run has ended");
    tyi_web_ground_free(l->ground);
    tyi_web_pictures_free(l->pictures);
    ty_record_destroy(l->record);
    for (size_t i = 0; l->pilot && i < l->rovers; i++) {
        tyi_vehicle_driver_destroy(l->pilot[i].own), tyi_vehicle_driver_destroy(l->pilot[i].path);
    }
    ty_run_destroy(l->run);
    tyi_web_scene_free(l->file);
    pthread_cond_destroy(&l->wake);
    pthread_mutex_destroy(&l->lock);
    free(l->rover), free(l->pilot), free(l->start), free(l);
}

const char *ty_live_address(const ty_live *l)
{
    return l->address;
}

ty_run *ty_live_run(ty_live *l)
{
    return l->run;
}

ty_record *ty_live_record(ty_live *l)
{
    return l->record;
}

ty_live_stats ty_live_get_stats(ty_live *l)
{
    ty_live_stats s = l->stats;
    tyi_web_stats w = tyi_web_get_stats(l->server);
    s.jitter = l->jitter_count ? sqrt(l->jitter_sum / (double)l->jitter_count) : 0.0;
    s.clients = w.clients, s.clients_seen = w.opened, s.refused = w.refused, s.sent = w.sent, s.dropped = w.dropped;
    s.tiles = tyi_web_ground_tiles(l->ground);
    s.images = tyi_web_pictures_sent(l->pictures);
    return s;
}
