/* kernels/k_tone.h - Host only: from radiance, or a detector's numbers, to the levels of a picture that is looked at.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_TONE_H
#define TY_K_TONE_H
#include "k_base.h"

/* Share [-] of full scale, 0 to 1, for a value between black and white (same unit), through the power law that displays
 * undo (gamma 1: linear). White and above is full scale. knee 0: straight. Above 0 [unit of value]: proportional to
 * value/knee well below it and flattening above, so that one curve holds dim and bright pictures:
 *     x (1 + x/w^2)/(1 + x),   x = (value - black)/knee,  w = (white - black)/knee   [reinhard2002] (4) */
TY_KFN ty_real ty_k_tone(ty_real value, ty_real black, ty_real white, ty_real knee, ty_real gamma)
{
    ty_real y = (value - black) / (white - black);
    if (knee > TY_R(0.0)) {
        ty_real x = ty_k_max(value - black, TY_R(0.0)) / knee, w = (white - black) / knee;
        y = x * (TY_R(1.0) + x / (w * w)) / (TY_R(1.0) + x);
    }
    y = ty_k_clamp(y, TY_R(0.0), TY_R(1.0));
    return gamma == TY_R(1.0) ? y : pow(y, TY_R(1.0) / gamma);
}

#endif
