/* bridge/ros/ros_map.h - the messages of a run as ROS 2 messages: which topic, type and frame. Names: docs/run.md
 *
 * Topics are /clock, /tf, /tf_static, /ROVER/... for what a rover is, and /ROVER/SENSOR/... for what its sensors give. What
 * a sensor's numbers become is decided by the quantities of its columns (tycho/stream.h), a user's own kind included.
 *
 *     tyi_ros_map_create(run, send, user, &map, &diag);
 *     tyi_ros_map_fixed(map);                                       // once
 *     ty_run_subscribe(run, NULL, NULL, tyi_ros_map_receive, map, &diag);
 *     ty_run_subscribe_state(run, tyi_ros_map_receive, map, &diag); // clock, frames, joints, events
 *
 * Frames: map (the site's W), ROVER/odom, ROVER/base_link (B), ROVER/SENSOR (the mount: x forward), and beside it
 * ROVER/SENSOR_optical_frame (x right, y down, z forward) for what looks. Threads: that of the run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_BRIDGE_ROS_ROS_MAP_H
#define TYI_BRIDGE_ROS_ROS_MAP_H
#include "tycho/run.h"
#include "io/mcap.h"

typedef struct tyi_ros_map tyi_ros_map;

/* Takes one message; log [ns] since 1970 is when it reaches its readers. */
typedef void (*tyi_ros_send)(void *user, const char *topic, tyi_io_ros_type type, int64_t log,
                             const tyi_io_cdr *message);

/* The run outlives the map. TY_ERR_MEMORY. */
ty_status tyi_ros_map_create(ty_run *run, tyi_ros_send send, void *user, tyi_ros_map **out, ty_diag *diag);
void tyi_ros_map_destroy(tyi_ros_map *map); /* NULL is allowed */
/* /tf_static: what does not move within its rover */
void tyi_ros_map_fixed(tyi_ros_map *map);
void tyi_ros_map_receive(void *map, const ty_message *message); /* a ty_message_receive */

/* The URDF file of a rover as the message of /ROVER/robot_description. false: its model is no URDF file. */
bool tyi_ros_description(const ty_scenario_rover *rover, tyi_io_cdr *out);

/* A sensor of the run as ROS has it: where it sits, and a camera's lens as CameraInfo says it. false: it is no camera, or ROS has
 * no name for its lens (cahv, cahvor, cahvore, fov, spherical, a program's own); seat is told all the same. */
typedef struct tyi_ros_lens {
    const char *model; /* "plumb_bob", "equidistant" */
    double k[9];       /* [px] */
    double d[5];       /* [-] */
    size_t count;      /* of d */
    double p[12];      /* [px] p[3] of a stereo pair's right camera: -fx times the baseline */
    ty_pose seat;      /* of its frame (a camera's: the optical one) in its carrier's base_link, as it is now */
} tyi_ros_lens;
bool tyi_ros_map_lens(const tyi_ros_map *map, size_t sensor, tyi_ros_lens *out);
const char *tyi_ros_map_topic(const tyi_ros_map *map, size_t sensor, char *out, size_t size); /* "/ROVER/SENSOR" */
/* [ns] since 1970 of a world's start, as ROS counts: without leap seconds */
int64_t tyi_ros_start(ty_world *world);

#endif
