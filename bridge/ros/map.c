/* bridge/ros/map.c - see tycho/tools/ros.h. Sees the public headers only.
 *
 * Messages are logged when they reach their readers; their headers hold the end of the window, but for point clouds: the
 * start of the scan, from which their points' times count.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tycho/tools/ros.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tycho/filter.h"

enum { NAME = 200, TOPIC = 240, VALUES = 128 };

/* A rover or an actor. */
typedef struct carrier {
    char name[80], base[NAME], odom[NAME];
    const ty_sensor_def *sensor;
    size_t sensors;
} carrier;

/* One sensor: its carrier, and whether it is the first there that gives what every rover has one topic for. */
typedef struct source {
    size_t carrier;
    char name[80];
    bool odom, battery, fix;
} source;

typedef struct frames {
    char parent[NAME], child[NAME];
} frames;

struct ty_ros_map {
    ty_run *run;
    ty_ros_send send;
    void *user;
    int64_t start; /* [ns] since 1970 */
    carrier *of;   /* rovers, then actors */
    size_t rovers, carriers;
    source *source; /* of each sensor of the run */
    size_t sources;
    frames *frame; /* of the message that is being made */
    ty_ros_transform *tf;
    size_t tfs;
    ty_cdr message, scratch;
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

/* a name as ROS takes it: letters, digits and '_' */
static void token(const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s", name);
    for (char *c = out; *c; c++) {
        bool good = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        *c = good ? *c : '_';
    }
}

static void send(ty_ros_map *m, const char *topic, ty_ros_type type, int64_t log)
{
    m->send(m->user, topic, type, log, &m->message);
}

/* ---- frames ---- */

/* What looks along z: cameras, and what measures in such a frame. */
static bool is_optical(const ty_sensor_def *def)
{
    return def->kind == TY_SENSOR_CAMERA || def->kind == TY_SENSOR_SUN;
}

static void frame_of(const carrier *c, const ty_sensor_def *def, bool optical, char out[NAME])
{
    char sensor[80];
    token(def->name, sensor, sizeof sensor);
    snprintf(out, NAME, "%s/%s%s", c->name, sensor, optical ? "_optical_frame" : "");
}

static void add(ty_ros_map *m, const char *parent, const char *child, ty_pose pose)
{
    frames *f = &m->frame[m->tfs];
    snprintf(f->parent, NAME, "%s", parent);
    snprintf(f->child, NAME, "%s", child);
    m->tf[m->tfs++] = (ty_ros_transform){ f->parent, f->child, pose };
}

/* Where a mount is in its rover, and whether it stays there: whether it sits on the body whose frame B is. */
static ty_pose seat_of(const ty_vehicle *v, const ty_sensor_def *def, ty_pose B, bool *fixed)
{
    int mount = def->mount[0] ? ty_vehicle_find_mount(v, def->mount) : -1;
    *fixed = true;
    if (mount < 0) {
        return (ty_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } };
    }
    const ty_vehicle_mount *list;
    ty_vehicle_mounts(v, &list);
    ty_pose body = ty_vehicle_body_pose(v, list[mount].body, NULL, NULL);
    *fixed = !memcmp(&body, &B, sizeof B);
    return *fixed ? list[mount].pose : ty_pose_mul(ty_pose_inverse(B), ty_vehicle_mount_pose(v, mount));
}

/* the seats of a carrier that do, or do not, stay where they are in it */
static void add_seats(ty_ros_map *m, size_t which, bool fixed)
{
    const carrier *c = &m->of[which];
    for (size_t i = 0; i < c->sensors; i++) {
        bool stays = true;
        char name[NAME], optical[NAME];
        ty_pose pose = { { 0, 0, 0 }, { 1, 0, 0, 0 } };
        if (which < m->rovers) {
            ty_vehicle_state s;
            const ty_vehicle *v = ty_run_rover(m->run, which);
            ty_vehicle_get(v, &s);
            pose = seat_of(v, &c->sensor[i], s.pose, &stays);
        }
        frame_of(c, &c->sensor[i], false, name);
        frame_of(c, &c->sensor[i], true, optical);
        if (stays == fixed) {
            add(m, c->base, name, pose);
        }
        if (fixed && is_optical(&c->sensor[i])) {
            add(m, name, optical, ty_pose_optical());
        }
    }
}

void ty_ros_map_fixed(ty_ros_map *m)
{
    int64_t now = m->start + ty_run_time(m->run);
    m->tfs = 0;
    for (size_t i = 0; i < m->carriers; i++) {
        if (i < m->rovers) { /* truth: the rover's own odometry is a topic, and may disagree */
            add(m, "map", m->of[i].odom, (ty_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } });
        }
        add_seats(m, i, true);
    }
    ty_ros_tf(&m->message, now, m->tf, m->tfs);
    send(m, "/tf_static", TY_ROS_TF, now);
}

/* ---- clock, rovers, actors, events ---- */

static ty_pose pose_in(const ty_buffer *b, const ty_message_schema *schema)
{
    int p = ty_message_schema_find(schema, TY_QUANTITY_POSITION, 0),
        q = ty_message_schema_find(schema, TY_QUANTITY_ATTITUDE, 0);
#define AT(c) ty_buffer_get(b, 0, 0, c)
    return (ty_pose){ { AT(p), AT(p + 1), AT(p + 2) }, { AT(q), AT(q + 1), AT(q + 2), AT(q + 3) } };
}

static ty_vec3 vector_in(const ty_buffer *b, const ty_message_schema *schema, ty_quantity quantity)
{
    int v = ty_message_schema_find(schema, quantity, 0);
    return ty_vec3_make(AT(v), AT(v + 1), AT(v + 2));
}

static void send_pose(ty_ros_map *m, const ty_message *from, int64_t now)
{
    const carrier *c = &m->of[from->index];
    const ty_buffer *b = &from->part[0].data;
    bool rover = from->index < m->rovers;
    ty_pose pose = pose_in(b, from->schema);
    char topic[TOPIC];
    m->tfs = 0;
    add(m, rover ? c->odom : "map", c->base, pose);
    if (rover) {
        add_seats(m, from->index, false);
    }
    ty_ros_tf(&m->message, now, m->tf, m->tfs);
    send(m, "/tf", TY_ROS_TF, now);
    if (rover) {
        ty_ros_odometry(&m->message, now, "map", c->base, pose, vector_in(b, from->schema, TY_QUANTITY_VELOCITY),
                        vector_in(b, from->schema, TY_QUANTITY_TURN));
        snprintf(topic, sizeof topic, "/%s/ground_truth/odom", c->name);
        send(m, topic, TY_ROS_ODOMETRY, now);
    }
}

/* joints that turn, then those that steer: an angle without a rate of its own */
static void send_joints(ty_ros_map *m, const ty_message *from, int64_t now)
{
    const ty_message_column *column = from->schema->column;
    const ty_buffer *b = &from->part[0].data;
    const char *joint[2 * TY_WHEELS_MAX];
    char steer[TY_WHEELS_MAX][TY_NAME_MAX + 8], topic[TOPIC];
    double angle[2 * TY_WHEELS_MAX], omega[2 * TY_WHEELS_MAX], torque[2 * TY_WHEELS_MAX];
    ty_wheel_info info[TY_WHEELS_MAX];
    int n = 0, wheels = ty_vehicle_wheels(ty_run_rover(m->run, from->index), info);
    for (int c = 0; column[c].name; c++) {
        if (column[c].quantity == TY_QUANTITY_JOINT_ANGLE) {
            joint[n] = column[c].of, angle[n] = AT(c);
            omega[n] = AT(ty_message_schema_find(from->schema, TY_QUANTITY_JOINT_RATE, c));
            torque[n++] = AT(ty_message_schema_find(from->schema, TY_QUANTITY_JOINT_TORQUE, c));
        }
    }
    int at = -1;
    for (int i = 0; i < wheels; i++) {
        at = ty_message_schema_find(from->schema, TY_QUANTITY_ANGLE, at + 1);
        if (at >= 0 && info[i].steer_limit > 0.0) {
            snprintf(steer[i], sizeof steer[i], "%.63s_steer", column[at].of);
            joint[n] = steer[i], angle[n] = AT(at);
            omega[n] = torque[n] = (double)NAN; /* not told by the state */
            n++;
        }
    }
    ty_ros_joint_state(&m->message, now, "", (size_t)n, joint, angle, omega, torque);
    snprintf(topic, sizeof topic, "/%s/joint_states", m->of[from->index].name);
    send(m, topic, TY_ROS_JOINT_STATE, now);
}

/* all numbers of a row, labelled by their columns */
static void make_values(ty_ros_map *m, const ty_message_schema *schema, const double *value, int count)
{
    ty_cdr_clear(&m->scratch);
    for (int i = 0; i < count; i++) {
        char text[160];
        ty_message_column_text(&schema->column[i], text, sizeof text);
        ty_cdr_add(&m->scratch, ",", i ? 1 : 0);
        ty_cdr_add(&m->scratch, text, strlen(text));
    }
    ty_cdr_add(&m->scratch, "", 1);
    ty_ros_values(&m->message, m->scratch.failed ? "" : (const char *)m->scratch.data, value, (size_t)count);
}

static void send_wheels(ty_ros_map *m, const ty_message *from, int64_t now)
{
    const ty_buffer *b = &from->part[0].data;
    double value[16 * TY_WHEELS_MAX];
    char topic[TOPIC];
    int n = b->type.channels < 16 * TY_WHEELS_MAX ? b->type.channels : 16 * TY_WHEELS_MAX;
    for (int c = 0; c < n; c++) {
        value[c] = AT(c);
    }
    make_values(m, from->schema, value, n);
    snprintf(topic, sizeof topic, "/%s/wheel_states", m->of[from->index].name);
    send(m, topic, TY_ROS_VALUES, now);
}

static void send_event(ty_ros_map *m, const ty_message *from, int64_t now)
{
    char text[300];
    const ty_buffer *b = &from->part[0].data;
    snprintf(text, sizeof text, "{\"rover\": \"%s\", \"event\": \"%s\", \"begin_s\": %.3f, \"worst\": %.6g}",
             from->rover, from->sensor, AT(0), AT(1));
    ty_ros_string(&m->message, text);
    send(m, "/events", TY_ROS_STRING, now);
}
#undef AT

/* what is no sensor's; edits of the ground have no message in ROS */
static void receive_state(ty_ros_map *m, const ty_message *from)
{
    int64_t now = m->start + from->time.due;
    if (from->kind == TY_MESSAGE_CLOCK) {
        ty_ros_clock(&m->message, now);
        send(m, "/clock", TY_ROS_CLOCK, now);
    } else if (from->kind == TY_MESSAGE_POSE) {
        send_pose(m, from, now);
    } else if (from->kind == TY_MESSAGE_WHEELS) {
        send_joints(m, from, now);
        send_wheels(m, from, now);
    } else if (from->kind == TY_MESSAGE_EVENT) {
        send_event(m, from, now);
    }
}

/* ---- sensors ---- */

/* elements side by side without gaps, whatever layout the buffer has */
static const uint8_t *pack(ty_ros_map *m, const ty_buffer *b)
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

/* One message of one sensor on its way. */
typedef struct sample {
    const ty_message *from;
    const carrier *of;
    const source *source;
    char frame[NAME], optical[NAME];
    int64_t stamp, log; /* [ns] since 1970: end of the window, delivery */
    double v[VALUES];
    int n;
    bool taken[VALUES]; /* by a message of their own */
    bool blind;
} sample;

static void topic_of(const sample *s, const char *leaf, bool of_rover, char out[TOPIC])
{
    if (of_rover) {
        snprintf(out, TOPIC, "/%s/%s", s->of->name, leaf);
    } else {
        snprintf(out, TOPIC, "/%s/%s/%s", s->of->name, s->source->name, leaf);
    }
}

static void send_sample(ty_ros_map *m, const sample *s, const char *leaf, bool of_rover, ty_ros_type type)
{
    char topic[TOPIC];
    topic_of(s, leaf, of_rover, topic);
    send(m, topic, type, s->log);
}

/* The middle of the first pixel is at 0.5, 0.5 here and at 0, 0 in ROS and OpenCV. */
static void send_camera_info(ty_ros_map *m, const sample *s, const ty_camera *c)
{
    bool fisheye = c->lens == TY_LENS_FISHEYE;
    double f = fisheye ? c->width / c->hfov : 0.5 * c->width / tan(0.5 * c->hfov);
    const double k[9] = { f, 0, 0.5 * c->width - 0.5, 0, f, 0.5 * c->height - 0.5, 0, 0, 1 };
    const double brown[5] = { c->k1, c->k2, c->p1, c->p2, c->k3 }, none[4] = { 0.0 };
    if (c->lens == TY_LENS_PINHOLE || c->lens == TY_LENS_BROWN) {
        ty_ros_camera_info(&m->message, s->stamp, s->optical, c->width, c->height, "plumb_bob", brown, 5, k, 0.0);
    } else if (fisheye) {
        ty_ros_camera_info(&m->message, s->stamp, s->optical, c->width, c->height, "equidistant", none, 4, k, 0.0);
    } else {
        return; /* ROS has no name for the other lenses */
    }
    send_sample(m, s, "camera_info", false, TY_ROS_CAMERA_INFO);
}

static void send_camera(ty_ros_map *m, const sample *s)
{
    const ty_buffer *b = &s->from->part[0].data;
    const char *encoding = encoding_of(&b->type);
    if (!encoding) {
        return;
    }
    const ty_sensor_def *def = ty_run_sensor(m->run, s->from->index).def;
    size_t row = (size_t)b->type.width * (size_t)b->type.channels * ty_element_bytes(b->type.element);
    const char *frame = is_optical(def) ? s->optical : s->frame;
    ty_ros_image(&m->message, s->stamp, frame, b->type.width, b->type.height, encoding, row, pack(m, b));
    send_sample(m, s, "image_raw", false, TY_ROS_IMAGE);
    if (def->kind == TY_SENSOR_CAMERA && b->type.width == def->as.camera.camera.width &&
        b->type.height == def->as.camera.camera.height) {
        send_camera_info(m, s, &def->as.camera.camera);
    }
}

static void send_cloud(ty_ros_map *m, const sample *s)
{
    static const ty_ros_field fields[] = { { "x", 0, 7 },      { "y", 4, 7 },
                                           { "z", 8, 7 },      { "intensity", 12, 7 },
                                           { "range", 16, 7 }, { "time", 20, 7 },
                                           { "ring", 24, 4 },  { "return_number", 26, 4 },
                                           { "label", 28, 6 } };
    const ty_buffer *b = &s->from->part[0].data;
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
            uint16_t ring[2] = { (uint16_t)ty_buffer_get(b, x, y, 6), (uint16_t)ty_buffer_get(b, x, y, 7) };
            uint32_t label = (uint32_t)ty_buffer_get(b, x, y, 8);
            ty_cdr_add(&m->scratch, value, sizeof value);
            ty_cdr_add(&m->scratch, ring, sizeof ring);
            ty_cdr_add(&m->scratch, &label, sizeof label);
            points++;
        }
    }
    /* `time` of a point counts from the stamp */
    ty_ros_point_cloud(&m->message, m->start + s->from->time.start, b->type.frame == 'W' ? "map" : s->frame, points,
                       fields, sizeof fields / sizeof *fields, 32, m->scratch.data);
    send_sample(m, s, "points", false, TY_ROS_POINT_CLOUD);
}

/* the first column of a quantity, which is taken with those that follow it; -1: there is none */
static int take(sample *s, ty_quantity quantity, int count)
{
    int at = ty_message_schema_find(s->from->schema, quantity, 0);
    for (int i = at; at >= 0 && i < at + count && i < s->n; i++) {
        s->taken[i] = true;
    }
    return at >= 0 && at + count <= s->n ? at : -1;
}

static ty_vec3 vector(const sample *s, int at)
{
    double none = (double)NAN;
    return s->blind ? ty_vec3_make(none, none, none) : ty_vec3_make(s->v[at], s->v[at + 1], s->v[at + 2]);
}

static void send_place(ty_ros_map *m, sample *s)
{
    int p = take(s, TY_QUANTITY_POSITION, 3), yaw = p >= 0 ? take(s, TY_QUANTITY_YAW, 1) : -1;
    if (p >= 0 && yaw >= 0) {
        ty_pose pose = { vector(s, p), { cos(0.5 * s->v[yaw]), 0.0, 0.0, sin(0.5 * s->v[yaw]) } };
        ty_vec3 none = { 0, 0, 0 };
        ty_ros_odometry(&m->message, s->stamp, s->of->odom, s->of->base, pose, none, none);
        send_sample(m, s, "odom", s->source->odom, TY_ROS_ODOMETRY);
    } else if (p >= 0) {
        ty_ros_pose(&m->message, s->stamp, "map", vector(s, p), NULL, 0.0);
        send_sample(m, s, "fix", s->source->fix, TY_ROS_POSE);
    }
}

/* angles and rates of joints, in the order of the columns */
static void send_sensed_joints(ty_ros_map *m, sample *s)
{
    const ty_message_column *c = s->from->schema->column;
    const char *name[VALUES];
    double angle[VALUES], rate[VALUES];
    size_t n = 0;
    bool rates = false;
    for (int i = 0; i < s->n; i++) {
        if (c[i].quantity == TY_QUANTITY_JOINT_ANGLE && c[i].of) {
            name[n] = c[i].of, angle[n] = s->v[i], rate[n] = (double)NAN;
            s->taken[i] = true;
            for (int k = 0; k < s->n; k++) {
                if (c[k].quantity == TY_QUANTITY_JOINT_RATE && c[k].of && !strcmp(c[k].of, c[i].of)) {
                    rate[n] = s->v[k];
                    s->taken[k] = rates = true;
                }
            }
            n++;
        }
    }
    if (n) {
        ty_ros_joint_state(&m->message, s->stamp, "", n, name, angle, rates ? rate : NULL, NULL);
        send_sample(m, s, "joint_states", false, TY_ROS_JOINT_STATE);
    }
}

/* all columns as named numbers, where some have no message of their own */
static void send_rest(ty_ros_map *m, const sample *s)
{
    bool rest = false;
    for (int i = 0; i < s->n; i++) {
        rest = rest || (!s->taken[i] && s->from->schema->column[i].quantity != TY_QUANTITY_BLIND);
    }
    if (rest) {
        make_values(m, s->from->schema, s->v, s->n);
        send_sample(m, s, "values", false, TY_ROS_VALUES);
    }
}

/* One row of numbers as the messages that ROS has for its quantities; what has none goes as named numbers. */
static void send_row(ty_ros_map *m, sample *s)
{
    int at, force;
    int blind = take(s, TY_QUANTITY_BLIND, 1);
    s->blind = blind >= 0 && s->v[blind] > 0.0;
    if (ty_message_schema_find(s->from->schema, TY_QUANTITY_FORCE, 0) >= 0 &&
        (at = take(s, TY_QUANTITY_TURN, 3)) >= 0) {
        force = take(s, TY_QUANTITY_FORCE, 3);
        ty_ros_imu(&m->message, s->stamp, s->frame, NULL, vector(s, at), vector(s, force), 0.0, 0.0);
        send_sample(m, s, "data", false, TY_ROS_IMU);
    }
    send_place(m, s);
    if ((at = take(s, TY_QUANTITY_RANGE, 1)) >= 0) { /* REP 117: nothing was found within reach */
        ty_ros_range(&m->message, s->stamp, s->frame, 0.0f, 0.0f, INFINITY, s->blind ? INFINITY : (float)s->v[at]);
        send_sample(m, s, "range", false, TY_ROS_RANGE);
    }
    if ((at = take(s, TY_QUANTITY_DIRECTION, 3)) >= 0) {
        ty_ros_vector(&m->message, s->stamp,
                      is_optical(ty_run_sensor(m->run, s->from->index).def) ? s->optical : s->frame, vector(s, at));
        send_sample(m, s, "direction", false, TY_ROS_VECTOR);
    }
    if ((at = take(s, TY_QUANTITY_ATTITUDE, 4)) >= 0) {
        double none = (double)NAN;
        ty_ros_quaternion(&m->message, s->stamp, "map",
                          s->blind ? (ty_quat){ none, none, none, none }
                                   : (ty_quat){ s->v[at], s->v[at + 1], s->v[at + 2], s->v[at + 3] });
        send_sample(m, s, "attitude", false, TY_ROS_QUATERNION);
    }
    if ((at = take(s, TY_QUANTITY_CHARGE, 1)) >= 0) {
        ty_ros_battery_state(&m->message, s->stamp, s->frame, &(ty_ros_battery){ NAN, NAN, NAN, NAN, (float)s->v[at] });
        send_sample(m, s, "battery_state", s->source->battery, TY_ROS_BATTERY);
    }
    send_sensed_joints(m, s);
    send_rest(m, s);
}

void ty_ros_map_receive(void *map, const ty_message *from)
{
    ty_ros_map *m = map;
    const ty_buffer *b = &from->part[0].data;
    if (from->kind != TY_MESSAGE_SENSOR) {
        receive_state(m, from);
        return;
    }
    sample s = { .from = from, .source = &m->source[from->index] };
    s.of = &m->of[s.source->carrier];
    s.stamp = m->start + from->time.end, s.log = m->start + from->time.due;
    const ty_sensor_def *def = ty_run_sensor(m->run, from->index).def;
    frame_of(s.of, def, false, s.frame);
    frame_of(s.of, def, true, s.optical);
    if (b->type.unit == TY_UNIT_POINT && b->type.channels == TY_CLOUD_POINT_CHANNELS) {
        send_cloud(m, &s);
    } else if (!from->schema->column) {
        send_camera(m, &s);
    } else if (b->type.width == 1 && b->type.height == 1) {
        s.n = b->type.channels < VALUES ? b->type.channels : VALUES;
        for (int c = 0; c < s.n; c++) {
            s.v[c] = ty_buffer_get(b, 0, 0, c);
        }
        send_row(m, &s);
    }
}

/* ---- its life ---- */

static void name_carrier(carrier *c, const char *name, const ty_sensor_def *sensor, size_t sensors)
{
    token(name, c->name, sizeof c->name);
    snprintf(c->base, sizeof c->base, "%s/base_link", c->name);
    snprintf(c->odom, sizeof c->odom, "%s/odom", c->name);
    c->sensor = sensor, c->sensors = sensors;
}

/* sensors in the run's order: of rovers, then of actors */
static void list_sources(ty_ros_map *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->carriers; i++) {
        bool odom = false, battery = false, fix = false;
        for (size_t k = 0; k < m->of[i].sensors && n < m->sources; k++, n++) {
            const ty_message_schema *schema = ty_run_sensor(m->run, n).schema;
            bool place = ty_message_schema_find(schema, TY_QUANTITY_POSITION, 0) >= 0,
                 yaw = ty_message_schema_find(schema, TY_QUANTITY_YAW, 0) >= 0,
                 charge = ty_message_schema_find(schema, TY_QUANTITY_CHARGE, 0) >= 0;
            source *s = &m->source[n];
            s->carrier = i;
            token(m->of[i].sensor[k].name, s->name, sizeof s->name);
            s->odom = place && yaw && !odom, s->fix = place && !yaw && !fix, s->battery = charge && !battery;
            odom = odom || s->odom, fix = fix || s->fix, battery = battery || s->battery;
        }
    }
}

ty_status ty_ros_map_create(ty_run *run, ty_ros_send to, void *user, ty_ros_map **out, ty_diag *diag)
{
    const ty_scenario *s = ty_run_scenario(run);
    ty_ros_map *m = *out = calloc(1, sizeof *m);
    if (m) {
        m->run = run, m->send = to, m->user = user;
        m->rovers = s->rovers, m->carriers = s->rovers + s->actors, m->sources = ty_run_sensors(run);
        size_t most = 2 * (m->carriers + m->sources) + 1; /* frames of one message */
        m->of = calloc(m->carriers + 1, sizeof *m->of);
        m->source = calloc(m->sources + 1, sizeof *m->source);
        m->frame = calloc(most, sizeof *m->frame);
        m->tf = calloc(most, sizeof *m->tf);
    }
    if (!m || !m->of || !m->source || !m->frame || !m->tf) {
        ty_ros_map_destroy(m);
        *out = NULL;
        return ty_fail(diag, TY_ERR_MEMORY, "ros: no memory");
    }
    m->start = unix_start(ty_run_world(run));
    for (size_t i = 0; i < s->rovers; i++) {
        name_carrier(&m->of[i], s->rover[i].name, s->rover[i].sensor, s->rover[i].sensors);
    }
    for (size_t i = 0; i < s->actors; i++) {
        name_carrier(&m->of[s->rovers + i], s->actor[i].name, s->actor[i].sensor, s->actor[i].sensors);
    }
    list_sources(m);
    return TY_OK;
}

void ty_ros_map_destroy(ty_ros_map *m)
{
    if (m) {
        free(m->of), free(m->source), free(m->frame), free(m->tf);
        ty_cdr_free(&m->message);
        ty_cdr_free(&m->scratch);
        free(m);
    }
}
