/* kernels/crm.cl - a bed of particles on a device: the passes and the search of src/soil/crm, one work item a particle.
 * Sums run in the order of the host's lists, so that results agree with the host's bit by bit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bodies.cl"

#define LOCAL 128 /* work items of a group */
#define RUNS  27  /* rows of cells around one, at most */

/* An entry of a list: which row of cells, and which particle of it. Two bytes, so that ten million particles fit into three gibibytes. */
#define IN_RUN       2048
#define ENTRY(r, at) ((ushort)((r) * IN_RUN + (at)))
#define OTHER(e)     (base[((e) / IN_RUN) * LOCAL + own_item] + (int)((e) % IN_RUN))

static inline ty_k_sph_near near_of(int4 xi, int4 x, float4 v, const ty_k_sph *p)
{
    ty_k_sph_near j;
    j.x = apart(xi.x, x.x, p->ux);
    j.y = apart(xi.y, x.y, p->uy);
    j.z = apart(xi.z, x.z, p->uz);
    j.vx = v.x;
    j.vy = v.y;
    j.vz = v.z;
    j.V = v.w;
    j.soil = as_float(x.w);
    return j;
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

static inline void find_runs(const crm_box *b, int4 x, __global const int *start, __local int *base, int item)
{
    crm_around a = around_of(b, x);
    int r = 0;
    for (int k = 0; k < a.nz; k++) {
        for (int j = 0; j < a.ny; j++) {
            for (int c = 0; c < (a.run ? 1 : a.nx); c++) {
                base[r++ * LOCAL + item] = start[(a.cz[k] * b->cells[1] + a.cy[j]) * b->cells[0] + a.cx[c]];
            }
        }
    }
}

/* ---- bodies ---- */

#define BLOCK 512 /* particles whose sums are one of the host's */

/* acceleration [m/s^2] of a particle by body `which` */
static inline float4 touch_one(__global const ty_k_solid *solid, int which, int solids, int4 x, float4 v, float4 *memory, const ty_k_sph *p,
                               const crm_box *box, const ty_k_touch_law *law, __global const float *lattice, __global float4 *feel,
                               __global int *hit, int room, int i)
{
    ty_k_solid s = *solid;
    size_t at = (size_t)which * 2 * (size_t)room + (size_t)i;
    feel[at] = (float4)(0.0f);
    if (s.off) {
        return (float4)(0.0f);
    }
    ty_k_vec3 own, arm = arm_of(&s, box, x);
    own.x = v.x;
    own.y = v.y;
    own.z = v.z;
    bool mine = memory->w == (float)(which + 1);
    ty_k_sph_touch was = { 0, 0, 0, mine ? memory->x : 0, mine ? memory->y : 0, mine ? memory->z : 0 };
    ty_k_touch now = ty_k_solid_touch(&s, lattice, arm, own, was, law);
    if (!now.touches) {
        *memory = mine ? (float4)(0.0f) : *memory;
        return (float4)(0.0f);
    }
    *memory = (float4)(now.t.x, now.t.y, now.t.z, (float)(which + 1));
    feel[at] = (float4)(now.t.fx, now.t.fy, now.t.fz, 1.0f);
    feel[at + (size_t)room] = (float4)(now.turn.x, now.turn.y, now.turn.z, 0.0f);
    hit[i / BLOCK * solids + which] = -1; /* all write the same */
    return (float4)(now.t.fx / law->mass, now.t.fy / law->mass, now.t.fz / law->mass, 0.0f);
}

/* Forces, then motion, into other arrays than those that neighbours read. stat: [0] farthest way since the search, squared; [1] fastest,
 * squared, both as bits of a float >= 0; [2] a wrong particle + 1 */
__kernel void crm_push(__global const int4 *restrict x, __global const float4 *restrict v, __global const float4 *restrict t0,
                       __global const float4 *restrict t1, __global const ushort *restrict list, __global const int *restrict length,
                       __global const int *restrict start, __global const int4 *restrict x0, __global int4 *restrict x_next, __global float4 *restrict v_next,
                       __global int *stat, ty_k_sph p, crm_box b, float keep, __global const ty_k_solid *restrict solid, int solids,
                       ty_k_touch_law law, __global const float *restrict lattice, __global float4 *restrict touch, __global float4 *restrict feel,
                       __global int *hit, int room)
{
    __local int base[RUNS * LOCAL];
    int i = (int)get_global_id(0), own_item = (int)get_local_id(0);
    if (i >= b.n) {
        return;
    }
    int4 xi = x[i];
    float4 u = v[i];
    if (xi.w == 0) {
        x_next[i] = xi;
        v_next[i] = u;
        for (int k = 0; k < solids; k++) { /* soil may have been here before */
            feel[(size_t)k * 2 * (size_t)room + (size_t)i] = (float4)(0.0f);
        }
        return;
    }
    float4 si = t0[i];
    ty_k_sph_near own = near_of(xi, xi, u, &p);
    stress_of(&own, si, t1[i]);
    ty_k_sph_force sum = { 0, 0, 0, 0, 0, 0 };
    __global const ushort *at = list + first_of(i, b.most);
    int rows = length[i];
    find_runs(&b, x0[i], start, base, own_item);
#pragma unroll 4
    for (int k = 0; k < rows; k++) {
        int other = OTHER(at[k * GROUP]);
        ty_k_sph_near j = near_of(xi, x[other], v[other], &p);
        stress_of(&j, t0[other], t1[other]);
        ty_k_sph_force_add(&sum, &p, &own, &j);
    }
    float4 f = (float4)(ty_k_sph_acceleration(&p, sum.ax, si.w), ty_k_sph_acceleration(&p, sum.ay, si.w),
                        ty_k_sph_acceleration(&p, sum.az, si.w), 0.0f);
    if (solids) {
        float4 memory = touch[i];
        for (int k = 0; k < solids; k++) {
            f += touch_one(&solid[k], k, solids, xi, u, &memory, &p, &b, &law, lattice, feel, hit, room, i);
        }
        touch[i] = memory;
    }
    u.x = ty_k_sph_kick(u.x, f.x, p.gx, p.dt, keep);
    u.y = ty_k_sph_kick(u.y, f.y, p.gy, p.dt, keep);
    u.z = ty_k_sph_kick(u.z, f.z, p.gz, p.dt, keep);
    float speed = u.x * u.x + u.y * u.y + u.z * u.z;
    if (!(speed * p.dt * p.dt < p.h * p.h * 0.25f)) {
        atomic_max(&stat[2], i + 1);
        x_next[i] = xi;
        v_next[i] = v[i];
        return;
    }
    int4 to = xi, was = x0[i];
    to.x = (int)((uint)to.x + (uint)ty_k_sph_way(u.x, sum.sx, p.xsph, p.dt, b.inv[0]));
    to.y = (int)((uint)to.y + (uint)ty_k_sph_way(u.y, sum.sy, p.xsph, p.dt, b.inv[1]));
    to.z = (int)((uint)to.z + (uint)ty_k_sph_way(u.z, sum.sz, p.xsph, p.dt, b.inv[2]));
    float dx = apart(to.x, was.x, p.ux), dy = apart(to.y, was.y, p.uy), dz = apart(to.z, was.z, p.uz);
    float far = dx * dx + dy * dy + dz * dz;
    if (as_int(far) > stat[0]) { /* most items need no atomic */
        atomic_max(&stat[0], as_int(far));
    }
    if (as_int(speed) > stat[1]) {
        atomic_max(&stat[1], as_int(speed));
    }
    x_next[i] = to;
    v_next[i] = u;
}

__kernel void crm_rate(__global const int4 *restrict x, __global const float4 *restrict v, __global const float4 *restrict g,
                       __global float4 *restrict t0, __global float4 *restrict t1, __global float4 *restrict v_next,
                       __global float4 *restrict g_next, __global const ushort *restrict list, __global const int *restrict length,
                       __global const int *restrict start, __global const int4 *restrict x0, ty_k_sph p, crm_box b)
{
    __local int base[RUNS * LOCAL];
    int i = (int)get_global_id(0), own_item = (int)get_local_id(0);
    if (i >= b.n) {
        return;
    }
    int4 xi = x[i];
    float4 vi = v[i], gi = 0;
    bool spread = p.diffuse > 0.0f;
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
    ty_k_sph_near own = near_of(xi, xi, vi, &p);
    own.e = gi.w;
    own.gx = gi.x;
    own.gy = gi.y;
    own.gz = gi.z;
    ty_k_sph_rate sum;
    for (int k = 0; k < 9; k++) {
        sum.l[k] = 0;
    }
    sum.xx = sum.yy = sum.zz = sum.xy = sum.xz = sum.yz = sum.gx = sum.gy = sum.gz = sum.spread = sum.w = 0;
    __global const ushort *at = list + first_of(i, b.most);
    int rows = length[i];
    find_runs(&b, x0[i], start, base, own_item);
#pragma unroll 4
    for (int k = 0; k < rows; k++) {
        int other = OTHER(at[k * GROUP]);
        ty_k_sph_near j = near_of(xi, x[other], v[other], &p);
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

__kernel void crm_wall(__global const int4 *x, __global float4 *v, __global float4 *t0, __global float4 *t1,
                       __global const ushort *list, __global const int *length, __global const int *start,
                       __global const int4 *x0, ty_k_sph p, crm_box b, int velocity)
{
    __local int base[RUNS * LOCAL];
    int i = (int)get_global_id(0), own_item = (int)get_local_id(0);
    if (i >= b.n || x[i].w != 0) {
        return;
    }
    int4 xi = x[i];
    ty_k_sph_ghost sum;
    sum.w = sum.x = sum.y = sum.z = sum.vx = sum.vy = sum.vz = 0;
    sum.xx = sum.yy = sum.zz = sum.xy = sum.xz = sum.yz = 0;
    size_t at = first_of(i, b.most);
    find_runs(&b, x0[i], start, base, own_item);
    for (int k = 0, rows = length[i]; k < rows; k++, at += GROUP) { /* walls list soil only: none of these is written here */
        int other = OTHER(list[at]);
        ty_k_sph_near j = near_of(xi, x[other], v[other], &p);
        stress_of(&j, t0[other], t1[other]);
        ty_k_sph_ghost_add(&sum, &p, &j);
    }
    if (velocity) {
        float by = sum.w > 0 ? 1.0f / sum.w : 0.0f;
        v[i] = (float4)(-sum.vx * by, -sum.vy * by, -sum.vz * by, p.volume);
        return;
    }
    ty_k_sph_ghost_stress(&sum, &p);
    t0[i] = (float4)(sum.xx, sum.yy, sum.zz, 0.0f);
    t1[i] = (float4)(sum.xy, sum.xz, sum.yz, 0.0f);
}

/* ---- search ---- */

/* While particles are sorted there are no lists: their memory holds keys, the order, and stresses and ids on their way. */
#define T0_TO(scratch, room) ((__global float4 *)((scratch) + 4 * (size_t)(room)))
#define T1_TO(scratch, room) ((__global float4 *)((scratch) + 8 * (size_t)(room)))
#define ID_TO(scratch, room) ((scratch) + 2 * (size_t)(room))
#define TOUCH_TO(scratch, room) ((__global float4 *)((scratch) + 12 * (size_t)(room)))

__kernel void crm_permute(__global int *scratch, __global const int4 *x, __global const float4 *v, __global const float4 *t0,
                          __global const float4 *t1, __global const float4 *g, __global const int *id, __global const float4 *touch,
                          __global int4 *x_to, __global float4 *v_to, __global float4 *g_to, __global int4 *x0, int n, int room,
                          int spread, int bodies)
{
    int to = (int)get_global_id(0);
    if (to >= n) {
        return;
    }
    int i = ORDER(scratch, room)[to];
    x_to[to] = x[i];
    v_to[to] = v[i];
    T0_TO(scratch, room)[to] = t0[i];
    T1_TO(scratch, room)[to] = t1[i];
    ID_TO(scratch, room)[to] = id[i];
    if (spread) {
        g_to[to] = g[i];
    }
    if (bodies) {
        TOUCH_TO(scratch, room)[to] = touch[i];
    }
    x0[to] = x[i];
}

__kernel void crm_settle(__global int *scratch, __global float4 *t0, __global float4 *t1, __global int *id,
                         __global float4 *touch, int n, int room, int bodies)
{
    int i = (int)get_global_id(0);
    if (i < n) {
        t0[i] = T0_TO(scratch, room)[i];
        t1[i] = T1_TO(scratch, room)[i];
        id[i] = ID_TO(scratch, room)[i];
        if (bodies) {
            touch[i] = TOUCH_TO(scratch, room)[i];
        }
    }
}

/* stat: [3] a particle with too many neighbours + 1 */
__kernel void crm_list(__global const int4 *x, __global const int *start, __global ushort *list, __global int *length,
                       __global int *stat, crm_box b)
{
    int i = (int)get_global_id(0);
    if (i >= b.n) {
        return;
    }
    int4 own = x[i];
    crm_around a = around_of(&b, own);
    int count = 0, r = 0;
    size_t at = first_of(i, b.most);
    for (int k = 0; k < a.nz; k++) {
        for (int j = 0; j < a.ny; j++) {
            for (int c = 0; c < (a.run ? 1 : a.nx); c++, r++) {
                int cell = (a.cz[k] * b.cells[1] + a.cy[j]) * b.cells[0] + a.cx[c];
                int from = start[cell], end = start[cell + (a.run ? a.nx : 1)];
                for (int o = from; o < end; o++) {
                    int4 other = x[o];
                    float dx = apart(own.x, other.x, b.unit[0]), dy = apart(own.y, other.y, b.unit[1]), dz = apart(own.z, other.z, b.unit[2]);
                    if (dx * dx + dy * dy + dz * dz < b.reach2 && o != i && (own.w != 0 || other.w != 0)) {
                        if (count < b.most && o - from < IN_RUN) {
                            list[at] = ENTRY(r, o - from);
                            at += GROUP;
                        }
                        count += o - from < IN_RUN ? 1 : b.most + 1;
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
}
