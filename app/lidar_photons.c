/* app/lidar_photons.c - a SPAD's histogram of one beam, as a picture or a table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lidar.h"
#include "io/out_file.h"
#include "tycho/tools/draw.h"
#include "tycho/lidar.h"

#define BINS  8192
#define LIGHT 299792458.0 /* [m/s] */

/* A SPAD that sees as far as the lidar: its bins cover the lidar's range, and a target that the lidar just notices
 * gives 0.05 photons a pulse, so that pile-up is small there. */
static ty_spad_def spad_like(const ty_lidar_def *lidar)
{
    ty_spad_def d = ty_spad_def_default();
    d.samples = lidar->samples;
    d.bins = BINS;
    d.bin = 2.0 * lidar->far / LIGHT / BINS;
    d.pulse = 1e-9;
    d.jitter = 2e-10;
    d.white = 0.05 * lidar->reach * lidar->reach / lidar->reach_albedo;
    d.background = 1e6;
    d.seed = lidar->seed;
    return d;
}

typedef struct histogram {
    /* [m], counts, photons a pulse before pile-up, probability */
    double edge[BINS + 1], count[BINS], mean[BINS], fire[BINS];
    double pulses;
} histogram;

static ty_status draw(const char *path, const histogram *h, int column, int row, ty_diag *diag)
{
    int first = BINS, last = 0; /* where there is more than background */
    static double expected[BINS], open[BINS];
    double level = h->count[0];
    for (int i = 0; i < BINS; i++) {
        expected[i] = fmax(h->pulses * h->fire[i], 0.1);
        open[i] = fmax(h->pulses * h->mean[i], 0.1);
        level = fmin(level, h->count[i]);
        if (h->mean[i] > 1.5 * h->mean[0]) {
            first = i < first ? i : first;
            last = i;
        }
    }
    char title[160];
    snprintf(title, sizeof title, "photons of the beam in column %d, row %d: %.0f pulses, bins of %.3g m", column, row,
             h->pulses, h->edge[1]);
    double middle = 0.5 * (h->edge[first < BINS ? first : 0] + h->edge[last]),
           wide = fmax(3.0, h->edge[last] - h->edge[first < BINS ? first : 0]);
    ty_draw_series series[3] = {
        { .kind = TY_SERIES_BARS, .label = "counted", .n = BINS, .x = h->edge, .y = h->count },
        { .kind = TY_SERIES_STEP, .label = "expected, with dead time", .n = BINS, .x = h->edge, .y = expected },
        { .kind = TY_SERIES_STEP,
          .label = "expected, without",
          .n = BINS,
          .x = h->edge,
          .y = open,
          .dash = TY_DASH_DASHED },
    };
    ty_draw_panel panel[2] = {
        { .title = title,
          .x = { .label = "range [m]" },
          .y = { .label = "counts [-]", .low = 0.5, .high = 2.0 * h->pulses, .log = true },
          .series = series,
          .count = 3 },
        { .title = "around the echoes",
          .x = { .label = "range [m]", .low = fmax(middle - 0.75 * wide, 0.0), .high = middle + 0.75 * wide },
          .y = { .label = "counts [-]" },
          .series = series,
          .count = 3 },
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = panel;
    figure.rows = 2;
    figure.height = 800;
    return ty_draw_write_figure(path, &figure, diag);
}

static ty_status write_table(const char *path, const histogram *h, ty_diag *diag)
{
    tyi_io_sink *out;
    ty_status status = tyi_io_sink_open(path, &out, diag);
    if (status != TY_OK) {
        return status;
    }
    FILE *f = tyi_io_sink_file(out);
    fprintf(f, "range,time,counts,photons,expected\n"); /* m, s, -, photons a pulse, counts */
    for (int i = 0; i < BINS; i++) {
        double range = 0.5 * (h->edge[i] + h->edge[i + 1]);
        fprintf(f, "%.9g,%.9g,%.0f,%.6g,%.6g\n", range, 2.0 * range / LIGHT, h->count[i], h->mean[i],
                h->pulses * h->fire[i]);
    }
    return tyi_io_sink_close(out, TY_OK, diag);
}

ty_status lidar_photons(const char *path, ty_lidar *lidar, const ty_lidar_rays *rays, int column, int row,
                        ty_diag *diag)
{
    static histogram h;
    const ty_lidar_def *def = ty_lidar_get_def(lidar);
    ty_spad_def spad_def = spad_like(def);
    ty_spad *spad = NULL;
    ty_status status = ty_spad_create(&spad_def, &spad, diag);
    if (status != TY_OK) {
        return status;
    }
    int lasers = def->pattern == TY_LIDAR_SPIN ? def->lasers : def->pattern == TY_LIDAR_GRID ? def->rows : 1;
    const ty_trace_hit *hit = rays->hit + ((size_t)column * (size_t)lasers + (size_t)row) * (size_t)def->samples;
    const ty_buffer *counts;
    status = ty_spad_expose(spad, hit, (ty_stamps){ 0 }, 0, &counts, diag);
    ty_spad_expect(spad, hit, h.mean, h.fire);
    h.pulses = spad_def.pulses;
    for (int i = 0; i <= BINS; i++) {
        h.edge[i] = 0.5 * LIGHT * spad_def.bin * i;
        if (i < BINS) {
            h.count[i] = ty_buffer_get(counts, i, 0, 0);
        }
    }
    const char *dot = strrchr(path, '.');
    if (status == TY_OK) {
        status = dot && !strcmp(dot, ".csv") ? write_table(path, &h, diag) : draw(path, &h, column, row, diag);
    }
    ty_spad_destroy(spad);
    return status;
}
