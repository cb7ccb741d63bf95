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

/* The contacts of a grain in a step. */
typedef struct contacts {
    uint used; /* slots, as they are now */
    int touching;
    bool full; /* one found no slot */
} contacts;

/* Two rows a slot: xi [m], k_t [N/m]; theta [rad], with what, as bits. */
static inline ty_k_dem_touch remembered(__global const float4 *slot)
{
    float4 s = slot[0], r = slot[1];
    ty_k_dem_touch was;
    was.xi = ty_k_vec(s.x, s.y, s.z);
    was.theta = ty_k_vec(r.x, r.y, r.z);
    was.k = s.w;
    return was;
}

static inline ty_k_dem_touch nothing(void)
{
    ty_k_dem_touch was;
    was.xi = was.theta = ty_k_vec(0, 0, 0);
    was.k = 0;
    return was;
}

static inline void remember(__global float4 *slot, const ty_k_dem_touch *now, int with)
{
    slot[0] = (float4)(now->xi.x, now->xi.y, now->xi.z, now->k);
    slot[1] = (float4)(now->theta.x, now->theta.y, now->theta.z, as_float(with));
}

static inline int take_slot(contacts *c, int slots)
{
    int slot = ty_k_dem_free(c->used, slots);
    c->full = c->full || slot < 0;
    slot = slot < 0 ? slots - 1 : slot;
    c->used |= 1u << slot;
    return slot;
}

/* contacts of a grain with bodies */
static inline void meet(const ty_k_dem_law *law, const crm_box *b, __global const ty_k_solid *solid, int solids,
                        __global const float *lattice, __global float4 *own_slots, int slots, __global float4 *feel, __global int *hit,
                        int room, int i, int4 x, const ty_k_dem_grain *own, ty_k_dem_sum *sum, contacts *c)
{
    bool met = c->used & TY_K_DEM_MEETS;
    c->used &= ~TY_K_DEM_MEETS;
    for (int k = 0; k < solids; k++) {
        ty_k_solid body = solid[k];
        size_t at = (size_t)k * 2 * (size_t)room + (size_t)i;
        feel[at] = (float4)(0.0f);
        int with = TY_K_DEM_BODY + k, slot = -1;
        for (int s = 0; met && s < slots; s++) {
            slot = (c->used >> s & 1u) && as_int(own_slots[2 * s + 1].w) == with ? s : slot;
        }
        if (body.off) {
            c->used |= slot >= 0 ? TY_K_DEM_MEETS : 0;
            continue;
        }
        ty_k_vec3 arm = arm_of(&body, b, x);
        ty_k_sdf near = ty_k_solid_sdf(&body, lattice, arm);
        if (near.d >= own->r) {
            c->used &= slot >= 0 ? ~(1u << slot) : ~0u;
            continue;
        }
        ty_k_dem_touch was = nothing();
        if (slot >= 0) {
            was = remembered(own_slots + 2 * slot);
        } else {
            slot = take_slot(c, slots);
        }
        ty_k_vec3 reach = ty_k_sub(arm, ty_k_scale(near.d, near.n)), v = ty_k_add(body.v, ty_k_cross(body.w, reach));
        ty_k_dem_touch now = ty_k_dem_wall(law, own, near.d, near.n, v, body.w, body.friction, body.stiff, was, sum);
        remember(own_slots + 2 * slot, &now, with);
        c->used |= TY_K_DEM_MEETS;
        ty_k_vec3 turn = ty_k_add(ty_k_cross(reach, now.f), now.turn);
        feel[at] = (float4)(now.f.x, now.f.y, now.f.z, 1.0f);
        feel[at + (size_t)room] = (float4)(turn.x, turn.y, turn.z, 0.0f);
        hit[i / BLOCK * solids + k] = -1; /* all write the same */
        c->touching++;
    }
}

/* Contacts, then motion, into other arrays than those that neighbours read. stat: [0] farthest way since the search, squared; [1] fastest,
 * squared, both as bits of a float >= 0; [2] a wrong grain + 1; [3] one with too many contacts + 1 */
__kernel void dem_push(__global const int4 *restrict x, __global const float4 *restrict v, __global const float4 *restrict w,
                       __global const int *restrict home, __global uint *restrict entry, __global const int *restrict length,
                       __global uint *restrict used, __global float4 *restrict slot, int slots, __global const int4 *restrict x0, __global int4 *restrict x_next,
                       __global float4 *restrict v_next, __global float4 *restrict w_next, __global int *stat, ty_k_dem_law law, crm_box b,
                       __global const ty_k_solid *restrict solid, int solids, __global const float *restrict lattice,
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
    int house = home[i];
    __global float4 *own_slots = slot + (size_t)house * 2 * (size_t)slots;
    contacts c;
    c.used = used[house];
    c.touching = 0;
    c.full = false;
    for (int k = 0, rows = length[i]; k < rows; k++, at += GROUP) {
        uint e = entry[at];
        int j = (int)(e / TY_K_DEM_ENTRY), its = (int)(e % TY_K_DEM_ENTRY) - 1;
        int4 xj = x[j];
        ty_k_vec3 d = apart_of(&law, xi, xj);
        float far = own.r + as_float(xj.w), d2 = ty_k_dot(d, d);
        if (!(d2 < far * far)) {
            if (its >= 0) {
                c.used &= ~(1u << its);
                entry[at] = (uint)j * TY_K_DEM_ENTRY;
            }
            continue;
        }
        ty_k_dem_touch was = nothing();
        if (its >= 0) {
            was = remembered(own_slots + 2 * its);
        } else {
            its = take_slot(&c, slots);
            entry[at] = e + (uint)its + 1;
        }
        ty_k_dem_grain other = grain_of(xj, v[j], w[j]);
        ty_k_dem_touch now = ty_k_dem_grains(&law, &own, &other, d, sqrt(d2), was, &sum);
        remember(own_slots + 2 * its, &now, home[j]);
        c.touching++;
    }
    if (solids) {
        meet(&law, &b, solid, solids, lattice, own_slots, slots, feel, hit, room, i, xi, &own, &sum, &c);
    }
    used[house] = c.used;
    if (c.full) {
        atomic_max(&stat[3], i + 1);
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
    w_next[i] = (float4)(to.w.x, to.w.y, to.w.z, (float)c.touching);
}

/* ---- search ---- */

__kernel void dem_permute(__global int *scratch, __global const int4 *x, __global const float4 *v, __global const float4 *w,
                          __global const int *id, __global const int *home, __global int4 *x_to, __global float4 *v_to, __global float4 *w_to,
                          __global int *id_to, __global int *home_to, __global int4 *x0, __global int *place, int n, int room)
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
    home_to[to] = home[i];
    x0[to] = x[i];
    place[home[i]] = to;
}

/* stat: [3] a grain with too many neighbours + 1 */
__kernel void dem_list(__global const int4 *x, __global const float4 *w, __global const int *start, __global const int *home,
                       __global const int *place, __global uint *entry, __global int *length, __global uint *used,
                       __global const float4 *slot, int slots, __global int *stat, ty_k_dem_law law, crm_box b, float skin)
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
                            entry[first + (size_t)count * GROUP] = TY_K_DEM_ENTRY * (uint)o;
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
    /* entries of contacts that it remembers get their slots; those of others that are not near any more are free */
    int house = home[i];
    uint kept = used[house];
    __global const float4 *own_slots = slot + (size_t)house * 2 * (size_t)slots;
    for (int k = 0; k < slots; k++) {
        if (!(kept >> k & 1u)) {
            continue;
        }
        int with = as_int(own_slots[2 * k + 1].w);
        if (with >= TY_K_DEM_BODY) {
            continue;
        }
        uint other = TY_K_DEM_ENTRY * (uint)place[with];
        size_t to = first;
        int c = 0;
        while (c < count && entry[to] != other) {
            c++;
            to += GROUP;
        }
        if (c < count) {
            entry[to] = other + (uint)k + 1;
        } else {
            kept &= ~(1u << k);
        }
    }
    used[house] = kept;
}
