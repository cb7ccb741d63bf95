/* include/tycho/render.h - what a camera sees: a scene of ground, rocks, meshes and lights, traced on the CPU.
 *
 * A scene stands on a terrain (or on nothing) and follows it: rings of ground around the camera,
 * each twice as coarse as the one inside it, and every rock that is large enough to see. Rendering
 * brings the scene up to date (camera moved, ground edited, objects moved), then traces. Places are
 * double in the site frame W; rays are float relative to a centre near the camera.
 *
 * Radiance is in W/m^2/sr per band. Images hold rows from the top. Same scene, camera and seed:
 * same bits, for any number of threads.
 *
 * Threads: one thread at a time may use a scene; ty_render() itself runs on `threads` of them.
 * Statuses: TY_ERR_DEF, TY_ERR_RANGE, TY_ERR_MEMORY, TY_ERR_INPUT (camera inside the ground), and
 * the terrain's. Model, limits, cost: src/render/README.md
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_RENDER_H
#define TYCHO_RENDER_H
#include "tycho/base.h"
#include "tycho/buffer.h"
#include "tycho/device.h"
#include "tycho/math.h"
#include "tycho/sky.h"
#include "tycho/terrain.h"
TY_BEGIN_DECLS

/* ---- materials ---- */

/* Reflectance laws; formulas in kernels/k_hapke.h and kernels/k_brdf.h */
typedef enum ty_law {
    TY_LAW_LAMBERT,
    TY_LAW_LOMMEL_SEELIGER,
    TY_LAW_MINNAERT,
    TY_LAW_OREN_NAYAR,
    TY_LAW_PHONG,
    TY_LAW_PRINCIPLED,
    TY_LAW_HAPKE,
    TY_LAW_COUNT /* and up: a program's own, in the order of ty_render_kinds */
} ty_law;

/* A law reads what it needs of this. */
typedef struct ty_material {
    ty_law law;
    double albedo[TY_BANDS];                   /* [-] per band: Lambert albedo or base colour; Lommel-Seeliger and
                                Hapke: w */
    double k;                                  /* [-] Minnaert */
    double sigma;                              /* [rad] Oren-Nayar */
    double exponent;                           /* [-] Phong */
    double specular, roughness, metallic;      /* [-] Phong (specular) and Principled */
    double b, c, bs0, hs, bc0, hc, theta, phi; /* [-], theta [rad]: Hapke, all bands */
    /* textures of the scene (ty_scene_add_texture), 0: none; only objects with texture coordinates have use for them */
    uint32_t albedo_map; /* colours that albedo is multiplied by */
    uint32_t normal_map; /* normals in the surface's own axes: x along u, y against v (up in the
                            picture), z out; 0 to 1 stands for -1 to 1 */
    uint32_t rough_map;  /* green multiplies roughness, blue metallic */
    double normal_scale; /* [-] 1   of the normal map's x and y */
} ty_material;

/* A law of a program's own. The functions of this and the models below are called by all threads that render, at the
 * same time, and must give the same answer for the same question. They run on the host; a device needs the same as a text
 * (docs/scenes.md: `source`), and without it leaves the sensor to the host. */
typedef struct ty_law_geometry {
    double mu0, mu; /* [-] cosines of incidence and emission, both above 0 */
    double cos_g;   /* [-] cosine between the directions to the light and to the eye */
} ty_law_geometry;

typedef struct ty_law_model {
    const char *name;
    /* BRDF [1/sr] of one band; material->albedo[band] is what textures and maps make of it at this point. */
    double (*brdf)(const ty_material *material, int band, const ty_law_geometry *g, void *user);
    void *user;
    /* The same for devices, NULL: the host's alone: `ty_real brdf(ty_k_brdf m, ty_k_angles a) { ... }` in the subset of C that
     * kernels/ is written in, with the types of k_brdf.h and k_angles.h. */
    const char *source;
} ty_law_model;

TY_API ty_material ty_material_lambert(double albedo);
/* Hapke parameters of real ground: "moon_visual", "moon_321" .. "moon_689", "chrono", "itokawa".
 * false: no such name. */
TY_API bool ty_material_preset(const char *name, ty_material *out);

/* ---- scene ---- */

typedef struct ty_scene ty_scene;

/* Laws and lights of a program's own: rows after the built-in ones, law i has the number TY_LAW_COUNT + i, light i
 * TY_LIGHT_COUNT + i. Names, of which none may be taken, are what scenarios call them (law:, type: registered).
 * Everything is kept by reference and outlives whatever was created with it. */
typedef struct ty_render_kinds {
    const ty_law_model *law;
    size_t laws;
    const struct ty_light_model *light;
    size_t lights;
} ty_render_kinds;
/* false: there is none of this name. kinds NULL: the built-in ones alone. */
TY_API bool ty_law_find(const ty_render_kinds *kinds, const char *name, ty_law *out);

#define TY_WHOLE_MOON 1e9 /* [m] */

/* What a pixel shows; the numbers are the ones in label images. */
typedef enum ty_render_class {
    TY_CLASS_SKY,
    TY_CLASS_GROUND,
    TY_CLASS_ROCK,
    TY_CLASS_ROVER,
    TY_CLASS_OBJECT,
    TY_CLASS_RUT,   /* ground that wheels have pressed */
    TY_CLASS_GRAIN, /* loose soil: what flies, is held by a tool, or lies rough */
    TY_CLASS_COUNT
} ty_render_class;

/* Start from ty_scene_def_default(). */
typedef struct ty_scene_def {
    ty_terrain *terrain; /* outlives the scene; NULL: no ground */
    int bands;           /* 1        1 to TY_BANDS */
    ty_material ground;  /* moon_visual */
    ty_material rock;    /* moon_visual with w larger by a quarter: boulders are brighter
                            than soil */
    int ring_cells;      /* 1024     cells along a side of each ring of ground; multiple of 256 */
    double finest;       /* [m] 0.01 spacing of the innermost ring, as near as the terrain has it */
    double far;          /* [m] 3e5  ground beyond this is left out; of a terrain that is whole none is */
    /* [px] 0.5 cells below the camera may be this wide, so that from high up fine rings are left out; 0: never */
    double detail_px;
    /* [s] 0    a frame waits until all its ground is made, and is always the same; above 0: ground is made by a
     * thread beside the frames, in the direction of motion first, and a frame waits this long at most: where ground
     * is late there is coarser ground. The first frame waits for the coarsest ring. */
    double wait;
    /* 2048     tiles of ground, some 0.1 MB each, that are kept for sensors elsewhere when ground is shown to one far
     * from the last; 0: none. One rover alone needs none of them. */
    size_t spare_tiles;
    int rings;             /* 0        as many as `far` needs; otherwise at most this many */
    double rock_angle;     /* [rad] 0.002 rocks that look smaller than this are left out; 0: no rocks */
    size_t rock_limit;     /* 200000   most rocks at a time; the smallest are left out first */
    int threads;           /* 0        for updates: all processors */
    ty_render_kinds kinds; /* none     a program's own */
    const ty_alloc *alloc; /* NULL: heap */
    uint32_t cookie;
} ty_scene_def;

TY_API ty_scene_def ty_scene_def_default(void);
TY_API ty_status ty_scene_create(const ty_scene_def *def, ty_scene **out, ty_diag *diag);
TY_API void ty_scene_destroy(ty_scene *scene); /* NULL is allowed */
TY_API int ty_scene_bands(const ty_scene *scene);
/* Bands of light from now on, 1 to TY_BANDS of them, low and high [m] of each; NULL: one band with all of the Sun's light, as
 * at the start. Radiance of band b is then that of its share of the Sun's spectrum, ground and rocks have the Moon's colour
 * in it (their albedo holds for 549 nm), and lamps and stars the Sun's (kernels/k_spectrum.h). For lights that were set
 * with all their power in every band. The buffers of ty_render() hold that many bands. TY_ERR_RANGE. */
typedef struct ty_band {
    double low, high; /* [m] */
} ty_band;
TY_API ty_status ty_scene_set_bands(ty_scene *scene, const ty_band *band, int bands, ty_diag *diag);

/* Textures: pictures that materials name. Copied, and halved until they have 4096 x 4096 pixels; read bilinearly from
 * levels of half the size each, as wide as a pixel sees. One band takes the luminance of a coloured one, three bands
 * take red, green and blue, any other number the luminance in each. */
typedef enum ty_texture_wrap { TY_WRAP_REPEAT, TY_WRAP_CLAMP, TY_WRAP_MIRROR } ty_texture_wrap;
typedef struct ty_texture_def {
    int width, height;  /* [px] 1 to 32768 */
    int channels, bits; /* 1 to 4 (of 2 and 4 the last is opacity, not used); 8 or 16 */
    const void *data;   /* rows from the top */
    bool srgb;          /* values follow sRGB's curve and are made linear; else they are linear */
    ty_texture_wrap wrap_u, wrap_v;
} ty_texture_def;
/* *id from 1 up. TY_ERR_RANGE, TY_ERR_MEMORY. */
TY_API ty_status ty_scene_add_texture(ty_scene *scene, const ty_texture_def *def, uint32_t *id, ty_diag *diag);

/* Objects: a triangle mesh (copied) or a sphere, with a pose in W. */
typedef struct ty_object_def {
    const float *vertex;      /* [m] 3 per vertex, in the object's frame; NULL: a sphere */
    const uint32_t *triangle; /* 3 per triangle, counter-clockwise seen from outside */
    size_t vertices, triangles;
    const float *normal;     /* 3 per vertex; NULL: made from the triangles */
    const float *uv;         /* 2 per vertex, 0 0 is the upper left corner of a texture; NULL: none. A
                            sphere has u = 0.5 + longitude / 360 deg and v = 0 at its +z pole */
    const ty_material *more; /* materials beside the one below, numbered from 1 */
    size_t mores;
    const uint16_t *which; /* per triangle: number of its material, 0 is the one below; NULL: all 0 */
    double radius;         /* [m] of the sphere */
    bool smooth;           /* interpolate normals across a mesh's triangles */
    ty_material material;
    ty_render_class kind; /* class label */
    ty_pose pose;         /* in W */
} ty_object_def;

/* *id from 1 up is also the object's instance label; rocks' and the ground's labels differ from all of them. */
TY_API ty_status ty_scene_add(ty_scene *scene, const ty_object_def *def, uint32_t *id, ty_diag *diag);
TY_API ty_status ty_scene_move(ty_scene *scene, uint32_t id, ty_pose pose, ty_diag *diag);
/* Moves while the window (a camera's exposure, a lidar's scan) lasts: straight, turning evenly and
 * the shorter way. Holds until the object is moved again. Ground truth is of the start. */
TY_API ty_status ty_scene_move_between(ty_scene *scene, uint32_t id, ty_pose start, ty_pose end, ty_diag *diag);

/* Takes an object out of sight of all rays, or puts it back. */
TY_API ty_status ty_scene_hide(ty_scene *scene, uint32_t id, bool hidden, ty_diag *diag);
/* Where the ground is finest: around a place in W instead of the eye, for a lens that looks far; NULL: the eye again.
 * */
TY_API void ty_scene_refine(ty_scene *scene, const ty_vec3 *place_W);

/* ---- ground whose material varies ---- */

typedef enum ty_ground_key {
    TY_GROUND_W, /* albedo of a law that is not Hapke's */
    TY_GROUND_B,
    TY_GROUND_C,
    TY_GROUND_BS0,
    TY_GROUND_HS,
    TY_GROUND_BC0,
    TY_GROUND_HC,
    TY_GROUND_THETA, /* [rad] */
    TY_GROUND_PHI,
    TY_GROUND_KEYS
} ty_ground_key;

/* A grid of one parameter; bilinear between its samples, its edge goes on outside. Copied. */
typedef struct ty_ground_map {
    ty_ground_key key;
    int band;           /* of w; -1: all */
    double x0, y0;      /* [m] W: the first sample, the south-western one */
    double spacing;     /* [m] */
    int nx, ny;         /* samples east and north */
    const float *value; /* [-] or [rad], value[j * nx + i]; NAN: as the material has it */
} ty_ground_map;

/* A part of the ground made of something else: a circle, or a polygon. Later ones lie over earlier
 * ones, and all over the maps. Copied. */
typedef struct ty_ground_region {
    double x, y, radius;  /* [m] circle */
    const double *point;  /* [m] x, y of each corner of a polygon; NULL: a circle */
    size_t points;        /* 3 to 4096 */
    double edge;          /* [m] 0   it fades over this much, half of it inside */
    ty_material material; /* its parameters; the law stays the ground's */
} ty_ground_region;

/* Replaces what was there; nothing at all makes the ground even again. Values are limited to what
 * the law takes. TY_ERR_RANGE, TY_ERR_MEMORY. */
TY_API ty_status ty_scene_set_ground(ty_scene *scene, const ty_ground_map *map, size_t maps,
                                     const ty_ground_region *region, size_t regions, ty_diag *diag);

/* ---- lights ---- */

typedef enum ty_light_kind {
    TY_LIGHT_DISK,
    TY_LIGHT_POINT,
    TY_LIGHT_SPOT,
    TY_LIGHT_COUNT /* and up: a program's own, in the order of ty_render_kinds */
} ty_light_kind;

typedef struct ty_light {
    ty_light_kind kind;
    ty_vec3 dir_W;          /* [-] disk: towards it; spot: where it points */
    ty_vec3 place_W;        /* [m] point, spot */
    double radius;          /* [rad] disk: angular radius, 0: directional */
    double inner, outer;    /* [rad] spot: half angles where it begins to fade and where it ends */
    double power[TY_BANDS]; /* disk: irradiance [W/m^2] of a surface facing it; point, spot:
                               intensity [W/sr] */
    bool visible;           /* disk: is itself seen in the sky */
    bool globe;             /* disk: seen as a sphere that Lambert's law shades, lit along lit_W */
    ty_vec3 lit_W;          /* [-] globe: unit, from it towards the Sun */
} ty_light;

/* A light of a program's own, as ty_law_model. */
typedef struct ty_light_model {
    const char *name;
    /* What the light gives at p_W [m]: the unit direction towards it and how far it is [m] (INFINITY is fine). Returns
     * the share s: a surface that faces the light receives s power[b] [W/m^2]; 0: none. u, v in [0, 1) choose a
     * point of a light that has a size. */
    double (*lit)(const ty_light *light, ty_vec3 p_W, double u, double v, ty_vec3 *l_W, double *far, void *user);
    void *user;
} ty_light_model;
TY_API bool ty_light_find(const ty_render_kinds *kinds, const char *name, ty_light_kind *out);

TY_API ty_status ty_scene_add_light(ty_scene *scene, const ty_light *light, ty_diag *diag);
TY_API void ty_scene_clear_lights(ty_scene *scene);
/* Replaces all lights by Sun and Earth as a sky view has them, both seen in the sky: the Earth as a
 * Lambert sphere with its phase, whose light is the one it gives. band_share [-]: fraction of the
 * Sun's total irradiance in each band; NULL: all of it in each. */
TY_API ty_status ty_scene_set_sky(ty_scene *scene, const ty_sky_view *view, const double *band_share, ty_diag *diag);

/* Stars: points without size, each in the one pixel where it stands, with the radiance that gives
 * the pixel its irradiance: the flux is the same whatever the pixels' size. Hidden by all that is in
 * front, Sun and Earth included; they light nothing. */
typedef struct ty_star_seen {
    ty_vec3 dir_W;          /* [-] unit */
    double power[TY_BANDS]; /* [W/m^2] irradiance of a surface facing it */
} ty_star_seen;
/* Replaces the stars; copied. TY_ERR_MEMORY. */
TY_API ty_status ty_scene_set_stars(ty_scene *scene, const ty_star_seen *star, size_t count, ty_diag *diag);

/* ---- camera ---- */

/* Lens models; formulas in kernels/k_camera.h */
typedef enum ty_lens {
    TY_LENS_PINHOLE,
    TY_LENS_FISHEYE,
    TY_LENS_SPHERICAL,
    TY_LENS_FOV,
    TY_LENS_BROWN,
    TY_LENS_CAHV,
    TY_LENS_CAHVOR,
    TY_LENS_CAHVORE,
    TY_LENS_COUNT,
    TY_LENS_OWN = TY_LENS_COUNT /* a program's own: ty_camera.model */
} ty_lens;
TY_API bool ty_lens_find(const char *name, ty_lens *out);
TY_API const char *ty_lens_name(ty_lens lens); /* "": has none, as a program's own */

/* A lens of a program's own, as ty_law_model. */
typedef struct ty_camera ty_camera;
typedef struct ty_lens_model {
    /* In S (x right, y down, z forward), u and v [px] with 0.5 in the middle of the first pixel. ray: origin [m] and
     * unit direction. false: the lens has none. */
    bool (*ray)(const ty_camera *camera, double u, double v, ty_vec3 *origin, ty_vec3 *dir, void *user);
    bool (*project)(const ty_camera *camera, ty_vec3 p_S, double *u, double *v, void *user);
    void *user;
    const char
        *source; /* `ray` for devices: `ty_k_ray ray(ty_k_camera m, ty_real u, ty_real v) { ... }`, as in k_camera.h */
} ty_lens_model;

/* Start from ty_camera_default(). */
struct ty_camera {
    ty_lens lens;
    int width, height;           /* [px] 640, 480   1 to 32768 */
    double hfov;                 /* [rad] 60 deg across the width; not for the CAHV family */
    double k1, k2, k3, p1, p2;   /* [-] brown */
    ty_vec3 c, a, h, v, o, r, e; /* CAHV family, in the frame S: c [m], h and v [px] */
    double linearity;            /* [-] cahvore */
    const ty_lens_model *model;  /* TY_LENS_OWN; outlives the camera and its copies */
    const void *own;             /* for that lens */
    ty_pose pose;                /* S in W: x right, y down, z forward; of ground truth, and when the shutter opens */
    bool moving;                 /* false: pose holds as long as the shutter is open */
    ty_pose pose_end;            /* when it closes; between them straight and evenly */
    double rolling;              /* [-] 0   share of that time by which the last row opens after the first:
                         rolling shutter */
    uint32_t cookie;
};

TY_API ty_camera ty_camera_default(void);
/* Attitude that looks towards azimuth (clockwise from north) and elevation [rad], upright, turned
 * by roll. */
TY_API ty_quat ty_camera_look(double azimuth, double elevation, double roll);
/* The ray of an image point in W, and the image point of a place in W; u, v [px] from the top left
 * corner, the middle of the first pixel is at 0.5. false: the lens has none. */
TY_API bool ty_camera_ray(const ty_camera *camera, double u, double v, ty_vec3 *origin, ty_vec3 *dir);
TY_API bool ty_camera_project(const ty_camera *camera, ty_vec3 p_W, double *u, double *v);

/* ---- rendering ---- */

/* Start from ty_render_def_default(). */
typedef struct ty_render_def {
    int samples; /* 16  per pixel */
    int depth;   /* 1   surfaces a path may visit: 1 is light straight from the lights, more is path
                    tracing */
    int split;   /* 0   with depth above 1: 0, one path from every sample; n up to 64, up to n paths from
                    samples that lamps hardly reach and fewer from others, drawn towards the skyline:
                    the same mean, less grain in shadows. For pictures: what a path draws depends on the
                    tile of 16 x 16 pixels around it */
    bool jitter; /* true   samples lie anywhere in the pixel; false: in its middle */
    uint64_t seed;
    int threads; /* 0   all processors */
    uint32_t cookie;
} ty_render_def;

TY_API ty_render_def ty_render_def_default(void);

/* Where results go; what is NULL is not made. The arrays hold width * height values, radiance bands
 * times that (band after band), normal 3 per pixel. All but radiance and sunlit are of the ray
 * through the pixel's middle. */
typedef struct ty_render_buffers {
    float *radiance;    /* [W/m^2/sr] */
    float *sunlit;      /* [-] mean visible fraction of the first light where there is a surface: 0
                           shadow, 1 light */
    double *depth;      /* [m] along the camera's z; INFINITY: sky */
    double *range;      /* [m] along the ray */
    float *normal;      /* [-] unit, W; 0 for the sky */
    float *albedo;      /* [-] of the first band */
    uint32_t *instance; /* 0 sky, objects' ids, 2^30 the ground, 2^31 and more the rocks */
    uint8_t *kind;      /* ty_render_class */
} ty_render_buffers;

/* TY_ERR_INPUT when the camera is inside the ground. */
TY_API ty_status ty_render(ty_scene *scene, const ty_camera *camera, const ty_render_def *def,
                           const ty_render_buffers *out, ty_diag *diag);

/* Depth [m] along the z of each of `cameras` views of one size, image after image; INFINITY: sky. All stand in the scene as it is,
 * the ground as fine as the first of them wants it: for many small views near each other. On a device all are made at once.
 * TY_ERR_INPUT: sizes that differ; what ty_render() returns. */
TY_API ty_status ty_render_depths(ty_scene *scene, const ty_camera *camera, size_t cameras, int threads, float *depth,
                                  ty_diag *diag);

/* Frames of ty_render() and batches of rays of ty_scene_trace() are made on a device from now on; NULL: by the host again. The
 * device outlives the scene or the next call of this, and nobody else uses it meanwhile. Light agrees with the host's to
 * rounding, the same device gives the same bits each time; `split` is not used. What a device cannot do (a law, light or lens
 * in C, a medium) the host still does: ty_scene_stats.host says why. A device that fails: with or_host the host takes over for
 * good, and ty_scene_stats.host says why; otherwise the frame fails with TY_ERR_DEVICE or TY_ERR_MEMORY. Where its memory, or
 * ty_device_def.memory, is too little for the ground, far rings are coarser: ty_scene_stats.coarser says so. TY_ERR_MEMORY. */
TY_API ty_status ty_scene_set_device(ty_scene *scene, ty_device *device, bool or_host, ty_diag *diag);

/* A box around the visible pixels of one thing: x0 <= x < x1, y0 <= y < y1. */
typedef struct ty_truth_box2 {
    uint32_t instance;
    ty_render_class kind;
    int x0, y0, x1, y1; /* [px] */
    int pixels;         /* that show it */
} ty_truth_box2;
/* Boxes of the rocks and objects in an image, in the order in which rows from the top meet them: at
 * most `capacity`. Returns how many; when that is capacity there may be more. */
TY_API size_t ty_truth_boxes_2d(int width, int height, const uint32_t *instance, const uint8_t *kind,
                                ty_truth_box2 *out, size_t capacity);

typedef struct ty_scene_stats {
    int late;                  /* rings that were not where they should be in the last frame, with `wait` above 0 */
    size_t tiles, rocks, rays; /* resident now; traced by the last ty_render(), primary and shadow */
    size_t made;               /* tiles of ground that the last frame made, for itself and for frames to come */
    double update_s, trace_s;  /* [s] of the last ty_render() */
    const char *host; /* with a device: why the host made the last frame, or from now on all of them; NULL: it did not */
    const char *
        coarser; /* with a device whose memory is short: from where on the ground is coarser than asked for; NULL: nowhere */
} ty_scene_stats;
TY_API ty_scene_stats ty_scene_get_stats(const ty_scene *scene);

/* For benchmarks: renders a frame of depth 1 and one light, records its rays (primary and towards
 * the light) and traces them again `repeats` times by nothing but the ray tracer, on one thread. */
typedef struct ty_render_bench {
    size_t rays, hits;
    double seconds; /* [s] the best repeat */
    uint64_t hash;  /* of directions and results */
} ty_render_bench;

TY_END_DECLS
#endif
