/* Craters, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_crater.h"

PARITY_TO(density, (1, 1e5, 0.01, 4), (1e-13, 1e-4, 0), return ty_k_crater_density(a[0], a[1]);)
PARITY_TO(depth, (1, 1e5, -3, 3), (1e-13, 1e-5, 0), return ty_k_crater_depth_ratio(a[0], a[1]);)
PARITY_TO(freshness, (-3, 3), (1e-13, 1e-5, 1), return ty_k_crater_freshness(a[0]);)
PARITY_TO(height, (1, 1000, 0.05, 0.2, 0, 1, 0, 0.2, 0, 3, 0, 0.1, -3, 3, -3, 3), (1e-13, 1e-5, 100),
          ty_k_crater k = ty_k_crater_distort(ty_k_crater_make(a[0], a[1], a[2]), a[3], a[4], a[5], TY_R(1.1));
          return ty_k_crater_height(k, TY_R(0.5) * a[0] * a[6], TY_R(0.5) * a[0] * a[7]);)
PARITY_TO(held, (0.05, 1e5, 0.01, 4, 0.1, 1, -1, 20, -0.3, 1), (1e-13, 1e-4, 0),
          return ty_k_crater_held(a[0], a[1], ty_k_crater_share(a[0], a[2], a[4], a[3]));)
PARITY_TO(look, (0.05, 500, -3, 3, 0, 20), (1e-12, 1e-4, 1), ty_k_crater_look k = ty_k_crater_look_at(a[0], a[1], a[2]);
          return k.ratio + TY_R(0.3) * k.freshness + TY_R(0.2) * k.old + TY_R(0.1) * k.rim;)
PARITY_TO(life, (0.05, 1e4), (1e-13, 1e-4, 0), return ty_k_crater_life(a[0]);)
PARITY_FILE(k_crater)
