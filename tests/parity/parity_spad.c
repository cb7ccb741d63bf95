/* Photon histograms on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_spad.h"

PARITY(spad_before, (-2, 4, 0.5, 3, 0.7, 1), return ty_k_spad_before(a[0], a[1], a[2]);)
PARITY(spad_photons, (1, 1000, 0.01, 0.3, 1, 50), return ty_k_spad_photons(a[0], a[1], a[2]);)
PARITY(spad_fire, (0, 0.9, 1e-4, 3), return ty_k_spad_fire(a[0], a[1]);)
PARITY(spad_coates, (1, 100, 200, 10000), return ty_k_spad_coates(a[0], a[1]);)
/* in float, rounding before the floor may tip a count by one */
PARITY_TO(binomial_small, (10, 200, 0.05, 0.3), (0, 1.1e-3, 1000),
          return ty_k_binomial(floor(a[0]), a[1], ty_k_philox(i, 1, 2, 3, 4, 5));)
PARITY_TO(binomial_large, (1000, 9000, 0.2, 0.45), (0, 1.1e-3, 10000),
          return ty_k_binomial(floor(a[0]), a[1], ty_k_philox(i, 1, 2, 3, 4, 5));)
PARITY_FILE(k_spad)
