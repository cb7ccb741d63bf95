/* Where the Sun stands and what of it is seen, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_sky.h"

PARITY_TO(pole, (-9000, 12000), (1e-13, 1e-5, 6), ty_k_pole p = ty_k_moon_pole(a[0]);
          return p.ra + TY_R(0.5) * p.dec + TY_R(0.1) * sin(p.w);)
PARITY_TO(azimuth, (-1, 1, -1, 1), (1e-14, 1e-5, 1), return ty_k_azimuth(a[0], a[1]);)
PARITY_TO(elevation, (-1, 1, -1, 1, -1, 1), (1e-14, 1e-5, 1), return ty_k_elevation(a[0], a[1], a[2]);)
PARITY(angular_radius, (1e6, 7e8, 1e9, 2e11), return ty_k_angular_radius(a[0], a[1]);)
PARITY(irradiance, (1.4e11, 1.6e11), return ty_k_sun_irradiance(a[0]);)
PARITY(star, (-2, 8), return ty_k_star_irradiance(a[0]);)
PARITY_TO(lit_fraction, (0, 3.14), (1e-14, 1e-5, 1), return ty_k_lit_fraction(a[0]);)
PARITY_TO(disk_visible, (-0.01, 0.01, -0.01, 0.01, 0.004, 0.005), (1e-13, 1e-5, 1),
          return ty_k_disk_visible(a[0], a[1], a[2]);)
PARITY_TO(lambert_phase, (0, 3.14), (1e-14, 1e-5, 1), return ty_k_lambert_phase(a[0]) + ty_k_globe_mean(a[0]);)
PARITY_TO(globe, (0, 3, 0.01, 0.02), (1e-14, 1e-5, 1), return ty_k_globe_irradiance(1361, 0.434f, a[0], a[1]);)
PARITY_FILE(k_sky)
