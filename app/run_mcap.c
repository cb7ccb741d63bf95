/* app/run_mcap.c - a run as an MCAP recording of ROS 2 messages: frames, rovers, and whatever sensors give.
 *
 * Topics are /tf, /clock and /ROVER/odometry, /ROVER/wheels at the pace of the telemetry, and one or two for each
 * sensor, /ROVER/SENSOR... Messages are logged when they reach their readers; their headers hold the end of the
 * window.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "run.h"
#include "tycho/filter.h"
#include "tycho/tools/mcap.h"

struct run_mcap {
    ty_mcap *file;
    ty_run *run;
    const ty_scenario *scenario;
    int64_t start; /* [ns] since 1970 */
    ty_cdr message, scratch;
    ty_diag diag; /* of the first message that could not be written */
};

/* Nanoseconds since 1970 of a run's start, counted as Unix does. */
static int64_t unix_start(ty_world *world)
{
    char text[TY_UTC_TEXT];
    struct tm tm = { 0 };
    double second = 0.0;
    ty_utc_format(ty_world_start(world), 9, text);
    if (sscanf(text, "%d-%d-%dT%d:%d:%lf", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &second) !=
        6) {
        return 0;
    }
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    return (int64_t)timegm(&tm) * TY_SECOND + (int64_t)llrint(second * 1e9);
}

static void send(run_mcap *m, const char *topic, ty_ros_type type, int64_t log)
{
    uint16_t channel;
    if (m->diag.status == TY_OK && ty_mcap_channel(m->file, topic, type, &channel, &m->diag) == TY_OK) {
        ty_mcap_write(m->file, channel, log, &m->message, &m->diag);
    }
}

/* ---- rovers ---- */

/* where a sensor sits in its rover; a camera's frame looks along z */
static ty_pose seat(const ty_vehicle *v, const ty_sensor_def *def, ty_pose B)
{
    int mount = def->mount[0] ? ty_vehicle_find_mount(v, def->mount) : -1;
    ty_pose pose = mount >= 0 ? ty_pose_mul(ty_pose_inverse(B), ty_vehicle_mount_pose(v, mount))
                              : (ty_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } };
    return def->kind == TY_SENSOR_CAMERA ? ty_pose_mul(pose, ty_pose_optical()) : pose;
}

static void send_rover(run_mcap *m, size_t rover, int64_t now)
{
    enum { MOST = 64 };
    const ty_scenario_rover *def = &m->scenario->rover[rover];
    const ty_vehicle *v = ty_run_rover(m->run, rover);
    ty_vehicle_state s;
    ty_vehicle_get(v, &s);
    char name[MOST][140], topic[200];
    ty_ros_transform tf[MOST + 1] = { { "site", def->name, s.pose } };
    size_t count = 1;
    for (size_t i = 0; i < def->sensors && count <= MOST; i++, count++) {
        snprintf(name[i], sizeof name[i], "%s/%s", def->name, def->sensor[i].name);
        tf[count] = (ty_ros_transform){ def->name, name[i], seat(v, &def->sensor[i], s.pose) };
    }
    ty_ros_tf(&m->message, now, tf, count);
    send(m, "/tf", TY_ROS_TF, now);
    ty_ros_odometry(&m->message, now, "site", def->name, s.pose, ty_rotate(ty_quat_conj(s.pose.q), s.v_W), s.omega_B);
    snprintf(topic, sizeof topic, "/%s/odometry", def->name);
    send(m, topic, TY_ROS_ODOMETRY, now);
    ty_wheel_info info[TY_WHEELS_MAX];
    const char *joint[TY_WHEELS_MAX];
    double angle[TY_WHEELS_MAX], omega[TY_WHEELS_MAX], torque[TY_WHEELS_MAX];
    ty_vehicle_wheels(v, info);
    for (int i = 0; i < s.wheels; i++) {
        joint[i] = info[i].name, angle[i] = s.wheel[i].angle, omega[i] = s.wheel[i].omega,
        torque[i] = s.wheel[i].torque;
    }
    ty_ros_joint_state(&m->message, now, def->name, (size_t)s.wheels, joint, angle, omega, torque);
    snprintf(topic, sizeof topic, "/%s/wheels", def->name);
    send(m, topic, TY_ROS_JOINT_STATE, now);
}

void run_mcap_row(run_mcap *m)
{
    int64_t now = m->start + ty_run_time(m->run);
    ty_ros_clock(&m->message, now);
    send(m, "/clock", TY_ROS_CLOCK, now);
    for (size_t i = 0; i < ty_run_rovers(m->run); i++) {
        send_rover(m, i, now);
    }
}

/* ---- sensors ---- */

/* elements side by side without gaps, whatever layout the buffer has */
static const uint8_t *pack(run_mcap *m, const ty_buffer *b)
{
    size_t element = ty_element_bytes(b->type.element);
    ty_cdr_clear(&m->scratch);
    for (int y = 0; y < b->type.height; y++) {
        for (int x = 0; x < b->type.width; x++) {
            for (int c = 0; c < b->type.channels; c++) {
                ty_cdr_add(&m->scratch, ty_buffer_at(b, x, y, c), element);
            }
        }
    }
    return m->scratch.data;
}

static const char *encoding_of(const ty_buffer_type *type)
{
    bool three = type->channels == 3;
    if (type->channels != 1 && !three) {
        return NULL;
    }
    switch (type->element) {
    case TY_ELEMENT_U8:
        return three ? "rgb8" : "mono8";
    case TY_ELEMENT_U16:
        return three ? "rgb16" : "mono16";
    case TY_ELEMENT_F32:
        return three ? "32FC3" : "32FC1";
    case TY_ELEMENT_F64:
    case TY_ELEMENT_U32:
    case TY_ELEMENT_COUNT:
        break;
    }
    return NULL;
}

static void send_camera(run_mcap *m, const ty_message *from, const char *frame, int64_t stamp, int64_t log)
{
    const ty_buffer *b = &from->part[0].data;
    const char *encoding = encoding_of(&b->type);
    char topic[200];
    if (!encoding) {
        return;
    }
    size_t row = (size_t)b->type.width * (size_t)b->type.channels * ty_element_bytes(b->type.element);
    ty_ros_image(&m->message, stamp, frame, b->type.width, b->type.height, encoding, row, pack(m, b));
    snprintf(topic, sizeof topic, "/%s/image_raw", frame);
    send(m, topic, TY_ROS_IMAGE, log);
    const ty_camera *c = &ty_run_sensor(m->run, from->index).def->as.camera.camera;
    if ((c->lens == TY_LENS_PINHOLE || c->lens == TY_LENS_BROWN) && b->type.width == c->width &&
        b->type.height == c->height) {
        double f = 0.5 * c->width / tan(0.5 * c->hfov);
        const double k[9] = { f, 0, 0.5 * c->width, 0, f, 0.5 * c->height, 0, 0, 1 };
        const double d[5] = { c->k1, c->k2, c->p1, c->p2, c->k3 };
        ty_ros_camera_info(&m->message, stamp, frame, b->type.width, b->type.height, "plumb_bob", d, 5, k, 0.0);
        snprintf(topic, sizeof topic, "/%s/camera_info", frame);
        send(m, topic, TY_ROS_CAMERA_INFO, log);
    }
}

static void send_cloud(run_mcap *m, const ty_message *from, const char *frame, int64_t stamp, int64_t log)
{
    static const ty_ros_field fields[] = { { "x", 0, 7 },          { "y", 4, 7 },      { "z", 8, 7 },
                                           { "intensity", 12, 7 }, { "range", 16, 7 }, { "time", 20, 7 },
                                           { "ring", 24, 4 },      { "label", 28, 6 } };
    const ty_buffer *b = &from->part[0].data;
    char topic[200];
    size_t points = 0;
    ty_cdr_clear(&m->scratch);
    for (int y = 0; y < b->type.height; y++) {
        for (int x = 0; x < b->type.width; x++) {
            float value[6];
            for (int c = 0; c < 6; c++) {
                value[c] = (float)ty_buffer_get(b, x, y, c);
            }
            if (isnan(value[0])) {
                continue;
            }
            uint16_t ring[2] = { (uint16_t)ty_buffer_get(b, x, y, 6), 0 };
            uint32_t label = (uint32_t)ty_buffer_get(b, x, y, 8);
            ty_cdr_add(&m->scratch, value, sizeof value);
            ty_cdr_add(&m->scratch, ring, sizeof ring);
            ty_cdr_add(&m->scratch, &label, sizeof label);
            points++;
        }
    }
    const char *points_in = b->type.frame == 'W' ? "site" : frame;
    ty_ros_point_cloud(&m->message, stamp, points_in, points, fields, sizeof fields / sizeof *fields, 32,
                       m->scratch.data);
    snprintf(topic, sizeof topic, "/%s/points", frame);
    send(m, topic, TY_ROS_POINT_CLOUD, log);
}

/* One sample as the message that ROS has for it; what has none goes as named numbers. blind samples are left out. */
static void send_sample(run_mcap *m, const ty_message *from, const char *frame, const char *world, int64_t stamp,
                        int64_t log)
{
    enum { MOST = 64 };
    const ty_buffer *b = &from->part[0].data;
    const char *kind = from->schema->name;
    double v[MOST] = { 0 };
    char topic[200];
    int n = b->type.channels < MOST ? b->type.channels : MOST;
    for (int c = 0; c < n; c++) {
        v[c] = ty_buffer_get(b, 0, 0, c);
    }
    ty_ros_type type = TY_ROS_JOINT_STATE;
    ty_cdr *out = &m->message;
    if (!strcmp(kind, "imu")) {
        type = TY_ROS_IMU;
        ty_ros_imu(out, stamp, frame, NULL, ty_vec3_make(v[0], v[1], v[2]), ty_vec3_make(v[3], v[4], v[5]), 0.0, 0.0);
    } else if (!strcmp(kind, "position")) {
        type = TY_ROS_POINT;
        ty_ros_vector(out, stamp, world, ty_vec3_make(v[0], v[1], v[2]));
    } else if (!strcmp(kind, "altimeter")) {
        type = TY_ROS_RANGE;
        ty_ros_range(out, stamp, frame, 0.0f, 0.0f, INFINITY, v[1] > 0.0 ? NAN : (float)v[0]);
    } else if (!strcmp(kind, "sun_sensor")) {
        type = TY_ROS_VECTOR;
        ty_ros_vector(out, stamp, frame,
                      v[0] > 0.0 ? ty_vec3_make((double)NAN, (double)NAN, (double)NAN)
                                 : ty_vec3_make(v[3], v[4], v[5]));
    } else if (!strcmp(kind, "star_tracker")) {
        type = TY_ROS_QUATERNION;
        ty_ros_quaternion(out, stamp, world,
                          v[0] > 0.0 ? (ty_quat){ (double)NAN, (double)NAN, (double)NAN, (double)NAN }
                                     : (ty_quat){ v[1], v[2], v[3], v[4] });
    } else if (!strcmp(kind, "power")) {
        type = TY_ROS_BATTERY;
        ty_ros_battery_state(out, stamp, frame, &(ty_ros_battery){ NAN, NAN, NAN, NAN, (float)v[0] });
    } else {
        ty_ros_joint_state(out, stamp, frame, (size_t)n, from->schema->column, v, NULL, NULL);
    }
    snprintf(topic, sizeof topic, "/%s", frame);
    send(m, topic, type, log);
}

void run_mcap_receive(void *user, const ty_message *from)
{
    run_mcap *m = user;
    char frame[140];
    int64_t stamp = m->start + from->time.end, log = m->start + from->time.due;
    snprintf(frame, sizeof frame, "%s/%s", from->rover, from->sensor);
    const ty_buffer_type *type = &from->part[0].data.type;
    if (type->unit == TY_UNIT_POINT && type->channels == TY_CLOUD_POINT_CHANNELS) {
        send_cloud(m, from, frame, stamp, log);
    } else if (!from->schema->column) {
        send_camera(m, from, frame, stamp, log);
    } else if (type->width == 1 && type->height == 1) {
        send_sample(m, from, frame, "site", stamp, log);
    }
}

/* ---- the file ---- */

static ty_status make(const char *path, ty_run *run, const ty_scenario *scenario, const void *state, size_t bytes,
                      run_mcap **out, ty_diag *diag)
{
    run_mcap *m = calloc(1, sizeof *m);
    if (!m) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path);
    }
    m->run = run;
    m->scenario = scenario;
    m->start = unix_start(ty_run_world(run));
    ty_status status =
        state ? ty_mcap_resume(path, state, bytes, NULL, &m->file, diag) : ty_mcap_create(path, NULL, &m->file, diag);
    if (status != TY_OK) {
        free(m);
        m = NULL;
    }
    *out = m;
    return status;
}

ty_status run_mcap_create(const char *path, ty_run *run, const ty_scenario *scenario, run_mcap **out, ty_diag *diag)
{
    return make(path, run, scenario, NULL, 0, out, diag);
}

ty_status run_mcap_resume(const char *path, ty_run *run, const ty_scenario *scenario, const void *state, size_t bytes,
                          run_mcap **out, ty_diag *diag)
{
    return make(path, run, scenario, state, bytes, out, diag);
}

ty_status run_mcap_save(run_mcap *m, ty_cdr *out, ty_diag *diag)
{
    return m->diag.status == TY_OK ? ty_mcap_save(m->file, out, diag)
                                   : ty_fail(diag, m->diag.status, "%s", m->diag.text);
}

const ty_diag *run_mcap_diag(const run_mcap *m)
{
    return &m->diag;
}

ty_status run_mcap_close(run_mcap *m, ty_diag *diag)
{
    if (!m) {
        return TY_OK;
    }
    ty_status status = ty_mcap_close(m->file, diag);
    if (m->diag.status != TY_OK) {
        status = ty_fail(diag, m->diag.status, "%s", m->diag.text);
    }
    ty_cdr_free(&m->message);
    ty_cdr_free(&m->scratch);
    free(m);
    return status;
}
