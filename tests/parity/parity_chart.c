/* The whole Moon on one plane, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_chart.h"

PARITY_TO(fade, (0, 1e6), (1e-14, 1e-5, 1), return ty_k_chart_fade(TY_R(1737400.0), a[0]);)
PARITY_TO(z, (0, 5e6, -9000, 9000), (1e-14, 1e-5, 1e6), return ty_k_chart_z(TY_R(1737400.0), a[0] * a[0], a[1]);)
PARITY_TO(angle, (0, 5e6, -9000, 9000), (1e-14, 1e-5, 1), return ty_k_chart_angle(TY_R(1737400.0), a[0], a[1]);)
PARITY_TO(s, (0, 3.14), (1e-14, 1e-5, 1e6), return ty_k_chart_s(TY_R(1737400.0), a[0]);)
PARITY_TO(at, (-4e6, 4e6, -4e6, 4e6, -9000, 9000), (1e-13, 1e-5, 1e6),
          ty_k_chart k = ty_k_chart_at(TY_R(1737400.0), a[0], a[1], a[2]);
          return k.p.x + TY_R(0.5) * k.p.y - TY_R(0.3) * k.p.z + TY_R(1e5) * (k.px.x + k.py.x - k.pz.z);)
PARITY_FILE(k_chart)
