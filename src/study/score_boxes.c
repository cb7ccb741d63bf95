/* src/study/score_boxes.c - predicted boxes against labelled ones: average precision as [coco] defines it.
 *
 * In each image the predictions of a category, the surest first and 100 at most, take the free true box that they
 * overlap best, if by the threshold at least; what takes none is false. Over all images, from the surest on,
 * precision follows recall; made falling, it is read at 101 recalls, whose mean is the average precision. A crowd
 * may be taken by any number and counts neither way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "k_score.h"
#include "tycho/tools/score.h"

#define MOST_PREDICTIONS 100 /* of one image and category */

typedef struct truth {
    const ty_coco_box *box;
    double best; /* [-] IoU with the best prediction */
    bool taken[TY_IOU_STEPS];
} truth;

typedef struct guess {
    const ty_coco_box *box;
    size_t order;                                        /* in the file: decides between equal scores */
    bool hit[TY_IOU_STEPS], ignored[TY_IOU_STEPS], late; /* late: beyond the first 100 */
} guess;

typedef struct work {
    truth *truth;
    guess *guess;
    size_t truths, guesses;
    double *recall, *precision;
} work;

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* by category, then image; crowds after the others */
static int by_place(const void *a, const void *b)
{
    const ty_coco_box *x = ((const truth *)a)->box, *y = ((const truth *)b)->box;
    int c = compare(x->category, y->category);
    c = c ? c : compare(x->image, y->image);
    c = c ? c : (int)x->crowd - (int)y->crowd;
    return c ? c : (x > y) - (x < y);
}

static int by_score(const guess *x, const guess *y)
{
    int c = (y->box->score > x->box->score) - (y->box->score < x->box->score);
    c = c ? c : compare(x->box->image, y->box->image);
    return c ? c : (x->order > y->order) - (x->order < y->order);
}

static int by_image(const void *a, const void *b)
{
    const guess *x = a, *y = b;
    int c = compare(x->box->category, y->box->category);
    c = c ? c : compare(x->box->image, y->box->image);
    return c ? c : by_score(x, y);
}

static int by_category(const void *a, const void *b)
{
    const guess *x = a, *y = b;
    int c = compare(x->box->category, y->box->category);
    return c ? c : by_score(x, y);
}

static double overlap(const ty_coco_box *a, const ty_coco_box *b)
{
    return ty_k_box_iou(a->x, a->y, a->w, a->h, b->x, b->y, b->w, b->h, b->crowd);
}

/* one prediction among the true boxes of its image and category, at one threshold */
static void match(guess *g, truth *t, size_t n, int step)
{
    double best = 0.5 + 0.05 * step;
    truth *found = NULL;
    for (size_t i = 0; i < n; i++) {
        if ((t[i].taken[step] && !t[i].box->crowd) || (found && !found->box->crowd && t[i].box->crowd)) {
            continue;
        }
        double iou = overlap(g->box, t[i].box);
        if (iou >= best) {
            best = iou;
            found = &t[i];
        }
    }
    if (found) {
        found->taken[step] = true;
        g->hit[step] = !found->box->crowd;
        g->ignored[step] = found->box->crowd;
    }
}

static bool together(const truth *t, const guess *g)
{
    return t->box->category == g->box->category && t->box->image == g->box->image;
}

/* all predictions, which are sorted by image; the true boxes likewise */
static void match_all(work *w)
{
    size_t at = 0, rank = 0;
    for (size_t i = 0; i < w->guesses; i++) {
        guess *g = &w->guess[i];
        bool new = !i || g[-1].box->category != g->box->category || g[-1].box->image != g->box->image;
        rank = new ? 0 : rank + 1;
        while (at < w->truths &&
               (w->truth[at].box->category < g->box->category ||
                (w->truth[at].box->category == g->box->category && w->truth[at].box->image < g->box->image))) {
            at++;
        }
        size_t n = 0;
        while (at + n < w->truths && together(&w->truth[at + n], g)) {
            truth *t = &w->truth[at + n++];
            t->best = fmax(t->best, overlap(g->box, t->box));
        }
        g->late = rank >= MOST_PREDICTIONS;
        for (int step = 0; step < TY_IOU_STEPS && !g->late; step++) {
            match(g, w->truth + at, n, step);
        }
    }
}

/* precision at each recall, from the predictions of one category, the surest first; adds to precision[] */
static double average_precision(const work *w, const guess *g, size_t n, size_t truths, int step, double *precision)
{
    size_t hits = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        if (!g[i].late && !g[i].ignored[step]) {
            hits += g[i].hit[step];
            w->recall[all] = (double)hits / (double)truths;
            w->precision[all] = (double)hits / (double)(all + 1);
            all++;
        }
    }
    for (size_t i = all; i-- > 1;) {
        w->precision[i - 1] = fmax(w->precision[i - 1], w->precision[i]);
    }
    double sum = 0.0;
    size_t at = 0;
    for (int r = 0; r < TY_RECALL_STEPS; r++) {
        while (at < all && w->recall[at] < r / (TY_RECALL_STEPS - 1.0)) {
            at++;
        }
        double p = at < all ? w->precision[at] : 0.0;
        sum += p;
        if (precision) {
            precision[r] += p;
        }
    }
    return sum / TY_RECALL_STEPS;
}

static size_t real_truths(const work *w, int64_t category)
{
    size_t n = 0;
    for (size_t i = 0; i < w->truths; i++) {
        n += w->truth[i].box->category == category && !w->truth[i].box->crowd;
    }
    return n;
}

static void average(work *w, const ty_coco *labels, ty_score_box_result *out)
{
    for (size_t c = 0; c < labels->categories; c++) {
        int64_t id = labels->category[c].id;
        size_t truths = real_truths(w, id), from = 0, n = 0;
        if (!truths) {
            continue;
        }
        while (from < w->guesses && w->guess[from].box->category < id) {
            from++;
        }
        while (from + n < w->guesses && w->guess[from + n].box->category == id) {
            n++;
        }
        out->categories++;
        out->truths += truths;
        for (int step = 0; step < TY_IOU_STEPS; step++) {
            out->ap[step] += average_precision(w, w->guess + from, n, truths, step, step ? NULL : out->precision);
        }
    }
    double count = (double)out->categories;
    out->map = 0.0;
    for (int step = 0; step < TY_IOU_STEPS; step++) {
        out->ap[step] /= count; /* NaN where there is nothing to find */
        out->map += out->ap[step] / TY_IOU_STEPS;
    }
    for (int r = 0; r < TY_RECALL_STEPS; r++) {
        out->precision[r] /= count;
    }
    out->map50 = out->ap[0];
    for (size_t i = 0; i < w->truths; i++) {
        out->mean_iou += w->truth[i].box->crowd ? 0.0 : w->truth[i].best;
    }
    out->mean_iou /= (double)out->truths;
}

static int by_id(const void *a, const void *b)
{
    return compare(*(const int64_t *)a, *(const int64_t *)b);
}

/* every prediction must be of an image that the labels have */
static ty_status check_images(const ty_coco *labels, const ty_coco *results, ty_diag *diag)
{
    int64_t *id = tyi_get(NULL, (labels->images + 1) * sizeof *id);
    if (!id) {
        return ty_fail(diag, TY_ERR_MEMORY, "score: no memory for %zu images", labels->images);
    }
    for (size_t i = 0; i < labels->images; i++) {
        id[i] = labels->image[i].id;
    }
    qsort(id, labels->images, sizeof *id, by_id);
    ty_status status = TY_OK;
    for (size_t i = 0; i < results->boxes && status == TY_OK; i++) {
        if (!bsearch(&results->box[i].image, id, labels->images, sizeof *id, by_id)) {
            status = ty_fail(diag, TY_ERR_INPUT, "predictions[%zu].image_id is %lld, but the labels have no such image",
                             i, (long long)results->box[i].image);
        }
    }
    tyi_put(NULL, id, (labels->images + 1) * sizeof *id);
    return status;
}

static bool has_category(const ty_coco *labels, int64_t id)
{
    for (size_t c = 0; c < labels->categories; c++) {
        if (labels->category[c].id == id) {
            return true;
        }
    }
    return false;
}

static void gather(work *w, const ty_coco *labels, const ty_coco *results, ty_score_box_result *out)
{
    for (size_t i = 0; i < labels->boxes; i++) {
        w->truth[w->truths++].box = &labels->box[i];
    }
    for (size_t i = 0; i < results->boxes; i++) {
        bool of_labels = has_category(labels, results->box[i].category);
        out->left_out += !of_labels;
        if (of_labels) {
            w->guess[w->guesses].box = &results->box[i];
            w->guess[w->guesses++].order = i;
        }
    }
    qsort(w->truth, w->truths, sizeof *w->truth, by_place);
    qsort(w->guess, w->guesses, sizeof *w->guess, by_image);
}

ty_status ty_score_boxes(const ty_coco *labels, const ty_coco *results, ty_score_box_result *out, ty_diag *diag)
{
    *out = (ty_score_box_result){ .images = labels->images, .predictions = results->boxes };
    ty_status status = check_images(labels, results, diag);
    if (status != TY_OK) {
        return status;
    }
    work w = { .truth = tyi_get(NULL, (labels->boxes + 1) * sizeof *w.truth),
               .guess = tyi_get(NULL, (results->boxes + 1) * sizeof *w.guess),
               .recall = tyi_get(NULL, (results->boxes + 1) * sizeof *w.recall),
               .precision = tyi_get(NULL, (results->boxes + 1) * sizeof *w.precision) };
    if (w.truth && w.guess && w.recall && w.precision) {
        gather(&w, labels, results, out);
        match_all(&w);
        qsort(w.guess, w.guesses, sizeof *w.guess, by_category);
        average(&w, labels, out);
    } else {
        status = ty_fail(diag, TY_ERR_MEMORY, "score: no memory for %zu boxes", labels->boxes + results->boxes);
    }
    tyi_put(NULL, w.truth, (labels->boxes + 1) * sizeof *w.truth);
    tyi_put(NULL, w.guess, (results->boxes + 1) * sizeof *w.guess);
    tyi_put(NULL, w.recall, (results->boxes + 1) * sizeof *w.recall);
    tyi_put(NULL, w.precision, (results->boxes + 1) * sizeof *w.precision);
    return status;
}
