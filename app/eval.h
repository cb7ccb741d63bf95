/* app/eval.h - `tycho eval MODEL`: a table of inputs through the very functions a run calls.
 * A model is a list of columns with defaults, a list of outputs and a function for one row.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_EVAL_H
#define TYCHO_APP_EVAL_H
#include "tycho/base.h"

#define EVAL_MAX_COLUMNS 64

typedef struct eval_input {
    const char *name;
    const char *text; /* default, as text; NULL: the column (or --set) is required */
    bool is_text;     /* not a number: arrives in the row's text */
} eval_input;

typedef struct eval_row {
    const double *number;    /* one per input; 0 for text columns */
    const char *const *text; /* one per input, as given */
    double *out;             /* one per output */
} eval_row;

typedef struct eval_model {
    const char *name;
    const eval_input *inputs;   /* ends with a NULL name */
    const char *const *outputs; /* ends with NULL */
    /* TY_OK, or a status with a sentence about this row (no "row N", that is added). */
    ty_status (*row)(const eval_row *row, ty_diag *diag);
} eval_model;

/* every model, defined in its own app/eval_NAME.c */
extern const eval_model eval_hapke;
extern const eval_model eval_brdf;
extern const eval_model eval_camera_project;
extern const eval_model eval_camera_ray;
extern const eval_model eval_exposure;
extern const eval_model eval_sky;
extern const eval_model eval_mu_i, eval_hertz, eval_dust_optics;
extern const eval_model eval_wheel, eval_slip_regression, eval_sinkage_regression;

#endif
