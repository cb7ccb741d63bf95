/* The camera's stages in one go, on host and device; frames and every stage: tests/unit/sensor/test_camera_device.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_detector.h"

PARITY(quiet, (0, 9000, 0, 2, 0, 400), ty_k_detector d = { 0 }; ty_k_detector_pixel p = { 1.01f, 3.0f, 120.0f, 0 };
       d.on = TY_K_DETECTOR_PRNU | TY_K_DETECTOR_DARK | TY_K_DETECTOR_FULL_WELL | TY_K_DETECTOR_PATTERN;
       d.exposure = a[1], d.full_well = 8000, d.curve = TY_K_LINEAR, d.iso = 1, d.a = TY_R(0.4), d.b = a[2],
       d.full = 4095;
       return ty_k_detector_read(&d, p, (ty_u32)i, (float)a[0]);)
PARITY(stored, (-10, 5000), return ty_k_stored(a[0], 4095);)
PARITY_FILE(k_detector)
