/* src/render/scene/scene_flat.c - a scene's flat records from what it was given: those that changed are written anew.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "host/lanes.h"
#include <string.h>
#include "k_law.h"
#include "k_shade.h"
#include "tycho/trace.h"
#include "inner.h"

_Static_assert((int)TY_K_SCENE_BANDS == TY_BANDS, "as many bands");
_Static_assert((int)TY_K_SCENE_STRIDE == TYI_RENDER_TILE_STRIDE && (int)TY_K_SCENE_CELLS == TYI_RENDER_TILE_CELLS,
               "tiles of one size");
_Static_assert((int)TY_K_PRINCIPLED == (int)TY_LAW_PRINCIPLED && (int)TY_K_LAW_HAPKE == (int)TY_LAW_HAPKE &&
                   (int)TY_K_LAW_COUNT == (int)TY_LAW_COUNT,
               "laws have the kernels' numbers");
_Static_assert((int)TY_K_LIGHT_SPOT == (int)TY_LIGHT_SPOT, "lights have the kernels' numbers");

static ty_k_scene_material material(const ty_material *m, bool varied)
{
    ty_k_scene_material o = { .law = (int)m->law,
                              .flags = varied ? TY_K_SCENE_VARIED : 0,
                              .albedo_map = m->albedo_map ? m->albedo_map - 1 : TY_K_NONE,
                              .normal_map = m->normal_map ? m->normal_map - 1 : TY_K_NONE,
                              .rough_map = m->rough_map ? m->rough_map - 1 : TY_K_NONE,
                              .normal_scale = (float)m->normal_scale,
                              .k = (float)m->k,
                              .sigma = (float)m->sigma,
                              .exponent = (float)m->exponent,
                              .specular = (float)m->specular,
                              .roughness = (float)m->roughness,
                              .metallic = (float)m->metallic,
                              .b = (float)m->b,
                              .c = (float)m->c,
                              .bs0 = (float)m->bs0,
                              .hs = (float)m->hs,
                              .bc0 = (float)m->bc0,
                              .hc = (float)m->hc,
                              .theta = (float)m->theta,
                              .phi = (float)m->phi };
    for (int b = 0; b < TY_BANDS; b++) {
        o.albedo[b] = (float)m->albedo[b];
    }
    return o;
}

/* the flat number of a material: further ones follow those of the objects */
static uint32_t material_number(const ty_scene *s, int i)
{
    int far = TYI_RENDER_MOST_OBJECTS + 2;
    return (uint32_t)(i < far ? i : (int)s->objects + 2 + i - far);
}

/* written only where they are others: a device builds trees over them */
static bool meshes(ty_scene *s)
{
    size_t shapes = s->rocks.shape[0] ? TY_ROCK_SHAPES : 0, n = shapes + s->objects;
    const tyi_render_array *a = &s->flat.section[TY_K_SCENE_MESH];
    ty_k_scene_mesh *to = a->data;
    bool same = a->count == n && n > 0;
    for (size_t i = 0; same && i < n; i++) {
        same = !memcmp(&to[i], i < shapes ? &s->rocks.mesh[i] : &s->object[i - shapes].mesh, sizeof *to);
    }
    to = same ? NULL : tyi_render_flat_renew(&s->flat, TY_K_SCENE_MESH, n);
    for (size_t i = 0; to && i < n; i++) {
        to[i] = i < shapes ? s->rocks.mesh[i] : s->object[i - shapes].mesh;
    }
    return same || to;
}

/* dust on object number i: in all its materials */
static void dust(const ty_scene *s, size_t i, ty_k_scene_material *m)
{
    const tyi_render_object *o = &s->object[i];
    int end = i + 1 < s->objects ? s->object[i + 1].more : TYI_RENDER_MOST_OBJECTS + 2 + s->mores;
    for (int k = o->more - 1; o->dusted && k < end; k++) {
        ty_k_scene_material *to = &m[material_number(s, k < o->more ? (int)i + 2 : k)];
        to->flags |= TY_K_SCENE_DUSTED;
        memcpy(to->cover, o->cover, sizeof to->cover);
    }
}

static bool materials(ty_scene *s)
{
    size_t n = s->objects + 2 + (size_t)s->mores;
    ty_k_scene_material *m = tyi_render_flat_renew(&s->flat, TY_K_SCENE_MATERIAL, n);
    ty_k_scene_texture *t = tyi_render_flat_renew(&s->flat, TY_K_SCENE_TEXTURE, s->textures);
    s->flat.host_only &= ~(uint32_t)TY_K_SCENE_OWN_LAW;
    for (int i = 0; m && i < TYI_RENDER_MOST_OBJECTS + 2 + s->mores; i++) {
        if (i == (int)s->objects + 2) {
            i = TYI_RENDER_MOST_OBJECTS + 2;
        }
        if (i < TYI_RENDER_MOST_OBJECTS + 2 + s->mores) {
            m[material_number(s, i)] = material(i < 2 ? &s->tinted[i] : &s->material[i], s->varied[i]);
            s->flat.host_only |= s->material[i].law >= TY_LAW_COUNT ? TY_K_SCENE_OWN_LAW : 0;
        }
    }
    for (size_t i = 0; m && i < s->objects; i++) {
        dust(s, i, m);
    }
    for (size_t i = 0; t && i < s->textures; i++) {
        t[i] = (ty_k_scene_texture){ s->texture[i].k, s->texture[i].at };
    }
    return m && t && meshes(s);
}

static void put_pose(const ty_scene *s, ty_pose pose, float q[4], float p[3])
{
    ty_vec3 at = ty_sub(pose.p, s->centre);
    q[0] = (float)pose.q.w, q[1] = (float)pose.q.x, q[2] = (float)pose.q.y, q[3] = (float)pose.q.z;
    p[0] = (float)at.x, p[1] = (float)at.y, p[2] = (float)at.z;
}

/* the objects that are shown; returns how many */
static size_t objects(ty_scene *s, ty_k_scene_instance *to)
{
    uint32_t shapes = s->rocks.shape[0] ? TY_ROCK_SHAPES : 0;
    size_t n = 0;
    for (uint32_t i = 0; i < s->objects; i++) {
        tyi_render_object *o = &s->object[i];
        if (o->hidden) {
            continue;
        }
        o->record = (uint32_t)n;
        ty_k_scene_instance *k = &to[n++];
        *k = (ty_k_scene_instance){ .mesh = shapes + i,
                                    .material = i + 2,
                                    .more = material_number(s, o->more),
                                    .label = i + 1,
                                    .kind = (uint32_t)o->kind,
                                    .flags = o->moving ? TY_K_SCENE_MOVING : 0,
                                    .scale = 1.0f,
                                    .tone = 1.0f };
        put_pose(s, o->pose, k->q[0], k->p[0]);
        put_pose(s, o->moving ? o->pose_end : o->pose, k->q[1], k->p[1]);
    }
    return n;
}

static bool instances(ty_scene *s)
{
    ty_k_scene_instance *to = tyi_render_flat_renew(&s->flat, TY_K_SCENE_INSTANCE, s->objects + s->rocks.count);
    size_t n = to ? objects(s, to) : 0;
    s->flat.objects = n;
    for (size_t i = 0; to && i < s->rocks.count; i++) {
        const ty_rock *rock = &s->rocks.rock[i];
        ty_k_scene_instance *k = &to[n++];
        *k = (ty_k_scene_instance){ .mesh = rock->shape,
                                    .material = 1,
                                    .label = tyi_render_truth_rock_label(rock->id),
                                    .kind = TY_CLASS_ROCK,
                                    .flags = TY_K_SCENE_ROCK,
                                    .seed = (uint32_t)rock->id,
                                    .scale = (float)rock->scale,
                                    .tone = tyi_render_rock_tone(s, rock) };
        put_pose(s, s->rocks.pose[i], k->q[0], k->p[0]);
        put_pose(s, s->rocks.pose[i], k->q[1], k->p[1]);
    }
    if (to) {
        tyi_render_flat_cut(&s->flat, TY_K_SCENE_INSTANCE, n);
    }
    s->flat.rocks_version = s->flat.section[TY_K_SCENE_INSTANCE].version;
    s->changed &= ~(uint32_t)TYI_RENDER_MOVED;
    return to != NULL;
}

/* objects alone have moved: rocks, of which there are thousands, stay as they are */
static bool moved(ty_scene *s)
{
    tyi_render_array *a = &s->flat.section[TY_K_SCENE_INSTANCE];
    size_t shown = 0;
    for (size_t i = 0; i < s->objects; i++) {
        shown += !s->object[i].hidden;
    }
    if (shown != s->flat.objects || a->count != shown + s->rocks.count) {
        return instances(s);
    }
    a->version++;
    return objects(s, a->data) == shown;
}

static bool region(const ty_scene *s, const tyi_render_region *r, ty_k_scene_region *to, float *corner, uint32_t at)
{
    *to = (ty_k_scene_region){ .x = (float)(r->x - s->centre.x),
                               .y = (float)(r->y - s->centre.y),
                               .radius = (float)r->radius,
                               .edge = (float)r->edge,
                               .corner = at,
                               .corners = (uint32_t)r->points };
    for (int k = 0; k < 4; k++) {
        to->box[k] = (float)(r->box[k] - (k < 2 ? s->centre.x : s->centre.y));
    }
    memcpy(to->albedo, r->own.albedo, sizeof to->albedo);
    memcpy(to->key, r->own.key, sizeof to->key);
    for (size_t k = 0; k < 2 * r->points; k++) {
        corner[2 * at + k] = (float)(r->point[k] - (k % 2 ? s->centre.y : s->centre.x));
    }
    return true;
}

static bool paint(ty_scene *s)
{
    size_t corners = 0;
    for (size_t i = 0; i < s->regions; i++) {
        corners += s->region[i].points;
    }
    ty_k_scene_map *map = tyi_render_flat_renew(&s->flat, TY_K_SCENE_MAP, s->maps);
    ty_k_scene_region *to = tyi_render_flat_renew(&s->flat, TY_K_SCENE_REGION, s->regions);
    float *corner = tyi_render_flat_renew(&s->flat, TY_K_SCENE_CORNER, corners);
    for (size_t i = 0; map && i < s->maps; i++) {
        const tyi_render_map *m = &s->map[i];
        map[i] = (ty_k_scene_map){ .k = m->grid.k,
                                   .at = m->grid.at,
                                   .key = m->key,
                                   .band = m->band,
                                   .x0 = (float)(m->x0 - s->centre.x),
                                   .y0 = (float)(m->y0 - s->centre.y),
                                   .spacing = (float)m->spacing };
    }
    uint32_t at = 0;
    for (size_t i = 0; to && corner && i < s->regions; i++) {
        region(s, &s->region[i], &to[i], corner, at);
        at += (uint32_t)s->region[i].points;
    }
    return map && to && corner;
}

static void put3(ty_k_vec3 v, float to[3])
{
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static bool lights(ty_scene *s)
{
    ty_k_scene_light *to = tyi_render_flat_renew(&s->flat, TY_K_SCENE_LIGHT, (size_t)s->lights);
    s->flat.host_only &= ~(uint32_t)TY_K_SCENE_OWN_LIGHT;
    for (int i = 0; to && i < s->lights; i++) {
        tyi_render_lamp l = tyi_render_lamp_make(&s->def.kinds, &s->light[i], s->centre);
        bool on = l.on && !tyi_render_light_below(s, &s->light[i]);
        to[i] = (ty_k_scene_light){ .kind = l.light.kind,
                                    .flags = (on ? TY_K_SCENE_ON : 0u) | (l.seen ? TY_K_SCENE_SEEN : 0u) |
                                             (l.disk.globe ? TY_K_SCENE_GLOBE : 0u),
                                    .tan_radius = l.light.tan_radius,
                                    .cos_outer = l.light.cos_outer,
                                    .inv_blend = l.light.inv_blend,
                                    .chord2 = l.disk.chord2,
                                    .inv_sin = l.disk.inv_sin };
        put3(l.light.axis, to[i].axis), put3(l.light.place, to[i].place), put3(l.disk.lit, to[i].lit);
        for (int b = 0; b < TY_BANDS; b++) {
            to[i].power[b] = l.power[b] * (float)s->share[b], to[i].radiance[b] = l.radiance[b] * (float)s->share[b];
        }
        s->flat.host_only |= l.model ? TY_K_SCENE_OWN_LIGHT : 0;
    }
    return to != NULL;
}

static bool stars(ty_scene *s)
{
    ty_k_scene_star *to = tyi_render_flat_renew(&s->flat, TY_K_SCENE_STAR, s->stars);
    for (size_t i = 0; to && i < s->stars; i++) {
        ty_vec3 d = s->star[i].dir_W;
        to[i].dir[0] = (float)d.x, to[i].dir[1] = (float)d.y, to[i].dir[2] = (float)d.z;
        for (int b = 0; b < TY_BANDS; b++) {
            to[i].power[b] = (float)(s->star[i].power[b] * s->share[b]);
        }
    }
    return to != NULL;
}

static bool tiles(ty_scene *s)
{
    const tyi_render_ground *g = &s->ground;
    size_t slots = tyi_render_ground_slots(g), n = 0;
    ty_k_scene_tile *to = tyi_render_flat_renew(&s->flat, TY_K_SCENE_TILE, slots);
    float slope = g->terrain ? (float)ty_terrain_get_def(g->terrain)->tone.grain : 0.0f;
    for (uint32_t i = 0; to && i < slots; i++) {
        tyi_render_plot *t;
        const tyi_render_ring *r = tyi_render_slot_tile(g, TYI_RENDER_SLOT_GROUND + i, &t);
        if (!t->wanted || !t->filled) {
            continue;
        }
        ty_vec3 p = ty_sub(tyi_render_plot_origin(r, t), s->centre);
        t->record = (uint32_t)n;
        to[n++] = (ty_k_scene_tile){ .slot = t->slot,
                                     .version = t->version,
                                     .level = r->level,
                                     .x = t->x,
                                     .y = t->y,
                                     .flags = (t->curved ? TY_K_SCENE_CURVED : 0u) | (t->tone ? TY_K_SCENE_TONED : 0u),
                                     .d = (float)r->d,
                                     .p = { (float)p.x, (float)p.y, (float)p.z },
                                     .z0 = (float)t->z0,
                                     .grain_reach = r->grain_reach,
                                     .grain_slope = slope,
                                     .grain_first = r->grain_first,
                                     .grain_u = tyi_render_grain_place(r, t->x),
                                     .grain_v = tyi_render_grain_place(r, t->y) };
    }
    if (to) {
        tyi_render_flat_cut(&s->flat, TY_K_SCENE_TILE, n);
    }
    s->flat.heights = g->heights;
    return to != NULL;
}

const tyi_render_flat *tyi_render_scene_flat(ty_scene *s)
{
    static const struct {
        uint32_t when;
        bool (*write)(ty_scene *s);
    } part[] = { { TYI_RENDER_MATERIAL_CHANGED, materials },
                 { TYI_RENDER_PLACES_CHANGED, instances },
                 { TYI_RENDER_MOVED, moved },
                 { TYI_RENDER_PAINT_CHANGED, paint },
                 { TYI_RENDER_LIGHT_CHANGED, lights },
                 { TYI_RENDER_STAR_CHANGED, stars },
                 { TYI_RENDER_GROUND_CHANGED, tiles } };
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        if (s->changed & part[i].when) {
            if (!part[i].write(s)) {
                return NULL;
            }
            s->changed &= ~part[i].when;
        }
    }
    return &s->flat;
}
