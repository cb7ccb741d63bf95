/* kernels/k_vec.h - three-vectors by value in the working precision.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_VEC_H
#define TY_K_VEC_H
#include "k_base.h"

typedef struct ty_k_vec3 {
    ty_real x, y, z;
} ty_k_vec3;

TY_KHOT ty_k_vec3 ty_k_vec(ty_real x, ty_real y, ty_real z)
{
    ty_k_vec3 v = { x, y, z };
    return v;
}
TY_KHOT ty_k_vec3 ty_k_add(ty_k_vec3 a, ty_k_vec3 b)
{
    return ty_k_vec(a.x + b.x, a.y + b.y, a.z + b.z);
}
TY_KHOT ty_k_vec3 ty_k_sub(ty_k_vec3 a, ty_k_vec3 b)
{
    return ty_k_vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
TY_KHOT ty_k_vec3 ty_k_scale(ty_real s, ty_k_vec3 a)
{
    return ty_k_vec(s * a.x, s * a.y, s * a.z);
}
TY_KHOT ty_real ty_k_dot(ty_k_vec3 a, ty_k_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
TY_KHOT ty_k_vec3 ty_k_cross(ty_k_vec3 a, ty_k_vec3 b)
{
    return ty_k_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
TY_KHOT ty_real ty_k_norm(ty_k_vec3 a)
{
    return sqrt(ty_k_dot(a, a));
}
TY_KHOT ty_k_vec3 ty_k_unit(ty_k_vec3 a) /* a must not be zero */
{
    return ty_k_scale(TY_R(1.0) / ty_k_norm(a), a);
}

/* Two directions across a unit vector.   [duff2017] */
TY_KHOT void ty_k_across(ty_k_vec3 w, ty_k_vec3 *e0, ty_k_vec3 *e1)
{
    ty_real s = w.z < TY_R(0.0) ? TY_R(-1.0) : TY_R(1.0);
    ty_real a = TY_R(-1.0) / (s + w.z), b = w.x * w.y * a;
    *e0 = ty_k_vec(TY_R(1.0) + s * w.x * w.x * a, s * b, -s * w.x);
    *e1 = ty_k_vec(b, s + w.y * w.y * a, -w.y);
}

#endif
