/* src/vehicle/control.c - from the body's motion to wheels, and from wanted speeds and angles to torques.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
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

double tyi_vehicle_motor_limit(const tyi_vehicle_drive_def *drive, double torque, double omega)
{
    if (torque * omega <= 0.0) {
        return drive->stall_torque;
    }
    return drive->stall_torque * fmax(0.0, 1.0 - fabs(omega) / drive->no_load_speed);
}

static double drive_torque(ty_vehicle *v, int i, double omega, double dt)
{
    const tyi_vehicle_drive_def *d = &v->drive;
    tyi_vehicle_control *c = &v->run.control;
    c->omega[i] += tyi_vehicle_clamp(c->want_omega[i] - c->omega[i], -d->acceleration * dt, d->acceleration * dt);
    double error = c->omega[i] - omega, more = d->ki * error * dt;
    double want = d->kp * error + c->integral[i] + more + d->kd * (error - c->error[i]) / dt;
    double limit = tyi_vehicle_motor_limit(d, want, omega), torque = tyi_vehicle_clamp(want, -limit, limit);
    /* a motor at its limit does not wind up; what would unwind it is taken */
    if (torque == want || more * want < 0.0) {
        c->integral[i] = tyi_vehicle_clamp(c->integral[i] + more, -d->stall_torque, d->stall_torque);
    }
    c->error[i] = error;
    return torque;
}

void tyi_vehicle_control_step(ty_vehicle *v, double dt)
{
    tyi_vehicle_motor_step(v, dt);
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
