/* src/render/scene/pyramid.h - grids of values with levels of half the size each, for textures and maps of the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_PYRAMID_H
#define TYI_RENDER_PYRAMID_H
#include "k_paint.h"
#include "tycho/render.h"

typedef struct tyi_render_pyramid {
    ty_k_texture k;
    float *texel; /* of all levels; NAN: missing */
    size_t bytes; /* of all of them, one block */
} tyi_render_pyramid;

/* Room for w x h texels and the coarser levels; level 0 is to be filled, then tyi_render_pyramid_reduce(). false: no
 * memory. */
bool tyi_render_pyramid_make(tyi_render_pyramid *p, int w, int h, int channels, const ty_alloc *alloc);
void tyi_render_pyramid_reduce(tyi_render_pyramid *p);
void tyi_render_pyramid_free(tyi_render_pyramid *p, const ty_alloc *alloc);
/* Values at x, y [texels of level 0, 0.5 is the middle of the first] as seen by a footprint of so many texels: linear
 * between texels and between levels. out[channels]; NAN where all around is missing. */
void tyi_render_pyramid_read(const tyi_render_pyramid *p, float x, float y, float footprint, float *out);

#endif
