/* src/sim/instrument_file.h - the keys of the smaller instruments, for files and scenarios: each schema fills
 * a definition that its default function started.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_INSTRUMENT_FILE_H
#define TYI_INSTRUMENT_FILE_H
#include "document.h"

extern const tyi_schema tyi_fix_schema, tyi_encoder_schema, tyi_motor_schema, tyi_joint_schema, tyi_sun_sensor_schema,
    tyi_star_tracker_schema, tyi_altimeter_schema, tyi_switch_schema;

#endif
