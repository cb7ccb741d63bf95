/* bridge/ros/announce.c - the topics of a run before its first message, so that readers find their writers in time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "door.h"
#include "map.h"
#include "tycho/lidar.h"

const char *tyb_ros_rover(const tyi_ros_map *m, size_t rover)
{
    return m->of[rover].name;
}

static void tell(tyi_ros_map *m, const char *topic, tyi_io_ros_type type)
{
    m->send(m->user, topic, type, 0, NULL);
}

static void tell_of(tyi_ros_map *m, const char *owner, const char *sensor, const char *leaf, tyi_io_ros_type type)
{
    char topic[TOPIC];
    snprintf(topic, sizeof topic, "/%s%s%s/%s", owner, sensor[0] ? "/" : "", sensor, leaf);
    tell(m, topic, type);
}

static void tell_camera(tyi_ros_map *m, size_t sensor)
{
    static const struct {
        ty_sensor_map map;
        const char *leaf;
        tyi_io_ros_type type;
    } maps[] = { { TY_MAP_DEPTH, "depth/image_raw", TY_ROS_IMAGE },
                 { TY_MAP_DEPTH, "depth/camera_info", TY_ROS_CAMERA_INFO },
                 { TY_MAP_LABELS, "labels/image_raw", TY_ROS_IMAGE },
                 { TY_MAP_INSTANCES, "instances/image_raw", TY_ROS_IMAGE },
                 { TY_MAP_NORMALS, "normals/image_raw", TY_ROS_IMAGE },
                 { TY_MAP_SUNLIT, "sunlit/image_raw", TY_ROS_IMAGE },
                 { TY_MAP_FLOW, "flow/image_raw", TY_ROS_IMAGE },
                 { TY_MAP_BOXES, "boxes", TY_ROS_BOXES },
                 { TY_MAP_BOXES, "boxes_3d", TY_ROS_SOLIDS } };
    const ty_sensor_def *def = ty_run_sensor(m->run, sensor).def;
    const char *of = m->of[m->source[sensor].carrier].name, *name = m->source[sensor].name;
    tyi_ros_lens lens;
    tell_of(m, of, name, "image_raw", TY_ROS_IMAGE);
    if (def->kind != TY_SENSOR_CAMERA) {
        return;
    }
    bool named = tyi_ros_map_lens(m, sensor, &lens);
    if (named) {
        tell_of(m, of, name, "camera_info", TY_ROS_CAMERA_INFO);
    }
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        if (ty_sensor_has_map(&def->as.camera, maps[i].map) && (named || maps[i].type != TY_ROS_CAMERA_INFO)) {
            tell_of(m, of, name, maps[i].leaf, maps[i].type);
        }
    }
}

typedef struct listener {
    tyi_ros_send send;
    void *user;
} listener;

static void tell_only(void *user, const char *topic, tyi_io_ros_type type, int64_t log, const tyi_io_cdr *message)
{
    const listener *l = user;
    (void)message;
    l->send(l->user, topic, type, log, NULL);
}

/* a row of zeros through the map: what its quantities become is decided in one place */
static void tell_row(tyi_ros_map *m, size_t sensor, const ty_message_schema *schema)
{
    double zero[64] = { 0 };
    ty_buffer_type type = { .width = 1, .height = 1, .element = TY_ELEMENT_F64 };
    while (schema->column[type.channels].name && type.channels < 64) {
        type.channels++;
    }
    listener l = { m->send, m->user };
    ty_message row = { .run = "", .rover = "", .sensor = "", .index = sensor, .schema = schema, .parts = 1 };
    row.part[0].name = "row", row.part[0].data = ty_buffer_wrap(&type, zero);
    m->send = tell_only, m->user = &l;
    tyi_ros_map_receive(m, &row);
    m->send = l.send, m->user = l.user;
}

void tyb_ros_announce(tyi_ros_map *m)
{
    tell(m, "/clock", TY_ROS_CLOCK);
    tell(m, "/tf", TY_ROS_TF);
    tell(m, "/tf_static", TY_ROS_TF);
    tell(m, "/diagnostics", TY_ROS_DIAGNOSTICS);
    tell(m, "/events", TY_ROS_STRING);
    for (size_t i = 0; i < m->rovers; i++) {
        tell_of(m, m->of[i].name, "", "ground_truth/odom", TY_ROS_ODOMETRY);
        tell_of(m, m->of[i].name, "", "joint_states", TY_ROS_JOINT_STATE);
        tell_of(m, m->of[i].name, "", "wheel_states", TY_ROS_VALUES);
    }
    for (size_t i = 0; i < m->sources; i++) {
        ty_sensor_info info = ty_run_sensor(m->run, i);
        if (info.def->kind == TY_SENSOR_LIDAR) {
            tell_of(m, m->of[m->source[i].carrier].name, m->source[i].name, "points", TY_ROS_POINT_CLOUD);
        } else if (!info.schema->column || info.def->kind == TY_SENSOR_CAMERA) {
            tell_camera(m, i);
        } else {
            tell_row(m, i, info.schema);
        }
    }
}
