/* src/io/gltf_buffer.c - glTF: buffers, their views, and URIs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gltf.h"

#define MOST_BUFFERS 4096

static int base64(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : c == '-' ? 62 : c == '_' ? 63 : -1;
}

/* data:TYPE;base64,TEXT */
static ty_status decode(const tyi_io_gltf *g, const char *what, const char *uri, uint8_t **owned, size_t *size)
{
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || strncmp(comma - 7, ";base64", 7)) {
        return tyi_io_gltf_wrong(g, "%s.uri is a data: URI that is not base64", what);
    }
    const char *text = comma + 1;
    size_t n = strlen(text);
    while (n && text[n - 1] == '=') {
        n--;
    }
    *owned = malloc(n / 4 * 3 + 3);
    if (!*owned) {
        return ty_fail(g->diag, TY_ERR_MEMORY, "%s: no memory for %s", g->name, what);
    }
    size_t out = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        int digit = base64(text[i]);
        if (digit < 0) {
            free(*owned);
            *owned = NULL;
            return tyi_io_gltf_wrong(g, "%s.uri is not base64 at character %zu", what, i + 1);
        }
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4) {
            (*owned)[out++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
        }
    }
    *size = out;
    return TY_OK;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

ty_status tyi_io_gltf_uri(const tyi_io_gltf *g, const char *what, const char *uri, uint8_t **owned, size_t *size,
                          char *path, size_t path_size)
{
    *owned = NULL;
    if (!strncmp(uri, "data:", 5)) {
        return decode(g, what, uri, owned, size);
    }
    char name[2048];
    size_t n = 0;
    for (const char *c = uri; *c && n + 1 < sizeof name; c++) {
        bool escaped = c[0] == '%' && hex(c[1]) >= 0 && hex(c[2]) >= 0;
        name[n++] = escaped ? (char)(16 * hex(c[1]) + hex(c[2])) : c[0];
        c += escaped ? 2 : 0;
    }
    name[n] = '\0';
    /* a model that somebody sent reads nothing outside its own folder */
    bool up = (name[0] == '.' && name[1] == '.') || strstr(name, "/..") || strchr(name, '\\');
    if (!n || name[0] == '/' || strstr(name, "://") || strlen(name) != n || up ||
        !tyi_io_beside(g->name, name, path, path_size)) {
        return tyi_io_gltf_wrong(
            g, "%s.uri is '%.60s', but takes a data: URI or the name of a file beside this one or below", what, uri);
    }
    return TY_OK;
}

static ty_status load(tyi_io_gltf *g, size_t i)
{
    tyi_io_gltf_buffer *b = &g->buffer[i];
    char what[40], path[4200];
    snprintf(what, sizeof what, "buffers[%zu]", i);
    json_t *item = tyi_io_gltf_item(g, "buffers", i);
    size_t length = 0;
    if (!item || !tyi_io_gltf_size(g, item, what, "byteLength", TYI_IO_MODEL_BYTES, true, &length)) {
        return TY_ERR_FORMAT;
    }
    const char *uri = json_string_value(json_object_get(item, "uri"));
    ty_status status = TY_OK;
    if (uri) {
        uint8_t *owned;
        status = tyi_io_gltf_uri(g, what, uri, &owned, &b->size, path, sizeof path);
        b->owned = owned;
        b->data = owned;
        if (status == TY_OK && !owned) {
            status = tyi_io_file_read(path, TYI_IO_MODEL_BYTES, NULL, &b->file, g->diag);
            b->data = (const uint8_t *)b->file.data;
            b->size = b->file.size;
        }
    } else if (i == 0 && g->chunk) {
        b->data = g->chunk;
        b->size = g->chunk_size;
    } else {
        status = tyi_io_gltf_wrong(g, "%s has no uri, and there is no binary chunk for it", what);
    }
    if (status == TY_OK && b->size < length) {
        status = tyi_io_gltf_wrong(g, "%s.byteLength is %zu, but there are %zu bytes", what, length, b->size);
    }
    b->size = length;
    return status;
}

ty_status tyi_io_gltf_load_buffers(tyi_io_gltf *g)
{
    size_t n = tyi_io_gltf_count(g, "buffers");
    if (n > MOST_BUFFERS) {
        return tyi_io_gltf_wrong(g, "has %zu buffers, but %d are the most", n, MOST_BUFFERS);
    }
    g->buffer = calloc(n + 1, sizeof *g->buffer);
    if (!g->buffer) {
        return ty_fail(g->diag, TY_ERR_MEMORY, "%s: no memory for %zu buffers", g->name, n);
    }
    g->buffers = n;
    ty_status status = TY_OK;
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        status = load(g, i);
    }
    return status;
}

void tyi_io_gltf_free_buffers(tyi_io_gltf *g)
{
    for (size_t i = 0; i < g->buffers; i++) {
        free(g->buffer[i].owned);
        tyi_put(NULL, g->buffer[i].file.data, g->buffer[i].file.capacity);
    }
    free(g->buffer);
}

ty_status tyi_io_gltf_view(const tyi_io_gltf *g, size_t view, const uint8_t **data, size_t *size, size_t *stride)
{
    char what[40];
    size_t buffer = 0, offset = 0, length = 0;
    snprintf(what, sizeof what, "bufferViews[%zu]", view);
    json_t *v = tyi_io_gltf_item(g, "bufferViews", view);
    *stride = 0;
    if (!v || !tyi_io_gltf_size(g, v, what, "buffer", g->buffers, true, &buffer) ||
        !tyi_io_gltf_size(g, v, what, "byteOffset", TYI_IO_MODEL_BYTES, false, &offset) ||
        !tyi_io_gltf_size(g, v, what, "byteLength", TYI_IO_MODEL_BYTES, true, &length) ||
        !tyi_io_gltf_size(g, v, what, "byteStride", 252, false, stride)) {
        return TY_ERR_FORMAT;
    }
    if (buffer >= g->buffers || offset > g->buffer[buffer].size || length > g->buffer[buffer].size - offset) {
        return tyi_io_gltf_wrong(g, "%s reaches past the end of buffer %zu", what, buffer);
    }
    *data = g->buffer[buffer].data + offset;
    *size = length;
    return TY_OK;
}
