/* kernels/k_ddt.h - slip and sinkage of a wheel by regression, equations (1) to (11) of [ddt].
 * Angles are radians and lengths metres here, as everywhere; the paper's degrees and millimetres
 * stay inside the formulas.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_DDT_H
#define TY_K_DDT_H
#include "k_base.h"
#include "k_slip.h"

/* The fitted numbers, with the paper's (the EX1 rover in dry silica sand) in brackets. */
typedef struct ty_k_ddt {
    ty_real slip_v, slip_0;   /* [s/m], [-]         flat ground (2): 0.0265, 0.0256 */
    ty_real slope_v, slope_0; /* [s/m/deg^2], [1/deg^2] slope (3): 0.00522, 0.00105 */
    ty_real sink_s;           /* [mm]               per unit of slip (4): 33.56 */
    ty_real sink_f;           /* [mm/N]             per newton above the reference load (4): 0.9291 */
    ty_real sink_0;           /* [mm]               at rest under the reference load (4): 3.11 */
} ty_k_ddt;

/* Slip ratio at wheel speed vw [m/s] on a slope alpha [rad], (2) and (3), at most 1:
 *     s = (0.00522 vw + 0.00105) alpha_deg^2 + 0.0265 vw + 0.0256
 * The fit knows speeds and slopes without sign: |vw| is used, and alpha enters squared. */
TY_KFN ty_real ty_k_ddt_slip(ty_k_ddt fit, ty_real vw, ty_real alpha)
{
    ty_real speed = fabs(vw), deg = alpha * (TY_R(180.0) / TY_K_PI);
    ty_real s = (fit.slope_v * speed + fit.slope_0) * deg * deg + fit.slip_v * speed + fit.slip_0;
    return ty_k_min(s, TY_R(1.0));
}

/* Speed [m/s] of a wheel that slips by s at wheel speed vw (5): v = (1 - s) vw */
TY_KFN ty_real ty_k_ddt_speed(ty_real s, ty_real vw)
{
    return (TY_R(1.0) - s) * vw;
}

/* Sinkage z [m] of the rim at slip s and load fz [N], negative down, not limited (4):
 *     z_mm = -33.56 s - 0.9291 (fz - fref) - 3.11 */
TY_KFN ty_real ty_k_ddt_sinkage(ty_k_ddt fit, ty_real s, ty_real fz, ty_real fref)
{
    return TY_R(1e-3) * (-fit.sink_s * s - fit.sink_f * (fz - fref) - fit.sink_0);
}

/* Largest acceleration [m/s^2] at speed v [m/s] (6): how fast the soil lets a wheel speed up. */
TY_KFN ty_real ty_k_ddt_acceleration(ty_real v)
{
    ty_real speed = fabs(v);
    return speed <= TY_R(0.75) ? TY_R(3.476) : speed <= TY_R(1.02) ? TY_R(0.612) : TY_R(0.114);
}

/* Acceleration [m/s^2] of a mass m [kg] on the compliant contact (7), z < 0: -g - k z / m - c z_rate / m */
TY_KFN ty_real ty_k_ddt_bounce(ty_real z, ty_real z_rate, ty_real m, ty_real g, ty_real k, ty_real c)
{
    return -g - (k * z + c * z_rate) / m;
}

/* Stiffness [N/m] of each of `contacts` contact points that lets a wheel with grousers of height
 * h_g [m] sink to z [m] under fz [N]: (8) inverted, (9): k = -fz / (contacts (z - h_g)) fz_min [N]
 * and depth_min [m] keep it finite; zero leaves (9) as printed. */
TY_KFN ty_real ty_k_ddt_stiffness(ty_real fz, ty_real z, ty_real h_g, ty_real contacts, ty_real fz_min,
                                  ty_real depth_min)
{
    ty_real depth = h_g - z;
    if (depth_min > TY_R(0.0)) {
        depth = ty_k_max(depth, depth_min);
    }
    return (fz_min > TY_R(0.0) ? ty_k_max(fz, fz_min) : fz) / (contacts * depth);
}

/* Sinkage [m] that a wheel keeps when it is slower than v_min [m/s] (10): it does not rise as its slip ends. */
TY_KFN ty_real ty_k_ddt_latch(ty_real z, ty_real z_before, ty_real v, ty_real v_min)
{
    return fabs(v) <= v_min ? ty_k_min(z_before, z) : z;
}

/* Critical damping [N s/m] of a mass m [kg] on stiffness k [N/m] (11): 2 sqrt(k m) */
TY_KFN ty_real ty_k_ddt_damping(ty_real k, ty_real m)
{
    return TY_R(2.0) * sqrt(k * m);
}

#endif
