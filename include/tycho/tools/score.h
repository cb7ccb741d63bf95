/* include/tycho/tools/score.h - how good predictions are: depth maps and boxes, anyone's.
 *
 * Depth: the depth error ratio of [lunar] (10), as a fraction, averaged over an image and over each rock in it. Boxes:
 * average precision as [coco] defines it, and the mean overlap of [lunar] section 4. Formulas: kernels/k_score.h; what
 * is averaged over what: docs/dataset.md.
 *
 * Threads: every function may run on any thread.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYCHO_SCORE_H
#define TYCHO_SCORE_H
#include "tycho/base.h"
#include "tycho/tools/coco.h"
TY_BEGIN_DECLS

/* ---- depth ---- */

typedef struct ty_score_depth_map {
    int width, height;
    float *depth; /* [m] along the optical axis, rows from the top; what is not above 0 and finite is unknown */
} ty_score_depth_map;

/* A 16-bit gray PNG in millimetres (0: unknown), or an EXR whose channel Z (or its only one) is in metres. On
 * success the caller owns out->depth. TY_ERR_FILE, TY_ERR_FORMAT, TY_ERR_MEMORY. */
TY_API ty_status ty_score_depth_read(const char *path, ty_score_depth_map *out, ty_diag *diag);
TY_API void ty_score_depth_free(ty_score_depth_map *map); /* NULL is allowed */

/* Pixels count where the truth is known and, for the error, also the prediction. */
typedef struct ty_score_depth_result {
    uint32_t instance; /* of a rock; 0: the image */
    size_t pixels;     /* whose true depth is known */
    size_t scored;     /* of these, whose depth is also predicted */
    double der;        /* [-] mean depth error ratio over the scored pixels; NaN where there are none */
    double depth;      /* [m] mean true depth over `pixels` */
    bool success;      /* der below the limit, over enough of the pixels */
} ty_score_depth_result;

typedef struct ty_score_limit {
    double der;      /* [-] 0.05   a rock's depth is found when its error is below this */
    double coverage; /* [-] 0.5    ... and at least this share of its pixels is predicted */
} ty_score_limit;
TY_API ty_score_limit ty_score_limit_default(void);

TY_API ty_score_depth_result ty_score_depth(size_t n, const float *truth, const float *predicted,
                                            const ty_score_limit *limit);
/* For each number above 0 in `instance` (at most 65535), in rising order: over the pixels that hold it, or (by_box)
 * over the whole box around them, as [lunar] does with its labelled boxes. Fills at most `capacity`, returns how
 * many rocks there are. */
TY_API size_t ty_score_depth_rocks(int width, int height, const float *truth, const float *predicted,
                                   const uint16_t *instance, bool by_box, const ty_score_limit *limit,
                                   ty_score_depth_result *out, size_t capacity);

/* ---- boxes ---- */

#define TY_IOU_STEPS    10  /* thresholds 0.5, 0.55 .. 0.95 */
#define TY_RECALL_STEPS 101 /* 0, 0.01 .. 1 */

typedef struct ty_score_box_result {
    size_t images, truths, predictions; /* truths without crowds */
    size_t left_out;                    /* predictions of categories that the labels do not have */
    size_t categories;                  /* with at least one truth: what the means run over */
    double ap[TY_IOU_STEPS];            /* [-] average precision by threshold, mean over the categories */
    double map50, map;                  /* [-] mAP@0.5 and mAP@[.5:.95]; NaN where there is no truth */
    /* [-] of each true box with the best predicted one of its category, 0 without one */
    double mean_iou;
    double precision[TY_RECALL_STEPS]; /* [-] at IoU 0.5 over recall, mean over the categories */
} ty_score_box_result;

/* TY_ERR_INPUT for a prediction of an image that the labels do not have; TY_ERR_MEMORY. */
TY_API ty_status ty_score_boxes(const ty_coco *truth, const ty_coco *results, ty_score_box_result *out, ty_diag *diag);

TY_END_DECLS
#endif
