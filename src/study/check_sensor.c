/* src/study/check_sensor.c - files of models/sensors, loaded and made as a run does it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "sensor/imu_file.h"
#include "sensor/instrument_file.h"
#include "sensor/kind_instrument.h"
#include "tycho/imu.h"
#include "sensor/inertial/instruments.h"
#include "tycho/tools/lidar_scan.h"

/* what making a sensor says knows no file */
static ty_status made(const tyi_study_check *c, ty_status status, const ty_diag *why, ty_diag *diag)
{
    return status == TY_OK ? TY_OK : ty_fail(diag, status, "%s: %s", c->path, why->text);
}

/* the small ones: a definition, and an object that holds no memory */
#define SMALL(kind, type, load, ...)                                          \
    static ty_status check_##kind(tyi_study_check *c, ty_diag *diag)          \
    {                                                                         \
        type##_def def;                                                       \
        type object;                                                          \
        ty_diag why = { 0 };                                                  \
        ty_status status = load(c->path, c->settings, c->count, &def, diag);  \
        if (status == TY_OK) {                                                \
            status = made(c, type##_create(&def, &object, &why), &why, diag); \
            snprintf(c->about, sizeof c->about, __VA_ARGS__);                 \
        }                                                                     \
        return status;                                                        \
    }
SMALL(imu, ty_imu, ty_imu_load, "IMU, %g samples per second", def.rate)
SMALL(fix, tyi_inertial_fix, tyi_sensor_fix_load, "position fix, noise %g, %g, %g m", def.noise[0], def.noise[1],
      def.noise[2])
SMALL(encoder, tyi_inertial_encoder, tyi_sensor_encoder_load, "encoder, %g counts per turn", def.ticks)
SMALL(motor, tyi_inertial_motor, tyi_sensor_motor_load, "motor, %g N m/A, %g ohm", def.kt, def.resistance)
SMALL(joint, tyi_inertial_joint, tyi_sensor_joint_load, "joint angle, %g to %g deg", def.low / TY_DEG,
      def.high / TY_DEG)
SMALL(sun_sensor, tyi_inertial_sun_sensor, tyi_sensor_sun_sensor_load, "Sun sensor, field %g deg, noise %g deg",
      def.field / TY_DEG, def.noise / TY_DEG)
SMALL(star_tracker, tyi_inertial_star_tracker, tyi_sensor_star_tracker_load, "star tracker, noise %.3g and %.3g arcsec",
      def.noise_cross / TY_DEG * 3600.0, def.noise_roll / TY_DEG * 3600.0)
SMALL(altimeter, tyi_inertial_altimeter, tyi_sensor_altimeter_load, "altimeter, %g to %g m", def.least, def.most)
SMALL(switch, tyi_inertial_switch, tyi_sensor_switch_load, "contact switch, closes at %g N", def.close)
SMALL(power, tyi_inertial_power, tyi_sensor_power_load, "power, %d panel%s, battery of %g kWh", def.panels,
      def.panels == 1 ? "" : "s", def.capacity / 3.6e6)

static ty_status check_lidar(tyi_study_check *c, ty_diag *diag)
{
    ty_lidar_file file;
    ty_lidar *lidar = NULL;
    ty_diag why = { 0 };
    ty_status status = ty_lidar_load(c->path, c->settings, c->count, &file, diag);
    if (status != TY_OK) {
        ty_lidar_file_free(&file);
        return status;
    }
    const ty_lidar_def *d = &file.def;
    char beams[60], title[70];
    if (d->pattern == TY_LIDAR_SPIN) {
        snprintf(beams, sizeof beams, "%d lasers", d->lasers);
    } else if (d->pattern == TY_LIDAR_GRID) {
        snprintf(beams, sizeof beams, "%d x %d beams", d->columns, d->rows);
    } else {
        snprintf(beams, sizeof beams, "%zu beams", d->beams);
    }
    snprintf(c->about, sizeof c->about, "lidar %s, %s, %g scans per second, %g to %g m",
             tyi_io_doc_show(file.title, title, sizeof title), beams, d->rate, d->near, d->far);
    status = made(c, ty_lidar_create(d, &lidar, &why), &why, diag);
    ty_lidar_destroy(lidar);
    ty_lidar_file_free(&file);
    return status;
}

static ty_status check_spad(tyi_study_check *c, ty_diag *diag)
{
    ty_spad_file file;
    ty_lidar *lidar = NULL;
    ty_spad *spad = NULL;
    ty_diag why = { 0 };
    ty_status status = ty_spad_load(c->path, c->settings, c->count, &file, diag);
    if (status != TY_OK) {
        return status;
    }
    snprintf(c->about, sizeof c->about, "SPAD camera, %d x %d pixels, %d bins of %g ns", file.lidar.columns,
             file.lidar.rows, file.spad.bins, 1e9 * file.spad.bin);
    status = made(c, ty_lidar_create(&file.lidar, &lidar, &why), &why, diag);
    if (status == TY_OK) {
        status = made(c, ty_spad_create(&file.spad, &spad, &why), &why, diag);
    }
    ty_spad_destroy(spad);
    ty_lidar_destroy(lidar);
    return status;
}

const tyi_study_file_kind tyi_study_sensor_files[] = {
    { "an IMU", &tyi_sensor_file_imu_schema, NULL, check_imu, false },
    { "a lidar", &tyi_sensor_file_lidar_schema, NULL, check_lidar, false },
    { "a SPAD camera", &tyi_sensor_file_spad_schema, NULL, check_spad, false },
    { "a position fix", &tyi_sensor_file_fix_schema, NULL, check_fix, false },
    { "an encoder", &tyi_sensor_file_encoder_schema, NULL, check_encoder, false },
    { "a motor", &tyi_sensor_file_motor_schema, NULL, check_motor, false },
    { "a joint angle", &tyi_sensor_file_joint_schema, NULL, check_joint, false },
    { "a Sun sensor", &tyi_sensor_file_sun_sensor_schema, NULL, check_sun_sensor, false },
    { "a star tracker", &tyi_sensor_file_star_tracker_schema, NULL, check_star_tracker, false },
    { "an altimeter", &tyi_sensor_file_altimeter_schema, NULL, check_altimeter, false },
    { "a contact switch", &tyi_sensor_file_switch_schema, NULL, check_switch, false },
    { "a power budget", &tyi_sensor_file_power_schema, NULL, check_power, false },
    { 0 },
};

ty_status tyi_study_check_sensor(const ty_sensor_def *sensor, ty_diag *diag)
{
    static tyi_study_check_fn *const checks[TY_SENSOR_TYPES] = {
        [TY_SENSOR_LIDAR] = check_lidar,        [TY_SENSOR_IMU] = check_imu,
        [TY_SENSOR_POSITION] = check_fix,       [TY_SENSOR_ENCODERS] = check_encoder,
        [TY_SENSOR_MOTORS] = check_motor,       [TY_SENSOR_STEERING] = check_joint,
        [TY_SENSOR_CONTACTS] = check_switch,    [TY_SENSOR_SUN] = check_sun_sensor,
        [TY_SENSOR_STARS] = check_star_tracker, [TY_SENSOR_ALTIMETER] = check_altimeter,
        [TY_SENSOR_POWER] = check_power,        [TY_SENSOR_SPAD] = check_spad,
    };
    tyi_sensor_texts texts;
    if (sensor->kind < 0 || sensor->kind >= TY_SENSOR_TYPES || !checks[sensor->kind]) {
        return TY_OK; /* a camera has no file; a user's own kind is known to the user's program */
    }
    ty_status status = tyi_sensor_instrument_texts(sensor, &texts, diag);
    if (status != TY_OK || !sensor->as.instrument.model[0]) {
        return status;
    }
    tyi_study_check check = { .path = sensor->as.instrument.model, .settings = texts.at, .count = texts.count };
    return checks[sensor->kind](&check, diag);
}
