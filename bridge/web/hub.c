/* bridge/web/hub.c - a live run's ROS messages: made once, by bridge/ros, for whoever reads them, over DDS or by Foxglove's protocol.
 *
 * The state of the run (clock, frames, joints) is told at the pace of the scenario's telemetry, by the record where there is
 * one. Commands come on threads of others and go the way of the page's.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "foxglove.h"
#include "services.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* what a rover listens to */
enum { TWIST, TWIST_STAMPED, ACKERMANN, JOINTS_COMMAND, COMMAND_TOPICS, CONTROL = -1 };
static const struct {
    const char *leaf, *type;
    bool reliable;
} command_topic[COMMAND_TOPICS] = {
    [TWIST] = { "cmd_vel", "geometry_msgs/msg/Twist", false },
    [TWIST_STAMPED] = { "cmd_vel", "geometry_msgs/msg/TwistStamped", false },
    [ACKERMANN] = { "ackermann_cmd", "ackermann_msgs/msg/AckermannDriveStamped", false },
    [JOINTS_COMMAND] = { "joint_commands", "sensor_msgs/msg/JointState", false },
};

/* ---- out ---- */

/* what is one for all rovers and runs keeps its name */
static void full_name(const tyi_live_hub *h, const char *topic, char out[TYI_HUB_TOPIC])
{
    bool global = !strcmp(topic, "/clock") || !strcmp(topic, "/tf") || !strcmp(topic, "/tf_static") ||
                  !strcmp(topic, "/diagnostics");
    snprintf(out, TYI_HUB_TOPIC, "%s%s", global ? "" : h->prefix, topic);
}

static bool is_latched(const char *topic)
{
    const char *leaf = strrchr(topic, '/');
    return leaf && (!strcmp(leaf, "/tf_static") || !strcmp(leaf, "/robot_description"));
}

static bool is_large(tyi_io_ros_type type)
{
    return type == TY_ROS_IMAGE || type == TY_ROS_POINT_CLOUD || type == TY_ROS_BOXES || type == TY_ROS_SOLIDS;
}

static void send(void *user, const char *topic, tyi_io_ros_type type, int64_t log, const tyi_io_cdr *message)
{
    tyi_live_hub *h = user;
    char name[TYI_HUB_TOPIC];
    full_name(h, topic, name);
    if (message && message->failed) {
        return;
    }
    tyi_fox_send(h->fox, name, type, is_latched(topic), log, message);
    if (h->dds &&
        (!message || !tyb_dds_send(h->dds, name, message->data, message->size))) { /* the first of its topic */
        tyb_dds_kind kind = is_latched(topic) ? TYB_DDS_LATCHED : is_large(type) ? TYB_DDS_SENSOR : TYB_DDS_MANY;
        if (tyb_dds_writer(h->dds, name, tyi_io_ros_name(type), kind, &h->diag) == TY_OK && message) {
            tyb_dds_send(h->dds, name, message->data, message->size);
        }
    }
}

void tyi_hub_receive(void *user, const ty_message *m)
{
    tyi_live_hub *h = user;
    if (h->dds || tyi_fox_wanted(h->fox)) {
        tyi_ros_map_receive(h->map, m);
    }
}

/* [ns] since 1970 */
static int64_t now_of(const tyi_live_hub *h)
{
    return tyi_ros_start(ty_run_world(h->live->run)) + ty_run_time(h->live->run);
}

void tyi_hub_event(ty_live *l, const char *kind, const char *rover, const char *text)
{
    tyi_live_hub *h = l->hub;
    char whole[400];
    if (h && !l->record) { /* a record finds its own */
        double t = ty_seconds(ty_run_time(l->run));
        snprintf(whole, sizeof whole, "{\"rover\": \"%s\", \"event\": \"%s\", \"begin_s\": %.3f, \"text\": \"%s\"}",
                 rover, kind, t, text);
        tyi_io_ros_string(&h->message, whole);
        send(h, "/events", TY_ROS_STRING, now_of(h), &h->message);
    }
}

void tyi_hub_step(ty_live *l)
{
    tyi_live_hub *h = l->hub;
    ty_time now = ty_run_time(l->run);
    if (!l->record && now >= h->next) {
        if (h->dds || tyi_fox_wanted(h->fox)) {
            ty_run_publish(l->run);
        }
        h->next += ty_time_from(l->scenario.telemetry);
    }
}

void tyi_hub_ask(ty_live *l)
{
    tyi_live_hub *h = l->hub;
    tyi_io_ros_clock(&h->message, now_of(h));
    send(h, "/tycho/ask", TY_ROS_CLOCK, now_of(h), &h->message);
}

/* what is said once */
static void send_fixed(tyi_live_hub *h)
{
    tyi_ros_map_fixed(h->map);
    for (size_t i = 0; i < h->live->rovers; i++) {
        char topic[TYI_HUB_TOPIC];
        if (tyi_ros_description(&h->live->rover[i], &h->message)) {
            snprintf(topic, sizeof topic, "/%s/robot_description", tyb_ros_rover(h->map, i));
            send(h, topic, TY_ROS_STRING, now_of(h), &h->message);
        }
    }
}

void tyi_hub_reset(ty_live *l)
{
    if (l->hub) {
        l->hub->next = 0;
        send_fixed(l->hub);
    }
}

/* ---- in: on threads of others ---- */

static double wheelbase(const ty_live *l, size_t rover)
{
    ty_wheel_info info[TY_WHEELS_MAX];
    int n = ty_vehicle_wheels(ty_run_rover(l->run, rover), info);
    double front = -HUGE_VAL, back = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        front = fmax(front, info[i].p_B.x), back = fmin(back, info[i].p_B.x);
    }
    return n ? fmax(front - back, 0.1) : 1.0;
}

static void drive(ty_live *l, uint32_t client, size_t rover, const tyb_ros_drive *d)
{
    command c = { .verb = DRIVE, .client = client, .rover = rover };
    c.drive.v = tyi_live_within(d->v, -100.0, 100.0);
    if (isfinite(d->steer)) { /* of a bicycle whose wheels stand as far apart */
        double steer = tyi_live_within(d->steer, -1.5, 1.5);
        c.drive.omega = tyi_live_within(c.drive.v * tan(steer) / l->hub->wheelbase[rover], -100.0, 100.0);
    } else if (d->across != 0.0) {
        double back = d->v < 0.0 ? -1.0 : 1.0; /* wheels turn by no more than a right angle, and roll both ways */
        c.drive.mode = TY_STEER_CRAB;
        c.drive.v = back * tyi_live_within(hypot(d->v, d->across), 0.0, 100.0);
        c.drive.crab = atan2(back * d->across, back * d->v);
    } else {
        c.drive.omega = tyi_live_within(d->omega, -100.0, 100.0);
    }
    tyi_live_give(l, &c);
}

/* wheels by their names, turning; NAME_steer: standing; motors by what they are told */
static void joints(ty_live *l, uint32_t client, size_t rover, const tyb_ros_joints *j)
{
    const ty_vehicle *v = ty_run_rover(l->run, rover);
    ty_wheel_info wheel[TY_WHEELS_MAX];
    ty_motor_info motor[TY_MOTORS_MAX];
    int wheels = ty_vehicle_wheels(v, wheel), motors = ty_vehicle_motors(v, motor);
    command c = { .verb = MOVE, .client = client, .rover = rover };
    for (int i = 0; i < TYI_LIVE_JOINTS; i++) {
        c.joint[i] = (float)NAN;
    }
    for (int k = 0; k < j->count; k++) {
        char steer[TY_NAME_MAX + 8];
        for (int i = 0; i < wheels; i++) {
            snprintf(steer, sizeof steer, "%.63s_steer", wheel[i].name);
            if (!strcmp(j->name[k], wheel[i].name)) {
                c.joint[i] = (float)tyi_live_within(j->velocity[k], -1e3, 1e3);
            } else if (!strcmp(j->name[k], steer)) {
                c.joint[TY_WHEELS_MAX + i] = (float)tyi_live_within(j->position[k], -TY_PI, TY_PI);
            }
        }
        for (int i = 0; i < motors; i++) {
            if (!strcmp(j->name[k], motor[i].name)) {
                double value = motor[i].speed ? j->velocity[k] : j->position[k];
                c.joint[2 * TY_WHEELS_MAX + i] = (float)tyi_live_within(value, -1e3, 1e3);
            }
        }
    }
    tyi_live_give(l, &c);
}

/* "pause", "step 10", "speed 2", or the JSON of the page's protocol */
static void control(ty_live *l, const char *text)
{
    char word[32] = "";
    double value = 1.0;
    json_t *j = text[0] == '{' ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (!j && sscanf(text, "%31s %lf", word, &value) >= 1 && isfinite(value)) {
        j = json_pack("{s:s, s:f, s:f}", "op", word, "n", value, "times", value);
    }
    if (j) {
        tyi_live_command(l, TYI_LIVE_ROS, j);
    }
    json_decref(j);
}

bool tyi_hub_find(const ty_live *l, const char *topic, const char *type, size_t *rover, int *which)
{
    char name[TYI_HUB_TOPIC];
    for (size_t i = 0; i < l->rovers; i++) {
        for (int k = 0; k < COMMAND_TOPICS; k++) {
            snprintf(name, sizeof name, "%s/%s/%s", l->hub->prefix, tyb_ros_rover(l->hub->map, i),
                     command_topic[k].leaf);
            if (!strcmp(name, topic) && !strcmp(command_topic[k].type, type)) {
                *rover = i, *which = k;
                return true;
            }
        }
    }
    return false;
}

static double json_at(const json_t *j, const char *of, const char *key)
{
    double v = json_number_value(json_object_get(of ? json_object_get(j, of) : j, key));
    return isfinite(v) ? v : 0.0;
}

bool tyi_hub_command_json(ty_live *l, uint32_t client, size_t rover, int topic, const uint8_t *data, size_t bytes)
{
    json_t *whole = json_loadb((const char *)data, bytes, JSON_REJECT_DUPLICATES, NULL);
    const json_t *j = topic == TWIST_STAMPED ? json_object_get(whole, "twist")
                      : topic == ACKERMANN   ? json_object_get(whole, "drive")
                                             : whole;
    tyb_ros_drive d = { json_at(j, "linear", "x"), json_at(j, "linear", "y"), json_at(j, "angular", "z"), (double)NAN };
    if (topic == ACKERMANN) {
        d = (tyb_ros_drive){ json_at(j, NULL, "speed"), 0.0, 0.0, json_at(j, NULL, "steering_angle") };
    }
    bool good = json_is_object(j) && topic != JOINTS_COMMAND;
    if (good) {
        drive(l, client, rover, &d);
    }
    json_decref(whole);
    return good;
}

bool tyi_hub_command(ty_live *l, uint32_t client, size_t rover, int topic, const uint8_t *data, size_t bytes)
{
    tyb_ros_drive d;
    tyb_ros_joints j;
    if (topic == JOINTS_COMMAND) {
        if (!tyb_ros_read_joints(data, bytes, &j)) {
            return false;
        }
        joints(l, client, rover, &j);
        return true;
    }
    bool good = topic == ACKERMANN ? tyb_ros_read_ackermann(data, bytes, &d)
                                   : tyb_ros_read_twist(data, bytes, topic == TWIST_STAMPED, &d);
    if (good) {
        drive(l, client, rover, &d);
    }
    return good;
}

static void received(void *user, int reader, const uint8_t *sender, const uint8_t *data, size_t bytes)
{
    tyi_live_hub *h = user;
    char text[1024];
    if (reader < CONTROL) {
        tyi_services_received(h->live, reader, sender, data, bytes);
    } else if (reader >= 0) {
        tyi_hub_command(h->live, TYI_LIVE_ROS, (size_t)reader / COMMAND_TOPICS, reader % COMMAND_TOPICS, data, bytes);
    } else if (tyb_ros_read_string(data, bytes, text, sizeof text)) {
        control(h->live, text);
    }
}

/* ---- its life ---- */

static ty_status listen(tyi_live_hub *h, ty_diag *diag)
{
    char topic[TYI_HUB_TOPIC];
    ty_status status = TY_OK;
    for (size_t i = 0; i < h->live->rovers; i++) {
        for (int k = 0; k < COMMAND_TOPICS && status == TY_OK; k++) {
            snprintf(topic, sizeof topic, "%s/%s/%s", h->prefix, tyb_ros_rover(h->map, i), command_topic[k].leaf);
            status = tyb_dds_reader(h->dds, topic, command_topic[k].type, command_topic[k].reliable,
                                    (int)i * COMMAND_TOPICS + k, diag);
        }
    }
    snprintf(topic, sizeof topic, "%s/tycho/control", h->prefix);
    return status == TY_OK ? tyb_dds_reader(h->dds, topic, "std_msgs/msg/String", true, CONTROL, diag) : status;
}

static ty_status check_prefix(const char *name, char out[TYI_HUB_PREFIX], ty_diag *diag)
{
    out[0] = 0;
    if (!name || !*name) {
        return TY_OK;
    }
    size_t asked = strlen(name);
    snprintf(out, TYI_HUB_PREFIX, "%s%s", name[0] == '/' ? "" : "/", name);
    size_t n = strlen(out);
    bool good = asked < TYI_HUB_PREFIX - 2 && out[n - 1] != '/' &&
                strspn(out, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/") == n &&
                !strstr(out, "//");
    return good ? TY_OK
                : ty_fail(diag, TY_ERR_INPUT,
                          "live: the ROS namespace is '%s', but letters, digits, _ and / between them are accepted",
                          name);
}

ty_status tyi_hub_start(ty_live *l, const ty_live_def *def, ty_diag *diag)
{
    tyi_live_hub *h = l->hub = calloc(1, sizeof *h);
    if (!h || !(h->wheelbase = calloc(l->rovers + 1, sizeof *h->wheelbase))) {
        return ty_fail(diag, TY_ERR_MEMORY, "live: no memory");
    }
    h->live = l;
    if (!(h->fox = tyi_fox_new(l))) {
        return ty_fail(diag, TY_ERR_MEMORY, "live: no memory");
    }
    ty_status status = check_prefix(def->ros_namespace, h->prefix, diag);
    status = status == TY_OK ? tyi_ros_map_create(l->run, send, h, &h->map, diag) : status;
    for (size_t i = 0; i < l->rovers && status == TY_OK; i++) {
        h->wheelbase[i] = wheelbase(l, i);
    }
    if (status == TY_OK && def->ros) {
        tyb_dds_def dds = {
            .domain = def->ros_domain, .network = def->ros_network, .name = "tycho", .received = received, .user = h
        };
        status = tyb_dds_start(&dds, &h->dds, diag);
    }
    if (status == TY_OK) {
        tyb_ros_announce(h->map);
        if (l->lockstep) {
            send(h, "/tycho/ask", TY_ROS_CLOCK, 0, NULL);
        }
        status = ty_run_subscribe(l->run, NULL, NULL, tyi_hub_receive, h, diag);
    }
    status = status == TY_OK ? ty_run_subscribe_state(l->run, tyi_hub_receive, h, diag) : status;
    if (status == TY_OK) {
        send_fixed(h);
    }
    if (status == TY_OK && h->diag.status != TY_OK) {
        *diag = h->diag;
        status = h->diag.status;
    }
    status = status == TY_OK && h->dds ? listen(h, diag) : status;
    return status == TY_OK && h->dds ? tyi_services_start(l, diag) : status;
}

void tyi_hub_stop(ty_live *l)
{
    tyi_live_hub *h = l->hub;
    if (h) {
        tyb_dds_stop(h->dds);
        h->dds = NULL;
    }
}

void tyi_hub_free(ty_live *l)
{
    tyi_live_hub *h = l->hub;
    if (h) {
        tyi_services_free(l);
        tyi_ros_map_destroy(h->map);
        tyi_io_cdr_free(&h->message);
        tyi_fox_free(h->fox);
        free(h->wheelbase), free(h);
        l->hub = NULL;
    }
}
