/* include/tycho/tools/mcap.h - recordings that Foxglove and PlotJuggler open: MCAP files of ROS 2 messages.
 *
 *     ty_mcap_create("run.mcap", NULL, &log, &diag);
 *     ty_mcap_channel(log, "/viper/imu", TY_ROS_IMU, &imu, &diag);
 *     ty_cdr body = { 0 };
 *     ty_ros_imu(&body, stamp, "viper/imu", ...);
 *     ty_mcap_write(log, imu, stamp, &body, &diag);
 *     ty_mcap_close(log, &diag);
 *
 * The file is the MCAP container (version 0, profile "ros2"), messages are CDR, little endian, schemas are given as
 * ros2msg text, so that a reader needs nothing else. Messages are gathered in chunks with an index; what is on the
 * disk after a crash is readable up to the last whole chunk. Nothing in the file depends on the wall clock.
 *
 * Threads: one thread at a time per file. Statuses: TY_ERR_FILE, TY_ERR_MEMORY, TY_ERR_INPUT, TY_ERR_FORMAT.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_MCAP_H
#define TYCHO_MCAP_H
#include "tycho/base.h"
#include "tycho/math.h"
TY_BEGIN_DECLS

/* ---- bytes ---- */

/* Grows as it is written; all zero is an empty one. A failed growth is remembered, and reported when it is used. */
typedef struct ty_cdr {
    uint8_t *data;
    size_t size, capacity;
    const ty_alloc *alloc; /* NULL: heap */
    bool failed;           /* there was no memory */
} ty_cdr;
TY_API void ty_cdr_add(ty_cdr *bytes, const void *data, size_t size);
/* Room for size more, all zero, to be filled before the next call; NULL: there was no memory. */
TY_API void *ty_cdr_room(ty_cdr *bytes, size_t size);
/* A block: its size in 8 bytes, then the data. */
TY_API void ty_cdr_add_block(ty_cdr *bytes, const void *data, size_t size);
TY_API void ty_cdr_clear(ty_cdr *bytes); /* keeps the memory */
TY_API void ty_cdr_free(ty_cdr *bytes);

/* Bytes as they are read back, from front to end. What is not there is remembered: after it nothing is there any more.
 * */
typedef struct ty_cdr_reader {
    const uint8_t *at, *end;
    bool failed;
} ty_cdr_reader;
/* the next ones, in place; NULL: there are not as many */
TY_API const void *ty_cdr_reader_take(ty_cdr_reader *reader, size_t size);
/* a copy of them; zero where there are not as many */
TY_API void ty_cdr_reader_get(ty_cdr_reader *reader, void *out, size_t size);
/* the next block, in place; NULL, 0: there is none */
TY_API const void *ty_cdr_reader_block(ty_cdr_reader *reader, size_t *size);

/* ---- ROS 2 messages ---- */

/* Every message type that is written: name. Definitions: src/io/ros_schema.c */
#define TY_ROS_LIST(X)                                            \
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

typedef enum ty_ros_type {
#define TY_ROS_ENUM(id, name) id,
    TY_ROS_LIST(TY_ROS_ENUM)
#undef TY_ROS_ENUM
        TY_ROS_TYPES
} ty_ros_type;
TY_API const char *ty_ros_name(ty_ros_type type);
TY_API const char *ty_ros_definition(ty_ros_type type); /* with the definitions of all that it uses */

/* Each writes one message after clearing `out`. stamp [ns] since 1970, UTC as if there were no leap seconds; frame
 * names are ROS frame ids. Covariances: 0 is unknown, as ROS has it. */
TY_API void ty_ros_clock(ty_cdr *out, int64_t stamp);
typedef struct ty_ros_transform {
    const char *parent, *child;
    ty_pose pose; /* of the child in the parent */
} ty_ros_transform;
TY_API void ty_ros_tf(ty_cdr *out, int64_t stamp, const ty_ros_transform *transforms, size_t count);
/* v, omega in the child's frame; variance: of place and turn about x, y, z, then of v and omega, twelve in all, below 0 where
 * something is not measured; NULL: all 0, the truth */
TY_API void ty_ros_odometry(ty_cdr *out, int64_t stamp, const char *frame, const char *child, ty_pose pose, ty_vec3 v,
                            ty_vec3 omega, const double *variance);
/* attitude NULL: not measured; variances of white noise on the diagonals, 0: unknown */
TY_API void ty_ros_imu(ty_cdr *out, int64_t stamp, const char *frame, const ty_quat *attitude, ty_vec3 rate,
                       ty_vec3 force, double rate_variance, double force_variance);
/* any of position, velocity, effort may be NULL: then it is empty */
TY_API void ty_ros_joint_state(ty_cdr *out, int64_t stamp, const char *frame, size_t count, const char *const *name,
                               const double *position, const double *velocity, const double *effort);
/* encoding as ROS names it: "mono8", "mono16", "rgb8", "32FC1"; rows of `step` bytes from the top */
TY_API void ty_ros_image(ty_cdr *out, int64_t stamp, const char *frame, int width, int height, const char *encoding,
                         size_t step, const void *data);
/* K by focal lengths and centre [px]; model "plumb_bob" with d[0..count) or "" */
TY_API void ty_ros_camera_info(ty_cdr *out, int64_t stamp, const char *frame, int width, int height, const char *model,
                               const double *d, size_t count, const double k[9], double baseline_fx);
typedef struct ty_ros_field {
    const char *name;
    uint32_t offset; /* [bytes] in a point */
    uint8_t type;    /* 1 int8, 2 uint8, 3 int16, 4 uint16, 5 int32, 6 uint32, 7 float32, 8 float64 */
} ty_ros_field;
TY_API void ty_ros_point_cloud(ty_cdr *out, int64_t stamp, const char *frame, size_t points, const ty_ros_field *fields,
                               size_t field_count, size_t point_step, const void *data);
typedef struct ty_ros_battery {
    float voltage, current; /* [V], [A] negative when it is drawn from */
    float charge, capacity; /* [A h] */
    float share;            /* [-] 0 to 1 */
} ty_ros_battery;
TY_API void ty_ros_battery_state(ty_cdr *out, int64_t stamp, const char *frame, const ty_ros_battery *battery);
TY_API void ty_ros_vector(ty_cdr *out, int64_t stamp, const char *frame, ty_vec3 v); /* also a point: the same bytes */
TY_API void ty_ros_quaternion(ty_cdr *out, int64_t stamp, const char *frame, ty_quat q);
TY_API void ty_ros_range(ty_cdr *out, int64_t stamp, const char *frame, float field_of_view, float least, float most,
                         float range, float variance);

/* q NULL: the attitude is not known; variance of the place along x, y, z; NULL: unknown */
TY_API void ty_ros_pose(ty_cdr *out, int64_t stamp, const char *frame, ty_vec3 p, const ty_quat *q,
                        const double *variance);
/* Numbers without a message of their own: one row of them, labelled by the names, with commas between. */
TY_API void ty_ros_values(ty_cdr *out, const char *label, const double *value, size_t count);
TY_API void ty_ros_string(ty_cdr *out, const char *text);
/* A thing in an image (place and size in pixels, along x and y) or in space. */
typedef struct ty_ros_box {
    const char *kind, *id;
    ty_pose pose; /* of its middle */
    ty_vec3 size;
} ty_ros_box;
/* solid: TY_ROS_SOLIDS, else TY_ROS_BOXES */
TY_API void ty_ros_boxes(ty_cdr *out, int64_t stamp, const char *frame, bool solid, const ty_ros_box *box,
                         size_t count);
/* How something is: level 0 well, 1 a warning, 2 an error. */
typedef struct ty_ros_status {
    int level;
    const char *name, *message;
    const char *(*value)[2]; /* keys and values */
    size_t values;
} ty_ros_status;
TY_API void ty_ros_diagnostics(ty_cdr *out, int64_t stamp, const ty_ros_status *status, size_t count);

/* ---- the file ---- */

typedef struct ty_mcap ty_mcap;

/* A new file; an old one of that name is replaced. */
TY_API ty_status ty_mcap_create(const char *path, const ty_alloc *alloc, ty_mcap **out, ty_diag *diag);
/* A topic. The same topic and type give the same channel again; TY_ERR_INPUT for another type. */
TY_API ty_status ty_mcap_channel(ty_mcap *mcap, const char *topic, ty_ros_type type, uint16_t *channel, ty_diag *diag);
/* time [ns] since 1970; should not fall within a file. Sequence numbers count by channel. */
TY_API ty_status ty_mcap_write(ty_mcap *mcap, uint16_t channel, int64_t time, const ty_cdr *message, ty_diag *diag);
/* Writes the rest, the index and the end, and frees mcap, whatever happens. NULL is allowed. */
TY_API ty_status ty_mcap_close(ty_mcap *mcap, ty_diag *diag);

/* For checkpoints: what is on the disk is flushed, and `out` gets all that is needed to go on from here. */
TY_API ty_status ty_mcap_save(ty_mcap *mcap, ty_cdr *out, ty_diag *diag);
/* Cuts the file back to the moment of the save and goes on. TY_ERR_FORMAT where state and file do not belong together.
 * */
TY_API ty_status ty_mcap_resume(const char *path, const void *state, size_t bytes, const ty_alloc *alloc, ty_mcap **out,
                                ty_diag *diag);

TY_END_DECLS
#endif
