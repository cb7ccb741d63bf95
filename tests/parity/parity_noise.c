/* Counts, rates and the lens's extras on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_noise.h"

/* in float, rounding before the floor may tip a count by one */
PARITY_TO(poisson_small, (0.01, 64), (0, 1.1e-3, 1000), return ty_k_poisson(a[0], ty_k_philox(i, 1, 2, 3, 4, 5));)
PARITY_TO(poisson_large, (65, 900), (0, 1.1e-3, 1000), return ty_k_poisson(a[0], ty_k_philox(i, 1, 2, 3, 4, 5));)
PARITY(dark_rate, (1, 1000, 200, 350, 280, 300, 5, 10), return ty_k_dark_rate(a[0], a[1], a[2], a[3]);)
PARITY(hot_rate, (1, 1e4, 1e-6, 0.9), return ty_k_hot_rate(a[0], a[1]);)
PARITY_FILE(k_noise)
