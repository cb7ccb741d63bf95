/* app/score_boxes.c - `tycho score boxes`.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "score.h"
#include "terrain_site.h"
#include "tycho/tools/draw.h"
#include "tycho/tools/score.h"
#include "io/out_file.h"

static void put_json(FILE *f, const ty_score_box_result *s)
{
    fprintf(f, "{\"images\": %zu, \"truths\": %zu, \"predictions\": %zu, \"left_out\": %zu, \"categories\": %zu",
            s->images, s->truths, s->predictions, s->left_out, s->categories);
    score_number(f, ",\n \"mAP@0.5\": ", s->map50);
    score_number(f, ", \"mAP@[.5:.95]\": ", s->map);
    score_number(f, ", \"mean_IoU\": ", s->mean_iou);
    for (int k = 0; k < TY_IOU_STEPS; k++) {
        score_number(f, k ? ", " : ",\n \"AP_by_IoU_0.50_to_0.95\": [", s->ap[k]);
    }
    for (int k = 0; k < TY_RECALL_STEPS; k++) {
        score_number(f, k ? ", " : "],\n \"precision_at_0.5_by_recall_0.00_to_1.00\": [", s->precision[k]);
    }
    fputs("]}\n", f);
}

static void put_table(const ty_score_box_result *s)
{
    printf("%zu images, %zu true boxes, %zu predictions", s->images, s->truths, s->predictions);
    if (s->left_out) {
        printf(", %zu of them of categories that the labels do not have", s->left_out);
    }
    printf("\n\n| mAP@0.5 | mAP@[.5:.95] | mean IoU |\n|---|---|---|\n| %.4f | %.4f | %.4f |\n", s->map50, s->map,
           s->mean_iou);
}

static ty_status plot(const char *path, const ty_score_box_result *s, ty_diag *diag)
{
    double recall[TY_RECALL_STEPS];
    for (int k = 0; k < TY_RECALL_STEPS; k++) {
        recall[k] = k / (TY_RECALL_STEPS - 1.0);
    }
    char title[100];
    snprintf(title, sizeof title, "overlap of 0.5: average precision %.4f", s->map50);
    ty_draw_series series = { .kind = TY_SERIES_LINE, .n = TY_RECALL_STEPS, .x = recall, .y = s->precision };
    ty_draw_panel panel = { .title = title,
                            .x = { .label = "recall [-]", .low = 0.0, .high = 1.0 },
                            .y = { .label = "precision [-]", .low = 0.0, .high = 1.05 },
                            .series = &series,
                            .count = 1 };
    ty_draw_figure figure = ty_draw_figure_default();
    figure.panel = &panel;
    return ty_draw_write_figure(path, &figure, diag);
}

/* takes out predictions below a score */
static void drop(ty_coco *results, double least)
{
    size_t kept = 0;
    for (size_t i = 0; i < results->boxes; i++) {
        if (results->box[i].score >= least) {
            results->box[kept++] = results->box[i];
        }
    }
    results->boxes = kept;
}

static ty_status score(char **argv, double least, ty_score_box_result *out, ty_diag *diag)
{
    ty_coco labels = { 0 }, results = { 0 };
    ty_status status = ty_coco_read(argv[1], &labels, diag);
    status = status == TY_OK ? ty_coco_read_results(argv[2], &results, diag) : status;
    if (status == TY_OK) {
        drop(&results, least);
        ty_diag why = { 0 };
        status = ty_score_boxes(&labels, &results, out, &why);
        if (status != TY_OK) {
            ty_fail(diag, status, "%s: %s", argv[2], why.text);
        }
    }
    ty_coco_free(&labels);
    ty_coco_free(&results);
    return status;
}

ty_status score_boxes(int argc, char **argv, ty_diag *diag)
{
    double least = -1e300;
    const char *out = app_option(&argc, argv, "-o"), *picture = app_option(&argc, argv, "--plot");
    bool quiet = app_flag(&argc, argv, "--quiet");
    ty_score_box_result s;
    ty_status status = app_take_number(&argc, argv, "--least-score", -1e300, 1e300, &least, diag);
    status = status == TY_OK ? app_rest(argc, argv, 2, diag) : status;
    status = status == TY_OK ? score(argv, least, &s, diag) : status;
    tyi_io_sink *json = NULL;
    status = status == TY_OK ? score_open(out, &json, diag) : status;
    if (status == TY_OK) {
        put_json(tyi_io_sink_file(json), &s);
        status = tyi_io_sink_close(json, TY_OK, diag);
    }
    status = status == TY_OK && picture ? plot(picture, &s, diag) : status;
    if (status == TY_OK && !quiet) {
        put_table(&s);
    }
    return status;
}
