/* src/draw/sheet.c - contact sheets.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "draw.h"
#include "sheet.h"

#define FONT 15.0
#define GAP  10 /* [px] */
#define LINE 24 /* [px] of text */

static void draw_tile(tyi_draw_canvas *canvas, const tyi_draw_tile *tile, int x, int y, int width, int height)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    unsigned char *data = tile->rgb ? cairo_image_surface_get_data(image) : NULL;
    size_t stride = (size_t)cairo_image_surface_get_stride(image);
    for (int j = 0; data && j < height; j++) {
        for (int i = 0; i < width; i++) {
            const uint8_t *p = tile->rgb + 3 * ((size_t)j * (size_t)width + (size_t)i);
            uint32_t pixel = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
            memcpy(data + (size_t)j * stride + 4 * (size_t)i, &pixel, 4);
        }
    }
    if (data) {
        cairo_surface_mark_dirty(image);
        cairo_set_source_surface(canvas->cr, image, x, y);
        cairo_paint(canvas->cr);
    }
    cairo_surface_destroy(image);
    if (tile->text) {
        tyi_draw_text style = { .size = FONT, .ay = 0.5, .color = tyi_draw_ink };
        tyi_draw_text_draw(canvas->cr, &style, x, y + height + 0.5 * LINE + 0.2 * FONT, tile->text);
    }
}

ty_status tyi_draw_write_sheet(const char *path, const char *title, const tyi_draw_tile *tile, int count, int columns,
                               int width, int height, ty_diag *diag)
{
    int rows = columns > 0 ? (count + columns - 1) / columns : 0;
    int top = title ? LINE + GAP : GAP;
    int64_t w = GAP + (int64_t)columns * (width + GAP);
    int64_t h = top + (int64_t)rows * (height + LINE + GAP);
    if (count < 1 || count > 144 || columns < 1 || columns > count || width < 1 || width > 4096 || height < 1 ||
        height > 4096 || w > 8192 || h > 8192) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "%s: a sheet of %d tiles of %d x %d pixels in %d columns; 1 to 144 tiles and "
                       "8192 pixels a side are accepted",
                       path, count, width, height, columns);
    }
    tyi_draw_canvas canvas;
    ty_status status = tyi_draw_check_path(path, diag);
    status = status == TY_OK ? tyi_draw_canvas_open(&canvas, path, (int)w, (int)h, FONT, diag) : status;
    if (status != TY_OK) {
        return status;
    }
    if (title) {
        tyi_draw_text style = { .size = FONT, .ay = 0.5, .bold = true, .color = tyi_draw_ink };
        tyi_draw_text_draw(canvas.cr, &style, GAP, 0.5 * (LINE + GAP) + 0.2 * FONT, title);
    }
    for (int i = 0; i < count; i++) {
        draw_tile(&canvas, &tile[i], GAP + i % columns * (width + GAP), top + i / columns * (height + LINE + GAP),
                  width, height);
    }
    return tyi_draw_canvas_close(&canvas, status, diag);
}
