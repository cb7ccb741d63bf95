/* src/draw/inner.h - what other modules and tests ask of drawing beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DRAW_INNER_H
#define TYI_DRAW_INNER_H
#include "tycho/tools/draw.h"

const char *tyi_draw_cmap_name(ty_draw_cmap cmap);            /* "viridis" */
bool tyi_draw_cmap_find(const char *name, ty_draw_cmap *out); /* false: no such name */

/* Draws marks over a copy of an image (16 bits become 8) into a PNG file; font [px] of the texts. The image is only
 * read. */
ty_status tyi_draw_write_marks(const char *path, const ty_image *image, const ty_draw_mark *mark, size_t marks,
                               double font, ty_diag *diag);
void tyi_draw_frame_point(const ty_draw_frame *frame, double x, double y, double *px, double *py);

/* Where ty_draw_write_map() would put things; the same checks. */
ty_status tyi_draw_map_frame(const ty_draw_map *map, ty_draw_frame *out, ty_diag *diag);

/* Where ty_draw_write_figure() would put panel number `panel`; the same checks. */
ty_status tyi_draw_figure_frame(const ty_draw_figure *figure, int panel, ty_draw_frame *out, ty_diag *diag);

/* Counts n values into `bins` equal bins from low to high, for STEP and BARS: edge has bins + 1
 * entries, count has bins. A value equal to high falls into the last bin; others outside, and NaN,
 * are left out. Returns how many fell inside. */
size_t tyi_draw_histogram(const double *value, size_t n, double low, double high, int bins, double *edge,
                          double *count);

#endif
