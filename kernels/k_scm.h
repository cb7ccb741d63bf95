/* kernels/k_scm.h - soil as a grid of columns under a body of any shape: pressure with an elastic
 * and a plastic part, shear with a memory, and flow to the angle of repose.
 *
 * After the soil contact model of [krenn2009], as described in [lunar] section 2; the memory of the
 * shear, the mean over a cell and the flow are ours. z is up; sinkage S is measured down from the
 * level at which the column was last at rest.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SCM_H
#define TY_K_SCM_H
#include "k_bekker.h"

/* Bekker's width [m] of a contact patch of any outline: 2 area / perimeter, which is the width of
 * a long strip and the radius of a disc. [lunar] section 2 with [krenn2009]. */
TY_KFN ty_real ty_k_scm_width(ty_real area, ty_real perimeter)
{
    return TY_R(2.0) * area / perimeter;
}

/* Mean over a cell of max(x, 0) where x varies evenly by +- h about its middle, h >= 0: what the
 * part of the cell that touches adds, so that a cell enters and leaves contact without a jump. */
TY_KFN ty_real ty_k_scm_part(ty_real x, ty_real h)
{
    if (x >= h) {
        return x;
    }
    return x <= -h ? TY_R(0.0) : (x + h) * (x + h) / (TY_R(4.0) * h);
}

/* Bekker's pressure [Pa] at sinkage S >= 0; the common n = 1 without a power. */
TY_KFN ty_real ty_k_scm_bekker(ty_real S, ty_real k, ty_real n)
{
    return n == TY_R(1.0) ? k * S : ty_k_bekker_pressure(k, S, n);
}

/* Pressure [Pa] on a column, mean over its cell.
 *     loading                    sigma = k S^n                       [bekker1956], [lunar]
 *     unloading and reloading    sigma = E (S - S_p)                 [krenn2009]
 * whichever is smaller; where the first is, the plastic sinkage S_p follows so that both agree. They
 * meet again exactly where unloading began, so no yield stress needs to be kept.
 * S [m] sinkage in the middle of the cell, h [m] how much it varies to either side, gap [m] how much the
 * gap between the body and the print that it pressed into the cell varies to either side, k
 * [N/m^(n+2)], E [Pa/m], *plastic [m] S_p, *most [m] the largest S so far; both only grow.
 * A body that rises straight (gap 0) leaves the whole cell at once, on the stiff path. Under one that rolls
 * on, the gap tilts: its front half presses still while its rear half is free, and with a round wheel that
 * has passed the middle by x the share that presses is 1/2 - x / cell. No jump between the two.
 * Returns 0 without contact. */
TY_KFN ty_real ty_k_scm_pressure(ty_real S, ty_real h, ty_real gap, ty_real k, ty_real n, ty_real E, ty_real *plastic,
                                 ty_real *most)
{
    ty_real sigma = ty_k_scm_bekker(ty_k_scm_part(S, h), k, n), below; /* below: into the elastic part */
    if (S >= *most) {
        if (E * ty_k_scm_part(S - *plastic, h) > sigma) {
            *plastic = ty_k_max(*plastic, S - sigma / E);
        }
        *most = S;
        below = sigma / E;
    } else {
        below = S - *most + ty_k_scm_bekker(ty_k_scm_part(*most, h), k, n) / E;
    }
    if (below < TY_R(0.5) * gap) {
        sigma *= ty_k_max(TY_R(0.5) + below / gap, TY_R(0.0));
    }
    return ty_k_min(E * ty_k_scm_part(below, gap), sigma);
}

/* Share of the shear strength that is mobilised at a column: a vector (x, y), and the largest share so
 * far, p <= 1. The body's surface moves on by (dx, dy) [m] over the soil.
 *     first loading     p = 1 - exp(-j / K), (x, y) along the motion            [janosi1961]
 *     below p           d(x, y) = unload (dx, dy) / K: stiff, and back on the same path
 * So shear keeps its sign, turns with the motion, and a body at rest on a slope does not ratchet
 * down. Exact for a straight step of first loading, however long. unload >= 1 as in ty_k_bekker. */
typedef struct ty_k_scm_share {
    ty_real x, y, p;
} ty_k_scm_share;

TY_KFN ty_k_scm_share ty_k_scm_shear(ty_k_scm_share m, ty_real dx, ty_real dy, ty_real K, ty_real unload)
{
    ty_real stiff = unload / K, x = m.x + stiff * dx, y = m.y + stiff * dy;
    ty_real size = sqrt(x * x + y * y);
    if (size > m.p) {
        ty_real way = (size - m.p) / unload; /* of it, in K, is first loading */
        m.p = TY_R(1.0) - (TY_R(1.0) - m.p) * exp(-way);
        x *= m.p / size;
        y *= m.p / size;
    }
    m.x = x;
    m.y = y;
    return m;
}

/* The share with its damping: as it would be after `time` [s] at the present velocity, on the stiff
 * path; no more than has been mobilised, so that steady motion does not see it. */
TY_KFN ty_k_scm_share ty_k_scm_damped(ty_k_scm_share m, ty_real vx, ty_real vy, ty_real K, ty_real unload, ty_real time)
{
    ty_real stiff = time * unload / K;
    m.x += stiff * vx;
    m.y += stiff * vy;
    ty_real size = sqrt(m.x * m.x + m.y * m.y);
    if (size > m.p) {
        m.x *= m.p / size;
        m.y *= m.p / size;
    }
    return m;
}

/* Pressure [Pa] that the rebound of the elastic part loses while the body rises at `rise` [m/s]
 * there: 2 zeta sqrt(E sigma / g) rise, zeta to critical damping of what rests by its weight. */
TY_KFN ty_real ty_k_scm_rebound(ty_real zeta, ty_real E, ty_real sigma, ty_real g, ty_real rise)
{
    return rise > TY_R(0.0) ? TY_R(2.0) * zeta * sqrt(E * sigma / g) * rise : TY_R(0.0);
}

/* Height [m] that flows from a column to its neighbour, drop [m] the difference of their levels,
 * limit [m] what the angle of repose allows over their distance. A fifth, so that four neighbours
 * together cannot take more than there is. */
TY_KFN ty_real ty_k_scm_flow(ty_real drop, ty_real limit)
{
    return drop > limit ? TY_R(0.2) * (drop - limit) : TY_R(0.0);
}

#endif
