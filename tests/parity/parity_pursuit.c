/* Following a path, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_pursuit.h"

PARITY_TO(wrap, (-50, 50), (1e-14, 1e-5, 3), return ty_k_wrap(a[0]);)
PARITY_TO(pursuit, (-3, 3, -3, 3), (0, 0, 0), return ty_k_pursuit(a[0], a[1]);)
PARITY_FILE(k_pursuit)
