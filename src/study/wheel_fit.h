/* src/study/wheel_fit.h - measured wheels, and soils fitted to them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_STUDY_WHEEL_FIT_H
#define TYI_STUDY_WHEEL_FIT_H
#include "tycho/tools/testbed.h"

typedef struct tyi_study_wheel {
    char name[64];            /* as the file calls it; "" where it does not */
    ty_wheel_shape wheel;     /* r = 0: the file does not say */
    double kx;                /* [m] shear modulus the file names; NaN: none */
    double load;              /* [N] */
    double slip, beta;        /* [-], [rad] */
    double v_x, rim;          /* [m/s] forward speed and r omega, from which slip follows for any
                             shearing radius; NaN: only slip is known */
    double fx, fy, torque, h; /* [N], [N], [N m], [m]; NaN: not measured */
} tyi_study_wheel;

typedef struct tyi_study_wheel_plate {
    double b;        /* [m] radius of the plate */
    double h;        /* [m] */
    double pressure; /* [Pa] */
} tyi_study_wheel_plate;

typedef struct tyi_study_wheel_set {
    tyi_study_wheel *point;
    size_t points;
    tyi_study_wheel_plate *plate;
    size_t plates;
} tyi_study_wheel_set;

/* Reads a CSV with a header; `#` starts a comment line. Four kinds of header are known: that of
 * shared/data/wheel/cmu_pavlov_*, of roverdevkit_single_wheel_experiments, of cmu_plate_*, and
 * Tycho's own (load,slip,beta_deg with any of r,b,grouser_h,grousers,h,fx,fy,torque). Keeps points
 * whose name begins with `rows` (NULL: all). Free with tyi_study_wheel_free(), also on failure. */
ty_status tyi_study_wheel_load(const char *path, const char *rows, tyi_study_wheel_set *out, ty_diag *diag);
void tyi_study_wheel_free(tyi_study_wheel_set *set);

/* The point's slip for a wheel that shears this soil at its own radius. */
double tyi_study_wheel_slip(const tyi_study_wheel *point, const ty_soil_params *soil, const ty_wheel_shape *wheel);

/* Error of one quantity over many points. */
typedef struct tyi_study_soil_fit_score {
    double square, low, high;
    int n;
} tyi_study_soil_fit_score;
void tyi_study_soil_fit_score_add(tyi_study_soil_fit_score *score, double got, double want); /* want NaN: not counted */
double tyi_study_soil_fit_score_nrmse(const tyi_study_soil_fit_score *score); /* RMSE / (max - min); NaN: no points */

#define TYI_STUDY_FIT_MOST 16

/* A soil parameter to be found, in the unit of ty_soil_fields(). */
typedef struct tyi_study_soil_fit_param {
    const char *key;
    double start, low, high;
    /* found: */
    double value, error; /* standard error; not meaningful at a limit */
    bool at_limit;
    int partner;        /* parameter it is most correlated with, -1: none */
    double correlation; /* with that one */
} tyi_study_soil_fit_param;

/* Least squares of (model - measured) / (max - min) over every measured quantity. */
typedef struct tyi_study_soil_fit_def {
    ty_soil_params soil;  /* what is not fitted */
    ty_wheel_shape wheel; /* where a point does not say */
    const tyi_study_wheel *point;
    size_t points;
    tyi_study_soil_fit_param *param;
    int params; /* 1 to TYI_STUDY_FIT_MOST */
    int most;   /* evaluations of all points, at most; 0: 2000 */
} tyi_study_soil_fit_def;

typedef struct tyi_study_soil_fit_result {
    ty_soil_params soil; /* with the values found */
    tyi_study_soil_fit_score fx, fy, torque, h;
    int residuals, evaluations;
    double rms;       /* [-] of the residuals */
    double condition; /* [-] of the Jacobian, columns scaled to length 1 */
    bool converged;
} tyi_study_soil_fit_result;

/* TY_ERR_INPUT (no points, no such key), TY_ERR_RANGE, TY_ERR_MEMORY, TY_ERR_NUMERIC. */
ty_status tyi_study_soil_fit_run(tyi_study_soil_fit_def *def, tyi_study_soil_fit_result *out,
                                 const ty_progress *progress, ty_diag *diag);

#endif
