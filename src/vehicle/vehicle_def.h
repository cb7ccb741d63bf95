/* src/vehicle/vehicle_def.h - the check of a vehicle's definition.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_VEHICLE_DEF_H
#define TYI_VEHICLE_DEF_H
#include "core/rules.h"
#include "tycho/vehicle.h"

extern const tyi_rules tyi_vehicle_rules; /* ranges of a ty_vehicle_def */
ty_status tyi_vehicle_def_check(const ty_vehicle_def *def, ty_diag *diag);

#endif
