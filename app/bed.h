/* app/bed.h - what the files of `tycho bed` share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_APP_BED_H
#define TYCHO_APP_BED_H
#include "app.h"
#include "tycho/tools/bed.h"

/* plot.png and picture.png into the folder */
ty_status bed_draw(const char *folder, const ty_bed_result *result, const ty_bed_def *def, ty_diag *diag);

#endif
