/* app/allan_plot.c - an Allan deviation over its averaging time, and the noise it is made of.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include "allan.h"
#include "tycho/tools/draw.h"
#include "sensor/inertial/allan.h"

ty_status allan_plot(const char *path, const allan_curve *c, const char *unit, ty_diag *diag)
{
    double tau[TYI_INERTIAL_ALLAN_POINTS], dev[TYI_INERTIAL_ALLAN_POINTS], low[TYI_INERTIAL_ALLAN_POINTS],
        high[TYI_INERTIAL_ALLAN_POINTS];
    double fit[TYI_INERTIAL_ALLAN_POINTS], part[3][TYI_INERTIAL_ALLAN_POINTS];
    const tyi_inertial_allan_noise *z = &c->noise;
    const tyi_inertial_allan_noise alone[3] = { { .N = z->N }, { .B = z->B }, { .K = z->K } };
    for (size_t i = 0; i < c->count; i++) {
        double d = c->point[i].dev[TY_ALLAN_OADEV], ratio = (double)c->n / (double)c->point[i].m - 1.0;
        double e = ratio > 0.0 ? fmin(1.0 / sqrt(2.0 * ratio), 0.9) : 0.9; /* [ieee952] C.8 */
        tau[i] = c->point[i].tau;
        dev[i] = d;
        low[i] = d * (1.0 - e);
        high[i] = d * (1.0 + e);
        fit[i] = tyi_inertial_allan_model(z, tau[i]);
        for (int k = 0; k < 3; k++) {
            part[k][i] = tyi_inertial_allan_model(&alone[k], tau[i]);
        }
    }
    char y_label[80], name[3][80];
    snprintf(y_label, sizeof y_label, "Allan deviation [%s]", unit);
    snprintf(name[0], sizeof name[0], "white noise N = %.3g %s/\xe2\x88\x9aHz", z->N, unit);
    snprintf(name[1], sizeof name[1], "instability B = %.3g %s (floor 0.664 B)", z->B, unit);
    snprintf(name[2], sizeof name[2], "bias walk K = %.3g %s/\xe2\x88\x9as", z->K, unit);
    ty_draw_series series[6] = {
        { .kind = TY_SERIES_BAND,
          .label = "one sigma of the estimate",
          .n = c->count,
          .x = tau,
          .y_low = low,
          .y_high = high,
          .color = { 0.6, 0.6, 0.6, 0.5 } },
        { .kind = TY_SERIES_POINTS,
          .label = "measured",
          .n = c->count,
          .x = tau,
          .y = dev,
          .symbol = TY_SYMBOL_DISC,
          .color = ty_draw_palette(0) },
        { .kind = TY_SERIES_LINE, .label = "fitted", .n = c->count, .x = tau, .y = fit, .color = ty_draw_palette(5) },
    };
    int n = 3;
    const double has[3] = { z->N, z->B, z->K };
    for (int k = 0; k < 3; k++) {
        if (has[k] > 0.0) {
            series[n++] = (ty_draw_series){ .kind = TY_SERIES_LINE,
                                            .label = name[k],
                                            .n = c->count,
                                            .x = tau,
                                            .y = part[k],
                                            .dash = TY_DASH_DASHED,
                                            .color = ty_draw_palette(k + 1) };
        }
    }
    double least = (double)INFINITY, most = 0.0;
    for (size_t i = 0; i < c->count; i++) {
        least = fmin(least, dev[i]);
        most = fmax(most, dev[i]);
    }
    ty_draw_panel panel = { .x = { .label = "averaging time [s]", .log = true },
                            .y = { .label = y_label, .log = true, .low = 0.3 * least, .high = 3.0 * most },
                            .series = series,
                            .count = n };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = c->label;
    figure.panel = &panel;
    return ty_draw_write_figure(path, &figure, diag);
}
