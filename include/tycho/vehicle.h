/* include/tycho/vehicle.h - a rover that drives on the ground: joints, motors, wheels in soil, and
 * who steers it. Model, limits, cost: src/vehicle/README.md
 *
 * A rover is a YAML file (models/rovers) that names an MJCF or URDF file beside it. It is put on a terrain
 * with a soil model, gets commands, and is stepped. In each step, in this order: motor torques from
 * the commands, wheel states, the soil's forces, the multibody step. After it ty_vehicle_press_ruts()
 * presses the ruts into the terrain and moves the window of ground along with the rover.
 *
 *     ty_vehicle_def def = ty_vehicle_def_default();
 *     def.rover = "models/rovers/viper.yaml";
 *     def.terrain = terrain;
 *     ty_vehicle_create(&def, &rover, &diag);
 *     ty_vehicle_command(rover, &(ty_drive_command){ .v = 0.2 }, &diag);
 *     for (...) {
 *         ty_vehicle_step(rover, 1e-3, &diag);   // allocates nothing
 *         ty_vehicle_press_ruts(rover, &diag);   // edits the terrain; cheap until the rover has moved by a sample
 *     }
 *
 * Frames: W the site's (east, north, up), B the rover's (forward, left, up; its origin is that of
 * the body the file names). Threads: one vehicle, one thread at a time; several vehicles may be
 * stepped side by side as long as none of them is in ty_vehicle_press_ruts() or being created.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_VEHICLE_H
#define TYCHO_VEHICLE_H
#include "tycho/base.h"
#include "tycho/body.h"
#include "tycho/math.h"
#include "tycho/soil.h"
#include "tycho/terrain.h"
TY_BEGIN_DECLS

typedef struct ty_vehicle ty_vehicle;

#define TY_WHEELS_MAX 16
#define TY_MOUNTS_MAX 32
#define TY_MOTORS_MAX 16

/* ---- definition ---- */

/* Start from ty_vehicle_def_default(). */
typedef struct ty_vehicle_def {
    const char *rover;   /* path of the rover's YAML file */
    ty_terrain *terrain; /* must outlive the vehicle */
    ty_soil_def soil;
    struct tyi_soil_world *world; /* NULL: a soil world of its own, of `soil`; ty_run gives the run's */
    bool rocks;                   /* true     wheels meet the terrain's rocks */
    double rock_min;              /* [m]      0.05   smaller rocks are taken as pressed into the soil */
    /* [m]      0.10   smaller rocks are pushed along and into the soil, larger ones stand fast; 0: all stand */
    double rock_push;
    /* [-]      0.7    friction of pushed rocks on soil: tan 35 deg, of regolith on itself [carrier1991] */
    double rock_mu;
    double rock_density; /* [kg/m^3]  2900   of the rocks: chosen, between breccias and mare basalts */
    double gravity;      /* [m/s^2]  TY_GRAVITY_MOON   along -z of W */
    double x, y, yaw;    /* [m], [m], [rad]  0   where B's origin stands in W, heading from east */
    double drop;         /* [m]      0      height of the lowest wheel above the ground at the start */
    ty_body_integrator integrator;
    const ty_alloc *alloc; /* NULL: heap. MuJoCo allocates for itself, when the vehicle is created. */
    uint32_t cookie;
} ty_vehicle_def;

TY_API ty_vehicle_def ty_vehicle_def_default(void);

/* On success the caller owns *out; on failure *out is NULL and diag names file, line, key and
 * value, or what MuJoCo says about the MJCF file. TY_ERR_DEF, TY_ERR_RANGE, TY_ERR_FILE,
 * TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_MEMORY. */
TY_API ty_status ty_vehicle_create(const ty_vehicle_def *def, ty_vehicle **out, ty_diag *diag);
TY_API void ty_vehicle_destroy(ty_vehicle *vehicle); /* NULL is allowed */

/* ---- what a rover is ---- */

typedef struct ty_wheel_info {
    char name[TY_NAME_MAX];
    ty_wheel_shape shape;
    ty_vec3 p_B;          /* [m] centre, joints at zero */
    double steer_limit;   /* [rad] 0: not steered */
    double stall_torque;  /* [N m] */
    double no_load_speed; /* [rad/s] */
    double fender;        /* [rad] where its fender ends behind it, from its lowest point; 0: it has none */
} ty_wheel_info;

typedef struct ty_vehicle_mount {
    char name[TY_NAME_MAX];
    int body;     /* index, as in ty_vehicle_body() */
    ty_pose pose; /* of the mount's frame in the body */
} ty_vehicle_mount;

/* What beside the wheels touches the ground: a sphere, or a box (its sides) with corners of a radius. */
typedef struct ty_collision_shape {
    int body;      /* index, as in ty_vehicle_body() */
    ty_pose pose;  /* of its middle in the body */
    double radius; /* [m] */
    ty_vec3 box;   /* [m] sides; 0, 0, 0: a sphere */
} ty_collision_shape;

TY_API const char *ty_vehicle_name(const ty_vehicle *vehicle);
TY_API double ty_vehicle_mass(const ty_vehicle *vehicle);                                   /* [kg] */
TY_API int ty_vehicle_wheels(const ty_vehicle *vehicle, ty_wheel_info info[TY_WHEELS_MAX]); /* info may be NULL */
TY_API int ty_vehicle_mounts(const ty_vehicle *vehicle, const ty_vehicle_mount **out);
TY_API int ty_vehicle_shapes(const ty_vehicle *vehicle, const ty_body_shape **out);
TY_API int ty_vehicle_bodies(const ty_vehicle *vehicle); /* indices are 0 .. this - 1 */
TY_API const char *ty_vehicle_body(const ty_vehicle *vehicle, int body);
/* Index of a mount or body by name, -1: there is none. */
TY_API int ty_vehicle_find_mount(const ty_vehicle *vehicle, const char *name);
TY_API int ty_vehicle_find_body(const ty_vehicle *vehicle, const char *name);

/* ---- commands ---- */

/* How the body's motion is shared among the wheels. */
typedef enum ty_steering {
    TY_STEER_ACKERMANN, /* every wheel stands across the line to the turning centre, which lies on
                           the middle axle */
    TY_STEER_CRAB,      /* all wheels parallel, at `crab`; omega is not used */
    TY_STEER_POINT,     /* wheels along circles around the middle; v is not used */
    TY_STEER_SKID       /* wheels straight, left and right at different speeds */
} ty_steering;

/* All zero stops. */
typedef struct ty_drive_command {
    ty_steering mode;
    double v;     /* [m/s] forward; crab: along the direction of `crab` */
    double omega; /* [rad/s] of the body about its z, left positive */
    double crab;  /* [rad] direction of motion from forward, left positive */
} ty_drive_command;

/* Both hold until the next command. TY_ERR_INPUT where a value is not finite. Beyond what motors
 * and joints can do is no error: limits apply in the step. */
TY_API ty_status ty_vehicle_command(ty_vehicle *vehicle, const ty_drive_command *command, ty_diag *diag);
/* omega [rad/s] and steer [rad] of each wheel, by index; steer NULL: straight. */
TY_API ty_status ty_vehicle_command_wheels(ty_vehicle *vehicle, const double *omega, const double *steer,
                                           ty_diag *diag);

/* ---- tools: drums, blades, buckets (`tools` of a rover's file), met by soil of particles ---- */

#define TY_TOOLS_MAX 4
typedef struct ty_tool_view {
    char name[TY_NAME_MAX];
    ty_pose pose;           /* of its own axes in W */
    ty_vec3 force_W;        /* [N] of the soil on it, */
    double torque;          /* [N m] of that about its y, against its turning forwards */
    double power, work;     /* [W], [J] that it gives the soil, so far */
    double carried;         /* [kg] of soil in it */
    double most, most_work; /* [kg] at most so far, [J] until then */
    double torque_mean;     /* [N m] over the time in which it met soil until then, */
    double torque_max;      /* and the largest so far, as a running mean over 50 ms */
} ty_tool_view;
TY_API int ty_vehicle_tools(const ty_vehicle *vehicle, ty_tool_view out[TY_TOOLS_MAX]); /* out may be NULL */

/* ---- other motors: arms, drums, masts ---- */

typedef struct ty_motor_info {
    char name[TY_NAME_MAX];
    bool speed;       /* it is told a speed; otherwise an angle */
    double torque;    /* [N m] largest */
    double rate;      /* [rad/s] at which the angle it is told is approached; of a speed motor: its largest */
    double low, high; /* [rad] range of its joint; -INFINITY, INFINITY: none */
} ty_motor_info;

TY_API int ty_vehicle_motors(const ty_vehicle *vehicle, ty_motor_info info[TY_MOTORS_MAX]); /* info may be NULL */
TY_API int ty_vehicle_find_motor(const ty_vehicle *vehicle, const char *name);              /* -1: there is none */
/* Over time by a scenario's `commands`, or here: angle [rad] or speed [rad/s], limited to what the motor can; holds until the next command. TY_ERR_INPUT where it
 * is not finite or there is no such motor. At creation all are at angle and speed 0. */
TY_API ty_status ty_vehicle_command_motor(ty_vehicle *vehicle, int motor, double value, ty_diag *diag);

typedef struct ty_motor_view {
    double angle, omega, torque; /* [rad], [rad/s], [N m] */
} ty_motor_view;
TY_API ty_motor_view ty_vehicle_get_motor(const ty_vehicle *vehicle, int motor);

/* ---- a step ---- */

/* Moves on by dt [s], 1e-6 to 0.01. Allocates and prints nothing. TY_ERR_RANGE (dt),
 * TY_ERR_NUMERIC: the step, body and field where the result is not finite or grows beyond all
 * bounds; the vehicle then stays at the last good state. */
TY_API ty_status ty_vehicle_step(ty_vehicle *vehicle, double dt, ty_diag *diag);

/* Presses the ruts of the wheels into the terrain, and keeps the ground around the rover at hand (with scm it makes
 * room for the columns to come, so that the step allocates nothing). To be called after each step, or every few: at
 * least every 0.5 m of driving. What ty_terrain_edit() and ty_terrain_patch_create() return. */
TY_API ty_status ty_vehicle_press_ruts(ty_vehicle *vehicle, ty_diag *diag);

/* ---- state ---- */

typedef struct ty_wheel_view {
    double omega;      /* [rad/s] of the joint: what an encoder sees; positive drives forward */
    double angle;      /* [rad] of the joint */
    double steer;      /* [rad] left positive */
    double torque;     /* [N m] of the motor */
    double power;      /* [W] mechanical, torque * omega */
    double sinkage;    /* [m] of the rim, largest across the width; scm without lugs: of their tips; 0 in the air */
    double slip;       /* [-] (2.13), -1 to 1 */
    double slip_angle; /* [rad] atan2 of side and forward speed, contact frame; 0 at rest */
    double fx, fy, fz; /* [N] of the ground on the wheel, contact frame: forward, left, along the normal */
    double load;       /* [N] what it carries: fz, and how much rocks lift it */
    double resistance; /* [N m] of the ground against forward rotation */
    ty_vec3 p_W;       /* [m] centre */
    ty_vec3 normal_W;  /* of the contact plane */
    ty_vec3 forward_W; /* contact frame's x */
    double f_rock;     /* [N] size of what rocks push with; not part of fx, fy, fz */
    uint64_t rock;     /* id (ty_rock) of the one that pushes most; 0: none */
    bool contact;      /* with the ground */
} ty_wheel_view;

typedef struct ty_vehicle_state {
    ty_time time;       /* [ns] since creation */
    uint64_t step;      /* steps since creation */
    ty_pose pose;       /* of B in W */
    ty_vec3 v_W;        /* [m/s] of B's origin */
    ty_vec3 omega_B;    /* [rad/s] */
    ty_vec3 a_W;        /* [m/s^2] of B's origin over the last step; specific force: minus gravity */
    ty_vec3 alpha_B;    /* [rad/s^2] over the last step */
    double odometer;    /* [m] way of B's origin */
    double work_motor;  /* [J] done by drive and steering motors since creation */
    double work_soil;   /* [J] done by the ground on the wheels: negative where it takes energy */
    double work_damper; /* [J] done by joint dampers: negative */
    double work_rock;   /* [J] lost by pushed rocks to friction and soil, out of work_soil; positive */
    int wheels;
    ty_wheel_view wheel[TY_WHEELS_MAX];
} ty_vehicle_state;

/* A rock that wheels have touched and may push; the terrain's own list (ty_terrain_rocks()) follows with
 * ty_vehicle_press_ruts(). */
typedef struct ty_pushed_rock {
    uint64_t id;     /* of ty_rock */
    double x, y;     /* [m] W */
    double sunk;     /* [m] pressed into the soil */
    double mass;     /* [kg] */
    ty_vec3 v_W;     /* [m/s] */
    ty_vec3 force_W; /* [N] of the wheels on it in the last step */
} ty_pushed_rock;

TY_API void ty_vehicle_get(const ty_vehicle *vehicle, ty_vehicle_state *out);
/* Pose in W of a body; its twist [m/s], [rad/s] in W where v, omega are not NULL. */
TY_API ty_pose ty_vehicle_body_pose(const ty_vehicle *vehicle, int body, ty_vec3 *v_W, ty_vec3 *omega_W);
TY_API ty_pose ty_vehicle_mount_pose(const ty_vehicle *vehicle, int mount);
/* Kinetic and potential energy [J], springs included; linear [kg m/s] and angular momentum about
 * the centre of mass [kg m^2/s], both in W. Each may be NULL. Not for every step: it works them out
 * anew. */
TY_API void ty_vehicle_energy(ty_vehicle *vehicle, double *kinetic, double *potential, ty_vec3 *linear,
                              ty_vec3 *angular);

/* Sets the motion of the whole rover: every body moves as one with B. */
TY_API void ty_vehicle_set_twist(ty_vehicle *vehicle, ty_vec3 v_W, ty_vec3 omega_B);

/* Everything a vehicle needs to go on with the same bits; the terrain's edits are not part of it. */
TY_API size_t ty_vehicle_save_size(const ty_vehicle *vehicle); /* [bytes] now: scm grows with the way */
TY_API void ty_vehicle_save(const ty_vehicle *vehicle, void *out);
/* Of a vehicle made from the same definition. TY_ERR_FORMAT: of another one, or damaged. */
TY_API ty_status ty_vehicle_restore(ty_vehicle *vehicle, const void *saved, size_t bytes, ty_diag *diag);

/* ---- drivers ---- */

typedef struct ty_waypoint {
    double x, y;   /* [m] W */
    double arrive; /* [s] wanted time of arrival since the start; <= 0: none, at the driver's speed */
} ty_waypoint;

TY_END_DECLS
#endif
