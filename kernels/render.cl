/* kernels/render.cl - frames on a device: one work item per pixel (k_film.h). Arrays and their order: src/render/gpu/gpu.c
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
        __global const float *tone, __global const float *bound, __global const ty_k_bvh_node *node,                \
        __global const ty_u32 *item, __global const ty_u32 *root, ty_k_frame frame

#define VIEW                                                                                                  \
    ty_k_view view;                                                                                           \
    view.material = material, view.hapke = hapke, view.mesh = mesh, view.instance = instance;                 \
    view.vertex = vertex, view.index = index, view.normal = normal, view.uv = uv, view.which = which;         \
    view.texture = texture, view.texel = texel, view.map = map, view.map_texel = map_texel;                   \
    view.region = region, view.corner = corner, view.light = light, view.tile = tile, view.height = height;   \
    view.tone = tone, view.bound = bound, view.node = node, view.item = item, view.root = root;               \
    view.things = frame.things, view.rocks = frame.rocks, view.rock = frame.rock;                           \
    view.shift = ty_k_vec(frame.shift[0], frame.shift[1], frame.shift[2]);                                    \
    view.bands = frame.bands, view.maps = frame.maps, view.regions = frame.regions, view.lights = frame.lights

/* bounds of tiles whose heights are new: one group of 64 for each */
__kernel void tile_bounds(__global const ty_u32 *slot, __global const float *height, __global float *bound)
{
    ty_u32 s = slot[get_group_id(0)];
    __global const float *h = height + s * (ty_u32)TY_K_SCENE_SAMPLES + TY_K_SCENE_STRIDE + 1;
    __global float *to = bound + s * (ty_u32)TY_K_TILE_BOUNDS;
    for (int level = 1; level <= TY_K_TILE_LEVELS; level++) {
        int side = TY_K_SCENE_CELLS >> level;
        for (int n = (int)get_local_id(0); n < side * side; n += 64) {
            ty_k_tile_bound(h, to, level, n % side, n / side);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* radiance, band after band, and the visible share of the first lamp */
__kernel void film(SCENE, __global float *radiance, __global float *sunlit)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= frame.width || y >= frame.height) {
        return;
    }
    VIEW;
    float sum[TY_K_BANDS];
    int seen = 0, lit = 0;
    for (int b = 0; b < TY_K_BANDS; b++) {
        sum[b] = 0.0f;
    }
    for (int i = 0; i < frame.samples; i++) {
        int a, l;
        ty_k_film_sample(&view, &frame, (ty_u32)x, (ty_u32)y, (ty_u32)i, sum, &a, &l);
        seen += a, lit += l;
    }
    int at = y * frame.width + x, plane = frame.width * frame.height;
    float each = 1.0f / (float)frame.samples;
    for (int b = 0; b < TY_K_BANDS; b++) {
        radiance[b * plane + at] = sum[b] * each;
    }
    sunlit[at] = seen > 0 ? (float)lit / (float)seen : 0.0f;
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
