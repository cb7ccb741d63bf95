/* validation/validate_wheel.c - measured single wheels against the Bekker-Wong model (issue: soil, 2, 3).
 * Soils come from models/soils; what differs from the files is set here and named in the row.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/tools/draw.h"
#include "tycho/math.h"
#include "tycho/tools/testbed.h"
#include "study/wheel_fit.h"
#include "validate.h"

enum { CURVE = 61 };

typedef struct scores {
    tyi_study_soil_fit_score fx, fy, torque, h;
} scores;

typedef struct aims {
    double fx, fy, torque, h; /* [-] NRMSE; 0: none */
} aims;

static const char *percent(const tyi_study_soil_fit_score *s, char *out, size_t size)
{
    snprintf(out, size, s->n ? "%.1f %%" : "-", 100.0 * tyi_study_soil_fit_score_nrmse(s));
    return out;
}

static bool meets(const tyi_study_soil_fit_score *s, double aim)
{
    return aim <= 0.0 || tyi_study_soil_fit_score_nrmse(s) < aim;
}

static void add_row(validate_book *book, const char *claim, const char *data, const scores *s, const aims *aim)
{
    char fx[16], side[16], h[16];
    bool torque = s->torque.n > 0;
    bool none = aim->fx + aim->fy + aim->torque + aim->h <= 0.0;
    bool ok =
        meets(&s->fx, aim->fx) && meets(&s->fy, aim->fy) && meets(&s->torque, aim->torque) && meets(&s->h, aim->h);
    char name[160];
    snprintf(name, sizeof name, "%s, %d points", data, s->fx.n);
    validate_add(book,
                 none ? VALIDATE_REPORTED
                 : ok ? VALIDATE_MET
                      : VALIDATE_MISSED,
                 claim, name, "drawbar %s, %s %s, sinkage %s", percent(&s->fx, fx, sizeof fx),
                 torque ? "torque" : "side force", percent(torque ? &s->torque : &s->fy, side, sizeof side),
                 percent(&s->h, h, sizeof h));
}

/* scores of the steady solution at the measured points; wheel NULL: the file's */
static scores compare(const tyi_study_wheel_set *set, const ty_soil_params *soil, const ty_wheel_shape *wheel)
{
    scores s = { 0 };
    for (size_t i = 0; i < set->points; i++) {
        const tyi_study_wheel *p = &set->point[i];
        const ty_wheel_shape *w = wheel ? wheel : &p->wheel;
        ty_wheel_steady m = { .load = p->load, .slip = tyi_study_wheel_slip(p, soil, w), .beta = p->beta };
        ty_wheel_load at;
        double h;
        if (ty_wheel_static(soil, w, &m, &h, &at, NULL) == TY_OK) {
            tyi_study_soil_fit_score_add(&s.fx, at.fx, p->fx);
            tyi_study_soil_fit_score_add(&s.fy, -at.fy, p->fy);
            tyi_study_soil_fit_score_add(&s.torque, at.torque, p->torque);
            tyi_study_soil_fit_score_add(&s.h, h, p->h);
        }
    }
    return s;
}

/* ---- plots: columns of quantities, rows of wheels */

enum { QUANTITIES = 3, MOST_LINES = 8, MOST_POINTS = 200 };

typedef struct line {
    double x[CURVE], y[QUANTITIES][CURVE];
    const char *label;
} line;

typedef struct cloud {
    double x[MOST_POINTS], y[QUANTITIES][MOST_POINTS];
    size_t n;
    const char *label;
} cloud;

typedef struct wheel_plot {
    const char *title;
    line lines[MOST_LINES];
    cloud clouds[MOST_LINES];
    int line_count, cloud_count;
} wheel_plot;

static void add_line(wheel_plot *plot, const char *label, const ty_soil_params *soil, const ty_wheel_shape *wheel,
                     double load, double low, double high, double beta, bool side)
{
    line *l = &plot->lines[plot->line_count++];
    l->label = label;
    for (int i = 0; i < CURVE; i++) {
        ty_wheel_steady m = { .load = load, .slip = low + (high - low) * i / (CURVE - 1), .beta = beta };
        ty_wheel_load at;
        double h;
        bool ok = ty_wheel_static(soil, wheel, &m, &h, &at, NULL) == TY_OK;
        l->x[i] = m.slip;
        l->y[0][i] = ok ? at.fx : (double)NAN;
        l->y[1][i] = ok ? (side ? -at.fy : at.torque) : (double)NAN;
        l->y[2][i] = ok ? 1e3 * h : (double)NAN;
    }
}

static void add_cloud(wheel_plot *plot, const char *label, const tyi_study_wheel_set *set, const ty_soil_params *soil,
                      const ty_wheel_shape *wheel, double beta, bool side)
{
    cloud *c = &plot->clouds[plot->cloud_count++];
    c->label = label;
    c->n = 0;
    for (size_t i = 0; i < set->points && c->n < MOST_POINTS; i++) {
        const tyi_study_wheel *p = &set->point[i];
        if (fabs(p->beta - beta) > 1e-6) {
            continue;
        }
        c->x[c->n] = tyi_study_wheel_slip(p, soil, wheel ? wheel : &p->wheel);
        c->y[0][c->n] = p->fx;
        c->y[1][c->n] = side ? p->fy : p->torque;
        c->y[2][c->n++] = 1e3 * p->h;
    }
}

static bool any_finite(const double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isfinite(y[i])) {
            return true;
        }
    }
    return false;
}

static ty_status draw(validate_book *book, const char *name, const char *title, const wheel_plot *plots, int rows,
                      bool side, ty_diag *diag)
{
    const char *labels[QUANTITIES] = { "drawbar pull [N]", side ? "side force [N]" : "torque [N m]", "sinkage [mm]" };
    ty_draw_series series[4 * QUANTITIES][2 * MOST_LINES];
    ty_draw_panel panel[4 * QUANTITIES];
    memset(series, 0, sizeof series);
    memset(panel, 0, sizeof panel);
    for (int i = 0; i < rows * QUANTITIES; i++) {
        const wheel_plot *p = &plots[i / QUANTITIES];
        int q = i % QUANTITIES, used = 0;
        for (int k = 0; k < p->line_count; k++) {
            series[i][used++] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                                  .label = p->lines[k].label,
                                                  .n = CURVE,
                                                  .x = p->lines[k].x,
                                                  .y = p->lines[k].y[q],
                                                  .color = ty_draw_palette(k + 1) };
        }
        for (int k = 0; k < p->cloud_count; k++) {
            if (any_finite(p->clouds[k].y[q], p->clouds[k].n)) {
                series[i][used++] =
                    (ty_draw_series){ .kind = TY_SERIES_POINTS,
                                      .label = p->clouds[k].label,
                                      .n = p->clouds[k].n,
                                      .x = p->clouds[k].x,
                                      .y = p->clouds[k].y[q],
                                      .symbol = TY_SYMBOL_RING,
                                      .color = p->cloud_count > 1 ? ty_draw_palette(k + 1)
                                                                  : (ty_draw_color){ 0.1, 0.1, 0.1, 1.0 } };
            }
        }
        panel[i] = (ty_draw_panel){ .title = q == 0 ? p->title : NULL,
                                    .x = { .label = "slip [-]" },
                                    .y = { .label = labels[q] },
                                    .series = series[i],
                                    .count = used,
                                    .key = q == 0 ? TY_KEY_AUTO : TY_KEY_NONE };
    }
    char path[4096];
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = title;
    figure.panel = panel;
    figure.rows = rows;
    figure.columns = QUANTITIES;
    figure.share_x = true;
    figure.width = 1200;
    figure.height = 80 + 300 * rows;
    return ty_draw_write_figure(validate_picture(book, name, path, sizeof path), &figure, diag);
}

/* ---- Ding, KLS-1, Rashid-1 */

static const ty_wheel_shape ding = { 0.15735, 0.165, 0.0, 0 }, ding_lugs = { 0.15735, 0.165, 0.010, 30 },
                            ding_larger = { 0.16735, 0.165, 0.0, 0 };

/* a soil file as it is, on Earth, with the choices named in the row */
static ty_status soil_of(const char *name, const char *const *settings, size_t count, ty_soil_params *soil,
                         ty_diag *diag)
{
    char path[256];
    snprintf(path, sizeof path, "models/soils/%s.yaml", name);
    ty_status status = ty_soil_params_load(path, settings, count, soil, diag);
    soil->g = 9.81;
    return status;
}

static ty_status ding_part(validate_book *book, const char *path, wheel_plot *plots, ty_diag *diag)
{
    static const char *const as_thesis[] = { "n0=1.0", "n1=0.5" };
    static const aims none = { 0 }, wanted = { 0.20, 0.0, 0.15, 0.0 };
    ty_soil_params published, thesis;
    tyi_study_wheel_set smooth = { 0 }, lugs = { 0 };
    ty_status status = soil_of("ding", NULL, 0, &published, diag);
    status = status == TY_OK ? soil_of("ding", as_thesis, 2, &thesis, diag) : status;
    status = status == TY_OK ? tyi_study_wheel_load(path, "ding2011_smooth", &smooth, diag) : status;
    status = status == TY_OK ? tyi_study_wheel_load(path, "ding2011_lug", &lugs, diag) : status;
    if (status == TY_OK) {
        const struct {
            const char *claim;
            const tyi_study_wheel_set *set;
            const ty_soil_params *soil;
            const ty_wheel_shape *wheel;
            const aims *aim;
        } rows[] = {
            { "smooth wheel, published soil (n0 1.1, n1 0)", &smooth, &published, &ding, &none },
            { "smooth wheel, n0 1.0, n1 0.5", &smooth, &thesis, &ding, &none },
            { "lugs ignored, published soil", &lugs, &published, &ding, &none },
            { "radius + lug height, published soil", &lugs, &published, &ding_larger, &none },
            { "radius + lug height, n0 1.0, n1 0.5", &lugs, &thesis, &ding_larger, &none },
            { "lug model, published soil (aim: drawbar 20 %, torque 15 %)", &lugs, &published, &ding_lugs, &wanted },
            { "lug model, n0 1.0, n1 0.5 (the same aims)", &lugs, &thesis, &ding_lugs, &wanted },
        };
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            scores s = compare(rows[i].set, rows[i].soil, rows[i].wheel);
            add_row(book, rows[i].claim, "Ding 2011, 80 N", &s, rows[i].aim);
        }
        for (int k = 0; k < 2; k++) {
            const ty_wheel_shape *wheel = k ? &ding_lugs : &ding;
            plots[k].title = k ? "Ding, 30 lugs of 10 mm" : "Ding, smooth";
            add_line(&plots[k], "published", &published, wheel, 80.0, 0.0, 0.7, 0.0, false);
            add_line(&plots[k], "n0 1.0, n1 0.5", &thesis, wheel, 80.0, 0.0, 0.7, 0.0, false);
            add_cloud(&plots[k], "measured", k ? &lugs : &smooth, &published, NULL, 0.0, false);
        }
    }
    tyi_study_wheel_free(&smooth);
    tyi_study_wheel_free(&lugs);
    return status;
}

static ty_status light_part(validate_book *book, const char *path, wheel_plot *plots, ty_diag *diag)
{
    static const char *const kls_set[] = { "kx=0.018", "lambda=0" },
                             *const fjs_set[] = { "kx=0.018", "lambda=0", "c=2400", "rho=1740" },
                             *const fjs_weak[] = { "kx=0.018", "lambda=0", "c=200", "rho=1740" };
    static const aims wanted = { 0.20, 0.0, 0.15, 0.0 };
    const struct {
        const char *claim, *data, *rows, *soil;
        const char *const *settings;
        size_t count;
        double load;
    } rows[] = {
        { "KLS-1 smooth, bevameter soil, lambda 0", "Wang, Han 2016", "kls1_smooth", "kls1", kls_set, 2, 58.86 },
        { "KLS-1 lugs, bevameter soil, lambda 0", "Wang, Han 2016", "kls1_lug", "kls1", kls_set, 2, 58.86 },
        { "Rashid-1 in FJS-1, c 2400 Pa, lambda 0", "Hurrell 2025", "rashid1", "fjs1", fjs_set, 4, 24.5 },
        { "Rashid-1 in FJS-1, c 200 Pa, lambda 0", "Hurrell 2025", "rashid1", "fjs1", fjs_weak, 4, 24.5 },
    };
    ty_status status = TY_OK;
    for (int i = 0; i < 4 && status == TY_OK; i++) {
        tyi_study_wheel_set set = { 0 };
        ty_soil_params soil;
        status = soil_of(rows[i].soil, rows[i].settings, rows[i].count, &soil, diag);
        status = status == TY_OK ? tyi_study_wheel_load(path, rows[i].rows, &set, diag) : status;
        if (status == TY_OK) {
            scores s = compare(&set, &soil, NULL);
            add_row(book, rows[i].claim, rows[i].data, &s, &wanted);
            plots[i].title = rows[i].claim;
            add_line(&plots[i], "model", &soil, &set.point[0].wheel, rows[i].load, 0.05, 0.6, 0.0, false);
            add_cloud(&plots[i], "measured", &set, &soil, NULL, 0.0, false);
        }
        tyi_study_wheel_free(&set);
    }
    return status;
}

ty_status validate_wheel(validate_book *book, ty_diag *diag)
{
    char path[4096];
    if (!validate_shared(book, "data/wheel/roverdevkit_single_wheel_experiments.csv", "Ding, KLS-1, Rashid-1", path,
                         sizeof path)) {
        return TY_OK;
    }
    wheel_plot *plots = calloc(6, sizeof *plots);
    if (!plots) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the plots");
    }
    ty_status status = ding_part(book, path, plots, diag);
    status = status == TY_OK ? light_part(book, path, plots + 2, diag) : status;
    status = status == TY_OK ? draw(book, "validation_ding.png", "Ding 2011, 80 N", plots, 2, false, diag) : status;
    status = status == TY_OK ? draw(book, "validation_light.png", "Light wheels", plots + 2, 3, false, diag) : status;
    free(plots);
    return status;
}

/* ---- CMU: which points are inside the bounds, and of which slip angles */

static void keep(tyi_study_wheel_set *set, const ty_soil_params *soil, const ty_wheel_shape *wheel, int which)
{
    size_t n = 0;
    for (size_t i = 0; i < set->points; i++) {
        const tyi_study_wheel *p = &set->point[i];
        double slip = tyi_study_wheel_slip(p, soil, wheel), deg = p->beta / TY_DEG;
        bool fitted = fabs(deg) < 1e-6 || fabs(deg - 30.0) < 1e-6;
        if (slip >= -0.5 && slip <= 0.9 && deg < 45.001 && p->h <= 0.6 * wheel->r &&
            (which == 2 || fitted == (which == 0))) {
            set->point[n++] = *p;
        }
    }
    set->points = n;
}

typedef struct cmu_row {
    const char *claim, *file, *soil;
    ty_wheel_shape wheel;
    const char *const *settings;
    size_t count;
    int which; /* 0 slip angles 0 and 30 deg, 1 the others, 2 all */
    bool aimed;
} cmu_row;

static ty_status cmu_compare(validate_book *book, const cmu_row *row, ty_diag *diag)
{
    static const aims wanted = { 0.15, 0.15, 0.0, 0.15 }, none = { 0 };
    char path[4096], name[200];
    snprintf(name, sizeof name, "data/wheel/cmu_pavlov_%s_wheel.csv", row->file);
    if (!validate_shared(book, name, row->claim, path, sizeof path)) {
        return TY_OK;
    }
    tyi_study_wheel_set set = { 0 };
    ty_soil_params soil;
    ty_status status = soil_of(row->soil, row->settings, row->count, &soil, diag);
    status = status == TY_OK ? tyi_study_wheel_load(path, NULL, &set, diag) : status;
    if (status == TY_OK) {
        keep(&set, &soil, &row->wheel, row->which);
        scores s = compare(&set, &soil, &row->wheel);
        add_row(book, row->claim, row->file, &s, row->aimed ? &wanted : &none);
    }
    tyi_study_wheel_free(&set);
    return status;
}

static ty_status cmu_picture(validate_book *book, const cmu_row *rows, ty_diag *diag)
{
    static const double angles[4] = { 0.0, 15.0, 30.0, 45.0 };
    static const char *const fitted[4] = { "0 deg", "15 deg", "30 deg", "45 deg" };
    wheel_plot *plots = calloc(2, sizeof *plots);
    ty_status status = plots ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the plots");
    for (int k = 0; k < 2 && status == TY_OK; k++) {
        const cmu_row *row = &rows[k];
        char path[4096], name[200];
        tyi_study_wheel_set set = { 0 };
        ty_soil_params soil;
        snprintf(name, sizeof name, "data/wheel/cmu_pavlov_%s_wheel.csv", row->file);
        snprintf(path, sizeof path, "%s/%s", book->shared, name);
        status = soil_of(row->soil, row->settings, row->count, &soil, diag);
        status = status == TY_OK ? tyi_study_wheel_load(path, NULL, &set, diag) : status;
        if (status == TY_OK) {
            plots[k].title = k ? "CMU lugged, fitted on 0 and 30 deg" : "CMU smooth, fitted on 0 and 30 deg";
            keep(&set, &soil, &row->wheel, 2);
            for (int a = 0; a < 4; a++) {
                add_line(&plots[k], fitted[a], &soil, &row->wheel, 20.0, -0.5, 0.9, angles[a] * TY_DEG, true);
                add_cloud(&plots[k], NULL, &set, &soil, &row->wheel, angles[a] * TY_DEG, true);
            }
        }
        tyi_study_wheel_free(&set);
    }
    if (status == TY_OK) {
        status =
            draw(book, "validation_cmu.png", "CMU sand, lines at 20 N, points at 15 to 26 N", plots, 2, true, diag);
    }
    free(plots);
    return status;
}

ty_status validate_cmu(validate_book *book, ty_diag *diag)
{
    static const ty_wheel_shape plain = { 0.058, 0.05, 0.0, 0 }, lugs = { 0.058, 0.05, 0.005, 24 };
    static const char *const lug_skid[] = { "n1_skid=0.74" };
    static const char *const lug_fit[] = { "k_phi=8.259e6", "n0=1.265",   "n1=0.652",    "n1_skid=0",
                                           "n1_side=0.267", "a1=0.663",   "a2=-0.314",   "c=0",
                                           "kx=0.01362",    "ky=0.00992", "lambda=0.241" };
    const cmu_row rows[] = {
        { "smooth wheel, fitted on 0 and 30 deg, tested on 15 and 45 deg (aim 15 % each)", "smooth", "cmu_sand_fitted",
          plain, NULL, 0, 1, true },
        { "lugged wheel, fitted on 0 and 30 deg, tested on 15 and 45 deg (aim 15 % each)", "grouser", "cmu_sand_fitted",
          lugs, lug_fit, 11, 1, true },
        { "smooth wheel, the angles of the fit", "smooth", "cmu_sand_fitted", plain, NULL, 0, 0, false },
        { "lugged wheel, the angles of the fit", "grouser", "cmu_sand_fitted", lugs, lug_fit, 11, 0, false },
        { "smooth wheel, published soil, all angles", "smooth", "cmu_sand", plain, NULL, 0, 2, false },
        { "lugged wheel, published soil, all angles", "grouser", "cmu_sand", lugs, lug_skid, 1, 2, false },
    };
    ty_status status = TY_OK;
    int before = book->absent;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == TY_OK; i++) {
        status = cmu_compare(book, &rows[i], diag);
    }
    return status == TY_OK && book->absent == before ? cmu_picture(book, rows, diag) : status;
}
