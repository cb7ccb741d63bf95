/* include/tycho/run.h - a scenario in motion: world, rovers, drivers, cameras, one clock.
 *
 *     ty_run_create(scenario, &run, &diag);
 *     while (!ty_run_done(run)) {
 *         ty_run_step(run, &diag);
 *     }
 *
 * Order of a step: drivers, drive commands, wheel states, soil, multibody step, ruts. Cameras are rendered by
 * ty_run_frame() whenever the caller finds one due; what it shows is the state after the last step.
 * Threads: one run, one thread at a time; several runs in one process are independent.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_RUN_H
#define TYCHO_RUN_H
#include "tycho/render.h"
#include "tycho/vehicle.h"
#include "tycho/world.h"
TY_BEGIN_DECLS

typedef struct ty_run ty_run;

/* The scenario is copied as far as it is needed, but for its lists: it must outlive the run. On success the caller
 * owns *out. Returns what world, vehicles and scene return. */
TY_API ty_status ty_run_create(const ty_scenario *scenario, ty_run **out, ty_diag *diag);
TY_API void ty_run_destroy(ty_run *run); /* NULL is allowed */

TY_API ty_time ty_run_time(const ty_run *run); /* [ns] since the start */
TY_API bool ty_run_done(const ty_run *run);    /* the scenario's duration is over */
TY_API bool ty_run_driving(const ty_run *run); /* some driver has more to do */
/* One step of the dynamics. TY_ERR_NUMERIC names rover, step, body and field; all outputs so far stay valid. */
TY_API ty_status ty_run_step(ty_run *run, ty_diag *diag);

TY_API ty_world *ty_run_world(ty_run *run);
TY_API size_t ty_run_rovers(const ty_run *run);
TY_API ty_vehicle *ty_run_rover(ty_run *run, size_t rover);
TY_API ty_sky_view ty_run_sky(const ty_run *run); /* Sun and Earth now, from the site's origin */

/* The next camera frame that is due at or before now, in order of time, rover and camera; false: none. Each frame is
 * reported once. */
TY_API bool ty_run_due(ty_run *run, size_t *rover, size_t *camera, ty_time *when);
/* Renders a camera as it stands now. The camera's definition is written to *out_camera where that is not NULL. */
TY_API ty_status ty_run_frame(ty_run *run, size_t rover, size_t camera, const ty_buffers *buffers, ty_camera *out_camera,
                              ty_diag *diag);
/* Renders with any camera: the rovers are in the scene. The seed of def is not used: it is the time. */
TY_API ty_status ty_run_render(ty_run *run, const ty_camera *camera, const ty_render_def *def, const ty_buffers *buffers,
                               ty_diag *diag);

TY_END_DECLS
#endif
