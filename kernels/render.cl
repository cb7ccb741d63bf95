/* kernels/render.cl - frames on a device: one work item per pixel (k_film.h). Arrays and their order: src/render/gpu/store.h. With
 * TY_K_TOGETHER only the film, so that each variant of it is built alone
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_film.h"

#define SCENE                                                                                                       \
    __global const ty_k_scene_material *material, __global const ty_k_hapke *hapke,                                 \
        __global const ty_k_scene_mesh *mesh, __global const ty_k_scene_instance *instance,                         \
        __global const float *vertex, __global const ty_u32 *index, __global const float *normal,                   \
        __global const float *uv, __global const ty_u32 *which, __global const ty_k_scene_texture *texture,         \
        __global const float *texel, __global const ty_k_scene_map *map, __global const float *map_texel,           \
        __global const ty_k_scene_region *region, __global const float *corner,                                     \
        __global const ty_k_scene_light *light, __global const ty_k_scene_tile *tile, __global const float *height, \
        __global const float *tone, __global const float *bound, __global const ty_u32 *curve,                      \
        __global const float *curved, __global const ty_k_bvh_node *node, __global const ty_u32 *item,              \
        __global const ty_u32 *root, __global const ty_k_bvh_triangle *triangle,                                    \
        __global const ty_k_cloud_grid *cloud, __global const float *haze, ty_k_frame frame

#define VIEW                                                                                                    \
    ty_k_view view;                                                                                             \
    view.material = material, view.hapke = hapke, view.mesh = mesh, view.instance = instance;                   \
    view.vertex = vertex, view.index = index, view.normal = normal, view.uv = uv, view.which = which;           \
    view.texture = texture, view.texel = texel, view.map = map, view.map_texel = map_texel;                     \
    view.region = region, view.corner = corner, view.light = light, view.tile = tile, view.height = height;     \
    view.tone = tone, view.bound = bound, view.curve = curve, view.curved = curved, view.radius = frame.radius, \
    view.node = node, view.item = item, view.root = root, view.triangle = triangle;                             \
    view.cloud.k = frame.cloud, view.cloud.grid = cloud, view.cloud.value = haze;                               \
    view.things = frame.things, view.rocks = frame.rocks, view.rock = frame.rock;                               \
    view.shift = ty_k_vec(frame.shift[0], frame.shift[1], frame.shift[2]);                                      \
    view.bands = TY_K_BANDS, view.maps = frame.maps, view.regions = frame.regions, view.lights = frame.lights

#ifdef TY_K_TOGETHER

enum { GROUP = 128 }; /* items of a group */

/* The pixel of a lane of a group of pixels: of 16 x 8 pixels, 8 x 8, 8 x 4, 4 x 4 or 4 x 2, row by row. (By Morton's curve frames were slower: 416 against 423 a
 * second on an H200.) */
enum { ACROSS = TY_K_TOGETHER > 4 ? 4 : TY_K_TOGETHER > 1 ? 8 : 16, DOWN = GROUP / TY_K_TOGETHER / ACROSS };
static void pixel_of(const ty_k_frame *f, int group, int lane, int *x, int *y)
{
    int groups = (f->width + ACROSS - 1) / ACROSS, n = lane / TY_K_TOGETHER;
    *x = group % groups * ACROSS + n % ACROSS, *y = group / groups * DOWN + n / ACROSS;
}

/* A group's samples, each in its place: their sum to the pixel of the first of them, in their order, and the rays of all. */
static inline __attribute__((always_inline)) void group_out(const ty_k_frame *f, int lane, int group, int x, int y,
                                                            __local float (*given)[TY_K_BANDS + 2],
                                                            __local ty_u32 *count, __global float *radiance,
                                                            __global float *sunlit, __global ty_u32 *rays)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        ty_u32 sum_rays = 0;
        for (int k = 0; k < GROUP; k++) {
            sum_rays += count[k];
        }
        rays[group] = sum_rays;
    }
    if (lane % TY_K_TOGETHER != 0 || x >= f->width || y >= f->height) {
        return;
    }
    float all[TY_K_BANDS + 2];
    for (int b = 0; b < TY_K_BANDS + 2; b++) {
        all[b] = given[lane][b];
        for (int k = 1; k < TY_K_TOGETHER; k++) {
            all[b] += given[lane + k][b];
        }
    }
    int at = y * f->width + x, plane = f->width * f->height;
    float each = 1.0f / (float)f->samples;
    for (int b = 0; b < TY_K_BANDS; b++) {
        radiance[b * plane + at] = all[b] * each;
    }
    sunlit[at] = all[TY_K_BANDS] > 0.0f ? all[TY_K_BANDS + 1] / all[TY_K_BANDS] : 0.0f;
}

#if !TY_K_PACK

/* Radiance, band after band, the visible share of the first lamp, and the rays that each group traced. A group is GROUP items: TY_K_TOGETHER
 * samples of each pixel side by side, at least one, so that neighbouring lanes do alike; they are summed in their order. */
__kernel void film(SCENE, __global float *radiance, __global float *sunlit, __global ty_u32 *rays)
{
    __local float given[GROUP][TY_K_BANDS + 2];
    __local ty_u32 count[GROUP];
    int lane = (int)get_local_id(0), group = (int)get_group_id(0), x, y, seen = 0, lit = 0;
    pixel_of(&frame, group, lane, &x, &y);
    int in = x < frame.width && y < frame.height;
    VIEW;
    __local float *sum = given[lane];
    ty_u32 traced = 0;
    for (int b = 0; b < TY_K_BANDS; b++) {
        sum[b] = 0.0f;
    }
    for (int i = lane % TY_K_TOGETHER; i < frame.samples && in; i += TY_K_TOGETHER) {
        int a, l;
        traced += ty_k_film_sample(&view, &frame, (ty_u32)x, (ty_u32)y, (ty_u32)i, sum, &a, &l);
        seen += a, lit += l;
    }
    given[lane][TY_K_BANDS] = (float)seen, given[lane][TY_K_BANDS + 1] = (float)lit;
    count[lane] = traced;
    group_out(&frame, lane, group, x, y, given, count, radiance, sunlit, rays);
}

#else

/* ---- light between surfaces, one surface after the other ----
 *
 * What ty_k_film_sample() does for one sample after the other, for many at once: rays of the lens, then for each surface the rays from there to the lamps and the
 * stretch to the next. Paths that met something on it are put into a list, so that the next kernel's lanes all have one. A path adds to its sample's own place, in its
 * own order: its bits do not depend on where in the list it is. Items are samples: of each group of pixels all batches of TY_K_TOGETHER samples, one after the other.
 * room: of lists and samples, which have numbers of a kind side by side. */

enum { MET = 8 + TY_K_BANDS, SAMPLE = TY_K_BANDS + 3 }; /* of a path's 17 + TY_K_BANDS numbers the first of what it met; numbers of a sample */

typedef struct path {
    ty_k_vec3 o, d; /* of the stretch */
    float time, through[TY_K_BANDS];
    ty_u32 sample;
} path;

static void put(__global ty_u32 *to, ty_u32 room, ty_u32 n, float value)
{
    to[n * room] = as_uint(value);
}
static float get(__global const ty_u32 *from, ty_u32 room, ty_u32 n)
{
    return as_float(from[n * room]);
}

static void path_put(__global ty_u32 *to, ty_u32 room, const path *p)
{
    put(to, room, 0, p->o.x), put(to, room, 1, p->o.y), put(to, room, 2, p->o.z);
    put(to, room, 3, p->d.x), put(to, room, 4, p->d.y), put(to, room, 5, p->d.z);
    put(to, room, 6, p->time), to[7 * room] = p->sample;
    for (int b = 0; b < TY_K_BANDS; b++) {
        put(to, room, (ty_u32)(8 + b), p->through[b]);
    }
}

static void met_put(__global ty_u32 *to, ty_u32 room, const ty_k_met *m)
{
    to[MET * room] = m->tile, to[(MET + 1) * room] = m->instance, to[(MET + 2) * room] = m->prim;
    put(to, room, MET + 3, m->t), put(to, room, MET + 4, m->u), put(to, room, MET + 5, m->v);
    put(to, room, MET + 6, m->facet.x), put(to, room, MET + 7, m->facet.y), put(to, room, MET + 8, m->facet.z);
}

static void path_get(__global const ty_u32 *from, ty_u32 room, path *p)
{
    p->o = ty_k_vec(get(from, room, 0), get(from, room, 1), get(from, room, 2));
    p->d = ty_k_vec(get(from, room, 3), get(from, room, 4), get(from, room, 5));
    p->time = get(from, room, 6), p->sample = from[7 * room];
    for (int b = 0; b < TY_K_BANDS; b++) {
        p->through[b] = get(from, room, (ty_u32)(8 + b));
    }
}

static void met_get(__global const ty_u32 *from, ty_u32 room, ty_k_met *m)
{
    m->tile = from[MET * room], m->instance = from[(MET + 1) * room], m->prim = from[(MET + 2) * room];
    m->t = get(from, room, MET + 3), m->u = get(from, room, MET + 4), m->v = get(from, room, MET + 5);
    m->facet = ty_k_vec(get(from, room, MET + 6), get(from, room, MET + 7), get(from, room, MET + 8));
}

/* pixel and number of a sample; first: group of pixels that the launch begins with */
static void sample_of(const ty_k_frame *f, ty_u32 sample, int first, int batches, int *x, int *y, int *i)
{
    int lane = (int)(sample % GROUP), n = (int)(sample / GROUP);
    pixel_of(f, first + n / batches, lane, x, y);
    *i = n % batches * TY_K_TOGETHER + lane % TY_K_TOGETHER;
}

/* rays of the lens, and the sky; counts: of the lists after each surface, of rays and of paths, none yet */
__kernel void film_rays(SCENE, int first, int batches, ty_u32 room, __global ty_u32 *paths, __global float *sample,
                        __global ty_u32 *counts)
{
    __local float given[GROUP][TY_K_BANDS];
    ty_u32 n = (ty_u32)get_global_id(0);
    __local float *film = given[get_local_id(0)];
    int x, y, i;
    sample_of(&frame, n, first, batches, &x, &y, &i);
    VIEW;
    path p;
    ty_k_met m;
    ty_k_ray r = ty_k_film_begin(&frame, (ty_u32)x, (ty_u32)y, (ty_u32)i, &p.time);
    int live = r.ok && i < frame.samples && x < frame.width && y < frame.height;
    p.o = r.o, p.d = r.d, p.sample = n;
    m.tile = m.instance = TY_K_NONE;
    for (int b = 0; b < TY_K_BANDS; b++) {
        p.through[b] = 1.0f, film[b] = 0.0f;
    }
    if (live) {
        m = ty_k_scene_ray(&view, p.o, p.d, p.time, 3e38f, 0);
    }
    if (m.tile != TY_K_NONE || m.instance != TY_K_NONE) {
        path_put(paths + n, room, &p);
        met_put(paths + n, room, &m);
    } else {
        paths[MET * room + n] = paths[(MET + 1) * room + n] = TY_K_NONE;
        if (live) {
            ty_k_film_sky(&view, p.d, p.through, film);
        }
    }
    for (int b = 0; b < SAMPLE; b++) {
        sample[(ty_u32)b * room + n] = b < TY_K_BANDS ? film[b] : b == SAMPLE - 1 && live ? 1.0f : 0.0f;
    }
    if (n < 2u * (ty_u32)frame.depth) {
        counts[n] = 0;
    }
}

/* From a surface of the paths of a list (of the first one: of all samples): rays to the lamps, and the way on, into a list of rays. What the next kernel traces has a
 * kernel of its own: it needs fewer registers than shading does, so that more rays are under way at once. */
__kernel void film_surface(SCENE, int first, int batches, ty_u32 room, int surface, __global const ty_u32 *paths,
                           __global ty_u32 *ways, __global float *sample, __global ty_u32 *counts)
{
    __local float given[GROUP][TY_K_BANDS];
    __local float *film = given[get_local_id(0)];
    VIEW;
    ty_u32 all = surface > 0 ? counts[2 * surface - 1] : (ty_u32)get_global_size(0);
    for (ty_u32 n = (ty_u32)get_global_id(0); n < all; n += (ty_u32)get_global_size(0)) {
        if (surface == 0 && paths[MET * room + n] == TY_K_NONE && paths[(MET + 1) * room + n] == TY_K_NONE) {
            continue;
        }
        int x, y, i, on, rays = 0;
        path p;
        ty_k_met m;
        ty_k_surface at;
        ty_k_aim to;
        float brings[TY_K_BANDS];
        path_get(paths + n, room, &p);
        met_get(paths + n, room, &m);
        sample_of(&frame, p.sample, first, batches, &x, &y, &i);
        __global float *own = sample + p.sample;
        for (int b = 0; b < TY_K_BANDS; b++) {
            film[b] = own[(ty_u32)b * room], brings[b] = 0.0f;
        }
        ty_k_surface_of(&view, frame.plain, frame.tint, &m, p.o, p.d, p.time,
                        surface == 0 ? frame.cone : TY_K_BOUNCE_CONE, &at);
        on = at.material != TY_K_NONE;
        if (surface == 0 && on) {
            own[TY_K_BANDS * room] = 1.0f;
        }
        for (int step = 0; step < view.lights && on; step++) {
            to = ty_k_film_lamp(&view, &frame, at.p, step, (ty_u32)x, (ty_u32)y, (ty_u32)i,
                                ty_k_film_pair(&frame, surface) + (ty_u32)step);
            to.weight *= ty_k_max(ty_k_dot(at.n, to.l), 0.0f);
            if (to.weight != 0.0f) {
                ty_k_film_reflect(&view, &at, p.d, to, step, p.through, brings);
                m = ty_k_scene_ray(&view, at.p, to.l, p.time, to.far, 1);
                rays++;
                if (m.tile == TY_K_NONE && m.instance == TY_K_NONE) {
                    for (int b = 0; b < TY_K_BANDS; b++) {
                        film[b] += brings[b];
                    }
                    if (surface == 0 && step == 0) {
                        own[(TY_K_BANDS + 1) * room] = 1.0f;
                    }
                }
            }
        }
        if (on && surface + 1 < frame.depth) {
            to = ty_k_film_bounce(&view, &frame, &at, ty_k_scale(-1.0f, p.d), (ty_u32)x, (ty_u32)y, (ty_u32)i, surface);
            if (to.weight != 0.0f) {
                ty_k_film_reflect(&view, &at, p.d, to, view.lights, p.through, brings);
                p.o = at.p, p.d = to.l;
                rays++;
                path_put(ways + atomic_inc(&counts[2 * surface]), room, &p);
            }
        }
        for (int b = 0; b < TY_K_BANDS; b++) {
            own[(ty_u32)b * room] = film[b];
        }
        own[(SAMPLE - 1) * room] += (float)rays;
    }
}

/* The stretches from a surface: those that meet another are the next list of paths. */
__kernel void film_stretch(SCENE, ty_u32 room, int surface, __global const ty_u32 *ways, __global ty_u32 *paths,
                           __global ty_u32 *counts)
{
    VIEW;
    ty_u32 all = counts[2 * surface];
    for (ty_u32 n = (ty_u32)get_global_id(0); n < all; n += (ty_u32)get_global_size(0)) {
        ty_k_vec3 o = ty_k_vec(get(ways + n, room, 0), get(ways + n, room, 1), get(ways + n, room, 2));
        ty_k_vec3 d = ty_k_vec(get(ways + n, room, 3), get(ways + n, room, 4), get(ways + n, room, 5));
        ty_k_met m = ty_k_scene_ray(&view, o, d, get(ways + n, room, 6), 3e38f, 0);
        if (m.tile != TY_K_NONE || m.instance != TY_K_NONE) {
            __global ty_u32 *to = paths + atomic_inc(&counts[2 * surface + 1]);
            for (ty_u32 k = 0; k < MET; k++) {
                to[k * room] = ways[k * room + n];
            }
            met_put(to, room, &m);
        }
    }
}

/* samples to their pixels, a group of items for a group of pixels */
__kernel void film_sum(ty_k_frame frame, int first, int batches, ty_u32 room, __global const float *sample,
                       __global float *radiance, __global float *sunlit, __global ty_u32 *rays)
{
    __local float given[GROUP][TY_K_BANDS + 2];
    __local ty_u32 count[GROUP];
    int lane = (int)get_local_id(0), group = (int)get_group_id(0), x, y;
    for (int b = 0; b < SAMPLE; b++) {
        float sum = 0.0f;
        for (int n = 0; n < batches; n++) {
            sum += sample[(ty_u32)b * room + (ty_u32)((group * batches + n) * GROUP + lane)];
        }
        if (b < SAMPLE - 1) {
            given[lane][b] = sum;
        } else {
            count[lane] = (ty_u32)sum;
        }
    }
    pixel_of(&frame, first + group, lane, &x, &y);
    group_out(&frame, lane, first + group, x, y, given, count, radiance, sunlit, rays);
}

#endif

#else

/* Tiles whose heights are new, each by a group of 64: to their places, and bounds of them. fresh: the places of all of them; then for
 * each its heights, and its brightness where tones is not 0. */
__kernel void tile_put(__global const ty_u32 *fresh, int tones, __global float *height, __global float *tone,
                       __global float *bound)
{
    ty_u32 s = fresh[get_group_id(0)], each = (ty_u32)(TY_K_SCENE_SAMPLES + tones);
    __global const float *from = (__global const float *)(fresh + get_num_groups(0)) + get_group_id(0) * each;
    __global float *to_height = height + s * (ty_u32)TY_K_SCENE_SAMPLES, *h = to_height + TY_K_SCENE_STRIDE + 1;
    for (int n = (int)get_local_id(0); n < TY_K_SCENE_SAMPLES; n += 64) {
        to_height[n] = from[n];
    }
    for (int n = (int)get_local_id(0); n < tones; n += 64) {
        tone[s * (ty_u32)tones + (ty_u32)n] = from[TY_K_SCENE_SAMPLES + n];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    __global float *to = bound + s * (ty_u32)TY_K_TILE_BOUNDS;
    for (int level = 1; level <= TY_K_TILE_LEVELS; level++) {
        int side = TY_K_SCENE_CELLS >> level;
        for (int n = (int)get_local_id(0); n < side * side; n += 64) {
            ty_k_tile_bound(h, to, level, n % side, n / side);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

__kernel void truth(SCENE, __global ty_k_truth *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= frame.width || y >= frame.height) {
        return;
    }
    VIEW;
    out[y * frame.width + x] = ty_k_truth_of(&view, &frame, (float)x + 0.5f, (float)y + 0.5f);
}

typedef struct spark {
    ty_u32 at;
    float radiance;
} spark;

/* stars of a frame, sorted by where they are: the first of a place adds them all */
__kernel void sparks(__global const spark *from, int count, __global float *radiance)
{
    int i = (int)get_global_id(0);
    if (i >= count || (i > 0 && from[i - 1].at == from[i].at)) {
        return;
    }
    ty_u32 at = from[i].at;
    float sum = radiance[at];
    for (int k = i; k < count && from[k].at == at; k++) {
        sum += from[k].radiance;
    }
    radiance[at] = sum;
}

/* depth alone, of many small views at once: rows of groups one view after the other */
__kernel void depths(SCENE, __global const ty_k_frame *frames, int rows, __global float *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1) % rows, n = (int)get_global_id(1) / rows;
    if (x >= frame.width || y >= frame.height) {
        return;
    }
    VIEW;
    ty_k_frame own = frames[n];
    out[(n * frame.height + y) * frame.width + x] = ty_k_depth_of(&view, &own, (float)x + 0.5f, (float)y + 0.5f);
}

/* rays of lidars and others, given one by one */
__kernel void trace(SCENE, __global const ty_k_trace_ray *ray, int count, int band, __global ty_k_trace_hit *hit)
{
    int i = (int)get_global_id(0);
    if (i >= count) {
        return;
    }
    VIEW;
    hit[i] = ty_k_trace_of(&view, &frame, ray[i], band);
}

/* The bare walk: a camera ray per pixel over one height field, and where it meets the ground one towards the Sun. What
 * frames are measured against. line: a ray through the eye in the field's units [cells, m], across and down the picture. */
typedef struct walk_view {
    float eye[3], right[3], down[3], ahead[3],
        sun[3]; /* cells, cells, metres; the pixel's ray is ahead + u right + v down */
    int width, height;
} walk_view;

__kernel void walk(ty_k_field field, __global const float *h, __global const float *top, __global const float *bottom,
                   walk_view w, __global float *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= w.width || y >= w.height) {
        return;
    }
    float u = (float)x + 0.5f, v = (float)y + 0.5f;
    ty_k_line r = { w.eye[0],
                    w.eye[1],
                    w.eye[2],
                    w.ahead[0] + u * w.right[0] + v * w.down[0],
                    w.ahead[1] + u * w.right[1] + v * w.down[1],
                    w.ahead[2] + u * w.right[2] + v * w.down[2] };
    float t = ty_k_field_ray(field, h, top, bottom, r, 0.0f, 3e38f), lit = 0.0f;
    if (t >= 0.0f) {
        ty_k_line s = { r.px + t * r.dx, r.py + t * r.dy, r.pz + t * r.dz + 1e-3f, w.sun[0], w.sun[1], w.sun[2] };
        lit = ty_k_field_ray(field, h, top, bottom, s, 0.0f, 3e38f) < 0.0f ? 2.0f : 1.0f;
    }
    out[y * w.width + x] = lit;
}

#endif
