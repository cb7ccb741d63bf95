/* src/study/bed_fit.h - a soil of particles fitted to a user's own test: pressures under plates, or the angle of a heap.
 * Each trial is a run of the soil laboratory, so a fit takes some ten times as long as one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_STUDY_BED_FIT_H
#define TYI_STUDY_BED_FIT_H
#include "tycho/tools/bed.h"

enum { TYI_STUDY_BED_FIT_FREE = 3, TYI_STUDY_BED_FIT_ROWS = 512 };

/* What was measured: of TY_BED_PLATE diameter, sinkage and pressure, of TY_BED_REPOSE angle [rad] (in `pressure`). */
typedef struct tyi_study_bed_data {
    double diameter[TYI_STUDY_BED_FIT_ROWS], sinkage[TYI_STUDY_BED_FIT_ROWS], pressure[TYI_STUDY_BED_FIT_ROWS];
    int rows;
} tyi_study_bed_data;
/* A table with columns sinkage_m and pressure_pa, and diameter_m where there are several plates; or a column angle_deg. */
ty_status tyi_study_bed_data_read(const char *path, ty_bed_test test, double diameter, tyi_study_bed_data *out,
                                  ty_diag *diag);

typedef struct tyi_study_bed_fit {
    ty_bed_test test;                         /* plate or repose, crm */
    ty_bed_def def;                           /* where it starts; its diameters are those of the data */
    const char *free[TYI_STUDY_BED_FIT_FREE]; /* of mu_s, e, c */
    int frees;
    int most; /* runs at most */
    /* out */
    double rms;  /* [-] of ln(pressure / measured), or [rad] */
    int runs;    /* that it took */
    int used;    /* rows of the data: those within the experiment's reach, 0.12 diameters */
    bool beyond; /* some are deeper */
} tyi_study_bed_fit;
/* def has the fitted soil when it returns. */
ty_status tyi_study_bed_fit_run(tyi_study_bed_fit *fit, const tyi_study_bed_data *data, ty_diag *diag);

#endif
