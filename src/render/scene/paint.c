/* src/render/scene/paint.c - materials that differ from place to place: textures of objects, maps and regions of the
 * ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#define TY_KERNEL_FLOAT
#include <math.h>
#include <string.h>
#include "scene.h"

/* ---- the ground ---- */

_Static_assert((int)TY_K_PAINT_KEYS == (int)TY_GROUND_KEYS, "the kernel's keys are the ground's");

static void set_key(tyi_render_vary *v, int key, int band, float value, float share)
{
    if (key != TY_GROUND_W) {
        v->key[key] = ty_k_paint(key, v->key[key], value, share);
        return;
    }
    for (int b = 0; b < TY_BANDS; b++) {
        if (band < 0 || b == band) {
            v->albedo[b] = ty_k_paint(key, v->albedo[b], value, share);
        }
    }
}

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

static void vary_ground(const ty_scene *s, double x, double y, float footprint, tyi_render_vary *v)
{
    tyi_render_vary_from(&s->material[0], v);
    for (size_t i = 0; i < s->maps; i++) {
        const tyi_render_map *m = &s->map[i];
        float value;
        tyi_render_pyramid_read(&m->grid, &s->flat, (float)((x - m->x0) / m->spacing) + 0.5f,
                                (float)((y - m->y0) / m->spacing) + 0.5f, footprint / (float)m->spacing, &value);
        if (!isnan(value)) {
            set_key(v, m->key, m->band, value, 1.0f);
        }
    }
    for (size_t i = 0; i < s->regions; i++) {
        const tyi_render_region *r = &s->region[i];
        float share = tyi_render_region_share(r, x, y);
        for (int b = 0; b < TY_BANDS && share > 0.0f; b++) {
            set_key(v, TY_GROUND_W, b, r->own.albedo[b], share);
        }
        for (int k = 1; k < TY_GROUND_KEYS && share > 0.0f; k++) {
            set_key(v, k, -1, r->own.key[k], share);
        }
    }
    for (int b = 0; b < TY_BANDS; b++) {
        v->albedo[b] = fminf(v->albedo[b] * (float)s->tint[b], 0.9999f);
    }
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

static ty_k_vec3 vec(const float *v)
{
    return ty_k_vec(v[0], v[1], v[2]);
}

static ty_k_uv_edges edges(const tyi_render_flat *f, const tyi_render_mesh *m, uint32_t prim)
{
    const uint32_t *t = tyi_render_flat_index(f, m) + 3 * (size_t)prim;
    const float *p = tyi_render_flat_vertex(f, m), *uv = tyi_render_flat_uv(f, m);
    ty_k_vec3 first = vec(p + 3 * t[0]);
    return (ty_k_uv_edges){ ty_k_sub(vec(p + 3 * t[1]), first), ty_k_sub(vec(p + 3 * t[2]), first),
                            uv[2 * t[1]] - uv[2 * t[0]],        uv[2 * t[1] + 1] - uv[2 * t[0] + 1],
                            uv[2 * t[2]] - uv[2 * t[0]],        uv[2 * t[2] + 1] - uv[2 * t[0] + 1] };
}

/* Texture coordinates where ray k met the object; returns how much they change per metre. */
static float object_uv(const tyi_render_flat *f, const tyi_render_mesh *m, const tyi_render_rays *r, int k, float uv[2])
{
    uv[0] = uv[1] = 0.0f;
    if (!m->triangles) {
        ty_k_vec3 n = ty_k_vec(r->nx[k], r->ny[k], r->nz[k]);
        float size = ty_k_norm(n), per = size > 0.0f ? size : 1.0f;
        ty_k_sphere_uv(ty_k_vec(n.x / per, n.y / per, n.z / per), &uv[0], &uv[1]);
        return m->uv_density;
    }
    if (m->uv == TY_K_NONE) {
        return 0.0f;
    }
    const uint32_t *t = tyi_render_flat_index(f, m) + 3 * (size_t)r->prim[k];
    const float *from = tyi_render_flat_uv(f, m);
    float w[3] = { 1.0f - r->u[k] - r->v[k], r->u[k], r->v[k] };
    for (int c = 0; c < 3; c++) {
        uv[0] += w[c] * from[2 * t[c]];
        uv[1] += w[c] * from[2 * t[c] + 1];
    }
    return ty_k_uv_density(edges(f, m, r->prim[k]));
}

/* A texture where the ray met a triangle: uv between the corners, and how many texels a pixel sees. */
static void read_texture(const ty_scene *s, const tyi_render_object *o, const tyi_render_rays *r, int k, uint32_t id,
                         float footprint, float out[3])
{
    const tyi_render_pyramid *p = &s->texture[id - 1];
    float uv[2], w = (float)p->k.w, h = (float)p->k.h;
    float per_m = object_uv(&s->flat, &o->mesh, r, k, uv);
    tyi_render_pyramid_read(p, &s->flat, uv[0] * w, uv[1] * h, footprint * per_m * sqrtf(w * h), out);
    if (p->k.channels == 1) {
        out[1] = out[2] = out[0];
    }
}

static void vary_object(const ty_scene *s, const tyi_render_rays *r, int k, const ty_material *m, float footprint,
                        tyi_render_vary *v)
{
    const tyi_render_object *o = &s->object[r->slot[k]];
    float t[4];
    tyi_render_vary_from(m, v);
    if (m->albedo_map) {
        read_texture(s, o, r, k, m->albedo_map, footprint, t);
        float grey = ty_k_luminance(t[0], t[1], t[2]);
        for (int b = 0; b < TY_BANDS; b++) {
            v->albedo[b] *= s->def.bands == 3 && b < 3 ? t[b] : grey;
        }
    }
    if (m->rough_map) {
        read_texture(s, o, r, k, m->rough_map, footprint, t);
        v->roughness *= t[1], v->metallic *= t[2];
    }
}

void tyi_render_vary_at(const ty_scene *s, const tyi_render_rays *r, int k, int material, float cone,
                        tyi_render_vary *out)
{
    float t = r->far[k], footprint = cone * t;
    if (material == 0) {
        double x = s->centre.x + (double)(r->ox[k] + t * r->dx[k]), y = s->centre.y + (double)(r->oy[k] + t * r->dy[k]);
        vary_ground(s, x, y, footprint, out);
    } else {
        vary_object(s, r, k, &s->material[material], footprint, out);
    }
}

float tyi_render_albedo_at(const ty_scene *s, const tyi_render_rays *r, int k, float cone)
{
    uint32_t slot = r->slot[k];
    if (slot == TYI_RENDER_NOTHING) {
        return 0.0f;
    }
    int material = slot >= TYI_RENDER_MOST_OBJECTS
                       ? slot >= tyi_render_slot_rocks(s)
                       : tyi_render_object_material(&s->object[slot], &s->flat, slot, r->prim[k]);
    tyi_render_vary v;
    if (!s->varied[material]) {
        return (float)(material < 2 ? s->tinted[material].albedo[0] : s->material[material].albedo[0]);
    }
    tyi_render_vary_at(s, r, k, material, cone, &v);
    return v.albedo[0];
}

/* The normal of a map in the object's frame, given the smooth one: axes along u and against v from the triangle. */
void tyi_render_bend_normal(const ty_scene *s, const tyi_render_rays *r, int k, const ty_material *m, float cone,
                            float n[3])
{
    const tyi_render_object *o = &s->object[r->slot[k]];
    ty_k_vec3 v = vec(n);
    ty_k_uv_axes axes = { v, v, 0 };
    if (!o->mesh.triangles) {
        axes = ty_k_sphere_axes(v);
    } else if (o->mesh.uv != TY_K_NONE) {
        axes = ty_k_triangle_axes(v, edges(&s->flat, &o->mesh, r->prim[k]));
    }
    if (!axes.ok) {
        return;
    }
    float t[4];
    read_texture(s, o, r, k, m->normal_map, cone * r->far[k], t);
    v = ty_k_normal_map(v, axes, t[0], t[1], t[2], (float)m->normal_scale);
    n[0] = v.x, n[1] = v.y, n[2] = v.z;
}
