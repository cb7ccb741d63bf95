/* examples/block_matcher.c - see block_matcher.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "block_matcher.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define BLOCK  4  /* [px] half of a block */
#define BELOW  4  /* [px] that are searched below the plane */
#define LAYERS 21 /* disparities that are searched */

/* Weights 1 2 1 across and down: grains smaller than a pixel look different from both sides, and drop out. */
static void soften(const float *in, int width, int height, float *out)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float sum = 0.0f;
            for (int k = 0; k < 9; k++) {
                int i = x + k % 3 - 1, j = y + k / 3 - 1;
                i = i < 0 ? 0 : i >= width ? width - 1 : i, j = j < 0 ? 0 : j >= height ? height - 1 : j;
                sum += (float)((k % 3 == 1 ? 2 : 1) * (k / 3 == 1 ? 2 : 1)) * in[j * width + i];
            }
            out[y * width + x] = sum / 16.0f;
        }
    }
}

static double ground(const double plane[3], int x, int y)
{
    return fmax(plane[0] + plane[1] * x + plane[2] * y, 0.0);
}

/* The right image, sheared so that the plane lies where it does in the left one. */
static void shear(const float *in, int width, int height, const double plane[3], float *out)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            double from = fmax(x - ground(plane, x, y), 0.0);
            int i = (int)from < width - 2 ? (int)from : width - 2;
            const float *p = in + y * width + i;
            out[y * width + x] = p[0] + (float)(from - i) * (p[1] - p[0]);
        }
    }
}

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

/* Sums over blocks of the bits in which left and right differ, d pixels apart. work: room for one image. */
static void block_cost(const uint32_t *left, const uint32_t *right, int width, int height, int d, uint16_t *work,
                       uint16_t *cost)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            bool inside = x - d >= 0 && x - d < width;
            cost[y * width + x] =
                (uint16_t)(inside ? __builtin_popcount(left[y * width + x] ^ right[y * width + x - d]) : 12);
        }
        window_sum(cost + y * width, width, 1, work + y * width);
    }
    for (int x = 0; x < width; x++) {
        window_sum(work + x, height, width, cost + x);
    }
}

/* How far the best match of one pixel of the left image is above the plane; NAN: there is none. cost: one layer of
 * `area` for each. */
static float best_of(const uint16_t *cost, int area, int width, int at)
{
    int x = at % width, best = 0, second = 1 << 16, back = 0;
    for (int k = 1; k < LAYERS; k++) {
        best = cost[k * area + at] < cost[best * area + at] ? k : best;
    }
    /* the pixel of the right image is `other` + BELOW */
    int c = cost[best * area + at], other = at - best, first = x - best;
    for (int k = 0; k < LAYERS; k++) {
        if (abs(k - best) > 1 && cost[k * area + at] < second) {
            second = cost[k * area + at];
        }
        /* which one of the left image suits that pixel best? */
        if (first + k >= 0 && first + k < width && cost[k * area + other + k] < cost[back * area + other + back]) {
            back = k;
        }
    }
    if (best < 1 || best > LAYERS - 2 || abs(back - best) > 1 || 10 * c > 9 * second) {
        return NAN;
    }
    int before = cost[(best - 1) * area + at], after = cost[(best + 1) * area + at], bend = before - 2 * c + after;
    return (float)(best - BELOW) + (bend > 0 ? 0.5f * (float)(before - after) / (float)bend : 0.0f);
}

/* A match that fewer than 70 of its neighbours in 11 x 11 share is taken for chance. */
static bool speck(const float *in, int width, int height, int x, int y)
{
    int alike = 0;
    for (int k = 0; k < 121; k++) {
        int i = x + k % 11 - 5, j = y + k / 11 - 5;
        float step = i >= 0 && j >= 0 && i < width && j < height ? in[j * width + i] - in[y * width + x] : NAN;
        alike += step * step < 2.0f;
    }
    return alike < 70;
}

bool block_match(const float *left, const float *right, int width, int height, const double plane[3], float *disparity)
{
    size_t area = (size_t)width * (size_t)height;
    uint32_t *word = calloc(2 * area, sizeof *word);
    uint16_t *cost = malloc((LAYERS + 1) * area * sizeof *cost); /* the last layer is for sums along rows */
    float *work = malloc(2 * area * sizeof *work), *above = work + area;
    bool done = word && cost && work;
    if (done) {
        soften(left, width, height, work);
        census(work, width, height, word);
        soften(right, width, height, work);
        shear(work, width, height, plane, above);
        census(above, width, height, word + area);
        for (int k = 0; k < LAYERS; k++) {
            block_cost(word, word + area, width, height, k - BELOW, cost + LAYERS * area, cost + (size_t)k * area);
        }
        for (int i = 0; i < (int)area; i++) {
            above[i] = i % width < LAYERS || i % width >= width - 3 * BLOCK ? NAN : best_of(cost, (int)area, width, i);
        }
        for (int i = 0; i < (int)area; i++) {
            /* of a match at x - above in the sheared image, the plane's disparity is that of x - above */
            double d = (double)above[i] + ground(plane, i % width - (int)above[i], i / width);
            disparity[i] =
                above[i] == above[i] && d > 2.0 && !speck(above, width, height, i % width, i / width) ? (float)d : 0.0f;
        }
    }
    free(word), free(cost), free(work);
    return done;
}
