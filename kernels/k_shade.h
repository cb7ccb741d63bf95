/* kernels/k_shade.h - from a hit to a surface that can be shaded: normals with the relief that the geometry does not
 * have, the side that is seen, and where the next ray starts.
 *
 * Slopes, sizes and offsets here are ours, where no source is named: they make pictures look as close-up photographs
 * of soil and stones do, and no measurement hangs on them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SHADE_H
#define TY_K_SHADE_H
#include "k_bump.h"
#include "k_spline.h"

/* ---- grain: soil goes on below the finest cell ----
 *
 * Clods and grains: near the eye the shading normal is tilted by noise of 3 cm and less, as far as the cells of the
 * ground do not show it themselves, with the slopes that the relief would have there (0.1 for each halving). */
#define TY_K_GRAIN_WIDE  TY_R(0.03)   /* [m] cells of the widest octave */
#define TY_K_GRAIN_RING  TY_R(0.021)  /* [m] ground with wider cells than these is too far away for it */
#define TY_K_GRAIN_TURN  TY_R(4096.0) /* [cells] after which it repeats, so that floats still tell places apart */
#define TY_K_GRAIN_SLOPE TY_R(0.1)

typedef struct ty_k_grain { /* of a ring of ground */
    ty_real reach;          /* [m] from the eye to where it has faded; 0: the ring has none */
    ty_real slope;          /* [-] of each octave; TY_K_GRAIN_SLOPE where the ground says nothing */
    int first;              /* octaves that the ring's own cells show */
} ty_k_grain;

/* d [m] spacing of the ring, cells along its side. It is gone where the last ring that has it ends. */
TY_KFN ty_k_grain ty_k_grain_make(ty_real d, ty_real cells)
{
    ty_k_grain g = { TY_R(0.0), TY_K_GRAIN_SLOPE, 0 };
    if (d <= TY_K_GRAIN_RING) {
        ty_real last = d * (TY_R(2.0) * d > TY_K_GRAIN_RING ? TY_R(1.0) : TY_R(2.0));
        g.reach = TY_R(0.5) * cells * last;
        g.first = d < TY_R(0.5) * TY_K_GRAIN_RING;
    }
    return g;
}

/* [cells of the widest octave, 0 to TY_K_GRAIN_TURN] along one axis, at a sample's number of a lattice with spacing d
 * [m]. Samples count from the site's origin and may be many: in double, or for the first sample of a tile in double. */
TY_KFN ty_real ty_k_grain_place(ty_real sample, ty_real d)
{
    ty_real u = sample * d / TY_K_GRAIN_WIDE;
    return u - TY_K_GRAIN_TURN * floor(u / TY_K_GRAIN_TURN);
}

/* [-] how much of it is left at a distance: all of it up to three eighths of its reach */
TY_KFN ty_real ty_k_grain_fade(ty_real far, ty_real reach)
{
    return ty_k_max(TY_R(0.0), ty_k_min(TY_R(1.0), TY_R(1.6) * (TY_R(1.0) - far / reach)));
}

/* The normal n with its grain; u, v from ty_k_grain_place(), far [m] from the eye. */
TY_KFN ty_k_vec3 ty_k_grain_normal(ty_k_grain g, ty_k_vec3 n, ty_real u, ty_real v, ty_real far)
{
    ty_real wide = (ty_real)(1 << g.first);
    return ty_k_bump(n, ty_k_vec(u * wide, v * wide, TY_R(0.5)), g.slope * ty_k_grain_fade(far, g.reach), 5 - g.first,
                     7u + (ty_u32)g.first);
}

/* ---- rocks ----
 *
 * Convex bodies of few facets; a broken stone is uneven at every size. The normal is tilted by noise that stands in the
 * rock's own frame: five octaves, the widest of a third of the rock, slopes of about 0.15.
 * p [rocks]: place in the rock's frame over its scale. */
#define TY_K_ROCK_CELLS TY_R(3.0)
TY_KFN ty_k_vec3 ty_k_rock_normal(ty_k_vec3 n, ty_k_vec3 p, ty_u32 id)
{
    return ty_k_bump(n, p, TY_R(0.17), 5, id);
}

/* ---- ground and meshes ---- */

/* Unit normal of a height field; g from ty_k_cell(), per [1/m] cells per metre. */
TY_KFN ty_k_vec3 ty_k_ground_normal(ty_k_ground g, ty_real per)
{
    return ty_k_unit(ty_k_vec(-g.zx * per, -g.zy * per, TY_R(1.0)));
}

/* Between the normals of a triangle's corners, at its barycentric u, v; not of unit length. */
TY_KFN ty_k_vec3 ty_k_smooth_normal(ty_k_vec3 a, ty_k_vec3 b, ty_k_vec3 c, ty_real u, ty_real v)
{
    ty_k_vec3 sum = ty_k_add(ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(0.0)), ty_k_scale(TY_R(1.0) - u - v, a));
    return ty_k_add(ty_k_add(sum, ty_k_scale(u, b)), ty_k_scale(v, c));
}

/* ---- the side that is seen, and off it ---- */

typedef struct ty_k_facing {
    ty_k_vec3 n, facet; /* [-] unit: shading and geometric normal, on the eye's side */
    int behind;         /* the surface was met from its back */
} ty_k_facing;

/* Both normals to the side that a ray along d came from; a shading normal that is not, or hardly, is bent until it just
 * is (cosine 0.005): a surface that is seen must not be shaded as one that cannot be. */
#define TY_K_GRAZE TY_R(0.005)
TY_KFN ty_k_facing ty_k_face(ty_k_vec3 n, ty_k_vec3 facet, ty_k_vec3 d)
{
    ty_k_facing f = { n, facet, ty_k_dot(facet, d) > TY_R(0.0) };
    if (f.behind) {
        f.facet = ty_k_scale(TY_R(-1.0), facet);
        f.n = ty_k_scale(TY_R(-1.0), n);
    }
    ty_real mu = -ty_k_dot(f.n, d);
    if (mu < TY_K_GRAZE) {
        f.n = ty_k_unit(ty_k_add(f.n, ty_k_scale(mu - TY_K_GRAZE, d)));
    }
    return f;
}

/* [m] how far off a surface at p [m, traced frame] a further ray starts: more than the rounding of the place in float
 * and of the tracer's own arithmetic. */
TY_KFN ty_real ty_k_lift(ty_k_vec3 p)
{
    return TY_R(1e-5) + TY_R(2e-6) * (fabs(p.x) + fabs(p.y) + fabs(p.z));
}

/* ---- points in the sky ---- */

/* [sr] what a pixel sees: the two triangles between the unit vectors through its corners, in order round it. For
 * pixels of less than a degree; the chord is shorter than the arc by a 24th of the angle squared. */
TY_KFN ty_real ty_k_pixel_angle(ty_k_vec3 a, ty_k_vec3 b, ty_k_vec3 c, ty_k_vec3 d)
{
    ty_k_vec3 ab = ty_k_sub(b, a), ac = ty_k_sub(c, a), ad = ty_k_sub(d, a);
    return TY_R(0.5) * (ty_k_norm(ty_k_cross(ab, ac)) + ty_k_norm(ty_k_cross(ac, ad)));
}

/* [W/m^2/sr] a pixel's radiance from a star of this irradiance [W/m^2] that is in it for a share [-] of the exposure */
TY_KFN ty_real ty_k_star_radiance(ty_real irradiance, ty_real share, ty_real angle)
{
    return irradiance * (share / angle);
}

#endif
