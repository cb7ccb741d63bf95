/* src/vehicle/contact.h - wheels and the ground under them.
 *
 * The soil is called once per step for all wheels: poses and twists in, wrenches and contact facts
 * out. What a soil model remembers is plain data in tyi_vehicle_contact, one per wheel, and for scm its grid,
 * all saved and restored with the run; the ground is a window of terrain that follows the rover.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_VEHICLE_CONTACT_H
#define TYI_VEHICLE_CONTACT_H
#include "tycho/vehicle.h"

/* What a contact remembers. */
typedef struct tyi_vehicle_contact {
    ty_vec3 normal;           /* of the contact plane in W */
    double theta1;            /* [rad] entry angle: where the plane's points are taken */
    ty_wheel_history history; /* bekker */
    double ux, uy;            /* [m] rigid, regression: stretch of the sticking contact */
    double fz;                /* [N] of the last step */
    double load;              /* [N] regression: fz of late */
    double depth;             /* [m] regression: z of (4) in the last step, for (10) */
    double slip;              /* [-] regression: (3) of late */
    double peak;              /* [m] regression: how deep the wheel has been here */
    double speed;             /* [m/s] regression: of the physical wheel's rim */
    ty_vec3 rock;             /* [m] stretch of the contact that sticks to rocks, W */
    ty_vec3 rut;              /* [m] where the wheel was when it last pressed a rut */
} tyi_vehicle_contact;

typedef struct tyi_vehicle_wheel_in {
    ty_vec3 centre, axle; /* [m], unit, to the left; W */
    ty_vec3 v, w;         /* [m/s] of the centre, [rad/s] of the wheel, W */
    ty_quat q;            /* takes the wheel's own axes (y along the axle, turning with it) to W */
    double omega;         /* [rad/s] about the axle, in W: with the turning of the axle's carrier */
    double angle;         /* [rad] of the joint */
} tyi_vehicle_wheel_in;

typedef struct tyi_vehicle_wheel_out {
    ty_vec3 force, torque; /* [N], [N m] on the wheel about its centre, W */
    ty_vec3 x, n;          /* contact frame */
    double fx, fy, fz, resistance;
    double sinkage, slip, slip_angle;
    double theta1, theta2; /* [rad] */
    double rock;           /* [N] force of rocks */
    uint64_t rock_id;      /* of the one that pushes most; 0: none */
    bool contact;
} tyi_vehicle_wheel_out;

#define TYI_VEHICLE_LOOSE 128 /* rocks on the move; past these, rocks stand fast until some are left behind */

/* A rock that a wheel has touched and may push. Plain data without padding, saved with the run. */
typedef struct tyi_vehicle_loose {
    uint64_t id, shape;
    double x, y, yaw, diameter, scale, burial; /* as in ty_rock; burial as it was at first */
    double foot;                               /* [m] shape's origin over the ground of the window, at sunk = 0 */
    double mass, area;                         /* [kg], [m^2] of its outline */
    ty_vec3 v;                                 /* [m/s] */
    double sunk;                               /* [m] pressed into the soil */
    ty_vec3 force;                             /* [N] of the wheels, last step */
    ty_vec3 told;                              /* [m] x, y, sunk as the terrain knows them */
} tyi_vehicle_loose;

typedef struct tyi_vehicle_push {
    int64_t count;
    double in, lost; /* [J] done by wheels on rocks; lost to friction and soil */
    tyi_vehicle_loose rock[TYI_VEHICLE_LOOSE];
} tyi_vehicle_push;

/* What wheels do to a loose rock in one step: force on it, its change with displacement and speed
 * (xx xy yy xz yz zz), and the displacement part times the wheel's velocity. */
typedef struct tyi_vehicle_act {
    ty_vec3 force;     /* [N] */
    double k[6], c[6]; /* [N/m], [N s/m] */
    ty_vec3 kv;        /* [N/s] */
} tyi_vehicle_act;

#define TYI_VEHICLE_RIM      90  /* points around a rim that meet rocks: 17 mm apart on a wheel of 0.25 m */
#define TYI_VEHICLE_RUT_SIDE 160 /* samples: a larger print is not pressed */

typedef struct tyi_vehicle_ground {
    ty_terrain *terrain;
    ty_soil_def soil;
    double gravity;
    int wheels, level;
    double spacing; /* [m] of the level */
    ty_wheel_shape shape[TY_WHEELS_MAX];
    ty_wheel_soil *wheel[TY_WHEELS_MAX]; /* bekker */
    double mass[TY_WHEELS_MAX];          /* [kg] of the wheel's body */
    double rim_mass[TY_WHEELS_MAX];      /* [kg] inertia about the axle over radius^2 */
    double share;                        /* [N] weight of the rover over its wheels */
    double radius[TY_WHEELS_MAX];        /* [m] rolling radius: slip refers to it */
    ty_scm *scm;                         /* scm, with the shape of each wheel */
    int scm_shape[TY_WHEELS_MAX];
    double scm_x, scm_y; /* [m] where columns were last given up; saved with the run */
    int scm_tiles;       /* columns' tiles kept ready for the way until the next ty_vehicle_press_ruts() */
    tyi_vehicle_contact contact[TY_WHEELS_MAX];
    ty_terrain_patch *patch; /* the ground at hand */
    int32_t i0, j0, side;    /* its samples */
    double reach;            /* [m] half the size of a window */
    bool rocks;
    double rock_min;              /* [m] */
    double rock_push;             /* [m] smaller ones are loose */
    double rock_mu, rock_density; /* [-], [kg/m^3] */
    tyi_vehicle_push push;
    struct tyi_terrain_placed_rock *placed; /* the loose ones as shapes: TYI_VEHICLE_LOOSE */
    double rim[TYI_VEHICLE_RIM][2];         /* cosine and sine of the points around a rim */
    const ty_alloc *alloc;
    float *rut_change; /* room for one rut: TYI_VEHICLE_RUT_SIDE squared */
    uint8_t *rut_trace;
} tyi_vehicle_ground;

/* reach [m]: how far a wheel can be from the rover's origin. */
ty_status tyi_vehicle_ground_init(tyi_vehicle_ground *g, const ty_vehicle_def *def, int wheels,
                                  const ty_wheel_shape *shape, double reach, ty_diag *diag);
void tyi_vehicle_ground_free(tyi_vehicle_ground *g);
/* Forgets all contacts. */
void tyi_vehicle_ground_reset(tyi_vehicle_ground *g);
/* Makes the window hold (x, y) with room to spare; does nothing where it does. */
ty_status tyi_vehicle_ground_follow(tyi_vehicle_ground *g, double x, double y, ty_diag *diag);
/* The window that starts at sample (i0, j0). */
ty_status tyi_vehicle_ground_window(tyi_vehicle_ground *g, int32_t i0, int32_t j0, ty_diag *diag);
/* Heights of the ground that carries wheels at n points. */
void tyi_vehicle_ground_heights(const tyi_vehicle_ground *g, size_t n, const double *x, const double *y,
                                ty_terrain_ground *out);

/* The longest shear_time [s] of soft soil that a step of dt bears. Forces are those at the start of a step: damping
 * that takes more than a rim's momentum in one makes it chatter, and a wheel that chatters slips. stiff: unloading
 * over first loading [-]. */
double tyi_vehicle_ground_calm(const tyi_vehicle_ground *g, int i, double stiff, double dt);
/* One step of all wheels. TY_ERR_MEMORY, TY_ERR_INPUT: from the grid of scm. */
ty_status tyi_vehicle_ground_step(tyi_vehicle_ground *g, const tyi_vehicle_wheel_in *in, double dt,
                                  tyi_vehicle_wheel_out *out, ty_diag *diag);

/* contact_scm.c: the grid of soil columns under the wheels, its step (after the contact frames x, n of
 * `out` are set), room for the columns to come, and its levels into the terrain. */
ty_status tyi_vehicle_grid_init(tyi_vehicle_ground *g, ty_diag *diag);
ty_status tyi_vehicle_grid_step(tyi_vehicle_ground *g, const tyi_vehicle_wheel_in *in, double dt,
                                tyi_vehicle_wheel_out *out, ty_diag *diag);
ty_status tyi_vehicle_grid_room(tyi_vehicle_ground *g, ty_diag *diag);
ty_status tyi_vehicle_grid_ruts(tyi_vehicle_ground *g, double x, double y, ty_diag *diag); /* x, y: of a wheel */

/* What the rocks add to it. */
void tyi_vehicle_ground_rocks(tyi_vehicle_ground *g, const tyi_vehicle_wheel_in *in, double dt,
                              tyi_vehicle_wheel_out *out);
/* push.c: a rock of the window becomes loose (false: no room); the step of all loose ones under what wheels did to
 * them; their places into the terrain where they moved by more than `least` [m]; the window has new rocks: which are
 * loose; those farther than `reach` from (x, y) are left where they are. */
bool tyi_vehicle_push_loosen(tyi_vehicle_ground *g, struct tyi_terrain_placed_rock *rock);
void tyi_vehicle_push_step(tyi_vehicle_ground *g, const tyi_vehicle_act *act, double dt);
ty_status tyi_vehicle_push_tell(tyi_vehicle_ground *g, double least, ty_diag *diag);
void tyi_vehicle_push_mark(tyi_vehicle_ground *g);
ty_status tyi_vehicle_push_restore(tyi_vehicle_ground *g, ty_diag *diag); /* after the loose ones were restored */
void tyi_vehicle_push_drop(tyi_vehicle_ground *g, double x, double y, double reach);
/* How deep [m] a wheel is in a rock. */
double tyi_vehicle_ground_rock_depth(const tyi_vehicle_ground *g, int i, const tyi_vehicle_wheel_in *in);

/* Presses ruts where the wheels stand, if they have moved by a sample since they last did. */
ty_status tyi_vehicle_ground_ruts(tyi_vehicle_ground *g, const tyi_vehicle_wheel_in *in,
                                  const tyi_vehicle_wheel_out *out, ty_diag *diag);
/* The trace that stands for a height [m] of the grousers' pattern: the inverse of ty_rut_height(). */
uint8_t tyi_vehicle_trace_of(double height);

#endif
