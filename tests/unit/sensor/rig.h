/* tests/unit/sensor/rig.h - a camera before a scene that a function describes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RIG_H
#define RIG_H
#include "tyt.h"
#include "tycho/camera.h"

typedef struct rig {
    ty_camera_sensor *sensor;
    ty_pipeline *pipeline;
    ty_buffer radiance, depth;
    uint64_t frame;
} rig;

/* a definition with every stage off and no imperfection: a test switches on what it looks at */
ty_camera_sensor_def rig_bare(int width, int height);
rig rig_make(const ty_camera_sensor_def *def, int threads);
void rig_free(rig *r);
void rig_fill(rig *r, double radiance);
/* next frame through the chain; fails the test when it fails */
const ty_buffer *rig_shoot(rig *r);
/* radiance [W/m2/sr] that gives so many electrons in `exposure` [s] at quantum efficiency qe[0][0] */
double rig_radiance(const ty_camera_sensor_def *def, double electrons, double exposure);

/* mean and variance of each pixel over frames */
typedef struct moments {
    int n, pixels;
    double *mean, *m2;
} moments;
moments moments_make(int pixels);
void moments_free(moments *m);
void moments_add(moments *m, const ty_buffer *image);
double moments_mean(const moments *m);     /* over all pixels */
double moments_variance(const moments *m); /* temporal, averaged over all pixels */
double moments_spread(const moments *m);   /* spatial variance of the means, noise taken off */

#endif
