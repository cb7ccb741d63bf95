/* src/soil/rig_scm.c - plates on the grid of soil columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "rig.h"
#include "soil.h"
#include "inner.h"
#include "scm_grid.h"

typedef struct scene {
    tyi_soil_scm *scm;
    tyi_soil_scm_body body;
} scene;

static ty_status make_grid(const ty_rig_def *def, bool berms, scene *s, ty_diag *diag)
{
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    tyi_soil_scm_def grid = tyi_soil_scm_def_default();
    soil.soil = def->soil;
    soil.repose = fmax(def->soil.phi, 0.02);
    grid.cell = def->cell;
    grid.soil = &soil;
    grid.soils = 1;
    grid.bodies = 1;
    grid.reserve = 32;
    grid.berms = berms;
    s->body.pose.q = (ty_quat){ 1.0, 0.0, 0.0, 0.0 };
    return tyi_soil_scm_create(&grid, &s->scm, diag);
}

/* ---- plates: held where they are put, so one step finds the pressure there */

ty_status tyi_soil_plate_scm(const ty_rig_def *def, double b, double depth, double *pressure, ty_diag *diag)
{
    scene s = { 0 };
    tyi_soil_scm_load load = { 0 };
    ty_status status = make_grid(def, false, &s, diag);
    status = status == TY_OK ? tyi_soil_scm_add_plate(s.scm, 2.0 * b, 0.0, &s.body.shape, diag) : status;
    s.body.pose.p.z = -depth;
    status = status == TY_OK ? tyi_soil_scm_step(s.scm, def->dt, &s.body, 1, &load, diag) : status;
    *pressure = load.area > 0.0 ? load.force.z / load.area : 0.0;
    tyi_soil_scm_destroy(s.scm);
    return status;
}

ty_status tyi_soil_shear_scm(const ty_rig_def *def, double normal, double j, double *shear, ty_diag *diag)
{
    const double side = 0.2, b = 0.5 * side; /* 2 area / perimeter of a square */
    scene s = { 0 };
    tyi_soil_scm_load load = { 0 };
    double k = ty_k_bekker_modulus(def->soil.k_c, def->soil.k_phi, b), strength = 0.0;
    double tan_phi = tan(tyi_soil_shear_angle(&def->soil));
    ty_status status = make_grid(def, false, &s, diag);
    status = status == TY_OK ? tyi_soil_scm_add_plate(s.scm, side, side, &s.body.shape, diag) : status;
    s.body.pose.p.z = -pow(normal / k, 1.0 / def->soil.n0);
    s.body.v.x = j / def->dt; /* the way in one step: first loading is exact however long */
    status = status == TY_OK ? tyi_soil_scm_step(s.scm, def->dt, &s.body, 1, &load, diag) : status;
    if (load.area > 0.0) {
        strength = def->soil.c + load.force.z / load.area * tan_phi;
    }
    double full = def->soil.c + normal * tan_phi;
    *shear = strength > 0.0 ? -load.force.x / load.area * full / strength : 0.0;
    tyi_soil_scm_destroy(s.scm);
    return status;
}
