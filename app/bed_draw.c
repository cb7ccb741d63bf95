/* app/bed_draw.c - pictures of an experiment: its series beside what theory says, and a cut through the soil.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "bed.h"
#include "tycho/tools/draw.h"
#include "draw/inner.h"

enum { CURVE = 100 };

static double *column(const ty_bed_result *r, int c, double *out)
{
    for (size_t k = 0; k < r->rows; k++) {
        out[k] = r->series[k * (size_t)r->columns + (size_t)c];
    }
    return out;
}

/* One value of every particle against its height above the floor, with a line of theory: (x, z) in `line`. */
static ty_status draw_by_height(const char *path, const ty_bed_result *r, const double *value, const char *label,
                                const char *title, const double *line_x, const double *line_z, const char *line_label,
                                ty_diag *diag)
{
    double *z = malloc((r->particle_count + 1) * sizeof *z);
    if (!z) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the plot");
    }
    for (size_t i = 0; i < r->particle_count; i++) {
        z[i] = r->particle[i].x.z;
    }
    ty_draw_series series[] = {
        { .kind = TY_SERIES_POINTS,
          .label = "particles",
          .n = r->particle_count,
          .x = value,
          .y = z,
          .size = 3.0,
          .symbol = TY_SYMBOL_DISC },
        { .kind = TY_SERIES_LINE,
          .label = line_label,
          .n = CURVE,
          .x = line_x,
          .y = line_z,
          .dash = TY_DASH_DASHED,
          .size = 2.0 },
    };
    ty_draw_panel panel = {
        .x = { .label = label }, .y = { .label = "height above the floor [m]" }, .series = series, .count = 2
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = title;
    figure.panel = &panel;
    ty_status status = ty_draw_write_figure(path, &figure, diag);
    free(z);
    return status;
}

/* rest: stress by depth; incline: velocity by depth with Bagnold's law */
static ty_status draw_layer(const char *path, const ty_bed_result *r, const ty_bed_def *def, ty_diag *diag)
{
    bool rest = r->test == TY_BED_REST;
    double *value = malloc((r->particle_count + 1) * sizeof *value), x[CURVE], z[CURVE], t = tan(def->angle);
    if (!value) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the plot");
    }
    const ty_crm_soil *s = &def->soil;
    double number = s->i0 * (t - s->mu_s) / (s->mu_2 - t), h = def->height;
    for (size_t i = 0; i < r->particle_count; i++) {
        value[i] = rest ? -1e-3 * r->particle[i].stress[2] : r->particle[i].v.x;
    }
    for (int k = 0; k < CURVE; k++) {
        z[k] = h * k / (CURVE - 1);
        x[k] = rest ? 1e-3 * s->rho * def->gravity * cos(def->angle) * (h - z[k])
                    : 2.0 / 3.0 * number / s->d * sqrt(def->gravity * cos(def->angle)) *
                          (pow(h, 1.5) - pow(h - z[k], 1.5));
        x[k] = rest || (t > s->mu_s && t < s->mu_2) ? x[k] : 0.0;
    }
    char title[80];
    snprintf(title, sizeof title, "%s on %g deg", rest ? "at rest" : "flow", def->angle / TY_DEG);
    ty_status status = draw_by_height(path, r, value, rest ? "stress normal to the plane [kPa]" : "velocity [m/s]",
                                      title, x, z, rest ? "weight" : "Bagnold with mu(I)", diag);
    free(value);
    return status;
}

/* every column of the series over the first */
static ty_status draw_series(const char *path, const ty_bed_result *r, ty_diag *diag)
{
    double *values = malloc((r->rows + 1) * (size_t)r->columns * sizeof *values);
    if (!values) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the plot");
    }
    ty_draw_series series[TY_BED_COLUMNS] = { 0 };
    ty_draw_panel panel[TY_BED_COLUMNS] = { 0 };
    double *x = column(r, 0, values);
    for (int c = 1; c < r->columns; c++) {
        series[c - 1] = (ty_draw_series){
            .kind = TY_SERIES_LINE, .n = r->rows, .x = x, .y = column(r, c, values + (size_t)c * r->rows)
        };
        panel[c - 1] = (ty_draw_panel){
            .x = { .label = r->column[0] }, .y = { .label = r->column[c] }, .series = &series[c - 1], .count = 1
        };
    }
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = ty_bed_what(r->test);
    figure.panel = panel;
    figure.rows = r->columns - 1;
    figure.share_x = true;
    figure.height = 250 * (r->columns - 1) + 60;
    ty_status status = ty_draw_write_figure(path, &figure, diag);
    free(values);
    return status;
}

static ty_status draw_plates(const char *path, const ty_bed_result *r, const ty_bed_def *def, ty_diag *diag)
{
    double *z = malloc((r->rows + 1) * sizeof *z), *p = malloc((r->rows + 1) * sizeof *p);
    ty_draw_series series[TY_BED_DIAMETERS] = { 0 };
    char label[TY_BED_DIAMETERS][40];
    ty_status status = z && p ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the plot");
    size_t each = r->rows / (size_t)def->diameters;
    for (size_t k = 0; k < r->rows && status == TY_OK; k++) {
        z[k] = 1e3 * r->series[3 * k + 1];
        p[k] = 1e-3 * r->series[3 * k + 2];
    }
    for (int w = 0; w < def->diameters; w++) {
        snprintf(label[w], sizeof label[w], "%g mm", 1e3 * def->diameter[w]);
        series[w] = (ty_draw_series){
            .kind = TY_SERIES_LINE, .label = label[w], .n = each, .x = z + (size_t)w * each, .y = p + (size_t)w * each
        };
    }
    ty_draw_panel panel = {
        .x = { .label = "sinkage [mm]" }, .y = { .label = "pressure [kPa]" }, .series = series, .count = def->diameters
    };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.title = "plates";
    figure.panel = &panel;
    if (status == TY_OK) {
        status = ty_draw_write_figure(path, &figure, diag);
    }
    free(z);
    free(p);
    return status;
}

/* Pressure classes of the cut: each is a series of discs as wide as the spacing. */
enum { CLASSES = 9 };

typedef struct cut {
    double *x[CLASSES], *z[CLASSES];
    size_t n[CLASSES];
    char label[CLASSES][40];
    double most, low, high, top; /* [kPa], [m] */
} cut;

static bool shown(const ty_bed_result *r, const ty_bed_def *def, bool thin, size_t i)
{
    ty_vec3 x = r->particle[i].x;
    return thin ||
           (x.y > -1.01 * def->spacing && x.y < 0.01 * def->spacing); /* one layer of the lattice beside the middle */
}

static double pressure(const ty_crm_particle *p)
{
    return -1e-3 / 3.0 * (p->stress[0] + p->stress[1] + p->stress[2]);
}

static ty_status sort_cut(cut *c, const ty_bed_result *r, const ty_bed_def *def, bool thin, ty_diag *diag)
{
    c->low = c->high = 0.0;
    for (size_t i = 0; i < r->particle_count; i++) {
        if (shown(r, def, thin, i)) {
            c->most = fmax(c->most, pressure(&r->particle[i]));
            c->low = fmin(c->low, r->particle[i].x.x);
            c->high = fmax(c->high, r->particle[i].x.x);
            c->top = fmax(c->top, r->particle[i].x.z);
        }
    }
    for (int k = 0; k < CLASSES; k++) {
        c->x[k] = malloc((r->particle_count + 1) * sizeof(double));
        c->z[k] = malloc((r->particle_count + 1) * sizeof(double));
        if (!c->x[k] || !c->z[k]) {
            return ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture");
        }
        snprintf(c->label[k], sizeof c->label[k], k ? "to %.2g kPa" : "bears nothing", c->most * k / (CLASSES - 1));
    }
    for (size_t i = 0; i < r->particle_count; i++) {
        const ty_crm_particle *p = &r->particle[i];
        if (shown(r, def, thin, i)) {
            int k = p->e > 0.0 ? 1 + (int)fmin(pressure(p) / fmax(c->most, 1e-9) * (CLASSES - 1), CLASSES - 2) : 0;
            c->x[k][c->n[k]] = p->x.x;
            c->z[k][c->n[k]++] = p->x.z;
        }
    }
    return TY_OK;
}

/* The cut along x and z: all particles where it is periodic across, else one layer in the middle. */
static ty_status draw_cut(const char *path, const ty_bed_result *r, const ty_bed_def *def, ty_diag *diag)
{
    double wide = 0.0, d = def->spacing;
    for (size_t i = 0; i < r->particle_count; i++) {
        wide = fmax(wide, fabs(r->particle[i].x.y));
    }
    bool thin = wide < 10.0 * d;
    cut c = { 0 };
    ty_status status = sort_cut(&c, r, def, thin, diag);
    ty_draw_series series[CLASSES] = { 0 };
    for (int k = 0; k < CLASSES; k++) {
        ty_draw_color color = k ? ty_draw_cmap_color(TY_CMAP_VIRIDIS, (k - 1.0) / (CLASSES - 2))
                                : (ty_draw_color){ 0.75, 0.72, 0.68, 1.0 };
        series[k] = (ty_draw_series){ .kind = TY_SERIES_POINTS,
                                      .label = c.label[k],
                                      .n = c.n[k],
                                      .x = c.x[k],
                                      .y = c.z[k],
                                      .color = color,
                                      .symbol = TY_SYMBOL_DISC };
    }
    double span = c.high - c.low + 4.0 * d, tall = c.top + 4.0 * d;
    ty_draw_panel panel = { .x = { .label = "x [m]", .low = c.low - 2.0 * d, .high = c.high + 2.0 * d },
                            .y = { .label = "z [m]", .low = -2.0 * d, .high = c.top + 2.0 * d },
                            .series = series,
                            .count = CLASSES,
                            .key = TY_KEY_OUTSIDE,
                            .equal = true };
    ty_draw_figure figure = ty_draw_figure_default();
    char title[160];
    snprintf(title, sizeof title, "%s: pressure (%zu particles, spacing %g mm)", ty_bed_name(r->test),
             r->particle_count, 1e3 * d);
    figure.title = title;
    figure.panel = &panel;
    figure.width = 1200;
    figure.height = (int)fmin(fmax(900.0 * tall / span + 140.0, 360.0), 1400.0);
    ty_draw_frame frame;
    if (status == TY_OK) {
        status = tyi_draw_figure_frame(&figure, 0, &frame, diag);
    }
    for (int k = 0; k < CLASSES && status == TY_OK; k++) { /* discs as wide as a particle is */
        series[k].size = fmax(1.02 * d * (frame.right - frame.left) / (frame.x1 - frame.x0), 1.0);
    }
    if (status == TY_OK) {
        status = ty_draw_write_figure(path, &figure, diag);
    }
    for (int k = 0; k < CLASSES; k++) {
        free(c.x[k]);
        free(c.z[k]);
    }
    return status;
}

ty_status bed_draw(const char *folder, const ty_bed_result *r, const ty_bed_def *def, ty_diag *diag)
{
    char path[TY_PATH_MAX];
    snprintf(path, sizeof path, "%s/plot.png", folder);
    ty_status status;
    if (r->test == TY_BED_REST || r->test == TY_BED_INCLINE) {
        status = draw_layer(path, r, def, diag);
    } else if (r->test == TY_BED_PLATE) {
        status = draw_plates(path, r, def, diag);
    } else {
        status = draw_series(path, r, diag);
    }
    if (!r->particle_count) { /* a wheel's patches come and go */
        return status;
    }
    snprintf(path, sizeof path, "%s/picture.png", folder);
    return status == TY_OK ? draw_cut(path, r, def, diag) : status;
}
