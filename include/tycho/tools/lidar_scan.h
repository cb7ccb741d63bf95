/* include/tycho/tools/lidar_scan.h - a lidar in a scene, and lidars from files.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_LIDAR_SCAN_H
#define TYCHO_LIDAR_SCAN_H
#include <stdio.h>
#include "tycho/lidar.h"
#include "tycho/trace.h"
TY_BEGIN_DECLS

/* One scan: rays, tracing, returns, points. *points stays valid until the lidar's next scan; its
 * stamps are the window's. Statuses of ty_scene_trace() and ty_lidar_points(). */
TY_API ty_status ty_lidar_scan(ty_lidar *lidar, ty_scene *scene, const ty_track *track, ty_time start, uint64_t frame,
                               const ty_buffer **points, ty_diag *diag);

/* Reads a model file (models/sensors/lidar_*.yaml; keys: `tycho check --reference`), changed by settings
 * "key=value". The definition holds memory for a table's beams until ty_lidar_file_free(). */
typedef struct ty_lidar_file {
    ty_lidar_def def;
    char title[128];
    ty_lidar_beam *beam;
} ty_lidar_file;
TY_API ty_status ty_lidar_load(const char *path, const char *const *settings, size_t count, ty_lidar_file *out,
                               ty_diag *diag);
TY_API void ty_lidar_file_free(ty_lidar_file *file);

/* A SPAD camera: a grid of pixels, and what their diodes count. */
typedef enum ty_spad_output { TY_SPAD_HISTOGRAM, TY_SPAD_RANGE } ty_spad_output;
typedef struct ty_spad_file {
    ty_spad_def spad;   /* pixels and samples are the grid's */
    ty_lidar_def lidar; /* makes the rays: column by column, in each from the top down */
    int output;         /* ty_spad_output: what a run delivers */
} ty_spad_file;
/* Reads a model file (models/sensors/spad_*.yaml; keys: `tycho check --reference`), changed by settings
 * "key=value". TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_INPUT, TY_ERR_RANGE. */
TY_API ty_status ty_spad_load(const char *path, const char *const *settings, size_t count, ty_spad_file *out,
                              ty_diag *diag);

TY_END_DECLS
#endif
