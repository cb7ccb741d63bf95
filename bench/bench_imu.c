/* bench/bench_imu.c - what an IMU at 1 kHz adds to a step of a rover. The work is fixed: the viper preset on
 * generated ground without rocks, Bekker soil, ruts included, driving at 0.3 m/s at 1 kHz. After each 500 steps the
 * same 500 motions go through an IMU with all of its errors on, read at every step. The share is processor time over
 * processor time, the median of the blocks, so that a busy machine hits both alike.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "app.h"
#include "bench.h"
#include "tycho/imu.h"
#include "tycho/vehicle.h"

#define BLOCKS 15
#define STEPS  500

static double processor(void) /* [s] of this thread */
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static ty_status drive(ty_vehicle *v, ty_imu_motion *motion, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (int i = 0; i < STEPS && status == TY_OK; i++) {
        ty_vehicle_state s;
        status = ty_vehicle_step(v, 1e-3, diag);
        if (status == TY_OK) {
            status = ty_vehicle_press_ruts(v, diag);
        }
        ty_vehicle_get(v, &s);
        motion[i] = (ty_imu_motion){ s.pose, s.v_W, s.omega_B, s.a_W, s.alpha_B };
    }
    return status;
}

static ty_status measure(ty_vehicle *v, ty_imu *imu, double *step, double *cost, ty_diag *diag)
{
    static ty_imu_motion motion[STEPS];
    double steps[BLOCKS], costs[BLOCKS];
    ty_status status = drive(v, motion, diag); /* warm */
    for (int b = 0; b < BLOCKS && status == TY_OK; b++) {
        double start = processor();
        status = drive(v, motion, diag);
        steps[b] = (processor() - start) / STEPS;
        start = processor();
        for (int i = 0; i < STEPS && status == TY_OK; i++) {
            ty_imu_sample sample;
            ty_imu_step(imu, &motion[i], 1e-3);
            status = ty_imu_read(imu, &sample, diag);
        }
        costs[b] = (processor() - start) / STEPS;
    }
    qsort(steps, BLOCKS, sizeof *steps, by_size);
    qsort(costs, BLOCKS, sizeof *costs, by_size);
    *step = steps[BLOCKS / 2];
    *cost = costs[BLOCKS / 2];
    return status;
}

int bench_imu_fields(FILE *out)
{
    const char *root = getenv("TYCHO_SOURCE");
    char path[4096];
    ty_diag diag = { 0 };
    snprintf(path, sizeof path, "%s/models/rovers/viper.yaml", root ? root : ".");
    ty_terrain_def ground = ty_terrain_def_default();
    ground.rock.on = false;
    ty_vehicle_def rover = ty_vehicle_def_default();
    rover.rover = path;
    ty_imu_def def = ty_imu_def_default();
    def.rate = 1e3;
    def.gyro.walk = 1e-8;
    def.accel.walk = 1e-6;
    def.mount.p = ty_vec3_make(0.0, 0.0, 0.5);
    ty_imu imu;
    ty_vehicle *v = NULL;
    double step = 0.0, cost = 0.0;
    ty_status status = ty_terrain_create(&ground, &rover.terrain, &diag);
    if (status == TY_OK) {
        status = ty_vehicle_create(&rover, &v, &diag);
    }
    if (status == TY_OK) {
        status = ty_vehicle_command(v, &(ty_drive_command){ .v = 0.3 }, &diag);
    }
    if (status == TY_OK) {
        status = ty_imu_create(&def, &imu, &diag);
    }
    if (status == TY_OK) {
        status = measure(v, &imu, &step, &cost, &diag);
    }
    ty_vehicle_destroy(v);
    ty_terrain_destroy(rover.terrain);
    if (status != TY_OK) {
        return app_bad("bench", "%s", diag.text);
    }
    fprintf(out, "\"imu_step_share\": %.5f, \"imu_us\": %.3f, \"rover_step_us\": %.3f", cost / step, 1e6 * cost,
            1e6 * step);
    return APP_OK;
}
