/* src/study/measure.h - the ground measured back: is it what was asked for?
 *
 * Every function looks at a terrain from outside, through its tiles, catalogues and rays, as one
 * would look at real ground, and gives what it found beside the law that the ground was made from.
 * Places are around the site's origin; features are generated everywhere, so a place may lie
 * outside the site's extent.
 *
 * Statuses: what the terrain returns, TY_ERR_MEMORY, TY_ERR_RANGE.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_STUDY_MEASURE_H
#define TYI_STUDY_MEASURE_H
#include "tycho/terrain.h"

/* ---- craters ---- */

typedef struct tyi_study_measure_count {
    double d;     /* [m] set by the caller: craters of at least this diameter */
    double area;  /* [m2] that was looked at */
    double count; /* craters in it; their relative counting error is 1 / sqrt(count) */
    double law;   /* [1/m2] asked for: the law between d and the largest generated diameter */
} tyi_study_measure_count;
/* Counts from the catalogue, for each d on a square of `sides` [diameters] a side. */
void tyi_study_measure_craters(const ty_terrain *terrain, double sides, int n, tyi_study_measure_count *out);

/* Depth / diameter of real simple craters by size [stopar2017]. */
typedef struct tyi_study_measure_crater_class {
    double d_low, d_high;    /* [m] */
    double median, p16, p84; /* [-] */
    double min, max;         /* [-] the published spread */
} tyi_study_measure_crater_class;
#define TYI_STUDY_CRATER_CLASSES 6
const tyi_study_measure_crater_class *
tyi_study_crater_class_of(double diameter); /* the nearest class outside 39 to 3000 m */
const tyi_study_measure_crater_class *tyi_study_measure_crater_class_at(int i); /* 0 .. TYI_STUDY_CRATER_CLASSES - 1 */

typedef struct tyi_study_measure_depth {
    ty_crater crater; /* as the catalogue has it */
    double ratio;     /* [-] depth / diameter read off the heights: mean crest of 64 profiles over the
                     floor */
} tyi_study_measure_depth;
/* Reads the craters of d_low to d_high [m] in a square of `size` [m] off the finished ground.
 * Returns in *count how many there are; fills at most capacity. */
ty_status tyi_study_measure_depths(ty_terrain *terrain, double size, double d_low, double d_high,
                                   tyi_study_measure_depth *out, size_t capacity, size_t *count, ty_diag *diag);

/* ---- rocks ---- */

typedef struct tyi_study_measure_cover {
    double d;     /* [m] set by the caller, ascending: rocks of at least this diameter */
    double cover; /* [-] fraction of rays straight down that meet one first */
    double law;   /* [-] asked for, without the gathering round craters */
    double error; /* [-] one sigma of cover, from the number of rocks and rays */
} tyi_study_measure_cover;
/* Casts rays * rays of them over a square of `size` [m]. TY_ERR_RANGE for n < 1, rays < 2 or rays >
 * 20000. */
ty_status tyi_study_measure_rocks(ty_terrain *terrain, double size, int rays, int n, tyi_study_measure_cover *out,
                                  ty_diag *diag);

/* ---- roughness ---- */

#define TYI_STUDY_MEASURE_LAGS 8
typedef struct tyi_study_measure_rough {
    int lags;
    double lag[TYI_STUDY_MEASURE_LAGS]; /* [m] ascending */
    double rms[TYI_STUDY_MEASURE_LAGS]; /* [m] root mean square of the difference of height over the lag */
    double rms_slope_deg;               /* [deg] at the baseline of the terrain's relief */
    double hurst;                       /* [-] from an eighth of the baseline to the baseline */
} tyi_study_measure_rough;
/* Over places * places squares, far enough apart that the longest waves differ. */
ty_status tyi_study_measure_roughness(ty_terrain *terrain, int places, tyi_study_measure_rough *out, ty_diag *diag);

/* Root-mean-square slope along a line between points a baseline apart, on the finished ground. */
typedef struct tyi_study_measure_slope {
    double baseline; /* [m] set by the caller; rounded to whole samples */
    double deg;      /* [deg] its tangent is the root mean square of the difference of height over the baseline */
    double error;    /* [deg] one sigma, from how places differ */
} tyi_study_measure_slope;
/* Accepted RMS slopes of a kind of ground; sources: docs/terrain.md. false: there is none with this number. */
typedef struct tyi_study_measure_slope_bound {
    double baseline;  /* [m] */
    double low, high; /* [deg] */
} tyi_study_measure_slope_bound;
#define TYI_STUDY_MEASURE_SLOPES 7
bool tyi_study_measure_slope_bound_at(ty_ground_kind kind, int i, tyi_study_measure_slope_bound *out);
/* Over places * places squares of at least 8 baselines a side, `apart` [m] from each other. */
ty_status tyi_study_measure_slopes(ty_terrain *terrain, int places, double apart, int n, tyi_study_measure_slope *out,
                                   ty_diag *diag);

#define TYI_STUDY_MEASURE_BANDS 24
typedef struct tyi_study_measure_continued {
    int bands;                                  /* half octaves of wavelength */
    double wavelength[TYI_STUDY_MEASURE_BANDS]; /* [m] middle, ascending within each of the two spacings
                                            that are looked at */
    double db[TYI_STUDY_MEASURE_BANDS];         /* [dB] power of the finished ground over the law */
    double psd[TYI_STUDY_MEASURE_BANDS];        /* [m3] */
    double law[TYI_STUDY_MEASURE_BANDS];        /* [m3] amplitude f^-(2 hurst + 1), mean over the same frequencies */
} tyi_study_measure_continued;
/* The spectrum of the finished ground along lines, from an eighth of the base's spacing to 10 of
 * them, beside the law (as in ty_raster_spectrum) fitted to the base. TY_ERR_RANGE where the terrain has
 * no base. */
ty_status tyi_study_measure_continuation(ty_terrain *terrain, double hurst, double amplitude,
                                         tyi_study_measure_continued *out, ty_diag *diag);

/* ---- light ---- */

/* The ground around the origin, rendered from straight above under a Sun at one elevation. */
typedef struct tyi_study_measure_lit {
    double elevation;              /* [rad] of the Sun, set by the caller */
    double lit;                    /* [-] share of the ground that the Sun's light reaches */
    double lit_law;                /* [-] of Gaussian ground with the slope that was found [smith1967] */
    double median, spread;         /* [W/m^2/sr] radiance of lit ground; half the way from 16 to 84 % of it */
    double median_law, spread_law; /* the same by the law of reflectance over Gaussian slopes */
    double median_own;             /* the same over the slopes that the lit pixels have */
    double lean, lean_law;         /* [-] mean slope of lit ground towards the Sun; of Gaussian slopes that face it */
    double level;                  /* [W/m^2/sr] by that law on level ground */
} tyi_study_measure_lit;
enum { TYI_STUDY_LIT_PIXELS = 192 };
/* Fills out[0 .. n - 1]. azimuth [rad] of the Sun; *slope [-]: root-mean-square slope along it, about its mean, read
 * off the rendered normals. radiance: NULL, or TYI_STUDY_LIT_PIXELS^2 values of the last one (negative: shadow). Craters
 * and rocks should be off: the laws know neither. */
ty_status tyi_study_measure_light(ty_terrain *terrain, double azimuth, int n, tyi_study_measure_lit *out, double *slope,
                                  float *radiance, ty_diag *diag);

#endif
