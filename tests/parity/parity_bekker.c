/* A wheel in soft soil, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_bekker.h"

PARITY_TO(pieces, (0.001, 0.1, -1, 1, -1, 1, 0.005, 0.05, 0.4, 0.8), (1e-13, 1e-5, 1),
          return TY_R(1e-6) * ty_k_bekker_pressure(ty_k_bekker_modulus(1400, TY_R(8.2e5), TY_R(0.2)), a[0], a[4]) +
                 ty_k_bekker_angle(a[0], TY_R(0.225)) + ty_k_slip_ratio(a[1], a[2]) +
                 ty_k_bekker_ratio(TY_R(0.9) * a[1]) + ty_k_bekker_mobilised(TY_R(0.1) * a[2], a[3]);)
PARITY(shear_radius, (0.01, 0.03, 1, 40, 0.4, 0.8), return ty_k_bekker_shear_radius(TY_R(0.2), a[0], a[1], a[2]);)
/* a whole contact with lugs and side walls; a sum of forces as large as hundreds of newtons */
PARITY_TO(contact, (0.005, 0.05, -0.02, 0.02, -0.3, 0.3, -0.1, 0.1, -2, 2, -0.02, 0.02, -0.02, 0.02, -1, 1),
          (1e-13, 1e-5, 100),
          ty_k_bekker p = { .r = TY_R(0.225),
                            .b = TY_R(0.2),
                            .rs = TY_R(0.24),
                            .k = TY_R(8e5),
                            .n0 = 1,
                            .n1 = TY_R(0.3),
                            .n1_skid = TY_R(0.1),
                            .a1 = TY_R(0.4),
                            .a2 = TY_R(0.15),
                            .c = 170,
                            .tan_phi = TY_R(0.7),
                            .kx = TY_R(0.0178),
                            .ky = TY_R(0.01),
                            .kx_beta = TY_R(0.04),
                            .ky_beta = TY_R(0.02),
                            .lambda = TY_R(0.1),
                            .bull_c = 600,
                            .bull_w = 5e3,
                            .bull_k = TY_R(0.01),
                            .lug_h = TY_R(0.025),
                            .lug_c = 2e3,
                            .lug_w = 1e4,
                            .rise = TY_R(0.2),
                            .g = TY_R(1.62),
                            .damping = TY_R(0.5),
                            .unload = 10,
                            .shear_time = TY_R(1e-3),
                            .circle = 1,
                            .panels = 1 };
          ty_k_bekker_history was = { a[5], a[6], fabs(a[5]), fabs(a[6]), TY_R(0.8) * a[7], TY_R(0.1), a[7] };
          ty_k_bekker_patch at; ty_k_bekker_load f = ty_k_bekker_contact(p, a[0], a[1], a[2], a[3], a[4], was, &at);
          return f.fx + TY_R(0.5) * f.fy + TY_R(0.3) * f.fz + f.torque - f.mx + f.mz;)
PARITY_TO(advance, (0.005, 0.05, -0.3, 0.3, -0.1, 0.1, -2, 2, -0.02, 0.02, -0.02, 0.02, -1, 1), (1e-13, 1e-5, 1),
          ty_k_bekker p = { .r = TY_R(0.225),
                            .b = TY_R(0.2),
                            .rs = TY_R(0.24),
                            .kx = TY_R(0.0178),
                            .ky = TY_R(0.01),
                            .lambda = TY_R(0.1),
                            .unload = 10,
                            .panels = 1 };
          ty_k_bekker_history was = { a[4], a[5], fabs(a[4]), fabs(a[5]), TY_R(0.8) * a[6], TY_R(0.1), a[6] };
          ty_k_bekker_history now = ty_k_bekker_advance(p, a[0], a[1], a[2], a[3], TY_R(1e-3), was);
          return 10 * (now.ux + now.uy) + now.px - now.py + now.slip + now.side + now.roll;)
PARITY_FILE(k_bekker)
