/* Soil columns on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_scm.h"

/* the difference S - S_p of nearby floats over its size: 0.03 * 6e-8 / 1e-5, hence the float bounds */
PARITY_TO(pressure, (1e-3, 0.03, 0, 1e-3, 0, 1e-3, 1e5, 1e6, 0.5, 1.5, 1e7, 1e9), (1e-12, 1e-3, 1), ty_real plastic = 0;
          ty_real most = TY_R(-1e9); return ty_k_scm_pressure(a[0], a[1], a[2], a[3], a[4], a[5], &plastic, &most);)
PARITY_TO(shear, (-0.5, 0.5, -0.5, 0.5, 0.75, 1, -0.01, 0.01, -0.01, 0.01, 0.005, 0.05), (1e-13, 1e-5, 1),
          ty_k_scm_share m = { a[0], a[1], a[2] };
          m = ty_k_scm_shear(m, a[3], a[4], a[5], 20); return ty_k_scm_damped(m, a[4], a[3], a[5], 20, TY_R(0.03)).x;)
PARITY_FILE(k_scm)
