/* kernels/k_sdf.h - signed distance [m] of a point from simple solids, in the solid's own axes: negative inside, with the
 * unit gradient, which points out of the solid. Exact outside; inside boxes and cylinders towards the nearest face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SDF_H
#define TY_K_SDF_H
#include "k_vec.h"

typedef struct ty_k_sdf {
    ty_real d;   /* [m] */
    ty_k_vec3 n; /* [-] */
} ty_k_sdf;

enum { TY_K_SDF_PLANE, TY_K_SDF_SPHERE, TY_K_SDF_CYLINDER, TY_K_SDF_BOX, TY_K_SDF_WHEEL };

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
    return kind == TY_K_SDF_BOX ? ty_k_sdf_box(x, a, b, c) : ty_k_sdf_plane(x);
}

#endif
