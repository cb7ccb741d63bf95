/* app/bed_draw.c - pictures of an experiment: its series beside what theory says, and a cut through the soil.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "bed.h"
#include "tycho/tools/draw.h"

enum { CURVE = 100 };

static double *column(const ty_bed_result *r, int c, double *out)
{
    for (size_t k = 0; k < r->rows; k++) {
        out[k] = r->series[k * (size_t)r->columns + (size_t)c];
    }
    return out;
}

/* One value of every particle against its height above the floor, with a line of theory: (x, z) in `line`. */
static ty_status draw_by_height(const char *path, const ty_bed_result *r, const double *value, const char *label, const char *title,
                                const double *line_x, const double *line_z, const char *line_label, ty_diag *diag)
{
    double *z = malloc((r->particle_count + 1) * sizeof *z);
    if (!z) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the plot");
    }
    for (size_t i = 0; i < r->particle_count; i++) {
        z[i] = r->particle[i].x.z;
    }
    ty_draw_series series[] = {
        { .kind = TY_SERIES_POINTS, .label = "particles", .n = r->particle_count, .x = value, .y = z, .size = 3.0, .symbol = TY_SYMBOL_DISC },
        { .kind = TY_SERIES_LINE, .label = line_label, .n = CURVE, .x = line_x, .y = line_z, .dash = TY_DASH_DASHED, .size = 2.0 },
    };
    ty_draw_panel panel = { .x = { .label = label }, .y = { .label = "height above the floor [m]" }, .series = series, .count = 2 };
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
                    : 2.0 / 3.0 * number / s->d * sqrt(def->gravity * cos(def->angle)) * (pow(h, 1.5) - pow(h - z[k], 1.5));
        x[k] = rest || (t > s->mu_s && t < s->mu_2) ? x[k] : 0.0;
    }
    char title[80];
    snprintf(title, sizeof title, "%s on %g deg", rest ? "at rest" : "flow", def->angle / TY_DEG);
    ty_status status = draw_by_height(path, r, value, rest ? "stress normal to the plane [kPa]" : "velocity [m/s]", title, x, z,
                                      rest ? "weight" : "Bagnold with mu(I)", diag);
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
        series[c - 1] = (ty_draw_series){ .kind = TY_SERIES_LINE, .n = r->rows, .x = x, .y = column(r, c, values + (size_t)c * r->rows) };
        panel[c - 1] = (ty_draw_panel){ .x = { .label = r->column[0] }, .y = { .label = r->column[c] }, .series = &series[c - 1], .count = 1 };
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
        series[w] = (ty_draw_series){ .kind = TY_SERIES_LINE, .label = label[w], .n = each, .x = z + (size_t)w * each, .y = p + (size_t)w * each };
    }
    ty_draw_panel panel = { .x = { .label = "sinkage [mm]" }, .y = { .label = "pressure [kPa]" }, .series = series, .count = def->diameters };
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

/* The cut along x and z through y = 0 (the mean over what is periodic): pressure, or speed of what flows, in cells of one spacing. */
static ty_status draw_cut(const char *path, const ty_bed_result *r, const ty_bed_def *def, ty_diag *diag)
{
    double d = def->spacing, low = INFINITY, high = -INFINITY, top = 0.0, wide = 0.0;
    for (size_t i = 0; i < r->particle_count; i++) {
        ty_vec3 x = r->particle[i].x;
        low = fmin(low, x.x);
        high = fmax(high, x.x);
        top = fmax(top, x.z);
        wide = fmax(wide, fabs(x.y));
    }
    bool thin = wide < 10.0 * d; /* periodic across: all of it; else the middle two layers */
    int nx = (int)((high - low) / d) + 3, nz = (int)(top / d) + 4;
    float *value = calloc((size_t)nx * (size_t)nz, sizeof *value), *count = calloc((size_t)nx * (size_t)nz, sizeof *count);
    ty_status status = value && count ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture");
    for (size_t i = 0; i < r->particle_count && status == TY_OK; i++) {
        const ty_crm_particle *p = &r->particle[i];
        if (!thin && fabs(p->x.y) > 1.01 * d) {
            continue;
        }
        int a = (int)((p->x.x - low) / d + 1.0), b = (int)(p->x.z / d + 1.0);
        size_t at = (size_t)(b < 0 ? 0 : b) * (size_t)nx + (size_t)a;
        value[at] += (float)(-1e-3 / 3.0 * (p->stress[0] + p->stress[1] + p->stress[2]));
        count[at] += 1.0f;
    }
    for (int k = 0; k < nx * nz && status == TY_OK; k++) {
        value[k] = count[k] > 0.0f ? value[k] / count[k] : NAN;
    }
    char note[160];
    snprintf(note, sizeof note, "%zu particles, spacing %g mm, %s", r->particle_count, 1e3 * d,
             thin ? "mean across" : "the two layers in the middle");
    ty_draw_map map = ty_draw_map_default();
    map.title = ty_bed_what(r->test);
    map.note = note;
    map.lat = map.lon = (double)NAN;
    map.x0 = low - d;
    map.x1 = map.x0 + nx * d;
    map.y0 = -d;
    map.y1 = map.y0 + nz * d;
    map.layers = 1;
    map.layer[0] = ty_draw_layer_default();
    map.layer[0].nx = nx;
    map.layer[0].ny = nz;
    map.layer[0].value = value;
    map.layer[0].cmap = TY_CMAP_VIRIDIS;
    map.layer[0].smooth = false;
    map.layer[0].legend = "pressure [kPa]";
    map.scale_bar = map.north_arrow = false;
    if (status == TY_OK) {
        status = ty_draw_write_map(path, &map, diag);
    }
    free(value);
    free(count);
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
    snprintf(path, sizeof path, "%s/picture.png", folder);
    return status == TY_OK ? draw_cut(path, r, def, diag) : status;
}
