/* src/draw/series.c - the data of a plot: lines, points, steps, bars, bands, error bars.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "draw.h"
#include "inner.h"

ty_draw_color tyi_draw_series_color(const ty_draw_series *series, int number)
{
    return series->color.a > 0.0 ? series->color : ty_draw_palette(number);
}

static double line_width(const ty_draw_series *s, const tyi_draw_canvas *canvas)
{
    bool own = s->size > 0.0 && s->kind != TY_SERIES_POINTS;
    return (own ? s->size : 1.7) * canvas->unit;
}

static double symbol_size(const ty_draw_series *s, const tyi_draw_canvas *canvas)
{
    bool own = s->size > 0.0 && s->kind == TY_SERIES_POINTS;
    return (own ? s->size : 5.5) * canvas->unit;
}

static void set_dash(cairo_t *cr, ty_draw_dash dash, double width)
{
    double pattern[3][4] = { { 4.5 * width, 2.2 * width, 4.5 * width, 2.2 * width },
                             { 1.1 * width, 1.6 * width, 1.1 * width, 1.6 * width },
                             { 5.0 * width, 1.8 * width, 1.1 * width, 1.8 * width } };
    if (dash > TY_DASH_SOLID && dash <= TY_DASH_DASHDOT) {
        cairo_set_dash(cr, pattern[dash - 1], 4, 0.0);
    } else {
        cairo_set_dash(cr, NULL, 0, 0.0);
    }
}

/* Far outside the box Cairo's numbers would overflow; inside a few boxes' width nothing is seen of the change. */
static bool to_pixel(const ty_draw_frame *f, double x, double y, double *px, double *py)
{
    tyi_draw_frame_point(f, x, y, px, py);
    if (!isfinite(*px) || !isfinite(*py)) {
        return false;
    }
    const double far = 30000.0;
    *px = fmin(fmax(*px, -far), far);
    *py = fmin(fmax(*py, -far), far);
    return true;
}

static void trace_line(cairo_t *cr, const ty_draw_frame *f, const ty_draw_series *s)
{
    bool pen = false;
    for (size_t i = 0; i < s->n; i++) {
        double px, py;
        if (!to_pixel(f, s->x[i], s->y[i], &px, &py)) {
            pen = false;
        } else if (pen) {
            cairo_line_to(cr, px, py);
        } else {
            cairo_move_to(cr, px, py);
            pen = true;
        }
    }
}

/* where bars stand: zero, or the lowest visible value */
static double base_of(const ty_draw_frame *f)
{
    return f->log_y ? f->y0 : fmin(fmax(0.0, f->y0), f->y1);
}

/* stairs from edge to edge; with feet, each run of bins starts and ends at the base */
static void trace_steps(cairo_t *cr, const ty_draw_frame *f, const ty_draw_series *s, bool feet)
{
    bool pen = false;
    double base = base_of(f);
    for (size_t i = 0; i <= s->n; i++) {
        double x0, x1, y, foot, value = i < s->n ? s->y[i] : 0.0;
        value = f->log_y && value <= 0.0 ? base : value; /* an empty bin */
        bool good = i < s->n && to_pixel(f, s->x[i], value, &x0, &y) && to_pixel(f, s->x[i + 1], value, &x1, &y) &&
                    to_pixel(f, s->x[i], base, &x0, &foot);
        if (!good) {
            if (pen && feet && to_pixel(f, s->x[i], base, &x0, &foot)) {
                cairo_line_to(cr, x0, foot);
            }
            pen = false;
            continue;
        }
        if (!pen) {
            cairo_move_to(cr, x0, feet ? foot : y);
        }
        cairo_line_to(cr, x0, y);
        cairo_line_to(cr, x1, y);
        pen = true;
    }
}

static void fill_bars(cairo_t *cr, const ty_draw_frame *f, const ty_draw_series *s, ty_draw_color color)
{
    trace_steps(cr, f, s, true);
    tyi_draw_color_set(cr, color, 0.30);
    cairo_fill(cr);
}

/* edges as one closed outline per run of good points */
static void fill_band(cairo_t *cr, const ty_draw_frame *f, const ty_draw_series *s, ty_draw_color color)
{
    size_t i = 0;
    while (i < s->n) {
        size_t start = i;
        double px, low, high;
        while (i < s->n && to_pixel(f, s->x[i], s->y_low[i], &px, &low) &&
               to_pixel(f, s->x[i], s->y_high[i], &px, &high)) {
            cairo_line_to(cr, px, high);
            i++;
        }
        for (size_t k = i; k-- > start;) {
            to_pixel(f, s->x[k], s->y_low[k], &px, &low);
            cairo_line_to(cr, px, low);
        }
        cairo_close_path(cr);
        i += i == start;
    }
    tyi_draw_color_set(cr, color, 0.22);
    cairo_fill(cr);
}

static void error_bar(const tyi_draw_canvas *canvas, const ty_draw_frame *f, const double a[2], const double b[2])
{
    double x0, y0, x1, y1, cap = 2.6 * canvas->unit;
    if (!to_pixel(f, a[0], a[1], &x0, &y0) || !to_pixel(f, b[0], b[1], &x1, &y1)) {
        return;
    }
    bool upright = fabs(y1 - y0) >= fabs(x1 - x0);
    double dx = upright ? cap : 0.0, dy = upright ? 0.0 : cap;
    cairo_t *cr = canvas->cr;
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_move_to(cr, x0 - dx, y0 - dy);
    cairo_line_to(cr, x0 + dx, y0 + dy);
    cairo_move_to(cr, x1 - dx, y1 - dy);
    cairo_line_to(cr, x1 + dx, y1 + dy);
}

/* an end at or below zero on a logarithmic axis goes to the edge of the box */
static double visible(double value, bool log, double edge)
{
    return log && value <= 0.0 ? edge : value;
}

static void error_bars(const tyi_draw_canvas *canvas, const ty_draw_frame *f, const ty_draw_series *s,
                       ty_draw_color color)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->y_low && s->y_high) {
            error_bar(canvas, f, (double[]){ s->x[i], visible(s->y_low[i], f->log_y, f->y0) },
                      (double[]){ s->x[i], s->y_high[i] });
        }
        if (s->x_low && s->x_high) {
            error_bar(canvas, f, (double[]){ visible(s->x_low[i], f->log_x, f->x0), s->y[i] },
                      (double[]){ s->x_high[i], s->y[i] });
        }
    }
    cairo_set_line_width(canvas->cr, 1.1 * canvas->unit);
    tyi_draw_color_set(canvas->cr, color, 0.85);
    cairo_stroke(canvas->cr);
}

void tyi_draw_series_draw(const tyi_draw_canvas *canvas, const ty_draw_frame *frame, const ty_draw_series *s,
                          int number)
{
    cairo_t *cr = canvas->cr;
    ty_draw_color color = tyi_draw_series_color(s, number);
    cairo_new_path(cr);
    if (s->kind == TY_SERIES_BAND) {
        fill_band(cr, frame, s, color);
    } else if (s->kind == TY_SERIES_BARS) {
        fill_bars(cr, frame, s, color);
    } else {
        error_bars(canvas, frame, s, color);
    }
    bool steps = s->kind == TY_SERIES_STEP || s->kind == TY_SERIES_BARS;
    if (steps) {
        trace_steps(cr, frame, s, true);
    } else if (s->kind == TY_SERIES_LINE || (s->kind == TY_SERIES_BAND && s->y)) {
        trace_line(cr, frame, s);
    }
    double width = s->kind == TY_SERIES_BARS ? 0.7 * line_width(s, canvas) : line_width(s, canvas);
    cairo_set_line_width(cr, width);
    cairo_set_line_cap(cr, s->dash == TY_DASH_SOLID ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    set_dash(cr, s->dash, width);
    tyi_draw_color_set(cr, color, 1.0);
    cairo_stroke(cr);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_dash(cr, NULL, 0, 0.0);
    bool points = s->kind == TY_SERIES_POINTS || (s->kind == TY_SERIES_LINE && s->symbol != TY_SYMBOL_NONE);
    for (size_t i = 0; points && i < s->n; i++) {
        double px, py;
        tyi_draw_frame_point(frame, s->x[i], s->y[i], &px, &py);
        bool inside = px >= frame->left - 1.0 && px <= frame->right + 1.0 && py >= frame->top - 1.0 &&
                      py <= frame->bottom + 1.0; /* NaN is not */
        if (inside) {
            tyi_draw_symbol_draw(cr, s->symbol, px, py, symbol_size(s, canvas), color, canvas->unit);
        }
    }
}

void tyi_draw_series_sample(const tyi_draw_canvas *canvas, const ty_draw_series *s, int number, double x, double y,
                            double width)
{
    cairo_t *cr = canvas->cr;
    ty_draw_color color = tyi_draw_series_color(s, number);
    bool filled = s->kind == TY_SERIES_BAND || s->kind == TY_SERIES_BARS;
    cairo_new_path(cr);
    if (filled) {
        double half = 0.36 * canvas->font;
        cairo_rectangle(cr, x, y - half, width, 2.0 * half);
        tyi_draw_color_set(cr, color, s->kind == TY_SERIES_BAND ? 0.22 : 0.30);
        cairo_fill(cr);
    }
    if (s->kind != TY_SERIES_POINTS && (s->kind != TY_SERIES_BAND || s->y)) {
        double stroke = line_width(s, canvas);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + width, y);
        if (s->kind == TY_SERIES_BARS) {
            cairo_new_path(cr);
            double half = 0.36 * canvas->font;
            cairo_rectangle(cr, x, y - half, width, 2.0 * half);
            stroke *= 0.7;
        }
        cairo_set_line_width(cr, stroke);
        set_dash(cr, s->dash, stroke);
        tyi_draw_color_set(cr, color, 1.0);
        cairo_stroke(cr);
        cairo_set_dash(cr, NULL, 0, 0.0);
    }
    if (s->kind == TY_SERIES_POINTS || (s->kind == TY_SERIES_LINE && s->symbol != TY_SYMBOL_NONE)) {
        tyi_draw_symbol_draw(cr, s->symbol, x + 0.5 * width, y, symbol_size(s, canvas), color, canvas->unit);
    }
}
