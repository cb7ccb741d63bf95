/* include/tycho/tools/overlay.h - things drawn over a picture after it was taken: trails, frames, frustums, boxes,
 * labels.
 *
 * A sketch takes the camera of a frame and collects lines in W; they are projected through the lens, bent where it
 * bends them. ty_sketch_write() draws them over a copy of the picture into a file of its own: the frame's data are
 * only read.
 *
 *     ty_sketch *s = ty_sketch_create(&camera, range);
 *     ty_sketch_frame(s, pose, 0.5, "rover");
 *     ty_sketch_write(s, "frame_overlay.png", &picture, &diag);
 *     ty_sketch_destroy(s);
 *
 * Threads: one sketch, one thread at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_OVERLAY_H
#define TYCHO_OVERLAY_H
#include "tycho/tools/draw.h"
#include "tycho/trace.h"
TY_BEGIN_DECLS

typedef struct ty_sketch ty_sketch;

/* range [m]: the frame's, width * height, which must outlive the sketch: lines behind what the frame shows are drawn
 * faint; NULL: nothing is hidden. The camera is copied. NULL when there is no memory; every function below takes
 * NULL. */
TY_API ty_sketch *ty_sketch_create(const ty_camera *camera, const double *range);
TY_API void ty_sketch_destroy(ty_sketch *sketch);

/* A line through n places in W: a trail, a path that is planned. Opacity 0: a colour of ty_draw_palette(). */
TY_API void ty_sketch_line(ty_sketch *sketch, const ty_vec3 *p_W, size_t n, ty_draw_color color);
/* Axes of a frame, length [m]: x red, y green, z blue; name may be NULL. */
TY_API void ty_sketch_frame(ty_sketch *sketch, ty_pose pose_W, double length, const char *name);
/* What another camera sees: its eye, its picture's border at `depth` [m] and the edges between. name may be NULL. */
TY_API void ty_sketch_frustum(ty_sketch *sketch, const ty_camera *other, double depth, const char *name);
TY_API void ty_sketch_box2(ty_sketch *sketch, const ty_truth_box2 *box, const char *name);
TY_API void ty_sketch_box3(ty_sketch *sketch, const ty_truth_box3 *box, const char *name);
/* Text at a place in W. */
TY_API void ty_sketch_text(ty_sketch *sketch, ty_vec3 p_W, const char *text, ty_draw_color color);

/* Draws over a copy of the image, which must have the camera's size, into a PNG of 8 bits. TY_ERR_MEMORY also when
 * an earlier call had none; TY_ERR_RANGE, TY_ERR_FILE. */
TY_API ty_status ty_sketch_write(const ty_sketch *sketch, const char *path, const ty_image *image, ty_diag *diag);

TY_END_DECLS
#endif
