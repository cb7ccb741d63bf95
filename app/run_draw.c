/* app/run_draw.c - plots and map of a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "run.h"
#include "tycho/tools/draw.h"

typedef enum quantity { SLIP, SINKAGE, TORQUE } quantity;

static double wheel_value(const run_row *row, quantity what, int wheel)
{
    switch (what) {
    case SLIP:
        return 100.0 * (double)row->slip[wheel];
    case SINKAGE:
        return 1e3 * (double)row->sinkage[wheel];
    case TORQUE:
        break;
    }
    return (double)row->torque[wheel];
}

#define PLAIN  6 /* columns that are not of wheels */
#define PANELS 8

/* columns of numbers for the series: column k at value + k * rows */
typedef struct columns {
    double *t, *value;
    size_t rows;
} columns;

static void fill_plain(const run_record *r, columns c)
{
    for (size_t i = 0; i < r->rows; i++) {
        const run_row *row = &r->row[i];
        c.t[i] = row->t;
        c.value[i] = row->speed;
        c.value[c.rows + i] = row->power;
        c.value[2 * c.rows + i] = row->roll / TY_DEG;
        c.value[3 * c.rows + i] = row->pitch / TY_DEG;
        c.value[4 * c.rows + i] = row->sun / TY_DEG;
        c.value[5 * c.rows + i] = 100.0 * row->lit;
        for (int w = 0; w < row->wheels; w++) {
            for (int q = 0; q < 3; q++) {
                c.value[(size_t)(PLAIN + q * TY_WHEELS_MAX + w) * c.rows + i] = wheel_value(row, (quantity)q, w);
            }
        }
    }
}

static ty_status draw_plots(const run_record *r, ty_run *run, ty_diag *diag)
{
    ty_wheel_info wheel[TY_WHEELS_MAX];
    int wheels = ty_vehicle_wheels(ty_run_rover(run, 0), wheel);
    columns c = { malloc(r->rows * sizeof(double)), calloc((PLAIN + 3 * TY_WHEELS_MAX) * r->rows, sizeof(double)),
                  r->rows };
    if (!c.t || !c.value) {
        free(c.t), free(c.value);
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the plots");
    }
    fill_plain(r, c);
    ty_draw_series series[PANELS][TY_WHEELS_MAX];
    memset(series, 0, sizeof series);
    ty_draw_panel panel[PANELS];
    memset(panel, 0, sizeof panel);
    static const struct {
        const char *label;
        int first, count; /* columns; count 0: one of each wheel */
    } what[PANELS] = { { "speed [m/s]", 0, 1 },
                       { "drive power [W]", 1, 1 },
                       { "attitude [deg]", 2, 2 },
                       { "Sun elevation [deg]", 4, 1 },
                       { "Sun's disk seen [%]", 5, 1 },
                       { "slip [%]", PLAIN, 0 },
                       { "sinkage [mm]", PLAIN + TY_WHEELS_MAX, 0 },
                       { "torque [N m]", PLAIN + 2 * TY_WHEELS_MAX, 0 } };
    for (int p = 0; p < PANELS; p++) {
        panel[p].series = series[p];
        panel[p].count = what[p].count ? what[p].count : wheels;
        panel[p].y.label = what[p].label;
        panel[p].x.label = "time [s]";
        for (int k = 0; k < panel[p].count; k++) {
            series[p][k] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                             .n = r->rows,
                                             .x = c.t,
                                             .y = c.value + (size_t)(what[p].first + k) * c.rows,
                                             .size = 1.2 };
            series[p][k].label = what[p].count == 2 ? (k ? "pitch" : "roll") : what[p].count ? NULL : wheel[k].name;
        }
    }
    double sun = 0.5 * (r->row[0].sun + r->row[r->rows - 1].sun) / TY_DEG,
           half = fmax(0.5, 0.6 * fabs(r->row[0].sun - r->row[r->rows - 1].sun) / TY_DEG);
    /* a degree at least: over minutes the Sun stands still */
    panel[3].y.low = sun - half, panel[3].y.high = sun + half;
    panel[4].y.low = -2.0, panel[4].y.high = 102.0;
    char path[4200];
    snprintf(path, sizeof path, "%s/plots.png", r->folder);
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = panel, figure.rows = PANELS / 2, figure.columns = 2, figure.share_x = true;
    figure.width = 1400, figure.height = 1400;
    ty_status status = ty_draw_write_figure(path, &figure, diag);
    free(c.t), free(c.value);
    return status;
}

/* where events of a kind began; their number */
static size_t places_of(const run_record *r, run_event_kind kind, double *x, double *y, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < r->events.count && n < room; i++) {
        const run_event *v = &r->events.list[i];
        if (v->kind == (int32_t)kind && v->rover == 0) {
            x[n] = v->x, y[n++] = v->y;
        }
    }
    return n;
}

/* the ground around the path, lit from the side at 25 deg, with the path and its ends */
static ty_status draw_map(const run_record *r, ty_run *run, ty_diag *diag)
{
    enum { N = 700 };
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    double *x = malloc(r->rows * sizeof *x), *y = malloc(r->rows * sizeof *y);
    float *shade = malloc(N * N * sizeof *shade);
    if (!x || !y || !shade) {
        free(x), free(y), free(shade);
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the map");
    }
    for (size_t i = 0; i < r->rows; i++) {
        x[i] = r->row[i].p.x, y[i] = r->row[i].p.y;
        x0 = fmin(x0, x[i]), x1 = fmax(x1, x[i]), y0 = fmin(y0, y[i]), y1 = fmax(y1, y[i]);
    }
    double size = fmax(fmax(x1 - x0, y1 - y0) * 1.3, 12.0), cx = 0.5 * (x0 + x1), cy = 0.5 * (y0 + y1), cell = size / N;
    ty_terrain *t = ty_world_terrain(ty_run_world(run));
    int level = ty_terrain_level(t, cell);
    double d = ty_terrain_spacing(t, level);
    ty_terrain_patch *patch = NULL;
    int32_t side = (int32_t)(size / d) + 8;
    ty_status status = ty_terrain_patch_create(t, level, (int32_t)floor((cx - 0.5 * size) / d) - 3,
                                               (int32_t)floor((cy - 0.5 * size) / d) - 3, side, side, 0, &patch, diag);
    ty_vec3 sun = ty_normalize(ty_vec3_make(-1.0, 1.0, 0.66));
    for (int j = 0; j < N && status == TY_OK; j++) {
        for (int i = 0; i < N; i++) {
            double px = cx - 0.5 * size + (i + 0.5) * cell, py = cy - 0.5 * size + (j + 0.5) * cell;
            ty_terrain_ground g;
            ty_terrain_patch_sample(patch, 1, &px, &py, &g);
            shade[j * N + i] = (float)sqrt(fmax(0.0, ty_dot(sun, ty_terrain_ground_normal(g))));
        }
    }
    ty_terrain_patch_destroy(patch);
    if (status == TY_OK) {
        char path[4200], title[128];
        double ends_x[2] = { x[0], x[r->rows - 1] }, ends_y[2] = { y[0], y[r->rows - 1] };
        static const char *const ends[2] = { "start", "end" };
        enum { MOST = 200 };
        static const ty_draw_symbol symbol[RUN_EVENTS] = { TY_SYMBOL_DIAMOND, TY_SYMBOL_TRIANGLE, TY_SYMBOL_SQUARE,
                                                           TY_SYMBOL_DISC };
        double event_x[RUN_EVENTS][MOST], event_y[RUN_EVENTS][MOST];
        ty_draw_overlay over[2 + RUN_EVENTS] = {
            { .kind = TY_OVERLAY_PATH, .n = r->rows, .x = x, .y = y, .label = "path", .size = 2.0 },
            { .kind = TY_OVERLAY_POINTS, .n = 2, .x = ends_x, .y = ends_y, .text = ends, .size = 8.0 }
        };
        int overs = 2;
        for (int k = 0; k < RUN_EVENTS; k++) {
            size_t n = places_of(r, (run_event_kind)k, event_x[k], event_y[k], MOST);
            if (n) {
                over[overs++] = (ty_draw_overlay){ .kind = TY_OVERLAY_POINTS,
                                                   .n = n,
                                                   .x = event_x[k],
                                                   .y = event_y[k],
                                                   .symbol = symbol[k],
                                                   .label = run_event_what((run_event_kind)k),
                                                   .size = 8.0 };
            }
        }
        ty_draw_map map = ty_draw_map_default();
        snprintf(title, sizeof title, "%s: path and ruts", r->scenario->name);
        map.title = title;
        map.x0 = cx - 0.5 * size, map.x1 = cx + 0.5 * size, map.y0 = cy - 0.5 * size, map.y1 = cy + 0.5 * size;
        map.layers = 1;
        map.layer[0] = ty_draw_layer_default();
        map.layer[0].nx = map.layer[0].ny = N, map.layer[0].value = shade, map.layer[0].high = 1.0;
        map.overlay = over, map.overlays = overs, map.size = 1000;
        map.lat = map.lon = (double)NAN;
        snprintf(path, sizeof path, "%s/map.png", r->folder);
        status = ty_draw_write_map(path, &map, diag);
    }
    free(x), free(y), free(shade);
    return status;
}

ty_status run_draw(run_record *r, ty_run *run, ty_diag *diag)
{
    if (r->rows < 2) {
        return TY_OK;
    }
    ty_status status = draw_plots(r, run, diag);
    return status == TY_OK ? draw_map(r, run, diag) : status;
}
