/* src/render/inner.h - what other modules, bench and tests ask of the renderer beyond its public face.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_INNER_H
#define TYI_RENDER_INNER_H
#include "tycho/trace.h"

struct ty_device;
struct ty_device_buffer;

/* Whether size and lens can make an image: TY_ERR_RANGE with what is wrong, among it vectors of the CAHV family that are
 * missing, too large or along one another. Pose and motion are not looked at. ty_render() asks this too. */
ty_status tyi_render_camera_check(const ty_camera *camera, ty_diag *diag);
/* Eyes that look in turn from one carrier, as the sensors of a rover do: what is chosen by place (which rocks are seen, where the
 * traced frame lies) is chosen by the carrier's, so that it stays from one eye to the next. NULL: by the eye's own again. */
void tyi_render_scene_carrier(ty_scene *scene, const ty_vec3 *place);
/* Soil may come to be driven over: a device keeps room for its brightness from the start. Before ty_scene_set_device(). */
void tyi_render_scene_tracks(ty_scene *scene);
/* As ty_render(), but where the scene's device makes the frame its radiance stays there: *light, band after band, until the next
 * frame. NULL in *light: it is in out->radiance, which must have room in either case. */
ty_status tyi_render_keep(ty_scene *scene, const ty_camera *camera, const ty_render_def *def,
                          const ty_render_buffers *out, struct ty_device_buffer **light, ty_diag *diag);
/* The device that makes a scene's frames; NULL: the host does. */
struct ty_device *tyi_render_scene_device(const ty_scene *scene);
/* The device failed with this: with ty_scene_set_device()'s or_host the host takes over and TY_OK comes back, *diag cleared. */
ty_status tyi_render_gpu_failed(ty_scene *scene, ty_status status, ty_diag *diag);
ty_status tyi_render_measure(ty_scene *scene, const ty_camera *camera, const ty_render_def *def, float *radiance,
                             int repeats, ty_render_bench *out, ty_diag *diag);

/* The same for a scene with a device: a frame that stays there, the best of three times `frames`.
 * And the bare walk over cells^2 cells of ground alone, a camera ray and one towards the Sun per pixel. */
ty_status tyi_render_measure_device(ty_scene *scene, const ty_camera *camera, const ty_render_def *def, int frames,
                                    ty_render_bench *out, ty_diag *diag);
/* [s] of depth of so many views that stay on the scene's device, as ty_render_depths() makes them, the best of three */
ty_status tyi_render_measure_depths(ty_scene *scene, const ty_camera *camera, size_t cameras, double *seconds,
                                    ty_diag *diag);
ty_status tyi_render_measure_walk(ty_terrain *terrain, ty_device *device, const ty_camera *camera, ty_vec3 sun_W,
                                  int cells, ty_render_bench *out, ty_diag *diag);

/* For benchmarks: traces the same rays `repeats` times by nothing but the ray tracer, on one
 * thread; its seconds are processor time. */
ty_status tyi_render_trace_measure(ty_scene *scene, ty_vec3 centre, const ty_trace_ray *ray, size_t n, int repeats,
                                   ty_render_bench *out, ty_diag *diag);

/* Loose soil: a lump stands for a cube of soil `size` [m] wide and is seen as clods (k_clod.h): all of them where it flies or is held by a tool, some where it
 * lies on the ground, whose surface shows the rest. They replace those of before. Clods are at most 2^18: where that is not enough for all,
 * each lump has fewer and larger ones. A lump that is not NULL, if of none: there may be some later. */
typedef struct tyi_render_lump {
    ty_vec3 at; /* [m] W, its middle */
    float size;
    uint32_t id; /* the same clods for the same number */
    bool lies;
} tyi_render_lump;
void tyi_render_scene_set_most_clods(ty_scene *scene, size_t most); /* another bound, for benches */
ty_status tyi_render_scene_set_lumps(ty_scene *scene, const tyi_render_lump *lump, size_t n, ty_diag *diag);

/* Dust on the objects of a scene, by their numbers from 1 on: [-] share that it covers of their sides -x, +x, -y, +y, -z, +z in their own frame.
 * What is covered has the ground's material. n: how many; the others are clean. */
#define TYI_RENDER_COATS 1024 /* objects of a scene at most */
typedef struct tyi_render_coat {
    float cover[6];
} tyi_render_coat;
void tyi_render_scene_set_dust(ty_scene *scene, const tyi_render_coat *coat, size_t n);

/* The label of a rock in images, from its id (ty_rock): 2^31 and above, the same in every frame. Two of n rocks
 * share one with a chance of n^2 / 4e9. */
uint32_t tyi_render_truth_rock_label(uint64_t id);

/* Ground that something has marked (ty_edit.trace) gets the class TY_CLASS_RUT. range and kind as ty_render() gives them. */
void tyi_render_truth_ruts(const ty_scene *scene, const ty_camera *camera, const double *range, uint8_t *kind);
/* The same as ty_truth_boxes_2d(), but of more things than there is room for those that fill the most pixels, in the same order.
 * Things that come after the first TYI_RENDER_THINGS are not found. */
#define TYI_RENDER_THINGS       16384
#define TYI_RENDER_THING_PLACES 65536
typedef struct tyi_render_things {
    ty_truth_box2 box[TYI_RENDER_THINGS];
    uint16_t place[TYI_RENDER_THING_PLACES];
} tyi_render_things;
size_t tyi_render_truth_largest(tyi_render_things *things, int width, int height, const uint32_t *instance,
                                const uint8_t *kind, ty_truth_box2 *out, size_t most);
/* [-] share of a ray's light that the surface it met sends on as a mirror: Fresnel's part of a smooth one, 0 of others */
double tyi_render_mirror(const ty_scene *scene, const ty_trace_hit *hit, ty_vec3 dir);
void tyi_render_truth_box_put(const ty_truth_box2 *flat, const ty_truth_box3 *solid, double row[TY_TRUTH_BOX_COLUMNS]);
void tyi_render_truth_box_get(const double row[TY_TRUTH_BOX_COLUMNS], ty_truth_box2 *flat, ty_truth_box3 *solid);

/* The corners in W: corner k has the signs of bits 0, 1 and 2 of k along x, y and z. */
void tyi_render_truth_box3_corners(const ty_truth_box3 *box, ty_vec3 corner[8]);

#endif
