/* src/record/draw.c - plots and map of each rover of a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "record.h"
#include "tycho/tools/draw.h"

typedef enum quantity { SLIP, SINKAGE, TORQUE } quantity;

static double wheel_value(const tyi_record_row *row, quantity what, int wheel)
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

static void fill_plain(const tyi_record_rover *r, columns c)
{
    for (size_t i = 0; i < r->rows; i++) {
        const tyi_record_row *row = &r->row[i];
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

static ty_status draw_plots(const ty_record *record, size_t rover, const char *path, ty_diag *diag)
{
    const tyi_record_rover *r = &record->rover[rover];
    ty_wheel_info wheel[TY_WHEELS_MAX];
    int wheels = ty_vehicle_wheels(ty_run_rover(record->run, rover), wheel);
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
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = record->rovers > 1 ? r->name : NULL;
    figure.panel = panel, figure.rows = PANELS / 2, figure.columns = 2, figure.share_x = true;
    figure.width = 1400, figure.height = 1400;
    ty_status status = ty_draw_write_figure(path, &figure, diag);
    free(c.t), free(c.value);
    return status;
}

/* where events of a kind began for a rover; their number */
static size_t places_of(const ty_record *r, size_t rover, tyi_record_event_kind kind, double *x, double *y, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < r->events.count && n < room; i++) {
        const tyi_record_event *v = &r->events.list[i];
        if (v->kind == (int32_t)kind && v->rover == (int32_t)rover) {
            x[n] = v->x, y[n++] = v->y;
        }
    }
    return n;
}

#define N 700 /* pixels of the ground along a side of a map */

typedef struct site {
    double x0, y0, size; /* [m] lower corner, side */
    float *shade;
} site;

/* the ground around a rover's path, lit from the side at 25 deg */
static ty_status shade(const ty_record *r, const tyi_record_rover *rover, site *to, ty_diag *diag)
{
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    for (size_t i = 0; i < rover->rows; i++) {
        double x = rover->row[i].p.x, y = rover->row[i].p.y;
        x0 = fmin(x0, x), x1 = fmax(x1, x), y0 = fmin(y0, y), y1 = fmax(y1, y);
    }
    double size = fmax(fmax(x1 - x0, y1 - y0) * 1.3, 12.0), cx = 0.5 * (x0 + x1), cy = 0.5 * (y0 + y1), cell = size / N;
    to->size = size, to->x0 = cx - 0.5 * size, to->y0 = cy - 0.5 * size;
    ty_terrain *t = ty_world_terrain(ty_run_world(r->run));
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
            to->shade[j * N + i] = (float)sqrt(fmax(0.0, ty_dot(sun, ty_terrain_ground_normal(g))));
        }
    }
    ty_terrain_patch_destroy(patch);
    return status;
}

/* what is drawn over the ground */
enum { EVENTS = 200, OVERLAYS = 3 + TYI_EVENTS + 64 };
typedef struct marks {
    ty_draw_overlay over[OVERLAYS];
    int overs;
    double ends_x[2], ends_y[2], event_x[TYI_EVENTS][EVENTS], event_y[TYI_EVENTS][EVENTS];
    double *way; /* x, then y, of each rover, one after the other */
} marks;

/* paths of all rovers, this one's first and with its ends and events */
static ty_status mark(const ty_record *r, size_t rover, marks *m, ty_diag *diag)
{
    static const char *const ends[2] = { "start", "end" };
    static const ty_draw_symbol symbol[TYI_EVENTS] = { TY_SYMBOL_DIAMOND, TY_SYMBOL_TRIANGLE, TY_SYMBOL_SQUARE,
                                                       TY_SYMBOL_DISC };
    size_t rows = 0;
    for (size_t i = 0; i < r->rovers; i++) {
        rows += r->rover[i].rows;
    }
    m->way = malloc(2 * rows * sizeof *m->way + 1);
    if (!m->way) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the map");
    }
    double *at = m->way;
    for (size_t k = 0; k < r->rovers && k < 64; k++) {
        size_t which = (rover + k) % r->rovers;
        const tyi_record_rover *from = &r->rover[which];
        double *x = at, *y = at + from->rows;
        for (size_t i = 0; i < from->rows; i++) {
            x[i] = from->row[i].p.x, y[i] = from->row[i].p.y;
        }
        at += 2 * from->rows;
        m->over[m->overs++] = (ty_draw_overlay){ .kind = TY_OVERLAY_PATH,
                                                 .n = from->rows,
                                                 .x = x,
                                                 .y = y,
                                                 .label = r->rovers > 1 ? from->name : "path",
                                                 .size = k ? 1.0 : 2.0 };
        if (!k) {
            m->ends_x[0] = x[0], m->ends_x[1] = x[from->rows - 1];
            m->ends_y[0] = y[0], m->ends_y[1] = y[from->rows - 1];
            m->over[m->overs++] = (ty_draw_overlay){
                .kind = TY_OVERLAY_POINTS, .n = 2, .x = m->ends_x, .y = m->ends_y, .text = ends, .size = 8.0
            };
        }
    }
    for (int k = 0; k < TYI_EVENT_ADDED; k++) {
        size_t n = places_of(r, rover, (tyi_record_event_kind)k, m->event_x[k], m->event_y[k], EVENTS);
        if (n) {
            m->over[m->overs++] = (ty_draw_overlay){ .kind = TY_OVERLAY_POINTS,
                                                     .n = n,
                                                     .x = m->event_x[k],
                                                     .y = m->event_y[k],
                                                     .symbol = symbol[k],
                                                     .label = tyi_record_event_what((tyi_record_event_kind)k),
                                                     .size = 8.0 };
        }
    }
    return TY_OK;
}

static ty_status draw_map(const ty_record *r, size_t rover, const char *path, ty_diag *diag)
{
    site ground = { .shade = malloc(N * N * sizeof *ground.shade) };
    marks *m = calloc(1, sizeof *m);
    ty_status status = ground.shade && m ? shade(r, &r->rover[rover], &ground, diag)
                                         : ty_fail(diag, TY_ERR_MEMORY, "no memory for the map");
    if (status == TY_OK) {
        status = mark(r, rover, m, diag);
    }
    if (status == TY_OK) {
        char title[200];
        bool several = r->rovers > 1;
        ty_draw_map map = ty_draw_map_default();
        snprintf(title, sizeof title, "%s: path and ruts%s%s", r->scenario->name, several ? " of " : "",
                 several ? r->rover[rover].name : "");
        map.title = title;
        map.x0 = ground.x0, map.x1 = ground.x0 + ground.size, map.y0 = ground.y0, map.y1 = ground.y0 + ground.size;
        map.layers = 1;
        map.layer[0] = ty_draw_layer_default();
        map.layer[0].nx = map.layer[0].ny = N, map.layer[0].value = ground.shade, map.layer[0].high = 1.0;
        map.overlay = m->over, map.overlays = m->overs, map.size = 1000;
        map.lat = map.lon = (double)NAN;
        status = ty_draw_write_map(path, &map, diag);
    }
    free(ground.shade), free(m ? m->way : NULL), free(m);
    return status;
}

ty_status tyi_record_draw(const ty_record *r, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < r->rovers && status == TY_OK; i++) {
        char prefix[80], file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
        if (r->rover[i].rows < 2) {
            continue;
        }
        tyi_record_prefix_rover(r, i, prefix);
        snprintf(file, sizeof file, "%splots.png", prefix);
        status = draw_plots(r, i, tyi_record_path(r, file, path), diag);
        snprintf(file, sizeof file, "%stools.png", prefix);
        status = status == TY_OK ? tyi_record_draw_tools(r, i, tyi_record_path(r, file, path), diag) : status;
        snprintf(file, sizeof file, "%smap.png", prefix);
        status = status == TY_OK ? draw_map(r, i, tyi_record_path(r, file, path), diag) : status;
    }
    return status;
}
