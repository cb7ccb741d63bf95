/* kernels/k_motor.h - what a motor can do: a straight line from stall torque to no-load speed.
 *
 * The line of a direct-current motor at a fixed voltage [lynch2017] 8.9.1: T = stall (1 - omega / no_load) where it drives. Where
 * it brakes it holds back with the stall torque at most.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_MOTOR_H
#define TY_K_MOTOR_H
#include "k_base.h"

/* Largest torque [N m] in the direction of `torque` at a speed omega [rad/s]. */
TY_KFN ty_real ty_k_motor_line(ty_real torque, ty_real omega, ty_real stall, ty_real no_load)
{
    ty_real along = torque < TY_R(0.0) ? -omega : omega;
    return along <= TY_R(0.0) ? stall : stall * ty_k_max(TY_R(0.0), TY_R(1.0) - along / no_load);
}

/* The torque [N m] nearest to `want` that lies within the line at the end of a step. coast: speed [rad/s] then without the
 * motor; gain: what a torque of 1 N m adds to it [rad/s], dt / inertia. With T along the wanted direction and u the coasting
 * speed along it, T = stall (1 - (u + gain T) / no_load). */
TY_KFN ty_real ty_k_motor_bound(ty_real want, ty_real coast, ty_real gain, ty_real stall, ty_real no_load)
{
    ty_real sign = want < TY_R(0.0) ? TY_R(-1.0) : TY_R(1.0), u = sign * coast;
    ty_real most = stall * (TY_R(1.0) - u / no_load) / (TY_R(1.0) + stall * gain / no_load);
    return sign * ty_k_clamp(sign * want, TY_R(0.0), ty_k_clamp(most, TY_R(0.0), stall));
}

/* A controller's torque [N m], worked out for the speed at the start of a step, for that at its end: `stiff` [N m s/rad] is
 * what it changes by with the speed. Euler's implicit step, stable for any gain. */
TY_KFN ty_real ty_k_motor_implicit(ty_real torque, ty_real stiff, ty_real gain)
{
    return torque / (TY_R(1.0) + stiff * gain);
}

#endif
