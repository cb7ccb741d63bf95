/* kernels/k_sdf.h - signed distance [m] of a point from simple solids, in the solid's own axes: negative inside, with the
 * unit gradient, which points out of the solid. Exact outside; inside boxes and cylinders towards the nearest face. And of any shape whose
 * distances are given on a lattice.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SDF_H
#define TY_K_SDF_H
#include "k_vec.h"

typedef struct ty_k_sdf {
    ty_real d;   /* [m] */
    ty_k_vec3 n; /* [-] */
} ty_k_sdf;

enum {
    TY_K_SDF_PLANE,
    TY_K_SDF_SPHERE,
    TY_K_SDF_CYLINDER,
    TY_K_SDF_BOX,
    TY_K_SDF_WHEEL,
    TY_K_SDF_GRID,
    TY_K_SDF_TUBE,
    TY_K_SDF_HOLE
};

/* All below z = 0. */
TY_KFN ty_k_sdf ty_k_sdf_plane(ty_k_vec3 x)
{
    ty_k_sdf s = { x.z, { 0, 0, 1 } };
    return s;
}

TY_KFN ty_k_sdf ty_k_sdf_sphere(ty_k_vec3 x, ty_real r)
{
    ty_real length = ty_k_norm(x);
    ty_k_sdf s = { length - r, { 0, 0, 1 } };
    if (length > TY_R(0.0)) {
        s.n = ty_k_scale(TY_R(1.0) / length, x);
    }
    return s;
}

/* A box of half sizes a, b, c. */
TY_KFN ty_k_sdf ty_k_sdf_box(ty_k_vec3 x, ty_real a, ty_real b, ty_real c)
{
    ty_real sx = x.x < 0 ? TY_R(-1.0) : TY_R(1.0), sy = x.y < 0 ? TY_R(-1.0) : TY_R(1.0),
            sz = x.z < 0 ? TY_R(-1.0) : TY_R(1.0);
    ty_k_vec3 q = { fabs(x.x) - a, fabs(x.y) - b, fabs(x.z) - c };
    ty_k_vec3 out = { ty_k_max(q.x, 0), ty_k_max(q.y, 0), ty_k_max(q.z, 0) };
    ty_real length = ty_k_norm(out);
    ty_k_sdf s = { length, { 0, 0, 0 } };
    if (length > TY_R(0.0)) {
        s.n = ty_k_vec(sx * out.x / length, sy * out.y / length, sz * out.z / length);
    } else {
        s.d = ty_k_max(q.x, ty_k_max(q.y, q.z));
        s.n = s.d == q.x ? ty_k_vec(sx, 0, 0) : s.d == q.y ? ty_k_vec(0, sy, 0) : ty_k_vec(0, 0, sz);
    }
    return s;
}

/* A cylinder about z of radius r and half height c. */
TY_KFN ty_k_sdf ty_k_sdf_cylinder(ty_k_vec3 x, ty_real r, ty_real c)
{
    ty_real rho = sqrt(x.x * x.x + x.y * x.y), sz = x.z < 0 ? TY_R(-1.0) : TY_R(1.0);
    ty_real ex = rho > TY_R(0.0) ? x.x / rho : TY_R(1.0), ey = rho > TY_R(0.0) ? x.y / rho : TY_R(0.0);
    ty_real q = rho - r, p = fabs(x.z) - c, oq = ty_k_max(q, 0), op = ty_k_max(p, 0), length = sqrt(oq * oq + op * op);
    ty_k_sdf s = { length, { 0, 0, 0 } };
    if (length > TY_R(0.0)) {
        s.n = ty_k_vec(ex * oq / length, ey * oq / length, sz * op / length);
    } else {
        s.d = ty_k_max(q, p);
        s.n = s.d == q ? ty_k_vec(ex, ey, 0) : ty_k_vec(0, 0, sz);
    }
    return s;
}

/* All that is farther than r from z: the wall of a silo. */
TY_KFN ty_k_sdf ty_k_sdf_tube(ty_k_vec3 x, ty_real r)
{
    ty_real rho = sqrt(x.x * x.x + x.y * x.y), by = rho > TY_R(0.0) ? TY_R(-1.0) / rho : TY_R(0.0);
    ty_k_sdf s = { r - rho, { by * x.x, by * x.y, 0 } };
    return s;
}

/* A plate across z of half thickness c with a round hole of radius r in it. */
TY_KFN ty_k_sdf ty_k_sdf_hole(ty_k_vec3 x, ty_real r, ty_real c)
{
    ty_k_sdf in = ty_k_sdf_tube(x, r);
    ty_real sz = x.z < 0 ? TY_R(-1.0) : TY_R(1.0), p = fabs(x.z) - c, oq = ty_k_max(in.d, 0), op = ty_k_max(p, 0),
            length = sqrt(oq * oq + op * op);
    ty_k_sdf s = { length, { 0, 0, 0 } };
    if (length > TY_R(0.0)) {
        s.n = ty_k_vec(in.n.x * oq / length, in.n.y * oq / length, sz * op / length);
    } else {
        s.d = ty_k_max(in.d, p);
        s.n = s.d == in.d ? in.n : ty_k_vec(0, 0, sz);
    }
    return s;
}

/* A wheel about y: a rim of radius r and half width c, and `lugs` plates of the full width around it, of height h and half thickness t;
 * the first stands along +z. */
TY_KFN ty_k_sdf ty_k_sdf_wheel(ty_k_vec3 x, ty_real r, ty_real h, ty_real c, int lugs, ty_real t)
{
    ty_k_sdf rim = ty_k_sdf_cylinder(ty_k_vec(x.z, x.x, x.y), r, c);
    rim.n = ty_k_vec(rim.n.y, rim.n.z, rim.n.x);
    if (lugs > 0 && rim.d < TY_R(2.0) * h + t) {
        /* into the axes of the nearest plate: w out of the axle, u across the plate */
        ty_real pitch = TY_R(2.0) * TY_K_PI / (ty_real)lugs, turn = pitch * rint(atan2(x.x, x.z) / pitch),
                s = sin(turn), k = cos(turn), w = x.x * s + x.z * k, u = x.x * k - x.z * s;
        /* from within the rim on, so that there is no gap between them */
        ty_k_sdf plate = ty_k_sdf_box(ty_k_vec(u, x.y, w - r), t, c, h);
        if (plate.d < rim.d) {
            rim.d = plate.d;
            rim.n = ty_k_vec(plate.n.x * k + plate.n.z * s, plate.n.y, plate.n.z * k - plate.n.x * s);
        }
    }
    return rim;
}

/* Distances on a lattice of n nodes per axis (the first axis fastest), 1 / inv apart from `low` on: between nodes by the three-linear
 * rule, with its gradient made a unit vector. Beyond the lattice, and where the gradient is nothing, d is far and n zero: nothing is met. */
TY_KFN ty_k_sdf ty_k_sdf_grid(ty_k_vec3 x, TY_GLOBAL const float *value, ty_i32 nx, ty_i32 ny, ty_i32 nz, ty_k_vec3 low,
                              ty_real inv)
{
    ty_k_sdf s = { TY_R(1e9), { 0, 0, 0 } };
    ty_real u = (x.x - low.x) * inv, v = (x.y - low.y) * inv, w = (x.z - low.z) * inv;
    if (!(u >= 0 && v >= 0 && w >= 0 && u < (ty_real)(nx - 1) && v < (ty_real)(ny - 1) && w < (ty_real)(nz - 1))) {
        return s;
    }
    ty_i32 i = (ty_i32)u, j = (ty_i32)v, k = (ty_i32)w;
    u -= (ty_real)i;
    v -= (ty_real)j;
    w -= (ty_real)k;
    TY_GLOBAL const float *a = value + ((size_t)k * (size_t)ny + (size_t)j) * (size_t)nx + (size_t)i, *b = a + nx,
                          *c = a + (size_t)nx * (size_t)ny, *d = c + nx;
    /* along x, then y, then z */
    ty_real a0 = a[0], b0 = b[0], c0 = c[0], d0 = d[0], ax = (ty_real)a[1] - a0, bx = (ty_real)b[1] - b0,
            cx = (ty_real)c[1] - c0, dx = (ty_real)d[1] - d0;
    ty_real pa = a0 + u * ax, pb = b0 + u * bx, pc = c0 + u * cx, pd = d0 + u * dx;
    ty_real low_z = pa + v * (pb - pa), high_z = pc + v * (pd - pc);
    ty_real gx0 = ax + v * (bx - ax), gx1 = cx + v * (dx - cx), gy0 = pb - pa, gy1 = pd - pc;
    ty_k_vec3 g = { gx0 + w * (gx1 - gx0), gy0 + w * (gy1 - gy0), high_z - low_z };
    ty_real size = ty_k_norm(g) * inv;
    if (size > TY_R(1e-3)) {
        s.d = low_z + w * (high_z - low_z);
        s.n = ty_k_scale(inv / size, g);
    }
    return s;
}

/* By kind; size a, b, c as above; a wheel's lugs are b high. */
TY_KFN ty_k_sdf ty_k_sdf_of(int kind, ty_real a, ty_real b, ty_real c, int lugs, ty_real t, ty_k_vec3 x)
{
    if (kind == TY_K_SDF_WHEEL) {
        return ty_k_sdf_wheel(x, a, b, c, lugs, t);
    }
    if (kind == TY_K_SDF_SPHERE) {
        return ty_k_sdf_sphere(x, a);
    }
    if (kind == TY_K_SDF_CYLINDER) {
        return ty_k_sdf_cylinder(x, a, c);
    }
    if (kind == TY_K_SDF_TUBE) {
        return ty_k_sdf_tube(x, a);
    }
    if (kind == TY_K_SDF_HOLE) {
        return ty_k_sdf_hole(x, a, c);
    }
    return kind == TY_K_SDF_BOX ? ty_k_sdf_box(x, a, b, c) : ty_k_sdf_plane(x);
}

#endif
