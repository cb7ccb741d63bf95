/* src/soil/params.c - the soil's numbers: one table of key, unit, default and range, and what is
 * worked out from them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "soil.h"
#include "tycho/math.h"
#include "inner.h"

/* Defaults: nominal lunar regolith (models/soils/lunar.yaml has the sources). Ranges: what the
 * formulas take, wider than any soil. */
static const ty_soil_field fields[] = {
    { "k_c", "N/m^(n+1)", "cohesive modulus of sinkage", 1400.0, -1e8, 1e8, false },
    { "k_phi", "N/m^(n+2)", "frictional modulus of sinkage", 8.2e5, 0.0, 1e10, false },
    { "n0", "-", "sinkage exponent", 1.0, 0.05, 4.0, false },
    { "n1", "-", "growth of the exponent with slip", 0.0, -3.0, 4.0, false },
    { "n1_skid", "-", "growth of the exponent with skid", 0.0, -3.0, 4.0, false },
    { "n1_side", "-", "growth of the exponent with side slip", 0.0, 0.0, 4.0, false },
    { "a1", "-", "largest stress over entry angle without slip", 0.4, 0.0, 1.0, false },
    { "a2", "-", "its growth with slip", 0.15, -1.0, 1.0, false },
    { "c", "Pa", "cohesion", 170.0, 0.0, 1e6, false },
    { "phi_deg", "deg", "angle of internal friction", 35.0, 0.0, 80.0, false },
    { "phi_triaxial", "-", "phi_deg is of triaxial tests", 0.0, 0.0, 1.0, true },
    { "kx", "m", "shear deformation modulus along the wheel", 0.0178, 1e-6, 10.0, false },
    { "ky", "m", "shear deformation modulus across the wheel", 0.0178, 1e-6, 10.0, false },
    { "kx_beta", "m/rad", "growth of kx with the slip angle", 0.0, 0.0, 10.0, false },
    { "ky_beta", "m/rad", "growth of ky with the slip angle", 0.0, 0.0, 10.0, false },
    { "lambda", "-", "sinkage behind the wheel over sinkage before it", 0.1, 0.0, 2.0, false },
    { "rho", "kg/m^3", "bulk density", 1660.0, 0.0, 2e4, false },
    { "g", "m/s^2", "gravity", TY_GRAVITY_MOON, 1e-6, 1000.0, false },
    { "bulldozing", "-", "soil pressed by the side wall", 1.0, 0.0, 1.0, true },
    { "bulldozing_k", "m", "side displacement that mobilises it", 5e-4, 0.0, 1.0, false },
    { "friction_circle", "-", "strength limits the sum of both shear stresses", 1.0, 0.0, 1.0, true },
    { "damping", "-", "damping ratio of the sinkage", 0.7, 0.0, 10.0, false },
    { "unload", "-", "stiffness of unloading over first loading in shear", 20.0, 0.0, 1000.0, false },
    { "shear_time", "s", "damping of the shear displacement", 0.03, 0.0, 10.0, false },
};
enum { FIELDS = (int)(sizeof fields / sizeof fields[0]) };

const ty_soil_field *ty_soil_fields(size_t *count)
{
    *count = FIELDS;
    return fields;
}

/* The members in the order of the table; NULL for a switch. */
static double *number_of(ty_soil_params *p, int i)
{
    double *const member[FIELDS] = { &p->k_c, &p->k_phi,        &p->n0,      &p->n1,      &p->n1_skid, &p->n1_side,
                                     &p->a1,  &p->a2,           &p->c,       &p->phi,     NULL,        &p->kx,
                                     &p->ky,  &p->kx_beta,      &p->ky_beta, &p->lambda,  &p->rho,     &p->g,
                                     NULL,    &p->bulldozing_k, NULL,        &p->damping, &p->unload,  &p->shear_time };
    return member[i];
}

static bool *switch_of(ty_soil_params *p, int i)
{
    return !strcmp(fields[i].key, "bulldozing")     ? &p->bulldozing
           : !strcmp(fields[i].key, "phi_triaxial") ? &p->phi_triaxial
                                                    : &p->friction_circle;
}

/* units of the internal member per unit of the table */
static double scale_of(int i)
{
    return strcmp(fields[i].unit, "deg") ? 1.0 : TY_DEG;
}

static ty_status check_value(int i, double value, ty_diag *diag)
{
    const ty_soil_field *f = &fields[i];
    if (f->is_switch && value != 0.0 && value != 1.0) {
        return ty_fail(diag, TY_ERR_RANGE, "soil: %s is %g, but takes 0 or 1", f->key, value);
    }
    if (!(value >= f->low && value <= f->high)) {
        bool plain = !strcmp(f->unit, "-");
        return ty_fail(diag, TY_ERR_RANGE, "soil: %s is %g, but takes %g to %g%s%s", f->key, value, f->low, f->high,
                       plain ? "" : " ", plain ? "" : f->unit);
    }
    return TY_OK;
}

ty_status ty_soil_params_set(ty_soil_params *params, const char *key, double value, ty_diag *diag)
{
    for (int i = 0; i < FIELDS; i++) {
        if (!strcmp(fields[i].key, key)) {
            ty_status status = check_value(i, value, diag);
            if (status == TY_OK && fields[i].is_switch) {
                *switch_of(params, i) = value != 0.0;
            } else if (status == TY_OK) {
                *number_of(params, i) = value * scale_of(i);
            }
            return status;
        }
    }
    return ty_fail(diag, TY_ERR_INPUT, "soil: no key '%s'", key);
}

double ty_soil_params_get(const ty_soil_params *params, const char *key)
{
    ty_soil_params copy = *params;
    for (int i = 0; i < FIELDS; i++) {
        if (!strcmp(fields[i].key, key)) {
            const double *number = number_of(&copy, i);
            return number ? *number / scale_of(i) : *switch_of(&copy, i) ? 1.0 : 0.0;
        }
    }
    return (double)NAN;
}

ty_soil_params ty_soil_params_default(void)
{
    ty_soil_params params = { .cookie = TYI_COOKIE };
    for (int i = 0; i < FIELDS; i++) {
        ty_soil_params_set(&params, fields[i].key, fields[i].fallback, NULL);
    }
    return params;
}

double tyi_soil_shear_angle(const ty_soil_params *params)
{
    return params->phi_triaxial ? ty_k_earth_shear_angle(params->phi) : params->phi;
}

ty_status tyi_soil_params_check(const ty_soil_params *params, ty_diag *diag)
{
    if (params->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "soil: the parameters were not started from ty_soil_params_default()");
    }
    ty_soil_params copy = *params;
    for (int i = 0; i < FIELDS; i++) {
        /* a degree given as degrees comes back from radians with a rounding: allow one */
        double *number = number_of(&copy, i), scale = scale_of(i);
        double value = number ? *number / scale : 0.0;
        value = scale != 1.0 && fabs(value - fields[i].high) < 1e-12 * fields[i].high ? fields[i].high : value;
        ty_status status = check_value(i, value, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    if (!(params->n0 + params->n1 > 0.0 && params->n0 + params->n1_skid > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "soil: n0 + n1 is %g and n0 + n1_skid is %g, but both must be above 0",
                       params->n0 + params->n1, params->n0 + params->n1_skid);
    }
    return TY_OK;
}

static ty_status check_shape(const ty_soil_params *params, const ty_wheel_shape *shape, ty_diag *diag)
{
    if (!(shape->r >= 1e-3 && shape->r <= 10.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "wheel: r is %g, but takes 0.001 to 10 m", shape->r);
    }
    if (!(shape->b >= 1e-3 && shape->b <= 10.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "wheel: b is %g, but takes 0.001 to 10 m", shape->b);
    }
    if (!(shape->grouser_h >= 0.0 && shape->grouser_h <= shape->r)) {
        return ty_fail(diag, TY_ERR_RANGE, "wheel: grouser_h is %g, but takes 0 to the radius of %g m",
                       shape->grouser_h, shape->r);
    }
    if (shape->grousers < 0 || shape->grousers > 1000) {
        return ty_fail(diag, TY_ERR_RANGE, "wheel: grousers is %d, but takes 0 to 1000", shape->grousers);
    }
    double k = ty_k_bekker_modulus(params->k_c, params->k_phi, shape->b);
    if (!(k > 0.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "soil: k_c / b + k_phi is %g for a wheel %g m wide, but must be above 0", k,
                       shape->b);
    }
    return TY_OK;
}

double tyi_soil_wheel_shear_radius(const ty_soil_params *params, const ty_wheel_shape *shape)
{
    return ty_k_bekker_shear_radius(shape->r, shape->grouser_h, (double)shape->grousers, tyi_soil_shear_angle(params));
}

ty_status tyi_soil_wheel_prepare(const ty_soil_params *p, const ty_wheel_shape *shape, ty_k_bekker *out, ty_diag *diag)
{
    ty_status status = tyi_soil_params_check(p, diag);
    if (status == TY_OK) {
        status = check_shape(p, shape, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    double weight = p->rho * p->g, lugs = (double)shape->grousers, phi = tyi_soil_shear_angle(p);
    *out = (ty_k_bekker){
        .r = shape->r,
        .b = shape->b,
        .rs = tyi_soil_wheel_shear_radius(p, shape),
        .k = ty_k_bekker_modulus(p->k_c, p->k_phi, shape->b),
        .n0 = p->n0,
        .n1 = p->n1,
        .n1_skid = p->n1_skid,
        .n1_side = p->n1_side,
        .a1 = p->a1,
        .a2 = p->a2,
        .c = p->c,
        .tan_phi = tan(phi),
        .kx = p->kx,
        .ky = p->ky,
        .kx_beta = p->kx_beta,
        .ky_beta = p->ky_beta,
        .lambda = p->lambda,
        .bull_c = p->bulldozing ? ty_k_earth_bull_c(p->c, phi) : 0.0,
        .bull_w = p->bulldozing ? ty_k_earth_bull_w(weight, phi) : 0.0,
        .bull_k = p->bulldozing_k,
        .lug_h = shape->grousers ? shape->grouser_h : 0.0,
        .lug_c = ty_k_earth_lug_c(p->c, phi, lugs),
        .lug_w = ty_k_earth_lug_w(weight, phi, lugs),
        .g = p->g,
        .damping = p->damping,
        .unload = p->unload,
        .shear_time = p->shear_time,
        .circle = p->friction_circle,
        .panels = 1,
    };
    return TY_OK;
}
