/* The same bed on the host and on a device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "tycho/device.h"
#include "tycho/tools/crm.h"
#include "soil/crm/bed.h"
#include "soil/crm/lattice.h"

enum { SIDE = 10, DEEP = 12, ALL = SIDE * SIDE * (DEEP + 3) };

static tyi_crm *layer(double alpha)
{
    tyi_crm_def def = tyi_crm_def_default();
    ty_diag diag = { 0 };
    tyi_crm *crm;
    uint32_t id = 0;
    double d = def.spacing;
    def.alpha = alpha;
    def.delta = 0.1;
    def.soil.mu_s = 0.38;
    def.soil.mu_2 = 0.64;
    def.gravity = ty_vec3_make(5.0, 0.0, -8.0);
    def.low = ty_vec3_make(0, 0, -3 * d);
    def.high = ty_vec3_make(SIDE * d, SIDE * d, (DEEP + 4) * d);
    def.periodic[0] = def.periodic[1] = true;
    def.particles = ALL;
    cr_assert(tyi_crm_create(&def, &crm, &diag) == TY_OK, "%s", diag.text);
    for (int k = -3; k < DEEP; k++) {
        for (int i = 0; i < SIDE * SIDE; i++) {
            ty_crm_particle p = { .x = { (i % SIDE + 0.5) * d, (i / SIDE + 0.5) * d, (k + 0.5) * d },
                                  .id = id++,
                                  .wall = k < 0 };
            double s = k < 0 ? 0.0 : -def.soil.rho * 8.0 * (DEEP * d - p.x.z);
            p.stress[0] = p.stress[1] = p.stress[2] = s;
            p.v.x = k < 0 ? 0.0 : 2.0 * (k + 0.5) / DEEP; /* fast, so that lists are made anew */
            p.v.y = k < 0 ? 0.0 : 0.2 * sin(id);
            cr_assert(tyi_crm_add(crm, &p, 1, &diag) == TY_OK, "%s", diag.text);
        }
    }
    return crm;
}

/* largest difference of positions over the spacing, and of stresses over the largest stress */
static void compare(const tyi_crm *a, const tyi_crm *b, double *place, double *stress)
{
    static ty_crm_particle one[ALL], two[ALL];
    double most = 0.0;
    *place = *stress = 0.0;
    for (size_t i = 0; i < ALL; i++) {
        ty_crm_particle p = tyi_crm_get(a, i), q = tyi_crm_get(b, i);
        one[p.id] = p;
        two[q.id] = q;
    }
    for (size_t i = 0; i < ALL; i++) {
        ty_vec3 d = ty_sub(one[i].x, two[i].x);
        d.x -= 0.1 * rint(d.x / 0.1); /* the nearest image */
        d.y -= 0.1 * rint(d.y / 0.1);
        *place = fmax(*place, ty_norm(d) / 0.01);
        for (int k = 0; k < 6; k++) {
            most = fmax(most, fabs(one[i].stress[k]));
            *stress = fmax(*stress, fabs(one[i].stress[k] - two[i].stress[k]));
        }
    }
    *stress /= most;
}

TY_TEST(crm_device, agrees_with_the_host_after_100_steps)
{
    ty_device_def def = ty_device_def_default();
    ty_diag diag = { 0 };
    ty_device *device;
    if (ty_device_create(&def, &device, &diag) != TY_OK) {
        cr_skip("%s", diag.text);
    }
    tyi_crm *host = layer(0.1), *there = layer(0.1), *other = layer(0.11), *narrow = layer(0.1);
    cr_assert(tyi_crm_to_device(there, device, &diag) == TY_OK, "%s", diag.text);
    tyi_crm_device_options = "-DSHORT"; /* lists of two bytes an entry, as beds of ten million have them */
    cr_assert(tyi_crm_to_device(narrow, device, &diag) == TY_OK, "%s", diag.text);
    tyi_crm_device_options = "";
    while (tyi_crm_get_counts(host).steps < 100) {
        cr_assert(tyi_crm_step(host, 1.1e-4, NULL, 0, NULL, &diag) == TY_OK, "%s", diag.text);
        cr_assert(tyi_crm_step(there, 1.1e-4, NULL, 0, NULL, &diag) == TY_OK, "%s", diag.text);
        cr_assert(tyi_crm_step(other, 1.1e-4, NULL, 0, NULL, &diag) == TY_OK, "%s", diag.text);
        cr_assert(tyi_crm_step(narrow, 1.1e-4, NULL, 0, NULL, &diag) == TY_OK, "%s", diag.text);
    }
    cr_assert(tyi_crm_fetch(there, &diag) == TY_OK, "%s", diag.text);
    cr_assert(tyi_crm_fetch(narrow, &diag) == TY_OK, "%s", diag.text);
    double place, stress, wrong_place, wrong_stress;
    compare(there, narrow, &place, &stress);
    TY_CHECK(place == 0.0 && stress == 0.0);
    compare(host, there, &place, &stress);
    compare(host, other, &wrong_place, &wrong_stress);
    TY_NEAR(place, 0.0, 1e-5);
    TY_NEAR(stress, 0.0, 1e-5);
    TY_FAR(wrong_place, 0.0, 1e-5); /* control: another viscosity */
    TY_CHECK(tyi_crm_get_counts(there).steps == tyi_crm_get_counts(host).steps);
    TY_CHECK(tyi_crm_get_counts(there).searches >= 3 &&
             tyi_crm_get_counts(there).searches == tyi_crm_get_counts(host).searches);
    TY_ROW(
        "crm on the host and on a device after 100 steps: places within 1e-5 of the spacing, stresses within 1e-5 of the largest",
        "each other", "%.1e, %.1e", place, stress);
    tyi_crm_destroy(host);
    tyi_crm_destroy(there);
    tyi_crm_destroy(other);
    tyi_crm_destroy(narrow);
    ty_device_destroy(device);
}

/* A drum with scoops (distances on a lattice) and a ball dig in the layer, there and here: the same particles, the same impulses. */
TY_TEST(crm_device, bodies_agree_with_the_host)
{
    ty_device_def def = ty_device_def_default();
    ty_diag diag = { 0 };
    ty_device *device;
    if (ty_device_create(&def, &device, &diag) != TY_OK) {
        cr_skip("%s", diag.text);
    }
    tyi_crm_part_shape part[TYI_CRM_DRUM_PARTS];
    tyi_crm_lattice drum;
    size_t parts = tyi_crm_drum(0.04, 0.03, 0.002, 2, 1.0, part);
    cr_assert(tyi_crm_lattice_parts(part, parts, 0.0025, 0.0075, NULL, &drum, &diag) == TY_OK, "%s", diag.text);
    tyi_crm *bed[2] = { layer(0.1), layer(0.1) };
    cr_assert(tyi_crm_to_device(bed[1], device, &diag) == TY_OK, "%s", diag.text);
    tyi_crm_load load[2][2];
    double sum = 0.0, apart = 0.0, turned = 0.0;
    for (int b = 0; b < 2; b++) {
        tyi_crm_body body[2] = { { .shape = TYI_CRM_LATTICE,
                                   .lattice = &drum,
                                   .friction = 0.5,
                                   .pose = { { 0.05, 0.05, 0.145 }, ty_quat_identity() },
                                   .v = { 0.1, 0, -0.2 },
                                   .w = { 0, 5, 0 } },
                                 { .shape = TYI_CRM_SPHERE, .a = 0.015, .friction = 0.3 } };
        body[1].pose = (ty_pose){ { 0.02, 0.02, 0.12 }, ty_quat_identity() };
        for (int k = 0; k < 12; k++) {
            cr_assert(tyi_crm_step(bed[b], 1e-3, body, 2, load[b], &diag) == TY_OK, "%s", diag.text);
            for (int c = 0; c < 2 && b; c++) {
                sum += ty_norm(load[1][c].impulse);
                turned += ty_norm(load[1][c].twist);
            }
        }
        cr_assert(tyi_crm_fetch(bed[b], &diag) == TY_OK, "%s", diag.text);
    }
    for (int c = 0; c < 2; c++) {
        apart = fmax(apart, ty_norm(ty_sub(load[0][c].impulse, load[1][c].impulse)));
        TY_CHECK(load[0][c].touching == load[1][c].touching && load[1][c].touching > 0);
    }
    double place, stress;
    compare(bed[0], bed[1], &place, &stress);
    TY_CHECK(sum > 0.0 && turned > 0.0);
    TY_NEAR(place, 0.0, 1e-5);
    TY_NEAR(stress, 0.0, 1e-5);
    TY_NEAR(apart, 0.0, 1e-5 * sum);
    TY_ROW("a drum and a ball in soil, host and device: impulses within 1e-5", "each other", "%.1e", apart / sum);
    tyi_crm_lattice_free(&drum);
    tyi_crm_destroy(bed[0]);
    tyi_crm_destroy(bed[1]);
    ty_device_destroy(device);
}
