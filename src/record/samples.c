/* src/record/samples.c - the numbers of sensors over a run, kept for one picture each: channels of one unit share a panel.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "record.h"
#include "tycho/tools/draw.h"

#define ROOM   4096 /* samples kept of each sensor; then every other one goes, and only every other one more is kept */
#define PANELS 6

void tyi_record_samples_add(ty_record *r, const ty_message *m)
{
    const ty_buffer *b = &m->part[0].data;
    tyi_record_kept *k = &r->kept[m->index];
    if (b->type.width != 1 || b->type.height != 1) {
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

size_t tyi_record_kept_bytes(const tyi_record_kept *k)
{
    return (size_t)(k->channels + 1) * ROOM * sizeof *k->value;
}

static ty_status draw(const ty_record *r, size_t sensor, const char *path, ty_diag *diag)
{
    enum { MOST = 64 };
    const tyi_record_kept *k = &r->kept[sensor];
    ty_sensor_info info = ty_run_sensor(r->run, sensor);
    ty_draw_series series[PANELS][MOST];
    ty_draw_panel panel[PANELS];
    char title[160], label[PANELS][40];
    const char *unit[PANELS];
    int panels = 0;
    memset(series, 0, sizeof series);
    memset(panel, 0, sizeof panel);
    for (int c = 0; c < k->channels && c < MOST && info.schema->column[c].name; c++) {
        const char *u = info.schema->column[c].unit;
        int p = 0;
        while (p < panels && strcmp(unit[p], u) != 0) {
            p++;
        }
        if (p == PANELS) {
            continue;
        }
        unit[p] = u;
        panels = p == panels ? panels + 1 : panels;
        snprintf(label[p], sizeof label[p], "[%s]", u[0] ? u : "-");
        series[p][panel[p].count++] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                                        .n = k->count,
                                                        .x = k->value,
                                                        .y = k->value + (size_t)(c + 1) * ROOM,
                                                        .label = info.schema->column[c].name,
                                                        .size = 1.2 };
        panel[p].series = series[p];
        panel[p].y.label = label[p];
        panel[p].x.label = "time [s]";
        panel[p].key = TY_KEY_OUTSIDE;
    }
    ty_draw_figure figure = ty_draw_figure_default();
    snprintf(title, sizeof title, "%s of %s", info.name, info.rover);
    figure.title = title;
    figure.panel = panel, figure.rows = panels, figure.columns = 1, figure.share_x = true;
    figure.width = 1200, figure.height = 120 + 230 * panels;
    return panels ? ty_draw_write_figure(path, &figure, diag) : TY_OK;
}

ty_status tyi_record_samples_close(ty_record *r, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < r->sensors; i++) {
        char file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
        tyi_record_samples_file(r, i, ".csv", file);
        status = tyi_record_close(&r->samples[i], tyi_record_path(r, file, path), status, diag);
    }
    return status;
}

ty_status tyi_record_samples_draw(ty_record *r, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < r->sensors && status == TY_OK; i++) {
        if (r->kept[i].count < 2) {
            continue;
        }
        char file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
        tyi_record_samples_file(r, i, ".png", file);
        status = draw(r, i, tyi_record_path(r, file, path), diag);
        if (status == TY_OK) {
            status = tyi_record_add_frame(r, file, i, ty_seconds(ty_run_time(r->run)), diag);
        }
    }
    return status;
}
