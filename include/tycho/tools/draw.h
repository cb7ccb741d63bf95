/* include/tycho/tools/draw.h - pictures for people: maps of the site, plots, and plain PNG images.
 *
 * Every picture is written under a temporary name in its folder and renamed when it is whole, so
 * that a failure leaves nothing behind. The ending of the path chooses the format: .png, or .svg
 * for maps and plots. Text is UTF-8.
 *
 * Statuses: TY_ERR_DEF (definition without its default function), TY_ERR_RANGE (sizes, limits),
 * TY_ERR_INPUT (data that cannot be drawn), TY_ERR_FILE (folder missing, disk full), TY_ERR_FORMAT
 * (not a PNG), TY_ERR_MEMORY.
 *
 * Threads: every function may run on any thread; arrays are only read, and only during the call.
 * Limits, cost: src/io/README.md
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_DRAW_H
#define TYCHO_DRAW_H
#include "tycho/base.h"
#include "tycho/tools/image.h"
TY_BEGIN_DECLS

/* ---- colours ---- */

typedef struct ty_draw_color {
    double r, g, b, a; /* [-] sRGB and opacity, 0 to 1; opacity 0 where a colour is asked for: one
                          of ty_draw_palette() */
} ty_draw_color;

/* Every colour map, its name and what it is for, once. Lightness runs evenly from end to end. */
#define TY_CMAP_LIST(X)                                                              \
    X(TY_CMAP_GRAY, "gray", "hillshade, images")                                     \
    X(TY_CMAP_VIRIDIS, "viridis", "any quantity: violet over teal to yellow")        \
    X(TY_CMAP_TERRAIN, "terrain", "heights: night blue over moss and ochre to sand") \
    X(TY_CMAP_DIVERGING, "diverging", "differences: blue, white in the middle, red") \
    X(TY_CMAP_LIGHT, "light", "illumination: night blue over ember to warm white")

typedef enum ty_draw_cmap {
#define TY_CMAP_ENUM(id, name, use) id,
    TY_CMAP_LIST(TY_CMAP_ENUM)
#undef TY_CMAP_ENUM
        TY_CMAP_COUNT
} ty_draw_cmap;

TY_API ty_draw_color ty_draw_cmap_color(ty_draw_cmap cmap, double u); /* u from 0 to 1, clamped; NaN is transparent */
/* Colours that stay apart for the colour-blind [okabe2008]; any i >= 0, they repeat after 8. */
TY_API ty_draw_color ty_draw_palette(int i);

/* ---- lines over an image ---- */

/* A line through n points [px] from the image's top left corner, and a text right of the first. */
typedef struct ty_draw_mark {
    size_t n;
    const double *x, *y;
    const char *text; /* NULL: none */
    ty_draw_color color;
    double width; /* [px]; 0: only the text */
    bool dashed;
} ty_draw_mark;

/* ---- frames and axes ---- */

/* Where data lies in a picture: the box [px], from the picture's top left corner, and what its sides stand for. */
typedef struct ty_draw_frame {
    int width, height;               /* [px] of the whole picture */
    double left, top, right, bottom; /* [px] */
    double x0, y0, x1, y1;           /* data at left, bottom, right, top */
    bool log_x, log_y;
} ty_draw_frame;

typedef struct ty_draw_axis {
    const char *label; /* with its unit: "slip [-]"; NULL: none */
    double low, high;  /* low >= high: as the data need */
    bool log;          /* data <= 0 are left out */
} ty_draw_axis;

typedef enum ty_draw_symbol {
    TY_SYMBOL_NONE, /* in an overlay or a scatter: disc */
    TY_SYMBOL_DISC,
    TY_SYMBOL_SQUARE,
    TY_SYMBOL_TRIANGLE,
    TY_SYMBOL_DIAMOND,
    TY_SYMBOL_CROSS,
    TY_SYMBOL_PLUS,
    TY_SYMBOL_RING
} ty_draw_symbol;

/* ---- maps ---- */

/* A grid over the whole map: row 0 is the southern one, rows run east. Give value or rgb. */
typedef struct ty_draw_layer {
    int nx, ny;         /* cells east and north */
    const float *value; /* value[j * nx + i]; NaN: no data */
    const uint8_t *rgb; /* 3 of them per cell, instead of value */
    ty_draw_cmap cmap;
    bool reverse;       /* colour map from its far end */
    bool log;           /* colours by the logarithm; low > 0 */
    double low, high;   /* of the colours; low >= high: smallest and largest value */
    bool smooth;        /* interpolate cells larger than a pixel; smaller ones are averaged in any case */
    bool multiply;      /* darkens what is below it (hillshade over colours) instead of covering it */
    double opacity;     /* [-] 0 to 1 */
    const char *legend; /* beside the map, with unit: "height [m]"; NULL: no legend */
} ty_draw_layer;

typedef enum ty_draw_overlay_kind {
    TY_OVERLAY_POINTS,  /* n points */
    TY_OVERLAY_CIRCLES, /* n circles of radius[i] */
    TY_OVERLAY_PATH,    /* one line through n points; NaN breaks it */
    TY_OVERLAY_TEXT,    /* text[i] centred at n points */
    TY_OVERLAY_CONTOURS /* of value, every `step` */
} ty_draw_overlay_kind;

typedef struct ty_draw_overlay {
    ty_draw_overlay_kind kind;
    const char *label; /* in the key beside the map; NULL: not in the key */
    size_t n;
    const double *x, *y;     /* [m] */
    const double *radius;    /* [m] */
    const char *const *text; /* also beside points and circles, where given */
    ty_draw_symbol symbol;
    ty_draw_color color; /* opacity 0: by its place in the list */
    double size;         /* [px at font 13] line width or symbol diameter; <= 0: as suits the kind */
    const float *value;  /* contours: a grid as in ty_draw_layer */
    int nx, ny;
    double step; /* [unit of value] > 0; every fifth is heavier and has its number written on it */
} ty_draw_overlay;

/* Start from ty_draw_map_default(). */
typedef struct ty_draw_map {
    const char *title, *note; /* NULL: none; the note stands in the line under the title */
    double x0, y0, x1, y1;    /* [m] edges of the grids, W: x east, y north */
    double lat, lon;          /* [rad] of the centre, written under the title; NaN: not written */
    ty_draw_layer layer[2];   /* drawn in order */
    int layers;               /* 1 or 2 */
    const ty_draw_overlay *overlay;
    int overlays;
    int size;                          /* [px] 1200   longer side of the picture, 256 to 4096 */
    double font;                       /* [px] size / 68   of the text; lines scale with it */
    bool axes, scale_bar, north_arrow; /* true */
    uint32_t cookie;
} ty_draw_map;

TY_API ty_draw_map ty_draw_map_default(void);
TY_API ty_draw_layer ty_draw_layer_default(void); /* opaque, smooth, gray */
TY_API ty_status ty_draw_write_map(const char *path, const ty_draw_map *map, ty_diag *diag);

/* ---- plots ---- */

typedef enum ty_draw_series_kind {
    TY_SERIES_LINE,
    TY_SERIES_POINTS,
    TY_SERIES_STEP, /* y[i] holds from x[i] to x[i + 1]; x has n + 1 entries */
    TY_SERIES_BARS, /* as STEP, filled down to zero: histograms */
    TY_SERIES_BAND  /* shaded from y_low to y_high; y may be NULL */
} ty_draw_series_kind;

typedef enum ty_draw_dash { TY_DASH_SOLID, TY_DASH_DASHED, TY_DASH_DOTTED, TY_DASH_DASHDOT } ty_draw_dash;

typedef struct ty_draw_series {
    ty_draw_series_kind kind;
    const char *label; /* in the key; NULL: not in the key */
    size_t n;
    const double *x, *y;          /* NaN breaks a line */
    const double *y_low, *y_high; /* ends of error bars, or edges of a band; NULL: none */
    const double *x_low, *x_high; /* ends of horizontal error bars; NULL: none */
    ty_draw_color color;          /* opacity 0: by its place in the panel */
    ty_draw_dash dash;
    ty_draw_symbol symbol; /* LINE: also at its points, unless NONE */
    double size;           /* [px at font 13] line width or symbol diameter; <= 0: as suits the kind */
} ty_draw_series;

typedef struct ty_draw_note {
    double x, y; /* data; the text starts right of it */
    const char *text;
} ty_draw_note;

typedef enum ty_draw_key {
    TY_KEY_AUTO, /* in the corner that covers least */
    TY_KEY_NONE,
    TY_KEY_TOP_LEFT,
    TY_KEY_TOP_RIGHT,
    TY_KEY_BOTTOM_LEFT,
    TY_KEY_BOTTOM_RIGHT,
    TY_KEY_OUTSIDE /* right of the box */
} ty_draw_key;

/* All zero is a panel with automatic limits and nothing in it. */
typedef struct ty_draw_panel {
    const char *title; /* NULL: none */
    ty_draw_axis x, y;
    const ty_draw_series *series;
    int count;
    const ty_draw_note *notes;
    int note_count;
    ty_draw_key key;
    bool equal; /* one unit is as long on x as on y; linear axes only */
} ty_draw_panel;

/* Start from ty_draw_figure_default(). */
typedef struct ty_draw_figure {
    const char *title;          /* NULL: none */
    const ty_draw_panel *panel; /* rows * columns of them, row by row from the top */
    int rows, columns;          /* 1, 1    up to 12 each */
    bool share_x;               /* panels of a column have the same x axis, written once below */
    int width, height;          /* [px] 900, 600   200 to 4096 */
    double font;                /* [px] 13   of the text; lines and symbols scale with it */
    uint32_t cookie;
} ty_draw_figure;

TY_API ty_draw_figure ty_draw_figure_default(void);
TY_API ty_status ty_draw_write_figure(const char *path, const ty_draw_figure *figure, ty_diag *diag);

TY_END_DECLS
#endif
