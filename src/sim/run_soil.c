/* src/sim/run_soil.c - the soil world of a run: the scenario's soils and where they lie.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "run.h"
#include "soil/world.h"
#include "tycho/tools/testbed.h"

static ty_status find_user(const ty_run *run, const char *name, ty_soil_def *out, ty_diag *diag)
{
    for (size_t i = 0; i < run->def.soil_models; i++) {
        if (!strcmp(run->def.soil_model[i].name, name)) {
            out->user = &run->def.soil_model[i];
            return TY_OK;
        }
    }
    return ty_fail(diag, TY_ERR_INPUT,
                   "there is no soil model '%s'; the program that runs the scenario must bring it (ty_run_def)", name);
}

static ty_status soil_of(const ty_run *run, const ty_scenario_soil *from, ty_soil_def *out, ty_diag *diag)
{
    *out = ty_soil_def_default();
    out->model = (ty_soil_model_kind)from->model;
    out->grid.spacing = from->spacing > 0.0 ? from->spacing : out->grid.spacing; /* 0: not said */
    out->grid.lugs = from->lugs;
    out->patch = from->patch.spacing > 0.0 ? from->patch : out->patch;
    ty_status status = from->model == TY_SOIL_USER ? find_user(run, from->user, out, diag) : TY_OK;
    return status == TY_OK && from->file[0] ? ty_soil_def_load(from->file, out, diag) : status;
}

static ty_status make_world(ty_run *run, ty_soil_def *soil, tyi_soil_region *region, ty_diag *diag)
{
    const ty_scenario *s = &run->scenario;
    double *point = run->soil_points;
    ty_scenario_soil base;
    ty_status status = ty_scenario_soil_of(s, &base, diag);
    status = status == TY_OK ? soil_of(run, &base, &soil[0], diag) : status;
    for (size_t i = 0; i < s->soil_regions && status == TY_OK; i++) {
        const ty_scenario_soil_region *r = &s->soil_region[i];
        region[i] = (tyi_soil_region){ .soil = (int)i + 1,
                                       .x = r->x,
                                       .y = r->y,
                                       .radius = r->radius,
                                       .point = point,
                                       .points = r->shape ? r->corners : 0 };
        for (size_t k = 0; k < region[i].points; k++) {
            *point++ = r->corner[k].x;
            *point++ = r->corner[k].y;
        }
        status = soil_of(run, &r->soil, &soil[i + 1], diag);
    }
    tyi_soil_world_def def = { .terrain = ty_world_terrain(run->world),
                               .gravity = s->gravity,
                               .soil = soil,
                               .soils = (int)s->soil_regions + 1,
                               .region = region,
                               .regions = s->soil_regions };
    return status == TY_OK ? tyi_soil_world_create(&def, &run->soil, diag) : status;
}

ty_status tyi_sim_soil_make(ty_run *run, ty_diag *diag)
{
    size_t regions = run->scenario.soil_regions, points = 0;
    for (size_t i = 0; i < regions; i++) {
        points += run->scenario.soil_region[i].corners;
    }
    ty_soil_def *soil = tyi_get(NULL, (regions + 1) * sizeof *soil);
    tyi_soil_region *region = tyi_get(NULL, (regions + 1) * sizeof *region);
    run->soil_point_bytes = (2 * points + 1) * sizeof *run->soil_points;
    run->soil_points = tyi_get(NULL, run->soil_point_bytes);
    ty_status status = soil && region && run->soil_points ? make_world(run, soil, region, diag)
                                                          : ty_fail(diag, TY_ERR_MEMORY, "run: no memory for soils");
    tyi_put(NULL, soil, soil ? (regions + 1) * sizeof *soil : 0);
    tyi_put(NULL, region, region ? (regions + 1) * sizeof *region : 0);
    return status;
}

void tyi_sim_soil_free(ty_run *run)
{
    tyi_soil_world_destroy(run->soil);
    tyi_put(NULL, run->soil_points, run->soil_points ? run->soil_point_bytes : 0);
}
