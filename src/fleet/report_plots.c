/* src/fleet/report_plots.c - response curves: how success and each output go with each key that varies.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "report.h"
#include "tycho/tools/draw.h"

#define BINS 12 /* of a key that has too many values */

/* ---- groups ---- */

typedef struct by {
    double number;
    const char *text;
    size_t row;
} by;

static int compare(const void *a, const void *b)
{
    const by *x = a, *y = b;
    bool nx = isnan(x->number), ny = isnan(y->number);
    int c = nx != ny ? nx - ny : nx ? strcmp(x->text, y->text) : (x->number > y->number) - (x->number < y->number);
    return c ? c : (x->row > y->row) - (x->row < y->row);
}

static bool same(const by *a, const by *b)
{
    return isnan(a->number) == isnan(b->number) &&
           (isnan(a->number) ? !strcmp(a->text, b->text) : a->number == b->number);
}

size_t tyi_fleet_groups(const tyi_fleet_table *t, size_t varies, size_t factor, size_t *order,
                        tyi_fleet_group group[TYI_FLEET_GROUPS], bool *texts)
{
    by *list = malloc((t->rows + 1) * sizeof *list);
    size_t values = 0, n = 0;
    *texts = false;
    if (!list) {
        return 0;
    }
    for (size_t i = 0; i < t->rows; i++) {
        list[i] = (by){ t->number[i * varies + factor], t->value[i * varies + factor], i };
        *texts = *texts || isnan(list[i].number);
    }
    qsort(list, t->rows, sizeof *list, compare);
    for (size_t i = 0; i < t->rows; i++) {
        values += !i || !same(&list[i], &list[i - 1]);
        order[i] = list[i].row;
    }
    bool bins = values > TYI_FLEET_GROUPS;
    for (size_t i = 0; i < t->rows; i++) {
        bool next = !i || (bins ? i * BINS / t->rows != (i - 1) * BINS / t->rows : !same(&list[i], &list[i - 1]));
        if (next) {
            group[n++] = (tyi_fleet_group){ .first = i, .text = bins ? NULL : list[i].text };
        }
        tyi_fleet_group *g = &group[n - 1];
        g->count++;
        g->success += t->success[list[i].row];
        g->x += isnan(list[i].number) ? (double)n : list[i].number;
    }
    for (size_t i = 0; i < n; i++) {
        group[i].x /= (double)group[i].count;
    }
    free(list);
    return n;
}

/* ---- figures ---- */

/* what a panel points to */
typedef struct curve {
    double x[TYI_FLEET_GROUPS], y[TYI_FLEET_GROUPS], low[TYI_FLEET_GROUPS], high[TYI_FLEET_GROUPS];
    ty_draw_series series[2];
    double *dot_x, *dot_y;
    char label[TYI_FLEET_KEY + 40];
} curve;

static void success_curve(const tyi_fleet_group *group, size_t n, curve *c)
{
    for (size_t i = 0; i < n; i++) {
        tyi_fleet_interval r = tyi_fleet_rate(group[i].success, group[i].count);
        c->x[i] = group[i].x, c->y[i] = 100.0 * r.value, c->low[i] = 100.0 * r.low, c->high[i] = 100.0 * r.high;
    }
}

static void output_curve(const tyi_fleet_table *t, size_t output, const size_t *order, const tyi_fleet_group *group,
                         size_t n, double *room, curve *c)
{
    for (size_t i = 0; i < n; i++) {
        size_t m = 0;
        for (size_t k = 0; k < group[i].count; k++) {
            double y = t->output[order[group[i].first + k] * t->outputs + output];
            if (isfinite(y)) {
                room[m++] = y;
            }
        }
        tyi_fleet_interval r = tyi_fleet_mean(room, m);
        c->x[i] = group[i].x, c->y[i] = r.value, c->low[i] = r.low, c->high[i] = r.high;
    }
}

/* output SIZE_MAX: success */
static ty_status panel(const tyi_fleet_spec *spec, const tyi_fleet_table *t, size_t factor, size_t output, curve *c,
                       ty_draw_panel *p)
{
    tyi_fleet_group group[TYI_FLEET_GROUPS];
    bool texts, rate = output == SIZE_MAX, seeds = spec->vary[factor].as == TYI_FLEET_SEEDS;
    size_t *order = malloc((t->rows + 1) * sizeof *order);
    double *room = malloc((t->rows + 1) * sizeof *room);
    if (!order || !room) {
        free(order);
        free(room);
        return TY_ERR_MEMORY;
    }
    size_t n = tyi_fleet_groups(t, spec->varies, factor, order, group, &texts);
    rate ? success_curve(group, n, c) : output_curve(t, output, order, group, n, room, c);
    free(room);
    c->dot_x = malloc((t->rows + 1) * sizeof *c->dot_x), c->dot_y = malloc((t->rows + 1) * sizeof *c->dot_y);
    size_t dots = 0;
    for (size_t i = 0; i < n && !rate && t->rows <= 5000 && c->dot_x && c->dot_y; i++) {
        for (size_t k = 0; k < group[i].count; k++, dots++) {
            size_t row = order[group[i].first + k];
            double x = t->number[row * spec->varies + factor];
            c->dot_x[dots] = isnan(x) ? group[i].x : x;
            c->dot_y[dots] = t->output[row * t->outputs + output];
        }
    }
    free(order);
    snprintf(c->label, sizeof c->label, "%s%s", spec->vary[factor].key, texts ? " (number in its table)" : "");
    ty_draw_color soft = { 0.55, 0.58, 0.62, 0.45 }, ink = ty_draw_palette(4);
    c->series[0] = (ty_draw_series){ .kind = TY_SERIES_POINTS,
                                     .n = dots,
                                     .x = c->dot_x,
                                     .y = c->dot_y,
                                     .color = soft,
                                     .symbol = TY_SYMBOL_DISC,
                                     .size = 3.0 };
    c->series[1] = (ty_draw_series){ .kind = texts || seeds ? TY_SERIES_POINTS : TY_SERIES_LINE,
                                     .n = n,
                                     .x = c->x,
                                     .y = c->y,
                                     .y_low = c->low,
                                     .y_high = c->high,
                                     .color = ink,
                                     .symbol = TY_SYMBOL_DISC };
    *p = (ty_draw_panel){
        .x = { .label = c->label, .log = spec->vary[factor].log },
        .y = { .label = rate ? "success [%]" : spec->output[output].text, .low = 0.0, .high = rate ? 100.0 : 0.0 },
        .series = dots ? c->series : c->series + 1,
        .count = dots ? 2 : 1,
        .key = TY_KEY_NONE
    };
    return TY_OK;
}

static ty_status figure(const tyi_fleet_spec *spec, const tyi_fleet_table *t, size_t output, const char *path,
                        ty_diag *diag)
{
    size_t n = spec->varies < 12 ? spec->varies : 12;
    curve *c = calloc(n, sizeof *c);
    ty_draw_panel *p = calloc(12, sizeof *p);
    ty_draw_figure f = ty_draw_figure_default();
    ty_status status = c && p ? TY_OK : TY_ERR_MEMORY;
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        status = panel(spec, t, i, output, &c[i], &p[i]);
    }
    if (status != TY_OK) {
        ty_fail(diag, status, "sweep: out of memory");
    } else {
        f.panel = p;
        f.columns = n < 3 ? (int)n : n == 4 ? 2 : 3;
        f.rows = (int)((n + (size_t)f.columns - 1) / (size_t)f.columns);
        f.width = 1100, f.height = 300 * f.rows + 20;
        status = ty_draw_write_figure(path, &f, diag);
    }
    for (size_t i = 0; c && i < n; i++) {
        free(c[i].dot_x), free(c[i].dot_y);
    }
    free(c);
    free(p);
    return status;
}

ty_status tyi_fleet_plot_success(const tyi_fleet_spec *spec, const tyi_fleet_table *t, const char *dir, ty_diag *diag)
{
    char path[TYI_FLEET_PATH];
    snprintf(path, sizeof path, "%.*s/response_success.png", TY_PATH_MAX - 1, dir);
    return figure(spec, t, SIZE_MAX, path, diag);
}

ty_status tyi_fleet_plot_output(const tyi_fleet_spec *spec, const tyi_fleet_table *t, size_t output, const char *dir,
                                ty_diag *diag)
{
    char path[TYI_FLEET_PATH];
    snprintf(path, sizeof path, "%.*s/response_%zu.png", TY_PATH_MAX - 1, dir, output);
    return figure(spec, t, output, path, diag);
}
