/* src/render/scene/pyramid.c - see pyramid.h
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "pyramid.h"
#include <math.h>
#include "core/core.h"

bool tyi_render_pyramid_make(tyi_render_pyramid *p, int w, int h, int channels, const ty_alloc *alloc)
{
    size_t total = 0;
    *p = (tyi_render_pyramid){ .k = { .channels = channels, .w = w, .h = h } };
    while (p->k.levels < TY_K_TEXTURE_LEVELS) {
        total += (size_t)w * (size_t)h * (size_t)channels;
        p->k.levels++;
        if (w == 1 && h == 1) {
            break;
        }
        w = (w + 1) / 2, h = (h + 1) / 2;
    }
    p->bytes = total * sizeof(float);
    p->texel = tyi_get(alloc, p->bytes);
    return p->texel != NULL;
}

void tyi_render_pyramid_free(tyi_render_pyramid *p, const ty_alloc *alloc)
{
    tyi_put(alloc, p->texel, p->bytes);
    *p = (tyi_render_pyramid){ 0 };
}

/* mean of the texels of the finer level that are there */
static float mean(const tyi_render_pyramid *p, ty_k_texture_level fine, int x, int y, int c)
{
    float sum = 0.0f, count = 0.0f;
    for (int k = 0; k < 4; k++) {
        int i = 2 * x + (k & 1), j = 2 * y + (k >> 1);
        if (i < fine.w && j < fine.h) {
            size_t at = ((size_t)j * (size_t)fine.w + (size_t)i) * (size_t)p->k.channels + (size_t)c;
            float v = p->texel[fine.at + at];
            sum += isnan(v) ? 0.0f : v;
            count += isnan(v) ? 0.0f : 1.0f;
        }
    }
    return count > 0.0f ? sum / count : NAN;
}

void tyi_render_pyramid_reduce(tyi_render_pyramid *p)
{
    for (int k = 1; k < p->k.levels; k++) {
        ty_k_texture_level fine = ty_k_texture_find(p->k, k - 1), to = ty_k_texture_find(p->k, k);
        size_t n = to.at;
        for (int y = 0; y < to.h; y++) {
            for (int x = 0; x < to.w; x++) {
                for (int c = 0; c < p->k.channels; c++) {
                    p->texel[n++] = mean(p, fine, x, y, c);
                }
            }
        }
    }
}

void tyi_render_pyramid_read(const tyi_render_pyramid *p, float x, float y, float footprint, float *out)
{
    ty_k_texel_sum sum = ty_k_texture_read(p->k, p->texel, x, y, footprint);
    for (int c = 0; c < p->k.channels; c++) {
        out[c] = sum.total > 1e-6f ? sum.v[c] : NAN;
    }
}
