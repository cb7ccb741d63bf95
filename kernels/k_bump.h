/* kernels/k_bump.h - small unevenness of a solid's surface, as a field of slopes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_BUMP_H
#define TY_K_BUMP_H
#include "k_vec.h"

/* A number in [-1, 1] for each point of a lattice, by integer mixing: multiply, shift, exclusive or, twice. */
TY_KFN ty_real ty_k_lattice(ty_i32 x, ty_i32 y, ty_i32 z, ty_u32 seed)
{
    ty_u32 h = seed ^ ((ty_u32)x * 0x8da6b343u) ^ ((ty_u32)y * 0xd8163841u) ^ ((ty_u32)z * 0xcb1ab31fu);
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    h ^= h >> 15;
    return (ty_real)(ty_i32)(h >> 8) * TY_R(1.0 / 8388608.0) - TY_R(1.0);
}

/* Value noise in the plane at x, y [cells]: lattice numbers joined by the same quintic as below; -1 to 1. */
TY_KFN ty_real ty_k_noise2(ty_real x, ty_real y, ty_u32 seed)
{
    ty_real bx = floor(x), by = floor(y), u = x - bx, v = y - by;
    ty_i32 i = (ty_i32)bx, j = (ty_i32)by;
    u = u * u * u * (u * (u * TY_R(6.0) - TY_R(15.0)) + TY_R(10.0));
    v = v * v * v * (v * (v * TY_R(6.0) - TY_R(15.0)) + TY_R(10.0));
    ty_real a = ty_k_lattice(i, j, 0, seed), b = ty_k_lattice(i + 1, j, 0, seed);
    ty_real c = ty_k_lattice(i, j + 1, 0, seed), d = ty_k_lattice(i + 1, j + 1, 0, seed);
    a += u * (b - a);
    c += u * (d - c);
    return a + v * (c - a);
}

/* Gradient of value noise at p [cells]: lattice numbers joined by the quintic 6 t^5 - 15 t^4 + 10
 * t^3, whose first and second derivatives vanish at the lattice, so that the gradient is smooth. */
TY_KFN ty_k_vec3 ty_k_noise_gradient(ty_k_vec3 p, ty_u32 seed)
{
    ty_real c[3] = { p.x, p.y, p.z }, w[3][2], d[3][2], g[3] = { TY_R(0.0), TY_R(0.0), TY_R(0.0) };
    ty_i32 at[3];
    for (int k = 0; k < 3; k++) {
        ty_real base = floor(c[k]), t = c[k] - base;
        at[k] = (ty_i32)base;
        w[k][1] = t * t * t * (t * (t * TY_R(6.0) - TY_R(15.0)) + TY_R(10.0));
        w[k][0] = TY_R(1.0) - w[k][1];
        d[k][1] = TY_R(30.0) * t * t * (t - TY_R(1.0)) * (t - TY_R(1.0));
        d[k][0] = -d[k][1];
    }
    for (int i = 0; i < 8; i++) {
        int x = i & 1, y = i >> 1 & 1, z = i >> 2;
        ty_real h = ty_k_lattice(at[0] + x, at[1] + y, at[2] + z, seed);
        g[0] += h * d[0][x] * w[1][y] * w[2][z];
        g[1] += h * w[0][x] * d[1][y] * w[2][z];
        g[2] += h * w[0][x] * w[1][y] * d[2][z];
    }
    return ty_k_vec(g[0], g[1], g[2]);
}

/* A unit normal n, tilted by `octaves` of noise, each half as wide as the one before and as steep:
 * heights that shrink with their width, as on a broken surface. p [cells of the widest]; slope [-]
 * of each octave, about. */
TY_KFN ty_k_vec3 ty_k_bump(ty_k_vec3 n, ty_k_vec3 p, ty_real slope, int octaves, ty_u32 seed)
{
    ty_k_vec3 sum = ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(0.0));
    for (int k = 0; k < octaves; k++) {
        sum = ty_k_add(sum, ty_k_noise_gradient(p, seed + (ty_u32)k));
        p = ty_k_scale(TY_R(2.0), p);
    }
    sum = ty_k_sub(sum, ty_k_scale(ty_k_dot(sum, n), n)); /* along the surface only */
    return ty_k_unit(ty_k_sub(n, ty_k_scale(slope, sum)));
}

#endif
