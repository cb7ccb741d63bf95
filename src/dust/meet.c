/* src/dust/meet.c - what parcels meet in a step: parts of rovers and objects, the ground.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "core/core.h"
#include "k_dust.h"
#include "parcels.h"

enum { CHUNK = 1024, NEAR = 64, FEW = 2 }; /* parcels; owners that a chunk may be near; so few are not sorted out */

/* Where the way from a to b enters a box of half sides around 0: 0 to 1 along it, and the face, 2 axis + side; 2: it does not. What starts inside never
 * enters. */
static double enter(ty_vec3 a, ty_vec3 b, ty_vec3 half, int *face)
{
    const double p[3] = { a.x, a.y, a.z }, q[3] = { b.x, b.y, b.z }, h[3] = { half.x, half.y, half.z };
    double in = 0.0, out = 1.0;
    *face = -1;
    for (int k = 0; k < 3; k++) {
        double d = q[k] - p[k];
        if (d == 0.0) {
            if (fabs(p[k]) > h[k]) {
                return 2.0;
            }
            continue;
        }
        double s = d > 0.0 ? -h[k] : h[k], t0 = (s - p[k]) / d, t1 = (-s - p[k]) / d;
        if (t0 > in) {
            in = t0;
            *face = 2 * k + (d < 0.0);
        }
        out = t1 < out ? t1 : out;
        if (in > out) {
            return 2.0;
        }
    }
    return *face < 0 ? 2.0 : in;
}

/* the same of the ellipsoid in that box; the face is the one that its normal is nearest to */
static double enter_round(ty_vec3 a, ty_vec3 b, ty_vec3 h, int *face)
{
    ty_vec3 p = { a.x / h.x, a.y / h.y, a.z / h.z }, d = { (b.x - a.x) / h.x, (b.y - a.y) / h.y, (b.z - a.z) / h.z };
    double t = ty_k_dust_enters(ty_dot(d, d), 2.0 * ty_dot(p, d), ty_dot(p, p) - 1.0);
    if (t < 0.0 || t > 1.0 || ty_dot(p, p) < 1.0) {
        return 2.0;
    }
    ty_vec3 q = ty_add(p, ty_scale(t, d));
    const double n[3] = { q.x / h.x, q.y / h.y, q.z / h.z };
    int k = fabs(n[2]) >= fabs(n[0]) && fabs(n[2]) >= fabs(n[1]) ? 2 : fabs(n[0]) >= fabs(n[1]) ? 0 : 1;
    *face = 2 * k + (n[k] > 0.0);
    return t;
}

/* parcels that fly in this step: from where to where */
typedef struct leg {
    ty_vec3 a, b;
    double way; /* [m] */
} leg;

static leg leg_of(const tyi_dust *dust, const tyi_dust_parcel *p)
{
    double from = fmax(p->born, dust->from), to = fmax(fmin(p->lands, dust->to), from);
    leg l = { tyi_dust_place(dust, p, from), tyi_dust_place(dust, p, to), 0.0 };
    l.way = ty_norm(ty_sub(l.b, l.a));
    return l;
}

static bool near(const leg *l, ty_vec3 middle, double reach)
{
    ty_vec3 off = ty_sub(l->a, middle);
    reach += l->way;
    return ty_dot(off, off) <= reach * reach;
}

/* the first of an owner's boxes on the way, if it is before `first` */
static void meet_owner(const tyi_dust *dust, const tyi_dust_owner *o, const leg *l, double *first, int32_t *fate)
{
    for (int k = o->first; k < o->end; k++) {
        const tyi_dust_box *box = &dust->box[k];
        if (box->away || !near(l, box->now.p, dust->near[k])) {
            continue;
        }
        /* seen from the box, as far as it moves evenly over the step */
        int face = 0;
        ty_vec3 a = ty_pose_point(dust->back[2 * k], l->a), b = ty_pose_point(dust->back[2 * k + 1], l->b);
        double t = box->round ? enter_round(a, b, box->half, &face) : enter(a, b, box->half, &face);
        if (t < *first) {
            *first = t;
            *fate = 1 + 6 * k + face;
        }
    }
}

static bool moves(const tyi_dust *dust, const tyi_dust_parcel *p)
{
    return p->state == TYI_DUST_FLIES && fmin(p->lands, dust->to) > fmax(p->born, dust->from);
}

/* Owners near the way of any parcel of a chunk, at most NEAR; more, or few of all: -1, ask them all. */
static int owners_near(const tyi_dust *dust, size_t begin, size_t end, int *out)
{
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    int n = 0;
    for (size_t k = begin; k < end && dust->owners > FEW; k++) {
        if (moves(dust, &dust->parcel[k])) {
            leg l = leg_of(dust, &dust->parcel[k]);
            const double x[3] = { l.a.x, l.a.y, l.a.z };
            for (int i = 0; i < 3; i++) {
                low[i] = fmin(low[i], x[i] - l.way), high[i] = fmax(high[i], x[i] + l.way);
            }
        }
    }
    for (int i = 0; i < dust->owners && n < NEAR && dust->owners > FEW; i++) {
        const tyi_dust_owner *o = &dust->owner[i];
        const double x[3] = { o->middle.x, o->middle.y, o->middle.z };
        bool in = true;
        for (int k = 0; k < 3 && in; k++) {
            in = x[k] + o->reach >= low[k] && x[k] - o->reach <= high[k];
        }
        out[n] = i;
        n += in;
    }
    return dust->owners <= FEW || n == NEAR ? -1 : n;
}

static void job(void *user, size_t chunk, int worker)
{
    (void)worker;
    tyi_dust *dust = user;
    size_t begin = chunk * CHUNK, end = begin + CHUNK < dust->count ? begin + CHUNK : dust->count;
    int list[NEAR], some = owners_near(dust, begin, end, list), n = some < 0 ? dust->owners : some;
    for (size_t k = begin; k < end; k++) {
        const tyi_dust_parcel *p = &dust->parcel[k];
        int32_t fate = p->state == TYI_DUST_FLIES && p->lands <= dust->to ? -1 : 0;
        if (n > 0 && moves(dust, p)) {
            leg l = leg_of(dust, p);
            double first = 2.0;
            for (int i = 0; i < n; i++) {
                const tyi_dust_owner *o = &dust->owner[some < 0 ? i : list[i]];
                if (near(&l, o->middle, o->reach)) {
                    meet_owner(dust, o, &l, &first, &fate);
                }
            }
        }
        dust->fate[k] = fate;
    }
}

/* the ball around the boxes of one owner, from number `first` on; where the next begins */
static int ball(tyi_dust *dust, int first)
{
    const tyi_dust_box *box = dust->box;
    tyi_dust_owner o = { .first = first, .end = first };
    int here = 0;
    for (; o.end < dust->boxes && box[o.end].owner == box[first].owner; o.end++) {
        int k = o.end;
        dust->back[2 * k] = ty_pose_inverse(box[k].before);
        dust->back[2 * k + 1] = ty_pose_inverse(box[k].now);
        dust->near[k] = ty_norm(ty_sub(box[k].now.p, box[k].before.p)) + ty_norm(box[k].half);
        o.middle = box[k].away ? o.middle : ty_add(o.middle, box[k].now.p);
        here += !box[k].away;
    }
    o.middle = ty_scale(1.0 / (here ? here : 1), o.middle);
    for (int k = first; k < o.end; k++) {
        o.reach = box[k].away ? o.reach : fmax(o.reach, ty_norm(ty_sub(box[k].now.p, o.middle)) + dust->near[k]);
    }
    dust->owner[dust->owners] = o;
    dust->owners += here > 0;
    return o.end;
}

void tyi_dust_meet(tyi_dust *dust)
{
    dust->owners = 0;
    for (int k = 0; k < dust->boxes;) {
        k = ball(dust, k);
    }
    tyi_tasks_for(dust->count > 4 * CHUNK ? tyi_tasks_threads(dust->def.threads) : 1, (dust->count + CHUNK - 1) / CHUNK,
                  job, dust);
}
