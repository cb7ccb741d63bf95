/* src/vehicle/control.c - from the body's motion to wheels, and from wanted speeds and angles to torques.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_motor.h"
#include "vehicle.h"

/* Points wheel i along (vx, vy) [m/s] as far as it can turn; its rim then moves by the share along the wheel. */
static void point_wheel(ty_vehicle *v, int i, double vx, double vy)
{
    const tyi_vehicle_wheel *w = &v->wheel[i];
    tyi_vehicle_control *c = &v->run.control;
    double angle = 0.0;
    if (w->steer >= 0 && (vx != 0.0 || vy != 0.0)) {
        angle = atan2(vy, vx);
        /* a wheel rolls both ways: never turn it by more than a right angle */
        angle = angle > 0.5 * TY_PI ? angle - TY_PI : angle < -0.5 * TY_PI ? angle + TY_PI : angle;
        angle = tyi_vehicle_clamp(angle, w->low, w->high);
    }
    c->want_steer[i] = angle;
    c->want_omega[i] = (vx * cos(angle) + vy * sin(angle)) / v->rider->radius[i];
}

void tyi_vehicle_control_command(ty_vehicle *v, const ty_drive_command *command)
{
    double vb = command->v, omega = command->omega;
    for (int i = 0; i < v->wheels; i++) {
        double x = v->wheel[i].info.p_B.x - v->middle, y = v->wheel[i].info.p_B.y;
        switch (command->mode) {
        case TY_STEER_ACKERMANN:
            point_wheel(v, i, vb - omega * y, omega * x);
            break;
        case TY_STEER_CRAB:
            point_wheel(v, i, vb * cos(command->crab), vb * sin(command->crab));
            break;
        case TY_STEER_POINT:
            point_wheel(v, i, -omega * y, omega * x);
            break;
        case TY_STEER_SKID:
            v->run.control.want_steer[i] = 0.0;
            v->run.control.want_omega[i] = (vb - omega * y) / v->rider->radius[i];
            break;
        }
    }
}

void tyi_vehicle_control_wheels(ty_vehicle *v, const double *omega, const double *steer)
{
    for (int i = 0; i < v->wheels; i++) {
        const tyi_vehicle_wheel *w = &v->wheel[i];
        v->run.control.want_omega[i] = omega[i];
        v->run.control.want_steer[i] = steer && w->steer >= 0 ? tyi_vehicle_clamp(steer[i], w->low, w->high) : 0.0;
    }
}

/* PID and line both hold at the end of the step: the speed there is the present one, what the motor adds against the inertia it turns,
 * and what all else did in the step before (ground, other motors). */
static double drive_torque(ty_vehicle *v, int i, double omega, double dt)
{
    const tyi_vehicle_drive_def *d = &v->drive;
    tyi_vehicle_control *c = &v->run.control;
    c->omega[i] += tyi_vehicle_clamp(c->want_omega[i] - c->omega[i], -d->acceleration * dt, d->acceleration * dt);
    double error = c->omega[i] - omega, more = d->ki * error * dt;
    double gain = dt / v->wheel[i].inertia,
           by_others = omega - c->before[i] - gain * c->torque[i]; /* [rad/s] in a step */
    double want = d->kp * (error - by_others) + c->integral[i] + more - d->kd * by_others / dt;
    want = ty_k_motor_implicit(want, d->kp + d->kd / dt, gain);
    double torque = ty_k_motor_bound(want, omega + by_others, gain, d->stall_torque, d->no_load_speed);
    c->before[i] = omega;
    /* a motor at its limit does not wind up; what would unwind it is taken */
    if (torque == want || more * want < 0.0) {
        c->integral[i] = tyi_vehicle_clamp(c->integral[i] + more, -d->stall_torque, d->stall_torque);
    }
    return torque;
}

void tyi_vehicle_control_after(ty_vehicle *v)
{
    tyi_vehicle_control *c = &v->run.control;
    const tyi_vehicle_drive_def *d = &v->drive;
    for (int i = 0; i < v->wheels; i++) {
        double angle, rate;
        tyi_body_mbd_joint_state(v->mbd, v->wheel[i].joint, &angle, &rate);
        double most = ty_k_motor_line(c->torque[i], v->wheel[i].spin_sign * rate, d->stall_torque, d->no_load_speed);
        c->beyond[i] = v->wheel[i].driven ? (fabs(c->torque[i]) - most) / d->stall_torque : -1.0;
    }
}

void tyi_vehicle_control_step(ty_vehicle *v, double dt)
{
    tyi_vehicle_motor_step(v, dt);
    tyi_vehicle_suspension_step(v, dt);
    tyi_vehicle_control *c = &v->run.control;
    const tyi_vehicle_steering_def *s = &v->steering;
    for (int i = 0; i < v->wheels; i++) {
        const tyi_vehicle_wheel *w = &v->wheel[i];
        double angle, rate;
        tyi_body_mbd_joint_state(v->mbd, w->joint, &angle, &rate);
        c->torque[i] = w->driven ? drive_torque(v, i, w->spin_sign * rate, dt) : 0.0;
        tyi_body_mbd_torque(v->mbd, w->joint, w->spin_sign * c->torque[i]);
        if (w->steer >= 0) {
            c->steer[i] += tyi_vehicle_clamp(c->want_steer[i] - c->steer[i], -s->rate * dt, s->rate * dt);
            tyi_body_mbd_joint_state(v->mbd, w->steer, &angle, &rate);
            double torque = s->kp * (c->steer[i] - w->steer_sign * angle) - s->kd * w->steer_sign * rate;
            tyi_body_mbd_torque(v->mbd, w->steer, w->steer_sign * tyi_vehicle_clamp(torque, -s->torque, s->torque));
        }
    }
}
