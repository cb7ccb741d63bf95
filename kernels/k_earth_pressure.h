/* kernels/k_earth_pressure.h - passive earth pressure: what soil holds against walls and blades that push into it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_EARTH_PRESSURE_H
#define TY_K_EARTH_PRESSURE_H
#include "k_base.h"

/* Friction angle [rad] along a plane of shear, of soil that has phi in triaxial tests and shears at constant volume
 * (loose sand at once, dense sand after some way). A plane of shear does not stretch; in plane strain it lies at
 * 45 deg to the principal stresses, not where the stress leans most:
 *     tan(angle) = (sigma_1 - sigma_3) / (sigma_1 + sigma_3) = sin phi     [davis1968], [rowe1969]
 * Shear boxes, shear rings and wheels find this angle; formulas of shear under wheels mean it by phi. */
TY_KFN ty_real ty_k_earth_shear_angle(ty_real phi)
{
    return atan(sin(phi));
}

/* tau / p [-] in plane strain at constant volume of soil that has phi in triaxial compression, where its strength goes by the direction of the stress
 * as [matsuoka1974] has it, I1 I2 / I3 = 9 + 8 tan^2 phi: with stresses p + tau, p, p - tau that is 3 (3 - m^2) / (1 - m^2), so
 *     m = 2 t / (3 + 4 t^2)^(1/2),  t = tan phi.
 * 33.4 deg: 0.606, an angle of 37.3 deg in plane strain, where sin phi would say 0.55 and 33.4. */
TY_KFN ty_real ty_k_earth_plane_strain(ty_real phi)
{
    ty_real t = tan(phi);
    return TY_R(2.0) * t / sqrt(TY_R(3.0) + TY_R(4.0) * t * t);
}

/* Bulldozing on the side wall, per metre of wall at depth h [N/m], Hegedus as in [ishigami2007]:
 *     R_b = D1 (c h + D2 rho g h^2 / 2),  X_c = 45 deg - phi / 2,
 *     D1 = cot X_c + tan(X_c + phi),  D2 = cot X_c + cot^2 X_c / cot phi
 * rho g is a weight density [N/m^3]. These two are its factors of h and h^2. */
TY_KFN ty_real ty_k_earth_bull_c(ty_real c, ty_real phi)
{
    ty_real xc = TY_R(0.25) * TY_K_PI - TY_R(0.5) * phi;
    return (TY_R(1.0) / tan(xc) + tan(xc + phi)) * c;
}
TY_KFN ty_real ty_k_earth_bull_w(ty_real rho_g, ty_real phi)
{
    ty_real xc = TY_R(0.25) * TY_K_PI - TY_R(0.5) * phi;
    ty_real cot = TY_R(1.0) / tan(xc);
    return (cot + tan(xc + phi)) * (cot + cot * cot * tan(phi)) * TY_R(0.5) * rho_g;
}

/* Passive pressure on lug faces, Rankine's as Bekker and [wong2008] use it for grousers, from depth
 * z1 to z2 and spread over the rim, lugs / (2 pi) per radian, in N per metre of width and radian:
 *     f = lugs / (2 pi) (2 c sqrt(N) (z2 - z1) + rho g N (z2^2 - z1^2) / 2)
 *     N = tan^2(45 deg + phi / 2)
 * No surcharge: what the rim's pressure adds is in the shear at the shearing radius. So depth counts
 * from the surface on the side that the soil is pushed to: the rim, and behind it the rut. These two
 * are its factors of z2 - z1 and z2^2 - z1^2. */
TY_KFN ty_real ty_k_earth_lug_c(ty_real c, ty_real phi, ty_real lugs)
{
    return lugs / TY_K_PI * c * tan(TY_R(0.25) * TY_K_PI + TY_R(0.5) * phi);
}
TY_KFN ty_real ty_k_earth_lug_w(ty_real rho_g, ty_real phi, ty_real lugs)
{
    ty_real root = tan(TY_R(0.25) * TY_K_PI + TY_R(0.5) * phi);
    return lugs / (TY_R(4.0) * TY_K_PI) * rho_g * root * root;
}

/* Passive pressure of the soil's weight on a face that stands square on sloping ground and pushes the soil
 * along it, over rho g z, z square to the ground: Coulomb's wedge, its weight leaning by the slope, in the
 * closed form of Mononobe and Okabe ([okabe1924], [mononobe1929]) for a smooth face. st, ct: sine and cosine
 * of the slope, > 0 where the ground falls away before the face, < 0 where it rises.
 *     N = cos^2(phi - t) / (cos t (1 - sqrt(sin phi sin(phi - t) / cos t))^2)
 * tan^2(45 deg + phi / 2) on level ground, 1 / cos phi where the slope is at its limit; beyond it as there,
 * and uphill as at a rise of the complement of phi less 0.05 (Coulomb's plane has no answer past it). */
TY_KFN ty_real ty_k_earth_passive(ty_real sp, ty_real cp, ty_real st, ty_real ct)
{
    ty_real gap = sp * ct - cp * st, sum = cp * ct + sp * st; /* sine and cosine of phi - t */
    if (gap < TY_R(0.0)) {
        return TY_R(1.0) / cp;
    }
    if (sum < TY_R(0.05)) {
        sum = TY_R(0.05);
        gap = sqrt(TY_R(1.0) - sum * sum);
        ct = cp * sum + sp * gap;
    }
    ty_real rest = TY_R(1.0) - sqrt(sp * gap / ct);
    return sum * sum / (ct * rest * rest);
}

#endif
