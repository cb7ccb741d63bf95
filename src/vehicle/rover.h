/* src/vehicle/rover.h - a rover's YAML file: what of its MJCF model are wheels, steering, motors and mounts.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_VEHICLE_ROVER_H
#define TYI_VEHICLE_ROVER_H
#include "io/document.h"
#include "tycho/vehicle.h"

typedef struct tyi_vehicle_wheel_def {
    char name[TY_NAME_MAX], body[TY_NAME_MAX], joint[TY_NAME_MAX];
    char steer[TY_NAME_MAX];      /* joint; "": not steered */
    char suspension[TY_NAME_MAX]; /* hinge of an arm that an actuator moves; "": none */
    double radius, width;         /* [m] of the rim */
    double grouser_height;        /* [m] */
    int grousers;
    bool driven;
    double fender; /* [rad] behind its lowest point, where its fender ends; 0: it has none */
} tyi_vehicle_wheel_def;

typedef struct tyi_vehicle_mount_def {
    char name[TY_NAME_MAX], body[TY_NAME_MAX];
    double position[3]; /* [m] in the body */
    double rpy_deg[3];  /* [deg] roll, pitch, yaw: turned about fixed x, then y, then z */
} tyi_vehicle_mount_def;

/* A model that a body looks like. */
typedef struct tyi_vehicle_look_def {
    char body[TY_NAME_MAX];
    char file[4096]; /* OBJ or glTF */
    double scale;    /* [m] per unit of the file */
    double position[3], rpy_deg[3];
    bool replace; /* the shapes of the MJCF file are not drawn for this body */
} tyi_vehicle_look_def;

/* Wheel speed by a PID on a motor with a straight torque-speed line; steering by a PD. */
typedef struct tyi_vehicle_drive_def {
    double stall_torque;  /* [N m] at the wheel */
    double no_load_speed; /* [rad/s] at the wheel */
    double acceleration;  /* [rad/s^2] of the wanted speed */
    double kp, ki, kd;    /* [N m s/rad], [N m/rad], [N m s^2/rad] */
} tyi_vehicle_drive_def;
typedef struct tyi_vehicle_steering_def {
    double torque; /* [N m] */
    double rate;   /* [rad/s] of the wanted angle */
    double kp, kd; /* [N m/rad], [N m s/rad] */
} tyi_vehicle_steering_def;

/* Actuators that even out the loads of the wheels on the two diagonals: each acts through the spring of its arm. */
typedef struct tyi_vehicle_suspension_def {
    double stiffness;    /* [N/m] of a spring at the end of the arm */
    double arm;          /* [m] from its hinge to there */
    double stroke, rate; /* [m] each way, [m/s] */
    double gain;         /* [m/s/N] */
} tyi_vehicle_suspension_def;

/* A collision shape: a sphere, or a box whose corners touch the ground (rounded where both are given). */
typedef struct tyi_vehicle_collision_def {
    char body[TY_NAME_MAX];
    double position[3], rpy_deg[3];
    double radius;  /* [m] */
    double box[3];  /* [m] sides */
    bool no_ground; /* it meets everything but the ground: that is the soil's */
} tyi_vehicle_collision_def;
#define TYI_VEHICLE_COLLISIONS_MAX 16

/* A motor of any other hinge: an arm (angle) or a drum (speed). */
typedef struct tyi_vehicle_motor_def {
    char name[TY_NAME_MAX], joint[TY_NAME_MAX];
    int control;   /* 0: angle, 1: speed */
    double torque; /* [N m] largest */
    double rate;   /* [rad/s] */
    double kp, kd; /* angle: [N m/rad], [N m s/rad]; speed: kp [N m s/rad] */
} tyi_vehicle_motor_def;

/* An implement on a body of the model. */
typedef struct tyi_vehicle_tool_def {
    char name[TY_NAME_MAX], body[TY_NAME_MAX];
    double position[3], rpy_deg[3]; /* of its own axes in the body's */
    ty_soil_tool shape;
} tyi_vehicle_tool_def;

typedef struct tyi_vehicle_rover {
    int version;
    char name[TY_NAME_MAX];
    char model[4096]; /* path of the MJCF or URDF file */
    char body[TY_NAME_MAX];
    char (*packages)[4096]; /* folders of ROS packages, for URDF */
    size_t package_count;
    char (*xacro)[256]; /* arguments name:=value */
    size_t xacro_count;
    char (*hold)[TY_NAME_MAX]; /* joints that do not move; * and ? stand for any letters */
    size_t hold_count;
    double mass; /* [kg] 0: not given */
    tyi_vehicle_wheel_def *wheels;
    size_t wheel_count;
    tyi_vehicle_drive_def drive;
    tyi_vehicle_steering_def steering;
    tyi_vehicle_suspension_def suspension;
    tyi_vehicle_motor_def *motors;
    size_t motor_count;
    tyi_vehicle_mount_def *mounts;
    size_t mount_count;
    tyi_vehicle_tool_def *tools;
    size_t tool_count;
    tyi_vehicle_collision_def *collisions;
    size_t collision_count;
    tyi_vehicle_look_def *looks;
    size_t look_count;
} tyi_vehicle_rover;

extern const tyi_io_schema tyi_vehicle_rover_schema;
tyi_vehicle_rover tyi_vehicle_rover_default(void);

/* Reads and checks a rover file; doc and memory are the caller's, to be freed also on failure. Keep
 * doc for messages about names that the model lacks. */
ty_status tyi_vehicle_rover_load(const char *path, tyi_io_doc *doc, tyi_arena *memory, tyi_vehicle_rover *out,
                                 ty_diag *diag);

#endif
