/* src/world/terrain/subdivide.c - see subdivide.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "subdivide.h"
#include <stddef.h>
#include <string.h>
#include "k_spline.h"

static int32_t half(int32_t i) /* floor(i / 2), also below zero */
{
    return i >> 1;
}

tyi_terrain_block tyi_terrain_block_parent(tyi_terrain_block b)
{
    tyi_terrain_block p = { half(b.i0) - 1, half(b.j0) - 1, 0, 0 };
    p.nx = half(b.i0 + b.nx - 1) + 2 - p.i0 + 1;
    p.ny = half(b.j0 + b.ny - 1) + 2 - p.j0 + 1;
    return p;
}

void tyi_terrain_subdivide(const double *parent, tyi_terrain_block p, double *child, tyi_terrain_block c, double *rows)
{
    for (int j = 0; j < p.ny; j++) {
        const double *in = parent + (size_t)j * (size_t)p.nx;
        double *out = rows + (size_t)j * (size_t)c.nx;
        for (int i = 0; i < c.nx; i++) {
            const double *at = in + (half(c.i0 + i) - p.i0);
            out[i] = (c.i0 + i) & 1 ? ty_k_subdivide(at[-1], at[0], at[1], at[2]) : at[0];
        }
    }
    for (int j = 0; j < c.ny; j++) {
        const double *at = rows + (size_t)(half(c.j0 + j) - p.j0) * (size_t)c.nx;
        double *out = child + (size_t)j * (size_t)c.nx;
        if ((c.j0 + j) & 1) {
            const double *below = at - c.nx, *next = at + c.nx, *above = next + c.nx;
            for (int i = 0; i < c.nx; i++) {
                out[i] = ty_k_subdivide(below[i], at[i], next[i], above[i]);
            }
        } else {
            memcpy(out, at, (size_t)c.nx * sizeof *out);
        }
    }
}
