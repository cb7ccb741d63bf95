/* src/sensor/camera/camera_fit.h - what fitting a camera is made of.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CAMERA_FIT_H
#define TYI_CAMERA_FIT_H
#include "camera.h"
#include "camera_levels.h"

#define TYI_CAMERA_FIT_LEVELS 256

/* Parameters of a fit. Numbers that are positive are fitted by their logarithms. */
enum { P_A, P_B, P_READ, P_DARK, P_FLUX, P_GAMMA, P_COUNT };

typedef struct tyi_camera_fit {
    int curve;   /* enum ty_k_response */
    double full; /* [DN] */
    double iso;  /* [-] the setting */
    tyi_camera_level level[TYI_CAMERA_FIT_LEVELS];
    int count;
} tyi_camera_fit;

int tyi_camera_fit_parameters(int curve);
bool tyi_camera_fit_start(const tyi_camera_fit *f, int attempt, double *p); /* false: no more places to start from */
ty_k_response_curve tyi_camera_fit_curve(const tyi_camera_fit *f, const double *p);
/* mean [DN] and variance [DN^2] of a pixel of mean signal x [e-] */
void tyi_camera_fit_moments(ty_k_response_curve r, double x, double read, double *mean, double *variance);
void tyi_camera_fit_line(const double *x, const double *y, const double *weight, int n, double *slope, double *at0);

#endif
