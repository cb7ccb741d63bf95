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
        c->lump = more, c->room = room;
    }
    c->changed = c->changed || n || c->lumps;
    c->lumps = n;
    if (n) {
        memcpy(c->lump, lump, n * sizeof *lump);
    }
    return TY_OK;
}

void tyi_render_clods_free(ty_scene *s)
{
    tyi_render_shape_destroy(s->clods.shape);
    tyi_put(s->def.alloc, s->clods.lump, s->clods.room * sizeof *s->clods.lump);
}

/* clods of a lump: of `all` its full number, less where memory is bounded */
static int clods_of(const tyi_render_lump *l, double share)
{
    double n = share * (l->lies ? LYING : TY_K_CLODS);
    return n >= 1.0 ? (int)n : 1;
}

static size_t write_clods(const ty_scene *s, double share, ty_k_scene_clod *to)
{
    const tyi_render_clods *c = &s->clods;
    size_t n = 0;
    for (size_t i = 0; i < c->lumps; i++) {
        const tyi_render_lump *l = &c->lump[i];
        ty_vec3 at = ty_sub(l->at, s->centre);
        int count = clods_of(l, share), first = l->lies ? TY_K_CLODS - LYING : 0;
        float larger = (float)cbrt((l->lies ? LYING : TY_K_CLODS) / (double)count);
        for (int k = 0; k < count && n < TYI_RENDER_MOST_CLODS; k++, n++) {
            if (to) {
                ty_k_clod clod =
                    ty_k_clod_of(ty_k_vec((float)at.x, (float)at.y, (float)at.z), l->size, l->id, first + k);
                to[n] = (ty_k_scene_clod){ { clod.p.x, clod.p.y, clod.p.z }, larger * clod.r, clod.seed };
            }
        }
    }
    return n;
}

bool tyi_render_clods_place(ty_scene *s)
{
    static const float identity[12] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    tyi_render_clods *c = &s->clods;
    if (!c->lumps) {
        if (!c->shape) {
            return true;
        }
        tyi_render_accel_hide(s->accel, TYI_RENDER_SLOT_CLODS);
        tyi_render_flat_cut(&s->flat, TY_K_SCENE_CLOD, 0);
        s->flat.host_only &= ~(uint32_t)TY_K_SCENE_HAS_CLODS;
        return true;
    }
    double all = 0.0;
    for (size_t i = 0; i < c->lumps; i++) {
        all += c->lump[i].lies ? LYING : TY_K_CLODS;
    }
    double share = fmin(1.0, (double)TYI_RENDER_MOST_CLODS / all);
    size_t n = write_clods(s, share, NULL);
    ty_k_scene_clod *to = tyi_render_flat_renew(&s->flat, TY_K_SCENE_CLOD, n);
    c->shape = c->shape ? c->shape : tyi_render_shape_clods(s->accel);
    if (!to || !c->shape) {
        return false;
    }
    write_clods(s, share, to);
    s->flat.host_only |= TY_K_SCENE_HAS_CLODS;
    c->disturbed = s->def.terrain && tyi_terrain_tone_varies(s->def.terrain) ? 1.0f : 0.0f;
    tyi_render_shape_set_clods(c->shape, to, n);
    return tyi_render_accel_place(s->accel, TYI_RENDER_SLOT_CLODS, c->shape, identity);
}
