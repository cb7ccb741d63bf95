/* kernels/k_slip.h - how much faster a rim runs than its wheel moves.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SLIP_H
#define TY_K_SLIP_H
#include "k_base.h"

/* Slip ratio for either direction of travel: (u - v) / max(|u|, |v|), u = r omega [m/s], v [m/s] of the axle along the wheel.
 * Positive when the rim runs ahead of a wheel that moves forward, 1 - v/u there and u/v - 1 in skid: [uly] (2.13), [ddt] (1).
 * 0 for a wheel at rest. */
TY_KFN ty_real ty_k_slip_ratio(ty_real u, ty_real v)
{
    ty_real most = ty_k_max(fabs(u), fabs(v));
    return most > TY_R(0.0) ? (u - v) / most : TY_R(0.0);
}

#endif
