/* Signed distances, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_sdf.h"

PARITY_TO(solids, (-2, 2, -2, 2, -2, 2), (1e-14, 1e-5, 1), ty_k_vec3 x = ty_k_vec(a[0], a[1], a[2]);
          ty_k_sdf s = ty_k_sdf_of((int)(i % 5), TY_R(0.7), i % 5 == 4 ? TY_R(0.1) : TY_R(0.5), TY_R(0.9), 12,
                                   TY_R(0.02), x);
          return s.d + 2 * s.n.x + 3 * s.n.y + 4 * s.n.z;)
PARITY_TO(silo, (-1.2, 1.2, -1.2, 1.2, -1.2, 1.2), (1e-13, 1e-5, 1), ty_k_vec3 x = ty_k_vec(a[0], a[1], a[2]);
          ty_k_sdf s = ty_k_sdf_of(TY_K_SDF_TUBE, TY_R(0.7), 0, 0, 0, 0, x);
          ty_k_sdf t = ty_k_sdf_of(TY_K_SDF_HOLE, TY_R(0.5), 0, TY_R(0.3), 0, 0, x);
          return s.d + s.n.x + 2 * s.n.y + t.d + t.n.x + 2 * t.n.y - t.n.z;)
PARITY_FILE(k_sdf)
