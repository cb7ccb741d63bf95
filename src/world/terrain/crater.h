/* src/world/terrain/crater.h - the craters of a generated terrain: catalogue and heights.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_CRATER_H
#define TYI_TERRAIN_CRATER_H
#include "sizes.h"
#include "tycho/terrain.h"

#define TYI_TERRAIN_CRATER_K0      (-8) /* smallest octave, from 4 mm */
#define TYI_TERRAIN_CRATER_OCTAVES 24   /* up to 65 km */

/* Immutable after init; queries from any number of threads. */
typedef struct tyi_terrain_craters {
    ty_crater_def def; /* d_min, d_max limited to the octaves */
    uint32_t key;      /* of the random numbers, from the seed */
    tyi_terrain_octave octave[TYI_TERRAIN_CRATER_OCTAVES];
    double share[TYI_TERRAIN_CRATER_OCTAVES];           /* [-] of the law that each octave has, 1 unless thinned */
    double life[TYI_TERRAIN_CRATER_OCTAVES + 1];        /* how long craters of 2^k m last, up to a factor */
    bool (*keep)(const void *user, const ty_crater *c); /* which of them are added to heights; NULL: all */
    const void *user;                                   /* of keep */
} tyi_terrain_craters;

void tyi_terrain_craters_init(tyi_terrain_craters *f, const ty_crater_def *def, uint64_t seed);

/* Leaves a share min(1, scale D^exponent) of the craters of diameter D [m]; once, after init. */
void tyi_terrain_craters_thin(tyi_terrain_craters *f, double scale, double exponent);

/* Number per area [1/m2] of diameter > d [m] that the generator aims at. Both ends are cut: 0 from
 * def.d_max on, constant below def.d_min. */
double tyi_terrain_craters_density(const tyi_terrain_craters *f, double d);

/* Craters with their centre in rect (x0 <= x < x1, y likewise) and d_min <= diameter < d_max [m].
 * Fills at most `capacity`, returns the total; large octaves first, otherwise in a fixed order; those at given places last. */
size_t tyi_terrain_craters_in(const tyi_terrain_craters *f, ty_rect rect, double d_min, double d_max, ty_crater *out,
                              size_t capacity);

double tyi_terrain_crater_reach(double diameter); /* [m] radius beyond which a crater changes nothing */

/* Adds to h[j * stride + i] [m], the sample at (x0 + i * spacing, y0 + j * spacing) [m], every
 * crater with d_min <= D < d_max [m] that reaches the grid. x0 and y0 should be whole multiples of
 * the spacing: then the change of a sample has the same bits whichever grid it is in. */
void tyi_terrain_craters_add(const tyi_terrain_craters *f, double d_min, double d_max, double x0, double y0,
                             double spacing, int nx, int ny, int stride, float *h);

/* Mean square difference of height [m2] between points a lag [m] apart that the craters alone make. They stand
 * anywhere, each on its own, so that the squares of their differences add up (Campbell's theorem [rice1944]). */
double tyi_terrain_craters_structure(const tyi_terrain_craters *f, double lag);

/* A walk over the craters of all cells that come within margin * (octave's largest diameter) of a
 * rectangle and d_min <= diameter < d_max; their centres are not compared with the rectangle. */
typedef struct tyi_terrain_crater_walk {
    const tyi_terrain_craters *f;
    ty_rect rect;
    double d_min, d_max, margin;
    double side, mean; /* of the octave's cells [m] and what they hold */
    int k, k_min;
    int32_t x0, x1, y1, x, y; /* cells: range and current; x in x0 .. x1, y up to y1 */
    uint32_t i, n;            /* things of the current cell: next and all */
} tyi_terrain_crater_walk;

typedef struct tyi_terrain_crater_item {
    ty_crater c;        /* depth and freshness only after tyi_terrain_crater_finish() */
    double oval, angle; /* [-] [rad] outline, see ty_k_crater_distort() */
    double lobe, phase; /* [-] [rad] */
    double old, rim;    /* [-] what age has made of it, see ty_k_crater_look */
    double age;         /* [-] share of its life that it has behind it */
    int32_t x, y, k;    /* cell and octave */
    uint32_t i;         /* in the cell */
} tyi_terrain_crater_item;

tyi_terrain_crater_walk tyi_terrain_craters_walk(const tyi_terrain_craters *f, ty_rect rect, double d_min, double d_max,
                                                 double margin);
/* sets place and diameter */
bool tyi_terrain_craters_next(tyi_terrain_crater_walk *w, tyi_terrain_crater_item *item);
void tyi_terrain_crater_finish(const tyi_terrain_craters *f, tyi_terrain_crater_item *item); /* sets the rest */

/* Whether a later crater, two to sixteen times as wide, has wiped this one out: its middle lies inside the other's crest. Only where craters
 * wear (def.wear > 0). item is finished. */
bool tyi_terrain_crater_wiped(const tyi_terrain_craters *f, const tyi_terrain_crater_item *item);

#endif
