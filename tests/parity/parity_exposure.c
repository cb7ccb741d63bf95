/* The physical camera on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_exposure.h"

/* lambda over Planck's constant times c overflows nothing in float: 1e-7 / 2e-25 = 5e17 */
PARITY_TO(aggregate, (0, 200, 1, 22, 0, 1, 1e-6, 2e-5, 1e-5, 1, 0.1, 1, 3e-7, 1e-6), (1e-14, 1e-5, 1),
          ty_real e = ty_k_image_irradiance(a[0], a[1], ty_k_vignetting(1, a[2]));
          return ty_k_aggregate(1, e, a[3], a[4], a[5], a[6]);)
PARITY_TO(response, (1, 100, 0.01, 2, -4, 100, 0.3, 3, 1, 30000), (1e-13, 1e-5, 1),
          ty_k_response_curve r = { (int)(i % 3u), a[0], a[1], a[2], a[3], 65535 };
          return ty_k_response(r, a[4]);)
PARITY_TO(sigma, (1, 100, 0.01, 2, 0, 100, 0.3, 3, 1, 30000), (1e-13, 1e-5, 1),
          ty_k_response_curve r = { (int)(i % 3u), a[0], a[1], a[2], a[3], 4294967040 };
          return ty_k_response_sigma(r, a[4], ty_k_electron_variance(a[4], 1, 5));)
PARITY_TO(defocus, (0.005, 0.05, 0.2, 100, 0.3, 10, 1, 16, 1e-6, 1e-5), (1e-14, 1e-5, 1),
          return ty_k_defocus_diameter(1, a[0], a[1], a[2], a[3], a[4]);)
PARITY_FILE(k_exposure)
