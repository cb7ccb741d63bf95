/* app/allan.h - what the files of `tycho allan` share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_ALLAN_H
#define TYCHO_APP_ALLAN_H
#include "app.h"
#include "sensor/inertial/allan.h"

typedef struct allan_curve {
    const char *label;
    size_t n; /* samples */
    tyi_inertial_allan_point point[TYI_INERTIAL_ALLAN_POINTS];
    size_t count;
    tyi_inertial_allan_noise noise; /* read from it */
} allan_curve;

/* One column of a file of numbers; the caller frees *out. *rate is set where the file has a column of times. */
ty_status allan_file(const char *path, const char *column, double **out, size_t *n, double *rate, ty_diag *diag);
/* Deviations and reading of n samples. */
ty_status allan_analyse(const double *data, size_t n, bool phase, double rate, const char *terms, allan_curve *out,
                        ty_diag *diag);
/* A curve with its reading, or (sheet given) an IMU's curves with the lines of its data sheet. */
ty_status allan_plot(const char *path, const allan_curve *curve, const char *unit, ty_diag *diag);
/* `tycho allan --imu FILE`: simulates it at rest for some hours. */
int allan_imu(const char *path, double hours, const char *plot, uint64_t seed, bool json);

#endif
