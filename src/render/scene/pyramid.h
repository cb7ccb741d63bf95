/* src/render/scene/pyramid.h - grids of values with levels of half the size each, for textures and maps of the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_PYRAMID_H
#define TYI_RENDER_PYRAMID_H
#include "flat.h"
#include "k_paint.h"
#include "tycho/render.h"

typedef struct tyi_render_pyramid {
    ty_k_texture k;
    int section; /* of the flat scene that holds the texels */
    uint32_t at; /* first float there */
} tyi_render_pyramid;

/* the texels of all levels; NAN: missing */
static inline float *tyi_render_pyramid_texel(const tyi_render_flat *f, const tyi_render_pyramid *p)
{
    return (float *)f->section[p->section].data + p->at;
}

/* Room for w x h texels and the coarser levels at the end of a section; level 0 is to be filled, then
 * tyi_render_pyramid_reduce(). false: no memory. */
bool tyi_render_pyramid_make(tyi_render_pyramid *p, tyi_render_flat *f, int section, int w, int h, int channels);
void tyi_render_pyramid_reduce(const tyi_render_pyramid *p, tyi_render_flat *f);

#endif
