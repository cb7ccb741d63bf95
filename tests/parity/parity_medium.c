/* Light through a thin medium, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_medium.h"

PARITY(pass, (0, 80), return ty_k_medium_pass(a[0]);)
PARITY(phase, (-0.9, 0.9, -0.9, 0.9, 0, 1, -1, 1), return ty_k_medium_phase(a[0], a[1], a[2], a[3]);)
PARITY(scatter, (0, 5), return ty_k_medium_scatter(1361, 0.5f, 0.08f, a[0]);)
PARITY(ahead, (0.001, 0.5, 0, 4), return ty_k_medium_ahead(a[0], a[1]);)
PARITY(back, (0, 5), return ty_k_medium_back(0.5f, 0.08f, a[0]);)
PARITY_TO(middle, (0, 20), (1e-12, 1e-4, 0.1), return ty_k_medium_middle(a[0]);)
PARITY_FILE(k_medium)
