/* src/render/scene/clods.c - loose soil in a scene: lumps that the soil's particles give, as clods in the traced frame.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include "scene.h"
#include <math.h>
#include <string.h>
#include "k_clod.h"
#include "world/terrain/tone.h"
#include "inner.h"

enum { LYING = 10 }; /* clods of a lump that lies: the smaller ones, half sunk into the ground */

/* field by field: padding may differ */
static bool same_lumps(const tyi_render_lump *a, const tyi_render_lump *b, size_t n)
{
    bool same = true;
    for (size_t i = 0; i < n && same; i++) {
        same = a[i].id == b[i].id && a[i].lies == b[i].lies && memcmp(&a[i].size, &b[i].size, sizeof a[i].size) == 0 &&
               memcmp(&a[i].at, &b[i].at, sizeof a[i].at) == 0;
    }
    return same;
}

ty_status tyi_render_scene_set_lumps(ty_scene *s, const tyi_render_lump *lump, size_t n, ty_diag *diag)
{
    tyi_render_clods *c = &s->clods;
    if (n > c->room) {
        size_t room = n + n / 2;
        tyi_render_lump *more = tyi_get(s->def.alloc, room * sizeof *more);
        if (!more) {
            return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for %zu lumps of loose soil", n);
        }
        tyi_put(s->def.alloc, c->lump, c->room * sizeof *c->lump);
        c->lump = more, c->room = room, c->lumps = 0;
        c->changed = true;
    }
    c->meant = c->meant || lump;
    /* sensors that take turns at one time show the same ones */
    c->changed = c->changed || n != c->lumps || !same_lumps(c->lump, lump, n);
    c->lumps = n;
    if (n) {
        memcpy(c->lump, lump, n * sizeof *lump);
    }
    return TY_OK;
}

void tyi_render_scene_set_most_clods(ty_scene *s, size_t most)
{
    s->clods.most = most;
}

void tyi_render_clods_free(ty_scene *s)
{
    tyi_render_shape_destroy(s->clods.shape);
    tyi_put(s->def.alloc, s->clods.lump, s->clods.room * sizeof *s->clods.lump);
}

/* how many clods a lump has: all of its own, or a share of them where they are bounded */
static int clods_of(const tyi_render_lump *l, double share)
{
    double n = share * (l->lies ? LYING : TY_K_CLODS);
    return n >= 1.0 ? (int)n : 1;
}

/* Clods of one lump, number i; where they begin among all: `first`. */
static void write_lump(const ty_scene *s, double share, size_t i, size_t first, ty_k_scene_clod *to, size_t most)
{
    const tyi_render_lump *l = &s->clods.lump[i];
    ty_vec3 at = ty_sub(l->at, s->centre);
    int count = clods_of(l, share), from = l->lies ? TY_K_CLODS - LYING : 0;
    float larger = (float)cbrt((l->lies ? LYING : TY_K_CLODS) / (double)count);
    for (int k = 0; k < count && first + (size_t)k < most; k++) {
        ty_k_clod clod = ty_k_clod_of(ty_k_vec((float)at.x, (float)at.y, (float)at.z), l->size, l->id, from + k);
        to[first + (size_t)k] = (ty_k_scene_clod){ { clod.p.x, clod.p.y, clod.p.z }, larger * clod.r, clod.seed };
    }
}

bool tyi_render_clods_write(ty_scene *s)
{
    tyi_render_clods *c = &s->clods;
    if (!c->lumps) {
        tyi_render_flat_cut(&s->flat, TY_K_SCENE_CLOD, 0);
        return true;
    }
    size_t most = c->most ? c->most : TYI_RENDER_MOST_CLODS, n = 0;
    double all = 0.0;
    for (size_t i = 0; i < c->lumps; i++) {
        all += c->lump[i].lies ? LYING : TY_K_CLODS;
    }
    double share = fmin(1.0, (double)most / all);
    for (size_t i = 0; i < c->lumps; i++) {
        n += (size_t)clods_of(&c->lump[i], share);
    }
    n = n < most ? n : most;
    ty_k_scene_clod *to = tyi_render_flat_renew(&s->flat, TY_K_SCENE_CLOD, n);
    size_t first = 0;
    for (size_t i = 0; to && i < c->lumps; i++) {
        write_lump(s, share, i, first, to, n);
        first += (size_t)clods_of(&c->lump[i], share);
    }
    c->disturbed = s->def.terrain && tyi_terrain_tone_varies(s->def.terrain) ? 1.0f : 0.0f;
    return to != NULL;
}

bool tyi_render_clods_place(ty_scene *s)
{
    static const float identity[12] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    tyi_render_clods *c = &s->clods;
    size_t n = s->flat.section[TY_K_SCENE_CLOD].count;
    if (n == 0) {
        if (c->shape) {
            tyi_render_accel_hide(s->accel, TYI_RENDER_SLOT_CLODS);
        }
        return true;
    }
    c->shape = c->shape ? c->shape : tyi_render_shape_clods(s->accel);
    if (!c->shape) {
        return false;
    }
    tyi_render_shape_set_clods(c->shape, s->flat.section[TY_K_SCENE_CLOD].data, n);
    return tyi_render_accel_place(s->accel, TYI_RENDER_SLOT_CLODS, c->shape, identity);
}
