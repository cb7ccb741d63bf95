/* kernels/k_ground_tone.h - how bright soil is from place to place, relative to the ground's own material.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_GROUND_TONE_H
#define TY_K_GROUND_TONE_H
#include "k_base.h"

/* Fresh craters lie in soil that space has not darkened yet: from orbit a bright floor with a halo that fades outwards,
 * gone after some ten per cent of the crater's life (ours, by the bright spots of a mature mare: about a tenth of its
 * craters of 3 to 20 m have one). */
#define TY_K_TONE_LIFE  0.1 /* [-] of a crater's life */
#define TY_K_TONE_REACH 5.0 /* [radii] */

/* 1 on the floor of a new crater, falling with the distance s [radii] and the share u of its life. */
TY_KFN ty_real ty_k_tone_halo(ty_real s, ty_real u)
{
    ty_real young = ty_k_max(TY_R(1.0) - u * TY_R(1.0 / TY_K_TONE_LIFE), TY_R(0.0));
    ty_real near = ty_k_max(TY_R(1.0) - s * TY_R(1.0 / TY_K_TONE_REACH), TY_R(0.0));
    return young * near * near * near;
}

/* Rays: the halo is stronger in some directions, from the rim outwards. s [radii], angle [rad], phase [rad] of the
 * crater; 0.2 to 1.8, with the mean 1. */
TY_KFN ty_real ty_k_tone_rays(ty_real s, ty_real angle, ty_real phase)
{
    ty_real out = ty_k_clamp(s - TY_R(0.7), TY_R(0.0), TY_R(1.0));
    ty_real wave = sin(TY_R(5.0) * angle + phase) + sin(TY_R(9.0) * angle + TY_R(2.3) * phase);
    return TY_R(1.0) + TY_R(0.4) * out * wave;
}

/* Strength of the smooth field at waves of `cell` [m], up to a factor: the contrast that is not shading grows by a
 * fifth an octave from 3 to 45 m on a mature mare (measured on an orthoimage with tyi_study_picture_octaves()). */
TY_KFN ty_real ty_k_tone_weight(ty_real cell)
{
    return exp(TY_R(0.3) * log(cell));
}

/* ---- soil that was driven over ---- */

/* Brightness of disturbed soil over that of untouched soil, by the phase angle g, sin2_g = sin^2(g/2) as in k_angles.h:
 *
 *     0.93 - 0.77 x + x^8,  x = sin^2(g/2)
 *
 * A few per cent darker near opposition, as orbiters see traffic; 0.58 and 0.45 at 83 and 122 deg, where the tracks of a
 * rover are 0.55 to 0.60 and 0.38 of the soil in photographs of Chang'e-3's lander (phase angles by the shadows of stones
 * in them, some 10 deg uncertain; rut walls and lugs' grooves darken tracks further); brighter than the soil beyond 160
 * deg, as tracks towards the Sun are. The form is ours. */
TY_KFN ty_real ty_k_tone_disturbed(ty_real sin2_g)
{
    ty_real x2 = sin2_g * sin2_g, x4 = x2 * x2;
    return TY_R(0.93) - TY_R(0.77) * sin2_g + x4 * x4;
}

/* Grains of the soil that are left where it was disturbed, over those of untouched soil: a wheel's bed is smooth. share [-]
 * of disturbed soil. Ours. */
TY_KFN ty_real ty_k_tone_grains(ty_real share)
{
    return TY_R(1.0) - TY_R(0.7) * share;
}

/* Brightness of soil under fallen dust over that of the soil itself, by the share [-] that it covers: finer fractions of a soil
 * reflect more than all of it. By how much after a fall nobody has measured on the Moon; a tenth is chosen. */
TY_KFN ty_real ty_k_tone_dusted(ty_real cover)
{
    return TY_R(1.0) + TY_R(0.1) * cover;
}

/* Samples of brightness are below 0 where the soil was disturbed. Between four of them (p and the next, q and the next),
 * by straight lines: the brightness, and in *share [-] how much is disturbed. u, v [-] place in the cell. */
TY_KFN ty_real ty_k_tone_between(ty_real p0, ty_real p1, ty_real q0, ty_real q1, ty_real u, ty_real v, ty_real *share)
{
    const ty_real one = TY_R(1.0), zero = TY_R(0.0);
    ty_real low = fabs(p0) + u * (fabs(p1) - fabs(p0)), high = fabs(q0) + u * (fabs(q1) - fabs(q0));
    *share = zero;
    if (p0 < zero || p1 < zero || q0 < zero || q1 < zero) {
        ty_real a = (one - u) * (p0 < zero ? one : zero) + u * (p1 < zero ? one : zero);
        ty_real b = (one - u) * (q0 < zero ? one : zero) + u * (q1 < zero ? one : zero);
        *share = a + v * (b - a);
    }
    return low + v * (high - low);
}

#endif
