/* src/sensor/instrument_file.h - the keys of the smaller instruments, for files and scenarios: each
 * schema fills a definition that its default function started.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_INSTRUMENT_FILE_H
#define TYI_SENSOR_INSTRUMENT_FILE_H
#include "io/document.h"

/* a list of so many numbers, written in a unit and kept in SI */
#define TYI_SENSOR_NUMBERS(id, number, written, factor, unit_si, limit)                                     \
    static const tyi_limit id##_limits[] = { { "value", unit_si, 0, TYI_DOUBLE, -(limit), limit }, { 0 } }; \
    static const tyi_rules id##_rules = { "value", id##_limits, NULL };                                     \
    static const tyi_io_key id##_element = { .kind = TYI_IO_NUMBER, .unit = written, .scale = factor };     \
    static const tyi_io_list id = { .element = &id##_element,                                               \
                                    .rules = &id##_rules,                                                   \
                                    .size = sizeof(double),                                                 \
                                    .least = number,                                                        \
                                    .most = number,                                                         \
                                    .in_place = true };

extern const tyi_io_schema tyi_sensor_file_fix_schema, tyi_sensor_file_encoder_schema, tyi_sensor_file_motor_schema,
    tyi_sensor_file_joint_schema, tyi_sensor_file_sun_sensor_schema, tyi_sensor_file_star_tracker_schema,
    tyi_sensor_file_altimeter_schema, tyi_sensor_file_switch_schema, tyi_sensor_file_power_schema;
extern const tyi_io_schema tyi_sensor_file_lidar_schema, tyi_sensor_file_spad_schema; /* lidar_file.c, sensor_spad.c */

#endif
