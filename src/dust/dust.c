/* src/dust/dust.c - parcels: their life, the ledger, saved states.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dust.h"
#include <math.h>
#include <string.h>
#include "core/core.h"
#include "core/rules.h"
#include "k_dust.h"
#include "parcels.h"

#define SPACING 0.1  /* [m] of the ground that parcels fall on, at most */
#define APART   0.05 /* [-] by how much grains of a parcel differ in speed, to each side: what parcels stand apart by */
#define UP      0.5  /* [-] vertical part of a face's normal from which on it holds all that falls on it */

static bool make_room(tyi_dust *d)
{
    size_t n = (size_t)d->def.params.parcels, wheels = (size_t)tyi_dust_sources(d) + 1,
           boxes = (size_t)d->def.boxes + 1;
    double **room[] = { &d->t0, &d->t1, &d->f0, &d->f1, &d->gx, &d->gy, &d->gz };
    bool ok = true;
    for (int i = 0; i < 7; i++) {
        *room[i] = tyi_get(NULL, 2 * TYI_DUST_BATCH * sizeof **room[i]);
        ok = ok && *room[i];
    }
    d->parcel = tyi_get(NULL, n * sizeof *d->parcel);
    d->fate = tyi_get(NULL, n * sizeof *d->fate);
    d->fallen = tyi_get(NULL, n * sizeof *d->fallen);
    d->source = tyi_get(NULL, wheels * sizeof *d->source);
    d->deposit = tyi_get(NULL, 6 * boxes * sizeof *d->deposit);
    d->back = tyi_get(NULL, 2 * boxes * sizeof *d->back);
    d->near = tyi_get(NULL, boxes * sizeof *d->near);
    return ok && d->parcel && d->fate && d->fallen && d->source && d->deposit && d->back && d->near;
}

ty_status tyi_dust_create(const tyi_dust_def *def, tyi_dust **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = tyi_rules_check(&tyi_dust_rules, &def->params, diag);
    if (status == TY_OK && !(def->gravity > 0.0)) {
        status = ty_fail(diag, TY_ERR_RANGE, "dust: gravity is %g m/s^2, but dust takes one above 0: it never fell",
                         def->gravity);
    }
    if (status != TY_OK) {
        return status;
    }
    tyi_dust *d = tyi_get(NULL, sizeof *d);
    if (d) {
        d->def = *def;
    }
    if (!d || !make_room(d)) {
        tyi_dust_destroy(d);
        return ty_fail(diag, TY_ERR_MEMORY, "dust: no memory for %d parcels", def->params.parcels);
    }
    d->level = ty_terrain_level(def->terrain, SPACING);
    d->half = 0.5 * ty_terrain_get_def(def->terrain)->extent;
    tyi_dust_sizes(&def->params, d->d);
    *out = d;
    return TY_OK;
}

void tyi_dust_destroy(tyi_dust *d)
{
    if (!d) {
        return;
    }
    size_t n = (size_t)d->def.params.parcels, wheels = (size_t)tyi_dust_sources(d) + 1,
           boxes = (size_t)d->def.boxes + 1;
    double *room[] = { d->t0, d->t1, d->f0, d->f1, d->gx, d->gy, d->gz };
    for (int i = 0; i < 7; i++) {
        tyi_put(NULL, room[i], 2 * TYI_DUST_BATCH * sizeof *room[i]);
    }
    tyi_put(NULL, d->parcel, n * sizeof *d->parcel);
    tyi_put(NULL, d->fate, n * sizeof *d->fate);
    tyi_put(NULL, d->fallen, n * sizeof *d->fallen);
    tyi_put(NULL, d->source, wheels * sizeof *d->source);
    tyi_put(NULL, d->deposit, 6 * boxes * sizeof *d->deposit);
    tyi_put(NULL, d->back, 2 * boxes * sizeof *d->back);
    tyi_put(NULL, d->near, boxes * sizeof *d->near);
    tyi_put(NULL, d, sizeof *d);
}

ty_vec3 tyi_dust_place(const tyi_dust *d, const tyi_dust_parcel *p, double time)
{
    double t = time - p->born;
    return ty_vec3_make(ty_k_dust_at(p->x.x, p->v.x, 0.0, t), ty_k_dust_at(p->x.y, p->v.y, 0.0, t),
                        ty_k_dust_at(p->x.z, p->v.z, -d->def.gravity, t));
}

/* ---- a step ---- */

static void put_down(tyi_dust *d, const tyi_dust_parcel *p)
{
    ty_vec3 at = tyi_dust_place(d, p, p->lands);
    bool here = fabs(at.x) <= d->half && fabs(at.y) <= d->half;
    *(here ? &d->ground : &d->out) += p->mass;
    if (here) {
        tyi_dust_fell(d, at, (double)p->area);
    }
}

/* what stays on a face; the rest falls off it, to the ground */
static void put_on(tyi_dust *d, const tyi_dust_parcel *p, int32_t fate)
{
    int box = (fate - 1) / 6, face = (fate - 1) % 6;
    ty_vec3 n = { 0, 0, 0 };
    *(face < 2 ? &n.x : face < 4 ? &n.y : &n.z) = face % 2 ? 1.0 : -1.0;
    double share = ty_rotate(d->box[box].now.q, n).z > UP ? 1.0 : d->def.params.stick;
    tyi_dust_deposit *to = &d->deposit[fate - 1];
    to->mass += share * p->mass;
    to->area += share * (double)p->area;
    d->rovers += share * p->mass;
    d->ground += p->mass - share * p->mass;
}

/* in the order of the list, so that sums are the same for any number of threads */
static void settle(tyi_dust *d)
{
    for (size_t i = 0; i < d->count; i++) {
        tyi_dust_parcel *p = &d->parcel[i];
        int32_t fate = d->fate[i];
        if (p->state != TYI_DUST_FLIES || !fate) {
            continue;
        }
        if (fate < 0) {
            put_down(d, p);
        } else {
            put_on(d, p, fate);
            p->lands = fmin(p->lands, d->to);
        }
        p->state = TYI_DUST_DONE;
    }
    for (size_t i = 0; i < d->count;) { /* what landed long ago makes room for the last on the list */
        if (d->parcel[i].state == TYI_DUST_DONE && d->parcel[i].lands < d->to - TYI_DUST_KEEP) {
            d->parcel[i] = d->parcel[--d->count];
        } else {
            i++;
        }
    }
}

ty_status tyi_dust_step(tyi_dust *d, double from, double to, const tyi_dust_wheel *wheel, const tyi_dust_box *box,
                        ty_diag *diag)
{
    ty_status status = TY_OK;
    d->from = from, d->to = to, d->box = box;
    for (int i = 0; i < d->def.wheels && status == TY_OK; i++) {
        size_t made = tyi_dust_raise(d, i, &wheel[i]);
        status = tyi_dust_land(d, d->parcel + d->count, made, diag);
        d->count += status == TY_OK ? made : 0;
    }
    for (int i = 0; i < d->def.jets + d->def.seeds && status == TY_OK; i++) {
        tyi_dust_parcel *first = d->parcel + d->count;
        size_t made = i == d->def.jets ? tyi_dust_shed(d) : d->jet ? tyi_dust_blow(d, i, &d->jet[i]) : 0;
        status = tyi_dust_land(d, first, made, diag);
        tyi_dust_leave_site(d, first, made);
        d->count += status == TY_OK ? made : 0;
    }
    tyi_dust_meet(d);
    settle(d);
    d->box = NULL, d->jet = NULL, d->seed = NULL, d->seeds = 0;
    return status;
}

/* ---- what there is ---- */

tyi_dust_ledger tyi_dust_get_ledger(const tyi_dust *d)
{
    tyi_dust_ledger l = { .emitted = d->emitted, .ground = d->ground, .rovers = d->rovers, .out = d->out };
    for (size_t i = 0; i < d->count; i++) {
        if (d->parcel[i].state == TYI_DUST_FLIES) {
            l.airborne += d->parcel[i].mass;
            l.parcels++;
        }
    }
    return l;
}

const tyi_dust_deposit *tyi_dust_deposits(const tyi_dust *d, int box)
{
    return d->deposit + 6 * box;
}

void tyi_dust_take_off(tyi_dust *d, int box, double share)
{
    for (int face = 0; face < 6; face++) {
        tyi_dust_deposit *at = &d->deposit[6 * box + face];
        double mass = share * at->mass;
        at->mass -= mass;
        at->area -= share * at->area;
        d->rovers -= mass;
        d->ground += mass;
    }
}

double tyi_dust_slides(const tyi_dust *d, double tilt)
{
    double s = sin(fmin(fmax(tilt, 0.0), 0.5 * TY_PI));
    double least =
        s > 0.0 ? ty_k_dust_slides(d->def.params.clean, d->def.params.grain, d->def.gravity, s) : (double)INFINITY;
    int k = 0;
    while (k < TYI_DUST_SIZES && 0.5 * (d->d[k] + d->d[k + 1]) < least) {
        k++;
    }
    return 1.0 - (double)k / TYI_DUST_SIZES;
}

void tyi_dust_also(tyi_dust *d, const tyi_dust_jet *jet, const tyi_dust_seed *seed, size_t seeds)
{
    d->jet = jet, d->seed = seed, d->seeds = seeds;
}

size_t tyi_dust_points(const tyi_dust *d, double time, ty_vec3 from_W, tyi_dust_point *out)
{
    size_t n = 0;
    for (size_t i = 0; i < d->count; i++) {
        const tyi_dust_parcel *p = &d->parcel[i];
        if (p->born <= time && time < p->lands) {
            ty_vec3 x = ty_sub(tyi_dust_place(d, p, time), from_W);
            float spread = (float)(APART * ty_norm(p->v) * (time - p->born));
            out[n++] = (tyi_dust_point){ (float)x.x, (float)x.y, (float)x.z, p->area, spread, p->group };
        }
    }
    return n;
}

/* ---- saved states ---- */

typedef struct saved {
    uint64_t count, wheels, boxes, falls, fell;
    double emitted, ground, rovers, out;
} saved;

size_t tyi_dust_save(const tyi_dust *d, void *out)
{
    saved s = { .count = d->count,
                .wheels = (uint64_t)tyi_dust_sources(d),
                .boxes = (uint64_t)d->def.boxes,
                .falls = d->falls,
                .fell = d->fell,
                .emitted = d->emitted,
                .ground = d->ground,
                .rovers = d->rovers,
                .out = d->out };
    const struct {
        const void *data;
        size_t bytes;
    } part[] = { { &s, sizeof s },
                 { d->source, s.wheels * sizeof *d->source },
                 { d->deposit, 6 * s.boxes * sizeof *d->deposit },
                 { d->parcel, d->count * sizeof *d->parcel },
                 { d->fallen, d->falls * sizeof *d->fallen } };
    size_t at = 0;
    for (int i = 0; i < 5; i++) {
        if (out && part[i].bytes) {
            memcpy((char *)out + at, part[i].data, part[i].bytes);
        }
        at += part[i].bytes;
    }
    return at;
}

ty_status tyi_dust_restore(tyi_dust *d, const void *from, size_t bytes, ty_diag *diag)
{
    saved s = { 0 };
    if (bytes >= sizeof s) {
        memcpy(&s, from, sizeof s);
    }
    size_t sources = (size_t)tyi_dust_sources(d) * sizeof *d->source,
           deposits = 6 * (size_t)d->def.boxes * sizeof *d->deposit;
    if (bytes < sizeof s || s.wheels != (uint64_t)tyi_dust_sources(d) || s.boxes != (uint64_t)d->def.boxes ||
        s.count > (uint64_t)d->def.params.parcels || s.falls > (uint64_t)d->def.params.parcels ||
        bytes != sizeof s + sources + deposits + s.count * sizeof *d->parcel + s.falls * sizeof *d->fallen) {
        return ty_fail(diag, TY_ERR_FORMAT, "dust: the saved state is of another scenario, or damaged");
    }
    const char *at = (const char *)from + sizeof s;
    memcpy(d->source, at, sources);
    memcpy(d->deposit, at + sources, deposits);
    memcpy(d->parcel, at + sources + deposits, s.count * sizeof *d->parcel);
    memcpy(d->fallen, at + sources + deposits + s.count * sizeof *d->parcel, s.falls * sizeof *d->fallen);
    d->count = s.count, d->falls = s.falls, d->fell = s.fell;
    d->emitted = s.emitted, d->ground = s.ground, d->rovers = s.rovers, d->out = s.out;
    return TY_OK;
}
