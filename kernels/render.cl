/* kernels/render.cl - frames on a device (k_film.h). Arrays and their order: src/render/gpu/store.h. With
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
        __global const ty_k_cloud_grid *cloud, __global const float *haze, __global const ty_k_scene_clod *clod,    \
        __global const ty_k_bvh_node *clod_node, ty_k_frame frame

#define VIEW                                                                                                    \
    ty_k_view view;                                                                                             \
    view.material = material, view.hapke = hapke, view.mesh = mesh, view.instance = instance;                   \
    view.vertex = vertex, view.index = index, view.normal = normal, view.uv = uv, view.which = which;           \
    view.texture = texture, view.texel = texel, view.map = map, view.map_texel = map_texel;                     \
    view.region = region, view.corner = corner, view.light = light, view.tile = tile, view.height = height;     \
    view.tone = tone, view.bound = bound, view.curve = curve, view.curved = curved, view.radius = frame.radius, \
    view.node = node, view.item = item, view.root = root, view.triangle = triangle;                             \
    view.cloud.k = frame.cloud, view.cloud.grid = cloud, view.cloud.value = haze;                               \
    view.clod = clod, view.clod_node = clod_node, view.clods = frame.clods;                                     \
    view.clod_disturbed = frame.clod_disturbed;                                                                 \
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

/* ---- light of many samples at once, one surface after the other ----
 *
 * Rays of the lens, then for each surface the rays from there to the lamps and the stretch to the next; with dust, behind each stretch the rays from there to the lamps. Samples that met something on it are put into a list, so that the next kernel's lanes all have one; their numbers stay where they are, each
 * sample's in a place of its own: its bits do not depend on where in the list it is. Items are samples: of each group of pixels `batches` batches of TY_K_TOGETHER samples from number `from` on, one
 * after the other. room: samples that there is room for.
 *
 * paths: for each sample the stretch, its origin and time, its direction and, with dust, its length, below 0 if its dust is done, 8 numbers; where it met something, 8; what; then the
 * lists after each surface in turn, two.
 * sample: light so far, band after band; whether there was a surface, the first lamp reached it; rays; what is left of the path, band after band. */

enum { SEEN = TY_K_BANDS, LIT, TRACED, LEFT };
#define ON_INSTANCE 0x80000000u /* what: an instance; else a tile, or TY_K_NONE */

static __global uint4 *way_of(__global ty_u32 *paths, ty_u32 n)
{
    return (__global uint4 *)paths + 2u * n;
}
static __global uint4 *place_of(__global ty_u32 *paths, ty_u32 room, ty_u32 n)
{
    return (__global uint4 *)paths + 2u * (room + n);
}
static __global ty_u32 *what_of(__global ty_u32 *paths, ty_u32 room, ty_u32 n)
{
    return paths + 16u * room + n;
}
/* the sample of an item of a surface: of the first one all are items */
static ty_u32 listed(__global const ty_u32 *paths, ty_u32 room, int surface, ty_u32 item)
{
    return surface > 0 ? paths[(17u + (ty_u32)(surface & 1)) * room + item] : item;
}

static void way_put(__global ty_u32 *paths, ty_u32 n, ty_k_vec3 o, ty_k_vec3 d, float time)
{
    __global uint4 *to = way_of(paths, n);
    to[0] = (uint4)(as_uint(o.x), as_uint(o.y), as_uint(o.z), as_uint(time));
    to[1] = (uint4)(as_uint(d.x), as_uint(d.y), as_uint(d.z), 0u);
}
static void way_get(__global ty_u32 *paths, ty_u32 n, ty_k_vec3 *o, ty_k_vec3 *d, float *time)
{
    uint4 a = way_of(paths, n)[0], b = way_of(paths, n)[1];
    *o = ty_k_vec(as_float(a.x), as_float(a.y), as_float(a.z)), *time = as_float(a.w);
    *d = ty_k_vec(as_float(b.x), as_float(b.y), as_float(b.z));
}

static void met_put(__global ty_u32 *paths, ty_u32 room, ty_u32 n, const ty_k_met *m)
{
    *what_of(paths, room, n) = m->tile != TY_K_NONE       ? m->tile
                               : m->instance != TY_K_NONE ? m->instance | ON_INSTANCE
                                                          : TY_K_NONE;
    if (ty_k_met_any(m)) {
        __global uint4 *to = place_of(paths, room, n);
        to[0] = (uint4)(m->prim, as_uint(m->t), as_uint(m->u), as_uint(m->v));
        to[1] = (uint4)(as_uint(m->facet.x), as_uint(m->facet.y), as_uint(m->facet.z), 0u);
    }
}
/* of a sample that met something */
static ty_k_met met_get(__global ty_u32 *paths, ty_u32 room, ty_u32 n)
{
    ty_u32 what = *what_of(paths, room, n);
    uint4 a = place_of(paths, room, n)[0], b = place_of(paths, room, n)[1];
    ty_k_met m;
    m.tile = what < ON_INSTANCE ? what : TY_K_NONE, m.instance = what < ON_INSTANCE ? TY_K_NONE : what - ON_INSTANCE;
    m.prim = a.x, m.t = as_float(a.y), m.u = as_float(a.z), m.v = as_float(a.w);
    m.facet = ty_k_vec(as_float(b.x), as_float(b.y), as_float(b.z));
    return m;
}

/* pixel and number of a sample; first: group of pixels that the launch begins with */
static void sample_of(const ty_k_frame *f, ty_u32 sample, int first, int batches, int from, int *x, int *y, int *i)
{
    int lane = (int)(sample % GROUP), n = (int)(sample / GROUP);
    pixel_of(f, first + n / batches, lane, x, y);
    *i = from + n % batches * TY_K_TOGETHER + lane % TY_K_TOGETHER;
}

/* the length of a stretch whose dust is to do */
static void length_put(__global ty_u32 *paths, ty_u32 n, float length)
{
    if (TY_K_DUST) {
        ((__global float *)(way_of(paths, n) + 1))[3] = length;
    }
}

/* rays of the lens, and the sky where there is no dust before it; counts: of the items of each surface, which are those of the first one so far */
__kernel void film_rays(SCENE, int first, int batches, int from, ty_u32 room, __global ty_u32 *paths,
                        __global float *sample, __global ty_u32 *counts)
{
    __local float given[GROUP][TY_K_BANDS];
    ty_u32 n = (ty_u32)get_global_id(0);
    __local float *film = given[get_local_id(0)];
    int x, y, i;
    sample_of(&frame, n, first, batches, from, &x, &y, &i);
    VIEW;
    float time, left[TY_K_BANDS];
    ty_k_met m;
    ty_k_ray r = ty_k_film_begin(&frame, (ty_u32)x, (ty_u32)y, (ty_u32)i, &time);
    int live = r.ok && i < frame.samples && x < frame.width && y < frame.height;
    m.tile = m.instance = TY_K_NONE;
    for (int b = 0; b < TY_K_BANDS; b++) {
        left[b] = 1.0f, film[b] = 0.0f;
    }
    if (live) {
        m = ty_k_scene_ray(&view, r.o, r.d, time, 3e38f, 0);
    }
    met_put(paths, room, n, &m);
    if (ty_k_met_any(&m) || TY_K_DUST) {
        way_put(paths, n, r.o, r.d, time);
        length_put(paths, n, live ? m.t : -1.0f);
    }
    if (!ty_k_met_any(&m) || TY_K_DUST) {
        if (!TY_K_DUST && live) {
            ty_k_film_sky(&view, r.d, left, film);
        }
        for (int b = 0; b < (TY_K_DUST ? LEFT + TY_K_BANDS : LEFT); b++) {
            sample[(ty_u32)b * room + n] = b < TY_K_BANDS        ? film[b]
                                           : b >= LEFT           ? left[b - LEFT]
                                           : b == TRACED && live ? 1.0f
                                                                 : 0.0f;
        }
    }
    if (n < (ty_u32)frame.depth) {
        counts[n] = n > 0 ? 0 : (ty_u32)get_global_size(0);
    }
}

/* From a surface: the way on, and rays to the lamps. What the next kernel traces has a kernel of its own: it needs fewer registers than shading does, so that more rays
 * are under way at once. */
__kernel void film_surface(SCENE, int first, int batches, int from, ty_u32 room, int surface, __global ty_u32 *paths,
                           __global float *sample, __global const ty_u32 *counts)
{
    __local float given[GROUP][TY_K_BANDS];
    __local float *film = given[get_local_id(0)];
    VIEW;
    ty_u32 k = (ty_u32)get_global_id(0);
    ty_u32 n = k < counts[surface] ? listed(paths, room, surface, k) : TY_K_NONE;
    if (n != TY_K_NONE && *what_of(paths, room, n) != TY_K_NONE) {
        int x, y, i, on, on_way = 0, lit = 0, begun = surface > 0 || TY_K_DUST; /* begun: there is a sample so far */
        ty_u32 rays = 0u;
        float time, left[TY_K_BANDS], next[TY_K_BANDS];
        ty_k_vec3 o, d, l;
        ty_k_surface at;
        __global float *own = sample + n;
        way_get(paths, n, &o, &d, &time);
        ty_k_met m = met_get(paths, room, n);
        sample_of(&frame, n, first, batches, from, &x, &y, &i);
        for (int b = 0; b < TY_K_BANDS; b++) {
            film[b] = begun ? own[(ty_u32)b * room] : 0.0f;
            next[b] = left[b] = begun ? own[(ty_u32)(LEFT + b) * room] : 1.0f;
        }
        ty_k_surface_of(&view, frame.plain, frame.tint, &m, o, d, time, surface == 0 ? frame.cone : TY_K_BOUNCE_CONE,
                        &at);
        on = at.material != TY_K_NONE;
        if (on && surface + 1 < frame.depth) {
            on_way = ty_k_film_on(&view, &frame, &at, d, (ty_u32)x, (ty_u32)y, (ty_u32)i, surface, next, &l);
            if (on_way) {
                way_put(paths, n, at.p, l, time);
                rays++;
                for (int b = 0; b < TY_K_BANDS; b++) {
                    own[(ty_u32)(LEFT + b) * room] = next[b];
                }
            }
        }
        if (!on_way) {
            *what_of(paths, room, n) = TY_K_NONE;
        }
        if (on) {
            rays += ty_k_film_lamps(&view, &frame, &at, d, time, (ty_u32)x, (ty_u32)y, (ty_u32)i, surface, left, film,
                                    &lit);
        }
        for (int b = 0; b < TY_K_BANDS; b++) {
            own[(ty_u32)b * room] = film[b];
        }
        if (surface == 0) {
            own[SEEN * room] = on ? 1.0f : 0.0f, own[LIT * room] = lit ? 1.0f : 0.0f;
        }
        own[TRACED * room] = (begun ? own[TRACED * room] : 1.0f) + (float)rays;
    }
}

/* The stretches from a surface to what they meet. (Lanes that take another ray when theirs has ended are slower: 27 frames a second against 31 on an H200.) */
__kernel void film_stretch(SCENE, ty_u32 room, int surface, __global ty_u32 *paths, __global const ty_u32 *counts)
{
    VIEW;
    ty_u32 k = (ty_u32)get_global_id(0);
    ty_u32 n = k < counts[surface] ? listed(paths, room, surface, k) : TY_K_NONE;
    if (n != TY_K_NONE && *what_of(paths, room, n) != TY_K_NONE) {
        ty_k_vec3 o, d;
        float time;
        way_get(paths, n, &o, &d, &time);
        ty_k_met m = ty_k_scene_ray(&view, o, d, time, 3e38f, 0);
        met_put(paths, room, n, &m);
        length_put(paths, n, m.t);
    }
}

#if TY_K_DUST
/* What the dust of the stretches to a surface takes and scatters, of those that come from the surface before it or the lens; and the sky behind it. */
__kernel void film_haze(SCENE, int first, int batches, int from, ty_u32 room, int surface, __global ty_u32 *paths,
                        __global float *sample, __global const ty_u32 *counts)
{
    __local float given[GROUP][TY_K_BANDS];
    __local float *film = given[get_local_id(0)];
    VIEW;
    ty_u32 k = (ty_u32)get_global_id(0);
    int before = surface > 0 ? surface - 1 : 0;
    ty_u32 n = k < counts[before] ? listed(paths, room, before, k) : TY_K_NONE;
    float length = n != TY_K_NONE ? as_float(way_of(paths, n)[1].w) : -1.0f;
    if (length >= 0.0f) {
        int x, y, i, met = *what_of(paths, room, n) != TY_K_NONE;
        float time, left[TY_K_BANDS];
        ty_k_vec3 o, d;
        __global float *own = sample + n;
        way_get(paths, n, &o, &d, &time);
        sample_of(&frame, n, first, batches, from, &x, &y, &i);
        for (int b = 0; b < TY_K_BANDS; b++) {
            film[b] = own[(ty_u32)b * room], left[b] = own[(ty_u32)(LEFT + b) * room];
        }
        ty_u32 rays = ty_k_film_haze(&view, &frame, o, d, length, met, time, (ty_u32)x, (ty_u32)y, (ty_u32)i, surface,
                                     left, film);
        if (surface == 0 && !met) {
            ty_k_film_sky(&view, d, left, film);
        }
        for (int b = 0; b < TY_K_BANDS; b++) {
            own[(ty_u32)b * room] = film[b], own[(ty_u32)(LEFT + b) * room] = left[b];
        }
        own[TRACED * room] += (float)rays;
        length_put(paths, n, -1.0f);
    }
}
#endif

/* samples that met something into the list of the next surface */
__kernel void film_list(ty_u32 room, int surface, __global ty_u32 *paths, __global ty_u32 *counts)
{
    __local ty_u32 some, before;
    ty_u32 k = (ty_u32)get_global_id(0), all = counts[surface], n = 0u, rank = 0u;
    int met = 0;
    if (k < all) {
        n = listed(paths, room, surface, k);
        met = *what_of(paths, room, n) != TY_K_NONE;
    }
    if (get_local_id(0) == 0) {
        some = 0u;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (met) {
        rank = atomic_inc(&some);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && some > 0u) {
        before = atomic_add(&counts[surface + 1], some);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (met) {
        paths[(17u + (ty_u32)((surface + 1) & 1)) * room + before + rank] = n;
    }
}

/* Samples to their pixels, a group of items for a group of pixels, in their order: radiance, band after band, the share of those that saw a surface which the first lamp
 * reached, and the rays of each group. Before the last samples of a pixel these are sums, and behind sunlit, which counts what saw a surface, is what was lit. */
__kernel void film_sum(ty_k_frame frame, int first, int batches, int from, ty_u32 room, __global const float *sample,
                       __global float *radiance, __global float *sunlit, __global ty_u32 *rays)
{
    __local float given[GROUP][TY_K_BANDS + 2];
    __local ty_u32 count[GROUP];
    int lane = (int)get_local_id(0), group = (int)get_group_id(0), x, y;
    for (int b = 0; b < LEFT; b++) {
        float sum = 0.0f;
        for (int n = 0; n < batches; n++) {
            sum += sample[(ty_u32)b * room + (ty_u32)((group * batches + n) * GROUP + lane)];
        }
        if (b < TRACED) {
            given[lane][b] = sum;
        } else {
            count[lane] = (ty_u32)sum;
        }
    }
    pixel_of(&frame, first + group, lane, &x, &y);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        ty_u32 all = from > 0 ? rays[first + group] : 0u;
        for (int k = 0; k < GROUP; k++) {
            all += count[k];
        }
        rays[first + group] = all;
    }
    if (lane % TY_K_TOGETHER != 0 || x >= frame.width || y >= frame.height) {
        return;
    }
    int at = y * frame.width + x, plane = frame.width * frame.height;
    int last = from + batches * TY_K_TOGETHER >= frame.samples;
    float all[TY_K_BANDS + 2], each = last ? 1.0f / (float)frame.samples : 1.0f;
    for (int b = 0; b < TY_K_BANDS + 2; b++) {
        all[b] = given[lane][b];
        for (int k = 1; k < TY_K_TOGETHER; k++) {
            all[b] += given[lane + k][b];
        }
        if (from > 0) {
            all[b] += b < TY_K_BANDS ? radiance[b * plane + at] : sunlit[(b - TY_K_BANDS) * plane + at];
        }
    }
    for (int b = 0; b < TY_K_BANDS; b++) {
        radiance[b * plane + at] = all[b] * each;
    }
    if (last) {
        sunlit[at] = all[SEEN] > 0.0f ? all[LIT] / all[SEEN] : 0.0f;
    } else {
        sunlit[at] = all[SEEN], sunlit[plane + at] = all[LIT];
    }
}

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
