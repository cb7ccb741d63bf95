/* examples/block_matcher.c - see block_matcher.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "block_matcher.h"
#include <stdint.h>
#include <stdlib.h>

#define BLOCK 4 /* [px] half of a block */

static void census(const float *image, int width, int height, uint32_t *out)
{
    for (int y = 2; y < height - 2; y++) {
        for (int x = 2; x < width - 2; x++) {
            const float *p = image + y * width + x;
            uint32_t word = 0;
            for (int j = -2; j <= 2; j++) {
                for (int i = -2; i <= 2; i++) {
                    word = i || j ? word << 1 | (p[j * width + i] < *p) : word;
                }
            }
            out[y * width + x] = word;
        }
    }
}

/* Sums of n numbers, `step` apart, over a window of 2 BLOCK + 1; what lies outside counts as at the nearest end. */
static void window_sum(const uint16_t *in, int n, int step, uint16_t *out)
{
    int sum = BLOCK * in[0];
    for (int i = 0; i <= BLOCK; i++) {
        sum += in[i * step];
    }
    for (int i = 0; i < n; i++) {
        out[i * step] = (uint16_t)sum;
        int enters = i + BLOCK + 1 < n ? i + BLOCK + 1 : n - 1, leaves = i - BLOCK > 0 ? i - BLOCK : 0;
        sum += in[enters * step] - in[leaves * step];
    }
}

/* Sums over blocks of the bits in which left and right differ at one disparity. work: room for one image. */
static void block_cost(const uint32_t *left, const uint32_t *right, int width, int height, int d, uint16_t *work, uint16_t *cost)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            cost[y * width + x] = (uint16_t)(x >= d ? __builtin_popcount(left[y * width + x] ^ right[y * width + x - d]) : 12);
        }
        window_sum(cost + y * width, width, 1, work + y * width);
    }
    for (int x = 0; x < width; x++) {
        window_sum(work + x, height, width, cost + x);
    }
}

/* The disparity of one pixel of the left image, or 0. cost: one layer of `area` for each disparity. */
static float best_of(const uint16_t *cost, int area, int width, int at, int most)
{
    int x = at % width, best = 1;
    for (int d = 1; d < most && d <= x; d++) {
        best = cost[d * area + at] < cost[best * area + at] ? d : best;
    }
    int c = cost[best * area + at], second = 1 << 16, back = best;
    for (int d = 1; d < most && d <= x; d++) {
        if (abs(d - best) > 1 && cost[d * area + at] < second) {
            second = cost[d * area + at];
        }
    }
    /* the pixel of the right image that was found: which one of the left image suits it best? */
    for (int d = 1; d < most && x - best + d < width; d++) {
        back = cost[d * area + at - best + d] < cost[back * area + at - best + back] ? d : back;
    }
    if (best >= most - 1 || best < 2 || abs(back - best) > 1 || 20 * c > 19 * second) {
        return 0.0f;
    }
    int before = cost[(best - 1) * area + at], after = cost[(best + 1) * area + at], bend = before - 2 * c + after;
    return (float)best + (bend > 0 ? 0.5f * (float)(before - after) / (float)bend : 0.0f);
}

/* A match that fewer than half of its neighbours in 11 x 11 share is taken for chance. */
static void drop_specks(const float *in, int width, int height, float *out)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int alike = 0;
            for (int k = 0; k < 121; k++) {
                int i = x + k % 11 - 5, j = y + k / 11 - 5;
                bool inside = i >= 0 && j >= 0 && i < width && j < height;
                float near = inside ? in[j * width + i] : 0.0f, step = near - in[y * width + x];
                alike += near > 0.0f && step * step < 2.0f;
            }
            out[y * width + x] = alike > 60 ? in[y * width + x] : 0.0f;
        }
    }
}

bool block_match(const float *left, const float *right, int width, int height, int most, float *disparity)
{
    size_t area = (size_t)width * (size_t)height;
    uint32_t *word = calloc(2 * area, sizeof *word);
    uint16_t *cost = malloc((size_t)(most + 1) * area * sizeof *cost); /* the last layer is for sums along rows */
    float *raw = malloc(area * sizeof *raw);
    bool done = word && cost && raw;
    if (done) {
        census(left, width, height, word);
        census(right, width, height, word + area);
        for (int d = 0; d < most; d++) {
            block_cost(word, word + area, width, height, d, cost + (size_t)most * area, cost + (size_t)d * area);
        }
        for (int i = 0; i < (int)area; i++) {
            raw[i] = best_of(cost, (int)area, width, i, most);
        }
        drop_specks(raw, width, height, disparity);
    }
    free(word), free(cost), free(raw);
    return done;
}
