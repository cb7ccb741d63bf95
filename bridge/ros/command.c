/* bridge/ros/command.c - messages that clients send, read from CDR of either byte order (OMG DDSI-RTPS 2.2, 10.5; CDR's alignment
 * counts from behind the four bytes of the encoding). Nothing in them is believed before it is looked at.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "door.h"
#include "input.h"

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
