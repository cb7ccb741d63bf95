/* How much of a rough surface light reaches, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_smith.h"

PARITY_TO(lit, (0.01, 3, 0.02, 0.6), (1e-13, 1e-5, 1), return ty_k_smith_lit(a[0], a[1]);)
PARITY_FILE(k_smith)
