/* Textures, their coordinates, and regions of the ground, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_paint.h"

PARITY_TO(texture, (-40, 40, -40, 40, 0.2, 30), (1e-12, 2e-5, 1), ty_k_texture m; m.channels = 1; m.levels = 5;
          m.wrap[0] = i % 3u; m.wrap[1] = i / 3u % 3u; m.w = 20; m.h = 20;
          return ty_k_texture_read(m, table, a[0], a[1], a[2]).v[0];)
PARITY_TO(sphere_uv, (-1, 1, -1, 1, -1, 1), (1e-14, 1e-5, 1), ty_real u; ty_real v;
          ty_k_sphere_uv(ty_k_unit(ty_k_vec(a[0], a[1], a[2])), &u, &v); return i % 2u ? u : v;)
PARITY(sphere_density, (0.01, 100), return ty_k_sphere_density(a[0]);)
PARITY(luminance, (0, 1, 0, 1, 0, 1), return ty_k_luminance(a[0], a[1], a[2]);)
PARITY_TO(triangle, (0.1, 1, 0.1, 1, 0.1, 1, 0.1, 1), (1e-13, 1e-4, 1), ty_k_uv_edges d; d.e1 = ty_k_vec(a[0], 0.2f, 0);
          d.e2 = ty_k_vec(-0.3f, a[1], 0.1f); d.u1 = a[2]; d.v1 = 0.05f; d.u2 = -0.05f; d.v2 = a[3];
          ty_k_uv_axes x = ty_k_triangle_axes(ty_k_vec(0, 0, 1), d); return i % 3u == 0   ? x.along.x
                                                                            : i % 3u == 1 ? x.up.x
                                                                                          : ty_k_uv_density(d);)
PARITY_TO(normal_map, (0, 1, 0, 1, 0, 1), (1e-13, 1e-5, 1), ty_k_vec3 n = ty_k_unit(ty_k_vec(0.2f, 0.3f, 1));
          ty_k_vec3 b = ty_k_normal_map(n, ty_k_sphere_axes(n), a[0], a[1], a[2], 0.8f);
          return b.x + 2 * b.y + 3 * b.z;)
PARITY_TO(paint, (-2, 2, 0, 1), (1e-14, 1e-6, 1), return ty_k_paint(i % 9u, 0.3f, a[0], a[1]);)
#ifdef TY_KERNEL_FLOAT /* the table is of floats, as a region's corners are in single precision */
PARITY_TO(polygon, (-1, 1, -1, 1), (1e-13, 1e-5, 1), return ty_k_polygon_inside(table, 20, a[0], a[1]);)
#endif
PARITY_TO(circle, (-3, 3, -3, 3, 0, 2), (1e-13, 1e-5, 1),
          return ty_k_region_share(ty_k_circle_inside(0.5f, -0.5f, 1, a[0], a[1]), a[2]);)
PARITY_FILE(k_paint)
