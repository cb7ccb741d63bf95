/* src/draw/truth_file.c - see tycho/tools/truth_file.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "truth_file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/out.h"
#include "tycho/tools/coco.h"
#include "tycho/tools/exr.h"
#include "tycho/tools/image.h"
#include "io/inner.h"

static const char *const endings[TYI_DRAW_TRUTH_MAPS] = { "depth.exr", "range.exr",    "normal.exr", "flow.exr",
                                                          "class.png", "instance.png", "sun.png",    "boxes.json" };
static const char *const classes[TY_CLASS_COUNT] = { "sky", "ground", "rock", "rover", "object", "rut", "grain" };

const char *tyi_draw_truth_ending(tyi_draw_truth_map map)
{
    return (unsigned)map < TYI_DRAW_TRUTH_MAPS ? endings[map] : "";
}

static size_t pixels(const tyi_draw_truth_frame *f)
{
    return (size_t)f->width * (size_t)f->height;
}

/* ---- floats ---- */

static void fill_exr(const tyi_draw_truth_frame *f, tyi_draw_truth_map map, float *to)
{
    size_t n = pixels(f);
    for (size_t i = 0; i < n; i++) {
        if (map == TYI_DRAW_TRUTH_DEPTH || map == TYI_DRAW_TRUTH_RANGE) {
            to[i] = (float)(map == TYI_DRAW_TRUTH_DEPTH ? f->depth : f->range)[i];
        } else if (map == TYI_DRAW_TRUTH_NORMAL) {
            to[i] = f->normal[3 * i], to[n + i] = f->normal[3 * i + 1], to[2 * n + i] = f->normal[3 * i + 2];
        } else {
            bool known = isfinite(f->flow[2 * i] + f->flow[2 * i + 1]);
            to[i] = known ? f->flow[2 * i] : 0.0f, to[n + i] = known ? f->flow[2 * i + 1] : 0.0f;
            to[2 * n + i] = known ? 1.0f : 0.0f;
        }
    }
}

static ty_status write_exr(const char *path, const tyi_draw_truth_frame *f, tyi_draw_truth_map map, ty_diag *diag)
{
    /* names that readers of pictures know: OpenCV takes Y, or R, G and B */
    ty_exr image = { .width = f->width, .height = f->height, .channels = 1, .name = { "Y" } };
    if (map == TYI_DRAW_TRUTH_NORMAL || map == TYI_DRAW_TRUTH_FLOW) {
        image.channels = 3;
        strcpy(image.name[0], "R"), strcpy(image.name[1], "G"), strcpy(image.name[2], "B");
    }
    image.data = malloc((size_t)image.channels * pixels(f) * sizeof(float));
    if (!image.data) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path);
    }
    fill_exr(f, map, image.data);
    ty_status status = ty_exr_write(path, &image, diag);
    free(image.data);
    return status;
}

/* ---- 16 bits ---- */

static int by_instance(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* numbers of the things in the image, in the order of the boxes, from 2 on */
static ty_status make_mask(const tyi_draw_truth_frame *f, uint16_t *mask, ty_diag *diag)
{
    uint32_t(*sorted)[2] = malloc((f->boxes + 1) * sizeof *sorted);
    if (!sorted || f->boxes > 65000) {
        free(sorted);
        return ty_fail(diag, sorted ? TY_ERR_RANGE : TY_ERR_MEMORY, "truth: %zu things in an image are too many",
                       f->boxes);
    }
    for (size_t k = 0; k < f->boxes; k++) {
        sorted[k][0] = f->flat[k].instance, sorted[k][1] = (uint32_t)k + 2;
    }
    qsort(sorted, f->boxes, sizeof *sorted, by_instance);
    for (size_t i = 0; i < pixels(f); i++) {
        const uint32_t *at = f->boxes ? bsearch(&f->instance[i], sorted, f->boxes, sizeof *sorted, by_instance) : NULL;
        mask[i] = (uint16_t)(at ? at[1] : f->instance[i] ? 1u : 0u);
    }
    free(sorted);
    return TY_OK;
}

static ty_status write_png(const char *path, const tyi_draw_truth_frame *f, tyi_draw_truth_map map,
                           const uint16_t *mask, ty_diag *diag)
{
    uint16_t *to = malloc(pixels(f) * sizeof *to);
    if (!to) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to write it", path);
    }
    for (size_t i = 0; i < pixels(f); i++) {
        to[i] = map == TYI_DRAW_TRUTH_CLASS      ? f->kind[i]
                : map == TYI_DRAW_TRUTH_INSTANCE ? mask[i]
                                                 : (uint16_t)lrintf(65535.0f * fminf(fmaxf(f->sunlit[i], 0.0f), 1.0f));
    }
    ty_status status = ty_png_write(path, f->width, f->height, 1, 16, to, diag);
    free(to);
    return status;
}

/* ---- boxes ---- */

static void put_pose(FILE *out, const char *name, ty_pose p)
{
    fprintf(out, ", \"%s\": {\"position\": [%.6f, %.6f, %.6f], \"quaternion_wxyz\": [%.9f, %.9f, %.9f, %.9f]}", name,
            p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z);
}

static bool put_box(FILE *out, const tyi_draw_truth_frame *f, size_t k, const uint16_t *mask)
{
    const ty_truth_box2 *b = &f->flat[k];
    const int box[4] = { b->x0, b->y0, b->x1, b->y1 };
    char *rle = tyi_io_coco_rle_encode(f->width, f->height, mask, (uint16_t)(k + 2), box);
    if (!rle) {
        return false;
    }
    fprintf(out,
            "%s\n  {\"id\": %zu, \"image_id\": 1, \"category_id\": %d, \"bbox\": [%d, %d, %d, %d], \"area\": %d, "
            "\"iscrowd\": 0, \"mask\": %zu, \"instance\": %u, \"segmentation\": {\"size\": [%d, %d], \"counts\": \"",
            k ? "," : "", k + 1, (int)b->kind, b->x0, b->y0, b->x1 - b->x0, b->y1 - b->y0, b->pixels, k + 2,
            b->instance, f->height, f->width);
    for (const char *c = rle; *c; c++) { /* COCO's text holds backslashes */
        fprintf(out, *c == '\\' || *c == '"' ? "\\%c" : "%c", *c);
    }
    fputs("\"}", out);
    free(rle);
    if (f->solid) {
        const ty_truth_box3 *s = &f->solid[k];
        fprintf(out, ", \"visible\": %.4f, \"box3d\": {\"size\": [%.6f, %.6f, %.6f], \"cut\": %s", s->visible,
                2.0 * s->half.x, 2.0 * s->half.y, 2.0 * s->half.z, s->cut ? "true" : "false");
        put_pose(out, "site", s->pose_W);
        put_pose(out, "camera", s->pose_S);
        fputc('}', out);
    }
    fputc('}', out);
    return true;
}

static ty_status write_boxes(const char *path, const tyi_draw_truth_frame *f, const uint16_t *mask, ty_diag *diag)
{
    tyi_io_out out;
    ty_status status = tyi_io_out_open(&out, path, diag);
    if (status != TY_OK) {
        return status;
    }
    fprintf(out.file, "{\"images\": [{\"id\": 1, \"width\": %d, \"height\": %d, \"file_name\": \"", f->width,
            f->height);
    for (const char *c = f->image ? f->image : ""; *c; c++) {
        if ((unsigned char)*c >= ' ') {
            fprintf(out.file, *c == '\\' || *c == '"' ? "\\%c" : "%c", *c);
        }
    }
    fputs("\"}],\n\"categories\": [", out.file);
    for (int k = TY_CLASS_ROCK; k <= TY_CLASS_OBJECT; k++) {
        fprintf(out.file, "%s{\"id\": %d, \"name\": \"%s\"}", k > TY_CLASS_ROCK ? ", " : "", k, classes[k]);
    }
    fputs("],\n\"annotations\": [", out.file);
    for (size_t k = 0; k < f->boxes && status == TY_OK; k++) {
        if (!put_box(out.file, f, k, mask)) {
            status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for a mask", path);
        }
    }
    fputs("]}\n", out.file);
    return tyi_io_out_close(&out, status, diag);
}

/* ---- all of it ---- */

static bool wanted(const tyi_draw_truth_frame *f, tyi_draw_truth_map map)
{
    switch (map) {
    case TYI_DRAW_TRUTH_DEPTH:
        return f->depth;
    case TYI_DRAW_TRUTH_RANGE:
        return f->range;
    case TYI_DRAW_TRUTH_NORMAL:
        return f->normal;
    case TYI_DRAW_TRUTH_FLOW:
        return f->flow;
    case TYI_DRAW_TRUTH_CLASS:
        return f->kind;
    case TYI_DRAW_TRUTH_INSTANCE:
        return f->instance;
    case TYI_DRAW_TRUTH_SUN:
        return f->sunlit;
    case TYI_DRAW_TRUTH_BOXES:
        return f->instance && f->flat;
    case TYI_DRAW_TRUTH_MAPS:
        break;
    }
    return false;
}

ty_status tyi_draw_truth_write(const char *stem, const tyi_draw_truth_frame *f, unsigned *written, ty_diag *diag)
{
    unsigned done = 0;
    uint16_t *mask = f->instance ? malloc(pixels(f) * sizeof *mask + 1) : NULL;
    ty_status status =
        f->instance && !mask ? ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for its ground truth", stem) : TY_OK;
    if (status == TY_OK && mask) {
        status = make_mask(f, mask, diag);
    }
    for (int map = 0; map < TYI_DRAW_TRUTH_MAPS && status == TY_OK; map++) {
        char path[4200];
        if (!wanted(f, (tyi_draw_truth_map)map)) {
            continue;
        }
        if (snprintf(path, sizeof path, "%s_%s", stem, endings[map]) >= (int)sizeof path) {
            status = ty_fail(diag, TY_ERR_FILE, "%.200s...: the path is too long", stem);
        } else if (map <= TYI_DRAW_TRUTH_FLOW) {
            status = write_exr(path, f, (tyi_draw_truth_map)map, diag);
        } else {
            status = map == TYI_DRAW_TRUTH_BOXES ? write_boxes(path, f, mask, diag)
                                                 : write_png(path, f, (tyi_draw_truth_map)map, mask, diag);
        }
        done |= status == TY_OK ? 1u << map : 0u;
    }
    free(mask);
    if (written) {
        *written = done;
    }
    return status;
}
