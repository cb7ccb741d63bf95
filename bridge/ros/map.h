/* bridge/ros/map.h - a map from the inside; for the files of this folder.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYB_ROS_MAP_H
#define TYB_ROS_MAP_H
#include "ros_map.h"
#include "io/mcap.h"

#define NAME   200
#define TOPIC  240
#define VALUES 128

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
    double baseline; /* [m] of a stereo pair's right camera, from the left one; 0: it is none */
} source;

typedef struct frames {
    char parent[NAME], child[NAME];
} frames;

struct tyi_ros_map {
    ty_run *run;
    tyi_ros_send send;
    void *user;
    int64_t start; /* [ns] since 1970 */
    carrier *of;   /* rovers, then actors */
    size_t rovers, carriers;
    source *source; /* of each sensor of the run */
    size_t sources;
    frames *frame; /* of the message that is being made */
    tyi_io_ros_transform *tf;
    size_t tfs;
    tyi_io_cdr message, scratch;
};

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

/* map.c */
void tyb_ros_send(tyi_ros_map *m, const char *topic, tyi_io_ros_type type, int64_t log);
/* below /ROVER/SENSOR/, or /ROVER/ for what every rover has once */
void tyb_ros_send_sample(tyi_ros_map *m, const sample *s, const char *leaf, bool of_rover, tyi_io_ros_type type);
/* camera.c: images of any sensor; of cameras also CameraInfo, exposure and ground truth */
void tyb_ros_camera(tyi_ros_map *m, const sample *s);
/* how far to the right of another camera of its rover, that looks the same way with the same lens, one stands; 0: none is */
double tyb_ros_baseline(tyi_ros_map *m, size_t carrier, size_t sensor);
ty_pose tyb_ros_seat(const tyi_ros_map *m, size_t carrier, const ty_sensor_def *def, bool *fixed); /* in its carrier */

#endif
