/* Noise and tilted normals, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_bump.h"

PARITY_TO(noise, (-9, 9, -9, 9, -9, 9), (1e-12, 1e-5, 1),
          ty_k_vec3 g = ty_k_bump(ty_k_vec(0, 0, 1), ty_k_vec(a[0], a[1], a[2]), 0.1f, 3, i);
          return i % 2u ? g.x : g.z;)
PARITY_TO(plane, (-50, 50, -50, 50), (1e-11, 2e-4, 1), return ty_k_noise2(a[0], a[1], 5u);)
PARITY_FILE(k_bump)
