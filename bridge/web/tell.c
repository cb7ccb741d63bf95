/* bridge/web/tell.c - what clients are told of a run: words, state, ground that changed, what is worth a look.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "foxglove.h"
#include "replay.h"
#include "sim/cast.h"
#include "vehicle/look.h"
#include "world/terrain/inner.h"

#define STATE_HZ  60.0
#define IDLE_HZ   5.0 /* of state while nothing moves */
#define EDIT_SIDE 512 /* samples; larger rectangles are split */

/* ---- what clients are told in words ---- */

void tyi_live_tell(ty_live *l, uint32_t client, json_t *what)
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

void tyi_live_event(ty_live *l, const char *kind, const char *rover, const char *text)
{
    tyi_live_tell(l, 0,
                  json_pack("{s:s, s:f, s:s, s:s, s:s}", "op", "event", "t", ty_seconds(ty_run_time(l->run)), "kind",
                            kind, "rover", rover, "text", text));
    tyi_hub_event(l, kind, rover, text);
}

void tyi_live_note(ty_live *l, uint32_t client, const char *text)
{
    if (l->hub && tyi_fox_note(l->hub->fox, client, text)) {
        return;
    }
    tyi_live_tell(l, client, json_pack("{s:s, s:s}", "op", "note", "text", text));
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
    TYI_WEB_PUT(&to, uint8_t, (l->paused ? 1 : 0) | (l->done ? 2 : 0) | (l->record ? 4 : 0) | (l->replay ? 8 : 0));
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

/* who is there: rovers that are away, what came, what has left; again now and then, for those who have just opened the page */
void tyi_live_cast(ty_live *l)
{
    l->next_cast = 0.0;
}

static json_t *thing_json(const tyi_sim_thing *t)
{
    const ty_scenario_object *o = t->object;
    if (t->rock) {
        return json_pack("{s:s, s:s, s:f, s:f, s:f}", "kind", "rock", "name", t->name, "x", t->rock->at[0], "y",
                         t->rock->at[1], "size", t->rock->size);
    }
    json_t *j = json_pack("{s:s, s:s, s:b, s:[f, f, f]}", "kind", "object", "name", t->name, "gone", !t->here, "p",
                          o->position[0], o->position[1], o->position[2] + t->z);
    json_object_set_new(j, "radius", json_real(o->shape == 1 ? o->radius : 0.5 * o->scale));
    return j;
}

static void send_cast(ty_live *l, double now)
{
    enum { MOST = 512 };
    static const double every = 2.0; /* [s] */
    tyi_sim_thing thing[MOST];
    size_t n = tyi_sim_cast_things(l->run, thing, MOST);
    json_t *away = json_array(), *things = json_array();
    for (size_t i = 0; i < l->rovers; i++) {
        json_array_append_new(away, json_boolean(tyi_sim_cast_away(l->run, i)));
    }
    for (size_t i = 0; i < n && i < MOST; i++) {
        json_array_append_new(things, thing_json(&thing[i]));
    }
    tyi_live_tell(l, 0, json_pack("{s:s, s:o, s:o}", "op", "cast", "away", away, "things", things));
    l->next_cast = now + every;
}

/* rocks that came, moved or left, to the thread that makes tiles */
static void send_rocks(ty_live *l)
{
    const ty_terrain *t = ty_world_terrain(ty_run_world(l->run));
    const ty_rock *rock;
    uint64_t newest = tyi_terrain_rock_version(t);
    size_t n = tyi_terrain_rocks_moved(t, &rock);
    ty_rock *copy = newest != l->rocks && n ? malloc(n * sizeof *copy) : NULL;
    l->rocks = newest;
    if (copy) {
        memcpy(copy, rock, n * sizeof *copy);
        tyi_web_ground_rocks(l->ground, copy, n);
    }
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
    if (any) {
        tyi_live_send_rect(l, all);
        tyi_live_keep_edit(l, all);
    }
}

void tyi_live_send_rect(ty_live *l, const int32_t all[4])
{
    ty_terrain *t = ty_world_terrain(ty_run_world(l->run));
    for (int32_t j = 0; j < all[3]; j += EDIT_SIDE) {
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

/* what is worth a look, once when it begins */
static void watch(ty_live *l)
{
    char text[160];
    for (size_t i = 0; i < l->rovers; i++) {
        pilot *p = &l->pilot[i];
        if (tyi_sim_cast_away(l->run, i)) {
            continue;
        }
        ty_vehicle_state s;
        ty_wheel_info info[TY_WHEELS_MAX];
        const ty_vehicle *v = ty_run_rover(l->run, i);
        ty_vehicle_get(v, &s);
        ty_vehicle_wheels(v, info);
        tyi_vehicle_look at = tyi_vehicle_look_at(&s);
        uint64_t rock = 0;
        for (int w = 0; w < s.wheels; w++) {
            if (s.wheel[w].rock && s.wheel[w].rock != p->rock &&
                tyi_vehicle_worth((tyi_vehicle_limit)TYI_VEHICLE_ROCK, s.wheel[w].f_rock, false)) {
                rock = s.wheel[w].rock;
                snprintf(text, sizeof text, "wheel %.63s meets a rock", info[w].name);
            }
        }
        if (rock) {
            p->rock = rock;
            tyi_live_event(l, "rock_contact", l->rover[i].name, text);
        }
        bool slips = tyi_vehicle_worth((tyi_vehicle_limit)TYI_VEHICLE_HIGH_SLIP, at.slip, p->slips);
        if (slips && !p->slips) {
            snprintf(text, sizeof text, "slip %.0f %% at wheel %s", 100.0 * at.slip, info[at.wheel].name);
            tyi_live_event(l, "high_slip", l->rover[i].name, text);
        }
        bool tilted = tyi_vehicle_worth((tyi_vehicle_limit)TYI_VEHICLE_TILT, at.tilt, p->tilted);
        if (tilted && !p->tilted) {
            snprintf(text, sizeof text, "tilt %.1f deg", at.tilt / TY_DEG);
            tyi_live_event(l, "tilt", l->rover[i].name, text);
        }
        p->slips = slips, p->tilted = tilted;
    }
}

void tyi_live_look(ty_live *l, double now)
{
    double t = ty_seconds(ty_run_time(l->run));
    if (t >= l->next_look) {
        watch(l);
        l->next_look = t + 0.05;
    }
    if (now < l->next_state) {
        return;
    }
    tyi_fox_look(l->hub->fox);
    bool clients = tyi_web_get_stats(l->server).clients > 0, still = (l->paused && !l->steps_left) || l->done;
    /* by the rhythm, not by when its turn came: that is a step or more later each time. Who is late does not catch up */
    double period = 1.0 / (still ? IDLE_HZ : STATE_HZ);
    l->next_state = now - l->next_state < period ? l->next_state + period : now + period;
    if (now >= l->next_edit) {
        l->next_edit = now + 0.2;
        send_edits(l);
        send_rocks(l);
    }
    if (now - l->rate_wall > 0.5) {
        l->stats.rate = (t - l->rate_sim) / (now - l->rate_wall);
        l->stats.rate = l->stats.rate < 0.0 ? 0.0 : l->stats.rate;
        l->rate_wall = now, l->rate_sim = t;
    }
    if (clients) {
        send_state(l);
    }
    if (clients && now >= l->next_cast) {
        send_cast(l, now);
    }
}

void tyi_live_receive(void *user, const ty_message *m)
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
