/* src/sim/state.c - what a run says beside its sensors: clock, poses, wheels, events, edits of the ground, as messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "run.h"

#define EDITS   256    /* rectangles of one message at most, */
#define SAMPLES 131072 /* and samples of them */

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

/* first: of the part `change`, row by row from the south-west; level, i0, j0, nx, ny: its samples. restart 1: before this row the ground
 * is as it was before any edit. */
static const ty_message_column edit_column[] = { { "version", "", TY_QUANTITY_COUNT, NULL },
                                                 { "x0", "m", TY_QUANTITY_LENGTH, NULL },
                                                 { "y0", "m", TY_QUANTITY_LENGTH, NULL },
                                                 { "x1", "m", TY_QUANTITY_LENGTH, NULL },
                                                 { "y1", "m", TY_QUANTITY_LENGTH, NULL },
                                                 { "level", "", TY_QUANTITY_COUNT, NULL },
                                                 { "i0", "", TY_QUANTITY_COUNT, NULL },
                                                 { "j0", "", TY_QUANTITY_COUNT, NULL },
                                                 { "nx", "", TY_QUANTITY_COUNT, NULL },
                                                 { "ny", "", TY_QUANTITY_COUNT, NULL },
                                                 { "first", "", TY_QUANTITY_COUNT, NULL },
                                                 { "restart", "", TY_QUANTITY_SWITCH, NULL },
                                                 { 0 } };
static const ty_message_schema edit_schema = { "edit", edit_column };
enum { EDIT = sizeof edit_column / sizeof *edit_column - 1 };

/* The columns of a rover's wheels, named by them. */
typedef struct wheels {
    ty_message_schema schema;
    char wheel[TY_WHEELS_MAX][TY_NAME_MAX];
    char name[PER * TY_WHEELS_MAX][TY_NAME_MAX + 16];
    ty_message_column column[PER * TY_WHEELS_MAX + 1];
} wheels;

typedef struct reader {
    ty_message_receive receive;
    void *user;
    uint64_t sequence; /* messages sent to it */
    bool fresh;        /* it has not been told of the ground yet */
} reader;

struct tyi_sim_state {
    reader subscriber[TY_RUN_SUBSCRIBERS];
    int subscribers;
    tyi_terrain_cursor cursor; /* in the ground's journal, of those that are not fresh */
    /* the edit message that is being made */
    int rows;
    size_t samples;
    bool restart, to_fresh;
    float *change;
    uint8_t *trace;
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
        s->change = tyi_get(NULL, SAMPLES * sizeof *s->change);
        s->trace = tyi_get(NULL, SAMPLES);
        tyi_terrain_cursor_open(&ty_world_terrain(run->world)->edits.journal, &s->cursor);
    }
    if (!s || !s->wheels || !s->change || !s->trace) {
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
        tyi_terrain_cursor_close(&s->cursor);
        tyi_put(NULL, s->wheels, s->wheels ? (s->rovers + 1) * sizeof *s->wheels : 0);
        tyi_put(NULL, s->change, s->change ? SAMPLES * sizeof *s->change : 0);
        tyi_put(NULL, s->trace, s->trace ? SAMPLES : 0);
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
        run->state->subscriber[run->state->subscribers++] =
            (reader){ .receive = receive, .user = user, .fresh = ty_terrain_version(ty_world_terrain(run->world)) > 0 };
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

/* fresh: to those alone that the ground is new to, or to the others; NULL: to all */
static void send(ty_run *run, ty_message *m, const bool *fresh)
{
    tyi_sim_state *s = run->state;
    m->run = run->scenario.name;
    m->time = (ty_stamps){ run->time, run->time, run->time };
    for (int i = 0; i < m->parts; i++) {
        m->part[i].data.time = m->time;
    }
    for (int i = 0; i < s->subscribers; i++) {
        reader *to = &s->subscriber[i];
        if (!fresh || to->fresh == *fresh) {
            m->sequence = to->sequence++;
            to->receive(to->user, m);
        }
    }
}

static ty_message_part part_of(const char *name, void *data, int columns, int rows, ty_element element, ty_unit unit)
{
    ty_buffer_type type = { 1, rows, columns, element, unit, 'W' };
    return (ty_message_part){ .name = name, .data = ty_buffer_wrap(&type, data) };
}

void tyi_sim_state_send(ty_run *run, ty_message_kind kind, const char *carrier, const char *name, size_t index,
                        const ty_message_schema *schema, double *value, int columns, int rows)
{
    if (!run->state || !run->state->subscribers) {
        return;
    }
    ty_message m = { .rover = carrier, .sensor = name, .index = index, .schema = schema, .parts = 1, .kind = kind };
    m.part[0] = part_of("row", value, columns, rows, TY_ELEMENT_F64, TY_UNIT_NONE);
    send(run, &m, NULL);
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
        const double value[PER] = { from->angle,
                                    from->omega,
                                    from->torque,
                                    from->steer,
                                    from->contact || from->rock ? from->slip : (double)NAN,
                                    from->sinkage,
                                    from->load,
                                    from->power,
                                    from->contact };
        memcpy(v + w * PER, value, sizeof value);
    }
    tyi_sim_state_send(run, TY_MESSAGE_WHEELS, name, "wheels", i, &run->state->wheels[i].schema, v, PER * s.wheels, 1);
}

/* ---- the ground: rectangles with what was added to their heights, and their traces ---- */

static void flush_edits(ty_run *run)
{
    tyi_sim_state *s = run->state;
    if (!s->rows) {
        return;
    }
    ty_message m = { .rover = "", .sensor = "edit", .schema = &edit_schema, .parts = 3, .kind = TY_MESSAGE_EDIT };
    m.part[0] = part_of("row", s->value, EDIT, s->rows, TY_ELEMENT_F64, TY_UNIT_NONE);
    m.part[1] = part_of("change", s->change, 1, (int)s->samples, TY_ELEMENT_F32, TY_UNIT_METRE);
    m.part[2] = part_of("trace", s->trace, 1, (int)s->samples, TY_ELEMENT_U8, TY_UNIT_NONE);
    send(run, &m, &s->to_fresh);
    s->rows = 0;
    s->samples = 0;
}

/* rows j .. j + ny - 1 of an edit */
static void add_rows(ty_run *run, const ty_edit *e, int32_t j, int32_t ny)
{
    tyi_sim_state *s = run->state;
    ty_terrain *t = ty_world_terrain(run->world);
    int level = ty_terrain_get_def(t)->edit_level;
    double d = ty_terrain_spacing(t, level), *to = s->value + EDIT * s->rows++;
    size_t n = (size_t)e->nx * (size_t)ny, from = (size_t)j * (size_t)e->nx;
    const double row[EDIT] = { (double)ty_terrain_version(t),
                               e->i0 * d,
                               (e->j0 + j) * d,
                               (e->i0 + e->nx - 1) * d,
                               (e->j0 + j + ny - 1) * d,
                               level,
                               e->i0,
                               e->j0 + j,
                               e->nx,
                               ny,
                               (double)s->samples,
                               s->restart };
    memcpy(to, row, sizeof row);
    s->restart = false;
    memset(s->change + s->samples, 0, n * sizeof *s->change);
    if (e->change) {
        memcpy(s->change + s->samples, e->change + from, n * sizeof *s->change);
    }
    if (e->trace) {
        memcpy(s->trace + s->samples, e->trace + from, n);
    } else { /* as they are */
        ty_terrain_edits(t, level, e->i0, e->j0 + j, e->nx, ny, NULL, s->trace + s->samples);
    }
    s->samples += n;
}

static ty_status add_edit(void *user, const ty_edit *e)
{
    ty_run *run = user;
    tyi_sim_state *s = run->state;
    for (int32_t j = 0, n; j < e->ny; j += n) {
        size_t room = (SAMPLES - s->samples) / (size_t)e->nx;
        if (s->rows == EDITS || room < 1 || (room < (size_t)e->ny && s->samples)) {
            flush_edits(run);
            room = SAMPLES / (size_t)e->nx;
        }
        n = (size_t)(e->ny - j) < room ? e->ny - j : (int32_t)room;
        add_rows(run, e, j, n);
    }
    return TY_OK;
}

static void send_edits(ty_run *run)
{
    tyi_sim_state *s = run->state;
    tyi_terrain_entry entry;
    tyi_terrain_reading found;
    bool fresh = false;
    s->to_fresh = s->restart = false;
    while ((found = tyi_terrain_cursor_read(&s->cursor, UINT64_MAX, &entry)) == TYI_TERRAIN_ENTRY) {
        add_edit(run, &entry.edit);
    }
    flush_edits(run);
    for (int i = 0; i < s->subscribers; i++) {
        s->subscriber[i].fresh = s->subscriber[i].fresh || found != TYI_TERRAIN_NOTHING;
        fresh = fresh || s->subscriber[i].fresh;
    }
    if (fresh) {
        tyi_terrain_cursor_skip(&s->cursor);
        s->to_fresh = s->restart = true;
        tyi_terrain_edits_each(&ty_world_terrain(run->world)->edits, add_edit, run);
        if (s->restart) { /* no edits at all: a row that changes nothing says so */
            add_rows(run, &(ty_edit){ .nx = 1, .ny = 1 }, 0, 1);
        }
        flush_edits(run);
    }
    for (int i = 0; i < s->subscribers; i++) {
        s->subscriber[i].fresh = false;
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
        if (!run->rover[i].away) {
            send_rover(run, i);
        }
    }
    for (size_t i = 0; i < run->actors; i++) {
        ty_vec3 none = { 0, 0, 0 };
        send_pose(run, run->scenario.actor[i].name, run->rovers + i, ty_run_actor_pose(run, i), none, none, 0.0);
    }
    send_edits(run);
}
