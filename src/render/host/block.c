/* src/render/host/block.c - one tile of the image: rays from the lens, light, further stretches of the paths, film.
 *
 * All samples of one number, one for each pixel of the tile, go through the steps together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lanes.h"
#include <string.h>
#include "k_sample.h"

size_t tyi_render_block_bytes(void)
{
    return sizeof(tyi_render_block);
}
void tyi_render_block_start(const tyi_render_frame *f, int worker)
{
    tyi_render_rays_init(&f->block[worker].ray);
    tyi_render_rays_init(&f->block[worker].shadow);
}
tyi_render_rays *tyi_render_block_rays(const tyi_render_frame *f, int worker)
{
    return &f->block[worker].ray;
}
size_t tyi_render_shading_bytes(void)
{
    return sizeof(struct tyi_render_shading);
}
void tyi_render_frame_shading(const tyi_render_frame *f)
{
    tyi_render_shading_make(f->shading, f);
}

/* Random pairs of a sample: 0 its place in the pixel; then, for every surface of the path, one for
 * each lamp, one for the next direction, one for the choice of lobe. */
static uint32_t first_pair(const tyi_render_frame *f, int surface)
{
    return 1u + (uint32_t)surface * ((uint32_t)f->shading->lamps + 2u);
}

/* lane to pixel: 4 x 4 pixels for every 16 lanes, so that the rays of a packet stay together */
static void place_lanes(tyi_render_block *b, const tyi_render_frame *f, size_t tile)
{
    int x0 = (int)(tile % (size_t)f->across) * TYI_RENDER_PIXELS,
        y0 = (int)(tile / (size_t)f->across) * TYI_RENDER_PIXELS;
    for (int k = 0; k < N; k++) {
        int x = x0 + (k >> 4 & 3) * 4 + (k & 3), y = y0 + (k >> 6) * 4 + (k >> 2 & 3);
        bool in = x < f->camera->width && y < f->camera->height;
        b->x[k] = in ? x : -1;
        b->y[k] = in ? y : -1;
    }
}

/* rays of the lens for the image points u, v at the rays' times; a lane that has none becomes idle */
TYI_PER_ISA __attribute__((flatten)) static void lens_rays(tyi_render_block *b, const tyi_render_frame *f)
{
    const ty_k_frame *film = &f->shading->film;
    float first = ty_k_camera_first(film->camera.kind) - 0.5f;
    ty_k_seat still = ty_k_film_seat(film, 0.0f);
    bool own = f->camera->lens == TY_LENS_OWN;
    for (int k = 0; k < N; k++) {
        ty_k_seat seat = film->camera_moves ? ty_k_film_seat(film, b->ray.time[k]) : still;
        ty_k_ray r = own ? tyi_render_film_own(f->camera, b->u[k], b->v[k])
                         : ty_k_camera_ray(film->camera, b->u[k] + first, b->v[k] + first);
        r = ty_k_film_place(seat, r);
        b->ray.far[k] = r.ok ? b->ray.far[k] : -1.0f;
        b->ray.ox[k] = r.ok ? r.o.x : 0.0f, b->ray.oy[k] = r.ok ? r.o.y : 0.0f, b->ray.oz[k] = r.ok ? r.o.z : 0.0f;
        b->ray.dx[k] = r.ok ? r.d.x : 0.0f, b->ray.dy[k] = r.ok ? r.d.y : 0.0f, b->ray.dz[k] = r.ok ? r.d.z : 1.0f;
    }
}

static void start_paths(tyi_render_block *b, const tyi_render_frame *f, uint32_t i)
{
    if (f->def.jitter) {
        tyi_render_block_random(b, f->def.seed, i, 0);
    }
    for (int k = 0; k < N; k++) {
        b->u[k] = (float)b->x[k] + (f->def.jitter ? b->u[k] : 0.5f);
        b->v[k] = (float)b->y[k] + (f->def.jitter ? b->v[k] : 0.5f);
        b->ray.near[k] = 0.0f;
        b->ray.far[k] = b->x[k] >= 0 ? INFINITY : -1.0f;
    }
    memset(b->ray.time, 0, sizeof b->ray.time);
    if (f->camera->moving || f->scene->moving) {
        float u[N], v[N];
        memcpy(u, b->u, sizeof u);
        memcpy(v, b->v, sizeof v);
        tyi_render_block_random(b, f->def.seed, i, TY_K_TIME_PAIR);
        for (int k = 0; k < N; k++) { /* a row's share of the window, and when in it */
            float late = (float)f->camera->rolling;
            b->ray.time[k] = late * v[k] / (float)f->camera->height + (1.0f - late) * b->u[k];
        }
        memcpy(b->u, u, sizeof u);
        memcpy(b->v, v, sizeof v);
    }
    lens_rays(b, f);
    for (int band = 0; band < f->scene->def.bands; band++) {
        for (int k = 0; k < N; k++) {
            b->through[band][k] = 1.0f;
        }
    }
}

static size_t active(const tyi_render_rays *r)
{
    int n = 0;
    for (int k = 0; k < N; k++) {
        n += r->near[k] <= r->far[k];
    }
    return (size_t)n;
}

/* shadow rays; lanes without a surface, or turned away from the light, are idle */
static void aim_finish(tyi_render_block *b)
{
    for (int k = 0; k < N; k++) {
        float mu0 =
            b->normal.x[k] * b->shadow.dx[k] + b->normal.y[k] * b->shadow.dy[k] + b->normal.z[k] * b->shadow.dz[k];
        bool on = b->material[k] >= 0 && mu0 > 0.0f && b->share[k] > 0.0f;
        b->share[k] = on ? b->share[k] * mu0 : 0.0f;
        b->shadow.ox[k] = b->point.x[k], b->shadow.oy[k] = b->point.y[k], b->shadow.oz[k] = b->point.z[k];
        b->shadow.near[k] = 0.0f;
        b->shadow.time[k] = b->ray.time[k];
        b->shadow.far[k] = on ? b->shadow.far[k] : -1.0f;
    }
}

static void expose(tyi_render_block *b, const tyi_render_lamp *lamp, int bands)
{
    for (int band = 0; band < bands; band++) {
        for (int k = 0; k < N; k++) {
            float pass = b->pass[band][k];
            b->film[band][k] +=
                pass > 0.0f ? b->through[band][k] * b->f[band][k] * b->share[k] * lamp->power[band] * pass : 0.0f;
        }
    }
}

static bool any_surface(const tyi_render_block *b)
{
    int n = 0;
    for (int k = 0; k < N; k++) {
        n += b->material[k] >= 0;
    }
    return n > 0;
}

/* keeps a block's rays as they are before they are traced; which: 0 primary, 1 towards the first lamp */
static void record(const tyi_render_block *b, const tyi_render_frame *f, uint32_t i, int which)
{
    if (f->scene->tape) {
        const tyi_render_rays *r = which ? &b->shadow : &b->ray;
        memcpy(&f->scene->tape[2 * (b->tile * (size_t)f->def.samples + i) + (size_t)which], r, sizeof *r);
    }
}

void tyi_render_block_light(tyi_render_block *b, const tyi_render_frame *f, uint32_t i, uint32_t pair, bool first)
{
    for (int m = 0; m < f->shading->lamps; m++) {
        const tyi_render_lamp *lamp = &f->shading->lamp[m];
        if (!lamp->on) {
            continue;
        }
        if (lamp->kind->random) {
            tyi_render_block_random(b, f->def.seed, i, pair + (uint32_t)m);
        }
        lamp->kind->aim(b, lamp, f->scene->centre);
        aim_finish(b);
        b->rays += active(&b->shadow);
        if (first && m == 0) {
            record(b, f, i, 1);
        }
        tyi_render_accel_occlude(f->scene->accel, &b->shadow, N);
        tyi_render_block_pass(b, f);
        tyi_render_block_brdf(b, f->scene, f->shading, f->scene->def.bands, true);
        expose(b, lamp, f->scene->def.bands);
        for (int k = 0; k < N && first && m == 0; k++) {
            b->lit[k] += b->shadow.far[k] > 0.0f ? 1.0f : 0.0f;
        }
    }
}

/* One lane's next direction, towards its shadow ray's place; returns 1 / density, 0 where the path
 * ends. */
static float next_direction(tyi_render_block *b, const tyi_render_brdf *m, int k, float lobe)
{
    ty_k_vec3 n = ty_k_vec(b->normal.x[k], b->normal.y[k], b->normal.z[k]), e0, e1, l;
    ty_k_vec3 v = ty_k_vec(-b->ray.dx[k], -b->ray.dy[k], -b->ray.dz[k]);
    ty_k_across(n, &e0, &e1);
    ty_k_vec3 own = ty_k_vec(ty_k_dot(v, e0), ty_k_dot(v, e1), ty_k_dot(v, n));
    float pdf;
    if (m->law->lobed) {
        ty_k_brdf law = ty_k_brdf_under_dust(m->other[0], b->cover[k]);
        l = ty_k_brdf_sample(law, own, b->u[k], b->v[k], lobe);
        pdf = ty_k_brdf_pdf(law, ty_k_angles_of(l, own));
    } else if (b->low[k]) {
        l = ty_k_sample_skyline(ty_k_skyline_a2(n), b->u[k], b->v[k]);
        pdf = ty_k_pdf_skyline(ty_k_skyline_a2(n), l.z);
    } else {
        l = ty_k_sample_cosine(b->u[k], b->v[k]);
        pdf = ty_k_pdf_cosine(l.z);
    }
    l = ty_k_add(ty_k_add(ty_k_scale(l.x, e0), ty_k_scale(l.y, e1)), ty_k_scale(l.z, n));
    b->shadow.dx[k] = l.x, b->shadow.dy[k] = l.y, b->shadow.dz[k] = l.z;
    float mu0 = ty_k_dot(l, n);
    return mu0 > 0.0f && pdf > 0.0f ? mu0 / pdf : 0.0f;
}

bool tyi_render_block_bounce(tyi_render_block *b, const tyi_render_frame *f, uint32_t i, uint32_t pair)
{
    tyi_render_rays *r = &b->ray;
    float lobe[N];
    tyi_render_block_random(b, f->def.seed, i, pair + 1);
    memcpy(lobe, b->u, sizeof lobe);
    tyi_render_block_random(b, f->def.seed, i, pair);
    for (int k = 0; k < N; k++) {
        b->share[k] = b->material[k] >= 0 ? next_direction(b, &f->shading->brdf[b->material[k]], k, lobe[k]) : 0.0f;
    }
    tyi_render_block_brdf(b, f->scene, f->shading, f->scene->def.bands, false);
    bool any = false;
    for (int k = 0; k < N; k++) {
        bool on = b->material[k] >= 0 && b->share[k] > 0.0f;
        any = any || on;
        for (int band = 0; band < f->scene->def.bands; band++) {
            b->through[band][k] *= on ? b->f[band][k] * b->share[k] : 0.0f;
        }
        r->ox[k] = b->point.x[k], r->oy[k] = b->point.y[k], r->oz[k] = b->point.z[k];
        r->dx[k] = b->shadow.dx[k], r->dy[k] = b->shadow.dy[k], r->dz[k] = b->shadow.dz[k];
        r->near[k] = 0.0f;
        r->far[k] = on ? INFINITY : -1.0f;
    }
    return any;
}

static void develop(const tyi_render_block *b, const tyi_render_frame *f)
{
    size_t w = (size_t)f->camera->width, plane = w * (size_t)f->camera->height;
    float each = 1.0f / (float)f->def.samples;
    for (int k = 0; k < N; k++) {
        if (b->x[k] < 0) {
            continue;
        }
        size_t at = (size_t)b->y[k] * w + (size_t)b->x[k];
        for (int band = 0; band < f->scene->def.bands && f->out->radiance; band++) {
            f->out->radiance[(size_t)band * plane + at] = b->film[band][k] * each;
        }
        if (f->out->sunlit) {
            f->out->sunlit[at] = b->seen[k] > 0.0f ? b->lit[k] / b->seen[k] : 0.0f;
        }
    }
}

/* what the rays meet, and the light that lamps send straight to it; false: nothing is met */
static bool meet(tyi_render_block *b, const tyi_render_frame *f, uint32_t i, int surface)
{
    b->rays += active(&b->ray);
    b->ray.coherent = surface == 0;
    tyi_render_accel_hit(f->scene->accel, &b->ray, N);
    if (f->scene->medium.parts) {
        tyi_render_block_medium(b, f, i, surface);
    }
    b->cone = surface == 0 ? f->cone : TY_K_BOUNCE_CONE;
    tyi_render_block_resolve(b, f);
    if (surface == 0) {
        tyi_render_lamps_see(b, f->shading, f->scene->def.bands);
        for (int k = 0; k < N; k++) {
            b->seen[k] += b->material[k] >= 0 ? 1.0f : 0.0f;
        }
        memcpy(b->straight, b->film[0], sizeof b->straight);
    }
    if (!any_surface(b)) {
        return false;
    }
    tyi_render_block_light(b, f, i, first_pair(f, surface), surface == 0);
    return true;
}

void tyi_render_block_follow(tyi_render_block *b, const tyi_render_frame *f, uint32_t i)
{
    for (int surface = 1; surface < f->def.depth; surface++) {
        uint32_t pair = first_pair(f, surface - 1) + (uint32_t)f->shading->lamps;
        if (!tyi_render_block_bounce(b, f, i, pair) || !meet(b, f, i, surface)) {
            return;
        }
    }
}

void tyi_render_block_render(const tyi_render_frame *f, size_t tile, int worker)
{
    tyi_render_block *b = &f->block[worker];
    place_lanes(b, f, tile);
    b->rays = 0;
    b->tile = tile;
    memset(b->film, 0, sizeof b->film);
    memset(b->lit, 0, sizeof b->lit);
    memset(b->seen, 0, sizeof b->seen);
    memset(b->scrambled, 0, sizeof b->scrambled);
    memset(b->low, 0, sizeof b->low);
    b->second = b->square = b->seconds = 0.0;
    for (uint32_t i = 0; i < (uint32_t)f->def.samples; i++) {
        start_paths(b, f, i);
        record(b, f, i, 0);
        if (!meet(b, f, i, 0)) {
            continue;
        }
        if (f->def.split > 0 && f->def.depth > 1) {
            tyi_render_block_split(b, f, i);
        } else {
            tyi_render_block_follow(b, f, i);
        }
    }
    develop(b, f);
    f->rays[worker] += b->rays;
}
