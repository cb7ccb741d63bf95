/* src/draw/overlay.h - things drawn over a picture after it was taken: trails, frames, frustums, boxes,
 * labels.
 *
 * A sketch takes the camera of a frame and collects lines in W; they are projected through the lens, bent where it
 * bends them. tyi_draw_sketch_write() draws them over a copy of the picture into a file of its own: the frame's data are
 * only read.
 *
 *     tyi_draw_sketch *s = tyi_draw_sketch_create(&camera, range);
 *     tyi_draw_sketch_frame(s, pose, 0.5, "rover");
 *     tyi_draw_sketch_write(s, "frame_overlay.png", &picture, &diag);
 *     tyi_draw_sketch_destroy(s);
 *
 * Threads: one sketch, one thread at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DRAW_OVERLAY_H
#define TYI_DRAW_OVERLAY_H
#include "tycho/tools/draw.h"
#include "tycho/trace.h"

typedef struct tyi_draw_sketch tyi_draw_sketch;

/* range [m]: the frame's, width * height, which must outlive the sketch: lines behind what the frame shows are drawn
 * faint; NULL: nothing is hidden. The camera is copied. NULL when there is no memory; every function below takes
 * NULL. */
tyi_draw_sketch *tyi_draw_sketch_create(const ty_camera *camera, const double *range);
void tyi_draw_sketch_destroy(tyi_draw_sketch *sketch);

/* A line through n places in W: a trail, a path that is planned. Opacity 0: a colour of ty_draw_palette(). */
void tyi_draw_sketch_line(tyi_draw_sketch *sketch, const ty_vec3 *p_W, size_t n, ty_draw_color color);
/* Axes of a frame, length [m]: x red, y green, z blue; name may be NULL. */
void tyi_draw_sketch_frame(tyi_draw_sketch *sketch, ty_pose pose_W, double length, const char *name);
/* What another camera sees: its eye, its picture's border at `depth` [m] and the edges between. name may be NULL. */
void tyi_draw_sketch_frustum(tyi_draw_sketch *sketch, const ty_camera *other, double depth, const char *name);
void tyi_draw_sketch_box2(tyi_draw_sketch *sketch, const ty_truth_box2 *box, const char *name);
void tyi_draw_sketch_box3(tyi_draw_sketch *sketch, const ty_truth_box3 *box, const char *name);
/* Boxes and labels (class, distance, visible share) of a frame's things, without those that fill few pixels. */
void tyi_draw_sketch_things(tyi_draw_sketch *sketch, const ty_truth_box2 *flat, const ty_truth_box3 *solid, size_t n,
                            bool boxes, bool solids, bool labels);
/* Text at a place in W. */
void tyi_draw_sketch_text(tyi_draw_sketch *sketch, ty_vec3 p_W, const char *text, ty_draw_color color);
/* A dot at a place in W, where it is in view and not hidden: thousands of a scan. */
void tyi_draw_sketch_point(tyi_draw_sketch *sketch, ty_vec3 p_W, ty_draw_color color);
/* A line of text in the corner, below those that are there. */
void tyi_draw_sketch_note(tyi_draw_sketch *sketch, const char *text);

/* Draws over a copy of the image, which must have the camera's size, into a PNG of 8 bits. TY_ERR_MEMORY also when
 * an earlier call had none; TY_ERR_RANGE, TY_ERR_FILE. */
ty_status tyi_draw_sketch_write(const tyi_draw_sketch *sketch, const char *path, const ty_image *image, ty_diag *diag);

/* ---- what a render gave, as pictures ---- */

/* Ground truth in colours, for the eye. */
typedef enum tyi_draw_truth {
    TYI_DRAW_DEPTH,
    TYI_DRAW_NORMAL,
    TYI_DRAW_LABELS,
    TYI_DRAW_INSTANCES,
    TYI_DRAW_SUNLIT,
    TYI_DRAW_TRUTHS
} tyi_draw_truth;
const char *tyi_draw_truth_name(tyi_draw_truth what); /* "depth" */
/* A PNG of 8 bits from depth, kind, normal, sunlit and instance; range [m], where not NULL, gets the ends of depth's
 * colours: yellow, violet. TY_ERR_FILE, TY_ERR_MEMORY. */
ty_status tyi_draw_write_truth(const char *path, tyi_draw_truth what, const ty_render_buffers *buffers, int width,
                               int height, double range[2], ty_diag *diag);

#endif
