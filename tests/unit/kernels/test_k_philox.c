/* Philox against the known answers its authors publish with Random123 (kat_vectors, philox4x32 10).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tyt.h"
#include "k_philox.h"

TY_TEST(philox, known_answers)
{
    static const ty_u32 rows[3][10] = {
        { 0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 },
        { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
          0x6d5451fd },
        { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420,
          0x24126ea1 },
    };
    for (int i = 0; i < 3; i++) {
        const ty_u32 *r = rows[i];
        ty_k_u32x4 got = ty_k_philox(r[0], r[1], r[2], r[3], r[4], r[5]);
        for (int k = 0; k < 4; k++) {
            cr_expect(got.v[k] == r[6 + k], "row %d word %d: %08x", i, k, got.v[k]);
        }
        ty_k_u32x4 other = ty_k_philox(r[0] ^ 1u, r[1], r[2], r[3], r[4], r[5]);
        cr_expect(other.v[0] != r[6], "control: another counter gives another number");
    }
    TY_ROW("random numbers: Philox 4x32-10", "published known answers", "3 of 3, every word");
}

/* Mean, variance and the tail of the normal numbers; bounds are 5 standard errors of N = 200000. */
TY_TEST(philox, normal_moments)
{
    enum { N = 200000 };
    double sum = 0.0, square = 0.0;
    int tail = 0;
    for (ty_u32 i = 0; i < N; i++) {
        ty_k_u32x4 r = ty_k_philox(i, 0, 0, 0, 7, TY_RNG_TEST);
        double x = ty_k_normal(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), (int)(i & 1));
        sum += x;
        square += x * x;
        tail += fabs(x) > 2.0;
    }
    TY_NEAR(sum / N, 0.0, 5.0 / sqrt(N));
    TY_NEAR(square / N, 1.0, 5.0 * sqrt(2.0 / N));
    TY_NEAR((double)tail / N, 0.0455, 5.0 * sqrt(0.0455 / N));
}
