/* src/soil/inner.h - the laws of single wheels, for models, the rig, validation and tests.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SOIL_INNER_H
#define TYI_SOIL_INNER_H
#include "tycho/soil.h"

/* Friction angle [rad] along planes of shear, which strength under wheels goes by: phi, or less where
 * phi is of triaxial tests. */
double tyi_soil_shear_angle(const ty_soil_params *params);

/* Whether every field is in its range and they go together, as whatever takes them checks again. TY_ERR_DEF,
 * TY_ERR_RANGE. */
ty_status tyi_soil_params_check(const ty_soil_params *params, ty_diag *diag);

/* Radius [m] at which this wheel shears this soil: slip ratios refer to it. r for a wheel without lugs. */
double tyi_soil_wheel_shear_radius(const ty_soil_params *params, const ty_wheel_shape *shape);

/* One wheel in one soil, checked and worked out once, for any number of steps. Immutable. On
 * success the caller owns *out; on failure *out is NULL and diag names the field. alloc NULL: the
 * heap; it outlives the object. Returns TY_ERR_DEF, TY_ERR_RANGE or TY_ERR_MEMORY. */
typedef struct tyi_soil_wheel tyi_soil_wheel;
ty_status tyi_soil_wheel_create(const ty_soil_params *params, const ty_wheel_shape *shape, const ty_alloc *alloc,
                                tyi_soil_wheel **out, ty_diag *diag);
void tyi_soil_wheel_destroy(tyi_soil_wheel *wheel); /* NULL is allowed */

/* What a contact remembers; saved and restored with a run. Zero: the wheel has just touched the ground. */
typedef struct tyi_soil_wheel_history {
    double ux, uy; /* [m] mean shear displacement, positive where it pushes the wheel to +x, +y */
    double px, py; /* [m] their largest size in this loading */
    double slip;   /* [-] (rs omega - v_x) / V, V the larger of |rs omega| and |v_x|; of late */
    double side;   /* [-] -v_y / V, likewise */
    double roll;   /* [-] 1: has rolled forward, -1: backward, 0: stands as put down, symmetric */
} tyi_soil_wheel_history;

typedef struct tyi_soil_wheel_state {
    double h;        /* [m] sinkage of the rim along the ground's normal; <= 0: no contact */
    double h_rate;   /* [m/s] */
    double v_x, v_y; /* [m/s] of the wheel's centre, contact frame */
    double omega;    /* [rad/s] about +y: positive rolls forward */
    double rise;     /* [-] sine of the ground's slope along +x, positive uphill; counts for lugs */
    double calm;     /* [s] most that the soil's shear_time may be in this step; 0: any */
    double rut;      /* [m] how far earlier passes have pressed down the ground that h counts from; 0: fresh */
    double elastic;  /* [Pa/m] stiffness of unloading and reloading; counts in a rut */
    tyi_soil_wheel_history history;
} tyi_soil_wheel_state;

/* One step of a run: first the history moves on by dt [s], then the forces follow from the state.
 * Both are continuous in every entry of the state, at rest too, and neither allocates. The wheel
 * may be one slice of several across the width, each at its own sinkage: call for each as if it
 * were the whole and take the mean. */
void tyi_soil_wheel_advance(const tyi_soil_wheel *wheel, tyi_soil_wheel_state *state, double dt);
void tyi_soil_wheel_force(const tyi_soil_wheel *wheel, const tyi_soil_wheel_state *state, ty_wheel_load *out);

/* Slip ratio (3), at most 1, at wheel speed vw [m/s] on a slope [rad]. */
double tyi_soil_regression_slip(const ty_regression_params *params, double vw, double slope);

/* Speed [m/s] (5) of a wheel that slips by s at wheel speed vw [m/s]. */
double tyi_soil_regression_speed(double s, double vw);

/* Sinkage z [m] (4), negative down, not limited, at slip s under fz [N]. */
double tyi_soil_regression_sinkage(const ty_regression_params *params, double s, double fz);

/* Stiffness [N/m] (9) of each contact point for sinkage z [m], lugs of grouser_h [m]. Not finite
 * where z = grouser_h. */
double tyi_soil_regression_stiffness(double fz, double z, double grouser_h, int contacts);

/* TY_ERR_DEF, TY_ERR_RANGE: a field that is out of its range. */
ty_status tyi_soil_def_check(const ty_soil_def *def, ty_diag *diag);

/* Height [m], below 0, of the lugs' pattern that a trace of the terrain (ty_terrain_edits()) stands for: part of the
 * change of height there, the rest is how deep the soil was pressed. */
float tyi_soil_rut_height(uint8_t trace);

#endif
