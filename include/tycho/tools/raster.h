/* include/tycho/tools/raster.h - what is told of an elevation raster: statistics, spectrum, cache.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_RASTER_H
#define TYCHO_RASTER_H
#include "tycho/base.h"
#include "tycho/terrain.h"
TY_BEGIN_DECLS

typedef struct ty_raster_stats {
    double min, max, mean; /* [m] NaN where every sample is missing */
    double samples;        /* that were looked at */
    double missing;        /* of these */
    int level;             /* 0: every sample; above: too many, so averages of this level were looked at */
} ty_raster_stats;

typedef struct ty_raster_cache_stats {
    size_t bytes, peak_bytes; /* held now, and at most so far */
    uint64_t hits, loads;     /* blocks found, and read from the file */
} ty_raster_cache_stats;

/* Power spectral density of height along rows and columns, in bands of wavelength, and its power
 * law S(f) = amplitude f^-(2 hurst + 1),   f in cycles per metre, S one-sided in m^3 (m^2 per
 * cycle/m), fitted where rasters are neither smoothed nor short of samples: wavelengths of 6 to 20 pixels. */
#define TY_SPECTRUM_BANDS   24
#define TY_SPECTRUM_OCTAVES 4
typedef struct ty_raster_spectrum {
    int bands;                            /* used of the arrays below */
    double wavelength[TY_SPECTRUM_BANDS]; /* [m] centre of the band, ascending */
    double psd[TY_SPECTRUM_BANDS];        /* [m^3] mean in the band */
    double fit[TY_SPECTRUM_BANDS];        /* [m^3] mean of the power law over the same frequencies */
    double hurst;                         /* [-] */
    double amplitude;                     /* [m^(2 - 2 hurst)] S at one cycle per metre */
    double missing[TY_SPECTRUM_OCTAVES];  /* [-] 1 - power / power of the law, 0 to 1, at wavelengths
                                          * of 2 to 4, 4 to 8, 8 to 16, 16 to 32 pixels: what
                                          * smoothing took */
    int samples;                          /* side of the window that was used */
    double spacing;                       /* [m] of the raster */
    int filled;                           /* samples of the window that were missing and taken from their neighbours */
} ty_raster_spectrum;

TY_END_DECLS
#endif
