/* src/io/model_obj.c - an OBJ text and its library into a model: corners that differ in texture or normal become
 * vertices of their own.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "core/index.h"
#include "model.h"

/* A table of the corners that were met, by position, texture and normal. */
typedef struct corners {
    const tyi_io_obj *obj;
    uint32_t (*key)[3];
    tyi_index index; /* of these */
    size_t count, room;
} corners;

/* the vertex of a corner; it is made where it is new. UINT32_MAX: no memory */
static uint32_t vertex_of(corners *c, const uint32_t key[3])
{
    uint64_t h = key[0] * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29) ^ key[1]) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 32) ^ key[2]) * 0x94d049bb133111ebu;
    for (uint32_t i = tyi_index_first(&c->index, h); i != TYI_NONE; i = c->index.next[i]) {
        if (!memcmp(c->key[i], key, sizeof *c->key)) {
            return i;
        }
    }
    void *larger = tyi_list_grown(c->key, c->count, &c->room, sizeof *c->key, 1024);
    if (!larger) {
        return UINT32_MAX;
    }
    c->key = larger;
    memcpy(c->key[c->count], key, sizeof *c->key);
    tyi_index_add(&c->index, h, (uint32_t)c->count);
    return (uint32_t)c->count++;
}

/* corners to vertices; false: no memory */
static bool number(corners *c, ty_model *out)
{
    const tyi_io_obj *o = c->obj;
    bool indexed = tyi_index_make(&c->index, NULL, 3 * o->triangles);
    out->triangle = malloc(3 * o->triangles * sizeof *out->triangle);
    for (size_t i = 0; i < 3 * o->triangles && indexed && out->triangle; i++) {
        /* without normals, or with normals for some only, none are kept */
        uint32_t key[3] = { o->corner[i], o->extra[2 * i], o->extra[2 * i + 1] };
        out->triangle[i] = vertex_of(c, key);
        if (out->triangle[i] == UINT32_MAX) {
            return false;
        }
    }
    out->triangles = o->triangles;
    return indexed && out->triangle;
}

/* whether every corner names one */
static bool all_have(const tyi_io_obj *o, size_t which)
{
    for (size_t i = 0; i < 3 * o->triangles; i++) {
        if (!o->extra[2 * i + which]) {
            return false;
        }
    }
    return true;
}

static bool fill(const corners *c, ty_model *out)
{
    const tyi_io_obj *o = c->obj;
    bool normals = o->normals && all_have(o, 1);
    out->vertices = c->count;
    out->vertex = malloc(3 * c->count * sizeof(float));
    out->uv = o->uvs ? calloc(c->count, 2 * sizeof(float)) : NULL;
    out->normal = normals ? malloc(3 * c->count * sizeof(float)) : NULL;
    if (!out->vertex || (o->uvs && !out->uv) || (normals && !out->normal)) {
        return false;
    }
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t *k = c->key[i];
        memcpy(out->vertex + 3 * i, o->position + 3 * (size_t)k[0], 3 * sizeof(float));
        if (out->uv && k[1]) { /* in a file v goes up */
            out->uv[2 * i] = o->uv[2 * ((size_t)k[1] - 1)];
            out->uv[2 * i + 1] = 1.0f - o->uv[2 * ((size_t)k[1] - 1) + 1];
        }
        if (normals) {
            memcpy(out->normal + 3 * i, o->normal + 3 * ((size_t)k[2] - 1), 3 * sizeof(float));
        }
    }
    return true;
}

/* Materials in the order of their names in the file; triangles before the first usemtl take a grey one at the end. */
static ty_status dress(const char *name, const tyi_io_obj *o, ty_model *out, ty_diag *diag)
{
    if (!o->materials) {
        return TY_OK;
    }
    out->material = calloc(o->materials + 1, sizeof *out->material);
    out->which = malloc(o->triangles * sizeof *out->which);
    if (!out->material || !out->which) {
        return ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for %zu materials", name, o->materials);
    }
    out->materials = o->materials + 1;
    for (size_t i = 0; i < out->materials; i++) {
        out->material[i] = tyi_io_model_material(i < o->materials ? o->material[i] : "");
    }
    for (size_t i = 0; i < o->triangles; i++) {
        out->which[i] = (uint16_t)(o->which[i] ? o->which[i] - 1u : o->materials);
    }
    return tyi_io_mtl_read(name, o, out, diag);
}

ty_status tyi_io_model_obj(const char *name, const char *text, size_t size, double scale, ty_model *out, ty_diag *diag)
{
    tyi_io_obj o;
    ty_status status = tyi_io_obj_parse(name, text, size, scale, &o, diag);
    if (status != TY_OK) {
        return status;
    }
    corners c = { .obj = &o };
    if (!number(&c, out) || !fill(&c, out)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "%s: no memory for the mesh", name);
    }
    tyi_index_free(&c.index, NULL);
    free(c.key);
    if (status == TY_OK) {
        status = dress(name, &o, out, diag);
    }
    tyi_io_obj_free(&o);
    return status;
}
