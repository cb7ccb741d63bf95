/* src/sensor/camera/least_squares.h - small non-linear least squares.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CAMERA_LEAST_SQUARES_H
#define TYI_CAMERA_LEAST_SQUARES_H
#include "core/core.h"

#define TYI_CAMERA_LS_PARAMETERS 8
#define TYI_CAMERA_LS_RESIDUALS  512

/* Residuals, each divided by its standard deviation; false where the parameters make no sense. */
typedef bool (*tyi_camera_ls_model)(const void *user, const double *p, double *residual);

/* Levenberg and Marquardt [marquardt1963] from *p; steps [-] of each parameter for differences.
 * Returns the sum of squares, INFINITY when the start makes no sense; sigma, if given, from the
 * curvature. */
double tyi_camera_least_squares(tyi_camera_ls_model model, const void *user, int parameters, int residuals, double *p,
                                double *sigma);

#endif
