/* src/soil/bed/columns.c - the experiments that soils without particles have too: plates and a wheel on scm's columns or Bekker's formulas.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "bed.h"
#include "tycho/tools/testbed.h"

ty_rig_def tyi_bed_rig(const ty_bed_def *def)
{
    ty_rig_def rig = ty_rig_def_default();
    rig.model = def->model == TY_BED_SCM ? TY_SOIL_SCM : TY_SOIL_BEKKER;
    rig.soil = def->bekker;
    rig.soil.g = def->gravity;
    rig.cell = def->spacing;
    return rig;
}

/* Each plate to 0.12 of its diameter, as those on particles. */
ty_status tyi_bed_plate_columns(tyi_bed *bed, tyi_bed_plates *plates)
{
    const ty_bed_def *def = bed->def;
    ty_rig_def rig = tyi_bed_rig(def);
    ty_status status = TY_OK;
    for (int k = 0; k < def->diameters * TYI_BED_PLATE_ROWS && status == TY_OK; k++) {
        double D = def->diameter[k / TYI_BED_PLATE_ROWS],
               z = 0.12 * D * (k % TYI_BED_PLATE_ROWS + 1) / TYI_BED_PLATE_ROWS, pressure;
        status = ty_plate_pressure(&rig, 0.5 * D, z, &pressure, bed->diag);
        if (status == TY_OK) {
            plates->sinkage[k] = z, plates->pressure[k] = pressure;
            plates->count = k + 1;
            double row[] = { D, z, pressure };
            status = tyi_bed_row(bed, row) ? TY_OK : ty_fail(bed->diag, TY_ERR_MEMORY, "bed: no memory for the plates");
        }
    }
    return status;
}
