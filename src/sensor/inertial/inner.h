/* src/sensor/inertial/inner.h - what tests ask of an IMU beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_SENSOR_INERTIAL_INNER_H
#define TYI_SENSOR_INERTIAL_INNER_H
#include "tycho/imu.h"

/* Noise and drift of [csens] (5), given per step of dt [s]: sigma_a [u] of the white noise, mu_a
 * [u] its mean, b0 [u] and tb [s] of the walk, whose standard deviation per step is b0 sqrt(dt/tb),
 * and mu_b [u] the mean of that step. Sets noise, bias, walk and ramp; the others stay. */
void tyi_inertial_imu_triad_csens(ty_imu_triad *triad, double dt, double sigma_a, double mu_a, double b0, double tb,
                                  double mu_b);

#endif
