/* src/sensor/instrument_file.h - the keys of the smaller instruments, for files and scenarios: each
 * schema fills a definition that its default function started. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef TYI_INSTRUMENT_FILE_H
#define TYI_INSTRUMENT_FILE_H
#include "io/document.h"

/* a list of so many numbers, written in a unit and kept in SI */
#define TYI_NUMBERS(id, number, written, factor, unit_si, limit)                                   \
    static const tyi_limit id##_limits[] = { { "value", unit_si, 0, TYI_DOUBLE, -(limit), limit }, \
                                             { 0 } };                                              \
    static const tyi_rules id##_rules = { "value", id##_limits, NULL };                            \
    static const tyi_key id##_element = { .kind = TYI_NUMBER, .unit = written, .scale = factor };  \
    static const tyi_list id = { .element = &id##_element,                                         \
                                 .rules = &id##_rules,                                             \
                                 .size = sizeof(double),                                           \
                                 .least = number,                                                  \
                                 .most = number,                                                   \
                                 .in_place = true };

extern const tyi_schema tyi_fix_schema, tyi_encoder_schema, tyi_motor_schema, tyi_joint_schema,
    tyi_sun_sensor_schema, tyi_star_tracker_schema, tyi_altimeter_schema, tyi_switch_schema, tyi_power_schema;
extern const tyi_schema tyi_lidar_schema, tyi_spad_schema; /* lidar_file.c, sensor_spad.c */

#endif
