/* src/render/host/medium.c - what lies between surfaces: rays cut into stretches, light that a medium lets through and
 * light that it scatters once.
 *
 * Every part of a ray's way in the medium sends one shadow ray to each lamp, from where its light comes from on the
 * mean; that ray too goes through the medium.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lanes.h"
#include "k_medium.h"
#include "tycho/trace.h"

void ty_scene_set_medium(ty_scene *s, const ty_medium *medium)
{
    s->medium = medium ? *medium : (ty_medium){ NULL, NULL, NULL };
}

static ty_trace_ray ray_of(const ty_scene *s, const tyi_render_rays *r, unsigned k)
{
    ty_vec3 o = { (double)r->ox[k], (double)r->oy[k], (double)r->oz[k] };
    return (ty_trace_ray){ .from = ty_add(o, s->centre),
                           .dir = { (double)r->dx[k], (double)r->dy[k], (double)r->dz[k] },
                           .far = (double)r->far[k],
                           .time = (double)r->time[k] };
}

/* the parts of a ray's way in the medium, as far as they make sense */
static int cut(const ty_scene *s, const ty_trace_ray *ray, ty_medium_part *part)
{
    int n = s->medium.parts ? s->medium.parts(ray, s->def.bands, TY_MEDIUM_PARTS, part, s->medium.user) : 0, kept = 0;
    float end = 0.0f;
    for (int i = 0; i < n && i < TY_MEDIUM_PARTS; i++) {
        ty_medium_part p = part[i];
        p.t0 = fmaxf(p.t0, end);
        p.t1 = fminf(p.t1, (float)ray->far);
        if (p.t1 > p.t0 && isfinite(p.t1)) {
            part[kept++] = p;
            end = p.t1;
        }
    }
    return kept;
}

void tyi_render_ray_pass(const ty_scene *s, const tyi_render_rays *rays, unsigned k, float *pass)
{
    ty_medium_part part[TY_MEDIUM_PARTS];
    float tau[TY_BANDS] = { 0.0f };
    int n = 0;
    ty_trace_ray ray = ray_of(s, rays, k);
    if (s->medium.depth) {
        s->medium.depth(&ray, s->def.bands, tau, s->medium.user);
    } else if (s->medium.parts) {
        n = cut(s, &ray, part);
    }
    for (int i = 0; i < n; i++) {
        for (int band = 0; band < s->def.bands; band++) {
            tau[band] += part[i].extinction[band] * (part[i].t1 - part[i].t0);
        }
    }
    for (int band = 0; band < s->def.bands; band++) {
        pass[band] = tau[band] > 0.0f ? ty_k_medium_pass(tau[band]) : 1.0f;
    }
}

void tyi_render_block_pass(tyi_render_block *b, const tyi_render_frame *f)
{
    const ty_scene *s = f->scene;
    for (int band = 0; band < s->def.bands; band++) {
        for (int k = 0; k < N; k++) {
            b->pass[band][k] = b->shadow.far[k] > 0.0f ? 1.0f : 0.0f;
        }
    }
    for (unsigned k = 0; k < N && s->medium.parts; k++) {
        float pass[TY_BANDS];
        if (b->shadow.far[k] > 0.0f) {
            tyi_render_ray_pass(s, &b->shadow, k, pass);
            for (int band = 0; band < s->def.bands; band++) {
                b->pass[band][k] = pass[band];
            }
        }
    }
}

/* shadow rays from the parts' middles to a lamp, in the first lanes of b->shadow; lit[i] is what it gives there */
static void aim_parts(tyi_render_block *b, const tyi_render_frame *f, const ty_trace_ray *ray, int lane,
                      const tyi_render_lamp *lamp, const ty_medium_part *part, int n, ty_k_lit *lit)
{
    tyi_render_rays *r = &b->shadow;
    ty_vec3 from = ty_sub(ray->from, f->scene->centre);
    for (int i = 0; i < TYI_RENDER_PACKET; i++) {
        r->near[i] = 0.0f, r->far[i] = -1.0f;
    }
    for (int i = 0; i < n; i++) {
        float wide = part[i].t1 - part[i].t0, t = part[i].t0 + wide * ty_k_medium_middle(part[i].extinction[0] * wide);
        ty_vec3 p = ty_add(from, ty_scale((double)t, ray->dir));
        r->ox[i] = (float)p.x, r->oy[i] = (float)p.y, r->oz[i] = (float)p.z;
        lit[i] =
            tyi_render_lamp_at(lamp, ty_k_vec(r->ox[i], r->oy[i], r->oz[i]), b->u[lane], b->v[lane], f->scene->centre);
        r->dx[i] = lit[i].l.x, r->dy[i] = lit[i].l.y, r->dz[i] = lit[i].l.z;
        r->time[i] = (float)ray->time;
        r->far[i] = lit[i].share > 0.0f ? lit[i].far * 0.99999f : -1.0f;
        b->rays += r->far[i] > 0.0f;
    }
}

/* the light of all lamps that parts scatter back along a ray; in[i] is the stretch of part i */
static void scatter(tyi_render_block *b, const tyi_render_frame *f, const ty_trace_ray *ray, int lane,
                    const ty_medium_part *part, int n, ty_ray_segment *const *in)
{
    for (int m = 0; m < f->shading->lamps; m++) {
        const tyi_render_lamp *lamp = &f->shading->lamp[m];
        ty_k_lit lit[TY_MEDIUM_PARTS];
        if (!lamp->on) {
            continue;
        }
        aim_parts(b, f, ray, lane, lamp, part, n, lit);
        tyi_render_accel_occlude(f->scene->accel, &b->shadow, TYI_RENDER_PACKET);
        for (int i = 0; i < n; i++) {
            const ty_medium_part *p = &part[i];
            float pass[TY_BANDS], wide = p->t1 - p->t0;
            if (!(b->shadow.far[i] > 0.0f)) {
                continue;
            }
            tyi_render_ray_pass(f->scene, &b->shadow, (unsigned)i, pass);
            ty_k_vec3 d = ty_k_vec((float)ray->dir.x, (float)ray->dir.y, (float)ray->dir.z);
            /* light travels against l and leaves against d: straight on is when the lamp lies ahead of the eye */
            float phase = ty_k_medium_phase(p->lobe[0], p->lobe[1], p->share, ty_k_dot(lit[i].l, d));
            ty_k_vec3 turn = ty_k_sub(lit[i].l, d);
            float ahead = p->ahead > 0.0f ? p->ahead * ty_k_medium_ahead(p->spread, ty_k_dot(turn, turn)) : 0.0f;
            for (int band = 0; band < f->scene->def.bands; band++) {
                in[i]->radiance[band] +=
                    ty_k_medium_scatter(lit[i].share * lamp->power[band] * pass[band], 1.0f,
                                        p->albedo[band] * phase + ahead, p->extinction[band] * wide);
            }
        }
    }
}

static ty_ray_segment *add_segment(ty_ray_segments *s, float t0, float t1)
{
    ty_ray_segment *at = &s->segment[s->count++];
    *at = (ty_ray_segment){ .t0 = t0, .t1 = t1 };
    for (int band = 0; band < TY_BANDS; band++) {
        at->transmittance[band] = 1.0f;
    }
    return at;
}

/* what passes a part, and what it sends back where light came from; narrow: what is diffracted is lost. Returns its optical depth in a band */
static float weigh(const ty_medium_part *p, int bands, bool narrow, int band, ty_ray_segment *out)
{
    float wide = (p->t1 - p->t0) * (narrow ? 1.0f + p->ahead : 1.0f);
    float phase = ty_k_medium_phase(p->lobe[0], p->lobe[1], p->share, -1.0f);
    for (int c = 0; c < bands; c++) {
        float tau = p->extinction[c] * wide;
        out->transmittance[c] = ty_k_medium_pass(tau);
        out->back[c] = ty_k_medium_back(p->albedo[c] / (narrow ? 1.0f + p->ahead : 1.0f), phase, tau);
    }
    return p->extinction[band] * wide;
}

float tyi_render_lane_segments(tyi_render_block *b, const tyi_render_frame *f, int k, const ty_trace_ray *ray, int band,
                               bool narrow, ty_ray_segments *out)
{
    _Static_assert(TY_RAY_SEGMENTS >= 2 * TY_MEDIUM_PARTS + 1, "a gap before each part and one after the last");
    _Static_assert(TYI_RENDER_PACKET >= TY_MEDIUM_PARTS, "a lane for each part");
    ty_medium_part part[TY_MEDIUM_PARTS];
    ty_ray_segment *in[TY_MEDIUM_PARTS];
    float at = 0.0f, tau = 0.0f, end = (float)ray->far;
    out->count = 0;
    if (!(ray->far >= 0.0)) {
        return 0.0f;
    }
    int n = cut(f->scene, ray, part);
    for (int i = 0; i < n; i++) {
        if (part[i].t0 > at) {
            add_segment(out, at, part[i].t0);
        }
        in[i] = add_segment(out, part[i].t0, part[i].t1);
        tau += weigh(&part[i], f->scene->def.bands, narrow, band, in[i]);
        at = part[i].t1;
    }
    if (end > at || !out->count) {
        add_segment(out, at, end);
    }
    if (n) {
        scatter(b, f, ray, k, part, n, in);
    }
    return tau;
}

#define MEDIUM_PAIR 0xffff0000u /* of random numbers: the point of a lamp that lights the medium, for each surface */

void tyi_render_block_medium(tyi_render_block *b, const tyi_render_frame *f, uint32_t i, int surface)
{
    tyi_render_block_random(b, f->def.seed, i, MEDIUM_PAIR + (uint32_t)surface);
    for (int k = 0; k < N; k++) {
        ty_ray_segments way;
        ty_trace_ray ray = ray_of(f->scene, &b->ray, (unsigned)k);
        tyi_render_lane_segments(b, f, k, &ray, 0, b->ray.slot[k] == TYI_RENDER_NOTHING, &way);
        for (int s = 0; s < way.count; s++) {
            for (int band = 0; band < f->scene->def.bands; band++) {
                b->film[band][k] += b->through[band][k] * way.segment[s].radiance[band];
                b->through[band][k] *= way.segment[s].transmittance[band];
            }
        }
    }
}
