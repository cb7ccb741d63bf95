/* src/vehicle/vehicle_def.c - defaults and ranges of a vehicle's definition.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "vehicle_def.h"
#include "core/core.h"
#include "soil/inner.h"

/* Gravity of the Moon. */
ty_vehicle_def ty_vehicle_def_default(void)
{
    return (ty_vehicle_def){
        .soil = ty_soil_def_default(),
        .rocks = true,
        .rock_min = 0.05,
        .rock_push = 0.10,
        .rock_mu = 0.7,
        .rock_density = 2900.0,
        .gravity = TY_GRAVITY_MOON,
        .cookie = TYI_COOKIE,
    };
}

#define AT(field) offsetof(ty_vehicle_def, field)
static const tyi_limit limits[] = {
    { "gravity", "m/s^2", AT(gravity), TYI_DOUBLE, 0.0, 100.0 },
    { "rock_min", "m", AT(rock_min), TYI_DOUBLE, 1e-3, 1e3 },
    { "rock_push", "m", AT(rock_push), TYI_DOUBLE, 0.0, 10.0 },
    { "rock_mu", "", AT(rock_mu), TYI_DOUBLE, 0.0, 10.0 },
    { "rock_density", "kg/m^3", AT(rock_density), TYI_DOUBLE, 100.0, 1e4 },
    { "x", "m", AT(x), TYI_DOUBLE, -1e6, 1e6 },
    { "y", "m", AT(y), TYI_DOUBLE, -1e6, 1e6 },
    { "yaw", "rad", AT(yaw), TYI_DOUBLE, -2.0 * TY_PI, 2.0 * TY_PI },
    { "drop", "m", AT(drop), TYI_DOUBLE, -1.0, 1e6 },
    { 0 },
};
const tyi_rules tyi_vehicle_rules = { "vehicle", limits, NULL };

ty_status tyi_vehicle_def_check(const ty_vehicle_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "vehicle: the definition did not start from ty_vehicle_def_default()");
    }
    if (!def->rover || !def->terrain) {
        return ty_fail(diag, TY_ERR_DEF, "vehicle: %s is not given", def->rover ? "terrain" : "rover");
    }
    if (def->integrator != TY_INTEGRATOR_EULER && def->integrator != TY_INTEGRATOR_RK4) {
        return ty_fail(diag, TY_ERR_RANGE, "vehicle: integrator is %d, but takes 0 or 1", (int)def->integrator);
    }
    ty_status status = tyi_rules_check(&tyi_vehicle_rules, def, diag);
    return status == TY_OK && !def->world ? tyi_soil_def_check(&def->soil, diag) : status;
}
