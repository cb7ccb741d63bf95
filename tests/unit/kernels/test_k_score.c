/* Error ratio and overlap against values by hand, and their symmetries.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_score.h"
#include "tyt.h"

TY_TEST(k_score, by_hand)
{
    TY_NEAR(ty_k_depth_error_ratio(10.3, 10.0), 0.03, 1e-15);
    TY_NEAR(ty_k_depth_error_ratio(9.7, 10.0), 0.03, 1e-15);
    TY_FAR(ty_k_depth_error_ratio(10.3, 10.0), 0.3 / 10.3, 1e-4); /* control: divided by the prediction */
    TY_NEAR(ty_k_stereo_depth(0.3, 400.0, 24.0), 5.0, 1e-15);
    /* squares of 2 that share 1 x 1: 1 / (4 + 4 - 1) */
    TY_NEAR(ty_k_box_iou(0, 0, 2, 2, 1, 1, 2, 2, 0), 1.0 / 7.0, 1e-15);
    TY_NEAR(ty_k_box_iou(0, 0, 2, 2, 1, 1, 2, 2, 1), 1.0 / 4.0, 1e-15); /* a crowd: over the first alone */
    TY_NEAR(ty_k_box_iou(0, 0, 2, 2, 2, 0, 2, 2, 0), 0.0, 0.0);         /* they only touch */
    TY_NEAR(ty_k_box_iou(3, 4, 5, 6, 3, 4, 5, 6, 0), 1.0, 0.0);
    TY_NEAR(ty_k_box_iou(3, 4, 0, 0, 3, 4, 0, 0, 0), 0.0, 0.0);
}

TY_TEST(k_score, symmetries)
{
    for (int i = 0; i < 1000; i++) {
        double a[4] = { i % 7, i % 11, 1 + i % 5, 1 + i % 3 },
               b[4] = { i % 13 * 0.5, i % 17 * 0.5, 1 + i % 4, 1 + i % 6 };
        double iou = ty_k_box_iou(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], 0);
        TY_NEAR(ty_k_box_iou(b[0], b[1], b[2], b[3], a[0], a[1], a[2], a[3], 0), iou, 1e-15);
        TY_NEAR(ty_k_box_iou(3 * a[0], 3 * a[1], 3 * a[2], 3 * a[3], 3 * b[0], 3 * b[1], 3 * b[2], 3 * b[3], 0), iou,
                1e-14);
        TY_CHECK(iou >= 0.0 && iou <= 1.0 && iou <= ty_k_box_iou(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], 1));
    }
}
