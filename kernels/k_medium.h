/* kernels/k_medium.h - light through a thin medium (dust): extinction and single scattering along a ray.
 *
 * A ray's way is cut into parts over which the medium is even. Each part lets a share of the light through and adds
 * light that it scatters once; parts are laid over each other from the eye outwards.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_MEDIUM_H
#define TY_K_MEDIUM_H
#include "k_math.h"

/* [-] of the light that passes an optical depth tau >= 0: exp(-tau)   [hapke2012] Beer-Lambert; below 1e-37 none */
TY_KFN ty_real ty_k_medium_pass(ty_real tau)
{
    return tau < TY_R(85.0) ? ty_k_exp(-tau) : TY_R(0.0);
}

/* Henyey-Greenstein phase function [1/sr], 1 over the whole sphere; cos between the directions of travel before and
 * after: 1 goes straight on.   [henyey1941]
 *     (1 - g^2) / (4 pi (1 + g^2 - 2 g cos)^1.5) */
TY_KFN ty_real ty_k_medium_hg(ty_real g, ty_real cos_turn)
{
    ty_real q = TY_R(1.0) + g * g - TY_R(2.0) * g * cos_turn;
    q = ty_k_max(q, TY_R(1e-12));
    return (TY_R(1.0) - g * g) / (TY_R(4.0) * TY_K_PI * q * sqrt(q));
}

/* two lobes: a share of the first, g1, the rest of the second, g2 */
TY_KFN ty_real ty_k_medium_phase(ty_real g1, ty_real g2, ty_real share, ty_real cos_turn)
{
    return share * ty_k_medium_hg(g1, cos_turn) + (TY_R(1.0) - share) * ty_k_medium_hg(g2, cos_turn);
}

/* Radiance [W/m^2/sr] towards the near end of a part that light of this irradiance [W/m^2] reaches everywhere alike,
 * scattered once: albedo [-], phase [1/sr].
 *     integral of exp(-x) albedo phase E dx from 0 to tau = E albedo phase (1 - exp(-tau)) */
TY_KFN ty_real ty_k_medium_scatter(ty_real irradiance, ty_real albedo, ty_real phase, ty_real tau)
{
    return irradiance * albedo * phase * ty_k_decay(tau);
}

/* The narrow lobe of light that is diffracted straight on [1/sr]: Henyey-Greenstein of g = 1 - spread, written with the square of
 * the chord between the two unit directions of travel, 2 (1 - cos), which single precision keeps.   [henyey1941] */
TY_KFN ty_real ty_k_medium_ahead(ty_real spread, ty_real chord2)
{
    ty_real g = TY_R(1.0) - spread, q = spread * spread + g * chord2;
    q = ty_k_max(q, TY_R(1e-12));
    return (TY_R(1.0) + g) * spread / (TY_R(4.0) * TY_K_PI * q * sqrt(q));
}

/* [1/sr] of light sent into a part that it scatters straight back, out and home through it; phase [1/sr] at cos -1
 *     integral of exp(-2 x) albedo phase dx from 0 to tau = albedo phase (1 - exp(-2 tau)) / 2 */
TY_KFN ty_real ty_k_medium_back(ty_real albedo, ty_real phase, ty_real tau)
{
    return TY_R(0.5) * albedo * phase * ty_k_decay(TY_R(2.0) * tau);
}

/* [-] how far into a part, 0 to 1, the light that it scatters comes from on the mean: 1/tau - 1/(exp(tau) - 1), which
 * is 1/2 - tau/12 for thin parts. */
TY_KFN ty_real ty_k_medium_middle(ty_real tau)
{
    ty_real x = ty_k_max(tau, TY_R(0.02));
    ty_real pass = ty_k_medium_pass(x);
    return tau < TY_R(0.02) ? TY_R(0.5) - tau * TY_R(1.0 / 12.0) : TY_R(1.0) / x - pass / (TY_R(1.0) - pass);
}

/* [-] of a part's optical depth before the place where that light comes from, for a quantile u of it; the mean over u is ty_k_medium_middle().
 *     -ln(1 - u (1 - exp(-tau))) / tau,  u - tau u (1 - u) / 2 for thin parts */
TY_KFN ty_real ty_k_medium_place(ty_real tau, ty_real u)
{
    ty_real x = ty_k_max(tau, TY_R(0.02));
    return tau < TY_R(0.02) ? u - TY_R(0.5) * tau * u * (TY_R(1.0) - u) : -log(TY_R(1.0) - u * ty_k_decay(x)) / x;
}

/* [-] how far into a part, 0 to 1, a share x of its optical depth lies before one; quarter: the same for a quarter, half and three quarters,
 * straight between them; all 0: the part is even */
TY_KFN ty_real ty_k_medium_within(const float *quarter, ty_real x)
{
    ty_i32 k = (ty_i32)(TY_R(4.0) * x);
    k = k < 3 ? k : 3;
    if (!(quarter[2] > 0.0f)) {
        return x;
    }
    ty_real low = k > 0 ? (ty_real)quarter[k - 1] : TY_R(0.0), high = k < 3 ? (ty_real)quarter[k] : TY_R(1.0);
    return low + (TY_R(4.0) * x - (ty_real)k) * (high - low);
}

#endif
