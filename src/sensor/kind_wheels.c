/* src/sensor/kind_wheels.c - what a rover's wheels say: encoders with odometry, motor currents, steering angles,
 * contact switches. Each gives one row of numbers, the same for every wheel one after the other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#include "kind_instrument.h"
#include "instrument_file.h"

TYI_SENSOR_INSTRUMENT(encoders, TY_SENSOR_ENCODERS, 0.1, 0.0)
TYI_SENSOR_INSTRUMENT(motors, TY_SENSOR_MOTORS, 0.1, 0.0)
TYI_SENSOR_INSTRUMENT(steering, TY_SENSOR_STEERING, 0.1, 0.0)
TYI_SENSOR_INSTRUMENT(contacts, TY_SENSOR_CONTACTS, 0.1, 0.1)

#define PER    4  /* most numbers of a wheel */
#define BESIDE 12 /* numbers of odometry */

typedef struct wheels {
    int wheels;
    double period; /* [s] */
    /* what differs from kind to kind, and all that changes; saved as it is */
    struct {
        tyi_inertial_encoder encoder[TY_WHEELS_MAX];
        tyi_inertial_odometry odometry;
        tyi_inertial_motor motor[TY_WHEELS_MAX];
        tyi_inertial_joint joint[TY_WHEELS_MAX];
        tyi_inertial_switch contact[TY_WHEELS_MAX];
    } now;
    /* its schema, whose columns are named by the wheels */
    ty_message_schema schema;
    char wheel[TY_WHEELS_MAX][TY_NAME_MAX];
    char name[PER * TY_WHEELS_MAX][TY_NAME_MAX + 16];
    ty_message_column column[PER * TY_WHEELS_MAX + BESIDE + 1];
} wheels;

/* a state, and columns "front_left_angle" for each wheel and each of `names`; a name of "" is the wheel's alone */
static ty_status begin(ty_sensor_make *make, const char *kind, const ty_message_column *names,
                       const ty_message_column *beside, wheels **out, ty_diag *diag)
{
    ty_wheel_info info[TY_WHEELS_MAX];
    if (!make->vehicle) {
        return ty_fail(diag, TY_ERR_INPUT, "an actor has no wheels, so no %s", kind);
    }
    void *state;
    ty_status status = tyi_sensor_instrument_state(sizeof(wheels), &state, diag);
    wheels *w = state;
    *out = w;
    if (status != TY_OK) {
        return status;
    }
    w->wheels = ty_vehicle_wheels(make->vehicle, info);
    w->period = make->def->period;
    int n = 0;
    for (int i = 0; i < w->wheels; i++) {
        memcpy(w->wheel[i], info[i].name, sizeof w->wheel[i]);
        for (int k = 0; names[k].name; k++, n++) {
            snprintf(w->name[n], sizeof w->name[n], "%s%s%s", w->wheel[i], names[k].name[0] ? "_" : "", names[k].name);
            w->column[n] = names[k];
            w->column[n].name = w->name[n];
            w->column[n].of = w->wheel[i];
        }
    }
    for (int k = 0; beside && beside[k].name; k++) {
        w->column[n++] = beside[k];
    }
    w->schema = (ty_message_schema){ kind, w->column };
    make->reads_vehicle = true;
    tyi_sensor_instrument_parts(make, &w->schema, n, 0, 'B');
    return TY_OK;
}

static void destroy(void *state)
{
    tyi_put(NULL, state, sizeof(wheels));
}

static size_t save(const void *state, void *out)
{
    const wheels *w = state;
    if (out) {
        memcpy(out, &w->now, sizeof w->now);
    }
    return sizeof w->now;
}

static ty_status restore(void *state, const void *from, size_t bytes, ty_diag *diag)
{
    wheels *w = state;
    if (bytes != sizeof w->now) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: %zu bytes saved, but it needs %zu", w->schema.name, bytes,
                       sizeof w->now);
    }
    memcpy(&w->now, from, sizeof w->now);
    return TY_OK;
}

/* ---- encoders, and where they believe the rover is ---- */

static ty_status encoders_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const ty_message_column names[] = { { "", "ticks", TY_QUANTITY_COUNT, NULL },
                                               { "angle", "rad", TY_QUANTITY_JOINT_ANGLE, NULL },
                                               { "rate", "rad/s", TY_QUANTITY_JOINT_RATE, NULL },
                                               { 0 } };
    static const ty_message_column beside[] = { { "odometry_x", "m", TY_QUANTITY_POSITION, NULL },
                                                { "odometry_y", "m", TY_QUANTITY_POSITION, NULL },
                                                { "odometry_z", "m", TY_QUANTITY_POSITION, NULL },
                                                { "odometry_yaw", "rad", TY_QUANTITY_YAW, NULL },
                                                { "odometry_way", "m", TY_QUANTITY_LENGTH, NULL },
                                                { "odometry_misfit", "m", TY_QUANTITY_LENGTH, NULL },
                                                { "odometry_vx", "m/s", TY_QUANTITY_VELOCITY, NULL },
                                                { "odometry_vy", "m/s", TY_QUANTITY_VELOCITY, NULL },
                                                { "odometry_vz", "m/s", TY_QUANTITY_VELOCITY, NULL },
                                                { "odometry_wx", "rad/s", TY_QUANTITY_TURN, NULL },
                                                { "odometry_wy", "rad/s", TY_QUANTITY_TURN, NULL },
                                                { "odometry_wz", "rad/s", TY_QUANTITY_TURN, NULL },
                                                { 0 } };
    wheels *w = NULL;
    tyi_inertial_encoder_def def = tyi_inertial_encoder_def_default();
    ty_status status = begin(make, "encoders", names, beside, &w, diag);
    *state = w;
    TYI_SENSOR_INSTRUMENT_LOAD(status, make, tyi_sensor_encoder_load, &def, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_wheel_info info[TY_WHEELS_MAX];
    ty_vehicle_state start;
    ty_vehicle_wheels(make->vehicle, info);
    ty_vehicle_get(make->vehicle, &start);
    tyi_inertial_odometry_def odometry = tyi_inertial_odometry_def_default();
    odometry.wheels = w->wheels;
    odometry.start = start.pose;
    for (int i = 0; i < w->wheels && status == TY_OK; i++) {
        odometry.wheel[i].x = info[i].p_B.x, odometry.wheel[i].y = info[i].p_B.y;
        odometry.wheel[i].radius = info[i].shape.r + info[i].shape.grouser_h; /* hard ground carries it on its lugs */
        status = tyi_inertial_encoder_create(&def, &w->now.encoder[i], diag);
    }
    return status == TY_OK ? tyi_inertial_odometry_create(&odometry, &w->now.odometry, diag) : status;
}

static ty_status encoders_collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    (void)diag;
    wheels *w = state;
    double turn[TY_WHEELS_MAX], steer[TY_WHEELS_MAX];
    for (int i = 0; i < w->wheels; i++) {
        const ty_wheel_view *v = &shot->state->wheel[i];
        tyi_inertial_encoder_sample s;
        bool first = !w->now.encoder[i].state.started;
        tyi_inertial_encoder_read(&w->now.encoder[i], v->angle, w->period, &s);
        ty_buffer_set(&part[0].data, 0, 0, 3 * i, (double)s.ticks);
        ty_buffer_set(&part[0].data, 0, 0, 3 * i + 1, s.angle);
        ty_buffer_set(&part[0].data, 0, 0, 3 * i + 2, s.rate);
        turn[i] = first ? 0.0 : (double)s.delta * 2.0 * TY_PI / w->now.encoder[i].def.ticks;
        steer[i] = v->steer;
    }
    tyi_inertial_odometry_step(&w->now.odometry, turn, steer, NULL);
    ty_pose p = w->now.odometry.state.pose;
    int at = 3 * w->wheels;
    tyi_sensor_put_vec(&part[0].data, at, p.p);
    ty_buffer_set(&part[0].data, 0, 0, at + 3,
                  atan2(2.0 * (p.q.w * p.q.z + p.q.x * p.q.y), 1.0 - 2.0 * (p.q.y * p.q.y + p.q.z * p.q.z)));
    ty_buffer_set(&part[0].data, 0, 0, at + 4, w->now.odometry.state.distance);
    ty_buffer_set(&part[0].data, 0, 0, at + 5, w->now.odometry.state.residual);
    const double *step = w->now.odometry.state.step; /* over the period before this sample */
    tyi_sensor_put_vec(&part[0].data, at + 6, ty_vec3_make(step[0] / w->period, step[1] / w->period, 0.0));
    tyi_sensor_put_vec(&part[0].data, at + 9, ty_vec3_make(0.0, 0.0, step[2] / w->period));
    return TY_OK;
}

const ty_sensor_kind tyi_sensor_encoders = { .name = "encoders",
                                             .keys = 2,
                                             .create = encoders_create,
                                             .collect = encoders_collect,
                                             .save = save,
                                             .restore = restore,
                                             .destroy = destroy };

/* ---- motors ---- */

static ty_status motors_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const ty_message_column names[] = { { "current", "A", TY_QUANTITY_CURRENT, NULL },
                                               { "power", "W", TY_QUANTITY_POWER, NULL },
                                               { 0 } };
    wheels *w = NULL;
    tyi_inertial_motor_def def = tyi_inertial_motor_def_default();
    ty_status status = begin(make, "motors", names, NULL, &w, diag);
    *state = w;
    TYI_SENSOR_INSTRUMENT_LOAD(status, make, tyi_sensor_motor_load, &def, diag);
    for (int i = 0; status == TY_OK && i < w->wheels; i++) {
        def.seed = make->seed, def.sensor = TY_WHEELS_MAX * make->number + (uint32_t)i;
        status = tyi_inertial_motor_create(&def, &w->now.motor[i], diag);
    }
    return status;
}

static ty_status motors_collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    (void)diag;
    wheels *w = state;
    for (int i = 0; i < w->wheels; i++) {
        tyi_inertial_motor_sample s;
        tyi_inertial_motor_read(&w->now.motor[i], shot->state->wheel[i].torque, shot->state->wheel[i].omega, &s);
        ty_buffer_set(&part[0].data, 0, 0, 2 * i, s.current);
        ty_buffer_set(&part[0].data, 0, 0, 2 * i + 1, s.power);
    }
    return TY_OK;
}

const ty_sensor_kind tyi_sensor_motors = { .name = "motors",
                                           .keys = 2,
                                           .create = motors_create,
                                           .collect = motors_collect,
                                           .save = save,
                                           .restore = restore,
                                           .destroy = destroy };

/* ---- steering angles ---- */

static ty_status steering_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const ty_message_column names[] = { { "steer", "rad", TY_QUANTITY_JOINT_ANGLE, NULL }, { 0 } };
    wheels *w = NULL;
    tyi_inertial_joint_def def = tyi_inertial_joint_def_default();
    ty_status status = begin(make, "steering", names, NULL, &w, diag);
    *state = w;
    TYI_SENSOR_INSTRUMENT_LOAD(status, make, tyi_sensor_joint_load, &def, diag);
    for (int i = 0; status == TY_OK && i < w->wheels; i++) {
        def.seed = make->seed, def.sensor = TY_WHEELS_MAX * make->number + (uint32_t)i;
        status = tyi_inertial_joint_create(&def, &w->now.joint[i], diag);
    }
    return status;
}

static ty_status steering_collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    (void)diag;
    wheels *w = state;
    for (int i = 0; i < w->wheels; i++) {
        ty_buffer_set(&part[0].data, 0, 0, i, tyi_inertial_joint_read(&w->now.joint[i], shot->state->wheel[i].steer));
    }
    return TY_OK;
}

const ty_sensor_kind tyi_sensor_steering = { .name = "steering",
                                             .keys = 2,
                                             .create = steering_create,
                                             .collect = steering_collect,
                                             .save = save,
                                             .restore = restore,
                                             .destroy = destroy };

/* ---- contact switches: told at the end of a window, felt in every step of it ---- */

static ty_status contacts_create(ty_sensor_make *make, void *user, void **state, ty_diag *diag)
{
    (void)user;
    static const ty_message_column names[] = { { "contact", "", TY_QUANTITY_SWITCH, NULL },
                                               { "times", "", TY_QUANTITY_COUNT, NULL },
                                               { 0 } };
    wheels *w = NULL;
    tyi_inertial_switch_def def = tyi_inertial_switch_def_default();
    ty_status status = begin(make, "contacts", names, NULL, &w, diag);
    *state = w;
    TYI_SENSOR_INSTRUMENT_LOAD(status, make, tyi_sensor_switch_load, &def, diag);
    for (int i = 0; status == TY_OK && i < w->wheels; i++) {
        status = tyi_inertial_switch_create(&def, &w->now.contact[i], diag);
    }
    return status;
}

static void contacts_step(void *state, const ty_sensor_step *step)
{
    wheels *w = state;
    for (int i = 0; i < w->wheels; i++) {
        const ty_wheel_view *v = &step->state->wheel[i];
        tyi_inertial_switch_step(&w->now.contact[i], (v->contact ? v->fz : 0.0) + v->f_rock,
                                 ty_seconds(step->to - step->from));
    }
}

static ty_status contacts_collect(void *state, const ty_sensor_shot *shot, ty_message_part *part, ty_diag *diag)
{
    (void)shot, (void)diag;
    wheels *w = state;
    for (int i = 0; i < w->wheels; i++) {
        ty_buffer_set(&part[0].data, 0, 0, 2 * i, w->now.contact[i].state.closed);
        ty_buffer_set(&part[0].data, 0, 0, 2 * i + 1, (double)w->now.contact[i].state.count);
    }
    return TY_OK;
}

const ty_sensor_kind tyi_sensor_contacts = { .name = "contacts",
                                             .keys = 2,
                                             .create = contacts_create,
                                             .step = contacts_step,
                                             .collect = contacts_collect,
                                             .save = save,
                                             .restore = restore,
                                             .destroy = destroy };
