/* app/wheel_sweep.c - `tycho wheel`: the rig over loads, slips, slip angles and speeds, as CSV and
 * as a plot with measured points over it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/tools/draw.h"
#include "tycho/math.h"
#include "io/out_file.h"
#include "study/wheel_fit.h"
#include "wheel.h"

enum { MOST_CURVES = 8, PANELS = 4 };

typedef struct row {
    double load, slip, beta_deg, speed;
    ty_rig_result at;
    bool ok;
} row;

/* one curve: slips at fixed load, slip angle and speed */
typedef struct curve {
    char label[80];
    double x[WHEEL_STEPS], y[PANELS][WHEEL_STEPS];
    size_t n;
} curve;

typedef struct points {
    double *x, *y[PANELS];
    size_t n;
} points;

static int rows_of(const wheel_job *job)
{
    return job->load.count * job->slip.count * job->beta_deg.count * job->speed.count;
}

/* slip runs fastest */
static row row_at(const wheel_job *job, int i)
{
    row r = { 0 };
    r.slip = job->slip.value[i % job->slip.count];
    i /= job->slip.count;
    r.beta_deg = job->beta_deg.value[i % job->beta_deg.count];
    i /= job->beta_deg.count;
    r.load = job->load.value[i % job->load.count];
    r.speed = job->speed.value[i / job->load.count];
    return r;
}

static ty_status fill(const wheel_job *job, row *rows, int n, ty_diag *diag)
{
    app_progress line;
    app_progress_start(&line, job->quiet);
    ty_progress hook = app_progress_hook(&line);
    ty_status status = TY_OK;
    for (int i = 0; i < n && status == TY_OK; i++) {
        rows[i] = row_at(job, i);
        ty_rig_def rig = job->rig;
        rig.load = rows[i].load;
        rig.slip = rows[i].slip;
        rig.beta = rows[i].beta_deg * TY_DEG;
        rig.speed = rows[i].speed;
        ty_diag why = { 0 };
        status = ty_rig_run(&rig, &rows[i].at, &why);
        rows[i].ok = status == TY_OK;
        if (status == TY_ERR_NUMERIC) {
            status = TY_OK; /* an empty row: nothing carries this load */
        } else if (status != TY_OK) {
            ty_fail(diag, status, "%s", why.text);
        }
        hook.report(hook.user, "points", i + 1, n);
    }
    app_progress_end(&line);
    return status;
}

static void write_csv(FILE *out, const wheel_job *job, const row *rows, int n)
{
    fprintf(out, "# tycho wheel, model %s, r %g b %g grouser_h %g grousers %d\n", ty_rig_name(job->rig.model),
            job->rig.wheel.r, job->rig.wheel.b, job->rig.wheel.grouser_h, job->rig.wheel.grousers);
    fprintf(out, "load,slip,beta_deg,speed,h,fx,fy,fz,torque,ripple\n");
    for (int i = 0; i < n; i++) {
        const row *r = &rows[i];
        fprintf(out, "%.10g,%.10g,%.10g,%.10g,", r->load, r->slip, r->beta_deg, r->speed);
        if (r->ok) {
            fprintf(out, "%.10g,%.10g,%.10g,%.10g,%.10g,%.10g\n", r->at.h, r->at.fx, r->at.fy, r->at.fz, r->at.torque,
                    r->at.ripple);
        } else {
            fprintf(out, ",,,,,\n");
        }
    }
}

static int make_curves(const wheel_job *job, const row *rows, int n, curve *out)
{
    int count = 0, slips = job->slip.count;
    for (int i = 0; i + slips <= n && count < MOST_CURVES; i += slips, count++) {
        curve *c = &out[count];
        c->n = 0;
        snprintf(c->label, sizeof c->label, "%.3g N, %.3g deg%s", rows[i].load, rows[i].beta_deg, "");
        if (job->speed.count > 1) {
            snprintf(c->label, sizeof c->label, "%.3g N, %.3g deg, %.3g m/s", rows[i].load, rows[i].beta_deg,
                     rows[i].speed);
        }
        for (int k = i; k < i + slips; k++) {
            const row *r = &rows[k];
            double none = (double)NAN;
            c->x[c->n] = r->slip;
            c->y[0][c->n] = r->ok ? r->at.fx : none;
            c->y[1][c->n] = r->ok ? r->at.torque : none;
            c->y[2][c->n] = r->ok ? r->at.fy : none;
            c->y[3][c->n++] = r->ok ? 1e3 * r->at.h : none;
        }
    }
    return count;
}

static bool make_points(const wheel_job *job, points *out)
{
    size_t n = job->data.points;
    double *block = n ? malloc((PANELS + 1) * n * sizeof *block) : NULL;
    *out = (points){ .x = block, .n = block ? n : 0 };
    for (size_t q = 0; q < PANELS && block; q++) {
        out->y[q] = block + (q + 1) * n;
    }
    for (size_t i = 0; i < out->n; i++) {
        const tyi_study_wheel *p = &job->data.point[i];
        out->x[i] = tyi_study_wheel_slip(p, &job->rig.soil, &job->rig.wheel);
        out->y[0][i] = p->fx;
        out->y[1][i] = p->torque;
        out->y[2][i] = p->fy;
        out->y[3][i] = 1e3 * p->h;
    }
    return block || !n;
}

static ty_status draw(const wheel_job *job, const curve *curves, int count, const points *measured, ty_diag *diag)
{
    static const char *const labels[PANELS] = { "drawbar pull [N]", "torque [N m]", "side force [N]", "sinkage [mm]" };
    ty_draw_series series[PANELS][MOST_CURVES + 1];
    ty_draw_panel panel[PANELS];
    memset(series, 0, sizeof series);
    memset(panel, 0, sizeof panel);
    for (int q = 0; q < PANELS; q++) {
        int used = 0;
        for (int i = 0; i < count; i++) {
            series[q][used++] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                                  .label = curves[i].label,
                                                  .n = curves[i].n,
                                                  .x = curves[i].x,
                                                  .y = curves[i].y[q],
                                                  .symbol = curves[i].n == 1 ? TY_SYMBOL_DISC : TY_SYMBOL_NONE };
        }
        bool any = false;
        for (size_t i = 0; i < measured->n; i++) {
            any |= isfinite(measured->y[q][i]);
        }
        if (any) {
            series[q][used++] = (ty_draw_series){ .kind = TY_SERIES_POINTS,
                                                  .label = "measured",
                                                  .n = measured->n,
                                                  .x = measured->x,
                                                  .y = measured->y[q],
                                                  .color = { 0.1, 0.1, 0.1, 1.0 },
                                                  .symbol = TY_SYMBOL_RING };
        }
        panel[q] = (ty_draw_panel){ .x = { .label = "slip [-]" },
                                    .y = { .label = labels[q] },
                                    .series = series[q],
                                    .count = used,
                                    .key = q ? TY_KEY_NONE : TY_KEY_AUTO };
    }
    char title[120];
    snprintf(title, sizeof title, "wheel r %g m, b %g m, model %s", job->rig.wheel.r, job->rig.wheel.b,
             ty_rig_name(job->rig.model));
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = title;
    figure.panel = panel;
    figure.rows = figure.columns = 2;
    figure.share_x = true;
    figure.width = 1000;
    figure.height = 760;
    return ty_draw_write_figure(job->plot, &figure, diag);
}

static int finish(const wheel_job *job, const row *rows, int n, curve *curves)
{
    points measured = { 0 };
    ty_diag diag = { 0 };
    if (job->plot) {
        int count = make_curves(job, rows, n, curves);
        ty_status status = make_points(job, &measured) ? draw(job, curves, count, &measured, &diag)
                                                       : ty_fail(&diag, TY_ERR_MEMORY, "no memory for the plot");
        free(measured.x);
        if (status != TY_OK) {
            return app_bad("wheel", "%s.", diag.text);
        }
    }
    tyi_io_sink *out;
    ty_status status = tyi_io_sink_open(job->csv, &out, &diag);
    if (status == TY_OK) {
        write_csv(tyi_io_sink_file(out), job, rows, n);
        status = tyi_io_sink_close(out, TY_OK, &diag);
    }
    return status == TY_OK ? APP_OK : app_bad("wheel", "%s.", diag.text);
}

int wheel_run_sweep(const wheel_job *job)
{
    int n = rows_of(job), code = APP_BAD;
    ty_diag diag = { 0 };
    row *rows = calloc((size_t)n, sizeof *rows);
    curve *curves = calloc(MOST_CURVES, sizeof *curves);
    if (!rows || !curves) {
        app_bad("wheel", "no memory for %d points.", n);
    } else if (fill(job, rows, n, &diag) != TY_OK) {
        app_bad("wheel", "%s.", diag.text);
    } else {
        code = finish(job, rows, n, curves);
    }
    free(rows);
    free(curves);
    return code;
}
