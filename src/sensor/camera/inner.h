/* src/sensor/camera/inner.h - what other modules and tests ask of the camera chain beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_CAMERA_INNER_H
#define TYI_SENSOR_CAMERA_INNER_H
#include "tycho/camera.h"

struct ty_device;
struct ty_device_buffer;

const char *tyi_camera_stage_name(ty_camera_stage stage); /* "shot" */
bool tyi_camera_stage_find(const char *name, ty_camera_stage *out);

/* White balance for a grey card in sunlight, from the Sun's shares of the bands and the quantum efficiencies alone; green is
 * 1. */
void tyi_camera_sensor_def_white(ty_camera_sensor_def *def, const double *low, const double *high);

/* Gain and offset for def->bits: b is 100 at 12 bits, and a pixel that is full gives 98 % of the largest number. Settings by name do
 * this unless they give a or b. */
void tyi_camera_sensor_def_fit(ty_camera_sensor_def *def);

/* ---- the stages on a device ---- */

typedef struct tyi_camera_device tyi_camera_device;

/* Which filters of a pipeline, from place `first` on, a device can do in one go: the camera's stages in their usual order. Returns the place of
 * the last one that is on and says in *on which are; -1: they are not such. */
int tyi_camera_device_plan(const ty_camera_sensor *sensor, const ty_pipeline *pipeline, int first, unsigned *on);
/* The sensor outlives it, and so does the device. */
ty_status tyi_camera_device_create(const ty_camera_sensor *sensor, struct ty_device *device, tyi_camera_device **out,
                                   ty_diag *diag);
void tyi_camera_device_destroy(tyi_camera_device *device); /* NULL is allowed */
struct ty_device *tyi_camera_device_of(const tyi_camera_device *device);
/* light [W/m^2/sr] lies there band after band and is used up; depth as filters have it, where defocus is on; out: the last stage's
 * image, rows without gaps. */
ty_status tyi_camera_device_run(tyi_camera_device *device, unsigned on, uint64_t frame, struct ty_device_buffer *light,
                                const ty_buffer *depth, const ty_buffer *out, ty_diag *diag);

/* s1 and s2 of [csens] (4) from (3): amplifier gain g [e-/DN], read noise [e-], converter noise [DN]. */
void tyi_camera_amplifier(double g, double read, double adc, double *s1, double *s2);

#endif
