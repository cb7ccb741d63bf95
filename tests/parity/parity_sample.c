/* The other reflectance laws, their samplers and densities, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_sample.h"

/* inputs: albedo, k, sigma, exponent, specular, roughness, metallic, cosines of light and eye, cosine of the azimuth */
#define RANGES (0.05, 1, 0.5, 1.5, 0, 1, 1, 50, 0, 1, 0.1, 1, 0, 1, 0.05, 1, 0.05, 1, -1, 1)

PARITY(laws, RANGES, ty_k_brdf m = { (int)(i % 6u), a[0], a[1], a[2], a[3], a[4], a[5], a[6] };
       ty_real s = sqrt(1 - a[7] * a[7]), t = sqrt(1 - a[8] * a[8]);
       ty_k_vec3 l = ty_k_vec(s, 0, a[7]), v = ty_k_vec(t * a[9], t *sqrt(1 - a[9] * a[9]), a[8]);
       return ty_k_brdf_eval(m, ty_k_angles_of(l, v));)
PARITY(densities, RANGES, ty_k_brdf m = { (int)(i % 6u), a[0], a[1], a[2], a[3], a[4], a[5], a[6] };
       ty_real s = sqrt(1 - a[7] * a[7]), t = sqrt(1 - a[8] * a[8]);
       ty_k_vec3 l = ty_k_vec(s, 0, a[7]), v = ty_k_vec(t * a[9], t *sqrt(1 - a[9] * a[9]), a[8]);
       return ty_k_brdf_pdf(m, ty_k_angles_of(l, v));)
/* a direction: absolute error against 1 */
PARITY_TO(samples, (0.05, 1, 1, 50, 0.1, 1, 0, 1, 0.05, 1, 0, 1, 0, 1, 0, 1), (1e-14, 1e-5, 1),
          ty_k_brdf m = { 3 + (int)(i % 3u), a[0], 1, 0, a[1], a[0], a[2], a[3] };
          ty_k_vec3 v = ty_k_vec(sqrt(1 - a[4] * a[4]), 0, a[4]);
          ty_k_vec3 l = ty_k_brdf_sample(m, v, a[5], a[6], a[7]); return i % 2u ? l.x : l.z;)
PARITY_TO(skyline, (0.01, 1, 0, 1, 0, 1), (1e-14, 1e-5, 1), ty_k_vec3 l = ty_k_sample_skyline(a[0], a[1], a[2]);
          return i % 2u ? l.x : l.z;)
PARITY(skyline_density, (0.01, 1, 0, 1), return ty_k_pdf_skyline(a[0], a[1]);)
PARITY_FILE(k_sample)
