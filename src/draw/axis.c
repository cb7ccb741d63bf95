/* src/draw/axis.c - the box around the data, its ticks and labels.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "draw.h"
#include "inner.h"

/* how far along the axis, 0 to 1; differences of logarithms, because a ratio may overflow */
static double share(double at, double low, double high, bool log)
{
    return log ? (log10(at) - log10(low)) / (log10(high) - log10(low)) : (at - low) / (high - low);
}

void tyi_draw_frame_point(const ty_draw_frame *f, double x, double y, double *px, double *py)
{
    *px = f->left + share(x, f->x0, f->x1, f->log_x) * (f->right - f->left);
    *py = f->bottom - share(y, f->y0, f->y1, f->log_y) * (f->bottom - f->top);
}

double tyi_draw_ticks_width(cairo_t *cr, double size, const tyi_draw_ticks *ticks)
{
    double widest = 0.0;
    for (int i = 0; i < ticks->count; i++) {
        widest = fmax(widest, tyi_draw_text_width(cr, size, false, ticks->label[i]));
    }
    return widest;
}

void tyi_draw_ticks_fit(cairo_t *cr, double font, double low, double high, bool log, double length, bool across,
                        tyi_draw_ticks *out)
{
    int target = (int)fmin(fmax(length / (across ? 5.0 * font : 3.2 * font), 2.0), 10.0);
    do {
        tyi_draw_ticks_make(low, high, log, target, out);
        target--;
    } while (across && target >= 1 && out->count * (tyi_draw_ticks_width(cr, font, out) + font) > length);
}

/* the middle of the pixel, so that a line of one pixel is sharp */
static double crisp(double at)
{
    return floor(at) + 0.5;
}

static void tick_lines(const tyi_draw_canvas *canvas, const tyi_draw_box *box, const double *at, int count,
                       bool along_x, double length)
{
    const ty_draw_frame *f = &box->frame;
    for (int i = 0; i < count; i++) {
        double px, py;
        tyi_draw_frame_point(f, along_x ? at[i] : f->x0, along_x ? f->y0 : at[i], &px, &py);
        px = crisp(px);
        py = crisp(py);
        if (along_x) {
            cairo_move_to(canvas->cr, px, f->bottom);
            cairo_line_to(canvas->cr, px, f->bottom + length);
        } else {
            cairo_move_to(canvas->cr, f->left, py);
            cairo_line_to(canvas->cr, f->left - length, py);
        }
    }
    cairo_stroke(canvas->cr);
}

void tyi_draw_box_back(const tyi_draw_canvas *canvas, const tyi_draw_box *box)
{
    const ty_draw_frame *f = &box->frame;
    double unit = fmax(1.0, floor(canvas->unit + 0.5));
    cairo_set_line_width(canvas->cr, unit);
    tyi_draw_color_set(canvas->cr, tyi_draw_ink, 0.10);
    tick_lines(canvas, box, box->x.at, box->x.count, true, f->top - f->bottom);
    tick_lines(canvas, box, box->y.at, box->y.count, false, f->left - f->right);
}

static void axis_titles(const tyi_draw_canvas *canvas, const tyi_draw_box *box)
{
    const ty_draw_frame *f = &box->frame;
    const double font = canvas->font, gap = 0.75 * font;
    char text[512];
    tyi_draw_text style = { .size = font, .ax = 0.5, .ay = 0.0, .color = tyi_draw_ink };
    tyi_draw_axis_label(box->label_x, &box->x, text, sizeof text);
    if (box->labels_x && text[0]) {
        tyi_draw_text_draw(canvas->cr, &style, 0.5 * (f->left + f->right), f->bottom + 1.65 * font + gap, text);
    }
    tyi_draw_axis_label(box->label_y, &box->y, text, sizeof text);
    style.ay = 1.0;
    style.angle = 1.57079632679489661923;
    if (text[0]) {
        tyi_draw_text_draw(canvas->cr, &style, f->left - 0.75 * font - box->y_width - gap, 0.5 * (f->top + f->bottom),
                           text);
    }
}

void tyi_draw_box_front(const tyi_draw_canvas *canvas, const tyi_draw_box *box)
{
    const ty_draw_frame *f = &box->frame;
    cairo_t *cr = canvas->cr;
    const double font = canvas->font, long_tick = 0.38 * font;
    double unit = fmax(1.0, floor(canvas->unit + 0.5));
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(cr, unit);
    tyi_draw_color_set(cr, tyi_draw_ink, 1.0);
    cairo_rectangle(cr, crisp(f->left), crisp(f->top), floor(f->right) - floor(f->left),
                    floor(f->bottom) - floor(f->top));
    cairo_stroke(cr);
    tick_lines(canvas, box, box->x.at, box->x.count, true, long_tick);
    tick_lines(canvas, box, box->y.at, box->y.count, false, long_tick);
    tick_lines(canvas, box, box->x.minor, box->x.minor_count, true, 0.5 * long_tick);
    tick_lines(canvas, box, box->y.minor, box->y.minor_count, false, 0.5 * long_tick);
    for (int i = 0; box->labels_x && i < box->x.count; i++) {
        double px, py;
        tyi_draw_frame_point(f, box->x.at[i], f->y0, &px, &py);
        tyi_draw_text style = { .size = font, .ax = 0.5, .ay = 0.0, .color = tyi_draw_ink };
        tyi_draw_text_draw(cr, &style, px, f->bottom + 0.7 * font, box->x.label[i]);
    }
    for (int i = 0; i < box->y.count; i++) {
        double px, py;
        tyi_draw_frame_point(f, f->x0, box->y.at[i], &px, &py);
        tyi_draw_text style = { .size = font, .ax = 1.0, .ay = 0.5, .color = tyi_draw_ink };
        tyi_draw_text_draw(cr, &style, f->left - 0.65 * font, py, box->y.label[i]);
    }
    axis_titles(canvas, box);
}
