/* kernels/bodies.cl - rigid bodies among particles on a device, for kernels/crm.cl and dem.cl: what each particle feels is kept, and added up block by
 * block in the order of particles, as the host does (src/soil/crm/device_bodies.c).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_touch.h"
#include "sort.cl"
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void crm_solid(__global ty_k_solid *to, ty_k_solid s, int k)
{
    if (get_global_id(0) == 0) {
        to[k] = s;
    }
}

/* [m] from a body's origin to a particle; along periodic axes from the nearest image */
static inline ty_k_vec3 arm_of(const ty_k_solid *s, const crm_box *box, int4 x)
{
    ty_k_vec3 from;
    from.x = (float)((uint)x.x - (uint)box->low[0]) * box->unit[0];
    from.y = (float)((uint)x.y - (uint)box->low[1]) * box->unit[1];
    from.z = (float)((uint)x.z - (uint)box->low[2]) * box->unit[2];
    ty_k_vec3 arm = ty_k_sub(from, s->centre);
    arm.x = box->periodic[0] ? apart(x.x, s->at[0], box->unit[0]) : arm.x;
    arm.y = box->periodic[1] ? apart(x.y, s->at[1], box->unit[1]) : arm.y;
    arm.z = box->periodic[2] ? apart(x.z, s->at[2], box->unit[2]) : arm.z;
    return arm;
}

/* One work group a block of `wide` particles, at most 512: they are fetched together, and one item adds up each of the six components in the order of
 * particles. */
#define MOST_WIDE 512
#ifdef cl_khr_fp64
__kernel void crm_feel(__global const float4 *feel, __global int *hit, __global double *load, int solids, int room, int parts, int n,
                       float dt, int wide, int first_step)
{
    __local float part[MOST_WIDE * 7];
    int block = (int)get_group_id(0), item = (int)get_local_id(0), items = (int)get_local_size(0);
    if (block >= parts) {
        return;
    }
    int first = block * wide, count = first + wide < n ? wide : n - first;
    for (int k = 0; k < solids; k++) {
        bool touched = hit[block * solids + k] == -1;
        __global const float4 *force = feel + (size_t)k * 2 * (size_t)room, *turn = force + room;
        for (int i = item; touched && i < count; i += items) {
            float4 f = force[first + i];
            part[i * 7 + 6] = f.w;
            if (f.w != 0.0f) {
                float4 t = turn[first + i];
                part[i * 7] = f.x;
                part[i * 7 + 1] = f.y;
                part[i * 7 + 2] = f.z;
                part[i * 7 + 3] = t.x;
                part[i * 7 + 4] = t.y;
                part[i * 7 + 5] = t.z;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        __global double *to = load + ((size_t)block * (size_t)solids + (size_t)k) * 7 + item;
        if ((touched || first_step) && item < 6) {
            double sum = first_step ? 0.0 : *to, h = (double)dt;
            for (int i = 0; touched && i < count; i++) {
                if (part[i * 7 + 6] != 0.0f) {
                    sum -= h * (double)part[i * 7 + item];
                }
            }
            *to = sum;
        }
        if (item == 0) {
            int touching = 0;
            for (int i = 0; touched && i < count; i++) {
                touching += part[i * 7 + 6] != 0.0f;
            }
            hit[block * solids + k] = touching;
            to[6] = touching;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif
