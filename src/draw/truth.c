/* src/draw/truth.c - see tycho/tools/overlay.h: what a render gave, as pictures for the eye.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "draw.h"
#include "tycho/tools/image.h"
#include "overlay.h"

const char *tyi_draw_truth_name(tyi_draw_truth what)
{
    static const char *const name[TYI_DRAW_TRUTHS] = { "depth", "normal", "labels", "instances", "sunlit" };
    return (unsigned)what < TYI_DRAW_TRUTHS ? name[what] : "?";
}

static ty_draw_color color_of(const ty_render_buffers *b, tyi_draw_truth what, size_t i, double near, double far)
{
    static const ty_draw_color label[TY_CLASS_COUNT] = { { 0.0, 0.0, 0.0, 1.0 },   { 0.55, 0.5, 0.42, 1.0 },
                                                         { 0.9, 0.6, 0.0, 1.0 },   { 0.0, 0.45, 0.7, 1.0 },
                                                         { 0.0, 0.62, 0.45, 1.0 }, { 0.8, 0.47, 0.65, 1.0 },
                                                         { 0.94, 0.89, 0.26, 1.0 } };
    ty_draw_color black = { 0.0, 0.0, 0.0, 1.0 };
    if (what == TYI_DRAW_LABELS || what == TYI_DRAW_SUNLIT) {
        double s = (double)b->sunlit[i];
        return what == TYI_DRAW_LABELS ? label[b->kind[i]] : (ty_draw_color){ s, s, s, 1.0 };
    }
    if (b->kind[i] == TY_CLASS_SKY) {
        return black;
    }
    if (what == TYI_DRAW_NORMAL) {
        const float *n = b->normal + 3 * i;
        return (ty_draw_color){ 0.5 + 0.5 * (double)n[0], 0.5 + 0.5 * (double)n[1], 0.5 + 0.5 * (double)n[2], 1.0 };
    }
    if (what == TYI_DRAW_INSTANCES) {
        uint32_t h = b->instance[i] * 2654435761u;
        return b->kind[i] == TY_CLASS_GROUND || b->kind[i] == TY_CLASS_RUT
                   ? label[TY_CLASS_GROUND]
                   : (ty_draw_color){ (h >> 24) / 255.0, (h >> 16 & 255) / 255.0, (h >> 8 & 255) / 255.0, 1.0 };
    }
    return ty_draw_cmap_color(TY_CMAP_VIRIDIS, 1.0 - log(b->depth[i] / near) / log(far / near));
}

ty_status tyi_draw_write_truth(const char *path, tyi_draw_truth what, const ty_render_buffers *b, int width, int height,
                               double range[2], ty_diag *diag)
{
    size_t n = (size_t)width * (size_t)height;
    double near = INFINITY, far = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(b->depth[i]) && b->depth[i] > 0.0) {
            near = fmin(near, b->depth[i]);
            far = fmax(far, b->depth[i]);
        }
    }
    if (range) {
        range[0] = near, range[1] = far;
    }
    uint8_t *rgb = malloc(3 * n);
    if (!rgb) {
        return ty_fail(diag, TY_ERR_MEMORY, "no memory for the pictures of the ground truth");
    }
    for (size_t i = 0; i < n; i++) {
        ty_draw_color c = color_of(b, what, i, near, fmax(far, 1.001 * near));
        rgb[3 * i] = (uint8_t)lrint(255.0 * c.r);
        rgb[3 * i + 1] = (uint8_t)lrint(255.0 * c.g);
        rgb[3 * i + 2] = (uint8_t)lrint(255.0 * c.b);
    }
    ty_status status = ty_png_write(path, width, height, 3, 8, rgb, diag);
    free(rgb);
    return status;
}
