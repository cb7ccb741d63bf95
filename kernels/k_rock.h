/* kernels/k_rock.h - rocks: how many, how they gather round craters, and where a ray meets one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_ROCK_H
#define TY_K_ROCK_H
#include "k_base.h"

/* Fraction of the area covered by rocks of at least the diameter D.
 *
 *     F(D) = k exp(-q D),  q = 1.79 + .152 / k        [golombek1997]
 *
 * D [m], k [-] fraction covered by all rocks; returns [-] */
TY_KFN ty_real ty_k_rock_cover(ty_real D, ty_real k)
{
    return k * exp(-(TY_R(1.79) + TY_R(0.152) / k) * D);
}

/* Number of rocks per area and per diameter [1/m3] that gives this cover when rocks lie anywhere,
 * also on each other. Rocks with total area A per area leave exp(-A) uncovered, so that
 * A(D) = -ln(1 - F(D)), and
 *
 *     n(D) = -A'(D) / (pi D^2 / 4) = q F / (1 - F) / (pi D^2 / 4) */
TY_KFN ty_real ty_k_rock_number(ty_real D, ty_real k)
{
    ty_real F = ty_k_rock_cover(D, k), q = TY_R(1.79) + TY_R(0.152) / k;
    return q * F / (TY_R(1.0) - F) / (TY_R(0.25) * TY_K_PI * D * D);
}

/* The same by a power law, as Surveyors counted from 1 mm to 1 m [shoemaker1969]: the number above D falls as D^-b, b > 2
 * (1.8 on the rim of Tycho, 2.1 to 2.6 on maria), so that rocks of at least D cover A(D) = A5 (D / 5 cm)^(2 - b), where
 * rocks lie anywhere, also on each other. D [m], k [-] fraction covered by those of at least 5 cm, b [-]; returns A. */
#define TY_K_ROCK_FROM 0.05 /* [m] */
TY_KFN ty_real ty_k_rock_power_area(ty_real D, ty_real k, ty_real b)
{
    return -log(TY_R(1.0) - k) * exp((TY_R(2.0) - b) * log(D / TY_R(TY_K_ROCK_FROM)));
}

/* and the number per area and per diameter [1/m3] */
TY_KFN ty_real ty_k_rock_power_number(ty_real D, ty_real k, ty_real b)
{
    return (b - TY_R(2.0)) * ty_k_rock_power_area(D, k, b) / (TY_R(0.25) * TY_K_PI * D * D * D);
}

/* How bright a rock is beside others, from `low` to `high` [-], by its number. */
TY_KFN ty_real ty_k_rock_tone(ty_u32 id, ty_real low, ty_real high)
{
    ty_u32 h = id * 0x9e3779b1u;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h ^= h >> 12;
    return low + (high - low) * (ty_real)(h >> 8) * TY_R(1.0 / 16777216.0);
}

/* How strongly a crater adds rocks, from 0 to 1, at s radii from its centre: full at the crest,
 * down to nothing at 2.5 radii, few on the floor. Ours: photographs show blocks round fresh
 * craters, not this curve. */
#define TY_K_ROCK_CRATER_REACH 2.5 /* [radii] */
TY_KFN ty_real ty_k_rock_crater(ty_real s)
{
    ty_real u = ty_k_max((TY_R(2.5) - s) * TY_R(1.0 / 1.5), TY_R(0.0));
    return s < TY_R(1.0) ? TY_R(0.2) + TY_R(0.8) * s * s * s * s : u * u * u;
}

/* The most it reaches: only fresh craters (freshness above 0.6) have blocks, and small ones dig up
 * loose soil rather than rock. D [m] of the crater; with a regolith of some metres, half the effect
 * is reached at 20 m. Ours. */
TY_KFN ty_real ty_k_rock_crater_strength(ty_real freshness, ty_real D)
{
    ty_real u = ty_k_max(freshness - TY_R(0.6), TY_R(0.0)) * TY_R(2.5);
    return u * u * D / (D + TY_R(20.0));
}

/* The same where rocks follow the power law. Stones lie in and round fresh craters of a metre or two already, as rovers at
 * high latitudes saw, on walls and floors as on crests; half the effect is reached at 2 m, and all of it in the first
 * twentieth of a crater's life. Ours. */
TY_KFN ty_real ty_k_rock_crater_stones(ty_real freshness, ty_real D)
{
    return ty_k_clamp((freshness - TY_R(0.6)) * TY_R(1.0 / 0.15), TY_R(0.0), TY_R(1.0)) * D / (D + TY_R(2.0));
}
TY_KFN ty_real ty_k_rock_crater_field(ty_real s)
{
    ty_real u = ty_k_max(TY_R(2.0) - s, TY_R(0.0));
    return s < TY_R(1.0) ? TY_R(0.6) + TY_R(0.4) * s * s * s * s : u * u;
}

/* Ground [m2] at a crater of diameter D [m] times what the two above make of it, for ages that are spread evenly over a
 * life, freshness being (1 - age)^5: 0.07589 is the mean over ages, 47/30 the field's integral over the crater's area. */
TY_KFN ty_real ty_k_rock_crater_mean(ty_real D)
{
    return TY_R(0.25) * TY_K_PI * D * D * TY_R(47.0 / 30.0) * TY_R(0.07589) * D / (D + TY_R(2.0));
}

/* ---- soil banked up round rocks ----
 *
 * Round an old rock soil stands higher than around it: fillets of 0.2 to 0.4 of the rock's height at rocks that have lain for long (photographs of
 * Apollo and Chang'e-3; some are steeper on one side, which is left out). Height [m] at s [m] from the middle of a rock of radius r [m], `high` [m] at
 * the rock, down to nothing 2.5 heights from its outline: some 20 deg. Under the rock it is level. The form is ours. */
#define TY_K_ROCK_FILLET_WIDE 2.5
TY_KFN ty_real ty_k_rock_fillet(ty_real s, ty_real r, ty_real high)
{
    ty_real in = TY_R(0.75) * r, out = r + TY_R(TY_K_ROCK_FILLET_WIDE) * high;
    ty_real u = ty_k_clamp((out - s) / (out - in), TY_R(0.0), TY_R(1.0));
    return high * u * u;
}

/* Where a rock is: its shape, multiplied by scale, turned by yaw about the vertical and moved. */
typedef struct ty_k_rock {
    ty_real x, y, z; /* [m] of the shape's origin */
    ty_real c, s;    /* cosine and sine of yaw */
    ty_real scale;   /* [m] */
} ty_k_rock;

typedef struct ty_k_rock_hit {
    ty_real t;          /* [m] along the ray; negative: missed */
    ty_real nx, ny, nz; /* outward unit normal; zero when the ray starts inside, and t is t_min */
} ty_k_rock_hit;

/* First point in a rock of the ray o + t d, 0 <= t_min <= t <= t_max [m], d of unit length: a ray is
 * inside a convex body from the last plane it enters to the first it leaves.
 * plane: 4 numbers each, outward unit normal n and offset e in the shape's unit, n . p <= e inside
 * planes: how many */
TY_KFN ty_k_rock_hit ty_k_rock_ray(TY_GLOBAL const float *plane, int planes, ty_k_rock rock, ty_real ox, ty_real oy,
                                   ty_real oz, ty_real dx, ty_real dy, ty_real dz, ty_real t_min, ty_real t_max)
{
    ty_real inv = TY_R(1.0) / rock.scale;
    ty_real px = (ox - rock.x) * inv, py = (oy - rock.y) * inv, pz = (oz - rock.z) * inv;
    /* into the shape's frame */
    ty_real ax = rock.c * px + rock.s * py, ay = rock.c * py - rock.s * px;
    ty_real bx = rock.c * dx + rock.s * dy, by = rock.c * dy - rock.s * dx;
    ty_real t0 = t_min * inv, t1 = t_max * inv;
    int face = -1;
    for (int i = 0; i < planes; i++) {
        ty_real nx = (ty_real)plane[4 * i], ny = (ty_real)plane[4 * i + 1];
        ty_real nz = (ty_real)plane[4 * i + 2], offset = (ty_real)plane[4 * i + 3];
        ty_real away = offset - (nx * ax + ny * ay + nz * pz); /* distance inside the plane */
        ty_real speed = nx * bx + ny * by + nz * dz;
        if (speed < TY_R(0.0)) {
            ty_real t = away / speed;
            face = t > t0 ? i : face;
            t0 = ty_k_max(t, t0);
        } else if (speed > TY_R(0.0)) {
            t1 = ty_k_min(away / speed, t1);
        } else if (away < TY_R(0.0)) {
            t1 = TY_R(-1.0); /* along the plane and outside */
        }
    }
    ty_k_rock_hit hit = { TY_R(-1.0), TY_R(0.0), TY_R(0.0), TY_R(0.0) };
    if (t0 <= t1) {
        hit.t = t0 * rock.scale;
        if (face >= 0) {
            ty_real nx = (ty_real)plane[4 * face], ny = (ty_real)plane[4 * face + 1];
            hit.nx = rock.c * nx - rock.s * ny;
            hit.ny = rock.s * nx + rock.c * ny;
            hit.nz = (ty_real)plane[4 * face + 2];
        }
    }
    return hit;
}

#endif
