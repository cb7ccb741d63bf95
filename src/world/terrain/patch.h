/* src/world/terrain/patch.h - the patch, as its own files see it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_PATCH_H
#define TYI_TERRAIN_PATCH_H
#include "k_ray.h"
#include "terrain.h"
#include "inner.h"

/* rocks that stand in a patch, sorted into square bins */
typedef struct tyi_terrain_placed_rock {
    ty_vec3 base;  /* [m] W: where the shape's origin lies */
    double c, s;   /* cosine and sine of the yaw */
    double scale;  /* [m] per unit of the shape */
    double top;    /* [m] W: highest point */
    double radius; /* [m] horizontal reach */
    const ty_rock_shape *shape;
    uint64_t id;
    double diameter, yaw, burial; /* as in ty_rock */
    bool loose;                   /* a vehicle pushes it: it is not here any more */
} tyi_terrain_placed_rock;

typedef struct tyi_terrain_rock_bins {
    tyi_terrain_placed_rock *rock;
    size_t rocks;
    double size; /* [m] of a bin */
    int nx, ny;
    uint32_t *first; /* nx * ny + 1: where each bin's list starts */
    uint32_t *list;  /* rock indices */
    float *top;      /* [m] per bin, relative to the patch's z0: highest rock */
    size_t listed;
} tyi_terrain_rock_bins;

struct ty_terrain_patch {
    ty_terrain *terrain;
    const ty_alloc *alloc;
    int level;
    int32_t i0, j0, nx, ny;
    double d, z0;        /* [m] */
    float *natural;      /* [m] heights relative to z0, without edits */
    float *h;            /* [m] with edits */
    float *top, *bottom; /* [m] bounds of the pyramid's nodes */
    size_t nodes;
    uint64_t version; /* edits taken over so far */
    ty_k_field field;
    tyi_terrain_rock_bins bins;
    float *spare; /* two rows of room for the bounds */
};

/* ty_terrain_patch_sample() of the ground as it was before any edit */
void tyi_terrain_patch_sample_natural(const ty_terrain_patch *patch, size_t n, const double *x, const double *y,
                                      ty_terrain_ground *out);

/* first rock hit before *t; updates t, normal, id */
void tyi_terrain_rock_bins_ray(const tyi_terrain_rock_bins *bins, const ty_terrain_patch *patch, const ty_ray *ray,
                               ty_terrain_hit *hit);
/* the same for one rock */
void tyi_terrain_placed_rock_ray(const tyi_terrain_placed_rock *rock, const ty_ray *ray, ty_terrain_hit *hit);
/* Where one rock stands, as tyi_terrain_rock_poses() has it; allocates nothing after the first time. */
ty_status tyi_terrain_place_rock(ty_terrain *terrain, const ty_rock *rock, tyi_terrain_placed_rock *out, ty_diag *diag);
void tyi_terrain_rock_bins_free(tyi_terrain_rock_bins *bins, const ty_alloc *alloc);

#endif
