/* src/sensor/inertial/instrument.h - ranges of the instruments' definitions, for files that fill them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_INERTIAL_INSTRUMENT_H
#define TYI_INERTIAL_INSTRUMENT_H
#include "core/rules.h"
#include "instruments.h"

extern const tyi_rules tyi_inertial_fix_rules, tyi_inertial_encoder_rules, tyi_inertial_motor_rules,
    tyi_inertial_joint_rules, tyi_inertial_sun_sensor_rules, tyi_inertial_star_tracker_rules,
    tyi_inertial_altimeter_rules, tyi_inertial_switch_rules, tyi_inertial_power_rules, tyi_inertial_odometry_rules;

/* Cookie and ranges. */
ty_status tyi_inertial_instrument_check(const tyi_rules *rules, const void *def, uint32_t cookie, ty_diag *diag);

#endif
