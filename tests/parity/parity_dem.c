/* Contact of grains, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_dem.h"

PARITY_TO(pair,
          (1e-3, 1e-2, 1e-3, 1e-2, 1e-4, 1e-2, 1e6, 1e9, 0, 0.45, 0.05, 1, -1e-5, 1e-4, -1, 1, -1e-5, 1e-5, -1, 1),
          (1e-13, 1e-5, 1e-3),
          ty_k_dem_pair p = ty_k_dem_make(a[0], a[1], a[2], a[2], a[3], a[3] * 2, a[4], a[4], a[5], TY_R(0.5));
          ty_real fn = ty_k_dem_normal(p, a[6], a[7]);
          ty_k_dem_slide s = ty_k_dem_tangent(p, a[6], fn, ty_k_vec(a[8], 0, 0), ty_k_vec(a[9], a[7], 0), TY_R(1e-5));
          return fn + s.f.x - TY_R(0.5) * s.f.y + 100 * (s.xi.x + s.xi.y);)
PARITY_TO(carry, (-1, 1, -1, 1, -1, 1), (1e-13, 1e-5, 1),
          ty_k_vec3 c = ty_k_dem_carry(ty_k_vec(a[0], a[1], a[2]), ty_k_vec(TY_R(0.6), 0, TY_R(0.8)));
          return c.x + 2 * c.y + 3 * c.z;)
PARITY_TO(
    contact, (-1e-5, 9e-5, -1, 1, -1, 1, -1, 1, -1e-6, 1e-6, -20, 20), (1e-12, 2e-5, 1e-3), ty_k_dem_law law;
    law.e = TY_R(5e6); law.g = TY_R(1e6); law.damping = TY_R(-0.4); law.mu = TY_R(0.5); law.roll = TY_R(0.2);
    law.eta = TY_R(0.3); law.gamma = TY_R(0.1); law.dt = TY_R(1e-5); law.gx = law.gy = 0; law.gz = TY_R(-1.6);
    law.ix = law.iy = law.iz = TY_R(1e6); law.keep = TY_R(0.9); ty_k_dem_grain g; g.r = TY_R(0.004); g.m = TY_R(7e-4);
    g.v = ty_k_vec(a[1], a[2], a[3]); g.w = ty_k_vec(a[5], -a[5], a[5]); ty_k_dem_grain h; h.r = TY_R(0.006);
    h.m = TY_R(2e-3); h.v = ty_k_vec(a[3], a[1], a[2]); h.w = ty_k_vec(0, a[5], 0); ty_k_dem_touch was;
    was.xi = ty_k_vec(a[4], 0, -a[4]); was.theta = ty_k_vec(0, 100 * a[4], 0); was.k = TY_R(2000.0); ty_k_dem_sum sum;
    sum.f = sum.turn = ty_k_vec(0, 0, 0); if (a[0] > 0) {
        ty_real apart = TY_R(0.01) - a[0];
        ty_k_dem_grains(&law, &g, &h, ty_k_vec(TY_R(0.6) * apart, 0, TY_R(0.8) * apart), apart, was, &sum);
        ty_k_dem_wall(&law, &g, TY_R(0.004) - a[0], ty_k_vec(0, 0, 1), h.v, h.w, TY_R(0.3), TY_R(0.9), was, &sum);
    } ty_k_dem_motion m = ty_k_dem_advance(&law, &g, &sum);
    return m.v.x + 2 * m.v.y - m.v.z + TY_R(0.01) * (m.w.x - m.w.y + 2 * m.w.z) + TY_R(0.01) * m.speed;)
PARITY_TO(times, (1e-3, 1e-2, 1e5, 1e9, 0, 0.45, 0.01, 10), (1e-13, 2e-5, 1e-4),
          return ty_k_dem_rayleigh(a[0], 2600, a[1], a[2]) + ty_k_dem_lasts(TY_R(1e-3), a[0], a[1], a[3]) +
                 ty_k_dem_pull(a[3], a[0]) + TY_R(1e-4) * ty_k_dem_adhesion(a[3], TY_R(0.7), TY_R(0.6), 5, a[0]);)
PARITY_FILE(k_dem)
