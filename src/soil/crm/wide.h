/* src/soil/crm/wide.h - WIDE_LANES particles at a time, eight or sixteen: loads, stores, distances. Included where sums over neighbours are made.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_WIDE_H
#define TYI_CRM_WIDE_H
#include "crm.h"
#define TY_KERNEL_WIDE WIDE_LANES
#include "k_sph.h"

/* the same loops for each instruction set, chosen when the program starts; contraction is off, so the bits agree */
#ifndef PER_ISA
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(TYCHO_SANITIZE)
#define PER_ISA __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PER_ISA
#endif
#endif
#define HOT __attribute__((always_inline, unused)) static inline

enum { LANES = WIDE_LANES };
typedef uint32_t wide_u32 __attribute__((vector_size(4 * WIDE_LANES)));

#if WIDE_LANES == 8
/* Rows of four at eight places, turned into four rows of eight. */
HOT void gather(const tyi_crm_f4 *from, const int32_t *at, ty_wide out[4])
{
    tyi_crm_f4 a = from[at[0]], b = from[at[1]], c = from[at[2]], d = from[at[3]];
    tyi_crm_f4 e = from[at[4]], f = from[at[5]], g = from[at[6]], h = from[at[7]];
    ty_wide ae = __builtin_shufflevector(a, e, 0, 1, 2, 3, 4, 5, 6, 7),
            bf = __builtin_shufflevector(b, f, 0, 1, 2, 3, 4, 5, 6, 7);
    ty_wide cg = __builtin_shufflevector(c, g, 0, 1, 2, 3, 4, 5, 6, 7),
            dh = __builtin_shufflevector(d, h, 0, 1, 2, 3, 4, 5, 6, 7);
    ty_wide ab0 = __builtin_shufflevector(ae, bf, 0, 8, 1, 9, 4, 12, 5, 13);
    ty_wide ab1 = __builtin_shufflevector(ae, bf, 2, 10, 3, 11, 6, 14, 7, 15);
    ty_wide cd0 = __builtin_shufflevector(cg, dh, 0, 8, 1, 9, 4, 12, 5, 13);
    ty_wide cd1 = __builtin_shufflevector(cg, dh, 2, 10, 3, 11, 6, 14, 7, 15);
    out[0] = __builtin_shufflevector(ab0, cd0, 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = __builtin_shufflevector(ab0, cd0, 2, 3, 10, 11, 6, 7, 14, 15);
    out[2] = __builtin_shufflevector(ab1, cd1, 0, 1, 8, 9, 4, 5, 12, 13);
    out[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 10, 11, 6, 7, 14, 15);
}
#else
/* Rows of four at sixteen places, turned into four rows of sixteen: four rows side by side in each, then four by four are turned. */
typedef float wide_half __attribute__((vector_size(32)));
HOT ty_wide four_rows(const tyi_crm_f4 *from, const int32_t *at)
{
    wide_half low = __builtin_shufflevector(from[at[0]], from[at[4]], 0, 1, 2, 3, 4, 5, 6, 7),
              high = __builtin_shufflevector(from[at[8]], from[at[12]], 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
HOT void gather(const tyi_crm_f4 *from, const int32_t *at, ty_wide out[4])
{
    ty_wide a = four_rows(from, at), b = four_rows(from, at + 1), c = four_rows(from, at + 2),
            d = four_rows(from, at + 3);
    ty_wide ab0 = __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    ty_wide ab1 = __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    ty_wide cd0 = __builtin_shufflevector(c, d, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    ty_wide cd1 = __builtin_shufflevector(c, d, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    out[0] = __builtin_shufflevector(ab0, cd0, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    out[1] = __builtin_shufflevector(ab0, cd0, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    out[2] = __builtin_shufflevector(ab1, cd1, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    out[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
}
#endif

/* The other way round, for the lanes below `lanes` whose bit is in `which`. */
HOT void scatter(tyi_crm_f4 *to, ty_wide a, ty_wide b, ty_wide c, ty_wide d, int lanes, unsigned which)
{
    for (int k = 0; k < lanes; k++) {
        if (which >> k & 1) {
            to[k] = (tyi_crm_f4){ a[k], b[k], c[k], d[k] };
        }
    }
}

/* x_ij [m]: the difference of integers is exact and wraps around periodic axes */
HOT ty_wide apart(ty_wide a, ty_wide b, float unit)
{
    return __builtin_convertvector((ty_mask)((wide_u32)a - (wide_u32)b), ty_wide) * unit;
}

#endif
