/* kernels/k_wide.h - formulas for one number or for a row of them.
 *
 * A formula written in ty_wide, without branches, is scalar code on a device, in `tycho eval` and in the parity tests. A
 * host file that defines TY_KERNEL_WIDE (a number of lanes; with TY_KERNEL_FLOAT) before it includes any kernel
 * gets the same formula for that many numbers at once, each with the bits that the scalar one has.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_WIDE_H
#define TY_K_WIDE_H
#include "k_base.h"

#ifdef TY_KERNEL_WIDE
typedef float ty_wide __attribute__((vector_size(4 * TY_KERNEL_WIDE)));
typedef int32_t ty_mask __attribute__((vector_size(4 * TY_KERNEL_WIDE)));
#define TY_W(x) ((ty_wide){ 0 } + (float)(x))

TY_KHOT ty_wide ty_k_pick(ty_mask yes, ty_wide a, ty_wide b)
{
    return (ty_wide)(((ty_mask)a & yes) | ((ty_mask)b & ~yes));
}
/* a b + c, rounded once; a loop that is left whole becomes one instruction */
TY_KHOT ty_wide ty_k_wide_fma(ty_wide a, ty_wide b, ty_wide c)
{
    float x[TY_KERNEL_WIDE] __attribute__((aligned(4 * TY_KERNEL_WIDE)));
    float y[TY_KERNEL_WIDE] __attribute__((aligned(4 * TY_KERNEL_WIDE)));
    float z[TY_KERNEL_WIDE] __attribute__((aligned(4 * TY_KERNEL_WIDE)));
    *(ty_wide *)x = a;
    *(ty_wide *)y = b;
    *(ty_wide *)z = c;
#ifndef __clang__
#pragma GCC unroll 1
#endif
    for (int i = 0; i < TY_KERNEL_WIDE; i++) {
        z[i] = fmaf(x[i], y[i], z[i]);
    }
    return *(ty_wide *)z;
}
TY_KHOT ty_wide ty_k_wide_sqrt(ty_wide a)
{
    float lane[TY_KERNEL_WIDE] __attribute__((aligned(4 * TY_KERNEL_WIDE)));
    *(ty_wide *)lane = a;
    for (int i = 0; i < TY_KERNEL_WIDE; i++) {
        lane[i] = sqrtf(lane[i]);
    }
    return *(ty_wide *)lane;
}
#else
typedef ty_real ty_wide;
typedef int ty_mask; /* what a comparison gives */
#define TY_W(x) TY_R(x)

TY_KHOT ty_wide ty_k_pick(ty_mask yes, ty_wide a, ty_wide b)
{
    return yes ? a : b;
}
TY_KHOT ty_wide ty_k_wide_fma(ty_wide a, ty_wide b, ty_wide c)
{
    return fma(a, b, c);
}
TY_KHOT ty_wide ty_k_wide_sqrt(ty_wide a)
{
    return sqrt(a);
}
#endif

TY_KHOT ty_wide ty_k_wide_max(ty_wide a, ty_wide b)
{
    return ty_k_pick(a > b, a, b);
}
TY_KHOT ty_wide ty_k_wide_min(ty_wide a, ty_wide b)
{
    return ty_k_pick(a < b, a, b);
}

#endif
