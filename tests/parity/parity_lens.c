/* Veil, ghosts and dust on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_lens.h"

PARITY(axis_cos, (-500, 500, -500, 500, 100, 2000), return ty_k_axis_cos(a[0], a[1], a[2]);)
PARITY(glare, (1, 100, 0, 1e6), return ty_k_glare(a[0], a[1]);)
PARITY_TO(ghost, (0, 1.5), (1e-14, 1e-5, 1), return ty_k_ghost(a[0]);)
PARITY_TO(vignette, (0, 1, 0, 1), (1e-14, 1e-5, 1), return ty_k_vignette(a[0], a[1]);)
PARITY_TO(dust, (0, 1, 5, 50, 0, 3000), (1e-14, 1e-5, 1), return ty_k_dust(a[0], a[1], a[2]);)
PARITY_FILE(k_lens)
