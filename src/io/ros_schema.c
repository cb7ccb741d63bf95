/* src/io/ros_schema.c - the fields of the ROS 2 messages that are written, as ros2msg text.
 *
 * Names, types and order of the fields are those of the ROS 2 packages common_interfaces, geometry2,
 * rcl_interfaces and vision_msgs 4; each definition carries those it uses behind a line of '=', as MCAP's ros2msg encoding asks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "mcap.h"

#define PART(name) "================================================================================\nMSG: " name "\n"
#define TIME       PART("builtin_interfaces/Time") "int32 sec\nuint32 nanosec\n"
#define HEADER     PART("std_msgs/Header") "builtin_interfaces/Time stamp\nstring frame_id\n" TIME
#define VECTOR3    PART("geometry_msgs/Vector3") "float64 x\nfloat64 y\nfloat64 z\n"
#define POINT      PART("geometry_msgs/Point") "float64 x\nfloat64 y\nfloat64 z\n"
#define QUATERNION PART("geometry_msgs/Quaternion") "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"

static const char clock_text[] = "builtin_interfaces/Time clock\n" TIME;

static const char tf_text[] =
    "geometry_msgs/TransformStamped[] transforms\n" PART("geometry_msgs/TransformStamped") "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n" PART(
        "geometry_msgs/Transform") "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n" HEADER
        VECTOR3 QUATERNION;

static const char odometry_text[] =
    "std_msgs/Header header\nstring child_frame_id\n"
    "geometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist\n" PART("geometry_msgs/PoseWithCovariance") "geometry_msgs/Pose pose\nfloat64[36] covariance\n" PART("geometry_msgs/Pose") "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n" PART(
        "geometry_msgs/TwistWithCovariance") "geometry_msgs/Twist twist\nfloat64[36] covariance\n" PART("geometry_msgs/Twist") "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n" HEADER
        POINT VECTOR3 QUATERNION;

static const char imu_text[] =
    "std_msgs/Header header\n"
    "geometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\n"
    "geometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\n"
    "geometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance\n" HEADER VECTOR3 QUATERNION;

static const char joint_text[] = "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n"
                                 "float64[] effort\n" HEADER;

static const char image_text[] = "std_msgs/Header header\nuint32 height\nuint32 width\nstring encoding\n"
                                 "uint8 is_bigendian\nuint32 step\nuint8[] data\n" HEADER;

static const char info_text[] =
    "std_msgs/Header header\nuint32 height\nuint32 width\nstring distortion_model\n"
    "float64[] d\nfloat64[9] k\nfloat64[9] r\nfloat64[12] p\nuint32 binning_x\nuint32 binning_y\n"
    "sensor_msgs/RegionOfInterest roi\n" PART(
        "sensor_msgs/RegionOfInterest") "uint32 x_offset\nuint32 y_offset\nuint32 height\nuint32 width\nbool do_rectify\n" HEADER;

static const char cloud_text[] =
    "std_msgs/Header header\nuint32 height\nuint32 width\nsensor_msgs/PointField[] fields\n"
    "bool is_bigendian\nuint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n" PART(
        "sensor_msgs/PointField") "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\nuint8 INT32=5\nuint8 UINT32=6\n"
                                  "uint8 FLOAT32=7\nuint8 FLOAT64=8\nstring name\nuint32 offset\nuint8 datatype\nuint32 count\n" HEADER;

static const char battery_text[] =
    "std_msgs/Header header\nfloat32 voltage\nfloat32 temperature\nfloat32 current\nfloat32 charge\n"
    "float32 capacity\nfloat32 design_capacity\nfloat32 percentage\nuint8 power_supply_status\nuint8 power_supply_health\n"
    "uint8 power_supply_technology\nbool present\nfloat32[] cell_voltage\nfloat32[] cell_temperature\nstring location\n"
    "string serial_number\n" HEADER;

static const char vector_text[] = "std_msgs/Header header\ngeometry_msgs/Vector3 vector\n" HEADER VECTOR3;
static const char point_text[] = "std_msgs/Header header\ngeometry_msgs/Point point\n" HEADER POINT;
static const char quaternion_text[] = "std_msgs/Header header\ngeometry_msgs/Quaternion quaternion\n" HEADER QUATERNION;
static const char range_text[] =
    "uint8 ULTRASOUND=0\nuint8 INFRARED=1\nstd_msgs/Header header\nuint8 radiation_type\n"
    "float32 field_of_view\nfloat32 min_range\nfloat32 max_range\nfloat32 range\nfloat32 variance\n" HEADER;

static const char pose_text[] =
    "std_msgs/Header header\ngeometry_msgs/PoseWithCovariance pose\n" PART("geometry_msgs/PoseWithCovariance") "geometry_msgs/Pose pose\nfloat64[36] covariance\n" PART(
        "geometry_msgs/Pose") "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n" HEADER POINT
        QUATERNION;
static const char values_text[] =
    "std_msgs/MultiArrayLayout layout\nfloat64[] data\n" PART("std_msgs/MultiArrayLayout") "std_msgs/MultiArrayDimension[] dim\nuint32 data_offset\n" PART(
        "std_msgs/MultiArrayDimension") "string label\nuint32 size\nuint32 stride\n";
static const char string_text[] = "# one line of text\nstring data\n";

#define POSE     PART("geometry_msgs/Pose") "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n"
#define POSE_COV PART("geometry_msgs/PoseWithCovariance") "geometry_msgs/Pose pose\nfloat64[36] covariance\n" POSE
#define HYPOTHESIS                                                                           \
    PART("vision_msgs/ObjectHypothesisWithPose")                                             \
    "vision_msgs/ObjectHypothesis hypothesis\ngeometry_msgs/PoseWithCovariance pose\n" PART( \
        "vision_msgs/ObjectHypothesis") "string class_id\nfloat64 score\n" POSE_COV POINT QUATERNION HEADER
static const char boxes_text[] =
    "std_msgs/Header header\nvision_msgs/Detection2D[] detections\n" PART("vision_msgs/Detection2D") "std_msgs/Header header\nvision_msgs/ObjectHypothesisWithPose[] results\nvision_msgs/BoundingBox2D bbox\nstring id\n" PART(
        "vision_msgs/BoundingBox2D") "vision_msgs/Pose2D center\nfloat64 size_x\nfloat64 size_y\n" PART("vision_msgs/Pose2D") "vision_msgs/Point2D position\nfloat64 theta\n" PART("vision_msgs/Point2D") "float64 x\nfloat64 y\n" HYPOTHESIS;
static const char solids_text[] =
    "std_msgs/Header header\nvision_msgs/Detection3D[] detections\n" PART("vision_msgs/Detection3D") "std_msgs/Header header\nvision_msgs/ObjectHypothesisWithPose[] results\nvision_msgs/BoundingBox3D bbox\nstring id\n" PART(
        "vision_msgs/BoundingBox3D") "geometry_msgs/Pose center\ngeometry_msgs/Vector3 size\n" VECTOR3 HYPOTHESIS;
static const char diagnostics_text[] =
    "std_msgs/Header header\ndiagnostic_msgs/DiagnosticStatus[] status\n" PART("diagnostic_msgs/DiagnosticStatus") "byte OK=0\nbyte WARN=1\nbyte ERROR=2\nbyte STALE=3\nbyte level\nstring name\nstring message\nstring hardware_id\ndiagnostic_msgs/KeyValue[] values\n" PART(
        "diagnostic_msgs/KeyValue") "string key\nstring value\n" HEADER;

const char *tyi_io_ros_name(tyi_io_ros_type type)
{
    static const char *const names[] = {
#define NAME(id, name) name,
        TYI_IO_ROS_LIST(NAME)
#undef NAME
    };
    return (unsigned)type < TYI_IO_ROS_TYPES ? names[type] : "?";
}

const char *tyi_io_ros_definition(tyi_io_ros_type type)
{
    static const char *const texts[TYI_IO_ROS_TYPES] = {
        [TY_ROS_CLOCK] = clock_text,
        [TY_ROS_TF] = tf_text,
        [TY_ROS_ODOMETRY] = odometry_text,
        [TY_ROS_IMU] = imu_text,
        [TY_ROS_JOINT_STATE] = joint_text,
        [TY_ROS_IMAGE] = image_text,
        [TY_ROS_CAMERA_INFO] = info_text,
        [TY_ROS_POINT_CLOUD] = cloud_text,
        [TY_ROS_BATTERY] = battery_text,
        [TY_ROS_VECTOR] = vector_text,
        [TY_ROS_POINT] = point_text,
        [TY_ROS_QUATERNION] = quaternion_text,
        [TY_ROS_RANGE] = range_text,
        [TY_ROS_POSE] = pose_text,
        [TY_ROS_VALUES] = values_text,
        [TY_ROS_STRING] = string_text,
        [TY_ROS_BOXES] = boxes_text,
        [TY_ROS_SOLIDS] = solids_text,
        [TY_ROS_DIAGNOSTICS] = diagnostics_text,
    };
    return (unsigned)type < TYI_IO_ROS_TYPES ? texts[type] : "";
}
