/* src/io/ros.c - ROS 2 messages as CDR; the order of the fields is that of ros_schema.c
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "bytes.h"
#include "mcap.h"

static void put_zeros(tyi_io_cdr *b, int count)
{
    for (int k = 0; k < count; k++) {
        tyi_io_cdr_f64(b, 0.0);
    }
}

/* a square covariance of 3 with the same variance on its diagonal */
static void put_variance(tyi_io_cdr *b, double variance)
{
    for (int k = 0; k < 9; k++) {
        tyi_io_cdr_f64(b, k % 4 == 0 ? variance : 0.0);
    }
}

/* a covariance of so many rows with these variances; NULL: all 0 */
static void put_diagonal(tyi_io_cdr *b, const double *variance, int rows)
{
    for (int k = 0; k < rows * rows; k++) {
        tyi_io_cdr_f64(b, variance && k % (rows + 1) == 0 ? variance[k / rows] : 0.0);
    }
}

static void put_array(tyi_io_cdr *b, const double *values, size_t count)
{
    tyi_io_cdr_u32(b, values ? (uint32_t)count : 0);
    for (size_t k = 0; values && k < count; k++) {
        tyi_io_cdr_f64(b, values[k]);
    }
}

void tyi_io_ros_clock(tyi_io_cdr *out, int64_t stamp)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_time(out, stamp);
}

void tyi_io_ros_tf(tyi_io_cdr *out, int64_t stamp, const tyi_io_ros_transform *transforms, size_t count)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_u32(out, (uint32_t)count);
    for (size_t k = 0; k < count; k++) {
        tyi_io_cdr_header(out, stamp, transforms[k].parent);
        tyi_io_cdr_text(out, transforms[k].child);
        tyi_io_cdr_vec3(out, transforms[k].pose.p);
        tyi_io_cdr_quat(out, transforms[k].pose.q);
    }
}

void tyi_io_ros_odometry(tyi_io_cdr *out, int64_t stamp, const char *frame, const char *child, ty_pose pose, ty_vec3 v,
                         ty_vec3 omega, const double *variance)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_text(out, child);
    tyi_io_cdr_vec3(out, pose.p);
    tyi_io_cdr_quat(out, pose.q);
    put_diagonal(out, variance, 6);
    tyi_io_cdr_vec3(out, v);
    tyi_io_cdr_vec3(out, omega);
    put_diagonal(out, variance ? variance + 6 : NULL, 6);
}

void tyi_io_ros_imu(tyi_io_cdr *out, int64_t stamp, const char *frame, const ty_quat *attitude, ty_vec3 rate,
                    ty_vec3 force, double rate_variance, double force_variance)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_quat(out, attitude ? *attitude : (ty_quat){ 1, 0, 0, 0 });
    tyi_io_cdr_f64(out, attitude ? 0.0 : -1.0); /* ROS: a first element of -1 says that it is not measured */
    put_zeros(out, 8);
    tyi_io_cdr_vec3(out, rate);
    put_variance(out, rate_variance);
    tyi_io_cdr_vec3(out, force);
    put_variance(out, force_variance);
}

void tyi_io_ros_joint_state(tyi_io_cdr *out, int64_t stamp, const char *frame, size_t count, const char *const *name,
                            const double *position, const double *velocity, const double *effort)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_u32(out, (uint32_t)count);
    for (size_t k = 0; k < count; k++) {
        tyi_io_cdr_text(out, name[k]);
    }
    put_array(out, position, count);
    put_array(out, velocity, count);
    put_array(out, effort, count);
}

void tyi_io_ros_image(tyi_io_cdr *out, int64_t stamp, const char *frame, int width, int height, const char *encoding,
                      size_t step, const void *data)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_u32(out, (uint32_t)height);
    tyi_io_cdr_u32(out, (uint32_t)width);
    tyi_io_cdr_text(out, encoding);
    tyi_io_cdr_u8(out, 0);
    tyi_io_cdr_u32(out, (uint32_t)step);
    tyi_io_cdr_u32(out, (uint32_t)(step * (size_t)height));
    tyi_io_cdr_add(out, data, step * (size_t)height);
}

void tyi_io_ros_camera_info(tyi_io_cdr *out, int64_t stamp, const char *frame, int width, int height, const char *model,
                            const double *d, size_t count, const double k[9], double baseline_fx)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_u32(out, (uint32_t)height);
    tyi_io_cdr_u32(out, (uint32_t)width);
    tyi_io_cdr_text(out, model);
    put_array(out, d, count);
    for (int i = 0; i < 9; i++) {
        tyi_io_cdr_f64(out, k[i]);
    }
    put_variance(out, 1.0); /* R: no rectification, the unit matrix */
    for (int i = 0; i < 12; i++) {
        int row = i / 4, column = i % 4;
        tyi_io_cdr_f64(out, column < 3 ? k[3 * row + column] : row == 0 ? -baseline_fx : 0.0);
    }
    for (int i = 0; i < 6; i++) { /* binning and region: all of the image */
        tyi_io_cdr_u32(out, 0);
    }
    tyi_io_cdr_u8(out, 0);
}

static uint32_t field_bytes(uint8_t type)
{
    static const uint8_t bytes[] = { 0, 1, 1, 2, 2, 4, 4, 4, 8 };
    return type < sizeof bytes ? bytes[type] : 0;
}

void tyi_io_ros_point_cloud(tyi_io_cdr *out, int64_t stamp, const char *frame, size_t points,
                            const tyi_io_ros_field *fields, size_t field_count, size_t point_step, const void *data)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_u32(out, 1);
    tyi_io_cdr_u32(out, (uint32_t)points);
    tyi_io_cdr_u32(out, (uint32_t)field_count);
    bool fit = true;
    for (size_t k = 0; k < field_count; k++) {
        tyi_io_cdr_text(out, fields[k].name);
        tyi_io_cdr_u32(out, fields[k].offset);
        tyi_io_cdr_u8(out, fields[k].type);
        tyi_io_cdr_u32(out, 1);
        fit = fit && fields[k].offset + field_bytes(fields[k].type) <= point_step;
    }
    out->failed = out->failed || !fit;
    tyi_io_cdr_u8(out, 0);
    tyi_io_cdr_u32(out, (uint32_t)point_step);
    tyi_io_cdr_u32(out, (uint32_t)(point_step * points));
    tyi_io_cdr_u32(out, (uint32_t)(point_step * points));
    tyi_io_cdr_add(out, data, point_step * points);
    tyi_io_cdr_u8(out, 1);
}

void tyi_io_ros_battery_state(tyi_io_cdr *out, int64_t stamp, const char *frame, const tyi_io_ros_battery *battery)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_f32(out, battery->voltage);
    tyi_io_cdr_f32(out, NAN); /* temperature: not modelled; ROS asks for NaN then */
    tyi_io_cdr_f32(out, battery->current);
    tyi_io_cdr_f32(out, battery->charge);
    tyi_io_cdr_f32(out, battery->capacity);
    tyi_io_cdr_f32(out, battery->capacity);
    tyi_io_cdr_f32(out, battery->share);
    tyi_io_cdr_u8(out, battery->current < 0.0f ? 2 : 1); /* discharging, charging */
    tyi_io_cdr_u8(out, 1);                               /* good */
    tyi_io_cdr_u8(out, 2);                               /* lithium ion */
    tyi_io_cdr_u8(out, 1);
    tyi_io_cdr_u32(out, 0);
    tyi_io_cdr_u32(out, 0);
    tyi_io_cdr_text(out, "");
    tyi_io_cdr_text(out, "");
}

void tyi_io_ros_vector(tyi_io_cdr *out, int64_t stamp, const char *frame, ty_vec3 v)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_vec3(out, v);
}

void tyi_io_ros_quaternion(tyi_io_cdr *out, int64_t stamp, const char *frame, ty_quat q)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_quat(out, q);
}

void tyi_io_ros_range(tyi_io_cdr *out, int64_t stamp, const char *frame, float field_of_view, float least, float most,
                      float range, float variance)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_u8(out, 1); /* infrared */
    tyi_io_cdr_f32(out, field_of_view);
    tyi_io_cdr_f32(out, least);
    tyi_io_cdr_f32(out, most);
    tyi_io_cdr_f32(out, range);
    tyi_io_cdr_f32(out, variance);
}

void tyi_io_ros_pose(tyi_io_cdr *out, int64_t stamp, const char *frame, ty_vec3 p, const ty_quat *q,
                     const double *variance)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_vec3(out, p);
    tyi_io_cdr_quat(out, q ? *q : (ty_quat){ 1, 0, 0, 0 });
    double all[6]; /* rotations of which nothing is known: -1 as an IMU has it */
    for (int k = 0; k < 6; k++) {
        all[k] = k < 3 ? (variance ? variance[k] : 0.0) : q ? 0.0 : -1.0;
    }
    put_diagonal(out, all, 6);
}

void tyi_io_ros_values(tyi_io_cdr *out, const char *label, const double *value, size_t count)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_u32(out, 1);
    tyi_io_cdr_text(out, label);
    tyi_io_cdr_u32(out, (uint32_t)count);
    tyi_io_cdr_u32(out, (uint32_t)count);
    tyi_io_cdr_u32(out, 0);
    put_array(out, value, count);
}

void tyi_io_ros_string(tyi_io_cdr *out, const char *text)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_text(out, text);
}

void tyi_io_ros_boxes(tyi_io_cdr *out, int64_t stamp, const char *frame, bool solid, const tyi_io_ros_box *box,
                      size_t count)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, frame);
    tyi_io_cdr_u32(out, (uint32_t)count);
    for (size_t k = 0; k < count; k++) {
        ty_pose pose = solid ? box[k].pose : (ty_pose){ { 0, 0, 0 }, { 1, 0, 0, 0 } };
        tyi_io_cdr_header(out, stamp, frame);
        tyi_io_cdr_u32(out, 1); /* one hypothesis: the truth */
        tyi_io_cdr_text(out, box[k].kind);
        tyi_io_cdr_f64(out, 1.0);
        tyi_io_cdr_vec3(out, pose.p);
        tyi_io_cdr_quat(out, pose.q);
        put_zeros(out, 36);
        if (solid) {
            tyi_io_cdr_vec3(out, box[k].pose.p);
            tyi_io_cdr_quat(out, box[k].pose.q);
            tyi_io_cdr_vec3(out, box[k].size);
        } else {
            tyi_io_cdr_f64(out, box[k].pose.p.x);
            tyi_io_cdr_f64(out, box[k].pose.p.y);
            tyi_io_cdr_f64(out, 0.0);
            tyi_io_cdr_f64(out, box[k].size.x);
            tyi_io_cdr_f64(out, box[k].size.y);
        }
        tyi_io_cdr_text(out, box[k].id);
    }
}

void tyi_io_ros_diagnostics(tyi_io_cdr *out, int64_t stamp, const tyi_io_ros_status *status, size_t count)
{
    tyi_io_cdr_begin(out);
    tyi_io_cdr_header(out, stamp, "");
    tyi_io_cdr_u32(out, (uint32_t)count);
    for (size_t k = 0; k < count; k++) {
        tyi_io_cdr_u8(out, (uint8_t)status[k].level);
        tyi_io_cdr_text(out, status[k].name);
        tyi_io_cdr_text(out, status[k].message);
        tyi_io_cdr_text(out, "");
        tyi_io_cdr_u32(out, (uint32_t)status[k].values);
        for (size_t i = 0; i < status[k].values; i++) {
            tyi_io_cdr_text(out, status[k].value[i][0]);
            tyi_io_cdr_text(out, status[k].value[i][1]);
        }
    }
}
