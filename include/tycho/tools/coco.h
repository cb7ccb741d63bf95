/* include/tycho/tools/coco.h - labels of images as COCO JSON: boxes, masks as run lengths, and predictions.
 *
 * Only what boxes, masks and their scoring need is read; other keys of a file are left alone. Masks are kept in COCO's
 * compressed run-length text, columns from the left.
 *
 * Statuses: TY_ERR_FILE, TY_ERR_FORMAT (not JSON, or not as COCO has it; the sentence names the entry), TY_ERR_MEMORY.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_COCO_H
#define TYCHO_COCO_H
#include "tycho/base.h"
TY_BEGIN_DECLS

typedef struct ty_coco_image {
    int64_t id;
    int width, height; /* [px] 0: not given */
    const char *file;  /* "": not given */
} ty_coco_image;

/* An annotation, or a prediction. */
typedef struct ty_coco_box {
    int64_t id, image, category;
    double x, y, w, h; /* [px] left, top, width, height */
    double area;       /* [px^2] of the mask */
    double score;      /* [-] of a prediction */
    bool crowd;
    double visible;   /* [-] Tycho's own: share of the outline in view; NaN: not given */
    double lit;       /* [-] Tycho's own: share of its pixels in sunlight; NaN: not given */
    double distance;  /* [m] Tycho's own: from the camera to its middle; NaN: not given */
    double length;    /* [m] Tycho's own: longest side of the whole body; NaN: not given */
    int64_t instance; /* Tycho's own: its number in the instance mask, 0: not given */
    int rle_height, rle_width;
    const char *rle; /* the mask; "": none, or polygons */
} ty_coco_box;

typedef struct ty_coco_category {
    int64_t id;
    const char *name;
} ty_coco_category;

typedef struct ty_coco {
    ty_coco_image *image;
    ty_coco_box *box;
    ty_coco_category *category;
    size_t images, boxes, categories;
    void *memory; /* holds the texts and the arrays */
} ty_coco;

/* A file of labels: images, annotations, categories. */
TY_API ty_status ty_coco_read(const char *path, ty_coco *out, ty_diag *diag);
/* A file of predictions: a list of {image_id, category_id, bbox, score}. Only out->box is filled. */
TY_API ty_status ty_coco_read_results(const char *path, ty_coco *out, ty_diag *diag);
TY_API void ty_coco_free(ty_coco *coco); /* NULL is allowed */

TY_END_DECLS
#endif
