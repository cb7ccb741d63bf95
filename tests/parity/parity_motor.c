/* A motor's line, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_motor.h"

PARITY_TO(motor_line, (-50, 50, -4, 4, 1, 300, 1, 6), (1e-14, 1e-5, 1.0),
          return ty_k_motor_line(a[0], a[1], a[2], a[3]);)
PARITY_TO(motor_bound, (-500, 500, -4, 4, 1e-4, 0.1, 1, 300), (1e-14, 1e-5, 1.0),
          return ty_k_motor_bound(a[0], a[1], a[2], a[3], TY_R(3.0));)
PARITY_TO(motor_implicit, (-500, 500, 0, 100, 1e-4, 0.1), (1e-14, 1e-5, 1.0),
          return ty_k_motor_implicit(a[0], a[1], a[2]);)
PARITY_FILE(k_motor)
