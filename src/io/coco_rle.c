/* src/io/coco_rle.c - masks as run lengths in COCO's text form.
 *
 * [coco]: the mask is read column by column; the runs of 0 and 1 take turns and start with 0. From the fourth run
 * on, its difference to the run two before is stored. A number goes out in groups of 5 bits, lowest first, each as
 * the character 48 + group, with 32 added where more follow; the sign is that of the last group's highest bit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "tycho/tools/coco.h"
#include "inner.h"

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

typedef struct runs {
    int64_t *count;
    size_t n;
    int64_t run;
    bool inside;
} runs;

static void add(runs *r, bool inside, int64_t pixels)
{
    if (pixels > 0 && inside != r->inside) {
        r->count[r->n++] = r->run;
        r->run = 0;
        r->inside = inside;
    }
    r->run += pixels;
}

/* the pixels outside the box are counted, not looked at */
static void count_runs(runs *r, int width, int height, const uint16_t *image, uint16_t value, const int box[4])
{
    add(r, false, (int64_t)box[0] * height);
    for (int x = box[0]; x < box[2]; x++) {
        add(r, false, box[1]);
        for (int y = box[1]; y < box[3]; y++) {
            add(r, image[(size_t)y * (size_t)width + (size_t)x] == value, 1);
        }
        add(r, false, height - box[3]);
    }
    add(r, false, (int64_t)(width - box[2]) * height);
    r->count[r->n++] = r->run;
}

char *tyi_io_coco_rle_encode(int width, int height, const uint16_t *image, uint16_t value, const int *box)
{
    const int all[4] = { 0, 0, width, height };
    box = box ? box : all;
    size_t most = (size_t)(box[2] - box[0]) * (size_t)(box[3] - box[1] + 1) + 3;
    runs r = { .count = malloc(most * sizeof *r.count) };
    if (!r.count) {
        return NULL;
    }
    count_runs(&r, width, height, image, value, box);
    char *text = malloc(13 * r.n + 1), *at = text; /* 60 bits are 12 groups */
    for (size_t i = 0; text && i < r.n; i++) {
        at = put(at, i > 2 ? r.count[i] - r.count[i - 2] : r.count[i]);
    }
    if (text) {
        *at++ = 0;
        char *less = realloc(text, (size_t)(at - text));
        text = less ? less : text;
    }
    free(r.count);
    return text;
}

bool tyi_io_coco_rle_decode(const char *text, int width, int height, uint8_t *mask)
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
