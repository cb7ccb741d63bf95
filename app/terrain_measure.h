/* app/terrain_measure.h - what `tycho terrain measure` found, and its plots.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_TERRAIN_MEASURE_H
#define TYCHO_APP_TERRAIN_MEASURE_H
#include "study/measure.h"
#include "tycho/world.h"

#define MEASURE_COUNTS 7
#define MEASURE_COVERS 7
#define MEASURE_DEPTHS 6000

typedef struct measured {
    ty_terrain_def def; /* of the terrain */
    tyi_study_measure_count count[MEASURE_COUNTS];
    int counts;
    tyi_study_measure_depth *depth; /* MEASURE_DEPTHS at most */
    size_t depths;
    tyi_study_measure_cover cover[MEASURE_COVERS];
    int covers;
    tyi_study_measure_slope slope[TYI_STUDY_MEASURE_SLOPES]; /* with craters; of a kind of ground only */
    int slopes;
    bool relief;                        /* roughness was measured */
    tyi_study_measure_rough bare, full; /* without and with craters */
    const ty_raster_spectrum *fit;      /* of the base; NULL: there is none */
    tyi_study_measure_continued spectrum;
} measured;

/* The plots, in order: draws number i into the path; false past the last. *name is its file name;
 * NULL in *name: it has nothing to show for this ground and is left out. With path NULL only the
 * name is given. */
bool app_measure_plot(const measured *m, int i, const char **name, const char *path, ty_diag *diag);

#endif
