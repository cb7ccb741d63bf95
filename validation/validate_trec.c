/* validation/validate_trec.c - one wheel as MGRU3's on level GRC-3 (TREC): does sand whose strength is known from
 * triaxial tests shear under wheels at the angle whose tangent is sin phi? K is fitted where it matters, at slip up
 * to 0.1; beyond, strength alone decides.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tycho/tools/draw.h"
#include "tycho/math.h"
#include "tycho/tools/testbed.h"
#include "soil/inner.h"
#include "validate.h"

enum { CURVE = 91, LINES = 3 };
/* [-] slip: K is found below, strength is tested from there to the other */
static const double fitted = 0.15, last = 0.65;

typedef struct line {
    const char *label;
    double phi;                       /* [rad] */
    bool triaxial;                    /* phi is of triaxial tests */
    double K;                         /* [m] */
    double slip[CURVE], slope[CURVE]; /* [-], [deg] */
} line;

static ty_rig_def wheel_in(const ty_soil_params *soil, const line *l, double K)
{
    ty_rig_def rig = ty_rig_def_default();
    rig.soil = *soil;
    rig.soil.g = 9.81;
    rig.soil.phi = l->phi;
    rig.soil.phi_triaxial = l->triaxial;
    rig.soil.kx = rig.soil.ky = K;
    rig.wheel = (ty_wheel_shape){ .r = 0.225, .b = 0.20, .grouser_h = 0.025, .grousers = 24 };
    rig.load = 17.5 * 9.81;
    return rig;
}

/* [deg] slope that the pull would hold */
static ty_status slope_of(ty_rig_def rig, double slip, double *deg, ty_diag *diag)
{
    ty_rig_result at;
    rig.slip = slip;
    ty_status status = ty_rig_run(&rig, &at, diag);
    *deg = status == TY_OK ? atan(at.fx / rig.load) / TY_DEG : 0.0;
    return status;
}

/* root mean square [deg] over the points with slip from a to b */
static ty_status misses(const ty_rig_def *rig, const validate_slip *m, double a, double b, double *rms, int *count,
                        ty_diag *diag)
{
    double sum = 0.0, deg;
    ty_status status = TY_OK;
    *count = 0;
    for (int i = 0; i < m->n && status == TY_OK; i++) {
        if (m->slip[i] >= a && m->slip[i] < b) {
            status = slope_of(*rig, m->slip[i], &deg, diag);
            sum += (deg - m->slope[i]) * (deg - m->slope[i]);
            ++*count;
        }
    }
    *rms = sqrt(sum / (*count ? *count : 1));
    return status;
}

/* the K of least squares at slip below `fitted`: golden section in log K */
static ty_status fit(line *l, const ty_soil_params *soil, const validate_slip *m, ty_diag *diag)
{
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double a = log(1e-3), b = log(0.05), rms[2];
    ty_status status = TY_OK;
    int count;
    for (int step = 0; step < 24 && status == TY_OK; step++) {
        double x[2] = { b - golden * (b - a), a + golden * (b - a) };
        for (int k = 0; k < 2 && status == TY_OK; k++) {
            ty_rig_def rig = wheel_in(soil, l, exp(x[k]));
            status = misses(&rig, m, -1.0, fitted, &rms[k], &count, diag);
        }
        a = rms[0] < rms[1] ? a : x[0];
        b = rms[0] < rms[1] ? x[1] : b;
    }
    l->K = exp(0.5 * (a + b));
    return status;
}

static ty_status add_line(validate_book *book, line *l, const ty_soil_params *soil, const validate_slip *m,
                          ty_diag *diag)
{
    double low = 0.0, middle = 0.0, high = 0.0;
    int n[3];
    char claim[200], data[80];
    ty_status status = fit(l, soil, m, diag);
    ty_rig_def rig = wheel_in(soil, l, l->K);
    status = status == TY_OK ? misses(&rig, m, -1.0, fitted, &low, &n[0], diag) : status;
    status = status == TY_OK ? misses(&rig, m, fitted, last, &middle, &n[1], diag) : status;
    status = status == TY_OK ? misses(&rig, m, last, 1.0, &high, &n[2], diag) : status;
    for (int i = 0; i < CURVE && status == TY_OK; i++) {
        l->slip[i] = -0.02 + 0.01 * i;
        status = slope_of(rig, l->slip[i], &l->slope[i], diag);
    }
    snprintf(claim, sizeof claim,
             "single wheel as MGRU3's in GRC-3, bekker, %s (%.1f deg), K %.1f mm fitted at slip below %g", l->label,
             tyi_soil_shear_angle(&rig.soil) / TY_DEG, 1e3 * l->K, fitted);
    snprintf(data, sizeof data, "TREC, %d points", m->n);
    if (status == TY_OK) {
        validate_add(
            book, VALIDATE_REPORTED, claim, data,
            "slope that the pull would hold, RMSE: %.1f deg fitted, %.1f deg at slip 0.2 to 0.6, %.1f deg beyond", low,
            middle, high);
    }
    return status;
}

ty_status validate_trec(validate_book *book, const char *path, ty_diag *diag)
{
    static validate_slip m;
    static line l[LINES];
    m = (validate_slip){ .name = "TREC_GRC3", .label = "measured (TREC)" };
    l[0] = (line){ .label = "sheared at the sine of 42 deg", .phi = 42.0 * TY_DEG, .triaxial = true };
    l[1] =
        (line){ .label = "sheared at the sine of 37.8 deg, the loosest state", .phi = 37.8 * TY_DEG, .triaxial = true };
    l[2] = (line){ .label = "sheared at 42 deg itself", .phi = 42.0 * TY_DEG };
    ty_soil_params soil;
    ty_draw_series series[LINES + 1];
    ty_status status = validate_slip_data(path, &m, 1, diag);
    status = status == TY_OK ? ty_soil_params_load("models/soils/grc3.yaml", NULL, 0, &soil, diag) : status;
    memset(series, 0, sizeof series);
    series[0] = (ty_draw_series){ .kind = TY_SERIES_POINTS,
                                  .label = m.label,
                                  .n = (size_t)m.n,
                                  .x = m.slip,
                                  .y = m.slope,
                                  .symbol = TY_SYMBOL_DISC,
                                  .color = { 0.0, 0.0, 0.0, 1.0 } };
    for (int k = 0; k < LINES && status == TY_OK; k++) {
        status = add_line(book, &l[k], &soil, &m, diag);
        series[k + 1] = (ty_draw_series){ .label = l[k].label,
                                          .n = CURVE,
                                          .x = l[k].slip,
                                          .y = l[k].slope,
                                          .color = ty_draw_palette(k),
                                          .dash = l[k].triaxial ? TY_DASH_SOLID : TY_DASH_DASHED };
    }
    ty_draw_panel panel = { .x = { .label = "slip [-]" },
                            .y = { .label = "slope that the pull would hold [deg]" },
                            .series = series,
                            .count = LINES + 1,
                            .key = TY_KEY_BOTTOM_RIGHT };
    char picture[4096];
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = "One wheel on level GRC-3 (TREC), 17.5 kg";
    figure.panel = &panel;
    figure.width = 1000;
    figure.height = 560;
    return status == TY_OK ? ty_draw_write_figure(
                                 validate_picture(book, "validation_trec.png", picture, sizeof picture), &figure, diag)
                           : status;
}
