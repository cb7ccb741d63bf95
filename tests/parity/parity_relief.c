/* Relief, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_relief.h"

PARITY_TO(unit, (0, 1), (0, 0, 1), return (ty_real)ty_k_relief_unit(i * 2654435761u);)
PARITY_TO(crumb, (0, 1), (0, 0, 1), return (ty_real)ty_k_relief_crumb(i * 2654435761u);)
PARITY_TO(bump, (0, 1.2), (1e-14, 1e-6, 1), return ty_k_relief_bump(a[0]);)
PARITY_TO(bits, (0, 1), (0, 0, 1), ty_k_u32x4 w = ty_k_relief_bits((int)i - 4096, (int)(i % 37u) - 18, 5, 77u);
          return (ty_real)ty_k_relief_unit(w.v[0] ^ w.v[3]);)
PARITY_TO(structure, (1e-5, 1e-2, 0.1, 0.99, 0.1, 1000), (1e-13, 1e-5, 0),
          return ty_k_relief_structure(a[0], a[1], a[2]);)
PARITY_TO(taper, (0.05, 100, 0, 10, -3, 3, 0, 1.5), (1e-13, 1e-4, 1),
          return ty_k_relief_taper(a[0], a[1]) + ty_k_relief_patch(a[2], a[3]);)
PARITY_TO(clods, (0, 3, 0, 1), (1e-14, 1e-5, 1), return ty_k_relief_clods(a[0], a[1]);)
PARITY_FILE(k_relief)
