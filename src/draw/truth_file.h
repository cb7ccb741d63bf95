/* src/draw/truth_file.h - ground truth of a frame as files that other tools read as numbers.
 *
 *   STEM_depth.exr      channel Y, float: metres along the optical axis, infinite for the sky
 *   STEM_range.exr      channel Y, float: metres along the ray
 *   STEM_normal.exr     channels R, G, B, float: x, y, z of the unit normal in the site's frame; 0 for the sky
 *   STEM_flow.exr       channels R, G, B, float: pixels to the right, pixels down, 1 where there is flow and 0 where not
 *   STEM_class.png      16 bits: ty_render_class
 *   STEM_instance.png   16 bits: 0 sky, 1 ground, else the number `mask` of the thing in the boxes
 *   STEM_sun.png        16 bits: share of the Sun's disk that is seen, 65535 all of it
 *   STEM_boxes.json     COCO: boxes and masks in the image; besides `box3d`, the box in space
 *
 * Statuses: TY_ERR_FILE, TY_ERR_MEMORY, TY_ERR_RANGE.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_DRAW_TRUTH_FILE_H
#define TYI_DRAW_TRUTH_FILE_H
#include "tycho/render.h"
#include "tycho/trace.h"

/* What is NULL is not written; width * height values, normal 3 and flow 2 per pixel. Boxes need instance. */
typedef struct tyi_draw_truth_frame {
    int width, height;
    const double *depth, *range;
    const float *normal, *sunlit, *flow;
    const uint8_t *kind;
    const uint32_t *instance;
    const ty_truth_box2 *flat;  /* of the things in the image */
    const ty_truth_box3 *solid; /* NULL: not known */
    size_t boxes;
    const char *image; /* name of the picture, for the boxes; NULL: none */
} tyi_draw_truth_frame;

/* written (NULL: nobody asks): bits of what was, 1 << TY_TRUTH_... */
typedef enum tyi_draw_truth_map {
    TYI_DRAW_TRUTH_DEPTH,
    TYI_DRAW_TRUTH_RANGE,
    TYI_DRAW_TRUTH_NORMAL,
    TYI_DRAW_TRUTH_FLOW,
    TYI_DRAW_TRUTH_CLASS,
    TYI_DRAW_TRUTH_INSTANCE,
    TYI_DRAW_TRUTH_SUN,
    TYI_DRAW_TRUTH_BOXES,
    TYI_DRAW_TRUTH_MAPS
} tyi_draw_truth_map;
const char *tyi_draw_truth_ending(tyi_draw_truth_map map); /* "depth.exr" */
ty_status tyi_draw_truth_write(const char *stem, const tyi_draw_truth_frame *frame, unsigned *written, ty_diag *diag);

#endif
