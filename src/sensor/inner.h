/* src/sensor/inner.h - what other modules ask of sensors beyond their public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_INNER_H
#define TYI_SENSOR_INNER_H
#include <stdio.h>
#include "tycho/lidar.h"
#include "tycho/sensor.h"

/* The detector of a camera with `physical`: its settings over the defaults, focal length by the field of view,
 * exposure by the window. TY_ERR_INPUT, TY_ERR_RANGE as ty_camera_sensor_def_set(). */
ty_status tyi_sensor_detector(const ty_sensor_def *sensor, ty_camera_sensor_def *out, ty_diag *diag);

/* The bands of a camera's light; returns how many, 0: one with all of the Sun's light. */
int tyi_sensor_bands(const ty_sensor_def *sensor, ty_band out[TY_BANDS]);

/* Tone curves of a camera's pictures for the eye, one for each channel of the image: digital numbers over the detector's
 * range, radiance by the camera's key `white` or by the run's curve (ty_run_tone()), each band by its share of sunlight. */
ty_status tyi_sensor_tone(const ty_sensor_def *sensor, ty_unit unit, const ty_tone *run, ty_tone out[TY_BANDS],
                          ty_diag *diag);
ty_status tyi_sensor_lidar_reference(FILE *out, ty_diag *diag); /* the keys, as Markdown */

/* What the rays of a scan meet, in mirrors, too, with two bounces. */
ty_status tyi_sensor_lidar_trace(ty_lidar *lidar, ty_scene *scene, const ty_lidar_rays *rays, int band, int threads,
                                 ty_diag *diag);
/* A table of beams: CSV with the columns x, y, z [m], dx, dy, dz [-] and time [s] (the last may be
 * left out), in any order, named in the first line. *beam is the caller's, to be freed with free(). */
ty_status tyi_sensor_lidar_beams_load(const char *path, ty_lidar_beam **beam, size_t *count, ty_diag *diag);
ty_status tyi_sensor_spad_reference(FILE *out, ty_diag *diag); /* the keys, as Markdown */

#endif
