/* bench/bench_camera.c - what a frame costs in a run, against the same frame alone, on one core.
 *
 * A rover of the viper preset drives at 0.2 m/s over the ground and rocks of bench_render.c with one camera of 640 x 480 pixels and one
 * sample at 10 Hz, in line: dynamics, ruts, rings that follow, shading, tone and message are all in the time. Then the scene as
 * the run left it is drawn again and again as bench_render.c does, which is the rate that this view allows. Processor time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "bench.h"
#include "render/inner.h"
#include "tycho/run.h"

enum { WIDTH = 640, HEIGHT = 480, FRAMES = 15, REPEATS = 5 };

static ty_status drive(ty_run *run, double until, ty_diag *diag)
{
    ty_status status = TY_OK;
    while (status == TY_OK && ty_run_time(run) < ty_time_from(until)) {
        status = ty_run_step(run, diag);
    }
    return status;
}

/* the rover's own camera, as if it stood level */
static ty_camera eye(ty_run *run, const ty_scenario_rover *rover)
{
    ty_vehicle_state s;
    ty_camera c = rover->sensor[0].as.camera.camera;
    ty_vehicle_get(ty_run_rover(run, 0), &s);
    ty_vec3 ahead = ty_rotate(s.pose.q, ty_vec3_make(1.0, 0.0, 0.0));
    c.pose.p = ty_add(s.pose.p, ty_vec3_make(0.36 * ahead.x, 0.36 * ahead.y, 1.82));
    c.pose.q = ty_camera_look(atan2(ahead.x, ahead.y), -15.0 * TY_DEG, 0.0);
    return c;
}

/* [s] of a frame in the run, and alone; rays of the latter, and what Embree takes for them */
static ty_status compare(ty_run *run, const ty_scenario_rover *rover, double *within, double *alone, size_t *rays,
                         ty_render_bench *base, ty_diag *diag)
{
    static float radiance[WIDTH * HEIGHT];
    ty_render_buffers out = { .radiance = radiance };
    ty_render_def def = ty_render_def_default();
    def.samples = 1, def.threads = 1;
    ty_status status = drive(run, 0.55, diag); /* the first frame builds the scene */
    double start = bench_cpu();
    status = status == TY_OK ? drive(run, 0.55 + 0.1 * FRAMES, diag) : status;
    *within = (bench_cpu() - start) / FRAMES;
    ty_camera camera = eye(run, rover);
    status = status == TY_OK ? ty_run_render(run, &camera, &def, &out, diag) : status;
    *alone = INFINITY;
    for (int k = 0; k < REPEATS && status == TY_OK; k++) {
        start = bench_cpu();
        status = ty_render(ty_run_scene(run), &camera, &def, &out, diag);
        *alone = fmin(*alone, bench_cpu() - start);
        *rays = ty_scene_get_stats(ty_run_scene(run)).rays;
    }
    return status == TY_OK ? tyi_render_measure(ty_run_scene(run), &camera, &def, radiance, REPEATS, base, diag)
                           : status;
}

int bench_camera_fields(FILE *out)
{
    const char *root = getenv("TYCHO_SOURCE");
    static ty_sensor_def sensor;
    static ty_scenario_rover rover = {
        .name = "viper", .soil.model = TY_SOIL_BEKKER, .soil.spacing = 0.02, .sensor = &sensor, .sensors = 1
    };
    ty_scenario scenario = ty_scenario_default();
    scenario.terrain.seed = 20260101, scenario.terrain.resolution = 0.04;
    scenario.terrain.rock.cover = 0.1, scenario.terrain.rock.d_min = 0.02;
    scenario.terrain.lat = -1.466, scenario.terrain.lon = 3.887;
    snprintf(rover.model, sizeof rover.model, "%s/models/rovers/viper.yaml", root ? root : ".");
    rover.vehicle = ty_vehicle_def_default();
    rover.driver = (ty_scenario_driver){ .kind = TY_DRIVER_CONSTANT, .v = 0.2 };
    scenario.rover = &rover, scenario.rovers = 1;
    sensor = ty_sensor_def_default(TY_SENSOR_CAMERA);
    snprintf(sensor.name, sizeof sensor.name, "eye"), snprintf(sensor.mount, sizeof sensor.mount, "navcam_left");
    sensor.period = 0.1;
    sensor.as.camera.camera.width = WIDTH, sensor.as.camera.camera.height = HEIGHT, sensor.as.camera.samples = 1;
    sensor.as.camera.camera.hfov = 70.0 * TY_DEG;
    ty_run_def def = ty_run_def_default();
    def.scenario = &scenario, def.overlap = false, def.threads = 1;
    ty_run *run = NULL;
    ty_diag diag = { 0 };
    double within = INFINITY, alone = INFINITY;
    size_t rays = 0;
    ty_render_bench base = { 0 };
    ty_status status = ty_run_create(&def, &run, &diag);
    status = status == TY_OK ? compare(run, &rover, &within, &alone, &rays, &base, &diag) : status;
    ty_run_destroy(run);
    if (status != TY_OK) {
        return app_bad("bench", "%s", diag.text);
    }
    fprintf(out,
            "\"camera_in_run_ms\": %.1f, \"camera_alone_ms\": %.1f, \"camera_in_run_ratio\": %.3f, "
            "\"camera_rays_per_s\": %.4g, \"camera_embree_rays_per_s\": %.4g",
            1e3 * within, 1e3 * alone, within / alone, (double)rays / alone, (double)base.rays / base.seconds);
    return APP_OK;
}
