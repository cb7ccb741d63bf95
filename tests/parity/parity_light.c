/* Lights and angles about a normal, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_light.h"

PARITY_TO(disk, (0, 1, 0, 1, -1, 1), (1e-14, 1e-5, 1),
          ty_k_vec3 w = ty_k_unit(ty_k_vec(a[2], sqrt(1 - a[2] * a[2]), 0.3f));
          ty_k_vec3 e0; ty_k_vec3 e1; ty_k_across(w, &e0, &e1);
          ty_k_vec3 d = ty_k_disk_direction(w, e0, e1, 0.1f, a[0], a[1]); return i % 3u == 0   ? d.x
                                                                                 : i % 3u == 1 ? d.y
                                                                                               : d.z;)
PARITY_TO(spot, (-1, 1, -1, 1, -1, 0), (1e-13, 1e-5, 1), ty_k_light m; m.kind = 2; m.axis = ty_k_vec(0, 0, -1);
          m.place = ty_k_vec(0, 0, 1); m.tan_radius = 0; m.cos_outer = 0.7f; m.inv_blend = 5;
          return ty_k_light_place(m, ty_k_vec(a[0], a[1], a[2])).share;)
PARITY_TO(angles, (-0.5, 0.5, -0.5, 0.5, 0.1, 1, -1, 1, -1, 1), (1e-12, 1e-5, 1),
          ty_k_vec3 n = ty_k_unit(ty_k_vec(a[0], a[1], 1));
          ty_k_vec3 l = ty_k_unit(ty_k_vec(a[3], a[4], a[2])); ty_k_vec3 v = ty_k_unit(ty_k_vec(a[1], a[3], 1));
          ty_k_angles g = ty_k_angles_about(n, l, v); return i % 4u == 0   ? g.mu0
                                                             : i % 4u == 1 ? g.sin2_g
                                                             : i % 4u == 2 ? g.sin_i
                                                                           : g.cos2_psi;)
PARITY_TO(seen, (-0.02, 0.02, -0.02, 0.02), (1e-9, 1e-3, 1), ty_k_disk m; m.axis = ty_k_vec(0, 0, 1);
          ty_k_across(m.axis, &m.e0, &m.e1); m.chord2 = 4e-4f; m.inv_sin = 50; m.globe = i % 2u;
          m.lit = ty_k_unit(ty_k_vec(1, 0, -1)); return ty_k_disk_seen(m, ty_k_unit(ty_k_vec(a[0], a[1], 1)));)
PARITY_TO(globe_lit, (-1, 1, -1, 1, 0, 3), (1e-13, 1e-5, 1),
          ty_k_vec3 l = ty_k_globe_lit(ty_k_vec(0, 0, 1), ty_k_unit(ty_k_vec(a[0], a[1], 0.5f)), a[2]);
          return l.x + 2 * l.y + 3 * l.z;)
PARITY_TO(below, (-1, 1, 0, 0.3), (0, 0, 1), return ty_k_disk_below(a[0], 0.005f, a[1]);)
PARITY_TO(any, (-1, 1, -1, 1, -1, 0), (1e-13, 1e-5, 1), ty_k_light m; m.kind = i % 3u; m.axis = ty_k_vec(0, 0, -1);
          m.place = ty_k_vec(0, 0, 1); m.tan_radius = 0.1f; m.cos_outer = 0.7f; m.inv_blend = 5;
          ty_k_lit l = ty_k_light_at(m, ty_k_vec(1, 0, 0), ty_k_vec(0, 1, 0), ty_k_vec(a[0], a[1], a[2]), 0.3f, 0.6f);
          return l.share + l.l.x;)
PARITY_FILE(k_light)
