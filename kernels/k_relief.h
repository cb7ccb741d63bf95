/* kernels/k_relief.h - the random numbers of the relief.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_RELIEF_H
#define TY_K_RELIEF_H
#include "k_philox.h"

/* Unit-variance, zero-mean noise from 32 random bits: the sum of two 16-bit uniform numbers (triangular).
 * Its variance is 2 (2^32 - 1) / 12; the sum over levels is close to normal, so nothing finer is needed. */
TY_KFN float ty_k_relief_unit(ty_u32 bits)
{
    return ((float)(bits & 0xffffu) + (float)(bits >> 16) - 65535.0f) * 3.7376247e-5f;
}

/* Four neighbouring samples of one row share one call: sample i uses word i & 3 of block i >> 2. */
TY_KFN ty_k_u32x4 ty_k_relief_bits(ty_i32 block, ty_i32 j, ty_i32 level, ty_u64 seed)
{
    return ty_k_philox((ty_u32)block, (ty_u32)j, (ty_u32)level, TY_RNG_RELIEF, (ty_u32)seed, (ty_u32)(seed >> 32));
}

#endif
