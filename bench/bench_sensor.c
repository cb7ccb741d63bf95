/* bench/bench_sensor.c - sensors on one core: a lidar's scan against the bare ray tracer.
 *
 * HDL-32E at 20 Hz on rocky ground, driving at 2 m/s and turning, noise on: aiming with the pose
 * interpolated per firing, tracing, refining in double, reflectance, echoes, noise, points. The
 * baseline traces the very same rays by Embree alone. Both in processor time and in turn; the ratio
 * is the median of the pairs'.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "tycho/tools/lidar_scan.h"
#include "render/inner.h"

#define REPEATS 15

typedef struct sensor_bench {
    ty_terrain *terrain;
    ty_scene *scene;
    ty_lidar_file file;
    ty_lidar *lidar;
    ty_keyframe key[51];
    ty_track track;
} sensor_bench;

static bool make_scene(sensor_bench *b, ty_diag *diag)
{
    ty_terrain_def ground = ty_terrain_def_default();
    ground.seed = 20260101;
    ground.resolution = 0.04;
    ground.edit_level = 0;
    ground.rock.cover = 0.1;
    ground.rock.d_min = 0.05;
    ty_scene_def def = ty_scene_def_default();
    def.ring_cells = 1024;
    def.finest = 0.04;
    def.far = 300.0;
    def.threads = 1;
    if (ty_terrain_create(&ground, &b->terrain, diag) != TY_OK) {
        return false;
    }
    def.terrain = b->terrain;
    return ty_scene_create(&def, &b->scene, diag) == TY_OK;
}

/* keyframes every millisecond, 1.8 m above the ground */
static bool make_lidar(sensor_bench *b, ty_diag *diag)
{
    double x = 0.0, y = 0.0, z = 0.0;
    const char *root = getenv("TYCHO_SOURCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/models/sensors/lidar_hdl_32e.yaml", root ? root : ".");
    if (ty_lidar_load(path, NULL, 0, &b->file, diag) != TY_OK ||
        ty_terrain_sample(b->terrain, 0, 1, &x, &y, &z, NULL, diag) != TY_OK) {
        return false;
    }
    b->file.def.threads = 1;
    for (int k = 0; k <= 50; k++) {
        double t = 1e-3 * k;
        b->key[k] = (ty_keyframe){ ty_time_from(t),
                                   { { 2.0 * t, 0.0, z + 1.8 }, ty_quat_axis(ty_vec3_make(0, 0, 1), 0.5 * t) } };
    }
    b->track = (ty_track){ b->key, 51 };
    return ty_lidar_create(&b->file.def, &b->lidar, diag) == TY_OK;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int bench_sensor(void)
{
    sensor_bench b = { 0 };
    ty_diag diag = { 0 };
    const ty_buffer *points = NULL;
    double scan[REPEATS], ratio[REPEATS];
    ty_render_bench base = { 0 };
    size_t rays = 0;
    if (make_scene(&b, &diag) && make_lidar(&b, &diag)) {
        ty_lidar_scan(b.lidar, b.scene, &b.track, 0, 0, &points, &diag);
    }
    for (int k = 0; k < REPEATS && diag.status == TY_OK; k++) {
        ty_lidar_rays r;
        double start = bench_cpu();
        ty_lidar_scan(b.lidar, b.scene, &b.track, 0, (uint64_t)k, &points, &diag);
        scan[k] = bench_cpu() - start;
        ty_lidar_aim(b.lidar, &b.track, 0, &r, &diag);
        tyi_render_trace_measure(b.scene, r.centre, r.ray, r.count, 1, &base, &diag);
        ratio[k] = base.seconds / scan[k];
        rays = r.count;
    }
    size_t returned = points ? ty_cloud_count(points) : 0;
    ty_lidar_destroy(b.lidar);
    ty_lidar_file_free(&b.file);
    ty_scene_destroy(b.scene);
    ty_terrain_destroy(b.terrain);
    if (diag.status != TY_OK) {
        return app_bad("bench", "%s.", diag.text);
    }
    qsort(scan, REPEATS, sizeof *scan, rising);
    qsort(ratio, REPEATS, sizeof *ratio, rising);
    printf("{\"lidar_rays_per_s\": %.4g, \"lidar_ratio\": %.3f, \"lidar_ratio_low\": %.3f, "
           "\"lidar_ratio_high\": %.3f, \"lidar_scan_ms\": %.3f, \"lidar_rays\": %zu, \"lidar_returns\": %zu, "
           "\"lidar_hits_hash\": \"%016llx\"",
           (double)rays / scan[0], ratio[REPEATS / 2], ratio[0], ratio[REPEATS - 1], 1e3 * scan[0], rays, returned,
           (unsigned long long)base.hash);
    printf(", ");
    int code = bench_imu_fields(stdout);
    printf(", ");
    code = code == APP_OK ? bench_camera_fields(stdout) : code;
    printf("}\n");
    return code;
}
