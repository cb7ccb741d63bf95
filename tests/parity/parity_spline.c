/* The surface between samples, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_spline.h"

PARITY_TO(weights, (0, 1), (0, 0, 1), ty_real4 w = ty_k_spline_weights(a[0]);
          return TY_LANE(w, 0) + 2 * TY_LANE(w, 1) - 3 * TY_LANE(w, 2) + 5 * TY_LANE(w, 3);)
PARITY_TO(cell, (0, 1, 0, 1), (0, 0, 1),
          ty_k_ground g = ty_k_cell(table + (i % 16u) * 20u + i / 16u % 16u, 20, a[0], a[1]);
          return g.z + TY_R(0.3) * g.zx - TY_R(0.7) * g.zy;)
PARITY_FILE(k_spline)
