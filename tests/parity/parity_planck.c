/* Shares of a black body's light, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_planck.h"

PARITY_TO(below, (2e-7, 4e-6, 3000, 9000), (1e-13, 1e-5, 1), return ty_k_planck_below(a[0], a[1]);)
PARITY_FILE(k_planck)
