/* src/study/wheel_measured.c - tables of measured wheels and plates, told apart by their header.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/document.h"
#include "io/table.h"
#include "core/core.h"
#include "tycho/math.h"
#include "tycho/tools/testbed.h"
#include "soil/inner.h"
#include "wheel_fit.h"

enum { COLUMNS = 40 };
#define FILE_MOST ((size_t)16 << 20)

typedef struct table {
    tyi_io_table rows;
    char *header[COLUMNS];
    int columns;
} table;

static const char *text_of(const table *t, const char *name)
{
    for (int i = 0; i < t->columns && i < t->rows.fields; i++) {
        if (!strcmp(t->header[i], name)) {
            return t->rows.field[i];
        }
    }
    return NULL;
}

/* NaN: no such column, or an empty field; a text is an error */
static double number(const table *t, const char *name, ty_diag *diag)
{
    const char *text = text_of(t, name);
    if (!text || !*text) {
        return (double)NAN;
    }
    char shown[60];
    double value;
    if (!tyi_io_table_number(text, &value)) {
        ty_fail(diag, TY_ERR_INPUT, "%s:%d: %s is '%s', but takes a number", t->rows.path, t->rows.line, name,
                tyi_io_doc_show(text, shown, sizeof shown));
        return (double)NAN;
    }
    return value;
}

/* as number(), but must be there */
static double needed(const table *t, const char *name, ty_diag *diag)
{
    double value = number(t, name, diag);
    if (isnan(value)) {
        ty_fail(diag, TY_ERR_INPUT, "%s:%d: %s has no value", t->rows.path, t->rows.line, name);
    }
    return value;
}

static double or_zero(double value)
{
    return isnan(value) ? 0.0 : value;
}

static tyi_study_wheel cmu_point(const table *t, ty_diag *diag)
{
    double beta = needed(t, "slip_angle_deg", diag) * TY_DEG;
    double v = needed(t, "Vx_mm_s", diag);
    return (tyi_study_wheel){ .kx = (double)NAN,
                              .load = needed(t, "Fz_load_N", diag),
                              .slip = needed(t, "slip", diag),
                              .beta = beta,
                              .v_x = 1e-3 * v * cos(beta), /* the carriage's speed turned by beta */
                              .rim = 1e-3 * needed(t, "omega_r_mm_s", diag),
                              .fx = number(t, "Fx_drawbar_N", diag),
                              .fy = number(t, "Fy_side_N", diag),
                              .torque = (double)NAN,
                              .h = 1e-3 * number(t, "sinkage_mm", diag) };
}

static tyi_study_wheel devkit_point(const table *t, ty_diag *diag)
{
    tyi_study_wheel p = { .wheel = { needed(t, "wheel_radius_m", diag), needed(t, "wheel_width_m", diag),
                                     or_zero(number(t, "grouser_height_m", diag)),
                                     (int)or_zero(number(t, "grouser_count", diag)) },
                          .kx = number(t, "soil_shear_modulus_k_m", diag),
                          .load = needed(t, "vertical_load_n", diag),
                          .slip = needed(t, "slip", diag),
                          .v_x = (double)NAN,
                          .rim = (double)NAN,
                          .fx = number(t, "meas_drawbar_pull_n", diag),
                          .fy = (double)NAN,
                          .torque = number(t, "meas_torque_nm", diag),
                          .h = number(t, "meas_sinkage_m", diag) };
    const char *name = text_of(t, "case_id");
    size_t length = name ? strnlen(name, sizeof p.name - 1) : 0;
    memcpy(p.name, name ? name : "", length);
    return p;
}

static tyi_study_wheel own_point(const table *t, ty_diag *diag)
{
    return (tyi_study_wheel){ .wheel = { or_zero(number(t, "r", diag)), or_zero(number(t, "b", diag)),
                                         or_zero(number(t, "grouser_h", diag)),
                                         (int)or_zero(number(t, "grousers", diag)) },
                              .kx = (double)NAN,
                              .load = needed(t, "load", diag),
                              .slip = needed(t, "slip", diag),
                              .beta = or_zero(number(t, "beta_deg", diag)) * TY_DEG,
                              .v_x = (double)NAN,
                              .rim = (double)NAN,
                              .fx = number(t, "fx", diag),
                              .fy = number(t, "fy", diag),
                              .torque = number(t, "torque", diag),
                              .h = number(t, "h", diag) };
}

typedef struct kind {
    const char *column; /* that only this kind has */
    tyi_study_wheel (*read)(const table *t, ty_diag *diag);
} kind;

static const kind kinds[] = {
    { "Fx_drawbar_N", cmu_point },
    { "meas_drawbar_pull_n", devkit_point },
    { "plate_diameter_mm", NULL },
    { "load", own_point },
};

static const kind *kind_of(const table *t, ty_diag *diag)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (int k = 0; k < t->columns; k++) {
            if (!strcmp(t->header[k], kinds[i].column)) {
                return &kinds[i];
            }
        }
    }
    ty_fail(diag, TY_ERR_FORMAT,
            "%s: is no table of measured wheels or plates: the header has none of the columns "
            "load, Fx_drawbar_N, meas_drawbar_pull_n, plate_diameter_mm",
            t->rows.path);
    return NULL;
}

/* one more element */
static void *grow(void **list, size_t *count, size_t *room, size_t size, ty_diag *diag)
{
    void *more = tyi_list_grown(*list, *count, room, size, 16);
    if (!more) {
        ty_fail(diag, TY_ERR_MEMORY, "measured: no memory for %zu points", *count);
        return NULL;
    }
    *list = more;
    return (char *)*list + (*count)++ * size;
}

static void read_rows(table *t, const kind *k, const char *rows, tyi_study_wheel_set *out, ty_diag *diag)
{
    void *points = NULL, *plates = NULL;
    size_t point_room = 0, plate_room = 0;
    while (diag->status == TY_OK && tyi_io_table_next(&t->rows)) {
        if (!k->read) {
            tyi_study_wheel_plate *p = grow(&plates, &out->plates, &plate_room, sizeof *p, diag);
            if (p) {
                *p = (tyi_study_wheel_plate){ 0.5e-3 * needed(t, "plate_diameter_mm", diag),
                                              1e-3 * needed(t, "sinkage_mm", diag),
                                              1e3 * needed(t, "pressure_kPa", diag) };
            }
            continue;
        }
        tyi_study_wheel p = k->read(t, diag);
        tyi_study_wheel *slot = rows && strncmp(p.name, rows, strlen(rows))
                                    ? NULL
                                    : grow(&points, &out->points, &point_room, sizeof *slot, diag);
        if (slot) {
            *slot = p;
        }
    }
    out->point = points;
    out->plate = plates;
}

ty_status tyi_study_wheel_load(const char *path, const char *rows, tyi_study_wheel_set *out, ty_diag *diag)
{
    *out = (tyi_study_wheel_set){ 0 };
    ty_diag own = { 0 };
    table t = { .columns = 0 };
    if (tyi_io_table_open(&t.rows, path, FILE_MOST, &own) == TY_OK) {
        if (tyi_io_table_next(&t.rows)) {
            t.columns = t.rows.fields < COLUMNS ? t.rows.fields : COLUMNS;
            memcpy(t.header, t.rows.field, (size_t)t.columns * sizeof *t.header);
        }
        const kind *k = kind_of(&t, &own);
        if (k) {
            read_rows(&t, k, rows, out, &own);
        }
        if (own.status == TY_OK && !out->points && !out->plates) {
            ty_fail(&own, TY_ERR_INPUT, "%s: has no measured points%s%s", path, rows ? " whose name begins with " : "",
                    rows ? rows : "");
        }
    }
    tyi_io_table_close(&t.rows);
    return own.status == TY_OK ? TY_OK : ty_fail(diag, own.status, "%s", own.text);
}

void tyi_study_wheel_free(tyi_study_wheel_set *set)
{
    free(set->point);
    free(set->plate);
    *set = (tyi_study_wheel_set){ 0 };
}

double tyi_study_wheel_slip(const tyi_study_wheel *point, const ty_soil_params *soil, const ty_wheel_shape *wheel)
{
    if (isnan(point->v_x) || isnan(point->rim)) {
        return point->slip;
    }
    double rim = point->rim * tyi_soil_wheel_shear_radius(soil, wheel) / wheel->r;
    double most = fmax(fabs(rim), fabs(point->v_x));
    return most > 0.0 ? (rim - point->v_x) / most : 0.0;
}

void tyi_study_soil_fit_score_add(tyi_study_soil_fit_score *score, double got, double want)
{
    if (isnan(want)) {
        return;
    }
    score->low = score->n ? fmin(score->low, want) : want;
    score->high = score->n ? fmax(score->high, want) : want;
    score->square += (got - want) * (got - want);
    score->n++;
}

double tyi_study_soil_fit_score_nrmse(const tyi_study_soil_fit_score *score)
{
    return score->n ? sqrt(score->square / score->n) / (score->high - score->low) : (double)NAN;
}
