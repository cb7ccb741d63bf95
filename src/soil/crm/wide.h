/* src/soil/crm/wide.h - eight particles at a time: loads, stores, distances. Included where sums over neighbours are made.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_WIDE_H
#define TYI_CRM_WIDE_H
#include "crm.h"
#define TY_KERNEL_WIDE TYI_CRM_LANES
#include "k_sph.h"

/* the same loops for each instruction set, chosen when the program starts; contraction is off, so the bits agree */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(TYCHO_SANITIZE)
#define PER_ISA __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PER_ISA
#endif
#define HOT __attribute__((always_inline, unused)) static inline

enum { LANES = TYI_CRM_LANES };
typedef uint32_t wide_u32 __attribute__((vector_size(4 * TYI_CRM_LANES)));

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
