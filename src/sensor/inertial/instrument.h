/* src/sensor/inertial/instrument.h - ranges of the instruments' definitions, for files that fill them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_INSTRUMENT_H
#define TYI_INSTRUMENT_H
#include "core/rules.h"
#include "tycho/instruments.h"

extern const tyi_rules tyi_fix_rules, tyi_encoder_rules, tyi_motor_rules, tyi_joint_rules,
    tyi_sun_sensor_rules, tyi_star_tracker_rules, tyi_altimeter_rules, tyi_switch_rules,
    tyi_power_rules, tyi_odometry_rules;

/* Cookie and ranges. */
ty_status tyi_instrument_check(const tyi_rules *rules, const void *def, uint32_t cookie,
                               ty_diag *diag);

#endif
