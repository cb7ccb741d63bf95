/* kernels/k_light.h - what lights there are, and how a surface sees them.
 *
 * A light answers with a direction, a distance and the irradiance [W/m^2] it gives to a surface
 * that faces it; radiance = irradiance BRDF mu0.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_LIGHT_H
#define TY_K_LIGHT_H
#include "k_angles.h"

enum ty_k_light_kind {
    TY_K_LIGHT_DISK = 0,  /* infinitely far, of some angular radius: Sun, Earth; radius 0: directional */
    TY_K_LIGHT_POINT = 1, /* at a place, the same to all sides */
    TY_K_LIGHT_SPOT = 2   /* at a place, in a cone about its axis */
};

typedef struct ty_k_light {
    int kind;
    ty_k_vec3 axis;     /* [-] unit: disk: towards its centre; spot: where it points */
    ty_k_vec3 place;    /* [m] point, spot */
    ty_real tan_radius; /* [-] disk: tangent of its angular radius */
    ty_real cos_outer;  /* [-] spot: cosine where it ends */
    ty_real inv_blend;  /* [-] spot: 1 / (cosine where it begins to fade - cos_outer) */
} ty_k_light;

typedef struct ty_k_lit {
    ty_k_vec3 l;   /* [-] unit, towards the light */
    ty_real far;   /* [m] how far it is */
    ty_real share; /* disk: [-] of its irradiance; point and spot: [1/m^2] of its intensity [W/sr] */
} ty_k_lit;

/* A point of the unit disk from a point of the unit square, areas kept and neighbours kept
 * together. [shirley1997], without its branches: the octant's angle by a polynomial of sine and
 * cosine. */
TY_KHOT void ty_k_unit_disk(ty_real u, ty_real v, ty_real *x, ty_real *y)
{
    ty_real a = TY_R(2.0) * u - TY_R(1.0), b = TY_R(2.0) * v - TY_R(1.0);
    int wide = a * a > b * b;
    ty_real r = wide ? a : b, q = wide ? b : a;
    ty_real t = TY_K_PI * TY_R(0.25) * q / (r * r > TY_R(0.0) ? r : TY_R(1.0)), t2 = t * t; /* |t| <= pi/4 */
    ty_real c =
        TY_R(1.0) - t2 * (TY_R(0.5) - t2 * (TY_R(1.0 / 24.0) - t2 * (TY_R(1.0 / 720.0) - t2 * TY_R(1.0 / 40320.0))));
    ty_real s =
        t * (TY_R(1.0) -
             t2 * (TY_R(1.0 / 6.0) - t2 * (TY_R(1.0 / 120.0) - t2 * (TY_R(1.0 / 5040.0) - t2 * TY_R(1.0 / 362880.0)))));
    *x = r * (wide ? c : s);
    *y = r * (wide ? s : c);
}

/* Towards a point of a distant disk: e0, e1 across its axis. Even over the disk, which is even over
 * its solid angle to (1 + tan^2)^1.5: 3e-5 for the Sun. */
TY_KHOT ty_k_vec3 ty_k_disk_direction(ty_k_vec3 axis, ty_k_vec3 e0, ty_k_vec3 e1, ty_real tan_radius, ty_real u,
                                      ty_real v)
{
    ty_real x, y;
    ty_k_unit_disk(u, v, &x, &y);
    return ty_k_unit(ty_k_add(axis, ty_k_add(ty_k_scale(tan_radius * x, e0), ty_k_scale(tan_radius * y, e1))));
}

/* Point and spot lights: intensity / d^2; a spot fades with the smooth step 3 s^2 - 2 s^3 of the cosine. */
TY_KHOT ty_k_lit ty_k_light_place(ty_k_light m, ty_k_vec3 p)
{
    ty_k_lit lit;
    ty_k_vec3 d = ty_k_sub(m.place, p);
    ty_real q = ty_k_max(ty_k_dot(d, d), TY_R(1e-12));
    lit.far = sqrt(q);
    lit.l = ty_k_scale(TY_R(1.0) / lit.far, d);
    ty_real s = ty_k_clamp((-ty_k_dot(lit.l, m.axis) - m.cos_outer) * m.inv_blend, TY_R(0.0), TY_R(1.0));
    ty_real cone = s * s * (TY_R(3.0) - TY_R(2.0) * s);
    lit.share = (m.kind == TY_K_LIGHT_SPOT ? cone : TY_R(1.0)) / q;
    return lit;
}

/* Any of the kinds at p: e0, e1 across a disk's axis; u, v in [0, 1) choose a point of the disk. */
TY_KFN ty_k_lit ty_k_light_at(ty_k_light m, ty_k_vec3 e0, ty_k_vec3 e1, ty_k_vec3 p, ty_real u, ty_real v)
{
    if (m.kind == TY_K_LIGHT_DISK) {
        ty_k_lit lit = { ty_k_disk_direction(m.axis, e0, e1, m.tan_radius, u, v), TY_R(1e30), TY_R(1.0) };
        return lit;
    }
    return ty_k_light_place(m, p);
}

/* A disk so low that the Moon itself hides it from all ground within reach: z [-] up component of the direction to its
 * centre, radius [rad], reach [rad] of ground round the Moon; mountains see 0.03 rad farther down. (The ground is a
 * sheet without a body under it: light from below would find the buried parts of rocks.) */
TY_KFN int ty_k_disk_below(ty_real z, ty_real radius, ty_real reach)
{
    return asin(z) + radius < -(ty_k_min(reach, TY_R(1.0)) + TY_R(0.03));
}

/* A disk as it is seen itself. */
typedef struct ty_k_disk {
    ty_k_vec3 axis, e0, e1; /* [-] towards its centre, and across   ty_k_across() */
    ty_real
        chord2; /* [-] square of the chord over its angular radius; of the Sun, a float's cosine would be off by up to 0.14 % of that */
    ty_real inv_sin; /* [-] 1 / sine of the same */
    int globe;       /* a far sphere that Lambert's law shades, lit along `lit` */
    ty_k_vec3 lit;   /* [-] unit, from it towards the Sun */
} ty_k_disk;

/* [-] as ty_k_disk has it, of an angular radius [rad] */
TY_KFN ty_real ty_k_disk_chord2(ty_real radius)
{
    ty_real s = sin(TY_R(0.5) * radius);
    return TY_R(4.0) * s * s;
}

/* [-] share of its (a globe's brightest) radiance that a disk shows along unit d; 0: d misses it */
TY_KFN ty_real ty_k_disk_seen(ty_k_disk m, ty_k_vec3 d)
{
    ty_k_vec3 off = ty_k_sub(d, m.axis);
    if (!(ty_k_dot(off, off) < m.chord2)) {
        return TY_R(0.0);
    }
    if (!m.globe) {
        return TY_R(1.0);
    }
    /* where the far sphere is met: x, y across, the normal towards us */
    ty_real x = ty_k_dot(d, m.e0) * m.inv_sin, y = ty_k_dot(d, m.e1) * m.inv_sin;
    ty_real z = sqrt(ty_k_max(TY_R(1.0) - x * x - y * y, TY_R(0.0)));
    ty_k_vec3 n = ty_k_sub(ty_k_add(ty_k_scale(x, m.e0), ty_k_scale(y, m.e1)), ty_k_scale(z, m.axis));
    return ty_k_max(ty_k_dot(n, m.lit), TY_R(0.0));
}

/* From a globe to the Sun [-, unit], by the phase angle [rad] under which the globe is seen: off the line back to the
 * eye by that angle, to the side where the Sun stands. So the drawn disk agrees with the light it gives, also where
 * somebody moved the Sun. */
TY_KFN ty_k_vec3 ty_k_globe_lit(ty_k_vec3 to_globe, ty_k_vec3 to_sun, ty_real phase)
{
    ty_k_vec3 back = ty_k_scale(TY_R(-1.0), to_globe);
    ty_k_vec3 side = ty_k_sub(to_sun, ty_k_scale(ty_k_dot(to_sun, back), back));
    ty_real size = ty_k_norm(side);
    side = size > TY_R(1e-9) ? ty_k_scale(TY_R(1.0) / size, side) : ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(0.0));
    return ty_k_add(ty_k_scale(cos(phase), back), ty_k_scale(sin(phase), side));
}

/* The angles of k_angles.h from unit vectors in any one frame: normal, to the light, to the eye.
 * The tangential parts are made first, so that nothing cancels near opposition or near the normal. */
TY_KHOT ty_k_angles ty_k_angles_about(ty_k_vec3 n, ty_k_vec3 l, ty_k_vec3 v)
{
    ty_k_angles a;
    a.mu0 = ty_k_dot(n, l);
    a.mu = ty_k_dot(n, v);
    ty_k_vec3 lt = ty_k_sub(l, ty_k_scale(a.mu0, n)), vt = ty_k_sub(v, ty_k_scale(a.mu, n));
    ty_k_vec3 d = ty_k_sub(l, v), m = ty_k_add(l, v), x = ty_k_cross(lt, vt);
    a.sin_i = sqrt(ty_k_dot(lt, lt));
    a.sin_e = sqrt(ty_k_dot(vt, vt));
    a.sin2_g = TY_R(0.25) * ty_k_dot(d, d);
    a.cos2_g = TY_R(0.25) * ty_k_dot(m, m);
    ty_real product = a.sin_i * a.sin_e, dot = ty_k_dot(lt, vt);
    ty_real near = sqrt(ty_k_dot(x, x)) / ty_k_max(product + fabs(dot), TY_R(1e-30));
    return ty_k_angles_turn(a, near, dot);
}

#endif
