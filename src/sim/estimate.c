/* src/sim/estimate.c - what a run will need, before it starts.
 *
 * Measured on one core of 2024's kind, to a factor of two: what matters is whether it is a minute or a day.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "run.h"

#define STEP_S 3e-5 /* [s] a rover's step on bekker */
#define RAY_S  1e-6 /* [s] a camera's or a lidar's ray */
#define BASE   0.4  /* [GiB] ground, scene and program; ground and scene again for each further device */

void tyi_sim_estimate(const ty_run *run, char *out, size_t size)
{
    const ty_scenario *s = &run->scenario;
    double steps = s->duration / s->step * (double)s->rovers * STEP_S, rays = 0.0;
    for (size_t i = 0; i < run->sensors; i++) {
        const tyi_sim_sensor *sensor = &run->sensor[i];
        const ty_sensor_def *d = sensor->def;
        double frames = d->start > s->duration ? 0.0 : floor((s->duration - d->start) / d->period) + 1.0;
        double area = (double)sensor->first_type.width * (double)sensor->first_type.height;
        double each = d->kind == TY_SENSOR_CAMERA ? (double)d->as.camera.samples * (1.0 + d->as.camera.depth) : 2.0;
        rays += sensor->kind->scene ? frames * area * each : 0.0;
    }
    double cores = (double)tyi_tasks_threads(0), time = steps + rays * RAY_S / cores;
    double unit = time < 120.0 ? 1.0 : time < 7200.0 ? 60.0 : 3600.0;
    snprintf(out, size, "some %.2g GiB of memory, roughly %.2g %s on %g core%s",
             BASE * run->views + run->room / 1073741824.0, time / unit,
             unit == 1.0    ? "s"
             : unit == 60.0 ? "minutes"
                            : "hours",
             cores, cores == 1.0 ? "" : "s");
}
