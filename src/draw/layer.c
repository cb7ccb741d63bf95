/* src/draw/layer.c - grids of values or colours to the pixels of a map.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "draw.h"

static bool usable(const ty_draw_layer *layer, float v)
{
    return isfinite(v) && (!layer->log || v > 0.0f);
}

ty_status tyi_draw_layer_span(const ty_draw_layer *layer, int number, tyi_draw_span *out, ty_diag *diag)
{
    double low = INFINITY, high = -INFINITY;
    size_t n = (size_t)layer->nx * (size_t)layer->ny;
    for (size_t i = 0; i < n; i++) {
        if (usable(layer, layer->value[i])) {
            low = fmin(low, (double)layer->value[i]);
            high = fmax(high, (double)layer->value[i]);
        }
    }
    bool given = layer->low < layer->high;
    if (low > high && !given) {
        return ty_fail(diag, TY_ERR_INPUT, "map: layer %d has no finite%s value to colour", number,
                       layer->log ? " positive" : "");
    }
    *out = (tyi_draw_span){ layer->low, layer->high, low<layer->low, high> layer->high };
    if (!given) {
        *out = (tyi_draw_span){ low, high, false, false };
        if (low == high) { /* one value everywhere: put it in the middle */
            double room = low != 0.0 ? 0.5 * fabs(low) : 0.5;
            out->low -= room;
            out->high += room;
        }
    }
    return TY_OK;
}

/* Mean of the cells under one pixel, by the area they share with it; NaN cells do not count. */
static float mean_under(const float *value, int nx, int ny, double x0, double x1, double y0, double y1)
{
    double sum = 0.0, weight = 0.0;
    for (int j = (int)floor(y0); j < ny && j < y1; j++) {
        double wy = fmin(y1, j + 1.0) - fmax(y0, j);
        for (int i = (int)floor(x0); i < nx && i < x1; i++) {
            double w = wy * (fmin(x1, i + 1.0) - fmax(x0, i));
            float v = value[(size_t)j * (size_t)nx + (size_t)i];
            if (w > 0.0 && isfinite(v)) {
                sum += w * (double)v;
                weight += w;
            }
        }
    }
    return weight > 0.0 ? (float)(sum / weight) : NAN;
}

static int clamp_index(double x, int n)
{
    return (int)fmin(fmax(x, 0.0), n - 1.0);
}

/* Bilinear between cell centres; where a neighbour has no data, the nearest cell. */
static float between(const float *value, int nx, int ny, double x, double y)
{
    double fx = floor(x - 0.5), fy = floor(y - 0.5);
    double u = x - 0.5 - fx, v = y - 0.5 - fy;
    size_t i0 = (size_t)clamp_index(fx, nx), i1 = (size_t)clamp_index(fx + 1.0, nx);
    size_t j0 = (size_t)clamp_index(fy, ny) * (size_t)nx, j1 = (size_t)clamp_index(fy + 1.0, ny) * (size_t)nx;
    double low = (1.0 - u) * (double)value[j0 + i0] + u * (double)value[j0 + i1];
    double high = (1.0 - u) * (double)value[j1 + i0] + u * (double)value[j1 + i1];
    double mixed = (1.0 - v) * low + v * high;
    return isfinite(mixed) ? (float)mixed : value[(v < 0.5 ? j0 : j1) + (u < 0.5 ? i0 : i1)];
}

void tyi_draw_layer_resample(const float *value, int nx, int ny, int width, int height, bool smooth, float *out)
{
    double dx = (double)nx / width, dy = (double)ny / height; /* cells per pixel */
    for (int row = 0; row < height; row++) {
        double y0 = (height - 1 - row) * dy; /* row 0 of the picture is north */
        for (int col = 0; col < width; col++) {
            double x0 = col * dx, x = x0 + 0.5 * dx, y = y0 + 0.5 * dy;
            float *to = &out[(size_t)row * (size_t)width + (size_t)col];
            if (dx > 1.0 || dy > 1.0) {
                *to = mean_under(value, nx, ny, x0, x0 + dx, y0, y0 + dy);
            } else if (smooth) {
                *to = between(value, nx, ny, x, y);
            } else {
                *to = value[(size_t)clamp_index(y, ny) * (size_t)nx + (size_t)clamp_index(x, nx)];
            }
        }
    }
}

#define SHADES 1024

typedef struct picture {
    int width, height;
    uint32_t *pixels; /* 0xAARRGGBB, opacity multiplied in, as Cairo has it */
} picture;

static uint32_t pack(ty_draw_color c)
{
    uint32_t a = (uint32_t)lround(255.0 * c.a);
    return a << 24 | (uint32_t)lround(255.0 * c.r * c.a) << 16 | (uint32_t)lround(255.0 * c.g * c.a) << 8 |
           (uint32_t)lround(255.0 * c.b * c.a);
}

static ty_status color_values(const ty_draw_layer *layer, const tyi_draw_span *span, picture *to, ty_diag *diag)
{
    size_t n = (size_t)to->width * (size_t)to->height;
    float *value = malloc(n * sizeof *value);
    if (!value) {
        return ty_fail(diag, TY_ERR_MEMORY, "map: no memory for %d x %d pixels", to->width, to->height);
    }
    tyi_draw_layer_resample(layer->value, layer->nx, layer->ny, to->width, to->height, layer->smooth, value);
    uint32_t shade[SHADES];
    for (int k = 0; k < SHADES; k++) {
        double u = k / (SHADES - 1.0);
        shade[k] = pack(ty_draw_cmap_color(layer->cmap, layer->reverse ? 1.0 - u : u));
    }
    double low = layer->log ? log(span->low) : span->low, high = layer->log ? log(span->high) : span->high;
    for (size_t i = 0; i < n; i++) {
        double v = layer->log ? log((double)value[i]) : (double)value[i];
        double u = fmin(fmax((v - low) / (high - low), 0.0), 1.0);
        to->pixels[i] = usable(layer, value[i]) ? shade[lround(u * (SHADES - 1))] : 0;
    }
    free(value);
    return TY_OK;
}

/* one channel after the other through the same resampling */
static ty_status color_rgb(const ty_draw_layer *layer, picture *to, ty_diag *diag)
{
    size_t n = (size_t)to->width * (size_t)to->height, cells = (size_t)layer->nx * (size_t)layer->ny;
    float *value = malloc((n + cells) * sizeof *value);
    if (!value) {
        return ty_fail(diag, TY_ERR_MEMORY, "map: no memory for %d x %d pixels", to->width, to->height);
    }
    float *channel = value + n;
    for (size_t i = 0; i < n; i++) {
        to->pixels[i] = 0xff000000u;
    }
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < cells; i++) {
            channel[i] = layer->rgb[3 * i + (size_t)k];
        }
        tyi_draw_layer_resample(channel, layer->nx, layer->ny, to->width, to->height, layer->smooth, value);
        for (size_t i = 0; i < n; i++) {
            to->pixels[i] |= (uint32_t)lroundf(value[i]) << (16 - 8 * k);
        }
    }
    free(value);
    return TY_OK;
}

ty_status tyi_draw_layer_draw(const tyi_draw_canvas *canvas, const ty_draw_frame *frame, const ty_draw_layer *layer,
                              const tyi_draw_span *span, ty_diag *diag)
{
    picture p = { (int)lround(frame->right - frame->left), (int)lround(frame->bottom - frame->top), NULL };
    p.pixels = malloc((size_t)p.width * (size_t)p.height * sizeof *p.pixels);
    if (!p.pixels) {
        return ty_fail(diag, TY_ERR_MEMORY, "map: no memory for %d x %d pixels", p.width, p.height);
    }
    ty_status status = layer->value ? color_values(layer, span, &p, diag) : color_rgb(layer, &p, diag);
    if (status == TY_OK) {
        cairo_surface_t *image = cairo_image_surface_create_for_data((unsigned char *)p.pixels, CAIRO_FORMAT_ARGB32,
                                                                     p.width, p.height, 4 * p.width);
        cairo_save(canvas->cr);
        cairo_rectangle(canvas->cr, frame->left, frame->top, p.width, p.height);
        cairo_clip(canvas->cr);
        cairo_set_operator(canvas->cr, layer->multiply ? CAIRO_OPERATOR_MULTIPLY : CAIRO_OPERATOR_OVER);
        cairo_set_source_surface(canvas->cr, image, frame->left, frame->top);
        cairo_pattern_set_filter(cairo_get_source(canvas->cr), CAIRO_FILTER_NEAREST);
        cairo_paint_with_alpha(canvas->cr, layer->opacity);
        cairo_restore(canvas->cr);
        cairo_surface_destroy(image); /* an SVG surface keeps its own copy */
    }
    free(p.pixels);
    return status;
}
