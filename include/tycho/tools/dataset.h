/* include/tycho/tools/dataset.h - data sets of labelled stereo images: what to make, and making it.
 *
 * A data set is laid out as the POLAR data set is ([lunar] section 4): terrains, on each some places of a stereo
 * camera, for each the Sun in several directions, for each several exposures. Depth and labels belong to a place and
 * are rendered once; radiance once for each direction of light; exposures are made of it by the camera's chain.
 *
 * Every file appears whole or not at all. A run that was stopped goes on where it was and ends with the same bytes.
 * Layout of the folder, meaning of each file: docs/dataset.md
 *
 * Statuses: TY_ERR_INPUT and TY_ERR_RANGE (specification), TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_MEMORY, TY_ERR_CANCELLED.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_DATASET_H
#define TYCHO_DATASET_H
#include "tycho/scenario.h"
TY_BEGIN_DECLS

typedef enum ty_dataset_split { TY_SPLIT_AUTO, TY_SPLIT_TRAIN, TY_SPLIT_TEST } ty_dataset_split;
typedef enum ty_dataset_mode { TY_DATASET_GRID, TY_DATASET_RANDOM } ty_dataset_mode;
typedef enum ty_dataset_chain { TY_CHAIN_IDEAL, TY_CHAIN_PHYSICAL, TY_CHAIN_BOTH } ty_dataset_chain;
typedef enum ty_dataset_depth { TY_DEPTH_PNG, TY_DEPTH_EXR } ty_dataset_depth;

/* A scenario's ground; each seed makes another terrain of its kind. */
typedef struct ty_dataset_site {
    char scenario[TY_PATH_MAX]; /* relative to the working folder, once loaded */
    uint64_t *seed;             /* none: the scenario's own */
    size_t seeds;
    int split; /* ty_dataset_split */
} ty_dataset_site;

/* Keys, defaults and ranges: docs/dataset.md */
typedef struct ty_dataset_def {
    int version;
    char name[64];
    uint64_t seed;
    ty_dataset_site *site;
    size_t sites;
    double test_share; /* [-] of the terrains that no site's split decides */
    int mode;          /* ty_dataset_mode */
    int pairs;         /* random: stereo pairs in all */
    int positions;     /* grid: places of the camera on each terrain */
    double area;       /* [m] side of the square around the origin in which they lie */
    /* camera */
    int width, height; /* [px] */
    double hfov;       /* [rad] */
    double baseline;   /* [m] from the left camera to the right one */
    double look;       /* [rad] elevation of the optical axis */
    double *stand;     /* [m] heights above the ground */
    size_t stands;
    int chain;        /* ty_dataset_chain */
    int bits;         /* 8 (brightened by `gamma`) or 16 (proportional to light) */
    double gamma;     /* [-] */
    double f_number;  /* [-] */
    double focus;     /* [m] */
    double *exposure; /* [s] 0: automatic */
    size_t exposures;
    int samples, bounces; /* rays per pixel; surfaces a path may visit */
    double *band_nm;      /* [nm] low and high of each band of light; NULL: one with all of the Sun's light */
    size_t band_ends;     /* two for each band */
    bool color;           /* red, green and blue by a Bayer pattern */
    /* light */
    double *azimuth, *elevation; /* [rad] */
    size_t azimuths, elevations;
    bool relative; /* azimuths count from where the camera looks: pi is behind it */
    double *lamp;  /* [W/sr] a rover's lamp beside the camera; 0: off */
    size_t lamps;
    /* labels */
    int least_pixels;
    int depth; /* ty_dataset_depth */
} ty_dataset_def;

TY_API ty_dataset_def ty_dataset_def_default(void);
/* As ty_scenario_load(). The caller owns *out. */
TY_API ty_status ty_dataset_load(const char *path, const char *const *settings, size_t count, ty_dataset_def **out,
                                 ty_diag *diag);
TY_API void ty_dataset_def_destroy(ty_dataset_def *def); /* NULL is allowed */
/* The table of keys as Markdown (in docs/dataset.md). */
TY_API ty_status ty_dataset_reference(FILE *out, ty_diag *diag);

/* What will be made. */
typedef struct ty_dataset_size {
    size_t terrains, train_terrains; /* the others are for tests */
    size_t views, pairs;             /* places of the camera; stereo pairs of images */
    double bytes;                    /* [bytes] expected on the disk, within a factor of two */
} ty_dataset_size;

typedef struct ty_dataset ty_dataset;
/* Makes the plan; opens every scenario once, so that a wrong one is told now. def outlives it. */
TY_API ty_status ty_dataset_create(const ty_dataset_def *def, ty_dataset **out, ty_diag *diag);
TY_API void ty_dataset_destroy(ty_dataset *dataset); /* NULL is allowed */
TY_API ty_dataset_size ty_dataset_get_size(const ty_dataset *dataset);

/* What a run did, and where its time went. */
typedef struct ty_dataset_stats {
    size_t pairs, found; /* made; found finished by an earlier run */
    size_t rays;
    double scene_s;                            /* [s] wall clock: ground and rocks around new places */
    double truth_s, light_s, chain_s, write_s; /* [s] depth and labels; radiance; camera chain; files */
    size_t labels;                             /* of all images */
} ty_dataset_stats;

/* Makes what is missing in `folder`, which exists, and then the files over all of it. threads 0: all processors.
 * TY_ERR_INPUT where the folder holds another data set. stats may be NULL. */
TY_API ty_status ty_dataset_run(ty_dataset *dataset, const char *folder, int threads, const ty_progress *progress,
                                ty_dataset_stats *stats, ty_diag *diag);

TY_END_DECLS
#endif
