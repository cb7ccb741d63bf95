/* src/render/host/accel.h - tracing rays through instances of shapes; what embree_accel.c does, without
 * Embree's types.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_ACCEL_H
#define TYI_RENDER_ACCEL_H
#include "tycho/base.h"

#define TYI_RENDER_LANES   256 /* rays that are traced and shaded together */
#define TYI_RENDER_NOTHING 0xffffffffu

/* A block of rays, lane by lane, and what they hit. */
typedef struct tyi_render_rays {
    _Alignas(64) float ox[TYI_RENDER_LANES];
    float oy[TYI_RENDER_LANES], oz[TYI_RENDER_LANES], near[TYI_RENDER_LANES]; /* [m] */
    float dx[TYI_RENDER_LANES], dy[TYI_RENDER_LANES], dz[TYI_RENDER_LANES], time[TYI_RENDER_LANES];
    float far[TYI_RENDER_LANES]; /* [m] hit: distance; occluded: -INFINITY; near > far: the lane is idle */
    uint32_t mask[TYI_RENDER_LANES], lane[TYI_RENDER_LANES], flags[TYI_RENDER_LANES];
    float nx[TYI_RENDER_LANES], ny[TYI_RENDER_LANES],
        nz[TYI_RENDER_LANES];                       /* normal of the facet, in the shape's frame, any length */
    float u[TYI_RENDER_LANES], v[TYI_RENDER_LANES]; /* [-] grid: 0 to 1 over the whole grid; triangle: barycentric */
    uint32_t prim[TYI_RENDER_LANES], geom[TYI_RENDER_LANES];
    uint32_t slot[TYI_RENDER_LANES]; /* instance that was hit; TYI_RENDER_NOTHING: none */
    bool coherent;                   /* neighbouring lanes go much the same way: only a matter of speed */
} tyi_render_rays;

/* what stays the same from block to block */
void tyi_render_rays_init(tyi_render_rays *rays);

typedef struct tyi_render_shape tyi_render_shape; /* geometry in its own frame */
typedef struct tyi_render_accel tyi_render_accel;

bool tyi_render_accel_works(void);               /* false: built without Embree, no ray meets anything */
tyi_render_accel *tyi_render_accel_create(void); /* NULL: no memory */
void tyi_render_accel_destroy(tyi_render_accel *accel);

/* Shapes: NULL when there is no memory. A grid is (cells + 1)^2 samples; its z are set by
 * tyi_render_shape_set_grid(). */
tyi_render_shape *tyi_render_shape_grid(tyi_render_accel *accel, int cells);
/* samples `spacing` [m] apart, z[j * stride + i] relative to the grid's own frame; the grid reaches a hair over its
 * edges, so that neighbours overlap */
void tyi_render_shape_set_grid(tyi_render_shape *shape, double spacing, const float *z, int stride);
/* the same for points anywhere: 3 numbers for each of the (cells + 1)^2 */
void tyi_render_shape_set_points(tyi_render_shape *shape, const float *point);
tyi_render_shape *tyi_render_shape_mesh(tyi_render_accel *accel, const float *vertex, size_t vertices,
                                        const uint32_t *triangle, size_t triangles);
tyi_render_shape *tyi_render_shape_sphere(tyi_render_accel *accel, float radius);
/* clods (k_clod.h): any number, set anew by tyi_render_shape_set_clods(); they are read when rays are traced, so they stay where they are */
struct ty_k_scene_clod;
tyi_render_shape *tyi_render_shape_clods(tyi_render_accel *accel);
void tyi_render_shape_set_clods(tyi_render_shape *shape, const struct ty_k_scene_clod *clod, size_t n);
void tyi_render_shape_destroy(tyi_render_shape *shape);

/* Slots from `first` on are kept apart, as ones that seldom change. Before any is placed. */
void tyi_render_accel_split(tyi_render_accel *accel, uint32_t first);
/* Slots: instances of shapes. m: columns of a 3 x 4 matrix that takes the shape's points to the traced frame. */
bool tyi_render_accel_place(tyi_render_accel *accel, uint32_t slot, tyi_render_shape *shape, const float m[12]);
/* An instance that moves while time goes from 0 to 1: attitude (scalar first, on the sphere between
 * the two) and place, in the traced frame. */
bool tyi_render_accel_place_moving(tyi_render_accel *accel, uint32_t slot, tyi_render_shape *shape, const float q[2][4],
                                   const float p[2][3]);
void tyi_render_accel_hide(tyi_render_accel *accel, uint32_t slot);
void tyi_render_accel_commit(tyi_render_accel *accel); /* after changes, before tracing */

/* Any thread. n lanes, multiple of 16 are best. */
void tyi_render_accel_hit(const tyi_render_accel *accel, tyi_render_rays *rays, unsigned n);
void tyi_render_accel_occlude(const tyi_render_accel *accel, tyi_render_rays *rays, unsigned n);
/* one shape alone, rays in its own frame */
void tyi_render_shape_occlude(const tyi_render_shape *shape, tyi_render_rays *rays, unsigned n);

#endif
