/* app/terrain_measure_plots.c - what was measured on the ground beside the law it was made from.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "terrain_measure.h"
#include "tycho/tools/draw.h"
#include "study/measure.h"

#define MOST 64

static void draw(const char *path, const char *title, const ty_draw_panel *panel, int rows, ty_diag *diag)
{
    ty_draw_figure f = ty_draw_figure_default();
    f.title = title;
    f.panel = panel;
    f.rows = rows;
    f.share_x = rows > 1;
    f.width = 1000;
    f.height = rows > 1 ? 800 : 640;
    f.font = 14.0;
    ty_draw_write_figure(path, &f, diag);
}

/* a quantity against its law, and their ratio below with the band that is accepted */
typedef struct compared {
    int n;
    double x[MOST], got[MOST], law[MOST], low[MOST], high[MOST]; /* one sigma */
    double ratio[MOST], ratio_low[MOST], ratio_high[MOST];
    double accepted; /* [-] */
    const char *title, *x_label, *y_label, *law_label, *got_label;
    bool log_x;
} compared;

static void draw_compared(compared *c, const char *path, ty_diag *diag)
{
    double edge[2] = { c->log_x ? c->x[0] * 0.8 : 0.0, c->x[c->n - 1] * (c->log_x ? 1.25 : 1.1) }, below[2], above[2],
           one[2] = { 1.0, 1.0 };
    for (int i = 0; i < c->n; i++) {
        c->ratio[i] = c->got[i] / c->law[i];
        c->ratio_low[i] = c->low[i] / c->law[i];
        c->ratio_high[i] = c->high[i] / c->law[i];
    }
    for (int k = 0; k < 2; k++) {
        below[k] = 1.0 - c->accepted;
        above[k] = 1.0 + c->accepted;
    }
    size_t n = (size_t)c->n;
    ty_draw_series top[2] = {
        { .kind = TY_SERIES_LINE, .label = c->law_label, .n = n, .x = c->x, .y = c->law },
        { .kind = TY_SERIES_POINTS,
          .label = c->got_label,
          .n = n,
          .x = c->x,
          .y = c->got,
          .y_low = c->low,
          .y_high = c->high },
    };
    ty_draw_series bottom[3] = {
        { .kind = TY_SERIES_BAND, .label = "accepted", .n = 2, .x = edge, .y_low = below, .y_high = above },
        { .kind = TY_SERIES_LINE, .n = 2, .x = edge, .y = one, .color = ty_draw_palette(0) },
        { .kind = TY_SERIES_POINTS,
          .n = n,
          .x = c->x,
          .y = c->ratio,
          .y_low = c->ratio_low,
          .y_high = c->ratio_high,
          .color = ty_draw_palette(1) },
    };
    bottom[0].color = ty_draw_palette(2);
    ty_draw_panel panel[2] = {
        { .x = { NULL, edge[0], edge[1], c->log_x },
          .y = { c->y_label, 0.0, 0.0, true },
          .series = top,
          .count = 2,
          .key = TY_KEY_TOP_RIGHT },
        { .x = { c->x_label, edge[0], edge[1], c->log_x },
          .y = { "measured / law", 0.7, 1.3, false },
          .series = bottom,
          .count = 3,
          .key = TY_KEY_TOP_RIGHT },
    };
    draw(path, c->title, panel, 2, diag);
}

static void draw_craters(const measured *m, const char *path, ty_diag *diag)
{
    compared c = { .n = m->counts,
                   .accepted = 0.15,
                   .log_x = true,
                   .title = "Craters counted from the catalogue",
                   .x_label = "diameter D [m]",
                   .y_label = "craters above D [1/m²]",
                   .law_label = "law: production cut by equilibrium",
                   .got_label = "counted, with counting error" };
    for (int i = 0; i < m->counts; i++) {
        const tyi_study_measure_count *k = &m->count[i];
        c.x[i] = k->d;
        c.law[i] = k->law;
        c.got[i] = k->count / k->area;
        c.low[i] = (k->count - sqrt(k->count)) / k->area;
        c.high[i] = (k->count + sqrt(k->count)) / k->area;
    }
    draw_compared(&c, path, diag);
}

static void draw_rocks(const measured *m, const char *path, ty_diag *diag)
{
    compared c = { .n = m->covers,
                   .accepted = 0.10,
                   .title = "Area covered by rocks, from rays straight down",
                   .x_label = "rock diameter D [m]",
                   .y_label = "area fraction of rocks above D [-]",
                   .law_label = m->def.rock.exponent > 0.0 ? "law: A(D) ~ D^(2 - b)" : "law: F(D) = k exp(-q D)",
                   .got_label = "rays that met a rock, with error" };
    for (int i = 0; i < m->covers; i++) {
        const tyi_study_measure_cover *k = &m->cover[i];
        c.x[i] = k->d;
        c.law[i] = k->law;
        c.got[i] = k->cover;
        c.low[i] = k->cover - k->error;
        c.high[i] = k->cover + k->error;
    }
    draw_compared(&c, path, diag);
}

/* the published spread of each class as a band with steps, the craters as points */
static void draw_depths(const measured *m, const char *path, ty_diag *diag)
{
    size_t n = m->depths;
    double *x = calloc(2 * n + 1, sizeof *x), *y = x ? x + n : NULL;
    double bx[2 * TYI_STUDY_CRATER_CLASSES], min[2 * TYI_STUDY_CRATER_CLASSES], max[2 * TYI_STUDY_CRATER_CLASSES],
        p16[2 * TYI_STUDY_CRATER_CLASSES], p84[2 * TYI_STUDY_CRATER_CLASSES], median[2 * TYI_STUDY_CRATER_CLASSES],
        most = 0.0;
    if (!x) {
        ty_fail(diag, TY_ERR_MEMORY, "no memory for a plot of %zu craters", n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = m->depth[i].crater.diameter;
        y[i] = m->depth[i].ratio;
        most = fmax(most, x[i]);
    }
    int steps = 0;
    for (int k = 0; k < TYI_STUDY_CRATER_CLASSES && (k == 0 || tyi_study_measure_crater_class_at(k)->d_low < most);
         k++) {
        const tyi_study_measure_crater_class *c = tyi_study_measure_crater_class_at(k);
        for (int side = 0; side < 2; side++, steps++) {
            bx[steps] = side ? fmin(c->d_high, fmax(most, 61.0)) * (1.0 - 1e-6) : k ? c->d_low : 1.0;
            min[steps] = c->min, max[steps] = c->max, p16[steps] = c->p16, p84[steps] = c->p84,
            median[steps] = c->median;
        }
    }
    ty_draw_series s[4] = {
        { .kind = TY_SERIES_BAND,
          .label = "published spread, smallest to largest",
          .n = (size_t)steps,
          .x = bx,
          .y_low = min,
          .y_high = max,
          .color = { 0.35, 0.55, 0.80, 1.0 } },
        { .kind = TY_SERIES_BAND,
          .label = "16 to 84 %",
          .n = (size_t)steps,
          .x = bx,
          .y_low = p16,
          .y_high = p84,
          .color = { 0.10, 0.30, 0.65, 1.0 } },
        { .kind = TY_SERIES_POINTS,
          .label = "read off the ground",
          .n = n,
          .x = x,
          .y = y,
          .size = 2.5,
          .color = { 0.1, 0.1, 0.1, 0.5 } },
        { .kind = TY_SERIES_LINE,
          .label = "published median",
          .n = (size_t)steps,
          .x = bx,
          .y = median,
          .color = ty_draw_palette(1),
          .size = 2.5 },
    };
    ty_draw_panel panel = { .x = { "diameter [m]", 0.0, 0.0, true },
                            .y = { "depth / diameter [-]", 0.0, 0.3, false },
                            .series = s,
                            .count = 4,
                            .key = TY_KEY_TOP_LEFT };
    draw(path, "Depth of craters, rim crest over floor, on the finished ground", &panel, 1, diag);
    free(x);
}

static void draw_relief(const measured *m, const char *path, ty_diag *diag)
{
    const ty_relief_def *r = &m->def.relief;
    double law[TYI_STUDY_MEASURE_LAGS];
    size_t n = (size_t)m->bare.lags;
    for (size_t i = 0; i < n; i++) {
        law[i] = tan(r->rms_slope_deg * TY_DEG) * r->baseline * pow(m->bare.lag[i] / r->baseline, r->hurst);
    }
    ty_draw_series s[3] = {
        { .kind = TY_SERIES_LINE, .label = "asked for", .n = n, .x = m->bare.lag, .y = law },
        { .kind = TY_SERIES_POINTS, .label = "measured, without craters", .n = n, .x = m->bare.lag, .y = m->bare.rms },
        { .kind = TY_SERIES_POINTS,
          .label = "measured, with craters",
          .n = n,
          .x = m->full.lag,
          .y = m->full.rms,
          .symbol = TY_SYMBOL_RING },
    };
    ty_draw_panel panel = { .x = { "distance [m]", 0.0, 0.0, true },
                            .y = { "RMS difference of height [m]", 0.0, 0.0, true },
                            .series = s,
                            .count = 3,
                            .key = TY_KEY_TOP_LEFT };
    draw(path, "Roughness: height differences by distance", &panel, 1, diag);
}

static void draw_slopes(const measured *m, const char *path, ty_diag *diag)
{
    double x[TYI_STUDY_MEASURE_SLOPES], y[TYI_STUDY_MEASURE_SLOPES], bx[TYI_STUDY_MEASURE_SLOPES],
        low[TYI_STUDY_MEASURE_SLOPES], high[TYI_STUDY_MEASURE_SLOPES];
    size_t n = (size_t)m->slopes;
    for (int i = 0; i < m->slopes; i++) {
        tyi_study_measure_slope_bound b = { 0 };
        tyi_study_measure_slope_bound_at((ty_ground_kind)m->def.kind, i, &b);
        bx[i] = b.baseline, low[i] = b.low, high[i] = b.high;
        x[i] = m->slope[i].baseline, y[i] = m->slope[i].deg;
    }
    double asked_x = m->def.relief.baseline, asked_y = m->def.relief.rms_slope_deg;
    ty_draw_series s[3] = {
        { .kind = TY_SERIES_BAND,
          .label = "accepted for this kind of ground",
          .n = n,
          .x = bx,
          .y_low = low,
          .y_high = high,
          .color = ty_draw_palette(2) },
        { .kind = TY_SERIES_POINTS, .label = "measured, with craters", .n = n, .x = x, .y = y },
        { .kind = TY_SERIES_POINTS,
          .label = "asked for",
          .n = 1,
          .x = &asked_x,
          .y = &asked_y,
          .symbol = TY_SYMBOL_RING,
          .color = ty_draw_palette(1) },
    };
    ty_draw_panel panel = { .x = { "baseline [m]", 0.0, 0.0, true },
                            .y = { "RMS slope [deg]", 0.0, 0.0, false },
                            .series = s,
                            .count = 3,
                            .key = TY_KEY_TOP_RIGHT };
    draw(path, "Slope along a line, by baseline", &panel, 1, diag);
}

static void draw_spectrum(const measured *m, const char *path, ty_diag *diag)
{
    const tyi_study_measure_continued *c = &m->spectrum;
    const ty_raster_spectrum *f = m->fit;
    double ends[2] = { c->wavelength[0] * 0.7, c->wavelength[c->bands - 1] * 2.0 }, law[2], low[2] = { -2.0, -2.0 },
           high[2] = { 2.0, 2.0 }, zero[2] = { 0.0, 0.0 }, pixel[2] = { f->spacing, f->spacing },
           mark[2] = { -4.0, 4.0 };
    for (int k = 0; k < 2; k++) {
        law[k] = f->amplitude * pow(ends[k], 2.0 * f->hurst + 1.0);
    }
    ty_draw_series top[3] = {
        { .kind = TY_SERIES_LINE, .label = "law fitted to the raster at 6 to 20 pixels", .n = 2, .x = ends, .y = law },
        { .kind = TY_SERIES_POINTS, .label = "finished ground", .n = (size_t)c->bands, .x = c->wavelength, .y = c->psd },
        { .kind = TY_SERIES_LINE,
          .label = "the raster alone",
          .n = (size_t)f->bands,
          .x = f->wavelength,
          .y = f->psd,
          .dash = TY_DASH_DASHED },
    };
    ty_draw_series bottom[4] = {
        { .kind = TY_SERIES_BAND,
          .label = "accepted",
          .n = 2,
          .x = ends,
          .y_low = low,
          .y_high = high,
          .color = ty_draw_palette(2) },
        { .kind = TY_SERIES_LINE, .n = 2, .x = ends, .y = zero, .color = ty_draw_palette(0) },
        { .kind = TY_SERIES_POINTS, .n = (size_t)c->bands, .x = c->wavelength, .y = c->db, .color = ty_draw_palette(1) },
        { .kind = TY_SERIES_LINE,
          .label = "pixel of the raster",
          .n = 2,
          .x = pixel,
          .y = mark,
          .dash = TY_DASH_DOTTED },
    };
    ty_draw_panel panel[2] = {
        { .x = { NULL, ends[0], ends[1], true },
          .y = { "power along lines [m³]", 0.0, 0.0, true },
          .series = top,
          .count = 3,
          .key = TY_KEY_TOP_LEFT },
        { .x = { "wavelength [m]", ends[0], ends[1], true },
          .y = { "ground over law [dB]", -4.0, 4.0, false },
          .series = bottom,
          .count = 4,
          .key = TY_KEY_TOP_RIGHT },
    };
    draw(path, "Spectrum across the resolution of the base raster", panel, 2, diag);
}

bool app_measure_plot(const measured *m, int i, const char **name, const char *path, ty_diag *diag)
{
    static const struct {
        const char *name;
        void (*draw)(const measured *, const char *, ty_diag *);
    } plots[] = {
        { "craters.png", draw_craters }, { "depths.png", draw_depths }, { "rocks.png", draw_rocks },
        { "relief.png", draw_relief },   { "slopes.png", draw_slopes }, { "spectrum.png", draw_spectrum },
    };
    const bool there[] = { m->counts > 1, m->depths > 0, m->covers > 1, m->relief, m->slopes > 1, m->fit != NULL };
    if (i < 0 || i >= (int)(sizeof plots / sizeof plots[0])) {
        return false;
    }
    *name = there[i] ? plots[i].name : NULL;
    if (there[i] && path) {
        plots[i].draw(m, path, diag);
    }
    return true;
}
