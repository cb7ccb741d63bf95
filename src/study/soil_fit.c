/* src/study/soil_fit.c - soil parameters from measured wheels: least squares by Levenberg and Marquardt
 * (cminpack; no other file sees it), and how well each parameter is determined.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cminpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/math.h"
#include "tycho/tools/testbed.h"
#include "wheel_fit.h"

enum { QUANTITIES = 4 };
static const double step_share = 1e-5; /* of the free coordinate, for derivatives */

typedef struct problem {
    tyi_study_soil_fit_def *def;
    double range[QUANTITIES]; /* max - min of each measured quantity; 0: not measured */
    int residuals, calls;
    double *trial; /* residuals at a shifted point */
    const ty_progress *progress;
    ty_diag *diag;
} problem;

/* ---- the free coordinate of a bounded parameter: p = low + (high - low) (1 + sin x) / 2, on a
 * logarithmic scale where the range spans more than a factor 100 */

static bool is_log(const tyi_study_soil_fit_param *p)
{
    return p->low > 0.0 && p->high / p->low > 100.0;
}

static double to_value(const tyi_study_soil_fit_param *p, double x)
{
    double u = 0.5 * (1.0 + sin(x));
    return is_log(p) ? p->low * pow(p->high / p->low, u) : p->low + (p->high - p->low) * u;
}

static double to_free(const tyi_study_soil_fit_param *p, double value)
{
    double u = is_log(p) ? log(value / p->low) / log(p->high / p->low) : (value - p->low) / (p->high - p->low);
    return asin(2.0 * fmin(fmax(u, 1e-3), 1.0 - 1e-3) - 1.0);
}

static bool at_limit(double x)
{
    return fabs(sin(x)) > 0.9995;
}

static void quantities(const tyi_study_wheel *p, double out[QUANTITIES])
{
    out[0] = p->fx;
    out[1] = p->fy;
    out[2] = p->torque;
    out[3] = p->h;
}

static ty_soil_params soil_at(const problem *f, const double *x)
{
    ty_soil_params soil = f->def->soil;
    for (int i = 0; i < f->def->params; i++) {
        ty_soil_params_set(&soil, f->def->param[i].key, to_value(&f->def->param[i], x[i]), NULL);
    }
    return soil;
}

static const ty_wheel_shape *wheel_of(const problem *f, const tyi_study_wheel *p)
{
    return p->wheel.r > 0.0 ? &p->wheel : &f->def->wheel;
}

/* the model at a measured point; false where no sinkage carries the load */
static bool model(const ty_soil_params *soil, const ty_wheel_shape *wheel, const tyi_study_wheel *p,
                  double out[QUANTITIES])
{
    double slip = tyi_study_wheel_slip(p, soil, wheel), h;
    ty_wheel_steady motion = { .load = p->load, .slip = slip, .beta = p->beta };
    ty_wheel_load at;
    if (ty_wheel_static(soil, wheel, &motion, &h, &at, NULL) != TY_OK) {
        return false;
    }
    out[0] = at.fx;
    out[1] = -at.fy;
    out[2] = at.torque;
    out[3] = h;
    return true;
}

/* cminpack's callback */
static int residuals(void *user, int m, int n, const double *x, double *out, int flag)
{
    problem *f = user;
    (void)n;
    (void)flag;
    ty_soil_params soil = soil_at(f, x);
    int k = 0;
    for (size_t i = 0; i < f->def->points && k < m; i++) {
        const tyi_study_wheel *p = &f->def->point[i];
        double got[QUANTITIES], want[QUANTITIES];
        quantities(p, want);
        bool ok = model(&soil, wheel_of(f, p), p, got);
        for (int q = 0; q < QUANTITIES; q++) {
            if (!isnan(want[q]) && f->range[q] > 0.0) {
                out[k++] = ok ? (got[q] - want[q]) / f->range[q] : 2.0; /* worse than any miss */
            }
        }
    }
    f->calls++;
    if (f->progress && f->progress->report &&
        !f->progress->report(f->progress->user, "evaluations", f->calls, f->def->most)) {
        return -1;
    }
    return 0;
}

static ty_status prepare(problem *f)
{
    double low[QUANTITIES], high[QUANTITIES];
    for (int q = 0; q < QUANTITIES; q++) {
        low[q] = INFINITY;
        high[q] = -INFINITY;
    }
    for (size_t i = 0; i < f->def->points; i++) {
        double want[QUANTITIES];
        quantities(&f->def->point[i], want);
        for (int q = 0; q < QUANTITIES; q++) {
            low[q] = fmin(low[q], want[q]); /* fmin and fmax leave NaN aside */
            high[q] = fmax(high[q], want[q]);
            f->residuals += !isnan(want[q]);
        }
    }
    for (int q = 0; q < QUANTITIES; q++) {
        f->range[q] = high[q] > low[q] ? high[q] - low[q] : 0.0;
    }
    for (size_t i = 0; i < f->def->points; i++) {
        double want[QUANTITIES];
        quantities(&f->def->point[i], want);
        for (int q = 0; q < QUANTITIES; q++) {
            f->residuals -= !isnan(want[q]) && !(f->range[q] > 0.0);
        }
    }
    if (f->residuals <= f->def->params) {
        return ty_fail(f->diag, TY_ERR_INPUT, "fit: %d measured numbers cannot determine %d parameters", f->residuals,
                       f->def->params);
    }
    return TY_OK;
}

static ty_status check_params(const tyi_study_soil_fit_def *def, ty_diag *diag)
{
    if (def->params < 1 || def->params > TYI_STUDY_FIT_MOST) {
        return ty_fail(diag, TY_ERR_RANGE, "fit: %d parameters are free, but takes 1 to %d", def->params,
                       TYI_STUDY_FIT_MOST);
    }
    for (int i = 0; i < def->params; i++) {
        const tyi_study_soil_fit_param *p = &def->param[i];
        ty_soil_params soil = def->soil;
        ty_status status = ty_soil_params_set(&soil, p->key, p->low, diag);
        status = status == TY_OK ? ty_soil_params_set(&soil, p->key, p->high, diag) : status;
        if (status != TY_OK) {
            return status;
        }
        if (!(p->low < p->high && p->start >= p->low && p->start <= p->high)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "fit: %s starts at %g between %g and %g, but takes low < high and a "
                           "start between them",
                           p->key, p->start, p->low, p->high);
        }
    }
    return TY_OK;
}

/* ---- how well: covariance from the Jacobian at the solution */

typedef struct matrix {
    double a[TYI_STUDY_FIT_MOST][TYI_STUDY_FIT_MOST];
} matrix;

/* J'J with the columns of J scaled to length 1; scale gets their lengths */
static void normal_matrix(problem *f, const double *x, const double *at, matrix *out, double *scale)
{
    int n = f->def->params, m = f->residuals;
    double *column[TYI_STUDY_FIT_MOST], free_x[TYI_STUDY_FIT_MOST];
    memcpy(free_x, x, (size_t)n * sizeof *x);
    for (int i = 0; i < n; i++) {
        column[i] = f->trial + (size_t)i * (size_t)m;
        free_x[i] = x[i] + step_share;
        residuals(f, m, n, free_x, column[i], 1);
        free_x[i] = x[i];
        double sum = 0.0;
        for (int k = 0; k < m; k++) {
            column[i][k] = (column[i][k] - at[k]) / step_share;
            sum += column[i][k] * column[i][k];
        }
        scale[i] = at_limit(x[i]) ? 0.0 : sqrt(sum); /* what lies at a limit is no longer free */
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0, by = scale[i] * scale[j];
            for (int k = 0; k < m; k++) {
                sum += column[i][k] * column[j][k];
            }
            out->a[i][j] = by > 0.0 ? sum / by : (double)(i == j);
        }
    }
}

/* eigenvalues (into the diagonal of a) and vectors (columns of v) of a symmetric matrix, Jacobi */
static void eigen(matrix *a, matrix *v, int n)
{
    *v = (matrix){ 0 };
    for (int i = 0; i < n; i++) {
        v->a[i][i] = 1.0;
    }
    for (int turn = 0; turn < 60 * n * n; turn++) {
        int p = 0, q = 1;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                if (fabs(a->a[i][j]) > fabs(a->a[p][q])) {
                    p = i;
                    q = j;
                }
            }
        }
        if (n < 2 || fabs(a->a[p][q]) < 1e-15) {
            return;
        }
        double angle = 0.5 * atan2(2.0 * a->a[p][q], a->a[q][q] - a->a[p][p]);
        double c = cos(angle), s = sin(angle);
        for (int k = 0; k < n; k++) {
            double x = a->a[k][p], y = a->a[k][q];
            a->a[k][p] = c * x - s * y;
            a->a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < n; k++) {
            double x = a->a[p][k], y = a->a[q][k], z = v->a[k][p], w = v->a[k][q];
            a->a[p][k] = c * x - s * y;
            a->a[q][k] = s * x + c * y;
            v->a[k][p] = c * z - s * w;
            v->a[k][q] = s * z + c * w;
        }
    }
}

static void judge(problem *f, const double *x, const double *at, tyi_study_soil_fit_result *out)
{
    int n = f->def->params;
    double scale[TYI_STUDY_FIT_MOST], least = INFINITY, most = 0.0;
    matrix a, v, inverse = { 0 };
    normal_matrix(f, x, at, &a, scale);
    eigen(&a, &v, n);
    for (int i = 0; i < n; i++) {
        double l = fmax(a.a[i][i], 1e-18);
        least = fmin(least, l);
        most = fmax(most, l);
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                inverse.a[j][k] += v.a[j][i] * v.a[k][i] / l;
            }
        }
    }
    out->condition = sqrt(most / least);
    double noise = out->rms * sqrt((double)f->residuals / (double)(f->residuals - n));
    for (int i = 0; i < n; i++) {
        tyi_study_soil_fit_param *p = &f->def->param[i];
        double slope = (to_value(p, x[i] + 1e-6) - to_value(p, x[i] - 1e-6)) / 2e-6;
        p->value = to_value(p, x[i]);
        p->error = scale[i] > 0.0 ? noise * sqrt(inverse.a[i][i]) / scale[i] * fabs(slope) : (double)INFINITY;
        p->at_limit = at_limit(x[i]);
        p->partner = -1;
        p->correlation = 0.0;
        for (int j = 0; j < n; j++) {
            double r = inverse.a[i][j] / sqrt(inverse.a[i][i] * inverse.a[j][j]);
            if (j != i && fabs(r) > fabs(p->correlation)) {
                p->partner = j;
                p->correlation = r;
            }
        }
    }
}

static void scores(const problem *f, const double *x, tyi_study_soil_fit_result *out)
{
    out->soil = soil_at(f, x);
    for (size_t i = 0; i < f->def->points; i++) {
        const tyi_study_wheel *p = &f->def->point[i];
        double got[QUANTITIES];
        if (model(&out->soil, wheel_of(f, p), p, got)) {
            tyi_study_soil_fit_score_add(&out->fx, got[0], p->fx);
            tyi_study_soil_fit_score_add(&out->fy, got[1], p->fy);
            tyi_study_soil_fit_score_add(&out->torque, got[2], p->torque);
            tyi_study_soil_fit_score_add(&out->h, got[3], p->h);
        }
    }
}

/* all arrays of lmdif in one block of memory */
static ty_status search(problem *f, double *x, tyi_study_soil_fit_result *out)
{
    int n = f->def->params, m = f->residuals, calls = 0, ipvt[TYI_STUDY_FIT_MOST];
    size_t rows = (size_t)m, columns = (size_t)n;
    double *block = calloc(rows * (2 * columns + 2), sizeof *block);
    double small[5][TYI_STUDY_FIT_MOST];
    if (!block) {
        return ty_fail(f->diag, TY_ERR_MEMORY, "fit: no memory for %d residuals", m);
    }
    double *at = block, *work = block + rows, *jacobian = block + 2 * rows;
    f->trial = jacobian + rows * columns;
    int info = lmdif(residuals, f, m, n, x, at, 1e-6, 1e-6, 0.0, f->def->most, step_share * step_share, small[0], 1,
                     1.0, 0, &calls, jacobian, m, ipvt, small[1], small[2], small[3], small[4], work);
    ty_status status = TY_OK;
    if (info < 0) {
        status = ty_fail(f->diag, TY_ERR_CANCELLED, "fit: stopped on request");
    } else if (info == 0) {
        status = ty_fail(f->diag, TY_ERR_NUMERIC, "fit: the least-squares library refused it");
    } else {
        double sum = 0.0;
        for (int i = 0; i < m; i++) {
            sum += at[i] * at[i];
        }
        out->rms = sqrt(sum / m);
        out->residuals = m;
        out->evaluations = calls;
        out->converged = info >= 1 && info <= 4;
        judge(f, x, at, out);
        scores(f, x, out);
    }
    free(block);
    return status;
}

ty_status tyi_study_soil_fit_run(tyi_study_soil_fit_def *def, tyi_study_soil_fit_result *out,
                                 const ty_progress *progress, ty_diag *diag)
{
    *out = (tyi_study_soil_fit_result){ 0 };
    def->most = def->most > 0 ? def->most : 2000;
    problem f = { .def = def, .progress = progress, .diag = diag };
    ty_status status = check_params(def, diag);
    if (status == TY_OK) {
        status = prepare(&f);
    }
    double x[TYI_STUDY_FIT_MOST];
    for (int i = 0; i < def->params && status == TY_OK; i++) {
        x[i] = to_free(&def->param[i], def->param[i].start);
    }
    return status == TY_OK ? search(&f, x, out) : status;
}
