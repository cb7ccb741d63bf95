/* src/dust/dust.h - parcels of dust from wheels to where they end. One thread at a time; a step spreads its work itself and
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
    int wheels;  /* of all rovers */
    int boxes;   /* of all rovers */
    int threads; /* 0: all processors */
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

/* A part of a rover that dust may meet. */
typedef struct tyi_dust_box {
    ty_pose before, now; /* of its middle in W, at the start and the end of the step */
    ty_vec3 half;        /* [m] */
} tyi_dust_box;

/* Raises dust over [from, to] [s] and moves all that flies to `to`. Allocates nothing but tiles of ground. */
ty_status tyi_dust_step(tyi_dust *dust, double from, double to, const tyi_dust_wheel *wheel, const tyi_dust_box *box,
                        ty_diag *diag);

/* ---- what there is ---- */

typedef struct tyi_dust_ledger {
    double emitted, airborne, ground, rovers, out; /* [kg] */
    size_t parcels;                                /* in flight */
} tyi_dust_ledger;
tyi_dust_ledger tyi_dust_get_ledger(const tyi_dust *dust);

/* What lies on a side of a box: faces are -x, +x, -y, +y, -z, +z of its own axes. */
typedef struct tyi_dust_deposit {
    double mass; /* [kg] */
    double area; /* [m^2] shadow of its grains */
} tyi_dust_deposit;
const tyi_dust_deposit *tyi_dust_deposits(const tyi_dust *dust, int box); /* 6 of them */

/* Grains of one parcel, for light. */
typedef struct tyi_dust_point {
    float x, y, z; /* [m] from a place in W */
    float area;    /* [m^2] shadow of its grains */
    float spread;  /* [m] how far they have flown apart, to each side */
    int32_t group; /* the rover that raised it */
} tyi_dust_point;
/* All that flies at a time [s], up to a fifth of a second before the last step's end; room for params.parcels. Returns how many. */
size_t tyi_dust_points(const tyi_dust *dust, double time, ty_vec3 from_W, tyi_dust_point *out);

/* everything it needs to go on with the same bits; out NULL: only how many bytes */
size_t tyi_dust_save(const tyi_dust *dust, void *out);
ty_status tyi_dust_restore(tyi_dust *dust, const void *saved, size_t bytes, ty_diag *diag);

#endif
