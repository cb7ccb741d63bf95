/* Beams and echoes on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_lidar.h"

PARITY(lidar_direction, (-3, 3, -1.5, 1.5), ty_k_vec3 d = ty_k_lidar_direction(a[0], a[1]);
       return d.x + TY_R(0.5) * d.y + TY_R(0.25) * d.z + TY_R(4.0);)
PARITY(lidar_signal, (0.001, 0.3, 1, 200, 10, 100, 0.05, 1), return ty_k_lidar_signal(a[0], a[1], a[2], a[3]);)
PARITY(lidar_intensity, (0.1, 100, 1, 200, 10, 100, 0.05, 1), return ty_k_lidar_intensity(a[0], a[1], a[2], a[3]);)
PARITY(lidar_chance, (0.5, 2, 0.1, 1), return ty_k_lidar_chance(a[0], a[1]);)
PARITY(beam_radius, (0, 200), return ty_k_beam_radius((int)a[0], 200, 1) + ty_k_beam_radius((int)a[0], 200, 0);)
PARITY(beam_angle, (0, 200), return ty_k_beam_angle((int)a[0]);)
PARITY(quantize, (0.1, 100, 0.002, 0.004), return ty_k_quantise(a[0], TY_R(0.25));)
PARITY_FILE(k_lidar)
