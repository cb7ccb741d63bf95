/* src/render/scene/flat.h - the sections of a flat scene (k_scene.h): arrays that grow, each with a version.
 *
 * Host code keeps numbers into them and takes pointers for the moment only: an array that grows moves.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_RENDER_FLAT_H
#define TYI_RENDER_FLAT_H
#include "k_scene.h"
#include "tycho/render.h"

typedef struct tyi_render_array {
    void *data;
    size_t count, room, stride;
    uint64_t version; /* counts changes: a copy with the same version is good */
} tyi_render_array;

typedef struct tyi_render_flat {
    const ty_alloc *alloc;
    uint32_t host_only;
    int bands;
    /* all but TY_K_SCENE_HEIGHT, whose blocks are ground/heights.h's */
    tyi_render_array section[TY_K_SCENE_SECTIONS];
    const struct tyi_render_heights *heights;
    uint64_t rocks_version; /* of the instances when rocks were last written; objects may have moved since */
    size_t objects;         /* instances that are objects */
} tyi_render_flat;

typedef ty_k_scene_mesh tyi_render_mesh;

void tyi_render_flat_init(tyi_render_flat *f, int bands, const ty_alloc *alloc);
void tyi_render_flat_free(tyi_render_flat *f);
/* n records more at the end, zeroed, or copied from `from`; returns the first one's number, TY_K_NONE: no memory. */
uint32_t tyi_render_flat_add(tyi_render_flat *f, int section, const void *from, size_t n);
/* Takes away all records from number n on. */
void tyi_render_flat_cut(tyi_render_flat *f, int section, size_t n);
/* Room for n records whose contents are all written anew; NULL: no memory. */
void *tyi_render_flat_renew(tyi_render_flat *f, int section, size_t n);

/* Adds a mesh's arrays, with n normals; false: no memory, and nothing is left. */
bool tyi_render_flat_mesh(tyi_render_flat *f, const float *vertex, size_t vertices, const uint32_t *index,
                          size_t triangles, size_t normals, tyi_render_mesh *out);

static inline float *tyi_render_flat_vertex(const tyi_render_flat *f, const tyi_render_mesh *m)
{
    return (float *)f->section[TY_K_SCENE_VERTEX].data + 3 * (size_t)m->vertex;
}
static inline uint32_t *tyi_render_flat_index(const tyi_render_flat *f, const tyi_render_mesh *m)
{
    return (uint32_t *)f->section[TY_K_SCENE_INDEX].data + 3 * (size_t)m->index;
}
static inline float *tyi_render_flat_normal(const tyi_render_flat *f, const tyi_render_mesh *m)
{
    return (float *)f->section[TY_K_SCENE_NORMAL].data + 3 * (size_t)m->normal;
}
static inline float *tyi_render_flat_uv(const tyi_render_flat *f, const tyi_render_mesh *m)
{
    return (float *)f->section[TY_K_SCENE_UV].data + 2 * (size_t)m->uv;
}
static inline uint32_t *tyi_render_flat_which(const tyi_render_flat *f, const tyi_render_mesh *m)
{
    return (uint32_t *)f->section[TY_K_SCENE_WHICH].data + m->which;
}

/* The whole scene in one piece: its size, and a copy with its head in front. */
size_t tyi_render_flat_bytes(const tyi_render_flat *f);
void tyi_render_flat_pack(const tyi_render_flat *f, void *out);

#endif
