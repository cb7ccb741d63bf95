/* kernels/k_mosaic.h - colour filters over single pixels, and full colours from them again.
 *
 * The pattern is RGGB at the image's top left corner, shifted by (shift_x, shift_y). Weights reach
 * two pixels to each side: Malvar, He and Cutler [malvar2004], figure 2, or plain means of the
 * nearest pixels of the colour (bilinear).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_MOSAIC_H
#define TY_K_MOSAIC_H
#include "k_base.h"

enum ty_k_demosaic { TY_K_MALVAR = 0, TY_K_BILINEAR = 1 };

/* Colour of a pixel: 0 red, 1 green, 2 blue. */
TY_KFN int ty_k_bayer(int x, int y)
{
    int odd_x = x & 1, odd_y = y & 1;
    return odd_x == odd_y ? 2 * odd_x : 1;
}

/* an index mirrored at the edges without repeating the outer pixel, so that the pattern goes on */
TY_KFN int ty_k_mirror(int i, int n)
{
    i = i < 0 ? -i : i;
    return i >= n ? 2 * n - 2 - i : i;
}

/* The cases of the table below: 0 the colour is there; 1 green on red or blue; 2 the colour left
 * and right; 3 the colour above and below; 4 red on blue, or blue on red. */
TY_KFN int ty_k_demosaic_case(int x, int y, int color)
{
    int here = ty_k_bayer(x, y);
    if (here == color) {
        return 0;
    }
    if (color == 1) {
        return 1;
    }
    if (here != 1) {
        return 4;
    }
    return ty_k_bayer(x + 1, y) == color ? 2 : 3;
}

/* Weight of the pixel at (dx, dy) in a case, in sixteenths. */
TY_KFN ty_real ty_k_demosaic_weight(int method, int kind, int dx, int dy)
{
    int u = dx < 0 ? -dx : dx, v = dy < 0 ? -dy : dy;
    if (kind == 3) { /* case 2 turned */
        int swap = u;
        u = v;
        v = swap;
    }
    int near = u + v == 1, corner = u == 1 && v == 1, side = u == 2 && v == 0, end = u == 0 && v == 2;
    int w = 0, middle = u == 0 && v == 0;
    if (kind == 0) {
        w = 16 * middle;
    } else if (method == TY_K_BILINEAR) {
        w = kind == 1 ? 4 * near : kind == 4 ? 4 * corner : 8 * (u == 1 && v == 0);
    } else if (kind == 1) {
        w = 8 * middle + 4 * near - 2 * (side + end);
    } else if (kind == 4) {
        w = 12 * middle + 4 * corner - 3 * (side + end);
    } else {
        w = 10 * middle + 8 * (u == 1 && v == 0) - 2 * corner - 2 * side + end;
    }
    return (ty_real)w * TY_R(1.0 / 16.0);
}

#endif
