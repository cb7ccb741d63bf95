/* kernels/k_instrument.h - small laws of instruments: motors, panels, drifts.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_INSTRUMENT_H
#define TY_K_INSTRUMENT_H
#include "k_base.h"

/* A first-order Gauss-Markov process of time constant T and standard deviation s over dt [s]: it
 * keeps exp(-dt/T) of itself and gains a normal number of this standard deviation.   exact for any
 * dt [gelb1974] */
TY_KFN ty_real ty_k_markov_keep(ty_real dt, ty_real T)
{
    return exp(-dt / T);
}
TY_KFN ty_real ty_k_markov_sigma(ty_real s, ty_real dt, ty_real T)
{
    return s * sqrt(-expm1(TY_R(-2.0) * dt / T));
}

/* Current [A] of a geared permanent-magnet motor that gives `torque` [N m] at the joint, which
 * turns at omega [rad/s]. kt [N m/A] is of the motor times the gear ratio; what the gear loses goes
 * against the flow of power: torque/(kt eta) when driving, torque eta/kt when driven. i0 [A] turns
 * the unloaded motor. */
TY_KFN ty_real ty_k_motor_current(ty_real torque, ty_real omega, ty_real kt, ty_real eta, ty_real i0)
{
    ty_real driving = torque * omega >= TY_R(0.0) ? TY_R(1.0) / eta : eta;
    ty_real idle = omega > TY_R(0.0) ? i0 : omega < TY_R(0.0) ? -i0 : TY_R(0.0);
    return torque / kt * driving + idle;
}

/* Electrical power [W]: heat in the copper and what the current moves, I^2 R + kt omega I (SI: the
 * constants of torque and of voltage are the same number). Negative: the motor gives power back. */
TY_KFN ty_real ty_k_motor_power(ty_real current, ty_real omega, ty_real kt, ty_real R)
{
    return current * current * R + kt * omega * current;
}

/* Power [W] of a solar panel of `area` [m^2] under irradiance E [W/m^2] at a cosine c to its
 * normal; `lit` is the share of the Sun that reaches it. Nothing from behind. */
TY_KFN ty_real ty_k_panel_power(ty_real E, ty_real area, ty_real eta, ty_real c, ty_real lit)
{
    return c > TY_R(0.0) ? E * area * eta * c * lit : TY_R(0.0);
}

#endif
