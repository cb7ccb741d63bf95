/* src/draw/canvas.c - a Cairo surface that becomes a file; text, symbols.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cairo-svg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "draw.h"

#define PI 3.14159265358979323846

const ty_draw_color tyi_draw_ink = { 0.13, 0.13, 0.15, 1.0 };
const ty_draw_color tyi_draw_soft = { 0.42, 0.42, 0.45, 1.0 };
const ty_draw_color tyi_draw_paper = { 1.0, 1.0, 1.0, 1.0 };

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && !strcasecmp(path + n - m, ending);
}

ty_status tyi_draw_check_path(const char *path, ty_diag *diag)
{
    if (!ends_in(path, ".png") && !ends_in(path, ".svg")) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: a picture's name must end in .png or .svg", path);
    }
    return TY_OK;
}

static cairo_status_t svg_write(void *closure, const unsigned char *data, unsigned int length)
{
    FILE *file = closure;
    return fwrite(data, 1, length, file) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static void set_up(tyi_draw_canvas *canvas, double font)
{
    canvas->font = font;
    canvas->unit = font / 13.0;
    canvas->cr = cairo_create(canvas->surface);
    cairo_set_line_join(canvas->cr, CAIRO_LINE_JOIN_ROUND);
    /* hinting would move glyphs to whole pixels, and text would not be as wide as it was measured */
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(canvas->cr, options);
    cairo_font_options_destroy(options);
}

ty_status tyi_draw_canvas_measure(tyi_draw_canvas *canvas, double font, ty_diag *diag)
{
    *canvas = (tyi_draw_canvas){ .surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1) };
    set_up(canvas, font);
    if (cairo_status(canvas->cr) != CAIRO_STATUS_SUCCESS) {
        cairo_destroy(canvas->cr);
        cairo_surface_destroy(canvas->surface);
        return ty_fail(diag, TY_ERR_MEMORY, "draw: no memory to measure text");
    }
    return TY_OK;
}

ty_status tyi_draw_canvas_open(tyi_draw_canvas *canvas, const char *path, int width, int height, double font,
                               ty_diag *diag)
{
    *canvas = (tyi_draw_canvas){ .width = width, .height = height, .svg = ends_in(path, ".svg") };
    if (canvas->svg) {
        ty_status status = tyi_io_out_open(&canvas->out, path, diag);
        if (status != TY_OK) {
            return status;
        }
        canvas->surface = cairo_svg_surface_create_for_stream(svg_write, canvas->out.file, width, height);
    } else {
        canvas->out.path = path;
        canvas->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    }
    set_up(canvas, font);
    tyi_draw_color_set(canvas->cr, tyi_draw_paper, 1.0);
    cairo_paint(canvas->cr);
    return TY_OK;
}

static ty_status write_png(const tyi_draw_canvas *canvas, ty_diag *diag)
{
    const int w = canvas->width, h = canvas->height;
    uint8_t *rgb = malloc((size_t)w * (size_t)h * 3);
    if (!rgb) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for %d x %d pixels", canvas->out.path, w, h);
    }
    cairo_surface_flush(canvas->surface);
    const unsigned char *data = cairo_image_surface_get_data(canvas->surface);
    int stride = cairo_image_surface_get_stride(canvas->surface);
    for (int y = 0; y < h; y++) {
        const unsigned char *row = data + (size_t)y * (size_t)stride;
        for (int x = 0; x < w; x++) {
            uint32_t pixel; /* 0xRRGGBB in the machine's byte order */
            memcpy(&pixel, row + 4 * (size_t)x, 4);
            uint8_t *to = rgb + 3 * ((size_t)y * (size_t)w + (size_t)x);
            to[0] = (uint8_t)(pixel >> 16);
            to[1] = (uint8_t)(pixel >> 8);
            to[2] = (uint8_t)pixel;
        }
    }
    ty_status status = ty_png_write(canvas->out.path, w, h, 3, 8, rgb, diag);
    free(rgb);
    return status;
}

ty_status tyi_draw_canvas_close(tyi_draw_canvas *canvas, ty_status status, ty_diag *diag)
{
    const char *path = canvas->out.path;
    cairo_status_t cairo = cairo_status(canvas->cr);
    if (status == TY_OK && cairo == CAIRO_STATUS_INVALID_STRING) {
        status = ty_fail(diag, TY_ERR_INPUT, "%s: a title, label or text is not UTF-8", path);
    } else if (status == TY_OK && cairo != CAIRO_STATUS_SUCCESS) {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: cannot be drawn: %s", path, cairo_status_to_string(cairo));
    }
    if (canvas->svg) {
        cairo_surface_finish(canvas->surface);
        status = tyi_io_out_close(&canvas->out, status, diag);
    } else if (status == TY_OK && path) {
        status = write_png(canvas, diag);
    }
    cairo_destroy(canvas->cr);
    cairo_surface_destroy(canvas->surface);
    return status;
}

void tyi_draw_color_set(cairo_t *cr, ty_draw_color color, double opacity)
{
    cairo_set_source_rgba(cr, color.r, color.g, color.b, color.a * opacity);
}

static void select_font(cairo_t *cr, double size, bool bold)
{
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

double tyi_draw_text_width(cairo_t *cr, double size, bool bold, const char *text)
{
    cairo_text_extents_t extents;
    select_font(cr, size, bold);
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

void tyi_draw_text_draw(cairo_t *cr, const tyi_draw_text *style, double x, double y, const char *text)
{
    const double cap = 0.729; /* height of a capital of DejaVu Sans [em]: lines are set by it, whatever they say */
    double width = tyi_draw_text_width(cr, style->size, style->bold, text);
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, -style->angle);
    cairo_move_to(cr, -style->ax * width, (1.0 - style->ay) * cap * style->size);
    if (style->halo) {
        cairo_text_path(cr, text);
        tyi_draw_color_set(cr, tyi_draw_paper, 0.85);
        cairo_set_line_width(cr, 0.28 * style->size);
        cairo_stroke(cr);
        cairo_move_to(cr, -style->ax * width, (1.0 - style->ay) * cap * style->size);
    }
    tyi_draw_color_set(cr, style->color, 1.0);
    cairo_show_text(cr, text);
    cairo_new_path(cr); /* show_text leaves a point that the next arc would be joined to */
    cairo_restore(cr);
}

static void polygon(cairo_t *cr, double x, double y, double r, int corners, double start)
{
    for (int k = 0; k < corners; k++) {
        double angle = start + 2.0 * PI * k / corners;
        cairo_line_to(cr, x + r * cos(angle), y - r * sin(angle));
    }
    cairo_close_path(cr);
}

void tyi_draw_symbol_draw(cairo_t *cr, ty_draw_symbol symbol, double x, double y, double size, ty_draw_color color,
                          double unit)
{
    double r = 0.5 * size;
    cairo_new_path(cr);
    cairo_set_line_width(cr, 1.4 * unit);
    tyi_draw_color_set(cr, color, 1.0);
    switch (symbol) {
    case TY_SYMBOL_SQUARE:
        polygon(cr, x, y, 1.25 * r, 4, 0.25 * PI);
        break;
    case TY_SYMBOL_TRIANGLE:
        polygon(cr, x, y, 1.25 * r, 3, 0.5 * PI);
        break;
    case TY_SYMBOL_DIAMOND:
        polygon(cr, x, y, 1.25 * r, 4, 0.0);
        break;
    case TY_SYMBOL_CROSS:
    case TY_SYMBOL_PLUS:
        for (int k = 0; k < 2; k++) {
            double angle = (symbol == TY_SYMBOL_CROSS ? 0.25 * PI : 0.0) + 0.5 * PI * k;
            cairo_move_to(cr, x - r * cos(angle), y - r * sin(angle));
            cairo_line_to(cr, x + r * cos(angle), y + r * sin(angle));
        }
        cairo_stroke(cr);
        return;
    case TY_SYMBOL_RING:
        cairo_arc(cr, x, y, r, 0.0, 2.0 * PI);
        cairo_stroke(cr);
        return;
    case TY_SYMBOL_NONE:
    case TY_SYMBOL_DISC:
    default:
        cairo_arc(cr, x, y, r, 0.0, 2.0 * PI);
        break;
    }
    cairo_fill(cr);
}

void tyi_draw_plate_draw(cairo_t *cr, double x, double y, double width, double height, double radius)
{
    cairo_new_path(cr);
    cairo_arc(cr, x + width - radius, y + radius, radius, -0.5 * PI, 0.0);
    cairo_arc(cr, x + width - radius, y + height - radius, radius, 0.0, 0.5 * PI);
    cairo_arc(cr, x + radius, y + height - radius, radius, 0.5 * PI, PI);
    cairo_arc(cr, x + radius, y + radius, radius, PI, 1.5 * PI);
    cairo_close_path(cr);
    tyi_draw_color_set(cr, tyi_draw_paper, 0.82);
    cairo_fill(cr);
}
