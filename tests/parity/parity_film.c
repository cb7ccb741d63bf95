/* Where rays meet triangles, spheres and tiles of ground; the headers that stand on it are compiled for the device with it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_film.h"

/* [m] how far a triangle is, -1 where it is missed by more than rounding could */
PARITY_TO(triangle, (-1, 1, -1, 1, 2, 3, -1, 1, -1, 1, 2, 3, -1, 1, -1, 1, 2, 3), (1e-12, 2e-4, 1),
          ty_real t = TY_R(100.0), u = TY_R(0.0), v = TY_R(0.0);
          ty_k_vec3 p = ty_k_vec(a[0], a[1], a[2]); ty_k_vec3 q = ty_k_vec(a[3], a[4], a[5]);
          ty_k_vec3 r = ty_k_vec(a[6], a[7], a[8]); ty_k_vec3 to = ty_k_unit(ty_k_add(p, ty_k_add(q, r)));
          int met = ty_k_meet_triangle(ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(0.0)), to, p, q, r, &t, &u, &v);
          return met ? t : TY_R(-1.0);)
PARITY_TO(sphere, (-1, 1, -1, 1, 3, 9), (1e-12, 1e-4, 1), ty_real t = TY_R(100.0);
          int met = ty_k_meet_sphere(ty_k_vec(a[0], a[1], -a[2]), ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(1.0)), TY_R(1.5),
                                     &t);
          return met ? t : TY_R(-1.0);)
PARITY_TO(slerp, (0.3, 0.99, 0, 1), (1e-13, 1e-5, 1), ty_real p = TY_R(0.0), q = TY_R(0.0);
          ty_k_slerp_weights(a[0], a[1], &p, &q); return p + TY_R(2.0) * q;)
/* the first five levels of a tile's bounds, and the edge that reaches over */
PARITY_TO(tile, (0, 1), (0, 0, 1), return (ty_real)ty_k_tile_level((ty_i32)(i % 6u) + 1) + ty_k_tile_edge(64);)
PARITY_FILE(k_film)
