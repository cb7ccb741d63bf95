/* src/io/gltf_material.c - glTF: materials (metal and roughness), textures, samplers, pictures.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gltf.h"
#include "inner.h"

static ty_status read_image(tyi_io_gltf *g, size_t image, bool srgb, int *out)
{
    char what[40], path[4200] = "";
    snprintf(what, sizeof what, "images[%zu]", image);
    json_t *item = tyi_io_gltf_item(g, "images", image);
    if (!item) {
        return TY_ERR_FORMAT;
    }
    const char *uri = json_string_value(json_object_get(item, "uri"));
    uint8_t *owned = NULL;
    const uint8_t *data = NULL;
    size_t size = 0, view = 0, stride;
    ty_status status;
    if (uri) {
        status = tyi_io_gltf_uri(g, what, uri, &owned, &size, path, sizeof path);
        data = owned;
    } else if (tyi_io_gltf_size(g, item, what, "bufferView", tyi_io_gltf_count(g, "bufferViews"), true, &view)) {
        status = tyi_io_gltf_view(g, view, &data, &size, &stride);
    } else {
        status = TY_ERR_FORMAT;
    }
    if (status == TY_OK && data) {
        char name[4200];
        ty_image picture;
        snprintf(name, sizeof name, "%.4000s: %s", g->name, what);
        status = tyi_io_image_parse(name, data, size, &picture, g->diag);
        if (status == TY_OK) {
            status = tyi_io_model_texture(g->out, name, &picture, srgb, out, g->diag);
            if (status != TY_OK) {
                ty_image_free(&picture);
            }
        }
    } else if (status == TY_OK) {
        status = tyi_io_model_texture(g->out, path, NULL, srgb, out, g->diag);
    }
    free(owned);
    return status;
}

static int wrap_of(size_t mode)
{
    return mode == 33071 ? 1 : mode == 33648 ? 2 : 0;
}

/* texture i as colour or as data, read once */
static ty_status read_texture(tyi_io_gltf *g, size_t i, bool srgb, int *out)
{
    if (i >= g->texture_slots) {
        return tyi_io_gltf_wrong(g, "textures[%zu] is named, but there are %zu", i, g->texture_slots);
    }
    int *known = &g->texture_of[2 * i + (srgb ? 0 : 1)];
    if (*known >= 0) {
        *out = *known;
        return TY_OK;
    }
    char what[40];
    snprintf(what, sizeof what, "textures[%zu]", i);
    json_t *item = tyi_io_gltf_item(g, "textures", i);
    size_t image = 0, sampler = SIZE_MAX, u = 10497, v = 10497;
    if (!item || !tyi_io_gltf_size(g, item, what, "source", tyi_io_gltf_count(g, "images"), true, &image) ||
        !tyi_io_gltf_size(g, item, what, "sampler", tyi_io_gltf_count(g, "samplers"), false, &sampler)) {
        return TY_ERR_FORMAT;
    }
    if (sampler != SIZE_MAX) {
        json_t *s = tyi_io_gltf_item(g, "samplers", sampler);
        if (!s || !tyi_io_gltf_size(g, s, "samplers", "wrapS", 65535, false, &u) ||
            !tyi_io_gltf_size(g, s, "samplers", "wrapT", 65535, false, &v)) {
            return TY_ERR_FORMAT;
        }
    }
    ty_status status = read_image(g, image, srgb, known);
    if (status == TY_OK) {
        g->out->texture[*known].wrap_u = wrap_of(u);
        g->out->texture[*known].wrap_v = wrap_of(v);
        *out = *known;
    }
    return status;
}

/* { index, texCoord, scale } at a key of an object; missing is fine */
static ty_status take_texture(tyi_io_gltf *g, const json_t *object, const char *what, const char *key, bool srgb,
                              int *out)
{
    json_t *info = json_object_get(object, key);
    size_t index = 0, set = 0;
    char place[90];
    snprintf(place, sizeof place, "%s.%s", what, key);
    if (!info) {
        return TY_OK;
    }
    if (!tyi_io_gltf_size(g, info, place, "index", g->texture_slots, true, &index) ||
        !tyi_io_gltf_size(g, info, place, "texCoord", 15, false, &set)) {
        return TY_ERR_FORMAT;
    }
    if (set != 0) { /* further sets of coordinates are for baked light */
        snprintf(g->out->note, sizeof g->out->note, "%.100s uses TEXCOORD_%zu; TEXCOORD_0 was taken", place, set);
    }
    return read_texture(g, index, srgb, out);
}

static ty_status take_material(tyi_io_gltf *g, size_t i)
{
    char what[40];
    snprintf(what, sizeof what, "materials[%zu]", i);
    json_t *item = tyi_io_gltf_item(g, "materials", i);
    if (!item) {
        return TY_ERR_FORMAT;
    }
    const char *name = json_string_value(json_object_get(item, "name"));
    ty_model_material *m = &g->out->material[i];
    *m = tyi_io_model_material(name ? name : "");
    m->color[0] = m->color[1] = m->color[2] = m->metallic = m->roughness = 1.0; /* glTF's defaults */
    json_t *pbr = json_object_get(item, "pbrMetallicRoughness");
    if (pbr && json_object_get(pbr, "baseColorFactor")) {
        double color[4];
        if (!tyi_io_gltf_numbers(g, pbr, what, "baseColorFactor", 4, color)) {
            return TY_ERR_FORMAT;
        }
        for (int k = 0; k < 3; k++) {
            m->color[k] = color[k] < 0.0 ? 0.0 : color[k] > 1.0 ? 1.0 : color[k];
        }
    }
    if (!tyi_io_gltf_number(g, pbr, what, "metallicFactor", 0.0, 1.0, &m->metallic) ||
        !tyi_io_gltf_number(g, pbr, what, "roughnessFactor", 0.0, 1.0, &m->roughness) ||
        !tyi_io_gltf_number(g, json_object_get(item, "normalTexture"), what, "scale", -100.0, 100.0,
                            &m->normal_scale)) {
        return TY_ERR_FORMAT;
    }
    ty_status status = take_texture(g, pbr, what, "baseColorTexture", true, &m->color_map);
    if (status == TY_OK) {
        status = take_texture(g, pbr, what, "metallicRoughnessTexture", false, &m->rough_map);
    }
    return status == TY_OK ? take_texture(g, item, what, "normalTexture", false, &m->normal_map) : status;
}

ty_status tyi_io_gltf_materials(tyi_io_gltf *g)
{
    size_t n = tyi_io_gltf_count(g, "materials");
    g->texture_slots = tyi_io_gltf_count(g, "textures");
    if (n > TYI_IO_MODEL_MATERIALS || g->texture_slots > TYI_IO_MODEL_TEXTURES) {
        return tyi_io_gltf_wrong(g, "has %zu materials and %zu textures, but %d and %d are the most", n,
                                 g->texture_slots, TYI_IO_MODEL_MATERIALS, TYI_IO_MODEL_TEXTURES);
    }
    g->texture_of = malloc((2 * g->texture_slots + 1) * sizeof *g->texture_of);
    g->out->material = calloc(n + 1, sizeof *g->out->material);
    if (!g->texture_of || !g->out->material) {
        return ty_fail(g->diag, TY_ERR_MEMORY, "%s: no memory for %zu materials", g->name, n);
    }
    for (size_t i = 0; i < 2 * g->texture_slots; i++) {
        g->texture_of[i] = -1;
    }
    g->out->materials = n + 1; /* the last one is for primitives that name none */
    g->out->material[n] = tyi_io_model_material("");
    ty_status status = TY_OK;
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        status = take_material(g, i);
    }
    return status;
}
