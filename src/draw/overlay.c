/* src/draw/overlay.c - points, circles, paths and text on a map.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "draw.h"
#include "inner.h"

#define PI 3.14159265358979323846

ty_draw_color tyi_draw_overlay_color(const ty_draw_overlay *overlay, int number)
{
    if (overlay->color.a > 0.0) {
        return overlay->color;
    }
    bool dark = overlay->kind == TY_OVERLAY_CONTOURS || overlay->kind == TY_OVERLAY_TEXT;
    static const int order[6] = { 1, 7, 5, 3, 4, 2 }; /* what stands out most on gray, dark and coloured ground first */
    return dark ? tyi_draw_ink : ty_draw_palette(order[number % 6]);
}

int tyi_draw_overlay_number(const ty_draw_map *map, int i)
{
    int number = 0;
    for (int k = 0; k < i; k++) {
        const ty_draw_overlay *o = &map->overlay[k];
        number += o->color.a <= 0.0 && o->kind != TY_OVERLAY_CONTOURS && o->kind != TY_OVERLAY_TEXT;
    }
    return number;
}

static double size_of(const ty_draw_overlay *overlay, const tyi_draw_canvas *canvas)
{
    double own = overlay->kind == TY_OVERLAY_POINTS ? 5.0 : overlay->kind == TY_OVERLAY_PATH ? 2.0 : 1.3;
    return (overlay->size > 0.0 ? overlay->size : own) * canvas->unit;
}

/* twice: a pale rim first, so that the line is seen on dark and on bright ground */
static void stroke_rimmed(cairo_t *cr, ty_draw_color color, double width, double unit)
{
    cairo_set_line_width(cr, width + 1.6 * unit);
    tyi_draw_color_set(cr, tyi_draw_paper, 0.55);
    cairo_stroke_preserve(cr);
    cairo_set_line_width(cr, width);
    tyi_draw_color_set(cr, color, 1.0);
    cairo_stroke(cr);
}

static void draw_path(const tyi_draw_canvas *canvas, const ty_draw_frame *frame, const ty_draw_overlay *o,
                      ty_draw_color color)
{
    bool pen = false;
    for (size_t i = 0; i < o->n; i++) {
        double px, py;
        tyi_draw_frame_point(frame, o->x[i], o->y[i], &px, &py);
        if (!isfinite(px) || !isfinite(py)) {
            pen = false;
        } else if (pen) {
            cairo_line_to(canvas->cr, px, py);
        } else {
            cairo_move_to(canvas->cr, px, py);
            pen = true;
        }
    }
    stroke_rimmed(canvas->cr, color, size_of(o, canvas), canvas->unit);
}

static void draw_item(const tyi_draw_canvas *canvas, const ty_draw_frame *frame, const ty_draw_overlay *o, size_t i,
                      ty_draw_color color)
{
    cairo_t *cr = canvas->cr;
    double px, py, room = 0.0;
    tyi_draw_frame_point(frame, o->x[i], o->y[i], &px, &py);
    if (!isfinite(px) || !isfinite(py)) {
        return;
    }
    tyi_draw_text style = { .size = 0.9 * canvas->font, .ay = 0.5, .halo = true, .color = tyi_draw_ink };
    if (o->kind == TY_OVERLAY_TEXT) {
        style.ax = 0.5;
        style.color = color;
    } else if (o->kind == TY_OVERLAY_CIRCLES) {
        room = o->radius[i] * (frame->right - frame->left) / (frame->x1 - frame->x0);
        cairo_arc(cr, px, py, room, 0.0, 2.0 * PI);
        stroke_rimmed(cr, color, size_of(o, canvas), 0.7 * canvas->unit);
    } else {
        double size = size_of(o, canvas);
        room = 0.5 * size;
        if (o->symbol <= TY_SYMBOL_DIAMOND) {
            tyi_draw_symbol_draw(cr, o->symbol, px, py, size + 1.6 * canvas->unit, tyi_draw_paper, canvas->unit);
        }
        tyi_draw_symbol_draw(cr, o->symbol, px, py, size, color, canvas->unit);
    }
    if (o->text && o->text[i]) {
        double gap = o->kind == TY_OVERLAY_TEXT ? 0.0 : 0.35 * canvas->font;
        tyi_draw_text_draw(cr, &style, px + room + gap, py, o->text[i]);
    }
}

ty_status tyi_draw_overlay_draw(const tyi_draw_canvas *canvas, const ty_draw_frame *frame,
                                const ty_draw_overlay *overlay, int number, ty_diag *diag)
{
    ty_draw_color color = tyi_draw_overlay_color(overlay, number);
    if (overlay->kind == TY_OVERLAY_CONTOURS) {
        return tyi_draw_contours_draw(canvas, frame, overlay, color, diag);
    }
    if (overlay->kind == TY_OVERLAY_PATH) {
        draw_path(canvas, frame, overlay, color);
        return TY_OK;
    }
    for (size_t i = 0; i < overlay->n; i++) {
        draw_item(canvas, frame, overlay, i, color);
    }
    return TY_OK;
}

void tyi_draw_overlay_sample(const tyi_draw_canvas *canvas, const ty_draw_overlay *overlay, int number, double x,
                             double y, double width)
{
    cairo_t *cr = canvas->cr;
    ty_draw_color color = tyi_draw_overlay_color(overlay, number);
    if (overlay->kind == TY_OVERLAY_POINTS) {
        tyi_draw_symbol_draw(cr, overlay->symbol, x + 0.5 * width, y,
                             fmax(size_of(overlay, canvas), 4.0 * canvas->unit), color, canvas->unit);
        return;
    }
    cairo_new_path(cr);
    if (overlay->kind == TY_OVERLAY_CIRCLES) {
        cairo_arc(cr, x + 0.5 * width, y, 0.4 * canvas->font, 0.0, 2.0 * PI);
    } else {
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + width, y);
    }
    tyi_draw_color_set(cr, color, 1.0);
    cairo_set_line_width(cr, size_of(overlay, canvas));
    cairo_stroke(cr);
}
