/* kernels/k_scene.h - a scene as light needs it: flat records of 32-bit numbers, the same on host and device, that name
 * each other by number.
 *
 * A scene is one piece of memory: a head that says where each section lies, then the sections. Everything that stands
 * somewhere does so in the traced frame, which has W's axes and its origin near the eye. What a section holds is said
 * at its record. Numbers that name nothing are TY_K_NONE.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SCENE_H
#define TY_K_SCENE_H
#include "k_paint.h"

#define TY_K_NONE 0xffffffffu
enum { TY_K_SCENE_BANDS = 8 };

enum ty_k_section {
    TY_K_SCENE_MATERIAL,  /* ty_k_scene_material: 0 ground, 1 rocks, then those of objects */
    TY_K_SCENE_MESH,      /* ty_k_scene_mesh: shapes of rocks, then of objects */
    TY_K_SCENE_INSTANCE,  /* ty_k_scene_instance: objects that are not hidden, then rocks */
    TY_K_SCENE_VERTEX,    /* 3 floats [m] in the mesh's frame */
    TY_K_SCENE_INDEX,     /* 3 vertices of a triangle, counted from the mesh's first */
    TY_K_SCENE_NORMAL,    /* 3 floats, unit */
    TY_K_SCENE_UV,        /* 2 floats */
    TY_K_SCENE_WHICH,     /* per triangle: 0 the instance's material, else its `more` + this - 1 */
    TY_K_SCENE_TEXTURE,   /* ty_k_scene_texture */
    TY_K_SCENE_TEXEL,     /* floats of all textures */
    TY_K_SCENE_MAP,       /* ty_k_scene_map: parameters of the ground by place, in the order in which they lie */
    TY_K_SCENE_MAP_TEXEL, /* floats of all maps */
    TY_K_SCENE_REGION,    /* ty_k_scene_region, over the maps, in order */
    TY_K_SCENE_CORNER,    /* 2 floats [m]: corners of regions */
    TY_K_SCENE_LIGHT,     /* ty_k_scene_light */
    TY_K_SCENE_STAR,      /* ty_k_scene_star */
    TY_K_SCENE_CLOD,      /* ty_k_scene_clod: loose soil, of the ground's material */
    TY_K_SCENE_TILE,      /* ty_k_scene_tile: ground that is shown */
    TY_K_SCENE_HEIGHT,    /* TY_K_SCENE_SAMPLES floats [m] for each slot of a tile */
    TY_K_SCENE_SECTIONS
};

typedef struct ty_k_scene_section {
    ty_u64 offset;        /* [bytes] from the start of the piece */
    ty_u32 count, stride; /* records; [bytes] of one */
} ty_k_scene_section;

enum { TY_K_SCENE_OWN_LAW = 1, TY_K_SCENE_OWN_LIGHT = 2 };

typedef struct ty_k_scene_head {
    ty_i32 bands;
    ty_u32 host_only; /* bits: kinds that a program wrote in C; such a scene is for the host */
    ty_u64 bytes;     /* of the whole piece */
    ty_k_scene_section section[TY_K_SCENE_SECTIONS];
} ty_k_scene_head;

enum { TY_K_SCENE_VARIED = 1, TY_K_SCENE_DUSTED = 2 };
typedef struct ty_k_scene_material {
    ty_i32 law; /* enum ty_k_brdf_law; Hapke's is the last; above: a program's own */
    ty_u32 flags;
    ty_u32 albedo_map, normal_map, rough_map; /* textures */
    float normal_scale;
    float albedo[TY_K_SCENE_BANDS];
    float k, sigma, exponent, specular, roughness, metallic; /* laws of k_brdf.h */
    float b, c, bs0, hs, bc0, hc, theta, phi;                /* k_hapke.h */
    float cover[6]; /* [-] dust on its object, where that is dusted: ty_k_paint_coat() */
} ty_k_scene_material;

enum { TY_K_SCENE_SMOOTH = 1 };
typedef struct ty_k_scene_mesh {
    ty_u32 vertex, vertices, index, triangles; /* first, and how many; a sphere has none */
    ty_u32 normal;                             /* first: per vertex when smooth, else per triangle */
    ty_u32 uv, which;                          /* first, or TY_K_NONE */
    ty_u32 flags;
    float radius, uv_density; /* [m], [1/m] of a sphere */
} ty_k_scene_mesh;

enum { TY_K_SCENE_MOVING = 1, TY_K_SCENE_ROCK = 2 };
typedef struct ty_k_scene_instance {
    ty_u32 mesh, material, more; /* more: first of the further materials */
    ty_u32 label, kind;          /* as in ground truth */
    ty_u32 flags, seed;          /* seed: of a rock's unevenness */
    float scale;                 /* [-] of the mesh */
    float tone;                  /* [-] brightness relative to the material */
    float q[2][4], p[2][3];      /* attitude, scalar first, and place [m] at the start and end of the window */
} ty_k_scene_instance;

typedef struct ty_k_scene_texture {
    ty_k_texture k;
    ty_u32 at; /* first float */
} ty_k_scene_texture;

typedef struct ty_k_scene_map {
    ty_k_texture k;
    ty_u32 at;
    ty_i32 key, band;      /* of ty_k_paint(); band -1: all */
    float x0, y0, spacing; /* [m] of the first sample */
} ty_k_scene_map;

typedef struct ty_k_scene_region {
    float x, y, radius, edge, box[4]; /* [m] as ty_k_circle_inside(); box: west, east, south, north */
    ty_u32 corner, corners;           /* first, and how many; 0: a circle */
    float albedo[TY_K_SCENE_BANDS], key[TY_K_PAINT_KEYS];
} ty_k_scene_region;

enum { TY_K_SCENE_ON = 1, TY_K_SCENE_SEEN = 2, TY_K_SCENE_GLOBE = 4 };
typedef struct ty_k_scene_light {
    ty_i32 kind;  /* enum ty_k_light_kind; above: a program's own */
    ty_u32 flags; /* gives light that reaches the scene; is seen itself; as a globe */
    float axis[3], place[3], tan_radius, cos_outer, inv_blend; /* ty_k_light */
    float chord2, inv_sin, lit[3];                             /* ty_k_disk */
    float power[TY_K_SCENE_BANDS], radiance[TY_K_SCENE_BANDS]; /* as ty_light; [W/m^2/sr] of the disk's brightest */
} ty_k_scene_light;

typedef struct ty_k_scene_star {
    float dir[3], power[TY_K_SCENE_BANDS]; /* [-], [W/m^2] */
} ty_k_scene_star;

/* k_clod.h: a place [m] in the traced frame, a radius [m], and the number that its faces and attitude come from */
typedef struct ty_k_scene_clod {
    float p[3], r;
    ty_u32 seed;
} ty_k_scene_clod;

enum { TY_K_SCENE_CELLS = 64, TY_K_SCENE_STRIDE = 67, TY_K_SCENE_SAMPLES = 67 * 67 };
/* numbers per slot of the ground's brightness: (64 + 1)^2 samples, then how strong grains are at every eighth */
enum { TY_K_SCENE_TONE_SIDE = 65, TY_K_SCENE_GRAIN_SIDE = 9, TY_K_SCENE_TONES = 65 * 65 + 9 * 9 };
enum { TY_K_SCENE_CURVED = 1, TY_K_SCENE_TONED = 2 };
typedef struct ty_k_scene_tile {
    ty_u32 slot, version; /* of its heights: samples -1 .. 65 of each row; the version changes when they do */
    ty_i32 level, x, y;   /* number of the tile on its level's lattice: the first sample is 64 x, 64 y */
    ty_u32 flags; /* curved: the lattice is bent round the Moon there (k_chart.h); toned: its brightness differs */
    float d;      /* [m] spacing */
    float p[3];   /* [m] traced frame: its first sample, at height 0 of the slot */
    float z0;     /* [m] height 0 of the slot over the lattice */
    float grain_reach, grain_slope, grain_u, grain_v; /* ty_k_grain; ty_k_grain_place() of its first sample */
    ty_i32 grain_first;
} ty_k_scene_tile;

#endif
