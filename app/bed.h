/* app/bed.h - what the files of `tycho bed` share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_BED_H
#define TYCHO_APP_BED_H
#include "app.h"
#include "tycho/tools/bed.h"

/* plot.png and picture.png into the folder */
ty_status bed_draw(const char *folder, const ty_bed_result *result, const ty_bed_def *def, ty_diag *diag);

/* --fit: the soil of def becomes the one that meets what the file has */
typedef struct bed_fitted {
    bool done;
    double rms;     /* [-] of ln(pressure), or [rad] */
    int runs, rows; /* of the laboratory; of the file */
} bed_fitted;
ty_status bed_fit(ty_bed_test test, ty_bed_def *def, const char *file, const char *frees, bed_fitted *out,
                  ty_diag *diag);

#endif
