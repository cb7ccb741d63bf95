/* kernels/k_score.h - how good a prediction is: depth, boxes, what was found and what not.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SCORE_H
#define TY_K_SCORE_H
#include "k_base.h"

/* Depth error ratio, [lunar] (10) as a fraction: |predicted - truth| / truth; truth > 0, both in one unit. */
TY_KFN ty_real ty_k_depth_error_ratio(ty_real predicted, ty_real truth)
{
    return fabs(predicted - truth) / truth;
}

/* Depth of a point from its disparity, [lunar] (9): baseline [m] focal length [px] / disparity [px]. */
TY_KFN ty_real ty_k_stereo_depth(ty_real baseline, ty_real focal, ty_real disparity)
{
    return baseline * focal / disparity;
}

/* Length that two intervals of lengths la, lb from a and b share; 0 where they only touch. */
TY_KFN ty_real ty_k_overlap(ty_real a, ty_real la, ty_real b, ty_real lb)
{
    ty_real low = a > b ? a : b, high = a + la < b + lb ? a + la : b + lb;
    return high > low ? high - low : TY_R(0.0);
}

/* Intersection over union of two boxes (corner x, y, lengths w, h; w, h >= 0), [everingham2010] section 4.2; 0 where
 * both are empty. crowd != 0: b is a crowd, in which any number of things may be found, so that the union is a alone
 * [coco]. */
TY_KFN ty_real ty_k_box_iou(ty_real ax, ty_real ay, ty_real aw, ty_real ah, ty_real bx, ty_real by, ty_real bw,
                            ty_real bh, int crowd)
{
    ty_real shared = ty_k_overlap(ax, aw, bx, bw) * ty_k_overlap(ay, ah, by, bh);
    ty_real all = crowd ? aw * ah : aw * ah + bw * bh - shared;
    return all > TY_R(0.0) ? shared / all : TY_R(0.0);
}

/* F1, the harmonic mean of precision and recall [rijsbergen1979]: of what was found (hit), said but not there (wrong),
 * there but not said (missed); 1 where there was nothing to find and nothing was said. */
TY_KFN ty_real ty_k_f1(ty_real hit, ty_real wrong, ty_real missed)
{
    ty_real all = TY_R(2.0) * hit + wrong + missed;
    return all > TY_R(0.0) ? TY_R(2.0) * hit / all : TY_R(1.0);
}

#endif
