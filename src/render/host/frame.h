/* src/render/host/frame.h - one frame: what its workers read.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_FRAME_H
#define TYI_RENDER_FRAME_H
#include "scene/scene.h"

#define TYI_RENDER_PIXELS 16 /* an image tile is this wide and high: one lane per pixel */

typedef struct tyi_render_spark { /* light that is added to a pixel of a band */
    uint32_t at;
    float radiance;
} tyi_render_spark;

typedef struct tyi_render_frame {
    ty_scene *scene;
    const ty_camera *camera;
    ty_render_def def;
    const ty_render_buffers *out;
    int across, tiles; /* image tiles */
    float cone;        /* [rad] how wide a pixel in the middle sees */
    struct tyi_render_shading *shading;
    struct tyi_render_block *block; /* one per worker */
    size_t *rays;                   /* per worker */
    bool keep;                      /* radiance stays on the device */
    struct tyi_render_spark *spark; /* room for all stars' light; NULL: it goes into the picture at once */
} tyi_render_frame;

/* Room for workers' blocks and the shading tables. */
ty_status tyi_render_frame_scratch(ty_scene *scene, tyi_render_frame *frame, int workers, ty_diag *diag);
/* Before rays of the host, of which there is room: tracer, flat scene and shading tables are those of the last update. */
ty_status tyi_render_frame_ready(tyi_render_frame *frame, int threads, ty_diag *diag);
size_t tyi_render_block_bytes(void);
void tyi_render_block_start(const tyi_render_frame *frame, int worker); /* what stays the same from tile to tile */
tyi_render_rays *tyi_render_block_rays(const tyi_render_frame *frame, int worker);
size_t tyi_render_shading_bytes(void);
/* renders image tile number `tile` */
void tyi_render_block_render(const tyi_render_frame *frame, size_t tile, int worker);
void tyi_render_frame_shading(const tyi_render_frame *frame);
/* Albedo of the first band where ray k ended, textures, maps and dust included; 0: the sky. */
float tyi_render_albedo_at(const tyi_render_frame *frame, const tyi_render_rays *rays, int k);

bool tyi_render_lens_known(const ty_camera *camera);
double tyi_render_lens_most(ty_lens lens); /* [rad] widest field of view; 0: has none of its own */

/* What a traced lane hit, refined in double along its ray from o [m, W] in direction d; no reflectance. */
ty_trace_hit tyi_render_truth_of(const ty_scene *scene, const tyi_render_rays *rays, int lane, ty_vec3 o, ty_vec3 d);

/* [-] of the light that passes a ray in the traced frame, per band of the scene (medium.c) */
void tyi_render_ray_pass(const ty_scene *scene, const tyi_render_rays *rays, unsigned lane, float *pass);

/* Adds the stars to the finished radiance. */
void tyi_render_stars_draw(const tyi_render_frame *frame);

/* Ground truth of image tile number `tile`. */
void tyi_render_truth_render(const tyi_render_frame *frame, size_t tile, int worker);

#endif
