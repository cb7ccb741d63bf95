/* src/world/terrain/def.h - what a terrain definition accepts.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_DEF_H
#define TYI_TERRAIN_DEF_H
#include "core/rules.h"
#include "tycho/terrain.h"

/* Offsets are from the start of ty_terrain_def, nested structs included. */
extern const tyi_rules tyi_terrain_rules;

/* TY_ERR_DEF when def did not start from ty_terrain_def_default(), TY_ERR_RANGE with field, value and range. */
ty_status ty_terrain_def_check(const ty_terrain_def *def, ty_diag *diag);

#endif
