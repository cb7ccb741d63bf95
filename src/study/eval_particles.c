/* src/study/eval_particles.c - `tycho eval mu_i`, `hertz` and `dust_optics`: the laws of soil that flows, of grains and of dust, on
 * a table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "eval.h"
#include "k_dem.h"
#include "k_dust.h"
#include "k_sph.h"

/* a number that must lie above (or, closed, at) low and below (at) high */
typedef struct range {
    int column;
    double low, high;
    bool low_too, high_too;
} range;

static ty_status check(const ty_eval_input *inputs, const range *ranges, const ty_eval_row *row, ty_diag *diag)
{
    for (const range *r = ranges; r->column >= 0; r++) {
        double x = row->number[r->column];
        bool ok = (r->low_too ? x >= r->low : x > r->low) && (r->high_too ? x <= r->high : x < r->high);
        if (!ok && isinf(r->high)) {
            return ty_fail(diag, TY_ERR_RANGE, "%s is %g, but takes numbers %s %g", inputs[r->column].name, x,
                           r->low_too ? "of at least" : "above", r->low);
        }
        if (!ok) {
            return ty_fail(diag, TY_ERR_RANGE, "%s is %g, but takes %g (%s) to %g (%s)", inputs[r->column].name, x,
                           r->low, r->low_too ? "included" : "excluded", r->high,
                           r->high_too ? "included" : "excluded");
        }
    }
    return TY_OK;
}

enum { E, NU, RHO, MU_S, MU_2, I0, D, C, DT, P, TAU };
static const ty_eval_input mu_inputs[] = {
    { "e", "1e6", false },    { "nu", "0.3", false },  { "rho", "1600", false }, { "mu_s", "0.6", false },
    { "mu_2", "0.6", false }, { "i0", "0.04", false }, { "d", "0.005", false },  { "c", "0", false },
    { "dt", "1e-4", false },  { "p", NULL, false },    { "tau", NULL, false },   { NULL, NULL, false },
};
static const char *const mu_outputs[] = { "p", "tau", "mu", NULL };
static const range mu_ranges[] = {
    { E, 0.0, INFINITY, false, false },   { NU, -1.0, 0.5, false, false },     { RHO, 0.0, INFINITY, false, false },
    { MU_S, 0.0, INFINITY, true, false }, { I0, 0.0, INFINITY, true, false },  { D, 0.0, INFINITY, false, false },
    { C, 0.0, INFINITY, true, false },    { DT, 0.0, INFINITY, false, false }, { TAU, 0.0, INFINITY, true, false },
    { -1, 0, 0, false, false },
};

static ty_status mu_row(const ty_eval_row *row, ty_diag *diag)
{
    const double *x = row->number;
    ty_status status = check(mu_inputs, mu_ranges, row, diag);
    if (status == TY_OK && x[MU_2] < x[MU_S]) {
        status = ty_fail(diag, TY_ERR_RANGE, "mu_2 is %g, but takes at least mu_s, which is %g", x[MU_2], x[MU_S]);
    }
    if (status != TY_OK) {
        return status;
    }
    double p = fmax(x[P], 0.0), rate = x[I0] * ty_k_sph_shear(x[E], x[NU]) * x[DT] / x[D];
    double tau = ty_k_sph_return(p, x[TAU], sqrt(p / x[RHO]), rate, x[MU_S], x[MU_2], x[C]);
    bool yielded = x[TAU] > x[MU_S] * p + x[C];
    row->out[0] = p;
    row->out[1] = tau;
    row->out[2] = yielded && p > 0.0 ? (tau - x[C]) / p : x[MU_S];
    return TY_OK;
}

const ty_eval_model tyi_study_eval_mu_i = { "mu_i", mu_inputs, mu_outputs, mu_row };

enum { R1, R2, M1, M2, E1, E2, NU1, NU2, RESTITUTION, MU, OVERLAP, VN, XI, VT, STEP };
static const ty_eval_input hertz_inputs[] = {
    { "r1", "0.005", false },   { "r2", "0.005", false },   { "m1", "1.36e-3", false },
    { "m2", "1.36e-3", false }, { "e1", "1e7", false },     { "e2", "1e7", false },
    { "nu1", "0.3", false },    { "nu2", "0.3", false },    { "restitution", "0.5", false },
    { "mu", "0.5", false },     { "overlap", NULL, false }, { "vn", "0", false },
    { "xi", "0", false },       { "vt", "0", false },       { "dt", "1e-5", false },
    { NULL, NULL, false },
};
static const char *const hertz_outputs[] = { "fn", "ft", "xi", NULL };
static const range hertz_ranges[] = {
    { R1, 0.0, INFINITY, false, false }, { R2, 0.0, INFINITY, false, false },   { M1, 0.0, INFINITY, false, false },
    { M2, 0.0, INFINITY, false, false }, { E1, 0.0, INFINITY, false, false },   { E2, 0.0, INFINITY, false, false },
    { NU1, -1.0, 0.5, false, true },     { NU2, -1.0, 0.5, false, true },       { RESTITUTION, 0.0, 1.0, false, true },
    { MU, 0.0, INFINITY, true, false },  { STEP, 0.0, INFINITY, false, false }, { -1, 0, 0, false, false },
};

static ty_status hertz_row(const ty_eval_row *row, ty_diag *diag)
{
    const double *x = row->number;
    ty_status status = check(hertz_inputs, hertz_ranges, row, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_k_dem_pair pair = ty_k_dem_make(x[R1], x[R2], x[M1], x[M2], x[E1], x[E2], x[NU1], x[NU2], x[RESTITUTION], x[MU]);
    double fn = ty_k_dem_normal(pair, x[OVERLAP], x[VN]);
    ty_k_dem_slide slide =
        ty_k_dem_tangent(pair, x[OVERLAP], fn, ty_k_vec(x[XI], 0.0, 0.0), ty_k_vec(x[VT], 0.0, 0.0), x[STEP]);
    row->out[0] = fn;
    row->out[1] = slide.f.x + 0.0; /* + 0.0: no negative zero */
    row->out[2] = slide.xi.x + 0.0;
    return TY_OK;
}

const ty_eval_model tyi_study_eval_hertz = { "hertz", hertz_inputs, hertz_outputs, hertz_row };

enum { D_UM, GRAIN, MASS, Q };
static const ty_eval_input dust_inputs[] = {
    { "d_um", NULL, false }, { "rho", "3100", false }, { "mass", NULL, false },
    { "q", "2", false },     { NULL, NULL, false },
};
static const char *const dust_outputs[] = { "tau", "cover", "panel", NULL };
static const range dust_ranges[] = {
    { D_UM, 0.0, INFINITY, false, false },
    { GRAIN, 0.0, INFINITY, false, false },
    { MASS, 0.0, INFINITY, true, false },
    { Q, 0.0, INFINITY, true, false },
    { -1, 0, 0, false, false },
};

static ty_status dust_row(const ty_eval_row *row, ty_diag *diag)
{
    const double *x = row->number;
    ty_status status = check(dust_inputs, dust_ranges, row, diag);
    if (status == TY_OK) {
        double shadow = x[MASS] * ty_k_dust_area(x[GRAIN], 1e-6 * x[D_UM]);
        row->out[0] = x[Q] * shadow;
        row->out[1] = ty_k_dust_cover(shadow);
        row->out[2] = exp(-shadow);
    }
    return status;
}

const ty_eval_model tyi_study_eval_dust_optics = { "dust_optics", dust_inputs, dust_outputs, dust_row };
