/* kernels/k_sequence.h - points that fill the unit square more evenly than chance.
 *
 * The first two dimensions of Sobol's sequence [sobol1967], scrambled in the way of Owen [owen1995]
 * by a hash [laine2011] [burley2020]. Any point is had without the ones before it; different seeds
 * give independent sequences, each of them evenly spread.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SEQUENCE_H
#define TY_K_SEQUENCE_H
#include "k_base.h"

typedef struct ty_k_point2 {
    ty_real u, v; /* [-] in (0, 1) */
} ty_k_point2;

TY_KHOT ty_u32 ty_k_reverse_bits(ty_u32 x)
{
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
    return (x >> 16) | (x << 16);
}

/* A seeded permutation in which a bit depends on lower bits only: Owen's scrambling of the number
 * whose digits are x's bits from the lowest up. Constants as in [burley2020]. */
TY_KHOT ty_u32 ty_k_owen_hash(ty_u32 x, ty_u32 seed)
{
    x += seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    return x;
}

/* Sobol's second dimension, bits from the highest down: Pascal's triangle modulo 2. */
TY_KHOT ty_u32 ty_k_sobol_second(ty_u32 i)
{
    ty_u32 r = 0, v = 0x80000000u;
    for (int k = 0; k < 32; k++) {
        r ^= v & (0u - ((i >> k) & 1u));
        v ^= v >> 1;
    }
    return r;
}

/* the centre of one of 2^23 bins, so that rounding never gives 1 */
TY_KHOT ty_real ty_k_sequence_unit(ty_u32 bits)
{
    return ((ty_real)(ty_i32)(bits >> 9) + TY_R(0.5)) * TY_R(1.0 / 8388608.0);
}

/* Point i of the sequence chosen by three seeds: one shuffles the order, two scramble the dimensions. */
TY_KHOT ty_k_point2 ty_k_sobol(ty_u32 i, ty_u32 order, ty_u32 seed_u, ty_u32 seed_v)
{
    ty_u32 j = ty_k_reverse_bits(ty_k_owen_hash(ty_k_reverse_bits(i), order));
    ty_u32 second = ty_k_reverse_bits(ty_k_sobol_second(j));
    ty_k_point2 p;
    p.u = ty_k_sequence_unit(ty_k_reverse_bits(ty_k_owen_hash(j, seed_u)));
    p.v = ty_k_sequence_unit(ty_k_reverse_bits(ty_k_owen_hash(second, seed_v)));
    return p;
}

#endif
