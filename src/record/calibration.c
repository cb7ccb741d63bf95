/* src/record/calibration.c - what else works with a run: each camera's calibration as ROS's camera_info files and Kalibr's camchain have
 * it, and the path as the TUM benchmark tools read it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "record.h"
#include "bridge/ros/ros_map.h"

static ty_status open_file(const ty_record *r, const char *file, char path[TYI_RECORD_PATH], tyi_io_out *out,
                           ty_diag *diag)
{
    tyi_record_make_way(r, file);
    return tyi_io_out_open(out, tyi_record_path(r, file, path), diag);
}

/* ---- the path ---- */

/* roll, pitch and yaw about x, y, z as a quaternion */
static ty_quat attitude(const tyi_record_row *row)
{
    ty_quat x = { cos(0.5 * row->roll), sin(0.5 * row->roll), 0, 0 },
            y = { cos(0.5 * row->pitch), 0, sin(0.5 * row->pitch), 0 },
            z = { cos(0.5 * row->yaw), 0, 0, sin(0.5 * row->yaw) };
    return ty_quat_mul(z, ty_quat_mul(y, x));
}

ty_status tyi_record_trajectory(const ty_record *r, ty_diag *diag)
{
    ty_status status = TY_OK;
    int64_t start = tyi_ros_start(ty_run_world(r->run));
    for (size_t i = 0; i < r->rovers && status == TY_OK; i++) {
        char prefix[80], file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
        tyi_io_out out;
        tyi_record_prefix_rover(r, i, prefix);
        snprintf(file, sizeof file, "%strajectory_tum.txt", prefix);
        if ((status = open_file(r, file, path, &out, diag)) != TY_OK) {
            return status;
        }
        fputs("# timestamp tx ty tz qx qy qz qw\n", out.file);
        for (size_t k = 0; k < r->rover[i].rows; k++) {
            const tyi_record_row *row = &r->rover[i].row[k];
            int64_t t = start + ty_time_from(row->t);
            ty_quat q = attitude(row);
            fprintf(out.file, "%lld.%09lld %.9f %.9f %.9f %.12f %.12f %.12f %.12f\n", (long long)(t / TY_SECOND),
                    (long long)(t % TY_SECOND), row->p.x, row->p.y, row->p.z, q.x, q.y, q.z, q.w);
        }
        status = tyi_io_out_close(&out, TY_OK, diag);
    }
    return status;
}

/* ---- calibration ---- */

static void put_list(FILE *out, const double *value, size_t count)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s%.17g", i ? ", " : "", value[i]);
    }
    fputs("]\n", out);
}

static void put_matrix(FILE *out, const char *name, int rows, int columns, const double *value)
{
    fprintf(out, "%s:\n  rows: %d\n  cols: %d\n  data: ", name, rows, columns);
    put_list(out, value, (size_t)(rows * columns));
}

static ty_status write_info(const ty_record *r, size_t sensor, const tyi_ros_lens *lens, ty_diag *diag)
{
    static const double none[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    ty_sensor_info info = ty_run_sensor(r->run, sensor);
    char prefix[80], file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
    tyi_io_out out;
    tyi_record_prefix_sensor(r, sensor, prefix);
    snprintf(file, sizeof file, "%scalibration/%s.yaml", prefix, info.name);
    ty_status status = open_file(r, file, path, &out, diag);
    if (status == TY_OK) {
        fprintf(out.file, "image_width: %d\nimage_height: %d\ncamera_name: %s\n", info.def->as.camera.camera.width,
                info.def->as.camera.camera.height, info.name);
        put_matrix(out.file, "camera_matrix", 3, 3, lens->k);
        fprintf(out.file, "distortion_model: %s\n", lens->model);
        put_matrix(out.file, "distortion_coefficients", 1, (int)lens->count, lens->d);
        put_matrix(out.file, "rectification_matrix", 3, 3, none);
        put_matrix(out.file, "projection_matrix", 3, 4, lens->p);
        status = tyi_io_out_close(&out, TY_OK, diag);
    }
    return status;
}

static void put_pose(FILE *out, const char *name, ty_pose pose)
{
    ty_vec3 x = ty_rotate(pose.q, ty_vec3_make(1, 0, 0)), y = ty_rotate(pose.q, ty_vec3_make(0, 1, 0)),
            z = ty_rotate(pose.q, ty_vec3_make(0, 0, 1));
    fprintf(out, "  %s:\n  - ", name);
    put_list(out, (const double[4]){ x.x, y.x, z.x, pose.p.x }, 4);
    fputs("  - ", out);
    put_list(out, (const double[4]){ x.y, y.y, z.y, pose.p.y }, 4);
    fputs("  - ", out);
    put_list(out, (const double[4]){ x.z, y.z, z.z, pose.p.z }, 4);
    fputs("  - [0.0, 0.0, 0.0, 1.0]\n", out);
}

/* the first IMU of a carrier; SIZE_MAX: it has none */
static size_t imu_of(const ty_record *r, const char *carrier)
{
    for (size_t i = 0; i < r->sensors; i++) {
        ty_sensor_info info = ty_run_sensor(r->run, i);
        if (info.def->kind == TY_SENSOR_IMU && !strcmp(info.rover, carrier)) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* one camera of a camchain; `before` is where the one before it sits */
static void put_camera(const ty_record *r, const tyi_ros_map *map, FILE *out, size_t sensor, const tyi_ros_lens *lens,
                       int number, const ty_pose *before)
{
    ty_sensor_info info = ty_run_sensor(r->run, sensor);
    bool fisheye = !strcmp(lens->model, "equidistant");
    char topic[200];
    size_t imu = imu_of(r, info.rover);
    tyi_ros_lens other;
    fprintf(out, "cam%d:\n  camera_model: pinhole\n  intrinsics: ", number);
    put_list(out, (const double[4]){ lens->k[0], lens->k[4], lens->k[2], lens->k[5] }, 4);
    fprintf(out, "  distortion_model: %s\n  distortion_coeffs: ", fisheye ? "equidistant" : "radtan");
    put_list(out, lens->d, 4);
    fprintf(out, "  resolution: [%d, %d]\n  rostopic: %s/image_raw\n", info.def->as.camera.camera.width,
            info.def->as.camera.camera.height, tyi_ros_map_topic(map, sensor, topic, sizeof topic));
    if (before) {
        put_pose(out, "T_cn_cnm1", ty_pose_mul(ty_pose_inverse(lens->seat), *before));
    }
    if (imu != SIZE_MAX) {
        tyi_ros_map_lens(map, imu, &other);
        put_pose(out, "T_cam_imu", ty_pose_mul(ty_pose_inverse(lens->seat), other.seat));
    }
}

/* cameras of one carrier, from sensor `first` on */
static ty_status write_chain(const ty_record *r, const tyi_ros_map *map, size_t first, ty_diag *diag)
{
    const char *carrier = ty_run_sensor(r->run, first).rover;
    char prefix[80], file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
    tyi_io_out out;
    int number = 0;
    ty_pose before = { { 0, 0, 0 }, { 1, 0, 0, 0 } };
    tyi_record_prefix_sensor(r, first, prefix);
    snprintf(file, sizeof file, "%scalibration/camchain.yaml", prefix);
    ty_status status = open_file(r, file, path, &out, diag);
    for (size_t i = first; i < r->sensors && status == TY_OK; i++) {
        tyi_ros_lens lens;
        ty_sensor_info info = ty_run_sensor(r->run, i);
        if (strcmp(info.rover, carrier) != 0 || !tyi_ros_map_lens(map, i, &lens)) {
            continue;
        }
        if (lens.d[4] != 0.0) {
            fprintf(out.file, "# %s is not here: radtan has no place for its k3\n", info.name);
            continue;
        }
        put_camera(r, map, out.file, i, &lens, number, number ? &before : NULL);
        before = lens.seat;
        number++;
    }
    return status == TY_OK ? tyi_io_out_close(&out, TY_OK, diag) : status;
}

ty_status tyi_record_calibration(const ty_record *r, ty_diag *diag)
{
    tyi_ros_map *map = NULL;
    const char *carrier = "";
    ty_status status = tyi_ros_map_create(r->run, NULL, NULL, &map, diag);
    for (size_t i = 0; i < r->sensors && status == TY_OK; i++) {
        ty_sensor_info info = ty_run_sensor(r->run, i);
        tyi_ros_lens lens;
        if (info.def->kind != TY_SENSOR_CAMERA) {
            continue;
        }
        if (tyi_ros_map_lens(map, i, &lens)) {
            status = write_info(r, i, &lens, diag);
            if (status == TY_OK && strcmp(carrier, info.rover) != 0) {
                carrier = info.rover;
                status = write_chain(r, map, i, diag);
            }
        } else if (r->def.note) {
            char text[300];
            snprintf(
                text, sizeof text,
                "camera %s of %s: ROS and Kalibr have no name for its lens, so that there is no CameraInfo and no calibration file of it",
                info.name, info.rover);
            r->def.note(r->def.note_user, text);
        }
    }
    tyi_ros_map_destroy(map);
    return status;
}
