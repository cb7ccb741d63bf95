/* src/world/terrain/bed.c - see bed.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bed.h"

#define FLAT 2e-3f /* [m] pressed so far, nothing of the crumbs is left */

void tyi_terrain_press_bed(const tyi_terrain_generator *g, tyi_terrain_edits *e, int level, int32_t i0, int32_t j0,
                           int nx, int ny, float *h, tyi_terrain_scratch *scratch)
{
    const int32_t *whole = e->journal.whole;
    int down = e->level - level;
    int32_t x0 = i0 >> (down > 0 ? down : 0), y0 = j0 >> (down > 0 ? down : 0);
    if (down < 1 || e->journal.version == 0 || !(g->relief.micro[level] > 0.0)) {
        return;
    }
    int wide = (int)(((i0 + nx - 1) >> down) - x0) + 2, high = (int)(((j0 + ny - 1) >> down) - y0) + 2;
    if (whole[0] >= x0 + wide || x0 >= whole[0] + whole[2] || whole[1] >= y0 + high || y0 >= whole[1] + whole[3]) {
        return;
    }
    float *pressed = scratch->f;
    bool any = false;
    tyi_terrain_edits_view(e, x0, y0, wide, high, (tyi_terrain_edit_view){ .pressed = pressed });
    for (int k = 0; k < wide * high; k++) {
        pressed[k] = pressed[k] < FLAT ? pressed[k] * (1.0f / FLAT) : 1.0f;
        any = any || pressed[k] > 0.0f;
    }
    if (!any) {
        return;
    }
    tyi_terrain_generate_micro(g, level, i0, j0, nx, ny, scratch->a, scratch);
    const double per = ldexp(1.0, -down);
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            int32_t x = (i0 + i) >> down, y = (j0 + j) >> down;
            double u = (i0 + i) * per - x, v = (j0 + j) * per - y;
            const float *p = pressed + (y - y0) * wide + (x - x0);
            double low = (double)p[0] + u * (double)(p[1] - p[0]),
                   up = (double)p[wide] + u * (double)(p[wide + 1] - p[wide]);
            h[j * nx + i] -= (float)((low + v * (up - low)) * scratch->a[j * nx + i]);
        }
    }
}
