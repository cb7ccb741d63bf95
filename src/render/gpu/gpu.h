/* src/render/gpu/gpu.h - frames on a device.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_GPU_H
#define TYI_RENDER_GPU_H
#include "host/frame.h"
#include "inner.h"
#include "tycho/device.h"
#include "tycho/ray.h"

typedef struct tyi_render_gpu tyi_render_gpu;

/* device NULL: the kernels run as C. */
ty_status tyi_render_gpu_create(ty_device *device, const ty_alloc *alloc, tyi_render_gpu **out, ty_diag *diag);
void tyi_render_gpu_destroy(tyi_render_gpu *gpu); /* NULL is allowed */

/* Frames of a scene by the kernels as C, from now on. */
ty_status tyi_render_use_kernels(ty_scene *scene, ty_diag *diag);

/* Why a frame has to be made by the host; NULL: a device can. */
const char *tyi_render_gpu_cannot(ty_scene *scene, const ty_camera *camera);
/* A frame begins on the device, which works on while the caller does something else; the scene is up to date for it. */
ty_status tyi_render_gpu_start(tyi_render_gpu *gpu, const tyi_render_frame *frame, ty_diag *diag);
/* Behind that, while the scene stands: its radiance, sunlit share and ground truth, and how many rays it took (those of light that is kept are not counted). No stars. */
ty_status tyi_render_gpu_frame(tyi_render_gpu *gpu, const tyi_render_frame *frame, size_t *rays, ty_diag *diag);
/* The scene's rings as the device's memory has room for them (NULL, or no device: all of them); stats.coarser says what that means.
 * false: not even the coarsest ones fit. */
bool tyi_render_gpu_fit(tyi_render_gpu *gpu, ty_scene *scene);
/* A frame failed with TY_ERR_MEMORY: with less ground, after another update of the scene, it is worth another try. */
bool tyi_render_gpu_squeeze(ty_scene *scene);
/* Room for sparks of a frame, NULL: no memory; of one that was kept then the light with them in it, band after band, until the next frame. */
tyi_render_spark *tyi_render_gpu_spark_room(tyi_render_gpu *gpu, size_t n);
ty_status tyi_render_gpu_kept(tyi_render_gpu *gpu, size_t sparks, ty_device_buffer **light, ty_diag *diag);
/* Single rays, as ty_scene_trace() without a medium; the scene is up to date for them. */
ty_status tyi_render_gpu_trace(tyi_render_gpu *gpu, ty_scene *scene, const ty_trace_ray *ray, size_t n, int band,
                               int threads, ty_trace_hit *hit, ty_diag *diag);
/* the same behind a frame, or others, of the scene as it stands: the device has all of it */
ty_status tyi_render_gpu_trace_more(tyi_render_gpu *gpu, ty_scene *scene, const ty_trace_ray *ray, size_t n, int band,
                                    int threads, ty_trace_hit *hit, ty_diag *diag);

/* [s] of a frame that stays where it is made, the best of three batches, and the rays it traces. For benchmarks. */
ty_status tyi_render_gpu_measure(tyi_render_gpu *gpu, const tyi_render_frame *frame, int frames, double *seconds,
                                 size_t *rays, ty_diag *diag);
/* Depth of views of one size, image after image; the scene is up to date for all of them. repeats: so many times, and depth NULL:
 * they stay on the device, for benchmarks. */
ty_status tyi_render_gpu_depths(tyi_render_gpu *gpu, ty_scene *scene, const ty_camera *camera, size_t n, int threads,
                                int repeats, float *depth, ty_diag *diag);
ty_device *tyi_render_gpu_device(const tyi_render_gpu *gpu);

#endif
