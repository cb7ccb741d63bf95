/* src/soil/regression.c - slip and sinkage by regression [ddt]: the paper's numbers around the formulas of k_ddt.h, and the model of
 * a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "k_ddt.h"
#include "k_rigid.h"
#include "world.h"
#include "inner.h"

ty_regression_params ty_regression_params_default(void)
{
    return (ty_regression_params){ .slip_v = 0.0265,
                                   .slip_0 = 0.0256,
                                   .slope_v = 0.00522,
                                   .slope_0 = 0.00105,
                                   .sink_s = 33.56,
                                   .sink_f = 0.9291,
                                   .sink_0 = 3.11,
                                   .fref = 8.72,
                                   .cookie = TYI_COOKIE };
}

static ty_k_ddt fit_of(const ty_regression_params *p)
{
    TY_ASSERT(p->cookie == TYI_COOKIE);
    return (ty_k_ddt){ p->slip_v, p->slip_0, p->slope_v, p->slope_0, p->sink_s, p->sink_f, p->sink_0 };
}

double tyi_soil_regression_slip(const ty_regression_params *params, double vw, double slope)
{
    return ty_k_ddt_slip(fit_of(params), vw, slope);
}

double tyi_soil_regression_speed(double s, double vw)
{
    return ty_k_ddt_speed(s, vw);
}

double tyi_soil_regression_sinkage(const ty_regression_params *params, double s, double fz)
{
    return ty_k_ddt_sinkage(fit_of(params), s, fz, params->fref);
}

double tyi_soil_regression_stiffness(double fz, double z, double grouser_h, int contacts)
{
    return ty_k_ddt_stiffness(fz, z, grouser_h, (double)contacts, 0.0, 0.0);
}

/* ---- the model of a run ----
 * The wheel that is seen turns at omega; the one that touches the ground has a rim that moves at
 * the speed (5) which the slip regression leaves of it, and sticks to the ground. What the paper
 * leaves open is settled here: only the climb along the wheel's way counts as slope (downhill and
 * across: as on level ground), reverse is forward mirrored, a wheel at rest does not slip, and a
 * skidding wheel sinks as a slipping one does. */

/* [s] over which the load that sets the stiffness (9) is averaged: a stiffness that followed the force at once would feed back on it */
#define LOAD_TIME   0.2
#define SLIP_TIME   0.2  /* [s] over which the slip (3) is averaged */
#define LATCH_SPEED 0.1  /* [m/s] v_min of (10) */
#define CRAWL       0.05 /* [m/s] */
/* [-] how much stiffer the ground unloads: (8) alone would be elastic and lift a wheel that is relieved */
#define UNLOAD 20.0
/* [m] and a twentieth of the reference load: thresholds of (9), whose values the paper does not give */
#define DEPTH_LEAST 1e-3

typedef struct kept {
    double ux, uy; /* [m] stretch of the sticking contact */
    double fz;     /* [N] of the last step */
    double load;   /* [N] fz of late */
    double depth;  /* [m] z of (4) in the last step, for (10) */
    double slip;   /* [-] (3) of late */
    double peak;   /* [m] how deep the wheel has been here */
    double speed;  /* [m/s] of the physical wheel's rim */
} kept;

static double slowed_rim(const ty_regression_params *p, kept *c, const ty_soil_plane *f, double rim, double dt)
{
    double climb = asin(ty_k_clamp(rim < 0.0 ? -f->x.z : f->x.z, -1.0, 1.0));
    double s = tyi_soil_regression_slip(p, rim, fmax(climb, 0.0));
    /* on steep slopes a faster wheel is slower over ground by (3): followed at once, that would
     * drive a motor into oscillation */
    c->slip += (s - c->slip) * (c->speed != 0.0 ? 1.0 - exp(-dt / SLIP_TIME) : 1.0);
    double goal = tyi_soil_regression_speed(c->slip, rim);
    /* (6) bounds how fast a wheel gains speed; losing it is up to friction */
    double most = ty_k_ddt_acceleration(c->speed) * dt, from = goal * c->speed < 0.0 ? 0.0 : c->speed;
    if (fabs(goal) > fabs(from) + most) {
        goal = from + (goal < 0.0 ? -most : most);
    }
    c->speed = goal;
    return goal;
}

/* (4) with (10), then (9) and (11) */
static void spring(const ty_soil_def *def, const ty_soil_at *at, kept *c, double rim, double dt, double *k,
                   double *damping)
{
    const ty_regression_params *p = &def->regression;
    const ty_soil_plane *f = at->plane;
    double way = rim < 0.0 ? -1.0 : 1.0, least = 0.05 * p->fref;
    /* at a crawl the slip ratio of a wheel that settles means nothing: it is faded in */
    double s =
        fabs(ty_k_slip_ratio(way * rim, fmax(way * f->v_x, 0.0))) * fmin(fmax(fabs(rim), fabs(f->v_x)) / CRAWL, 1.0);
    c->load = c->load > 0.0 ? c->load + (c->fz - c->load) * (1.0 - exp(-dt / LOAD_TIME)) : p->fref; /* touches down */
    double z = fmax(tyi_soil_regression_sinkage(p, fmin(s, 1.0), c->load), -0.8 * at->def->wheel.r);
    c->depth = ty_k_ddt_latch(z, c->depth, f->v_x, LATCH_SPEED);
    *k = ty_k_ddt_stiffness(c->load, c->depth, at->def->wheel.grouser_h, 1.0, least, DEPTH_LEAST);
    *damping = ty_k_ddt_damping(*k, fmax(c->load, least) / fmax(def->bekker.g, 1e-3));
}

static void step_wheel(const ty_soil_def *def, const ty_soil_at *at, double dt)
{
    const ty_rigid_params *p = &def->rigid;
    const ty_soil_plane *f = at->plane;
    ty_soil_load *out = at->load;
    kept *c = at->memory;
    double r = f->radius, lift = r - at->def->wheel.r, share = 1.0 / f->slices, tilt = 0.0, k, damping, mean = 0.0,
           rim = r * at->state->omega, slow = slowed_rim(&def->regression, c, f, rim, dt);
    spring(def, at, c, rim, dt, &k, &damping);
    for (int n = 0; n < f->slices; n++) {
        mean += share * f->h[n];
    }
    /* fresh ground under a wheel that rolls has not been pressed yet */
    c->peak = fmax(c->peak - (c->peak - (mean + lift)) * (1.0 - exp(-UNLOAD * fabs(f->v_x) * dt / r)), mean + lift);
    double relieved = (UNLOAD - 1.0) * (c->peak - (mean + lift));
    for (int n = 0; n < f->slices; n++) {
        double fz = share * ty_k_kelvin_voigt(k, 1.0, damping, f->h[n] + lift - relieved, f->h_rate);
        out->fz += fz;
        tilt += fz * f->y[n];
    }
    if (out->fz > 0.0) {
        ty_k_stick(p->k_tangent, p->c_tangent, p->mu * out->fz, f->v_x - slow, f->v_y, fabs(slow) / r, dt, &c->ux,
                   &c->uy, &out->fx, &out->fy);
    } else {
        c->ux = c->uy = c->load = c->depth = 0.0;
        c->peak = fmin(c->peak, fmax(mean + lift, 0.0)); /* left the ground: nothing under it is pressed */
    }
    c->fz = out->fz;
    out->sinkage = mean;
    out->resistance = out->fx * r;
    out->theta1 = acos(ty_k_clamp(1.0 - mean / at->def->wheel.r, -1.0, 1.0));
    *at->theta1 = out->theta1;
    ty_soil_wrench(at, out->fy * r, 0.0, tilt);
}

static ty_status step(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt, ty_diag *diag)
{
    (void)state, (void)diag;
    for (int i = 0; i < count; i++) {
        step_wheel(def, &at[i], dt);
    }
    return TY_OK;
}

const ty_soil_model tyi_soil_model_regression = {
    .name = "regression", .memory = sizeof(kept), .prints = true, .step = step
};
