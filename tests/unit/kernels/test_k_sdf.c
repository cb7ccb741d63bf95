/* Signed distances of solids.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_sdf.h"
#include "tycho/math.h"

/* A wheel of 0.2 m with lugs of 30 mm: distances along the axis of a lug, beside it, between two, at the side wall. */
TY_TEST(k_sdf, wheel_with_lugs)
{
    const struct {
        ty_k_vec3 x;
        double d;
        ty_k_vec3 n;
    } points[] = {
        { { 0, 0, 0.25 }, 0.02, { 0, 0, 1 } },       /* over the first lug's tip */
        { { 0.25, 0, 0 }, 0.02, { 1, 0, 0 } },       /* a quarter round, over another */
        { { 0.012, 0, 0.215 }, 0.010, { 1, 0, 0 } }, /* beside a lug, 2 mm from its middle to its face */
        { { 0, 0.06, 0.1 }, 0.01, { 0, 1, 0 } },     /* at the side wall */
        { { 0, 0, 0.19 }, -0.01, { 0, 0, 1 } },      /* inside the rim, under a lug: the plate goes on within it */
    };
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
        ty_k_sdf s = ty_k_sdf_wheel(points[k].x, 0.2, 0.03, 0.05, 12, 0.002);
        if (k < 4) {
            TY_NEAR(s.d, points[k].d, 1e-12);
            TY_NEAR(ty_k_norm(ty_k_sub(s.n, points[k].n)), 0.0, 1e-9);
        } else {
            TY_CHECK(s.d < 0.0);
        }
    }
    /* between two lugs: the rim; control: without lugs over a tip it is farther */
    double a = 0.5 * TY_PI / 6.0;
    ty_k_sdf between = ty_k_sdf_wheel(ty_k_vec(0.21 * sin(a), 0, 0.21 * cos(a)), 0.2, 0.03, 0.05, 12, 0.002);
    TY_NEAR(between.d, 0.01, 1e-12);
    TY_NEAR(ty_k_sdf_wheel(ty_k_vec(0, 0, 0.25), 0.2, 0.03, 0.05, 0, 0.002).d, 0.05, 1e-12);
}

/* Distances on a lattice: exact for a plane between nodes, with its normal; nothing beyond. Control: the next node's values. */
TY_TEST(k_sdf, lattice)
{
    float value[5 * 4 * 3];
    ty_k_vec3 n = { 0.36, 0.48, 0.8 }, low = { -0.2, -0.1, -0.3 };
    for (int k = 0; k < 60; k++) {
        ty_k_vec3 x = { low.x + 0.1 * (k % 5), low.y + 0.1 * (k / 5 % 4), low.z + 0.1 * (k / 20) };
        value[k] = (float)(ty_k_dot(n, x) - 0.05);
    }
    double miss = 0.0, turned = 0.0, other = 0.0;
    for (int k = 0; k < 200; k++) {
        ty_k_vec3 x = { low.x + 0.399 * (k * 7 % 200) / 200, low.y + 0.299 * (k * 13 % 200) / 200,
                        low.z + 0.199 * (k * 29 % 200) / 200 };
        ty_k_sdf s = ty_k_sdf_grid(x, value, 5, 4, 3, low, 10.0);
        miss = fmax(miss, fabs(s.d - (ty_k_dot(n, x) - 0.05)));
        turned = fmax(turned, ty_k_norm(ty_k_sub(s.n, n)));
        other = fmax(other, fabs(ty_k_sdf_grid(x, value + 1, 5, 4, 2, low, 10.0).d - (ty_k_dot(n, x) - 0.05)));
    }
    TY_NEAR(miss, 0.0, 1e-7);
    TY_NEAR(turned, 0.0, 1e-5);
    TY_CHECK(other > 0.01);
    TY_CHECK(ty_k_sdf_grid(ty_k_vec(0.21, 0, 0), value, 5, 4, 3, low, 10.0).d > 1.0);
    TY_CHECK(ty_k_sdf_grid(ty_k_vec(0, 0, -0.31), value, 5, 4, 3, low, 10.0).d > 1.0);
}

/* A silo's wall and a plate with a hole: distances and gradients at places where they are plain. */
TY_TEST(k_sdf, silo)
{
    const struct {
        int kind;
        ty_k_vec3 x, n;
        double d;
    } at[] = {
        { TY_K_SDF_TUBE, { 0.3, 0, 5.0 }, { -1, 0, 0 }, 0.2 },
        { TY_K_SDF_TUBE, { 0, 0.6, -1.0 }, { 0, -1, 0 }, -0.1 },
        { TY_K_SDF_HOLE, { 0.8, 0, 0.3 }, { 0, 0, 1 }, 0.2 },
        { TY_K_SDF_HOLE, { 0, -0.9, -0.4 }, { 0, 0, -1 }, 0.3 },
        { TY_K_SDF_HOLE, { 0.2, 0, 0.05 }, { -1, 0, 0 }, 0.3 },
        { TY_K_SDF_HOLE, { 0.2, 0, 0.5 }, { -0.6, 0, 0.8 }, 0.5 },
        { TY_K_SDF_HOLE, { 0.9, 0, 0.06 }, { 0, 0, 1 }, -0.04 },
    };
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
        ty_k_sdf s = ty_k_sdf_of(at[k].kind, 0.5, 0, 0.1, 0, 0, at[k].x);
        double turned = ty_k_norm(ty_k_sub(s.n, at[k].n));
        TY_NEAR(s.d, at[k].d, 1e-12);
        TY_NEAR(turned, 0.0, 1e-12);
    }
    TY_FAR(ty_k_sdf_of(TY_K_SDF_TUBE, 0.5, 0, 0, 0, 0, ty_k_vec(0.3, 0, 0)).d, -0.2,
           1e-3); /* control: a solid cylinder */
}
