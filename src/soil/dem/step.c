/* src/soil/dem/step.c - sub-steps: contacts of grains with each other and with bodies, motion; and the watch over them.
 *
 * Leapfrog: forces from where grains are, velocities and spins half a step on, positions a step on. Every grain gathers from its own list; a contact
 * is worked out on both sides, with opposite results to the bit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "dem.h"

#define ROLL_DAMPING 0.3  /* [-] of the critical one */
#define WAY          0.04 /* [-] of the smallest radius that a grain may go in a step; it stops at three times that */
#define HERTZ        20.0 /* steps that a collision lasts, at least */

ty_k_dem_law tyi_dem_law(const tyi_dem *dem, double dt)
{
    const ty_dem_soil *s = &dem->def.soil;
    const tyi_crm_box *b = &dem->box;
    ty_k_dem_pair p = ty_k_dem_make(1.0f, 1.0f, 1.0f, 1.0f, (float)s->e, (float)s->e, (float)s->nu, (float)s->nu,
                                    (float)s->restitution, (float)s->mu);
    return (ty_k_dem_law){ .e = p.e,
                           .g = p.g,
                           .damping = p.damping,
                           .mu = p.mu,
                           .roll = (float)s->roll,
                           .eta = (float)ROLL_DAMPING,
                           .gamma = (float)s->gamma,
                           .dt = (float)dt,
                           .gx = (float)dem->def.gravity.x,
                           .gy = (float)dem->def.gravity.y,
                           .gz = (float)dem->def.gravity.z,
                           .ux = (float)b->unit[0],
                           .uy = (float)b->unit[1],
                           .uz = (float)b->unit[2],
                           .ix = (float)b->inv[0],
                           .iy = (float)b->inv[1],
                           .iz = (float)b->inv[2],
                           .keep = (float)(1.0 / (1.0 + dt * dem->drag)),
                           .most = (float)(3.0 * WAY * dem->facts.smallest) };
}

typedef struct move {
    tyi_dem *dem;
    ty_k_dem_law law;
} move;

/* The contacts of a grain in a step. */
typedef struct contacts {
    uint32_t used; /* slots, as they are now */
    int touching;
    bool full; /* one found no slot */
} contacts;

static ty_k_dem_touch remembered(const tyi_dem_slot *slot)
{
    tyi_crm_f4 s = slot->slide, r = slot->roll;
    return (ty_k_dem_touch){ .xi = { s[0], s[1], s[2] }, .theta = { r[0], r[1], r[2] }, .k = s[3] };
}

static void remember(tyi_dem_slot *slot, const ty_k_dem_touch *now, int32_t with)
{
    slot->slide = (tyi_crm_f4){ now->xi.x, now->xi.y, now->xi.z, now->k };
    slot->roll = (tyi_crm_f4){ now->theta.x, now->theta.y, now->theta.z, tyi_dem_float(with) };
}

/* a slot for a contact that begins; the last one where all are used */
static int take_slot(const tyi_dem *dem, contacts *c)
{
    int slot = ty_k_dem_free(c->used, dem->slots);
    c->full = c->full || slot < 0;
    slot = slot < 0 ? dem->slots - 1 : slot;
    c->used |= 1u << slot;
    return slot;
}

/* all contacts of grain i with others */
static void gather(const move *m, size_t i, const ty_k_dem_grain *own, ty_k_dem_sum *sum, contacts *c)
{
    const tyi_dem *dem = m->dem;
    const tyi_dem_lists *l = &dem->list;
    size_t most = (size_t)dem->def.neighbours;
    tyi_crm_i4 x = dem->a.x[i];
    tyi_dem_slot *home = dem->slot + (size_t)dem->a.home[i] * (size_t)dem->slots;
    for (int k = 0; k < l->length[i]; k++) {
        size_t at = tyi_dem_at(i, (size_t)k, most);
        uint32_t e = l->entry[at];
        size_t j = e / TY_K_DEM_ENTRY;
        int slot = (int)(e % TY_K_DEM_ENTRY) - 1;
        ty_k_vec3 d = tyi_dem_apart(&m->law, x, dem->a.x[j]);
        float far = own->r + tyi_dem_float(dem->a.x[j][3]), d2 = ty_k_dot(d, d);
        if (!(d2 < far * far)) {
            if (slot >= 0) {
                c->used &= ~(1u << slot);
                l->entry[at] = (uint32_t)j * TY_K_DEM_ENTRY;
            }
            continue;
        }
        ty_k_dem_touch was = { .k = 0.0f };
        if (slot >= 0) {
            was = remembered(&home[slot]);
        } else {
            slot = take_slot(dem, c);
            l->entry[at] = e + (uint32_t)slot + 1;
        }
        ty_k_dem_grain other = tyi_dem_grain_at(&dem->a, j);
        ty_k_dem_touch now = ty_k_dem_grains(&m->law, own, &other, d, sqrtf(d2), was, sum);
        remember(&home[slot], &now, dem->a.home[j]);
        c->touching++;
    }
}

int tyi_dem_slot_of(const tyi_dem *dem, size_t home, int32_t with)
{
    const tyi_dem_slot *slot = dem->slot + home * (size_t)dem->slots;
    for (int k = 0; k < dem->slots; k++) {
        if ((dem->used[home] >> k & 1u) && tyi_dem_with(&slot[k]) == with) {
            return k;
        }
    }
    return -1;
}

/* contacts of grain i with bodies */
static void meet(const move *m, size_t i, const ty_k_dem_grain *own, ty_k_dem_sum *sum, tyi_crm_part *part, contacts *c)
{
    tyi_dem *dem = m->dem;
    const tyi_crm_solids *s = dem->solids;
    const tyi_crm_box *box = &dem->box;
    tyi_crm_i4 x = dem->a.x[i];
    size_t home = (size_t)dem->a.home[i];
    bool met = c->used & TY_K_DEM_MEETS;
    c->used &= ~TY_K_DEM_MEETS;
    ty_k_vec3 at = { (float)((uint32_t)x[0] - (uint32_t)box->low[0]) * m->law.ux,
                     (float)((uint32_t)x[1] - (uint32_t)box->low[1]) * m->law.uy,
                     (float)((uint32_t)x[2] - (uint32_t)box->low[2]) * m->law.uz };
    for (int b = 0; b < s->count; b++) {
        const ty_k_solid *body = &s->solid[b];
        int32_t with = TY_K_DEM_BODY + b;
        int slot = met ? tyi_dem_slot_of(dem, home, with) : -1;
        if (body->off) {
            c->used |= slot >= 0 ? TY_K_DEM_MEETS : 0;
            continue;
        }
        ty_k_vec3 arm = ty_k_sub(at, body->centre);
        tyi_crm_i4 place = { body->at[0], body->at[1], body->at[2], 0 };
        ty_k_vec3 image = tyi_dem_apart(&m->law, x, place); /* along periodic axes from the nearest */
        arm.x = box->periodic[0] ? image.x : arm.x;
        arm.y = box->periodic[1] ? image.y : arm.y;
        arm.z = box->periodic[2] ? image.z : arm.z;
        ty_k_sdf near = ty_k_solid_sdf(body, s->lattice[b], arm);
        if (near.d >= own->r) {
            c->used &= slot >= 0 ? ~(1u << slot) : ~0u;
            continue;
        }
        ty_k_dem_touch was = { .k = 0.0f };
        if (slot >= 0) {
            was = remembered(&dem->slot[home * (size_t)dem->slots + (size_t)slot]);
        } else {
            slot = take_slot(dem, c);
        }
        ty_k_vec3 reach = ty_k_sub(arm, ty_k_scale(near.d, near.n)), v = ty_k_add(body->v, ty_k_cross(body->w, reach));
        ty_k_dem_touch now =
            ty_k_dem_wall(&m->law, own, near.d, near.n, v, body->w, body->friction, body->stiff, was, sum);
        remember(&dem->slot[home * (size_t)dem->slots + (size_t)slot], &now, with);
        c->used |= TY_K_DEM_MEETS;
        ty_k_vec3 turn = ty_k_add(ty_k_cross(reach, now.f), now.turn);
        double *load = part->load[b], dt = (double)m->law.dt;
        load[0] -= dt * (double)now.f.x;
        load[1] -= dt * (double)now.f.y;
        load[2] -= dt * (double)now.f.z;
        load[3] -= dt * (double)turn.x;
        load[4] -= dt * (double)turn.y;
        load[5] -= dt * (double)turn.z;
        part->touching[b]++;
        c->touching++;
    }
}

static void move_block(void *user, size_t number, int worker)
{
    (void)worker;
    const move *m = user;
    tyi_dem *dem = m->dem;
    const ty_k_dem_law *law = &m->law;
    tyi_crm_part *part = &dem->part[number];
    float moved = 0.0f, fastest = 0.0f;
    part->bad = -1;
    memset(part->touching, 0, sizeof part->touching);
    size_t last = (number + 1) * TYI_DEM_BLOCK < dem->n ? (number + 1) * TYI_DEM_BLOCK : dem->n;
    for (size_t i = number * TYI_DEM_BLOCK; i < last; i++) {
        tyi_crm_i4 x = dem->a.x[i];
        tyi_crm_f4 v = dem->a.v[i], w = dem->a.w[i];
        if (w[3] >= 0.0f) {
            ty_k_dem_grain own = tyi_dem_grain_at(&dem->a, i);
            ty_k_dem_sum sum = { { 0, 0, 0 }, { 0, 0, 0 } };
            contacts c = { .used = dem->used[dem->a.home[i]] };
            gather(m, i, &own, &sum, &c);
            if (dem->solids->count) {
                meet(m, i, &own, &sum, part, &c);
            }
            dem->used[dem->a.home[i]] = c.used;
            ty_k_dem_motion to = ty_k_dem_advance(law, &own, &sum);
            v = (tyi_crm_f4){ to.v.x, to.v.y, to.v.z, v[3] };
            w = (tyi_crm_f4){ to.w.x, to.w.y, to.w.z, (float)c.touching };
            if (c.full || !(to.speed * law->dt * law->dt < law->most * law->most) || !isfinite(ty_k_dot(to.w, to.w))) {
                part->bad = part->bad < 0 ? (int64_t)i : part->bad;
                to.x = to.y = to.z = 0;
            }
            x[0] = (int32_t)((uint32_t)x[0] + (uint32_t)to.x);
            x[1] = (int32_t)((uint32_t)x[1] + (uint32_t)to.y);
            x[2] = (int32_t)((uint32_t)x[2] + (uint32_t)to.z);
            if (tyi_crm_box_outside(&dem->box, x) >= 0) {
                part->bad = part->bad < 0 ? (int64_t)i : part->bad;
            }
            ty_k_vec3 way = tyi_dem_apart(law, x, dem->x0[i]);
            moved = fmaxf(moved, ty_k_dot(way, way));
            fastest = fmaxf(fastest, to.speed);
        }
        dem->spare.x[i] = x;
        dem->spare.v[i] = v;
        dem->spare.w[i] = w;
    }
    part->moved = sqrtf(moved);
    part->fastest = sqrtf(fastest);
}

ty_status tyi_dem_say_bad(const tyi_dem *dem, size_t i, ty_diag *diag)
{
    if (ty_k_dem_free(dem->used[dem->a.home[i]], dem->slots) < 0) {
        return tyi_dem_say_full(dem, i, diag);
    }
    int k = tyi_crm_box_outside(&dem->box, dem->a.x[i]);
    if (k >= 0) {
        return ty_fail(diag, TY_ERR_NUMERIC, "dem: step %llu (%.6g s): grain %u has left the box along %c",
                       (unsigned long long)dem->counts.steps, dem->counts.time, dem->a.id[i], "xyz"[k]);
    }
    tyi_crm_f4 v = dem->a.v[i];
    return ty_fail(
        diag, TY_ERR_NUMERIC,
        "dem: step %llu (%.6g s): the %s of grain %u is not finite, or moves it by more than %g of the smallest radius in a step",
        (unsigned long long)dem->counts.steps, dem->counts.time, isfinite(v[0] + v[1] + v[2]) ? "velocity" : "force",
        dem->a.id[i], 3.0 * WAY);
}

ty_status tyi_dem_say_full(const tyi_dem *dem, size_t i, ty_diag *diag)
{
    return ty_fail(
        diag, TY_ERR_NUMERIC,
        "dem: step %llu: grain %u has more than %d neighbours, or touches more than %d; they are pressed together, or of too many sizes",
        (unsigned long long)dem->counts.steps, dem->a.id[i], dem->def.neighbours, dem->slots);
}

/* sums of the tasks in their order; whether all went well */
static ty_status gather_parts(tyi_dem *dem, double dt, ty_diag *diag)
{
    float moved = 0.0f, fastest = 0.0f;
    for (size_t b = 0; b * TYI_DEM_BLOCK < dem->n; b++) {
        const tyi_crm_part *part = &dem->part[b];
        if (part->bad >= 0) {
            return tyi_dem_say_bad(dem, (size_t)part->bad, diag);
        }
        moved = fmaxf(moved, part->moved);
        fastest = fmaxf(fastest, part->fastest);
    }
    dem->fastest = (double)fastest;
    dem->due = (double)moved + dt * dem->fastest > 0.5 * dem->skin;
    return TY_OK;
}

static ty_status sub_step(tyi_dem *dem, double dt, tyi_crm_body *body, int bodies, ty_diag *diag)
{
    tyi_crm_bodies_move(&dem->box, dem->facts.largest, dt, body, bodies, dem->solids);
    size_t who;
    if ((!dem->searched || dem->due) && !tyi_dem_search(dem, &who)) {
        return tyi_dem_say_full(dem, who, diag);
    }
    move m = { dem, tyi_dem_law(dem, dt) };
    tyi_tasks_for(tyi_dem_threads(dem), (dem->n + TYI_DEM_BLOCK - 1) / TYI_DEM_BLOCK, move_block, &m);
    tyi_dem_arrays *a = &dem->a, *b = &dem->spare;
    tyi_crm_i4 *x = a->x;
    tyi_crm_f4 *v = a->v, *w = a->w;
    a->x = b->x, a->v = b->v, a->w = b->w;
    b->x = x, b->v = v, b->w = w;
    dem->counts.steps++;
    dem->counts.time += dt;
    return gather_parts(dem, dt, diag);
}

ty_status tyi_dem_look(tyi_dem *dem, ty_diag *diag)
{
    size_t who;
    return dem->searched || dem->n == 0 || tyi_dem_search(dem, &who) ? TY_OK : tyi_dem_say_full(dem, who, diag);
}

/* the longest sub-step [s] with grains and bodies at `speed` [m/s] */
static double longest(const tyi_dem *dem, double speed)
{
    const ty_dem_soil *s = &dem->def.soil;
    double r = dem->facts.smallest, m = 4.0 / 3.0 * TY_PI * r * r * r * s->rho;
    double e = 0.5 * s->e / (1.0 - s->nu * s->nu), v = fmax(speed, 1e-6);
    double lasts = (double)ty_k_dem_lasts((float)(0.5 * m), (float)(0.5 * r), (float)e, (float)v);
    return fmin(fmin(dem->facts.step, lasts / HERTZ), WAY * r / v);
}

ty_status tyi_dem_step(tyi_dem *dem, double duration, tyi_crm_body *body, int bodies, tyi_crm_load *load, ty_diag *diag)
{
    double speed = dem->fastest;
    ty_status status = tyi_crm_bodies_check("dem", dem->def.bodies, body, bodies, &speed, diag);
    if (status == TY_OK && !(duration > 0.0 && duration < 1e3)) {
        status =
            ty_fail(diag, TY_ERR_RANGE, "dem: a step of %g s, but it takes more than 0 and less than 1000 s", duration);
    }
    if (status == TY_OK && dem->n == 0) {
        status = ty_fail(diag, TY_ERR_INPUT, "dem: there are no grains");
    }
    if (status == TY_OK && dem->device) {
        status = dem->changed ? tyi_dem_device_send(dem, diag) : TY_OK;
        status = status == TY_OK ? tyi_dem_device_begin(dem, body, bodies, diag) : status;
    }
    if (status != TY_OK) {
        return status;
    }
    for (size_t b = 0; b < dem->parts; b++) {
        memset(dem->part[b].load, 0, sizeof dem->part[b].load);
        memset(dem->part[b].touching, 0, sizeof dem->part[b].touching);
    }
    /* falling grains get faster within a step: the rest is divided anew from time to time */
    for (double left = duration; left > 1e-9 * duration && status == TY_OK;) {
        enum { RUN = 16 };
        int steps = (int)ceil(left / longest(dem, fmax(speed, dem->fastest)) - 1e-9);
        steps = steps < 1 ? 1 : steps;
        double dt = left / steps;
        dem->counts.step = dt;
        int now = steps < RUN ? steps : RUN;
        for (int k = 0; k < now && status == TY_OK; k++) {
            if (dem->device) {
                ty_k_dem_law law = tyi_dem_law(dem, dt);
                tyi_crm_bodies_move(&dem->box, dem->facts.largest, dt, body, bodies, dem->solids);
                status = tyi_dem_device_step(dem, &law, k + 1 == now, diag);
            } else {
                status = sub_step(dem, dt, body, bodies, diag);
            }
        }
        left = now == steps ? 0.0 : left - now * dt;
    }
    if (status == TY_OK && dem->device && bodies) {
        status = tyi_dem_device_loads(dem, diag);
    }
    if (load) {
        tyi_crm_bodies_loads(dem->part, (dem->n + TYI_DEM_BLOCK - 1) / TYI_DEM_BLOCK, bodies, load);
    }
    return status;
}
