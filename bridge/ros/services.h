/* bridge/ros/services.h - requests and replies of simulation_interfaces 2.x (github.com/ros-simulation/simulation_interfaces) as CDR,
 * with the header that ROS 2 on CycloneDDS puts before both: the client's number and the request's, 16 bytes
 * (ros2/rmw_cyclonedds, serdata.hpp).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYB_ROS_SERVICES_H
#define TYB_ROS_SERVICES_H
#include "ros_map.h"

typedef enum tyb_ros_service {
    TYB_ROS_GET_FEATURES,
    TYB_ROS_GET_STATE,
    TYB_ROS_SET_STATE,
    TYB_ROS_STEP,
    TYB_ROS_RESET,
    TYB_ROS_GET_ENTITIES,
    TYB_ROS_GET_ENTITIES_STATES,
    TYB_ROS_GET_ENTITY_STATE,
    TYB_ROS_SPAWN,
    TYB_ROS_DELETE,
    TYB_ROS_SERVICES
} tyb_ros_service;
/* "get_simulator_features", "simulation_interfaces/srv/GetSimulatorFeatures" */
const char *tyb_ros_service_name(tyb_ros_service which);
const char *tyb_ros_service_type(tyb_ros_service which);

/* codes of simulation_interfaces/msg/Result, and of single services above 100 */
enum {
    TYB_ROS_UNSUPPORTED = 0,
    TYB_ROS_OK = 1,
    TYB_ROS_NOT_FOUND = 2,
    TYB_ROS_INCORRECT_STATE = 3,
    TYB_ROS_FAILED = 4,
    TYB_ROS_ALREADY = 101,    /* SetSimulationState */
    TYB_ROS_TRANSITION = 102, /* it failed */
    TYB_ROS_WRONG_TRANSITION = 103,
    TYB_ROS_NAME_TAKEN = 101, /* SpawnEntity */
    TYB_ROS_NAME_INVALID = 102,
    TYB_ROS_FORMAT = 103,
    TYB_ROS_NO_RESOURCE = 104,
    TYB_ROS_NAMESPACE = 105,
    TYB_ROS_PARSE = 106
};
enum { TYB_ROS_STOPPED, TYB_ROS_PLAYING, TYB_ROS_PAUSED, TYB_ROS_QUITTING, TYB_ROS_INITIALIZING };
/* simulation_interfaces/msg/EntityCategory */
enum { TYB_ROS_OBJECT = 1, TYB_ROS_ROBOT = 2, TYB_ROS_MOVING = 4, TYB_ROS_STATIC = 5 };

typedef struct tyb_ros_request {
    uint64_t client;
    int64_t number;
    uint64_t steps;
    uint8_t state, scope;
    char name[128];             /* of an entity, or a regular expression for names */
    uint32_t categories;        /* bits; 0: all */
    bool tags, bounds;          /* are asked for */
    bool rename;                /* another name is fine */
    char uri[256], lines[1024]; /* what is to come */
    char space[64], frame[64];  /* its namespace; of its pose */
    ty_pose pose;
} tyb_ros_request;
/* false: it is none of that type, or has no header. */
bool tyb_ros_read_request(tyb_ros_service which, const uint8_t *cdr, size_t bytes, tyb_ros_request *out);

typedef struct tyb_ros_entity {
    char name[128];
    uint32_t category;
    ty_pose pose;     /* in W */
    ty_vec3 v, omega; /* [m/s], [rad/s] in W */
} tyb_ros_entity;
typedef struct tyb_ros_reply {
    int result;
    char text[300]; /* why */
    uint8_t state;
    char name[128]; /* of what came */
    int64_t stamp;  /* [ns] since 1970 */
    const tyb_ros_entity *entity;
    size_t entities;
} tyb_ros_reply;
void tyb_ros_write_reply(tyb_ros_service which, const tyb_ros_request *request, const tyb_ros_reply *reply,
                         tyi_io_cdr *out);

#endif
