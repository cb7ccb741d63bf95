/* Laws of inertial sensors on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_imu.h"

PARITY_TO(lever, (-2, 2, -2, 2, -2, 2, -3, 3, -3, 3, -3, 3, -1, 1, -1, 1, -1, 1), (1e-14, 1e-5, 1),
          ty_k_vec3 v = ty_k_lever(ty_k_vec(a[0], a[1], a[2]), ty_k_vec(a[3], a[4], a[5]), ty_k_vec(a[6], a[7], a[8]));
          return v.x + v.y * 3 + v.z * 5;)
PARITY_TO(quantise, (-10, 10), (0, 0, 1), return ty_k_quantise(a[0], TY_R(0.125));)
PARITY(white, (1e-6, 1, 1e-4, 10), return ty_k_white_sigma(a[0], a[1]);)
PARITY(walk, (1e-6, 1, 1e-4, 10), return ty_k_walk_sigma(a[0], a[1]);)
PARITY(flicker, (1e-6, 1), return ty_k_flicker_sigma(a[0]);)
PARITY(allan, (1e-3, 1e3),
       return ty_k_allan_quantisation(a[0]) + ty_k_allan_white(a[0]) + ty_k_allan_flicker() + ty_k_allan_walk(a[0]) +
              ty_k_allan_ramp(a[0]);)
PARITY_FILE(k_imu)
