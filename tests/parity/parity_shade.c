/* Surfaces that rays met, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_shade.h"

PARITY_TO(grain, (0, 4095, 0, 4095, 0, 9), (1e-12, 1e-5, 1), ty_k_grain g = ty_k_grain_make(0.01f, 1024);
          ty_k_vec3 n = ty_k_grain_normal(g, ty_k_vec(0, 0, 1), a[0], a[1], a[2]); return i % 2u ? n.x : n.z;)
PARITY_TO(grain_place, (-1e4, 1e4), (1e-12, 2e-4, 4096), return ty_k_grain_place(a[0], 0.01f);)
PARITY_TO(rock, (-1, 1, -1, 1, -1, 1), (1e-12, 1e-5, 1),
          ty_k_vec3 n = ty_k_rock_normal(ty_k_vec(1, 0, 0), ty_k_vec(a[0], a[1], a[2]), i);
          return i % 2u ? n.x : n.z;)
PARITY_TO(ground, (-0.1, 0.1, -0.1, 0.1), (1e-14, 1e-5, 1), ty_k_ground g; g.z = 0; g.zx = a[0]; g.zy = a[1];
          return ty_k_ground_normal(g, 10).y;)
PARITY_TO(smooth, (0, 0.5, 0, 0.5), (1e-14, 1e-6, 1),
          ty_k_vec3 n = ty_k_smooth_normal(ty_k_vec(1, 0, 0), ty_k_vec(0, 1, 0), ty_k_vec(0, 0, 1), a[0], a[1]);
          return n.x + 2 * n.y + 3 * n.z;)
PARITY_TO(face, (-1, 1, -1, 1, -1, 1), (1e-13, 1e-5, 1), ty_k_vec3 d = ty_k_unit(ty_k_vec(a[0], a[1], a[2] + 2));
          ty_k_facing f = ty_k_face(ty_k_unit(ty_k_vec(a[1], a[2], 1)), ty_k_vec(0, 0, 1), d);
          return f.n.x + 2 * f.n.y + 3 * f.n.z + 5 * f.facet.z + 7 * f.behind;)
PARITY(lift, (-900, 900, -900, 900, -9, 9), return ty_k_lift(ty_k_vec(a[0], a[1], a[2]));)
PARITY_TO(pixel, (0.001, 0.01, 0.001, 0.01), (1e-12, 1e-4, 1e-6), ty_k_vec3 p = ty_k_vec(0, 0, 1);
          ty_k_vec3 q = ty_k_unit(ty_k_vec(a[0], 0, 1)); ty_k_vec3 r = ty_k_unit(ty_k_vec(a[0], a[1], 1));
          ty_k_vec3 s = ty_k_unit(ty_k_vec(0, a[1], 1));
          return ty_k_star_radiance(TY_R(1e-6), TY_R(0.5), ty_k_pixel_angle(p, q, r, s)) * TY_R(1e-6);)
PARITY_FILE(k_shade)
