/* src/world/terrain/rock.h - the rocks of a generated terrain: shapes and catalogue.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_ROCK_H
#define TYI_TERRAIN_ROCK_H
#include "crater.h"
#include "moved.h"
#include "sizes.h"
#include "tycho/terrain.h"

#define TYI_TERRAIN_ROCK_K0      (-9) /* smallest octave, from 2 mm */
#define TYI_TERRAIN_ROCK_OCTAVES 15   /* up to 64 m */
#define TYI_TERRAIN_ROCK_BURIALS 33   /* nodes of the exposed area by burial, 0 to 1 */

/* The shapes with what they point to; one block of memory. */
typedef struct tyi_terrain_rock_library {
    ty_rock_shape shape[TY_ROCK_SHAPES];
    /* [-] area of the outline above ground as a share of the whole body's */
    float exposed[TY_ROCK_SHAPES][TYI_TERRAIN_ROCK_BURIALS];
    float vertex[TY_ROCK_SHAPES][2 * TY_ROCK_PLANES][3];
    uint16_t triangle[TY_ROCK_SHAPES][4 * TY_ROCK_PLANES][3];
} tyi_terrain_rock_library;

/* Immutable after init; queries from any number of threads. */
typedef struct tyi_terrain_rocks {
    ty_rock_def def;                    /* d_min, d_max limited to the octaves */
    const tyi_terrain_craters *craters; /* NULL: none */
    uint32_t key;
    tyi_terrain_octave octave[TYI_TERRAIN_ROCK_OCTAVES];
    double single[TYI_TERRAIN_ROCK_OCTAVES];    /* [1/m2] rocks of the octave that lie on their own */
    double fragments[TYI_TERRAIN_ROCK_OCTAVES]; /* [-] the others: how many at a single rock 2 octaves up, */
    double pieces[TYI_TERRAIN_ROCK_OCTAVES];    /* [-] and how many in one that is an octave larger */
    double alone[TYI_TERRAIN_ROCK_OCTAVES];     /* [-] share of the law's rocks that lie away from craters, */
    double gain[TYI_TERRAIN_ROCK_OCTAVES];      /* [-] and how many times the law is added at a fresh crest */
    tyi_terrain_rock_library *library;
    ty_rock *placed;                /* def.placed with their scales */
    double largest;                 /* [m] they are smaller */
    const tyi_terrain_moved *moved; /* rocks that lie elsewhere now; NULL: none */
    const ty_alloc *alloc;
} tyi_terrain_rocks;

/* craters may be NULL and must outlive the rocks. After TY_ERR_MEMORY there is nothing to free. */
ty_status tyi_terrain_rocks_init(tyi_terrain_rocks *f, const ty_rock_def *def, const tyi_terrain_craters *craters,
                                 uint64_t seed, const ty_alloc *alloc, ty_diag *diag);
void tyi_terrain_rocks_free(tyi_terrain_rocks *f);

/* Number per area [1/m2] of diameter > d [m] away from craters; cut at def.d_min and def.d_max. */
double tyi_terrain_rocks_density(const tyi_terrain_rocks *f, double d);

/* Rocks with their centre in rect (x0 <= x < x1, y likewise) and d_min <= diameter < d_max [m].
 * Fills at most `capacity`, returns the total; large octaves first, otherwise in a fixed order; those at given places and
 * those that were moved last. */
size_t tyi_terrain_rocks_in(const tyi_terrain_rocks *f, ty_rect rect, double d_min, double d_max, ty_rock *out,
                            size_t capacity);

/* its scale where that is 0: so that it has its diameter above ground */
ty_rock tyi_terrain_rocks_finished(const tyi_terrain_rocks *f, ty_rock rock);

const ty_rock_shape *tyi_terrain_rocks_shape(const tyi_terrain_rocks *f, uint32_t shape);

/* How many times denser than elsewhere rocks of octave k are at a place: 1 or more. */
double tyi_terrain_rocks_boost(const tyi_terrain_rocks *f, int k, double x, double y);

/* Soil banked up round worn rocks, added to z[j * nx + i] [m] of samples d [m] apart; rocks of less than some samples have none there.
 * As rocks lay before any was moved. */
void tyi_terrain_fillets_add(const tyi_terrain_rocks *f, double d, int32_t i0, int32_t j0, int nx, int ny, double *z);

/* worn: the second half of the shapes is round */
void tyi_terrain_rock_library_make(tyi_terrain_rock_library *library, uint32_t key, bool worn);

#endif
