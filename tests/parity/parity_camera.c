/* Lens models on host and device: pixels of 1024, so 1e-5 of that is 0.01 px.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_camera.h"

PARITY_TO(project, (0.5, 1.9, -0.2, 0.1, -1e-3, 1e-3, -1, 1, -1, 1, 1, 3), (1e-13, 1e-5, 1024),
          ty_k_camera m = ty_k_camera_make((int)(i % 5u), 1024, 768, a[0]);
          m.k1 = a[1]; m.p1 = a[2]; return ty_k_camera_project(m, ty_k_vec(a[3], a[4], a[5])).u;)
PARITY_TO(ray, (0.5, 1.4, -0.05, 0.1, -1e-3, 1e-3, 0, 1024, 0, 768), (1e-13, 1e-5, 1),
          ty_k_camera m = ty_k_camera_make((int)(i % 5u), 1024, 768, a[0]);
          m.k1 = a[1]; m.p1 = a[2]; return ty_k_camera_ray(m, a[3], a[4]).d.x;)
/* a CAHVORE camera about the axis: radial terms, moving pupil, linearity */
PARITY_TO(cahvore_project, (-0.05, 0.05, -0.02, 0.02, -0.01, 0.01, -1, 1, -1, 1, -1, 1, 1, 3), (1e-12, 1e-5, 1024),
          ty_k_camera m = ty_k_camera_make(6 + (int)(i & 1u), 1, 1, 1);
          m.a = m.o = ty_k_vec(0, 0, 1); m.h = ty_k_vec(600, 0, 512); m.v = ty_k_vec(0, 600, 384);
          m.r = ty_k_vec(a[0], a[1], 0); m.e = ty_k_vec(a[2], 0, 0); m.linearity = a[3] * (ty_real)0.9;
          return ty_k_camera_project(m, ty_k_vec(a[4], a[5], a[6])).u;)
PARITY_TO(cahvore_ray, (-0.05, 0.05, -0.02, 0.02, -0.01, 0.01, -1, 1, 0, 1024, 0, 768), (1e-12, 1e-5, 1),
          ty_k_camera m = ty_k_camera_make(6 + (int)(i & 1u), 1, 1, 1);
          m.a = m.o = ty_k_vec(0, 0, 1); m.h = ty_k_vec(600, 0, 512); m.v = ty_k_vec(0, 600, 384);
          m.r = ty_k_vec(a[0], a[1], 0); m.e = ty_k_vec(a[2], 0, 0); m.linearity = a[3] * (ty_real)0.9;
          return ty_k_camera_ray(m, a[4], a[5]).d.x;)
PARITY_FILE(k_camera)
