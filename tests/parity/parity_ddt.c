/* Regressions of slip and sinkage, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_ddt.h"

PARITY_TO(slip_ratio, (0, 1, 0, 1), (0, 0, 0), return ty_k_slip_ratio(a[0], a[1]);)
PARITY_TO(slip, (-1, 1, -0.4, 0.4), (1e-14, 1e-5, 1),
          ty_k_ddt fit = { TY_R(0.0265), TY_R(0.0256), TY_R(0.00522), TY_R(0.00105), TY_R(33.56), TY_R(0.9291),
                           TY_R(3.11) };
          return ty_k_ddt_slip(fit, a[0], a[1]);)
PARITY_TO(sinkage, (0, 1, 2, 20), (1e-14, 1e-5, 1e-3),
          ty_k_ddt fit = { TY_R(0.0265), TY_R(0.0256), TY_R(0.00522), TY_R(0.00105), TY_R(33.56), TY_R(0.9291),
                           TY_R(3.11) };
          return ty_k_ddt_sinkage(fit, a[0], a[1], TY_R(8.72));)
PARITY_TO(motion, (-0.02, 0, -0.1, 0.1, 1, 5, -1.2, 1.2), (1e-14, 1e-5, 1),
          ty_real k = ty_k_ddt_stiffness(TY_R(9.0), a[0], TY_R(0.004), TY_R(4.0), TY_R(1.0), TY_R(1e-3));
          return ty_k_ddt_bounce(a[0], a[1], a[2], TY_R(9.81), k, ty_k_ddt_damping(k, a[2])) +
                 ty_k_ddt_acceleration(a[3]) + ty_k_ddt_latch(a[0], TY_R(-0.01), a[3], TY_R(0.1)) +
                 ty_k_ddt_speed(a[1], a[3]);)
PARITY_FILE(k_ddt)
