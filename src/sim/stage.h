/* src/sim/stage.h - what the files of a stage share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SIM_STAGE_H
#define TYI_SIM_STAGE_H
#include "tycho/stage.h"

/* base, changed by what a scenario says; what: for messages, "objects.3" */
ty_status tyi_sim_stage_material(const ty_render_kinds *kinds, const ty_scenario_material *m, const ty_material *base,
                                 const char *what, ty_material *out, ty_diag *diag);
/* maps and regions of the ground into the scene (stage_ground.c) */
ty_status tyi_sim_stage_ground(const ty_render_kinds *kinds, const ty_scenario_ground *ground, const ty_material *soil,
                               ty_terrain *terrain, ty_scene *scene, ty_diag *diag);

/* one object more than the scenario's, which stands; what: for messages */
ty_status tyi_sim_stage_put(ty_stage *stage, const ty_scenario_object *object, const char *what, uint32_t *id,
                            ty_diag *diag);
/* the scene's number of object i of the scenario */
uint32_t tyi_sim_stage_object(const ty_stage *stage, size_t i);

#endif
