/* src/io/gltf_file.c - glTF 2.0: the file, and how its JSON is asked.   [gltf2]
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gltf.h"

ty_status tyi_io_gltf_wrong(const tyi_io_gltf *g, const char *format, ...)
{
    char text[300], shown[320];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ty_fail(g->diag, TY_ERR_FORMAT, "%s: %s", g->name, tyi_io_doc_show(text, shown, sizeof shown));
}

size_t tyi_io_gltf_count(const tyi_io_gltf *g, const char *list)
{
    return json_array_size(json_object_get(g->root, list));
}

json_t *tyi_io_gltf_item(const tyi_io_gltf *g, const char *list, size_t i)
{
    json_t *item = json_array_get(json_object_get(g->root, list), i);
    if (!json_is_object(item)) {
        tyi_io_gltf_wrong(g, "%s[%zu] is needed, but there is no such object", list, i);
        return NULL;
    }
    return item;
}

bool tyi_io_gltf_size(const tyi_io_gltf *g, const json_t *object, const char *what, const char *key, size_t most,
                      bool need, size_t *out)
{
    json_t *v = json_object_get(object, key);
    if (!v && !need) {
        return true;
    }
    double x = json_is_number(v) ? json_number_value(v) : -1.0;
    if (!(x >= 0.0 && x <= (double)most && floor(x) == x)) {
        tyi_io_gltf_wrong(g, "%s.%s takes a whole number from 0 to %zu", what, key, most);
        return false;
    }
    *out = (size_t)x;
    return true;
}

bool tyi_io_gltf_number(const tyi_io_gltf *g, const json_t *object, const char *what, const char *key, double low,
                        double high, double *out)
{
    json_t *v = json_object_get(object, key);
    if (!v) {
        return true;
    }
    double x = json_is_number(v) ? json_number_value(v) : (double)NAN;
    if (!(x >= low && x <= high)) {
        tyi_io_gltf_wrong(g, "%s.%s takes a number from %g to %g", what, key, low, high);
        return false;
    }
    *out = x;
    return true;
}

bool tyi_io_gltf_numbers(const tyi_io_gltf *g, const json_t *object, const char *what, const char *key, int n,
                         double *out)
{
    json_t *list = json_object_get(object, key);
    bool ok = json_array_size(list) == (size_t)n;
    for (int i = 0; i < n && ok; i++) {
        json_t *v = json_array_get(list, (size_t)i);
        out[i] = json_is_number(v) ? json_number_value(v) : (double)NAN;
        ok = isfinite(out[i]) && fabs(out[i]) < 1e30;
    }
    if (!ok) {
        tyi_io_gltf_wrong(g, "%s.%s takes %d finite numbers", what, key, n);
    }
    return ok;
}

/* ---- the container ---- */

static uint32_t word(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* header, JSON chunk, optional binary chunk */
static ty_status open_glb(tyi_io_gltf *g, const uint8_t *data, size_t size, const char **json, size_t *json_size)
{
    if (size < 20 || memcmp(data, "glTF", 4)) {
        return tyi_io_gltf_wrong(g, "is not a binary glTF file, which begins with 'glTF'");
    }
    if (word(data + 4) != 2) {
        return tyi_io_gltf_wrong(g, "is glTF version %u, but 2 is read", word(data + 4));
    }
    if (word(data + 8) > size) {
        return tyi_io_gltf_wrong(g, "ends too early: %zu bytes of %u", size, word(data + 8));
    }
    size_t end = word(data + 8), length = word(data + 12);
    if (word(data + 16) != 0x4e4f534a || end < 20 || length > end - 20) {
        return tyi_io_gltf_wrong(g, "its first chunk is not JSON that fits into the file");
    }
    *json = (const char *)data + 20;
    *json_size = length;
    size_t at = 20 + length;
    if (end - at >= 8) {
        size_t chunk = word(data + at);
        if (word(data + at + 4) == 0x004e4942 && chunk > end - at - 8) {
            return tyi_io_gltf_wrong(g, "its binary chunk has %zu bytes, but %zu are left", chunk, end - at - 8);
        }
        if (word(data + at + 4) == 0x004e4942) {
            g->chunk = data + at + 8;
            g->chunk_size = chunk;
        }
    }
    return TY_OK;
}

static ty_status check_asset(const tyi_io_gltf *g)
{
    static const char *const known[] = { "KHR_mesh_quantization", "KHR_materials_unlit", "KHR_materials_specular",
                                         "KHR_materials_ior", NULL };
    const char *version = json_string_value(json_object_get(json_object_get(g->root, "asset"), "version"));
    if (!version || strncmp(version, "2.", 2)) {
        return tyi_io_gltf_wrong(g, "asset.version is '%.20s', but 2.0 is read", version ? version : "");
    }
    json_t *list = json_object_get(g->root, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        bool found = false;
        for (int k = 0; known[k] && name; k++) {
            found = found || !strcmp(name, known[k]);
        }
        if (!found) {
            return tyi_io_gltf_wrong(g, "needs the extension '%.60s', which is not read", name ? name : "");
        }
    }
    return TY_OK;
}

static ty_status read_all(tyi_io_gltf *g)
{
    ty_status status = check_asset(g);
    if (status == TY_OK) {
        status = tyi_io_gltf_load_buffers(g);
    }
    if (status == TY_OK) {
        status = tyi_io_gltf_materials(g);
    }
    if (status == TY_OK) {
        status = tyi_io_gltf_nodes(g);
    }
    if (status == TY_OK && !g->out->triangles) {
        status = tyi_io_gltf_wrong(g, "holds no triangles in its scene");
    }
    if (status == TY_OK && !g->any_uv) {
        free(g->out->uv);
        g->out->uv = NULL;
    }
    return status;
}

ty_status tyi_io_model_gltf(const char *name, bool binary, const void *data, size_t size, double scale, ty_model *out,
                            ty_diag *diag)
{
    tyi_io_gltf g = { .name = name, .scale = scale, .out = out, .diag = diag };
    const char *json = data;
    size_t json_size = size;
    json_error_t error;
    ty_status status = binary ? open_glb(&g, data, size, &json, &json_size) : TY_OK;
    if (status != TY_OK) {
        return status;
    }
    g.root = json_loadb(json, json_size, JSON_REJECT_DUPLICATES, &error);
    if (!g.root) {
        status = tyi_io_gltf_wrong(&g, "is not JSON: line %d, column %d: %.100s", error.line, error.column, error.text);
    } else if (!json_is_object(g.root)) {
        status = tyi_io_gltf_wrong(&g, "its JSON is not an object");
    } else {
        status = read_all(&g);
    }
    tyi_io_gltf_free_buffers(&g);
    free(g.texture_of);
    json_decref(g.root);
    return status;
}
