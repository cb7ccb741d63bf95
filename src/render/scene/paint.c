/* src/render/scene/paint.c - materials that differ from place to place: textures of objects, maps and regions of the
 * ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include <math.h>
#include <string.h>
#include "scene.h"

/* ---- the ground ---- */

_Static_assert((int)TY_K_PAINT_KEYS == (int)TY_GROUND_KEYS, "the kernel's keys are the ground's");

void tyi_render_vary_from(const ty_material *m, tyi_render_vary *v)
{
    const double key[TY_GROUND_KEYS] = { 0.0, m->b, m->c, m->bs0, m->hs, m->bc0, m->hc, m->theta, m->phi };
    for (int b = 0; b < TY_BANDS; b++) {
        v->albedo[b] = (float)m->albedo[b];
    }
    for (int k = 0; k < TY_GROUND_KEYS; k++) {
        v->key[k] = (float)key[k];
    }
    v->roughness = (float)m->roughness, v->metallic = (float)m->metallic;
}

static void free_ground(ty_scene *s)
{
    tyi_render_flat_cut(&s->flat, TY_K_SCENE_MAP_TEXEL, 0);
    for (size_t i = 0; i < s->regions; i++) {
        tyi_put(s->def.alloc, s->region[i].point, 2 * s->region[i].points * sizeof(double));
    }
    s->maps = s->regions = 0;
    s->varied[0] = false;
}

void tyi_render_paint_free(ty_scene *s)
{
    free_ground(s);
}

static ty_status add_map(ty_scene *s, const ty_ground_map *d, ty_diag *diag)
{
    if ((unsigned)d->key >= TY_GROUND_KEYS || d->band < -1 || d->band >= TY_BANDS || d->nx < 1 || d->ny < 1 ||
        d->nx > 16384 || d->ny > 16384 || !(d->spacing > 0.0) || !isfinite(d->x0 + d->y0 + d->spacing) ||
        s->maps == TYI_RENDER_MOST_MAPS) {
        return ty_fail(
            diag, TY_ERR_RANGE,
            "ground: a map of %d x %d samples %g m apart, but 1 to 16384, a positive spacing, and at most %d maps are accepted",
            d->nx, d->ny, d->spacing, TYI_RENDER_MOST_MAPS);
    }
    tyi_render_map *m = &s->map[s->maps];
    *m = (tyi_render_map){ .key = (int)d->key, .band = d->band, .x0 = d->x0, .y0 = d->y0, .spacing = d->spacing };
    if (!tyi_render_pyramid_make(&m->grid, &s->flat, TY_K_SCENE_MAP_TEXEL, d->nx, d->ny, 1)) {
        return ty_fail(diag, TY_ERR_MEMORY, "ground: no memory for a map of %d x %d samples", d->nx, d->ny);
    }
    m->grid.k.wrap[0] = m->grid.k.wrap[1] = TY_WRAP_CLAMP;
    memcpy(tyi_render_pyramid_texel(&s->flat, &m->grid), d->value, (size_t)d->nx * (size_t)d->ny * sizeof(float));
    tyi_render_pyramid_reduce(&m->grid, &s->flat);
    s->maps++;
    return TY_OK;
}

ty_status ty_scene_set_ground(ty_scene *s, const ty_ground_map *map, size_t maps, const ty_ground_region *region,
                              size_t regions, ty_diag *diag)
{
    ty_status status = TY_OK;
    free_ground(s);
    for (size_t i = 0; i < maps && status == TY_OK; i++) {
        status = add_map(s, &map[i], diag);
    }
    for (size_t i = 0; i < regions && status == TY_OK; i++) {
        status = tyi_render_region_add(s, &region[i], diag);
    }
    s->changed |= TYI_RENDER_PAINT_CHANGED | TYI_RENDER_MATERIAL_CHANGED;
    s->varied[0] = status == TY_OK && s->maps + s->regions > 0;
    return status;
}

/* ---- objects ---- */

bool tyi_render_material_varied(const ty_material *m)
{
    return m->albedo_map || m->rough_map;
}
