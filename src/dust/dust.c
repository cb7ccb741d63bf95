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
#define APART   0.05 /* [-] of its speed by which grains of a parcel fly to each side, */
#define LATE    0.08 /* [s] and by which they left earlier or later than it: what parcels stand apart by */

static bool make_room(tyi_dust *d)
{
    size_t n = (size_t)d->def.params.parcels, sources = (size_t)tyi_dust_sources(d) + 1;
    double **room[] = { &d->t0, &d->t1, &d->f0, &d->f1, &d->gx, &d->gy, &d->gz };
    bool ok = true;
    for (int i = 0; i < 7; i++) {
        *room[i] = tyi_get(NULL, 2 * TYI_DUST_BATCH * sizeof **room[i]);
        ok = ok && *room[i];
    }
    d->parcel = tyi_get(NULL, n * sizeof *d->parcel);
    d->fate = tyi_get(NULL, n * sizeof *d->fate);
    d->fallen = tyi_get(NULL, n * sizeof *d->fallen);
    d->source = tyi_get(NULL, sources * sizeof *d->source);
    return ok && d->parcel && d->fate && d->fallen && d->source;
}

static void free_boxes(tyi_dust *d)
{
    size_t boxes = (size_t)d->boxes + 1;
    tyi_put(NULL, d->deposit, d->deposit ? 6 * boxes * sizeof *d->deposit : 0);
    tyi_put(NULL, d->back, d->back ? 2 * boxes * sizeof *d->back : 0);
    tyi_put(NULL, d->near, d->near ? boxes * sizeof *d->near : 0);
    tyi_put(NULL, d->owner, d->owner ? boxes * sizeof *d->owner : 0);
}

ty_status tyi_dust_boxes(tyi_dust *d, int n, ty_diag *diag)
{
    size_t boxes = (size_t)n + 1;
    tyi_dust more = { .boxes = n };
    more.deposit = tyi_get(NULL, 6 * boxes * sizeof *more.deposit);
    more.back = tyi_get(NULL, 2 * boxes * sizeof *more.back);
    more.near = tyi_get(NULL, boxes * sizeof *more.near);
    more.owner = tyi_get(NULL, boxes * sizeof *more.owner);
    if (!more.deposit || !more.back || !more.near || !more.owner) {
        free_boxes(&more);
        return ty_fail(diag, TY_ERR_MEMORY, "dust: no memory for %d parts of rovers and objects", n);
    }
    if (d->deposit) {
        memcpy(more.deposit, d->deposit, 6 * (size_t)(n < d->boxes ? n : d->boxes) * sizeof *d->deposit);
    }
    free_boxes(d);
    d->deposit = more.deposit, d->back = more.back, d->near = more.near, d->owner = more.owner;
    d->boxes = n;
    return TY_OK;
}

/* gravity, and what the field adds; what rises for ever is refused */
static ty_status find_fall(tyi_dust *d, ty_diag *diag)
{
    const ty_dust_params *p = &d->def.params;
    d->fall = ty_vec3_make(ty_k_dust_drift(p->charge, p->field[0]), ty_k_dust_drift(p->charge, p->field[1]),
                           ty_k_dust_drift(p->charge, p->field[2]) - d->def.gravity);
    return d->fall.z <= -0.01 * d->def.gravity
               ? TY_OK
               : ty_fail(
                     diag, TY_ERR_RANGE,
                     "dust: charge.per_mass %g C/kg in charge.field z %g V/m lifts grains by %g m/s^2, but below 0.99 of "
                     "gravity is accepted: they never fell",
                     p->charge, p->field[2], d->fall.z + d->def.gravity);
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
    status = find_fall(d, diag);
    status = status == TY_OK ? tyi_dust_boxes(d, def->boxes, diag) : status;
    status = status == TY_OK ? tyi_dust_rocks_create(def->terrain, &d->rocks, diag) : status;
    if (status != TY_OK) {
        tyi_dust_destroy(d);
        return status;
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
    size_t n = (size_t)d->def.params.parcels, sources = (size_t)tyi_dust_sources(d) + 1;
    double *room[] = { d->t0, d->t1, d->f0, d->f1, d->gx, d->gy, d->gz };
    for (int i = 0; i < 7; i++) {
        tyi_put(NULL, room[i], 2 * TYI_DUST_BATCH * sizeof *room[i]);
    }
    tyi_put(NULL, d->parcel, n * sizeof *d->parcel);
    tyi_put(NULL, d->fate, n * sizeof *d->fate);
    tyi_put(NULL, d->fallen, n * sizeof *d->fallen);
    tyi_put(NULL, d->source, sources * sizeof *d->source);
    free_boxes(d);
    tyi_dust_rocks_destroy(d->rocks);
    tyi_put(NULL, d, sizeof *d);
}

ty_vec3 tyi_dust_place(const tyi_dust *d, const tyi_dust_parcel *p, double time)
{
    double t = time - p->born;
    return ty_vec3_make(ty_k_dust_at(p->x.x, p->v.x, d->fall.x, t), ty_k_dust_at(p->x.y, p->v.y, d->fall.y, t),
                        ty_k_dust_at(p->x.z, p->v.z, d->fall.z, t));
}

void tyi_dust_part(tyi_dust_parcel *p, ty_vec3 left, ty_vec3 aside)
{
    ty_vec3 v = ty_scale(APART * ty_norm(ty_sub(p->v, left)), aside);
    p->apart[0] = (float)v.x, p->apart[1] = (float)v.y, p->apart[2] = (float)v.z;
    p->left[0] = (float)left.x, p->left[1] = (float)left.y, p->left[2] = (float)left.z;
}

ty_vec3 tyi_dust_apart(const tyi_dust *d, const tyi_dust_parcel *p, double t)
{
    double late = fmax(fmin(fmin(LATE, t), p->lands - p->born - t), 0.0);
    ty_vec3 v = ty_add(p->v, ty_scale(t, d->fall)),
            left = { (double)p->left[0], (double)p->left[1], (double)p->left[2] },
            aside = { (double)p->apart[0], (double)p->apart[1], (double)p->apart[2] };
    return ty_add(ty_scale(t, aside), ty_scale(late, ty_sub(v, left)));
}

/* ---- a step ---- */

/* a share of what meets something stays there; the rest falls off it, to the ground */
static double keep(tyi_dust *d, const tyi_dust_parcel *p, bool up, double *on)
{
    double share = up ? 1.0 : d->def.params.stick;
    *on += share * p->mass;
    d->ground += p->mass - share * p->mass;
    return share;
}

static void put_down(tyi_dust *d, const tyi_dust_parcel *p)
{
    ty_vec3 at = tyi_dust_place(d, p, p->lands);
    if (!(fabs(at.x) <= d->half && fabs(at.y) <= d->half)) {
        d->out += p->mass;
    } else if (p->rock) {
        keep(d, p, p->above, &d->objects);
    } else {
        d->ground += p->mass;
        tyi_dust_fell(d, at, (double)p->area);
    }
}

static void put_on(tyi_dust *d, const tyi_dust_parcel *p, int32_t fate)
{
    const tyi_dust_box *box = &d->box[(fate - 1) / 6];
    int face = (fate - 1) % 6;
    ty_vec3 n = { 0, 0, 0 };
    *(face < 2 ? &n.x : face < 4 ? &n.y : &n.z) = face % 2 ? 1.0 : -1.0;
    double share = keep(d, p, ty_rotate(box->now.q, n).z > TYI_DUST_UP, box->object ? &d->objects : &d->rovers);
    tyi_dust_deposit *to = &d->deposit[fate - 1];
    to->mass += share * p->mass;
    to->area += share * (double)p->area;
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

/* where the ways of new parcels at the end of the list end, by ground, rocks and the site's edge; they are on it then */
static ty_status end_of(tyi_dust *d, size_t made, ty_diag *diag)
{
    tyi_dust_parcel *first = d->parcel + d->count;
    ty_status status = tyi_dust_land(d, first, made, diag);
    status = status == TY_OK ? tyi_dust_rocks_stop(d, first, made, diag) : status;
    tyi_dust_leave_site(d, first, made);
    d->count += status == TY_OK ? made : 0;
    return status;
}

ty_status tyi_dust_step(tyi_dust *d, double from, double to, const tyi_dust_wheel *wheel, const tyi_dust_box *box,
                        ty_diag *diag)
{
    ty_status status = TY_OK;
    d->from = from, d->to = to, d->box = box;
    for (int i = 0; i < d->def.wheels && status == TY_OK; i++) {
        size_t made = tyi_dust_raise(d, i, &wheel[i]);
        status = end_of(d, made, diag);
    }
    for (int i = 0; i < d->def.jets + d->def.seeds && status == TY_OK; i++) {
        size_t made = i == d->def.jets ? tyi_dust_shed(d) : d->jet ? tyi_dust_blow(d, i, &d->jet[i]) : 0;
        status = end_of(d, made, diag);
    }
    tyi_dust_meet(d);
    settle(d);
    d->box = NULL, d->jet = NULL, d->seed = NULL, d->seeds = 0;
    return status;
}

/* ---- what there is ---- */

tyi_dust_ledger tyi_dust_get_ledger(const tyi_dust *d)
{
    tyi_dust_ledger l = {
        .emitted = d->emitted, .ground = d->ground, .rovers = d->rovers, .objects = d->objects, .out = d->out
    };
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
            ty_vec3 a = tyi_dust_apart(d, p, time - p->born);
            out[n++] =
                (tyi_dust_point){ (float)x.x, (float)x.y, (float)x.z, p->area, { (float)a.x, (float)a.y, (float)a.z },
                                  p->group };
        }
    }
    return n;
}

/* ---- saved states ---- */

typedef struct saved {
    uint64_t count, wheels, boxes, falls, fell;
    double emitted, ground, rovers, objects, out;
} saved;

size_t tyi_dust_save(const tyi_dust *d, void *out)
{
    saved s = { .count = d->count,
                .wheels = (uint64_t)tyi_dust_sources(d),
                .boxes = (uint64_t)d->boxes,
                .falls = d->falls,
                .fell = d->fell,
                .emitted = d->emitted,
                .ground = d->ground,
                .rovers = d->rovers,
                .objects = d->objects,
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
    size_t sources = (size_t)tyi_dust_sources(d) * sizeof *d->source, deposits = 6 * s.boxes * sizeof *d->deposit;
    if (bytes < sizeof s || s.wheels != (uint64_t)tyi_dust_sources(d) || s.boxes > (uint64_t)d->boxes ||
        s.count > (uint64_t)d->def.params.parcels || s.falls > (uint64_t)d->def.params.parcels ||
        bytes != sizeof s + sources + deposits + s.count * sizeof *d->parcel + s.falls * sizeof *d->fallen) {
        return ty_fail(diag, TY_ERR_FORMAT, "dust: the saved state is of another scenario, or damaged");
    }
    const char *at = (const char *)from + sizeof s;
    memcpy(d->source, at, sources);
    memset(d->deposit, 0, 6 * (size_t)d->boxes * sizeof *d->deposit); /* what came later is clean */
    memcpy(d->deposit, at + sources, deposits);
    memcpy(d->parcel, at + sources + deposits, s.count * sizeof *d->parcel);
    memcpy(d->fallen, at + sources + deposits + s.count * sizeof *d->parcel, s.falls * sizeof *d->fallen);
    d->count = s.count, d->falls = s.falls, d->fell = s.fell;
    d->emitted = s.emitted, d->ground = s.ground, d->rovers = s.rovers, d->objects = s.objects, d->out = s.out;
    return TY_OK;
}
