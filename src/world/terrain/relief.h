/* src/world/terrain/relief.h - fractal relief: white noise on every level, each level half as coarse and
 * spacing^hurst as strong, carried to finer levels by interpolation (successive random additions).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_RELIEF_H
#define TYI_TERRAIN_RELIEF_H
#include "tycho/terrain.h"

#define TYI_TERRAIN_MAX_LEVELS 32

typedef struct tyi_terrain_relief {
    uint32_t key;                          /* of the random numbers, from the seed */
    double sigma[TYI_TERRAIN_MAX_LEVELS];  /* [m] standard deviation of the noise that each level adds */
    double micro[TYI_TERRAIN_MAX_LEVELS];  /* [m] the same of the soil's own roughness, which is patchy */
    double hollow[TYI_TERRAIN_MAX_LEVELS]; /* [m] the same of hummocks, hollows and swells in cells of that spacing */
    double patchy;                         /* [-] */
    bool crumbs;                           /* the soil's own roughness is crumbs and pits */
} tyi_terrain_relief;

/* spacing0 [m]: of level 0. Wavelengths run from 2 spacings up to def->outer, where the longest also carry the slope of
 * those left out, so that the law holds up to the size of the site; outer = INFINITY: nothing is left out. */
void tyi_terrain_relief_init(tyi_terrain_relief *relief, const ty_relief_def *def, uint64_t seed, double spacing0,
                             int levels);

/* adds the noise of one level to samples i0.., j0.. : h[j * nx + i] */
void tyi_terrain_relief_add(const tyi_terrain_relief *relief, int level, int32_t i0, int32_t j0, int nx, int ny,
                            double *h);

/* Scales the noise so that the mean square difference over a lag [m] is `want` [m2]. */
void tyi_terrain_relief_scale(tyi_terrain_relief *relief, double spacing0, int levels, double lag, double want);

/* [-] strength of the soil's own roughness at a place [m], mean square 1; 1 where it is not patchy */
double tyi_terrain_relief_patch(const tyi_terrain_relief *relief, double x, double y);

/* New craters, in and around which the soil is broken. */
typedef struct tyi_terrain_clods {
    int count;
    struct {
        double x, y, r, freshness; /* [m] [m] [m] [-] */
    } at[64];
} tyi_terrain_clods;

/* adds the soil's own roughness of one level; scratch holds nx * ny */
void tyi_terrain_relief_add_micro(const tyi_terrain_relief *relief, int level, double spacing, int32_t i0, int32_t j0,
                                  int nx, int ny, const tyi_terrain_clods *clods, double *h, double *scratch);

/* Adds hummocks and hollows to samples of one level: those in cells of two samples, and where it is the last level those in
 * cells of one, which finer levels have from the next. */
void tyi_terrain_relief_add_hollows(const tyi_terrain_relief *relief, int level, double spacing, bool last, int32_t i0,
                                    int32_t j0, int nx, int ny, double *h, double *scratch);

/* Variance of h(x + lag) - h(x) along a grid axis [m2] when the level of spacing d adds d^hurst [m], for d = finest,
 * 2 finest, 4 finest ... without end; lag and spacings [m]. */
double tyi_terrain_relief_structure(double hurst, double finest, double lag);

#endif
