/* src/io/coco_rle.c - masks as run lengths in COCO's text form.
 *
 * [coco]: the mask is read column by column; the runs of 0 and 1 take turns and start with 0. From the fourth run on, its
 * difference to the run two before is stored. A number goes out in groups of 5 bits, lowest first, each as the character
 * 48 + group, with 32 added where more follow; the sign is that of the last group's highest bit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "core.h"
#include "tycho/coco.h"

static char *put(char *at, int64_t value)
{
    bool more = true;
    while (more) {
        int group = (int)(value & 31);
        value >>= 5; /* keeps the sign, as every compiler of this project does */
        more = group & 16 ? value != -1 : value != 0;
        *at++ = (char)(48 + (group | (more ? 32 : 0)));
    }
    return at;
}

static bool get(const char **at, int64_t *value)
{
    *value = 0;
    for (int shift = 0; shift < 60; shift += 5) {
        int c = (unsigned char)**at - 48;
        if (c < 0 || c > 63) {
            return false;
        }
        ++*at;
        *value |= (int64_t)(c & 31) << shift;
        if (!(c & 32)) {
            if (c & 16) {
                *value |= -((int64_t)1 << (shift + 5));
            }
            return true;
        }
    }
    return false;
}

/* run lengths into counts, which has room for them; returns how many */
static size_t count_runs(int width, int height, const uint8_t *mask, int64_t *counts)
{
    size_t n = 0;
    int64_t run = 0;
    bool inside = false;
    for (int x = 0; x < width; x++) {
        for (int y = 0; y < height; y++) {
            bool now = mask[(size_t)y * (size_t)width + (size_t)x] != 0;
            if (now != inside) {
                counts[n++] = run;
                run = 0;
                inside = now;
            }
            run++;
        }
    }
    counts[n++] = run;
    return n;
}

char *ty_rle_encode(int width, int height, const uint8_t *mask)
{
    size_t pixels = (size_t)width * (size_t)height;
    int64_t *counts = malloc((pixels + 2) * sizeof *counts);
    if (!counts) {
        return NULL;
    }
    size_t n = count_runs(width, height, mask, counts);
    char *text = malloc(13 * n + 1), *at = text; /* 60 bits are 12 groups */
    for (size_t i = 0; text && i < n; i++) {
        at = put(at, i > 2 ? counts[i] - counts[i - 2] : counts[i]);
    }
    if (text) {
        *at++ = 0;
        char *less = realloc(text, (size_t)(at - text));
        text = less ? less : text;
    }
    free(counts);
    return text;
}

bool ty_rle_decode(const char *text, int width, int height, uint8_t *mask)
{
    int64_t pixels = (int64_t)width * height, at = 0, before[2] = { 0, 0 };
    bool inside = false;
    for (size_t i = 0; *text; i++) {
        int64_t run;
        if (!get(&text, &run)) {
            return false;
        }
        run += i > 2 ? before[i & 1] : 0;
        before[i & 1] = run;
        if (run < 0 || run > pixels - at) {
            return false;
        }
        for (int64_t end = at + run; at < end; at++) {
            mask[(at % height) * width + at / height] = inside;
        }
        inside = !inside;
    }
    return at == pixels;
}
