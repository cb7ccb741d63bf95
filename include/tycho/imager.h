/* include/tycho/imager.h - the physical camera: from radiance to the numbers that a sensor
 * delivers.
 *
 * Every stage is a filter over plain buffers and may be used by itself; ty_imager_expose() runs
 * them in order: defocus, vignetting and aggregation to electrons, fixed pattern, dark current,
 * shot and read noise, response curve, converter. Formulas: kernels/k_exposure.h ([lunar] (2) to
 * (8), in electrons). Model, limits: src/sensor/README.md
 *
 * Random numbers depend on seed, pixel and frame number only: the same frame comes out the same, in
 * any order. Threads: functions only read the definition and write what they are given.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_IMAGER_H
#define TYCHO_IMAGER_H
#include "tycho/render.h"
TY_BEGIN_DECLS

typedef enum ty_response { TY_RESPONSE_GAMMA, TY_RESPONSE_SIGMOID, TY_RESPONSE_LINEAR } ty_response;

/* Start from ty_imager_def_default(). The paper's gains multiply; 1 is as the formula has it, 0
 * switches a stage off. */
typedef struct ty_imager_def {
    double focal;    /* [m] 0.02      of the lens */
    double f_number; /* [-] 4 */
    double focus;    /* [m] 20        distance that is sharp */
    double pixel;    /* [m] 5e-6      pitch */
    double exposure; /* [s] 0.001 */
    double pass;     /* [-] 1         transmission of the lens */
    double defocus_gain, vignetting_gain, aggregator_gain, noise_gain; /* [-] 1 each */
    double wavelength[TY_BANDS]; /* [m] 550e-9  middle of each band */
    double qe[TY_BANDS];         /* [-] 0.5     quantum efficiency of each band */
    double dark;                 /* [1/s] 10      dark current, electrons */
    double dark_spread;         /* [1/s] 0      its standard deviation from pixel to pixel (DSNU) */
    double hot_share, hot_dark; /* [-] 0, [1/s] 1e4   share of hot pixels, and their dark current */
    double dead_share;          /* [-] 0         share of pixels that see nothing */
    double prnu;                /* [-] 0         relative standard deviation of the pixels' gain */
    double row_noise,
        column_noise;     /* [e-] 0   standard deviation of fixed offsets by row and by column */
    double read;          /* [e-] 5        read noise */
    double full_well;     /* [e-] 20000    electrons a pixel can hold */
    ty_response response; /* TY_RESPONSE_LINEAR */
    double iso, a, b,
        gamma; /* [-] 1, 0.2, 0, 1   linear: a iso [DN/e-] is the gain, b [DN] the offset */
    int bits;  /* 12            8 to 16 */
    uint64_t seed;
    uint32_t cookie;
} ty_imager_def;

TY_API ty_imager_def ty_imager_def_default(void);
/* TY_ERR_DEF, TY_ERR_RANGE with the field, its value and its range. */
TY_API ty_status ty_imager_def_check(const ty_imager_def *def, ty_diag *diag);

/* Blurs a plane of radiance by each pixel's own distance (depth [m]; INFINITY is allowed): every
 * pixel spreads its light over a normalised Gaussian of standard deviation D/6. out must not be in.
 */
TY_API void ty_imager_defocus(const ty_imager_def *def, int width, int height,
                              const float *radiance, const double *depth, float *out);
/* Adds the mean electrons that a band's radiance [W/m^2/sr] frees in each pixel, with vignetting by
 * the lens's angles. */
TY_API void ty_imager_electrons(const ty_imager_def *def, const ty_camera *camera, int band,
                                const float *radiance, float *electrons);
/* Mean electrons into electrons as read out in frame number `frame`. */
TY_API void ty_imager_noise(const ty_imager_def *def, int width, int height, uint32_t frame,
                            float *electrons);
/* Electrons into digital numbers. */
TY_API void ty_imager_respond(const ty_imager_def *def, size_t n, const float *electrons,
                              uint16_t *out);
/* All of it: `bands` planes of radiance become one image. depth NULL: everything is sharp. scratch:
 * 2 width height floats. */
TY_API ty_status ty_imager_expose(const ty_imager_def *def, const ty_camera *camera, int bands,
                                  const float *radiance, const double *depth, uint32_t frame,
                                  float *scratch, uint16_t *out, ty_diag *diag);
/* [s] the exposure at which the given share [-] of the brightest of n radiances fills the converter
 * (linear response) or the well. */
TY_API double ty_imager_auto_exposure(const ty_imager_def *def, size_t n, const float *radiance,
                                      double share);

TY_END_DECLS
#endif
