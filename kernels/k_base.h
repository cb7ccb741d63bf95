/* kernels/k_base.h - what lets one header compile as C17 and as OpenCL C 1.2.
 * A file that wants single precision defines TY_KERNEL_FLOAT before it includes any kernel.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_BASE_H
#define TY_K_BASE_H

#ifdef TY_KERNEL_FLOAT
typedef float ty_real;
#else
typedef double ty_real;
#endif

#ifdef __OPENCL_VERSION__
#define TY_KFN static inline
#define TY_KHOT static inline
typedef uint ty_u32;
typedef ulong ty_u64;
typedef int ty_i32;
#else
#include <stdint.h>
#include <tgmath.h> /* sqrt, exp, ... pick float or double by their argument, as in OpenCL C */
#define TY_KFN __attribute__((unused)) static inline
/* called for every pixel: inlined whatever its size, so that loops over lanes become vector code */
#define TY_KHOT __attribute__((unused, always_inline)) static inline
typedef uint32_t ty_u32;
typedef uint64_t ty_u64;
typedef int32_t ty_i32;
#endif

#define TY_R(x)    ((ty_real)(x)) /* a literal in the working precision */
#define TY_K_PI    TY_R(3.14159265358979323846)

TY_KFN ty_real ty_k_min(ty_real a, ty_real b)
{
    return a < b ? a : b;
}
TY_KFN ty_real ty_k_max(ty_real a, ty_real b)
{
    return a > b ? a : b;
}
TY_KFN ty_real ty_k_clamp(ty_real x, ty_real low, ty_real high)
{
    return ty_k_min(ty_k_max(x, low), high);
}

#endif
