/* src/soil/crm/step.c - sub-steps: forces, bodies, motion, rates; and the watch over them.
 *
 * Leapfrog: accelerations from the stress now, velocities half a step on, positions a step on, then density and stress from the
 * new velocities.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "crm.h"
#include "lattice.h"
#include "solids.h"
#include "bed.h"

#define DAMPING 0.3 /* [-] of contacts with bodies, as a share of the critical one */

typedef struct move {
    tyi_crm *crm;
    const ty_k_sph *p;
    const tyi_crm_solids *solids;
    ty_k_touch_law law;
    float keep; /* what the drag leaves of a velocity [-] */
    bool watch; /* the fence */
} move;

/* force [N] of one body on a particle at x (from the low corner); adds to the body's load */
static ty_k_vec3 touch_one(const move *m, int which, ty_k_vec3 x, tyi_crm_i4 units, ty_k_vec3 v, tyi_crm_f4 *memory,
                           tyi_crm_part *part)
{
    const ty_k_solid *b = &m->solids->solid[which];
    const bool *periodic = m->crm->def.periodic;
    ty_k_vec3 arm = ty_k_sub(x, b->centre);
    /* along periodic axes from the nearest image */
    arm.x = periodic[0] ? (float)(int32_t)((uint32_t)units[0] - (uint32_t)b->at[0]) * m->p->ux : arm.x;
    arm.y = periodic[1] ? (float)(int32_t)((uint32_t)units[1] - (uint32_t)b->at[1]) * m->p->uy : arm.y;
    arm.z = periodic[2] ? (float)(int32_t)((uint32_t)units[2] - (uint32_t)b->at[2]) * m->p->uz : arm.z;
    bool mine = (*memory)[3] == (float)(which + 1);
    ty_k_sph_touch was = { 0, 0, 0, mine ? (*memory)[0] : 0, mine ? (*memory)[1] : 0, mine ? (*memory)[2] : 0 };
    ty_k_touch now = ty_k_solid_touch(b, m->solids->lattice[which], arm, v, was, &m->law);
    ty_k_vec3 force = { now.t.fx, now.t.fy, now.t.fz };
    if (!now.touches) {
        *memory = mine ? (tyi_crm_f4){ 0.0f } : *memory;
        return force;
    }
    *memory = (tyi_crm_f4){ now.t.x, now.t.y, now.t.z, (float)(which + 1) };
    double *load = part->load[which], dt = (double)m->p->dt;
    load[0] -= dt * (double)force.x;
    load[1] -= dt * (double)force.y;
    load[2] -= dt * (double)force.z;
    load[3] -= dt * (double)now.turn.x;
    load[4] -= dt * (double)now.turn.y;
    load[5] -= dt * (double)now.turn.z;
    part->touching[which]++;
    return force;
}

static bool outside(const tyi_crm_fence *f, tyi_crm_i4 x)
{
    bool out = false;
    for (int k = 0; k < 3; k++) {
        out = out || (uint32_t)x[k] - (uint32_t)f->low[k] > f->span[k];
    }
    return out;
}

static void move_block(void *user, size_t number, int worker)
{
    (void)worker;
    const move *m = user;
    tyi_crm *crm = m->crm;
    const ty_k_sph *p = m->p;
    tyi_crm_part *part = &crm->part[number];
    float dt = p->dt, unit[3] = { p->ux, p->uy, p->uz }, inv[3], moved = 0.0f, fastest = 0.0f;
    for (int k = 0; k < 3; k++) {
        inv[k] = (float)crm->box.inv[k];
    }
    part->bad = -1;
    part->outside = false;
    memset(part->touching, 0, sizeof part->touching);
    size_t last = (number + 1) * TYI_CRM_BLOCK < crm->n ? (number + 1) * TYI_CRM_BLOCK : crm->n;
    for (size_t i = number * TYI_CRM_BLOCK; i < last; i++) {
        tyi_crm_i4 x = crm->a.x[i];
        if (x[3] == 0) {
            continue;
        }
        tyi_crm_f4 v = crm->a.v[i], a = crm->acc[i], s = crm->shift[i];
        float f[3] = { a[0], a[1], a[2] }, g[3] = { p->gx, p->gy, p->gz };
        if (m->solids->count) {
            ty_k_vec3 at, own = { v[0], v[1], v[2] };
            at.x = (float)((uint32_t)x[0] - (uint32_t)crm->box.low[0]) * unit[0];
            at.y = (float)((uint32_t)x[1] - (uint32_t)crm->box.low[1]) * unit[1];
            at.z = (float)((uint32_t)x[2] - (uint32_t)crm->box.low[2]) * unit[2];
            for (int b = 0; b < m->solids->count; b++) {
                if (!m->solids->solid[b].off) {
                    ty_k_vec3 force = touch_one(m, b, at, x, own, &crm->a.touch[i], part);
                    f[0] += force.x / m->law.mass;
                    f[1] += force.y / m->law.mass;
                    f[2] += force.z / m->law.mass;
                }
            }
        }
        float far = 0.0f, speed = 0.0f;
        for (int k = 0; k < 3; k++) {
            v[k] = ty_k_sph_kick(v[k], f[k], g[k], dt, m->keep);
            speed += v[k] * v[k];
        }
        if (!(speed * dt * dt < p->h * p->h * 0.25f)) { /* not a number, or half a support in one step */
            part->bad = part->bad < 0 ? (int64_t)i : part->bad;
            continue;
        }
        for (int k = 0; k < 3; k++) {
            x[k] = (int32_t)((uint32_t)x[k] + (uint32_t)ty_k_sph_way(v[k], s[k], p->xsph, dt, inv[k]));
            float way = (float)(int32_t)((uint32_t)x[k] - (uint32_t)crm->x0[i][k]) * unit[k];
            far += way * way;
        }
        if (tyi_crm_box_outside(&crm->box, x) >= 0) {
            part->bad = part->bad < 0 ? (int64_t)i : part->bad;
        }
        part->outside = part->outside || (m->watch && outside(&crm->fence, x));
        moved = far > moved ? far : moved;
        fastest = speed > fastest ? speed : fastest;
        crm->a.v[i] = v;
        crm->a.x[i] = x;
    }
    part->moved = sqrtf(moved);
    part->fastest = sqrtf(fastest);
}

/* the sentence about a particle whose state is wrong */
ty_status tyi_crm_say_bad(const tyi_crm *crm, size_t i, ty_diag *diag)
{
    tyi_crm_f4 s = crm->a.t0[i], t = crm->a.t1[i], v = crm->a.v[i];
    int k = tyi_crm_box_outside(&crm->box, crm->a.x[i]);
    if (k >= 0) {
        return ty_fail(diag, TY_ERR_NUMERIC, "crm: step %llu (%.6g s): particle %u has left the box along %c",
                       (unsigned long long)crm->counts.steps, crm->counts.time, crm->a.id[i], "xyz"[k]);
    }
    float stress = s[0] + s[1] + s[2] + t[0] + t[1] + t[2], speed = v[0] + v[1] + v[2];
    const char *field = !isfinite(s[3])     ? "density"
                        : !isfinite(stress) ? "stress"
                        : !isfinite(speed)  ? "velocity"
                                            : "acceleration";
    return ty_fail(
        diag, TY_ERR_NUMERIC,
        "crm: step %llu (%.6g s): the %s of particle %u is not finite, or moves it by more than half a smoothing length in a step",
        (unsigned long long)crm->counts.steps, crm->counts.time, field, crm->a.id[i]);
}

ty_status tyi_crm_say_full(const tyi_crm *crm, size_t i, ty_diag *diag)
{
    return ty_fail(diag, TY_ERR_NUMERIC,
                   "crm: step %llu: particle %u has more than %d neighbours; the soil is pressed together",
                   (unsigned long long)crm->counts.steps, crm->a.id[i], crm->def.neighbours);
}

static ty_status search(tyi_crm *crm, ty_diag *diag)
{
    size_t who = 0;
    tyi_crm_sort(crm);
    crm->searched = true;
    return tyi_crm_search(crm, &who) ? TY_OK : tyi_crm_say_full(crm, who, diag);
}

/* sums of the tasks in their order; whether all went well */
static ty_status gather_parts(tyi_crm *crm, bool *search_next, ty_diag *diag)
{
    float moved = 0.0f, fastest = 0.0f;
    crm->outside = false;
    for (size_t b = 0; b < crm->parts; b++) {
        const tyi_crm_part *part = &crm->part[b];
        if (b * TYI_CRM_BLOCK >= crm->n) {
            break;
        }
        if (part->bad >= 0) {
            return tyi_crm_say_bad(crm, (size_t)part->bad, diag);
        }
        moved = fmaxf(moved, part->moved);
        fastest = fmaxf(fastest, part->fastest);
        crm->outside = crm->outside || part->outside;
    }
    crm->fastest = (double)fastest;
    *search_next = (double)moved > 0.5 * crm->skin;
    return TY_OK;
}

static ty_k_sph uniform(const tyi_crm *crm, double dt)
{
    const tyi_crm_def *d = &crm->def;
    const ty_crm_soil *s = &d->soil;
    return ty_k_sph_make((ty_k_sph){ .rho = (float)s->rho,
                                     .K = (float)crm->facts.bulk,
                                     .G = (float)crm->facts.shear,
                                     .mu_s = (float)s->mu_s,
                                     .mu_2 = (float)s->mu_2,
                                     .i0 = (float)s->i0,
                                     .d = (float)s->d,
                                     .c = (float)s->c,
                                     .h = (float)crm->h,
                                     .spacing = (float)d->spacing,
                                     .alpha = (float)d->alpha,
                                     .xsph = (float)d->xsph,
                                     .delta = (float)d->delta,
                                     .forget = (float)d->forget,
                                     .lode = (float)s->lode,
                                     .dt = (float)dt,
                                     .gx = (float)d->gravity.x,
                                     .gy = (float)d->gravity.y,
                                     .gz = (float)d->gravity.z,
                                     .ux = (float)crm->box.unit[0],
                                     .uy = (float)crm->box.unit[1],
                                     .uz = (float)crm->box.unit[2] });
}

static ty_k_touch_law law_of(const tyi_crm *crm, const ty_k_sph *p)
{
    double wave = crm->facts.wave;
    return (ty_k_touch_law){ .reach = 0.5f * (float)crm->def.spacing,
                             .stiffness = (float)(wave * wave * crm->def.soil.rho * crm->def.spacing),
                             .mass = (float)crm->facts.mass,
                             .damping = (float)DAMPING,
                             .dt = p->dt };
}

static ty_status sub_step(tyi_crm *crm, const ty_k_sph *p, tyi_crm_body *body, int bodies, bool last, bool *search_next,
                          ty_diag *diag)
{
    ty_status status = TY_OK;
    tyi_crm_solids *solids = crm->solids;
    tyi_crm_bodies_move(&crm->box, crm->def.spacing, (double)p->dt, body, bodies, solids);
    if (*search_next) {
        bool first = !crm->searched;
        status = search(crm, diag);
        if (status != TY_OK) {
            return status;
        }
        if (first) {
            tyi_crm_pass_wall(crm, p, true);
            tyi_crm_pass_wall(crm, p, false);
        }
    }
    tyi_crm_pass_force(crm, p);
    move m = { .crm = crm, .p = p, .solids = solids, .law = law_of(crm, p), .watch = last && crm->fence.on };
    m.keep = (float)(1.0 / (1.0 + (double)p->dt * crm->drag));
    tyi_tasks_for(tyi_crm_threads(crm), crm->parts, move_block, &m);
    status = gather_parts(crm, search_next, diag);
    if (status != TY_OK) {
        return status;
    }
    tyi_crm_pass_wall(crm, p, true);
    tyi_crm_pass_rate(crm, p);
    tyi_crm_pass_wall(crm, p, false);
    crm->counts.steps++;
    crm->counts.time += (double)p->dt;
    return TY_OK;
}

/* the sub-steps that a step takes */
static ty_status count_steps(const tyi_crm *crm, double duration, const tyi_crm_body *body, int bodies, int *steps,
                             ty_diag *diag)
{
    double speed = crm->fastest;
    ty_status status = tyi_crm_bodies_check("crm", crm->def.bodies, body, bodies, &speed, diag);
    if (status == TY_OK && !(duration > 0.0 && duration < 1e3)) {
        status =
            ty_fail(diag, TY_ERR_RANGE, "crm: a step of %g s, but it takes more than 0 and less than 1000 s", duration);
    }
    if (status == TY_OK && crm->n == 0) {
        status = ty_fail(diag, TY_ERR_INPUT, "crm: there are no particles");
    }
    double longest = crm->def.cfl * crm->h / (crm->facts.wave + speed);
    *steps = (int)fmin(fmax(ceil(duration / longest - 1e-9), 1.0), 1e9);
    return status;
}

static void begin(tyi_crm *crm, double dt)
{
    crm->started = true;
    crm->counts.step = dt;
    for (size_t b = 0; b < crm->parts; b++) {
        memset(crm->part[b].load, 0, sizeof crm->part[b].load);
    }
}

/* Those that take as many sub-steps go together. */
ty_status tyi_crm_step_many(tyi_crm *const *crm, int count, double duration, tyi_crm_body *const *body, int bodies,
                            tyi_crm_load *const *load, int *who, ty_diag *diag)
{
    int steps[TYI_CRM_BEDS] = { 0 }, number[TYI_CRM_BEDS];
    ty_status status = TY_OK;
    for (int j = 0; j < count && status == TY_OK; j++) {
        *who = j;
        status = count_steps(crm[j], duration, body[j], bodies, &steps[j], diag);
    }
    for (int j = 0; j < count && status == TY_OK; j++) {
        tyi_crm *some[TYI_CRM_BEDS];
        tyi_crm_body *with[TYI_CRM_BEDS];
        int taken = steps[j], n = 0, failed = 0;
        for (int k = j; k < count && taken; k++) {
            if (steps[k] == taken) {
                some[n] = crm[k], with[n] = body[k], number[n++] = k;
                steps[k] = 0;
                begin(crm[k], duration / taken);
                crm[k]->due = crm[k]->due || !crm[k]->searched;
            }
        }
        if (n) {
            ty_k_sph p = uniform(some[0], duration / taken);
            ty_k_touch_law law = law_of(some[0], &p);
            const tyi_crm_device_step s = { some, n, taken, bodies, with, &p, &law };
            status = tyi_crm_device_steps(&s, &failed, diag);
            *who = number[failed];
        }
    }
    for (int j = 0; j < count && load; j++) {
        tyi_crm_bodies_loads(crm[j]->part, crm[j]->parts, bodies, load[j]);
    }
    return status;
}

ty_status tyi_crm_step(tyi_crm *crm, double duration, tyi_crm_body *body, int bodies, tyi_crm_load *load, ty_diag *diag)
{
    int who, steps = 1;
    if (crm->device) {
        return tyi_crm_step_many(&crm, 1, duration, &body, bodies, load ? &load : NULL, &who, diag);
    }
    ty_status status = count_steps(crm, duration, body, bodies, &steps, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_k_sph p = uniform(crm, duration / steps);
    begin(crm, duration / steps);
    /* lists are due when some particle has moved half the skin since they were made; how far is found in each sub-step */
    bool search_next = !crm->searched || crm->due;
    for (int k = 0; k < steps && status == TY_OK; k++) {
        status = sub_step(crm, &p, body, bodies, k + 1 == steps, &search_next, diag);
    }
    crm->due = search_next;
    if (load) {
        tyi_crm_bodies_loads(crm->part, crm->parts, bodies, load);
    }
    return status;
}
