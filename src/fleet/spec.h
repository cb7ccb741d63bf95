/* src/fleet/spec.h - the keys of a sweep's specification.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_FLEET_SPEC_H
#define TYI_FLEET_SPEC_H
#include "fleet.h"
#include "io/document.h"

extern const tyi_io_schema tyi_fleet_spec_schema;
tyi_fleet_spec tyi_fleet_spec_default(void);

#endif
