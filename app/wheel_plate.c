/* app/wheel_plate.c - `tycho wheel --plate` and `--shear`: the two halves of a bevameter.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "tycho/tools/draw.h"
#include "io/out_file.h"
#include "wheel.h"

enum { SAMPLES = 101, MOST = 8 };

/* one curve per plate width or normal stress */
typedef struct test {
    const char *x_name, *y_name, *p_name; /* columns */
    const char *x_label, *y_label, *unit;
    double x_scale, y_scale;
    ty_status (*run)(const ty_rig_def *rig, double p, double x, double *y, ty_diag *diag);
} test;

static const test plate = { "h", "pressure", "b", "sinkage [mm]", "pressure [kPa]", "m", 1e3, 1e-3, ty_plate_pressure };
static const test shear = { "j", "shear", "normal",      "shear displacement [mm]", "shear stress [kPa]", "Pa",
                            1e3, 1e-3,    ty_plate_shear };

static ty_status draw(const wheel_job *job, const test *t, const wheel_sweep *sweep, const double *x, const double *y,
                      ty_diag *diag)
{
    ty_draw_series series[MOST + 1] = { 0 };
    char label[MOST][40];
    int used = 0;
    size_t n = job->data.plates;
    double *measured = malloc((2 * n + 1) * sizeof *measured);
    if (!measured) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the plot");
    }
    for (size_t i = 0; i < n; i++) {
        measured[i] = t->x_scale * job->data.plate[i].h;
        measured[n + i] = t->y_scale * job->data.plate[i].pressure;
    }
    if (n && t == &plate) {
        series[used++] = (ty_draw_series){ .kind = TY_SERIES_POINTS,
                                           .label = "measured",
                                           .n = n,
                                           .x = measured,
                                           .y = measured + n,
                                           .color = { 0.6, 0.6, 0.6, 1.0 },
                                           .size = 2.5,
                                           .symbol = TY_SYMBOL_DISC };
    }
    for (int i = 0; i < sweep->count && i < MOST; i++) {
        snprintf(label[i], sizeof label[i], "%s %g %s", t->p_name, sweep->value[i], t->unit);
        series[used++] =
            (ty_draw_series){ .kind = TY_SERIES_LINE, .label = label[i], .n = SAMPLES, .x = x, .y = y + i * SAMPLES };
    }
    ty_draw_panel panel = {
        .x = { .label = t->x_label }, .y = { .label = t->y_label }, .series = series, .count = used
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = t == &plate ? "plate sinkage" : "shear test";
    figure.panel = &panel;
    ty_status status = ty_draw_write_figure(job->plot, &figure, diag);
    free(measured);
    return status;
}

static void write_csv(FILE *out, const test *t, const wheel_sweep *sweep, const double *x, const double *y)
{
    fprintf(out, "%s,%s,%s\n", t->p_name, t->x_name, t->y_name);
    for (int i = 0; i < sweep->count; i++) {
        for (int k = 0; k < SAMPLES; k++) {
            fprintf(out, "%.10g,%.10g,%.10g\n", sweep->value[i], x[k] / t->x_scale, y[i * SAMPLES + k] / t->y_scale);
        }
    }
}

static int run(const wheel_job *job, const test *t, const wheel_sweep *sweep, double most)
{
    double x[SAMPLES], *y = malloc((size_t)sweep->count * SAMPLES * sizeof *y);
    ty_diag diag = { 0 };
    ty_status status = y ? TY_OK : ty_fail(&diag, TY_ERR_MEMORY, "no memory for the test");
    for (int i = 0; i < sweep->count && status == TY_OK; i++) {
        for (int k = 0; k < SAMPLES && status == TY_OK; k++) {
            double at = most * k / (SAMPLES - 1);
            x[k] = t->x_scale * at;
            status = t->run(&job->rig, sweep->value[i], at, &y[i * SAMPLES + k], &diag);
            y[i * SAMPLES + k] *= t->y_scale;
        }
    }
    if (status == TY_OK && job->plot) {
        status = draw(job, t, sweep, x, y, &diag);
    }
    tyi_io_sink *out;
    status = status == TY_OK ? tyi_io_sink_open(job->csv, &out, &diag) : status;
    if (status == TY_OK) {
        write_csv(tyi_io_sink_file(out), t, sweep, x, y);
        status = tyi_io_sink_close(out, TY_OK, &diag);
    }
    free(y);
    return status == TY_OK ? APP_OK : app_bad("wheel", "%s.", diag.text);
}

int wheel_run_plate(const wheel_job *job, const wheel_sweep *width, double depth)
{
    return run(job, &plate, width, depth);
}

int wheel_run_shear(const wheel_job *job, const wheel_sweep *normal, double way)
{
    return run(job, &shear, normal, way);
}
