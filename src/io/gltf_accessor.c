/* src/io/gltf_accessor.c - glTF: typed arrays in buffers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gltf.h"

typedef struct array {
    const uint8_t *data; /* NULL: all zero */
    size_t count, stride;
    int type;  /* componentType */
    int parts; /* components of an element */
    bool normalized;
} array;

static size_t type_bytes(int type)
{
    switch (type) {
    case 5120: /* signed and unsigned byte, short; unsigned int; float */
    case 5121:
        return 1;
    case 5122:
    case 5123:
        return 2;
    case 5125:
    case 5126:
        return 4;
    default:
        return 0;
    }
}

static int parts_of(const char *type)
{
    static const char *const name[] = { "SCALAR", "VEC2", "VEC3", "VEC4", NULL };
    for (int k = 0; type && name[k]; k++) {
        if (!strcmp(type, name[k])) {
            return k + 1;
        }
    }
    return 0;
}

static ty_status open_array(const tyi_io_gltf *g, size_t accessor, array *a)
{
    char what[40];
    snprintf(what, sizeof what, "accessors[%zu]", accessor);
    size_t view = 0, offset = 0, type = 0, size = 0;
    json_t *item = tyi_io_gltf_item(g, "accessors", accessor);
    *a = (array){ 0 };
    if (!item || !tyi_io_gltf_size(g, item, what, "count", TYI_IO_MODEL_TRIANGLES * 3, true, &a->count) ||
        !tyi_io_gltf_size(g, item, what, "componentType", 6000, true, &type) ||
        !tyi_io_gltf_size(g, item, what, "byteOffset", TYI_IO_MODEL_BYTES, false, &offset)) {
        return TY_ERR_FORMAT;
    }
    a->type = (int)type;
    a->parts = parts_of(json_string_value(json_object_get(item, "type")));
    a->normalized = json_is_true(json_object_get(item, "normalized"));
    size_t each = type_bytes(a->type) * (size_t)a->parts;
    if (!each || !a->count) {
        return tyi_io_gltf_wrong(
            g, "%s takes a count of 1 or more, a known componentType and a type from SCALAR to VEC4", what);
    }
    if (json_object_get(item, "sparse") || !json_object_get(item, "bufferView")) {
        return tyi_io_gltf_wrong(g, "%s is sparse or has no bufferView, which is not read", what);
    }
    if (!tyi_io_gltf_size(g, item, what, "bufferView", tyi_io_gltf_count(g, "bufferViews"), true, &view)) {
        return TY_ERR_FORMAT;
    }
    ty_status status = tyi_io_gltf_view(g, view, &a->data, &size, &a->stride);
    a->stride = a->stride ? a->stride : each;
    if (status == TY_OK && (a->stride < each || offset > size || size - offset < each ||
                            (a->count - 1) > (size - offset - each) / a->stride)) {
        status =
            tyi_io_gltf_wrong(g, "%s holds %zu elements of %zu bytes every %zu, which reach past the end of its view",
                              what, a->count, each, a->stride);
    }
    a->data = status == TY_OK ? a->data + offset : NULL;
    return status;
}

static double component(const array *a, size_t i, int k)
{
    const uint8_t *p = a->data + i * a->stride + (size_t)k * type_bytes(a->type);
    int8_t s8;
    int16_t s16;
    uint16_t u16;
    uint32_t u32;
    float f;
    double v, most;
    switch (a->type) {
    case 5120:
        memcpy(&s8, p, 1), v = s8, most = 127.0;
        break;
    case 5121:
        v = p[0], most = 255.0;
        break;
    case 5122:
        memcpy(&s16, p, 2), v = s16, most = 32767.0;
        break;
    case 5123:
        memcpy(&u16, p, 2), v = u16, most = 65535.0;
        break;
    case 5125:
        memcpy(&u32, p, 4), v = u32, most = 4294967295.0;
        break;
    default:
        memcpy(&f, p, 4), v = (double)f, most = 1.0;
        break;
    }
    return a->normalized ? fmax(v / most, -1.0) : v;
}

ty_status tyi_io_gltf_floats(const tyi_io_gltf *g, size_t accessor, int parts, float **out, size_t *count)
{
    array a;
    *out = NULL;
    ty_status status = open_array(g, accessor, &a);
    if (status != TY_OK) {
        return status;
    }
    if (a.parts != parts) {
        return tyi_io_gltf_wrong(g, "accessors[%zu] has %d parts, but %d are needed", accessor, a.parts, parts);
    }
    float *v = malloc(a.count * (size_t)parts * sizeof *v);
    if (!v) {
        return ty_fail(g->diag, TY_ERR_MEMORY, "%s: no memory for accessor %zu", g->name, accessor);
    }
    for (size_t i = 0; i < a.count; i++) {
        for (int k = 0; k < parts; k++) {
            double x = component(&a, i, k);
            if (!isfinite(x) || fabs(x) > 1e30) {
                free(v);
                return tyi_io_gltf_wrong(g, "accessors[%zu] holds a number that is not finite, at element %zu",
                                         accessor, i);
            }
            v[i * (size_t)parts + (size_t)k] = (float)x;
        }
    }
    *out = v;
    *count = a.count;
    return TY_OK;
}

ty_status tyi_io_gltf_indices(const tyi_io_gltf *g, size_t accessor, uint32_t **out, size_t *count)
{
    array a;
    *out = NULL;
    ty_status status = open_array(g, accessor, &a);
    if (status != TY_OK) {
        return status;
    }
    if (a.parts != 1 || (a.type != 5121 && a.type != 5123 && a.type != 5125)) {
        return tyi_io_gltf_wrong(g, "accessors[%zu] cannot hold indices, which are unsigned SCALARs", accessor);
    }
    a.normalized = false;
    uint32_t *v = malloc(a.count * sizeof *v);
    if (!v) {
        return ty_fail(g->diag, TY_ERR_MEMORY, "%s: no memory for accessor %zu", g->name, accessor);
    }
    for (size_t i = 0; i < a.count; i++) {
        v[i] = (uint32_t)component(&a, i, 0);
    }
    *out = v;
    *count = a.count;
    return TY_OK;
}
