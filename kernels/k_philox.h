/* kernels/k_philox.h - counter-based random numbers.
 *
 * Philox 4x32-10, Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3" [salmon2011]: a
 * keyed bijection of 128-bit counters, so that any number can be drawn without the ones before it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_PHILOX_H
#define TY_K_PHILOX_H
#include "k_base.h"

typedef struct ty_k_u32x4 {
    ty_u32 v[4];
} ty_k_u32x4;

TY_KFN ty_k_u32x4 ty_k_philox(ty_u32 c0, ty_u32 c1, ty_u32 c2, ty_u32 c3, ty_u32 k0, ty_u32 k1)
{
    for (int round = 0; round < 10; round++) {
        ty_u64 a = (ty_u64)0xD2511F53u * c0;
        ty_u64 b = (ty_u64)0xCD9E8D57u * c2;
        ty_u32 n0 = (ty_u32)(b >> 32) ^ c1 ^ k0;
        ty_u32 n2 = (ty_u32)(a >> 32) ^ c3 ^ k1;
        c1 = (ty_u32)b;
        c3 = (ty_u32)a;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    ty_k_u32x4 out = { { c0, c1, c2, c3 } };
    return out;
}

/* Uniform in (0, 1): the centre of one of 2^24 (float) or 2^32 (double) equal bins, never 0 or 1. */
TY_KFN ty_real ty_k_uniform(ty_u32 bits)
{
#ifdef TY_KERNEL_FLOAT
    return ((ty_real)(bits >> 8) + TY_R(0.5)) * TY_R(1.0 / 16777216.0);
#else
    return ((ty_real)bits + TY_R(0.5)) * TY_R(1.0 / 4294967296.0);
#endif
}

/* Two independent standard normal numbers from two uniforms, Box and Muller 1958 [box1958].
 * u in (0, 1); which = 0 or 1 picks the first or the second. */
TY_KFN ty_real ty_k_normal(ty_real u0, ty_real u1, int which)
{
    ty_real r = sqrt(TY_R(-2.0) * log(u0));
    ty_real a = TY_R(2.0) * TY_K_PI * u1;
    return which ? r * sin(a) : r * cos(a);
}

/* What a random number is for: the second key word, the seed being the first. One line for each purpose,
 * so that no two purposes ever share a stream. Never renumber: it would change every generated world. */
enum ty_k_purpose {
    TY_RNG_RELIEF = 1, /* counter: block x, block y, level */
    TY_RNG_CRATER = 2, /* counter: cell x, cell y, size class, index in the cell */
    TY_RNG_ROCK = 3,   /* counter: cell x, cell y, size class, index in the cell */
    TY_RNG_ROCK_SHAPE = 4,
    TY_RNG_RENDER = 20,       /* counter: pixel x, pixel y, pair of numbers, high word of the seed */
    TY_RNG_CAMERA_SHOT = 100, /* all of a camera: counter: pixel and channel, frame (2 words), camera */
    TY_RNG_CAMERA_READ = 101,
    TY_RNG_CAMERA_PRNU = 102,
    TY_RNG_CAMERA_DSNU = 103,
    TY_RNG_CAMERA_ROW = 104,
    TY_RNG_CAMERA_COLUMN = 105,
    TY_RNG_CAMERA_HOT = 106,
    TY_RNG_CAMERA_DEAD = 107,
    TY_RNG_CAMERA_DUST = 108,
    TY_RNG_CAMERA_AMPLIFIER = 109,
    TY_RNG_FILTER = 120,    /* filter "noise": counter: element, frame (2 words), sensor */
    TY_RNG_IMU_WHITE = 200, /* all of an IMU: counter: sample or item (2 words), sensor, high word of the seed */
    TY_RNG_IMU_FLICKER = 201,
    TY_RNG_IMU_WALK = 202,
    TY_RNG_IMU_START = 203,
    TY_RNG_IMU_DEVICE = 204,
    TY_RNG_FIX = 210, /* other instruments: counters as for an IMU */
    TY_RNG_FIX_DRIFT = 211,
    TY_RNG_CURRENT = 212,
    TY_RNG_JOINT = 213,
    TY_RNG_SUN_SENSOR = 214,
    TY_RNG_STAR_TRACKER = 215,
    TY_RNG_ALTIMETER = 216,
    TY_RNG_LIDAR_ECHO = 300, /* all of a lidar: counter: beam and return, frame (2 words), lidar */
    TY_RNG_LIDAR_NOISE = 301,
    TY_RNG_SPAD = 302,    /* counter: pixel, bin, frame, sensor */
    TY_RNG_DATASET = 400, /* counter: what is drawn (src/study/dataset_plan.c), terrain or pair, try */
    TY_RNG_SWEEP = 410,   /* counter: run, high word of the seed, what varies, which number (src/fleet) */
    TY_RNG_DUST = 500,    /* counter: parcel of the wheel (2 words), wheel, which four numbers */
    TY_RNG_GRAIN = 510,   /* counter: grain, try */
    TY_RNG_TEST = 1000
};

#endif
