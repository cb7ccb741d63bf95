/* src/render/scene/scene.h - the scene, as the files of this module see it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_SCENE_H
#define TYI_RENDER_SCENE_H
#include "host/accel.h"
#include "core/core.h"
#include "flat.h"
#include "ground/heights.h"
#include "pyramid.h"
#include "tycho/ray.h"
#include "tycho/render.h"

/* ---- ground: rings of tiles around the eye ---- */

#define TYI_RENDER_TILE_CELLS 64
#define TYI_RENDER_TILE_STRIDE \
    (TYI_RENDER_TILE_CELLS + 3) /* samples -1 .. TYI_RENDER_TILE_CELLS + 1, as the spline needs them */
#define TYI_RENDER_TONES      ((TYI_RENDER_TILE_CELLS + 1) * (TYI_RENDER_TILE_CELLS + 1))
#define TYI_RENDER_GRAINS     (TYI_RENDER_TILE_CELLS / 8 + 1)
#define TYI_RENDER_MOST_RINGS 32
#define TYI_RENDER_FEW        32 /* fewer tiles than these that only take an edit are left to one thread: some 10 us each */
#define TYI_RENDER_COARSE \
    (TYI_RENDER_TILE_CELLS / 2 + 6) /* samples of the next coarser level that a tile's edges need */

typedef struct tyi_render_plot {
    int32_t x, y;       /* tile number: the first sample is x * TYI_RENDER_TILE_CELLS */
    uint8_t edges;      /* on which sides a coarser ring begins: 1 west, 2 east, 4 south, 8 north */
    bool filled;        /* holds these heights, edits and all */
    bool known;         /* natural is of this place */
    bool wanted, fresh; /* is to be seen; was filled since it was last placed */
    bool shaped;        /* the shape is of these heights */
    double z0;          /* [m] heights are relative to it */
    /* lies where the lattice is bent round the Moon: origin holds, and the shape's points are set one by one */
    bool curved;
    ty_vec3 origin;         /* [m] W */
    float *natural, *h;     /* TYI_RENDER_TILE_STRIDE^2 each: before any edit; as it is, in a slot of the heights */
    uint32_t record;        /* its number in the flat scene, while it is shown */
    uint32_t slot, version; /* of h; counts how often it was filled, for readers that keep a copy of the slot */
    float *coarse;          /* TYI_RENDER_COARSE^2, before any edit; NULL unless the rings have a supply */
    /* (TYI_RENDER_TILE_CELLS + 1)^2: brightness of the soil, then how strong its grains are at every eighth sample;
     * NULL: the same everywhere */
    float *tone;
    float *untrodden;       /* the same without tracks, where they come again and again; NULL: not kept */
    int32_t tone_x, tone_y; /* tile that it is of, */
    int tone_level;         /* and its ring's level: memory of a tile may come from another ring */
    uint32_t tone_version;  /* counts how often it was written */
    bool toned;             /* without tracks */
    tyi_render_shape *shape;
} tyi_render_plot;

typedef struct tyi_render_ring {
    int level;
    double d;          /* [m] spacing */
    int half;          /* [tiles] from its middle to its edge; even */
    float grain_reach; /* [m] ty_k_grain, 0: has none */
    int grain_first;
    bool placed;           /* stands, and all its tiles are known; with a supply only */
    tyi_render_plot *tile; /* side^2; tile x, y lives at x mod side, y mod side */
} tyi_render_ring;

/* where rings stand */
typedef struct tyi_render_stand {
    int first;                           /* the innermost that is drawn */
    int32_t c[TYI_RENDER_MOST_RINGS][2]; /* middles, in tiles; even */
} tyi_render_stand;

typedef struct tyi_render_ground {
    ty_terrain *terrain; /* NULL: none */
    const ty_alloc *alloc;
    int side, rings;      /* tiles along a ring; rings */
    int first;            /* the innermost ring that is drawn: finer ones would be smaller than a pixel */
    double detail, pixel; /* [px] widest cell below the eye, 0: as fine as there is; [rad] of the camera, 0: unknown */
    double above;         /* [m] eye over the ground below it */
    double coarser; /* [m] from the eye: beyond it the ground is coarser than asked for (ground_fit.c); 0: nowhere */
    bool closed;    /* the last ring goes round the Moon */
    struct tyi_render_supply *supply; /* NULL: a frame waits until all its ground is made */
    double wait;                      /* [s] at most, with a supply */
    tyi_render_heights *heights;      /* slots of all tiles */
    int shown, late; /* with a supply: the innermost ring that is shown; rings that are not where they should be */
    tyi_render_ring ring[TYI_RENDER_MOST_RINGS];
    tyi_render_stand now;
    uint64_t frame;                 /* count */
    double before[2], motion[2];    /* [m] where the eye was in the last frame; how far it had come */
    struct tyi_render_store *store; /* tiles of eyes elsewhere (ground_store.c) */
    struct tyi_render_spare *spare; /* tiles made ahead (ground_ahead.c) */
    size_t spares;
    uint64_t version;       /* edits taken over */
    bool later;             /* shapes are made when a ray of the host needs them (tyi_render_ground_shapes()) */
    bool owed;              /* some may have none, those that are kept for later among them */
    tyi_render_plot **work; /* tiles to be filled */
    tyi_render_ring **work_ring;
    size_t works;
} tyi_render_ground;

ty_status tyi_render_rings_init(tyi_render_ground *g, const ty_scene_def *def, ty_diag *diag);
void tyi_render_rings_free(tyi_render_ground *g);
/* As much ground as a reader with so much memory can hold: per tile so many bytes, so many more where it is bent, and no more tiles
 * than `most`. Where that is less than there would be, rings beyond a distance are narrower, so that coarser ones begin nearer.
 * Returns how many tiles can be shown at most, 0: even the coarsest ground does not fit. */
size_t tyi_render_rings_fit(tyi_render_ground *g, double bytes, size_t tile, size_t bent, size_t most);
/* Fills what the eye needs and what was edited. *changed: something did. */
ty_status tyi_render_ground_update(tyi_render_ground *g, tyi_render_accel *accel, ty_vec3 eye, int threads,
                                   bool *changed, ty_diag *diag);
void tyi_render_ground_shapes(tyi_render_ground *g, int threads); /* of wanted tiles that have none of their heights */
static inline size_t tyi_render_ground_slots(const tyi_render_ground *g)
{
    return (size_t)g->rings * (size_t)g->side * (size_t)g->side;
}

static inline tyi_render_plot *tyi_render_ring_tile(const tyi_render_ground *g, const tyi_render_ring *r, int32_t x,
                                                    int32_t y)
{
    int n = g->side, i = (int)(x % n), j = (int)(y % n);
    return &r->tile[(j < 0 ? j + n : j) * n + (i < 0 ? i + n : i)];
}

/* Memory and shape of a tile; false: there is none. */
bool tyi_render_plot_make(const tyi_render_ground *g, tyi_render_accel *accel, tyi_render_plot *tile);
void tyi_render_plot_free(const tyi_render_ground *g, tyi_render_plot *tile);

/* Where rings stand around an eye at x, y of the lattice; of ring k that stands so, whether tile x, y is shown, and
 * the sides on which it borders on the next ring (the last ring has none). */
void tyi_render_stand_at(const tyi_render_ground *g, const double at[2], tyi_render_stand *out);
bool tyi_render_stand_wants(const tyi_render_ground *g, const tyi_render_stand *stand, int k, int32_t x, int32_t y);
uint8_t tyi_render_stand_edges(const tyi_render_ground *g, const tyi_render_stand *stand, int k, int32_t x, int32_t y);

/* With a supply (ground_follow.c): moves the rings towards the eye at x, y of the lattice; and the height of the
 * ground there, as far as it is known. */
ty_status tyi_render_rings_follow(tyi_render_ground *g, tyi_render_accel *accel, const double at[2], bool *changed,
                                  ty_diag *diag);
bool tyi_render_rings_known(const tyi_render_ground *g, double x, double y, double *z);

/* Curved tiles (ground_curved.c): sets the shape's points from the heights, and the origin. */
/* those points, 3 numbers for each of 65 x 65, relative to the origin */
void tyi_render_plot_points(const tyi_render_ground *g, const tyi_render_ring *ring, const tyi_render_plot *tile,
                            float *point);
void tyi_render_plot_bend(const tyi_render_ground *g, const tyi_render_ring *ring, const tyi_render_plot *tile);
/* whether it is curved, and where it stands then; once it is filled */
void tyi_render_plot_seat(const tyi_render_ground *g, const tyi_render_ring *ring, tyi_render_plot *tile);
/* false: the whole tile lies past the antipode */
bool tyi_render_plot_exists(const tyi_render_ground *g, const tyi_render_ring *ring, int32_t x, int32_t y);
/* Distance along a ray to the surface near the distance t [m], and the normal there. */
double tyi_render_plot_refine(const tyi_render_ground *g, const tyi_render_ring *ring, const tyi_render_plot *tile,
                              ty_vec3 o, ty_vec3 d, double t, ty_vec3 *normal);

/* [cells] of the grain along one axis, at the first sample of tile number `tile` (k_shade.h, in double) */
float tyi_render_grain_place(const tyi_render_ring *ring, int32_t tile);

/* ---- rocks ---- */

typedef struct tyi_render_rocks_seen {
    tyi_render_shape *shape[TY_ROCK_SHAPES];
    tyi_render_mesh mesh[TY_ROCK_SHAPES]; /* with a normal for each triangle */
    ty_rock *rock;
    ty_pose *pose;
    size_t count, room;
    ty_rock *rock_before; /* the list before, room for as many */
    ty_pose *pose_before;
    uint32_t *find;  /* places in it by number of the rock, twice the room; UINT32_MAX: none */
    double key[128]; /* places of the size classes' squares, to see whether they moved */
    bool known;
    uint64_t version; /* of the terrain's moved rocks */
    double more;      /* [m] farther than the eye alone would want them */
    double above;     /* [m] eye over the ground: classes that cannot be seen from there are left out */
    /* unit directions through the edge of the picture, from high above: rocks far outside of it are left out; none:
     * all are seen */
    ty_vec3 edge[8];
    int edges;
} tyi_render_rocks_seen;

ty_status tyi_render_rocks_seen_init(tyi_render_rocks_seen *r, tyi_render_flat *flat, tyi_render_accel *accel,
                                     const ty_scene_def *def, ty_diag *diag);
void tyi_render_rocks_seen_free(tyi_render_rocks_seen *r, const ty_alloc *alloc);
ty_status tyi_render_rocks_seen_update(tyi_render_rocks_seen *r, const ty_scene_def *def, ty_vec3 eye, bool *changed,
                                       ty_diag *diag);

/* [-] brightness of a rock relative to the rocks' material */
float tyi_render_rock_tone(const ty_scene *scene, const ty_rock *rock);

/* ---- objects ---- */

#define TYI_RENDER_MOST_OBJECTS 1024 /* the first slots are theirs */
#define TYI_RENDER_MOST_LIGHTS  32
#define TYI_RENDER_MOST_MORE    2048 /* materials of objects with several */
#define TYI_RENDER_MATERIALS    (TYI_RENDER_MOST_OBJECTS + 2 + TYI_RENDER_MOST_MORE)

typedef struct tyi_render_object {
    tyi_render_shape *shape;
    tyi_render_mesh mesh; /* has no vertices: a sphere */
    int more;             /* first of its further materials */
    bool smooth;
    double radius; /* [m] of a sphere */
    ty_render_class kind;
    ty_pose pose;
    uint32_t record;  /* its number among the instances of the flat scene, while it is shown */
    bool hidden;      /* is not placed */
    bool moving;      /* within the window */
    ty_pose pose_end; /* at its end */
    bool dusted;
    float cover[6]; /* [-] dust on its sides, as ty_k_paint_coat() */
} tyi_render_object;

/* ---- loose soil (clods.c) ---- */

#define TYI_RENDER_MOST_CLODS ((size_t)1 << 18) /* some 40 MiB with the tracer's boxes; unless another bound was set */

typedef struct tyi_render_clods {
    struct tyi_render_lump *lump;
    size_t lumps, room;
    tyi_render_shape *shape; /* NULL: there never were any */
    size_t most;             /* 0: TYI_RENDER_MOST_CLODS */
    bool changed,
        meant;       /* meant: there may be some, so that a device's programs know of them from the first frame on */
    float disturbed; /* [-] share of soil that was moved, as of the ground around it */
} tyi_render_clods;

void tyi_render_clods_free(ty_scene *scene);
bool tyi_render_clods_write(ty_scene *scene); /* into the flat scene, in the traced frame; false: no memory */
bool tyi_render_clods_place(ty_scene *scene); /* as written, for rays of the host; likewise */

/* ---- materials that differ from place to place (paint.c) ---- */

#define TYI_RENDER_MOST_TEXTURES 1024
#define TYI_RENDER_MOST_MAPS     64
#define TYI_RENDER_MOST_REGIONS  256

typedef struct tyi_render_vary { /* a material at one point */
    float albedo[TY_BANDS];
    float key[TY_GROUND_KEYS]; /* the first is not used: albedo */
    float roughness, metallic;
} tyi_render_vary;

typedef struct tyi_render_map {
    int key, band;
    double x0, y0, spacing; /* [m] */
    tyi_render_pyramid grid;
} tyi_render_map;

typedef struct tyi_render_region {
    double x, y, radius, edge, box[4]; /* [m] box: west, east, south, north */
    double *point;
    size_t points;
    tyi_render_vary own;
} tyi_render_region;

bool tyi_render_material_varied(const ty_material *m);
void tyi_render_vary_from(const ty_material *m, tyi_render_vary *v);
/* adds one (region.c) */
ty_status tyi_render_region_add(ty_scene *s, const ty_ground_region *def, ty_diag *diag);
void tyi_render_paint_free(ty_scene *s);

/* one light for all bands, as the lights and materials have it */
void tyi_render_bands_plain(ty_scene *s);

/* A program's own laws and lights (kinds.c). */
ty_status tyi_render_kinds_check(const ty_render_kinds *kinds, ty_diag *diag);
bool tyi_render_law_known(const ty_render_kinds *kinds, ty_law law);
bool tyi_render_light_known(const ty_render_kinds *kinds, ty_light_kind kind);

/* [-] mean radiance of a light's disk over its brightest; whether the Moon hides a disk from all ground (scene.c) */
double tyi_render_light_mean(const ty_light *light);
bool tyi_render_light_below(const ty_scene *scene, const ty_light *light);

/* what of a scene changed since the flat one was brought up to date */
enum {
    TYI_RENDER_MATERIAL_CHANGED = 1,
    TYI_RENDER_PLACES_CHANGED = 2,
    TYI_RENDER_PAINT_CHANGED = 4,
    TYI_RENDER_LIGHT_CHANGED = 8,
    TYI_RENDER_STAR_CHANGED = 16,
    TYI_RENDER_GROUND_CHANGED = 32,
    TYI_RENDER_MOVED = 64 /* objects, of those whose places are known */
};

struct ty_scene {
    ty_scene_def def;
    tyi_render_flat flat;
    uint32_t changed;       /* for the flat scene */
    double share[TY_BANDS]; /* [-] of the lights' power in each band (bands.c) */
    double tint[TY_BANDS];  /* [-] albedo of ground and rocks in each band, over that in visible light */
    ty_material tinted[2];  /* ground and rocks in these bands */
    int plain_bands;        /* of the definition */
    tyi_render_accel *accel;
    tyi_render_ground ground;
    tyi_render_rocks_seen rocks;
    tyi_render_clods clods;
    tyi_render_object object[TYI_RENDER_MOST_OBJECTS];
    size_t objects;
    ty_material material[TYI_RENDER_MATERIALS]; /* 0 ground, 1 rocks, 2 and on objects, then their further ones */
    bool varied[TYI_RENDER_MATERIALS];          /* has textures or maps of its albedo or roughness */
    int mores;                                  /* further materials */
    tyi_render_pyramid texture[TYI_RENDER_MOST_TEXTURES];
    size_t textures;
    tyi_render_map map[TYI_RENDER_MOST_MAPS]; /* of the ground */
    size_t maps;
    tyi_render_region region[TYI_RENDER_MOST_REGIONS];
    size_t regions;
    ty_star_seen *star;
    size_t stars, sparks; /* sparks: of a frame that stays on a device */
    ty_light light[TYI_RENDER_MOST_LIGHTS];
    int lights;
    ty_medium medium;    /* between surfaces; parts NULL: nothing */
    ty_vec3 centre;      /* [m] W: where the traced frame has its origin */
    bool refined;        /* the ground is finest around `fine`, not the eye */
    ty_vec3 fine;        /* [m] W */
    bool tracks;         /* there may be some: tyi_render_ground_toned() */
    bool carried;        /* several eyes look from about `carrier`: rocks and centre are chosen by that */
    ty_vec3 carrier;     /* [m] W */
    bool placed;         /* all that is seen is chosen, relative to centre */
    uint32_t stale;      /* what the host's tracer does not hold yet: it is asked for by rays of the host alone */
    size_t rocks_placed; /* that it holds */
    bool moved;          /* an object was added or moved */
    size_t moving;       /* objects that move within the window */
    size_t dusted;       /* objects that dust lies on */
    void *scratch;       /* workers' blocks */
    size_t scratch_bytes;
    ty_scene_stats stats;
    uint64_t rock_changes;      /* counts changes of the rocks that are seen */
    struct tyi_render_gpu *gpu; /* NULL: the host makes the frames */
    bool or_host;               /* a device that fails is left */
    char lost[1024];            /* why it was; "": it was not */
    char coarser[256];          /* that its memory makes the ground coarser; "": it does not */
    tyi_render_rays *tape;      /* NULL: rays are not recorded; else two blocks for each tile and sample */
};

#define TYI_RENDER_SLOT_CLODS  ((uint32_t)TYI_RENDER_MOST_OBJECTS)
#define TYI_RENDER_SLOT_GROUND (TYI_RENDER_SLOT_CLODS + 1u)
static inline uint32_t tyi_render_slot_rocks(const ty_scene *s)
{
    return TYI_RENDER_SLOT_GROUND + (uint32_t)tyi_render_ground_slots(&s->ground);
}
static inline const tyi_render_ring *tyi_render_slot_tile(const tyi_render_ground *g, uint32_t slot,
                                                          tyi_render_plot **tile)
{
    uint32_t at = slot - TYI_RENDER_SLOT_GROUND, per = (uint32_t)(g->side * g->side);
    const tyi_render_ring *ring = &g->ring[at / per];
    *tile = &ring->tile[at % per];
    return ring;
}
/* [m] W: the tile's first sample at height z0 */
static inline ty_vec3 tyi_render_plot_origin(const tyi_render_ring *ring, const tyi_render_plot *tile)
{
    double side = TYI_RENDER_TILE_CELLS * ring->d;
    return tile->curved ? tile->origin : ty_vec3_make(tile->x * side, tile->y * side, tile->z0);
}

/* whether tiles have a brightness of their own, or may come to have one */
bool tyi_render_ground_toned(const ty_scene *scene);

/* Pose at a time of the window, 0 to 1. */
ty_pose tyi_render_object_pose(const tyi_render_object *object, double time);
void tyi_render_object_free(tyi_render_object *object);
/* [-] share of what is in a slot that dust covers, where its normal is n (W, on either side) and it is seen along d at a time of the window */
double tyi_render_coat_at(const ty_scene *scene, uint32_t slot, ty_vec3 n, ty_vec3 d, double time);

/* The scene as flat records, as it stands after the last update or frame; valid until the scene changes. Materials,
 * meshes, textures and heights are kept as such all the time, the rest is written where it changed. NULL: no memory. */
const tyi_render_flat *tyi_render_scene_flat(ty_scene *scene);
/* the scene's number of a material of the flat scene */
static inline int tyi_render_flat_material(const ty_scene *s, uint32_t flat)
{
    uint32_t near = (uint32_t)s->objects + 2u;
    return (int)(flat < near ? flat : flat - near + TYI_RENDER_MOST_OBJECTS + 2u);
}

#define TYI_RENDER_CARRIER 3.0 /* [m] how far an eye is from its carrier at most */

/* Brings everything up to date for an eye at a place. */
ty_status tyi_render_scene_update(ty_scene *scene, ty_vec3 eye, int threads, ty_diag *diag);
/* Before rays of the host: its tracer holds what the last update chose. A device needs none of it. */
ty_status tyi_render_scene_ready(ty_scene *scene, int threads, ty_diag *diag);

#endif
