/* src/soil/static.c - a wheel in steady motion over flat ground: the sinkage that carries a load,
 * and the forces there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "soil.h"
#include "tycho/math.h"
#include "inner.h"

static ty_status check_motion(const ty_k_bekker *wheel, const ty_wheel_steady *m, ty_diag *diag)
{
    if (!(m->slip >= -1.0 && m->slip <= 1.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "wheel: slip is %g, but takes -1 to 1", m->slip);
    }
    if (!(fabs(m->beta) <= 1.55)) {
        return ty_fail(diag, TY_ERR_RANGE, "wheel: beta is %g deg, but takes -88.8 to 88.8", m->beta / TY_DEG);
    }
    if (m->by_sinkage && !(m->h >= 0.0 && m->h <= 2.0 * wheel->r)) {
        return ty_fail(diag, TY_ERR_RANGE, "wheel: h is %g, but takes 0 to the wheel's diameter of %g m", m->h,
                       2.0 * wheel->r);
    }
    if (!m->by_sinkage && !(m->load > 0.0 && m->load <= 1e9)) {
        return ty_fail(diag, TY_ERR_RANGE, "wheel: load is %g, but must be above 0 (at most 1e9) N", m->load);
    }
    return TY_OK;
}

/* The forces at sinkage h: no velocities, so that nothing but the steady history counts. */
static double carried(const ty_k_bekker *wheel, const ty_wheel_steady *m, double h, ty_wheel_load *out)
{
    ty_k_bekker_history was = ty_k_bekker_steady(*wheel, h, m->slip, m->beta);
    tyi_soil_wheel_state state = { .h = h,
                                   .history = { was.ux, was.uy, was.px, was.py, was.slip, was.side, was.roll } };
    tyi_soil_wheel_contact(wheel, &state, out);
    return out->fz;
}

/* The crossing of the load between a sinkage that carries less and one that carries more: secant
 * steps (Illinois), halving where they do not close in fast. Ends when the two are neighbours in
 * double precision, at the latest after 200 steps. */
static double close_in(const ty_k_bekker *wheel, const ty_wheel_steady *m, double low, double f_low, double high,
                       double f_high)
{
    ty_wheel_load at;
    int moved = 0; /* how often in a row the same end moved: < 0 the low one, > 0 the high one */
    for (int i = 0; i < 200 && high - low > 4e-16 * high; i++) {
        double h = low + (high - low) * (f_low / (f_low - f_high));
        if (!(h > low && h < high) || i % 8 == 7) {
            h = 0.5 * (low + high);
        }
        double f = carried(wheel, m, h, &at) - m->load;
        if (f == 0.0) {
            return h;
        }
        if (f < 0.0) {
            low = h;
            f_low = f;
            moved = moved < 0 ? moved - 1 : -1;
            f_high = moved < -1 ? 0.5 * f_high : f_high;
        } else {
            high = h;
            f_high = f;
            moved = moved > 0 ? moved + 1 : 1;
            f_low = moved > 1 ? 0.5 * f_low : f_low;
        }
    }
    return 0.5 * (low + high);
}

/* The smallest sinkage up to the radius that carries the load. f_z need not grow all the way (in
 * deep skid the shear pulls down), so the first crossing is sought on a grid, fine near zero. */
static ty_status find_sinkage(const ty_k_bekker *wheel, const ty_wheel_steady *m, double *h, ty_diag *diag)
{
    enum { STEPS = 96 };
    double low = 0.0, f_low = -m->load, most = 0.0, most_h = 0.0;
    for (int i = 1; i <= STEPS; i++) {
        double x = (double)i / STEPS, high = wheel->r * x * x * x;
        ty_wheel_load at;
        double f_high = carried(wheel, m, high, &at) - m->load;
        if (f_high >= 0.0) {
            *h = close_in(wheel, m, low, f_low, high, f_high);
            return TY_OK;
        }
        if (at.fz > most) {
            most = at.fz;
            most_h = high;
        }
        low = high;
        f_low = f_high;
    }
    return ty_fail(diag, TY_ERR_NUMERIC,
                   "wheel: no sinkage up to the radius of %g m carries %g N at slip %g; the most "
                   "is %.4g N at %.4g m",
                   wheel->r, m->load, m->slip, most, most_h);
}

/* From the sinkage that one panel finds to that of the fine integration: they differ by little, but
 * by how little depends on the soil, so the interval around it grows until it holds the crossing. */
static double refine(const ty_k_bekker *wheel, const ty_wheel_steady *m, double h)
{
    ty_wheel_load at;
    for (double width = 1e-6; width < 1.0; width *= 10.0) {
        double low = h * (1.0 - width), high = h * (1.0 + width);
        double f_low = carried(wheel, m, low, &at) - m->load, f_high = carried(wheel, m, high, &at) - m->load;
        if (f_low <= 0.0 && f_high >= 0.0) {
            return close_in(wheel, m, low, f_low, high, f_high);
        }
    }
    return h;
}

ty_status ty_wheel_static(const ty_soil_params *params, const ty_wheel_shape *shape, const ty_wheel_steady *motion,
                          double *h, ty_wheel_load *out, ty_diag *diag)
{
    ty_k_bekker wheel;
    ty_status status = tyi_soil_wheel_prepare(params, shape, &wheel, diag);
    if (status == TY_OK) {
        status = check_motion(&wheel, motion, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    wheel.damping = 0.0;
    wheel.shear_time = 0.0;
    double found = motion->h;
    if (!motion->by_sinkage) {
        status = find_sinkage(&wheel, motion, &found, diag);
    }
    wheel.panels = 32; /* for tables that others compare with: to 1e-7 of the load */
    if (status == TY_OK) {
        *h = motion->by_sinkage ? found : refine(&wheel, motion, found);
        carried(&wheel, motion, *h, out);
    }
    return status;
}
