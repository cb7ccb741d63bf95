/* src/sensor/lens_dust.h - dust on a camera's lens.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_LENS_DUST_H
#define TYI_SENSOR_LENS_DUST_H
#include "tycho/render.h"
#include "tycho/sensor.h"

typedef struct tyi_sensor_lens {
    const ty_camera *view;
    const ty_sensor_shot *shot;
    double aperture;      /* [m] of the pupil */
    int bands;            /* planes of the image */
    double sun[TY_BANDS]; /* [W/m^2] of each, on the lens, facing it */
    uint32_t seed;        /* where grains lie */
} tyi_sensor_lens;

/* Takes and adds what grains do to the light of each pixel: they hide some, in blobs as wide as the pupil seen from where they lie,
 * and scatter sunlight where it reaches the lens. Planes one after the other. */
ty_status tyi_sensor_lens_dust(const tyi_sensor_lens *lens, float *radiance, ty_diag *diag);

#endif
