/* src/scenario/inner.h - what other modules ask of a scenario beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SCENARIO_INNER_H
#define TYI_SCENARIO_INNER_H
#include "tycho/scenario.h"

/* The soil that lies where no region says otherwise: the scenario's, or what its rovers say. TY_ERR_INPUT where they differ. */
ty_status tyi_scenario_soil_of(const ty_scenario *scenario, ty_scenario_soil *out, ty_diag *diag);

#endif
