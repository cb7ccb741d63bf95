/* bridge/ros/input.h - CDR of others, read byte by byte; for the files of this folder.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYB_ROS_INPUT_H
#define TYB_ROS_INPUT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct input {
    const uint8_t *data;
    size_t bytes, at;
    bool big, failed;
} input;

static inline input begin(const uint8_t *cdr, size_t bytes)
{
    input in = { cdr, bytes, 4, false, bytes < 4 || cdr[0] != 0 || cdr[1] > 1 };
    in.big = !in.failed && cdr[1] == 0;
    return in;
}

/* the next of so many bytes, at its place; 0: there is none */
static inline uint64_t take(input *in, size_t size)
{
    size_t at = 4 + (in->at - 4 + size - 1) / size * size;
    uint64_t v = 0;
    if (in->failed || in->bytes < size || at > in->bytes - size) {
        in->failed = true;
        return 0;
    }
    for (size_t i = 0; i < size; i++) {
        v |= (uint64_t)in->data[at + i] << 8 * (in->big ? size - 1 - i : i);
    }
    in->at = at + size;
    return v;
}

static inline double number(input *in)
{
    uint64_t bits = take(in, 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline double number_f32(input *in)
{
    uint32_t bits = (uint32_t)take(in, 4);
    float v;
    memcpy(&v, &bits, sizeof v);
    return (double)v;
}

/* a string, cut to what fits */
static inline void text(input *in, char *out, size_t size)
{
    uint64_t n = take(in, 4);
    if (in->failed || n == 0 || n > in->bytes - in->at || in->data[in->at + n - 1] != 0) {
        in->failed = true;
        n = 1;
    }
    size_t keep = n - 1 < size ? (size_t)n - 1 : size - 1;
    if (!in->failed && keep) {
        memcpy(out, in->data + in->at, keep);
    }
    out[in->failed ? 0 : keep] = 0;
    in->at += in->failed ? 0 : (size_t)n;
}

static inline void header(input *in)
{
    char frame[8];
    take(in, 4), take(in, 4);
    text(in, frame, sizeof frame);
}

#endif
