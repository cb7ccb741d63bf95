/* Soils and wheels that the cases share. Sources of the numbers: models/soils and docs/references.md.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEST_SOILS_H
#define TEST_SOILS_H
#include "tyt.h"
#include "tycho/math.h"
#include "tycho/soil.h"
#include "soil/inner.h"

static inline ty_soil_params soil_ishigami(void)
{
    ty_soil_params p = ty_soil_params_default();
    p.k_c = 1370.0;
    p.k_phi = 8.14e5;
    p.c = 800.0;
    p.phi = 37.2 * TY_DEG;
    p.kx = 0.036;
    p.ky = 0.013;
    p.kx_beta = 0.043;
    p.ky_beta = 0.020;
    p.lambda = 0.9;
    p.rho = 1600.0;
    p.g = 9.81;
    return p;
}

static inline ty_soil_params soil_ding(void)
{
    ty_soil_params p = ty_soil_params_default();
    p.k_c = 15.6e3;
    p.k_phi = 2407.4e3;
    p.n0 = 1.1;
    p.c = 250.0;
    p.phi = 31.9 * TY_DEG;
    p.kx = 0.011;
    p.ky = 0.010;
    p.lambda = 0.0;
    p.rho = 1605.0;
    p.g = 9.81;
    return p;
}

static const ty_wheel_shape wheel_ishigami = { 0.09, 0.11, 0.0, 0 };
static const ty_wheel_shape wheel_ding = { 0.15735, 0.165, 0.0, 0 };
static const ty_wheel_shape wheel_ding_lugs = { 0.15735, 0.165, 0.010, 30 };

static inline tyi_soil_wheel *make_wheel(const ty_soil_params *p, const ty_wheel_shape *shape)
{
    tyi_soil_wheel *wheel;
    ty_diag diag = { 0 };
    cr_assert(tyi_soil_wheel_create(p, shape, NULL, &wheel, &diag) == TY_OK, "%s", diag.text);
    return wheel;
}

/* the static solution, which must exist */
static inline ty_wheel_load solve(const ty_soil_params *p, const ty_wheel_shape *shape, double load, double slip,
                                  double beta, double *h)
{
    ty_wheel_steady motion = { .load = load, .slip = slip, .beta = beta };
    ty_wheel_load out = { 0 };
    ty_diag diag = { 0 };
    cr_assert(ty_wheel_static(p, shape, &motion, h, &out, &diag) == TY_OK, "%s", diag.text);
    return out;
}

#endif
