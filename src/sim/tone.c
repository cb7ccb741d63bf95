/* src/sim/tone.c - one tone curve for all pictures of a run, whichever way its cameras look.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include "run.h"
#include "tycho/tone.h"

/* all around and 45 deg up and down: a degree to the pixel is enough for a percentile */
enum { WIDTH = 360, HEIGHT = 90, PIXELS = WIDTH * HEIGHT, SAMPLES = 4 };

/* where the first camera stands; a run without one is looked at from above its first rover */
static ty_vec3 viewpoint(const ty_run *run)
{
    for (size_t i = 0; i < run->sensors; i++) {
        const tyi_sim_sensor *s = &run->sensor[i];
        if (s->def->kind == TY_SENSOR_CAMERA) {
            return ty_pose_mul(run->now[s->frame], s->offset).p;
        }
    }
    ty_vehicle_state state = { .pose = { .q = { 1, 0, 0, 0 } } };
    if (run->rovers) {
        ty_vehicle_get(run->rover[0].vehicle, &state);
    }
    return ty_add(state.pose.p, ty_vec3_make(0, 0, 1.5));
}

ty_status ty_run_tone(ty_run *run, ty_tone *tone, ty_diag *diag)
{
    *tone = (ty_tone){ 0.0, 1.0, 2.2, 0.0 };
    tyi_sim_worker_wait(run, NULL);
    tyi_sim_frames_read(run, run->now);
    ty_camera camera = ty_camera_default();
    camera.lens = TY_LENS_SPHERICAL;
    camera.width = WIDTH, camera.height = HEIGHT, camera.hfov = 2.0 * TY_PI;
    camera.pose.p = viewpoint(run);
    ty_render_def def = ty_render_def_default();
    def.samples = SAMPLES;
    def.threads = run->def.threads;
    float *radiance = malloc(PIXELS * sizeof *radiance);
    uint8_t *kind = malloc(PIXELS);
    ty_render_buffers out = { .radiance = radiance, .kind = kind };
    ty_status status = radiance && kind ? ty_run_render(run, &camera, &def, &out, diag)
                                        : ty_fail(diag, TY_ERR_MEMORY, "run: no memory to choose a tone curve");
    if (status == TY_OK) {
        *tone = ty_tone_series(radiance, kind, PIXELS);
    }
    free(radiance), free(kind);
    return status;
}
