/* app/terrain.h - the subcommands of `tycho terrain`, one terrain_NAME.c each.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_TERRAIN_H
#define TYCHO_APP_TERRAIN_H
#include "app.h"
#include "tycho/tools/raster.h"
#include "io/rasters.h"

extern const app_command app_terrain_generate;
extern const app_command app_terrain_globe;
extern const app_command app_terrain_import;
extern const app_command app_terrain_info;
extern const app_command app_terrain_layers;
extern const app_command app_terrain_map;
extern const app_command app_terrain_measure;
extern const app_command app_terrain_picture;

/* Writes a made-up Moon with per_degree samples to a degree: hills of every size from 3 samples to a sixth of its
 * girth. */
ty_status app_globe_write(int per_degree, const char *path, const ty_progress *progress, ty_diag *diag);

/* `count` numbers with commas between them */
bool app_numbers(const char *text, int count, double *values);

/* Takes the options that say how a raster is to be read (--band, --scale, --offset, --nodata, --pixel with
 * --lat and --lon, --bounds) out of argv. */
ty_status app_raster_options(int *argc, char **argv, tyi_io_raster_def *def, ty_diag *diag);
#define APP_RASTER_HELP                                                                                  \
    "  --band N             band that holds the heights, where the file has several\n"                   \
    "  --scale S --offset O height = stored * S + O [m], instead of what the file says\n"                \
    "  --nodata V           stored value of missing samples, instead of the file's\n"                    \
    "  --pixel M --lat D --lon D    place a raster without georeference: pixel size [m], centre [deg]\n" \
    "  --bounds S,N,W,E     the same for a latitude-longitude grid: its edges [deg]\n"

#endif
