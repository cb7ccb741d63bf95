/* src/soil/rig.c - the single-wheel rig: a wheel led at given slip and slip angle that sinks freely
 * under its load; and the plate and shear tests in closed form.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "rig.h"
#include "soil.h"

static const char *const names[] = {
#define TY_RIG_NAME(id, name, what) name,
    TY_RIG_LIST(TY_RIG_NAME)
#undef TY_RIG_NAME
};

const char *ty_rig_name(ty_rig_model model)
{
    return model < TY_RIG_COUNT ? names[model] : "?";
}

bool ty_rig_find(const char *name, ty_rig_model *out)
{
    for (int i = 0; i < TY_RIG_COUNT; i++) {
        if (!strcmp(name, names[i])) {
            *out = (ty_rig_model)i;
            return true;
        }
    }
    return false;
}

ty_rig_def ty_rig_def_default(void)
{
    return (ty_rig_def){ .model = TY_RIG_STATIC,
                         .soil = ty_soil_params_default(),
                         .wheel = { 0.25, 0.2, 0.0, 0 },
                         .load = 180.0,
                         .speed = 0.1,
                         .dt = 1e-3,
                         .cell = 0.01,
                         .cookie = TYI_COOKIE };
}

static ty_status check(const ty_rig_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF,
                       "rig: the definition was not started from "
                       "ty_rig_def_default()");
    }
    if ((int)def->model < 0 || def->model >= TY_RIG_COUNT) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: there is no model number %d", (int)def->model);
    }
    if (!(def->load > 0.0 && def->load <= 1e9)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: load is %g, but must be above 0 (at most 1e9) N", def->load);
    }
    if (!(def->slip >= -1.0 && def->slip <= 1.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: slip is %g, but takes -1 to 1", def->slip);
    }
    if (!(fabs(def->beta) <= 1.4)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: beta is %g rad, but takes -1.4 to 1.4", def->beta);
    }
    if (!(def->speed >= 1e-4 && def->speed <= 10.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: speed is %g, but takes 0.0001 to 10 m/s", def->speed);
    }
    if (!(def->dt >= 1e-6 && def->dt <= 0.01)) {
        return ty_fail(diag, TY_ERR_RANGE, "rig: dt is %g, but takes 1e-6 to 0.01 s", def->dt);
    }
    return TY_OK;
}

tyi_soil_rig_motion tyi_soil_rig_lead(const ty_rig_def *def)
{
    double rs = ty_wheel_shear_radius(&def->soil, &def->wheel), s = def->slip;
    double rim = s < 0.0 ? def->speed * (1.0 + s) : def->speed;
    double v_x = s > 0.0 ? def->speed * (1.0 - s) : def->speed;
    return (tyi_soil_rig_motion){ v_x, v_x * tan(def->beta), rim / rs };
}

void tyi_soil_rig_add(tyi_soil_rig_sum *sum, double h, const ty_wheel_load *at)
{
    sum->h += h;
    sum->fx += at->fx;
    sum->fy -= at->fy; /* towards +beta */
    sum->fz += at->fz;
    sum->torque += at->torque;
    sum->square += at->fx * at->fx;
    sum->n++;
}

void tyi_soil_rig_mean(const tyi_soil_rig_sum *sum, const ty_rig_def *def, ty_rig_result *out)
{
    double n = (double)sum->n, fx = sum->fx / n;
    *out = (ty_rig_result){ .h = sum->h / n,
                            .fx = fx,
                            .fy = sum->fy / n,
                            .fz = sum->fz / n,
                            .torque = sum->torque / n,
                            .slip = def->slip,
                            .beta = def->beta,
                            .ripple = sqrt(fmax(sum->square / n - fx * fx, 0.0)) };
}

static ty_status run_static(const ty_rig_def *def, ty_rig_result *out, ty_diag *diag)
{
    ty_wheel_steady motion = { .load = def->load, .slip = def->slip, .beta = def->beta };
    ty_wheel_load at;
    double h;
    ty_status status = ty_wheel_static(&def->soil, &def->wheel, &motion, &h, &at, diag);
    if (status == TY_OK) {
        *out = (ty_rig_result){ h, at.fx, -at.fy, at.fz, at.torque, def->slip, def->beta, 0.0 };
    }
    return status;
}

/* Steps until everything has been renewed many times: the contact is renewed by the rim's way over
 * its length, and the sinkage settles within a second or so. */
static ty_status run_bekker(const ty_rig_def *def, ty_rig_result *out, ty_diag *diag)
{
    ty_wheel_soil *wheel;
    ty_status status = ty_wheel_soil_create(&def->soil, &def->wheel, NULL, &wheel, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_soil_rig_motion lead = tyi_soil_rig_lead(def);
    ty_wheel_state state = { .h = 1e-4, .v_x = lead.v_x, .v_y = lead.v_y, .omega = lead.omega };
    ty_wheel_load at = { 0 };
    tyi_soil_rig_sum sum = { 0 };
    double way = fmax(fabs(lead.omega) * def->wheel.r, 0.02 * def->speed);
    long steps = (long)fmin((4.0 + 12.0 * def->wheel.r / way) / def->dt, 4e5);
    double mass = def->load / def->soil.g;
    for (long i = 0; i < steps && state.h < 2.0 * def->wheel.r; i++) {
        ty_wheel_advance(wheel, &state, def->dt);
        ty_wheel_contact(wheel, &state, &at);
        state.h_rate += def->dt * (def->load - at.fz) / mass;
        state.h += def->dt * state.h_rate;
        if (i >= steps - steps / 20) {
            tyi_soil_rig_add(&sum, state.h, &at);
        }
    }
    ty_wheel_soil_destroy(wheel);
    if (!sum.n) {
        return ty_fail(diag, TY_ERR_NUMERIC, "rig: the wheel sank below the ground: no sinkage carries %g N at slip %g",
                       def->load, def->slip);
    }
    tyi_soil_rig_mean(&sum, def, out);
    return TY_OK;
}

ty_status ty_rig_run(const ty_rig_def *def, ty_rig_result *out, ty_diag *diag)
{
    static ty_status (*const run[])(const ty_rig_def *, ty_rig_result *, ty_diag *) = {
        run_static,
        run_bekker,
        tyi_soil_rig_scm,
    };
    ty_status status = check(def, diag);
    return status == TY_OK ? run[def->model](def, out, diag) : status;
}

ty_status ty_plate_pressure(const ty_rig_def *def, double b, double depth, double *pressure, ty_diag *diag)
{
    if (!(b > 0.0 && b < 5.0 && depth >= 0.0 && depth <= 10.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "plate: width is %g m and depth %g m, but takes 0 to 5 and 0 to 10 m", b,
                       depth);
    }
    if (def->model == TY_RIG_SCM) {
        return tyi_soil_plate_scm(def, b, depth, pressure, diag);
    }
    double k = ty_k_bekker_modulus(def->soil.k_c, def->soil.k_phi, b);
    *pressure = ty_k_bekker_pressure(k, depth, def->soil.n0);
    return TY_OK;
}

ty_status ty_plate_shear(const ty_rig_def *def, double normal, double j, double *shear, ty_diag *diag)
{
    if (!(normal >= 0.0 && normal <= 1e8 && fabs(j) <= 10.0)) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "plate: normal stress is %g Pa and the way %g m, but takes 0 to 1e8 and up to "
                       "10 m",
                       normal, j);
    }
    if (def->model == TY_RIG_SCM) {
        return tyi_soil_shear_scm(def, normal, j, shear, diag);
    }
    *shear = (def->soil.c + normal * tan(ty_soil_shear_angle(&def->soil))) * ty_k_bekker_mobilised(j, def->soil.kx);
    return TY_OK;
}
