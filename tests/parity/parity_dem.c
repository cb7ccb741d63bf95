/* Contact of grains, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_dem.h"

PARITY_TO(pair,
          (1e-3, 1e-2, 1e-3, 1e-2, 1e-4, 1e-2, 1e6, 1e9, 0, 0.45, 0.05, 1, -1e-5, 1e-4, -1, 1, -1e-5, 1e-5, -1, 1),
          (1e-13, 1e-5, 1e-3),
          ty_k_dem_pair p = ty_k_dem_make(a[0], a[1], a[2], a[2], a[3], a[3] * 2, a[4], a[4], a[5], TY_R(0.5));
          ty_real fn = ty_k_dem_normal(p, a[6], a[7]);
          ty_k_dem_slide s = ty_k_dem_tangent(p, a[6], fn, ty_k_vec(a[8], 0, 0), ty_k_vec(a[9], a[7], 0), TY_R(1e-5));
          return fn + s.f.x - TY_R(0.5) * s.f.y + 100 * (s.xi.x + s.xi.y);)
PARITY_TO(carry, (-1, 1, -1, 1, -1, 1), (1e-13, 1e-5, 1),
          ty_k_vec3 c = ty_k_dem_carry(ty_k_vec(a[0], a[1], a[2]), ty_k_vec(TY_R(0.6), 0, TY_R(0.8)));
          return c.x + 2 * c.y + 3 * c.z;)
PARITY_FILE(k_dem)
