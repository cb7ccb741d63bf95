/* kernels/k_film.h - from a pixel to its radiance and its ground truth: rays from the lens, light straight from lamps,
 * further stretches of a path. Steps of one sample, which kernels/render.cl takes for many, surface by surface, and src/render/gpu/frames.c for one after the
 * other; the host does the same for blocks of them (src/render/host/block.c), with the same random numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TY_K_FILM_H
#define TY_K_FILM_H
#include "k_camera.h"
#include "k_philox.h"
#include "k_sequence.h"
#include "k_surface.h"

/* What a frame is, beside its scene. 32-bit numbers only: the same on host and device. */
typedef struct ty_k_frame {
    ty_k_camera camera;
    ty_i32 width, height, samples, depth;
    ty_i32 jitter, camera_moves, scene_moves;
    ty_u32 seed_low, seed_high;
    float rolling, cone;    /* [-] ty_camera; [rad] how wide a pixel in the middle sees */
    float q[2][4], p[2][3]; /* camera in the traced frame when the shutter opens, closes */
    float plain[TY_K_SCENE_BANDS], tint[TY_K_SCENE_BANDS]; /* ty_k_vary_ground() */
    ty_u32 things, rocks, rock;                            /* ty_k_view */
    float shift[3], radius, centre[3];                     /* centre [m] W: origin of the traced frame */
    ty_i32 bands, maps, regions, lights;
    ty_k_cloud cloud;
    ty_u32 clods;         /* ty_k_view */
    float clod_disturbed; /* likewise */
} ty_k_frame;

#define TY_K_BOUNCE_CONE \
    TY_R(0.05) /* [rad] how wide light between surfaces sees: the details of a texture do not matter */
#define TY_K_TIME_PAIR 0xffffffffu /* of a moving camera: when */

/* Random pairs of a sample: 0 its place in the pixel; then, for every surface of the path, one for each lamp, one for
 * the next direction, one for the choice of lobe. */
TY_KFN ty_k_point2 ty_k_film_random(const ty_k_frame *f, ty_u32 x, ty_u32 y, ty_u32 i, ty_u32 pair)
{
    ty_k_u32x4 s = ty_k_philox(x, y, pair, f->seed_high, f->seed_low, TY_RNG_RENDER);
    return ty_k_sobol(i, s.v[0], s.v[1], s.v[2]);
}
TY_KFN ty_u32 ty_k_film_pair(const ty_k_frame *f, int surface)
{
    return 1u + (ty_u32)surface * ((ty_u32)f->lights + 2u);
}

/* between two attitudes, the shorter way, and two places */
TY_KFN ty_k_seat ty_k_film_seat(const ty_k_frame *f, ty_real time)
{
    ty_k_seat s;
    ty_real wa = TY_R(1.0), wb = TY_R(0.0);
    if (f->camera_moves) {
        ty_real c = (ty_real)(f->q[0][0] * f->q[1][0] + f->q[0][1] * f->q[1][1] + f->q[0][2] * f->q[1][2] +
                              f->q[0][3] * f->q[1][3]);
        ty_k_slerp_weights(c, time, &wa, &wb);
    } else {
        time = TY_R(0.0);
    }
    s.w = wa * (ty_real)f->q[0][0] + wb * (ty_real)f->q[1][0];
    s.q = ty_k_vec(wa * (ty_real)f->q[0][1] + wb * (ty_real)f->q[1][1],
                   wa * (ty_real)f->q[0][2] + wb * (ty_real)f->q[1][2],
                   wa * (ty_real)f->q[0][3] + wb * (ty_real)f->q[1][3]);
    ty_real size = TY_R(1.0) / sqrt(s.w * s.w + ty_k_dot(s.q, s.q));
    s.w *= size, s.q = ty_k_scale(size, s.q);
    s.p = ty_k_vec((ty_real)f->p[0][0] + time * (ty_real)(f->p[1][0] - f->p[0][0]),
                   (ty_real)f->p[0][1] + time * (ty_real)(f->p[1][1] - f->p[0][1]),
                   (ty_real)f->p[0][2] + time * (ty_real)(f->p[1][2] - f->p[0][2]));
    return s;
}

/* a lens's ray in the traced frame, from a camera that stands there; what is no ray never reaches a tracer */
TY_KFN ty_k_ray ty_k_film_place(ty_k_seat s, ty_k_ray r)
{
    r.ok = r.ok && ty_k_dot(r.d, r.d) > TY_R(0.25) && ty_k_dot(r.d, r.d) < TY_R(4.0) && ty_k_dot(r.o, r.o) < TY_R(1e30);
    r.d = ty_k_seat_turn(s, TY_R(1.0), r.d);
    r.o = ty_k_add(s.p, ty_k_seat_turn(s, TY_R(1.0), r.o));
    return r;
}

/* The ray of an image point, 0.5 in the middle of the first pixel, in the traced frame. */
TY_KFN ty_k_ray ty_k_film_ray(const ty_k_frame *f, ty_real u, ty_real v, ty_real time)
{
    ty_real first = ty_k_camera_first(f->camera.kind) - TY_R(0.5);
    ty_k_ray r =
        ty_k_camera_ray(f->camera, u + first, v + first); /* before the seat, or devices keep both in registers */
    return ty_k_film_place(ty_k_film_seat(f, time), r);
}

typedef struct ty_k_aim { /* from a surface on: towards a lamp, or where the path goes on */
    ty_k_vec3 l;
    ty_real far,
        weight; /* [m]; [-] of the light that a surface facing it receives, times mu0; 0: there is nothing to do */
} ty_k_aim;

/* weight: without what the way it faces takes; pair: of random numbers */
TY_KFN ty_k_aim ty_k_film_lamp(const ty_k_view *s, const ty_k_frame *f, ty_k_vec3 p, int m, ty_u32 x, ty_u32 y,
                               ty_u32 i, ty_u32 pair)
{
    TY_GLOBAL const ty_k_scene_light *l = &s->light[m];
    ty_k_aim to;
    to.l = ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(1.0)), to.far = TY_R(3e38), to.weight = TY_R(0.0);
    if (!(l->flags & TY_K_SCENE_ON)) {
        return to;
    }
    ty_real share = TY_R(1.0);
    if (l->kind == TY_K_LIGHT_DISK) {
        ty_k_vec3 axis = ty_k_load3(l->axis), e0, e1;
        ty_k_point2 r = ty_k_film_random(f, x, y, i, pair);
        ty_k_across(axis, &e0, &e1);
        to.l = ty_k_disk_direction(axis, e0, e1, (ty_real)l->tan_radius, r.u, r.v);
    } else {
        ty_k_light k;
        k.kind = l->kind, k.axis = ty_k_load3(l->axis), k.place = ty_k_load3(l->place);
        k.tan_radius = (ty_real)l->tan_radius, k.cos_outer = (ty_real)l->cos_outer;
        k.inv_blend = (ty_real)l->inv_blend;
        ty_k_lit lit = ty_k_light_place(k, p);
        to.l = lit.l, to.far = lit.far * TY_R(0.99999), share = lit.share;
    }
    to.weight = ty_k_max(share, TY_R(0.0));
    return to;
}

/* ---- dust between surfaces ----
 *
 * A stretch of a path is cut where it goes through dust; every part sends a ray to each lamp, from a place drawn by how much light comes
 * from there, and these go through dust themselves. From one place for all samples, shadows in the dust would have as many contours as there
 * are parts. As src/render/host/medium.c, with the same random numbers. */

#define TY_K_HAZE_PAIR  0xffff0000u /* of random numbers: the point of a lamp, for each surface */
#define TY_K_HAZE_PLACE 0xfffe0000u /* the place in a part, likewise */

typedef struct ty_k_haze {
    ty_k_cloud_part part[TY_K_CLOUD_PARTS];
    ty_i32 n;
    ty_real narrow; /* [-] 1: what is diffracted is lost, as for the sky */
} ty_k_haze;

TY_KFN void ty_k_haze_cut(const ty_k_view *s, ty_k_vec3 o, ty_k_vec3 d, ty_real far, int narrow, ty_k_haze *h)
{
    h->n = s->cloud.k.grids > 0 ? ty_k_cloud_parts(&s->cloud, o, d, ty_k_min(far, TY_R(1e9)), h->part) : 0;
    h->narrow = narrow ? TY_R(1.0) : TY_R(0.0);
}

/* [-] that passes a part */
TY_KFN ty_real ty_k_haze_pass(const ty_k_haze *h, ty_real tau)
{
    return ty_k_medium_pass(tau * (TY_R(1.0) + h->narrow));
}

/* [1/sr] of the light that comes to a part from l: what it scatters back along a stretch d; ahead [-]: 1: what is diffracted straight on is seen; 0: on the
 * way to a surface it is part of what passes */
TY_KFN ty_real ty_k_haze_scatter(const ty_k_cloud *k, ty_real tau, ty_real ahead, ty_k_vec3 d, ty_k_vec3 l)
{
    ty_k_vec3 turn = ty_k_sub(l, d);
    ty_real phase = ty_k_medium_phase((ty_real)k->lobe, -(ty_real)k->lobe, (ty_real)k->share, ty_k_dot(l, d));
    ty_real straight = ahead * ty_k_medium_ahead((ty_real)k->spread, ty_k_dot(turn, turn));
    return ty_k_medium_scatter(TY_R(1.0), TY_R(1.0), (ty_real)k->albedo * phase + straight, tau);
}

/* [-] of a lamp's light that passes the dust before it */
TY_KFN ty_real ty_k_haze_before(const ty_k_view *s, ty_k_vec3 o, ty_k_aim to)
{
    return TY_K_DUST && s->cloud.k.grids > 0
               ? ty_k_medium_pass(ty_k_cloud_depth(&s->cloud, o, to.l, ty_k_min(to.far, TY_R(1e9))))
               : TY_R(1.0);
}

/* Adds to film what the dust of a stretch scatters to its beginning, and leaves in `through` what passes it: from o along d to number `surface` of the surfaces
 * of a path, far away; met: there is one. Returns how many rays were traced. */
TY_KFN ty_u32 ty_k_film_haze(const ty_k_view *s, const ty_k_frame *f, ty_k_vec3 o, ty_k_vec3 d, ty_real far, int met,
                             ty_real time, ty_u32 x, ty_u32 y, ty_u32 i, int surface, ty_real *through,
                             TY_LOCAL ty_real *film)
{
    ty_k_haze h;
    ty_u32 rays = 0u;
    ty_real ahead = surface == 0 ? TY_R(1.0) : TY_R(0.0), place = TY_R(0.5);
    ty_k_haze_cut(s, o, d, far, !met, &h);
    if (h.n > 0) {
        place = ty_k_film_random(f, x, y, i, TY_K_HAZE_PLACE + (ty_u32)surface).u;
    }
    for (ty_i32 k = 0; k < h.n; k++) {
        ty_k_cloud_part part = h.part[k];
        ty_real at = ty_k_medium_within(part.quarter, ty_k_medium_place(part.tau, place));
        ty_k_vec3 from = ty_k_add(o, ty_k_scale(part.t0 + (part.t1 - part.t0) * at, d));
        for (int m = 0; m < s->lights; m++) {
            ty_k_aim to = ty_k_film_lamp(s, f, from, m, x, y, i, TY_K_HAZE_PAIR + (ty_u32)surface);
            if (to.weight > TY_R(0.0)) {
                ty_k_met shade = ty_k_scene_ray(s, from, to.l, time, to.far, 1);
                rays++;
                if (!ty_k_met_any(&shade)) {
                    ty_real left = to.weight * ty_k_haze_scatter(&s->cloud.k, part.tau, ahead, d, to.l) *
                                   ty_k_haze_before(s, from, to);
                    for (int b = 0; b < TY_K_BANDS && b < s->bands; b++) {
                        film[b] += through[b] * left * (ty_real)s->light[m].power[b];
                    }
                }
            }
        }
        ty_real pass = ty_k_haze_pass(&h, part.tau);
        for (int b = 0; b < TY_K_BANDS; b++) {
            through[b] *= pass;
        }
    }
    return rays;
}

/* the disks of lamps that are seen themselves */
TY_KFN void ty_k_film_sky(const ty_k_view *s, ty_k_vec3 d, const ty_real *through, TY_LOCAL ty_real *film)
{
    for (int m = 0; m < s->lights; m++) {
        TY_GLOBAL const ty_k_scene_light *l = &s->light[m];
        if (!(l->flags & TY_K_SCENE_SEEN)) {
            continue;
        }
        ty_k_disk k;
        k.axis = ty_k_load3(l->axis), k.lit = ty_k_load3(l->lit);
        ty_k_across(k.axis, &k.e0, &k.e1);
        k.chord2 = (ty_real)l->chord2, k.inv_sin = (ty_real)l->inv_sin;
        k.globe = (l->flags & TY_K_SCENE_GLOBE) != 0;
        ty_real share = ty_k_disk_seen(k, d);
        for (int b = 0; b < TY_K_BANDS && b < s->bands; b++) {
            film[b] += through[b] * (share * (ty_real)l->radiance[b]);
        }
    }
}

/* The next direction from a surface seen from v. */
TY_KFN ty_k_aim ty_k_film_bounce(const ty_k_view *s, const ty_k_frame *f, const ty_k_surface *at, ty_k_vec3 v, ty_u32 x,
                                 ty_u32 y, ty_u32 i, int surface)
{
    ty_u32 pair = ty_k_film_pair(f, surface) + (ty_u32)f->lights;
    ty_k_point2 lobe = ty_k_film_random(f, x, y, i, pair + 1u), r = ty_k_film_random(f, x, y, i, pair);
    ty_k_vec3 n = at->n, e0, e1, l;
    ty_k_aim to;
    ty_real pdf;
    ty_k_across(n, &e0, &e1);
    TY_GLOBAL const ty_k_scene_material *m = &s->material[at->material];
    if (m->law < TY_K_LAW_HAPKE) {
        ty_k_vec3 own = ty_k_vec(ty_k_dot(v, e0), ty_k_dot(v, e1), ty_k_dot(v, n));
        ty_k_brdf law = ty_k_law_of(m, 0).brdf;
#if TY_K_DUST
        law = ty_k_brdf_under_dust(law, at->cover);
#endif
        l = ty_k_brdf_sample(law, own, r.u, r.v, lobe.u);
        pdf = ty_k_brdf_pdf(law, ty_k_angles_of(l, own));
    } else {
        l = ty_k_sample_cosine(r.u, r.v);
        pdf = ty_k_pdf_cosine(l.z);
    }
    to.l = ty_k_add(ty_k_add(ty_k_scale(l.x, e0), ty_k_scale(l.y, e1)), ty_k_scale(l.z, n));
    ty_real mu0 = ty_k_dot(to.l, n);
    to.far = TY_R(3e38);
    to.weight = mu0 > TY_R(0.0) && pdf > TY_R(0.0) ? mu0 / pdf : TY_R(0.0);
    return to;
}

/* Where sample number i of pixel x, y begins: its ray, and when. */
TY_KFN ty_k_ray ty_k_film_begin(const ty_k_frame *f, ty_u32 x, ty_u32 y, ty_u32 i, ty_real *time)
{
    ty_real u = (ty_real)(ty_i32)x + TY_R(0.5), v = (ty_real)(ty_i32)y + TY_R(0.5);
    *time = TY_R(0.0);
    if (f->jitter) {
        ty_k_point2 r = ty_k_film_random(f, x, y, i, 0u);
        u = (ty_real)(ty_i32)x + r.u, v = (ty_real)(ty_i32)y + r.v;
    }
    if (f->camera_moves || f->scene_moves) {
        ty_real late = (ty_real)f->rolling;
        *time = late * v / (ty_real)f->height + (TY_R(1.0) - late) * ty_k_film_random(f, x, y, i, TY_K_TIME_PAIR).u;
    }
    return ty_k_film_ray(f, u, v, *time);
}

/* What is left of the light that goes from a surface along `to`: of the path, or of a lamp's [W/m^2/sr]. */
TY_KFN void ty_k_film_reflect(const ty_k_view *s, const ty_k_surface *at, ty_k_vec3 d, ty_k_aim to, int lamp,
                              ty_real *through, ty_real *brings)
{
    ty_k_angles a = ty_k_angles_about(at->n, to.l, ty_k_scale(TY_R(-1.0), d));
    for (int b = 0; b < TY_K_BANDS && b < s->bands; b++) {
        ty_real left = through[b] * (ty_k_surface_brdf(s, at, b, a) * to.weight);
        if (lamp < s->lights) {
            brings[b] = left * (ty_real)s->light[lamp].power[b];
        } else {
            through[b] = left;
        }
    }
}

/* From a surface that was met along d: whether the path goes on, along *l with what is then left of it. */
TY_KFN int ty_k_film_on(const ty_k_view *s, const ty_k_frame *f, const ty_k_surface *at, ty_k_vec3 d, ty_u32 x,
                        ty_u32 y, ty_u32 i, int surface, ty_real *through, ty_k_vec3 *l)
{
    ty_k_aim to = ty_k_film_bounce(s, f, at, ty_k_scale(TY_R(-1.0), d), x, y, i, surface);
    if (to.weight != TY_R(0.0)) {
        ty_k_film_reflect(s, at, d, to, s->lights, through, through);
        *l = to.l;
    }
    return to.weight != TY_R(0.0);
}

/* From there: adds the light of the lamps to film; *lit: the first one reaches it. Returns how many rays were traced. */
TY_KFN ty_u32 ty_k_film_lamps(const ty_k_view *s, const ty_k_frame *f, const ty_k_surface *at, ty_k_vec3 d,
                              ty_real time, ty_u32 x, ty_u32 y, ty_u32 i, int surface, ty_real *through,
                              TY_LOCAL ty_real *film, int *lit)
{
    ty_u32 rays = 0u;
    ty_real brings[TY_K_BANDS];
    *lit = 0;
    for (int m = 0; m < s->lights; m++) {
        ty_k_aim to = ty_k_film_lamp(s, f, at->p, m, x, y, i, ty_k_film_pair(f, surface) + (ty_u32)m);
        to.weight *= ty_k_max(ty_k_dot(at->n, to.l), TY_R(0.0));
        if (to.weight != TY_R(0.0)) {
            ty_k_film_reflect(s, at, d, to, m, through, brings);
            ty_k_met shade = ty_k_scene_ray(s, at->p, to.l, time, to.far, 1);
            rays++;
            if (!ty_k_met_any(&shade)) {
                ty_real pass = ty_k_haze_before(s, at->p, to);
                *lit |= m == 0;
                for (int b = 0; b < TY_K_BANDS && b < s->bands; b++) {
                    film[b] += brings[b] * pass;
                }
            }
        }
    }
    return rays;
}

/* ---- ground truth ---- */

/* [-] along the camera's z of the ray through an image point; as the lens has it, which keeps its digits far off the axis */
TY_KFN ty_real ty_k_film_axis(const ty_k_frame *f, ty_real u, ty_real v)
{
    ty_real first = ty_k_camera_first(f->camera.kind) - TY_R(0.5);
    return ty_k_camera_ray(f->camera, u + first, v + first).d.z;
}

typedef struct ty_k_truth {
    float range, along; /* [m] along the ray, along the camera's z; INFINITY: sky */
    float normal[3], albedo;
    ty_u32 instance, kind; /* labels as ty_render_buffers has them; kind: its low 7 bits, then as follows */
    ty_u32 prim;           /* that was met */
} ty_k_truth;

#define TY_K_LABEL_GROUND 0x40000000u
#define TY_K_LABEL_CLODS  0x40000001u
enum { TY_K_KIND_GROUND = 1, TY_K_KIND_GRAIN = 6 }; /* ty_render_class */
/* of kind: the ray is so low over the surface, or looks so far aside, that a float's direction is off by more than 1e-5 of the depth;
 * above this bit stands the number of the tile, or of the instance */
#define TY_K_TRUTH_LOW  128u
#define TY_K_TRUTH_SLOT 8
#define TY_K_LOW_SINE   TY_R(0.06)

/* [m] from a hit on a tile's triangles onto its spline, along the ray; *n: the spline's normal. Where the spline is not met
 * near the triangle, as on a crest that a ray grazes, the triangle holds. */
TY_KFN ty_real ty_k_truth_ground(const ty_k_view *s, const ty_k_met *m, ty_k_vec3 o, ty_k_vec3 d, ty_k_vec3 *n)
{
    TY_GLOBAL const ty_k_scene_tile *k = &s->tile[m->tile];
    TY_GLOBAL const float *h = s->height + k->slot * (ty_u32)TY_K_SCENE_SAMPLES;
    ty_real w = (ty_real)k->d, per = TY_R(1.0) / w, t = m->t, change = TY_R(0.0);
    ty_k_vec3 from = ty_k_sub(o, ty_k_load3(k->p)), first = ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(1.0));
    for (int step = 0; step < 8; step++) {
        ty_real x = (from.x + t * d.x) * per, y = (from.y + t * d.y) * per;
        int i = x >= (ty_real)(TY_K_SCENE_CELLS - 1) ? TY_K_SCENE_CELLS - 1 : x > TY_R(0.0) ? (int)x : 0;
        int j = y >= (ty_real)(TY_K_SCENE_CELLS - 1) ? TY_K_SCENE_CELLS - 1 : y > TY_R(0.0) ? (int)y : 0;
        ty_k_ground g = ty_k_cell(h + j * TY_K_SCENE_STRIDE + i, TY_K_SCENE_STRIDE, x - (ty_real)i, y - (ty_real)j);
        *n = ty_k_ground_normal(g, per);
        first = step == 0 ? *n : first;
        ty_real rate = d.z - g.zx * per * d.x - g.zy * per * d.y;
        change = fabs(rate) > TY_R(1e-9) ? -(from.z + t * d.z - g.z) / rate : TY_R(0.0);
        change = ty_k_clamp(change, -w, w);
        t += change;
        if (fabs(change) < TY_R(3e-7) * (TY_R(1.0) + t)) {
            break;
        }
    }
    if (fabs(change) < TY_R(3e-6) * (TY_R(1.0) + t) && fabs(t - m->t) <= TY_K_SPLINE_NEAR * w) {
        return t;
    }
    *n = first;
    return m->t;
}

/* [m] the same on a tile that is bent round the Moon: along the ray to the tangent plane, and to the cell's place there */
TY_KFN ty_real ty_k_truth_bent(const ty_k_view *s, const ty_k_frame *f, const ty_k_met *m, ty_k_vec3 o, ty_k_vec3 d,
                               ty_k_vec3 *n)
{
    TY_GLOBAL const ty_k_scene_tile *k = &s->tile[m->tile];
    TY_GLOBAL const float *h = s->height + k->slot * (ty_u32)TY_K_SCENE_SAMPLES;
    ty_real w = (ty_real)k->d, t = m->t, last = (ty_real)(TY_K_SCENE_CELLS - 1);
    ty_real u = (ty_real)(m->prim % TY_K_SCENE_CELLS) + m->u, v = (ty_real)(m->prim / TY_K_SCENE_CELLS) + m->v;
    o = ty_k_add(o, ty_k_vec((ty_real)f->centre[0], (ty_real)f->centre[1], (ty_real)f->centre[2]));
    for (int step = 0; step < 8; step++) {
        int i = (int)ty_k_clamp(u, TY_R(0.0), last), j = (int)ty_k_clamp(v, TY_R(0.0), last);
        ty_k_ground g = ty_k_cell(h + j * TY_K_SCENE_STRIDE + i, TY_K_SCENE_STRIDE, u - (ty_real)i, v - (ty_real)j);
        ty_k_chart c = ty_k_chart_at(s->radius, ((ty_real)k->x * (ty_real)TY_K_SCENE_CELLS + u) * w,
                                     ((ty_real)k->y * (ty_real)TY_K_SCENE_CELLS + v) * w, (ty_real)k->z0 + g.z);
        ty_k_vec3 a = ty_k_add(ty_k_scale(w, c.px), ty_k_scale(g.zx, c.pz));
        ty_k_vec3 b = ty_k_add(ty_k_scale(w, c.py), ty_k_scale(g.zy, c.pz)), up = ty_k_cross(a, b);
        ty_k_vec3 gap = ty_k_add(ty_k_sub(o, c.p), ty_k_scale(t, d));
        ty_real size = ty_k_dot(up, up), rate = ty_k_dot(up, d);
        *n = ty_k_unit(up);
        ty_real change = fabs(rate) > TY_R(1e-6) * sqrt(size) ? -ty_k_dot(up, gap) / rate : TY_R(0.0);
        change = ty_k_clamp(change, -w, w);
        t += change;
        gap = ty_k_add(gap, ty_k_scale(change, d));
        u += ty_k_dot(ty_k_cross(gap, b), up) / size, v += ty_k_dot(ty_k_cross(a, gap), up) / size;
        if (fabs(change) < TY_R(3e-7) * t) {
            break;
        }
    }
    return t;
}

/* Where a ray that met something meets the surface itself, its normal there and labels; false: it met nothing. */
TY_KFN int ty_k_truth_met(const ty_k_view *s, const ty_k_frame *f, ty_k_met *m, ty_k_vec3 o, ty_k_vec3 d, ty_real time,
                          ty_k_vec3 *n, ty_u32 *instance, ty_u32 *kind)
{
    if (m->tile != TY_K_NONE) {
        m->t = TY_K_BENT && s->tile[m->tile].flags & TY_K_SCENE_CURVED ? ty_k_truth_bent(s, f, m, o, d, n)
                                                                       : ty_k_truth_ground(s, m, o, d, n);
        *instance = TY_K_LABEL_GROUND, *kind = TY_K_KIND_GROUND;
        return 1;
    }
    if (m->instance == TY_K_NONE) {
        return 0;
    }
    if (TY_K_LOOSE && m->instance == TY_K_MET_CLOD) {
        *n = ty_k_unit(m->facet);
        *instance = TY_K_LABEL_CLODS, *kind = TY_K_KIND_GRAIN;
        return 1;
    }
    TY_GLOBAL const ty_k_scene_instance *k = &s->instance[m->instance];
    *n = ty_k_unit(ty_k_seat_turn(ty_k_seat_at(k, time), TY_R(1.0), m->facet));
    *instance = k->label, *kind = k->kind;
    return 1;
}

/* [-] of the first band, under the dust that lies there; varied: with textures and maps */
TY_KFN ty_real ty_k_truth_albedo(const ty_k_view *s, const ty_k_surface *at, int varied)
{
    ty_real soil = (ty_real)s->material[0].albedo[0];
    if (at->material == TY_K_NONE) {
        return soil;
    }
    ty_real own = varied ? at->albedo[0] : (ty_real)s->material[at->material].albedo[0];
    return at->cover > TY_R(0.0) ? ty_k_paint_dusted(own, soil, at->cover) : own;
}

/* of the ray through an image point */
TY_KFN ty_k_truth ty_k_truth_of(const ty_k_view *s, const ty_k_frame *f, ty_real u, ty_real v)
{
    ty_k_truth out;
    ty_k_ray r = ty_k_film_ray(f, u, v, TY_R(0.0));
    out.range = out.along = (float)INFINITY, out.albedo = 0.0f, out.instance = 0u, out.kind = out.prim = 0u;
    out.normal[0] = out.normal[1] = out.normal[2] = 0.0f;
    if (!r.ok) {
        return out;
    }
    ty_k_met m = ty_k_scene_ray(s, r.o, r.d, TY_R(0.0), TY_R(3e38), 0);
    ty_k_vec3 n = ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(0.0));
    ty_real traced = m.t;
    if (!ty_k_truth_met(s, f, &m, r.o, r.d, TY_R(0.0), &n, &out.instance, &out.kind)) {
        return out;
    }
    ty_k_surface at;
    ty_k_surface_of(s, f->plain, f->tint, &m, r.o, r.d, TY_R(0.0), (ty_real)f->cone, &at);
    ty_real axis = ty_k_film_axis(f, u, v);
    out.range = (float)m.t, out.along = (float)(m.t * axis), out.prim = m.prim;
    out.normal[0] = (float)n.x, out.normal[1] = (float)n.y, out.normal[2] = (float)n.z;
    if (out.instance != TY_K_LABEL_CLODS && ty_k_min(fabs(ty_k_dot(n, r.d)), fabs(axis)) < TY_K_LOW_SINE) {
        out.range = (float)traced; /* where the host begins, as it does with rays of its own */
        out.kind |= TY_K_TRUTH_LOW | (m.tile != TY_K_NONE ? m.tile : m.instance) << TY_K_TRUTH_SLOT;
    }
    out.albedo = (float)ty_k_truth_albedo(s, &at, at.varied);
    return out;
}

/* [m] along the camera's z alone; INFINITY: sky */
TY_KFN float ty_k_depth_of(const ty_k_view *s, const ty_k_frame *f, ty_real u, ty_real v)
{
    ty_k_ray r = ty_k_film_ray(f, u, v, TY_R(0.0));
    if (!r.ok) {
        return (float)INFINITY;
    }
    ty_k_met m = ty_k_scene_ray(s, r.o, r.d, TY_R(0.0), TY_R(3e38), 0);
    ty_k_vec3 n, z;
    ty_u32 instance, kind;
    if (!ty_k_truth_met(s, f, &m, r.o, r.d, TY_R(0.0), &n, &instance, &kind)) {
        return (float)INFINITY;
    }
    z = ty_k_seat_turn(ty_k_film_seat(f, TY_R(0.0)), TY_R(1.0), ty_k_vec(TY_R(0.0), TY_R(0.0), TY_R(1.0)));
    return (float)(m.t * ty_k_dot(r.d, z));
}

/* ---- single rays of other sensors ---- */

typedef struct ty_k_trace_ray {
    float o[3], d[3]; /* [m] in the traced frame; unit */
    float time, far;  /* [-]; [m], below 0: idle */
} ty_k_trace_ray;

typedef struct ty_k_trace_hit { /* as ty_trace_hit has it */
    float range, reflectance, albedo, normal[3];
    ty_u32 instance, kind;
#if TY_K_DUST
    float tau, haze[TY_K_CLOUD_PARTS][2]; /* ty_trace_haze */
#endif
} ty_k_trace_hit;

#if TY_K_DUST
/* what dust takes of a ray's light, and sends back of it */
TY_KFN void ty_k_trace_dust(const ty_k_view *s, ty_k_vec3 o, ty_k_vec3 d, ty_real far, ty_k_trace_hit *out)
{
    ty_k_haze h;
    const ty_k_cloud *k = &s->cloud.k;
    out->tau = 0.0f;
    for (int i = 0; i < TY_K_CLOUD_PARTS; i++) {
        out->haze[i][0] = out->haze[i][1] = 0.0f;
    }
    if (k->grids == 0) {
        return;
    }
    ty_k_haze_cut(s, o, d, far, 1, &h);
    ty_real phase = ty_k_medium_phase((ty_real)k->lobe, -(ty_real)k->lobe, (ty_real)k->share, TY_R(-1.0));
    ty_real pass = TY_R(1.0);
    for (int i = 0; i < h.n; i++) {
        ty_k_cloud_part p = h.part[i];
        ty_real both = TY_R(2.0) * p.tau;
        out->haze[i][0] = (float)(p.t0 + (p.t1 - p.t0) * ty_k_medium_middle(TY_R(2.0) * both));
        out->haze[i][1] = (float)(pass * pass * ty_k_medium_back(TY_R(0.5) * (ty_real)k->albedo, phase, both));
        out->tau += (float)both;
        pass *= ty_k_haze_pass(&h, p.tau);
    }
}
#else
#define ty_k_trace_dust(s, o, d, far, out) ((void)0)
#endif

/* What a ray meets, and how much light goes back along it in a band. */
TY_KFN ty_k_trace_hit ty_k_trace_of(const ty_k_view *s, const ty_k_frame *f, ty_k_trace_ray q, int band)
{
    ty_k_trace_hit out;
    ty_k_vec3 o = ty_k_vec((ty_real)q.o[0], (ty_real)q.o[1], (ty_real)q.o[2]);
    ty_k_vec3 d = ty_k_vec((ty_real)q.d[0], (ty_real)q.d[1], (ty_real)q.d[2]), n = d;
    ty_real time = (ty_real)q.time;
    out.range = (float)INFINITY, out.reflectance = out.albedo = 0.0f, out.instance = 0u, out.kind = 0u;
    out.normal[0] = out.normal[1] = out.normal[2] = 0.0f;
    if (!(q.far >= 0.0f)) {
        ty_k_trace_dust(s, o, d, TY_R(-1.0), &out);
        return out;
    }
    /* a little farther, as triangles may lie behind the surface they stand for */
    ty_k_met m = ty_k_scene_ray(s, o, d, time, (ty_real)q.far * TY_R(1.001), 0);
    ty_k_met at = m;
    ty_u32 instance, kind;
    int met = ty_k_truth_met(s, f, &m, o, d, time, &n, &instance, &kind) && m.t <= (ty_real)q.far;
    ty_k_trace_dust(s, o, d, met ? m.t : (ty_real)q.far, &out);
    if (!met) {
        return out;
    }
    ty_k_surface g;
    ty_k_surface_of(s, f->plain, f->tint, &at, o, d, time, TY_R(0.0), &g);
    ty_real side = ty_k_dot(n, d) > TY_R(0.0) ? TY_R(-1.0) : TY_R(1.0);
    out.range = (float)m.t, out.instance = instance, out.kind = kind;
    out.normal[0] = (float)(side * n.x), out.normal[1] = (float)(side * n.y), out.normal[2] = (float)(side * n.z);
    out.albedo = (float)ty_k_truth_albedo(s, &g, 0);
    if (g.material != TY_K_NONE) {
        ty_k_vec3 back = ty_k_scale(TY_R(-1.0), d);
        out.reflectance =
            (float)(ty_k_surface_brdf(s, &g, band, ty_k_angles_about(g.n, back, back)) * ty_k_dot(g.n, back));
    }
    return out;
}

#endif
