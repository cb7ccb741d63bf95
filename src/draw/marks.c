/* src/draw/marks.c - lines and text over an image.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "draw.h"
#include "inner.h"

/* [0, 255] sample of a pixel, alpha left out: gray images give it for every colour */
static uint32_t sample(const ty_image *image, size_t pixel, int color)
{
    size_t at = pixel * (size_t)image->channels + (size_t)(image->channels >= 3 ? color : 0);
    return image->bits == 16 ? ((const uint16_t *)image->data)[at] >> 8 : ((const uint8_t *)image->data)[at];
}

static void paint_image(const tyi_draw_canvas *canvas, const ty_image *image)
{
    cairo_surface_flush(canvas->surface);
    unsigned char *data = cairo_image_surface_get_data(canvas->surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(canvas->surface), w = (size_t)image->width;
    for (size_t i = 0; i < w * (size_t)image->height; i++) {
        uint32_t pixel = sample(image, i, 0) << 16 | sample(image, i, 1) << 8 | sample(image, i, 2);
        memcpy(data + i / w * stride + 4 * (i % w), &pixel, 4);
    }
    cairo_surface_mark_dirty(canvas->surface);
}

static void draw_mark(const tyi_draw_canvas *canvas, const ty_draw_mark *m)
{
    cairo_t *cr = canvas->cr;
    double dash[2] = { 2.0 * canvas->unit, 3.0 * canvas->unit };
    if (m->width > 0.0) {
        cairo_new_path(cr);
        for (size_t i = 0; i < m->n; i++) {
            cairo_line_to(cr, m->x[i], m->y[i]);
        }
        cairo_set_dash(cr, dash, m->dashed ? 2 : 0, 0.0);
        cairo_set_line_width(cr, m->width);
        tyi_draw_color_set(cr, m->color, 1.0);
        cairo_stroke(cr);
        cairo_set_dash(cr, NULL, 0, 0.0);
    }
    if (m->text && m->n) { /* dark edges keep text readable over bright ground */
        tyi_draw_text style = {
            .size = canvas->font, .ay = 0.5, .bold = true, .color = { 0.0, 0.0, 0.0, 0.75 * m->color.a }
        };
        for (int k = 0; k < 4; k++) {
            tyi_draw_text_draw(cr, &style, m->x[0] + (k & 1 ? 1.0 : -1.0), m->y[0] + (k & 2 ? 1.0 : -1.0), m->text);
        }
        style.color = m->color;
        tyi_draw_text_draw(cr, &style, m->x[0], m->y[0], m->text);
    }
}

ty_status tyi_draw_write_marks(const char *path, const ty_image *image, const ty_draw_mark *mark, size_t marks,
                               double font, ty_diag *diag)
{
    if (image->width < 1 || image->height < 1 || image->width > 32768 || image->height > 32768 || image->channels < 1 ||
        image->channels > 4) {
        return ty_fail(diag, TY_ERR_RANGE, "%s: an image of %d x %d pixels and %d channels cannot be drawn over", path,
                       image->width, image->height, image->channels);
    }
    tyi_draw_canvas canvas;
    size_t n = strlen(path);
    if (n < 4 || strcmp(path + n - 4, ".png")) {
        return ty_fail(diag, TY_ERR_INPUT, "%s: a picture with lines over it must end in .png", path);
    }
    ty_status status = tyi_draw_canvas_open(&canvas, path, image->width, image->height, font, diag);
    if (status == TY_OK && cairo_surface_status(canvas.surface) == CAIRO_STATUS_SUCCESS) {
        paint_image(&canvas, image);
        for (size_t i = 0; i < marks; i++) {
            draw_mark(&canvas, &mark[i]);
        }
    }
    return status == TY_OK ? tyi_draw_canvas_close(&canvas, status, diag) : status;
}
