/* include/tycho/world.h - the place of a scenario: its ground, with the raster it stands on, and its light.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_WORLD_H
#define TYCHO_WORLD_H
#include "tycho/tools/raster.h"
#include "tycho/sky.h"
#include "tycho/terrain.h"
TY_BEGIN_DECLS

typedef struct ty_world ty_world;

/* a raster of the Moon around the site */
typedef struct ty_world_layer_def {
    char raster[TY_PATH_MAX]; /* relative to the working folder */
    int band;                 /* 0: the only one */
    double feather;           /* [m] how far around it what lies below is drawn to it; 0: by that one's spacing */
} ty_world_layer_def;

TY_API void ty_world_destroy(ty_world *world); /* NULL is allowed */
TY_API ty_terrain *ty_world_terrain(ty_world *world);
TY_API ty_utc ty_world_start(const ty_world *world);
/* of the base at the site; NULL without a base */
TY_API const ty_raster_spectrum *ty_world_spectrum(const ty_world *world);

/* How a raster of the scenario's planet.layers differs from what lies below it, over its whole cover. */
typedef struct ty_world_layer_report {
    const char *path;
    double spacing;               /* [m] */
    double lat, lon, reach;       /* [rad] circle around cover and surroundings */
    double samples;               /* places that were compared; 0 for the first, which has nothing below */
    double mean, rms, low, high;  /* [m] its height minus that of what lies below, both smoothed to the spacing below */
    double low_at[2], high_at[2]; /* [rad] latitude and longitude of the extremes */
    double share50;               /* [-] of them that differ by more than 50 m */
} ty_world_layer_report;
TY_API int ty_world_layers(const ty_world *world); /* how many there are */
TY_API ty_status ty_world_layer(const ty_world *world, int layer, ty_world_layer_report *out, ty_diag *diag);

TY_API ty_raster_cache_stats ty_world_cache(const ty_world *world); /* of all rasters together */

/* A rectangle of the ground as a raster. Start from ty_world_export_def_default(). */
typedef struct ty_world_export_def {
    double x, y;    /* [m] 0 0   middle, W at the height of the sphere */
    double size;    /* [m] 1000  side; from west to east where size_y is given */
    double size_y;  /* [m] 0     from south to north; 0: as size */
    double spacing; /* [m] 1     what is smaller is left out, as the terrain's levels do */
    int threads;    /* 0: all processors */
    uint32_t cookie;
} ty_world_export_def;
TY_API ty_world_export_def ty_world_export_def_default(void);
/* as ty_terrain_write() does */
TY_API ty_status ty_world_export_check(const ty_terrain *terrain, const ty_world_export_def *def, ty_diag *diag);
/* Writes the heights above the sphere as a GeoTIFF; rocks are bodies of their own and not in them.
 * TY_ERR_DEF, TY_ERR_RANGE, TY_ERR_FILE, TY_ERR_MEMORY. */
TY_API ty_status ty_terrain_write(ty_terrain *terrain, const ty_world_export_def *def, const char *path,
                                  const ty_progress *progress, ty_raster_stats *written, ty_diag *diag);

/* What edits (ruts, berms) did to the ground: the smallest rectangle that holds all of them, with a margin, as it
 * was and as it is. Every sample of the edit level, or of the finest level at which there are at most `most`
 * samples. Rocks are not in it. */
typedef struct ty_world_edits_report {
    ty_rect rect;           /* [m] W; all zero: nothing was edited, and nothing written */
    double spacing;         /* [m] */
    int width, height;      /* samples */
    double lowest, highest; /* [m] change */
} ty_world_edits_report;
/* Both as ty_terrain_write() does, each whole or not at all. Heights are floats: far from the sphere the difference
 * of the two files is rounded (0.1 mm at 1 km). What ty_terrain_write() returns. */
TY_API ty_status ty_terrain_write_edits(ty_terrain *terrain, size_t most, const char *before, const char *after,
                                        ty_world_edits_report *out, ty_diag *diag);

/* Visible fraction [-] of a body's disk from a point: past the ground along the body's azimuth, ruts included, out
 * to far [m], and past rocks that look wider than 1 mrad; objects of a scene are not asked. Rocks count in steps of
 * 1/64. Reads only tiles on that line. What ty_terrain_sample() returns. */
TY_API ty_status ty_terrain_sees(ty_terrain *terrain, ty_vec3 p_W, const ty_sky_body *body, double far,
                                 double *fraction, ty_diag *diag);

/* Where the Sun shines, and for how much of the time: one number for each point of a grid. Start from
 * ty_sunlight_def_default(). */
typedef struct ty_sunlight_def {
    double x0, y0;  /* [m] W of the first point */
    double spacing; /* [m] 50 */
    int nx, ny;     /* points east and north */
    double height;  /* [m] 0   of the eye above the ground */
    ty_utc start;
    ty_time step; /* [ns] 2 h */
    int steps;    /* 354   of these: one lunar day */
    int azimuths; /* 360   directions in which the skyline is found; between them it is interpolated */
    double far;   /* [m] 250 km   relief beyond this is not seen */
    int threads;  /* 0: all processors */
    uint32_t cookie;
} ty_sunlight_def;

TY_API ty_sunlight_def ty_sunlight_def_default(void);
/* fraction[j * nx + i]: mean over the time of the visible fraction of the Sun's disk, 0 to 1. */
TY_API ty_status ty_sunlight_map(ty_terrain *terrain, const ty_sunlight_def *def, const ty_progress *progress,
                                 float *fraction, ty_diag *diag);

TY_END_DECLS
#endif
