/* src/vehicle/chassis.c - what else of a rover touches the ground: spheres and corners of boxes.
 *
 * A point with a radius is pushed out along the ground's normal by its depth, more while it closes
 * in (never pulled back), with Coulomb friction that grows from zero speed on. Enough that a rover
 * that tips over lies on the ground. Hard contact, whatever the soil; rocks are not met.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "vehicle.h"

#define BOUNCE 8.0  /* [s/m] as wheels on rocks: an impact at 0.2 m/s loses most of its speed */
#define SLOW   0.01 /* [m/s] below this friction grows in proportion to speed */

static void touch(ty_vehicle *v, const tyi_vehicle_bump *b, ty_vec3 p, ty_terrain_ground ground)
{
    const ty_rigid_params *soil = &v->rocks.soil->rigid;
    ty_vec3 n = ty_terrain_ground_normal(ground), speed, omega;
    double depth = (ground.z - p.z) * n.z + b->radius;
    if (!(depth > 0.0)) {
        return;
    }
    ty_vec3 at = ty_sub(p, ty_scale(b->radius, n));
    tyi_body_mbd_twist(v->mbd, b->body, at, &speed, &omega);
    double closing = -ty_dot(speed, n), f = soil->k * depth * fmin(fmax(1.0 + BOUNCE * closing, 0.0), 10.0);
    ty_vec3 along = ty_add(speed, ty_scale(closing, n));
    double rub = soil->mu * f / fmax(ty_norm(along), SLOW);
    ty_vec3 force = ty_sub(ty_scale(f, n), ty_scale(rub, along));
    tyi_body_mbd_force(v->mbd, b->body, at, force, (ty_vec3){ 0.0, 0.0, 0.0 });
}

void tyi_vehicle_chassis_step(ty_vehicle *v)
{
    ty_vec3 p[TYI_VEHICLE_BUMPS];
    double x[TYI_VEHICLE_BUMPS], y[TYI_VEHICLE_BUMPS];
    ty_terrain_ground ground[TYI_VEHICLE_BUMPS];
    if (v->bumps == 0 || v->rocks.soil->model == TY_SOIL_NONE) {
        return;
    }
    for (int i = 0; i < v->bumps; i++) {
        p[i] = ty_pose_point(tyi_body_mbd_pose(v->mbd, v->bump[i].body), v->bump[i].p);
        x[i] = p[i].x, y[i] = p[i].y;
    }
    tyi_soil_ground_heights(v->world, v->rider->carrier.number, (size_t)v->bumps, x, y, ground);
    for (int i = 0; i < v->bumps; i++) {
        touch(v, &v->bump[i], p[i], ground[i]);
    }
}
