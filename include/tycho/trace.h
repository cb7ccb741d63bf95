/* include/tycho/trace.h - rays of any sensor through a scene.
 *
 * Hits are found by the ray tracer in single precision relative to a centre, and refined in double:
 * onto the ground's spline, the plane of a facet, a sphere. Same scene and rays: same bits, for any
 * number of threads. Nothing is allocated once the scene has served as many threads before.
 *
 * Threads: one thread at a time may use a scene.
 * Statuses: TY_ERR_RANGE (band), TY_ERR_MEMORY, and the terrain's.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_TRACE_H
#define TYCHO_TRACE_H
#include "tycho/ray.h"
#include "tycho/render.h"
TY_BEGIN_DECLS

/* Brings the scene up to date for a sensor at `centre` [m, W] (ground is finest there, and rays
 * should start within some metres of it) and traces n rays. band: of the materials, for
 * reflectance. threads 0: all processors. */
TY_API ty_status ty_scene_trace(ty_scene *scene, ty_vec3 centre, const ty_trace_ray *ray, size_t n, int band,
                                int threads, ty_trace_hit *hit, ty_diag *diag);

/* The same with all that lies on each ray's way, light of the scene's lamps included. */
TY_API ty_status ty_scene_trace_segments(ty_scene *scene, ty_vec3 centre, const ty_trace_ray *ray, size_t n, int band,
                                         int threads, ty_trace_hit *hit, ty_ray_segments *segments, ty_diag *diag);
/* What is between the surfaces from now on: for ty_render() too. NULL: nothing. Copied; what it points to outlives the
 * scene, or the next call. */
TY_API void ty_scene_set_medium(ty_scene *scene, const ty_medium *medium);

/* ---- ground truth that follows from a frame: optical flow, disparity, boxes in space.
 *
 * These functions read the buffers of ty_render() (tycho/render.h), which are of the ray through each
 * pixel's middle and of camera->pose, when the shutter opens.
 *
 * Threads: every function may run on any thread; a scene must not change during the call. */

/* Something that moves between two frames; what is not named stands still. */
typedef struct ty_truth_moved {
    uint32_t instance; /* an object's id, or a rock's label */
    ty_pose from, to;  /* in W, of the first and of the second frame */
} ty_truth_moved;

/* Optical flow: how far [px] what a pixel's middle shows has moved in the next camera's image, right and down, into
 * flow[2 i] and flow[2 i + 1]. Each hit is carried along with its object and projected: exact up to rounding. The
 * sky moves as something infinitely far. The place may lie outside the next image or be hidden there. NaN: the lens
 * has no ray for the pixel, or the next lens no image point. range and instance: width * height, as ty_render()
 * gives them. */
TY_API void ty_truth_flow(const ty_camera *camera, const ty_camera *next, const ty_truth_moved *moved, size_t moves,
                          const double *range, const uint32_t *instance, float *flow);

/* The other camera of a stereo rig, `baseline` [m] to the right (negative: left) along the first one's x. */
TY_API ty_camera ty_truth_stereo_right(const ty_camera *left, double baseline);

/* A box in space around one thing, along the axes of the thing's own frame: a rock's or an object's whole body, with
 * what is buried or hidden. */
typedef struct ty_truth_box3 {
    uint32_t instance;
    ty_render_class kind;
    ty_pose pose_W, pose_S; /* middle and axes, in the site's frame and in the camera's */
    ty_vec3 half;           /* [m] half the lengths of the sides */
    int pixels, outline;    /* [px] that show it; that would if there were nothing else */
    double visible;         /* [-] pixels / outline: 1 in full view; the ground hides the buried part of rocks */
    bool cut;               /* a corner of the box has no place in the image */
} ty_truth_box3;

/* Boxes in space of the things that ty_truth_boxes_2d() found in a frame of this scene and camera: out[i] belongs to
 * box[i]. TY_ERR_INPUT for a thing that the scene does not hold; TY_ERR_MEMORY. */
TY_API ty_status ty_truth_boxes_3d(const ty_scene *scene, const ty_camera *camera, const ty_truth_box2 *box, size_t n,
                                   ty_truth_box3 *out, ty_diag *diag);

/* Both boxes of a thing as one row of numbers: instance, class, x0, y0, x1, y1, pixels, outline, visible, cut, length,
 * width, height [m], then place [m] and quaternion (w, x, y, z) in the site's frame and in the camera's. */
#define TY_TRUTH_BOX_COLUMNS 27

TY_END_DECLS
#endif
