/* src/sensor/camera/inner.h - what other modules and tests ask of the camera chain beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_CAMERA_INNER_H
#define TYI_SENSOR_CAMERA_INNER_H
#include "tycho/camera.h"

const char *tyi_camera_stage_name(ty_camera_stage stage); /* "shot" */
bool tyi_camera_stage_find(const char *name, ty_camera_stage *out);

/* White balance for a grey card in sunlight, from the Sun's shares of the bands and the quantum efficiencies alone; green is
 * 1. */
void tyi_camera_sensor_def_white(ty_camera_sensor_def *def, const double *low, const double *high);

/* Gain and offset for def->bits: b is 100 at 12 bits, and a pixel that is full gives 98 % of the largest number. Settings by name do
 * this unless they give a or b. */
void tyi_camera_sensor_def_fit(ty_camera_sensor_def *def);

/* s1 and s2 of [csens] (4) from (3): amplifier gain g [e-/DN], read noise [e-], converter noise [DN]. */
void tyi_camera_amplifier(double g, double read, double adc, double *s1, double *s2);

#endif
