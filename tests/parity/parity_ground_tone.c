/* Brightness of soil, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_ground_tone.h"

PARITY_TO(halo, (0, 6, 0, 0.2, -3, 3, 0, 6), (1e-13, 1e-5, 1),
          return ty_k_tone_halo(a[0], a[1]) * ty_k_tone_rays(a[0], a[2], a[3]);)
PARITY_TO(weight, (1, 200), (1e-13, 1e-5, 0), return ty_k_tone_weight(a[0]);)
PARITY_TO(tracks, (0, 1, -1.5, 1.5, -1.5, 1.5, -1.5, 1.5, -1.5, 1.5, 0, 1), (1e-13, 1e-5, 1), ty_real share;
          ty_real tone = ty_k_tone_between(a[1], a[2], a[3], a[4], a[0], a[5], &share);
          return tone * (TY_R(1.0) + share * ty_k_tone_disturbed(a[0]));)
PARITY(dusted, (0, 1), return ty_k_tone_dusted(a[0]);)
PARITY_FILE(k_ground_tone)
