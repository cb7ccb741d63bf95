/* src/render/scene/paint.c - materials that differ from place to place: textures of objects, maps and regions of the
 * ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "scene.h"

/* ---- the ground ---- */

/* what the laws take, w to phi; the first column is also that of an albedo */
static const float low[TY_GROUND_KEYS] = { 0.0f, 0.0f, -1.0f, 0.0f, 1e-4f, 0.0f, 1e-4f, 0.0f, 0.0f };
static const float high[TY_GROUND_KEYS] = { 0.9999f, 0.99f, 1.0f, 100.0f, 100.0f, 100.0f, 100.0f, 1.05f, 0.74f };

static void set_key(tyi_render_vary *v, int key, int band, float value, float share)
{
    value = fminf(fmaxf(value, low[key]), high[key]);
    if (key != TY_GROUND_W) {
        v->key[key] += share * (value - v->key[key]);
        return;
    }
    for (int b = 0; b < TY_BANDS; b++) {
        if (band < 0 || b == band) {
            v->albedo[b] += share * (value - v->albedo[b]);
        }
    }
}

static void from_material(const ty_material *m, tyi_render_vary *v)
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

/* [m] from a place to a region's border, positive inside */
static double inside(const tyi_render_region *r, double x, double y)
{
    if (!r->points) {
        return r->radius - hypot(x - r->x, y - r->y);
    }
    bool in = false;
    double near = INFINITY;
    for (size_t i = 0, j = r->points - 1; i < r->points; j = i++) {
        double ax = r->point[2 * j], ay = r->point[2 * j + 1], bx = r->point[2 * i], by = r->point[2 * i + 1];
        in = in != ((ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax);
        double dx = bx - ax, dy = by - ay, t = ((x - ax) * dx + (y - ay) * dy) / fmax(dx * dx + dy * dy, 1e-30);
        t = fmin(fmax(t, 0.0), 1.0);
        near = fmin(near, hypot(x - ax - t * dx, y - ay - t * dy));
    }
    return in ? near : -near;
}

static void vary_ground(const ty_scene *s, double x, double y, float footprint, tyi_render_vary *v)
{
    from_material(&s->material[0], v);
    for (size_t i = 0; i < s->maps; i++) {
        const tyi_render_map *m = &s->map[i];
        float value;
        tyi_render_pyramid_read(&m->grid, (float)((x - m->x0) / m->spacing) + 0.5f,
                                (float)((y - m->y0) / m->spacing) + 0.5f, footprint / (float)m->spacing, &value);
        if (!isnan(value)) {
            set_key(v, m->key, m->band, value, 1.0f);
        }
    }
    for (size_t i = 0; i < s->regions; i++) {
        const tyi_render_region *r = &s->region[i];
        double half = 0.5 * r->edge;
        if (x < r->box[0] - half || x > r->box[1] + half || y < r->box[2] - half || y > r->box[3] + half) {
            continue;
        }
        double d = inside(r, x, y), share = half > 0.0 ? fmin(fmax(0.5 + 0.5 * d / half, 0.0), 1.0)
                                            : d > 0.0  ? 1.0
                                                       : 0.0;
        for (int b = 0; b < TY_BANDS && share > 0.0; b++) {
            set_key(v, TY_GROUND_W, b, r->own.albedo[b], (float)share);
        }
        for (int k = 1; k < TY_GROUND_KEYS && share > 0.0; k++) {
            set_key(v, k, -1, r->own.key[k], (float)share);
        }
    }
    for (int b = 0; b < TY_BANDS; b++) {
        v->albedo[b] = fminf(v->albedo[b] * (float)s->tint[b], high[TY_GROUND_W]);
    }
}

static void free_ground(ty_scene *s)
{
    for (size_t i = 0; i < s->maps; i++) {
        tyi_render_pyramid_free(&s->map[i].grid, s->def.alloc);
    }
    for (size_t i = 0; i < s->regions; i++) {
        tyi_put(s->def.alloc, s->region[i].point, 2 * s->region[i].points * sizeof(double));
    }
    s->maps = s->regions = 0;
    s->varied[0] = false;
}

void tyi_render_paint_free(ty_scene *s)
{
    free_ground(s);
    for (size_t i = 0; i < s->textures; i++) {
        tyi_render_pyramid_free(&s->texture[i], s->def.alloc);
    }
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
    if (!tyi_render_pyramid_make(&m->grid, d->nx, d->ny, 1, s->def.alloc)) {
        return ty_fail(diag, TY_ERR_MEMORY, "ground: no memory for a map of %d x %d samples", d->nx, d->ny);
    }
    m->grid.wrap[0] = m->grid.wrap[1] = TY_WRAP_CLAMP;
    memcpy(m->grid.level[0], d->value, (size_t)d->nx * (size_t)d->ny * sizeof(float));
    tyi_render_pyramid_reduce(&m->grid);
    s->maps++;
    return TY_OK;
}

static ty_status add_region(ty_scene *s, const ty_ground_region *d, ty_diag *diag)
{
    bool polygon = d->point != NULL;
    if (s->regions == TYI_RENDER_MOST_REGIONS || !(d->edge >= 0.0 && d->edge < 1e6) ||
        (!polygon && !(d->radius > 0.0 && d->radius < 1e7)) || (polygon && (d->points < 3 || d->points > 4096))) {
        return ty_fail(
            diag, TY_ERR_RANGE,
            "ground: a region takes a radius above 0 or 3 to 4096 corners, an edge from 0, and there are at most %d",
            TYI_RENDER_MOST_REGIONS);
    }
    tyi_render_region *r = &s->region[s->regions];
    *r = (tyi_render_region){ .x = d->x,
                              .y = d->y,
                              .radius = d->radius,
                              .edge = d->edge,
                              .box = { d->x - d->radius, d->x + d->radius, d->y - d->radius, d->y + d->radius } };
    from_material(&d->material, &r->own);
    s->regions++;
    if (polygon) {
        r->point = tyi_get(s->def.alloc, 2 * d->points * sizeof(double));
        if (!r->point) {
            return ty_fail(diag, TY_ERR_MEMORY, "ground: no memory for a polygon of %zu corners", d->points);
        }
        r->points = d->points;
        memcpy(r->point, d->point, 2 * d->points * sizeof(double));
        r->box[0] = r->box[2] = INFINITY, r->box[1] = r->box[3] = -INFINITY;
        for (size_t i = 0; i < 2 * d->points; i++) {
            double *box = r->box + 2 * (i % 2);
            box[0] = fmin(box[0], d->point[i]), box[1] = fmax(box[1], d->point[i]);
        }
    }
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
        status = add_region(s, &region[i], diag);
    }
    s->varied[0] = status == TY_OK && s->maps + s->regions > 0;
    return status;
}

/* ---- objects ---- */

bool tyi_render_material_varied(const ty_material *m)
{
    return m->albedo_map || m->rough_map;
}

/* A texture where the ray met a triangle: uv between the corners, and how many texels a pixel sees. */
static void read_texture(const ty_scene *s, const tyi_render_object *o, const tyi_render_rays *r, int k, uint32_t id,
                         float footprint, float out[3])
{
    const tyi_render_pyramid *p = &s->texture[id - 1];
    float uv[2];
    float per_m = tyi_render_object_uv(o, r, k, uv);
    tyi_render_pyramid_read(p, uv[0] * (float)p->w[0], uv[1] * (float)p->h[0],
                            footprint * per_m * sqrtf((float)p->w[0] * (float)p->h[0]), out);
    if (p->channels == 1) {
        out[1] = out[2] = out[0];
    }
}

static void vary_object(const ty_scene *s, const tyi_render_rays *r, int k, const ty_material *m, float footprint,
                        tyi_render_vary *v)
{
    const tyi_render_object *o = &s->object[r->slot[k]];
    float t[4];
    from_material(m, v);
    if (m->albedo_map) {
        read_texture(s, o, r, k, m->albedo_map, footprint, t);
        float grey = 0.2126f * t[0] + 0.7152f * t[1] + 0.0722f * t[2]; /* luminance   [iec61966] */
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
    int material = slot >= TYI_RENDER_MOST_OBJECTS ? slot >= tyi_render_slot_rocks(s)
                                                   : tyi_render_object_material(&s->object[slot], slot, r->prim[k]);
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
    float t[4], along[3], up[3];
    if (!tyi_render_object_axes(o, r, k, n, along, up)) {
        return;
    }
    read_texture(s, o, r, k, m->normal_map, cone * r->far[k], t);
    float x = (2.0f * t[0] - 1.0f) * (float)m->normal_scale, y = (2.0f * t[1] - 1.0f) * (float)m->normal_scale,
          z = 2.0f * t[2] - 1.0f;
    z = z > 0.05f ? z : 0.05f;
    float out[3], size = 0.0f;
    for (int c = 0; c < 3; c++) {
        out[c] = x * along[c] + y * up[c] + z * n[c];
        size += out[c] * out[c];
    }
    for (int c = 0; c < 3; c++) {
        n[c] = out[c] / sqrtf(size);
    }
}
