/* kernels/k_math.h - exp, log, sine, cosine and atan for the hot paths.
 *
 * In double they are the C library's. In single precision they are short polynomials without
 * branches or tables: a loop over lanes that calls them becomes vector code, and every device gives
 * the same bits. Coefficients: Chebyshev interpolation of the named function, computed for Tycho;
 * errors are of the polynomial alone, in exact arithmetic.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_MATH_H
#define TY_K_MATH_H
#include "k_base.h"

#ifdef TY_KERNEL_FLOAT

TY_KHOT float ty_k_bits_to_float(ty_i32 bits)
{
#ifdef __OPENCL_VERSION__
    return as_float(bits);
#else
    union {
        ty_i32 i;
        float f;
    } pun = { bits };
    return pun.f;
#endif
}
TY_KHOT ty_i32 ty_k_float_to_bits(float x)
{
#ifdef __OPENCL_VERSION__
    return as_int(x);
#else
    union {
        float f;
        ty_i32 i;
    } pun = { x };
    return pun.i;
#endif
}

/* exp(x); x below -87 gives exp(-87) = 1.6e-38, above 88 exp(88). x = n ln 2 + r, |r| <= ln 2 / 2,
 * exp(r) = 1 + r + r^2 g(r), g of degree 4 to 8e-9. */
TY_KHOT float ty_k_exp(float x)
{
    x = ty_k_clamp(x, -87.0f, 88.0f);
    float shifted = x * 1.44269504f + 12582912.0f; /* adding 1.5 2^23 rounds to an integer in the low bits */
    float n = shifted - 12582912.0f;
    float r = (x - n * 0.693359375f) - n * -2.12194440e-4f; /* ln 2 in two parts, the first with few bits */
    float g = 0.00139262508f;
    g = g * r + 0.00836323288f;
    g = g * r + 0.0416665542f;
    g = g * r + 0.166665767f;
    g = g * r + 0.5f;
    float e = 1.0f + (r + r * r * g);
    return e * ty_k_bits_to_float(((ty_i32)n + 127) << 23);
}

/* log(x) for normal x > 0. x = 2^n m, m in [sqrt(1/2), sqrt(2)); s = (m - 1)/(m + 1), log m = 2 s
 * (1 + s^2/3 + s^4/5 + s^6/7 + s^8/9), the series of atanh cut where it is 4e-9 of s. */
TY_KHOT float ty_k_log(float x)
{
    ty_i32 bits = ty_k_float_to_bits(x) - 0x3f3504f3; /* the bits of sqrt(1/2) */
    ty_i32 n = bits >> 23;
    float m = ty_k_bits_to_float((bits & 0x007fffff) + 0x3f3504f3);
    float s = (m - 1.0f) / (m + 1.0f), q = s * s;
    float series = 2.0f * s * q * (0.333333333f + q * (0.2f + q * (0.142857143f + q * 0.111111111f)));
    float k = (float)n;
    return k * 0.693359375f + (2.0f * s + (series - k * 2.12194440e-4f));
}

/* atan(x) for x >= 0: t = x or 1/x, atan(t)/t of degree 8 in t^2 to 2e-8. */
TY_KHOT float ty_k_atan(float x)
{
    float t = ty_k_min(x, 1.0f) / ty_k_max(x, 1.0f), q = t * t;
    float p = 0.00276628350f;
    p = p * q - 0.0157312491f;
    p = p * q + 0.0421376236f;
    p = p * q - 0.0745685483f;
    p = p * q + 0.106183706f;
    p = p * q - 0.141977978f;
    p = p * q + 0.199918720f;
    p = p * q - 0.333330367f;
    p = t + t * q * p;
    return x > 1.0f ? 1.57079633f - p : p;
}

/* sin(x) and cos(x) for |x| below some thousand: x = n pi/2 + r, |r| <= pi/4, pi/2 in three parts of which the first two have few bits; sin r = r + r^3 s(r^2)
 * to 2e-8 of r^3, cos r = 1 - r^2/2 + r^4 c(r^2) to 2e-9 of r^4. */
TY_KHOT void ty_k_sincos(float x, float *sine, float *cosine)
{
    float shifted = x * 0.636619772f + 12582912.0f; /* as in ty_k_exp() */
    float n = shifted - 12582912.0f;
    ty_i32 quarter = (ty_i32)n;
    float r = ((x - n * 1.5703125f) - n * 4.83751297e-4f) - n * 7.54978995e-8f, q = r * r;
    float s = r + r * q * (-0.166666647f + q * (0.00833274815f - q * 0.000195878657f));
    float c = 1.0f - q * (0.5f - q * (0.0416666647f - q * (0.00138883029f - q * 2.45479169e-5f)));
    float a = quarter & 1 ? c : s, b = quarter & 1 ? s : c;
    *sine = quarter & 2 ? -a : a;
    *cosine = (quarter + 1) & 2 ? -b : b;
}

/* 1 - exp(-x) and its mean over 0..x, (1 - exp(-x))/x, for x >= 0; below 0.1 by their series, where
 * the difference would cancel. */
TY_KHOT float ty_k_decay_series(float x)
{
    return 1.0f - x * (0.5f - x * (0.166666667f - x * (0.0416666667f - x * 0.00833333333f)));
}
TY_KHOT float ty_k_decay(float x)
{
    return x < 0.1f ? x * ty_k_decay_series(x) : 1.0f - ty_k_exp(-x);
}
TY_KHOT float ty_k_decay_mean(float x)
{
    return x < 0.1f ? ty_k_decay_series(x) : (1.0f - ty_k_exp(-x)) / ty_k_max(x, 0.05f);
}

#else

TY_KHOT ty_real ty_k_exp(ty_real x)
{
    return exp(x);
}
TY_KHOT ty_real ty_k_log(ty_real x)
{
    return log(x);
}
TY_KHOT ty_real ty_k_atan(ty_real x)
{
    return atan(x);
}
TY_KHOT void ty_k_sincos(ty_real x, ty_real *sine, ty_real *cosine)
{
    *sine = sin(x), *cosine = cos(x);
}
TY_KHOT ty_real ty_k_decay(ty_real x)
{
    return -expm1(-x);
}
TY_KHOT ty_real ty_k_decay_mean(ty_real x)
{
    return x > 0.0 ? -expm1(-x) / x : 1.0;
}

#endif

TY_KHOT ty_real ty_k_sin(ty_real x)
{
    ty_real s, c;
    ty_k_sincos(x, &s, &c);
    return s;
}

#endif
