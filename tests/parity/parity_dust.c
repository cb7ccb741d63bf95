/* Dust, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_dust.h"

PARITY(rate, (0, 1, 0, 1), return ty_k_dust_rate(a[0], 1500, a[1], 1e-3f, 1e-3f);)
PARITY(leave, (0, 2.6, 0, 0.3), return 9 + ty_k_dust_leave(a[0], a[1]).x + 2 * ty_k_dust_leave(a[0], a[1]).z;)
PARITY(gap, (0.3, 0.4, 0, 0.3), return ty_k_dust_gap(a[0], a[0] + TY_R(0.1), a[1]);)
PARITY(meets, (0.3, 0.4, 0, 0.3), return ty_k_dust_meets(a[0], 0.2f, 1, a[1]);)
PARITY(at, (-9, 9, -3, 3, 0, 3), return ty_k_dust_at(a[0], a[1], -1.62f, a[2]);)
PARITY(fall, (0, 3, 0, 2), return ty_k_dust_fall(a[0], a[1], 1.62f);)
PARITY(speed, (0, 1, 1, 5), return ty_k_dust_speed(a[0], 0.3f, a[1]);)
PARITY(drift, (0, 1), return ty_k_dust_drift(1e-3f, a[0]);)
PARITY(enters, (0.2, 3, 0.1, 2), return ty_k_dust_enters(-0.81f, a[0], a[1]);)
PARITY(cover, (1e-6, 1e-4), return ty_k_dust_cover(TY_R(0.005) * ty_k_dust_area(3100, a[0]));)
PARITY(mix, (0, 1), return ty_k_dust_mix(0.2f, 0.75f, a[0]);)
PARITY(spread, (1e-6, 1e-4), return ty_k_dust_spread(6e-7f, a[0]);)
PARITY(fan, (-3, 3, 0, 1.5),
       return 9 + ty_k_dust_fan(a[0], a[1]).x + 2 * ty_k_dust_fan(a[0], a[1]).y + 3 * ty_k_dust_fan(a[0], a[1]).z;)
PARITY(radiator, (0.2, 0.75), return ty_k_dust_warmer(ty_k_dust_radiator(a[0], 0.9f, 0.2f, 0.9f));)
PARITY(veil, (0, 1, 0.3, 1), return ty_k_dust_veil(1361, 0.4f, 0.08f, a[0], a[1]);)
PARITY(grains, (0, 1), return ty_k_dust_grains(a[0], 7e-6f, 5e-5f);)
PARITY(slides, (0.01, 1, 0.1, 1), return TY_R(1e6) * ty_k_dust_slides(a[0], 3100, 1.62f, a[1]);)
PARITY_FILE(k_dust)
