/* kernels/dem.cl - a bed of grains on a device: the pass and the search of src/soil/dem, one work item a grain. Contacts are added up in the order of
 * the host's lists, so that results agree with the host's bit by bit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_dem.h"
#include "bodies.cl"

static inline ty_k_vec3 apart_of(const ty_k_dem_law *law, int4 a, int4 b)
{
    return ty_k_vec(apart(a.x, b.x, law->ux), apart(a.y, b.y, law->uy), apart(a.z, b.z, law->uz));
}

static inline ty_k_dem_grain grain_of(int4 x, float4 v, float4 w)
{
    ty_k_dem_grain g;
    g.v = ty_k_vec(v.x, v.y, v.z);
    g.w = ty_k_vec(w.x, w.y, w.z);
    g.r = as_float(x.w);
    g.m = v.w;
    return g;
}

#define BLOCK 256 /* grains whose sums are one of the host's */
#define WALLS 3   /* bodies that a grain remembers: xi [m], which + 1; theta [rad], k_t [N/m] */

/* contacts of a grain with bodies; how many */
static inline int meet(const ty_k_dem_law *law, const crm_box *b, __global const ty_k_solid *solid, int solids,
                       __global const float *lattice, __global float4 *wall, __global float4 *feel, __global int *hit, int room, int i, int4 x,
                       const ty_k_dem_grain *own, ty_k_dem_sum *sum)
{
    int touching = 0;
    for (int k = 0; k < solids; k++) {
        ty_k_solid body = solid[k];
        size_t at = (size_t)k * 2 * (size_t)room + (size_t)i;
        feel[at] = (float4)(0.0f);
        if (body.off) {
            continue;
        }
        ty_k_vec3 arm = arm_of(&body, b, x);
        ty_k_sdf near = ty_k_solid_sdf(&body, lattice, arm);
        int place = -1;
        bool mine = false;
        for (int c = 0; c < WALLS && !mine; c++) { /* the place of its memory, or one that is free */
            float which = wall[(size_t)(2 * c) * (size_t)room + (size_t)i].w;
            mine = which == (float)(k + 1);
            place = mine || (place < 0 && which == 0.0f) ? c : place;
        }
        size_t xi = (size_t)(2 * (place < 0 ? 0 : place)) * (size_t)room + (size_t)i, theta = xi + (size_t)room;
        if (near.d >= own->r) {
            if (mine) {
                wall[xi] = wall[theta] = (float4)(0.0f);
            }
            continue;
        }
        ty_k_dem_touch was;
        was.xi = was.theta = ty_k_vec(0, 0, 0);
        was.k = 0;
        if (mine) {
            float4 m = wall[xi], t = wall[theta];
            was.xi = ty_k_vec(m.x, m.y, m.z);
            was.theta = ty_k_vec(t.x, t.y, t.z);
            was.k = t.w;
        }
        ty_k_vec3 reach = ty_k_sub(arm, ty_k_scale(near.d, near.n)), v = ty_k_add(body.v, ty_k_cross(body.w, reach));
        ty_k_dem_touch now = ty_k_dem_wall(law, own, near.d, near.n, v, body.w, body.friction, body.stiff, was, sum);
        if (place >= 0) {
            wall[xi] = (float4)(now.xi.x, now.xi.y, now.xi.z, (float)(k + 1));
            wall[theta] = (float4)(now.theta.x, now.theta.y, now.theta.z, now.k);
        }
        ty_k_vec3 turn = ty_k_add(ty_k_cross(reach, now.f), now.turn);
        feel[at] = (float4)(now.f.x, now.f.y, now.f.z, 1.0f);
        feel[at + (size_t)room] = (float4)(turn.x, turn.y, turn.z, 0.0f);
        hit[i / BLOCK * solids + k] = -1; /* all write the same */
        touching++;
    }
    return touching;
}

/* Contacts, then motion, into other arrays than those that neighbours read. stat: [0] farthest way since the search, squared; [1] fastest,
 * squared, both as bits of a float >= 0; [2] a wrong grain + 1 */
__kernel void dem_push(__global const int4 *restrict x, __global const float4 *restrict v, __global const float4 *restrict w,
                       __global uint *restrict entry, __global const int *restrict length, __global float4 *restrict slide,
                       __global float4 *restrict roll, __global const int4 *restrict x0, __global int4 *restrict x_next,
                       __global float4 *restrict v_next, __global float4 *restrict w_next, __global int *stat, ty_k_dem_law law, crm_box b,
                       __global const ty_k_solid *restrict solid, int solids, __global const float *restrict lattice, __global float4 *restrict wall,
                       __global float4 *restrict feel, __global int *hit, int room)
{
    int i = (int)get_global_id(0);
    if (i >= b.n) {
        return;
    }
    int4 xi = x[i];
    float4 vi = v[i], wi = w[i];
    if (wi.w < 0.0f) {
        x_next[i] = xi;
        v_next[i] = vi;
        w_next[i] = wi;
        for (int k = 0; k < solids; k++) { /* a grain that moves may have been here before */
            feel[(size_t)k * 2 * (size_t)room + (size_t)i] = (float4)(0.0f);
        }
        return;
    }
    ty_k_dem_grain own = grain_of(xi, vi, wi);
    ty_k_dem_sum sum;
    sum.f = sum.turn = ty_k_vec(0, 0, 0);
    size_t at = first_of(i, b.most);
    int touching = 0;
    for (int k = 0, rows = length[i]; k < rows; k++, at += GROUP) {
        uint e = entry[at];
        int j = (int)(e >> 1);
        int4 xj = x[j];
        ty_k_vec3 d = apart_of(&law, xi, xj);
        float far = own.r + as_float(xj.w), d2 = ty_k_dot(d, d);
        if (!(d2 < far * far)) {
            if (e & 1) {
                entry[at] = e - 1;
            }
            continue;
        }
        ty_k_dem_touch was;
        was.xi = was.theta = ty_k_vec(0, 0, 0);
        was.k = 0;
        if (e & 1) {
            float4 s = slide[at];
            was.xi = ty_k_vec(s.x, s.y, s.z);
            was.k = s.w;
            if (law.roll > 0) {
                float4 r = roll[at];
                was.theta = ty_k_vec(r.x, r.y, r.z);
            }
        } else {
            entry[at] = e | 1;
        }
        ty_k_dem_grain other = grain_of(xj, v[j], w[j]);
        ty_k_dem_touch now = ty_k_dem_grains(&law, &own, &other, d, sqrt(d2), was, &sum);
        slide[at] = (float4)(now.xi.x, now.xi.y, now.xi.z, now.k);
        if (law.roll > 0) {
            roll[at] = (float4)(now.theta.x, now.theta.y, now.theta.z, 0.0f);
        }
        touching++;
    }
    if (solids) {
        touching += meet(&law, &b, solid, solids, lattice, wall, feel, hit, room, i, xi, &own, &sum);
    }
    ty_k_dem_motion to = ty_k_dem_advance(&law, &own, &sum);
    if (!(to.speed * law.dt * law.dt < law.most * law.most) || !isfinite(ty_k_dot(to.w, to.w))) {
        atomic_max(&stat[2], i + 1);
        to.x = to.y = to.z = 0;
    }
    int4 next = xi;
    next.x = (int)((uint)xi.x + (uint)to.x);
    next.y = (int)((uint)xi.y + (uint)to.y);
    next.z = (int)((uint)xi.z + (uint)to.z);
    ty_k_vec3 way = apart_of(&law, next, x0[i]);
    float far = ty_k_dot(way, way);
    if (as_int(far) > stat[0]) { /* most items need no atomic */
        atomic_max(&stat[0], as_int(far));
    }
    if (as_int(to.speed) > stat[1]) {
        atomic_max(&stat[1], as_int(to.speed));
    }
    x_next[i] = next;
    v_next[i] = (float4)(to.v.x, to.v.y, to.v.z, vi.w);
    w_next[i] = (float4)(to.w.x, to.w.y, to.w.z, (float)touching);
}

/* ---- search ---- */

__kernel void dem_permute(__global int *scratch, __global const int4 *x, __global const float4 *v, __global const float4 *w,
                          __global const int *id, __global int4 *x_to, __global float4 *v_to, __global float4 *w_to, __global int *id_to,
                          __global int4 *x0, __global int *from, __global int *new_place, int n, int room,
                          __global const float4 *wall, __global float4 *wall_to, int walls)
{
    int to = (int)get_global_id(0);
    if (to >= n) {
        return;
    }
    int i = ORDER(scratch, room)[to];
    x_to[to] = x[i];
    v_to[to] = v[i];
    w_to[to] = w[i];
    id_to[to] = id[i];
    x0[to] = x[i];
    from[to] = i;
    new_place[i] = to;
    for (int k = 0; k < walls; k++) {
        wall_to[(size_t)k * (size_t)room + (size_t)to] = wall[(size_t)k * (size_t)room + (size_t)i];
    }
}

/* stat: [3] a grain with too many neighbours + 1 */
__kernel void dem_list(__global const int4 *x, __global const float4 *w, __global const int *start, __global const int *from,
                       __global const int *new_place, __global uint *entry, __global int *length, __global float4 *slide,
                       __global float4 *roll, __global const uint *old_entry, __global const int *old_length,
                       __global const float4 *old_slide, __global const float4 *old_roll, __global int *stat, ty_k_dem_law law, crm_box b,
                       float skin)
{
    int i = (int)get_global_id(0), count = 0;
    if (i >= b.n) {
        return;
    }
    if (w[i].w < 0.0f) {
        length[i] = 0;
        return;
    }
    int4 own = x[i];
    float reach = as_float(own.w) + skin;
    crm_around a = around_of(&b, own);
    size_t first = first_of(i, b.most);
    for (int k = 0; k < a.nz; k++) {
        for (int j = 0; j < a.ny; j++) {
            for (int c = 0; c < a.runs; c++) {
                int cell = (a.cz[k] * b.cells[1] + a.cy[j]) * b.cells[0] + a.cx[c];
                for (int o = start[cell], end = start[cell + a.wide[c]]; o < end; o++) {
                    int4 other = x[o];
                    ty_k_vec3 d = apart_of(&law, own, other);
                    float far = reach + as_float(other.w);
                    if (o != i && ty_k_dot(d, d) < far * far) {
                        if (count < b.most) {
                            entry[first + (size_t)count * GROUP] = 2 * (uint)o;
                        }
                        count++;
                    }
                }
            }
        }
    }
    if (count > b.most) {
        atomic_max(&stat[3], i + 1);
        count = b.most;
    }
    length[i] = count;
    /* what it remembers of its contacts goes to their places in the new list */
    int old = from[i];
    size_t at = first_of(old, b.most);
    for (int k = 0, rows = old_length[old]; k < rows; k++, at += GROUP) {
        uint e = old_entry[at];
        if (!(e & 1)) {
            continue;
        }
        uint other = 2 * (uint)new_place[e >> 1];
        size_t to = first;
        for (int c = 0; c < count; c++, to += GROUP) {
            if (entry[to] == other) {
                entry[to] = other | 1;
                slide[to] = old_slide[at];
                if (law.roll > 0) {
                    roll[to] = old_roll[at];
                }
            }
        }
    }
}
