/* src/study/picture.h - what a picture of ground tells without a model of it: how much of its contrast is
 * shading and how much is brightness of its own, by size; how its values are spread. The same code judges photographs
 * and rendered pictures. Values are taken as linear in radiance: decode a picture first where they are not.
 *
 * Statuses: TY_ERR_RANGE, TY_ERR_MEMORY.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_STUDY_PICTURE_H
#define TYI_STUDY_PICTURE_H
#include "tycho/base.h"

/* One channel. A value that is negative or NaN is none: a hole, or ground that is not to be looked at. */
typedef struct tyi_study_picture {
    int width, height;
    const float *value; /* width * height, rows from the top */
} tyi_study_picture;

#define TYI_STUDY_PICTURE_OCTAVES 12
typedef struct tyi_study_picture_octave {
    double low, high;   /* [m] wavelengths */
    double total;       /* [-] root mean square of the picture in this octave, over its mean */
    double share;       /* [-] of that power that goes as cos^2 of the angle to the Sun; below 0: none */
    double share_error; /* [-] one sigma, from how windows differ */
    double shading;     /* [-] the root of share * total^2, 0 where share is negative */
} tyi_study_picture_octave;

/* Looks straight down on ground with `pixel` [m] a pixel and north up, under a Sun at the azimuth `sun` [rad, from north
 * through east]. Shading answers to the slope towards the Sun: of waves in direction a it shows cos^2(a) of the power.
 * What soils have of their own brightness, and noise, has no direction. Power in windows of `window` pixels (a power of
 * two, 16 to 1024; those with holes are left out) is fitted by A + B cos^2. Octaves from 2.8 pixels up, ascending.
 * Returns in *count how many were filled, in *windows how many windows were used. TY_ERR_RANGE where there is none. */
ty_status tyi_study_picture_octaves(const tyi_study_picture *p, double pixel, double sun, int window,
                                    tyi_study_picture_octave out[TYI_STUDY_PICTURE_OCTAVES], int *count, int *windows,
                                    ty_diag *diag);

typedef struct tyi_study_picture_spread {
    size_t pixels;                   /* that have a value */
    double mean, median;             /* in the picture's unit */
    double sd, skew;                 /* [-] over the mean; third moment */
    double dark;                     /* [-] share of pixels below 0.15 of the median */
    double p01, p10, p90, p99, p999; /* [-] values that 1, 10, 90, 99, 99.9 % of pixels lie below, over the median */
} tyi_study_picture_spread;
ty_status tyi_study_picture_spread_of(const tyi_study_picture *p, tyi_study_picture_spread *out, ty_diag *diag);

#endif
