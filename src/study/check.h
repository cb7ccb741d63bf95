/* src/study/check.h - what the check_*.c files share: each checks some kinds of files by loading them as a run does.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_STUDY_CHECK_H
#define TYI_STUDY_CHECK_H
#include <stdio.h>
#include "io/document.h"
#include "tycho/scenario.h"
#include "tycho/tools/raster.h"
#include "tycho/vehicle.h"
#include "io/rasters.h"

/* One file being checked. */
typedef struct tyi_study_check {
    const char *path;
    const char *const *settings; /* "key=value" */
    size_t count;
    char about[600]; /* what it is, in a few words */
    FILE *lines;     /* its summary: lines that begin with two blanks */
} tyi_study_check;

typedef ty_status tyi_study_check_fn(tyi_study_check *check, ty_diag *diag);

/* A kind of file. A YAML file is told by its keys, those of `schema` or `is_key`; a table by its columns. */
typedef struct tyi_study_file_kind {
    const char *name;            /* "a rover" */
    const tyi_io_schema *schema; /* YAML; NULL: by is_key, or not YAML */
    const char *const *words;    /* columns of a table that tell it from others; ends with NULL; NULL: no table */
    tyi_study_check_fn *check;
    bool fixed; /* takes no settings */
} tyi_study_file_kind;

tyi_study_check_fn tyi_study_check_scenario, tyi_study_check_dataset; /* check_scenario.c */
tyi_study_check_fn tyi_study_check_rover;                             /* check_rover.c */
tyi_study_check_fn tyi_study_check_soil;                              /* check_soil.c */
/* check_table.c */
tyi_study_check_fn tyi_study_check_drive, tyi_study_check_trajectory, tyi_study_check_beams, tyi_study_check_measured,
    tyi_study_check_labels;
/* check_model.c */
tyi_study_check_fn tyi_study_check_mjcf, tyi_study_check_model, tyi_study_check_picture, tyi_study_check_raster;

/* check_sensor.c: kinds of sensor files, in a table that ends with a NULL name; and the one that a scenario's sensor
 * names. */
extern const tyi_study_file_kind tyi_study_sensor_files[];
ty_status tyi_study_check_sensor(const ty_sensor_def *sensor, ty_diag *diag);

/* How steep a raster is around a place [rad], with a note where the Moon is not. */
void tyi_study_check_slopes(tyi_study_check *check, tyi_io_raster *raster, double lat, double lon);
/* Lines as notes of the summary. */
void tyi_study_check_notes(tyi_study_check *check, const char *lines);

/* A rover as a run makes it, on level ground with nominal lunar soil; both are the caller's, also on failure. */
ty_status tyi_study_check_vehicle(const char *path, ty_terrain **terrain, ty_vehicle **vehicle, ty_diag *diag);

/* The kinds that a file may be of, the likeliest first: more than one where they know equally many of its keys.
 * TY_ERR_INPUT: none. */
#define TYI_STUDY_KINDS_MOST 32
ty_status tyi_study_check_kinds(const char *path, const tyi_study_file_kind *out[TYI_STUDY_KINDS_MOST], size_t *count,
                                ty_diag *diag);

#endif
