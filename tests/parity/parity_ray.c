/* Rays over a height field, on host and device: 16 x 16 cells of the table under bounds that exclude nothing between
 * them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_ray.h"

/* the field and the line stand in each body: the device sees no macros of this file */
PARITY_TO(ray, (2, 14, 2, 14, 2, 4, -1, 1, -1, 1, -1, -0.1), (1e-12, 1e-4, 10),
          ty_k_field field = { 20, 16, 16, 5, { 0, 256, 320, 336, 340 }, { 16, 8, 4, 2, 1 } };
          ty_k_line line = { a[0], a[1], a[2], a[3], a[4], a[5] };
          return ty_k_field_ray(field, table, table + 400, table + 800, line, 0, 50);)
PARITY_TO(horizon, (2, 14, 2, 14, 1, 2, -1, 1, 0.1, 1), (1e-13, 1e-5, 1),
          ty_k_field field = { 20, 16, 16, 5, { 0, 256, 320, 336, 340 }, { 16, 8, 4, 2, 1 } };
          return ty_k_field_horizon(field, table, table + 400, a[0], a[1], a[2], a[3], a[4], 0, 50, -9, 9);)
PARITY_FILE(k_ray)
