/* kernels/k_bekker.h - a rigid wheel in soft soil: Bekker-Wong stresses integrated over the rim.
 *
 * Frame of the contact: x forward in the wheel's plane, y left along the axle, z up along the ground's normal; theta
 * is measured at the axle from straight down, positive towards the side the wheel rolls to. Equation numbers (2.3)
 * to (3.7) are those of [uly]; where they needed a correction, it is named. The steady formulas hold for a wheel
 * that has rolled its contact length at constant slip. Between such states the contact has a memory
 * (ty_k_bekker_history), so that nothing depends on v / omega at v = omega = 0.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_BEKKER_H
#define TY_K_BEKKER_H
#include "k_base.h"
#include "k_earth_pressure.h"
#include "k_math.h"
#include "k_slip.h"

/* One wheel in one soil, with everything that stays the same from step to step worked out. */
typedef struct ty_k_bekker {
    ty_real r, b;             /* [m] radius of the rim, width */
    ty_real rs;               /* [m] shearing radius, ty_k_bekker_shear_radius() */
    ty_real k;                /* [N/m^(n+2)] ty_k_bekker_modulus() */
    ty_real n0;               /* [-] sinkage exponent */
    ty_real n1, n1_skid;      /* [-] its growth with slip and with skid */
    ty_real n1_side;          /* [-] its growth with side slip */
    ty_real a1, a2;           /* [-] where the normal stress is largest (2.6) */
    ty_real c, tan_phi;       /* [Pa] cohesion, [-] tangent of the friction angle */
    ty_real kx, ky;           /* [m] shear deformation moduli along and across */
    ty_real kx_beta, ky_beta; /* [m/rad] their growth with the slip angle [ishigami2007] */
    ty_real lambda;           /* [-] sinkage behind the wheel / sinkage before it (2.7) */
    ty_real bull_c, bull_w;   /* [N/m per m], [N/m per m^2] of depth on the side wall; 0: none */
    ty_real bull_k;           /* [m] side displacement that mobilises it; 0: at once, as printed */
    ty_real lug_h;            /* [m] height of the lugs; 0: none */
    ty_real lug_c, lug_w;     /* [N/m per m and rad], [N/m per m^2 and rad] on the lug faces, level */
    ty_real rise;             /* [-] sine of the ground's slope along +x, > 0 uphill; 0: level */
    ty_real g;                /* [m/s^2] */
    ty_real damping;          /* [-] damping ratio of the sinkage */
    ty_real unload;           /* [-] stiffness of unloading over first loading in shear */
    ty_real shear_time;       /* [s] damping of the shear displacement */
    ty_real rut;              /* [m] how far earlier passes have pressed down the ground that it meets; 0: fresh */
    ty_real elastic;          /* [Pa/m] stiffness of unloading and reloading; counts in ruts */
    int circle;               /* limit the sum of both shear stresses, not each alone */
    int panels;               /* of the integration over the rim; 1 in a run */
} ty_k_bekker;

/* What the contact remembers. Zero is a wheel that has just touched the ground. */
typedef struct ty_k_bekker_history {
    ty_real ux, uy; /* [m] mean shear displacement; positive pushes the wheel to +x, +y */
    ty_real px, py; /* [m] largest |ux|, |uy| of this loading: below it the soil is stiff */
    ty_real slip;   /* [-] (rs omega - v_x) / V, V the larger of |rs omega| and |v_x| */
    ty_real side;   /* [-] -v_y / V */
    ty_real roll;   /* [-] 1: has rolled forward, -1: backward, 0: stands as it was put down */
} ty_k_bekker_history;

/* The patch of soil under the wheel, in the direction of rolling. */
typedef struct ty_k_bekker_patch {
    ty_real theta1, theta2, thetam; /* [rad] entry, exit, largest normal stress */
    ty_real cos1, sin1, cos2;       /* [-] of theta1 and theta2 */
    ty_real reach;                  /* [m] half the contact length at the shearing radius */
    ty_real spread;                 /* [1/rad] how a mean shear displacement lies over the patch */
    ty_real slip;                   /* [-] slip ratio (2.13) */
    ty_real beta;                   /* [rad] slip angle (2.14), without sign */
    ty_real n, kx, ky;              /* [-], [m] as they are at this slip and slip angle */
    ty_real blend;                  /* [-] |roll| */
    ty_real lug_back, lug_ahead;    /* lug_w of faces that push the soil back, and ahead */
} ty_k_bekker_patch;

/* What the soil does to the wheel, about the wheel's centre. */
typedef struct ty_k_bekker_load {
    ty_real fx, fy, fz; /* [N] */
    ty_real torque;     /* [N m] resisting forward rotation: the moment about +y is -torque */
    ty_real mx, mz;     /* [N m] about +x and +z */
} ty_k_bekker_load;

/* Pressure [Pa] under a plate or wheel of width b at sinkage h >= 0 (2.3), [bekker1956]:
 *     sigma = k h^n,   k = k_c / b + k_phi */
TY_KFN ty_real ty_k_bekker_modulus(ty_real k_c, ty_real k_phi, ty_real b)
{
    return k_c / b + k_phi;
}
TY_KFN ty_real ty_k_bekker_pressure(ty_real k, ty_real h, ty_real n)
{
    return k * pow(h, n);
}

/* Repeated loading [wong2008]: soil that was pressed down to sinkage z_u unloads, and loads again, along
 *     p = p_u - k_u (z_u - z),   p_u = k z_u^n
 * until it meets the curve of first loading where it left it, and goes on along that. So it rises to z_u - p_u / k_u without load, which is the
 * ground that the next wheel meets; and at depth d below that ground the pressure is the smaller of k_u d and k (rut + d)^n. k_u is taken
 * as constant (`elastic`). */
TY_KFN ty_real ty_k_bekker_risen(ty_real k, ty_real n, ty_real elastic, ty_real z_u)
{
    return z_u > TY_R(0.0) ? ty_k_max(z_u - ty_k_bekker_pressure(k, z_u, n) / elastic, TY_R(0.0)) : TY_R(0.0);
}
TY_KFN ty_real ty_k_bekker_repeated(ty_real k, ty_real n, ty_real elastic, ty_real rut, ty_real d)
{
    ty_real first = ty_k_bekker_pressure(k, rut + d, n);
    return rut > TY_R(0.0) ? ty_k_min(elastic * d, first) : first;
}

/* Angle at which the rim cuts a level that lies h [m] above its lowest point: arccos(1 - h / r),
 * written so that a small h keeps its digits. Entry angle theta_1; the exit angle is theta_2 =
 * -(this at lambda h): (2.7) with its sign corrected, the exit lies behind the axle. */
TY_KFN ty_real ty_k_bekker_angle(ty_real h, ty_real r)
{
    return TY_R(2.0) * asin(sqrt(ty_k_clamp(h / (TY_R(2.0) * r), TY_R(0.0), TY_R(1.0))));
}

/* v / (r omega) of a slip ratio: 1 - s when driving, 1 / (1 + s) in skid, where (2.10), (2.12)
 * print 1 - s. A locked wheel (s = -1) has no such ratio; 1e9 stands for it, far beyond where the
 * shear is full. */
TY_KFN ty_real ty_k_bekker_ratio(ty_real s)
{
    return s >= TY_R(0.0) ? TY_R(1.0) - s : TY_R(1.0) / ty_k_max(TY_R(1.0) + s, TY_R(1e-9));
}

/* Share of the shear strength that displacement j mobilises, with the sign of j; K > 0 [m].
 *     1 - exp(-|j| / K)        [janosi1961], (2.9), (2.11) */
TY_KFN ty_real ty_k_bekker_mobilised(ty_real j, ty_real K)
{
    ty_real m = TY_R(1.0) - exp(-fabs(j) / K);
    return j < TY_R(0.0) ? -m : m;
}

/* Radius at which a lugged wheel shears the soil, r + lambda_s h_g. lambda_s is the share of the
 * rim that moves as one with its lugs: each lug of height h_g holds the soil of its passive wedge,
 * h_g tan(45 deg + phi / 2) long (Rankine), and all of the rim is covered where the wedges meet.
 * After the lug coefficient of [ding2015]. */
TY_KFN ty_real ty_k_bekker_shear_radius(ty_real r, ty_real h_g, ty_real lugs, ty_real phi)
{
    ty_real wedge = h_g * tan(TY_R(0.25) * TY_K_PI + TY_R(0.5) * phi);
    return r + h_g * ty_k_min(TY_R(1.0), lugs * wedge / (TY_R(2.0) * TY_K_PI * r));
}

/* The contact angles and what slip makes of the soil's constants.
 *     theta_m = (a1 + a2 s) theta_1                            (2.6)
 *     n = n0 + n1 s  or  n0 + n1_skid |s|,  + n1_side |v_y| / V  (2.8), extended
 *     K + K_beta beta                                          [ishigami2007]
 * A rate of its own for skid is as in [pavlov]; the rate for side slip is ours, after that data: a
 * wheel that is dragged sideways sinks too. A wheel that stands as it was put down (blend 0) is
 * symmetric: theta_2 = -theta_1, theta_m = 0, n = n0. The history must be that of a wheel rolling
 * forward (roll >= 0). */
TY_KFN ty_k_bekker_patch ty_k_bekker_patch_at(ty_k_bekker p, ty_real h, ty_k_bekker_history was)
{
    ty_k_bekker_patch at;
    ty_real blend = at.blend = was.roll;
    ty_real s = at.slip = ty_k_clamp(was.slip, TY_R(-1.0), TY_R(1.0));
    ty_real lambda = TY_R(1.0) + (p.lambda - TY_R(1.0)) * blend;
    at.theta1 = ty_k_bekker_angle(h, p.r);
    at.theta2 = -ty_k_bekker_angle(lambda * h, p.r);
    at.thetam = ty_k_clamp(blend * (p.a1 + p.a2 * s) * at.theta1, at.theta2, at.theta1);
    at.cos1 = cos(at.theta1);
    at.sin1 = sin(at.theta1);
    at.cos2 = cos(at.theta2);
    at.reach = TY_R(0.5) * p.rs * (at.theta1 - at.theta2);
    at.spread = at.reach > TY_R(0.0) ? blend * p.rs / at.reach : TY_R(0.0);
    /* v_x / V is 1 - s when driving and 1 in skid. Near spinning on the spot the slip angle has no
     * meaning: it is faded out over the last 2 % of slip, so that the moduli do not jump there. */
    ty_real along = s > TY_R(0.0) ? TY_R(1.0) - s : TY_R(1.0);
    ty_real across = fabs(was.side);
    at.n = p.n0 + blend * ((s >= TY_R(0.0) ? p.n1 * s : -p.n1_skid * s) + p.n1_side * ty_k_min(across, TY_R(2.0)));
    ty_real fade = ty_k_min(TY_R(1.0), TY_R(50.0) * (along + across));
    at.beta = across > TY_R(0.0) ? fade * atan2(across, along) : TY_R(0.0);
    at.kx = p.kx + blend * p.kx_beta * at.beta;
    at.ky = p.ky + blend * p.ky_beta * at.beta;
    at.lug_back = at.lug_ahead = p.lug_w;
    return at;
}

/* Shares of the strength that act along and across the wheel. Each alone, as (2.9) and (2.11) are
 * printed, may sum to more than the soil's strength; on the friction circle the resultant of jx/Kx
 * and jy/Ky mobilises it, in its own direction. Both agree to first order, and exactly without
 * side slip. */
TY_KFN void ty_k_bekker_shares(int circle, ty_real jx, ty_real jy, ty_real kx, ty_real ky, ty_real *mx, ty_real *my)
{
    if (jy == TY_R(0.0) || !circle) {
        *mx = ty_k_bekker_mobilised(jx, kx);
        *my = jy == TY_R(0.0) ? TY_R(0.0) : ty_k_bekker_mobilised(jy, ky);
        return;
    }
    ty_real ex = jx / kx, ey = jy / ky;
    ty_real e = sqrt(ex * ex + ey * ey);
    ty_real share = e > TY_R(1e-12) ? ty_k_bekker_mobilised(e, TY_R(1.0)) / e : TY_R(1.0);
    *mx = ex * share;
    *my = ey * share;
}

/* An element of the rim. */
typedef struct ty_k_bekker_element {
    ty_real theta, co, si; /* [rad] its place, [-] cosine and sine of that */
    ty_real dtheta;        /* [rad] its width */
    ty_real sigma;         /* [Pa] normal stress on it */
} ty_k_bekker_element;

/* What mobilises the soil's strength. */
typedef struct ty_k_bekker_drag {
    ty_real ux, uy; /* [m] mean shear displacement */
    ty_real bull;   /* [-] mobilised share of the side wall's resistance */
} ty_k_bekker_drag;

/* Adds what one element carries: the integrands of (3.4) to (3.7), with the shear at the shearing
 * radius, the lug faces, and the side wall's R_b(h) (r - h cos theta), h = r (cos theta - cos
 * theta_1). */
TY_KFN void ty_k_bekker_add(const ty_k_bekker *p, const ty_k_bekker_patch *at, ty_k_bekker_drag drag,
                            ty_k_bekker_element of, ty_k_bekker_load *sum)
{
    /* shear displacement: the part that rolling itself makes, and the mean displacement spread as (2.10), (2.12) do */
    ty_real angle = at->theta1 - of.theta, chord = at->sin1 - of.si, even = TY_R(1.0) - at->blend;
    ty_real jx = at->blend * p->rs * (angle - chord) + drag.ux * (at->spread * chord + even);
    ty_real jy = drag.uy * (at->spread * angle + even);
    ty_real mx, my;
    ty_k_bekker_shares(p->circle, jx, jy, at->kx, at->ky, &mx, &my);
    ty_real strength = p->rs * p->b * (p->c + of.sigma * p->tan_phi); /* [N/rad] */
    ty_real push = strength * mx, side = strength * my, arm = p->rs * push;
    ty_real depth = ty_k_max(p->r * (of.co - at->cos1), TY_R(0.0));
    if (p->lug_h > TY_R(0.0)) { /* below the surface that they push to: the rut behind a driven wheel */
        int back = mx > TY_R(0.0);
        ty_real root = back ? ty_k_max(p->r * (of.co - at->cos2), TY_R(0.0)) : depth;
        ty_real tip = ty_k_max(root + p->lug_h * of.co, root);
        ty_real lug = p->b * mx * (tip - root) * (p->lug_c + (back ? at->lug_back : at->lug_ahead) * (tip + root));
        push += lug;
        arm += lug * (p->r + TY_R(0.5) * p->lug_h);
    }
    side += drag.bull * depth * (p->bull_c + p->bull_w * depth) * (p->r - depth * of.co);
    ty_real press = p->r * p->b * of.sigma;
    sum->fx += of.dtheta * (push * of.co - press * of.si);
    sum->fz += of.dtheta * (press * of.co + push * of.si);
    sum->fy += of.dtheta * side;
    sum->torque += of.dtheta * arm;
    sum->mx += of.dtheta * side * p->r * of.co;
    sum->mz += of.dtheta * side * p->r * of.si;
}

/* Gauss-Legendre on [0, 1], 8 points: x and weight. */
#ifdef __OPENCL_VERSION__
#define TY_K_BEKKER_TABLE __constant
#else
#define TY_K_BEKKER_TABLE static const
#endif
#define TY_K_BEKKER_POINTS 8
TY_K_BEKKER_TABLE ty_real ty_k_bekker_rule[TY_K_BEKKER_POINTS][2] = {
    { TY_R(0.01985507175123188416), TY_R(0.05061426814518812958) },
    { TY_R(0.10166676129318663020), TY_R(0.11119051722668723527) },
    { TY_R(0.23723379504183550709), TY_R(0.15685332293894364367) },
    { TY_R(0.40828267875217509753), TY_R(0.18134189168918099148) },
    { TY_R(0.59171732124782490247), TY_R(0.18134189168918099148) },
    { TY_R(0.76276620495816449291), TY_R(0.15685332293894364367) },
    { TY_R(0.89833323870681336980), TY_R(0.11119051722668723527) },
    { TY_R(0.98014492824876811584), TY_R(0.05061426814518812958) },
};

/* Integrates (3.4) to (3.7) over the rim, on each side of theta_m. The stress starts like (distance
 * from the edge)^n, which theta = edge + x^2 (theta_m - edge) turns smooth. One panel of 8 points
 * (a run) is good to 1e-5 of the load and better, in deep skid to 1e-3 (lugs) or 2e-4: what remains
 * comes from the place where the shear changes sign. It falls with more panels; static solutions
 * take 32. In (2.5) the stress behind theta_m repeats the one before it: both sides have the same
 * sigma at the same x, so that it is worked out once. */
TY_KFN ty_k_bekker_load ty_k_bekker_integrate(ty_k_bekker p, ty_k_bekker_patch at, ty_k_bekker_drag drag)
{
    ty_k_bekker_load sum = { TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0) };
    ty_real front = at.thetam - at.theta1, rear = at.thetam - at.theta2;
    ty_real step = TY_R(1.0) / (ty_real)p.panels;
    for (int panel = 0; panel < p.panels; panel++) {
        for (int i = 0; i < TY_K_BEKKER_POINTS; i++) {
            ty_real x = ((ty_real)panel + ty_k_bekker_rule[i][0]) * step;
            ty_real y = x * x, w = TY_R(2.0) * x * step * ty_k_bekker_rule[i][1];
            ty_real theta = at.theta1 + y * front, back = at.theta2 + y * rear, co = cos(theta);
            ty_real depth = ty_k_max(p.r * (co - at.cos1), TY_R(0.0));
            ty_real sigma = ty_k_bekker_repeated(p.k, at.n, p.elastic, p.rut, depth);
            ty_k_bekker_element before = { theta, co, sin(theta), -w * front, sigma };
            ty_k_bekker_element behind = { back, cos(back), sin(back), w * rear, sigma };
            ty_k_bekker_add(&p, &at, drag, before, &sum);
            ty_k_bekker_add(&p, &at, drag, behind, &sum);
        }
    }
    return sum;
}

/* The history of a wheel in steady motion at slip ratio s and slip angle beta [rad], rolling forward. */
TY_KFN ty_k_bekker_history ty_k_bekker_steady(ty_k_bekker p, ty_real h, ty_real s, ty_real beta)
{
    ty_k_bekker_history was = { TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0), s, TY_R(0.0), TY_R(1.0) };
    ty_real ratio = ty_k_bekker_ratio(s), along = s > TY_R(0.0) ? TY_R(1.0) - s : TY_R(1.0);
    was.side = -along * tan(beta);
    ty_real reach = ty_k_bekker_patch_at(p, h, was).reach;
    was.ux = reach * (TY_R(1.0) - ratio);
    was.uy = -reach * ratio * tan(beta);
    was.px = fabs(was.ux);
    was.py = fabs(was.uy);
    return was;
}

/* Size of a shear displacement, in its moduli [-]. */
TY_KFN ty_real ty_k_bekker_size(ty_k_bekker p, ty_real ux, ty_real uy)
{
    ty_real ex = ux / p.kx, ey = uy / p.ky;
    return sqrt(ex * ex + ey * ey);
}

/* What the slope makes of the pressure on lug faces: soil that is pushed downhill gives way sooner. rise as
 * in ty_k_bekker, in the direction of rolling. */
TY_KFN void ty_k_bekker_lean(ty_k_bekker p, ty_real rise, ty_k_bekker_patch *at)
{
    ty_real cp = TY_R(1.0) / sqrt(TY_R(1.0) + p.tan_phi * p.tan_phi), sp = p.tan_phi * cp;
    ty_real ct = sqrt(ty_k_max(TY_R(1.0) - rise * rise, TY_R(1e-6)));
    ty_real level = p.lug_w / ty_k_earth_passive(sp, cp, TY_R(0.0), TY_R(1.0));
    at->lug_back = level * ty_k_earth_passive(sp, cp, rise, ct);
    at->lug_ahead = level * ty_k_earth_passive(sp, cp, -rise, ct);
}

/* Forces on the wheel at sinkage h [m], sinking at h_rate [m/s], moving at v_x, v_y [m/s], turning at omega [rad/s].
 *
 * Damping: gamma h_rate of (3.4) with gamma = 2 zeta sqrt(n + 1/2) f_z / sqrt(g h), which is the
 * damping ratio zeta for a mass that rests on this soil by its weight, and vanishes as the wheel
 * leaves the ground. The shear is taken at the displacement it would have after shear_time at its
 * present rate, the rate of stiff unloading; in steady motion the rate is zero. Damping does not
 * pull the wheel down. */
TY_KFN ty_k_bekker_load ty_k_bekker_contact(ty_k_bekker p, ty_real h, ty_real h_rate, ty_real v_x, ty_real v_y,
                                            ty_real omega, ty_k_bekker_history was, ty_k_bekker_patch *patch)
{
    ty_real mirror = was.roll < TY_R(0.0) ? TY_R(-1.0) : TY_R(1.0);
    was.roll *= mirror;
    was.slip *= mirror;
    was.ux *= mirror;
    ty_k_bekker_patch at = ty_k_bekker_patch_at(p, h, was);
    ty_k_bekker_load load = { TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0) };
    if (p.lug_h > TY_R(0.0) && p.rise != TY_R(0.0)) {
        ty_k_bekker_lean(p, mirror * p.rise, &at);
    }
    *patch = at;
    if (!(at.reach > TY_R(0.0))) {
        return load;
    }
    ty_real renew = fabs(p.rs * omega) / at.reach; /* [1/s] fresh soil comes under the wheel */
    ty_real soon = p.shear_time * (TY_R(1.0) + p.unload * ty_k_bekker_size(p, was.ux, was.uy));
    ty_k_bekker_drag drag;
    drag.ux = was.ux + soon * (mirror * (p.rs * omega - v_x) - renew * was.ux);
    drag.uy = was.uy + soon * (-v_y - renew * was.uy);
    drag.bull = p.bull_k > TY_R(0.0) ? ty_k_bekker_mobilised(drag.uy, p.bull_k)
                                     : (ty_real)((drag.uy > TY_R(0.0)) - (drag.uy < TY_R(0.0)));
    load = ty_k_bekker_integrate(p, at, drag);
    if (p.damping > TY_R(0.0)) {
        ty_real still = ty_k_max(load.fz, TY_R(0.0));
        ty_real gamma = TY_R(2.0) * p.damping * sqrt((at.n + TY_R(0.5)) / (p.g * h)) * still;
        load.fz = ty_k_max(load.fz + gamma * h_rate, load.fz - still);
    }
    load.fx *= mirror;
    load.torque *= mirror;
    load.mz *= mirror;
    return load;
}

/* |u| after a way x [m] of unloading (x < 0) or reloading, d|u|/dx = 1 + a |u|, a = unload / K
 * [1/m]: exact, so that any cycle returns to where it began. Below peak and above 0; *rest is the
 * way that is left beyond them. */
TY_KFN ty_real ty_k_bekker_elastic(ty_real u, ty_real peak, ty_real x, ty_real a, ty_real *rest)
{
    ty_real w = TY_R(1.0) + a * u;
    ty_real full = x < TY_R(0.0) ? -log(w) / a : log((TY_R(1.0) + a * peak) / w) / a;
    *rest = TY_R(0.0);
    if (fabs(x) >= fabs(full)) {
        *rest = x - full;
        return x < TY_R(0.0) ? TY_R(0.0) : peak;
    }
    return (w * expm1(a * x) + a * u) / a;
}

/* One component of the shear displacement after dt [s] at loading rate v [m/s], renewed at rate renew [1/s]:
 *     du/dt = v - renew u                          on first loading
 *     du/dt = v (1 + unload |u| / K) - renew u     when unloading, or below the peak
 * First loading is solved exactly for constant v, so that any step is stable; in steady motion
 * u = v / renew, which is (2.10), (2.12). The force follows 1 - exp(-u / K), so its stiffness stays
 * below `unload` times that of first loading. Unloading and reloading follow one path: a wheel at
 * rest on a slope does not ratchet down. The law is ours: the papers leave the wheel at rest open. */
TY_KFN void ty_k_bekker_load_step(ty_k_bekker p, ty_real *u, ty_real *peak, ty_real v, ty_real renew, ty_real K,
                                  ty_real dt)
{
    ty_real a = renew * dt, keep = exp(-a), way = v * dt * ty_k_decay_mean(a);
    ty_real sign = *u < TY_R(0.0) ? TY_R(-1.0) : TY_R(1.0);
    ty_real size = fabs(*u) * keep, top = *peak * keep;
    ty_real along = sign * way; /* > 0 loads further */
    if (p.unload > TY_R(0.0) && size > TY_R(0.0) && (along < TY_R(0.0) || size < top)) {
        size = ty_k_bekker_elastic(size, top, along, p.unload / K, &along);
        top = size > TY_R(0.0) ? top : TY_R(0.0);
    }
    *u = sign * (size + along);
    *peak = ty_k_max(size + along < TY_R(0.0) ? TY_R(0.0) : top, fabs(*u));
}

/* x after dt of dx/dt = (goal - |rate| x) / length, rate the speed that carries it: exact for constant goal. */
TY_KFN ty_real ty_k_bekker_relax(ty_real x, ty_real goal, ty_real rate, ty_real length, ty_real dt)
{
    ty_real a = fabs(rate) / length * dt;
    return x * exp(-a) + goal / length * dt * ty_k_decay_mean(a);
}

/* The history after dt [s] of motion at sinkage h. All of it moves on with the distance rolled or
 * slid, not with time: a wheel that stops keeps its contact. A wheel off the ground forgets. */
TY_KFN ty_k_bekker_history ty_k_bekker_advance(ty_k_bekker p, ty_real h, ty_real v_x, ty_real v_y, ty_real omega,
                                               ty_real dt, ty_k_bekker_history was)
{
    ty_k_bekker_history now = was,
                        none = { TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0), TY_R(0.0) };
    ty_k_bekker_history forward = was;
    forward.roll = fabs(was.roll);
    ty_real reach = ty_k_bekker_patch_at(p, h, forward).reach;
    if (!(reach > TY_R(0.0))) {
        return none;
    }
    ty_real rim = p.rs * omega, most = ty_k_max(fabs(rim), fabs(v_x)), renew = fabs(rim) / reach;
    ty_k_bekker_load_step(p, &now.ux, &now.px, rim - v_x, renew, p.kx, dt);
    ty_k_bekker_load_step(p, &now.uy, &now.py, -v_y, renew, p.ky, dt);
    /* beyond what steady skid to -0.9 needs and 8 moduli (full to 0.03 %) more would only delay the
     * return. Cut in proportion, the displacement turns into the direction of the sliding. */
    ty_real size = ty_k_bekker_size(p, now.ux, now.uy);
    ty_real cut = TY_R(8.0) * (TY_R(1.0) + reach / ty_k_min(p.kx, p.ky));
    if (size > cut) {
        now.ux *= cut / size;
        now.uy *= cut / size;
        now.px *= cut / size;
        now.py *= cut / size;
    }
    ty_real mean = TY_R(0.5) * (rim + v_x);
    now.slip = ty_k_bekker_relax(was.slip, rim - v_x, most, reach, dt);
    now.side = ty_k_bekker_relax(was.side, -v_y, most, reach, dt);
    now.side = ty_k_clamp(now.side, TY_R(-50.0), TY_R(50.0)); /* a locked wheel has no V */
    now.roll = ty_k_bekker_relax(was.roll, mean, mean, reach, dt);
    return now;
}

#endif
