/* src/render/scene/flat.c - see flat.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "flat.h"
#include <assert.h>
#include <string.h>
#include "core/core.h"
#include "ground/heights.h"

static const size_t strides[TY_K_SCENE_SECTIONS] = {
    [TY_K_SCENE_MATERIAL] = sizeof(ty_k_scene_material),
    [TY_K_SCENE_MESH] = sizeof(ty_k_scene_mesh),
    [TY_K_SCENE_INSTANCE] = sizeof(ty_k_scene_instance),
    [TY_K_SCENE_VERTEX] = 3 * sizeof(float),
    [TY_K_SCENE_INDEX] = 3 * sizeof(uint32_t),
    [TY_K_SCENE_NORMAL] = 3 * sizeof(float),
    [TY_K_SCENE_UV] = 2 * sizeof(float),
    [TY_K_SCENE_WHICH] = sizeof(uint32_t),
    [TY_K_SCENE_TEXTURE] = sizeof(ty_k_scene_texture),
    [TY_K_SCENE_TEXEL] = sizeof(float),
    [TY_K_SCENE_MAP] = sizeof(ty_k_scene_map),
    [TY_K_SCENE_MAP_TEXEL] = sizeof(float),
    [TY_K_SCENE_REGION] = sizeof(ty_k_scene_region),
    [TY_K_SCENE_CORNER] = 2 * sizeof(float),
    [TY_K_SCENE_LIGHT] = sizeof(ty_k_scene_light),
    [TY_K_SCENE_STAR] = sizeof(ty_k_scene_star),
    [TY_K_SCENE_CLOD] = sizeof(ty_k_scene_clod),
    [TY_K_SCENE_TILE] = sizeof(ty_k_scene_tile),
    [TY_K_SCENE_HEIGHT] = TY_K_SCENE_SAMPLES * sizeof(float),
};

void tyi_render_flat_init(tyi_render_flat *f, int bands, const ty_alloc *alloc)
{
    *f = (tyi_render_flat){ .alloc = alloc, .bands = bands };
    for (int i = 0; i < TY_K_SCENE_SECTIONS; i++) {
        f->section[i].stride = strides[i];
    }
}

void tyi_render_flat_free(tyi_render_flat *f)
{
    for (int i = 0; i < TY_K_SCENE_SECTIONS; i++) {
        tyi_put(f->alloc, f->section[i].data, f->section[i].room * f->section[i].stride);
        f->section[i].data = NULL, f->section[i].count = f->section[i].room = 0;
    }
}

static bool make_room(tyi_render_flat *f, tyi_render_array *a, size_t need)
{
    void *data =
        need > TY_K_NONE / 2 ? NULL : tyi_list_room(f->alloc, a->data, a->count, need, &a->room, a->stride, need + 1);
    a->data = data ? data : a->data;
    return data || !need;
}

uint32_t tyi_render_flat_add(tyi_render_flat *f, int section, const void *from, size_t n)
{
    tyi_render_array *a = &f->section[section];
    size_t first = a->count;
    if (!make_room(f, a, first + n)) {
        return TY_K_NONE;
    }
    char *to = n ? (char *)a->data + first * a->stride : NULL;
    if (n && from) {
        memcpy(to, from, n * a->stride);
    } else if (n) {
        memset(to, 0, n * a->stride);
    }
    a->count += n;
    a->version++;
    return (uint32_t)first;
}

void tyi_render_flat_cut(tyi_render_flat *f, int section, size_t n)
{
    tyi_render_array *a = &f->section[section];
    assert(n <= a->count);
    a->version += n < a->count;
    a->count = n;
}

void *tyi_render_flat_renew(tyi_render_flat *f, int section, size_t n)
{
    static char nothing;
    tyi_render_array *a = &f->section[section];
    a->count = 0;
    a->version++;
    if (!make_room(f, a, n)) {
        return NULL;
    }
    a->count = n;
    return n ? memset(a->data, 0, n * a->stride) : &nothing;
}

bool tyi_render_flat_mesh(tyi_render_flat *f, const float *vertex, size_t vertices, const uint32_t *index,
                          size_t triangles, size_t normals, tyi_render_mesh *out)
{
    *out = (tyi_render_mesh){
        .vertices = (uint32_t)vertices, .triangles = (uint32_t)triangles, .uv = TY_K_NONE, .which = TY_K_NONE
    };
    out->vertex = tyi_render_flat_add(f, TY_K_SCENE_VERTEX, vertex, vertices);
    out->index = tyi_render_flat_add(f, TY_K_SCENE_INDEX, index, triangles);
    out->normal = tyi_render_flat_add(f, TY_K_SCENE_NORMAL, NULL, normals);
    return out->vertex != TY_K_NONE && out->index != TY_K_NONE && out->normal != TY_K_NONE;
}

/* ---- in one piece ---- */

#define ALIGN 64 /* [bytes] a section starts at a multiple of this */

static size_t count_of(const tyi_render_flat *f, int i)
{
    return i != TY_K_SCENE_HEIGHT ? f->section[i].count : f->heights ? f->heights->used : 0;
}

static size_t lay_out(const tyi_render_flat *f, ty_k_scene_head *head)
{
    size_t at = (sizeof *head + ALIGN - 1) / ALIGN * ALIGN;
    *head = (ty_k_scene_head){ .bands = f->bands, .host_only = f->host_only };
    for (int i = 0; i < TY_K_SCENE_SECTIONS; i++) {
        size_t n = count_of(f, i);
        head->section[i] = (ty_k_scene_section){ at, (uint32_t)n, (uint32_t)strides[i] };
        at += (n * strides[i] + ALIGN - 1) / ALIGN * ALIGN;
    }
    head->bytes = at;
    return at;
}

size_t tyi_render_flat_bytes(const tyi_render_flat *f)
{
    ty_k_scene_head head;
    return lay_out(f, &head);
}

void tyi_render_flat_pack(const tyi_render_flat *f, void *out)
{
    ty_k_scene_head head;
    memset(out, 0, lay_out(f, &head));
    memcpy(out, &head, sizeof head);
    for (int i = 0; i < TY_K_SCENE_SECTIONS; i++) {
        char *to = (char *)out + head.section[i].offset;
        size_t n = head.section[i].count;
        if (i != TY_K_SCENE_HEIGHT && n) {
            memcpy(to, f->section[i].data, n * strides[i]);
        }
        for (uint32_t slot = 0; i == TY_K_SCENE_HEIGHT && slot < n; slot++) {
            memcpy(to + slot * strides[i], tyi_render_heights_at(f->heights, slot, TY_K_SCENE_SAMPLES), strides[i]);
        }
    }
}
