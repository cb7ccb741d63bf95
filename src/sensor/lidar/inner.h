/* src/sensor/lidar/inner.h - what tests ask of a lidar beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_LIDAR_INNER_H
#define TYI_SENSOR_LIDAR_INNER_H
#include "tycho/lidar.h"

const char *tyi_lidar_mode_name(ty_lidar_mode mode);  /* "strongest" */
ty_buffer_type tyi_lidar_type(const ty_lidar *lidar); /* of its returns */

/* Filters, for any pipeline; the lidar outlives them. Noise takes returns, so that it can only be
 * on range, angles and intensity; points takes returns and gives points in S. */
ty_filter tyi_lidar_noise(ty_lidar *lidar);
ty_filter tyi_lidar_to_points(ty_lidar *lidar);

/* Filter: histograms into ranges [m] (TY_UNIT_METRE, f64, 1 x pixels x 2: range and counts of the
 * peak): corrected for pile-up where the dead time is longer than the histogram [coates1968], then
 * the centroid of the highest bin and its neighbours within the pulse, if it stands out of the
 * background by 5 standard deviations; NaN otherwise. The SPAD outlives it. */
ty_filter tyi_lidar_spad_range(ty_spad *spad);

#endif
