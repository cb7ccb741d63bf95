/* tests/unit/io/test_mesh.c - OBJ files: what is read, what is refused, and damaged ones.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_philox.h"
#include "tycho/tools/model.h"
#include "io/inner.h"
#include "tyt.h"

static const char cube[] = "# a cube\n"
                           "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                           "v 0 0 1\nv 1 0 1\nv 1 1 1\n  v 0 1 1e0 0.5\n"
                           "vn 0 0 1\nvt 0.5 0.5\no thing\nusemtl stone\r\n"
                           "f 4 3 2 1\nf 5/1 6/1 7/1 8/1\r\nf 1//1 2//1 6//1 5//1\nf -6 -5 -1 -2\n"
                           "f 3/1/1 4/1/1 8/1/1 7/1/1\nf 4 1 5 8";

/* volume by the divergence theorem: right only when every face is there, turned outward */
static double volume(const ty_mesh *m)
{
    double sum = 0.0;
    for (size_t i = 0; i < m->triangles; i++) {
        const float *a = m->vertex + 3 * m->triangle[3 * i], *b = m->vertex + 3 * m->triangle[3 * i + 1],
                    *c = m->vertex + 3 * m->triangle[3 * i + 2];
        sum += (double)(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                        a[2] * (b[0] * c[1] - b[1] * c[0])) /
               6.0;
    }
    return sum;
}

TY_TEST(mesh, a_cube)
{
    ty_mesh m;
    char text[600];
    TY_CHECK(tyi_io_mesh_parse("cube", cube, sizeof cube - 1, 2.0, &m, NULL) == TY_OK);
    TY_CHECK(m.vertices == 8 && m.triangles == 12);
    tyi_io_mesh_free(&m);
    /* the fourth face counts back: 3 7 8 4 is written otherwise in the file's own order */
    snprintf(text, sizeof text, "%s", "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf -4 -1 -2\nf 2 3 4\n");
    TY_CHECK(tyi_io_mesh_parse("tetrahedron", text, strlen(text), 1.0, &m, NULL) == TY_OK);
    TY_NEAR(volume(&m), 8.0 / 6.0, 1e-6);
    TY_FAR(volume(&m), -8.0 / 6.0, 1e-6);
    tyi_io_mesh_free(&m);
}

/* Volume of Itokawa: 0.0184 +- 0.00092 km^3 [fujiwara2006]; the file is in km. */
TY_TEST(mesh, itokawa)
{
    TY_NEED_SHARED(path, "data/asteroid/ItokawaHayabusa.obj");
    ty_mesh m;
    TY_CHECK(tyi_io_mesh_read(path, 1.0, &m, NULL) == TY_OK);
    TY_CHECK(m.vertices == 25350 && m.triangles == 49152); /* as the file's own heading says */
    TY_NEAR(volume(&m), 0.0184, 0.00092);
    TY_FAR(1.1 * volume(&m), 0.0184, 0.00092);
    tyi_io_mesh_free(&m);
    TY_ROW("small bodies as meshes: volume of Itokawa within 5 %", "0.0184 km3, published", "%.1f %%",
           100.0 * tyt_worst_rel("volume(&m)"));
}

static void refused(const char *text, ty_status want, const char *word)
{
    ty_mesh m;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_io_mesh_parse("f.obj", text, strlen(text), 1.0, &m, &diag) == want);
    if (!strstr(diag.text, word)) {
        printf("'%s' does not say '%s'\n", diag.text, word);
        TY_CHECK(!"sentence");
    }
    TY_CHECK(!m.vertex && !m.triangle);
}

TY_TEST(mesh, broken_files_get_a_sentence)
{
    refused("", TY_ERR_FORMAT, "f.obj: holds no faces");
    refused("v 1 2\n", TY_ERR_FORMAT, "f.obj:1: a vertex takes three");
    refused("v 1 2 nan\n", TY_ERR_FORMAT, "finite");
    refused("v 1 2 1e40\n", TY_ERR_FORMAT, "finite");
    refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", TY_ERR_FORMAT, "f.obj:4: a face takes");
    refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", TY_ERR_FORMAT, "f.obj:4");
    refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", TY_ERR_FORMAT, "f.obj:4");
    refused("v 0 0 0\nv 1 0 0\nf 1 2\n", TY_ERR_FORMAT, "fewer than 3");
    refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3x\n", TY_ERR_FORMAT, "f.obj:4");
    ty_mesh m;
    ty_diag diag = { 0 };
    TY_CHECK(tyi_io_mesh_read("no/such.obj", 1.0, &m, &diag) == TY_ERR_FILE && strstr(diag.text, "no such file"));
}

/* Damaged cubes: whatever is accepted names only vertices that exist. */
TY_TEST(mesh, damaged_files)
{
    static const char spare[] = "0123456789-/. \nfv\t\re#x\0";
    int taken = 0, rounds = tyt_long() ? 200000 : 5000;
    for (int k = 0; k < rounds; k++) {
        char text[sizeof cube];
        memcpy(text, cube, sizeof cube);
        ty_k_u32x4 r = ty_k_philox((ty_u32)k, 0, 0, 0, 1, TY_RNG_TEST);
        for (ty_u32 i = 0; i <= r.v[0] % 6; i++) {
            ty_k_u32x4 q = ty_k_philox((ty_u32)k, i, 1, 0, 1, TY_RNG_TEST);
            text[q.v[0] % (sizeof cube - 1)] = spare[q.v[1] % (sizeof spare - 1)];
        }
        ty_mesh m;
        if (tyi_io_mesh_parse("f", text, sizeof cube - 1 - r.v[1] % 40, 1.0, &m, NULL) == TY_OK) {
            for (size_t i = 0; i < 3 * m.triangles; i++) {
                TY_CHECK(m.triangle[i] < m.vertices);
            }
            taken++;
        }
        tyi_io_mesh_free(&m);
    }
    TY_CHECK(taken > rounds / 20 && taken < rounds); /* the damage is neither none nor all */
}
