/* Distributions and intervals, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_chance.h"

PARITY_TO(wilson_low, (0, 100, 100, 1000, 1, 3), (1e-13, 1e-4, 1e-2), return ty_k_wilson(a[0], a[1], a[2], -1);)
PARITY(wilson_high, (0, 100, 100, 1000, 1, 3), return ty_k_wilson(a[0], a[1], a[2], 1);)
/* float: 1 - p near 1 has lost what the tail is made of, on both sides alike */
PARITY_TO(normal_quantile, (1e-6, 0.999), (1e-13, 1e-4, 1), return ty_k_normal_quantile(a[0]);)
PARITY(triangle_quantile, (0, 1, 1, 2, 2, 3, 3, 4), return ty_k_triangle_quantile(a[0], a[1], a[2], a[3]);)
PARITY_FILE(k_chance)
