/* src/world/terrain/generate.h - the terrain as a pure function of (definition, level, sample).
 * A block of samples is built from the coarsest level down: each step doubles the density by interpolation and
 * adds what the finer level can show. The value at a sample does not depend on the block it is asked in.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_GENERATE_H
#define TYI_TERRAIN_GENERATE_H
#include "crater.h"
#include "relief.h"
#include "tycho/terrain.h"

/* a layer over the base, ready for use */
typedef struct tyi_terrain_laid {
    int level, top;           /* finest level that reads it directly; coarsest that adds what it lacks */
    tyi_terrain_relief lacks; /* noise of the levels from level to top */
    ty_vec3 middle;           /* unit, Moon-fixed; with reach the circle around it */
    double reach;             /* [rad] */
} tyi_terrain_laid;

typedef struct tyi_terrain_generator {
    ty_terrain_def def;
    ty_site site;
    int levels;
    int base_level; /* finest level that reads the base directly; below, it is interpolated */
    int top_level;  /* coarsest level that adds detail */
    tyi_terrain_relief relief;
    tyi_terrain_craters craters;
    tyi_terrain_laid laid[TY_TERRAIN_LAYERS];
    int layers;
} tyi_terrain_generator;

void tyi_terrain_generator_init(tyi_terrain_generator *g, const ty_terrain_def *def);

#define TYI_TERRAIN_BLOCK 136 /* largest side of a block, in samples */
/* Heights [m] in W of samples i0 .. i0+nx-1, j0 .. j0+ny-1: out[j * nx + i]. Uses the caller's scratch. */
typedef struct tyi_terrain_scratch {
    double a[TYI_TERRAIN_BLOCK * TYI_TERRAIN_BLOCK], b[TYI_TERRAIN_BLOCK * TYI_TERRAIN_BLOCK],
        c[TYI_TERRAIN_BLOCK * TYI_TERRAIN_BLOCK];
    double rows[TYI_TERRAIN_BLOCK * TYI_TERRAIN_BLOCK];
    float f[TYI_TERRAIN_BLOCK * TYI_TERRAIN_BLOCK];
} tyi_terrain_scratch;
ty_status tyi_terrain_generate(const tyi_terrain_generator *g, int level, int32_t i0, int32_t j0, int nx, int ny,
                               double *out, tyi_terrain_scratch *scratch, ty_diag *diag);
/* What the soil's own roughness of one level adds to each sample [m]. */
void tyi_terrain_generate_micro(const tyi_terrain_generator *g, int level, int32_t i0, int32_t j0, int nx, int ny,
                                double *out, tyi_terrain_scratch *scratch);

#endif
