/* src/io/mcap.h - recordings that Foxglove and PlotJuggler open: MCAP files of ROS 2 messages.
 *
 *     tyi_io_mcap_create("run.mcap", NULL, &log, &diag);
 *     tyi_io_mcap_channel(log, "/viper/imu", TY_ROS_IMU, &imu, &diag);
 *     tyi_io_cdr body = { 0 };
 *     tyi_io_ros_imu(&body, stamp, "viper/imu", ...);
 *     tyi_io_mcap_write(log, imu, stamp, &body, &diag);
 *     tyi_io_mcap_close(log, &diag);
 *
 * The file is the MCAP container (version 0, profile "ros2"), messages are CDR, little endian, schemas are given as
 * ros2msg text, so that a reader needs nothing else. Messages are gathered in chunks with an index; what is on the
 * disk after a crash is readable up to the last whole chunk. Nothing in the file depends on the wall clock.
 *
 * Threads: one thread at a time per file; full chunks are packed and written by one of its own, which asks the allocator, too. What it fails with is told by a later
 * call, at the latest by tyi_io_mcap_close(). Statuses: TY_ERR_FILE, TY_ERR_MEMORY, TY_ERR_INPUT, TY_ERR_FORMAT.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_IO_MCAP_H
#define TYI_IO_MCAP_H
#include <stdio.h>
#include "tycho/base.h"
#include "tycho/math.h"

/* ---- bytes ---- */

/* Grows as it is written; all zero is an empty one. A failed growth is remembered, and reported when it is used. */
typedef struct tyi_io_cdr {
    uint8_t *data;
    size_t size, capacity;
    const ty_alloc *alloc; /* NULL: heap */
    bool failed;           /* there was no memory */
} tyi_io_cdr;
void tyi_io_cdr_add(tyi_io_cdr *bytes, const void *data, size_t size);
/* Room for size more, all zero, to be filled before the next call; NULL: there was no memory. */
void *tyi_io_cdr_room(tyi_io_cdr *bytes, size_t size);
/* A block: its size in 8 bytes, then the data. */
void tyi_io_cdr_add_block(tyi_io_cdr *bytes, const void *data, size_t size);
void tyi_io_cdr_clear(tyi_io_cdr *bytes); /* keeps the memory */
void tyi_io_cdr_free(tyi_io_cdr *bytes);

/* Bytes as they are read back, from front to end. What is not there is remembered: after it nothing is there any more.
 * */
typedef struct tyi_io_cdr_reader {
    const uint8_t *at, *end;
    bool failed;
} tyi_io_cdr_reader;
/* the next ones, in place; NULL: there are not as many */
const void *tyi_io_cdr_reader_take(tyi_io_cdr_reader *reader, size_t size);
/* a copy of them; zero where there are not as many */
void tyi_io_cdr_reader_get(tyi_io_cdr_reader *reader, void *out, size_t size);
/* the next block, in place; NULL, 0: there is none */
const void *tyi_io_cdr_reader_block(tyi_io_cdr_reader *reader, size_t *size);

/* ---- ROS 2 messages ---- */

/* Every message type that is written: name. Definitions: src/io/ros_schema.c */
#define TYI_IO_ROS_LIST(X)                                        \
    X(TY_ROS_CLOCK, "rosgraph_msgs/msg/Clock")                    \
    X(TY_ROS_TF, "tf2_msgs/msg/TFMessage")                        \
    X(TY_ROS_ODOMETRY, "nav_msgs/msg/Odometry")                   \
    X(TY_ROS_IMU, "sensor_msgs/msg/Imu")                          \
    X(TY_ROS_JOINT_STATE, "sensor_msgs/msg/JointState")           \
    X(TY_ROS_IMAGE, "sensor_msgs/msg/Image")                      \
    X(TY_ROS_CAMERA_INFO, "sensor_msgs/msg/CameraInfo")           \
    X(TY_ROS_POINT_CLOUD, "sensor_msgs/msg/PointCloud2")          \
    X(TY_ROS_BATTERY, "sensor_msgs/msg/BatteryState")             \
    X(TY_ROS_VECTOR, "geometry_msgs/msg/Vector3Stamped")          \
    X(TY_ROS_POINT, "geometry_msgs/msg/PointStamped")             \
    X(TY_ROS_QUATERNION, "geometry_msgs/msg/QuaternionStamped")   \
    X(TY_ROS_RANGE, "sensor_msgs/msg/Range")                      \
    X(TY_ROS_POSE, "geometry_msgs/msg/PoseWithCovarianceStamped") \
    X(TY_ROS_VALUES, "std_msgs/msg/Float64MultiArray")            \
    X(TY_ROS_STRING, "std_msgs/msg/String")                       \
    X(TY_ROS_BOXES, "vision_msgs/msg/Detection2DArray")           \
    X(TY_ROS_SOLIDS, "vision_msgs/msg/Detection3DArray")          \
    X(TY_ROS_DIAGNOSTICS, "diagnostic_msgs/msg/DiagnosticArray")

typedef enum tyi_io_ros_type {
#define TYI_IO_ROS_ENUM(id, name) id,
    TYI_IO_ROS_LIST(TYI_IO_ROS_ENUM)
#undef TYI_IO_ROS_ENUM
        TYI_IO_ROS_TYPES
} tyi_io_ros_type;
const char *tyi_io_ros_name(tyi_io_ros_type type);
const char *tyi_io_ros_definition(tyi_io_ros_type type); /* with the definitions of all that it uses */

/* Each writes one message after clearing `out`. stamp [ns] since 1970, UTC as if there were no leap seconds; frame
 * names are ROS frame ids. Covariances: 0 is unknown, as ROS has it. */
void tyi_io_ros_clock(tyi_io_cdr *out, int64_t stamp);
typedef struct tyi_io_ros_transform {
    const char *parent, *child;
    ty_pose pose; /* of the child in the parent */
} tyi_io_ros_transform;
void tyi_io_ros_tf(tyi_io_cdr *out, int64_t stamp, const tyi_io_ros_transform *transforms, size_t count);
/* v, omega in the child's frame; variance: of place and turn about x, y, z, then of v and omega, twelve in all, below 0 where
 * something is not measured; NULL: all 0, the truth */
void tyi_io_ros_odometry(tyi_io_cdr *out, int64_t stamp, const char *frame, const char *child, ty_pose pose, ty_vec3 v,
                         ty_vec3 omega, const double *variance);
/* attitude NULL: not measured; variances of white noise on the diagonals, 0: unknown */
void tyi_io_ros_imu(tyi_io_cdr *out, int64_t stamp, const char *frame, const ty_quat *attitude, ty_vec3 rate,
                    ty_vec3 force, double rate_variance, double force_variance);
/* any of position, velocity, effort may be NULL: then it is empty */
void tyi_io_ros_joint_state(tyi_io_cdr *out, int64_t stamp, const char *frame, size_t count, const char *const *name,
                            const double *position, const double *velocity, const double *effort);
/* encoding as ROS names it: "mono8", "mono16", "rgb8", "32FC1"; rows of `step` bytes from the top */
void tyi_io_ros_image(tyi_io_cdr *out, int64_t stamp, const char *frame, int width, int height, const char *encoding,
                      size_t step, const void *data);
/* K by focal lengths and centre [px]; model "plumb_bob" with d[0..count) or "" */
void tyi_io_ros_camera_info(tyi_io_cdr *out, int64_t stamp, const char *frame, int width, int height, const char *model,
                            const double *d, size_t count, const double k[9], double baseline_fx);
typedef struct tyi_io_ros_field {
    const char *name;
    uint32_t offset; /* [bytes] in a point */
    uint8_t type;    /* 1 int8, 2 uint8, 3 int16, 4 uint16, 5 int32, 6 uint32, 7 float32, 8 float64 */
} tyi_io_ros_field;
void tyi_io_ros_point_cloud(tyi_io_cdr *out, int64_t stamp, const char *frame, size_t points,
                            const tyi_io_ros_field *fields, size_t field_count, size_t point_step, const void *data);
typedef struct tyi_io_ros_battery {
    float voltage, current; /* [V], [A] negative when it is drawn from */
    float charge, capacity; /* [A h] */
    float share;            /* [-] 0 to 1 */
} tyi_io_ros_battery;
void tyi_io_ros_battery_state(tyi_io_cdr *out, int64_t stamp, const char *frame, const tyi_io_ros_battery *battery);
void tyi_io_ros_vector(tyi_io_cdr *out, int64_t stamp, const char *frame, ty_vec3 v); /* also a point: the same bytes */
void tyi_io_ros_quaternion(tyi_io_cdr *out, int64_t stamp, const char *frame, ty_quat q);
void tyi_io_ros_range(tyi_io_cdr *out, int64_t stamp, const char *frame, float field_of_view, float least, float most,
                      float range, float variance);

/* q NULL: the attitude is not known; variance of the place along x, y, z; NULL: unknown */
void tyi_io_ros_pose(tyi_io_cdr *out, int64_t stamp, const char *frame, ty_vec3 p, const ty_quat *q,
                     const double *variance);
/* Numbers without a message of their own: one row of them, labelled by the names, with commas between. */
void tyi_io_ros_values(tyi_io_cdr *out, const char *label, const double *value, size_t count);
void tyi_io_ros_string(tyi_io_cdr *out, const char *text);
/* A thing in an image (place and size in pixels, along x and y) or in space. */
typedef struct tyi_io_ros_box {
    const char *kind, *id;
    ty_pose pose; /* of its middle */
    ty_vec3 size;
} tyi_io_ros_box;
/* solid: TY_ROS_SOLIDS, else TY_ROS_BOXES */
void tyi_io_ros_boxes(tyi_io_cdr *out, int64_t stamp, const char *frame, bool solid, const tyi_io_ros_box *box,
                      size_t count);
/* How something is: level 0 well, 1 a warning, 2 an error. */
typedef struct tyi_io_ros_status {
    int level;
    const char *name, *message;
    const char *(*value)[2]; /* keys and values */
    size_t values;
} tyi_io_ros_status;
void tyi_io_ros_diagnostics(tyi_io_cdr *out, int64_t stamp, const tyi_io_ros_status *status, size_t count);

/* ---- the file ---- */

typedef struct tyi_io_mcap tyi_io_mcap;

/* A new file; an old one of that name is replaced. */
ty_status tyi_io_mcap_create(const char *path, const ty_alloc *alloc, tyi_io_mcap **out, ty_diag *diag);
/* A topic. The same topic and type give the same channel again; TY_ERR_INPUT for another type. */
ty_status tyi_io_mcap_channel(tyi_io_mcap *mcap, const char *topic, tyi_io_ros_type type, uint16_t *channel,
                              ty_diag *diag);
/* time [ns] since 1970; should not fall within a file. Sequence numbers count by channel. */
ty_status tyi_io_mcap_write(tyi_io_mcap *mcap, uint16_t channel, int64_t time, const tyi_io_cdr *message,
                            ty_diag *diag);
/* Writes the rest, the index and the end, and frees mcap, whatever happens. NULL is allowed. */
ty_status tyi_io_mcap_close(tyi_io_mcap *mcap, ty_diag *diag);

/* For checkpoints: what is on the disk is flushed, and `out` gets all that is needed to go on from here. */
ty_status tyi_io_mcap_save(tyi_io_mcap *mcap, tyi_io_cdr *out, ty_diag *diag);
/* Cuts the file back to the moment of the save and goes on. TY_ERR_FORMAT where state and file do not belong together.
 * */
ty_status tyi_io_mcap_resume(const char *path, const void *state, size_t bytes, const ty_alloc *alloc,
                             tyi_io_mcap **out, ty_diag *diag);

/* A file inside the file, with its media type ("application/yaml"); its time is that of the first message. */
ty_status tyi_io_mcap_attach(tyi_io_mcap *mcap, const char *name, const char *media, const void *data, size_t size,
                             ty_diag *diag);
/* A record of keys and values. */
ty_status tyi_io_mcap_note(tyi_io_mcap *mcap, const char *name, const char *const (*pair)[2], size_t pairs,
                           ty_diag *diag);
/* What rosbag2 wants to know beside the file (metadata.yaml); `file` is its name there. */
void tyi_io_mcap_describe(const tyi_io_mcap *mcap, const char *file, FILE *out);

#endif
