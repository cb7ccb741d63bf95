/* app/terrain_measure.h - what `tycho terrain measure` found, and its plots.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_TERRAIN_MEASURE_H
#define TYCHO_APP_TERRAIN_MEASURE_H
#include "tycho/tools/measure.h"
#include "tycho/world.h"

#define MEASURE_COUNTS 7
#define MEASURE_COVERS 7
#define MEASURE_DEPTHS 6000

typedef struct measured {
    ty_terrain_def def; /* of the terrain */
    ty_measure_count count[MEASURE_COUNTS];
    int counts;
    ty_measure_depth *depth; /* MEASURE_DEPTHS at most */
    size_t depths;
    ty_measure_cover cover[MEASURE_COVERS];
    int covers;
    ty_measure_slope slope[TY_MEASURE_SLOPES]; /* with craters; of a kind of ground only */
    int slopes;
    bool relief;                   /* roughness was measured */
    ty_measure_rough bare, full;   /* without and with craters */
    const ty_raster_spectrum *fit; /* of the base; NULL: there is none */
    ty_measure_continued spectrum;
} measured;

/* The plots, in order: draws number i into the path; false past the last. *name is its file name;
 * NULL in *name: it has nothing to show for this ground and is left out. With path NULL only the
 * name is given. */
bool app_measure_plot(const measured *m, int i, const char **name, const char *path, ty_diag *diag);

#endif
