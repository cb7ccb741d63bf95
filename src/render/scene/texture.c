/* src/render/scene/texture.c - pictures into textures.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "scene.h"

#define MOST_SIDE 4096

/* sRGB's curve undone.   [iec61966] */
static float linear(double v)
{
    return (float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
}

/* mean of the block of `step` x `step` pixels that becomes one texel */
static float texel(const ty_texture_def *d, const float *curve, int step, int x, int y, int c)
{
    double sum = 0.0;
    int count = 0;
    for (int j = y * step; j < (y + 1) * step && j < d->height; j++) {
        for (int i = x * step; i < (x + 1) * step && i < d->width; i++, count++) {
            size_t at = ((size_t)j * (size_t)d->width + (size_t)i) * (size_t)d->channels + (size_t)c;
            if (d->bits == 8) {
                sum += (double)curve[((const uint8_t *)d->data)[at]];
            } else {
                double v = ((const uint16_t *)d->data)[at] / 65535.0;
                sum += d->srgb ? (double)linear(v) : v;
            }
        }
    }
    return (float)(sum / (count ? count : 1));
}

ty_status ty_scene_add_texture(ty_scene *s, const ty_texture_def *d, uint32_t *id, ty_diag *diag)
{
    *id = 0;
    if (d->width < 1 || d->height < 1 || d->width > 32768 || d->height > 32768 || d->channels < 1 || d->channels > 4 ||
        (d->bits != 8 && d->bits != 16)) {
        return ty_fail(
            diag, TY_ERR_RANGE,
            "scene: a texture of %d x %d pixels, %d channels and %d bits, but 1 to 32768 pixels, 1 to 4 channels and 8 or 16 bits are accepted",
            d->width, d->height, d->channels, d->bits);
    }
    if (s->textures == TYI_RENDER_MOST_TEXTURES) {
        return ty_fail(diag, TY_ERR_RANGE, "scene: there are %d textures already, which is the most",
                       TYI_RENDER_MOST_TEXTURES);
    }
    int step = 1;
    while (d->width > MOST_SIDE * step || d->height > MOST_SIDE * step) {
        step *= 2;
    }
    tyi_render_pyramid *p = &s->texture[s->textures];
    int w = (d->width + step - 1) / step, h = (d->height + step - 1) / step, channels = d->channels < 3 ? 1 : 3;
    if (!tyi_render_pyramid_make(p, &s->flat, TY_K_SCENE_TEXEL, w, h, channels)) {
        return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for a texture of %d x %d pixels", d->width, d->height);
    }
    p->k.wrap[0] = (int)d->wrap_u, p->k.wrap[1] = (int)d->wrap_v;
    float curve[256];
    for (int k = 0; k < 256; k++) {
        curve[k] = d->srgb ? linear(k / 255.0) : (float)k / 255.0f;
    }
    size_t n = 0;
    float *to = tyi_render_pyramid_texel(&s->flat, p);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            for (int c = 0; c < channels; c++) {
                to[n++] = texel(d, curve, step, x, y, c);
            }
        }
    }
    tyi_render_pyramid_reduce(p, &s->flat);
    s->changed |= TYI_RENDER_MATERIAL_CHANGED;
    *id = (uint32_t)++s->textures;
    return TY_OK;
}
