/* Hapke's model on host and device. In double exp, log and atan are the libraries' own; in float
 * they are polynomials, and the bits are the same.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_hapke.h"

PARITY_TO(angles_psi, (-1, 1, -1, 1, 0.01, 1, -1, 1, -1, 1, 0.01, 1), (0, 0, 0),
          return ty_k_angles_of(ty_k_vec(a[0], a[1], a[2]), ty_k_vec(a[3], a[4], a[5])).sin2_psi;)
PARITY_TO(math_exp, (-80, 10), (1e-14, 0, 0), return ty_k_exp(a[0]);)
PARITY_TO(math_log, (1e-5, 1e5), (1e-14, 0, 1), return ty_k_log(a[0]);)
PARITY_TO(math_atan, (0, 1000), (1e-14, 0, 0), return ty_k_atan(a[0]);)
/* inputs: w, b, c, bs0, hs, bc0, hc, theta, phi, cosines and azimuths of light and eye; tan and
 * log1p prepare the parameters */
PARITY_TO(hapke,
          (0.05, 0.95, 0, 0.7, -1, 1, 0, 3, 0.01, 0.3, 0, 1, 0.001, 0.1, 0.01, 0.7, 0, 0.5, 0.02, 1, 0.02, 1, 0, 6),
          (1e-12, 1e-5, 0),
          ty_k_hapke_params p = { a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], (int)(i & 1u) };
          ty_real s = sqrt(1 - a[9] * a[9]), t = sqrt(1 - a[10] * a[10]), c = 1 - a[11] / 3;
          ty_k_vec3 l = ty_k_vec(s, 0, a[9]); ty_k_vec3 v = ty_k_vec(t * c, t *sqrt(ty_k_max(1 - c * c, 0)), a[10]);
          return ty_k_hapke_brdf(ty_k_hapke_make(p), ty_k_angles_of(l, v));)
PARITY_FILE(k_hapke)
