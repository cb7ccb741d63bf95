/* kernels/k_clod.h - loose soil as it is seen: clods, each a ball with flat faces cut off by chance.
 *
 * A clod is a place, a radius and a number; its faces and its attitude come from the number alone, so that a few words of memory stand for a
 * body with up to 12 facets. Faces are across the axes of an icosahedron, at 0.65 to 1 of the radius.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_CLOD_H
#define TY_K_CLOD_H
#include "k_philox.h"
#include "k_vec.h"

/* [-] mean volume of a clod over that of its ball (tests/unit/kernels/test_k_clod.c) */
#define TY_K_CLOD_FILL TY_R(0.70)

typedef struct ty_k_clod {
    ty_k_vec3 p; /* [m] middle */
    ty_real r;   /* [m] of the ball around it */
    ty_u32 seed;
} ty_k_clod;

typedef struct ty_k_clod_hit {
    ty_real t;   /* [m] along the ray; below 0: it passes */
    ty_k_vec3 n; /* unit normal there */
} ty_k_clod_hit;

/* byte number i of four words, as 0 to 1 */
TY_KFN ty_real ty_k_clod_byte(ty_k_u32x4 w, int i)
{
    return (ty_real)(w.v[i >> 2] >> (8 * (i & 3)) & 255u) * TY_R(1.0 / 255.0);
}

/* columns of the matrix that turns a clod's own axes to the frame's */
typedef struct ty_k_clod_axes {
    ty_k_vec3 x, y, z;
} ty_k_clod_axes;
TY_KFN ty_k_clod_axes ty_k_clod_turn(ty_k_u32x4 w)
{
    const ty_real one = TY_R(1.0), two = TY_R(2.0);
    ty_real a = ty_k_clod_byte(w, 12) + TY_R(0.01), b = two * ty_k_clod_byte(w, 13) - one,
            c = two * ty_k_clod_byte(w, 14) - one, d = two * ty_k_clod_byte(w, 15) - one;
    ty_real s = one / sqrt(a * a + b * b + c * c + d * d);
    a *= s, b *= s, c *= s, d *= s;
    ty_k_clod_axes m;
    m.x = ty_k_vec(one - two * (c * c + d * d), two * (b * c + a * d), two * (b * d - a * c));
    m.y = ty_k_vec(two * (b * c - a * d), one - two * (b * b + d * d), two * (c * d + a * b));
    m.z = ty_k_vec(two * (b * d + a * c), two * (c * d - a * b), one - two * (b * b + c * c));
    return m;
}

/* axis number k of an icosahedron's six, unit */
TY_KFN ty_k_vec3 ty_k_clod_axis(int k)
{
    const ty_real a = k & 1 ? TY_R(-0.52573111211913361) : TY_R(0.52573111211913361), b = TY_R(0.85065080835203993),
                  o = TY_R(0.0);
    return k < 2 ? ty_k_vec(o, a, b) : k < 4 ? ty_k_vec(a, b, o) : ty_k_vec(b, o, a);
}

/* The ray from o along the unit vector d meets a clod from outside: the ball first, by the point where the ray is nearest to its
 * middle, then the slabs between opposite faces. */
TY_KFN ty_k_clod_hit ty_k_clod_ray(ty_k_clod clod, ty_k_vec3 o, ty_k_vec3 d)
{
    ty_k_clod_hit hit;
    ty_k_vec3 c = ty_k_sub(o, clod.p);
    ty_real b = ty_k_dot(c, d);
    ty_k_vec3 near = ty_k_sub(c, ty_k_scale(b, d));
    ty_real left = clod.r * clod.r - ty_k_dot(near, near);
    hit.t = TY_R(-1.0);
    hit.n = d;
    if (!(left > TY_R(0.0))) {
        return hit;
    }
    ty_k_u32x4 w = ty_k_philox(clod.seed, 0x636c6f64u, 0u, 0u, 0u, 0u);
    ty_k_clod_axes m = ty_k_clod_turn(w);
    ty_k_vec3 p = ty_k_vec(ty_k_dot(m.x, near), ty_k_dot(m.y, near), ty_k_dot(m.z, near)),
              v = ty_k_vec(ty_k_dot(m.x, d), ty_k_dot(m.y, d), ty_k_dot(m.z, d));
    ty_real in = -sqrt(left), out = -in;
    ty_k_vec3 n = ty_k_scale(TY_R(1.0) / clod.r, ty_k_add(p, ty_k_scale(in, v)));
    for (int k = 0; k < 6; k++) {
        ty_k_vec3 axis = ty_k_clod_axis(k);
        ty_real at = ty_k_dot(axis, p), rate = ty_k_dot(axis, v);
        ty_real side = rate > TY_R(0.0) ? TY_R(-1.0) : TY_R(1.0); /* of the face that it enters by */
        ty_real high = clod.r * (TY_R(0.65) + TY_R(0.35) * ty_k_clod_byte(w, 2 * k)),
                low = clod.r * (TY_R(0.65) + TY_R(0.35) * ty_k_clod_byte(w, 2 * k + 1));
        ty_real first = side > TY_R(0.0) ? high : low, last = side > TY_R(0.0) ? low : high;
        if (fabs(rate) < TY_R(1e-6)) {
            out = at > high || at < -low ? in - clod.r : out;
            continue;
        }
        ty_real enters = (side * first - at) / rate, leaves = (-side * last - at) / rate;
        if (enters > in) {
            in = enters;
            n = ty_k_scale(side, axis);
        }
        out = ty_k_min(out, leaves);
    }
    if (in < out && in > b) {
        hit.t = in - b;
        hit.n = ty_k_add(ty_k_add(ty_k_scale(n.x, m.x), ty_k_scale(n.y, m.y)), ty_k_scale(n.z, m.z));
    }
    return hit;
}

/* ---- lumps: particles of loose soil as clods ----
 *
 * A particle stands for a cube of soil `size` [m] wide; it is seen as TY_K_CLODS of them, from 0.61 to 0.33 of its width, whose own volumes add up to 0.6 of
 * the cube (the rest is the room between them), each within half the width of the particle's middle, as far as sheets keep off it, by chance that depends on its
 * number alone. */
#define TY_K_CLODS      24
#define TY_K_CLOD_FIRST TY_R(0.615) /* [-] diameter of the first over the width; number k has (k + 1)^-0.2 of it */

TY_KFN ty_k_clod ty_k_clod_of(ty_k_vec3 at, ty_real size, ty_u32 id, int k)
{
    ty_k_clod clod;
    ty_k_u32x4 w = ty_k_philox(id, 0x6c756d70u, (ty_u32)k, 0u, 0u, 0u);
    clod.r = TY_R(0.5) * TY_K_CLOD_FIRST * size * pow((ty_real)(k + 1), TY_R(-0.2));
    ty_real z = TY_R(2.0) * ty_k_uniform(w.v[0]) - TY_R(1.0), angle = TY_R(2.0) * TY_K_PI * ty_k_uniform(w.v[1]),
            round = sqrt(ty_k_max(TY_R(1.0) - z * z, TY_R(0.0)));
    ty_real far = (TY_R(0.5) * size - clod.r) * pow(ty_k_uniform(w.v[2]), TY_R(1.0 / 3.0));
    clod.p = ty_k_add(at, ty_k_scale(far, ty_k_vec(round * cos(angle), round * sin(angle), z)));
    clod.seed = w.v[3];
    return clod;
}

#endif
