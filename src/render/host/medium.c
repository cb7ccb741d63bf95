/* src/render/host/medium.c - what lies between surfaces: rays cut into stretches, light that a medium lets through and
 * light that it scatters once.
 *
 * Every part of a ray's way in the medium sends one shadow ray to each lamp, from a place drawn by how much of its light comes from there
 * (single rays: from where it comes from on the mean); that ray too goes through the medium.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lanes.h"
#include <string.h>
#include "k_medium.h"
#include "tycho/trace.h"

void ty_scene_set_medium(ty_scene *s, const ty_medium *medium)
{
    s->medium = medium ? *medium : (ty_medium){ NULL, NULL, NULL, NULL };
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

enum { WAYS = N / TY_MEDIUM_PARTS }; /* whose parts' shadow rays go together */

/* a ray's way in the medium, and the light of lamps that each part scatters back along it */
typedef struct way {
    ty_trace_ray ray;
    int lane, n;
    bool broad;  /* light on its way to a surface: what is diffracted straight on is part of what passes */
    float place; /* [-] quantile of a part's light that its shadow rays leave from; below 0: the mean */
    ty_medium_part part[TY_MEDIUM_PARTS];
    float light[TY_MEDIUM_PARTS][TY_BANDS];
} way;

static void cut_way(const ty_scene *s, const ty_trace_ray *ray, int lane, way *w)
{
    w->ray = *ray, w->lane = lane, w->place = -1.0f, w->broad = false;
    w->n = ray->far >= 0.0 ? cut(s, ray, w->part) : 0;
    memset(w->light, 0, (size_t)w->n * sizeof *w->light);
}

/* shadow rays from all parts to a lamp, in the first lanes of b->shadow; lit[i] is what it gives there. Returns how many */
static unsigned aim_parts(tyi_render_block *b, const tyi_render_frame *f, const tyi_render_lamp *lamp, const way *w,
                          int ways, ty_k_lit *lit)
{
    tyi_render_rays *r = &b->shadow;
    unsigned n = 0;
    for (int k = 0; k < ways; k++) {
        ty_vec3 from = ty_sub(w[k].ray.from, f->scene->centre);
        for (int i = 0; i < w[k].n; i++, n++) {
            const ty_medium_part *p = &w[k].part[i];
            float wide = p->t1 - p->t0, tau = p->extinction[0] * wide;
            float x = w[k].place < 0.0f ? ty_k_medium_middle(tau) : ty_k_medium_place(tau, w[k].place);
            float t = p->t0 + wide * ty_k_medium_within(p->quarter, x);
            ty_vec3 at = ty_add(from, ty_scale((double)t, w[k].ray.dir));
            r->ox[n] = (float)at.x, r->oy[n] = (float)at.y, r->oz[n] = (float)at.z;
            lit[n] = tyi_render_lamp_at(lamp, ty_k_vec(r->ox[n], r->oy[n], r->oz[n]), b->u[w[k].lane], b->v[w[k].lane],
                                        f->scene->centre);
            r->dx[n] = lit[n].l.x, r->dy[n] = lit[n].l.y, r->dz[n] = lit[n].l.z;
            r->time[n] = (float)w[k].ray.time, r->near[n] = 0.0f;
            r->far[n] = lit[n].share > 0.0f ? lit[n].far * 0.99999f : -1.0f;
            b->rays += r->far[n] > 0.0f;
        }
    }
    for (unsigned i = n; i % TYI_RENDER_PACKET; i++) {
        r->near[i] = 0.0f, r->far[i] = -1.0f;
    }
    return n;
}

/* what a part scatters back along its ray of light that comes to it */
static void add_light(const way *w, int i, const tyi_render_lamp *lamp, ty_k_lit lit, const float *pass, int bands,
                      float *light)
{
    const ty_medium_part *p = &w->part[i];
    ty_k_vec3 d = ty_k_vec((float)w->ray.dir.x, (float)w->ray.dir.y, (float)w->ray.dir.z);
    /* light travels against l and leaves against d: straight on is when the lamp lies ahead of the eye */
    float phase = ty_k_medium_phase(p->lobe[0], p->lobe[1], p->share, ty_k_dot(lit.l, d)), wide = p->t1 - p->t0;
    ty_k_vec3 turn = ty_k_sub(lit.l, d);
    float ahead = p->ahead > 0.0f && !w->broad ? p->ahead * ty_k_medium_ahead(p->spread, ty_k_dot(turn, turn)) : 0.0f;
    for (int band = 0; band < bands; band++) {
        light[band] += ty_k_medium_scatter(lit.share * lamp->power[band] * pass[band], 1.0f,
                                           p->albedo[band] * phase + ahead, p->extinction[band] * wide);
    }
}

/* the light of all lamps */
static void scatter(tyi_render_block *b, const tyi_render_frame *f, way *w, int ways)
{
    ty_k_lit lit[N];
    for (int m = 0; m < f->shading->lamps; m++) {
        const tyi_render_lamp *lamp = &f->shading->lamp[m];
        unsigned n = lamp->on ? aim_parts(b, f, lamp, w, ways, lit) : 0;
        if (!n) {
            continue;
        }
        tyi_render_accel_occlude(f->scene->accel, &b->shadow,
                                 (n + TYI_RENDER_PACKET - 1) / TYI_RENDER_PACKET * TYI_RENDER_PACKET);
        n = 0;
        for (int k = 0; k < ways; k++) {
            for (int i = 0; i < w[k].n; i++, n++) {
                float pass[TY_BANDS];
                if (b->shadow.far[n] > 0.0f) {
                    tyi_render_ray_pass(f->scene, &b->shadow, n, pass);
                    add_light(&w[k], i, lamp, lit[n], pass, f->scene->def.bands, w[k].light[i]);
                }
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
                               bool narrow, bool lit, ty_ray_segments *out)
{
    _Static_assert(TY_RAY_SEGMENTS >= 2 * TY_MEDIUM_PARTS + 1, "a gap before each part and one after the last");
    way w;
    float at = 0.0f, tau = 0.0f, end = (float)ray->far;
    out->count = 0;
    if (!(ray->far >= 0.0)) {
        return 0.0f;
    }
    cut_way(f->scene, ray, k, &w);
    if (lit && w.n) {
        scatter(b, f, &w, 1);
    }
    for (int i = 0; i < w.n; i++) {
        if (w.part[i].t0 > at) {
            add_segment(out, at, w.part[i].t0);
        }
        ty_ray_segment *in = add_segment(out, w.part[i].t0, w.part[i].t1);
        tau += weigh(&w.part[i], f->scene->def.bands, narrow, band, in);
        memcpy(in->radiance, w.light[i], sizeof in->radiance);
        at = w.part[i].t1;
    }
    if (end > at || !out->count) {
        add_segment(out, at, end);
    }
    return tau;
}

#define MEDIUM_PAIR  0xffff0000u /* of random numbers: the point of a lamp that lights the medium, for each surface */
#define MEDIUM_PLACE 0xfffe0000u /* the place in a part, likewise */

/* parts over each other, from the eye outwards */
static void lay_over(tyi_render_block *b, const tyi_render_frame *f, const way *w)
{
    bool narrow = b->ray.slot[w->lane] == TYI_RENDER_NOTHING;
    for (int i = 0; i < w->n; i++) {
        const ty_medium_part *p = &w->part[i];
        float wide = (p->t1 - p->t0) * (narrow ? 1.0f + p->ahead : 1.0f);
        for (int band = 0; band < f->scene->def.bands; band++) {
            b->film[band][w->lane] += b->through[band][w->lane] * w->light[i][band];
            b->through[band][w->lane] *= ty_k_medium_pass(p->extinction[band] * wide);
        }
    }
}

/* random numbers of all lanes, once one of them meets the medium: where in its parts, and the points of lamps (u, v) */
static void draw(tyi_render_block *b, const tyi_render_frame *f, uint32_t i, int surface, float place[N])
{
    tyi_render_block_random(b, f->def.seed, i, MEDIUM_PLACE + (uint32_t)surface);
    memcpy(place, b->u, N * sizeof *place);
    tyi_render_block_random(b, f->def.seed, i, MEDIUM_PAIR + (uint32_t)surface);
}

void tyi_render_block_medium(tyi_render_block *b, const tyi_render_frame *f, uint32_t i, int surface)
{
    way w[WAYS];
    int ways = 0;
    bool drawn = false;
    float place[N];
    for (int k = 0; k < N; k++) {
        ty_trace_ray ray = ray_of(f->scene, &b->ray, (unsigned)k);
        cut_way(f->scene, &ray, k, &w[ways]);
        if (w[ways].n > 0) {
            if (!drawn) {
                draw(b, f, i, surface, place);
                drawn = true;
            }
            w[ways].broad = surface > 0;
            w[ways++].place = place[k];
        }
        if (ways == WAYS || (k == N - 1 && ways)) {
            scatter(b, f, w, ways);
            for (int q = 0; q < ways; q++) {
                lay_over(b, f, &w[q]);
            }
            ways = 0;
        }
    }
}
