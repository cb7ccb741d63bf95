/* src/draw/legend.c - what stands on and beside a map: colour legends, key, scale bar, north arrow.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "map.h"
#include "inner.h"

static bool has_legend(const tyi_draw_map *m, int i)
{
    return i < m->map->layers && m->map->layer[i].legend && m->map->layer[i].value;
}

static int legends(const tyi_draw_map *m)
{
    return has_legend(m, 0) + has_legend(m, 1);
}

static int key_lines(const tyi_draw_map *m)
{
    int n = 0;
    for (int i = 0; i < m->map->overlays; i++) {
        n += m->map->overlay[i].label != NULL;
    }
    return n;
}

static void legend_ticks(const tyi_draw_map *m, int i, double length, cairo_t *cr, tyi_draw_ticks *ticks)
{
    tyi_draw_ticks_fit(cr, m->font, m->span[i].low, m->span[i].high, m->map->layer[i].log, length, false, ticks);
}

double tyi_draw_map_column(const tyi_draw_map *m, cairo_t *cr)
{
    const double font = m->font;
    double width = 0.0;
    for (int i = 0; i < 2; i++) {
        if (has_legend(m, i)) {
            tyi_draw_ticks ticks;
            legend_ticks(m, i, 20.0 * font, cr, &ticks);
            width = fmax(width, 4.4 * font + tyi_draw_ticks_width(cr, font, &ticks));
        }
    }
    for (int i = 0; i < m->map->overlays; i++) {
        const char *label = m->map->overlay[i].label;
        if (label) {
            width = fmax(width, 2.2 * font + tyi_draw_text_width(cr, font, false, label));
        }
    }
    return width;
}

/* the bar itself, pointed where values lie beyond its ends */
static void legend_bar(const tyi_draw_map *m, const tyi_draw_canvas *canvas, int i, const ty_draw_frame *f)
{
    cairo_t *cr = canvas->cr;
    const ty_draw_layer *layer = &m->map->layer[i];
    const double point = 0.9 * (f->right - f->left), middle = 0.5 * (f->left + f->right);
    double top = f->top - (m->span[i].above ? point : 0.0), bottom = f->bottom + (m->span[i].below ? point : 0.0);
    cairo_new_path(cr);
    cairo_move_to(cr, f->left, f->bottom);
    cairo_line_to(cr, f->left, f->top);
    cairo_line_to(cr, middle, top);
    cairo_line_to(cr, f->right, f->top);
    cairo_line_to(cr, f->right, f->bottom);
    cairo_line_to(cr, middle, bottom);
    cairo_close_path(cr);
    cairo_path_t *outline = cairo_copy_path(cr);
    cairo_save(cr);
    cairo_clip(cr);
    cairo_set_antialias(cr, CAIRO_ANTIALIAS_NONE); /* stripes that share an edge leave no seam */
    for (double y = floor(top); y < bottom; y++) {
        double u = (f->bottom - y - 0.5) / (f->bottom - f->top);
        u = fmin(fmax(u, 0.0), 1.0);
        tyi_draw_color_set(cr, ty_draw_cmap_color(layer->cmap, layer->reverse ? 1.0 - u : u), 1.0);
        cairo_rectangle(cr, f->left, y, f->right - f->left, 1.0);
        cairo_fill(cr);
    }
    cairo_restore(cr);
    cairo_append_path(cr, outline);
    cairo_path_destroy(outline);
    cairo_set_line_width(cr, fmax(1.0, floor(canvas->unit + 0.5)));
    tyi_draw_color_set(cr, tyi_draw_ink, 1.0);
    cairo_stroke(cr);
}

static void draw_legend(const tyi_draw_map *m, const tyi_draw_canvas *canvas, int i, double top, double bottom)
{
    cairo_t *cr = canvas->cr;
    const double font = m->font;
    ty_draw_frame f = { .left = floor(m->box.frame.right + 1.4 * font) + 0.5,
                        .top = floor(top) + 0.5,
                        .bottom = floor(bottom) + 0.5,
                        .x1 = 1.0,
                        .y0 = m->span[i].low,
                        .y1 = m->span[i].high,
                        .log_y = m->map->layer[i].log };
    f.right = f.left + floor(1.3 * font);
    legend_bar(m, canvas, i, &f);
    tyi_draw_ticks ticks;
    legend_ticks(m, i, bottom - top, cr, &ticks);
    for (int k = 0; k < ticks.count; k++) {
        double px, py;
        tyi_draw_frame_point(&f, 1.0, ticks.at[k], &px, &py);
        py = floor(py) + 0.5;
        tyi_draw_color_set(cr, tyi_draw_ink, 1.0);
        cairo_move_to(cr, px, py);
        cairo_line_to(cr, px + 0.35 * font, py);
        cairo_stroke(cr);
        tyi_draw_text style = { .size = font, .ay = 0.5, .color = tyi_draw_ink };
        tyi_draw_text_draw(cr, &style, px + 0.6 * font, py, ticks.label[k]);
    }
    char text[512];
    tyi_draw_axis_label(m->map->layer[i].legend, &ticks, text, sizeof text);
    tyi_draw_text style = {
        .size = font, .ax = 0.5, .ay = 0.0, .angle = 1.57079632679489661923, .color = tyi_draw_ink
    };
    tyi_draw_text_draw(cr, &style, f.right + 1.5 * font + tyi_draw_ticks_width(cr, font, &ticks), 0.5 * (top + bottom),
                       text);
}

void tyi_draw_map_column_draw(const tyi_draw_map *m, const tyi_draw_canvas *canvas)
{
    const ty_draw_frame *f = &m->box.frame;
    const double font = m->font;
    int bars = legends(m), lines = key_lines(m);
    double key_height = lines ? (1.6 * lines + 1.0) * font : 0.0;
    double room = f->bottom - f->top - key_height;
    double top = f->top, point = 1.2 * font; /* room for a pointed end */
    for (int i = 0; i < 2; i++) {
        if (has_legend(m, i)) {
            double share = room / bars;
            double height = fmax(fmin(share - 2.0 * point, 32.0 * font), 3.0 * font);
            double start = top + point;
            draw_legend(m, canvas, i, start, start + height);
            top += fmin(share, height + 4.0 * point);
        }
    }
    double x = f->right + 1.4 * font, y = bars ? f->bottom - key_height + 1.0 * font : f->top + 0.8 * font;
    for (int i = 0; i < m->map->overlays; i++) {
        const ty_draw_overlay *overlay = &m->map->overlay[i];
        if (overlay->label) {
            tyi_draw_overlay_sample(canvas, overlay, tyi_draw_overlay_number(m->map, i), x, y, 1.4 * font);
            tyi_draw_text style = { .size = font, .ay = 0.5, .color = tyi_draw_ink };
            tyi_draw_text_draw(canvas->cr, &style, x + 2.0 * font, y, overlay->label);
            y += 1.6 * font;
        }
    }
}

void tyi_draw_map_scale_bar(const tyi_draw_map *m, const tyi_draw_canvas *canvas)
{
    cairo_t *cr = canvas->cr;
    const ty_draw_frame *f = &m->box.frame;
    const double font = m->font, pad = 0.7 * font;
    /* the largest of 1, 2, 5 times a power of ten that takes up to a quarter of the width */
    double metres = m->map->x1 - m->map->x0, per_metre = (f->right - f->left) / metres;
    double power = pow(10.0, floor(log10(0.25 * metres)));
    double times = 0.25 * metres / power;
    double length = (times >= 5.0 ? 5.0 : times >= 2.0 ? 2.0 : 1.0) * power;
    int parts = times >= 5.0 || times < 2.0 ? 5 : 4;
    char text[32];
    bool km = length >= 1000.0, cm = length < 1.0;
    snprintf(text, sizeof text, "%g %s",
             km   ? 1e-3 * length
             : cm ? 100.0 * length
                  : length,
             km   ? "km"
             : cm ? "cm"
                  : "m");
    double wide = length * per_metre, label = tyi_draw_text_width(cr, font, false, text);
    double box_width = fmax(wide, label) + 2.0 * pad, box_height = 2.75 * font;
    if (box_width > 0.8 * (f->right - f->left) || box_height > 0.5 * (f->bottom - f->top)) {
        return; /* a map this small has its axes */
    }
    double x = floor(f->left + pad), y = floor(f->bottom - pad - box_height);
    tyi_draw_plate_draw(cr, x, y, box_width, box_height, 0.3 * font);
    double left = x + 0.5 * (box_width - wide), top = floor(y + box_height - 0.95 * font),
           bar = fmax(2.0, floor(0.42 * font));
    tyi_draw_color_set(cr, tyi_draw_ink, 1.0);
    for (int k = 0; k < parts; k += 2) {
        cairo_rectangle(cr, left + wide * k / parts, top, wide / parts, bar);
    }
    cairo_fill(cr);
    cairo_rectangle(cr, left, top, wide, bar);
    cairo_set_line_width(cr, fmax(1.0, 0.8 * canvas->unit));
    cairo_stroke(cr);
    tyi_draw_text style = { .size = font, .ax = 0.5, .ay = 1.0, .color = tyi_draw_ink };
    tyi_draw_text_draw(cr, &style, left + 0.5 * wide, top - 0.5 * font, text);
}

void tyi_draw_map_north_arrow(const tyi_draw_map *m, const tyi_draw_canvas *canvas)
{
    cairo_t *cr = canvas->cr;
    const ty_draw_frame *f = &m->box.frame;
    const double font = m->font, pad = 0.7 * font, width = 2.0 * font, height = 3.6 * font;
    if (height > 0.4 * (f->bottom - f->top) || width > 0.4 * (f->right - f->left)) {
        return;
    }
    double x = floor(f->right - pad - width), y = floor(f->top + pad), middle = x + 0.5 * width;
    tyi_draw_plate_draw(cr, x, y, width, height, 0.3 * font);
    tyi_draw_text style = { .size = font, .ax = 0.5, .ay = 0.0, .bold = true, .color = tyi_draw_ink };
    tyi_draw_text_draw(cr, &style, middle, y + 0.4 * font, "N");
    double tip = y + 1.45 * font, foot = y + height - 0.4 * font, half = 0.55 * font;
    tyi_draw_color_set(cr, tyi_draw_ink, 1.0);
    cairo_move_to(cr, middle, tip);
    cairo_line_to(cr, middle + half, foot);
    cairo_line_to(cr, middle, foot - 0.45 * font);
    cairo_line_to(cr, middle - half, foot);
    cairo_close_path(cr);
    cairo_fill(cr);
}
