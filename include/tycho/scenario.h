/* include/tycho/scenario.h - a scenario file: where, when, on what ground. Keys: docs/reference.md
 *
 * A scenario is a plain struct of definitions. It is read once, checked as a whole, and not changed
 * by what is made from it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_SCENARIO_H
#define TYCHO_SCENARIO_H
#include <stdio.h>
#include "tycho/base.h"
#include "tycho/terrain.h"
TY_BEGIN_DECLS

#define TY_PATH_MAX 4096

/* Who drives: nobody, a fixed command, a table over time, or waypoints. */
typedef enum ty_driver_kind {
    TY_DRIVER_STAND,
    TY_DRIVER_CONSTANT,
    TY_DRIVER_TABLE,
    TY_DRIVER_WAYPOINTS
} ty_driver_kind;

typedef struct ty_scenario_point {
    double x, y;   /* [m] W */
    double arrive; /* [s] since the start; 0: no time is set */
} ty_scenario_point;

typedef struct ty_scenario_driver {
    int kind;                 /* ty_driver_kind */
    double v;                 /* [m/s] constant: forward speed */
    double omega;             /* [rad/s] constant: turning rate, left positive */
    char table[TY_PATH_MAX];  /* CSV file, relative to the working folder */
    double speed;             /* [m/s] waypoints */
    ty_scenario_point *point; /* waypoints */
    size_t points;
} ty_scenario_driver;

typedef struct ty_scenario_camera {
    char name[64];
    char mount[64];   /* of the rover's file; "": the body's origin */
    int width, height; /* [px] */
    double hfov;      /* [rad] */
    double period;    /* [s] between frames */
    double start;     /* [s] of the first frame */
    int samples;      /* rays per pixel */
    bool truth;       /* also depth and labels */
} ty_scenario_camera;

typedef struct ty_scenario_rover {
    char name[64];
    char model[TY_PATH_MAX]; /* YAML file of the rover, relative to the working folder */
    double x, y, yaw;        /* [m], [m], [rad] W: where it starts, heading from east to the left */
    int soil_model;          /* ty_soil_model_kind */
    char soil_file[TY_PATH_MAX]; /* parameters; "": those of nominal lunar soil */
    ty_scenario_driver driver;
    ty_scenario_camera *camera;
    size_t cameras;
} ty_scenario_rover;

/* a raster of the Moon around the site */
typedef struct ty_scenario_layer {
    char raster[TY_PATH_MAX]; /* relative to the working folder */
    int band;                 /* 0: the only one */
    double feather;           /* [m] how far around it what lies below is drawn to it; 0: by that one's spacing */
} ty_scenario_layer;

typedef struct ty_scenario {
    int version;            /* of the file's format */
    char name[64];          /* letters, digits, '_', '-' and '.'; names the output folder */
    char start_utc[40];     /* YYYY-MM-DDThh:mm:ss[.fraction] */
    ty_terrain_def terrain; /* lat and lon are the site's; base is left empty, see base_path */
    char base_path[TY_PATH_MAX]; /* raster that the terrain stands on, relative to the working folder; "":
                             none */
    ty_scenario_layer *layer; /* from the coarsest to the finest; base_path comes last */
    size_t layers;
    size_t planet_memory; /* [bytes] bound on cached blocks of all rasters */
    double duration;      /* [s] of simulated time */
    double step;          /* [s] of the dynamics */
    double telemetry;     /* [s] between rows of telemetry */
    ty_scenario_rover *rover;
    size_t rovers;
    size_t keys;          /* how many keys the file and the settings gave */
} ty_scenario;

TY_API ty_scenario ty_scenario_default(void);

/* Reads and checks a file. settings are `count` texts "a.b=c" that override its keys (elements of
 * lists by index: a.0.b=c) and meet the same checks. On success the caller owns *out; on failure
 * *out is NULL and diag holds one sentence: file:line:column (or the setting), key, value, what is
 * accepted. TY_ERR_FILE, TY_ERR_FORMAT (not YAML), TY_ERR_INPUT (key or kind of value),
 * TY_ERR_RANGE, TY_ERR_MEMORY. */
TY_API ty_status ty_scenario_load(const char *path, const char *const *settings, size_t count,
                                  ty_scenario **out, ty_diag *diag);
TY_API void ty_scenario_destroy(ty_scenario *scenario); /* NULL is allowed */

/* Writes the reference page of all keys as Markdown (docs/reference.md). TY_ERR_FILE,
 * TY_ERR_MEMORY. */
TY_API ty_status ty_scenario_reference(FILE *out, ty_diag *diag);

TY_END_DECLS
#endif
