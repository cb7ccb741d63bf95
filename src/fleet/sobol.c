/* src/fleet/sobol.c - Sobol's sequence in up to 32 dimensions, and shuffled numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fleet.h"
#include "core/core.h"
#include "k_philox.h"

/* Joe and Kuo's file new-joe-kuo-6.21201 [joe2008], dimensions 2 to 32: degree of the primitive polynomial, its inner coefficients, the
 * first direction numbers. */
static const struct {
    uint32_t degree, inner, m[7];
} directions[TYI_FLEET_DIMENSIONS - 1] = {
    { 1, 0, { 1 } },
    { 2, 1, { 1, 3 } },
    { 3, 1, { 1, 3, 1 } },
    { 3, 2, { 1, 1, 1 } },
    { 4, 1, { 1, 1, 3, 3 } },
    { 4, 4, { 1, 3, 5, 13 } },
    { 5, 2, { 1, 1, 5, 5, 17 } },
    { 5, 4, { 1, 1, 5, 5, 5 } },
    { 5, 7, { 1, 1, 7, 11, 19 } },
    { 5, 11, { 1, 1, 5, 1, 1 } },
    { 5, 13, { 1, 1, 1, 3, 11 } },
    { 5, 14, { 1, 3, 5, 5, 31 } },
    { 6, 1, { 1, 3, 3, 9, 7, 49 } },
    { 6, 13, { 1, 1, 1, 15, 21, 21 } },
    { 6, 16, { 1, 3, 1, 13, 27, 49 } },
    { 6, 19, { 1, 1, 1, 15, 7, 5 } },
    { 6, 22, { 1, 3, 1, 15, 13, 25 } },
    { 6, 25, { 1, 1, 5, 5, 19, 61 } },
    { 7, 1, { 1, 3, 7, 11, 23, 15, 103 } },
    { 7, 4, { 1, 3, 7, 13, 13, 15, 69 } },
    { 7, 7, { 1, 1, 3, 13, 7, 35, 63 } },
    { 7, 8, { 1, 3, 5, 9, 1, 25, 53 } },
    { 7, 14, { 1, 3, 1, 13, 9, 35, 107 } },
    { 7, 19, { 1, 3, 1, 5, 27, 61, 31 } },
    { 7, 21, { 1, 1, 5, 11, 19, 41, 61 } },
    { 7, 28, { 1, 3, 5, 3, 3, 13, 69 } },
    { 7, 31, { 1, 1, 7, 13, 1, 19, 1 } },
    { 7, 32, { 1, 3, 7, 5, 13, 19, 59 } },
    { 7, 37, { 1, 1, 3, 9, 25, 29, 41 } },
    { 7, 41, { 1, 3, 5, 13, 23, 1, 55 } },
    { 7, 42, { 1, 3, 7, 3, 13, 59, 17 } },
};

uint32_t tyi_fleet_sobol(uint32_t i, int dimension)
{
    uint32_t v[32], gray = i ^ (i >> 1), bits = 0;
    TY_ASSERT(dimension >= 0 && dimension < TYI_FLEET_DIMENSIONS);
    uint32_t s = dimension ? directions[dimension - 1].degree : 32, a = dimension ? directions[dimension - 1].inner : 0;
    for (uint32_t k = 0; k < 32; k++) {
        if (k < s) {
            v[k] = (dimension ? directions[dimension - 1].m[k] : 1u) << (31 - k);
            continue;
        }
        /* the recurrence of the polynomial, [bratley1988] (2) */
        v[k] = v[k - s] ^ (v[k - s] >> s);
        for (uint32_t j = 1; j < s; j++) {
            v[k] ^= v[k - j] & (0u - ((a >> (s - 1 - j)) & 1u));
        }
    }
    for (uint32_t k = 0; k < 32; k++) {
        bits ^= v[k] & (0u - ((gray >> k) & 1u));
    }
    return bits;
}

/* Four rounds of a Feistel cipher over the next even number of bits; what falls outside goes round again. */
size_t tyi_fleet_shuffle(size_t i, size_t n, uint32_t key0, uint32_t key1)
{
    uint32_t half = 1;
    while (half < 16 && (size_t)1 << (2 * half) < n) {
        half++;
    }
    uint32_t mask = (1u << half) - 1u;
    do {
        uint32_t left = (uint32_t)(i >> half) & mask, right = (uint32_t)i & mask;
        for (uint32_t round = 0; round < 4; round++) {
            uint32_t next = left ^ (ty_k_philox(right, round, key1, 2, key0, TY_RNG_SWEEP).v[0] & mask);
            left = right;
            right = next;
        }
        i = (size_t)left << half | right;
    } while (i >= n);
    return i;
}
