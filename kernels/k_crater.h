/* kernels/k_crater.h - lunar craters: how many, how deep, what shape.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_CRATER_H
#define TY_K_CRATER_H
#include "k_base.h"

/* Craters with a diameter above D that a surface of the given age has collected, per area.
 *
 *     log10 N(D, T) = log10 N1(T) + sum_j=1..11 a_j (log10 D)^j      [neukum2001]
 *     N1(T) = 5.44e-14 (exp(6.93 T) - 1) + 8.38e-4 T                 [neukum2001]
 *     with D in km, N per km2, T in Gyr
 *
 * The published a_0 belongs to 1 Gyr and is 2.5 % below N1(1 Gyr); here N1 alone sets the level, so
 * that N(1 km) is the chronology's. Valid from 10 m: below, the curve goes on with the slope it has
 * there.
 *
 * D [m], T [Gyr]; returns [1/m2] */
TY_KFN ty_real ty_k_crater_production(ty_real D, ty_real T)
{
    const ty_real a[12] = { TY_R(0.0),       TY_R(-3.557528), TY_R(0.781027), TY_R(1.021521),
                            TY_R(-0.156012), TY_R(-0.444058), TY_R(0.019977), TY_R(0.086850),
                            TY_R(-0.005874), TY_R(-0.006809), TY_R(8.25e-4),  TY_R(5.54e-5) };
    ty_real lg = log10(ty_k_max(D, TY_R(10.0)) * TY_R(1e-3));
    ty_real sum = TY_R(0.0), slope = TY_R(0.0);
    for (int j = 11; j >= 0; j--) {
        slope = slope * lg + sum;
        sum = sum * lg + a[j];
    }
    ty_real beyond = log10(ty_k_min(D, TY_R(10.0)) * TY_R(0.1)); /* 0 inside the domain */
    ty_real n1 = TY_R(5.44e-14) * (exp(TY_R(6.93) * T) - TY_R(1.0)) + TY_R(8.38e-4) * T;
    return TY_R(1e-6) * n1 * exp(TY_R(2.302585092994046) * (sum + slope * beyond));
}

/* Where as many craters are worn away as are made: N(D) = 10^-1.1 D^-2 [trask1966].
 * D [m]; returns the number above D per area [1/m2] */
TY_KFN ty_real ty_k_crater_equilibrium(ty_real D)
{
    return TY_R(0.07943282347242815) / (D * D);
}

/* How long craters of diameter D last, up to a factor: in equilibrium as many are there as are made in a life. D [m]; returns
 * [-], growing with D */
TY_KFN ty_real ty_k_crater_life(ty_real D)
{
    return ty_k_crater_equilibrium(D) / ty_k_crater_production(D, TY_R(1.0)) * TY_R(1e-6);
}

/* The smaller of the two: a surface cannot hold more than a share of the equilibrium. Both fall with D, so the
 * smaller does, and differences of it are the numbers between two diameters. D [m], T [Gyr], share [-];
 * returns [1/m2] */
TY_KFN ty_real ty_k_crater_held(ty_real D, ty_real T, ty_real share)
{
    return ty_k_min(ty_k_crater_production(D, T), share * ty_k_crater_equilibrium(D));
}

/* the same with all of the equilibrium */
TY_KFN ty_real ty_k_crater_density(ty_real D, ty_real T)
{
    return ty_k_crater_held(D, T, TY_R(1.0));
}

/* Depth / diameter (rim crest to floor) of the crater that stands z standard deviations from the
 * middle of those of its size. Median, and distances to the 16 and 84 % points, of the table of
 * [stopar2017] in size classes with borders 60, 100, 200, 400, 1000, 3000 m; straight lines in log
 * D between the classes' median diameters, constant outside. The borders are ours: with them the
 * table gives the medians that are wanted, .11 .12 .14 .15 .19 .22.
 *
 * D [m], z [-] (limited to +-2: beyond, the table has next to nothing); returns [-] */
TY_KFN ty_real ty_k_crater_depth_ratio(ty_real D, ty_real z)
{
    /* ln D, median, down to the 16 % point, up to the 84 % point */
    const ty_real table[6][4] = {
        { TY_R(3.89), TY_R(0.11), TY_R(0.020), TY_R(0.020) }, { TY_R(4.30), TY_R(0.12), TY_R(0.020), TY_R(0.030) },
        { TY_R(4.88), TY_R(0.14), TY_R(0.030), TY_R(0.030) }, { TY_R(5.55), TY_R(0.15), TY_R(0.042), TY_R(0.025) },
        { TY_R(6.17), TY_R(0.19), TY_R(0.040), TY_R(0.016) }, { TY_R(7.13), TY_R(0.22), TY_R(0.040), TY_R(0.018) }
    };
    ty_real lg = log(D), m = table[0][1], l = table[0][2], h = table[0][3];
    for (int i = 0; i < 5; i++) {
        ty_real t = (lg - table[i][0]) / (table[i + 1][0] - table[i][0]);
        t = ty_k_clamp(t, TY_R(0.0), TY_R(1.0));
        m += t * (table[i + 1][1] - table[i][1]);
        l += t * (table[i + 1][2] - table[i][2]);
        h += t * (table[i + 1][3] - table[i][3]);
    }
    z = ty_k_clamp(z, TY_R(-2.0), TY_R(2.0));
    return m + (z < TY_R(0.0) ? l : h) * z;
}

/* Freshness of that crater: 1 at the deep end of its size, 0 at the shallow end; half of all lie
 * below 0.25, because a crater is fresh only for a small part of its life. */
TY_KFN ty_real ty_k_crater_freshness(ty_real z)
{
    ty_real u = TY_R(0.25) * (ty_k_clamp(z, TY_R(-2.0), TY_R(2.0)) + TY_R(2.0));
    return u * u;
}

/* ---- craters that age ---- */

/* How much of its life a crater has behind it, 0 to 1, from the same z: in equilibrium craters of one size are made and
 * worn away at the same rate, so that their ages are spread evenly over their life; u = P(Z > z). */
TY_KFN ty_real ty_k_crater_age(ty_real z)
{
    return TY_R(0.5) * erfc(TY_R(0.7071067811865476) * z);
}

/* Depth / diameter after the share u of a life: a fresh simple crater has .2 [pike1977], and a form of one width that
 * diffuses loses height as h / (1 + 4 kappa t / s^2). wear is 4 kappa / s^2 times the life. 8 gives the mean .055 of
 * what Chang'e-4 saw of decimetre to metre craters, .061 [wu2021], in which the faintest are missing; 20 the shading of
 * a mature mare from orbit. u [-], wear [-]; returns [-] */
TY_KFN ty_real ty_k_crater_worn_ratio(ty_real u, ty_real wear)
{
    return TY_R(0.2) / (TY_R(1.0) + wear * u);
}

/* Weight of the depths of [stopar2017], which are of craters from 40 m up, beside those of worn small ones: none up to
 * 24 m, all from 64 m on. D [m]; returns [-] */
TY_KFN ty_real ty_k_crater_large(ty_real D)
{
    ty_real t = ty_k_clamp((log(D) - TY_R(3.1780538)) * TY_R(1.0195469), TY_R(0.0), TY_R(1.0));
    return t * t * (TY_R(3.0) - TY_R(2.0) * t);
}

/* Share of the craters in equilibrium that the ground shows, where small ones wear: all of them below 24 m, each with
 * what is left of its depth. Those of [stopar2017] are deeper than .07, which a crater is for the first fifth of its
 * life at a wear of 10; the rest of the large ones, fainter than that, is left out. small [-] holds up to half a metre
 * instead, and goes over into share by 2 m; 0: share everywhere. D [m], share [-] of those below 24 m */
#define TY_K_CRATER_SEEN 0.2
TY_KFN ty_real ty_k_crater_share(ty_real D, ty_real share, ty_real small, ty_real wear)
{
    if (small > TY_R(0.0)) {
        ty_real t = ty_k_clamp((log(D) + TY_R(0.6931472)) * TY_R(0.7213475), TY_R(0.0), TY_R(1.0));
        share = small + t * t * (TY_R(3.0) - TY_R(2.0) * t) * (share - small);
    }
    return wear > TY_R(0.0) ? share * (TY_R(1.0) - TY_R(1.0 - TY_K_CRATER_SEEN) * ty_k_crater_large(D)) : share;
}

/* What age has made of a crater. */
typedef struct ty_k_crater_look {
    ty_real ratio;     /* [-] depth / diameter */
    ty_real freshness; /* [-] 1 new .. 0 nearly gone */
    ty_real old;       /* [-] how round crest and floor are: 0 sharp, 1 as round as measured ones get, up to 1.6 */
    ty_real rim;       /* [-] what is left of the rim for that depth */
} ty_k_crater_look;

/* The crater of diameter D [m] that stands z standard deviations from the middle; wear as above, 0: all sizes have the
 * depths of [stopar2017]. Of worn ones the crest, which loose soil never
 * holds sharp, widens as the root of time, as diffusion has it, and the rim, which is narrower than the bowl, goes
 * faster (ours: 20 times in a life). freshness is above .6 for a tenth of them. */
TY_KFN ty_k_crater_look ty_k_crater_look_at(ty_real D, ty_real z, ty_real wear)
{
    const ty_real one = TY_R(1.0);
    ty_k_crater_look k;
    k.ratio = ty_k_crater_depth_ratio(D, z);
    k.freshness = ty_k_crater_freshness(z);
    k.old = one - k.freshness;
    k.rim = one;
    if (wear > TY_R(0.0)) {
        ty_real u = ty_k_crater_age(z), w = ty_k_crater_large(D), young = one - u;
        k.ratio = w * k.ratio + (one - w) * ty_k_crater_worn_ratio(u, wear);
        k.freshness = young * young * young * young * young;
        k.old = w * k.old + (one - w) * (TY_R(0.35) + TY_R(1.25) * sqrt(u));
        k.rim = w + (one - w) / (one + TY_R(20.0) * u);
    }
    return k;
}

/* A crater's surface over the plain it was made in, as a function of s = distance / radius:
 *
 *     bowl,  s < s1:   floor + wall (sqrt(s^2 + c^2) - c)
 *     crest, s1 .. s2: rim - cap (s - 1)^2
 *     flank, s2 .. 3:  lift max(0, w^2 - s^2)^2 + blanket s^-3 fade(s)
 *
 * The bowl is flat in the middle and ends in a straight wall; the crest has its top at s = 1, with a cap for each
 * side. Pieces meet with equal height and slope. Lengths of a fresh crater, D in km [pike1977] [fassett2014]: rim
 * height .043 D^1.014, floor -.224 D^1.010, floor diameter .200 D^1.143, width of the rim's flank .257 D^1.011;
 * thickness of the ejecta .14 R^.74 s^-3 in m [mcgetchin1973].
 *
 * What is ours:
 * (1) Heights are scaled together so that crest to floor is depth_ratio D. The lengths above make
 *     the rim .16 of the depth; in the table of [stopar2017] it is .16 to .20.
 * (2) c = sqrt(3) times the floor's share of the diameter: at the floor's edge the slope is half
 *     the wall's. Not below .35, as small craters are bowls, not cones.
 * (3) The ejecta law exceeds the rim height for R < 7 m: its share of the rim is cut at 1. The rest
 *     of the rim, if any, is lifted ground that ends at the flank's width.
 * (4) fade goes from 1 to 0 between 2 and 3 radii.
 * (5) With age the crest gets rounder and up to .35 lower, the floor and the flank wider. So what
 *     is raised stays .5 to 1.2 of what is missing.
 * (6) The outline is an ellipse with three weak lobes, not a circle. */
typedef struct ty_k_crater {
    ty_real inv_r;                         /* [1/m] */
    ty_real s1, s2, w2;                    /* [-] piece borders; square of the flank's end */
    ty_real rim, floor;                    /* [m] */
    ty_real wall, c, cc;                   /* [m] [-] [-] c squared */
    ty_real cap_in, cap_out;               /* [m] */
    ty_real lift, blanket;                 /* [m] */
    ty_real exx, exy, eyy, lobe_a, lobe_b; /* [-] outline */
} ty_k_crater;

#define TY_K_CRATER_REACH 3.26 /* [radii] where s = 3 can be on a distorted outline */
#define TY_K_CRATER_OVAL  0.10 /* [-] largest ellipticity within that reach */
#define TY_K_CRATER_LOBE  0.16 /* [-] largest lobe within it; moves the rim by a quarter of this */

/* D [m], depth_ratio [-] > 0, old [-] 0 to 1.6, rim_left [-] 0 to 1 as in ty_k_crater_look: a round crater */
TY_KFN ty_k_crater ty_k_crater_make_worn(ty_real D, ty_real depth_ratio, ty_real old, ty_real rim_left)
{
    const ty_real one = TY_R(1.0);
    ty_real km = D * TY_R(1e-3), lg = log(km);
    /* rim height and floor over the diameter; what of the rim is ejecta */
    ty_real h = TY_R(0.043) * exp(TY_R(0.014) * lg);
    ty_real f = TY_R(0.224) * exp(TY_R(0.010) * lg);
    ty_real depth = depth_ratio * D, rim = depth * h / (h + f) * (one - TY_R(0.35) * old) * rim_left;
    ty_real ejecta = TY_R(0.14) * exp(TY_R(0.74) * log(TY_R(0.5) * D));
    ty_real e = ty_k_min(ejecta / (h * D), one);

    /* where the flank ends; half widths of the crest; roundness of the floor */
    ty_real edge = one + TY_R(0.514) * exp(TY_R(0.011) * lg) * (one + TY_R(0.5) * old);
    ty_real in = TY_R(0.06) + TY_R(0.30) * old, out = TY_R(0.10) + TY_R(0.45) * old;
    ty_real c = ty_k_max(TY_R(1.7320508) * TY_R(0.200) * exp(TY_R(0.143) * lg), TY_R(0.35));
    c += TY_R(0.25) * old;
    ty_k_crater k;
    k.inv_r = TY_R(2.0) / D;
    k.s1 = one - in;
    k.s2 = one + out;
    k.w2 = edge * edge;
    k.rim = rim;
    k.floor = rim - depth;

    /* bowl and inner half of the crest: same height and slope at s1 */
    ty_real root = sqrt(k.s1 * k.s1 + c * c);
    k.c = c;
    k.cc = c * c;
    k.wall = depth / (root - c + TY_R(0.5) * in * k.s1 / root);
    k.cap_in = TY_R(0.5) * k.wall * k.s1 / (root * in);

    /* outer half and flank: same height and slope at s2 */
    ty_real q = one / k.s2, q3 = q * q * q, x = (k.w2 - k.s2 * k.s2) / (k.w2 - one);
    ty_real value = (one - e) * x * x + e * q3;
    ty_real fall = (one - e) * TY_R(4.0) * x * k.s2 / (k.w2 - one) + TY_R(3.0) * e * q3 * q;
    ty_real scale = rim / (value + TY_R(0.5) * out * fall);
    k.lift = scale * (one - e) / ((k.w2 - one) * (k.w2 - one));
    k.blanket = scale * e;
    k.cap_out = TY_R(0.5) * scale * fall / out;
    k.exx = k.eyy = one;
    k.exy = k.lobe_a = k.lobe_b = TY_R(0.0);
    return k;
}

/* D [m], depth_ratio [-] > 0, freshness [-] 0 to 1: a round crater whose rim has aged with its edge */
TY_KFN ty_k_crater ty_k_crater_make(ty_real D, ty_real depth_ratio, ty_real freshness)
{
    return ty_k_crater_make_worn(D, depth_ratio, TY_R(1.0) - freshness, TY_R(1.0));
}

/* Gives the outline an ellipse (oval [-] in the direction angle [rad]) and three lobes (lobe [-], phase [rad]). */
TY_KFN ty_k_crater ty_k_crater_distort(ty_k_crater k, ty_real oval, ty_real angle, ty_real lobe, ty_real phase)
{
    k.exx = TY_R(1.0) + oval * cos(TY_R(2.0) * angle);
    k.eyy = TY_R(1.0) - oval * cos(TY_R(2.0) * angle);
    k.exy = TY_R(2.0) * oval * sin(TY_R(2.0) * angle);
    k.lobe_a = lobe * cos(phase);
    k.lobe_b = lobe * sin(phase);
    return k;
}

/* Height [m] at the squared distance ss [radii^2]; 0 from 3 radii on. */
TY_KFN ty_real ty_k_crater_profile(ty_k_crater k, ty_real ss)
{
    const ty_real one = TY_R(1.0), zero = TY_R(0.0);
    ty_real s = sqrt(ss), x = s - one;
    ty_real bowl = k.floor + k.wall * (sqrt(ss + k.cc) - k.c);
    ty_real crest = k.rim - (x < zero ? k.cap_in : k.cap_out) * x * x;
    ty_real q = one / ty_k_max(s, one);
    ty_real u = ty_k_max(k.w2 - ss, zero);
    ty_real g = ty_k_clamp((TY_R(9.0) - ss) * TY_R(0.2), zero, one);
    ty_real fade = g * g * (TY_R(3.0) - TY_R(2.0) * g);
    ty_real flank = k.lift * u * u + k.blanket * (q * q * q) * fade;
    ty_real outer = s < k.s2 ? crest : flank;
    return s < k.s1 ? bowl : outer;
}

/* Height [m] at (dx, dy) [m] from the centre. */
TY_KFN ty_real ty_k_crater_height(ty_k_crater k, ty_real dx, ty_real dy)
{
    ty_real x = dx * k.inv_r, y = dy * k.inv_r;
    ty_real xx = x * x, yy = y * y;
    ty_real ss = k.exx * xx + k.exy * x * y + k.eyy * yy;
    ty_real lobes = k.lobe_a * x * (xx - TY_R(3.0) * yy) + k.lobe_b * y * (TY_R(3.0) * xx - yy);
    return ty_k_crater_profile(k, ty_k_max(ss + lobes / (TY_R(1.0) + xx + yy), TY_R(0.0)));
}

/* Power spectrum of ground that craters in equilibrium have made, along a line: S(f) = TY_K_CRATER_POWER f^-3 [m3],
 * f [1/m]. The exponent follows from the law (numbers fall as D^-2, heights grow as D); the constant was measured on
 * ground made with the depths and shapes above (54 places, 6 seeds), where it holds within 0.8 dB from 1 to 70 m. */
#define TY_K_CRATER_POWER 1.15e-4

#endif
