/* kernels/k_bvh.h - trees of boxes, and where rays meet boxes, triangles and spheres.
 *
 * A tree is an array of nodes; the two children of an inner node stand side by side. Items of leaves are numbers in an
 * array of their own, in an order that the builder chose (src/render/gpu/bvh.c).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_BVH_H
#define TY_K_BVH_H
#include "k_vec.h"

typedef struct __attribute__((aligned(16))) ty_k_bvh_node { /* so that a device fetches it in two pieces */
    float lo[3];
    ty_u32 first; /* inner: its first child, the second follows; leaf: its first item */
    float hi[3];
    ty_u32 count; /* items of a leaf; 0: an inner node */
} ty_k_bvh_node;

/* A triangle of a mesh, in the order of the leaves, so that its corners are fetched without asking for their numbers. */
typedef struct __attribute__((aligned(16))) ty_k_bvh_triangle {
    float a[3];
    ty_u32 prim; /* its number in the mesh */
    float b[3], pad0, c[3], pad1;
} ty_k_bvh_triangle;

/* A node that waits, or is looked into next: `first` and, in the low bits, `count`. Its box was asked before, so that its children, or items, are fetched
 * without fetching it again. */
enum { TY_K_BVH_COUNT_BITS = 4, TY_K_BVH_COUNT = 15 };
TY_KFN ty_u32 ty_k_bvh_rest(ty_k_bvh_node n)
{
    return n.first << TY_K_BVH_COUNT_BITS | n.count;
}

enum { TY_K_BVH_STACK = 40 }; /* nodes that may wait; the builder keeps trees less deep than that */

/* [-] by which a box's far side is put off, so that rounding never loses a ray that grazes it: 2 gamma(3) of float,
 * Ize 2013 [ize2013] */
#define TY_K_BVH_SLACK TY_R(1.0000004)

/* A ray as the trees take it. */
typedef struct ty_k_bvh_ray {
    ty_k_vec3 o, d, inv; /* [m]; per unit of t; 1 / d, with a large number for 0 */
} ty_k_bvh_ray;

TY_KFN ty_real ty_k_bvh_inverse(ty_real d)
{
    return fabs(d) > TY_R(1e-20) ? TY_R(1.0) / d : d < TY_R(0.0) ? TY_R(-1e20) : TY_R(1e20);
}
TY_KFN ty_k_bvh_ray ty_k_bvh_ray_make(ty_k_vec3 o, ty_k_vec3 d)
{
    ty_k_bvh_ray r;
    r.o = o, r.d = d;
    r.inv = ty_k_vec(ty_k_bvh_inverse(d.x), ty_k_bvh_inverse(d.y), ty_k_bvh_inverse(d.z));
    return r;
}

#define TY_K_BVH_MISS TY_R(3.4e38) /* [m] farther than any ray looks (3e38) */
/* Where the ray enters a box, at least 0; TY_K_BVH_MISS: it does not within far. */
TY_KFN ty_real ty_k_bvh_enter(ty_k_bvh_node n, ty_k_bvh_ray r, ty_real far)
{
    ty_real ax = ((ty_real)n.lo[0] - r.o.x) * r.inv.x, bx = ((ty_real)n.hi[0] - r.o.x) * r.inv.x;
    ty_real ay = ((ty_real)n.lo[1] - r.o.y) * r.inv.y, by = ((ty_real)n.hi[1] - r.o.y) * r.inv.y;
    ty_real az = ((ty_real)n.lo[2] - r.o.z) * r.inv.z, bz = ((ty_real)n.hi[2] - r.o.z) * r.inv.z;
    ty_real in = ty_k_max(ty_k_max(ty_k_min(ax, bx), ty_k_min(ay, by)), ty_k_max(ty_k_min(az, bz), TY_R(0.0)));
    ty_real out = ty_k_min(ty_k_min(ty_k_max(ax, bx), ty_k_max(ay, by)), ty_k_min(ty_k_max(az, bz), far));
    return in <= out * TY_K_BVH_SLACK ? in : TY_K_BVH_MISS;
}

/* Where a ray meets a triangle with corners a, b, c: t, and u, v that weigh b and c. By the signs of the edges as seen
 * from the ray's origin: two triangles that share an edge see the same number there, so that no ray slips between them.
 * [davis2012] 0: it does not, or not between 0 and *t. */
TY_KFN int ty_k_meet_triangle(ty_k_vec3 o, ty_k_vec3 d, ty_k_vec3 a, ty_k_vec3 b, ty_k_vec3 c, ty_real *t, ty_real *u,
                              ty_real *v)
{
    a = ty_k_sub(a, o), b = ty_k_sub(b, o), c = ty_k_sub(c, o);
    ty_k_vec3 ca = ty_k_sub(c, a), ab = ty_k_sub(a, b), bc = ty_k_sub(b, c);
    ty_real x = ty_k_dot(ty_k_cross(ca, ty_k_add(c, a)), d); /* weighs b */
    ty_real y = ty_k_dot(ty_k_cross(ab, ty_k_add(a, b)), d); /* weighs c */
    ty_real z = ty_k_dot(ty_k_cross(bc, ty_k_add(b, c)), d); /* weighs a */
    ty_real sum = x + y + z, slip = TY_R(2.4e-7) * fabs(sum);
    ty_real low = ty_k_min(ty_k_min(x, y), z), high = ty_k_max(ty_k_max(x, y), z);
    if (!(low >= -slip || high <= slip)) {
        return 0;
    }
    ty_k_vec3 n = ty_k_cross(ca, ab); /* twice the area, (b - a) x (c - a) */
    ty_real across = ty_k_dot(n, d);
    if (across == TY_R(0.0)) {
        return 0;
    }
    ty_real at = ty_k_dot(n, a) / across;
    if (!(at >= TY_R(0.0) && at < *t)) {
        return 0;
    }
    ty_real per = sum != TY_R(0.0) ? TY_R(1.0) / sum : TY_R(0.0);
    *t = at;
    *u = ty_k_clamp(x * per, TY_R(0.0), TY_R(1.0));
    *v = ty_k_clamp(y * per, TY_R(0.0), TY_R(1.0));
    return 1;
}

/* Where a ray meets a sphere about the origin, from outside or from within; the near side first. Unit d. The distance of
 * the centre is taken at the foot of the perpendicular, so that far spheres lose nothing [haines2019]. */
TY_KFN int ty_k_meet_sphere(ty_k_vec3 o, ty_k_vec3 d, ty_real radius, ty_real *t)
{
    ty_real b = -ty_k_dot(o, d);
    ty_k_vec3 foot = ty_k_add(o, ty_k_scale(b, d));
    ty_real q = radius * radius - ty_k_dot(foot, foot);
    if (!(q >= TY_R(0.0))) {
        return 0;
    }
    ty_real half_chord = sqrt(q), at = b - half_chord > TY_R(0.0) ? b - half_chord : b + half_chord;
    if (!(at > TY_R(0.0) && at < *t)) {
        return 0;
    }
    *t = at;
    return 1;
}

#endif
