/* src/soil/crm/groups.h - the sums over neighbours of LANES particles at a time, each in the order of its list. Included by pass.c and pass_sixteen.c.
 * Control flow only: what a pair adds is in kernels/k_sph.h, the same text that a device compiles.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_CRM_GROUPS_H
#define TYI_CRM_GROUPS_H
#include "wide.h"
#include <string.h>
#include "bed.h"
#include "pass.h"

/* where the list of a group begins: rows serve TYI_CRM_LANES particles, a group may be half of them */
HOT const int32_t *first_row(const tyi_crm *crm, size_t group)
{
    size_t first = group * LANES, own = first % TYI_CRM_LANES;
    return crm->list + (first - own) * (size_t)crm->def.neighbours + own;
}

/* own indices of a group, and which of its lanes are soil; lanes past the end repeat the last particle */
HOT unsigned own_lanes(const tyi_crm *crm, size_t group, int32_t *own, int *lanes)
{
    unsigned soil = 0;
    *lanes = 0;
    for (int k = 0; k < LANES; k++) {
        size_t i = group * LANES + (size_t)k;
        bool in = i < crm->n;
        own[k] = (int32_t)(in ? i : crm->n - 1);
        *lanes += in;
        soil |= (unsigned)(in && crm->a.x[i][3] != 0) << k;
    }
    return soil;
}

/* the neighbours of one place of the list, as places xi see them */
HOT ty_k_sph_near neighbours_at(const tyi_crm_arrays *a, const int32_t *list, const ty_wide *xi, const ty_k_sph *p)
{
    ty_wide x[4], v[4], s[4], t[4];
    gather((const tyi_crm_f4 *)a->x, list, x);
    gather(a->v, list, v);
    gather(a->t0, list, s);
    gather(a->t1, list, t);
    return (ty_k_sph_near){ .x = apart(xi[0], x[0], p->ux),
                            .y = apart(xi[1], x[1], p->uy),
                            .z = apart(xi[2], x[2], p->uz),
                            .vx = v[0],
                            .vy = v[1],
                            .vz = v[2],
                            .V = v[3],
                            .soil = x[3],
                            .xx = s[0],
                            .yy = s[1],
                            .zz = s[2],
                            .xy = t[0],
                            .xz = t[1],
                            .yz = t[2] };
}

PER_ISA static void force_group(const tyi_crm *crm, const ty_k_sph *p, size_t group)
{
    const tyi_crm_arrays *a = &crm->a;
    const int32_t *list = first_row(crm, group);
    int32_t own[LANES];
    int lanes;
    unsigned soil = own_lanes(crm, group, own, &lanes);
    ty_wide xi[4], vi[4], si[4], ti[4];
    gather((const tyi_crm_f4 *)a->x, own, xi);
    gather(a->v, own, vi);
    gather(a->t0, own, si);
    gather(a->t1, own, ti);
    ty_k_sph_near i = { .vx = vi[0],
                        .vy = vi[1],
                        .vz = vi[2],
                        .xx = si[0],
                        .yy = si[1],
                        .zz = si[2],
                        .xy = ti[0],
                        .xz = ti[1],
                        .yz = ti[2] };
    ty_k_sph_force sum = { .ax = TY_W(0) };
    ty_k_sph uniform = *p;
    for (int k = 0; k < crm->length[group * LANES / TYI_CRM_LANES]; k++, list += TYI_CRM_LANES) {
        ty_k_sph_near j = neighbours_at(a, list, xi, &uniform);
        ty_k_sph_force_add(&sum, &uniform, &i, &j);
    }
    ty_wide zero = TY_W(0.0), e = si[3];
    scatter(crm->acc + group * LANES, ty_k_sph_acceleration(p, sum.ax, e), ty_k_sph_acceleration(p, sum.ay, e),
            ty_k_sph_acceleration(p, sum.az, e), zero, lanes, soil);
    scatter(crm->shift + group * LANES, sum.sx, sum.sy, sum.sz, zero, lanes, soil);
}

PER_ISA static void rate_group(const tyi_crm *crm, const ty_k_sph *p, size_t group)
{
    const tyi_crm_arrays *a = &crm->a;
    const int32_t *list = first_row(crm, group);
    int32_t own[LANES];
    int lanes;
    unsigned soil = own_lanes(crm, group, own, &lanes);
    ty_wide xi[4], vi[4], gi[4], x[4], v[4], g[4], s[4], t[4], zero = TY_W(0.0);
    gather((const tyi_crm_f4 *)a->x, own, xi);
    gather(a->v, own, vi);
    gather(a->g, own, gi);
    ty_k_sph_near i = { .vx = vi[0], .vy = vi[1], .vz = vi[2], .e = gi[3], .gx = gi[0], .gy = gi[1], .gz = gi[2] };
    ty_k_sph_rate sum = { .w = zero };
    ty_k_sph uniform = *p;
    bool spread = p->diffuse > 0.0f;
    for (int k = 0; k < crm->length[group * LANES / TYI_CRM_LANES]; k++, list += TYI_CRM_LANES) {
        gather((const tyi_crm_f4 *)a->x, list, x);
        gather(a->v, list, v);
        ty_k_sph_near j = { .x = apart(xi[0], x[0], uniform.ux),
                            .y = apart(xi[1], x[1], uniform.uy),
                            .z = apart(xi[2], x[2], uniform.uz),
                            .vx = v[0],
                            .vy = v[1],
                            .vz = v[2],
                            .V = v[3],
                            .soil = x[3] };
        ty_k_sph_rate_add(&sum, &uniform, &i, &j);
        if (spread) {
            gather(a->g, list, g);
            j.e = g[3];
            j.gx = g[0];
            j.gy = g[1];
            j.gz = g[2];
            ty_k_sph_spread_add(&sum, &uniform, &i, &j);
        }
    }
    gather(a->t0, own, s);
    gather(a->t1, own, t);
    ty_k_sph_state state = {
        .xx = s[0], .yy = s[1], .zz = s[2], .xy = t[0], .xz = t[1], .yz = t[2], .e = s[3], .V = vi[3]
    };
    state = ty_k_sph_advance(&uniform, state, &sum);
    size_t at = group * LANES;
    unsigned walls = ~soil;
    scatter(a->t0 + at, state.xx, state.yy, state.zz, state.e, lanes, soil);
    scatter(a->t1 + at, state.xy, state.xz, state.yz, state.support, lanes, soil);
    scatter(crm->spare.g + at, state.gx, state.gy, state.gz, state.e, lanes, soil);
    scatter(crm->spare.v + at, vi[0], vi[1], vi[2], state.V, lanes, soil);
    scatter(crm->spare.g + at, gi[0], gi[1], gi[2], gi[3], lanes, walls);
    scatter(crm->spare.v + at, vi[0], vi[1], vi[2], vi[3], lanes, walls);
}

/* Walls next to soil: velocity that makes the soil stand still at the wall, or stress continued through it, with the
 * weight between. Far from soil: nothing. */
PER_ISA static void wall_group(const tyi_crm *crm, const ty_k_sph *p, size_t group, bool velocity)
{
    const tyi_crm_arrays *a = &crm->a;
    const int32_t *list = first_row(crm, group);
    int32_t own[LANES];
    int lanes;
    unsigned walls = ~own_lanes(crm, group, own, &lanes);
    ty_wide xi[4], zero = TY_W(0.0);
    gather((const tyi_crm_f4 *)a->x, own, xi);
    ty_k_sph_ghost sum = { .w = zero };
    ty_k_sph uniform = *p;
    for (int k = 0; k < crm->length[group * LANES / TYI_CRM_LANES]; k++, list += TYI_CRM_LANES) {
        ty_k_sph_near j = neighbours_at(a, list, xi, &uniform);
        ty_k_sph_ghost_add(&sum, &uniform, &j);
    }
    size_t at = group * LANES;
    if (velocity) {
        ty_mask some = sum.w > zero;
        ty_wide by = ty_k_pick(some, TY_W(1.0) / ty_k_pick(some, sum.w, TY_W(1.0)), zero), volume = zero + p->volume;
        scatter(a->v + at, -sum.vx * by, -sum.vy * by, -sum.vz * by, volume, lanes, walls);
        return;
    }
    ty_k_sph_ghost_stress(&sum, &uniform);
    scatter(a->t0 + at, sum.xx, sum.yy, sum.zz, zero, lanes, walls);
    scatter(a->t1 + at, sum.xy, sum.xz, sum.yz, zero, lanes, walls);
}

static void sum_block(const tyi_crm_pass *s, size_t number)
{
    const tyi_crm *crm = s->crm;
    size_t first = number * TYI_CRM_BLOCK / LANES, last = first + TYI_CRM_BLOCK / LANES;
    for (size_t g = first; g < last && g * LANES < crm->n; g++) {
        unsigned kinds = crm->kinds[g * LANES / TYI_CRM_LANES];
        if (s->what == TYI_CRM_FORCE && (kinds & 1)) {
            force_group(crm, s->p, g);
        } else if (s->what == TYI_CRM_RATE && (kinds & 1)) {
            rate_group(crm, s->p, g);
        } else if (s->what == TYI_CRM_RATE) { /* walls alone: as they are */
            memcpy(crm->spare.v + g * LANES, crm->a.v + g * LANES, LANES * sizeof *crm->a.v);
            memcpy(crm->spare.g + g * LANES, crm->a.g + g * LANES, LANES * sizeof *crm->a.g);
        } else if (s->what >= TYI_CRM_WALL_SPEED && (kinds & 2)) {
            wall_group(crm, s->p, g, s->what == TYI_CRM_WALL_SPEED);
        }
    }
}

#endif
