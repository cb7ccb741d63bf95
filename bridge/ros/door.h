/* bridge/ros/door.h - what the bridges that speak to programs use of this one: topics before their first message, and the commands
 * that ROS has messages for.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYB_ROS_DOOR_H
#define TYB_ROS_DOOR_H
#include "ros_map.h"

/* announce.c: calls the map's send with a message of NULL for each topic that the run is going to have, as far as it is known now:
 * sensors whose filters change what comes out may bring others. */
void tyb_ros_announce(tyi_ros_map *map);
/* the name of a rover as it stands in topics */
const char *tyb_ros_rover(const tyi_ros_map *map, size_t rover);

/* command.c: messages of a client, which may say anything. false: it is none of that type. */
typedef struct tyb_ros_drive {
    double v, across, omega; /* [m/s] forward and to the left, [rad/s] */
    double steer;            /* [rad] of Ackermann's; NaN: omega says it */
} tyb_ros_drive;
bool tyb_ros_read_twist(const uint8_t *cdr, size_t bytes, bool stamped, tyb_ros_drive *out);
bool tyb_ros_read_ackermann(const uint8_t *cdr, size_t bytes, tyb_ros_drive *out);
#define TYB_ROS_JOINTS 64
typedef struct tyb_ros_joints {
    int count;
    char name[TYB_ROS_JOINTS][TY_NAME_MAX];
    double position[TYB_ROS_JOINTS], velocity[TYB_ROS_JOINTS]; /* NaN: not said */
} tyb_ros_joints;
bool tyb_ros_read_joints(const uint8_t *cdr, size_t bytes, tyb_ros_joints *out);
bool tyb_ros_read_string(const uint8_t *cdr, size_t bytes, char *out, size_t size);

#endif
