/* src/sensor/instrument_file.h - the keys of the smaller instruments, for files and scenarios: each
 * schema fills a definition that its default function started.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_INSTRUMENT_FILE_H
#define TYI_SENSOR_INSTRUMENT_FILE_H
#include "io/document.h"
#include "sensor/inertial/instruments.h"

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

/* Each reads a file of models/sensors and then `count` settings; keys that are not there keep their default. TY_ERR_FILE,
 * TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_RANGE. */
ty_status tyi_sensor_fix_load(const char *path, const char *const *settings, size_t count, tyi_inertial_fix_def *out,
                              ty_diag *diag);
ty_status tyi_sensor_encoder_load(const char *path, const char *const *settings, size_t count,
                                  tyi_inertial_encoder_def *out, ty_diag *diag);
ty_status tyi_sensor_motor_load(const char *path, const char *const *settings, size_t count,
                                tyi_inertial_motor_def *out, ty_diag *diag);
ty_status tyi_sensor_joint_load(const char *path, const char *const *settings, size_t count,
                                tyi_inertial_joint_def *out, ty_diag *diag);
ty_status tyi_sensor_sun_sensor_load(const char *path, const char *const *settings, size_t count,
                                     tyi_inertial_sun_sensor_def *out, ty_diag *diag);
ty_status tyi_sensor_star_tracker_load(const char *path, const char *const *settings, size_t count,
                                       tyi_inertial_star_tracker_def *out, ty_diag *diag);
ty_status tyi_sensor_altimeter_load(const char *path, const char *const *settings, size_t count,
                                    tyi_inertial_altimeter_def *out, ty_diag *diag);
ty_status tyi_sensor_switch_load(const char *path, const char *const *settings, size_t count,
                                 tyi_inertial_switch_def *out, ty_diag *diag);
ty_status tyi_sensor_power_load(const char *path, const char *const *settings, size_t count,
                                tyi_inertial_power_def *out, ty_diag *diag);

#endif
