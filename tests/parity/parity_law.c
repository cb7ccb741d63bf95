/* Reflectance laws by number, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_law.h"

PARITY_TO(laws, (0.1, 0.9, 0.1, 1, 0.1, 1, 0.1, 0.9), (1e-12, 2e-4, 0.1), ty_k_law l; l.law = i % 8u;
          l.brdf.law = l.law; l.brdf.albedo = a[0]; l.brdf.k = 0.6f; l.brdf.sigma = 0.3f; l.brdf.exponent = 10;
          l.brdf.specular = 0.2f; l.brdf.roughness = a[3]; l.brdf.metallic = 0.2f; l.hapke.w = a[0]; l.hapke.b = 0.3f;
          l.hapke.c = 0.2f; l.hapke.bs0 = 1; l.hapke.hs = 0.1f; l.hapke.bc0 = 0.2f; l.hapke.hc = 0.1f;
          l.hapke.theta = 0.4f; l.hapke.phi = 0; l.hapke.h81 = 0;
          ty_k_vec3 x = ty_k_vec(sqrt(1 - a[1] * a[1]), 0, a[1]);
          ty_k_vec3 y = ty_k_vec(0, sqrt(1 - a[2] * a[2]), a[2]); return ty_k_law_eval(l, ty_k_angles_of(x, y));)
PARITY_FILE(k_law)
