/* src/sensor/imu_file.c - an IMU file (models/sensors) into ty_imu_def, in the units of data sheets.
 * Ranges: tyi_inertial_imu_rules. Schema of its own, so that scenarios can hold an IMU's keys as well.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "imu_file.h"
#include "sensor/inertial/imu.h"
#include "instrument_file.h"
#include "tycho/math.h"

#define G0    9.80665 /* [m/s^2] */
#define UG    (1e-6 * G0)
#define DEG_H (TY_DEG / 3600.0)

TYI_SENSOR_NUMBERS(three_deg_h, 3, "deg/h", DEG_H, "rad/s", 1e3)
TYI_SENSOR_NUMBERS(three_ug, 3, "ug", UG, "m/s^2", 1e3)
TYI_SENSOR_NUMBERS(three_ppm, 3, "ppm", 1e-6, "", 0.5)
TYI_SENSOR_NUMBERS(six_mrad, 6, "mrad", 1e-3, "rad", 0.5)

#define NUMBER(key, field, written, factor, sentence)                                                       \
    {                                                                                                       \
        key, TYI_IO_NUMBER, offsetof(ty_imu_def, field), .text = sentence, .unit = written, .scale = factor \
    }
#define SHARED(t)                                                                                                  \
    { "scale_ppm", TYI_IO_LIST, offsetof(ty_imu_def, t.scale), .text = "scale factor errors of x, y, z",           \
      .list = &three_ppm },                                                                                        \
        { "cross_mrad", TYI_IO_LIST, offsetof(ty_imu_def, t.cross),                                                \
          .text = "what an axis reads of another: xy, xz, yx, yz, zx, zy", .list = &six_mrad },                    \
        NUMBER("scale_sigma_ppm", t.scale_sigma, "ppm", 1e-6, "spread of the scale factor from device to device"), \
        NUMBER("cross_sigma_mrad", t.cross_sigma, "mrad", 1e-3, "spread of the misalignment from device to device")

static const tyi_io_key gyro_keys[] = {
    NUMBER("noise_deg_sqrt_h", gyro.noise, "deg/sqrt(h)", TY_DEG / 60.0, "white noise: angle random walk"),
    NUMBER("instability_deg_h", gyro.instability, "deg/h", DEG_H,
           "bias instability B: the Allan deviation has its floor at 0.664 of it"),
    NUMBER("walk_deg_h_sqrt_h", gyro.walk, "deg/h/sqrt(h)", DEG_H / 60.0, "random walk of the bias"),
    NUMBER("ramp_deg_h2", gyro.ramp, "deg/h/h", DEG_H / 3600.0, "steady drift of the bias"),
    { "bias_deg_h", TYI_IO_LIST, offsetof(ty_imu_def, gyro.bias), .text = "constant bias of x, y, z",
      .list = &three_deg_h },
    NUMBER("bias_sigma_deg_h", gyro.bias_sigma, "deg/h", DEG_H, "spread of the bias from one switching on to the next"),
    SHARED(gyro),
    NUMBER("g_sigma_deg_h_g", gyro.g_sigma, "deg/h/g", DEG_H / G0, "spread of the bias that a specific force makes"),
    NUMBER("quantum_deg_s", gyro.quantum, "deg/s", TY_DEG, "step of the output"),
    NUMBER("range_deg_s", gyro.range, "deg/s", TY_DEG, "largest rate it reads"),
    { 0 },
};
static const tyi_io_schema gyro = { gyro_keys, &tyi_inertial_imu_rules, .whole = false };

static const tyi_io_key accel_keys[] = {
    NUMBER("noise_ug_sqrt_hz", accel.noise, "ug/sqrt(Hz)", UG, "white noise: velocity random walk"),
    NUMBER("instability_ug", accel.instability, "ug", UG,
           "bias instability B: the Allan deviation has its floor at 0.664 of it"),
    NUMBER("walk_ug_sqrt_s", accel.walk, "ug/sqrt(s)", UG, "random walk of the bias"),
    NUMBER("ramp_ug_h", accel.ramp, "ug/h", UG / 3600.0, "steady drift of the bias"),
    { "bias_ug", TYI_IO_LIST, offsetof(ty_imu_def, accel.bias), .text = "constant bias of x, y, z", .list = &three_ug },
    NUMBER("bias_sigma_ug", accel.bias_sigma, "ug", UG, "spread of the bias from one switching on to the next"),
    SHARED(accel),
    NUMBER("quantum_ug", accel.quantum, "ug", UG, "step of the output"),
    NUMBER("range_g", accel.range, "g", G0, "largest specific force it reads; g is 9.80665 m/s2"),
    { 0 },
};
static const tyi_io_schema accel = { accel_keys, &tyi_inertial_imu_rules, .whole = false };

static const tyi_io_key keys[] = {
    { "rate", TYI_IO_NUMBER, offsetof(ty_imu_def, rate), .text = "samples per second" },
    { "longest", TYI_IO_NUMBER, offsetof(ty_imu_def, longest), .text = "slowest part of the flicker" },
    { "gyro", TYI_IO_MAPPING, 0, .text = "Its gyroscopes", .schema = &gyro },
    { "accel", TYI_IO_MAPPING, 0, .text = "Its accelerometers", .schema = &accel },
    { 0 },
};
const tyi_io_schema tyi_sensor_file_imu_schema = { keys, &tyi_inertial_imu_rules, .whole = true };

ty_status ty_imu_load(const char *path, const char *const *settings, size_t count, ty_imu_def *out, ty_diag *diag)
{
    tyi_io_doc doc;
    tyi_arena memory; /* lists are in place: nothing is kept */
    *out = ty_imu_def_ideal();
    tyi_arena_init(&memory, NULL, 1024);
    ty_status status = tyi_io_doc_read(&doc, path, NULL, diag);
    if (status == TY_OK) {
        status = tyi_io_doc_set(&doc, settings, count, diag);
    }
    if (status == TY_OK) {
        status = tyi_io_doc_fill(&doc, &tyi_sensor_file_imu_schema, out, &memory, diag);
    }
    tyi_io_doc_free(&doc);
    tyi_arena_free(&memory);
    return status;
}
