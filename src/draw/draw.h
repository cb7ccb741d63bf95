/* src/draw/draw.h - what the drawing files share: files, canvas, text, ticks, boxes, symbols.
 * Only files of src/draw include it; nothing else sees Cairo.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DRAW_H
#define TYI_DRAW_H
#include <cairo.h>
#include <stdio.h>
#include "core/core.h"
#include "ticks.h"
#include "io/out.h"
#include "tycho/tools/draw.h"

/* ---- draw_canvas.c ---- */
typedef struct tyi_draw_canvas {
    cairo_t *cr;
    cairo_surface_t *surface;
    int width, height;
    double font; /* [px] */
    double unit; /* [px] font / 13: what lines, gaps and symbols are measured in */
    bool svg;
    tyi_io_out out;
} tyi_draw_canvas;

/* Only for measuring text: nothing can be drawn on it. */
ty_status tyi_draw_canvas_measure(tyi_draw_canvas *canvas, double font, ty_diag *diag);
ty_status tyi_draw_canvas_open(tyi_draw_canvas *canvas, const char *path, int width, int height, double font,
                               ty_diag *diag);
ty_status tyi_draw_canvas_close(tyi_draw_canvas *canvas, ty_status status, ty_diag *diag);
ty_status tyi_draw_check_path(const char *path, ty_diag *diag); /* ends in .png or .svg */

typedef struct tyi_draw_text {
    double size;   /* [px] */
    double ax, ay; /* anchor: 0 left or top, 0.5 middle, 1 right or baseline */
    double angle;  /* [rad] counter-clockwise */
    bool bold, halo;
    ty_draw_color color;
} tyi_draw_text;
extern const ty_draw_color tyi_draw_ink, tyi_draw_soft, tyi_draw_paper;
void tyi_draw_text_draw(cairo_t *cr, const tyi_draw_text *style, double x, double y, const char *text);
double tyi_draw_text_width(cairo_t *cr, double size, bool bold, const char *text);
void tyi_draw_color_set(cairo_t *cr, ty_draw_color color, double opacity);
void tyi_draw_symbol_draw(cairo_t *cr, ty_draw_symbol symbol, double x, double y, double size, ty_draw_color color,
                          double unit);
void tyi_draw_plate_draw(cairo_t *cr, double x, double y, double width, double height, double radius); /* soft white */

/* ---- draw_axis.c ---- */
/* As many as `length` [px] has room for. */
void tyi_draw_ticks_fit(cairo_t *cr, double font, double low, double high, bool log, double length, bool across,
                        tyi_draw_ticks *out);
double tyi_draw_ticks_width(cairo_t *cr, double size, const tyi_draw_ticks *ticks); /* [px] of the widest label */

typedef struct tyi_draw_box {
    ty_draw_frame frame;
    tyi_draw_ticks x, y;
    const char *label_x, *label_y; /* NULL: none */
    bool labels_x, grid;           /* write the numbers along x; draw grid lines */
    double y_width;                /* [px] room for the numbers along y */
} tyi_draw_box;
void tyi_draw_box_back(const tyi_draw_canvas *canvas, const tyi_draw_box *box);  /* paper and grid, below the data */
void tyi_draw_box_front(const tyi_draw_canvas *canvas, const tyi_draw_box *box); /* border, ticks, labels */

/* ---- draw_layer.c: grids to pixels ---- */
typedef struct tyi_draw_span {
    double low, high;  /* of the colours */
    bool below, above; /* values lie outside */
} tyi_draw_span;
/* TY_ERR_INPUT when no value is finite or, with log, positive. */
ty_status tyi_draw_layer_span(const ty_draw_layer *layer, int number, tyi_draw_span *out, ty_diag *diag);
/* Resamples to width x height cells, row 0 north: averages over smaller cells, interpolates larger ones if asked. */
void tyi_draw_layer_resample(const float *value, int nx, int ny, int width, int height, bool smooth, float *out);
ty_status tyi_draw_layer_draw(const tyi_draw_canvas *canvas, const ty_draw_frame *frame, const ty_draw_layer *layer,
                              const tyi_draw_span *span, ty_diag *diag);

/* ---- draw_overlay.c ---- */
ty_status tyi_draw_overlay_draw(const tyi_draw_canvas *canvas, const ty_draw_frame *frame,
                                const ty_draw_overlay *overlay, int number, ty_diag *diag);
ty_draw_color tyi_draw_overlay_color(const ty_draw_overlay *overlay, int number);
int tyi_draw_overlay_number(const ty_draw_map *map,
                            int i); /* of overlay i among those that take a colour by themselves */
/* its sample in the key, in a cell of width x height [px] */
void tyi_draw_overlay_sample(const tyi_draw_canvas *canvas, const ty_draw_overlay *overlay, int number, double x,
                             double y, double width);
/* ---- draw_contour.c ---- */
ty_status tyi_draw_contours_draw(const tyi_draw_canvas *canvas, const ty_draw_frame *frame,
                                 const ty_draw_overlay *overlay, ty_draw_color color, ty_diag *diag);

/* ---- draw_series.c ---- */
ty_draw_color tyi_draw_series_color(const ty_draw_series *series, int number);
void tyi_draw_series_draw(const tyi_draw_canvas *canvas, const ty_draw_frame *frame, const ty_draw_series *series,
                          int number);
void tyi_draw_series_sample(const tyi_draw_canvas *canvas, const ty_draw_series *series, int number, double x, double y,
                            double width);
/* ---- draw_key.c: what the series are ---- */
typedef struct tyi_draw_key_size {
    double width, height; /* [px]; 0: nothing to say */
} tyi_draw_key_size;
tyi_draw_key_size tyi_draw_key_measure(cairo_t *cr, double font, const ty_draw_panel *panel);
void tyi_draw_key_draw(const tyi_draw_canvas *canvas, const ty_draw_frame *frame, const ty_draw_panel *panel);

#endif
