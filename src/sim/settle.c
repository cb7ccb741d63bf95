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

#define SETTLE 3.0  /* [s] of fall and rest */
#define HOLD   1.0  /* [s] at the end without a brake: what sways slowly comes to rest, the soil answers as in a run; */
#define LET_GO 0.2  /* [s] of a rover that slides, which would only gain speed */
#define DRIFT  0.02 /* [m] a rover that goes farther slides: it is held until then, */
#define FALLS \
    0.2 /* [-] of gravity: one that gains more speed downwards while it is held has been turned aside, and falls on */
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

/* it goes aside from where it came down, and does not fall any more */
static bool slides(tyi_sim_rover_run *r, const ty_run *run, bool peak)
{
    ty_vec3 v;
    ty_pose pose = ty_vehicle_body_pose(r->vehicle, r->vehicle->body, &v, NULL);
    if (r->falls && peak) {
        r->down = pose.p;
    }
    bool aside = hypot(pose.p.x - r->down.x, pose.p.y - r->down.y) > DRIFT;
    bool drops = r->kinetic == 0.0 && v.z < -FALLS * run->scenario.gravity * run->scenario.step;
    r->falls = aside && (drops || r->falls);
    return aside && !r->falls;
}

ty_status tyi_sim_settle(ty_run *run, ty_status (*move)(ty_run *run, ty_diag *diag), ty_diag *diag)
{
    ty_status status = TY_OK;
    if (!rests(run)) {
        return TY_OK;
    }
    int steps = (int)ceil(SETTLE / run->scenario.step), braked = steps - (int)ceil(HOLD / run->scenario.step),
        held = steps - (int)ceil(LET_GO / run->scenario.step);
    run->settling = true;
    for (int k = 0; k < steps && status == TY_OK; k++) {
        status = move(run, diag);
        for (size_t i = 0; i < run->rovers && status == TY_OK && k < held; i++) {
            tyi_sim_rover_run *r = &run->rover[i];
            if (r->away) {
                continue;
            }
            if (k == 0) {
                r->down = ty_vec3_make(r->def->vehicle.x, r->def->vehicle.y, 0.0), r->falls = false;
            }
            double kinetic;
            ty_vehicle_energy(r->vehicle, &kinetic, NULL, NULL, NULL);
            bool peak = kinetic < r->kinetic && r->kinetic > TOUCHING;
            if (slides(r, run, peak) || (peak && k < braked)) {
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
