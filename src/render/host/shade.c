/* src/render/host/shade.c - what was hit, and how it reflects.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lanes.h"
#include <string.h>
#include "k_rock.h"

void tyi_render_shading_make(struct tyi_render_shading *s, const tyi_render_frame *frame)
{
    const ty_scene *scene = frame->scene;
    const ty_camera none = ty_camera_default();
    s->film = tyi_render_film_of(scene, frame->camera ? frame->camera : &none, &frame->def, frame->cone);
    s->view = tyi_render_film_view(scene);
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

/* ---- what was hit ---- */

/* a tile of the host's stands alone in the view: its heights and brightness are not in one array with those of others */
static void on_tile(const ty_scene *s, const tyi_render_rays *r, int k, ty_k_view *view, ty_k_scene_tile *tile,
                    ty_k_met *m)
{
    tyi_render_plot *t;
    tyi_render_slot_tile(&s->ground, r->slot[k], &t);
    if (view->height != t->h) { /* neighbours are mostly on one */
        *tile = ((const ty_k_scene_tile *)s->flat.section[TY_K_SCENE_TILE].data)[t->record];
        tile->slot = 0;
        view->tile = tile, view->height = t->h, view->tone = t->tone;
    }
    float x = r->u[k] * (float)TYI_RENDER_TILE_CELLS, y = r->v[k] * (float)TYI_RENDER_TILE_CELLS;
    int i = (int)x, j = (int)y;
    i = i < TYI_RENDER_TILE_CELLS ? i : TYI_RENDER_TILE_CELLS - 1;
    j = j < TYI_RENDER_TILE_CELLS ? j : TYI_RENDER_TILE_CELLS - 1;
    m->tile = 0, m->prim = (uint32_t)(TY_K_SCENE_CELLS * j + i);
    m->u = x - (float)i, m->v = y - (float)j;
}

/* its triangle, or sphere, once more as the kernels meet it */
static void on_instance(const ty_k_view *view, float time, ty_k_vec3 o, ty_k_vec3 d, ty_k_met *m)
{
    const ty_k_scene_instance *k = &view->instance[m->instance];
    const ty_k_scene_mesh *mesh = &view->mesh[k->mesh];
    float t = 3e38f, u, v;
    ty_k_seat_ray(k, time, &o, &d);
    if (mesh->triangles == 0) {
        m->t = ty_k_meet_sphere(o, d, mesh->radius, &t) ? t : m->t;
        m->facet = ty_k_add(o, ty_k_scale(m->t, d));
        return;
    }
    const uint32_t *at = view->index + 3 * ((size_t)mesh->index + m->prim);
    const float *p = view->vertex + 3 * (size_t)mesh->vertex;
    ty_k_vec3 a = ty_k_load3(p + 3 * (size_t)at[0]), b = ty_k_load3(p + 3 * (size_t)at[1]),
              c = ty_k_load3(p + 3 * (size_t)at[2]);
    m->facet = ty_k_cross(ty_k_sub(b, a), ty_k_sub(c, a));
    if (ty_k_meet_triangle(o, d, a, b, c, &t, &u, &v)) { /* else it passes by a hair, and what was traced holds */
        m->t = t, m->u = u, m->v = v;
    }
}

/* What lane k met, as the kernels' tracer would have it. Puts the tile that was met, which `tile` has room for, into the view. */
static ty_k_met met_by(const ty_scene *s, const tyi_render_rays *r, int k, ty_k_view *view, ty_k_scene_tile *tile)
{
    uint32_t slot = r->slot[k];
    ty_k_vec3 o = ty_k_vec(r->ox[k], r->oy[k], r->oz[k]), d = ty_k_vec(r->dx[k], r->dy[k], r->dz[k]);
    ty_k_met m = { .t = r->far[k],
                   .tile = TY_K_NONE,
                   .instance = TY_K_NONE,
                   .prim = r->prim[k],
                   .u = r->u[k],
                   .v = r->v[k],
                   .facet = ty_k_vec(r->nx[k], r->ny[k], r->nz[k]) };
    if (slot == TYI_RENDER_NOTHING) {
        return m;
    }
    if (slot == TYI_RENDER_SLOT_CLODS) {
        m.instance = TY_K_MET_CLOD;
        return m;
    }
    if (slot >= TYI_RENDER_SLOT_GROUND && slot < tyi_render_slot_rocks(s)) {
        on_tile(s, r, k, view, tile, &m);
        return m;
    }
    m.instance = slot < TYI_RENDER_SLOT_CLODS ? s->object[slot].record
                                              : (uint32_t)s->flat.objects + slot - tyi_render_slot_rocks(s);
    on_instance(view, r->time[k], o, d, &m);
    return m;
}

/* flat: what is called here is compiled for each kind of processor, too, of which the newer ones round in one step */
TYI_PER_ISA __attribute__((flatten)) static void resolve(tyi_render_block *b, const tyi_render_frame *frame)
{
    const tyi_render_rays *r = &b->ray;
    const ty_scene *s = frame->scene;
    const ty_k_frame *film = &frame->shading->film;
    ty_k_view view = frame->shading->view;
    ty_k_scene_tile tile;
    for (int k = 0; k < N; k++) {
        b->material[k] = -1;
        if (r->slot[k] == TYI_RENDER_NOTHING) {
            continue;
        }
        ty_k_surface f;
        ty_k_met m = met_by(s, r, k, &view, &tile);
        ty_k_surface_of(&view, film->plain, film->tint, &m, ty_k_vec(r->ox[k], r->oy[k], r->oz[k]),
                        ty_k_vec(r->dx[k], r->dy[k], r->dz[k]), r->time[k], b->cone, &f);
        if (f.material == TY_K_NONE) {
            continue;
        }
        b->material[k] = tyi_render_flat_material(s, f.material);
        b->point.x[k] = f.p.x, b->point.y[k] = f.p.y, b->point.z[k] = f.p.z;
        b->normal.x[k] = f.n.x, b->normal.y[k] = f.n.y, b->normal.z[k] = f.n.z;
        b->tone[k] = f.tone, b->disturbed[k] = f.disturbed, b->cover[k] = f.cover;
        if (f.varied) {
            memcpy(b->vary[k].albedo, f.albedo, sizeof b->vary[k].albedo);
            memcpy(b->vary[k].key, f.key, sizeof b->vary[k].key);
            b->vary[k].roughness = f.roughness, b->vary[k].metallic = f.metallic;
        }
    }
}

void tyi_render_block_resolve(tyi_render_block *b, const tyi_render_frame *frame)
{
    resolve(b, frame);
}

float tyi_render_albedo_at(const tyi_render_frame *frame, const tyi_render_rays *r, int k)
{
    const ty_k_frame *film = &frame->shading->film;
    ty_k_view view = frame->shading->view;
    ty_k_scene_tile tile;
    ty_k_surface f;
    ty_k_met m = met_by(frame->scene, r, k, &view, &tile);
    if (!ty_k_met_any(&m)) {
        return 0.0f;
    }
    ty_k_surface_of(&view, film->plain, film->tint, &m, ty_k_vec(r->ox[k], r->oy[k], r->oz[k]),
                    ty_k_vec(r->dx[k], r->dy[k], r->dz[k]), r->time[k], frame->cone, &f);
    return ty_k_truth_albedo(&view, &f, f.varied);
}

/* ---- reflectance, one material at a time ---- */

static int pack(tyi_render_block *b, const int *of, int material)
{
    int n = 0;
    for (int k = 0; k < N; k++) {
        b->list[n] = k;
        n += of[k] == material;
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

void tyi_render_block_brdf(tyi_render_block *b, const ty_scene *scene, const struct tyi_render_shading *s, int bands,
                           bool lit)
{
    int left = 0, next = -1, of[N]; /* material of a lane that is asked for; below 0: none */
    for (int k = 0; k < N; k++) {
        of[k] = !lit || b->shadow.far[k] > 0.0f ? b->material[k] : -1;
        left += of[k] >= 0;
    }
    while (left > 0) {
        /* the smallest material above the last one */
        int now = INT32_MAX;
        for (int k = 0; k < N; k++) {
            now = of[k] > next && of[k] < now ? of[k] : now;
        }
        next = now;
        int n = pack(b, of, now);
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
