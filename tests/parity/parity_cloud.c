/* A cloud of dust on host and device: a grid of 10 x 10 x 10 nodes out of the table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_cloud.h"

PARITY_TO(enter, (-5, 5, -5, 5, -5, 5, 0.2, 1, -1, 1, -1, 1), (1e-12, 1e-4, 1),
          ty_k_cloud_grid g = { { 0, 0, 0 }, 0.5f, { 10, 10, 10 }, { 2, 2, 2 }, { 6, 6, 6 }, 0, 400, 0 };
          ty_k_cloud_way w = ty_k_cloud_enter(&g, ty_k_vec(a[0], a[1], a[2]),
                                              ty_k_unit(ty_k_vec(a[3], a[4] + TY_R(1.5), a[5] + TY_R(1.5))), 50);
          return w.t1 > w.t0 + TY_R(1e-3) ? w.t1 - w.t0 : TY_R(0.0);)
PARITY_TO(read, (0, 9, 0, 9, 0, 9), (1e-12, 1e-4, 1), const ty_i32 n[3] = { 10, 10, 10 };
          return ty_k_cloud_read(table, n, ty_k_cloud_at(n, ty_k_vec(a[0], a[1], a[2])));)
PARITY_TO(worth, (0, 1), (0, 0, 1), return (ty_real)ty_k_cloud_worth(a[0]);)
/* along x through all of it: the sum of what is above 0; the bricks are the 2s of the table */
PARITY_TO(
    next, (0.5, 4, 0.5, 4), (1e-12, 1e-4, 1),
    ty_k_cloud_grid g = { { 0, 0, 0 }, 0.5f, { 10, 10, 10 }, { 2, 2, 2 }, { 6, 6, 6 }, 0, 400, 0 };
    ty_k_cloud_way w = ty_k_cloud_enter(&g, ty_k_vec(TY_R(-1.0), a[0], a[1]), ty_k_vec(1, 0, 0), 50); ty_i32 k = 0;
    ty_i32 steps = ty_k_cloud_steps(&g, &w); ty_real sum = 0; ty_real density = 0;
    while (ty_k_cloud_next(table, &g, &w, (w.t1 - w.t0) / (ty_real)steps, steps, &k, &density) >= TY_R(0.0)) {
        sum += density;
    } return sum;)
PARITY(spline, (-0.5, 0.5), return ty_k_cloud_spline(a[0]).x + 2 * ty_k_cloud_spline(a[0]).y;)
PARITY_TO(piece, (5, 9, 0.5, 3), (1e-12, 1e-5, 1), const ty_i32 n[3] = { 20, 20, 20 };
          ty_k_vec3 p = ty_k_cloud_piece(n, ty_k_vec(a[0], a[0], a[0]), ty_k_vec(a[1], 0, a[1]), a[1], i);
          return p.x + 2 * p.y + 3 * p.z;)
PARITY_FILE(k_cloud)
