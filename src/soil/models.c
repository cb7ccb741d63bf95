/* src/soil/models.c - the table of soil models: a new one is a row of TY_SOIL_MODEL_LIST and a file of its own.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "core/core.h"
#include "core/rules.h"
#include "world.h"
#include "inner.h"

static const ty_soil_model *const table[] = {
#define ROW(id, name, what) &tyi_soil_model_##name,
    TY_SOIL_MODEL_LIST(ROW)
#undef ROW
};

/* what wheels stand on: the patch, where there is one under each */
static const ty_soil_model *under_wheels(const ty_soil_def *def)
{
    bool patch = def->patch.model != TY_PATCH_NONE && def->patch.follow == TY_PATCH_WHEELS;
    return !patch                             ? tyi_soil_model_of(def)
           : def->patch.model == TY_PATCH_DEM ? &tyi_soil_model_dem
                                              : &tyi_soil_model_crm;
}

static const char *const names[] = {
#define NAME(id, name, what) #name,
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

const ty_soil_model *tyi_soil_model_of(const ty_soil_def *def)
{
    return def->model == TY_SOIL_USER ? def->user : table[def->model];
}

double tyi_soil_rolling_radius(const ty_soil_def *def, const ty_wheel_shape *shape)
{
    const ty_soil_model *model = under_wheels(def);
    return model->radius ? model->radius(def, shape) : shape->r + (shape->grousers ? shape->grouser_h : 0.0);
}

double tyi_soil_standing_radius(const ty_soil_def *def, const ty_wheel_shape *shape)
{
    const ty_soil_model *model = under_wheels(def);
    return model->stand ? model->stand(def, shape) : shape->r;
}

/* ---- nothing, and a user's own, whose row comes with the definition ---- */

static ty_status step_nothing(void *state, const ty_soil_def *def, const ty_soil_at *at, int count, double dt,
                              ty_diag *diag)
{
    (void)state, (void)def, (void)at, (void)count, (void)dt, (void)diag;
    return TY_OK;
}
const ty_soil_model tyi_soil_model_none = { .name = "none", .step = step_nothing };
const ty_soil_model tyi_soil_model_user = { .name = "user", .step = step_nothing };

/* ---- definitions ---- */

/* Half of a rut's volume goes to berms (chosen): regolith of 1.3 g/cm3 at the surface that a wheel presses to the 1.5 of the upper
 * 15 cm [carrier1991] takes up about the other half. Rigid ground: stiff enough that a rover of 400 kg sinks by 2 mm, soft and damped
 * enough for steps of a millisecond; friction of a grousered wheel on rock. */
/* models/soils/lunar.yaml: with slip sinkage, which the bare formulas leave out unless they are told */
static ty_soil_params lunar(void)
{
    ty_soil_params soil = ty_soil_params_default();
    soil.n1 = 0.5;
    return soil;
}

ty_soil_def ty_soil_def_default(void)
{
    return (ty_soil_def){
        .model = TY_SOIL_BEKKER,
        .bekker = lunar(),
        .regression = ty_regression_params_default(),
        .rigid = { .k = 1e5, .n = 1.0, .gamma = 2e3, .mu = 0.8, .k_tangent = 1e5, .c_tangent = 5e2 },
        .grid = { .spacing = 0.02,
                  .lugs = true,
                  .plate = 0.2,
                  .berms = true,
                  .berm = 0.5,
                  .elastic = 2e8,
                  .threads = 1 },
        .patch = { .spacing = 0.02,
                   .wide = 2.0,
                   .e = 1e6,
                   .nu = 0.3,
                   .i0 = 0.04,
                   .grain = 0.005,
                   .alpha = 0.1,
                   .mu = 0.5,
                   .roll = 0.2,
                   .restitution = 0.5,
                   .spread = 0.1,
                   .jump = 2 },
        .slices = 3,
        .ruts = true,
        .multipass = true,
        .cookie = TYI_COOKIE,
    };
}

#define AT(field) offsetof(ty_soil_def, field)
static const tyi_limit limits[] = {
    { "slices", "", AT(slices), TYI_INT, 1.0, TY_SOIL_SLICES },
    { "rigid.k", "N/m^n", AT(rigid.k), TYI_DOUBLE, 1.0, 1e9 },
    { "rigid.n", "", AT(rigid.n), TYI_DOUBLE, 0.5, 3.0 },
    { "rigid.gamma", "N s/m", AT(rigid.gamma), TYI_DOUBLE, 0.0, 1e9 },
    { "rigid.mu", "", AT(rigid.mu), TYI_DOUBLE, 0.0, 10.0 },
    { "rigid.k_tangent", "N/m", AT(rigid.k_tangent), TYI_DOUBLE, 1.0, 1e9 },
    { "rigid.c_tangent", "N s/m", AT(rigid.c_tangent), TYI_DOUBLE, 0.0, 1e9 },
    { "grid.spacing", "m", AT(grid.spacing), TYI_DOUBLE, 0.005, 0.2 },
    { "grid.plate", "", AT(grid.plate), TYI_DOUBLE, 0.01, 1.0 },
    { "grid.berm", "", AT(grid.berm), TYI_DOUBLE, 0.0, 1.0 },
    { "grid.elastic", "Pa/m", AT(grid.elastic), TYI_DOUBLE, 1e3, 1e12 },
    { "grid.threads", "", AT(grid.threads), TYI_INT, 0.0, 1024.0 },
    { "patch.spacing", "m", AT(patch.spacing), TYI_DOUBLE, 0.002, 0.1 },
    { "patch.side", "m", AT(patch.side), TYI_DOUBLE, 0.0, 10.0 },
    { "patch.depth", "m", AT(patch.depth), TYI_DOUBLE, 0.0, 2.0 },
    { "patch.x", "m", AT(patch.x), TYI_DOUBLE, -1e6, 1e6 },
    { "patch.y", "m", AT(patch.y), TYI_DOUBLE, -1e6, 1e6 },
    { "patch.wide", "m", AT(patch.wide), TYI_DOUBLE, 0.1, 1e3 },
    { "patch.e", "Pa", AT(patch.e), TYI_DOUBLE, 1e3, 1e10 },
    { "patch.nu", "", AT(patch.nu), TYI_DOUBLE, 0.0, 0.49 },
    { "patch.mu_2", "", AT(patch.mu_2), TYI_DOUBLE, 0.0, 4.0 },
    { "patch.i0", "", AT(patch.i0), TYI_DOUBLE, 1e-4, 10.0 },
    { "patch.grain", "m", AT(patch.grain), TYI_DOUBLE, 1e-6, 0.1 },
    { "patch.friction", "", AT(patch.friction), TYI_DOUBLE, 0.0, 4.0 },
    { "patch.alpha", "", AT(patch.alpha), TYI_DOUBLE, 0.0, 1.0 },
    { "patch.lode", "", AT(patch.lode), TYI_DOUBLE, 0.0, 1.0 },
    { "patch.mu", "", AT(patch.mu), TYI_DOUBLE, 0.01, 2.0 },
    { "patch.roll", "", AT(patch.roll), TYI_DOUBLE, 0.0, 2.0 },
    { "patch.restitution", "", AT(patch.restitution), TYI_DOUBLE, 0.01, 1.0 },
    { "patch.spread", "", AT(patch.spread), TYI_DOUBLE, 0.0, 0.3 },
    { "patch.jump", "", AT(patch.jump), TYI_INT, 1.0, 16.0 },
    { "patch.threads", "", AT(patch.threads), TYI_INT, 0.0, 1024.0 },
    { 0 },
};
static const tyi_rules rules = { "soil", limits, NULL };

ty_status tyi_soil_def_check(const ty_soil_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "soil: the definition did not start from ty_soil_def_default()");
    }
    if ((unsigned)def->model >= TY_SOIL_MODEL_COUNT) {
        return ty_fail(diag, TY_ERR_RANGE, "soil: model is %d, but takes 0 to %d", (int)def->model,
                       TY_SOIL_MODEL_COUNT - 1);
    }
    if (def->model == TY_SOIL_USER && !(def->user && def->user->step)) {
        return ty_fail(diag, TY_ERR_DEF, "soil: the model is a user's, but no model with a step is given");
    }
    return tyi_rules_check(&rules, def, diag);
}
