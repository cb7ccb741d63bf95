/* src/render/scene/pyramid.c - see pyramid.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "pyramid.h"
#include <math.h>
#include "core/core.h"

bool tyi_render_pyramid_make(tyi_render_pyramid *p, int w, int h, int channels, const ty_alloc *alloc)
{
    size_t total = 0, at[TYI_RENDER_MOST_LEVELS];
    *p = (tyi_render_pyramid){ .channels = channels };
    for (int k = 0; k < TYI_RENDER_MOST_LEVELS; k++) {
        p->w[k] = w, p->h[k] = h, at[k] = total;
        total += (size_t)w * (size_t)h * (size_t)channels;
        p->levels++;
        if (w == 1 && h == 1) {
            break;
        }
        w = (w + 1) / 2, h = (h + 1) / 2;
    }
    p->bytes = total * sizeof(float);
    float *block = tyi_get(alloc, p->bytes);
    for (int k = 0; block && k < p->levels; k++) {
        p->level[k] = block + at[k];
    }
    return block != NULL;
}

void tyi_render_pyramid_free(tyi_render_pyramid *p, const ty_alloc *alloc)
{
    tyi_put(alloc, p->level[0], p->bytes);
    *p = (tyi_render_pyramid){ 0 };
}

/* mean of the texels of the finer level that are there */
static float mean(const tyi_render_pyramid *p, int fine, int x, int y, int c)
{
    float sum = 0.0f, count = 0.0f;
    for (int k = 0; k < 4; k++) {
        int i = 2 * x + (k & 1), j = 2 * y + (k >> 1);
        if (i < p->w[fine] && j < p->h[fine]) {
            float v = p->level[fine][((size_t)j * (size_t)p->w[fine] + (size_t)i) * (size_t)p->channels + (size_t)c];
            sum += isnan(v) ? 0.0f : v;
            count += isnan(v) ? 0.0f : 1.0f;
        }
    }
    return count > 0.0f ? sum / count : NAN;
}

void tyi_render_pyramid_reduce(tyi_render_pyramid *p)
{
    for (int k = 1; k < p->levels; k++) {
        size_t n = 0;
        for (int y = 0; y < p->h[k]; y++) {
            for (int x = 0; x < p->w[k]; x++) {
                for (int c = 0; c < p->channels; c++) {
                    p->level[k][n++] = mean(p, k - 1, x, y, c);
                }
            }
        }
    }
}

static int wrapped(int i, int n, ty_texture_wrap how)
{
    if (how == TY_WRAP_REPEAT) {
        i %= n;
        return i < 0 ? i + n : i;
    }
    if (how == TY_WRAP_MIRROR) {
        i %= 2 * n;
        i = i < 0 ? i + 2 * n : i;
        return i < n ? i : 2 * n - 1 - i;
    }
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* adds weight times the value between the texels of one level */
static void add_level(const tyi_render_pyramid *p, int k, float x, float y, float weight, float *sum, float *total)
{
    float px = x * ((float)p->w[k] / (float)p->w[0]) - 0.5f, py = y * ((float)p->h[k] / (float)p->h[0]) - 0.5f;
    float fx = floorf(px), fy = floorf(py);
    int i = (int)fx, j = (int)fy;
    for (int q = 0; q < 4; q++) {
        int ti = wrapped(i + (q & 1), p->w[k], p->wrap[0]), tj = wrapped(j + (q >> 1), p->h[k], p->wrap[1]);
        float part = weight * (q & 1 ? px - fx : 1.0f - (px - fx)) * (q >> 1 ? py - fy : 1.0f - (py - fy));
        const float *t = p->level[k] + ((size_t)tj * (size_t)p->w[k] + (size_t)ti) * (size_t)p->channels;
        if (!isnan(t[0])) {
            *total += part;
            for (int c = 0; c < p->channels; c++) {
                sum[c] += part * t[c];
            }
        }
    }
}

void tyi_render_pyramid_read(const tyi_render_pyramid *p, float x, float y, float footprint, float *out)
{
    /* coordinates so far out that floor() says nothing are the caller's mistake or a broken file's: stay in range */
    x = fminf(fmaxf(x, -1e6f), 1e6f), y = fminf(fmaxf(y, -1e6f), 1e6f);
    float level = fminf(fmaxf(log2f(fmaxf(footprint, 1e-6f)), 0.0f), (float)(p->levels - 1));
    int k = (int)level;
    float rest = level - (float)k, sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f }, total = 0.0f;
    add_level(p, k, x, y, 1.0f - rest, sum, &total);
    if (rest > 0.0f) {
        add_level(p, k + 1 < p->levels ? k + 1 : k, x, y, rest, sum, &total);
    }
    for (int c = 0; c < p->channels; c++) {
        out[c] = total > 1e-6f ? sum[c] / total : NAN;
    }
}
