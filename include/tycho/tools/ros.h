/* include/tycho/tools/ros.h - the messages of a run as ROS 2 messages: which topic, type and frame. Names: docs/run.md
 *
 * Topics are /clock, /tf, /tf_static, /ROVER/... for what a rover is, and /ROVER/SENSOR/... for what its sensors give. What
 * a sensor's numbers become is decided by the quantities of its columns (tycho/stream.h), a user's own kind included.
 *
 *     ty_ros_map_create(run, send, user, &map, &diag);
 *     ty_ros_map_fixed(map);                                       // once
 *     ty_run_subscribe(run, NULL, NULL, ty_ros_map_receive, map, &diag);
 *     ty_run_subscribe_state(run, ty_ros_map_receive, map, &diag); // clock, frames, joints, events
 *
 * Frames: map (the site's W), ROVER/odom, ROVER/base_link (B), ROVER/SENSOR (the mount: x forward), and beside it
 * ROVER/SENSOR_optical_frame (x right, y down, z forward) for what looks. Threads: that of the run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_ROS_H
#define TYCHO_ROS_H
#include "tycho/run.h"
#include "tycho/tools/mcap.h"
TY_BEGIN_DECLS

typedef struct ty_ros_map ty_ros_map;

/* Takes one message; log [ns] since 1970 is when it reaches its readers. */
typedef void (*ty_ros_send)(void *user, const char *topic, ty_ros_type type, int64_t log, const ty_cdr *message);

/* The run outlives the map. TY_ERR_MEMORY. */
TY_API ty_status ty_ros_map_create(ty_run *run, ty_ros_send send, void *user, ty_ros_map **out, ty_diag *diag);
TY_API void ty_ros_map_destroy(ty_ros_map *map); /* NULL is allowed */
/* /tf_static: what does not move within its rover */
TY_API void ty_ros_map_fixed(ty_ros_map *map);
TY_API void ty_ros_map_receive(void *map, const ty_message *message); /* a ty_message_receive */

/* A lens in ROS's words: k as CameraInfo has it, distortion model and its coefficients. false: ROS has no name for it (cahv,
 * cahvor, cahvore, fov, spherical, a program's own). */
typedef struct ty_ros_lens {
    const char *model; /* "plumb_bob", "equidistant" */
    double k[9];       /* [px] */
    double d[5];       /* [-] */
    size_t count;      /* of d */
} ty_ros_lens;
TY_API bool ty_ros_lens_of(const ty_camera *camera, ty_ros_lens *out);

TY_END_DECLS
#endif
