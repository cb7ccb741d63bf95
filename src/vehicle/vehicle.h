/* src/vehicle/vehicle.h - the vehicle, as its own files see it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_VEHICLE_H
#define TYI_VEHICLE_H
#include "body/mbd.h"
#include "rocks.h"
#include "rover.h"

/* A wheel in the model. */
typedef struct tyi_vehicle_wheel {
    ty_wheel_info info;
    int body, joint, steer; /* steer -1: none */
    double spin_sign;       /* 1: the joint turns forward about its axis */
    ty_quat q_body;         /* takes the wheel's own axes (y along the axle) to its body's */
    double steer_sign;      /* 1: the joint turns left about its axis */
    double low, high;       /* [rad] steering range, left positive */
    bool driven;
    double inertia;  /* [kg m^2] that its motor turns */
    int arm;         /* joint of its suspension's actuator; -1: passive */
    double up;       /* 1: that joint lifts the wheel */
    double diagonal; /* 1: front left and rear right, -1: the others */
} tyi_vehicle_wheel;

/* Another motor in the model. */
typedef struct tyi_vehicle_motor {
    ty_motor_info info;
    int joint;
    double kp, kd;
} tyi_vehicle_motor;

/* An implement in the model. */
typedef struct tyi_vehicle_tool {
    char name[TY_NAME_MAX];
    int body;
    ty_pose pose; /* in the body */
    ty_soil_tool shape;
    void *mesh; /* what it looks like */
} tyi_vehicle_tool;

/* What became of it in a run. */
typedef struct tyi_vehicle_tool_run {
    ty_vec3 force, torque; /* [N], [N m] W */
    double power, work;    /* [W], [J] given to the soil */
    double carried, most, most_work;
    double met, turned;           /* [s] in which it met soil, [N m s] torque over it, */
    double most_met, most_turned; /* until it held the most */
    double most_torque;           /* [N m] so far, as a mean over 50 ms */
    double mean_torque;           /* [N m] that mean */
} tyi_vehicle_tool_run;

/* A point of a body that touches the ground, with a radius. */
#define TYI_VEHICLE_BUMPS 128
typedef struct tyi_vehicle_bump {
    int body;
    ty_vec3 p;     /* [m] in the body */
    double radius; /* [m] */
} tyi_vehicle_bump;

/* What the controllers remember: plain data, saved with the run. */
typedef struct tyi_vehicle_control {
    double want_omega[TY_WHEELS_MAX]; /* [rad/s] commanded */
    double want_steer[TY_WHEELS_MAX]; /* [rad] commanded, within range */
    double omega[TY_WHEELS_MAX];      /* [rad/s] on the way there, within the acceleration */
    double steer[TY_WHEELS_MAX];      /* [rad] on the way there, within the rate */
    double integral[TY_WHEELS_MAX];   /* [N m] */
    double torque[TY_WHEELS_MAX];     /* [N m] of the last step */
    double beyond[TY_WHEELS_MAX];     /* [-] of the stall torque, past what the motor has at the speed after the step */
    double before[TY_WHEELS_MAX];     /* [rad/s] at the start of the last step */
    double want_motor[TY_MOTORS_MAX]; /* [rad] or [rad/s] commanded */
    double motor[TY_MOTORS_MAX];      /* [rad] on the way there */
    double motor_torque[TY_MOTORS_MAX]; /* [N m] of the last step */
    double warp;   /* [m] by which actuators lift the wheels of the first diagonal and lower the others */
    double uneven; /* [N] of a wheel of that diagonal beyond the mean, filtered */
} tyi_vehicle_control;

/* Plain data of a run, saved and restored as it is. */
typedef struct tyi_vehicle_run {
    ty_time time;
    uint64_t step;
    ty_vec3 a_W, alpha_B;
    double odometer;
    double work[3];
    tyi_vehicle_control control;
    ty_soil_load out[TY_WHEELS_MAX]; /* of the soil and of rocks, last step */
    tyi_vehicle_rock_load rock[TY_WHEELS_MAX];
    tyi_vehicle_tool_run tool[TY_TOOLS_MAX];
} tyi_vehicle_run;

struct ty_vehicle {
    const ty_alloc *alloc;
    char name[TY_NAME_MAX];
    tyi_body_mbd *mbd;
    int body; /* B */
    int wheels;
    tyi_vehicle_wheel wheel[TY_WHEELS_MAX];
    tyi_vehicle_drive_def drive;
    tyi_vehicle_steering_def steering;
    tyi_vehicle_suspension_def suspension;
    tyi_vehicle_motor motor[TY_MOTORS_MAX];
    int motors;
    tyi_vehicle_tool tool[TY_TOOLS_MAX];
    int tools;
    tyi_vehicle_bump bump[TYI_VEHICLE_BUMPS];
    int bumps;
    ty_collision_shape collision[TYI_VEHICLE_COLLISIONS_MAX];
    int collisions;
    double middle; /* [m] x in B of the line on which Ackermann's turning centre lies */
    ty_vehicle_mount mount[TY_MOUNTS_MAX];
    int mounts;
    ty_body_shape *shape;
    int shapes, shape_room;
    char (*look)[4096]; /* files of models that it looks like */
    size_t looks, look_room;
    char notes[2000];      /* what its model's reader passed over, in lines */
    tyi_soil_world *world; /* of soils, with the rover as one of its carriers */
    bool owns_world;       /* otherwise it is the run's */
    tyi_soil_rider *rider; /* of that world: its wheels, and the ground around it */
    tyi_vehicle_rocks rocks;
    double soil_s;  /* [s] of wall time that the ground took */
    ty_pose before; /* the step under way: pose of B and its twist at the start */
    ty_vec3 v0, w0;
    tyi_vehicle_run run;
};

static inline double tyi_vehicle_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* What was passed over in its files, in lines; "": nothing. */
const char *tyi_vehicle_notes(const ty_vehicle *v);
/* Joints that neither wheel nor motor turns: `names` gets up to `most`; returns how many there are. */
int tyi_vehicle_idle_joints(const ty_vehicle *v, const char **names, int most);

/* Commands into wheel speeds and angles. */
void tyi_vehicle_control_command(ty_vehicle *v, const ty_drive_command *command);
void tyi_vehicle_control_wheels(ty_vehicle *v, const double *omega, const double *steer);
/* The parts of a step: motor torques, and the wheels' states handed over to the soil; after the soil's step forces of soil and rocks;
 * after that of the bodies, what became of it. ty_vehicle_step() is all of it, with soil and bodies of the vehicle's own. */
ty_status tyi_vehicle_begin(ty_vehicle *v, double dt, ty_diag *diag);
ty_status tyi_vehicle_forces(ty_vehicle *v, double dt, ty_diag *diag);
void tyi_vehicle_end(ty_vehicle *v, double dt);
/* Its state as one of several processes tells it to the others, of the same program and scenario; out NULL: how many bytes, a multiple of 8. */
size_t tyi_vehicle_pack(const ty_vehicle *v, void *out);
ty_status tyi_vehicle_unpack(ty_vehicle *v, const void *data, size_t bytes, ty_diag *diag);
/* The clock, way and work at 0, at rest where it stands; controllers keep what they hold it with. */
void tyi_vehicle_restart(ty_vehicle *v);
/* Tools: as bodies of the soil, after the wheels; their states; the soil's forces on them; what they look like, where the model shows nothing. */
void tyi_vehicle_tool_bodies(const ty_vehicle *v, double gravity, ty_soil_body_def *body, double *reach);
void tyi_vehicle_tool_states(const ty_vehicle *v, ty_soil_body *in);
ty_status tyi_vehicle_tool_forces(ty_vehicle *v, double dt, ty_diag *diag);
ty_status tyi_vehicle_tool_shapes(ty_vehicle *v, ty_body_shape *shape, int *count, ty_diag *diag);
void tyi_vehicle_tool_free(ty_vehicle *v);
/* Forces of the ground on the collision shapes. */
void tyi_vehicle_chassis_step(ty_vehicle *v);
/* Torques of the motors that are not wheels'. */
void tyi_vehicle_motor_step(ty_vehicle *v, double dt);
/* A wheel's arm: which way it lifts, and on which diagonal it is; v stands in the origin. */
void tyi_vehicle_suspension_bind(ty_vehicle *v, tyi_vehicle_wheel *wheel, int joint);
void tyi_vehicle_suspension_step(ty_vehicle *v, double dt);
/* Motor torques of one step, handed to the multibody model. */
void tyi_vehicle_control_step(ty_vehicle *v, double dt);
/* How far the drives are from their lines at the speeds after the step. */
void tyi_vehicle_control_after(ty_vehicle *v);

#endif
