/* include/tycho/spad.h - time of flight by single photons: a histogram of arrival times per pixel.
 *
 * A SPAD camera sends short pulses and notes when its diodes fire. A pixel's photons come from the
 * surfaces that its rays meet, spread by pulse and jitter, and evenly from background; a diode that
 * fired is blind for its dead time, so that early photons hide later ones (pile-up). Rays and hits
 * are a lidar's (tycho/lidar.h, a grid); each of its beams is a pixel, its sub-rays share the
 * light.
 *
 * Histograms are buffers of TY_UNIT_PHOTONS, u32: one row per pixel (beam by beam as the lidar's
 * rays lie), one column per bin. Same hits and frame: same bits, for any number of threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_SPAD_H
#define TYCHO_SPAD_H
#include "tycho/filter.h"
#include "tycho/ray.h"
TY_BEGIN_DECLS

/* Start from ty_spad_def_default(). */
typedef struct ty_spad_def {
    int pixels;        /* 1     1 to 32768 */
    int samples;       /* 1     rays per pixel */
    int bins;          /* 1024  1 to 32768 */
    double bin;        /* [s] 1e-10   width of a bin; the first starts when the pulse leaves */
    double pulse;      /* [s] 1e-10   length of a pulse of even power; 0: shorter than the jitter */
    double jitter;     /* [s] 1e-10   standard deviation of a photon's time, > 0 */
    double white;      /* [-] 10      photons of a pulse registered from a white surface facing the
                          pixel 1 m away (all of its light) */
    double background; /* [1/s] 1e5   ambient light and dark counts */
    double dead_time;  /* [s] 5e-8 */
    int pulses;        /* 10000       that make up a histogram, 1 to 1e9 */
    bool noise;        /* true        false: the expected counts, rounded */
    uint64_t seed;
    uint32_t id;
    int threads;
    const ty_alloc *alloc;
    uint32_t cookie;
} ty_spad_def;

TY_API ty_spad_def ty_spad_def_default(void);

typedef struct ty_spad ty_spad;
TY_API ty_status ty_spad_create(const ty_spad_def *def, ty_spad **out, ty_diag *diag);
TY_API void ty_spad_destroy(ty_spad *spad); /* NULL is allowed */

/* Histograms of pixels * samples hits. *out belongs to the SPAD and holds until the next frame. */
TY_API ty_status ty_spad_expose(ty_spad *spad, const ty_trace_hit *hit, ty_stamps time,
                                uint64_t frame, const ty_buffer **out, ty_diag *diag);
/* For checks: the mean number of photons of each bin for one pixel's hits before pile-up, and the
 * probability that the diode fires in it. Arrays of `bins`; NULL: not wanted. */
TY_API void ty_spad_expect(const ty_spad *spad, const ty_trace_hit *hit, double *mean,
                           double *fire);

/* Filter: histograms into ranges [m] (TY_UNIT_METRE, f64, 1 x pixels x 2: range and counts of the
 * peak): corrected for pile-up where the dead time is longer than the histogram [coates1968], then
 * the centroid of the highest bin and its neighbours within the pulse, if it stands out of the
 * background by 5 standard deviations; NaN otherwise. The SPAD outlives it. */
TY_API ty_filter ty_spad_range(ty_spad *spad);

TY_END_DECLS
#endif
