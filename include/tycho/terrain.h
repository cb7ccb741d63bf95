/* include/tycho/terrain.h - the one ground that physics, cameras and lidar share.
 *
 * A terrain is a height field z(x, y) over the tangent plane of a site frame W (docs/frames.md): z is the W
 * coordinate, so the Moon's curvature is part of it and a ray is a straight line. It has four layers:
 * base (a raster), detail (relief and craters, generated from a seed), edits (ruts, berms) and rocks, which
 * are bodies of their own standing in the height field.
 *
 * Beyond a quarter of the Moon's radius (434 km) the lattice is bent round the Moon (kernels/k_chart.h): x, y and z
 * are then coordinates of the lattice. Patches, rays and skylines end there.
 *
 * Level l has samples at (i, j) * spacing(l), spacing(l) = resolution * 2^l. What a level shows is the terrain
 * without what is too small for it. Between samples the surface is the bicubic Catmull-Rom spline: it
 * passes through the samples and its slope is continuous.
 *
 * Threads: queries may run on any number of threads at once; edits must not run beside anything else.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_TERRAIN_H
#define TYCHO_TERRAIN_H
#include "tycho/base.h"
#include "tycho/math.h"
TY_BEGIN_DECLS

typedef struct ty_terrain ty_terrain;

#define TY_BASE_OCTAVES 4

/* Where base heights come from: a raster, or a user's own function. */
typedef struct ty_terrain_base {
    /* Heights [m] above the sphere at n places lat, lon [rad], smoothed to the given spacing [m] when that
     * is coarser than the base; NaN outside its cover. Called from several threads at once. */
    ty_status (*sample)(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                        ty_diag *diag);
    void *user;
    double spacing; /* [m] between its samples; <= 0: there is no base */
    double outside; /* [m] height above the sphere where sample() gives NaN */
    /* [-] share of the relief's power that the base lacks at wavelengths of 2 to 4, 4 to 8, 8 to 16 and 16 to 32
     * spacings (rasters are smoother than their spacing promises); the relief is added to fill it. */
    double missing[TY_BASE_OCTAVES];
    /* How rough the ground is at n places, relative to the site [-], smooth over many samples: generated relief
     * follows it near the base's spacing, and less the finer it is, as small relief is much the same everywhere.
     * NULL: as at the site. */
    void (*rough)(void *user, size_t n, const double *lat, const double *lon, double *out);
    void *rough_user;
} ty_terrain_base;

/* Roughness: the root-mean-square slope between points `baseline` apart, and how it changes with scale. Craters are
 * part of it: the fractal relief adds what they leave of the power at each scale, and a quarter of it at least. */
typedef struct ty_relief_def {
    double rms_slope_deg; /* [deg] its tangent is the standard deviation of the height difference over the baseline */
    double baseline;      /* [m] */
    double hurst;         /* [-] 0.1 to 1: sigma(dh) grows as distance^hurst */
    double outer;         /* [m] wavelengths above this are not generated */
    /* [m] where the law ends: shorter waves fade out, and the slope above is that of the finished ground, craters on;
     * 0: the law goes on to the finest samples */
    double inner;
    double micro_deg; /* [deg] RMS slope over 1 cm of the soil's own roughness, waves of 2 to 30 cm; 0: none */
    double patchy;    /* [-] how much it differs from patch to patch: standard deviation of its logarithm */
    bool crumbs;      /* it is crumbs and pits, steep and few, instead of waves */
    /* [deg] RMS slope over 10 cm of soft hummocks and hollows, waves of 8 cm to 1 m, as patchy; crumbs are then those of
     * 2 and 4 cm alone; 0: none */
    double hollows_deg;
} ty_relief_def;

/* A finer raster that lies over the base, or over the layer before it, on part of the Moon. Where it lies it
 * replaces what is below, generated detail included, and what is generated from there on continues it. */
#define TY_TERRAIN_LAYERS 8
typedef struct ty_terrain_layer {
    /* Like ty_terrain_base.sample; also the weight [-] of each height, 0 outside the cover (whatever the height) to
     * 1, and the shift [m] by which what lies below is moved before, in and around the cover, so that both meet; all
     * smooth. shift may be NULL. */
    ty_status (*sample)(void *user, size_t n, const double *lat, const double *lon, double spacing, double *height,
                        double *weight, double *shift, ty_diag *diag);
    /* How far places lie outside the cover [m]; 0 inside. */
    ty_status (*away)(void *user, size_t n, const double *lat, const double *lon, double *away, ty_diag *diag);
    void *user;
    double spacing;                  /* [m] less than that of what lies below */
    double lat, lon, reach;          /* [rad] a circle around all that has a weight or a shift, radius below pi / 2 */
    double missing[TY_BASE_OCTAVES]; /* [-] as in ty_terrain_base */
    ty_relief_def relief;            /* the law that its spectrum follows */
} ty_terrain_layer;

/* Craters and rocks, generated or put at a place. */
typedef struct ty_crater ty_crater;
typedef struct ty_rock ty_rock;

typedef struct ty_crater_def {
    bool on;
    double age;   /* [Gyr] of the surface, sets the production curve [neukum2001] */
    double d_min; /* [m] smallest generated diameter */
    double d_max; /* [m] largest; over a base raster also limited to what the raster cannot show */
    double wear; /* [-] how far craters below some 40 m wear down in their life; 0: all have the depths of larger ones */
    double density; /* [-] of the equilibrium [trask1966] that the ground holds */
    double small;   /* [-] the same below half a metre; 0: as density */
    const ty_crater
        *placed; /* at given places, beside the generated ones and also where `on` is false; outlive the terrain */
    size_t places;
} ty_crater_def;

/* Kinds of ground: which laws and numbers hold where nothing else is said. */
typedef enum ty_ground_kind {
    TY_GROUND_ANY, /* none: the definition's own numbers */
    TY_GROUND_MARE,
    TY_GROUND_HIGHLAND,
    TY_GROUND_POLAR_RIDGE,
    TY_GROUND_POLAR_FLOOR,
    TY_GROUND_PYROCLASTIC,
    TY_GROUND_KINDS
} ty_ground_kind;

/* How the soil looks from place to place. */
typedef struct ty_tone_def {
    double halo;  /* [-] how much brighter a new crater and its surroundings are; fades with a tenth of its life */
    double field; /* [-] standard deviation of a smooth field of brightness */
    double grain; /* [-] slope of each octave of grains that only the light sees, from 3 cm down */
} ty_tone_def;

typedef struct ty_rock_def {
    bool on;
    double cover;        /* [-] k: fraction of the area covered by rocks of any size, 0 to 0.4 */
    double d_min;        /* [m] smallest generated diameter */
    double d_max;        /* [m] */
    double crater_boost; /* [-] how many times denser at the rim of a fresh crater */
    /* [-] of a power law N(> D) ~ D^-exponent, 2.05 to 4, where `cover` is that of rocks of at least 5 cm; 0: the law of
     * a Martian site, whose large rocks are cut off */
    double exponent;
    double old;          /* [-] share that is worn round and sunk deep; 0: all stand angular */
    double dark, bright; /* [-] a rock's brightness over the soil's, least and most; 0: all alike */
    double fillet; /* [-] how high soil is banked up round worn rocks, of what stands above the ground; 0: not at all */
    /* at given places, beside the generated ones and also where `on` is false; scale 0: by diameter and burial. Copied */
    const ty_rock *placed;
    size_t places;
} ty_rock_def;

/* Start from ty_terrain_def_default(). Key, meaning, default and range of each field: docs/reference.md. */
typedef struct ty_terrain_def {
    double lat, lon;   /* [rad] of the site's origin */
    double radius;     /* [m] of the reference sphere */
    double resolution; /* [m] spacing of level 0 */
    bool whole;        /* false   levels go on until they reach round the Moon */
    double extent;     /* [m] side of the square site centred on the origin; sets the coarsest level */
    uint64_t seed;     /* of everything that is generated */
    int kind;          /* ty_ground_kind that the numbers below came from */
    /* 0 0   of a plane through the origin under all that is generated: how steep, and where to it rises (from north to the east) */
    double slope_deg, slope_azimuth_deg; /* [deg] */
    bool detail;                         /* true    whether relief and craters are added to a base */
    ty_relief_def relief;
    ty_crater_def crater;
    ty_tone_def tone;
    ty_rock_def rock;
    ty_terrain_base base; /* kept by value; user must outlive the terrain */
    /* over the base, each finer than the one before; users must outlive the terrain */
    ty_terrain_layer layer[TY_TERRAIN_LAYERS];
    int layers;
    /* roughness at small scales, which the relief below base and layers goes over into; rms_slope_deg 0: their own
     * laws go on */
    ty_relief_def ground;
    int edit_level;        /* level of the samples that edits change */
    size_t cache_bytes;    /* bound on resident tiles */
    const ty_alloc *alloc; /* NULL: heap */
    uint32_t cookie;
} ty_terrain_def;

TY_API ty_terrain_def ty_terrain_def_default(void);
/* The same with the numbers of a kind of ground; sources: docs/terrain.md. */
TY_API ty_terrain_def ty_terrain_def_kind(ty_ground_kind kind);
/* On success the caller owns *out. TY_ERR_DEF, TY_ERR_RANGE, TY_ERR_MEMORY, or what the base returns. */
TY_API ty_status ty_terrain_create(const ty_terrain_def *def, ty_terrain **out, ty_diag *diag);
TY_API void ty_terrain_destroy(ty_terrain *terrain); /* NULL is allowed */
TY_API const ty_terrain_def *ty_terrain_get_def(const ty_terrain *terrain);
TY_API const ty_site *ty_terrain_site(const ty_terrain *terrain);

TY_API int ty_terrain_levels(const ty_terrain *terrain);                /* levels are 0 .. this - 1 */
TY_API double ty_terrain_spacing(const ty_terrain *terrain, int level); /* [m] */
TY_API int ty_terrain_level(const ty_terrain *terrain, double spacing); /* coarsest level not above spacing [m] */

/* Tiles: the only way to heights. Tile (level, x, y) covers samples x*128 .. x*128+127 east and likewise north. */
#define TY_TERRAIN_TILE 128
/* Copies the tile's heights relative to *z0 [m]: out[j * TY_TERRAIN_TILE + i], j north. Same bits whoever asks, in any
 * order. */
TY_API ty_status ty_terrain_tile(ty_terrain *terrain, int level, int32_t x, int32_t y, float *out, double *z0,
                                 ty_diag *diag);

/* Heights [m] of samples i0 .. i0+nx-1, j0 .. j0+ny-1 of a level, out[(j - j0) * nx + (i - i0)], minus z0 [m]. */
TY_API ty_status ty_terrain_region(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int32_t nx, int32_t ny,
                                   double z0, float *out, int threads, ty_diag *diag);

/* Height [m] and upward unit normal at n points (x, y) [m]; normal may be NULL. */
TY_API ty_status ty_terrain_sample(ty_terrain *terrain, int level, size_t n, const double *x, const double *y,
                                   double *height, ty_vec3 *normal, ty_diag *diag);

/* A rectangle of the tangent plane [m]. */
typedef struct ty_rect {
    double x0, y0, x1, y1;
} ty_rect;

struct ty_crater {
    double x, y;        /* [m] W */
    double diameter;    /* [m] rim to rim */
    double depth_ratio; /* [-] depth / diameter, rim to floor, as generated */
    double freshness;   /* [-] 1 fresh .. 0 nearly gone */
};

#define TY_ROCK_PLACED ((uint64_t)1 << 62) /* a bit of the ids of rocks that were put at a place */
struct ty_rock {
    double x, y;     /* [m] W, centre of the outline */
    double diameter; /* [m] of the circle with the area that is seen from above, over level ground */
    /* [m] what the shape's lengths are multiplied by; above diameter, as part is buried. In an edit 0: it is taken away */
    double scale;
    double yaw; /* [rad] turn about the vertical */
    /* [-] fraction of the height below ground: the shape's z = 0 is scale * burial * height down; above 1: pressed
     * in wholly */
    double burial;
    uint32_t shape; /* index into the shape library, ty_rock_shape() */
    uint64_t id;    /* the same for the same rock, always; never 0 */
};

/* Catalogues: everything generated with its centre in rect and d_min <= diameter < d_max; rocks that an edit has
 * moved are where they lie now, after the others. Returns how many there are; fills at most `capacity`. The order is
 * fixed. */
TY_API size_t ty_terrain_craters(const ty_terrain *terrain, ty_rect rect, double d_min, double d_max, ty_crater *out,
                                 size_t capacity);
TY_API size_t ty_terrain_rocks(const ty_terrain *terrain, ty_rect rect, double d_min, double d_max, ty_rock *out,
                               size_t capacity);

/* The library of rock shapes: convex bodies bounded by planes, with their triangles. Their unit: seen from above, the
 * whole body has the area of a circle of diameter 1. The centre of that outline is at x = y = 0, the lowest point at z
 * = 0. */
#define TY_ROCK_SHAPES 64
#define TY_ROCK_PLANES 44
typedef struct ty_rock_shape {
    float plane[TY_ROCK_PLANES][4]; /* outward unit normal and offset: n . p <= d inside */
    int planes;
    float height;             /* [-] of the whole body */
    float radius;             /* [-] largest distance of a vertex from the vertical axis */
    const float *vertex;      /* 3 per vertex */
    const uint16_t *triangle; /* 3 per triangle, counter-clockwise seen from outside */
    int vertices, triangles;
} ty_rock_shape;
TY_API const ty_rock_shape *ty_terrain_rock_shape(const ty_terrain *terrain, uint32_t shape);

/* Edits. One call changes a rectangle of samples at the edit level. The terrain keeps their sum, and its journal (src/world/terrain/journal.h)
 * each of them until all of its readers have it. Start from zeros. */
typedef struct ty_edit {
    int32_t i0, j0, nx, ny;  /* samples of the edit level */
    const float *change;     /* [m] added to the height; NULL: no change of height */
    const uint8_t *trace;    /* what marks the ground here (0 untouched); NULL: as before */
    const ty_rock *rock;     /* a rock (by its id) that lies here now: all of it as it is from now on; NULL: none */
    const float *pressed;    /* [m] how far the soil here has been pressed together so far; NULL: as before */
    const uint8_t *material; /* what lies here (0 as generated); NULL: as before */
    const uint8_t
        *covered; /* by which patch of particles, which have the heights while it is so (0 none); NULL: as before */
    const uint32_t
        *print; /* lugs' grooves around each sample (kernels/k_print.h; 0 none), in place of the trace's pattern where
                              levels are finer than this one; NULL: as before */
} ty_edit;
TY_API ty_status ty_terrain_edit(ty_terrain *terrain, const ty_edit *edit, ty_diag *diag);
TY_API uint64_t ty_terrain_version(const ty_terrain *terrain); /* number of edits so far */
/* What the edits have changed so far, at samples of a level: change [m] and, at the edit level, trace; either may be
 * NULL. */
TY_API void ty_terrain_edits(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int32_t nx, int32_t ny,
                             float *change, uint8_t *trace);

/* Patch: a resident rectangle of one level with its min/max pyramid; the fast path for many queries and rays. */
typedef struct ty_terrain_patch ty_terrain_patch;
TY_API ty_status ty_terrain_patch_create(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int32_t nx, int32_t ny,
                                         int threads, ty_terrain_patch **out, ty_diag *diag);
TY_API void ty_terrain_patch_destroy(ty_terrain_patch *patch);
TY_API ty_rect ty_terrain_patch_rect(const ty_terrain_patch *patch); /* where queries are answered */

/* Height [m] and slopes dz/dx, dz/dy [-] at n points; points outside ty_terrain_patch_rect() are clamped to it. */
typedef struct ty_terrain_ground {
    double z;
    float dzdx, dzdy;
} ty_terrain_ground;
TY_API void ty_terrain_patch_sample(const ty_terrain_patch *patch, size_t n, const double *x, const double *y,
                                    ty_terrain_ground *out);
static inline ty_vec3 ty_terrain_ground_normal(ty_terrain_ground g)
{
    return ty_normalize(ty_vec3_make(-(double)g.dzdx, -(double)g.dzdy, 1.0));
}

typedef struct ty_ray {
    ty_vec3 origin;      /* [m] W */
    ty_vec3 direction;   /* unit */
    double t_min, t_max; /* [m] */
} ty_ray;
typedef struct ty_terrain_hit {
    double t;       /* [m] along the ray; INFINITY: nothing was hit */
    ty_vec3 normal; /* unit, outward */
    uint64_t rock;  /* id of the rock that was hit; 0: the ground */
} ty_terrain_hit;
/* First crossing of ground or rock (rocks as far as ty_terrain_patch_add_rocks() put them in). */
TY_API void ty_terrain_patch_rays(const ty_terrain_patch *patch, size_t n, const ty_ray *rays, ty_terrain_hit *hits);
/* Puts the rocks of at least d_min [m] that stand in the patch into it, where they lie now: moves that come later need
 * another call. */
TY_API ty_status ty_terrain_patch_add_rocks(ty_terrain_patch *patch, double d_min, ty_diag *diag);

TY_API void ty_terrain_patch_horizon(const ty_terrain_patch *patch, ty_vec3 p_W, double near, double far, int n,
                                     const double *enough, double *slope);

TY_END_DECLS
#endif
