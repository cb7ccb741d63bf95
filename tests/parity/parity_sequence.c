/* Sobol points, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_sequence.h"

PARITY_TO(sobol, (0, 1), (0, 0, 1), ty_k_point2 p = ty_k_sobol(i, i * 7u + 1u, 3u, i + 5u);
          return i % 2u ? p.u : p.v + 0 * a[0];)
PARITY_FILE(k_sequence)
