/* src/render/host/shade.c - what was hit, and how it reflects.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lanes.h"
#include <string.h>
#include "k_ground_tone.h"
#include "k_philox.h"
#include "k_rock.h"
#include "k_sequence.h"
#include "k_shade.h"

static ty_k_vec3 to_float(ty_vec3 v)
{
    return ty_k_vec((float)v.x, (float)v.y, (float)v.z);
}

static ty_vec3 from_float(ty_k_vec3 v)
{
    return ty_vec3_make((double)v.x, (double)v.y, (double)v.z);
}

void tyi_render_shading_make(struct tyi_render_shading *s, const ty_scene *scene)
{
    for (size_t i = 0; i < scene->objects + 2; i++) {
        s->brdf[i] = tyi_render_brdf_make(&scene->def.kinds, i < 2 ? &scene->tinted[i] : &scene->material[i]);
    }
    for (int i = TYI_RENDER_MOST_OBJECTS + 2; i < TYI_RENDER_MOST_OBJECTS + 2 + scene->mores; i++) {
        s->brdf[i] = tyi_render_brdf_make(&scene->def.kinds, &scene->material[i]);
    }
    s->lamps = scene->lights;
    for (int i = 0; i < s->lamps; i++) {
        s->lamp[i] = tyi_render_lamp_make(&scene->def.kinds, &scene->light[i], scene->centre);
        s->lamp[i].on = s->lamp[i].on && !tyi_render_light_below(scene, &scene->light[i]);
        for (int b = 0; b < TY_BANDS; b++) {
            s->lamp[i].power[b] *= (float)scene->share[b], s->lamp[i].radiance[b] *= (float)scene->share[b];
        }
    }
}

TYI_PER_ISA static void scramble_lanes(const tyi_render_block *b, uint64_t seed, uint32_t pair, uint32_t out[3][N])
{
    uint32_t low = (uint32_t)seed, high = (uint32_t)(seed >> 32);
    for (int k = 0; k < N; k++) {
        ty_k_u32x4 s = ty_k_philox((uint32_t)b->x[k], (uint32_t)b->y[k], pair, high, low, TY_RNG_RENDER);
        out[0][k] = s.v[0], out[1][k] = s.v[1], out[2][k] = s.v[2];
    }
}

TYI_PER_ISA static void points(tyi_render_block *b, uint32_t i, uint32_t s[3][N])
{
    for (int k = 0; k < N; k++) {
        ty_k_point2 p = ty_k_sobol(i, s[0][k], s[1][k], s[2][k]);
        b->u[k] = p.u;
        b->v[k] = p.v;
    }
}

void tyi_render_block_random(tyi_render_block *b, uint64_t seed, uint32_t i, uint32_t pair)
{
    uint32_t other[3][N];
    if (pair >= TYI_RENDER_KEPT_PAIRS) {
        scramble_lanes(b, seed, pair, other);
        points(b, i, other);
        return;
    }
    if (!b->scrambled[pair]) { /* the same for all samples of a pixel */
        scramble_lanes(b, seed, pair, b->scramble[pair]);
        b->scrambled[pair] = true;
    }
    points(b, i, b->scramble[pair]);
}

/* ---- what was hit ---- */

static ty_k_vec3 vec(const float *v)
{
    return ty_k_vec(v[0], v[1], v[2]);
}

typedef struct surface {
    ty_k_vec3 n, facet; /* shading and geometric normal, unit */
    int material;
    float tone;      /* [-] brightness relative to the material */
    float disturbed; /* [-] share of soil that was driven over */
} surface;

/* the soil's brightness at a place of a tile [cells], by straight lines between its samples, and how far it is disturbed */
static float tone_at(const tyi_render_plot *t, int i, int j, float u, float v, float *disturbed)
{
    *disturbed = 0.0f;
    if (!t->tone) {
        return 1.0f;
    }
    const float *p = t->tone + j * (TYI_RENDER_TILE_CELLS + 1) + i;
    const float *q = p + TYI_RENDER_TILE_CELLS + 1;
    return ty_k_tone_between(p[0], p[1], q[0], q[1], u, v, disturbed);
}

/* [-] how strong grains are at a place of a tile [cells] */
static float grains_at(const tyi_render_plot *t, float x, float y)
{
    if (!t->tone) {
        return 1.0f;
    }
    int i = (int)(x * 0.125f), j = (int)(y * 0.125f);
    i = i < TYI_RENDER_GRAINS - 1 ? i : TYI_RENDER_GRAINS - 2;
    j = j < TYI_RENDER_GRAINS - 1 ? j : TYI_RENDER_GRAINS - 2;
    float u = x * 0.125f - (float)i, v = y * 0.125f - (float)j;
    const float *p = t->tone + TYI_RENDER_TONES + j * TYI_RENDER_GRAINS + i;
    float low = p[0] + u * (p[1] - p[0]);
    float high = p[TYI_RENDER_GRAINS] + u * (p[TYI_RENDER_GRAINS + 1] - p[TYI_RENDER_GRAINS]);
    return low + v * (high - low);
}

static surface on_ground(const ty_scene *s, const tyi_render_rays *r, int k)
{
    tyi_render_plot *t;
    const tyi_render_ring *ring = tyi_render_slot_tile(&s->ground, r->slot[k], &t);
    float x = r->u[k] * TYI_RENDER_TILE_CELLS, y = r->v[k] * TYI_RENDER_TILE_CELLS;
    int i = (int)x, j = (int)y;
    i = i < TYI_RENDER_TILE_CELLS ? i : TYI_RENDER_TILE_CELLS - 1;
    j = j < TYI_RENDER_TILE_CELLS ? j : TYI_RENDER_TILE_CELLS - 1;
    ty_k_ground g =
        ty_k_cell(t->h + j * TYI_RENDER_TILE_STRIDE + i, TYI_RENDER_TILE_STRIDE, x - (float)i, y - (float)j);
    float disturbed, tone = tone_at(t, i, j, x - (float)i, y - (float)j, &disturbed);
    if (t->curved) {
        ty_k_vec3 n = to_float(tyi_render_plot_normal(&s->ground, ring, t, (double)x, (double)y)),
                  facet = ty_k_unit(ty_k_vec(r->nx[k], r->ny[k], r->nz[k]));
        return (surface){ n, ty_k_dot(n, facet) < 0.0f ? ty_k_scale(-1.0f, facet) : facet, 0, tone, disturbed };
    }
    float per = (float)(1.0 / ring->d), up = r->nz[k] < 0.0f ? -1.0f : 1.0f;
    surface f = { ty_k_ground_normal(g, per), ty_k_unit(ty_k_vec(up * r->nx[k], up * r->ny[k], up * r->nz[k])), 0, tone,
                  disturbed };
    if (ring->grain_reach > 0.0f) {
        float slope =
            (float)ty_terrain_get_def(s->ground.terrain)->tone.grain * grains_at(t, x, y) * ty_k_tone_grains(disturbed);
        ty_k_grain grain = { ring->grain_reach, slope, ring->grain_first };
        float u = tyi_render_grain_place(ring, t->x, x), v = tyi_render_grain_place(ring, t->y, y);
        f.n = ty_k_grain_normal(grain, f.n, u, v, r->far[k]);
    }
    return f;
}

static ty_k_vec3 turned(ty_quat q, const float *n)
{
    return to_float(ty_rotate(q, ty_vec3_make((double)n[0], (double)n[1], (double)n[2])));
}

#define ROCK_TONE 1.25 /* scene.c */
float tyi_render_rock_tone(const ty_scene *s, const ty_rock *rock)
{
    const ty_rock_def *def = &ty_terrain_get_def(s->ground.terrain)->rock;
    if (!(def->bright > 0.0)) {
        return 1.0f;
    }
    /* the material of rocks is ROCK_TONE times as bright as the soil */
    return ty_k_rock_tone((uint32_t)rock->id, (float)(def->dark / ROCK_TONE), (float)(def->bright / ROCK_TONE));
}

static surface on_rock(const ty_scene *s, const tyi_render_rays *r, int k)
{
    size_t i = r->slot[k] - tyi_render_slot_rocks(s);
    const ty_rock *rock = &s->rocks.rock[i];
    ty_k_vec3 n = vec(tyi_render_flat_normal(&s->flat, &s->rocks.mesh[rock->shape]) + 3 * (size_t)r->prim[k]);
    double t = (double)r->far[k];
    ty_vec3 at = ty_vec3_make((double)r->ox[k] + t * (double)r->dx[k], (double)r->oy[k] + t * (double)r->dy[k],
                              (double)r->oz[k] + t * (double)r->dz[k]);
    ty_vec3 own = ty_rotate(ty_quat_conj(s->rocks.pose[i].q), ty_sub(ty_add(at, s->centre), s->rocks.pose[i].p));
    ty_k_vec3 bumped =
        ty_k_rock_normal(n, to_float(ty_scale((double)TY_K_ROCK_CELLS / rock->scale, own)), (uint32_t)rock->id);
    float flat[3] = { n.x, n.y, n.z }, uneven[3] = { bumped.x, bumped.y, bumped.z };
    return (surface){ turned(s->rocks.pose[i].q, uneven), turned(s->rocks.pose[i].q, flat), 1,
                      tyi_render_rock_tone(s, rock), 0.0f };
}

static surface on_object(const ty_scene *s, const tyi_render_rays *r, int k, float cone)
{
    const tyi_render_object *o = &s->object[r->slot[k]];
    float own[3] = { r->nx[k], r->ny[k], r->nz[k] };
    surface f = { .material = tyi_render_object_material(o, &s->flat, r->slot[k], r->prim[k]), .tone = 1.0f };
    const ty_material *m = &s->material[f.material];
    const float *normal = o->mesh.triangles ? tyi_render_flat_normal(&s->flat, &o->mesh) : NULL;
    if (o->mesh.triangles && !o->smooth) {
        memcpy(own, normal + 3 * (size_t)r->prim[k], sizeof own);
    }
    ty_quat q = tyi_render_object_pose(o, (double)r->time[k]).q;
    f.facet = ty_k_unit(turned(q, own));
    f.n = f.facet;
    if (o->smooth) {
        const uint32_t *t = tyi_render_flat_index(&s->flat, &o->mesh) + 3 * (size_t)r->prim[k];
        ty_k_vec3 smooth = ty_k_smooth_normal(vec(normal + 3 * (size_t)t[0]), vec(normal + 3 * (size_t)t[1]),
                                              vec(normal + 3 * (size_t)t[2]), r->u[k], r->v[k]);
        own[0] = smooth.x, own[1] = smooth.y, own[2] = smooth.z;
        f.n = ty_k_unit(turned(q, own));
    }
    if (m->normal_map) {
        float size = 1.0f / sqrtf(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
        own[0] *= size, own[1] *= size, own[2] *= size;
        tyi_render_bend_normal(s, r, k, m, cone, own);
        f.n = ty_k_unit(turned(q, own));
    }
    return f;
}

static surface on_clod(const ty_scene *s, const tyi_render_rays *r, int k)
{
    const ty_k_scene_clod *c = (const ty_k_scene_clod *)s->flat.section[TY_K_SCENE_CLOD].data + r->prim[k];
    ty_k_vec3 n = ty_k_unit(ty_k_vec(r->nx[k], r->ny[k], r->nz[k]));
    ty_k_vec3 at = ty_k_vec(r->ox[k] + r->far[k] * r->dx[k] - c->p[0], r->oy[k] + r->far[k] * r->dy[k] - c->p[1],
                            r->oz[k] + r->far[k] * r->dz[k] - c->p[2]);
    ty_k_vec3 bumped = ty_k_rock_normal(n, ty_k_scale(TY_K_ROCK_CELLS / (2.0f * c->r), at), c->seed);
    return (surface){ bumped, n, 0, 1.0f, s->clods.disturbed };
}

static surface resolve_lane(const ty_scene *s, const tyi_render_rays *r, int k, float cone)
{
    if (r->slot[k] < TYI_RENDER_MOST_OBJECTS) {
        return on_object(s, r, k, cone);
    }
    if (r->slot[k] == TYI_RENDER_SLOT_CLODS) {
        return on_clod(s, r, k);
    }
    return r->slot[k] < tyi_render_slot_rocks(s) ? on_ground(s, r, k) : on_rock(s, r, k);
}

void tyi_render_block_resolve(tyi_render_block *b, const ty_scene *s)
{
    const tyi_render_rays *r = &b->ray;
    for (int k = 0; k < N; k++) {
        if (r->slot[k] == TYI_RENDER_NOTHING) {
            b->material[k] = -1;
            continue;
        }
        surface f = resolve_lane(s, r, k, b->cone);
        ty_k_vec3 d = ty_k_vec(r->dx[k], r->dy[k], r->dz[k]), o = ty_k_vec(r->ox[k], r->oy[k], r->oz[k]);
        ty_k_facing seen = ty_k_face(f.n, f.facet, d);
        if (seen.behind && f.material == 0) { /* the ground from below: a ray that slipped through ends in the dark */
            b->material[k] = -1;
            continue;
        }
        ty_k_vec3 p = ty_k_add(o, ty_k_scale(r->far[k], d));
        p = ty_k_add(p, ty_k_scale(ty_k_lift(p), seen.facet));
        b->point.x[k] = p.x, b->point.y[k] = p.y, b->point.z[k] = p.z;
        b->normal.x[k] = seen.n.x, b->normal.y[k] = seen.n.y, b->normal.z[k] = seen.n.z;
        b->material[k] = f.material;
        b->tone[k] = f.tone;
        b->disturbed[k] = f.disturbed;
        b->cover[k] = 0.0f;
        if (s->dusted && r->slot[k] < TYI_RENDER_MOST_OBJECTS) {
            b->cover[k] =
                (float)tyi_render_coat_at(s, r->slot[k], from_float(f.facet), from_float(d), (double)r->time[k]);
        }
        if (s->varied[f.material]) {
            tyi_render_vary_at(s, r, k, f.material, b->cone, &b->vary[k]);
        }
    }
}

/* ---- reflectance, one material at a time ---- */

static int pack(tyi_render_block *b, int material)
{
    int n = 0;
    for (int k = 0; k < N; k++) {
        b->list[n] = k;
        n += b->material[k] == material;
    }
    for (int i = 0; i < n; i++) {
        int k = b->list[i];
        b->packed_n.x[i] = b->normal.x[k], b->packed_n.y[i] = b->normal.y[k], b->packed_n.z[i] = b->normal.z[k];
        b->packed_l.x[i] = b->shadow.dx[k], b->packed_l.y[i] = b->shadow.dy[k], b->packed_l.z[i] = b->shadow.dz[k];
        b->packed_v.x[i] = -b->ray.dx[k], b->packed_v.y[i] = -b->ray.dy[k], b->packed_v.z[i] = -b->ray.dz[k];
    }
    return n;
}

/* [-] how bright soil is of which a share is disturbed, for the i-th packed lane */
static float track(const tyi_render_block *b, int i, float disturbed)
{
    if (!(disturbed > 0.0f)) {
        return 1.0f;
    }
    ty_k_vec3 l = ty_k_vec(b->packed_l.x[i], b->packed_l.y[i], b->packed_l.z[i]);
    ty_k_vec3 v = ty_k_vec(b->packed_v.x[i], b->packed_v.y[i], b->packed_v.z[i]);
    ty_k_vec3 d = ty_k_sub(l, v);
    return 1.0f + disturbed * (ty_k_tone_disturbed(0.25f * ty_k_dot(d, d)) - 1.0f);
}

/* the soil's BRDF for the n packed lanes, where dust lies on one of them; false: it lies on none */
static bool dusted(tyi_render_block *b, const tyi_render_brdf *soil, int band, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++) {
        any = any || b->cover[b->list[i]] > 0.0f;
    }
    if (any) {
        soil->law->lanes(soil, band, &b->packed_n, &b->packed_l, &b->packed_v, b->packed_soil, n);
    }
    return any;
}

void tyi_render_block_brdf(tyi_render_block *b, const ty_scene *scene, const struct tyi_render_shading *s, int bands)
{
    int left = 0, next = -1;
    for (int k = 0; k < N; k++) {
        left += b->material[k] >= 0;
    }
    while (left > 0) {
        /* the smallest material above the last one */
        int now = INT32_MAX;
        for (int k = 0; k < N; k++) {
            now = b->material[k] > next && b->material[k] < now ? b->material[k] : now;
        }
        next = now;
        int n = pack(b, now);
        left -= n;
        for (int band = 0; band < bands; band++) {
            const tyi_render_brdf *m = &s->brdf[now];
            if (scene->varied[now]) {
                m->law->varied(m, band, b->vary, b->list, &b->packed_n, &b->packed_l, &b->packed_v, b->packed_f, n);
            } else {
                m->law->lanes(m, band, &b->packed_n, &b->packed_l, &b->packed_v, b->packed_f, n);
            }
            for (int i = 0; i < n; i++) {
                int k = b->list[i];
                b->f[band][k] = b->packed_f[i] * b->tone[k] * track(b, i, b->disturbed[k]);
            }
            for (int i = 0; scene->dusted && dusted(b, s->brdf, band, n) && i < n; i++) {
                float *f = &b->f[band][b->list[i]];
                *f = ty_k_paint_dusted(*f, b->packed_soil[i] * ty_k_tone_dusted(1.0f), b->cover[b->list[i]]);
            }
        }
    }
}
