/* kernels/crm.cl - a bed of particles on a device: the passes and the search of src/soil/crm, one work item a particle.
 * Sums run in the order of the host's lists, so that results agree with the host's bit by bit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bodies.cl"

#define LOCAL 128 /* work items of a group */

/* Lists. WIDE: four bytes an entry, which is the particle. Else two, so that ten million particles fit into three gibibytes: which run of cells, of RUNS
 * around one at most, and which particle of it. */
#if defined(WIDE) && !defined(SHORT)
typedef int crm_entry;
#define IN_RUN       0x7fffffff
#define ENTRY(r, from, o) (o)
#define OTHER(e)     (e)
#define OWN_RUNS(b, x0) __local const int *base = 0;
#else
typedef ushort crm_entry;
#define IN_RUN       1024
#define ENTRY(r, from, o) ((ushort)((r) * IN_RUN + ((o) - first - (from))))
#define OTHER(e)     (base[((e) / IN_RUN) * LOCAL + (int)get_local_id(0)] + (int)((e) % IN_RUN))
#define OWN_RUNS(b, x0) \
    __local int base[RUNS * LOCAL]; \
    if ((int)get_global_id(0) < n) { \
        find_runs(&(b), (x0)[i], start + (size_t)slot * (size_t)(cells_of(&(b)) + 1), slot * room, base, (int)get_local_id(0)); \
    }
#endif

/* Beds that step together: get_global_id(1) counts them. What a sub-step needs to know of one: where its particles are (soil/crm/device.c), which of stat's
 * two holds the fastest, the number of the step in which soil outside its fence is noticed (0: in none), whether sums of bodies begin. */
typedef struct crm_item {
    int slot, n, turn, stamp;
    int low[3];
    uint span[3];
    int first, unused;
} crm_item;
/* Its particle of this work item, as all arrays and lists count them, if there is one. */
#define OWN_BED(item, at_item, room)                                                                           \
    int slot = item[at_item + (int)get_global_id(1)].slot, n = item[at_item + (int)get_global_id(1)].n;        \
    int i = slot * room + (int)get_global_id(0);
#define STAT                6 /* numbers of a bed in stat */
#define ENTRIES             64 /* of the plan of sub-steps; those of beds with new lists follow, then bodies */

static inline ty_k_sph_near near_of(int4 xi, int4 x, const ty_k_sph *p)
{
    ty_k_sph_near j;
    j.x = apart(xi.x, x.x, p->ux);
    j.y = apart(xi.y, x.y, p->uy);
    j.z = apart(xi.z, x.z, p->uz);
    j.soil = as_float(x.w);
    return j;
}

static inline void velocity_of(ty_k_sph_near *j, float4 v)
{
    j->vx = v.x;
    j->vy = v.y;
    j->vz = v.z;
    j->V = v.w;
}

static inline void stress_of(ty_k_sph_near *j, float4 s, float4 t)
{
    j->xx = s.x;
    j->yy = s.y;
    j->zz = s.z;
    j->xy = t.x;
    j->xz = t.y;
    j->yz = t.z;
}

#if !defined(WIDE) || defined(SHORT)
static inline void find_runs(const crm_box *b, int4 x, __global const int *start, int first, __local int *base, int item)
{
    crm_around a = around_of(b, x);
    int r = 0;
    for (int k = 0; k < a.nz; k++) {
        for (int j = 0; j < a.ny; j++) {
            for (int c = 0; c < a.runs; c++) {
                base[r++ * LOCAL + item] = first + start[(a.cz[k] * b->cells[1] + a.cy[j]) * b->cells[0] + a.cx[c]];
            }
        }
    }
}
#endif

/* ---- forces and motion ---- */

/* What neighbours add to the momentum of soil particle i, at xi, with velocity u and stress si, ti. */
static inline ty_k_sph_force force_of(int i, int4 xi, float4 u, float4 si, float4 ti, __global const int4 *restrict x, __global const float4 *restrict v,
                                      __global const float4 *restrict t0, __global const float4 *restrict t1, __global const crm_entry *restrict list,
                                      int rows, __local const int *base, const ty_k_sph *p, int most)
{
    ty_k_sph_near own = near_of(xi, xi, p);
    velocity_of(&own, u);
    stress_of(&own, si, ti);
    ty_k_sph_force sum = { 0, 0, 0, 0, 0, 0 };
    __global const crm_entry *at = list + first_of(i, most);
#pragma unroll 8
    for (int k = 0; k < rows; k++) {
        int other = OTHER(at[k * GROUP]);
        ty_k_sph_near j = near_of(xi, x[other], p);
        velocity_of(&j, v[other]);
        stress_of(&j, t0[other], t1[other]);
        ty_k_sph_force_add(&sum, p, &own, &j);
    }
    return sum;
}

/* [m/s^2] */
static inline float4 push_of(const ty_k_sph *p, const ty_k_sph_force *sum, float e)
{
    return (float4)(ty_k_sph_acceleration(p, sum->ax, e), ty_k_sph_acceleration(p, sum->ay, e), ty_k_sph_acceleration(p, sum->az, e), 0.0f);
}

/* Motion by acceleration f [m/s^2] and the neighbours' velocity s [m/s]. stat: [0] farthest way since the search, squared; [4], [5] fastest of this
 * sub-step, squared, by turns, all as bits of a float >= 0; [1] the last step with soil outside the fence; [2] a wrong particle + 1 */
static inline void move_one(int i, int4 xi, float4 was_v, int4 was, float4 f, float4 s, const ty_k_sph *p, const crm_box *b, float keep,
                            __global int4 *x_next, __global float4 *v_next, __global int *stat, int turn, int first)
{
    float4 u = was_v;
    u.x = ty_k_sph_kick(u.x, f.x, p->gx, p->dt, keep);
    u.y = ty_k_sph_kick(u.y, f.y, p->gy, p->dt, keep);
    u.z = ty_k_sph_kick(u.z, f.z, p->gz, p->dt, keep);
    float speed = u.x * u.x + u.y * u.y + u.z * u.z;
    if (!(speed * p->dt * p->dt < p->h * p->h * 0.25f)) {
        atomic_max(&stat[2], i - first + 1);
        x_next[i] = xi;
        v_next[i] = was_v;
        return;
    }
    int4 to = xi;
    to.x = (int)((uint)to.x + (uint)ty_k_sph_way(u.x, s.x, p->xsph, p->dt, b->inv[0]));
    to.y = (int)((uint)to.y + (uint)ty_k_sph_way(u.y, s.y, p->xsph, p->dt, b->inv[1]));
    to.z = (int)((uint)to.z + (uint)ty_k_sph_way(u.z, s.z, p->xsph, p->dt, b->inv[2]));
    float dx = apart(to.x, was.x, p->ux), dy = apart(to.y, was.y, p->uy), dz = apart(to.z, was.z, p->uz);
    float far = dx * dx + dy * dy + dz * dz;
    if (as_int(far) > stat[0]) { /* most items need no atomic */
        atomic_max(&stat[0], as_int(far));
    }
    if (as_int(speed) > stat[4 + turn]) {
        atomic_max(&stat[4 + turn], as_int(speed));
    }
    x_next[i] = to;
    v_next[i] = u;
}

/* Forces, then motion, into other arrays than those that neighbours read: without bodies. */
__kernel void crm_push(__global const int4 *restrict x, __global const float4 *restrict v, __global const float4 *restrict t0,
                       __global const float4 *restrict t1, __global const crm_entry *restrict list, __global const int *restrict length,
                       __global const int *restrict start, __global const int4 *restrict x0, __global int4 *restrict x_next, __global float4 *restrict v_next,
                       __global int *stat, ty_k_sph p, crm_box b, float keep, __global const crm_item *item, int at_item)
{
    int i = (int)get_global_id(0), n = item[at_item].n, slot = 0, room = 0; /* one bed alone */
    OWN_RUNS(b, x0)
    if (i >= n) {
        return;
    }
    int4 xi = x[i];
    float4 u = v[i];
    if (xi.w == 0) {
        x_next[i] = xi;
        v_next[i] = u;
        return;
    }
    float4 si = t0[i];
    ty_k_sph_force sum = force_of(i, xi, u, si, t1[i], x, v, t0, t1, list, length[i], base, &p, b.most);
    move_one(i, xi, u, x0[i], push_of(&p, &sum, si.w), (float4)(sum.sx, sum.sy, sum.sz, 0.0f), &p, &b, keep, x_next, v_next, stat, item[at_item].turn, 0);
}

/* With bodies: forces alone, where the next velocities and places will be; then bodies and motion. So that the loop over neighbours needs few registers. */
__kernel void crm_force(__global const int4 *restrict x, __global const float4 *restrict v, __global const float4 *restrict t0,
                        __global const float4 *restrict t1, __global const crm_entry *restrict list, __global const int *restrict length,
                        __global const int *restrict start, __global const int4 *restrict x0, __global float4 *restrict shift,
                        __global float4 *restrict force, ty_k_sph p, crm_box b, __global const crm_item *item, int at_item, int room)
{
    OWN_BED(item, at_item, room)
    OWN_RUNS(b, x0)
    if ((int)get_global_id(0) >= n || x[i].w == 0) {
        return;
    }
    int4 xi = x[i];
    float4 u = v[i], si = t0[i];
    ty_k_sph_force sum = force_of(i, xi, u, si, t1[i], x, v, t0, t1, list, length[i], base, &p, b.most);
    force[i] = push_of(&p, &sum, si.w);
    shift[i] = (float4)(sum.sx, sum.sy, sum.sz, 0.0f);
}

#define BLOCK 512 /* particles of a group of crm_move: those whose sums are one of the host's */

#ifdef cl_khr_fp64
/* What one body feels of a block: contacts are put side by side in the order of particles, then six items add up a component each. load: six sums and how
 * many touch, of each block and body; first: the sums begin. */
static inline void feel_block(__local float *part, __local int *place, bool touches, float4 f, float4 turn, __global double *to, float dt, int first)
{
    int item = (int)get_local_id(0);
    place[item] = touches;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < BLOCK; d *= 2) {
        int below = item >= d ? place[item - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        place[item] += below;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int count = place[BLOCK - 1], own = place[item] - 1;
    if (touches) {
        part[own * 6] = f.x;
        part[own * 6 + 1] = f.y;
        part[own * 6 + 2] = f.z;
        part[own * 6 + 3] = turn.x;
        part[own * 6 + 4] = turn.y;
        part[own * 6 + 5] = turn.z;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 6 && (count || first)) {
        double sum = first ? 0.0 : to[item], h = (double)dt;
        for (int k = 0; k < count; k++) {
            sum -= h * (double)part[k * 6 + item];
        }
        to[item] = sum;
    }
    if (item == 6) {
        to[6] = count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Bodies: `solids` of each bed, as the plan has them for this sub-step. Forces are where crm_force left them; a particle's place and velocity are its
 * own here, so that they change where they are. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void crm_move(__global int4 *restrict x, __global float4 *restrict v, __global const int4 *restrict x0, __global const float4 *restrict shift,
                       __global const float4 *restrict force, __global int *stat, ty_k_sph p, crm_box b, float keep, int solids, ty_k_touch_law law, __global const float *restrict lattice,
                       __global float4 *restrict touch, __global double *load, __global const crm_item *item, int at_item, int room)
{
    __local float part[BLOCK * 6];
    __local int place[BLOCK], some;
    OWN_BED(item, at_item, room)
    __global const crm_item *own = item + at_item + (int)get_global_id(1);
    stat += slot * STAT;
    __global const ty_k_solid *solid = (__global const ty_k_solid *)(item + ENTRIES + BEDS) + (at_item + (int)get_global_id(1)) * solids;
    load += (size_t)slot * (size_t)(room / BLOCK) * (size_t)solids * 7;
    int first = own->first;
    bool in = (int)get_global_id(0) < n;
    int4 xi = in ? x[i] : (int4)(0);
    float4 u = in ? v[i] : (float4)(0.0f), f = 0, s = 0, memory = 0;
    bool soil = in && xi.w != 0;
    if (soil) {
        f = force[i];
        s = shift[i];
        memory = touch[i];
    }
    for (int k = 0; k < solids; k++) {
        ty_k_touch now;
        now.touches = 0;
        if (get_local_id(0) == 0) {
            some = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (soil) {
            ty_k_solid body = solid[k];
            if (!body.off) {
                ty_k_vec3 speed, arm = arm_of(&body, &b, xi);
                speed.x = u.x;
                speed.y = u.y;
                speed.z = u.z;
                bool mine = memory.w == (float)(k + 1);
                ty_k_sph_touch was = { 0, 0, 0, mine ? memory.x : 0, mine ? memory.y : 0, mine ? memory.z : 0 };
                now = ty_k_solid_touch(&body, lattice, arm, speed, was, &law);
                if (now.touches) {
                    memory = (float4)(now.t.x, now.t.y, now.t.z, (float)(k + 1));
                    f += (float4)(now.t.fx / law.mass, now.t.fy / law.mass, now.t.fz / law.mass, 0.0f);
                    some = 1; /* all write the same */
                } else if (mine) {
                    memory = (float4)(0.0f);
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        __global double *to = load + (get_group_id(0) * (size_t)solids + (size_t)k) * 7;
        if (some) {
            feel_block(part, place, now.touches, (float4)(now.t.fx, now.t.fy, now.t.fz, 0.0f), (float4)(now.turn.x, now.turn.y, now.turn.z, 0.0f), to, p.dt,
                       first);
        } else if (get_local_id(0) < 7 && (first || get_local_id(0) == 6)) {
            to[get_local_id(0)] = 0;
        }
    }
    if (soil) {
        touch[i] = memory;
        move_one(i, xi, u, x0[i], f, s, &p, &b, keep, x, v, stat, own->turn, slot * room);
        xi = x[i];
        if (own->stamp && ((uint)xi.x - (uint)own->low[0] > own->span[0] || (uint)xi.y - (uint)own->low[1] > own->span[1] ||
                           (uint)xi.z - (uint)own->low[2] > own->span[2])) {
            stat[1] = own->stamp; /* all write the same */
        }
    }
}
#endif

/* ---- density and stress ---- */

/* The other one of stat's two begins anew. What neighbours read of a velocity is its volume: the next one is set aside. */
__kernel void crm_rate(__global const int4 *restrict x, __global const float4 *restrict v, __global const float4 *restrict g,
                       __global float4 *restrict t0, __global float4 *restrict t1, __global float4 *restrict v_next,
                       __global float4 *restrict g_next, __global const crm_entry *restrict list, __global const int *restrict length,
                       __global const int *restrict start, __global const int4 *restrict x0, ty_k_sph p, crm_box b, __global int *stat,
                       __global const crm_item *item, int at_item, int room)
{
    OWN_BED(item, at_item, room)
    OWN_RUNS(b, x0)
    if (get_global_id(0) == 0) {
        stat[slot * STAT + 5 - item[at_item + (int)get_global_id(1)].turn] = 0;
    }
    if ((int)get_global_id(0) >= n) {
        return;
    }
    int4 xi = x[i];
    float4 vi = v[i], gi = 0;
    const bool spread = SPREAD; /* of the build: a branch in the loop keeps reads of several neighbours from running ahead */
    if (spread) {
        gi = g[i];
    }
    if (xi.w == 0) {
        v_next[i] = vi;
        if (spread) {
            g_next[i] = gi;
        }
        return;
    }
    ty_k_sph_near own = near_of(xi, xi, &p);
    velocity_of(&own, vi);
    own.e = gi.w;
    own.gx = gi.x;
    own.gy = gi.y;
    own.gz = gi.z;
    ty_k_sph_rate sum;
    for (int k = 0; k < 9; k++) {
        sum.l[k] = 0;
    }
    sum.xx = sum.yy = sum.zz = sum.xy = sum.xz = sum.yz = sum.gx = sum.gy = sum.gz = sum.spread = sum.w = 0;
    __global const crm_entry *at = list + first_of(i, b.most);
    int rows = length[i];
#pragma unroll 8
    for (int k = 0; k < rows; k++) {
        int other = OTHER(at[k * GROUP]);
        ty_k_sph_near j = near_of(xi, x[other], &p);
        velocity_of(&j, v[other]);
        ty_k_sph_rate_add(&sum, &p, &own, &j);
        if (spread) {
            float4 gj = g[other];
            j.e = gj.w;
            j.gx = gj.x;
            j.gy = gj.y;
            j.gz = gj.z;
            ty_k_sph_spread_add(&sum, &p, &own, &j);
        }
    }
    float4 s = t0[i], t = t1[i];
    ty_k_sph_state state;
    state.xx = s.x;
    state.yy = s.y;
    state.zz = s.z;
    state.xy = t.x;
    state.xz = t.y;
    state.yz = t.z;
    state.e = s.w;
    state.V = vi.w;
    state = ty_k_sph_advance(&p, state, &sum);
    t0[i] = (float4)(state.xx, state.yy, state.zz, state.e);
    t1[i] = (float4)(state.xy, state.xz, state.yz, state.support);
    if (spread) {
        g_next[i] = (float4)(state.gx, state.gy, state.gz, state.e);
    }
    v_next[i] = (float4)(vi.x, vi.y, vi.z, state.V);
}

/* ---- walls: they list soil only, so that none of what is read is written ---- */

__kernel void crm_wall_speed(__global const int4 *restrict x, __global float4 *v, __global const crm_entry *restrict list,
                             __global const int *restrict length, __global const int *restrict start, __global const int4 *restrict x0, ty_k_sph p, crm_box b,
                             __global const crm_item *item, int at_item, int room)
{
    OWN_BED(item, at_item, room)
    OWN_RUNS(b, x0)
    if ((int)get_global_id(0) >= n || x[i].w != 0) {
        return;
    }
    int4 xi = x[i];
    ty_k_sph_ghost sum;
    sum.w = sum.x = sum.y = sum.z = sum.vx = sum.vy = sum.vz = 0;
    sum.xx = sum.yy = sum.zz = sum.xy = sum.xz = sum.yz = 0;
    size_t at = first_of(i, b.most);
    for (int k = 0, rows = length[i]; k < rows; k++, at += GROUP) {
        int other = OTHER(list[at]);
        ty_k_sph_near j = near_of(xi, x[other], &p);
        velocity_of(&j, v[other]);
        stress_of(&j, (float4)(0.0f), (float4)(0.0f));
        ty_k_sph_ghost_add(&sum, &p, &j);
    }
    float by = sum.w > 0 ? 1.0f / sum.w : 0.0f;
    v[i] = (float4)(-sum.vx * by, -sum.vy * by, -sum.vz * by, p.volume);
}

/* renew: soil takes over the velocity and volume that crm_rate set aside. */
__kernel void crm_wall_stress(__global const int4 *restrict x, __global float4 *t0, __global float4 *t1, __global const crm_entry *restrict list,
                              __global const int *restrict length, __global const int *restrict start, __global const int4 *restrict x0, ty_k_sph p, crm_box b,
                              __global float4 *restrict v, __global const float4 *restrict v_next, int renew, __global const crm_item *item, int at_item, int room)
{
    OWN_BED(item, at_item, room)
    OWN_RUNS(b, x0)
    if ((int)get_global_id(0) >= n) {
        return;
    }
    if (x[i].w != 0) {
        if (renew) {
            v[i] = v_next[i];
        }
        return;
    }
    int4 xi = x[i];
    ty_k_sph_ghost sum;
    sum.w = sum.x = sum.y = sum.z = sum.vx = sum.vy = sum.vz = 0;
    sum.xx = sum.yy = sum.zz = sum.xy = sum.xz = sum.yz = 0;
    size_t at = first_of(i, b.most);
    for (int k = 0, rows = length[i]; k < rows; k++, at += GROUP) {
        int other = OTHER(list[at]);
        ty_k_sph_near j = near_of(xi, x[other], &p);
        velocity_of(&j, (float4)(0.0f));
        stress_of(&j, t0[other], t1[other]);
        ty_k_sph_ghost_add(&sum, &p, &j);
    }
    ty_k_sph_ghost_stress(&sum, &p);
    t0[i] = (float4)(sum.xx, sum.yy, sum.zz, 0.0f);
    t1[i] = (float4)(sum.xy, sum.xz, sum.yz, 0.0f);
}

/* ---- search ---- */

/* While particles are sorted there are no lists: their memory holds keys, the order, and all but places on its way. */
#define T0_TO(scratch, room) ((__global float4 *)((scratch) + 4 * (size_t)(room)))
#define T1_TO(scratch, room) ((__global float4 *)((scratch) + 8 * (size_t)(room)))
#define ID_TO(scratch, room) ((scratch) + 2 * (size_t)(room))
#define TOUCH_TO(scratch, room) ((__global float4 *)((scratch) + 12 * (size_t)(room)))
#define V_TO(scratch, room) ((__global float4 *)((scratch) + 16 * (size_t)(room)))
#define G_TO(scratch, room) ((__global float4 *)((scratch) + 20 * (size_t)(room)))

__kernel void crm_permute(__global int *scratch, __global const int4 *x, __global const float4 *v, __global const float4 *t0,
                          __global const float4 *t1, __global const float4 *g, __global const int *id, __global const float4 *touch,
                          __global int4 *x0, int room, int wide, int spread, int bodies, crm_beds beds)
{
    int to = (int)get_global_id(0), bed = (int)get_global_id(1);
    if (to >= beds.n[bed]) {
        return;
    }
    size_t off = (size_t)beds.slot[bed] * (size_t)room;
    scratch += off * (size_t)wide;
    int i = ORDER(scratch, room)[to];
    V_TO(scratch, room)[to] = v[off + i];
    T0_TO(scratch, room)[to] = t0[off + i];
    T1_TO(scratch, room)[to] = t1[off + i];
    ID_TO(scratch, room)[to] = id[off + i];
    if (spread) {
        G_TO(scratch, room)[to] = g[off + i];
    }
    if (bodies) {
        TOUCH_TO(scratch, room)[to] = touch[off + i];
    }
    x0[off + to] = x[off + i];
}

__kernel void crm_settle(__global int *scratch, __global int4 *x, __global float4 *v, __global float4 *t0, __global float4 *t1, __global float4 *g,
                         __global int *id, __global float4 *touch, __global const int4 *x0, __global int *stat, int room, int wide, int spread,
                         int bodies, crm_beds beds)
{
    int i = (int)get_global_id(0), bed = (int)get_global_id(1);
    size_t off = (size_t)beds.slot[bed] * (size_t)room, at = off + (size_t)i;
    scratch += off * (size_t)wide;
    if (i == 0) {
        stat[beds.slot[bed] * STAT] = 0; /* ways begin anew */
    }
    if (i < beds.n[bed]) {
        x[at] = x0[at];
        v[at] = V_TO(scratch, room)[i];
        t0[at] = T0_TO(scratch, room)[i];
        t1[at] = T1_TO(scratch, room)[i];
        id[at] = ID_TO(scratch, room)[i];
        if (spread) {
            g[at] = G_TO(scratch, room)[i];
        }
        if (bodies) {
            touch[at] = TOUCH_TO(scratch, room)[i];
        }
    }
}

/* stat: [3] a particle with too many neighbours + 1 */
__kernel void crm_list(__global const int4 *x, __global const int *start, __global crm_entry *list, __global int *length,
                       __global int *stat, crm_box b, int room, crm_beds beds)
{
    int i = (int)get_global_id(0), bed = (int)get_global_id(1), slot = beds.slot[bed];
    if (i >= beds.n[bed]) {
        return;
    }
    size_t off = (size_t)slot * (size_t)room;
    x += off;
    length += off;
    list += off * (size_t)b.most;
    int first = slot * room; /* entries count particles of all beds */
    start += (size_t)slot * (size_t)(cells_of(&b) + 1);
    int4 own = x[i];
    crm_around a = around_of(&b, own);
    int count = 0, r = 0;
    size_t at = first_of(i, b.most);
    for (int k = 0; k < a.nz; k++) {
        for (int j = 0; j < a.ny; j++) {
            for (int c = 0; c < a.runs; c++, r++) {
                int cell = (a.cz[k] * b.cells[1] + a.cy[j]) * b.cells[0] + a.cx[c];
                int from = start[cell], end = start[cell + a.wide[c]];
                for (int o = from; o < end; o++) {
                    int4 other = x[o];
                    float dx = apart(own.x, other.x, b.unit[0]), dy = apart(own.y, other.y, b.unit[1]), dz = apart(own.z, other.z, b.unit[2]);
                    if (dx * dx + dy * dy + dz * dz < b.reach2 && o != i && (own.w != 0 || other.w != 0)) {
                        if (count < b.most && o - from < IN_RUN) {
                            list[at] = ENTRY(r, from, first + o);
                            at += GROUP;
                        }
                        count += o - from < IN_RUN ? 1 : b.most + 1;
                    }
                }
            }
        }
    }
    if (count > b.most) {
        atomic_max(&stat[slot * STAT + 3], i + 1);
        count = b.most;
    }
    length[i] = count;
}
