/* src/study/eval_wheel.c - `tycho eval wheel`, `slip_regression` and `sinkage_regression`: the soil module on a table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "eval.h"
#include "tycho/math.h"
#include "tycho/soil.h"
#include "soil/inner.h"

/* the soil's columns come first, and are called as ty_soil_params_set() calls them */
#define WORDS_OF(x) #x
#define WORDS(x)    WORDS_OF(x)

enum { SOIL = 14, R = SOIL, B, GROUSER_H, GROUSERS, LOAD, H, SLIP, BETA };
static const ty_eval_input wheel_inputs[] = {
    { "k_c", "1400", false },
    { "k_phi", "8.2e5", false },
    { "n0", "1", false },
    { "n1", "0", false },
    { "a1", "0.4", false },
    { "a2", "0.15", false },
    { "c", "170", false },
    { "phi_deg", "35", false },
    { "kx", "0.0178", false },
    { "ky", "0.0178", false },
    { "lambda", "1", false },
    { "rho", "1660", false },
    { "g", WORDS(TY_GRAVITY_MOON), false },
    { "bulldozing", "0", false },
    { "r", "0.25", false },
    { "b", "0.2", false },
    { "grouser_h", "0", false },
    { "grousers", "0", false },
    { "load", "", true },
    { "h", "", true }, /* text, because either may be left empty */
    { "slip", "0", false },
    { "beta_deg", "0", false },
    { NULL, NULL, false },
};
static const char *const wheel_outputs[] = { "h", "theta1", "theta2", "thetam", "fx", "fy", "fz", "torque", NULL };

static ty_status whole_number(const char *name, double value, double low, double high, int *out, ty_diag *diag)
{
    if (!(value >= low && value <= high && floor(value) == value)) {
        return ty_fail(diag, TY_ERR_RANGE, "%s is %g, but takes a whole number from %g to %g", name, value, low, high);
    }
    *out = (int)value;
    return TY_OK;
}

/* The formulas as printed: each shear stress limited alone, bulldozing mobilised at once, one slip
 * sinkage for slip and skid. */
static ty_status wheel_soil(const ty_eval_row *row, ty_soil_params *soil, ty_diag *diag)
{
    *soil = ty_soil_params_default();
    soil->friction_circle = false;
    soil->bulldozing_k = 0.0;
    for (int i = 0; i < SOIL; i++) {
        ty_status status = ty_soil_params_set(soil, wheel_inputs[i].name, row->number[i], diag);
        if (status != TY_OK) {
            return status;
        }
    }
    soil->n1_skid = soil->n1;
    return TY_OK;
}

static ty_status wheel_motion(const ty_eval_row *row, ty_wheel_steady *motion, ty_diag *diag)
{
    *motion = (ty_wheel_steady){ .by_sinkage = row->text[H][0] != '\0',
                                 .slip = row->number[SLIP],
                                 .beta = row->number[BETA] * TY_DEG };
    int i = motion->by_sinkage ? H : LOAD;
    if (!row->text[i][0]) {
        return ty_fail(diag, TY_ERR_INPUT, "neither load nor h is given");
    }
    double *value = motion->by_sinkage ? &motion->h : &motion->load;
    char *end;
    *value = tyi_number(row->text[i], &end);
    if (end == row->text[i] || *end || !isfinite(*value)) {
        return ty_fail(diag, TY_ERR_INPUT, "%s is '%s', but takes a finite number", wheel_inputs[i].name, row->text[i]);
    }
    return TY_OK;
}

static ty_status wheel_row(const ty_eval_row *row, ty_diag *diag)
{
    ty_soil_params soil;
    ty_wheel_steady motion;
    ty_wheel_shape shape = { .r = row->number[R], .b = row->number[B], .grouser_h = row->number[GROUSER_H] };
    ty_wheel_load load;
    ty_status status = wheel_soil(row, &soil, diag);
    if (status == TY_OK) {
        status = whole_number("grousers", row->number[GROUSERS], 0.0, 1000.0, &shape.grousers, diag);
    }
    if (status == TY_OK) {
        status = wheel_motion(row, &motion, diag);
    }
    if (status == TY_OK) {
        status = ty_wheel_static(&soil, &shape, &motion, &row->out[0], &load, diag);
    }
    if (status == TY_OK) {
        row->out[1] = load.theta1;
        row->out[2] = load.theta2 + 0.0; /* + 0.0: no negative zero */
        row->out[3] = load.thetam;
        row->out[4] = load.fx;
        row->out[5] = -load.fy + 0.0; /* towards +beta */
        row->out[6] = load.fz;
        row->out[7] = load.torque;
    }
    return status;
}

const ty_eval_model tyi_study_eval_wheel = { "wheel", wheel_inputs, wheel_outputs, wheel_row };

static const ty_eval_input slip_inputs[] = { { "vw", NULL, false },
                                             { "slope_deg", "0", false },
                                             { NULL, NULL, false } };
static const char *const slip_outputs[] = { "s", "v", NULL };

static ty_status slip_row(const ty_eval_row *row, ty_diag *diag)
{
    (void)diag;
    ty_regression_params fit = ty_regression_params_default();
    row->out[0] = tyi_soil_regression_slip(&fit, row->number[0], row->number[1] * TY_DEG);
    row->out[1] = tyi_soil_regression_speed(row->out[0], row->number[0]);
    return TY_OK;
}

const ty_eval_model tyi_study_eval_slip_regression = { "slip_regression", slip_inputs, slip_outputs, slip_row };

static const ty_eval_input sinkage_inputs[] = { { "s", NULL, false },       { "fz", "8.72", false },
                                                { "fref", "8.72", false },  { "grouser_h", "0", false },
                                                { "contacts", "1", false }, { NULL, NULL, false } };
static const char *const sinkage_outputs[] = { "z_mm", "k", NULL };

static ty_status sinkage_row(const ty_eval_row *row, ty_diag *diag)
{
    ty_regression_params fit = ty_regression_params_default();
    int contacts = 0;
    ty_status status = whole_number("contacts", row->number[4], 1.0, 1000.0, &contacts, diag);
    if (status != TY_OK) {
        return status;
    }
    fit.fref = row->number[2];
    double z = tyi_soil_regression_sinkage(&fit, row->number[0], row->number[1]);
    row->out[0] = 1e3 * z;
    row->out[1] = tyi_soil_regression_stiffness(row->number[1], z, row->number[3], contacts);
    if (!isfinite(row->out[1])) {
        return ty_fail(diag, TY_ERR_NUMERIC, "the stiffness is not finite, because the sinkage z equals grouser_h");
    }
    return TY_OK;
}

const ty_eval_model tyi_study_eval_sinkage_regression = { "sinkage_regression", sinkage_inputs, sinkage_outputs,
                                                          sinkage_row };
