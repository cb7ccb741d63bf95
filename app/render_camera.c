/* app/render_camera.c - `tycho render SCENARIO --camera NAME`: what a camera of the scenario's rovers sees at a moment
 * of its run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "app.h"
#include "render.h"
#include "draw/overlay.h"
#include "tycho/run.h"
#include "render/inner.h"
#include "sensor/inner.h"

#define MAX_SETTINGS 64

/* the camera as it stands now: its lens, on its mount; detector and rays as the scenario has them */
static ty_status find_camera(ty_run *run, const ty_scenario *s, const char *name, render_job *job, ty_diag *diag)
{
    for (size_t r = 0; r < s->rovers; r++) {
        for (size_t i = 0; i < s->rover[r].sensors; i++) {
            const ty_sensor_def *def = &s->rover[r].sensor[i];
            if (def->kind != TY_SENSOR_CAMERA || strcmp(def->name, name)) {
                continue;
            }
            const ty_vehicle *v = ty_run_rover(run, r);
            ty_vehicle_state state;
            ty_vehicle_get(v, &state);
            int mount = def->mount[0] ? ty_vehicle_find_mount(v, def->mount) : -1;
            job->camera = def->as.camera.camera;
            job->camera.pose =
                ty_pose_mul(mount >= 0 ? ty_vehicle_mount_pose(v, mount) : state.pose, ty_pose_optical());
            job->def.samples = def->as.camera.samples;
            job->def.depth = def->as.camera.depth;
            job->physical = def->as.camera.physical;
            return job->physical ? tyi_sensor_detector(def, &job->sensor, diag) : TY_OK;
        }
    }
    return ty_fail(diag, TY_ERR_INPUT, "no rover of the scenario has a camera '%s'", name);
}

static ty_status make_frame(ty_run *run, render_job *job, ty_diag *diag)
{
    size_t n = (size_t)job->camera.width * (size_t)job->camera.height;
    ty_render_buffers *b = &job->out;
    b->radiance = malloc(n * sizeof(float));
    b->depth = malloc(n * sizeof(double)); /* also for a lens out of focus */
    if (job->truth) {
        b->sunlit = malloc(n * sizeof(float)), b->normal = malloc(3 * n * sizeof(float)),
        b->albedo = malloc(n * sizeof(float));
        b->range = malloc(n * sizeof(double)), b->instance = malloc(n * sizeof(uint32_t));
    }
    b->kind = malloc(n); /* white is chosen by the ground */
    bool ok = b->radiance && b->depth && b->kind &&
              (!job->truth || (b->sunlit && b->normal && b->albedo && b->range && b->instance));
    ty_status status = ok ? ty_run_render(run, &job->camera, &job->def, b, diag)
                          : ty_fail(diag, TY_ERR_MEMORY, "no memory for the picture");
    job->scene = ty_run_scene(run);
    if (status == TY_OK && job->truth) {
        tyi_render_truth_ruts(job->scene, &job->camera, b->range, b->kind);
    }
    if (status == TY_OK) {
        job->white = render_job_white(job);
        status = render_write(job, diag);
    }
    if (status == TY_OK && job->truth) {
        status = render_truth_data(job, diag);
    }
    free(b->radiance), free(b->depth), free(b->sunlit), free(b->normal), free(b->albedo), free(b->range),
        free(b->instance), free(b->kind);
    return status;
}

int render_camera(int argc, char **argv, const char *name)
{
    ty_diag diag = { 0 };
    render_job job = { .def = ty_render_def_default(), .gamma = 2.2, .bands = 1 };
    const char *settings[MAX_SETTINGS], *set, *at = app_option(&argc, argv, "--at");
    size_t count = 0;
    job.path = app_option(&argc, argv, "-o");
    job.truth = app_flag(&argc, argv, "--truth");
    job.quiet = app_flag(&argc, argv, "--quiet");
    while (count < MAX_SETTINGS && (set = app_option(&argc, argv, "--set")) != NULL) {
        settings[count++] = set;
    }
    char *end = NULL;
    double seconds = at ? strtod(at, &end) : 0.0;
    const char *unknown = app_unknown_option(argc, argv);
    if (unknown || argc != 2 || !job.path || (at && (*end || !(seconds >= 0.0 && seconds <= 1e6)))) {
        return app_bad(
            "render",
            unknown ? "--camera does not go with %s, or its value is missing."
                    : "--camera NAME takes a scenario, -o OUT.png and, if wanted, --at SECONDS, --truth and --set.",
            unknown);
    }
    ty_scenario *scenario = NULL;
    ty_run *run = NULL;
    ty_status status = ty_scenario_load(argv[1], settings, count, &scenario, &diag);
    if (status == TY_OK) { /* the run's own sensors have nothing to do here */
        ty_run_def def = ty_run_def_default();
        def.scenario = scenario;
        def.overlap = false;
        status = ty_run_create(&def, &run, &diag);
    }
    while (status == TY_OK && ty_seconds(ty_run_time(run)) < seconds) {
        status = ty_run_step(run, &diag);
    }
    if (status == TY_OK) {
        status = find_camera(run, scenario, name, &job, &diag);
    }
    if (status == TY_OK) {
        make_frame(run, &job, &diag);
    }
    ty_run_destroy(run);
    ty_scenario_destroy(scenario);
    return diag.status == TY_OK ? APP_OK : app_bad("render", "%s.", diag.text);
}
