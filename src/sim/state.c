/* src/sim/state.c - what a run says beside its sensors: clock, poses, wheels, events, edits of the ground, as messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "run.h"

#define EDITS 256 /* rectangles of one message; of more, one that holds all */

static const ty_message_column clock_column[] = { { "t", "s", TY_QUANTITY_TIME, NULL }, { 0 } };
static const ty_message_schema clock_schema = { "clock", clock_column };

static const ty_message_column pose_column[] = { { "x", "m", TY_QUANTITY_POSITION, NULL },
                                                 { "y", "m", TY_QUANTITY_POSITION, NULL },
                                                 { "z", "m", TY_QUANTITY_POSITION, NULL },
                                                 { "qw", "", TY_QUANTITY_ATTITUDE, NULL },
                                                 { "qx", "", TY_QUANTITY_ATTITUDE, NULL },
                                                 { "qy", "", TY_QUANTITY_ATTITUDE, NULL },
                                                 { "qz", "", TY_QUANTITY_ATTITUDE, NULL },
                                                 { "vx", "m/s", TY_QUANTITY_VELOCITY, NULL },
                                                 { "vy", "m/s", TY_QUANTITY_VELOCITY, NULL },
                                                 { "vz", "m/s", TY_QUANTITY_VELOCITY, NULL },
                                                 { "wx", "rad/s", TY_QUANTITY_TURN, NULL },
                                                 { "wy", "rad/s", TY_QUANTITY_TURN, NULL },
                                                 { "wz", "rad/s", TY_QUANTITY_TURN, NULL },
                                                 { "way", "m", TY_QUANTITY_LENGTH, NULL },
                                                 { 0 } };
static const ty_message_schema pose_schema = { "pose", pose_column };
enum { POSE = sizeof pose_column / sizeof *pose_column - 1 };

/* of each wheel */
static const ty_message_column wheel_column[] = { { "angle", "rad", TY_QUANTITY_JOINT_ANGLE, NULL },
                                                  { "rate", "rad/s", TY_QUANTITY_JOINT_RATE, NULL },
                                                  { "torque", "N m", TY_QUANTITY_JOINT_TORQUE, NULL },
                                                  { "steer", "rad", TY_QUANTITY_ANGLE, NULL },
                                                  { "slip", "", TY_QUANTITY_SLIP, NULL },
                                                  { "sinkage", "m", TY_QUANTITY_LENGTH, NULL },
                                                  { "load", "N", TY_QUANTITY_LOAD, NULL },
                                                  { "power", "W", TY_QUANTITY_POWER, NULL },
                                                  { "contact", "", TY_QUANTITY_SWITCH, NULL } };
enum { PER = sizeof wheel_column / sizeof *wheel_column };

static const ty_message_column edit_column[] = {
    { "version", "", TY_QUANTITY_COUNT, NULL }, { "x0", "m", TY_QUANTITY_LENGTH, NULL },
    { "y0", "m", TY_QUANTITY_LENGTH, NULL },    { "x1", "m", TY_QUANTITY_LENGTH, NULL },
    { "y1", "m", TY_QUANTITY_LENGTH, NULL },    { 0 }
};
static const ty_message_schema edit_schema = { "edit", edit_column };
enum { EDIT = sizeof edit_column / sizeof *edit_column - 1 };

/* The columns of a rover's wheels, named by them. */
typedef struct wheels {
    ty_message_schema schema;
    char wheel[TY_WHEELS_MAX][TY_NAME_MAX];
    char name[PER * TY_WHEELS_MAX][TY_NAME_MAX + 16];
    ty_message_column column[PER * TY_WHEELS_MAX + 1];
} wheels;

struct tyi_sim_state {
    tyi_sim_subscriber subscriber[TY_RUN_SUBSCRIBERS];
    int subscribers;
    uint64_t sequence, edits; /* messages sent; version of the ground that was told */
    size_t rovers;
    wheels *wheels; /* of each rover */
    double value[PER * TY_WHEELS_MAX + EDIT * EDITS + POSE];
};

static void name_wheels(wheels *w, const ty_vehicle *vehicle)
{
    ty_wheel_info info[TY_WHEELS_MAX];
    int count = ty_vehicle_wheels(vehicle, info), n = 0;
    for (int i = 0; i < count; i++) {
        memcpy(w->wheel[i], info[i].name, sizeof w->wheel[i]);
        for (int k = 0; k < PER; k++, n++) {
            snprintf(w->name[n], sizeof w->name[n], "%s_%s", w->wheel[i], wheel_column[k].name);
            w->column[n] = wheel_column[k];
            w->column[n].name = w->name[n];
            w->column[n].of = w->wheel[i];
        }
    }
    w->schema = (ty_message_schema){ "wheels", w->column };
}

static ty_status make(ty_run *run, ty_diag *diag)
{
    tyi_sim_state *s = tyi_get(NULL, sizeof *s);
    run->state = s;
    if (s) {
        s->rovers = run->rovers;
        s->wheels = tyi_get(NULL, (run->rovers + 1) * sizeof *s->wheels);
    }
    if (!s || !s->wheels) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for its messages");
    }
    for (size_t i = 0; i < run->rovers; i++) {
        name_wheels(&s->wheels[i], run->rover[i].vehicle);
    }
    return TY_OK;
}

void tyi_sim_state_free(ty_run *run)
{
    tyi_sim_state *s = run->state;
    if (s) {
        tyi_put(NULL, s->wheels, (s->rovers + 1) * sizeof *s->wheels);
        tyi_put(NULL, s, sizeof *s);
    }
}

ty_status ty_run_subscribe_state(ty_run *run, ty_message_receive receive, void *user, ty_diag *diag)
{
    ty_status status = run->state ? TY_OK : make(run, diag);
    if (status == TY_OK && run->state->subscribers == TY_RUN_SUBSCRIBERS) {
        status =
            ty_fail(diag, TY_ERR_RANGE, "run: there are %d subscribers already, which is the most", TY_RUN_SUBSCRIBERS);
    }
    if (status == TY_OK) {
        run->state->subscriber[run->state->subscribers++] = (tyi_sim_subscriber){ .receive = receive, .user = user };
    }
    return status;
}

void tyi_sim_state_unsubscribe(ty_run *run, const void *user)
{
    tyi_sim_state *s = run->state;
    int kept = 0;
    for (int i = 0; s && i < s->subscribers; i++) {
        if (s->subscriber[i].user != user) {
            s->subscriber[kept++] = s->subscriber[i];
        }
    }
    if (s) {
        s->subscribers = kept;
    }
}

void tyi_sim_state_send(ty_run *run, ty_message_kind kind, const char *carrier, const char *name, size_t index,
                        const ty_message_schema *schema, double *value, int columns, int rows)
{
    tyi_sim_state *s = run->state;
    if (!s || !s->subscribers) {
        return;
    }
    ty_buffer_type type = { 1, rows, columns, TY_ELEMENT_F64, TY_UNIT_NONE, 'W' };
    ty_message m = { .run = run->scenario.name,
                     .rover = carrier,
                     .sensor = name,
                     .index = index,
                     .schema = schema,
                     .time = { run->time, run->time, run->time },
                     .sequence = s->sequence++,
                     .parts = 1,
                     .kind = kind };
    m.part[0] = (ty_message_part){ .name = "row", .data = ty_buffer_wrap(&type, value) };
    m.part[0].data.time = m.time;
    for (int i = 0; i < s->subscribers; i++) {
        s->subscriber[i].receive(s->subscriber[i].user, &m);
    }
}

/* ---- what is said ---- */

static void send_pose(ty_run *run, const char *name, size_t index, ty_pose p, ty_vec3 v, ty_vec3 omega, double way)
{
    double *to = run->state->value;
    const double value[POSE] = { p.p.x, p.p.y, p.p.z, p.q.w,   p.q.x,   p.q.y,   p.q.z,
                                 v.x,   v.y,   v.z,   omega.x, omega.y, omega.z, way };
    memcpy(to, value, sizeof value);
    tyi_sim_state_send(run, TY_MESSAGE_POSE, name, "pose", index, &pose_schema, to, POSE, 1);
}

static void send_rover(ty_run *run, size_t i)
{
    const char *name = run->scenario.rover[i].name;
    ty_vehicle_state s;
    double *v = run->state->value;
    ty_vehicle_get(run->rover[i].vehicle, &s);
    send_pose(run, name, i, s.pose, ty_rotate(ty_quat_conj(s.pose.q), s.v_W), s.omega_B, s.odometer);
    for (int w = 0; w < s.wheels; w++) {
        const ty_wheel_view *from = &s.wheel[w];
        const double value[PER] = { from->angle,   from->omega, from->torque, from->steer,  from->slip,
                                    from->sinkage, from->fz,    from->power,  from->contact };
        memcpy(v + w * PER, value, sizeof value);
    }
    tyi_sim_state_send(run, TY_MESSAGE_WHEELS, name, "wheels", i, &run->state->wheels[i].schema, v, PER * s.wheels, 1);
}

/* rectangles of ground that changed since they were told last */
static void send_edits(ty_run *run)
{
    tyi_sim_state *s = run->state;
    ty_terrain *t = ty_world_terrain(run->world);
    uint64_t newest = ty_terrain_version(t), first = s->edits + 1;
    double d = ty_terrain_spacing(t, ty_terrain_get_def(t)->edit_level);
    int rows = 0;
    for (uint64_t v = first; v <= newest; v++) {
        int32_t r[4];
        if (!ty_terrain_edit_rect(t, v, r)) {
            break;
        }
        double x0 = r[0] * d, y0 = r[1] * d, x1 = (r[0] + r[2] - 1) * d, y1 = (r[1] + r[3] - 1) * d;
        double *to = s->value + EDIT * (rows < EDITS ? rows : EDITS - 1);
        bool join = rows >= EDITS; /* the last row takes all that there is no room for */
        to[0] = (double)v;
        to[1] = join && to[1] < x0 ? to[1] : x0, to[2] = join && to[2] < y0 ? to[2] : y0;
        to[3] = join && to[3] > x1 ? to[3] : x1, to[4] = join && to[4] > y1 ? to[4] : y1;
        rows += rows < EDITS;
    }
    s->edits = newest;
    if (rows) {
        tyi_sim_state_send(run, TY_MESSAGE_EDIT, "", "edit", 0, &edit_schema, s->value, EDIT, rows);
    }
}

void ty_run_publish(ty_run *run)
{
    tyi_sim_state *s = run->state;
    if (!s || !s->subscribers) {
        return;
    }
    s->value[0] = ty_seconds(run->time);
    tyi_sim_state_send(run, TY_MESSAGE_CLOCK, "", "clock", 0, &clock_schema, s->value, 1, 1);
    for (size_t i = 0; i < run->rovers; i++) {
        send_rover(run, i);
    }
    for (size_t i = 0; i < run->actors; i++) {
        ty_vec3 none = { 0, 0, 0 };
        send_pose(run, run->scenario.actor[i].name, run->rovers + i, ty_run_actor_pose(run, i), none, none, 0.0);
    }
    send_edits(run);
}
