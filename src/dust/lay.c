/* src/dust/lay.c - dust that lies on the ground: the share of each sample that fallen grains cover, as the ground's `material`, 255 for all.
 *
 * What has fallen waits in a list until the next call, which writes it into the ground's samples, block by block. A grain's share is far less than
 * one in 255: it counts by chance, with its mean.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "k_philox.h"
#include "parcels.h"
#include "world/terrain/terrain.h"

enum { BLOCK = 32 }; /* samples along a side */

static int32_t block_of(int32_t i)
{
    return (i >= 0 ? i : i - (BLOCK - 1)) / BLOCK;
}

static int by_place(const void *a, const void *b)
{
    const tyi_dust_fallen *p = a, *q = b;
    int32_t px = block_of(p->i), qx = block_of(q->i), py = block_of(p->j), qy = block_of(q->j);
    return py != qy       ? (py > qy) - (py < qy)
           : px != qx     ? (px > qx) - (px < qx)
           : p->j != q->j ? (p->j > q->j) - (p->j < q->j)
           : p->i != q->i ? (p->i > q->i) - (p->i < q->i)
                          : (p->number > q->number) - (p->number < q->number);
}

void tyi_dust_fell(tyi_dust *d, ty_vec3 at, double area)
{
    if (d->falls < (size_t)d->def.params.parcels) {
        double spacing = d->def.terrain->edits.spacing;
        d->fallen[d->falls++] = (tyi_dust_fallen){ (int32_t)rint(at.x / spacing), (int32_t)rint(at.y / spacing),
                                                   (float)(area / (spacing * spacing)), (uint32_t)d->fell++ };
    }
}

/* cover of a sample, in 255ths, under one parcel more */
static uint8_t add(const tyi_dust *d, uint8_t before, const tyi_dust_fallen *f)
{
    ty_u32 key = (ty_u32)(d->def.seed ^ d->def.seed >> 32);
    double u = ty_k_uniform(ty_k_philox(f->number, 0, 0, 8, key, TY_RNG_DUST).v[0]);
    double more = (255.0 - before) * (1.0 - exp(-(double)f->shadow)), whole = floor(more);
    return (uint8_t)fmin(before + whole + (u < more - whole ? 1.0 : 0.0), 255.0);
}

static ty_status lay_block(tyi_dust *d, const tyi_dust_fallen *f, size_t n, ty_diag *diag)
{
    uint8_t cover[BLOCK * BLOCK];
    int32_t i0 = BLOCK * block_of(f->i), j0 = BLOCK * block_of(f->j);
    tyi_terrain_edits_view(&d->def.terrain->edits, i0, j0, BLOCK, BLOCK, (tyi_terrain_edit_view){ .material = cover });
    bool changed = false;
    for (size_t k = 0; k < n; k++) {
        uint8_t *at = &cover[(f[k].j - j0) * BLOCK + (f[k].i - i0)], now = add(d, *at, &f[k]);
        changed = changed || now != *at;
        *at = now;
    }
    ty_edit edit = { .i0 = i0, .j0 = j0, .nx = BLOCK, .ny = BLOCK, .material = cover };
    return changed ? ty_terrain_edit(d->def.terrain, &edit, diag) : TY_OK;
}

ty_status tyi_dust_lay(tyi_dust *d, ty_diag *diag)
{
    ty_status status = TY_OK;
    qsort(d->fallen, d->falls, sizeof *d->fallen, by_place);
    for (size_t k = 0, n; k < d->falls && status == TY_OK; k += n) {
        int32_t x = block_of(d->fallen[k].i), y = block_of(d->fallen[k].j);
        n = 1;
        while (k + n < d->falls && block_of(d->fallen[k + n].i) == x && block_of(d->fallen[k + n].j) == y) {
            n++;
        }
        status = lay_block(d, &d->fallen[k], n, diag);
    }
    d->falls = 0;
    return status;
}
