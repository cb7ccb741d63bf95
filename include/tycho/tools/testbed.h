/* include/tycho/tools/testbed.h - a soil bin: a single wheel at forced slip, a plate, a shear box, what
 * others measured in theirs, and soils fitted to it. `tycho wheel` and `tycho validate` are made of
 * this.
 *
 * Signs as in `tycho eval wheel`: fx is the drawbar pull (forward), fy the side force towards
 * +beta, torque resists the drive.
 * Threads: every function only reads what it is given but for its outputs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_TESTBED_H
#define TYCHO_TESTBED_H
#include "tycho/soil.h"
TY_BEGIN_DECLS

/* ---- soil files ---- */

/* Reads a soil file (models/soils): keys of ty_soil_fields(), others keep the default. settings are
 * `count` texts "key=value" that override the file. path NULL: the default soil with the settings.
 * TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_RANGE, TY_ERR_MEMORY, with file:line:column. */
TY_API ty_status ty_soil_params_load(const char *path, const char *const *settings, size_t count, ty_soil_params *out,
                                     ty_diag *diag);

/* A soil file into the parameters of the model that `def` names, over what `def` holds. A key that the model does not use is refused. The
 * same statuses. */
TY_API ty_status ty_soil_def_load(const char *path, ty_soil_def *def, ty_diag *diag);

/* ---- rigs ---- */

#define TY_RIG_STATIC \
    (-1) /* Bekker-Wong, the steady solution itself; otherwise a ty_soil_model_kind, stepped until it is steady */
TY_API const char *ty_rig_name(int model);           /* "static", "bekker", ... */
TY_API bool ty_rig_find(const char *name, int *out); /* false: no such name */

/* A wheel that is led at given slip and slip angle and sinks freely under its load, over flat
 * ground. Start from ty_rig_def_default(). */
typedef struct ty_rig_def {
    int model; /* TY_RIG_STATIC */
    ty_soil_params soil;
    ty_wheel_shape wheel;      /* r 0.25, b 0.2, no lugs */
    double load;               /* [N]   180    vertical */
    double slip;               /* [-]   0      -1 to 1, by the shearing radius */
    double beta;               /* [rad] 0      slip angle */
    double speed;              /* [m/s] 0.1    the larger of rim speed and forward speed */
    double dt;                 /* [s]   1e-3   step */
    double cell;               /* [m]   0.01   spacing of scm's grid, of crm's particles */
    ty_patch_params patch;     /* crm, but for its spacing */
    const ty_soil_model *user; /* TY_SOIL_USER: the row */
    uint32_t cookie;
} ty_rig_def;
TY_API ty_rig_def ty_rig_def_default(void);

/* Means over the last part of the way. */
typedef struct ty_rig_result {
    double h;          /* [m] sinkage of the rim */
    double fx, fy, fz; /* [N] */
    double torque;     /* [N m] */
    double slip, beta; /* [-], [rad] as they came out */
    double ripple;     /* [N] standard deviation of fx */
} ty_rig_result;
/* TY_ERR_DEF, TY_ERR_RANGE, TY_ERR_MEMORY, TY_ERR_NUMERIC (no sinkage carries the load). */
TY_API ty_status ty_rig_run(const ty_rig_def *def, ty_rig_result *out, ty_diag *diag);

/* The two halves of a bevameter, with the soil, model and cell of `def`: on the grid of columns for TY_SOIL_SCM, else
 * in closed form. A plate pressed to a depth [m]: mean pressure [Pa]. b is Bekker's width: the radius of a round
 * plate, which the grid takes it for. */
TY_API ty_status ty_plate_pressure(const ty_rig_def *def, double b, double depth, double *pressure, ty_diag *diag);
/* A plate under normal stress [Pa] sheared by j [m]: shear stress [Pa]. On the grid the plate is a
 * square of 0.2 m, sunk to where the stress should be, held there, and the shear is scaled to it. */
TY_API ty_status ty_plate_shear(const ty_rig_def *def, double normal, double j, double *shear, ty_diag *diag);

/* ---- measured points ---- */

typedef struct ty_wheel_measured {
    char name[64];            /* as the file calls it; "" where it does not */
    ty_wheel_shape wheel;     /* r = 0: the file does not say */
    double kx;                /* [m] shear modulus the file names; NaN: none */
    double load;              /* [N] */
    double slip, beta;        /* [-], [rad] */
    double v_x, rim;          /* [m/s] forward speed and r omega, from which slip follows for any
                             shearing radius; NaN: only slip is known */
    double fx, fy, torque, h; /* [N], [N], [N m], [m]; NaN: not measured */
} ty_wheel_measured;

typedef struct ty_wheel_measured_plate {
    double b;        /* [m] radius of the plate */
    double h;        /* [m] */
    double pressure; /* [Pa] */
} ty_wheel_measured_plate;

typedef struct ty_wheel_measured_set {
    ty_wheel_measured *point;
    size_t points;
    ty_wheel_measured_plate *plate;
    size_t plates;
} ty_wheel_measured_set;

/* Reads a CSV with a header; `#` starts a comment line. Four kinds of header are known: that of
 * shared/data/wheel/cmu_pavlov_*, of roverdevkit_single_wheel_experiments, of cmu_plate_*, and
 * Tycho's own (load,slip,beta_deg with any of r,b,grouser_h,grousers,h,fx,fy,torque). Keeps points
 * whose name begins with `rows` (NULL: all). Free with ty_wheel_measured_free(), also on failure. */
TY_API ty_status ty_wheel_measured_load(const char *path, const char *rows, ty_wheel_measured_set *out, ty_diag *diag);
TY_API void ty_wheel_measured_free(ty_wheel_measured_set *set);

/* The point's slip for a wheel that shears this soil at its own radius. */
TY_API double ty_wheel_measured_slip(const ty_wheel_measured *point, const ty_soil_params *soil,
                                     const ty_wheel_shape *wheel);

/* Error of one quantity over many points. */
typedef struct ty_soil_fit_score {
    double square, low, high;
    int n;
} ty_soil_fit_score;
TY_API void ty_soil_fit_score_add(ty_soil_fit_score *score, double got, double want); /* want NaN: not counted */
TY_API double ty_soil_fit_score_nrmse(const ty_soil_fit_score *score); /* RMSE / (max - min); NaN: no points */

/* ---- fits ---- */

#define TY_FIT_MOST 16

/* A soil parameter to be found, in the unit of ty_soil_fields(). */
typedef struct ty_soil_fit_param {
    const char *key;
    double start, low, high;
    /* found: */
    double value, error; /* standard error; not meaningful at a limit */
    bool at_limit;
    int partner;        /* parameter it is most correlated with, -1: none */
    double correlation; /* with that one */
} ty_soil_fit_param;

/* Least squares of (model - measured) / (max - min) over every measured quantity. */
typedef struct ty_soil_fit_def {
    ty_soil_params soil;  /* what is not fitted */
    ty_wheel_shape wheel; /* where a point does not say */
    const ty_wheel_measured *point;
    size_t points;
    ty_soil_fit_param *param;
    int params; /* 1 to TY_FIT_MOST */
    int most;   /* evaluations of all points, at most; 0: 2000 */
} ty_soil_fit_def;

typedef struct ty_soil_fit_result {
    ty_soil_params soil; /* with the values found */
    ty_soil_fit_score fx, fy, torque, h;
    int residuals, evaluations;
    double rms;       /* [-] of the residuals */
    double condition; /* [-] of the Jacobian, columns scaled to length 1 */
    bool converged;
} ty_soil_fit_result;
/* TY_ERR_INPUT (no points, no such key), TY_ERR_RANGE, TY_ERR_MEMORY, TY_ERR_NUMERIC. */
TY_API ty_status ty_soil_fit_run(ty_soil_fit_def *def, ty_soil_fit_result *out, const ty_progress *progress,
                                 ty_diag *diag);

TY_END_DECLS
#endif
