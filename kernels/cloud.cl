/* kernels/cloud.cl - a cloud of dust out of its points, on a device (k_cloud.h). Sums are of whole numbers, so that their order does not matter.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_cloud.h"

typedef struct cloud_job { /* of one grid, as src/render/gpu/cloud.c has it */
    ty_k_cloud_grid grid;
    int group, points, flies;
    float ahead, gravity, scale; /* [s], [m/s^2]; [m] of whole numbers per shadow per volume */
} cloud_job;

__kernel void cloud_clear(__global ty_u32 *sum, __global float *value, int count)
{
    int i = (int)get_global_id(0);
    if (i < count) {
        sum[i] = 0u, value[i] = 0.0f;
    }
}

static void cloud_put(cloud_job k, __global ty_u32 *sum, int i, int j, int l, float density)
{
    atomic_add(&sum[k.grid.node + (ty_u32)((l * k.grid.n[1] + j) * k.grid.n[0] + i)], (ty_u32)(density * k.scale + 0.5f));
}

/* the bricks of cells around a node: two to each side */
static void cloud_mark(cloud_job k, __global float *value, int i, int j, int l)
{
    for (int q = 0; q < 8; q++) {
        int x = max((i + (q & 1 ? 1 : -2)) >> TY_K_CLOUD_BRICK, 0), y = max((j + (q & 2 ? 1 : -2)) >> TY_K_CLOUD_BRICK, 0),
            z = max((l + (q & 4 ? 1 : -2)) >> TY_K_CLOUD_BRICK, 0);
        __global float *to = &value[k.grid.brick + (ty_u32)((z * k.grid.b[1] + y) * k.grid.b[0] + x)];
        if (*to == 0.0f) {
            *to = 1.0f;
        }
    }
}

__kernel void cloud_add(cloud_job k, __global const ty_k_cloud_point *point, __global const ty_k_cloud_track *track,
                        __global ty_u32 *sum, __global float *value)
{
    int number = (int)get_global_id(0);
    if (number >= k.points || point[number].group != k.group) {
        return;
    }
    ty_k_cloud_point p = point[number];
    if (k.flies) {
        ty_k_cloud_track t = track[number];
        if (k.ahead >= t.left) {
            return;
        }
        for (int q = 0; q < 3; q++) {
            p.x[q] += t.v[q] * k.ahead;
            p.apart[q] += t.apart[q] * k.ahead;
        }
        p.x[2] -= 0.5f * k.gravity * k.ahead * k.ahead;
    }
    float per = 1.0f / k.grid.h, density = p.area * per * per * per;
    ty_k_vec3 x = ty_k_scale(per, ty_k_vec(p.x[0] - k.grid.low[0], p.x[1] - k.grid.low[1], p.x[2] - k.grid.low[2]));
    ty_k_vec3 apart = ty_k_scale(per, ty_k_vec(p.apart[0], p.apart[1], p.apart[2]));
    float wide = sqrt(ty_k_dot(apart, apart));
    if (wide < 0.5f) {
        int i = (int)(x.x + 0.5f), j = (int)(x.y + 0.5f), l = (int)(x.z + 0.5f);
        ty_k_vec3 a = ty_k_cloud_spline(x.x - (float)i), b = ty_k_cloud_spline(x.y - (float)j),
                  c = ty_k_cloud_spline(x.z - (float)l);
        for (int q = 0; q < 9; q++) {
            float yz = density * (q / 3 == 0 ? c.x : q / 3 == 1 ? c.y : c.z) * (q % 3 == 0 ? b.x : q % 3 == 1 ? b.y : b.z);
            int y = j + q % 3 - 1, z = l + q / 3 - 1;
            cloud_put(k, sum, i - 1, y, z, yz * a.x), cloud_put(k, sum, i, y, z, yz * a.y);
            cloud_put(k, sum, i + 1, y, z, yz * a.z);
        }
        cloud_mark(k, value, i, j, l);
        return;
    }
    density *= 1.0f / (float)TY_K_CLOUD_PIECES;
    for (int piece = 0; piece < TY_K_CLOUD_PIECES; piece++) {
        ty_k_vec3 at = ty_k_cloud_piece(k.grid.n, x, apart, wide, (ty_u32)(TY_K_CLOUD_PIECES * number + piece));
        int i = (int)at.x, j = (int)at.y, l = (int)at.z;
        float u = at.x - (float)i, v = at.y - (float)j, w = at.z - (float)l;
        for (int q = 0; q < 8; q++) {
            float part = (q & 1 ? u : 1.0f - u) * (q & 2 ? v : 1.0f - v) * (q & 4 ? w : 1.0f - w);
            cloud_put(k, sum, i + (q & 1), j + (q >> 1 & 1), l + (q >> 2), density * part);
        }
        cloud_mark(k, value, i, j, l);
    }
}

__kernel void cloud_density(__global const ty_u32 *sum, __global float *value, ty_u32 first, int count, float each)
{
    int i = (int)get_global_id(0);
    if (i < count) {
        value[first + (ty_u32)i] = (float)sum[first + (ty_u32)i] * each;
    }
}

__kernel void cloud_shade(ty_k_cloud_cast cast, ty_u32 node, ty_u32 shade, int slab, __global float *value)
{
    int j = (int)get_global_id(0), l = (int)get_global_id(1);
    if (j < cast.across && l < cast.down) {
        ty_k_cloud_cast_at(&cast, value + node, value + shade, slab, j, l);
    }
}
