/* src/render/gpu/store.h - what a device holds of a scene, for the files of this folder.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_GPU_STORE_H
#define TYI_RENDER_GPU_STORE_H
#ifndef TY_KERNEL_FLOAT
#error "kernels in single precision here"
#endif
#include "gpu.h"
#include "bvh.h"
#include "device/device.h"
#include "k_film.h"

/* the kernels' arrays, in the order of their arguments */
enum {
    TYI_GPU_MATERIAL,
    TYI_GPU_HAPKE,
    TYI_GPU_MESH,
    TYI_GPU_INSTANCE,
    TYI_GPU_VERTEX,
    TYI_GPU_INDEX,
    TYI_GPU_NORMAL,
    TYI_GPU_UV,
    TYI_GPU_WHICH,
    TYI_GPU_TEXTURE,
    TYI_GPU_TEXEL,
    TYI_GPU_MAP,
    TYI_GPU_MAP_TEXEL,
    TYI_GPU_REGION,
    TYI_GPU_CORNER,
    TYI_GPU_LIGHT,
    TYI_GPU_TILE,
    TYI_GPU_HEIGHT,
    TYI_GPU_TONE,
    TYI_GPU_BOUND,
    TYI_GPU_CURVE,
    TYI_GPU_CURVED,
    TYI_GPU_NODE,
    TYI_GPU_ITEM,
    TYI_GPU_ROOT,
    TYI_GPU_TRIANGLE,
    TYI_GPU_CLOUD,
    TYI_GPU_HAZE,
    TYI_GPU_CLOD,
    TYI_GPU_CLOD_NODE,
    TYI_GPU_SCENE_BUFFERS,
    TYI_GPU_RADIANCE = TYI_GPU_SCENE_BUFFERS,
    TYI_GPU_SUNLIT,
    TYI_GPU_RAYS,
    TYI_GPU_TRUTH,
    TYI_GPU_FRESH,
    TYI_GPU_RAY,
    TYI_GPU_HIT,
    TYI_GPU_SUM,
    TYI_GPU_POINT,
    TYI_GPU_TRACK,
    TYI_GPU_PATHS,
    TYI_GPU_SAMPLE,
    TYI_GPU_COUNTS,
    TYI_GPU_BUFFERS
};

#define TYI_GPU_FILM_GROUP   128 /* items of a group of the film (kernels/render.cl) */
#define TYI_GPU_LENSES       8
#define TYI_GPU_PROGRAMS     5                 /* 1 to 16 samples together */
#define TYI_GPU_RAYS_AT_ONCE ((size_t)1 << 20) /* single rays of one launch */

typedef struct tyi_render_gpu_pool { /* an array on the host that grows */
    void *data;
    size_t bytes;
} tyi_render_gpu_pool;

typedef struct tyi_render_gpu_tree {
    uint32_t node, nodes, item, items; /* first, and how many */
} tyi_render_gpu_tree;

typedef struct tyi_render_gpu_topology { /* a tree over a set of tiles that was built before */
    bool there;
    uint64_t name, asked;
    tyi_render_gpu_tree tree;
    tyi_render_gpu_pool node, item;
} tyi_render_gpu_topology;
enum { TYI_GPU_KEPT = 8 };

struct tyi_render_gpu {
    const ty_alloc *alloc;
    ty_device *device;
    ty_device_program *program; /* all kernels but films */
    ty_device_program *film;    /* the film for the samples that stand together now */
    /* all that were built: by bands, by whether tiles are bent; all kernels but films, then films by the power of two of samples */
    ty_device_program *built[TY_BANDS][2][1 + TYI_GPU_PROGRAMS];
    ty_device_program *cloud_program;              /* kernels/cloud.cl */
    float cloud_ahead;                             /* [s] */
    bool dusty, built_dusty;                       /* scenes had dust, and the programs know it */
    bool loose, built_loose;                       /* likewise loose soil */
    tyi_render_gpu_pool clod, clod_node, clod_key; /* as they go there, and keys while they are sorted */
    ty_k_cloud cloud;                              /* what is there of it now, */
    const ty_k_cloud_flat *cloud_of;               /* and of which cloud, */
    uint64_t cloud_version;                        /* which filling */
    ty_vec3 cloud_centre;                          /* [m] W: of the traced frame it is in */
    bool curved;                                   /* of the tiles that are there, some are bent round the Moon */
    const char *lens[TYI_GPU_LENSES];              /* texts of lenses of the program's own, so far */
    int lenses, built_lenses;                      /* that the program has */
    int together;                                  /* samples, of the film that is meant now */
    ty_device_buffer *buffer[TYI_GPU_BUFFERS];     /* with a device; without one arrays in memory */
    tyi_render_gpu_pool array[TYI_GPU_BUFFERS];
    uint64_t version[TY_K_SCENE_SECTIONS]; /* of what is on the device */
    bool known[TY_K_SCENE_SECTIONS];
    /* the ground's store: per place on the device what is there; per slot of the host's heights its place, counted from 1 */
    tyi_render_gpu_pool slot, place;
    size_t slots, most; /* places that there are; that there may be */
    size_t hand;        /* where the next one to be given away is looked for */
    uint64_t updates;
    int squeezed; /* how often memory fell short */
    uint32_t curves;
    float *bent; /* room for one curve */
    tyi_render_gpu_pool node, item, root, triangle, box, fresh, truth, hapke, counts, tile, spark;
    tyi_device_pinned stage; /* on its way to or from the device; */
    bool sending;            /* it may still be read there */
    tyi_render_gpu_tree meshes, rocks, tiles, things;
    tyi_render_gpu_topology kept[TYI_GPU_KEPT];
    size_t tiles_there; /* records in tile */
    bool stay;          /* the ground's tiles are where they were: heights alone are new */
    uint32_t top;       /* node: over tiles and things; TY_K_NONE: there are none */
    uint64_t rock_changes;
    bool rocks_known;
    ty_vec3 rock_centre; /* [m] W: origin of the frame that the rocks' tree was built in */
};

typedef struct tyi_render_gpu_slot {
    uint32_t host;          /* slot of the host's heights, counted from 1; 0: none */
    uint32_t version, tone; /* of heights and brightness that are there */
    uint64_t wanted;        /* the last update that did */
    bool known;             /* its heights are there */
    bool fresh;             /* lo and hi are, and the tree does not know it */
    float lo, hi;
    uint32_t curve;     /* number of its curve, counted from 1; 0: it never had one */
    tyi_render_box box; /* of a curved tile, relative to its place */
} tyi_render_gpu_slot;

#define TYI_GPU_NODES(g) ((ty_k_bvh_node *)(g)->node.data)
#define TYI_GPU_ITEMS(g) ((uint32_t *)(g)->item.data)

/* The text of all kernels with laws and lenses of the program's own behind them (own.c); NULL: no memory. */
char *tyi_render_gpu_text(const tyi_render_gpu *g, const ty_render_kinds *kinds, size_t *bytes);
/* The number of a camera's own lens among the texts, a new one where there is room; -1: it has no text, or there is no room. */
int tyi_render_gpu_lens(tyi_render_gpu *g, const ty_camera *camera);
/* memory of the host that grows and keeps what is in it; false: there is none */
bool tyi_render_gpu_need(const tyi_render_gpu *g, tyi_render_gpu_pool *p, size_t bytes);
void tyi_render_gpu_drop(const tyi_render_gpu *g, tyi_render_gpu_pool *p);
/* room for so many bytes; what was there is lost when it grows, and *lost says so */
ty_status tyi_render_gpu_room(tyi_render_gpu *g, int which, size_t bytes, bool *lost, ty_diag *diag);
ty_status tyi_render_gpu_store(tyi_render_gpu *g, int which, size_t at, size_t bytes, const void *data, ty_diag *diag);
ty_status tyi_render_gpu_fetch(tyi_render_gpu *g, int which, size_t bytes, void *data, ty_diag *diag);
ty_status tyi_render_gpu_put(tyi_render_gpu *g, int which, const void *data, size_t bytes, ty_diag *diag);

/* the ground's records, which name places of its store */
ty_status tyi_render_gpu_put_tiles(tyi_render_gpu *g, const tyi_render_flat *f, ty_diag *diag);
/* room on the host for what goes to the device, fill, or comes from it, of the kind that is fast where there is a device; valid until the next call */
ty_status tyi_render_gpu_stage(tyi_render_gpu *g, size_t bytes, bool fill, void **out, ty_diag *diag);
/* what is there to a buffer, without waiting where there is a device */
ty_status tyi_render_gpu_send(tyi_render_gpu *g, int which, size_t bytes, ty_diag *diag);

/* dust between surfaces (cloud.c) */
ty_status tyi_render_gpu_put_cloud(tyi_render_gpu *g, const ty_scene *s, ty_diag *diag);
/* loose soil, where it is another one (clods.c) */
ty_status tyi_render_gpu_put_clods(tyi_render_gpu *g, const tyi_render_flat *f, ty_diag *diag);
/* what of the scene is new: sections, laws, ground, trees */
ty_status tyi_render_gpu_put_sections(tyi_render_gpu *g, const tyi_render_flat *f, ty_diag *diag);
ty_status tyi_render_gpu_put_laws(tyi_render_gpu *g, const ty_scene *s, const tyi_render_flat *f, ty_diag *diag);
ty_status tyi_render_gpu_put_ground(tyi_render_gpu *g, const ty_scene *s, ty_diag *diag);
ty_status tyi_render_gpu_update_trees(tyi_render_gpu *g, const ty_scene *s, const tyi_render_flat *f, bool meshes,
                                      bool tiles, bool things, ty_diag *diag);
/* all of it, and the programs for so many samples a pixel, 0: no film is wanted */
ty_status tyi_render_gpu_update(tyi_render_gpu *g, ty_scene *s, int samples, ty_diag *diag);

/* what kernels are told of a frame, their view of arrays in memory, and both as arguments, returned is how many */
ty_k_frame tyi_render_gpu_frame_of(const tyi_render_gpu *g, const tyi_render_frame *f);
ty_k_view tyi_render_gpu_view_of(const tyi_render_gpu *g, const ty_k_frame *k);
int tyi_render_gpu_args(const tyi_render_gpu *g, const ty_k_frame *k, ty_device_arg *args);

/* the film, surface by surface, over so many groups of pixels (paths.c); there is room for what it gives */
ty_status tyi_render_gpu_paths(tyi_render_gpu *g, const ty_k_frame *k, size_t groups, ty_diag *diag);

/* what the store holds for slot i of the host's heights, which has a place */
tyi_render_gpu_slot *tyi_render_gpu_slot_of(const tyi_render_gpu *g, uint32_t i);
/* a box that no rounding of a ray's arithmetic leaves */
tyi_render_box tyi_render_gpu_pad(tyi_render_box b);

#endif
