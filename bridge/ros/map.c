/* bridge/ros/map.c - see tycho/tools/ros.h. Sees the public headers only.
 *
 * Messages are logged when they reach their readers; their headers hold the end of the window, but for point clouds: the
 * start of the scan, from which their points' times count.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "map.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tycho/filter.h"
#include "tycho/lidar.h"
#include "io/mcap.h"
#include "ros_map.h"

int64_t tyi_ros_start(ty_world *world)
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

void tyb_ros_send(tyi_ros_map *m, const char *topic, tyi_io_ros_type type, int64_t log)
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

static void add(tyi_ros_map *m, const char *parent, const char *child, ty_pose pose)
{
    frames *f = &m->frame[m->tfs];
    snprintf(f->parent, NAME, "%s", parent);
    snprintf(f->child, NAME, "%s", child);
    m->tf[m->tfs++] = (tyi_io_ros_transform){ f->parent, f->child, pose };
}

/* Where a mount is in its rover, and whether it stays there: whether it sits on the body whose frame B is. */
ty_pose tyb_ros_seat(const tyi_ros_map *m, size_t which, const ty_sensor_def *def, bool *fixed)
{
    const ty_vehicle *v = which < m->rovers ? ty_run_rover(m->run, which) : NULL;
    int mount = v && def->mount[0] ? ty_vehicle_find_mount(v, def->mount) : -1;
    *fixed = true;
    if (mount < 0) {
        return (ty_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } };
    }
    ty_vehicle_state s;
    ty_vehicle_get(v, &s);
    ty_pose B = s.pose;
    const ty_vehicle_mount *list;
    ty_vehicle_mounts(v, &list);
    ty_pose body = ty_vehicle_body_pose(v, list[mount].body, NULL, NULL);
    *fixed = !memcmp(&body, &B, sizeof B);
    return *fixed ? list[mount].pose : ty_pose_mul(ty_pose_inverse(B), ty_vehicle_mount_pose(v, mount));
}

/* the seats of a carrier that do, or do not, stay where they are in it */
static void add_seats(tyi_ros_map *m, size_t which, bool fixed)
{
    const carrier *c = &m->of[which];
    for (size_t i = 0; i < c->sensors; i++) {
        bool stays = true;
        char name[NAME], optical[NAME];
        ty_pose pose = tyb_ros_seat(m, which, &c->sensor[i], &stays);
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

void tyi_ros_map_fixed(tyi_ros_map *m)
{
    int64_t now = m->start + ty_run_time(m->run);
    m->tfs = 0;
    const ty_terrain_def *at = &ty_run_scenario(m->run)->terrain;
    add(m, "moon", "map", ty_site_make(at->lat, at->lon, TY_MOON_RADIUS).W_in_M);
    for (size_t i = 0; i < m->carriers; i++) {
        if (i < m->rovers) { /* truth: the rover's own odometry is a topic, and may disagree */
            add(m, "map", m->of[i].odom, (ty_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } });
        }
        add_seats(m, i, true);
    }
    tyi_io_ros_tf(&m->message, now, m->tf, m->tfs);
    tyb_ros_send(m, "/tf_static", TY_ROS_TF, now);
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

static void send_pose(tyi_ros_map *m, const ty_message *from, int64_t now)
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
    tyi_io_ros_tf(&m->message, now, m->tf, m->tfs);
    tyb_ros_send(m, "/tf", TY_ROS_TF, now);
    if (rover) {
        tyi_io_ros_odometry(&m->message, now, "map", c->base, pose, vector_in(b, from->schema, TY_QUANTITY_VELOCITY),
                            vector_in(b, from->schema, TY_QUANTITY_TURN), NULL);
        snprintf(topic, sizeof topic, "/%s/ground_truth/odom", c->name);
        tyb_ros_send(m, topic, TY_ROS_ODOMETRY, now);
    }
}

/* joints that turn, then those that steer: an angle without a rate of its own */
static void send_joints(tyi_ros_map *m, const ty_message *from, int64_t now)
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
    tyi_io_ros_joint_state(&m->message, now, "", (size_t)n, joint, angle, omega, torque);
    snprintf(topic, sizeof topic, "/%s/joint_states", m->of[from->index].name);
    tyb_ros_send(m, topic, TY_ROS_JOINT_STATE, now);
}

/* all numbers of a row, labelled by their columns */
static void make_values(tyi_ros_map *m, const ty_message_schema *schema, const double *value, int count)
{
    tyi_io_cdr_clear(&m->scratch);
    for (int i = 0; i < count; i++) {
        char text[160];
        ty_message_column_text(&schema->column[i], text, sizeof text);
        tyi_io_cdr_add(&m->scratch, ",", i ? 1 : 0);
        tyi_io_cdr_add(&m->scratch, text, strlen(text));
    }
    tyi_io_cdr_add(&m->scratch, "", 1);
    tyi_io_ros_values(&m->message, m->scratch.failed ? "" : (const char *)m->scratch.data, value, (size_t)count);
}

static void send_wheels(tyi_ros_map *m, const ty_message *from, int64_t now)
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
    tyb_ros_send(m, topic, TY_ROS_VALUES, now);
}

static void send_event(tyi_ros_map *m, const ty_message *from, int64_t now)
{
    char text[300];
    const ty_buffer *b = &from->part[0].data;
    snprintf(text, sizeof text, "{\"rover\": \"%s\", \"event\": \"%s\", \"begin_s\": %.3f, \"worst\": %.6g}",
             from->rover, from->sensor, AT(0), AT(1));
    tyi_io_ros_string(&m->message, text);
    tyb_ros_send(m, "/events", TY_ROS_STRING, now);
    char worst[32];
    snprintf(worst, sizeof worst, "%.6g", AT(1));
    const char *value[][2] = { { "worst", worst } };
    tyi_io_ros_diagnostics(&m->message, now, &(tyi_io_ros_status){ 1, from->rover, from->sensor, value, 1 }, 1);
    tyb_ros_send(m, "/diagnostics", TY_ROS_DIAGNOSTICS, now);
}
#undef AT

/* how every sensor does, once a second; what a sensor has sent by now tells whether it keeps its rate */
static void send_diagnostics(tyi_ros_map *m, int64_t now)
{
    for (size_t i = 0; i < m->sources; i++) {
        ty_sensor_info info = ty_run_sensor(m->run, i);
        char name[NAME], period[32], lag[32], sent[32];
        snprintf(name, sizeof name, "%s/%s", m->of[m->source[i].carrier].name, m->source[i].name);
        snprintf(period, sizeof period, "%.9g", ty_seconds(info.period));
        snprintf(lag, sizeof lag, "%.9g", ty_seconds(info.lag));
        snprintf(sent, sizeof sent, "%llu", (unsigned long long)info.sequence);
        const char *value[][2] = { { "period_s", period }, { "lag_s", lag }, { "messages", sent } };
        tyi_io_ros_diagnostics(&m->message, now, &(tyi_io_ros_status){ 0, name, "on time", value, 3 }, 1);
        tyb_ros_send(m, "/diagnostics", TY_ROS_DIAGNOSTICS, now);
    }
}

/* what is no sensor's; edits of the ground have no message in ROS */
static void receive_state(tyi_ros_map *m, const ty_message *from)
{
    int64_t now = m->start + from->time.due;
    if (from->kind == TY_MESSAGE_CLOCK) {
        tyi_io_ros_clock(&m->message, now);
        tyb_ros_send(m, "/clock", TY_ROS_CLOCK, now);
        if (from->time.due % TY_SECOND == 0) {
            send_diagnostics(m, now);
        }
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

static void topic_of(const sample *s, const char *leaf, bool of_rover, char out[TOPIC])
{
    if (of_rover) {
        snprintf(out, TOPIC, "/%s/%s", s->of->name, leaf);
    } else {
        snprintf(out, TOPIC, "/%s/%s/%s", s->of->name, s->source->name, leaf);
    }
}

void tyb_ros_send_sample(tyi_ros_map *m, const sample *s, const char *leaf, bool of_rover, tyi_io_ros_type type)
{
    char topic[TOPIC];
    topic_of(s, leaf, of_rover, topic);
    tyb_ros_send(m, topic, type, s->log);
}

/* rows of a column by the times of their points; false: they are too many */
static bool sort_column(const ty_buffer *b, int x, int order[2 * TY_LIDAR_LASERS])
{
    enum { AT = 5 };
    for (int y = 0; y < b->type.height && b->type.height <= 2 * TY_LIDAR_LASERS; y++) {
        int k = y;
        double time = ty_buffer_get(b, x, y, AT);
        for (; k > 0 && ty_buffer_get(b, x, order[k - 1], AT) > time; k--) {
            order[k] = order[k - 1];
        }
        order[k] = y;
    }
    return b->type.height <= 2 * TY_LIDAR_LASERS;
}

static void send_cloud(tyi_ros_map *m, const sample *s)
{
    static const tyi_io_ros_field fields[] = { { "x", 0, 7 },      { "y", 4, 7 },
                                               { "z", 8, 7 },      { "intensity", 12, 7 },
                                               { "range", 16, 7 }, { "time", 20, 7 },
                                               { "ring", 24, 4 },  { "return_number", 26, 4 },
                                               { "label", 28, 6 } };
    const ty_buffer *b = &s->from->part[0].data;
    size_t points = 0;
    int order[2 * TY_LIDAR_LASERS], rows = b->type.height;
    tyi_io_cdr_clear(&m->scratch);
    for (int x = 0; x < b->type.width; x++) { /* a column is a firing cycle: in order of time, as a driver gives them */
        bool sorted = sort_column(b, x, order);
        for (int i = 0; i < rows; i++) {
            int y = sorted ? order[i] : i;
            float value[6];
            for (int c = 0; c < 6; c++) {
                value[c] = (float)ty_buffer_get(b, x, y, c);
            }
            if (isnan(value[0])) {
                continue;
            }
            uint16_t ring[2] = { (uint16_t)ty_buffer_get(b, x, y, 6), (uint16_t)ty_buffer_get(b, x, y, 7) };
            uint32_t label = (uint32_t)ty_buffer_get(b, x, y, 8);
            tyi_io_cdr_add(&m->scratch, value, sizeof value);
            tyi_io_cdr_add(&m->scratch, ring, sizeof ring);
            tyi_io_cdr_add(&m->scratch, &label, sizeof label);
            points++;
        }
    }
    /* `time` of a point counts from the stamp */
    tyi_io_ros_point_cloud(&m->message, m->start + s->from->time.start, b->type.frame == 'W' ? "map" : s->frame, points,
                           fields, sizeof fields / sizeof *fields, 32, m->scratch.data);
    tyb_ros_send_sample(m, s, "points", false, TY_ROS_POINT_CLOUD);
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

/* of a column, where its sensor knows it */
static double variance_of(const tyi_ros_map *m, const sample *s, int column)
{
    const double *sigma = ty_run_sensor(m->run, s->from->index).sigma;
    return column < 6 ? sigma[column] * sigma[column] : 0.0;
}

#define SLIP  0.1  /* [-] of the way that a wheel may slip, chosen: what wheels on level lunar soil do */
#define LEAST 1e-3 /* [m/s], [m] what is not told apart at best: a tick of an encoder */
#define LARGE 1e6  /* of what wheels do not measure: robot_localization takes no -1 here */

/* How wrong wheels' odometry may be: by what they slip, all alike along the way, each on its own where it turns; its speeds also by
 * how far the wheels disagree (least squares over n wheels of distances r: sigma^2 / n, and sigma^2 / sum(r^2) for turning). */
static void vary_odometry(const tyi_ros_map *m, const sample *s, int v, double variance[12])
{
    ty_wheel_info wheel[TY_WHEELS_MAX];
    int way = ty_message_schema_find(s->from->schema, TY_QUANTITY_LENGTH, 0), misfit = way + 1;
    int n = s->source->carrier < m->rovers ? ty_vehicle_wheels(ty_run_rover(m->run, s->source->carrier), wheel) : 0;
    double spread = 0.0, period = ty_seconds(ty_run_sensor(m->run, s->from->index).period);
    for (int i = 0; i < n; i++) {
        spread += wheel[i].p_B.x * wheel[i].p_B.x + wheel[i].p_B.y * wheel[i].p_B.y;
    }
    for (int k = 0; k < 12; k++) {
        variance[k] = LARGE;
    }
    if (way < 0 || misfit >= s->n || v < 0 || n < 1 || !(spread > 0.0) || !(period > 0.0)) {
        return;
    }
    double slipped = SLIP * s->v[way], apart = s->v[misfit] * sqrt(2.0 * n / fmax(2.0 * n - 3.0, 1.0)) / period;
    double slips = SLIP * hypot(s->v[v], s->v[v + 1]);
    variance[0] = variance[1] = slipped * slipped + LEAST * LEAST;
    variance[5] = (slipped * slipped + LEAST * LEAST) / spread;
    variance[6] = variance[7] = apart * apart / n + slips * slips + LEAST * LEAST;
    variance[11] = (apart * apart + slips * slips + LEAST * LEAST) / spread;
}

static void send_place(tyi_ros_map *m, sample *s)
{
    int p = take(s, TY_QUANTITY_POSITION, 3), yaw = p >= 0 ? take(s, TY_QUANTITY_YAW, 1) : -1;
    if (p >= 0 && yaw >= 0) {
        ty_pose pose = { vector(s, p), { cos(0.5 * s->v[yaw]), 0.0, 0.0, sin(0.5 * s->v[yaw]) } };
        int v = take(s, TY_QUANTITY_VELOCITY, 3), turn = take(s, TY_QUANTITY_TURN, 3);
        ty_vec3 none = { 0, 0, 0 };
        double variance[12];
        vary_odometry(m, s, v, variance);
        tyi_io_ros_odometry(&m->message, s->stamp, s->of->odom, s->of->base, pose, v >= 0 ? vector(s, v) : none,
                            turn >= 0 ? vector(s, turn) : none, variance);
        tyb_ros_send_sample(m, s, "odom", s->source->odom, TY_ROS_ODOMETRY);
    } else if (p >= 0) {
        double variance[3];
        for (int k = 0; k < 3; k++) {
            variance[k] = variance_of(m, s, p + k);
        }
        tyi_io_ros_pose(&m->message, s->stamp, "map", vector(s, p), NULL, variance);
        tyb_ros_send_sample(m, s, "fix", s->source->fix, TY_ROS_POSE);
    }
}

/* angles and rates of joints, in the order of the columns */
static void send_sensed_joints(tyi_ros_map *m, sample *s)
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
        tyi_io_ros_joint_state(&m->message, s->stamp, "", n, name, angle, rates ? rate : NULL, NULL);
        tyb_ros_send_sample(m, s, "joint_states", false, TY_ROS_JOINT_STATE);
    }
}

/* all columns as named numbers, where some have no message of their own */
static void send_rest(tyi_ros_map *m, const sample *s)
{
    bool rest = false;
    for (int i = 0; i < s->n; i++) {
        rest = rest || (!s->taken[i] && s->from->schema->column[i].quantity != TY_QUANTITY_BLIND);
    }
    if (rest) {
        make_values(m, s->from->schema, s->v, s->n);
        tyb_ros_send_sample(m, s, "values", false, TY_ROS_VALUES);
    }
}

/* One row of numbers as the messages that ROS has for its quantities; what has none goes as named numbers. */
static void send_row(tyi_ros_map *m, sample *s)
{
    int at, force;
    int blind = take(s, TY_QUANTITY_BLIND, 1);
    s->blind = blind >= 0 && s->v[blind] > 0.0;
    if (ty_message_schema_find(s->from->schema, TY_QUANTITY_FORCE, 0) >= 0 &&
        (at = take(s, TY_QUANTITY_TURN, 3)) >= 0) {
        force = take(s, TY_QUANTITY_FORCE, 3);
        tyi_io_ros_imu(&m->message, s->stamp, s->frame, NULL, vector(s, at), vector(s, force), variance_of(m, s, at),
                       variance_of(m, s, force));
        tyb_ros_send_sample(m, s, "data", false, TY_ROS_IMU);
    }
    send_place(m, s);
    if ((at = take(s, TY_QUANTITY_RANGE, 1)) >= 0) { /* REP 117: nothing was found within reach */
        tyi_io_ros_range(&m->message, s->stamp, s->frame, 0.0f, 0.0f, INFINITY, s->blind ? INFINITY : (float)s->v[at],
                         (float)variance_of(m, s, at));
        tyb_ros_send_sample(m, s, "range", false, TY_ROS_RANGE);
    }
    if ((at = take(s, TY_QUANTITY_DIRECTION, 3)) >= 0) {
        tyi_io_ros_vector(&m->message, s->stamp,
                          is_optical(ty_run_sensor(m->run, s->from->index).def) ? s->optical : s->frame, vector(s, at));
        tyb_ros_send_sample(m, s, "direction", false, TY_ROS_VECTOR);
    }
    if ((at = take(s, TY_QUANTITY_ATTITUDE, 4)) >= 0) {
        double none = (double)NAN;
        tyi_io_ros_quaternion(&m->message, s->stamp, "map",
                              s->blind ? (ty_quat){ none, none, none, none }
                                       : (ty_quat){ s->v[at], s->v[at + 1], s->v[at + 2], s->v[at + 3] });
        tyb_ros_send_sample(m, s, "attitude", false, TY_ROS_QUATERNION);
    }
    if ((at = take(s, TY_QUANTITY_CHARGE, 1)) >= 0) {
        tyi_io_ros_battery_state(&m->message, s->stamp, s->frame,
                                 &(tyi_io_ros_battery){ NAN, NAN, NAN, NAN, (float)s->v[at] });
        tyb_ros_send_sample(m, s, "battery_state", s->source->battery, TY_ROS_BATTERY);
    }
    send_sensed_joints(m, s);
    send_rest(m, s);
}

void tyi_ros_map_receive(void *map, const ty_message *from)
{
    tyi_ros_map *m = map;
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
    } else if (!from->schema->column || b->type.width != 1 || b->type.height != 1) {
        tyb_ros_camera(m, &s);
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
static void list_sources(tyi_ros_map *m)
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
            s->baseline = m->of[i].sensor[k].kind == TY_SENSOR_CAMERA ? tyb_ros_baseline(m, i, k) : 0.0;
            odom = odom || s->odom, fix = fix || s->fix, battery = battery || s->battery;
        }
    }
}

ty_status tyi_ros_map_create(ty_run *run, tyi_ros_send to, void *user, tyi_ros_map **out, ty_diag *diag)
{
    const ty_scenario *s = ty_run_scenario(run);
    tyi_ros_map *m = *out = calloc(1, sizeof *m);
    if (m) {
        m->run = run, m->send = to, m->user = user;
        m->rovers = s->rovers, m->carriers = s->rovers + s->actors, m->sources = ty_run_sensors(run);
        size_t most = 2 * (m->carriers + m->sources) + 2; /* frames of one message */
        m->of = calloc(m->carriers + 1, sizeof *m->of);
        m->source = calloc(m->sources + 1, sizeof *m->source);
        m->frame = calloc(most, sizeof *m->frame);
        m->tf = calloc(most, sizeof *m->tf);
    }
    if (!m || !m->of || !m->source || !m->frame || !m->tf) {
        tyi_ros_map_destroy(m);
        *out = NULL;
        return ty_fail(diag, TY_ERR_MEMORY, "ros: no memory");
    }
    m->start = tyi_ros_start(ty_run_world(run));
    for (size_t i = 0; i < s->rovers; i++) {
        name_carrier(&m->of[i], s->rover[i].name, s->rover[i].sensor, s->rover[i].sensors);
    }
    for (size_t i = 0; i < s->actors; i++) {
        name_carrier(&m->of[s->rovers + i], s->actor[i].name, s->actor[i].sensor, s->actor[i].sensors);
    }
    list_sources(m);
    return TY_OK;
}

const char *tyi_ros_map_topic(const tyi_ros_map *m, size_t sensor, char *out, size_t size)
{
    snprintf(out, size, "/%s/%s", m->of[m->source[sensor].carrier].name, m->source[sensor].name);
    return out;
}

void tyi_ros_map_destroy(tyi_ros_map *m)
{
    if (m) {
        free(m->of), free(m->source), free(m->frame), free(m->tf);
        tyi_io_cdr_free(&m->message);
        tyi_io_cdr_free(&m->scratch);
        free(m);
    }
}
