/* Lugs on the grid of soil columns, on slopes: what the soil's weight holds against their faces.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_earth_pressure.h"
#include "soils.h"
#include "soil/scm_grid.h"

static void plane(void *user, int64_t i0, int64_t j0, int nx, int ny, double *out)
{
    const double *rise = user;
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            out[j * nx + i] = *rise * 0.02 * (double)(i0 + i);
        }
    }
    (void)j0;
}

/* Mean pull [N] along a slope t [rad] of a lugged wheel, led up (roll 1) or down it (-1) with the rim 15 mm deep,
 * slipping by 0.4. */
static double pull(double t, double roll, double rho)
{
    static const ty_wheel_shape shape = { 0.225, 0.2, 0.025, 24 };
    double rise = tan(t), sum = 0.0, v = 0.12 * roll, omega = 0.2 * roll / 0.2467;
    tyi_soil_scm_soil soil = tyi_soil_scm_soil_default();
    soil.soil.rho = rho;
    soil.soil.g = 9.81;
    tyi_soil_scm_def def = tyi_soil_scm_def_default();
    def.soil = &soil;
    def.soils = def.bodies = 1;
    def.height = plane;
    def.user = &rise;
    def.berms = false;
    tyi_soil_scm *scm;
    ty_diag diag = { 0 };
    ty_vec3 e = { cos(t), 0.0, sin(t) }, n = { -sin(t), 0.0, cos(t) };
    tyi_soil_scm_body body = { .pose.q = { 1.0, 0.0, 0.0, 0.0 }, .v = ty_scale(v, e), .w = { 0.0, omega, 0.0 } };
    tyi_soil_scm_load load;
    cr_assert(tyi_soil_scm_create(&def, &scm, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(tyi_soil_scm_add_wheel(scm, &shape, 0.005, &body.shape, &diag) == TY_OK);
    for (int i = 0; i < 1200; i++) {
        body.pose.p = ty_add(ty_scale(1e-3 * i * v, e), ty_scale(0.225 - 0.015, n));
        body.pose.q = ty_quat_axis(ty_vec3_make(0.0, 1.0, 0.0), 1e-3 * i * omega);
        cr_assert(tyi_soil_scm_step(scm, 1e-3, &body, 1, &load, &diag) == TY_OK, "%s", diag.text);
        sum += i >= 600 ? roll / 600.0 * ty_dot(load.force, e) : 0.0;
    }
    tyi_soil_scm_destroy(scm);
    return sum;
}

/* What the weight of the soil adds to the pull goes with the passive pressure on sloping ground: less where the
 * wheel climbs and pushes soil downhill, more where it drives down; backing up a slope is driving up it. */
TY_TEST(lugs, push_soil_downhill)
{
    const double t = 15.0 * TY_DEG, phi = tyi_soil_scm_soil_default().soil.phi;
    double level = pull(0.0, 1.0, 1660.0) - pull(0.0, 1.0, 0.0), up = pull(t, 1.0, 1660.0) - pull(t, 1.0, 0.0),
           down = pull(t, -1.0, 1660.0) - pull(t, -1.0, 0.0), backed = pull(-t, -1.0, 1660.0) - pull(-t, -1.0, 0.0);
    double flat = ty_k_earth_passive(sin(phi), cos(phi), 0.0, 1.0),
           falls = ty_k_earth_passive(sin(phi), cos(phi), sin(t), cos(t)),
           rises = ty_k_earth_passive(sin(phi), cos(phi), -sin(t), cos(t));
    printf("weight on lug faces: %.2f N level, %.2f N uphill (%.3f, by the wedge %.3f), %.2f N downhill (%.3f, %.3f)\n",
           level, up, up / level, falls / flat, down, down / level, rises / flat);
    TY_CHECK(level > 3.0);
    /* columns are vertical: the contact is not quite that of level ground */
    TY_NEAR_REL(up / level, falls / flat, 0.06);
    TY_NEAR_REL(down / level, rises / flat, 0.06);
    TY_NEAR_REL(backed, up, 0.02);
    TY_FAR_REL(up / level, 1.0, 0.06); /* control: as on level ground */
}
