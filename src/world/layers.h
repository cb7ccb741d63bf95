/* src/world/layers.h - rasters of the Moon laid over each other, as the base and layers of a terrain.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_WORLD_LAYERS_H
#define TYI_WORLD_LAYERS_H
#include "tycho/tools/raster.h"
#include "tycho/world.h"
#include "inner.h"
#include "io/rasters.h"

#define TYI_WORLD_RIM 16

typedef struct tyi_world_layer {
    tyi_io_raster *raster;
    char path[TY_PATH_MAX];
    double feather;               /* [m] around it, over which what lies below is drawn to it; 0: it has no border */
    double border;                /* [m] inside it, over which generated detail goes over into its own */
    double rim[4][TYI_WORLD_RIM]; /* [m] its height over what lies below, along its upper, lower, left and right edge */
    double lat, lon, reach;       /* [rad] circle around its cover */
    ty_raster_spectrum spectrum;  /* at the site, or at its own middle where it does not reach the site */
} tyi_world_layer;

/* How rough a global map is, degree by degree, relative to a place. */
#define TYI_WORLD_ROUGH_X 360
#define TYI_WORLD_ROUGH_Y 180
typedef struct tyi_world_rough {
    float at[TYI_WORLD_ROUGH_Y][TYI_WORLD_ROUGH_X]; /* [-] from the south, from 180 deg west */
} tyi_world_rough;

typedef struct tyi_world_layers {
    tyi_world_rough *rough; /* of the first; NULL: it is not global */
    tyi_world_layer layer[TY_TERRAIN_LAYERS + 1];
    int layers;
} tyi_world_layers;

/* Opens the rasters of a place and enters them in the definition of its terrain, whose relief then continues them.
 * After a failure, too, the caller closes. */
ty_status tyi_world_layers_open(tyi_world_layers *all, const tyi_world_def *world, ty_terrain_def *def, ty_diag *diag);
void tyi_world_layers_close(tyi_world_layers *all);

/* Heights [m] of one layer at n places [rad] and their weights [-], as ty_terrain_layer.sample has them. */
ty_status tyi_world_layer_sample(void *layer, size_t n, const double *lat, const double *lon, double spacing,
                                 double *height, double *weight, double *shift, ty_diag *diag);
ty_status tyi_world_layer_away(void *layer, size_t n, const double *lat, const double *lon, double *away,
                               ty_diag *diag);
/* Heights of the first `count` layers laid over each other, as the rasters have them; NaN where none does. */
ty_status tyi_world_layers_heights(const tyi_world_layers *all, int count, size_t n, const double *lat,
                                   const double *lon, double spacing, double *height, ty_diag *diag);
ty_status tyi_world_layers_report(const tyi_world_layers *all, int layer, ty_world_layer_report *out, ty_diag *diag);
/* Measures the first layer; leaves all->rough NULL where it is not a global map. */
ty_status tyi_world_layers_roughness(tyi_world_layers *all, double lat, double lon, ty_diag *diag);
void tyi_world_rough_at(void *rough, size_t n, const double *lat, const double *lon, double *out);
/* The law of a spectrum as a definition of relief. */
ty_relief_def tyi_world_relief_of(const ty_raster_spectrum *spectrum);
/* The same with what a spectrum says nothing of (where the law ends, the soil's own roughness) from `own`. */
ty_relief_def tyi_world_relief_over(const ty_relief_def *own, const ty_raster_spectrum *spectrum);

#endif
