/* When two that move will touch, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_meet.h"

/* well before them, so that no root lies at the edge between touching and passing */
PARITY_TO(meet, (3, 9, -0.5, 0.5, 0.5, 2, -0.01, 0.01, 1, 2), (1e-14, 1e-5, 3),
          return ty_k_meet(a[0], a[1], a[2], a[3], a[4]);)
PARITY_TO(meet_never, (3, 9, -3, 3, -2, -0.5, -0.5, 0.5, 0.1, 1), (0, 0, 0),
          return ty_k_meet(a[0], a[1], a[2], a[3], a[4]);)
PARITY_FILE(k_meet)
