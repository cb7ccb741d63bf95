/* include/tycho/camera.h - the physical camera: from radiance to the numbers in an image file.
 *
 * A camera sensor holds the parameters of a lens and a detector and what is fixed for one
 * specimen (uneven pixels, dead and hot ones, dust). Each stage of the chain is a filter
 * (tycho/filter.h) with its own gain and its own switch; ty_camera_sensor_build() puts the whole
 * chain into a pipeline, in the order of the list below, and any of them may be moved or left out.
 *
 *   radiance  flare, glare, dust, defocus, vignetting      f32, one channel per band
 *   electrons aggregator, mosaic, prnu, dark, shot, full_well, read, pattern, dead      f32
 *   numbers   response, amplifier (f32), quantise (u16; u8 for 8 bits), demosaic, white_balance,
 *             auto_exposure, compress
 *
 * Noise is drawn by (seed, camera, frame, purpose, pixel): same bits for any number of threads.
 * Model, limits, sources: src/sensor/README.md; formulas: kernels/k_exposure.h, k_noise.h, k_lens.h
 *
 * Threads: a sensor serves one pipeline at a time.
 * Statuses: TY_ERR_DEF, TY_ERR_RANGE, TY_ERR_INPUT, TY_ERR_MEMORY.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_CAMERA_SENSOR_H
#define TYCHO_CAMERA_SENSOR_H
#include "tycho/filter.h"
TY_BEGIN_DECLS

/* Every stage in its usual order: filter name, on by default, only for colour detectors. */
#define TY_CAMERA_STAGE_LIST(X)                               \
    X(TY_CAMERA_FLARE, "flare", false, false)                 \
    X(TY_CAMERA_GLARE, "glare", true, false)                  \
    X(TY_CAMERA_DUST, "dust", false, false)                   \
    X(TY_CAMERA_DEFOCUS, "defocus", false, false)             \
    X(TY_CAMERA_VIGNETTING, "vignetting", true, false)        \
    X(TY_CAMERA_AGGREGATOR, "aggregator", true, false)        \
    X(TY_CAMERA_MOSAIC, "mosaic", true, true)                 \
    X(TY_CAMERA_PRNU, "prnu", true, false)                    \
    X(TY_CAMERA_DARK, "dark", true, false)                    \
    X(TY_CAMERA_SHOT, "shot", true, false)                    \
    X(TY_CAMERA_FULL_WELL, "full_well", true, false)          \
    X(TY_CAMERA_READ, "read", true, false)                    \
    X(TY_CAMERA_PATTERN, "pattern", true, false)              \
    X(TY_CAMERA_DEAD, "dead", true, false)                    \
    X(TY_CAMERA_RESPONSE, "response", true, false)            \
    X(TY_CAMERA_AMPLIFIER, "amplifier", false, false)         \
    X(TY_CAMERA_QUANTISE, "quantise", true, false)            \
    X(TY_CAMERA_DEMOSAIC, "demosaic", true, true)             \
    X(TY_CAMERA_WHITE_BALANCE, "white_balance", true, true)   \
    X(TY_CAMERA_AUTO_EXPOSURE, "auto_exposure", false, false) \
    X(TY_CAMERA_COMPRESS, "compress", false, false)

typedef enum ty_camera_stage {
#define TY_CAMERA_STAGE_ENUM(id, name, on, color) id,
    TY_CAMERA_STAGE_LIST(TY_CAMERA_STAGE_ENUM)
#undef TY_CAMERA_STAGE_ENUM
        TY_CAMERA_STAGES
} ty_camera_stage;

typedef enum ty_camera_curve { TY_CAMERA_GAMMA, TY_CAMERA_SIGMOID, TY_CAMERA_LINEAR } ty_camera_curve;
/* Automatic exposure by the number that a share of the pixels does not exceed, or by the mean of all. */
typedef enum ty_camera_auto { TY_CAMERA_PERCENTILE, TY_CAMERA_MEAN } ty_camera_auto;
typedef enum ty_camera_demosaic { TY_CAMERA_MALVAR, TY_CAMERA_BILINEAR } ty_camera_demosaic;

/* Start from ty_camera_sensor_def_default(): a grey navigation camera, detector by the data sheet
 * [cmv4000], lens as [maki2003]. Gains multiply as in [lunar]; 1 is what the physics says. */
typedef struct ty_camera_sensor_def {
    int width, height; /* [px] 1024, 1024   1 to 32768 */
    /* light */
    int bands;  /* 1   of the radiance, 1 to TY_BANDS */
    int colors; /* 1   of the detector: 1 grey, 3 red, green and blue */
    /* Light of a band counts as photons of lambda that give qe electrons each, by colour and band. The defaults are the
     * means of the Sun's whole spectrum, the Moon's colour and the detector's curve, 300 to 1100 nm, over all of the Sun's
     * light: what a camera without a filter sees (ty_camera_sensor_def_bands()). */
    double lambda[TY_BANDS]; /* [m] 654e-9 */
    double qe[3][TY_BANDS];  /* [-] 0.226 */
    /* lens */
    double focal;        /* [m] 6.80e-3   45 deg across */
    double f_number;     /* [-] 12 */
    double focus;        /* [m] 1         distance that is sharp, above focal */
    double transmission; /* [-] 0.9       of the glass */
    double pixel;        /* [m] 5.5e-6    size of a pixel */
    double g_defocus;    /* [-] 1 */
    double defocus_most; /* [px] 63       larger blurs are cut to this diameter: their cost is its
                            square */
    double g_vignet;     /* [-] 1         0 to 1 */
    double glare;        /* [-] 0.005     share of the light that becomes a veil, [talvala2007] */
    double glare_core;   /* [px] 60       radius of the veil's even middle */
    double flare;        /* [-] 5e-4      share of a source's light in each of three ghosts, on the axis */
    int dust_spots;      /* 60            0 to 10000 */
    double dust_radius;  /* [px] 18       of the largest spots */
    double dust_opacity; /* [-] 0.3       of the darkest */
    /* exposure */
    double exposure;     /* [s] 1e-3 */
    double g_aggregator; /* [-] 1 */
    /* detector, in electrons */
    double dark;        /* [1/s] 125      dark current at dark_at */
    double dark_at;     /* [K] 298 */
    double doubling;    /* [K] 6.5        temperature step that doubles it */
    double temperature; /* [K] 298        of the detector */
    double hot_share;   /* [-] 1e-4       of the pixels */
    double hot;         /* [1/s] 5000     mean extra rate of a hot pixel at dark_at */
    double g_noise;     /* [-] 1          of the shot noise */
    double read;        /* [e-] 13        read noise */
    double prnu;        /* [-] 0.01       spread of the pixels' sensitivity */
    double dsnu;        /* [e-] 5         spread of the pixels' offsets ... */
    double dsnu_row;    /* [e-] 1.5       ... and of whole rows ... */
    double dsnu_column; /* [e-] 3         ... and columns */
    double dead_share;  /* [-] 2e-5       of the pixels */
    double full_well;   /* [e-] 13500     where a pixel is full */
    /* numbers */
    ty_camera_curve curve;             /* linear */
    double iso;                        /* [-] 1       amplification */
    double a, b, gamma;                /* [-] 0.29 (DN/e-), 100 (DN), 1   of the curve, [lunar] (8) */
    bool given;                        /* a or b was set by name: bits and full_well leave them alone */
    int bits;                          /* 12          8 to 16 */
    double amplifier_s1, amplifier_s2; /* 0.5 [DN^(1/2)], 2 [DN]   of [csens] (4); see
                                          by its amplifier for (3) */
    /* picture */
    int shift_x, shift_y;        /* 0, 0  of the RGGB pattern, 0 or 1 */
    ty_camera_demosaic demosaic; /* malvar */
    double white[3];             /* [-] 1, 1, 1   factors of red, green, blue over the offset b */
    int quality;                 /* 75    of the compression, 1 to 100 */
    /* automatic exposure, between frames */
    ty_camera_auto auto_by;            /* percentile */
    double auto_share;                 /* [-] 0.95     share of the pixels that must not be brighter than ... */
    double auto_target;                /* [-] 0.7      ... this share of full scale; by mean: that of all pixels */
    double auto_step;                  /* [-] 8        largest factor from one frame to the next */
    double exposure_min, exposure_max; /* [s] 1e-5, 1 */
    bool on[TY_CAMERA_STAGES];         /* switches at the start */
    uint64_t seed;                     /* 1   lower 32 bits count */
    uint32_t camera;                   /* 0   number of the camera; keys its noise and its specimen */
    const ty_alloc *alloc;             /* NULL: heap */
    uint32_t cookie;
} ty_camera_sensor_def;

TY_API ty_camera_sensor_def ty_camera_sensor_def_default(void);
/* Red, green and blue bands, 600 to 700, 500 to 600 and 400 to 500 nm, on a Bayer pattern behind a filter that stops
 * infrared light, for def->bands == 3; white is set so that a grey card in sunlight is grey. */
TY_API void ty_camera_sensor_def_color(ty_camera_sensor_def *def);
/* Bands low[b] to high[b] [m] of the light: lambda and qe become means over each of the Sun's spectrum, the Moon's colour and
 * the detector's quantum efficiency (grey, or its three colours). NULL: one band with all of the Sun's light.
 * TY_ERR_RANGE. */
TY_API ty_status ty_camera_sensor_def_bands(ty_camera_sensor_def *def, const double *low, const double *high, int bands,
                                            ty_diag *diag);

/* One setting by its name, as on a command line: a number of the struct ("exposure", "0.002"), the
 * switch of a stage ("defocus", "on" or "off"), "curve" or "demosaic". TY_ERR_INPUT or TY_ERR_RANGE
 * with what is accepted; def is then unchanged. */
TY_API ty_status ty_camera_sensor_def_set(ty_camera_sensor_def *def, const char *key, const char *value, ty_diag *diag);

/* The numbers of an EMVA 1288 data sheet. */
#define TY_EMVA_POINTS 64
typedef struct ty_emva1288 {
    double gain;         /* [DN/e-] K, overall system gain */
    double dark_noise;   /* [e-] sigma_d, temporal, without quantisation */
    double dark_current; /* [e-/s] mu_c at `temperature` */
    double temperature;  /* [K] */
    double dsnu;         /* [e-] DSNU_1288 */
    double prnu;         /* [-] PRNU_1288 (0.01 is 1 %) */
    double saturation;   /* [e-] mu_e.sat, saturation capacity */
    double offset;       /* [DN] mu_y.dark at no exposure */
    double pixel;        /* [m] */
    int bits;
    int points;                    /* of the quantum efficiency, 1 to TY_EMVA_POINTS */
    double lambda[TY_EMVA_POINTS]; /* [m] rising */
    double qe[TY_EMVA_POINTS];     /* [-] total, QE(lambda) */
} ty_emva1288;

/* Puts a sheet into a definition: linear curve, all non-uniformity in single pixels, quantum
 * efficiency interpolated at def's bands (0 outside the sheet). TY_ERR_RANGE names the number. */
TY_API ty_status ty_camera_sensor_def_emva(ty_camera_sensor_def *def, const ty_emva1288 *sheet, ty_diag *diag);

typedef struct ty_camera_sensor ty_camera_sensor;
TY_API ty_status ty_camera_sensor_create(const ty_camera_sensor_def *def, ty_camera_sensor **out, ty_diag *diag);
TY_API void ty_camera_sensor_destroy(ty_camera_sensor *sensor); /* NULL is allowed */
TY_API const ty_camera_sensor_def *ty_camera_sensor_get_def(const ty_camera_sensor *sensor);

/* One stage as a filter; the sensor outlives it. */
TY_API ty_filter ty_camera_sensor_filter(ty_camera_sensor *sensor, ty_camera_stage stage);
/* Appends the whole chain; stages that the detector cannot have (mosaic of a grey one) are left out. */
TY_API ty_status ty_camera_sensor_build(ty_camera_sensor *sensor, ty_pipeline *pipeline, ty_diag *diag);

/* Between frames. TY_ERR_RANGE as for the definition. */
TY_API ty_status ty_camera_sensor_set_exposure(ty_camera_sensor *sensor, double exposure, ty_diag *diag); /* [s] */
TY_API ty_status ty_camera_sensor_set_iso(ty_camera_sensor *sensor, double iso, ty_diag *diag);
TY_API ty_status ty_camera_sensor_set_focus(ty_camera_sensor *sensor, double focus, ty_diag *diag); /* [m] */

TY_END_DECLS
#endif
