/* app/run_samples.c - the numbers of sensors over a run, kept for one picture each: channels of one unit share a panel.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "run.h"
#include "tycho/tools/draw.h"

#define ROOM   4096 /* samples kept of each sensor; then every other one goes, and only every other one more is kept */
#define PANELS 6

/* endings of column names: how they are written, and what a panel says */
static const struct {
    const char *ending, *text;
} units[] = { { "_rad_s", "[rad/s]" }, { "_m_s2", "[m/s2]" },   { "_m_s", "[m/s]" },
              { "_rad", "[rad]" },     { "_m", "[m]" },         { "_a", "[A]" },
              { "_w", "[W]" },         { "_ticks", "[ticks]" }, { "", "[-]" } };
#define UNITS ((int)(sizeof units / sizeof units[0]))

static int unit_of(const char *column)
{
    size_t length = strlen(column);
    for (int i = 0; i < UNITS; i++) {
        size_t n = strlen(units[i].ending);
        if (length > n && !strcmp(column + length - n, units[i].ending)) {
            return i;
        }
    }
    return UNITS - 1;
}

void run_samples_add(run_record *r, const ty_message *m)
{
    if (!r->kept) {
        r->kept = calloc(r->sensors, sizeof *r->kept);
    }
    const ty_buffer *b = &m->part[0].data;
    run_kept *k = r->kept ? &r->kept[m->index] : NULL;
    if (!k || b->type.width != 1 || b->type.height != 1) {
        return;
    }
    if (!k->value) {
        k->channels = b->type.channels;
        k->every = 1;
        k->value = malloc((size_t)(k->channels + 1) * ROOM * sizeof *k->value);
    }
    if (!k->value || k->seen++ % k->every) {
        return;
    }
    if (k->count == ROOM) {
        for (int c = 0; c <= k->channels; c++) {
            for (size_t i = 0; i < ROOM / 2; i++) {
                k->value[(size_t)c * ROOM + i] = k->value[(size_t)c * ROOM + 2 * i];
            }
        }
        k->count = ROOM / 2;
        k->every *= 2;
    }
    k->value[k->count] = ty_seconds(m->time.end);
    for (int c = 0; c < k->channels; c++) {
        k->value[(size_t)(c + 1) * ROOM + k->count] = ty_buffer_get(b, 0, 0, c);
    }
    k->count++;
}

size_t run_kept_bytes(const run_kept *k)
{
    return (size_t)(k->channels + 1) * ROOM * sizeof *k->value;
}

/* a column without its unit */
static void short_name(const char *column, char *out, size_t size)
{
    size_t length = strlen(column) - strlen(units[unit_of(column)].ending);
    snprintf(out, size, "%.*s", (int)length, column);
}

static ty_status draw(const run_record *r, ty_run *run, size_t sensor, const char *path, ty_diag *diag)
{
    enum { MOST = 64 };
    const run_kept *k = &r->kept[sensor];
    ty_sensor_info info = ty_run_sensor(run, sensor);
    ty_draw_series series[PANELS][MOST];
    ty_draw_panel panel[PANELS];
    char label[MOST][80], title[160];
    int unit[PANELS], panels = 0;
    memset(series, 0, sizeof series);
    memset(panel, 0, sizeof panel);
    for (int c = 0; c < k->channels && c < MOST && info.schema->column[c]; c++) {
        int u = unit_of(info.schema->column[c]), p = 0;
        while (p < panels && unit[p] != u) {
            p++;
        }
        if (p == PANELS) {
            continue;
        }
        unit[p] = u;
        panels = p == panels ? panels + 1 : panels;
        short_name(info.schema->column[c], label[c], sizeof label[c]);
        series[p][panel[p].count++] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                                        .n = k->count,
                                                        .x = k->value,
                                                        .y = k->value + (size_t)(c + 1) * ROOM,
                                                        .label = label[c],
                                                        .size = 1.2 };
        panel[p].series = series[p];
        panel[p].y.label = units[u].text;
        panel[p].x.label = "time [s]";
        panel[p].key = TY_KEY_OUTSIDE;
    }
    ty_draw_figure figure = ty_draw_figure_default();
    snprintf(title, sizeof title, "%.60s of %.60s", info.name, info.rover);
    figure.title = title;
    figure.panel = panel, figure.rows = panels, figure.columns = 1, figure.share_x = true;
    figure.width = 1200, figure.height = 120 + 230 * panels;
    return panels ? ty_draw_write_figure(path, &figure, diag) : TY_OK;
}

ty_status run_samples_draw(run_record *r, ty_run *run, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; r->kept && i < r->sensors && status == TY_OK; i++) {
        if (r->kept[i].count < 2) {
            continue;
        }
        char file[200], path[4400], name[130];
        snprintf(file, sizeof file, "samples/%s.png", run_stem(r, run, i, name, sizeof name));
        snprintf(path, sizeof path, "%s/%s", r->folder, file);
        status = draw(r, run, i, path, diag);
        if (status == TY_OK) {
            status = run_record_frame(r, file, i, r->simulated, diag);
        }
    }
    return status;
}

void run_samples_free(run_record *r)
{
    for (size_t i = 0; r->kept && i < r->sensors; i++) {
        free(r->kept[i].value);
    }
    free(r->kept);
}
