/* src/record/dust.c - dust.csv: what lies on each face of rovers, objects and actors at the end of a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "io/out.h"
#include "k_dust.h"
#include "record.h"
#include "sim/run.h"
#include "sim/run_dust.h"

static const char *const face_name[6] = { "-x", "+x", "-y", "+y", "-z", "+z" };

ty_status tyi_record_dust(const ty_record *r, ty_diag *diag)
{
    const tyi_sim_dust *d = r->run->dust;
    char path[TYI_RECORD_PATH];
    tyi_io_out out;
    ty_status status = d ? tyi_io_out_open(&out, tyi_record_path(r, "dust.csv", path), diag) : TY_OK;
    if (!d || status != TY_OK) {
        return status;
    }
    fprintf(out.file, "of,part,face,up,area_m2,mass_kg,cover\n");
    for (int i = 0; i < d->boxes; i++) {
        const tyi_dust_deposit *at = tyi_dust_deposits(d->dust, i);
        for (int face = 0; face < 6 && !d->box[i].away; face++) {
            double area = tyi_sim_dust_area(&d->box[i], face);
            fprintf(out.file, "%s,%d,%s,%.4f,%.6g,%.6g,%.6g\n", tyi_sim_dust_name(r->run, i), i, face_name[face],
                    ty_rotate(d->box[i].now.q, tyi_sim_dust_normal(face)).z, area, at[face].mass,
                    area > 0.0 ? ty_k_dust_cover(at[face].area / area) : 0.0);
        }
    }
    return tyi_io_out_close(&out, TY_OK, diag);
}
