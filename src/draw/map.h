/* src/draw/map.h - a map laid out, for draw_map.c and what stands around it in draw_legend.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DRAW_MAP_H
#define TYI_DRAW_MAP_H
#include "draw.h"

typedef struct tyi_draw_map {
    const ty_draw_map *map;
    double font;      /* [px] */
    bool km;          /* the axes count kilometres */
    tyi_draw_box box; /* its frame is in the axes' unit */
    tyi_draw_span span[2];
    char subtitle[512];
    double margin_left, margin_right, margin_top, margin_bottom; /* [px] */
} tyi_draw_map;

/* The column on the right: colour legends and the key of the overlays. Its width [px], 0 when empty. */
double tyi_draw_map_column(const tyi_draw_map *m, cairo_t *cr);
void tyi_draw_map_column_draw(const tyi_draw_map *m, const tyi_draw_canvas *canvas);
void tyi_draw_map_scale_bar(const tyi_draw_map *m, const tyi_draw_canvas *canvas);
void tyi_draw_map_north_arrow(const tyi_draw_map *m, const tyi_draw_canvas *canvas);

#endif
