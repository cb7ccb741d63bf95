/* src/study/bed_fit.c - see bed_fit.h. Levenberg-Marquardt (cminpack) over logarithms of the free numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bed_fit.h"
#include <cminpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "io/table.h"
#include "tycho/math.h"

#define STEP \
    0.08 /* [-] by which a number is changed to see what follows: particles make pressures uneven by a few per cent */
#define REACH 0.12 /* [-] of a diameter that plates are pressed to */
#define BEAR  0.1  /* [-] of that: less deep, pressures hang on how the first layer lies */

/* ---- what was measured ---- */

static int find(const tyi_io_table *t, const char *name)
{
    for (int k = 0; k < t->fields && k < TYI_IO_TABLE_FIELDS; k++) {
        if (!strcmp(t->field[k], name)) {
            return k;
        }
    }
    return -1;
}

static ty_status take(const tyi_io_table *t, int column, const char *name, double *out, ty_diag *diag)
{
    if (column >= t->fields || !tyi_io_table_number(t->field[column], out) || !(*out > 0.0)) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s:%d: %s is '%s', but takes a number above 0", t->path, t->line, name,
                       column < t->fields ? t->field[column] : "");
    }
    return TY_OK;
}

static ty_status read_rows(tyi_io_table *t, bool plate, double diameter, tyi_study_bed_data *d, ty_diag *diag)
{
    static const char *const name[] = { "diameter_m", "sinkage_m", "pressure_pa" };
    if (!tyi_io_table_next(t)) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s is empty", t->path);
    }
    int at[3] = { find(t, name[0]), find(t, name[1]), find(t, plate ? name[2] : "angle_deg") };
    if (at[2] < 0 || (plate && at[1] < 0)) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: its first line has no %s", t->path,
                       plate ? "sinkage_m and pressure_pa" : "angle_deg");
    }
    ty_status status = TY_OK;
    while (status == TY_OK && tyi_io_table_next(t)) {
        if (d->rows == TYI_STUDY_BED_FIT_ROWS) {
            return ty_fail(diag, TY_ERR_RANGE, "%s has more than %d rows", t->path, TYI_STUDY_BED_FIT_ROWS);
        }
        int k = d->rows++;
        d->diameter[k] = diameter;
        status = take(t, at[2], plate ? name[2] : "angle_deg", &d->pressure[k], diag);
        d->pressure[k] *= plate ? 1.0 : TY_DEG;
        if (status == TY_OK && plate) {
            status = take(t, at[1], name[1], &d->sinkage[k], diag);
        }
        if (status == TY_OK && plate && at[0] >= 0) {
            status = take(t, at[0], name[0], &d->diameter[k], diag);
        }
    }
    return status == TY_OK && !d->rows ? ty_fail(diag, TY_ERR_FORMAT, "%s has no rows", t->path) : status;
}

ty_status tyi_study_bed_data_read(const char *path, ty_bed_test test, double diameter, tyi_study_bed_data *out,
                                  ty_diag *diag)
{
    tyi_io_table t;
    out->rows = 0;
    ty_status status = tyi_io_table_open(&t, path, 1 << 20, diag);
    if (status == TY_OK) {
        status = read_rows(&t, test == TY_BED_PLATE, diameter, out, diag);
        tyi_io_table_close(&t);
    }
    return status;
}

/* ---- the fit ---- */

typedef struct problem {
    tyi_study_bed_fit *fit;
    const tyi_study_bed_data *data;
    double start[TYI_STUDY_BED_FIT_FREE];
    int row[TYI_STUDY_BED_FIT_ROWS]; /* of the data that count */
    ty_status status;
    ty_diag *diag;
} problem;

static double *number_of(ty_bed_def *def, const char *name)
{
    return !strcmp(name, "mu_s") ? &def->soil.mu_s
           : !strcmp(name, "e")  ? &def->soil.e
           : !strcmp(name, "c")  ? &def->soil.c
                                 : NULL;
}

/* x is 1 + ln(value / start) */
static void put(problem *p, const double *x)
{
    for (int k = 0; k < p->fit->frees; k++) {
        *number_of(&p->fit->def, p->fit->free[k]) = p->start[k] * exp(x[k] - 1.0);
    }
    p->fit->def.soil.mu_2 = p->fit->def.soil.mu_s;
}

/* pressure of a plate at a sinkage, between the rows of the series */
static double at_sinkage(const ty_bed_result *r, double diameter, double sinkage)
{
    double z0 = 0.0, p0 = 0.0;
    for (size_t k = 0; k < r->rows; k++) {
        const double *row = r->series + 3 * k;
        if (row[0] == diameter) {
            if (row[1] >= sinkage) {
                return p0 + (row[2] - p0) * (sinkage - z0) / (row[1] - z0);
            }
            z0 = row[1], p0 = row[2];
        }
    }
    return p0;
}

static int residuals(void *user, int m, int n, const double *x, double *out, int flag)
{
    problem *p = user;
    tyi_study_bed_fit *f = p->fit;
    (void)n, (void)flag;
    put(p, x);
    ty_bed_result r;
    p->status = ty_bed_run(f->test, &f->def, &r, p->diag);
    f->runs++;
    for (int i = 0; i < m && p->status == TY_OK; i++) {
        int k = p->row[i];
        out[i] = f->test == TY_BED_PLATE
                     ? log(fmax(at_sinkage(&r, p->data->diameter[k], p->data->sinkage[k]), 1.0) / p->data->pressure[k])
                     : ty_bed_get(&r, "angle_deg") * TY_DEG - p->data->pressure[k];
    }
    ty_bed_result_free(&r);
    return p->status == TY_OK ? 0 : -1;
}

/* the rows within reach, and the plates that they are of */
static ty_status choose(problem *p)
{
    tyi_study_bed_fit *f = p->fit;
    const tyi_study_bed_data *d = p->data;
    bool plate = f->test == TY_BED_PLATE;
    f->def.diameters = plate ? 0 : f->def.diameters;
    for (int k = 0; k < d->rows; k++) {
        double deep = d->sinkage[k] / (REACH * d->diameter[k]);
        f->beyond |= plate && deep > 1.0;
        if (plate && !(deep >= BEAR && deep <= 1.0)) {
            continue;
        }
        p->row[f->used++] = k;
        int w = 0;
        while (w < f->def.diameters && f->def.diameter[w] != d->diameter[k]) {
            w++;
        }
        if (plate && w == TY_BED_DIAMETERS) {
            return ty_fail(p->diag, TY_ERR_RANGE, "fit: there are more than %d plates", TY_BED_DIAMETERS);
        }
        if (plate && w == f->def.diameters) {
            f->def.diameter[f->def.diameters++] = d->diameter[k];
        }
    }
    return f->used >= f->frees ? TY_OK
                               : ty_fail(p->diag, TY_ERR_RANGE,
                                         "fit: %d rows for %d numbers; plates count from %g to %g of their diameter",
                                         f->used, f->frees, BEAR * REACH, REACH);
}

ty_status tyi_study_bed_fit_run(tyi_study_bed_fit *f, const tyi_study_bed_data *data, ty_diag *diag)
{
    problem *p = calloc(1, sizeof *p);
    if (!p) {
        return ty_fail(diag, TY_ERR_MEMORY, "fit: no memory");
    }
    *p = (problem){ .fit = f, .data = data, .diag = diag };
    f->runs = f->used = 0, f->beyond = false;
    ty_status status = choose(p);
    int n = f->frees, m = f->used, calls = 0, ipvt[TYI_STUDY_BED_FIT_FREE];
    double x[TYI_STUDY_BED_FIT_FREE], small[5][TYI_STUDY_BED_FIT_FREE],
        *block = calloc((size_t)m * (size_t)(n + 2) + 1, sizeof *block);
    for (int k = 0; k < n && status == TY_OK; k++) {
        double *number = number_of(&f->def, f->free[k]);
        if (!number || f->def.model != TY_BED_CRM) {
            status = ty_fail(diag, TY_ERR_INPUT, "fit: '%s' cannot be fitted; mu_s, e and c of crm can", f->free[k]);
        } else {
            p->start[k] = *number > 0.0 ? *number : 100.0; /* [Pa] cohesion starts at 0 */
            x[k] = 1.0;
        }
    }
    status = status == TY_OK && !block ? ty_fail(diag, TY_ERR_MEMORY, "fit: no memory") : status;
    if (status == TY_OK) {
        double *work = block + m, *jacobian = block + 2 * m;
        int info = lmdif(residuals, p, m, n, x, block, 1e-3, 1e-3, 0.0, f->most, STEP * STEP, small[0], 1, 1.0, 0,
                         &calls, jacobian, m, ipvt, small[1], small[2], small[3], small[4], work);
        double sum = 0.0;
        for (int i = 0; i < m; i++) {
            sum += block[i] * block[i];
        }
        f->rms = sqrt(sum / m);
        put(p, x);
        status = p->status != TY_OK ? p->status
                 : info == 0        ? ty_fail(diag, TY_ERR_NUMERIC, "fit: the least-squares library refused it")
                                    : TY_OK;
    }
    free(block);
    free(p);
    return status;
}
