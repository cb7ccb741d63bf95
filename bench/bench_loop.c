/* bench/bench_loop.c - what it saves to make frames beside the dynamics. The work is fixed: the viper preset on
 * generated ground, Bekker soil at 1 kHz, 10 s simulated, two cameras of 1 Hz with a lag of 0.4 s; frames are sized
 * so that they cost about as much as the dynamics. One thread steps, one makes frames; in line one does both. Wall
 * time over simulated time, best of 3; both kinds of run take turns, so that a busy machine hits them alike.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "app.h"
#include "bench.h"
#include "tycho/run.h"

#define SECONDS 10.0
#define REPEATS 3

typedef struct result {
    double rtf, work, wait; /* [-], [s], [s] */
    /* [-] processor time of the stepping thread over simulated time: what a busy machine does not change */
    double cpu;
    uint64_t hash;
} result;

static double processor(void) /* [s] of this thread */
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void listen(void *user, const ty_message *m)
{
    uint64_t *hash = user;
    *hash = *hash * 1099511628211ull + ty_message_hash(m);
}

static ty_status play(const ty_scenario *scenario, bool overlap, result *out, ty_diag *diag)
{
    ty_run_def def = ty_run_def_default();
    ty_run *run = NULL;
    def.scenario = scenario;
    def.overlap = overlap;
    def.threads = 1;
    def.detail = 512;
    out->hash = 0;
    ty_status status = ty_run_create(&def, &run, diag);
    status = status == TY_OK ? ty_run_subscribe(run, NULL, NULL, listen, &out->hash, diag) : status;
    while (status == TY_OK && ty_run_time(run) < ty_time_from(0.5)) { /* the first frame builds the scene */
        status = ty_run_step(run, diag);
    }
    double start = bench_now(), busy = processor();
    ty_run_stats before = status == TY_OK ? ty_run_get_stats(run) : (ty_run_stats){ 0 };
    while (status == TY_OK && ty_run_time(run) < ty_time_from(0.5 + SECONDS)) {
        status = ty_run_step(run, diag);
    }
    out->rtf = (bench_now() - start) / SECONDS;
    out->cpu = (processor() - busy) / SECONDS;
    ty_run_stats after = status == TY_OK ? ty_run_get_stats(run) : before;
    out->work = after.work_s - before.work_s;
    out->wait = after.wait_s - before.wait_s;
    ty_run_destroy(run);
    return status;
}

int bench_loop(void)
{
    const char *root = getenv("TYCHO_SOURCE");
    static ty_sensor_def sensor[2];
    static ty_scenario_rover rover = {
        .name = "viper", .soil.model = TY_SOIL_BEKKER, .soil.spacing = 0.02, .sensor = sensor, .sensors = 2
    };
    ty_scenario scenario = ty_scenario_default();
    scenario.terrain.rock.on = false;
    scenario.terrain.lat = -1.466, scenario.terrain.lon = 3.887;
    snprintf(rover.model, sizeof rover.model, "%s/models/rovers/viper.yaml", root ? root : ".");
    rover.vehicle = ty_vehicle_def_default();
    rover.driver = (ty_scenario_driver){ .kind = TY_DRIVER_CONSTANT, .v = 0.2 };
    scenario.rover = &rover, scenario.rovers = 1;
    for (int i = 0; i < 2; i++) {
        sensor[i] = ty_sensor_def_default(TY_SENSOR_CAMERA);
        snprintf(sensor[i].name, sizeof sensor[i].name, "nav%d", i);
        snprintf(sensor[i].mount, sizeof sensor[i].mount, i ? "navcam_right" : "navcam_left");
        sensor[i].period = 1.0, sensor[i].start = 0.5 * i, sensor[i].lag = 0.4;
        sensor[i].as.camera.camera.width = 96, sensor[i].as.camera.camera.height = 72;
        sensor[i].as.camera.samples = 2;
    }
    result best[2] = { { .rtf = 1e30 }, { .rtf = 1e30 } }, now[2];
    ty_diag diag = { 0 };
    bool same = true;
    for (int k = 0; k < REPEATS; k++) {
        for (int overlap = 0; overlap < 2; overlap++) {
            if (play(&scenario, overlap, &now[overlap], &diag) != TY_OK) {
                return app_bad("bench", "%s.", diag.text);
            }
            best[overlap] = now[overlap].rtf < best[overlap].rtf ? now[overlap] : best[overlap];
        }
        same = same && now[0].hash == now[1].hash;
    }
    printf(
        "{\"rtf_serial\": %.4f, \"rtf_overlap\": %.4f, \"ratio\": %.4f, \"frames_s\": %.4f, \"waited_s\": %.4f, \"step_cpu_serial\": %.4f, "
        "\"step_cpu_overlap\": %.4f, \"same_bits\": %s}\n",
        best[0].rtf, best[1].rtf, best[1].rtf / best[0].rtf, best[1].work, best[1].wait, best[0].cpu, best[1].cpu,
        same ? "true" : "false");
    return same ? APP_OK : app_bad("bench", "loop: frames made beside the dynamics differ from those made in line.");
}
