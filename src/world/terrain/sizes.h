/* src/world/terrain/sizes.h - random things of many sizes, each a pure function of where it is.
 *
 * Diameters are split in octaves [2^k, 2^(k+1)) m. An octave has square cells with sides of
 * TYI_TERRAIN_CELL times its smallest diameter; a cell's number of things is Poisson, and what they are
 * follows from seed, purpose, octave and cell alone. So any query finds the same things, whatever
 * was asked before.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_SIZES_H
#define TYI_TERRAIN_SIZES_H
#include <math.h>
#include "k_philox.h"

#define TYI_TERRAIN_CELL       16.0
#define TYI_TERRAIN_NODES      16          /* of a law's table within an octave */
#define TYI_TERRAIN_COUNT_WORD 0xffffffffu /* fourth counter word of a cell's number of things */

/* One octave of a size law: n[j] is the number above 2^(k + j / 16) m per area [1/m2], falling. */
typedef struct tyi_terrain_octave {
    double n[TYI_TERRAIN_NODES + 1];
} tyi_terrain_octave;

static inline double tyi_terrain_octave_number(const tyi_terrain_octave *o) /* [1/m2] things in the octave */
{
    return o->n[0] - o->n[TYI_TERRAIN_NODES];
}

static inline double tyi_terrain_cell_side(int k) /* [m] */
{
    return TYI_TERRAIN_CELL * ldexp(1.0, k);
}

/* Diameter [m] of octave k below which a share u of its things lies; between nodes the law is a power. */
static inline double tyi_terrain_octave_diameter(const tyi_terrain_octave *o, int k, double u)
{
    double n = o->n[0] - u * (o->n[0] - o->n[TYI_TERRAIN_NODES]);
    int j = 0;
    for (int step = TYI_TERRAIN_NODES / 2; step > 0; step /= 2) {
        j += o->n[j + step] > n ? step : 0;
    }
    double t = log(n / o->n[j]) / log(o->n[j + 1] / o->n[j]);
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0; /* also where an octave is empty and t is NaN */
    double d = exp2(k + (j + t) / TYI_TERRAIN_NODES), top = ldexp(1.0, k + 1);
    return d < top ? d : nextafter(top, 0.0);
}

/* Number of things where `mean` (below 500) are expected: the smallest n with P(at most n) >= u. */
static inline uint32_t tyi_terrain_poisson(double mean, double u)
{
    double p = exp(-mean), sum = p;
    uint32_t n = 0;
    while (sum < u && n < 1000) {
        n++;
        p *= mean / n;
        sum += p;
    }
    return n;
}

static inline uint32_t tyi_terrain_seed_key(uint64_t seed) /* 64 bits folded to the first key word */
{
    return (uint32_t)seed ^ ((uint32_t)(seed >> 32) * 0x9e3779b1u);
}

#endif
