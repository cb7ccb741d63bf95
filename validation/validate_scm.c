/* validation/validate_scm.c - the grid of soil columns in the rig, beside the Bekker-Wong model and beside
 * the measured wheels of Ding.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/tools/draw.h"
#include "tycho/math.h"
#include "tycho/tools/testbed.h"
#include "study/wheel_fit.h"
#include "validate.h"

enum { SLIPS = 12, CASES = 4, QUANTITIES = 3 };
static const double slips[SLIPS] = { -0.5, -0.35, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9 };

/* one curve of the picture */
typedef struct curve {
    const char *label;
    int model;
    double cell;
    bool front; /* Bekker-Wong with the stress of the front half alone, as columns have it */
    double y[QUANTITIES][SLIPS];
} curve;

static ty_status fill(curve *c, ty_rig_def def, ty_diag *diag)
{
    def.model = c->model;
    def.cell = c->cell;
    if (c->front) {
        def.soil.lambda = def.soil.a1 = def.soil.a2 = 0.0;
    }
    for (int i = 0; i < SLIPS; i++) {
        ty_rig_result at;
        def.slip = slips[i];
        ty_status status = ty_rig_run(&def, &at, diag);
        if (status != TY_OK) {
            return status;
        }
        c->y[0][i] = at.fx;
        c->y[1][i] = at.torque;
        c->y[2][i] = 1e3 * at.h;
    }
    return TY_OK;
}

static ty_status draw(validate_book *book, const curve *curves, ty_diag *diag)
{
    static const char *const label[QUANTITIES] = { "drawbar pull [N]", "torque [N m]", "sinkage [mm]" };
    ty_draw_series series[QUANTITIES][CASES];
    ty_draw_panel panel[QUANTITIES];
    memset(series, 0, sizeof series);
    memset(panel, 0, sizeof panel);
    for (int q = 0; q < QUANTITIES; q++) {
        for (int k = 0; k < CASES; k++) {
            series[q][k] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                             .label = curves[k].label,
                                             .n = SLIPS,
                                             .x = slips,
                                             .y = curves[k].y[q],
                                             .color = ty_draw_palette(k + 1),
                                             .dash = k < 2 ? TY_DASH_DASHED : TY_DASH_SOLID,
                                             .symbol = k < 2 ? TY_SYMBOL_NONE : TY_SYMBOL_DISC };
        }
        panel[q] = (ty_draw_panel){ .x = { .label = "slip [-]" },
                                    .y = { .label = label[q] },
                                    .series = series[q],
                                    .count = CASES,
                                    .key = q ? TY_KEY_NONE : TY_KEY_AUTO };
    }
    char path[4096];
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = "Columns (scm) and Bekker-Wong: r 0.25 m, b 0.2 m, 182 N, nominal lunar soil";
    figure.panel = panel;
    figure.columns = QUANTITIES;
    figure.width = 1200;
    figure.height = 420;
    return ty_draw_write_figure(validate_picture(book, "validation_scm.png", path, sizeof path), &figure, diag);
}

/* largest difference of two curves over the range of the first [-] */
static double apart(const double *a, const double *b)
{
    double low = INFINITY, high = -INFINITY, most = 0.0;
    for (int i = 0; i < SLIPS; i++) {
        low = fmin(low, a[i]);
        high = fmax(high, a[i]);
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most / (high - low);
}

/* one of Ding's wheels on the grid, with the soil as published or with slip sinkage as in the thesis */
static ty_status ding_row(validate_book *book, const char *path, const char *claim, const char *rows, bool thesis,
                          ty_diag *diag)
{
    static const char *const settings[] = { "n0=1.0", "n1=0.5" };
    tyi_study_wheel_set set = { 0 };
    ty_rig_def def = ty_rig_def_default();
    ty_status status = ty_soil_params_load("models/soils/ding.yaml", settings, thesis ? 2 : 0, &def.soil, diag);
    status = status == TY_OK ? tyi_study_wheel_load(path, rows, &set, diag) : status;
    tyi_study_soil_fit_score fx = { 0 }, torque = { 0 }, h = { 0 };
    def.model = TY_SOIL_SCM;
    def.speed = 0.3;
    def.soil.g = 9.81;
    for (size_t i = 0; i < set.points && status == TY_OK; i++) {
        ty_rig_result at;
        def.wheel = set.point[i].wheel;
        def.load = set.point[i].load;
        def.slip = tyi_study_wheel_slip(&set.point[i], &def.soil, &def.wheel);
        status = ty_rig_run(&def, &at, diag);
        tyi_study_soil_fit_score_add(&fx, at.fx, set.point[i].fx);
        tyi_study_soil_fit_score_add(&torque, at.torque, set.point[i].torque);
        tyi_study_soil_fit_score_add(&h, at.h, set.point[i].h);
    }
    if (status == TY_OK) {
        validate_add(book, VALIDATE_REPORTED, claim, "Ding 2011, 80 N, 6 points",
                     "drawbar %.1f %%, torque %.1f %%, sinkage %.1f %%", 100.0 * tyi_study_soil_fit_score_nrmse(&fx),
                     100.0 * tyi_study_soil_fit_score_nrmse(&torque), 100.0 * tyi_study_soil_fit_score_nrmse(&h));
    }
    tyi_study_wheel_free(&set);
    return status;
}

static ty_status against_ding(validate_book *book, ty_diag *diag)
{
    static const struct {
        const char *claim, *rows;
        bool thesis;
    } cases[] = {
        { "smooth wheel, published soil, scm on 10 mm", "ding2011_smooth", false },
        { "smooth wheel, n0 1.0, n1 0.5, scm on 10 mm", "ding2011_smooth", true },
        { "lugs, published soil, scm on 10 mm", "ding2011_lug", false },
        { "lugs, n0 1.0, n1 0.5, scm on 10 mm", "ding2011_lug", true },
    };
    char path[4096];
    ty_status status = TY_OK;
    if (!validate_shared(book, "data/wheel/roverdevkit_single_wheel_experiments.csv", cases[0].claim, path,
                         sizeof path)) {
        return TY_OK;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && status == TY_OK; i++) {
        status = ding_row(book, path, cases[i].claim, cases[i].rows, cases[i].thesis, diag);
    }
    return status;
}

ty_status validate_scm(validate_book *book, ty_diag *diag)
{
    curve *curves = calloc(CASES, sizeof *curves);
    ty_rig_def def = ty_rig_def_default();
    ty_status status = curves ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the curves");
    if (status != TY_OK) {
        return status;
    }
    def.load = 182.0;
    def.speed = 0.3;
    curves[0] = (curve){ .label = "Bekker-Wong", .model = TY_RIG_STATIC, .cell = 0.02 };
    curves[1] = (curve){ .label = "the same, front half only", .model = TY_RIG_STATIC, .cell = 0.02, .front = true };
    curves[2] = (curve){ .label = "scm, 20 mm", .model = TY_SOIL_SCM, .cell = 0.02 };
    curves[3] = (curve){ .label = "scm, 10 mm", .model = TY_SOIL_SCM, .cell = 0.01 };
    for (int i = 0; i < CASES && status == TY_OK; i++) {
        status = fill(&curves[i], def, diag);
    }
    if (status == TY_OK) {
        validate_add(book, VALIDATE_REPORTED, "scm on 20 mm beside scm on 10 mm", "r 0.25 m, 182 N, slip -0.5 to 0.9",
                     "largest difference over range: drawbar %.1f %%, torque %.1f %%; sinkage "
                     "%.2f mm",
                     100.0 * apart(curves[3].y[0], curves[2].y[0]), 100.0 * apart(curves[3].y[1], curves[2].y[1]),
                     fabs(curves[3].y[2][4] - curves[2].y[2][4]));
        validate_add(book, VALIDATE_REPORTED, "scm on 10 mm beside Bekker-Wong (front half only)", "the same",
                     "largest difference over range: drawbar %.1f %%, torque %.1f %%; sinkage "
                     "without slip %.1f and %.1f mm",
                     100.0 * apart(curves[1].y[0], curves[3].y[0]), 100.0 * apart(curves[1].y[1], curves[3].y[1]),
                     curves[3].y[2][4], curves[1].y[2][4]);
        status = draw(book, curves, diag);
    }
    free(curves);
    return status == TY_OK ? against_ding(book, diag) : status;
}
