/* include/tycho/soil.h - how the ground answers a wheel. Model, limits, sources: src/soil/README.md
 *
 * Two models: the stresses of Bekker and Wong integrated over the rim (ty_wheel_*), and the
 * regressions of slip and sinkage of [ddt] (ty_regression_*). The static solution and a step of a
 * run call the same function.
 *
 * Contact frame: x forward in the wheel's plane, y left along the axle, z up along the ground's
 * normal.
 * Threads: every function here only reads what it is given but for its outputs; call from as many
 * as you like.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_SOIL_H
#define TYCHO_SOIL_H
#include "tycho/base.h"
TY_BEGIN_DECLS

/* A soil for the Bekker-Wong model. Start from ty_soil_params_default(); a zeroed one is refused.
 * Unit, default and accepted range of each field: ty_soil_fields(). Default: the nominal lunar
 * regolith of models/soils/lunar.yaml. */
typedef struct ty_soil_params {
    double k_c;      /* [N/m^(n+1)] cohesive modulus of sinkage; k_c / b + k_phi must be above 0 */
    double k_phi;    /* [N/m^(n+2)] frictional modulus of sinkage */
    double n0;       /* [-] sinkage exponent */
    double n1;       /* [-] growth of the exponent with slip: n = n0 + n1 s */
    double n1_skid;  /* [-] the same for a wheel that is towed or braked: n = n0 + n1_skid |s| */
    double n1_side;  /* [-] the same with side slip, per |v_y| / V (V: see ty_wheel_history) */
    double a1, a2;   /* [-] the normal stress is largest at (a1 + a2 s) of the entry angle */
    double c;        /* [Pa] cohesion */
    double phi;      /* [rad] angle of internal friction; in files and tables phi_deg [deg] */
    double kx, ky;   /* [m] shear deformation moduli along and across the wheel */
    double kx_beta;  /* [m/rad] growth of kx with the slip angle */
    double ky_beta;  /* [m/rad] growth of ky with the slip angle */
    double lambda;   /* [-] sinkage behind the wheel over sinkage before it */
    double rho;      /* [kg/m^3] bulk density, for bulldozing and lugs */
    double g;        /* [m/s^2] gravity, for bulldozing, lugs and the damping of the sinkage */
    bool bulldozing; /* soil pressed by the wheel's side wall */
    double bulldozing_k;  /* [m] side displacement that mobilises it; 0: at once, with a jump */
    bool friction_circle; /* strength limits the sum of both shear stresses, not each alone */
    double damping;       /* [-] damping ratio of the sinkage; no part of a static solution */
    double unload;        /* [-] how much stiffer the soil unloads in shear than it first loads */
    double shear_time;    /* [s] damping of the shear displacement; no part of steady motion */
    uint32_t cookie;      /* set by ty_soil_params_default() */
} ty_soil_params;

TY_API ty_soil_params ty_soil_params_default(void);

/* What a field is called in files and tables, and what it takes there. */
typedef struct ty_soil_field {
    const char *key, *unit, *what;
    double fallback, low, high; /* in the unit named; a switch takes 0 or 1 */
    bool is_switch;
} ty_soil_field;
TY_API const ty_soil_field *ty_soil_fields(size_t *count);

/* Sets a field by its key, in the unit of the table. TY_ERR_INPUT: no such key; TY_ERR_RANGE: not
 * accepted. */
TY_API ty_status ty_soil_params_set(ty_soil_params *params, const char *key, double value,
                                    ty_diag *diag);

/* A rigid wheel. Lugs are plates of the full width, evenly spaced. Sinkage is that of the rim, not
 * of the lug tips. */
typedef struct ty_wheel_shape {
    double r;         /* [m] radius of the rim, 1e-3 to 10 */
    double b;         /* [m] width, 1e-3 to 10 */
    double grouser_h; /* [m] height of the lugs, 0 to r */
    int grousers;     /* number of lugs, 0 to 1000 */
} ty_wheel_shape;

/* Radius [m] at which this wheel shears this soil: slip ratios refer to it. r for a wheel without
 * lugs. */
TY_API double ty_wheel_shear_radius(const ty_soil_params *params, const ty_wheel_shape *shape);

/* One wheel in one soil, checked and worked out once, for any number of steps. Immutable. On
 * success the caller owns *out; on failure *out is NULL and diag names the field. alloc NULL: the
 * heap; it outlives the object. Returns TY_ERR_DEF, TY_ERR_RANGE or TY_ERR_MEMORY. */
typedef struct ty_wheel_soil ty_wheel_soil;
TY_API ty_status ty_wheel_soil_create(const ty_soil_params *params, const ty_wheel_shape *shape,
                                      const ty_alloc *alloc, ty_wheel_soil **out, ty_diag *diag);
TY_API void ty_wheel_soil_destroy(ty_wheel_soil *wheel); /* NULL is allowed */

/* What a contact remembers; saved and restored with a run. Zero: the wheel has just touched the
 * ground. */
typedef struct ty_wheel_history {
    double ux, uy; /* [m] mean shear displacement, positive where it pushes the wheel to +x, +y */
    double px, py; /* [m] their largest size in this loading */
    double slip;   /* [-] (rs omega - v_x) / V, V the larger of |rs omega| and |v_x|; of late */
    double side;   /* [-] -v_y / V, likewise */
    double roll;   /* [-] 1: has rolled forward, -1: backward, 0: stands as put down, symmetric */
} ty_wheel_history;

typedef struct ty_wheel_state {
    double h;        /* [m] sinkage of the rim along the ground's normal; <= 0: no contact */
    double h_rate;   /* [m/s] */
    double v_x, v_y; /* [m/s] of the wheel's centre, contact frame */
    double omega;    /* [rad/s] about +y: positive rolls forward */
    ty_wheel_history history;
} ty_wheel_state;

/* What the soil does to the wheel, about the wheel's centre. */
typedef struct ty_wheel_load {
    double fx, fy, fz; /* [N] */
    double torque;     /* [N m] resisting forward rotation: the moment about +y is -torque */
    double mx, mz;     /* [N m] about +x and +z, from where the side force acts */
    double theta1, theta2, thetam; /* [rad] entry, exit, largest stress; > 0 where it rolls to */
    double slip;       /* [-] slip ratio in the direction of rolling */
    double beta;       /* [rad] slip angle, without sign */
} ty_wheel_load;

/* One step of a run: first the history moves on by dt [s], then the forces follow from the state.
 * Both are continuous in every entry of the state, at rest too, and neither allocates. The wheel
 * may be one slice of several across the width, each at its own sinkage: call for each as if it
 * were the whole and take the mean. */
TY_API void ty_wheel_advance(const ty_wheel_soil *wheel, ty_wheel_state *state, double dt);
TY_API void ty_wheel_contact(const ty_wheel_soil *wheel, const ty_wheel_state *state,
                             ty_wheel_load *out);

/* Steady motion over flat ground. */
typedef struct ty_wheel_steady {
    double load; /* [N] vertical, > 0: the sinkage is sought that carries it */
    double h;    /* [m] sinkage, 0 to 2 r; used instead of load where by_sinkage */
    bool by_sinkage;
    double slip; /* [-] -1 to 1, (2.13) of [uly] with the shearing radius */
    double beta; /* [rad] slip angle atan(v_y / v_x), -1.55 to 1.55 */
} ty_wheel_steady;

/* Sinkage [m] and forces of a wheel in steady motion: ty_wheel_contact() without damping. The
 * sinkage is the smallest that carries the load. Returns what ty_wheel_soil_create() does,
 * TY_ERR_RANGE for the motion, and TY_ERR_NUMERIC with the largest load that can be carried where
 * no sinkage up to the radius carries this one. */
TY_API ty_status ty_wheel_static(const ty_soil_params *params, const ty_wheel_shape *shape,
                                 const ty_wheel_steady *motion, double *h, ty_wheel_load *out,
                                 ty_diag *diag);

/* The regressions of [ddt]. Start from ty_regression_params_default(), the paper's rover (EX1) in
 * dry silica sand. */
typedef struct ty_regression_params {
    double slip_v;  /* [s/m] slip per wheel speed on flat ground (2)        0.0265  */
    double slip_0;  /* [-] slip at no speed on flat ground (2)              0.0256  */
    double slope_v; /* [s/m/deg^2] slip per wheel speed and slope^2 (3)     0.00522 */
    double slope_0; /* [1/deg^2] slip per slope^2 (3)                       0.00105 */
    double sink_s;  /* [mm] sinkage per unit of slip (4)                    33.56   */
    double sink_f;  /* [mm/N] sinkage per newton above the reference (4)    0.9291  */
    double sink_0;  /* [mm] sinkage at rest under the reference load (4)    3.11    */
    double fref;    /* [N] reference load of one wheel                      8.72    */
    uint32_t cookie;
} ty_regression_params;
TY_API ty_regression_params ty_regression_params_default(void);

/* Slip ratio (3), at most 1, at wheel speed vw [m/s] on a slope [rad]. */
TY_API double ty_regression_slip(const ty_regression_params *params, double vw, double slope);
/* Speed [m/s] (5) of a wheel that slips by s at wheel speed vw [m/s]. */
TY_API double ty_regression_speed(double s, double vw);
/* Sinkage z [m] (4), negative down, not limited, at slip s under fz [N]. */
TY_API double ty_regression_sinkage(const ty_regression_params *params, double s, double fz);
/* Stiffness [N/m] (9) of each contact point for sinkage z [m], lugs of grouser_h [m]. Not finite
 * where z = grouser_h. */
TY_API double ty_regression_stiffness(double fz, double z, double grouser_h, int contacts);

TY_END_DECLS
#endif
