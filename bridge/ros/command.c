/* bridge/ros/command.c - messages that clients send, read from CDR of either byte order (OMG DDSI-RTPS 2.2, 10.5; CDR's alignment
 * counts from behind the four bytes of the encoding). Nothing in them is believed before it is looked at.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "door.h"

typedef struct input {
    const uint8_t *data;
    size_t bytes, at;
    bool big, failed;
} input;

static input begin(const uint8_t *cdr, size_t bytes)
{
    input in = { cdr, bytes, 4, false, bytes < 4 || cdr[0] != 0 || cdr[1] > 1 };
    in.big = !in.failed && cdr[1] == 0;
    return in;
}

/* the next of so many bytes, at its place; 0: there is none */
static uint64_t take(input *in, size_t size)
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

static double number(input *in)
{
    uint64_t bits = take(in, 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static double number_f32(input *in)
{
    uint32_t bits = (uint32_t)take(in, 4);
    float v;
    memcpy(&v, &bits, sizeof v);
    return (double)v;
}

/* a string, cut to what fits */
static void text(input *in, char *out, size_t size)
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

static void header(input *in)
{
    char frame[8];
    take(in, 4), take(in, 4);
    text(in, frame, sizeof frame);
}

bool tyb_ros_read_twist(const uint8_t *cdr, size_t bytes, bool stamped, tyb_ros_drive *out)
{
    input in = begin(cdr, bytes);
    double v[6];
    if (stamped) {
        header(&in);
    }
    for (int i = 0; i < 6; i++) {
        v[i] = number(&in);
        in.failed = in.failed || !isfinite(v[i]);
    }
    *out = (tyb_ros_drive){ v[0], v[1], v[5], (double)NAN };
    return !in.failed;
}

bool tyb_ros_read_ackermann(const uint8_t *cdr, size_t bytes, tyb_ros_drive *out)
{
    input in = begin(cdr, bytes);
    header(&in);
    double steer = number_f32(&in);
    number_f32(&in);
    double speed = number_f32(&in);
    *out = (tyb_ros_drive){ speed, 0.0, 0.0, steer };
    return !in.failed && isfinite(steer) && isfinite(speed);
}

/* a sequence of numbers, of which as many as there are names count */
static void numbers(input *in, int count, double *out)
{
    uint64_t n = take(in, 4);
    in->failed = in->failed || n > in->bytes / 8;
    for (int i = 0; i < count; i++) {
        out[i] = (double)NAN;
    }
    for (uint64_t i = 0; i < n && !in->failed; i++) {
        double v = number(in);
        if (i < (uint64_t)count) {
            out[i] = v;
        }
    }
}

bool tyb_ros_read_joints(const uint8_t *cdr, size_t bytes, tyb_ros_joints *out)
{
    input in = begin(cdr, bytes);
    header(&in);
    uint64_t n = take(&in, 4);
    if (in.failed || n > TYB_ROS_JOINTS) {
        return false;
    }
    out->count = (int)n;
    for (int i = 0; i < out->count; i++) {
        text(&in, out->name[i], sizeof out->name[i]);
    }
    numbers(&in, out->count, out->position);
    numbers(&in, out->count, out->velocity);
    return !in.failed;
}

bool tyb_ros_read_string(const uint8_t *cdr, size_t bytes, char *out, size_t size)
{
    input in = begin(cdr, bytes);
    text(&in, out, size);
    return !in.failed;
}
