/* Soil carried by particles, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_sph.h"

PARITY_TO(moduli, (1e5, 1e7, 0, 0.45, 1000, 2000, 0.1, 0.9), (1e-14, 1e-5, 1), ty_real K = ty_k_sph_bulk(a[0], a[1]);
          ty_real G = ty_k_sph_shear(a[0], a[1]); return ty_k_sph_wave(K, G, a[2]) + ty_k_sph_k0(a[1], a[3]);)
PARITY_TO(kernel, (0, 2.5), (1e-13, 1e-5, 1),
          ty_k_sph p = { .rho = 1600,
                         .K = TY_R(8.3e5),
                         .G = TY_R(3.8e5),
                         .mu_s = TY_R(0.4),
                         .mu_2 = TY_R(0.7),
                         .i0 = TY_R(0.3),
                         .d = TY_R(0.005),
                         .c = 20,
                         .h = TY_R(0.012),
                         .spacing = TY_R(0.01),
                         .alpha = TY_R(0.1),
                         .xsph = TY_R(0.1),
                         .delta = TY_R(0.1),
                         .dt = TY_R(1e-4) };
          p = ty_k_sph_make(p); return TY_R(1e-6) * ty_k_sph_w(&p, a[0]) + TY_R(1e-9) * ty_k_sph_f(&p, a[0]);)
PARITY_TO(yield, (0, 1e4, 0, 1e4, 0, 1e3), (1e-13, 1e-5, 1),
          return ty_k_sph_return(a[0], a[1], sqrt(a[0] / 1600), a[2], TY_R(0.4), TY_R(0.7), 20);)
PARITY_TO(lode, (-0.36, 0.36), (1e-13, 1e-5, 1), return ty_k_sph_lode(a[0]);)
PARITY_TO(force, (-0.02, 0.02, -0.02, 0.02, -0.02, 0.02, -1, 1, -1, 1, -1e3, 0, -1e3, 0, -500, 500), (1e-13, 1e-5, 1e4),
          ty_k_sph p = { .rho = 1600,
                         .K = TY_R(8.3e5),
                         .G = TY_R(3.8e5),
                         .mu_s = TY_R(0.4),
                         .mu_2 = TY_R(0.7),
                         .i0 = TY_R(0.3),
                         .d = TY_R(0.005),
                         .c = 20,
                         .h = TY_R(0.012),
                         .spacing = TY_R(0.01),
                         .alpha = TY_R(0.1),
                         .xsph = TY_R(0.1),
                         .delta = TY_R(0.1),
                         .dt = TY_R(1e-4) };
          p = ty_k_sph_make(p); ty_k_sph_near own = { .vx = a[3], .xx = a[5], .yy = a[6], .zz = a[5], .xy = a[7] };
          ty_k_sph_near j = { .x = a[0], .y = a[1], .z = a[2], .vz = a[4], .V = TY_R(1e-6), .xx = a[6], .yz = a[7] };
          ty_k_sph_force s = { 0 }; ty_k_sph_force_add(&s, &p, &own, &j);
          return s.ax + TY_R(0.5) * s.ay - s.az + TY_R(1e4) * (s.sx + s.sy - s.sz);)
PARITY_TO(rate, (-0.02, 0.02, -0.02, 0.02, -0.02, 0.02, -1, 1, -1, 1, -1e-3, 1e-3, -1e-3, 1e-3, -0.05, 0.05),
          (1e-12, 1e-5, 10),
          ty_k_sph p = { .rho = 1600,
                         .K = TY_R(8.3e5),
                         .G = TY_R(3.8e5),
                         .mu_s = TY_R(0.4),
                         .mu_2 = TY_R(0.7),
                         .i0 = TY_R(0.3),
                         .d = TY_R(0.005),
                         .c = 20,
                         .h = TY_R(0.012),
                         .spacing = TY_R(0.01),
                         .alpha = TY_R(0.1),
                         .xsph = TY_R(0.1),
                         .delta = TY_R(0.1),
                         .dt = TY_R(1e-4) };
          p = ty_k_sph_make(p); ty_k_sph_near own = { .vx = a[3], .e = a[5], .gx = a[7] };
          ty_k_sph_near
              j = { .x = a[0], .y = a[1], .z = a[2], .vz = a[4], .V = TY_R(1e-6), .e = a[6], .gy = a[7], .soil = 1 };
          ty_k_sph_rate s = { .w = 0 }; ty_k_sph_rate_add(&s, &p, &own, &j); ty_k_sph_spread_add(&s, &p, &own, &j);
          return s.l[0] + 2 * s.l[8] + s.xx - s.yz + s.w + TY_R(0.1) * (s.gx + s.gz + TY_R(0.01) * s.spread);)
PARITY_TO(
    advance, (-2e3, 0, -500, 500, -0.005, 0.005, -30, 30, -30, 30, 0.3, 1, -0.2, 0.2), (1e-12, 2e-5, 1e3),
    ty_k_sph p = { .rho = 1600,
                   .K = TY_R(8.3e5),
                   .G = TY_R(3.8e5),
                   .mu_s = TY_R(0.4),
                   .mu_2 = TY_R(0.7),
                   .i0 = TY_R(0.3),
                   .d = TY_R(0.005),
                   .c = 20,
                   .h = TY_R(0.012),
                   .spacing = TY_R(0.01),
                   .alpha = TY_R(0.1),
                   .xsph = TY_R(0.1),
                   .delta = TY_R(0.1),
                   .dt = TY_R(1e-4) };
    p = ty_k_sph_make(p);
    ty_k_sph_state s = { .xx = a[0], .yy = a[0] - a[1], .zz = a[0] + 2 * a[1], .xy = a[1], .e = a[2], .V = TY_R(1e-6) };
    ty_k_sph_rate r = { .xx = a[5], .yy = 1, .zz = a[5], .xz = a[6], .w = TY_R(0.7) };
    for (int k = 0; k < 9; k++) r.l[k] = k % 2 ? a[3] : a[4] * TY_R(0.1) * (k - 4); s = ty_k_sph_advance(&p, s, &r);
    return s.xx + TY_R(0.5) * s.yy + TY_R(0.25) * s.zz + s.xy - s.xz + s.yz + TY_R(1e4) * s.e;)
PARITY_TO(ghost, (-0.02, 0.02, -0.02, 0.02, -1, 1), (1e-13, 1e-5, 1),
          ty_k_sph p = { .rho = 1600,
                         .K = TY_R(8.3e5),
                         .G = TY_R(3.8e5),
                         .mu_s = TY_R(0.4),
                         .mu_2 = TY_R(0.7),
                         .i0 = TY_R(0.3),
                         .d = TY_R(0.005),
                         .c = 20,
                         .h = TY_R(0.012),
                         .spacing = TY_R(0.01),
                         .alpha = TY_R(0.1),
                         .xsph = TY_R(0.1),
                         .delta = TY_R(0.1),
                         .dt = TY_R(1e-4) };
          p = ty_k_sph_make(p);
          ty_k_sph_near j = { .x = a[0], .y = a[1], .vx = a[2], .xx = 10 * a[2], .yz = a[2], .soil = 1 }; p.gx = 1;
          p.gz = -9; ty_k_sph_ghost s = { .w = 0 }; ty_k_sph_ghost_add(&s, &p, &j); ty_k_sph_ghost_stress(&s, &p);
          return TY_R(1e-2) *
                 (TY_R(1e-4) * s.w + s.x + s.y + s.z + s.vx + s.vy + s.vz + s.xx + s.yy + s.zz + s.xy + s.xz + s.yz);)
PARITY_TO(contact, (-0.005, 0.006, -1, 1, -1, 1, -1, 1, -1e-4, 1e-4), (1e-13, 1e-5, 1),
          ty_k_sph_touch was = { .x = a[4], .z = -a[4] };
          ty_k_sph_touch t = ty_k_sph_contact(a[0], TY_R(0.6), 0, TY_R(0.8), a[1], a[2], a[3], was, TY_R(0.005),
                                              TY_R(1.3e4), TY_R(1.6e-3), TY_R(0.3), TY_R(0.5), TY_R(1e-4));
          return t.fx + t.fy - t.fz + TY_R(1e3) * (t.x + t.y + t.z);)
PARITY_TO(motion, (-1, 1, -10, 10, -1, 1), (0, 0, 1),
          return ty_k_sph_kick(a[0], a[1], a[2], TY_R(1e-4), TY_R(0.9)) +
                 ty_k_sph_way(a[0], a[2], TY_R(0.1), TY_R(1e-4), TY_R(1e8));)
PARITY_FILE(k_sph)
