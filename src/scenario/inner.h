/* src/scenario/inner.h - what other modules ask of a scenario beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SCENARIO_INNER_H
#define TYI_SCENARIO_INNER_H
#include "tycho/scenario.h"

/* The soil that lies where no region says otherwise: the scenario's, or what its rovers say. TY_ERR_INPUT where they differ. */
ty_status tyi_scenario_soil_of(const ty_scenario *scenario, ty_scenario_soil *out, ty_diag *diag);

/* Lines as a scenario has them, with `objects`, `rocks` and `rovers` (name, x, y, yaw_deg) alone, for things that are put into
 * one: checked as they would be there. Files are relative to the working folder. To be destroyed as a scenario. */
ty_status tyi_scenario_part(const ty_scenario *of, const char *text, ty_scenario **out, ty_diag *diag);
/* a rock of a scenario as the ground has it; index: sets its id */
ty_rock tyi_scenario_rock_of(const ty_scenario_rock *rock, uint64_t index);

#endif
