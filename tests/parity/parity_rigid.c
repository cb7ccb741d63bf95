/* A wheel on hard ground, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_rigid.h"

PARITY_TO(kelvin_voigt, (1e4, 1e6, 1, 1.5, 0, 1e3, -0.001, 0.02, -1, 1), (1e-14, 1e-5, 1000),
          return ty_k_kelvin_voigt(a[0], a[1], a[2], a[3], a[4]);)
PARITY_TO(hunt_crossley, (1e4, 1e6, 1, 1.5, 0, 1e5, -0.001, 0.02, -1, 1), (1e-14, 1e-5, 1),
          return ty_k_hunt_crossley(a[0], a[1], a[2], a[3], a[4]);)
PARITY_TO(stick, (1e4, 1e6, 0, 1e3, 0, 300, -1, 1, -1, 1, 0, 30, -0.001, 0.001, -0.001, 0.001), (1e-14, 1e-5, 100),
          ty_real ux = a[6];
          ty_real uy = a[7]; ty_real fx; ty_real fy;
          ty_k_stick(a[0], a[1], a[2], a[3], a[4], a[5], TY_R(1e-3), &ux, &uy, &fx, &fy);
          return fx - TY_R(0.7) * fy + TY_R(1e3) * (ux + TY_R(2.0) * uy);)
PARITY_FILE(k_rigid)
