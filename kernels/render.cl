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
        __global const float *tone, __global const float *bound, __global const ty_u32 *curve, __global const float *curved, __global const ty_k_bvh_node *node,                \
        __global const ty_u32 *item, __global const ty_u32 *root, __global const ty_k_bvh_triangle *triangle, __global const ty_k_cloud_grid *cloud, __global const float *haze, ty_k_frame frame

#define VIEW                                                                                                  \
    ty_k_view view;                                                                                           \
    view.material = material, view.hapke = hapke, view.mesh = mesh, view.instance = instance;                 \
    view.vertex = vertex, view.index = index, view.normal = normal, view.uv = uv, view.which = which;         \
    view.texture = texture, view.texel = texel, view.map = map, view.map_texel = map_texel;                   \
    view.region = region, view.corner = corner, view.light = light, view.tile = tile, view.height = height;   \
    view.tone = tone, view.bound = bound, view.curve = curve, view.curved = curved, view.radius = frame.radius, view.node = node, view.item = item, view.root = root, view.triangle = triangle;               \
    view.cloud.k = frame.cloud, view.cloud.grid = cloud, view.cloud.value = haze;                             \
    view.things = frame.things, view.rocks = frame.rocks, view.rock = frame.rock;                           \
    view.shift = ty_k_vec(frame.shift[0], frame.shift[1], frame.shift[2]);                                    \
    view.bands = TY_K_BANDS, view.maps = frame.maps, view.regions = frame.regions, view.lights = frame.lights

#ifdef TY_K_TOGETHER

enum { GROUP = 128 }; /* items of a group */

/* Where pixel n of a group lies: of 16 x 8 pixels, 8 x 8, 8 x 4, 4 x 4 or 4 x 2. Row by row: by Morton's curve frames were slower (416 against 423 a second on an H200). */
enum { ACROSS = TY_K_TOGETHER > 4 ? 4 : TY_K_TOGETHER > 1 ? 8 : 16, DOWN = GROUP / TY_K_TOGETHER / ACROSS };
static void pixel_of(int n, int *x, int *y)
{
    *x = n % ACROSS, *y = n / ACROSS;
}

#if TY_K_PACK && !TY_K_DUST

/* ---- paths of a group in step ----
 *
 * All paths of a group come to a surface, look at the lamps and go on together. Those that met something on their way from one to the next change lanes,
 * so that they stand in front and whole warps have nothing to do: on an H200 8 samples of depth 3 take 61 ms instead of 92. (Sorted by how steeply they rise before they
 * go on they take as long.) A path adds to the film of the lane that it began in, in its own order: its bits do not depend on who else was there. */

enum { WORDS = 17 + TY_K_BANDS };

typedef struct path {
    ty_k_vec3 o, d; /* of the stretch */
    float time, through[TY_K_BANDS];
    int owner; /* lane that it began in */
} path;

/* Paths that are live go to their places, from where the lane of that number takes each, with what it met. Returns whether this lane has one
 * then. wanted: the same for all lanes; 0: all stay, as barriers must not stand behind conditions (PoCL). */
static inline __attribute__((always_inline)) int change_lanes(__local ty_u32 (*word)[GROUP], __local ty_u32 *count, int lane, int wanted, int live,
                                                              path *p, ty_k_met *m)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        count[0] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (wanted && live) {
        int at = (int)atomic_inc(&count[0]);
        word[0][at] = as_uint(p->o.x), word[1][at] = as_uint(p->o.y), word[2][at] = as_uint(p->o.z);
        word[3][at] = as_uint(p->d.x), word[4][at] = as_uint(p->d.y), word[5][at] = as_uint(p->d.z);
        word[6][at] = as_uint(p->time), word[7][at] = (ty_u32)p->owner;
        for (int b = 0; b < TY_K_BANDS; b++) {
            word[17 + b][at] = as_uint(p->through[b]);
        }
        word[8][at] = as_uint(m->t), word[9][at] = m->tile, word[10][at] = m->instance;
        word[11][at] = m->prim, word[12][at] = as_uint(m->u), word[13][at] = as_uint(m->v);
        word[14][at] = as_uint(m->facet.x), word[15][at] = as_uint(m->facet.y), word[16][at] = as_uint(m->facet.z);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int all = (int)count[0];
    if (wanted && lane < all) {
        p->o = ty_k_vec(as_float(word[0][lane]), as_float(word[1][lane]), as_float(word[2][lane]));
        p->d = ty_k_vec(as_float(word[3][lane]), as_float(word[4][lane]), as_float(word[5][lane]));
        p->time = as_float(word[6][lane]), p->owner = (int)word[7][lane];
        for (int b = 0; b < TY_K_BANDS; b++) {
            p->through[b] = as_float(word[17 + b][lane]);
        }
        m->t = as_float(word[8][lane]), m->tile = word[9][lane], m->instance = word[10][lane];
        m->prim = word[11][lane], m->u = as_float(word[12][lane]), m->v = as_float(word[13][lane]);
        m->facet = ty_k_vec(as_float(word[14][lane]), as_float(word[15][lane]), as_float(word[16][lane]));
    }
    return wanted ? lane < all : live;
}

/* What ty_k_film_sample() does for each sample, for all samples of a group; x0, y0: its first pixel. Returns how many rays this lane traced. One loop: a turn
 * of it is the stretch to a surface, or a ray from there to one of the lamps. */
static inline __attribute__((always_inline)) ty_u32 film_in_step(const ty_k_view *s, const ty_k_frame *f, int lane, int x0, int y0,
                           __local float (*given)[TY_K_BANDS + 2], __local ty_u32 (*word)[GROUP], __local ty_u32 *count)
{
    path p;
    ty_k_met m;
    ty_k_surface at;
    ty_k_aim to;
    ty_u32 rays = 0;
    float brings[TY_K_BANDS];
    int turns = f->depth * (1 + s->lights), batches = (f->samples + TY_K_TOGETHER - 1) / TY_K_TOGETHER, live = 0;
    p.o = p.d = ty_k_vec(0.0f, 0.0f, 0.0f), p.owner = lane, p.time = 0.0f;
    m.tile = m.instance = TY_K_NONE;
    at.p = at.n = p.o;
    to.l = p.o, to.weight = 0.0f;
    for (int n = 0; n < batches * turns; n++) {
        int turn = n % turns, first = n / turns * TY_K_TOGETHER, step = turn % (1 + s->lights), px, py;
        int surface = turn / (1 + s->lights), hit = 0;
        if (turn == 0) {
            pixel_of(lane / TY_K_TOGETHER, &px, &py);
            ty_u32 i = (ty_u32)(first + lane % TY_K_TOGETHER);
            ty_k_ray r = ty_k_film_begin(f, (ty_u32)(x0 + px), (ty_u32)(y0 + py), i, &p.time);
            live = r.ok && (int)i < f->samples && x0 + px < f->width && y0 + py < f->height;
            p.o = r.o, p.d = r.d, p.owner = lane;
            for (int b = 0; b < TY_K_BANDS; b++) {
                p.through[b] = 1.0f, brings[b] = 0.0f;
            }
        }
        int change = step == 0 && surface > 0;
        if (live && (step == 0 || to.weight != 0.0f)) {
            m = ty_k_scene_ray(s, step == 0 ? p.o : at.p, step == 0 ? p.d : to.l, p.time, step == 0 ? 3e38f : to.far,
                               step > 0);
            hit = m.tile != TY_K_NONE || m.instance != TY_K_NONE;
            rays++;
        }
        live = change_lanes(word, count, lane, change, live && (hit || !change), &p, &m);
        pixel_of(p.owner / TY_K_TOGETHER, &px, &py);
        ty_u32 x = (ty_u32)(x0 + px), y = (ty_u32)(y0 + py), i = (ty_u32)(first + p.owner % TY_K_TOGETHER);
        __local float *film = given[p.owner];
        if (live && step == 0) {
            ty_k_vec3 o;
            ty_k_surface_of(s, f->plain, f->tint, &m, p.o, p.d, p.time, surface == 0 ? f->cone : TY_K_BOUNCE_CONE, &at);
            live = ty_k_film_arrive(s, &at, p.d, surface == 0 && !hit, p.through, film, &o);
            film[TY_K_BANDS] += surface == 0 && live ? 1.0f : 0.0f;
        } else if (live && to.weight != 0.0f && !hit) {
            film[TY_K_BANDS + 1] += surface == 0 && step == 1 ? 1.0f : 0.0f;
            for (int b = 0; b < TY_K_BANDS; b++) {
                film[b] += brings[b];
            }
        }
        to.weight = 0.0f;
        if (live && step < s->lights) {
            to = ty_k_film_lamp(s, f, at.p, step, x, y, i, ty_k_film_pair(f, surface) + (ty_u32)step);
            to.weight *= ty_k_max(ty_k_dot(at.n, to.l), 0.0f);
        } else if (live && surface + 1 < f->depth) {
            to = ty_k_film_bounce(s, f, &at, ty_k_scale(-1.0f, p.d), x, y, i, surface);
        }
        if (live && to.weight != 0.0f) {
            ty_k_film_reflect(s, &at, p.d, to, step, p.through, brings);
        }
        if (step == s->lights) {
            live = live && to.weight != 0.0f;
            p.o = at.p, p.d = to.l;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return rays;
}

#endif

/* Radiance, band after band, the visible share of the first lamp, and the rays that each group traced. A group is GROUP items: TY_K_TOGETHER
 * samples of each pixel side by side, at least one, so that neighbouring lanes do alike; they are summed in their order. */
__kernel void film(SCENE, __global float *radiance, __global float *sunlit, __global ty_u32 *rays)
{
    __local float given[GROUP][TY_K_BANDS + 2];
    __local ty_u32 count[GROUP];
    int lane = (int)get_local_id(0), part = lane % TY_K_TOGETHER, px, py;
    int groups = (frame.width + ACROSS - 1) / ACROSS, group = (int)get_group_id(0);
    int x0 = group % groups * ACROSS, y0 = group / groups * DOWN;
    pixel_of(lane / TY_K_TOGETHER, &px, &py);
    int x = x0 + px, y = y0 + py, in = x < frame.width && y < frame.height;
    VIEW;
    __local float *sum = given[lane];
    ty_u32 traced = 0;
    for (int b = 0; b < TY_K_BANDS + 2; b++) {
        sum[b] = 0.0f;
    }
#if TY_K_PACK && !TY_K_DUST
    __local ty_u32 word[WORDS][GROUP];
    traced = film_in_step(&view, &frame, lane, x0, y0, given, word, count);
#else
    int seen = 0, lit = 0;
    for (int i = part; i < frame.samples && in; i += TY_K_TOGETHER) {
        int a, l;
        traced += ty_k_film_sample(&view, &frame, (ty_u32)x, (ty_u32)y, (ty_u32)i, sum, &a, &l);
        seen += a, lit += l;
    }
    given[lane][TY_K_BANDS] = (float)seen, given[lane][TY_K_BANDS + 1] = (float)lit;
#endif
    count[lane] = traced;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        ty_u32 sum_rays = 0;
        for (int k = 0; k < GROUP; k++) {
            sum_rays += count[k];
        }
        rays[group] = sum_rays;
    }
    if (part != 0 || !in) {
        return;
    }
    float all[TY_K_BANDS + 2];
    for (int b = 0; b < TY_K_BANDS + 2; b++) {
        all[b] = given[lane][b];
        for (int k = 1; k < TY_K_TOGETHER; k++) {
            all[b] += given[lane + k][b];
        }
    }
    int at = y * frame.width + x, plane = frame.width * frame.height;
    float each = 1.0f / (float)frame.samples;
    for (int b = 0; b < TY_K_BANDS; b++) {
        radiance[b * plane + at] = all[b] * each;
    }
    sunlit[at] = all[TY_K_BANDS] > 0.0f ? all[TY_K_BANDS + 1] / all[TY_K_BANDS] : 0.0f;
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
    float eye[3], right[3], down[3], ahead[3], sun[3]; /* cells, cells, metres; the pixel's ray is ahead + u right + v down */
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
