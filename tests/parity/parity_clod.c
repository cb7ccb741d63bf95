/* Clods, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_clod.h"

PARITY_TO(clod_ray, (-0.3, 0.3, -0.3, 0.3, 0, 6), (1e-13, 1e-5, 1),
          ty_k_clod c = { { TY_R(0.0), TY_R(0.0), TY_R(0.0) }, TY_R(1.0), (ty_u32)i };
          ty_k_vec3 d = ty_k_vec(cos(a[2]), sin(a[2]), TY_R(0.0)), e = ty_k_vec(-sin(a[2]), cos(a[2]), TY_R(0.0));
          ty_k_vec3 o = ty_k_add(ty_k_scale(TY_R(-3.0), d),
                                 ty_k_add(ty_k_scale(a[0], e), ty_k_vec(TY_R(0.0), TY_R(0.0), a[1])));
          return ty_k_clod_ray(c, o, d).t;)
PARITY_TO(clod_of, (-1, 1, 0.001, 0.1, 0, 1), (1e-13, 1e-5, 1),
          ty_k_clod c = ty_k_clod_of(ty_k_vec(a[0], a[0], a[0]), a[1], (ty_u32)i, (int)(i % TY_K_CLODS));
          return c.p.x + 2 * c.p.y + 3 * c.p.z + 5 * c.r;)
PARITY_FILE(k_clod)
