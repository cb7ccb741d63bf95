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
        __global const ty_u32 *item, __global const ty_u32 *root, __global const ty_k_cloud_grid *cloud, __global const float *haze, ty_k_frame frame

#define VIEW                                                                                                  \
    ty_k_view view;                                                                                           \
    view.material = material, view.hapke = hapke, view.mesh = mesh, view.instance = instance;                 \
    view.vertex = vertex, view.index = index, view.normal = normal, view.uv = uv, view.which = which;         \
    view.texture = texture, view.texel = texel, view.map = map, view.map_texel = map_texel;                   \
    view.region = region, view.corner = corner, view.light = light, view.tile = tile, view.height = height;   \
    view.tone = tone, view.bound = bound, view.curve = curve, view.curved = curved, view.radius = frame.radius, view.node = node, view.item = item, view.root = root;               \
    view.cloud.k = frame.cloud, view.cloud.grid = cloud, view.cloud.value = haze;                             \
    view.things = frame.things, view.rocks = frame.rocks, view.rock = frame.rock;                           \
    view.shift = ty_k_vec(frame.shift[0], frame.shift[1], frame.shift[2]);                                    \
    view.bands = TY_K_BANDS, view.maps = frame.maps, view.regions = frame.regions, view.lights = frame.lights

#ifdef TY_K_TOGETHER

/* Radiance, band after band, the visible share of the first lamp, and the rays that each group traced. A group is 128 items: TY_K_TOGETHER
 * samples of each pixel side by side, at least one, so that neighbouring lanes do alike; they are summed in their order. */
__kernel void film(SCENE, __global float *radiance, __global float *sunlit, __global ty_u32 *rays)
{
    __local float given[128][TY_K_BANDS + 2];
    __local ty_u32 count[128];
    int lane = (int)get_local_id(0), part = lane % TY_K_TOGETHER, pixel = lane / TY_K_TOGETHER;
    /* pixels of a group: 16 x 8, 8 x 8, 8 x 4, 4 x 4, 4 x 2 */
    const int across = TY_K_TOGETHER > 4 ? 4 : TY_K_TOGETHER > 1 ? 8 : 16, down = 128 / TY_K_TOGETHER / across;
    int groups = (frame.width + across - 1) / across, group = (int)get_group_id(0);
    int x = group % groups * across + pixel % across, y = group / groups * down + pixel / across;
    int in = x < frame.width && y < frame.height;
    VIEW;
    __local float *sum = given[lane];
    int seen = 0, lit = 0;
    ty_u32 traced = 0;
    for (int b = 0; b < TY_K_BANDS; b++) {
        sum[b] = 0.0f;
    }
    for (int i = part; i < frame.samples && in; i += TY_K_TOGETHER) {
        int a, l;
        traced += ty_k_film_sample(&view, &frame, (ty_u32)x, (ty_u32)y, (ty_u32)i, sum, &a, &l);
        seen += a, lit += l;
    }
    given[lane][TY_K_BANDS] = (float)seen, given[lane][TY_K_BANDS + 1] = (float)lit;
    count[lane] = traced;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        ty_u32 sum_rays = 0;
        for (int k = 0; k < 128; k++) {
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
