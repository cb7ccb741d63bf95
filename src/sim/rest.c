/* src/sim/rest.c - rovers that nobody drives and that stand still are left out of the steps until something comes near (`sleep` of a scenario).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "body/world.h"
#include "run.h"
#include "vehicle/vehicle.h"

#define STILL 1e-3            /* [m/s] and [rad/s] below which it stands */
#define AFTER (TY_SECOND / 2) /* of standing before it sleeps */

static bool firm(int model)
{
    return model == TY_SOIL_RIGID || model == TY_SOIL_BEKKER || model == TY_SOIL_REGRESSION || model == TY_SOIL_SCM;
}

/* nobody will ever move it, and the ground under it does not move by itself */
static bool may_sleep(const ty_run *run, const tyi_sim_rover_run *r)
{
    const ty_scenario *s = &run->scenario;
    bool all = firm(s->soil.model >= 0 ? s->soil.model : r->def->soil.model);
    for (size_t i = 0; i < s->soil_regions; i++) {
        all = all && firm(s->soil_region[i].soil.model);
    }
    return all && !run->settling && !r->away && !r->driver && !r->table && !r->moves &&
           r->def->driver.kind == TY_DRIVER_STAND;
}

static bool still(const tyi_sim_rover_run *r)
{
    ty_vehicle_state s;
    ty_vehicle_get(r->vehicle, &s);
    double most = fmax(ty_norm(s.v_W), ty_norm(s.omega_B));
    for (int i = 0; i < s.wheels; i++) {
        most = fmax(most, fabs(s.wheel[i].omega));
    }
    return most < STILL;
}

static void set(ty_run *run, size_t i, bool asleep)
{
    tyi_sim_rover_run *r = &run->rover[i];
    if (asleep && !r->asleep) {
        ty_vehicle_set_twist(r->vehicle, (ty_vec3){ 0 }, (ty_vec3){ 0 });
        r->vehicle->run.a_W = r->vehicle->run.alpha_B = (ty_vec3){ 0 };
    }
    r->asleep = asleep;
    r->vehicle->rider->away = r->away || asleep || r->elsewhere;
    tyi_body_world_set_asleep(tyi_sim_bodies_world(run), (int)i, asleep);
}

void tyi_sim_rest_look(ty_run *run)
{
    for (size_t i = 0; run->scenario.sleep && i < run->rovers; i++) {
        tyi_sim_rover_run *r = &run->rover[i];
        if (r->elsewhere) {
            continue;
        }
        bool may = may_sleep(run, r) && tyi_body_world_alone(tyi_sim_bodies_world(run), (int)i);
        if (r->asleep != (may && r->asleep)) {
            set(run, i, false);
            r->still = 0;
        } else if (may && !r->asleep) {
            r->still = still(r) ? r->still + TYI_BODY_ASK : 0;
            if (r->still >= AFTER) {
                set(run, i, true);
            }
        }
    }
}

void tyi_sim_rest_set(ty_run *run, size_t rover, bool asleep)
{
    run->rover[rover].asleep = asleep;
    set(run, rover, asleep);
}

void tyi_sim_rest_restored(ty_run *run)
{
    for (size_t i = 0; i < run->rovers; i++) {
        set(run, i, run->rover[i].asleep);
    }
}

void tyi_sim_rest_step(tyi_sim_rover_run *r, ty_time step)
{
    r->vehicle->run.step++;
    r->vehicle->run.time += step;
}
