/* src/sensor/inertial/imu.h - ranges of an IMU's definition, for files that fill it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_INERTIAL_IMU_H
#define TYI_INERTIAL_IMU_H
#include "core/rules.h"
#include "tycho/imu.h"

extern const tyi_rules tyi_inertial_imu_rules;

/* Six standard normal numbers for (seed, purpose), (sensor, counter). */
void tyi_inertial_normal6(uint64_t seed, uint32_t purpose, uint32_t sensor, uint64_t counter, double out[6]);

#endif
