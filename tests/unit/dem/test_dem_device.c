/* Grains on a device, against the host.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "tycho/device.h"
#include "soil/dem/grains.h"

enum { SIDE = 12, DEEP = 6, ALL = SIDE * SIDE * (DEEP + 1) };

static tyi_dem *layer(double mu)
{
    tyi_dem_def def = tyi_dem_def_default();
    double d = 1.17 * def.diameter;
    tyi_dem *dem;
    ty_diag diag = { 0 };
    def.soil.mu = mu;
    def.gravity = ty_vec3_make(5.0, 0.0, -9.81);
    def.low = ty_vec3_make(0, 0, -2 * d);
    def.high = ty_vec3_make(SIDE * d, SIDE * d, (DEEP + 4) * d);
    def.periodic[0] = def.periodic[1] = true;
    def.grains = ALL;
    cr_assert(tyi_dem_create(&def, &dem, &diag) == TY_OK, "%s", diag.text);
    for (uint32_t id = 0; id < ALL; id++) {
        int i = (int)id % (SIDE * SIDE), k = (int)id / (SIDE * SIDE) - 1;
        tyi_dem_grain g = { .x = { (i % SIDE + 0.5) * d, (i / SIDE + 0.5) * d, (k + 0.5) * d },
                            .v = { k < 0 ? 0.0 : 0.3, 0, k < 0 ? 0.0 : -0.5 - 0.1 * k },
                            .r = tyi_dem_radius(&def, id),
                            .fixed = k < 0,
                            .id = id };
        cr_assert(tyi_dem_add(dem, &g, 1, &diag) == TY_OK, "%s", diag.text);
    }
    cr_assert(tyi_dem_step(dem, 0.004, NULL, 0, NULL, &diag) == TY_OK, "%s",
              diag.text); /* contacts that remember go along */
    return dem;
}

TY_TEST(dem_device, agrees_with_the_host)
{
    ty_device_def choice = ty_device_def_default();
    ty_device *device = NULL;
    ty_diag diag = { 0 };
    if (ty_device_create(&choice, &device, &diag) != TY_OK) {
        cr_skip("no OpenCL device: %s", diag.text);
    }
    tyi_dem *bed[3];
    double felt[3][2] = { { 0 } }; /* [N s], [N m s] by a ball that turns and is drawn through the grains */
    for (int k = 0; k < 3; k++) {
        bed[k] = layer(k == 2 ? 0.51 : 0.5);
        if (k == 1) {
            cr_assert(tyi_dem_to_device(bed[k], device, &diag) == TY_OK, "%s", diag.text);
            TY_CHECK(tyi_dem_to_device(bed[k], device, NULL) == TY_ERR_INPUT);
        }
        tyi_crm_body ball = { .shape = TYI_CRM_SPHERE,
                              .a = 0.03,
                              .friction = 0.4,
                              .v = { 0.5, 0, -1.5 },
                              .w = { 0, 20, 0 },
                              .pose = { { 0.06, 0.06, 0.1 }, ty_quat_identity() } };
        for (int i = 0; i < 6; i++) {
            tyi_crm_load load;
            cr_assert(tyi_dem_step(bed[k], 2e-3, &ball, 1, &load, &diag) == TY_OK, "%s", diag.text);
            felt[k][0] += ty_norm(load.impulse);
            felt[k][1] += ty_norm(load.twist);
        }
        cr_assert(tyi_dem_fetch(bed[k], &diag) == TY_OK, "%s", diag.text);
    }
    double worst = 0.0, other = 0.0;
    ty_vec3 x[3][ALL];
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < ALL; i++) {
            tyi_dem_grain g = tyi_dem_get(bed[k], i);
            x[k][g.id] = ty_add(g.x, ty_scale(1e-3, ty_add(g.v, ty_scale(0.01, g.w))));
        }
    }
    for (int i = 0; i < ALL; i++) {
        worst = fmax(worst, ty_norm(ty_sub(x[0][i], x[1][i])) / 0.01);
        other = fmax(other, ty_norm(ty_sub(x[0][i], x[2][i])) / 0.01);
    }
    tyi_dem_sums a = tyi_dem_add_up(bed[0]), b = tyi_dem_add_up(bed[1]);
    TY_NEAR(worst, 0.0, 1e-5);
    TY_NEAR_REL(b.elastic, a.elastic, 1e-5);
    TY_NEAR_REL(felt[1][0], felt[0][0], 1e-5);
    TY_NEAR_REL(felt[1][1], felt[0][1], 1e-5);
    TY_CHECK(felt[0][0] > 1e-3 && felt[0][1] > 1e-5); /* control: it felt something, */
    TY_CHECK(felt[2][0] != felt[0][0]);               /* and not whatever the grains are */
    TY_FAR(other, 0.0, 1e-5);                         /* control: another friction */
    TY_CHECK(tyi_dem_get_counts(bed[1]).searches > 1 && a.touching > 100);
    TY_ROW("dem with a body on the host and on a device after 100 steps: places within 1e-5 of the diameter",
           "each other", "%.1e", worst);
    for (int k = 0; k < 3; k++) {
        tyi_dem_destroy(bed[k]);
    }
    ty_device_destroy(device);
}
