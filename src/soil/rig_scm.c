/* src/soil/rig_scm.c - the single wheel on the grid of soil columns: led forward over flat ground,
 * free to sink, until it has left its first contact far behind.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "rig.h"
#include "soil.h"

static const double lug_share = 0.3; /* thickness of a lug over its height: plates */

typedef struct scene {
    ty_scm *scm;
    ty_scm_body body;
    tyi_soil_rig_motion lead;
    double z_rate, spin;
} scene;

static ty_status make_grid(const ty_rig_def *def, bool berms, scene *s, ty_diag *diag)
{
    ty_scm_soil soil = ty_scm_soil_default();
    ty_scm_def grid = ty_scm_def_default();
    soil.soil = def->soil;
    soil.repose = fmax(def->soil.phi, 0.02);
    grid.cell = def->cell;
    grid.soil = &soil;
    grid.soils = 1;
    grid.bodies = 1;
    grid.reserve = 32;
    grid.berms = berms;
    s->body.pose.q = (ty_quat){ 1.0, 0.0, 0.0, 0.0 };
    return ty_scm_create(&grid, &s->scm, diag);
}

static ty_status make(const ty_rig_def *def, scene *s, ty_diag *diag)
{
    ty_status status = make_grid(def, true, s, diag);
    if (status == TY_OK) {
        status = ty_scm_add_wheel(s->scm, &def->wheel, lug_share * def->wheel.grouser_h, &s->body.shape, diag);
    }
    s->lead = tyi_soil_rig_lead(def);
    s->body.pose.p = ty_vec3_make(0.0, 0.0, def->wheel.r + def->wheel.grouser_h);
    return status;
}

/* ---- plates: held where they are put, so one step finds the pressure there */

ty_status tyi_soil_plate_scm(const ty_rig_def *def, double b, double depth, double *pressure, ty_diag *diag)
{
    scene s = { 0 };
    ty_scm_load load = { 0 };
    ty_status status = make_grid(def, false, &s, diag);
    status = status == TY_OK ? ty_scm_add_plate(s.scm, 2.0 * b, 0.0, &s.body.shape, diag) : status;
    s.body.pose.p.z = -depth;
    status = status == TY_OK ? ty_scm_step(s.scm, def->dt, &s.body, 1, &load, diag) : status;
    *pressure = load.area > 0.0 ? load.force.z / load.area : 0.0;
    ty_scm_destroy(s.scm);
    return status;
}

ty_status tyi_soil_shear_scm(const ty_rig_def *def, double normal, double j, double *shear, ty_diag *diag)
{
    const double side = 0.2, b = 0.5 * side; /* 2 area / perimeter of a square */
    scene s = { 0 };
    ty_scm_load load = { 0 };
    double k = ty_k_bekker_modulus(def->soil.k_c, def->soil.k_phi, b), strength = 0.0;
    double tan_phi = tan(ty_soil_shear_angle(&def->soil));
    ty_status status = make_grid(def, false, &s, diag);
    status = status == TY_OK ? ty_scm_add_plate(s.scm, side, side, &s.body.shape, diag) : status;
    s.body.pose.p.z = -pow(normal / k, 1.0 / def->soil.n0);
    s.body.v.x = j / def->dt; /* the way in one step: first loading is exact however long */
    status = status == TY_OK ? ty_scm_step(s.scm, def->dt, &s.body, 1, &load, diag) : status;
    if (load.area > 0.0) {
        strength = def->soil.c + load.force.z / load.area * tan_phi;
    }
    double full = def->soil.c + normal * tan_phi;
    *shear = strength > 0.0 ? -load.force.x / load.area * full / strength : 0.0;
    ty_scm_destroy(s.scm);
    return status;
}

/* ---- the wheel */

/* Leads the wheel by one step and lets it sink. */
static ty_status step(const ty_rig_def *def, scene *s, ty_wheel_load *at, ty_diag *diag)
{
    ty_scm_load load;
    ty_scm_body *b = &s->body;
    b->pose.q = ty_quat_axis(ty_vec3_make(0.0, 1.0, 0.0), s->spin);
    b->v = ty_vec3_make(s->lead.v_x, s->lead.v_y, s->z_rate);
    b->w = ty_vec3_make(0.0, s->lead.omega, 0.0);
    ty_status status = ty_scm_step(s->scm, def->dt, b, 1, &load, diag);
    if (status != TY_OK) {
        return status;
    }
    s->z_rate += def->dt * (load.force.z - def->load) / (def->load / def->soil.g);
    b->pose.p = ty_add(b->pose.p, ty_scale(def->dt, ty_vec3_make(b->v.x, b->v.y, s->z_rate)));
    s->spin = fmod(s->spin + def->dt * s->lead.omega, 2.0 * TY_PI);
    *at = (ty_wheel_load){ .fx = load.force.x, .fy = load.force.y, .fz = load.force.z, .torque = -load.torque.y };
    return TY_OK;
}

/* A second to settle and the way of two radii; then means over whole cells and, with lugs, over whole pitches. */
ty_status tyi_soil_rig_scm(const ty_rig_def *def, ty_rig_result *out, ty_diag *diag)
{
    scene s = { 0 };
    ty_status status = make(def, &s, diag);
    double fast = fmax(hypot(s.lead.v_x, s.lead.v_y), 1e-9);
    double rim = fmax(fabs(s.lead.omega) * def->wheel.r, 1e-9);
    double pitch = def->wheel.grousers ? 2.0 * TY_PI * def->wheel.r / def->wheel.grousers : 0.0;
    double settle = 1.0 + fmin(1.5 * def->wheel.r / fmax(fast, 0.2 * rim), 60.0);
    double watch = fmin(fmax(8.0 * def->cell / fast, 4.0 * pitch / rim), 60.0);
    long before = (long)(settle / def->dt), steps = before + (long)fmax(watch / def->dt, 100.0);
    tyi_soil_rig_sum sum = { 0 };
    for (long i = 0; i < steps && status == TY_OK; i++) {
        ty_wheel_load at;
        status = step(def, &s, &at, diag);
        double h = def->wheel.r - s.body.pose.p.z;
        if (status == TY_OK && h > 2.0 * def->wheel.r) {
            status = ty_fail(diag, TY_ERR_NUMERIC,
                             "rig: the wheel sank below the ground: no sinkage carries %g N at "
                             "slip %g",
                             def->load, def->slip);
        }
        if (status == TY_OK && i >= before) {
            tyi_soil_rig_add(&sum, h, &at);
        }
    }
    ty_scm_destroy(s.scm);
    if (status == TY_OK) {
        tyi_soil_rig_mean(&sum, def, out);
    }
    return status;
}
