/* src/soil/wheel.c - the wheel of a run: contact and history, one step at a time. The formulas are in k_bekker.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "soil.h"
#include "inner.h"

struct tyi_soil_wheel {
    ty_k_bekker wheel;
    const ty_alloc *alloc;
};

ty_status tyi_soil_wheel_create(const ty_soil_params *params, const ty_wheel_shape *shape, const ty_alloc *alloc,
                                tyi_soil_wheel **out, ty_diag *diag)
{
    *out = NULL;
    ty_k_bekker wheel;
    ty_status status = tyi_soil_wheel_prepare(params, shape, &wheel, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_soil_wheel *made = tyi_get(alloc, sizeof *made);
    if (!made) {
        return ty_fail(diag, TY_ERR_MEMORY, "soil: no memory for a wheel (%zu bytes)", sizeof *made);
    }
    *made = (tyi_soil_wheel){ wheel, alloc };
    *out = made;
    return TY_OK;
}

void tyi_soil_wheel_destroy(tyi_soil_wheel *wheel)
{
    if (wheel) {
        tyi_put(wheel->alloc, wheel, sizeof *wheel);
    }
}

double tyi_soil_wheel_risen(const tyi_soil_wheel *wheel, double elastic, double z_u)
{
    return ty_k_bekker_risen(wheel->wheel.k, wheel->wheel.n0, elastic, z_u);
}

static ty_k_bekker_history to_kernel(const tyi_soil_wheel_history *was)
{
    return (ty_k_bekker_history){ was->ux, was->uy, was->px, was->py, was->slip, was->side, was->roll };
}

void tyi_soil_wheel_contact(const ty_k_bekker *wheel, const tyi_soil_wheel_state *state, ty_wheel_load *out)
{
    ty_k_bekker_patch at;
    ty_k_bekker here = *wheel;
    here.rise = state->rise;
    here.rut = state->rut;
    here.elastic = state->elastic;
    here.shear_time = state->calm > 0.0 ? fmin(wheel->shear_time, state->calm) : wheel->shear_time;
    ty_k_bekker_load load = ty_k_bekker_contact(here, state->h, state->h_rate, state->v_x, state->v_y, state->omega,
                                                to_kernel(&state->history), &at);
    *out = (ty_wheel_load){ .fx = load.fx,
                            .fy = load.fy,
                            .fz = load.fz,
                            .torque = load.torque,
                            .mx = load.mx,
                            .mz = load.mz,
                            .theta1 = at.theta1,
                            .theta2 = at.theta2,
                            .thetam = at.thetam,
                            .slip = at.slip,
                            .beta = at.beta };
}

void tyi_soil_wheel_force(const tyi_soil_wheel *wheel, const tyi_soil_wheel_state *state, ty_wheel_load *out)
{
    tyi_soil_wheel_contact(&wheel->wheel, state, out);
}

void tyi_soil_wheel_advance(const tyi_soil_wheel *wheel, tyi_soil_wheel_state *state, double dt)
{
    ty_k_bekker_history now = ty_k_bekker_advance(wheel->wheel, state->h, state->v_x, state->v_y, state->omega, dt,
                                                  to_kernel(&state->history));
    state->history = (tyi_soil_wheel_history){ now.ux, now.uy, now.px, now.py, now.slip, now.side, now.roll };
}
