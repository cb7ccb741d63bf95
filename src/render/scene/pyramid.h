/* src/render/scene/pyramid.h - grids of values with levels of half the size each, for textures and maps of the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_PYRAMID_H
#define TYI_RENDER_PYRAMID_H
#include "tycho/render.h"

#define TYI_RENDER_MOST_LEVELS 16

typedef struct tyi_render_pyramid {
    int channels, levels;
    int w[TYI_RENDER_MOST_LEVELS], h[TYI_RENDER_MOST_LEVELS];
    float *level[TYI_RENDER_MOST_LEVELS]; /* texels, channels side by side; NAN: missing */
    size_t bytes;                         /* of all of them, one block */
    ty_texture_wrap wrap[2];
} tyi_render_pyramid;

/* Room for w x h texels and the coarser levels; level[0] is to be filled, then tyi_render_pyramid_reduce(). false: no
 * memory. */
bool tyi_render_pyramid_make(tyi_render_pyramid *p, int w, int h, int channels, const ty_alloc *alloc);
void tyi_render_pyramid_reduce(tyi_render_pyramid *p);
void tyi_render_pyramid_free(tyi_render_pyramid *p, const ty_alloc *alloc);
/* Values at x, y [texels of level 0, 0.5 is the middle of the first] as seen by a footprint of so many texels: linear
 * between texels and between levels. out[channels]; NAN where all around is missing. */
void tyi_render_pyramid_read(const tyi_render_pyramid *p, float x, float y, float footprint, float *out);

#endif
