/* src/sensor/camera/camera_levels.h - a camera's noise and response from its own frames.
 *
 * The photon-transfer method of EMVA 1288: two frames at each of several exposures of an even,
 * steady light, and two dark ones at several exposures. Differences within a pair give the noise,
 * free of what is fixed in the pixels; its growth with the signal gives the gain, its value in the
 * dark the read noise, the growth of the dark numbers the dark current, and the means over exposure
 * the response curve. All of them are fitted together to the camera of tycho/camera.h.
 *
 * Statuses: TY_ERR_INPUT (frames of different sizes, too few exposures, nothing that fits), TY_ERR_RANGE.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_CAMERA_CAMERA_LEVELS_H
#define TYI_SENSOR_CAMERA_CAMERA_LEVELS_H
#include "tycho/camera.h"

/* A pair of frames at one exposure. */
typedef struct tyi_camera_level {
    double exposure; /* [s] */
    bool dark;
    double mean;     /* [DN] over both frames */
    double variance; /* [DN^2] temporal */
    double spread;   /* [DN^2] spatial variance of the pixels' own means */
    double clipped;  /* [-] share of the values at or above full scale */
    double pixels;   /* [-] number of them */
} tyi_camera_level;

/* Measures a pair: one channel of each, full scale [DN]. Leaves exposure and dark alone. */
ty_status tyi_camera_level_measure(const ty_buffer *a, const ty_buffer *b, double full, tyi_camera_level *level,
                                   ty_diag *diag);

typedef struct tyi_camera_estimate {
    double value, sigma; /* sigma: standard error; NaN where it is unknown */
} tyi_camera_estimate;

/* NaN where a series cannot say. */
typedef struct tyi_camera_level_fit {
    ty_camera_curve curve;
    tyi_camera_estimate gain;        /* [DN/e-] linear: a ISO */
    tyi_camera_estimate a, b, gamma; /* of the curve */
    double iso;                      /* [-] the setting, as given */
    tyi_camera_estimate read;        /* [e-] read noise */
    tyi_camera_estimate dark;        /* [e-/s] dark current */
    tyi_camera_estimate flux;        /* [e-/s] of the light */
    double dsnu;                     /* [e-] linear only */
    double prnu;                     /* [-] linear only */
    double saturation;               /* [e-] linear only, where the series reaches it */
    double linearity;                /* [-] largest deviation of a mean from the curve, of full scale */
    double misfit;                   /* [-] chi-square per degree of freedom: 1 is a perfect model */
    int used, saturated;             /* levels; saturated ones and, of curves, too dark ones are not used */
} tyi_camera_level_fit;

/* curve < 0: the one that fits best. full [DN]; iso [-]: the setting the frames were taken at. */
ty_status tyi_camera_level_fit_levels(const tyi_camera_level *levels, int count, int curve, double full, double iso,
                                      tyi_camera_level_fit *out, ty_diag *diag);
/* What the fitted camera predicts at a signal [e-]: mean [DN] and variance [DN^2]. */
void tyi_camera_level_fit_predict(const tyi_camera_level_fit *fit, double full, double signal, double *mean,
                                  double *variance);

#endif
