/* src/render/host/lanes.h - blocks of samples in single precision, and the steps that shade them lane by
 * lane. Only files that work in float include this.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_LANES_H
#define TYI_RENDER_LANES_H
#ifdef TY_K_BASE_H
#error "lanes.h comes before any kernel"
#endif
#define TY_KERNEL_FLOAT
#include "film.h"

#define N                 TYI_RENDER_LANES
#define TYI_RENDER_PACKET 8 /* lanes that the tracer takes at once */

/* a material, prepared */
typedef struct tyi_render_brdf {
    const struct tyi_render_law *law;
    const ty_material *material;
    const ty_law_model *own; /* NULL: a built-in law */
    ty_k_hapke ground[TY_BANDS];
    ty_k_brdf other[TY_BANDS];
} tyi_render_brdf;

/* a light in the traced frame */
typedef struct tyi_render_lamp {
    ty_k_light light;
    const struct tyi_render_lamp_kind *kind;
    const ty_light *own;         /* as it was given */
    const ty_light_model *model; /* NULL: a built-in kind */
    bool on, seen;               /* gives light that can reach the scene; is itself seen in the sky */
    ty_k_vec3 e0, e1;            /* across a disk's axis */
    float power[TY_BANDS];
    ty_k_disk disk;           /* as it is seen itself */
    float radiance[TY_BANDS]; /* visible disk [W/m^2/sr]; 0: not seen */
} tyi_render_lamp;

struct tyi_render_shading { /* what a frame's workers share */
    tyi_render_brdf brdf[TYI_RENDER_MATERIALS];
    tyi_render_lamp lamp[TYI_RENDER_MOST_LIGHTS];
    int lamps;
    ty_k_frame film; /* where there is a camera */
    ty_k_view view;  /* of the flat scene */
};

/* vectors of lanes */
typedef struct tyi_render_lanes3 {
    _Alignas(64) float x[N];
    float y[N], z[N];
} tyi_render_lanes3;

#define TYI_RENDER_KEPT_PAIRS 10 /* pairs of random numbers whose scrambling is kept from sample to sample */

typedef struct tyi_render_kept { /* where paths go on from more than once */
    float dx[N], dy[N], dz[N];
    tyi_render_lanes3 point, normal;
    int32_t material[N];
    float through[TY_BANDS][N];
    tyi_render_vary vary[N];
    float tone[N], disturbed[N], cover[N];
} tyi_render_kept;

typedef struct tyi_render_block {
    tyi_render_rays ray, shadow;
    tyi_render_lanes3 point;                        /* [m] hit, lifted off the surface */
    tyi_render_lanes3 normal;                       /* [-] shading normal, on the eye's side */
    tyi_render_lanes3 packed_n, packed_l, packed_v; /* lanes of one material, close together */
    int32_t material[N];                            /* -1: nothing was hit */
    int32_t list[N];                                /* lanes of one material */
    float share[N];                                 /* [-] of the light, times mu0 */
    float packed_f[N];
    float f[TY_BANDS][N];       /* [1/sr] BRDF */
    float through[TY_BANDS][N]; /* [-] what the path has left */
    float pass[TY_BANDS][N];    /* [-] of a lamp's light that its shadow ray lets through */
    float film[TY_BANDS][N];
    float straight[N];              /* film before the light straight from lamps */
    double second, square, seconds; /* split: light that paths brought so far, its square, their number */
    tyi_render_kept kept;
    bool low[N];                           /* split: the next directions are drawn towards the skyline */
    float lit[N], seen[N];                 /* samples in the light of the first lamp; samples with a surface */
    float u[N], v[N];                      /* [px], then random numbers */
    size_t rays, tile;                     /* traced so far; number of the image's tile */
    bool scrambled[TYI_RENDER_KEPT_PAIRS]; /* these are known: how each pixel scrambles its random points */
    uint32_t scramble[TYI_RENDER_KEPT_PAIRS][3][N];
    int32_t x[N], y[N];      /* [px] pixel of each lane; x < 0: outside the image */
    float cone;              /* [rad] how wide a pixel sees */
    tyi_render_vary vary[N]; /* lanes whose material is varied */
    float tone[N];           /* brightness relative to the material */
    float disturbed[N];      /* share of soil that was driven over */
    float cover[N];          /* share of an object that dust covers */
    float packed_soil[N];    /* [1/sr] of the soil, where some of that is above 0 */
} tyi_render_block;

/* A law, for `count` lanes that lie close together: BRDF [1/sr] with the material's parameters, and with those of
 * the lanes lane[k] of p. */
typedef struct tyi_render_law {
    void (*lanes)(const tyi_render_brdf *m, int band, const tyi_render_lanes3 *n, const tyi_render_lanes3 *l,
                  const tyi_render_lanes3 *v, float *f, int count);
    void (*varied)(const tyi_render_brdf *m, int band, const tyi_render_vary *p, const int32_t *lane,
                   const tyi_render_lanes3 *n, const tyi_render_lanes3 *l, const tyi_render_lanes3 *v, float *f,
                   int count);
    bool lobed; /* directions are drawn by ty_k_brdf_sample(), else by the cosine */
} tyi_render_law;

/* A kind of light: directions, distances and shares for all lanes. */
typedef struct tyi_render_lamp_kind {
    void (*aim)(tyi_render_block *b, const tyi_render_lamp *lamp, ty_vec3 centre);
    bool random; /* reads random numbers from u and v */
} tyi_render_lamp_kind;

tyi_render_brdf tyi_render_brdf_make(const ty_render_kinds *kinds, const ty_material *m);                  /* laws.c */
tyi_render_lamp tyi_render_lamp_make(const ty_render_kinds *kinds, const ty_light *light, ty_vec3 centre); /* lamps.c */
/* What a lamp gives at one place of the traced frame; u, v in [0, 1) choose a point of it. */
ty_k_lit tyi_render_lamp_at(const tyi_render_lamp *lamp, ty_k_vec3 p, float u, float v, ty_vec3 centre);
/* the disks of lamps that are seen themselves, as far as the way there is clear, into film */
void tyi_render_lamps_see(tyi_render_block *b, const struct tyi_render_shading *s, int bands);

void tyi_render_shading_make(struct tyi_render_shading *s, const tyi_render_frame *frame);
/* random points for all lanes: sample number i of pair number `pair` of each pixel, into u and v */
void tyi_render_block_random(tyi_render_block *b, uint64_t seed, uint32_t i, uint32_t pair);
/* point, normal and material of what the rays hit */
void tyi_render_block_resolve(tyi_render_block *b, const tyi_render_frame *frame);
/* BRDF of every band for the directions in shadow.d* (towards the light) and -ray.d*, into f; lit: where light passes
 * alone */
void tyi_render_block_brdf(tyi_render_block *b, const ty_scene *scene, const struct tyi_render_shading *s, int bands,
                           bool lit);
/* what lies between the rays' starts and what they hit: its light into film, what passes into through (medium.c) */
void tyi_render_block_medium(tyi_render_block *b, const tyi_render_frame *frame, uint32_t i, int surface);
/* what shadow rays let through, into pass */
void tyi_render_block_pass(tyi_render_block *b, const tyi_render_frame *frame);
/* all that lies on the way of lane k of b->ray, up to `far` [m]; shadow rays go by b->shadow; narrow: light that is diffracted
 * straight on is lost; lit: with the light of lamps that is scattered; returns the optical depth of a band */
float tyi_render_lane_segments(tyi_render_block *b, const tyi_render_frame *frame, int k, const ty_trace_ray *ray,
                               int band, bool narrow, bool lit, ty_ray_segments *out);
/* light of all lamps, into film */
void tyi_render_block_light(tyi_render_block *b, const tyi_render_frame *frame, uint32_t i, uint32_t pair, bool first);
/* the next stretch of the paths; false: none goes on */
bool tyi_render_block_bounce(tyi_render_block *b, const tyi_render_frame *frame, uint32_t i, uint32_t pair);
/* the rest of the paths, from their first surface on; i: number of the sample */
void tyi_render_block_follow(tyi_render_block *b, const tyi_render_frame *frame, uint32_t i);
/* the same, with more paths where it is dark and fewer where it is not (split.c) */
void tyi_render_block_split(tyi_render_block *b, const tyi_render_frame *frame, uint32_t i);

#endif
