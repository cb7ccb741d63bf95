/* include/tycho/lidar.h - a lidar: beams over time, echoes, returns, points.
 *
 * The model makes the rays of a scan from where the sensor was while it scanned, takes what they
 * met (any ray tracer; tycho/trace.h), and makes returns of it, then points through a pipeline of
 * filters that can be changed. Its frame S has x forward, y left, z up; azimuth counts
 * counter-clockwise from x seen from above, elevation up from the x-y plane.
 *
 * A beam is one ray, or several within its divergence, each with the same share of the light.
 * Echoes nearer to each other than the receiver can tell apart are one; of what it notices, the
 * nearest, the strongest, the last, or two of them become returns.
 *
 * Once created, scans allocate nothing. Same rays' hits and frame number: same bits, for any number of threads.
 *
 * Threads: one thread at a time may use a lidar.
 * Statuses: TY_ERR_DEF, TY_ERR_RANGE (with field and range), TY_ERR_MEMORY, and the pipeline's.
 * Model, limits, cost: docs/lidar.md
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_LIDAR_H
#define TYCHO_LIDAR_H
#include "tycho/filter.h"
#include "tycho/ray.h"
#include "tycho/math.h"
TY_BEGIN_DECLS

#define TY_LIDAR_LASERS 128 /* the most lasers of a spinning head */

typedef enum ty_lidar_pattern {
    TY_LIDAR_SPIN,  /* lasers of a head that turns about z */
    TY_LIDAR_GRID,  /* columns and rows, evenly over a field of view */
    TY_LIDAR_TABLE, /* any beams, each with its origin, direction and time */
    TY_LIDAR_PATTERNS
} ty_lidar_pattern;

typedef enum ty_lidar_mode {
    TY_LIDAR_FIRST,
    TY_LIDAR_STRONGEST,
    TY_LIDAR_LAST,
    TY_LIDAR_DUAL, /* strongest and last; where they are one, the second strongest */
    TY_LIDAR_MODES
} ty_lidar_mode;

typedef struct ty_lidar_beam {
    ty_vec3 from; /* [m] S */
    ty_vec3 dir;  /* [-] S, any length above 0 */
    double time;  /* [s] after the scan's start, >= 0 */
} ty_lidar_beam;

/* Start from ty_lidar_def_default(). */
typedef struct ty_lidar_def {
    ty_lidar_pattern pattern; /* grid */
    /* spin */
    int lasers;                        /* 16      1 to TY_LIDAR_LASERS */
    double elevation[TY_LIDAR_LASERS]; /* [rad]   of each laser, in the order of `fire` */
    double azimuth[TY_LIDAR_LASERS];   /* [rad] 0 from the head's x */
    double height[TY_LIDAR_LASERS];    /* [m] 0   of its origin above S's */
    double fire[TY_LIDAR_LASERS];      /* [s] 0   after the start of a firing cycle */
    double cycle;                      /* [s]     from one cycle to the next */
    double spin;                       /* [1/s] 10   turns per second, negative: clockwise; a scan is one turn */
    double start;                      /* [rad] 0    azimuth at which a scan starts */
    /* grid */
    int columns, rows; /* 64, 64   1 to 32768 */
    double hfov, vfov; /* [rad]    30 deg   pixels' middles lie evenly inside */
    double sweep;      /* [s] 0    columns fire one after the other, from the left; 0: all at once */
    /* table; copied */
    const ty_lidar_beam *beam;
    size_t beams; /* 1 to 32768 */
    /* light */
    int band;            /* 0   of the scene's bands, at the laser's wavelength */
    double wavelength;   /* [m] 905e-9   for the record */
    double divergence_h; /* [rad] 0   half angle of the beam, across and ... */
    double divergence_v; /* [rad] 0   ... up and down, where a Gaussian has fallen to exp(-2) */
    double aperture;     /* [m] 0     radius of the beam where it leaves */
    bool gauss;          /* true      its profile; false: even */
    int samples;         /* 1         rays per beam, 1 to 256 */
    int bounces; /* 1         2: what smooth surfaces mirror is met, too, as far away as the light's whole way */
    /* receiver */
    ty_lidar_mode mode;         /* strongest */
    double near, far;           /* [m] 0.1, 100   ranges outside are not returned */
    double reach, reach_albedo; /* [m] 100, [-] 0.1   a Lambertian surface of that albedo facing the
                                   beam is just noticed at that range */
    double threshold_sigma;     /* [-] 0.1   noise of an echo over the weakest one noticed; 0: none */
    double separation;          /* [m] 0.3   echoes nearer to each other are one */
    /* measurement: standard deviations; noise false: none of these and none on the threshold */
    bool noise;             /* true */
    double range_sigma;     /* [m] 0.01 */
    double range_step;      /* [m] 0       ranges are multiples of it; kept without noise too */
    double azimuth_sigma;   /* [rad] 0 */
    double elevation_sigma; /* [rad] 0 */
    double intensity_sigma; /* [-] 0.05    of the intensity */
    double intensity_white; /* [-] 1       what a white surface gives; retroreflectors more */
    double intensity_most;  /* [-] 0       intensities are whole numbers up to it; 0: any */
    double rate;            /* [1/s] 10    scans per second; a spinning head's is |spin| */
    uint64_t seed;          /* 1 */
    uint32_t id;            /* 0   tells lidars of one seed apart */
    int threads;            /* 0   all processors */
    const ty_alloc *alloc;  /* NULL: heap */
    uint32_t cookie;
} ty_lidar_def;

TY_API ty_lidar_def ty_lidar_def_default(void);

typedef struct ty_lidar ty_lidar;
TY_API ty_status ty_lidar_create(const ty_lidar_def *def, ty_lidar **out, ty_diag *diag);
TY_API void ty_lidar_destroy(ty_lidar *lidar); /* NULL is allowed */

TY_API const ty_lidar_def *ty_lidar_get_def(const ty_lidar *lidar);
TY_API double ty_lidar_window(const ty_lidar *lidar); /* [s] from the first beam to the scan's end */

/* 1. The rays of the scan that starts at `start`, with S as `track` has it in W. Both arrays belong
 * to the lidar and hold until the next scan: fill hit[i] for ray[i]. TY_ERR_INPUT: no keyframe. */
typedef struct ty_lidar_rays {
    const ty_trace_ray *ray;
    ty_trace_hit *hit;
    size_t count;
    ty_vec3 centre; /* [m] W: the sensor in the middle of the scan */
} ty_lidar_rays;
TY_API ty_status ty_lidar_aim(ty_lidar *lidar, const ty_track *track, ty_time start, ty_lidar_rays *out, ty_diag *diag);
/* 2. Returns of the hits (TY_UNIT_RETURN, frame S): one column per firing cycle, table entry or
 * column of the grid, one row per laser from the highest, second returns in rows of their own below
 * all first ones. Beams without a return hold NaN ranges. */
TY_API ty_status ty_lidar_echo(ty_lidar *lidar, uint64_t frame, const ty_buffer **returns, ty_diag *diag);
/* 3. The returns through the lidar's pipeline, which starts as: "noise", "points". */
TY_API ty_status ty_lidar_points(ty_lidar *lidar, uint64_t frame, const ty_buffer **points, ty_diag *diag);
TY_API ty_pipeline *ty_lidar_pipeline(ty_lidar *lidar);

/* ---- time of flight by single photons: a histogram of arrival times per pixel.
 *
 * A SPAD camera sends short pulses and notes when its diodes fire. A pixel's photons come from the
 * surfaces that its rays meet, spread by pulse and jitter, and evenly from background; a diode that
 * fired is blind for its dead time, so that early photons hide later ones (pile-up). Rays and hits
 * are a lidar's (tycho/lidar.h, a grid); each of its beams is a pixel, its sub-rays share the
 * light.
 *
 * Histograms are buffers of TY_UNIT_PHOTONS, u32: one row per pixel (beam by beam as the lidar's
 * rays lie), one column per bin. Same hits and frame: same bits, for any number of threads. */

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
TY_API ty_status ty_spad_expose(ty_spad *spad, const ty_trace_hit *hit, ty_stamps time, uint64_t frame,
                                const ty_buffer **out, ty_diag *diag);
/* For checks: the mean number of photons of each bin for one pixel's hits before pile-up, and the
 * probability that the diode fires in it. Arrays of `bins`; NULL: not wanted. */
TY_API void ty_spad_expect(const ty_spad *spad, const ty_trace_hit *hit, double *mean, double *fire);

TY_END_DECLS
#endif
