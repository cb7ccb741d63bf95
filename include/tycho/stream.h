/* include/tycho/stream.h - what a sensor says: one message for the C API, files, recorders and bridges.
 *
 * A message belongs to the run that made it. A subscriber may read it during the call; the newest one of each sensor
 * stays valid until the next step. Who wants to keep data longer says so by ty_message_keep(), or copies it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_STREAM_H
#define TYCHO_STREAM_H
#include "tycho/buffer.h"
TY_BEGIN_DECLS

/* What a column measures. Readers (CSV, plots, recordings, bridges) go by this, not by names or places. Vectors are three
 * columns one after the other, x, y, z; attitudes are four, w, x, y, z. */
typedef enum ty_quantity {
    TY_QUANTITY_NONE,         /* anything else: a share, a number without a meaning of its own */
    TY_QUANTITY_COUNT,        /* whole numbers: ticks, photons */
    TY_QUANTITY_SWITCH,       /* 0 or 1 */
    TY_QUANTITY_BLIND,        /* 0: it sees; else the reason why not, and its other columns say nothing */
    TY_QUANTITY_TIME,         /* [s] */
    TY_QUANTITY_POSITION,     /* [m] vector, in the message's frame */
    TY_QUANTITY_LENGTH,       /* [m] */
    TY_QUANTITY_RANGE,        /* [m] from the sensor along its beam */
    TY_QUANTITY_VELOCITY,     /* [m/s] vector */
    TY_QUANTITY_FORCE,        /* [m/s^2] vector: specific force, as an accelerometer feels it */
    TY_QUANTITY_TURN,         /* [rad/s] vector: angular velocity */
    TY_QUANTITY_DIRECTION,    /* [-] vector of length 1 */
    TY_QUANTITY_ATTITUDE,     /* [-] unit quaternion */
    TY_QUANTITY_ANGLE,        /* [rad] */
    TY_QUANTITY_YAW,          /* [rad] heading, from x to the left */
    TY_QUANTITY_JOINT_ANGLE,  /* [rad] of the joint `of` */
    TY_QUANTITY_JOINT_RATE,   /* [rad/s] of the joint `of` */
    TY_QUANTITY_JOINT_TORQUE, /* [N m] of the joint `of` */
    TY_QUANTITY_LOAD,         /* [N] */
    TY_QUANTITY_CURRENT,      /* [A] */
    TY_QUANTITY_POWER,        /* [W] */
    TY_QUANTITY_CHARGE,       /* [-] of a battery, 0 to 1 */
    TY_QUANTITY_SLIP          /* [-] of a wheel */
} ty_quantity;

typedef struct ty_message_column {
    const char *name; /* without its unit: "wx", "front_left_angle"; NULL ends a list */
    const char *unit; /* "rad/s", "m/s2"; "": none */
    ty_quantity quantity;
    const char *of; /* name of the wheel, joint or motor that it is of; NULL: of the whole */
} ty_message_column;
/* How a column is headed in a table: "wx_rad_s". Returns out. */
TY_API const char *ty_message_column_text(const ty_message_column *column, char *out, size_t size);

/* What the parts of a message mean. Constant data of the sensor's kind. */
typedef struct ty_message_schema {
    const char *name;                /* "camera", "lidar", "imu" */
    const ty_message_column *column; /* of the first part's channels, ends with a name of NULL. NULL: an image */
} ty_message_schema;
/* The first column of a quantity at or after `from`; -1: there is none. */
TY_API int ty_message_schema_find(const ty_message_schema *schema, ty_quantity quantity, int from);

/* One buffer of a message. The first is what came out of the sensor's filters; ground truth follows it. */
#define TY_MESSAGE_PARTS 16
typedef struct ty_message_part {
    const char *name; /* "image", "depth" */
    ty_buffer data;
} ty_message_part;

/* Who says it. */
typedef enum ty_message_kind {
    TY_MESSAGE_SENSOR,
    TY_MESSAGE_CLOCK,  /* the run: its time [s] */
    TY_MESSAGE_POSE,   /* a rover (its B) or an actor: pose in W, velocities in its own frame, way */
    TY_MESSAGE_WHEELS, /* a rover: angle, rate, torque, steer, slip, sinkage, load, power, contact of each */
    TY_MESSAGE_EVENT,  /* a rover: something worth a look has begun; named by it, as in events.csv */
    TY_MESSAGE_EDIT /* the ground: rectangles of samples that changed, one per row; parts "change" [m], what was added to their heights,
                        * and "trace". A reader that comes late, or a run that was restored, is told all edits so far, `restart` in the first row */
} ty_message_kind;

typedef struct ty_message {
    const char *run, *rover, *sensor; /* names; rover is the actor's where one carries the sensor */
    size_t index;                     /* of the sensor in its run */
    const ty_message_schema *schema;
    ty_stamps time;    /* [ns] of the run's clock: collected from start to end, readable from due on */
    uint64_t sequence; /* 0, 1, 2 ... of this sensor */
    int parts;
    ty_message_part part[TY_MESSAGE_PARTS];
    ty_message_kind kind; /* of others than sensors: index is the rover's, or rovers + the actor's */
    bool shared;          /* by a run: its data need no copy to be kept */
} ty_message;

/* Called on the thread that steps the run, in order of due time, then rover, then sensor; once for each message. */
typedef void (*ty_message_receive)(void *user, const ty_message *message);

/* The part of a name; NULL: there is none. */
TY_API const ty_buffer *ty_message_find(const ty_message *message, const char *name);
/* Keeps the data of a message that may be read now for as long as the caller likes, past the run's end, too: *out is the same
 * message, at the same addresses where a run's sensor made it (the run then takes other memory for the next), otherwise
 * copied. ty_buffer_destroy(&out->part[0].data), by any thread, lets go of all parts. Names and schema stay the run's.
 * TY_ERR_MEMORY. */
TY_API ty_status ty_message_keep(const ty_message *message, ty_message *out, ty_diag *diag);
/* Hash of all that a message says: names, stamps, sequence, types and every element. */
TY_API uint64_t ty_message_hash(const ty_message *message);

TY_END_DECLS
#endif
