/* src/sim/others.c - what drivers see of each other: all rovers and the actors that can be touched, as they are when drivers are asked.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "run.h"
#include "vehicle/vehicle.h"

static size_t number(const ty_run *run)
{
    return run->rovers + run->actors;
}

/* [m] of the circle around B that holds all that touches others */
static double radius_of(const ty_vehicle *v)
{
    const tyi_body_hull *h;
    int n = tyi_body_mbd_hulls(v->mbd, &h);
    ty_pose body = tyi_body_mbd_pose(v->mbd, v->body);
    double radius = 0.0;
    for (int i = 0; i < n; i++) {
        ty_pose pose = ty_pose_mul(tyi_body_mbd_pose(v->mbd, h[i].body), h[i].pose);
        ty_vec3 mid = ty_rotate(ty_quat_conj(body.q), ty_sub(ty_pose_point(pose, h[i].mid), body.p));
        radius = fmax(radius, hypot(mid.x, mid.y) + ty_norm(h[i].half));
    }
    return radius;
}

ty_status tyi_sim_others_make(ty_run *run, ty_diag *diag)
{
    bool some = false;
    for (size_t i = 0; i < run->rovers; i++) {
        some = some || tyi_vehicle_driver_sees(run->rover[i].driver);
    }
    if (!some) {
        return TY_OK;
    }
    run->other = tyi_get(NULL, number(run) * sizeof *run->other);
    if (!run->other) {
        return ty_fail(diag, TY_ERR_MEMORY, "run: no memory for what drivers see");
    }
    for (size_t i = 0; i < run->rovers; i++) {
        tyi_vehicle_driver_sight *sight = tyi_vehicle_driver_sees(run->rover[i].driver);
        const ty_scenario_driver *def = &run->rover[i].def->driver;
        if (sight) {
            *sight = (tyi_vehicle_driver_sight){ .other = run->other,
                                                 .others = number(run),
                                                 .self = i,
                                                 .margin = def->margin,
                                                 .distance = def->distance,
                                                 .ahead = def->ahead,
                                                 .left = def->left };
            for (size_t k = 0; k < run->rovers; k++) {
                sight->leader = strcmp(run->rover[k].def->name, def->leader) ? sight->leader : k;
            }
        }
    }
    return TY_OK;
}

void tyi_sim_others_free(ty_run *run)
{
    tyi_put(NULL, run->other, run->other ? number(run) * sizeof *run->other : 0);
    run->other = NULL;
}

void tyi_sim_others_look(ty_run *run)
{
    for (size_t i = 0; run->other && i < run->rovers; i++) {
        const tyi_sim_rover_run *r = &run->rover[i];
        ty_vehicle_state s;
        ty_vehicle_get(r->vehicle, &s);
        run->other[i] = (tyi_vehicle_other){ .there = !r->away,
                                             .drives = r->driving && !r->away,
                                             .x = s.pose.p.x,
                                             .y = s.pose.p.y,
                                             .heading = tyi_vehicle_driver_heading(&s),
                                             .vx = s.v_W.x,
                                             .vy = s.v_W.y,
                                             .turn = s.omega_B.z,
                                             .radius = radius_of(r->vehicle) };
    }
    for (size_t i = 0; run->other && i < run->actors; i++) {
        const tyi_sim_actor *a = &run->actor[i];
        ty_pose now = tyi_sim_actor_pose(run, a, run->time),
                then = tyi_sim_actor_pose(run, a, run->time + ty_time_from(TYI_SIM_DRIVER_PERIOD));
        run->other[run->rovers + i] = (tyi_vehicle_other){ .there = a->radius > 0.0,
                                                           .x = now.p.x,
                                                           .y = now.p.y,
                                                           .vx = (then.p.x - now.p.x) / TYI_SIM_DRIVER_PERIOD,
                                                           .vy = (then.p.y - now.p.y) / TYI_SIM_DRIVER_PERIOD,
                                                           .radius = a->radius };
    }
}
