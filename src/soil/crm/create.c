/* src/soil/crm/create.c - definitions, arrays, particles in and out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "crm.h"
#include "core/rules.h"
#include "store.h"
#include "window.h"
#include "solids.h"
#include "bed.h"

ty_crm_soil ty_crm_soil_default(void)
{
    return (ty_crm_soil){ .rho = 1600.0, .e = 1e6, .nu = 0.3, .mu_s = 0.6, .mu_2 = 0.6, .i0 = 0.04, .d = 0.005 };
}

tyi_crm_def tyi_crm_def_default(void)
{
    return (tyi_crm_def){ .soil = ty_crm_soil_default(),
                          .spacing = 0.01,
                          .smoothing = 1.2,
                          .alpha = 0.1,
                          .xsph = 0.1,
                          .skin =
                              0.1, /* lists last some ten steps of flowing soil, and are a third longer than without */
                          .cfl = 0.3,
                          .gravity = { 0.0, 0.0, -TY_GRAVITY_MOON },
                          .neighbours = 128,
                          .near = 2,
                          .bodies = 8,
                          .threads = 1,
                          .cookie = TYI_COOKIE };
}

#define LODE_MU 0.8 /* [-] a sine of 53 deg */

#define AT(field) offsetof(tyi_crm_def, field)
static const tyi_limit limits[] = {
    { "soil.rho", "kg/m^3", AT(soil.rho), TYI_DOUBLE, 500.0, 5000.0 },
    { "soil.e", "Pa", AT(soil.e), TYI_DOUBLE, 1e3, 1e10 },
    { "soil.nu", "", AT(soil.nu), TYI_DOUBLE, 0.0, 0.49 },
    { "soil.mu_s", "", AT(soil.mu_s), TYI_DOUBLE, 0.01, 2.0 },
    { "soil.mu_2", "", AT(soil.mu_2), TYI_DOUBLE, 0.01, 4.0 },
    { "soil.i0", "", AT(soil.i0), TYI_DOUBLE, 1e-4, 10.0 },
    { "soil.d", "m", AT(soil.d), TYI_DOUBLE, 1e-6, 0.1 },
    { "soil.c", "Pa", AT(soil.c), TYI_DOUBLE, 0.0, 1e5 },
    { "soil.lode", "", AT(soil.lode), TYI_DOUBLE, 0.0, 1.0 },
    { "spacing", "m", AT(spacing), TYI_DOUBLE, 1e-4, 1.0 },
    { "smoothing", "", AT(smoothing), TYI_DOUBLE, 1.0, 1.5 },
    { "alpha", "", AT(alpha), TYI_DOUBLE, 0.0, 1.0 },
    { "xsph", "", AT(xsph), TYI_DOUBLE, 0.0, 0.5 },
    { "forget", "", AT(forget), TYI_DOUBLE, 0.0, 1.0 },
    { "skin", "", AT(skin), TYI_DOUBLE, 0.0, 0.5 },
    { "delta", "", AT(delta), TYI_DOUBLE, 0.0, 0.5 },
    { "cfl", "", AT(cfl), TYI_DOUBLE, 0.01, 0.6 },
    { "gravity.x", "m/s^2", AT(gravity.x), TYI_DOUBLE, -100.0, 100.0 },
    { "gravity.y", "m/s^2", AT(gravity.y), TYI_DOUBLE, -100.0, 100.0 },
    { "gravity.z", "m/s^2", AT(gravity.z), TYI_DOUBLE, -100.0, 100.0 },
    { "neighbours", "", AT(neighbours), TYI_INT, 64.0, 512.0 },
    { "near", "", AT(near), TYI_INT, 1.0, 2.0 },
    { "bodies", "", AT(bodies), TYI_INT, 0.0, 64.0 },
    { "threads", "", AT(threads), TYI_INT, 0.0, 4096.0 },
    { NULL, NULL, 0, TYI_DOUBLE, 0, 0 },
};
static const tyi_rules rules = { "crm", limits, NULL };

ty_status tyi_crm_def_facts(const tyi_crm_def *def, ty_crm_facts *out, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "crm: the definition must start from tyi_crm_def_default()");
    }
    ty_status status = tyi_rules_check(&rules, def, diag);
    if (status != TY_OK) {
        return status;
    }
    const ty_crm_soil *s = &def->soil;
    if (s->lode > 0.0 && s->mu_s > LODE_MU) {
        return ty_fail(diag, TY_ERR_RANGE, "crm: soil.lode takes soil.mu_s up to %g, but that is %g", LODE_MU, s->mu_s);
    }
    if (s->mu_2 < s->mu_s) {
        return ty_fail(diag, TY_ERR_RANGE, "crm: soil.mu_2 is %g, but takes at least soil.mu_s, which is %g", s->mu_2,
                       s->mu_s);
    }
    double K = s->e / (3.0 * (1.0 - 2.0 * s->nu)), G = s->e / (2.0 * (1.0 + s->nu)),
           wave = sqrt((K + 4.0 / 3.0 * G) / s->rho);
    *out = (ty_crm_facts){ .bulk = K,
                           .shear = G,
                           .wave = wave,
                           .k0 = (double)ty_k_sph_k0((float)s->nu, (float)s->mu_s),
                           .step = def->cfl * def->smoothing * def->spacing / wave,
                           .mass = s->rho * def->spacing * def->spacing * def->spacing };
    return TY_OK;
}

/* every array: where its pointer is, how long it is */
typedef tyi_crm_store_array array;
enum { ARRAYS = 24 };

static int list_arrays(tyi_crm *c, array *out)
{
    size_t n = c->room, groups = n / TYI_CRM_LANES;
    tyi_crm_arrays *both[2] = { &c->a, &c->spare };
    int k = 0;
    for (int b = 0; b < 2; b++) {
        tyi_crm_arrays *a = both[b];
        out[k++] = (array){ (void **)&a->x, n * sizeof *a->x };
        out[k++] = (array){ (void **)&a->v, n * sizeof *a->v };
        out[k++] = (array){ (void **)&a->t0, n * sizeof *a->t0 };
        out[k++] = (array){ (void **)&a->t1, n * sizeof *a->t1 };
        out[k++] = (array){ (void **)&a->g, n * sizeof *a->g };
        out[k++] = (array){ (void **)&a->touch, n * sizeof *a->touch };
        out[k++] = (array){ (void **)&a->id, n * sizeof *a->id };
    }
    out[k++] = (array){ (void **)&c->x0, (n + TYI_CRM_LANES) * sizeof *c->x0 };
    out[k++] = (array){ (void **)&c->acc, n * sizeof *c->acc };
    out[k++] = (array){ (void **)&c->shift, n * sizeof *c->shift };
    out[k++] = (array){ (void **)&c->start, (tyi_crm_box_cells(&c->box) + 2) * sizeof *c->start };
    out[k++] = (array){ (void **)&c->key, n * sizeof *c->key };
    out[k++] = (array){ (void **)&c->list, n * (size_t)c->def.neighbours * sizeof *c->list };
    out[k++] = (array){ (void **)&c->length, groups * sizeof *c->length };
    out[k++] = (array){ (void **)&c->kinds, groups * sizeof *c->kinds };
    out[k++] = (array){ (void **)&c->part, c->parts * sizeof *c->part };
    out[k++] = (array){ (void **)&c->solids, sizeof *c->solids };
    TY_ASSERT(k <= ARRAYS);
    return k;
}

ty_status tyi_crm_create(const tyi_crm_def *def, tyi_crm **out, ty_diag *diag)
{
    *out = NULL;
    ty_crm_facts facts;
    ty_status status = tyi_crm_def_facts(def, &facts, diag);
    if (status != TY_OK) {
        return status;
    }
    if (def->particles < 1 || def->particles > 200000000) {
        return ty_fail(diag, TY_ERR_RANGE, "crm: particles is %zu, but takes 1 to 200000000", def->particles);
    }
    tyi_crm *crm = tyi_get(def->alloc, sizeof *crm);
    if (!crm) {
        return ty_fail(diag, TY_ERR_MEMORY, "crm: no memory for a bed");
    }
    crm->def = *def;
    crm->facts = facts;
    crm->h = def->smoothing * def->spacing;
    crm->reach = 2.0 * crm->h;
    crm->skin = def->skin * crm->reach;
    crm->room = (def->particles + TYI_CRM_BLOCK - 1) / TYI_CRM_BLOCK * TYI_CRM_BLOCK;
    crm->parts = crm->room / TYI_CRM_BLOCK;
    status = tyi_crm_box_make("crm", def->low, def->high, def->periodic, crm->reach + crm->skin, def->near,
                              def->spacing, 1e4 * def->spacing, &crm->box, diag);
    if (status != TY_OK) {
        tyi_put(def->alloc, crm, sizeof *crm);
        return status;
    }
    array arrays[ARRAYS];
    if (!tyi_crm_store_make(def->alloc, arrays, list_arrays(crm, arrays))) {
        tyi_crm_destroy(crm);
        return ty_fail(diag, TY_ERR_MEMORY, "crm: no memory for %zu particles", def->particles);
    }
    *out = crm;
    return TY_OK;
}

void tyi_crm_destroy(tyi_crm *crm)
{
    if (!crm) {
        return;
    }
    tyi_crm_device_destroy(crm);
    array arrays[ARRAYS];
    tyi_crm_store_free(crm->def.alloc, arrays, list_arrays(crm, arrays));
    tyi_put(crm->def.alloc, crm, sizeof *crm);
}

static ty_status check_particle(const tyi_crm *crm, const ty_crm_particle *p, ty_diag *diag)
{
    int k;
    if (!tyi_crm_box_holds(&crm->box, crm->def.high, p->x, &k)) {
        const double x[3] = { p->x.x, p->x.y, p->x.z }, high[3] = { crm->def.high.x, crm->def.high.y, crm->def.high.z };
        return ty_fail(diag, TY_ERR_RANGE, "crm: particle %u lies at %c = %g m, outside the box of %g to %g m", p->id,
                       "xyz"[k], x[k], crm -> box.corner[k], high[k]);
    }
    double sum = ty_norm(p->v);
    for (k = 0; k < 6; k++) {
        sum += fabs(p->stress[k]);
    }
    if (!isfinite(sum)) {
        return ty_fail(diag, TY_ERR_RANGE, "crm: particle %u has a velocity or stress that is not finite", p->id);
    }
    return TY_OK;
}

ty_status tyi_crm_insert(tyi_crm *crm, const ty_crm_particle *particle, size_t n, ty_diag *diag)
{
    crm->searched = false;
    crm->changed = true;
    if (n > crm->def.particles - crm->n) {
        return ty_fail(diag, TY_ERR_RANGE, "crm: %zu particles, but there is room for %zu", crm->n + n,
                       crm->def.particles);
    }
    for (size_t k = 0; k < n; k++) {
        const ty_crm_particle *p = &particle[k];
        ty_status status = check_particle(crm, p, diag);
        if (status != TY_OK) {
            return status;
        }
        size_t i = crm->n++;
        const double *s = p->stress;
        double e = p->wall ? 0.0 : -(s[0] + s[1] + s[2]) / 3.0 / crm->facts.bulk,
               volume = pow(crm->def.spacing, 3.0) / (1.0 + e);
        union {
            float f;
            int32_t i;
        } soil = { .f = p->wall ? 0.0f : 1.0f };
        crm->a.x[i] = tyi_crm_box_place(&crm->box, p->x);
        crm->a.x[i][3] = soil.i;
        crm->a.v[i] = (tyi_crm_f4){ (float)p->v.x, (float)p->v.y, (float)p->v.z, (float)volume };
        crm->a.t0[i] = (tyi_crm_f4){ (float)s[0], (float)s[1], (float)s[2], (float)e };
        crm->a.t1[i] = (tyi_crm_f4){ (float)s[3], (float)s[4], (float)s[5], 0.0f };
        crm->a.g[i] = (tyi_crm_f4){ 0.0f, 0.0f, 0.0f, (float)e };
        crm->a.touch[i] = (tyi_crm_f4){ 0.0f };
        crm->a.id[i] = p->id;
        crm->walls += p->wall;
        crm->fastest = fmax(crm->fastest, ty_norm(p->v));
    }
    return TY_OK;
}

ty_status tyi_crm_add(tyi_crm *crm, const ty_crm_particle *particle, size_t n, ty_diag *diag)
{
    return crm->started ? ty_fail(diag, TY_ERR_INPUT, "crm: particles are added before the first step")
                        : tyi_crm_insert(crm, particle, n, diag);
}

void tyi_crm_remove(tyi_crm *crm, tyi_crm_leaves leaves, void *user)
{
    tyi_crm_arrays *a = &crm->a;
    size_t kept = 0;
    for (size_t i = 0; i < crm->n; i++) {
        ty_crm_particle p = tyi_crm_get(crm, i);
        if (leaves(user, &p)) {
            crm->walls -= p.wall;
            continue;
        }
        a->x[kept] = a->x[i];
        a->v[kept] = a->v[i];
        a->t0[kept] = a->t0[i];
        a->t1[kept] = a->t1[i];
        a->g[kept] = a->g[i];
        a->touch[kept] = a->touch[i];
        a->id[kept++] = a->id[i];
    }
    crm->n = kept;
    crm->searched = false;
    crm->changed = true;
}

int tyi_crm_threads(const tyi_crm *crm)
{
    int asked = tyi_tasks_threads(crm->def.threads), most = (int)(crm->n / 8192) + 1;
    return asked < most ? asked : most;
}

void tyi_crm_set_threads(tyi_crm *crm, int threads)
{
    crm->def.threads = threads;
}

size_t tyi_crm_count(const tyi_crm *crm)
{
    return crm->n;
}

ty_crm_particle tyi_crm_get(const tyi_crm *crm, size_t i)
{
    tyi_crm_i4 x = crm->a.x[i];
    tyi_crm_f4 v = crm->a.v[i], s = crm->a.t0[i], t = crm->a.t1[i];
    return (ty_crm_particle){ .x = tyi_crm_box_point(&crm->box, x),
                              .v = { (double)v[0], (double)v[1], (double)v[2] },
                              .stress = { (double)s[0], (double)s[1], (double)s[2], (double)t[0], (double)t[1],
                                          (double)t[2] },
                              .e = (double)s[3],
                              .support = (double)t[3],
                              .id = crm->a.id[i],
                              .wall = x[3] == 0 };
}

void tyi_crm_stop(tyi_crm *crm)
{
    tyi_crm_fetch(crm, NULL);
    crm->changed = true;
    for (size_t i = 0; i < crm->n; i++) {
        crm->a.v[i] = (tyi_crm_f4){ 0.0f, 0.0f, 0.0f, crm->a.v[i][3] };
    }
    crm->fastest = 0.0;
}

void tyi_crm_set_gravity(tyi_crm *crm, ty_vec3 gravity)
{
    crm->def.gravity = gravity;
}

void tyi_crm_set_drag(tyi_crm *crm, double rate)
{
    crm->drag = rate > 0.0 ? rate : 0.0;
}

void tyi_crm_set_fence(tyi_crm *crm, ty_vec3 low, ty_vec3 high)
{
    tyi_crm_i4 a = tyi_crm_box_place(&crm->box, low), b = tyi_crm_box_place(&crm->box, high);
    crm->fence.on = true;
    for (int k = 0; k < 3; k++) {
        crm->fence.low[k] = a[k];
        crm->fence.span[k] = (uint32_t)b[k] - (uint32_t)a[k];
    }
}

bool tyi_crm_outside(const tyi_crm *crm)
{
    return crm->outside;
}

tyi_crm_counts tyi_crm_get_counts(const tyi_crm *crm)
{
    return crm->counts;
}

tyi_crm_sums tyi_crm_add_up(const tyi_crm *crm)
{
    tyi_crm_sums sum = { .soil = 0 };
    double m = crm->facts.mass, K = crm->facts.bulk, G = crm->facts.shear;
    for (size_t i = 0; i < crm->n; i++) {
        ty_crm_particle p = tyi_crm_get(crm, i);
        if (p.wall) {
            continue;
        }
        const double *s = p.stress;
        double pressure = -(s[0] + s[1] + s[2]) / 3.0, volume = m / (crm->def.soil.rho * (1.0 + p.e));
        double shear = 0.5 * (pow(s[0] + pressure, 2) + pow(s[1] + pressure, 2) + pow(s[2] + pressure, 2)) +
                       s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
        sum.momentum = ty_add(sum.momentum, ty_scale(m, p.v));
        sum.angular = ty_add(sum.angular, ty_cross(p.x, ty_scale(m, p.v)));
        sum.kinetic += 0.5 * m * ty_dot(p.v, p.v);
        sum.elastic += volume * (0.5 * pressure * pressure / K + 0.5 * shear / G);
        sum.potential -= m * ty_dot(crm->def.gravity, p.x);
        sum.fastest = fmax(sum.fastest, ty_norm(p.v));
        sum.volume += p.e > 0.0 ? volume : 0.0;
        sum.soil++;
        sum.loose += p.e <= 0.0;
    }
    return sum;
}

/* ---- saving ---- */

typedef struct head {
    uint64_t n;
    uint64_t walls;
    tyi_crm_counts counts;
    double fastest;
    uint8_t started, searched, due;
} head;

enum { SAVED = 8 };
static int saved(const tyi_crm *crm, array *out)
{
    tyi_crm *c = (tyi_crm *)(uintptr_t)crm;
    tyi_crm_arrays *a = &c->a;
    size_t n = c->n;
    const array all[SAVED] = { { (void **)&a->x, n * sizeof *a->x },   { (void **)&a->v, n * sizeof *a->v },
                               { (void **)&a->t0, n * sizeof *a->t0 }, { (void **)&a->t1, n * sizeof *a->t1 },
                               { (void **)&a->g, n * sizeof *a->g },   { (void **)&a->touch, n * sizeof *a->touch },
                               { (void **)&a->id, n * sizeof *a->id }, { (void **)&c->x0, n * sizeof *c->x0 } };
    memcpy(out, all, sizeof all);
    return SAVED;
}

size_t tyi_crm_state_bytes(const tyi_crm *crm)
{
    array arrays[SAVED];
    return tyi_crm_store_bytes(sizeof(head), arrays, saved(crm, arrays));
}

void tyi_crm_save(const tyi_crm *crm, void *bytes)
{
    head h;
    memset(&h, 0, sizeof h); /* no padding with chance in it */
    h.n = crm->n;
    h.walls = crm->walls;
    h.counts = crm->counts;
    h.counts.device_bytes = 0; /* which is no part of the state */
    h.fastest = crm->fastest;
    h.started = crm->started;
    h.searched = crm->searched;
    h.due = crm->due;
    array arrays[SAVED];
    tyi_crm_store_save(&h, sizeof h, arrays, saved(crm, arrays), bytes);
}

ty_status tyi_crm_restore(tyi_crm *crm, const void *bytes, size_t size, ty_diag *diag)
{
    head h;
    if (size < sizeof h) {
        return ty_fail(diag, TY_ERR_FORMAT, "crm: a state of %zu bytes is too short", size);
    }
    memcpy(&h, bytes, sizeof h);
    size_t n = crm->n;
    crm->n = h.n <= crm->def.particles ? (size_t)h.n : 0;
    if (h.n > crm->def.particles || tyi_crm_state_bytes(crm) != size) {
        crm->n = n;
        return ty_fail(diag, TY_ERR_FORMAT, "crm: a state of %zu bytes and %llu particles does not fit this bed", size,
                       (unsigned long long)h.n);
    }
    array arrays[SAVED];
    tyi_crm_store_load(bytes, sizeof h, arrays, saved(crm, arrays));
    crm->walls = (size_t)h.walls;
    h.counts.device_bytes = crm->counts.device_bytes;
    crm->counts = h.counts;
    crm->fastest = h.fastest;
    crm->started = h.started;
    crm->searched = h.searched;
    crm->due = h.due;
    size_t who;
    if (crm->searched &&
        !tyi_crm_search(crm, &who)) { /* the lists of the last search, from where the particles were then */
        return ty_fail(diag, TY_ERR_FORMAT, "crm: the state is damaged");
    }
    crm->counts = h.counts;
    crm->changed = true;
    crm->ahead = false;
    return TY_OK;
}
