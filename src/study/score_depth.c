/* src/study/score_depth.c - depth maps against the truth, over an image and over each rock.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "k_score.h"
#include "tycho/tools/draw.h"
#include "tycho/tools/exr.h"
#include "tycho/tools/score.h"

#define MOST_ROCKS 65536

ty_score_limit ty_score_limit_default(void)
{
    return (ty_score_limit){ .der = 0.05, .coverage = 0.5 };
}

void ty_score_depth_free(ty_score_depth_map *map)
{
    if (map) {
        free(map->depth);
        *map = (ty_score_depth_map){ 0 };
    }
}

static ty_status read_png(const char *path, ty_score_depth_map *out, ty_diag *diag)
{
    ty_image image;
    ty_status status = ty_png_read(path, &image, diag);
    if (status != TY_OK) {
        return status;
    }
    size_t n = (size_t)image.width * (size_t)image.height;
    const uint16_t *mm = image.data;
    if (image.bits != 16 || image.channels != 1) {
        status =
            ty_fail(diag, TY_ERR_FORMAT,
                    "%s: is a PNG of %d channels and %d bits; a depth map takes 1 channel of 16 bits, in millimetres",
                    path, image.channels, image.bits);
    } else if (!(out->depth = malloc(n * sizeof *out->depth))) {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", path);
    }
    out->width = image.width, out->height = image.height;
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        out->depth[i] = 1e-3f * (float)mm[i];
    }
    ty_image_free(&image);
    return status;
}

static ty_status read_exr(const char *path, ty_score_depth_map *out, ty_diag *diag)
{
    ty_exr image;
    ty_status status = ty_exr_read(path, &image, diag);
    if (status != TY_OK) {
        return status;
    }
    const float *z = ty_exr_find(&image, "Z"); /* beside radiance; alone it is Y, as other readers take it */
    z = z ? z : ty_exr_find(&image, "Y");
    z = z || image.channels != 1 ? z : image.data;
    size_t bytes = (size_t)image.width * (size_t)image.height * sizeof *z;
    if (!z) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s: has no channel Z, the depth in metres", path);
    } else if (!(out->depth = malloc(bytes))) {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", path);
    } else {
        memcpy(out->depth, z, bytes);
    }
    out->width = image.width, out->height = image.height;
    ty_exr_free(&image);
    return status;
}

ty_status ty_score_depth_read(const char *path, ty_score_depth_map *out, ty_diag *diag)
{
    const char *dot = strrchr(path, '.');
    *out = (ty_score_depth_map){ 0 };
    if (dot && !strcmp(dot, ".png")) {
        return read_png(path, out, diag);
    }
    if (dot && !strcmp(dot, ".exr")) {
        return read_exr(path, out, diag);
    }
    return ty_fail(diag, TY_ERR_INPUT,
                   "%s: a depth map is a .png (16 bits, millimetres) or an .exr (channel Z, metres)", path);
}

static bool known(float depth)
{
    return depth > 0.0f && isfinite(depth);
}

/* sums until finish() */
static void add(ty_score_depth_result *s, float truth, float predicted)
{
    if (!known(truth)) {
        return;
    }
    s->pixels++;
    s->depth += (double)truth;
    if (known(predicted)) {
        s->scored++;
        s->der += ty_k_depth_error_ratio((double)predicted, (double)truth);
    }
}

static void finish(ty_score_depth_result *s, const ty_score_limit *limit)
{
    s->der = s->scored ? s->der / (double)s->scored : (double)NAN;
    s->depth = s->pixels ? s->depth / (double)s->pixels : (double)NAN;
    s->success = s->der < limit->der && (double)s->scored >= limit->coverage * (double)s->pixels;
}

ty_score_depth_result ty_score_depth(size_t n, const float *truth, const float *predicted, const ty_score_limit *limit)
{
    ty_score_depth_result s = { 0 };
    for (size_t i = 0; i < n; i++) {
        add(&s, truth[i], predicted[i]);
    }
    finish(&s, limit);
    return s;
}

typedef struct frame {
    int x0, y0, x1, y1; /* [px] x0 <= x < x1 */
} frame;

/* box of every number that occurs; the others have x1 = 0 */
static void find_boxes(int width, int height, const uint16_t *instance, frame *box)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            frame *b = &box[instance[(size_t)y * (size_t)width + (size_t)x]];
            if (!b->x1) {
                *b = (frame){ x, y, x + 1, y + 1 };
            }
            b->x0 = x < b->x0 ? x : b->x0;
            b->x1 = x + 1 > b->x1 ? x + 1 : b->x1;
            b->y1 = y + 1;
        }
    }
}

size_t ty_score_depth_rocks(int width, int height, const float *truth, const float *predicted, const uint16_t *instance,
                            bool by_box, const ty_score_limit *limit, ty_score_depth_result *out, size_t capacity)
{
    size_t found = 0;
    frame *box = tyi_get(NULL, MOST_ROCKS * sizeof *box);
    if (!box) {
        return 0;
    }
    find_boxes(width, height, instance, box);
    for (uint32_t k = 1; k < MOST_ROCKS; k++) {
        ty_score_depth_result s = { .instance = k };
        for (int y = box[k].y0; y < box[k].y1; y++) {
            for (int x = box[k].x0; x < box[k].x1; x++) {
                size_t i = (size_t)y * (size_t)width + (size_t)x;
                if (by_box || instance[i] == k) {
                    add(&s, truth[i], predicted[i]);
                }
            }
        }
        if (s.pixels && found++ < capacity) {
            finish(&s, limit);
            out[found - 1] = s;
        }
    }
    tyi_put(NULL, box, MOST_ROCKS * sizeof *box);
    return found;
}
