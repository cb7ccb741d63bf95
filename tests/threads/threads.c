/* tests/threads/threads.c - cameras, a lidar, an IMU and the dynamics of two rovers together, for ThreadSanitizer: the worker traces
 * frames on two threads beside the steps. The same run with frames in line must say the same, bit by bit. With the word `race` it is the
 * control: two threads write one number, and the sanitizer must stop the program.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tycho/run.h"

static void fail(const char *what)
{
    fprintf(stderr, "threads: %s\n", what);
    exit(1);
}

static ty_sensor_def sensor(ty_sensor_type type, const char *name, const char *mount, double period, double window)
{
    ty_sensor_def s = ty_sensor_def_default(type);
    snprintf(s.name, sizeof s.name, "%s", name);
    snprintf(s.mount, sizeof s.mount, "%s", mount);
    s.period = period, s.window = window, s.lag = 0.05;
    return s;
}

static void listen(void *user, const ty_message *message)
{
    uint64_t *sum = user;
    *sum = *sum * 0x9e3779b97f4a7c15ull + ty_message_hash(message);
}

static uint64_t drive(bool overlap)
{
    const char *root = getenv("TYCHO_SOURCE");
    ty_scenario s = ty_scenario_default();
    ty_sensor_def of[2][3];
    ty_scenario_rover rover[2] = { { .name = "a" }, { .name = "b" } };
    s.terrain.extent = 100.0;
    s.terrain.crater.on = false;
    s.terrain.rock.on = true;
    s.duration = 0.4;
    s.soil.model = TY_SOIL_SCM;
    for (int i = 0; i < 2; i++) {
        of[i][0] = sensor(TY_SENSOR_CAMERA, "eye", "navcam_left", 0.1, 0.01);
        of[i][0].as.camera.camera.width = 16, of[i][0].as.camera.camera.height = 12, of[i][0].as.camera.samples = 1;
        of[i][1] = sensor(TY_SENSOR_LIDAR, "lidar", "", 0.1, 0.1);
        snprintf(of[i][1].as.instrument.model, sizeof of[i][1].as.instrument.model,
                 "%s/models/sensors/lidar_vlp_16.yaml", root ? root : ".");
        of[i][2] = sensor(TY_SENSOR_IMU, "imu", "", 0.01, 0.01);
        snprintf(rover[i].model, sizeof rover[i].model, "%s/models/rovers/viper.yaml", root ? root : ".");
        rover[i].driver = (ty_scenario_driver){ .kind = TY_DRIVER_CONSTANT, .v = 0.2 };
        rover[i].vehicle = ty_vehicle_def_default();
        rover[i].vehicle.y = i ? 3.0 : -3.0, rover[i].vehicle.rock_push = 0.0;
        rover[i].sensor = of[i], rover[i].sensors = 3;
    }
    s.rover = rover, s.rovers = 2;
    ty_run_def def = ty_run_def_default();
    def.scenario = &s, def.detail = 256, def.threads = 2, def.overlap = overlap;
    ty_run *run = NULL;
    ty_diag diag = { 0 };
    uint64_t sum = 0;
    if (ty_run_create(&def, &run, &diag) || ty_run_subscribe(run, NULL, NULL, listen, &sum, &diag)) {
        fail(diag.text);
    }
    while (!ty_run_done(run)) {
        if (ty_run_step(run, &diag)) {
            fail(diag.text);
        }
    }
    ty_run_destroy(run);
    return sum;
}

static int shared;

static void *count(void *user)
{
    for (int i = 0; i < 1000; i++) {
        ++*(volatile int *)user;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "race")) {
        pthread_t thread;
        pthread_create(&thread, NULL, count, &shared);
        count(&shared);
        pthread_join(thread, NULL);
        return 0;
    }
    uint64_t beside = drive(true), in_line = drive(false);
    if (beside != in_line || !beside) {
        fail("frames made beside the steps differ from frames made in line");
    }
    puts("1 passed, 0 failed");
    return 0;
}
