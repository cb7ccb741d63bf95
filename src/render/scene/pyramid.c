/* src/render/scene/pyramid.c - see pyramid.h
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "pyramid.h"
#include <math.h>

bool tyi_render_pyramid_make(tyi_render_pyramid *p, tyi_render_flat *f, int section, int w, int h, int channels)
{
    size_t total = 0;
    *p = (tyi_render_pyramid){ .k = { .channels = channels, .w = w, .h = h }, .section = section };
    while (p->k.levels < TY_K_TEXTURE_LEVELS) {
        total += (size_t)w * (size_t)h * (size_t)channels;
        p->k.levels++;
        if (w == 1 && h == 1) {
            break;
        }
        w = (w + 1) / 2, h = (h + 1) / 2;
    }
    p->at = tyi_render_flat_add(f, section, NULL, total);
    return p->at != TY_K_NONE;
}

/* mean of the texels of the finer level that are there */
static float mean(const float *texel, int channels, ty_k_texture_level fine, int x, int y, int c)
{
    float sum = 0.0f, count = 0.0f;
    for (int k = 0; k < 4; k++) {
        int i = 2 * x + (k & 1), j = 2 * y + (k >> 1);
        if (i < fine.w && j < fine.h) {
            size_t at = ((size_t)j * (size_t)fine.w + (size_t)i) * (size_t)channels + (size_t)c;
            float v = texel[fine.at + at];
            sum += isnan(v) ? 0.0f : v;
            count += isnan(v) ? 0.0f : 1.0f;
        }
    }
    return count > 0.0f ? sum / count : NAN;
}

void tyi_render_pyramid_reduce(const tyi_render_pyramid *p, tyi_render_flat *f)
{
    float *texel = tyi_render_pyramid_texel(f, p);
    for (int k = 1; k < p->k.levels; k++) {
        ty_k_texture_level fine = ty_k_texture_find(p->k, k - 1), to = ty_k_texture_find(p->k, k);
        size_t n = to.at;
        for (int y = 0; y < to.h; y++) {
            for (int x = 0; x < to.w; x++) {
                for (int c = 0; c < p->k.channels; c++) {
                    texel[n++] = mean(texel, p->k.channels, fine, x, y, c);
                }
            }
        }
    }
}
