/* src/vehicle/suspension.c - actuators at the arms of wheels: the loads of the two diagonals are evened out.
 *
 * Four wheels under a stiff body are one too many for uneven ground: it stands on two of a diagonal and one more. The actuators lift the
 * wheels of the diagonal that carries more and lower the others, at a speed by the difference, within their stroke. Height, roll and
 * pitch are left alone. An actuator acts through the spring of its arm: it moves the angle at which that is at rest.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "vehicle.h"

#define FILTER 0.1 /* [s] of the measured loads: slow against the springs, which an actuator would excite. Chosen */
#define STILL  3.0 /* [N] between the diagonals below which actuators stand. Chosen */

void tyi_vehicle_suspension_bind(ty_vehicle *v, tyi_vehicle_wheel *w, int joint)
{
    ty_vec3 anchor, axis;
    tyi_body_mbd_joint_frame(v->mbd, joint, &anchor, &axis);
    w->arm = joint;
    w->up = ty_cross(axis, ty_sub(w->info.p_B, anchor)).z > 0.0 ? 1.0 : -1.0;
    w->diagonal = w->info.p_B.x * w->info.p_B.y > 0.0 ? 1.0 : -1.0;
}

void tyi_vehicle_suspension_step(ty_vehicle *v, double dt)
{
    const tyi_vehicle_suspension_def *s = &v->suspension;
    tyi_vehicle_control *c = &v->run.control;
    double more = 0.0; /* [N] that a wheel of the first diagonal carries beyond the mean */
    int arms = 0, stands = 0;
    for (int i = 0; i < v->wheels; i++) {
        const tyi_vehicle_wheel *w = &v->wheel[i];
        if (w->arm >= 0) {
            double angle, rate;
            tyi_body_mbd_joint_state(v->mbd, w->arm, &angle, &rate);
            /* what the spring carries: bent upwards beyond where it rests */
            more += w->diagonal * s->stiffness * (w->up * angle * s->arm - w->diagonal * c->warp);
            arms++;
            stands += v->run.out[i].contact || v->run.rock[i].id;
        }
    }
    if (!arms) {
        return;
    }
    c->uneven += fmin(dt / FILTER, 1.0) * (more / arms - c->uneven);
    if (fabs(c->uneven) > STILL && stands) { /* off the ground there is nothing to even out */
        c->warp += tyi_vehicle_clamp(s->gain * c->uneven, -s->rate, s->rate) * dt;
        c->warp = tyi_vehicle_clamp(c->warp, -s->stroke, s->stroke);
    }
    for (int i = 0; i < v->wheels; i++) {
        const tyi_vehicle_wheel *w = &v->wheel[i];
        if (w->arm >= 0) {
            tyi_body_mbd_torque(v->mbd, w->arm, w->up * s->stiffness * s->arm * w->diagonal * c->warp);
        }
    }
}
