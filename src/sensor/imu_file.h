/* src/sensor/imu_file.h - the keys of an IMU, for files and scenarios.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_IMU_FILE_H
#define TYI_SENSOR_IMU_FILE_H
#include "io/document.h"

extern const tyi_io_schema tyi_sensor_file_imu_schema; /* fills a ty_imu_def that ty_imu_def_ideal() started */

#endif
