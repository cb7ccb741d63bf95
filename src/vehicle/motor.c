/* src/vehicle/motor.c - motors of arms, drums and masts: an angle held by a PD that is led there at a rate, or a speed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "vehicle.h"

void tyi_vehicle_motor_step(ty_vehicle *v, double dt)
{
    tyi_vehicle_control *c = &v->run.control;
    for (int i = 0; i < v->motors; i++) {
        const tyi_vehicle_motor *m = &v->motor[i];
        double angle, omega, torque;
        tyi_body_mbd_joint_state(v->mbd, m->joint, &angle, &omega);
        if (m->info.speed) {
            torque = m->kp * (c->want_motor[i] - omega);
        } else {
            c->motor[i] += tyi_vehicle_clamp(c->want_motor[i] - c->motor[i], -m->info.rate * dt, m->info.rate * dt);
            torque = m->kp * (c->motor[i] - angle) - m->kd * omega;
        }
        c->motor_torque[i] = tyi_vehicle_clamp(torque, -m->info.torque, m->info.torque);
        tyi_body_mbd_torque(v->mbd, m->joint, c->motor_torque[i]);
    }
}

int ty_vehicle_motors(const ty_vehicle *v, ty_motor_info info[TY_MOTORS_MAX])
{
    for (int i = 0; info && i < v->motors; i++) {
        info[i] = v->motor[i].info;
    }
    return v->motors;
}

int ty_vehicle_find_motor(const ty_vehicle *v, const char *name)
{
    for (int i = 0; i < v->motors; i++) {
        if (!strcmp(v->motor[i].info.name, name)) {
            return i;
        }
    }
    return -1;
}

ty_status ty_vehicle_command_motor(ty_vehicle *v, int motor, double value, ty_diag *diag)
{
    if (motor < 0 || motor >= v->motors) {
        return ty_fail(diag, TY_ERR_INPUT, "rover '%s' has no motor %d; it has %d", v->name, motor, v->motors);
    }
    const ty_motor_info *m = &v->motor[motor].info;
    if (!isfinite(value)) {
        return ty_fail(diag, TY_ERR_INPUT, "rover '%s', motor '%s': the command is not finite", v->name, m->name);
    }
    v->run.control.want_motor[motor] =
        m->speed ? tyi_vehicle_clamp(value, -m->rate, m->rate) : tyi_vehicle_clamp(value, m->low, m->high);
    return TY_OK;
}

ty_motor_view ty_vehicle_get_motor(const ty_vehicle *v, int motor)
{
    ty_motor_view out = { 0 };
    if (motor >= 0 && motor < v->motors) {
        tyi_body_mbd_joint_state(v->mbd, v->motor[motor].joint, &out.angle, &out.omega);
        out.torque = v->run.control.motor_torque[motor];
    }
    return out;
}
