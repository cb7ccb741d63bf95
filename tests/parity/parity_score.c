/* Error ratio and overlap, on host and device.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"
#include "k_score.h"

PARITY(iou, (0, 9, 0, 9, 1, 5, 1, 5),
       return ty_k_box_iou(a[0], a[1], a[2], a[3], a[1], a[0], a[3], a[2], (int)(i % 2u));)
PARITY(error_ratio, (0.1f, 50, 1, 60), return ty_k_depth_error_ratio(a[0], a[1]);)
PARITY(stereo_depth, (0.1f, 1, 100, 900, 1, 90), return ty_k_stereo_depth(a[0], a[1], a[2]);)
PARITY(f1, (0, 900, 0, 90, 0, 90), return ty_k_f1(a[0], a[1], a[2]);)
PARITY_FILE(k_score)
