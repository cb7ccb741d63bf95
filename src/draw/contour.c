/* src/draw/contour.c - contour lines of a grid, with numbers on the heavier ones.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "draw.h"

#define HEAVY  5 /* every fifth line is heavier and has its number */
#define LABELS 64
#define LINES  400 /* more would be a gray surface */

typedef struct contours {
    const tyi_draw_canvas *canvas;
    const ty_draw_frame *frame;
    float *value; /* nx by ny, row 0 north */
    int nx, ny;
    int labels;
    double label[LABELS][3]; /* [px] where numbers stand, and which level they name */
} contours;

static double at(const contours *c, int i, int j)
{
    return (double)c->value[(size_t)j * (size_t)c->nx + (size_t)i];
}

/* pixel of grid position (x, y), centres at whole numbers */
static void to_pixel(const contours *c, double x, double y, double *px, double *py)
{
    *px = c->frame->left + (x + 0.5) / c->nx * (c->frame->right - c->frame->left);
    *py = c->frame->top + (y + 0.5) / c->ny * (c->frame->bottom - c->frame->top);
}

/* Crossings of the level with the four sides of a cell, in order round it; returns how many (0, 2 or 4). */
static int crossings(const contours *c, int i, int j, double level, double point[4][2])
{
    static const int corner[5][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 } };
    int n = 0;
    for (int k = 0; k < 4; k++) {
        double a = at(c, i + corner[k][0], j + corner[k][1]) - level;
        double b = at(c, i + corner[k + 1][0], j + corner[k + 1][1]) - level;
        if (isnan(a) || isnan(b)) {
            return 0;
        }
        if ((a < 0.0) != (b < 0.0)) {
            double t = a / (a - b);
            point[n][0] = i + corner[k][0] + t * (corner[k + 1][0] - corner[k][0]);
            point[n][1] = j + corner[k][1] + t * (corner[k + 1][1] - corner[k][1]);
            n++;
        }
    }
    return n;
}

/* In a saddle the lines keep apart the corners whose sign the middle does not have. */
static bool saddle_turns(const contours *c, int i, int j, double level)
{
    double middle = 0.25 * (at(c, i, j) + at(c, i + 1, j) + at(c, i, j + 1) + at(c, i + 1, j + 1)) - level;
    return (middle < 0.0) == (at(c, i, j) - level < 0.0);
}

static void stroke_level(const contours *c, double level)
{
    cairo_t *cr = c->canvas->cr;
    for (int j = 0; j + 1 < c->ny; j++) {
        for (int i = 0; i + 1 < c->nx; i++) {
            double p[4][2];
            int n = crossings(c, i, j, level, p);
            int shift = n == 4 && !saddle_turns(c, i, j, level) ? 3 : 0;
            for (int k = 0; k + 1 < n; k += 2) {
                double x0, y0, x1, y1;
                const double *a = p[(k + shift) % 4], *b = p[(k + shift + 1) % 4];
                to_pixel(c, a[0], a[1], &x0, &y0);
                to_pixel(c, b[0], b[1], &x1, &y1);
                cairo_move_to(cr, x0, y0);
                cairo_line_to(cr, x1, y1);
            }
        }
    }
    cairo_stroke(cr);
}

static bool has_room(const contours *c, double px, double py, double level)
{
    const double font = c->canvas->font, margin = 3.0 * font;
    const ty_draw_frame *f = c->frame;
    if (px < f->left + margin || px > f->right - margin || py < f->top + margin || py > f->bottom - margin) {
        return false;
    }
    for (int k = 0; k < c->labels; k++) {
        double apart = c->label[k][2] == level ? 16.0 * font : 5.0 * font;
        if (hypot(px - c->label[k][0], py - c->label[k][1]) < apart) {
            return false;
        }
    }
    return true;
}

/* Writes the level's number along the line, wherever there is room far enough from the others. */
static void label_level(contours *c, double level)
{
    char text[32];
    snprintf(text, sizeof text, "%s%g", level < 0.0 ? "\u2212" : "", fabs(level));
    const int reach = 3; /* cells over which the direction is taken, so that it does not follow each bend */
    for (int j = reach; j + reach < c->ny; j++) {
        for (int i = reach; i + reach < c->nx; i++) {
            double p[4][2], px, py;
            if (c->labels == LABELS || crossings(c, i, j, level, p) != 2) {
                continue;
            }
            to_pixel(c, 0.5 * (p[0][0] + p[1][0]), 0.5 * (p[0][1] + p[1][1]), &px, &py);
            if (!has_room(c, px, py, level)) {
                continue;
            }
            double gx = at(c, i + reach, j) - at(c, i - reach, j), gy = at(c, i, j + reach) - at(c, i, j - reach);
            double angle = atan2(gx, gy); /* across the gradient, y down */
            if (isnan(angle)) {
                continue;
            }
            angle = remainder(angle, 3.14159265358979323846); /* upright */
            tyi_draw_text style = {
                .size = 0.8 * c->canvas->font, .ax = 0.5, .ay = 0.5, .angle = angle, .halo = true, .color = tyi_draw_ink
            };
            tyi_draw_text_draw(c->canvas->cr, &style, px, py, text);
            c->label[c->labels][0] = px;
            c->label[c->labels][1] = py;
            c->label[c->labels++][2] = level;
        }
    }
}

static ty_status span_of(const contours *c, const ty_draw_overlay *overlay, double *first, double *last, ty_diag *diag)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < (size_t)c->nx * (size_t)c->ny; i++) {
        if (isfinite(c->value[i])) {
            low = fmin(low, (double)c->value[i]);
            high = fmax(high, (double)c->value[i]);
        }
    }
    *first = ceil(low / overlay->step);
    *last = floor(high / overlay->step);
    if (*last - *first > LINES) {
        return ty_fail(diag, TY_ERR_RANGE, "map: contours every %g make %.0f lines; at most %d are drawn",
                       overlay->step, *last - *first, LINES);
    }
    return TY_OK;
}

ty_status tyi_draw_contours_draw(const tyi_draw_canvas *canvas, const ty_draw_frame *frame,
                                 const ty_draw_overlay *overlay, ty_draw_color color, ty_diag *diag)
{
    /* half the picture's resolution: lines a pixel wide show no more, and noise below that is averaged out */
    contours c = { .canvas = canvas,
                   .frame = frame,
                   .nx = (int)(0.5 * (frame->right - frame->left)),
                   .ny = (int)(0.5 * (frame->bottom - frame->top)) };
    c.value = malloc((size_t)c.nx * (size_t)c.ny * sizeof *c.value);
    if (!c.value) {
        return ty_fail(diag, TY_ERR_MEMORY, "map: no memory for contours");
    }
    tyi_draw_layer_resample(overlay->value, overlay->nx, overlay->ny, c.nx, c.ny, true, c.value);
    double first, last;
    ty_status status = span_of(&c, overlay, &first, &last, diag);
    cairo_save(canvas->cr);
    cairo_set_line_cap(canvas->cr, CAIRO_LINE_CAP_ROUND);
    double width = (overlay->size > 0.0 ? overlay->size : 0.7) * canvas->unit;
    for (double k = first; status == TY_OK && k <= last; k++) {
        bool heavy = fmod(k, HEAVY) == 0.0;
        tyi_draw_color_set(canvas->cr, color, heavy ? 0.9 : 0.55);
        cairo_set_line_width(canvas->cr, heavy ? 1.8 * width : width);
        stroke_level(&c, k * overlay->step);
    }
    for (double k = HEAVY * ceil(first / HEAVY); status == TY_OK && k <= last; k += HEAVY) {
        label_level(&c, k * overlay->step);
    }
    cairo_restore(canvas->cr);
    free(c.value);
    return status;
}
