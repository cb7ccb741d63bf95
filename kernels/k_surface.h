/* kernels/k_surface.h - what a ray met in a flat scene, as a surface that can be shaded: normals, material with its
 * textures and maps, brightness; and how it reflects.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_SURFACE_H
#define TY_K_SURFACE_H
#include "k_ground_tone.h"
#include "k_law.h"
#include "k_light.h"
#include "k_sample.h"
#include "k_shade.h"
#include "k_trace.h"

#ifndef TY_K_BANDS
#define TY_K_BANDS TY_K_SCENE_BANDS
#endif

typedef struct ty_k_surface {
    ty_k_vec3 p, n;    /* [m] the hit, lifted off the surface; shading normal on the eye's side */
    ty_u32 material;   /* TY_K_NONE: nothing that reflects */
    ty_real tone;      /* [-] brightness relative to the material */
    ty_real disturbed; /* [-] share of soil that was driven over */
    ty_real cover;     /* [-] share of an object that dust covers */
    int varied;        /* the numbers below hold instead of the material's */
    ty_real albedo[TY_K_BANDS], key[TY_K_PAINT_KEYS], roughness, metallic;
} ty_k_surface;

/* ---- textures ---- */

TY_KFN ty_k_uv_edges ty_k_mesh_edges(const ty_k_view *s, TY_GLOBAL const ty_k_scene_mesh *mesh, ty_u32 prim)
{
    TY_GLOBAL const ty_u32 *t = s->index + 3 * (mesh->index + prim);
    TY_GLOBAL const float *p = s->vertex + 3 * mesh->vertex, *uv = s->uv + 2 * mesh->uv;
    ty_k_vec3 first = ty_k_load3(p + 3 * t[0]);
    ty_k_uv_edges e;
    e.e1 = ty_k_sub(ty_k_load3(p + 3 * t[1]), first), e.e2 = ty_k_sub(ty_k_load3(p + 3 * t[2]), first);
    e.u1 = (ty_real)(uv[2 * t[1]] - uv[2 * t[0]]), e.v1 = (ty_real)(uv[2 * t[1] + 1] - uv[2 * t[0] + 1]);
    e.u2 = (ty_real)(uv[2 * t[2]] - uv[2 * t[0]]), e.v2 = (ty_real)(uv[2 * t[2] + 1] - uv[2 * t[0] + 1]);
    return e;
}

/* a texture where an instance was met, as wide as footprint [m] */
TY_KFN ty_k_texel_sum ty_k_mesh_texture(const ty_k_view *s, TY_GLOBAL const ty_k_scene_mesh *mesh, const ty_k_met *m,
                                        ty_u32 texture, ty_real footprint)
{
    ty_k_texture k = s->texture[texture].k;
    ty_real u = TY_R(0.0), v = TY_R(0.0), per = TY_R(0.0), w = (ty_real)k.w, h = (ty_real)k.h;
    if (mesh->triangles == 0) {
        ty_k_sphere_uv(ty_k_unit(m->facet), &u, &v);
        per = (ty_real)mesh->uv_density;
    } else if (mesh->uv != TY_K_NONE) {
        TY_GLOBAL const ty_u32 *t = s->index + 3 * (mesh->index + m->prim);
        TY_GLOBAL const float *uv = s->uv + 2 * mesh->uv;
        ty_real first = TY_R(1.0) - m->u - m->v;
        u = first * (ty_real)uv[2 * t[0]] + m->u * (ty_real)uv[2 * t[1]] + m->v * (ty_real)uv[2 * t[2]];
        v = first * (ty_real)uv[2 * t[0] + 1] + m->u * (ty_real)uv[2 * t[1] + 1] + m->v * (ty_real)uv[2 * t[2] + 1];
        per = ty_k_uv_density(ty_k_mesh_edges(s, mesh, m->prim));
    }
    ty_k_texel_sum t =
        ty_k_texture_read(k, s->texel + s->texture[texture].at, u * w, v * h, footprint * per * sqrt(w * h));
    if (k.channels == 1) {
        t.v[1] = t.v[2] = t.v[0];
    }
    return t;
}

/* ---- parameters that differ from place to place ---- */

TY_KFN void ty_k_vary_start(const ty_k_view *s, ty_k_surface *f)
{
    TY_GLOBAL const ty_k_scene_material *m = &s->material[f->material];
    f->varied = 1;
    for (int b = 0; b < TY_K_BANDS; b++) {
        f->albedo[b] = (ty_real)m->albedo[b];
    }
    f->key[0] = TY_R(0.0), f->key[1] = (ty_real)m->b, f->key[2] = (ty_real)m->c, f->key[3] = (ty_real)m->bs0;
    f->key[4] = (ty_real)m->hs, f->key[5] = (ty_real)m->bc0, f->key[6] = (ty_real)m->hc;
    f->key[7] = (ty_real)m->theta, f->key[8] = (ty_real)m->phi;
    f->roughness = (ty_real)m->roughness, f->metallic = (ty_real)m->metallic;
}

TY_KFN void ty_k_vary_key(ty_k_surface *f, int key, int band, ty_real value, ty_real share)
{
    if (key != 0) {
        f->key[key] = ty_k_paint(key, f->key[key], value, share);
        return;
    }
    for (int b = 0; b < TY_K_BANDS; b++) {
        if (band < 0 || b == band) {
            f->albedo[b] = ty_k_paint(0, f->albedo[b], value, share);
        }
    }
}

/* The ground at x, y of the traced frame. plain, tint [-]: per band, the ground's albedo in visible light, and what its
 * bands make of it. */
TY_KFN void ty_k_vary_ground(const ty_k_view *s, const float *plain, const float *tint, ty_real x, ty_real y,
                             ty_real footprint, ty_k_surface *f)
{
    ty_k_vary_start(s, f);
    for (int b = 0; b < TY_K_BANDS; b++) {
        f->albedo[b] = (ty_real)plain[b];
    }
    for (int i = 0; i < s->maps; i++) {
        TY_GLOBAL const ty_k_scene_map *m = &s->map[i];
        ty_real per = TY_R(1.0) / (ty_real)m->spacing;
        ty_k_texel_sum v = ty_k_texture_read(m->k, s->map_texel + m->at, (x - (ty_real)m->x0) * per + TY_R(0.5),
                                             (y - (ty_real)m->y0) * per + TY_R(0.5), footprint * per);
        if (v.total > TY_R(1e-6)) {
            ty_k_vary_key(f, m->key, m->band, v.v[0], TY_R(1.0));
        }
    }
    for (int i = 0; i < s->regions; i++) {
        TY_GLOBAL const ty_k_scene_region *r = &s->region[i];
        ty_real edge = (ty_real)r->edge;
        if (x < (ty_real)r->box[0] - edge || x > (ty_real)r->box[1] + edge || y < (ty_real)r->box[2] - edge ||
            y > (ty_real)r->box[3] + edge) {
            continue;
        }
        ty_real inside = r->corners ? ty_k_corners_inside(s->corner + 2 * r->corner, (ty_i32)r->corners, x, y)
                                    : ty_k_circle_inside((ty_real)r->x, (ty_real)r->y, (ty_real)r->radius, x, y);
        ty_real share = ty_k_region_share(inside, edge);
        for (int b = 0; b < TY_K_BANDS && share > TY_R(0.0); b++) {
            ty_k_vary_key(f, 0, b, (ty_real)r->albedo[b], share);
        }
        for (int k = 1; k < TY_K_PAINT_KEYS && share > TY_R(0.0); k++) {
            ty_k_vary_key(f, k, -1, (ty_real)r->key[k], share);
        }
    }
    for (int b = 0; b < TY_K_BANDS; b++) {
        f->albedo[b] = ty_k_min(f->albedo[b] * (ty_real)tint[b], TY_R(0.9999));
    }
}

TY_KFN void ty_k_vary_object(const ty_k_view *s, TY_GLOBAL const ty_k_scene_mesh *mesh, const ty_k_met *m,
                             ty_real footprint, ty_k_surface *f)
{
    TY_GLOBAL const ty_k_scene_material *k = &s->material[f->material];
    ty_k_vary_start(s, f);
    if (k->albedo_map != TY_K_NONE) {
        ty_k_texel_sum t = ty_k_mesh_texture(s, mesh, m, k->albedo_map, footprint);
        ty_real grey = ty_k_luminance(t.v[0], t.v[1], t.v[2]);
        for (int b = 0; b < TY_K_BANDS; b++) {
            f->albedo[b] *= s->bands == 3 && b < 3 ? t.v[b] : grey;
        }
    }
    if (k->rough_map != TY_K_NONE) {
        ty_k_texel_sum t = ty_k_mesh_texture(s, mesh, m, k->rough_map, footprint);
        f->roughness *= t.v[1], f->metallic *= t.v[2];
    }
}

/* ---- normals ---- */

/* between the samples of a tile, straight: k-th array of `side` samples, x, y [samples]; share: k_ground_tone.h */
TY_KFN ty_real ty_k_tone_at(TY_GLOBAL const float *tone, int side, ty_real x, ty_real y, ty_real *share)
{
    int i = (int)x, j = (int)y;
    i = i < side - 1 ? i : side - 2, j = j < side - 1 ? j : side - 2;
    TY_GLOBAL const float *p = tone + j * side + i;
    return ty_k_tone_between((ty_real)p[0], (ty_real)p[1], (ty_real)p[side], (ty_real)p[side + 1], x - (ty_real)i,
                             y - (ty_real)j, share);
}

TY_KFN ty_k_vec3 ty_k_ground_surface(const ty_k_view *s, const ty_k_met *m, ty_k_surface *f)
{
    TY_GLOBAL const ty_k_scene_tile *k = &s->tile[m->tile];
    TY_GLOBAL const float *h = s->height + k->slot * (ty_u32)TY_K_SCENE_SAMPLES;
    TY_GLOBAL const float *tone = s->tone + k->slot * (ty_u32)TY_K_SCENE_TONES;
    int i = (int)(m->prim % TY_K_SCENE_CELLS), j = (int)(m->prim / TY_K_SCENE_CELLS);
    ty_real x = (ty_real)i + m->u, y = (ty_real)j + m->v;
    ty_k_ground g = ty_k_cell(h + j * TY_K_SCENE_STRIDE + i, TY_K_SCENE_STRIDE, m->u, m->v);
    int bent = (k->flags & TY_K_SCENE_CURVED) != 0;
    ty_k_vec3 n = bent ? ty_k_curve_normal(s->radius, k, x, y, g) : ty_k_ground_normal(g, TY_R(1.0) / (ty_real)k->d);
    int toned = (k->flags & TY_K_SCENE_TONED) != 0;
    f->tone = toned ? ty_k_tone_at(tone, TY_K_SCENE_TONE_SIDE, x, y, &f->disturbed) : TY_R(1.0);
    if (k->grain_reach > 0.0f && !bent) {
        ty_real slope = (ty_real)k->grain_slope, per = (ty_real)k->d / TY_K_GRAIN_WIDE;
        if (toned) {
            ty_real none;
            slope *= ty_k_tone_at(tone + TY_K_SCENE_TONE_SIDE * TY_K_SCENE_TONE_SIDE, TY_K_SCENE_GRAIN_SIDE,
                                  x * TY_R(0.125), y * TY_R(0.125), &none) *
                     ty_k_tone_grains(f->disturbed);
        }
        ty_k_grain grain = { (ty_real)k->grain_reach, slope, k->grain_first };
        ty_real u = (ty_real)k->grain_u + x * per, v = (ty_real)k->grain_v + y * per;
        u = u < TY_K_GRAIN_TURN ? u : u - TY_K_GRAIN_TURN, v = v < TY_K_GRAIN_TURN ? v : v - TY_K_GRAIN_TURN;
        n = ty_k_grain_normal(grain, n, u, v, m->t);
    }
    f->material = 0;
    return n;
}

/* shading normal in the traced frame; *facet: geometric, unit */
TY_KFN ty_k_vec3 ty_k_instance_surface(const ty_k_view *s, const ty_k_met *m, ty_k_vec3 at, ty_real time, ty_real cone,
                                       ty_k_surface *f, ty_k_vec3 *facet)
{
    TY_GLOBAL const ty_k_scene_instance *k = &s->instance[m->instance];
    TY_GLOBAL const ty_k_scene_mesh *mesh = &s->mesh[k->mesh];
    ty_k_seat seat = ty_k_seat_at(k, time);
    ty_k_vec3 own = m->facet, n;
    f->tone = (ty_real)k->tone;
    ty_u32 which = mesh->which == TY_K_NONE ? 0 : s->which[mesh->which + m->prim];
    f->material = which ? k->more + which - 1 : k->material;
    if (k->flags & TY_K_SCENE_ROCK) {
        own = ty_k_load3(s->normal + 3 * (mesh->normal + m->prim));
        ty_k_vec3 place =
            ty_k_scale(TY_K_ROCK_CELLS / (ty_real)k->scale, ty_k_seat_turn(seat, TY_R(-1.0), ty_k_sub(at, seat.p)));
        *facet = ty_k_seat_turn(seat, TY_R(1.0), own);
        return ty_k_seat_turn(seat, TY_R(1.0), ty_k_rock_normal(own, place, k->seed));
    }
    if (mesh->triangles != 0 && !(mesh->flags & TY_K_SCENE_SMOOTH)) {
        own = ty_k_load3(s->normal + 3 * (mesh->normal + m->prim));
    }
    *facet = ty_k_unit(ty_k_seat_turn(seat, TY_R(1.0), own));
    n = *facet;
    if (mesh->flags & TY_K_SCENE_SMOOTH) {
        TY_GLOBAL const ty_u32 *t = s->index + 3 * (mesh->index + m->prim);
        TY_GLOBAL const float *normal = s->normal + 3 * mesh->normal;
        own = ty_k_smooth_normal(ty_k_load3(normal + 3 * t[0]), ty_k_load3(normal + 3 * t[1]),
                                 ty_k_load3(normal + 3 * t[2]), m->u, m->v);
        n = ty_k_unit(ty_k_seat_turn(seat, TY_R(1.0), own));
    }
    ty_u32 map = s->material[f->material].normal_map;
    if (map != TY_K_NONE) {
        ty_k_uv_axes axes;
        own = ty_k_unit(own);
        axes.along = own, axes.up = own, axes.ok = 0;
        if (mesh->triangles == 0) {
            axes = ty_k_sphere_axes(own);
        } else if (mesh->uv != TY_K_NONE) {
            axes = ty_k_triangle_axes(own, ty_k_mesh_edges(s, mesh, m->prim));
        }
        if (axes.ok) {
            ty_k_texel_sum t = ty_k_mesh_texture(s, mesh, m, map, cone * m->t);
            own = ty_k_normal_map(own, axes, t.v[0], t.v[1], t.v[2], (ty_real)s->material[f->material].normal_scale);
            n = ty_k_unit(ty_k_seat_turn(seat, TY_R(1.0), own));
        }
    }
    return n;
}

/* shading normal of a clod: soil, uneven as rocks are */
TY_KFN ty_k_vec3 ty_k_clod_surface(const ty_k_view *s, const ty_k_met *m, ty_k_vec3 at, ty_k_surface *f)
{
    TY_GLOBAL const ty_k_scene_clod *c = &s->clod[m->prim];
    f->material = 0, f->tone = TY_R(1.0), f->disturbed = s->clod_disturbed;
    return ty_k_rock_normal(ty_k_unit(m->facet),
                            ty_k_scale(TY_K_ROCK_CELLS / (TY_R(2.0) * (ty_real)c->r), ty_k_sub(at, ty_k_load3(c->p))),
                            c->seed);
}

/* where a ray met a tile, as ty_k_tile_settle() has it; tiles that are bent stay as they were traced */
TY_KFN void ty_k_met_settle(const ty_k_view *s, ty_k_vec3 o, ty_k_vec3 d, ty_k_met *m)
{
    TY_GLOBAL const ty_k_scene_tile *k = &s->tile[m->tile];
    if (TY_K_BENT && k->flags & TY_K_SCENE_CURVED) {
        return;
    }
    TY_GLOBAL const float *h = s->height + k->slot * (ty_u32)TY_K_SCENE_SAMPLES + TY_K_SCENE_STRIDE + 1;
    ty_k_tile_hit hit;
    hit.t = m->t, hit.u = m->u, hit.v = m->v, hit.upper = m->u + m->v > TY_R(1.0);
    hit.i = (ty_i32)(m->prim % TY_K_SCENE_CELLS), hit.j = (ty_i32)(m->prim / TY_K_SCENE_CELLS);
    ty_k_tile_settle(h, ty_k_tile_line(k, o, d), &hit);
    m->t = hit.t, m->u = hit.u, m->v = hit.v;
    m->facet = ty_k_tile_facet(h, hit, (ty_real)k->d);
}

/* What a ray from o along d met. cone [rad]: how wide a pixel sees. */
TY_KFN void ty_k_surface_of(const ty_k_view *s, const float *plain, const float *tint, const ty_k_met *traced,
                            ty_k_vec3 o, ty_k_vec3 d, ty_real time, ty_real cone, ty_k_surface *f)
{
    ty_k_met own = *traced;
    const ty_k_met *m = &own;
    f->varied = 0, f->material = TY_K_NONE, f->disturbed = TY_R(0.0), f->cover = TY_R(0.0);
    if (m->tile == TY_K_NONE && m->instance == TY_K_NONE) {
        return;
    }
    if (m->tile != TY_K_NONE) {
        ty_k_met_settle(s, o, d, &own);
    }
    ty_k_vec3 at = ty_k_add(o, ty_k_scale(m->t, d)), n, facet;
    if (m->tile != TY_K_NONE) {
        n = ty_k_ground_surface(s, m, f);
        facet = ty_k_unit(m->facet);
        facet = ty_k_dot(n, facet) < TY_R(0.0) ? ty_k_scale(TY_R(-1.0), facet) : facet;
    } else if (TY_K_LOOSE && m->instance == TY_K_MET_CLOD) {
        n = ty_k_clod_surface(s, m, at, f);
        facet = ty_k_unit(m->facet);
    } else {
        n = ty_k_instance_surface(s, m, at, time, cone, f, &facet);
    }
    ty_k_facing seen = ty_k_face(n, facet, d);
    int soil = f->material == 0u; /* ground, or a clod */
    if (seen.behind && soil) {    /* the ground from below: a ray that slipped through ends in the dark */
        f->material = TY_K_NONE;
        return;
    }
    f->n = seen.n;
    f->p = ty_k_add(at, ty_k_scale(ty_k_lift(at), seen.facet));
#if TY_K_DUST
    if (s->material[f->material].flags & TY_K_SCENE_DUSTED) {
        ty_k_seat seat = ty_k_seat_at(&s->instance[m->instance], time);
        f->cover = ty_k_paint_coat(s->material[f->material].cover, ty_k_seat_turn(seat, TY_R(-1.0), seen.facet));
    }
#endif
    if (s->material[f->material].flags & TY_K_SCENE_VARIED) {
        if (soil) {
            ty_k_vary_ground(s, plain, tint, at.x, at.y, cone * m->t, f);
        } else {
            ty_k_vary_object(s, &s->mesh[s->instance[m->instance].mesh], m, cone * m->t, f);
        }
    }
}

/* BRDF [1/sr] of a band, under no dust. The laws stand here once: a second call of them takes a fifth of a
 * GPU's frames. */
TY_KFN ty_real ty_k_surface_bare(const ty_k_view *s, const ty_k_surface *f, int band, ty_k_angles a)
{
    TY_GLOBAL const ty_k_scene_material *m = &s->material[f->material];
    ty_real tone = f->tone;
    if (f->disturbed > TY_R(0.0)) {
        tone *= TY_R(1.0) + f->disturbed * (ty_k_tone_disturbed(a.sin2_g) - TY_R(1.0));
    }
    if (m->law == TY_K_LAW_HAPKE && !f->varied) {
        return ty_k_hapke_brdf(s->hapke[(ty_i32)f->material * s->bands + band], a) * tone;
    }
    ty_k_law l = ty_k_law_of(m, band);
    if (f->varied) {
        l.brdf.albedo = l.hapke.w = f->albedo[band];
        l.brdf.roughness = f->roughness, l.brdf.metallic = f->metallic;
        l.hapke.b = f->key[1], l.hapke.c = f->key[2], l.hapke.bs0 = f->key[3], l.hapke.hs = f->key[4];
        l.hapke.bc0 = f->key[5], l.hapke.hc = f->key[6], l.hapke.theta = f->key[7], l.hapke.phi = f->key[8];
    }
    return ty_k_law_eval(l, a) * tone;
}

/* BRDF [1/sr] of a band */
TY_KFN ty_real ty_k_surface_brdf(const ty_k_view *s, const ty_k_surface *f, int band, ty_k_angles a)
{
    ty_real own = ty_k_surface_bare(s, f, band, a);
#if TY_K_DUST
    if (f->cover > TY_R(0.0)) {
        ty_k_surface soil;
        soil.material = 0u, soil.varied = 0, soil.disturbed = TY_R(0.0), soil.tone = ty_k_tone_dusted(TY_R(1.0));
        own = ty_k_paint_dusted(own, ty_k_surface_bare(s, &soil, band, a), f->cover);
    }
#endif
    return own;
}

#endif
