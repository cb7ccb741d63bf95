/* kernels/k_base.h - what lets one header compile as C17 and as OpenCL C 1.2.
 * A file that wants single precision defines TY_KERNEL_FLOAT before it includes any kernel.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_BASE_H
#define TY_K_BASE_H

#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF /* as -ffp-contract=off on the host: the same bits */
#ifndef TY_KERNEL_FLOAT
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#endif

#ifdef TY_KERNEL_FLOAT
typedef float ty_real;
#else
typedef double ty_real;
#endif

#ifdef __OPENCL_VERSION__
#define TY_KFN  static inline
#define TY_KHOT static inline
typedef uint ty_u32;
typedef ulong ty_u64;
typedef int ty_i32;
#else
#include <stdint.h>
#include <tgmath.h> /* sqrt, exp, ... pick float or double by their argument, as in OpenCL C */
#define TY_KFN  __attribute__((unused)) static inline
/* called for every pixel: inlined whatever its size, so that loops over lanes become vector code */
#define TY_KHOT __attribute__((unused, always_inline)) static inline
typedef uint32_t ty_u32;
typedef uint64_t ty_u64;
typedef int32_t ty_i32;
#endif

/* four numbers that go together, in registers where there are some; arithmetic is lane by lane */
#ifdef __OPENCL_VERSION__
#ifdef TY_KERNEL_FLOAT
typedef float4 ty_real4;
#define TY_LOAD4(p) vload4(0, p)
#else
typedef double4 ty_real4;
#define TY_LOAD4(p) convert_double4(vload4(0, p))
#endif
#define TY_R4(a, b, c, d) ((ty_real4)(a, b, c, d))
#define TY_LANE(v, i)     ((v).s##i)
#define TY_DOT4(a, b)     (((a).s0 * (b).s0 + (a).s1 * (b).s1) + ((a).s2 * (b).s2 + (a).s3 * (b).s3))
#define TY_GLOBAL         __global
#define TY_LOCAL          __local
#else
typedef ty_real ty_real4 __attribute__((vector_size(4 * sizeof(ty_real))));
typedef float ty_k_float4 __attribute__((vector_size(16), aligned(4), may_alias));
#define TY_R4(a, b, c, d) ((ty_real4){ a, b, c, d })
#define TY_LOAD4(p)       __builtin_convertvector(*(const ty_k_float4 *)(p), ty_real4) /* four floats, any alignment */
#define TY_LANE(v, i)     ((v)[i])
#define TY_GLOBAL
#define TY_LOCAL
#define TY_DOT4(a, b) (((a)[0] * (b)[0] + (a)[1] * (b)[1]) + ((a)[2] * (b)[2] + (a)[3] * (b)[3]))
#endif

#define TY_R(x) ((ty_real)(x)) /* a literal in the working precision */
#define TY_K_PI TY_R(3.14159265358979323846)

#ifdef __OPENCL_VERSION__ /* one instruction there; the same numbers, but where one is none */
#define ty_k_min(a, b) fmin((ty_real)(a), (ty_real)(b))
#define ty_k_max(a, b) fmax((ty_real)(a), (ty_real)(b))
#else
TY_KFN ty_real ty_k_min(ty_real a, ty_real b)
{
    return a < b ? a : b;
}
TY_KFN ty_real ty_k_max(ty_real a, ty_real b)
{
    return a > b ? a : b;
}
#endif
TY_KFN ty_real ty_k_clamp(ty_real x, ty_real low, ty_real high)
{
    return ty_k_min(ty_k_max(x, low), high);
}
/* The nearest multiple of q; q = 0 leaves x as it is. */
TY_KFN ty_real ty_k_quantise(ty_real x, ty_real q)
{
    return q > TY_R(0.0) ? q * floor(x / q + TY_R(0.5)) : x;
}

#endif
