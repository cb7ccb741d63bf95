/* src/draw/sheet.h - a contact sheet: images of one size in rows and columns, a line of text
 * under each. Statuses and files as in tycho/tools/draw.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DRAW_SHEET_H
#define TYI_DRAW_SHEET_H
#include "tycho/base.h"

typedef struct tyi_draw_tile {
    const uint8_t *rgb; /* width x height pixels of 3, rows from the top; NULL: left empty */
    const char *text;   /* NULL: none */
} tyi_draw_tile;

/* Tiles row by row. Width and height of a tile 1 to 4096, 1 to 144 tiles; the picture 8192 at most. */
ty_status tyi_draw_write_sheet(const char *path, const char *title, const tyi_draw_tile *tile, int count, int columns,
                               int width, int height, ty_diag *diag);

#endif
