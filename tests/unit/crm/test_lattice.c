/* Shapes as distances on a lattice: meshes and solids against closed forms, and a thin scoop that holds soil.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#define TY_KERNEL_FLOAT
#include "k_sdf.h"
#include "soil/crm/lattice.h"
#include "soil/crm/bed.h"

/* a box of half sizes 0.1, 0.06, 0.04 as twelve triangles; open: without the two of its top */
static const float corner[8 * 3] = { -0.1f,  -0.06f, -0.04f, 0.1f,   -0.06f, -0.04f, -0.1f, 0.06f,
                                     -0.04f, 0.1f,   0.06f,  -0.04f, -0.1f,  -0.06f, 0.04f, 0.1f,
                                     -0.06f, 0.04f,  -0.1f,  0.06f,  0.04f,  0.1f,   0.06f, 0.04f };
static const uint32_t face[12 * 3] = { 0, 1, 3, 0, 3, 2, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6,
                                       0, 2, 6, 0, 6, 4, 1, 3, 7, 1, 7, 5, 4, 5, 7, 4, 7, 6 };

static double worst(const tyi_crm_lattice *l, double band, bool inside, double half_x)
{
    double miss = 0.0;
    for (int k = 0; k < l->nodes[2]; k++) {
        for (int j = 0; j < l->nodes[1]; j++) {
            for (int i = 0; i < l->nodes[0]; i++) {
                ty_vec3 x = ty_add(l->low, ty_vec3_make(i * l->cell, j * l->cell, k * l->cell));
                double want = (double)ty_k_sdf_box(ty_k_vec((float)x.x, (float)x.y, (float)x.z), (float)half_x, 0.06f,
                                                   0.04f)
                                  .d,
                       is = (double)l->value[(k * l->nodes[1] + j) * l->nodes[0] + i];
                bool near_face = fabs(want) < 1.1 * l->cell; /* there a node's sign may be either, seen from a sheet */
                if (fabs(want) < band && (inside || want > 0.0)) {
                    miss = fmax(miss, fabs((near_face ? fabs(is) : is) - (near_face ? fabs(want) : want)));
                }
            }
        }
    }
    return miss;
}

TY_TEST(lattice, mesh_and_solid_agree_with_closed_form)
{
    tyi_crm_lattice mesh, solid, wrong;
    ty_diag diag = { 0 };
    tyi_crm_part_shape box[2] = { { .shape = TYI_CRM_BOX, .a = 0.05, .b = 0.06, .c = 0.04 },
                                  { .shape = TYI_CRM_BOX, .a = 0.06, .b = 0.05, .c = 0.04 } };
    box[0].pose = (ty_pose){ { -0.05, 0, 0 }, ty_quat_identity() };
    box[1].pose = (ty_pose){ { 0.05, 0, 0 }, ty_quat_axis(ty_vec3_make(0, 0, 1), 0.5 * TY_PI) };
    cr_assert(tyi_crm_lattice_mesh(corner, 8, face, 12, 0.005, 0.02, NULL, &mesh, &diag) == TY_OK, "%s", diag.text);
    cr_assert(tyi_crm_lattice_parts(box, 2, 0.005, 0.02, NULL, &solid, &diag) == TY_OK, "%s", diag.text);
    double by_mesh = worst(&mesh, 0.02, true, 0.1), by_solid = worst(&solid, 0.02, false, 0.1);
    TY_NEAR(by_mesh, 0.0, 1e-6);
    TY_NEAR(by_solid, 0.0, 1e-6);
    TY_CHECK(worst(&mesh, 0.02, true, 0.098) > 1e-3); /* control: another box */
    /* without its lid there is a way in: nothing is inside */
    cr_assert(tyi_crm_lattice_mesh(corner, 8, face, 10, 0.005, 0.02, NULL, &wrong, &diag) == TY_OK, "%s", diag.text);
    int negative = 0, closed = 0;
    for (int k = 0, n = mesh.nodes[0] * mesh.nodes[1] * mesh.nodes[2]; k < n; k++) {
        closed += mesh.value[k] < 0.0f;
        negative += wrong.value[k] < 0.0f;
    }
    TY_CHECK(closed > 1000 && negative == 0);
    tyi_crm_lattice_free(&wrong);
    TY_ROW("shapes from a mesh and from solids: distances within 1e-6 m", "closed form", "%.0e, %.0e m", by_mesh,
           by_solid);
    TY_CHECK(tyi_crm_lattice_mesh(corner, 7, face, 12, 0.005, 0.02, NULL, &wrong, &diag) == TY_ERR_RANGE &&
             strstr(diag.text, "vertex 7"));
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_crm_lattice_parts(box, 0, 0.005, 0.02, NULL, &wrong, &diag) == TY_ERR_RANGE &&
             strstr(diag.text, "no parts"));
    diag = (ty_diag){ 0 };
    TY_CHECK(tyi_crm_lattice_parts(box, 2, 1e-5, 0.02, NULL, &wrong, &diag) == TY_ERR_RANGE &&
             strstr(diag.text, "nodes"));
    tyi_crm_lattice_free(&mesh);
    tyi_crm_lattice_free(&solid);
    tyi_crm_lattice_free(&wrong);
}

/* Markers of the box 20 mm apart, from its lowest corner: 10 x 6 x 4 balls, distances as their centres say; every node is asked. Control: balls one spacing on. */
TY_TEST(lattice, markers_of_a_mesh)
{
    tyi_crm_lattice l, none;
    ty_diag diag = { 0 };
    cr_assert(tyi_crm_lattice_markers(corner, 8, face, 12, 0.02, 0.005, 0.02, NULL, &l, &diag) == TY_OK, "%s",
              diag.text);
    double miss[2] = { 0 };
    for (int n = 0, all = l.nodes[0] * l.nodes[1] * l.nodes[2]; n < all; n++) {
        ty_vec3 x = ty_add(l.low, ty_vec3_make(n % l.nodes[0] * l.cell, n / l.nodes[0] % l.nodes[1] * l.cell,
                                               n / (l.nodes[0] * l.nodes[1]) * l.cell));
        for (int k = 0; k < 2; k++) {
            double want = 1.0;
            for (int m = 0; m < 240; m++) {
                ty_vec3 at = { -0.1 + 0.02 * (m % 10 + k), -0.06 + 0.02 * (m / 10 % 6), -0.04 + 0.02 * (m / 60) };
                want = fmin(want, ty_norm(ty_sub(x, at)) - 0.01);
            }
            miss[k] = fmax(miss[k], want < 0.02 ? fabs(want - (double)l.value[n]) : 0.0);
        }
    }
    TY_NEAR(miss[0], 0.0, 1e-6);
    TY_CHECK(miss[1] > 1e-3);
    TY_CHECK(tyi_crm_lattice_markers(corner, 8, face, 0, 0.02, 0.005, 0.02, NULL, &none, &diag) == TY_ERR_RANGE);
    tyi_crm_lattice_free(&l);
    tyi_crm_lattice_free(&none);
}

enum { SIDE = 6, DEEP = 6, SOIL = SIDE * SIDE * DEEP };

/* Soil in an open box of sheets 2 mm thick, a fifth of the spacing: its weight comes back as the impulse on the box, and none leaks, also while
 * the box is lifted and turned. Control: without a floor it falls through. */
TY_TEST(lattice, thin_sheets_hold_soil)
{
    double d = 0.01, half = 0.5 * SIDE * d, weight = SOIL * 1600.0 * d * d * d * TY_GRAVITY_MOON;
    for (int open = 0; open < 2; open++) {
        tyi_crm_part_shape sheet[5];
        for (int k = 0; k < 4; k++) {
            double a = 0.5 * TY_PI * k;
            sheet[k] = (tyi_crm_part_shape){ .shape = TYI_CRM_BOX, .a = 0.001, .b = half + 0.002, .c = 0.05 };
            sheet[k].pose = (ty_pose){ { (half + 0.001) * cos(a), (half + 0.001) * sin(a), 0.049 },
                                       ty_quat_axis(ty_vec3_make(0, 0, 1), a) };
        }
        sheet[4] = (tyi_crm_part_shape){ .shape = TYI_CRM_BOX, .a = half, .b = half, .c = 0.001 };
        sheet[4].pose = (ty_pose){ { 0, 0, -0.001 }, ty_quat_identity() };
        tyi_crm_lattice box;
        ty_diag diag = { 0 };
        cr_assert(tyi_crm_lattice_parts(sheet, open ? 4 : 5, 0.0025, 0.0075, NULL, &box, &diag) == TY_OK, "%s",
                  diag.text);
        tyi_crm_def def = tyi_crm_def_default();
        tyi_crm *crm;
        def.low = ty_vec3_make(-0.2, -0.2, -0.3);
        def.high = ty_vec3_make(0.2, 0.2, 0.3);
        def.particles = SOIL;
        cr_assert(tyi_crm_create(&def, &crm, &diag) == TY_OK, "%s", diag.text);
        for (uint32_t i = 0; i < SOIL; i++) {
            ty_crm_particle p = { .id = i };
            p.x = ty_vec3_make((i % SIDE + 0.5) * d - half, (i / SIDE % SIDE + 0.5) * d - half,
                               (i / SIDE / SIDE + 0.5) * d);
            cr_assert(tyi_crm_add(crm, &p, 1, &diag) == TY_OK, "%s", diag.text);
        }
        tyi_crm_body body = { .shape = TYI_CRM_LATTICE, .lattice = &box, .friction = 0.4 };
        body.pose.q = ty_quat_identity();
        tyi_crm_load load;
        double lifted = 0.0;
        for (int k = 0; k < 60; k++) {
            body.v.z = k < 30 ? 0.0 : 0.1; /* then it is lifted, and turns */
            body.w.z = k < 30 ? 0.0 : 1.0;
            cr_assert(tyi_crm_step(crm, 0.01, &body, 1, &load, &diag) == TY_OK, "%s", diag.text);
            lifted += k >= 45 ? load.impulse.z / 0.15 : 0.0;
        }
        int out = 0;
        for (size_t i = 0; i < SOIL; i++) {
            ty_vec3 x = ty_rotate(ty_quat_conj(body.pose.q), ty_sub(tyi_crm_get(crm, i).x, body.pose.p));
            out += !(fabs(x.x) < half && fabs(x.y) < half && x.z > 0.0);
        }
        if (open) {
            TY_CHECK(out > SOIL / 4);
        } else {
            TY_CHECK(out == 0);
            TY_NEAR_REL(-lifted, weight, 0.02);
            TY_ROW("soil in a box of sheets a fifth of the spacing thick: its weight within 2 %, none leaks",
                   "closed form", "%.1f %%, %d of %d", 100.0 * fabs(lifted / weight + 1.0), out, SOIL);
        }
        tyi_crm_lattice_free(&box);
        tyi_crm_destroy(crm);
    }
}
