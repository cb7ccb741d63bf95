/* src/vehicle/vehicle_def.c - defaults and ranges of a vehicle's definition.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "vehicle_def.h"
#include <string.h>
#include "core/core.h"
#include "core/rules.h"

static const char *const names[] = {
#define NAME(id, name, what) name,
    TY_SOIL_MODEL_LIST(NAME)
#undef NAME
};

const char *ty_soil_model_name(ty_soil_model_kind kind)
{
    return kind < TY_SOIL_MODEL_COUNT ? names[kind] : "?";
}

bool ty_soil_model_find(const char *name, ty_soil_model_kind *out)
{
    for (int i = 0; i < TY_SOIL_MODEL_COUNT; i++) {
        if (!strcmp(name, names[i])) {
            *out = (ty_soil_model_kind)i;
            return true;
        }
    }
    return false;
}

/* Gravity of the Moon. Half of a rut's volume goes to berms (chosen): regolith of 1.3 g/cm3 at the surface that a
 * wheel presses to the 1.5 of the upper 15 cm [carrier1991] takes up about the other half. Rigid ground: stiff
 * enough that a rover of 400 kg sinks by 2 mm, soft and damped enough for steps of a millisecond; friction of a
 * grousered wheel on rock. */
ty_vehicle_def ty_vehicle_def_default(void)
{
    return (ty_vehicle_def){
        .soil = { .model = TY_SOIL_BEKKER,
                  .bekker = ty_soil_params_default(),
                  .regression = ty_regression_params_default(),
                  .rigid = { .k = 1e5, .n = 1.0, .gamma = 2e3, .mu = 0.8, .k_tangent = 1e5, .c_tangent = 5e2 },
                  .grid = { .spacing = 0.02, .lugs = true, .berms = true, .berm = 0.5, .elastic = 2e8, .threads = 1 },
                  .slices = 3,
                  .ruts = true },
        .rocks = true,
        .rock_min = 0.05,
        .rock_push = 0.10,
        .rock_mu = 0.7,
        .rock_density = 2900.0,
        .gravity = 1.62,
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
    { "yaw", "rad", AT(yaw), TYI_DOUBLE, -100.0, 100.0 },
    { "drop", "m", AT(drop), TYI_DOUBLE, -1.0, 1e6 },
    { "soil.slices", "", AT(soil.slices), TYI_INT, 1.0, 9.0 },
    { "soil.rigid.k", "N/m^n", AT(soil.rigid.k), TYI_DOUBLE, 1.0, 1e9 },
    { "soil.rigid.n", "", AT(soil.rigid.n), TYI_DOUBLE, 0.5, 3.0 },
    { "soil.rigid.gamma", "N s/m", AT(soil.rigid.gamma), TYI_DOUBLE, 0.0, 1e9 },
    { "soil.rigid.mu", "", AT(soil.rigid.mu), TYI_DOUBLE, 0.0, 10.0 },
    { "soil.rigid.k_tangent", "N/m", AT(soil.rigid.k_tangent), TYI_DOUBLE, 1.0, 1e9 },
    { "soil.rigid.c_tangent", "N s/m", AT(soil.rigid.c_tangent), TYI_DOUBLE, 0.0, 1e9 },
    { "soil.grid.spacing", "m", AT(soil.grid.spacing), TYI_DOUBLE, 0.005, 0.2 },
    { "soil.grid.berm", "", AT(soil.grid.berm), TYI_DOUBLE, 0.0, 1.0 },
    { "soil.grid.elastic", "Pa/m", AT(soil.grid.elastic), TYI_DOUBLE, 1e3, 1e12 },
    { "soil.grid.threads", "", AT(soil.grid.threads), TYI_INT, 0.0, 1024.0 },
    { 0 },
};
static const tyi_rules rules = { "vehicle", limits, NULL };

ty_status tyi_vehicle_def_check(const ty_vehicle_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "vehicle: the definition did not start from ty_vehicle_def_default()");
    }
    if (!def->rover || !def->terrain) {
        return ty_fail(diag, TY_ERR_DEF, "vehicle: %s is not given", def->rover ? "terrain" : "rover");
    }
    if ((unsigned)def->soil.model >= TY_SOIL_MODEL_COUNT) {
        return ty_fail(diag, TY_ERR_RANGE, "vehicle: soil.model is %d, but takes 0 to %d", (int)def->soil.model,
                       TY_SOIL_MODEL_COUNT - 1);
    }
    if (def->integrator != TY_INTEGRATOR_EULER && def->integrator != TY_INTEGRATOR_RK4) {
        return ty_fail(diag, TY_ERR_RANGE, "vehicle: integrator is %d, but takes 0 or 1", (int)def->integrator);
    }
    return tyi_rules_check(&rules, def, diag);
}
