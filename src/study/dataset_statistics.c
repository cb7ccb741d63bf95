/* src/study/dataset_statistics.c - what people look at: statistics of the labels and a contact sheet.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "dataset.h"
#include "io/out.h"
#include "tycho/tools/coco.h"
#include "tycho/tools/draw.h"
#include "draw/inner.h"
#include "draw/sheet.h"

#define BINS 24

/* ---- statistics ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* mean and quantiles; sorts the values */
static void put_spread(FILE *f, const char *name, double *value, size_t n, const char *end)
{
    static const double share[] = { 0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0 };
    static const char *const what[] = { "least", "p05", "p25", "median", "p75", "p95", "largest" };
    double sum = 0.0;
    if (!n) { /* no labels: there is no array to sort */
        fprintf(f, "    \"%s\": {}%s\n", name, end);
        return;
    }
    qsort(value, n, sizeof *value, by_size);
    for (size_t i = 0; i < n; i++) {
        sum += value[i];
    }
    fprintf(f, "    \"%s\": {", name);
    for (int k = 0; k < 7; k++) {
        fprintf(f, "\"%s\": %.5g, ", what[k], value[(size_t)lrint(share[k] * (double)(n - 1))]);
    }
    fprintf(f, "\"mean\": %.5g}%s\n", sum / (double)n, end);
}

static ty_status write_numbers(const tyi_study_dataset_job *job, const tyi_study_measures *split, ty_diag *diag)
{
    char path[TY_PATH_MAX];
    tyi_io_out out;
    snprintf(path, sizeof path, "%.*s/statistics.json", TY_PATH_MAX - 100, job->folder);
    ty_status status = tyi_io_out_open(&out, path, diag);
    if (status != TY_OK) {
        return status;
    }
    FILE *f = out.file;
    fputs("{\n", f);
    for (int k = 0; k < 2; k++) {
        const tyi_study_measures *m = &split[k];
        size_t empty = 0, bands[3] = { 0 };
        for (size_t i = 0; i < m->images; i++) {
            empty += m->rocks[i] == 0.0;
        }
        for (size_t i = 0; i < m->labels; i++) { /* COCO's small, medium and large */
            bands[m->size[i] < 32.0 ? 0 : m->size[i] < 96.0 ? 1 : 2]++;
        }
        fprintf(
            f,
            "  \"%s\": {\n    \"images\": %zu,\n    \"images_without_labels\": %zu,\n    \"labels\": %zu,\n    \"small_medium_large\": [%zu, %zu, %zu],\n",
            k ? "test" : "train", m->images, empty, m->labels, bands[0], bands[1], bands[2]);
        put_spread(f, "labels_per_image", m->rocks, m->images, ",");
        put_spread(f, "size_px", m->size, m->labels, ",");
        put_spread(f, "distance_m", m->distance, m->labels, ",");
        put_spread(f, "length_m", m->length, m->labels, ",");
        put_spread(f, "visible", m->visible, m->labels, ",");
        put_spread(f, "lit", m->lit, m->labels, "");
        fprintf(f, "  }%s\n", k ? "" : ",");
    }
    fputs("}\n", f);
    return tyi_io_out_close(&out, TY_OK, diag);
}

/* one panel: histograms of both splits as shares, so that they can be compared */
typedef struct histogram {
    double edge[2][BINS + 1], count[2][BINS];
    ty_draw_series series[2];
} histogram;

static ty_draw_panel panel(histogram *h, const tyi_study_measures *split, size_t offset, bool per_image,
                           const char *label, double high)
{
    for (int k = 0; k < 2; k++) {
        const double *value = *(double *const *)(const void *)((const char *)&split[k] + offset);
        size_t n = per_image ? split[k].images : split[k].labels;
        for (size_t i = 0; i < n && high <= 0.0; i++) {
            high = fmin(high, -value[i] * 1.0001);
        }
    }
    high = fabs(high) > 0.0 ? fabs(high) : 1.0;
    for (int k = 0; k < 2; k++) {
        const double *value = *(double *const *)(const void *)((const char *)&split[k] + offset);
        size_t n = per_image ? split[k].images : split[k].labels,
               in = tyi_draw_histogram(value, n, 0.0, high, BINS, h->edge[k], h->count[k]);
        for (int b = 0; b < BINS; b++) {
            h->count[k][b] *= in ? 100.0 / (double)n : 0.0;
        }
        h->series[k] = (ty_draw_series){
            .kind = TY_SERIES_STEP, .label = k ? "test" : "training", .n = BINS, .x = h->edge[k], .y = h->count[k]
        };
    }
    return (ty_draw_panel){ .x = { .label = label, .low = 0.0, .high = high },
                            .y = { .label = per_image ? "images [%]" : "labels [%]" },
                            .series = h->series,
                            .count = split[1].images ? 2 : 1,
                            .key = per_image ? TY_KEY_AUTO : TY_KEY_NONE };
}

ty_status tyi_study_dataset_statistics(const tyi_study_dataset_job *job, const tyi_study_measures *split, ty_diag *diag)
{
    char path[TY_PATH_MAX], title[200];
    ty_status status = write_numbers(job, split, diag);
    histogram *h = calloc(6, sizeof *h);
    if (status == TY_OK && !h) {
        status = ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for its statistics");
    }
    if (status == TY_OK) {
        ty_draw_panel panels[6] = {
            panel(&h[0], split, offsetof(tyi_study_measures, rocks), true, "rocks in an image", 0.0),
            panel(&h[1], split, offsetof(tyi_study_measures, size), false, "size: root of the mask's area [px]", 0.0),
            panel(&h[2], split, offsetof(tyi_study_measures, distance), false, "distance [m]", 0.0),
            panel(&h[3], split, offsetof(tyi_study_measures, length), false, "length of the rock [m]", 0.0),
            panel(&h[4], split, offsetof(tyi_study_measures, visible), false, "share of the outline in view [-]", 1.0),
            panel(&h[5], split, offsetof(tyi_study_measures, lit), false, "share in sunlight [-]", 1.0),
        };
        ty_draw_figure figure = ty_draw_figure_default();
        snprintf(title, sizeof title, "%s: %zu and %zu images, %zu and %zu labels", job->set->def->name,
                 split[0].images, split[1].images, split[0].labels, split[1].labels);
        figure.title = title;
        figure.panel = panels;
        figure.rows = 2, figure.columns = 3;
        figure.width = 1200, figure.height = 680;
        snprintf(path, sizeof path, "%.*s/statistics.png", TY_PATH_MAX - 100, job->folder);
        status = ty_draw_write_figure(path, &figure, diag);
    }
    free(h);
    return status;
}

/* ---- contact sheet ---- */

#define TILES      24
#define TILE_WIDTH 300

typedef struct sheet {
    uint8_t *rgb[TILES];
    char text[TILES][TYI_STUDY_NAME];
    int width, height;
} sheet;

static void set_pixel(const sheet *s, uint8_t *rgb, int x, int y)
{
    if (x >= 0 && y >= 0 && x < s->width && y < s->height) {
        uint8_t *p = rgb + 3 * ((size_t)y * (size_t)s->width + (size_t)x);
        p[0] = 255, p[1] = 150, p[2] = 0;
    }
}

static void draw_box(const sheet *s, uint8_t *rgb, const ty_coco_box *b, double scale)
{
    int x0 = (int)(b->x * scale), y0 = (int)(b->y * scale), x1 = (int)((b->x + b->w) * scale),
        y1 = (int)((b->y + b->h) * scale);
    for (int x = x0; x <= x1; x++) {
        set_pixel(s, rgb, x, y0), set_pixel(s, rgb, x, y1);
    }
    for (int y = y0; y <= y1; y++) {
        set_pixel(s, rgb, x0, y), set_pixel(s, rgb, x1, y);
    }
}

/* the picture made as wide as a tile, each pixel the mean of what it covers, with the boxes over it */
static void fill_tile(const sheet *s, uint8_t *rgb, const ty_image *image, double gamma, const ty_coco *labels)
{
    double scale = (double)s->width / image->width;
    for (int y = 0; y < s->height; y++) {
        for (int x = 0; x < s->width; x++) {
            int x0 = (int)(x / scale), y0 = (int)(y / scale), x1 = (int)((x + 1) / scale), y1 = (int)((y + 1) / scale);
            double sum[3] = { 0.0, 0.0, 0.0 };
            int n = 0, channels = image->channels;
            for (int j = y0; j < (y1 > y0 ? y1 : y0 + 1) && j < image->height; j++) {
                for (int i = x0; i < (x1 > x0 ? x1 : x0 + 1) && i < image->width; i++, n++) {
                    for (int c = 0; c < 3; c++) {
                        size_t at = ((size_t)j * (size_t)image->width + (size_t)i) * (size_t)channels +
                                    (size_t)(channels == 3 ? c : 0);
                        sum[c] += image->bits == 16 ? ((const uint16_t *)image->data)[at] / 65535.0
                                                    : ((const uint8_t *)image->data)[at] / 255.0;
                    }
                }
            }
            for (int c = 0; c < 3; c++) {
                double v = n ? sum[c] / n : 0.0;
                rgb[3 * ((size_t)y * (size_t)s->width + (size_t)x) + (size_t)c] =
                    (uint8_t)lrint(255.0 * (image->bits == 16 ? pow(v, 1.0 / gamma) : v));
            }
        }
    }
    for (size_t i = 0; i < labels->boxes; i++) {
        if (!labels->box[i].crowd) {
            draw_box(s, rgb, &labels->box[i], scale);
        }
    }
}

static ty_status make_tile(const tyi_study_dataset_job *job, sheet *s, int k, size_t pair, ty_diag *diag)
{
    const ty_dataset *d = job->set;
    size_t v = 0;
    while (v + 1 < d->views && d->view[v + 1].first_pair <= pair) {
        v++;
    }
    const tyi_study_view_plan *view = &d->view[v];
    size_t within = pair - view->first_pair;
    char path[TY_PATH_MAX];
    ty_image image = { 0 };
    ty_coco labels = { 0 };
    tyi_study_image_name(d, view, within / view->exposures, within % view->exposures, 0, s->text[k]);
    tyi_study_dataset_path(job->folder, d, view, "images", s->text[k], ".png", path);
    ty_status status = ty_png_read(path, &image, diag);
    tyi_study_dataset_path(job->folder, d, view, "records", s->text[k], ".json", path);
    status = status == TY_OK ? ty_coco_read(path, &labels, diag) : status;
    s->rgb[k] = malloc(3 * (size_t)s->width * (size_t)s->height);
    if (status == TY_OK && !s->rgb[k]) {
        status = ty_fail(diag, TY_ERR_MEMORY, "data set: no memory for the contact sheet");
    }
    if (status == TY_OK) {
        fill_tile(s, s->rgb[k], &image, d->def->gamma, &labels);
    }
    ty_image_free(&image);
    ty_coco_free(&labels);
    return status;
}

ty_status tyi_study_dataset_sheet(const tyi_study_dataset_job *job, ty_diag *diag)
{
    const ty_dataset_def *def = job->set->def;
    int count = job->set->pairs < TILES ? (int)job->set->pairs : TILES;
    sheet s = { .width = TILE_WIDTH };
    s.height = (int)fmin(fmax(1.0, (double)TILE_WIDTH * def->height / def->width), 1000.0);
    tyi_draw_tile tile[TILES];
    ty_status status = TY_OK;
    for (int k = 0; k < count && status == TY_OK; k++) {
        status = make_tile(job, &s, k, (size_t)k * job->set->pairs / (size_t)count, diag);
        tile[k] = (tyi_draw_tile){ s.rgb[k], s.text[k] };
    }
    if (status == TY_OK) {
        char path[TY_PATH_MAX], title[200];
        snprintf(title, sizeof title, "%s: %d of %zu stereo pairs, left images with their labels", def->name, count,
                 job->set->pairs);
        snprintf(path, sizeof path, "%.*s/contact_sheet.png", TY_PATH_MAX - 100, job->folder);
        status = tyi_draw_write_sheet(path, title, tile, count, count < 4 ? count : 4, s.width, s.height, diag);
    }
    for (int k = 0; k < TILES; k++) {
        free(s.rgb[k]);
    }
    return status;
}
