/* include/tycho/stream.h - what a sensor says: one message for the C API, files, recorders and bridges.
 *
 * A message belongs to the run that made it. A subscriber may read it during the call; the newest one of each sensor
 * stays valid until the next step. Who wants to keep data longer copies it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_STREAM_H
#define TYCHO_STREAM_H
#include "tycho/buffer.h"
TY_BEGIN_DECLS

/* What the parts of a message mean. Constant data of the sensor's kind. */
typedef struct ty_message_schema {
    const char *name; /* "camera", "lidar", "imu" */
    /* names of the first part's channels, with units, ends with NULL: "ax_m_s2". NULL: an image */
    const char *const *column;
} ty_message_schema;

/* One buffer of a message. The first is what came out of the sensor's filters; ground truth follows it. */
#define TY_MESSAGE_PARTS 16
typedef struct ty_message_part {
    const char *name; /* "image", "depth" */
    ty_buffer data;
} ty_message_part;

typedef struct ty_message {
    const char *run, *rover, *sensor; /* names; rover is the actor's where one carries the sensor */
    size_t index;                     /* of the sensor in its run */
    const ty_message_schema *schema;
    ty_stamps time;    /* [ns] of the run's clock: collected from start to end, readable from due on */
    uint64_t sequence; /* 0, 1, 2 ... of this sensor */
    int parts;
    ty_message_part part[TY_MESSAGE_PARTS];
} ty_message;

/* Called on the thread that steps the run, in order of due time, then rover, then sensor; once for each message. */
typedef void (*ty_message_receive)(void *user, const ty_message *message);

/* The part of a name; NULL: there is none. */
TY_API const ty_buffer *ty_message_find(const ty_message *message, const char *name);
/* Hash of all that a message says: names, stamps, sequence, types and every element. */
TY_API uint64_t ty_message_hash(const ty_message *message);

TY_END_DECLS
#endif
