/* src/sim/settle.c - before the clock starts: rovers come to rest on their ground.
 *
 * Each rover is laid on the plane under its wheels; the rest is found by letting it fall, with its motors holding, and
 * taking all its speed whenever its kinetic energy has a peak (dynamic relaxation with kinetic damping): it comes down
 * without the overshoot of a free fall, which would press it deeper than its weight does. The time is the same for
 * all rovers, so that one rover's rest does not hang on others.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"
#include "soil/world.h"
#include "vehicle/vehicle.h"

#define SETTLE   3.8 /* [s] of fall and rest */
#define HOLD     1.0 /* [s] at the end without a brake: what sways slowly comes to rest, and the soil answers as in a run */
#define FALL     1.0  /* [s] within which it has come down, and may have been turned aside by what it came down on */
#define DRIFT    0.02 /* [m] a rover that goes farther from there slides: it is left to */
#define TOUCHING 1e-9 /* [J] below this there are no peaks, only rounding */

/* Particles take far longer than a rover's fall is worth, and on nothing there is no rest. */
static bool rests(const ty_run *run)
{
    bool rests = run->scenario.settle && run->scenario.gravity > 0.0 && run->rovers > 0 && !run->soil->patches;
    for (int i = 0; i < run->soil->layers && rests; i++) {
        int model = (int)run->soil->layer[i].def.model;
        rests = model != TY_SOIL_NONE && model != TY_SOIL_CRM && model != TY_SOIL_DEM;
    }
    return rests;
}

ty_status tyi_sim_settle(ty_run *run, ty_status (*move)(ty_run *run, ty_diag *diag), ty_diag *diag)
{
    ty_status status = TY_OK;
    if (!rests(run)) {
        return TY_OK;
    }
    int steps = (int)ceil(SETTLE / run->scenario.step), braked = steps - (int)ceil(HOLD / run->scenario.step),
        fallen = (int)ceil(FALL / run->scenario.step);
    run->settling = true;
    for (int k = 0; k < steps && status == TY_OK; k++) {
        status = move(run, diag);
        for (size_t i = 0; i < run->rovers && status == TY_OK && k < braked; i++) {
            tyi_sim_rover_run *r = &run->rover[i];
            if (r->away) {
                continue;
            }
            double kinetic;
            ty_vehicle_energy(r->vehicle, &kinetic, NULL, NULL, NULL);
            ty_pose pose = ty_vehicle_body_pose(r->vehicle, r->vehicle->body, NULL, NULL);
            r->down = k <= fallen ? pose.p : r->down;
            bool slides = hypot(pose.p.x - r->down.x, pose.p.y - r->down.y) > DRIFT;
            if ((kinetic < r->kinetic && r->kinetic > TOUCHING) || slides) {
                ty_vehicle_set_twist(r->vehicle, (ty_vec3){ 0 }, (ty_vec3){ 0 });
                kinetic = 0.0;
            }
            r->kinetic = kinetic;
        }
    }
    run->settling = false;
    for (size_t i = 0; i < run->rovers && status == TY_OK; i++) {
        tyi_vehicle_restart(run->rover[i].vehicle);
    }
    tyi_sim_loose_rest(run);
    run->cost = (ty_run_stats){ 0 };
    return status;
}
