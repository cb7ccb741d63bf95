/* src/io/coco_read.c - COCO JSON into plain arrays; the JSON itself is read by Jansson.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "tycho/tools/coco.h"

/* What one file is read with: where sentences point to. */
typedef struct reader {
    const char *path;
    const char *list; /* "annotations"; "": the file itself */
    size_t entry;     /* in the list, from 0 */
    tyi_arena *arena;
    ty_diag *diag;
} reader;

static ty_status wrong(const reader *r, const char *key, const char *takes)
{
    return ty_fail(r->diag, TY_ERR_FORMAT, "%s: %s[%zu].%s takes %s", r->path, r->list, r->entry, key, takes);
}

static bool number(const json_t *object, const char *key, double *out)
{
    const json_t *value = json_object_get(object, key);
    if (!value) {
        return true;
    }
    *out = json_number_value(value);
    return json_is_number(value) && isfinite(*out);
}

/* a whole number that must be there */
static ty_status whole(const reader *r, const json_t *object, const char *key, int64_t *out)
{
    const json_t *value = json_object_get(object, key);
    *out = json_integer_value(value);
    return json_is_integer(value) ? TY_OK : wrong(r, key, "a whole number");
}

static const char *text(const reader *r, const json_t *value)
{
    if (!json_is_string(value)) {
        return "";
    }
    size_t n = json_string_length(value) + 1;
    char *copy = tyi_arena_get(r->arena, n);
    if (copy) {
        memcpy(copy, json_string_value(value), n);
    }
    return copy ? copy : "";
}

static ty_status read_image(const reader *r, const json_t *object, ty_coco_image *out)
{
    double width = 0.0, height = 0.0;
    if (!number(object, "width", &width) || !number(object, "height", &height) || width < 0.0 || height < 0.0 ||
        width > 1e6 || height > 1e6) {
        return wrong(r, "width and height", "pixels");
    }
    out->width = (int)width, out->height = (int)height;
    out->file = text(r, json_object_get(object, "file_name"));
    return whole(r, object, "id", &out->id);
}

static ty_status read_corner(const reader *r, const json_t *object, ty_coco_box *out)
{
    const json_t *list = json_object_get(object, "bbox");
    double v[4] = { 0 };
    bool ok = json_is_array(list) && json_array_size(list) == 4;
    for (size_t k = 0; k < 4 && ok; k++) {
        v[k] = json_number_value(json_array_get(list, k));
        ok = json_is_number(json_array_get(list, k)) && isfinite(v[k]);
    }
    out->x = v[0], out->y = v[1], out->w = v[2], out->h = v[3];
    return ok && v[2] >= 0.0 && v[3] >= 0.0
               ? TY_OK
               : wrong(r, "bbox", "four numbers: left, top, width and height, the last two not below 0");
}

static void read_mask(const reader *r, const json_t *object, ty_coco_box *out)
{
    const json_t *mask = json_object_get(object, "segmentation"), *size = json_object_get(mask, "size");
    out->rle = text(r, json_object_get(mask, "counts"));
    out->rle_height = (int)json_integer_value(json_array_get(size, 0));
    out->rle_width = (int)json_integer_value(json_array_get(size, 1));
}

static ty_status read_box(const reader *r, const json_t *object, ty_coco_box *out)
{
    *out = (ty_coco_box){ .visible = NAN, .lit = NAN, .distance = NAN, .length = NAN };
    ty_status status = whole(r, object, "image_id", &out->image);
    status = status == TY_OK ? whole(r, object, "category_id", &out->category) : status;
    status = status == TY_OK ? read_corner(r, object, out) : status;
    static const struct {
        const char *key;
        size_t offset;
    } numbers[] = {
        { "area", offsetof(ty_coco_box, area) },         { "score", offsetof(ty_coco_box, score) },
        { "visible", offsetof(ty_coco_box, visible) },   { "lit", offsetof(ty_coco_box, lit) },
        { "distance", offsetof(ty_coco_box, distance) }, { "length", offsetof(ty_coco_box, length) },
    };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && status == TY_OK; k++) {
        if (!number(object, numbers[k].key, (double *)(void *)((char *)out + numbers[k].offset))) {
            status = wrong(r, numbers[k].key, "a number");
        }
    }
    const json_t *crowd = json_object_get(object, "iscrowd");
    out->crowd = json_integer_value(crowd) != 0 || json_is_true(crowd);
    out->id = json_integer_value(json_object_get(object, "id"));
    out->instance = json_integer_value(json_object_get(object, "instance"));
    read_mask(r, object, out);
    return status;
}

static ty_status read_entry(const reader *r, const json_t *object, void *out)
{
    if (!json_is_object(object)) {
        return ty_fail(r->diag, TY_ERR_FORMAT, "%s: %s[%zu] takes an object {...}", r->path, r->list, r->entry);
    }
    switch (r->list[0]) {
    case 'i':
        return read_image(r, object, out);
    case 'c':
        ((ty_coco_category *)out)->name = text(r, json_object_get(object, "name"));
        return whole(r, object, "id", &((ty_coco_category *)out)->id);
    default:
        break;
    }
    ty_status status = read_box(r, object, out);
    if (status == TY_OK && !strcmp(r->list, "predictions") && !json_is_number(json_object_get(object, "score"))) {
        status = wrong(r, "score", "a number, the detector's confidence");
    }
    return status;
}

/* all entries of a list of structs of `size` bytes */
static ty_status read_list(reader *r, const json_t *list, size_t size, void **out, size_t *count)
{
    if (!json_is_array(list)) {
        return ty_fail(r->diag, TY_ERR_FORMAT, "%s: has no list of %s", r->path, r->list);
    }
    *count = json_array_size(list);
    *out = tyi_arena_get(r->arena, *count * size + 1);
    ty_status status = *out ? TY_OK : ty_fail(r->diag, TY_ERR_MEMORY, "%s: no memory to read it", r->path);
    for (r->entry = 0; r->entry < *count && status == TY_OK; r->entry++) {
        status = read_entry(r, json_array_get(list, r->entry), (char *)*out + r->entry * size);
    }
    return status;
}

static ty_status start(const char *path, ty_coco *out, json_t **root, ty_diag *diag)
{
    json_error_t error;
    *out = (ty_coco){ 0 };
    FILE *file = fopen(path, "rb");
    if (!file) {
        return ty_fail(diag, TY_ERR_FILE, "%s: cannot be opened", path);
    }
    *root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (!*root) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s:%d:%d: is not JSON: %s", path, error.line, error.column, error.text);
    }
    out->memory = tyi_get(NULL, sizeof(tyi_arena));
    if (!out->memory) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory to read it", path);
    }
    tyi_arena_init(out->memory, NULL, 1 << 16);
    return TY_OK;
}

ty_status ty_coco_read(const char *path, ty_coco *out, ty_diag *diag)
{
    json_t *root = NULL;
    ty_status status = start(path, out, &root, diag);
    reader r = { path, "", 0, out->memory, diag };
    const struct {
        const char *name;
        size_t size;
        void **to;
        size_t *count;
    } lists[] = {
        { "images", sizeof *out->image, (void **)&out->image, &out->images },
        { "annotations", sizeof *out->box, (void **)&out->box, &out->boxes },
        { "categories", sizeof *out->category, (void **)&out->category, &out->categories },
    };
    for (int k = 0; k < 3 && status == TY_OK; k++) {
        r.list = lists[k].name;
        status = read_list(&r, json_object_get(root, r.list), lists[k].size, lists[k].to, lists[k].count);
    }
    json_decref(root);
    if (status != TY_OK) {
        ty_coco_free(out);
    }
    return status;
}

ty_status ty_coco_read_results(const char *path, ty_coco *out, ty_diag *diag)
{
    json_t *root = NULL;
    ty_status status = start(path, out, &root, diag);
    if (status == TY_OK) {
        reader r = { path, "predictions", 0, out->memory, diag };
        status = read_list(&r, root, sizeof *out->box, (void **)&out->box, &out->boxes);
    }
    json_decref(root);
    if (status != TY_OK) {
        ty_coco_free(out);
    }
    return status;
}

void ty_coco_free(ty_coco *coco)
{
    if (coco && coco->memory) {
        tyi_arena_free(coco->memory);
        tyi_put(NULL, coco->memory, sizeof(tyi_arena));
    }
    if (coco) {
        *coco = (ty_coco){ 0 };
    }
}
