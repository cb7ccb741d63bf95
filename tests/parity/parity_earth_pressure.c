/* Passive earth pressure, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_earth_pressure.h"

PARITY(strengths, (100, 2000, 0.4, 0.8, 1e3, 2e4, 1, 40),
       return ty_k_earth_bull_c(a[0], a[1]) + ty_k_earth_bull_w(a[2], a[1]) + ty_k_earth_lug_c(a[0], a[1], a[3]) +
              ty_k_earth_lug_w(a[2], a[1], a[3]);)
PARITY_TO(passive, (0.4, 0.8, -0.6, 0.9), (1e-12, 1e-4, 1),
          return ty_k_earth_passive(sin(a[0]), cos(a[0]), sin(a[1]), cos(a[1]));)
PARITY_TO(shear_angle, (0.0, 1.4), (1e-14, 1e-6, 1), return ty_k_earth_shear_angle(a[0]);)
PARITY_FILE(k_earth_pressure)
