/* Small laws of instruments on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_instrument.h"

PARITY(markov, (1e-3, 100, 1, 1000, 0.1, 10),
       return ty_k_markov_keep(a[0], a[1]) + ty_k_markov_sigma(a[2], a[0], a[1]);)
PARITY_TO(motor, (-100, 100, -3, 3, 1, 50, 0.3, 1, 0, 0.5, 0.1, 5), (1e-14, 1e-5, 10),
          return ty_k_motor_power(ty_k_motor_current(a[0], a[1], a[2], a[3], a[4]), a[1], a[2], a[5]);)
PARITY_TO(panel, (1000, 1500, 0, 2, 0, 1, -1, 1, 0, 1), (1e-14, 1e-5, 1),
          return ty_k_panel_power(a[0], a[1], a[2], a[3], a[4]);)
PARITY_FILE(k_instrument)
