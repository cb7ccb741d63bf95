/* src/dust/dust.h - parcels of dust from wheels, tools, loose soil and plumes to where they end. One thread at a time; a step spreads its work itself and
 * gives the same bits for any number of threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DUST_H
#define TYI_DUST_H
#include "tycho/base.h"
#include "tycho/dust.h"
#include "tycho/math.h"
#include "tycho/terrain.h"

extern const struct tyi_rules tyi_dust_rules;
ty_dust_params tyi_dust_params_default(void);
/* [m] Sauter mean of the sizes: what optics and cover go by */
double tyi_dust_sauter(const ty_dust_params *params);

typedef struct tyi_dust tyi_dust;

typedef struct tyi_dust_def {
    ty_dust_params params;
    double gravity;      /* [m/s^2] */
    ty_terrain *terrain; /* outlives it */
    uint64_t seed;
    int wheels;  /* of all rovers, drums after them */
    int boxes;   /* of all rovers and objects at the start: tyi_dust_boxes() */
    int threads; /* 0: all processors */
    int jets;    /* blades, plumes */
    bool seeds;  /* soil of particles raises some, too */
} tyi_dust_def;

/* TY_ERR_RANGE, TY_ERR_MEMORY */
ty_status tyi_dust_create(const tyi_dust_def *def, tyi_dust **out, ty_diag *diag);
void tyi_dust_destroy(tyi_dust *dust); /* NULL is allowed */

/* A shield round a wheel: from an edge behind it over its top. */
typedef struct tyi_dust_fender {
    double edge; /* [rad] behind the lowest point of the rim; 0: there is none */
    double gap;  /* [m] between it and the rim */
    double side; /* [m] that it reaches beyond the wheel's width, on each side */
} tyi_dust_fender;

/* A wheel over a step, contact frame as of ty_wheel_view. */
typedef struct tyi_dust_wheel {
    int group;               /* its rover */
    bool contact;            /* with the ground */
    ty_vec3 p_W, v_W;        /* [m], [m/s] of its middle at the end of the step */
    ty_vec3 forward, normal; /* unit, W */
    double omega;            /* [rad/s] */
    double r, b, lug;        /* [m] rim, width, height of lugs */
    double sinkage;          /* [m] */
    tyi_dust_fender fender;
} tyi_dust_wheel;

/* A blade, or a lander's plume: grains leave in a fan. */
typedef struct tyi_dust_jet {
    int group;
    double rate;             /* [kg/s]; 0: nothing now */
    ty_vec3 p_W, v_W;        /* [m] middle of where they leave, at the end of the step; [m/s] what it moves at */
    ty_vec3 forward, normal; /* unit, W */
    double radius, width;    /* [m] away from the middle, along the way they take; across forward */
    double aside;            /* [rad] to either side of forward; pi: all round */
    double low, high;        /* [rad] over the plane of forward, across normal */
    double slow, fast;       /* [m/s] */
    double life;             /* [s] that they fly, about */
} tyi_dust_jet;

/* A particle of loose or surface soil. */
typedef struct tyi_dust_seed {
    int group;
    ty_vec3 p_W, v_W; /* [m], [m/s] */
    double size;      /* [m] side of the cube of soil that it stands for */
} tyi_dust_seed;

/* A part of a rover or an object that dust may meet. Those of one owner stand together in the list. */
typedef struct tyi_dust_box {
    ty_pose before, now; /* of its middle in W, at the start and the end of the step */
    ty_vec3 half;        /* [m] */
    int32_t owner;
    bool object; /* it is no rover's */
    bool round;  /* an ellipsoid of these half axes; false: a box */
    bool away;   /* it is not there */
} tyi_dust_box;
/* Room for so many boxes from now on; what lies on those that there were stays. Between steps. */
ty_status tyi_dust_boxes(tyi_dust *dust, int boxes, ty_diag *diag);

/* Of the next step: def.jets of them, and particles; both stay until it ends. */
void tyi_dust_also(tyi_dust *dust, const tyi_dust_jet *jet, const tyi_dust_seed *seed, size_t seeds);
/* [kg/s] of a blade or of a particle of soil `width` wide that cuts or moves at a speed [m/s]; wheels: source.c */
double tyi_dust_cut(const ty_dust_params *params, double width, double depth, double speed);

/* Raises dust over [from, to] [s] and moves all that flies to `to`. Allocates nothing but tiles of ground. */
ty_status tyi_dust_step(tyi_dust *dust, double from, double to, const tyi_dust_wheel *wheel, const tyi_dust_box *box,
                        ty_diag *diag);

/* ---- what there is ---- */

typedef struct tyi_dust_ledger {
    double emitted, airborne, ground, rovers, objects, out; /* [kg]; objects: rocks that stand, too */
    size_t parcels;                                         /* in flight */
} tyi_dust_ledger;
tyi_dust_ledger tyi_dust_get_ledger(const tyi_dust *dust);

/* What lies on a side of a box: faces are -x, +x, -y, +y, -z, +z of its own axes. */
typedef struct tyi_dust_deposit {
    double mass; /* [kg] */
    double area; /* [m^2] shadow of its grains */
} tyi_dust_deposit;
const tyi_dust_deposit *tyi_dust_deposits(const tyi_dust *dust, int box); /* 6 of them */
/* Writes what has fallen on the ground since the last call into its samples, as the share that it covers: ty_edit.material, 255 for all. */
ty_status tyi_dust_lay(tyi_dust *dust, ty_diag *diag);
/* Takes a share [-] of what lies on a rover's box off it, to the ground. */
void tyi_dust_take_off(tyi_dust *dust, int box, double share);
/* [-] share of what lies on a face, by mass, that slides off where it is tilted so far [rad] from level */
double tyi_dust_slides(const tyi_dust *dust, double tilt);

/* Grains of one parcel, for light. */
typedef struct tyi_dust_point {
    float x, y, z;  /* [m] from a place in W */
    float area;     /* [m^2] shadow of its grains */
    float apart[3]; /* [m] how far they have flown apart, to either side */
    int32_t group;  /* the rover that raised it */
} tyi_dust_point;
/* All that flies at a time [s], up to a fifth of a second before the last step's end; room for params.parcels. Returns how many. */
size_t tyi_dust_points(const tyi_dust *dust, double time, ty_vec3 from_W, tyi_dust_point *out);

/* everything it needs to go on with the same bits; out NULL: only how many bytes */
size_t tyi_dust_save(const tyi_dust *dust, void *out);
ty_status tyi_dust_restore(tyi_dust *dust, const void *saved, size_t bytes, ty_diag *diag);

#endif
