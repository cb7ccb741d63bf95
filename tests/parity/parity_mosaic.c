/* Weights of demosaicing on host and device: equal numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_mosaic.h"

PARITY_TO(weights, (0, 1), (0, 0, 1), int c = ty_k_demosaic_case((int)(i & 1u), (int)(i >> 1 & 1u), (int)(i >> 2) % 3);
          return ty_k_demosaic_weight((int)(i >> 4 & 1u), c, (int)(i >> 5) % 5 - 2, (int)(i >> 8) % 5 - 2);)
PARITY_FILE(k_mosaic)
