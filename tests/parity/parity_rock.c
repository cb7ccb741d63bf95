/* Rocks, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_rock.h"

PARITY(cover, (0.05, 2, 0.005, 0.2), return ty_k_rock_cover(a[0], a[1]) + ty_k_rock_number(a[0], a[1]);)
PARITY_TO(crater, (0, 3, 0, 1, 1, 400), (1e-14, 1e-5, 1),
          return ty_k_rock_crater(a[0]) + ty_k_rock_crater_strength(a[1], a[2]);)
/* any planes make a convex body: the table's rows as normals, with its bound 2 where a shape has its offset */
PARITY_TO(ray, (-2, 2, -2, 2, -1, 1, -1, 1, -1, 1, -1, 1, 0.3, 2), (1e-12, 1e-5, 10),
          ty_k_rock rock = { TY_R(0.2), TY_R(-0.1), TY_R(0.3), TY_R(0.8), TY_R(0.6), a[6] };
          ty_k_rock_hit h = ty_k_rock_ray(table + 12, 90, rock, a[0], a[1], a[2], a[3], a[4], a[5], 0, 10);
          return h.t + TY_R(0.3) * h.nx - TY_R(0.2) * h.ny + TY_R(0.1) * h.nz;)
PARITY_TO(power, (0.01, 3, 0.001, 0.1, 2.1, 3), (1e-13, 1e-5, 0),
          return ty_k_rock_power_area(a[0], a[1], a[2]) + ty_k_rock_power_number(a[0], a[1], a[2]);)
PARITY_TO(stones, (0, 1, 0.1, 40), (1e-14, 1e-5, 1), return ty_k_rock_crater_stones(a[0], a[1]);)
PARITY_TO(field, (0, 3, 0.1, 40), (1e-13, 1e-5, 1), return ty_k_rock_crater_field(a[0]) + ty_k_rock_crater_mean(a[1]);)
PARITY_TO(tone, (0, 1), (1e-14, 1e-6, 1), return ty_k_rock_tone(i * 2654435761u, TY_R(1.0), TY_R(1.6));)
PARITY_TO(fillet, (0, 3, 0.05, 2, 0.01, 0.5), (1e-13, 1e-5, 1), return ty_k_rock_fillet(a[0], a[1], a[2]);)
PARITY_FILE(k_rock)
