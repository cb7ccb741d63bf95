/* src/dust/source.c - dust that wheels raise: how much, where from, where to.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_dust.h"
#include "k_philox.h"
#include "parcels.h"

#define OUTWARDS (15.0 * TY_DEG) /* most, away from the rim: chosen */
#define SIDEWAYS (10.0 * TY_DEG) /* most, to either side: chosen */
#define SLOWEST  0.3             /* [-] of the rim's speed: chosen */
#define FLIGHT   1.5             /* [s] that parcels live on the mean, as far as their number goes */

/* [kg/s] */
static double rate_of(const ty_dust_params *p, const tyi_dust_wheel *w)
{
    double r = w->r + w->lug, rim = fabs(w->omega) * r, slip = fabs(w->omega * r - ty_dot(w->v_W, w->forward));
    double layer = w->lug > 0.0 ? w->lug : p->layer;
    if (!w->contact || rim < p->threshold) {
        return 0.0;
    }
    return ty_k_dust_rate(p->fine, p->density, w->b, p->sheared * fmin(w->sinkage, layer) * slip,
                          p->carried * layer * rim);
}

/* numbers of one parcel */
typedef struct draw {
    double when, phi, out, side, speed, across, size;
} draw;

/* Where on the rim, how fast and how far outwards, which make the outline of a fan, fill their ranges evenly, parcel after parcel: fractions of
 * multiples of 2^32 / p, p^2, p^3 with p^4 = p + 1, from a place of the wheel's own. The order is that of time; the rest is drawn anywhere. */
static draw draw_parcel(const ty_dust_params *p, uint64_t seed, uint64_t number, int wheel, double when)
{
    ty_u32 key = (ty_u32)(seed ^ seed >> 32), n = (ty_u32)number;
    ty_k_u32x4 a = ty_k_philox(n, (ty_u32)(number >> 32), (ty_u32)wheel, 0, key, TY_RNG_DUST),
               own = ty_k_philox(0, 0, (ty_u32)wheel, 1, key, TY_RNG_DUST);
    return (draw){ .when = when,
                   .phi = ty_k_uniform(own.v[0] + 3518319155u * n),
                   .speed = ty_k_dust_speed(ty_k_uniform(own.v[1] + 2882110345u * n), SLOWEST, p->peak),
                   .out = OUTWARDS * ty_k_uniform(own.v[2] + 2360945575u * n),
                   .side = SIDEWAYS * (2.0 * ty_k_uniform(a.v[0]) - 1.0),
                   .across = ty_k_uniform(a.v[1]) - 0.5,
                   .size = ty_k_uniform(a.v[2]) };
}

double tyi_dust_size(const tyi_dust *dust, double u)
{
    double x = u * TYI_DUST_SIZES;
    int i = (int)x < TYI_DUST_SIZES ? (int)x : TYI_DUST_SIZES - 1;
    return dust->d[i] + (x - i) * (dust->d[i + 1] - dust->d[i]);
}

/* whether a fender is in the way of what leaves the rim */
static bool shielded(const tyi_dust_wheel *w, const draw *d, double r, double phi)
{
    if (!(w->fender.edge > 0.0)) {
        return false;
    }
    double way = ty_k_dust_gap(r, r + w->fender.gap, d->out);
    double aside = d->across * w->b + way * tan(d->side);
    return ty_k_dust_meets(r, way, phi, d->out) > w->fender.edge && fabs(aside) < 0.5 * w->b + w->fender.side;
}

size_t tyi_dust_raise(tyi_dust *dust, int wheel, const tyi_dust_wheel *w)
{
    const ty_dust_params *p = &dust->def.params;
    tyi_dust_source *s = &dust->source[wheel];
    double dt = dust->to - dust->from, r = w->r + w->lug, sign = w->omega < 0.0 ? -1.0 : 1.0;
    s->due += rate_of(p, w) * dt;
    double want = p->parcels * dt / (FLIGHT * tyi_dust_sources(dust));
    size_t room = (size_t)p->parcels - dust->count, n = (size_t)fmin(fmax(ceil(want), 1.0), TYI_DUST_BATCH), made = 0;
    if (!(s->due > 0.0) || room < n) { /* what finds no room waits */
        return 0;
    }
    ty_vec3 forward = ty_scale(sign, w->forward), left = ty_cross(w->normal, forward);
    double first = acos(1.0 - fmin(fmax(w->sinkage, 0.0), r) / r), last = fmax(p->highest, first);
    double mass = s->due / (double)n;
    for (size_t k = 0; k < n; k++) {
        draw d = draw_parcel(p, dust->def.seed, s->raised++, wheel, ((double)k + 0.5) / (double)n);
        double phi = first + (last - first) * d.phi, late = dt * (1.0 - d.when);
        dust->emitted += mass;
        if (shielded(w, &d, r, phi)) { /* it falls back where it was */
            dust->ground += mass;
            continue;
        }
        ty_k_vec3 go = ty_k_dust_leave(phi, d.out);
        ty_vec3 to = ty_add(ty_scale(go.x, forward), ty_scale(go.z, w->normal));
        to = ty_add(ty_scale(cos(d.side), to), ty_scale(sin(d.side), left));
        ty_vec3 arm = ty_add(ty_scale(-r * sin(phi), forward), ty_scale(-r * cos(phi), w->normal));
        arm = ty_add(arm, ty_scale(d.across * w->b, left));
        double size = tyi_dust_size(dust, d.size);
        tyi_dust_parcel *to_list = &dust->parcel[dust->count + made++];
        double speed = d.speed * fabs(w->omega) * r;
        *to_list = (tyi_dust_parcel){
            .x = ty_sub(ty_add(w->p_W, arm), ty_scale(late, w->v_W)),
            .v = ty_add(w->v_W, ty_scale(speed, to)),
            .born = dust->to - late,
            .mass = mass,
            .area = (float)(mass * ty_k_dust_area(p->grain, size)),
            .group = w->group,
        };
        tyi_dust_part(to_list, w->v_W, s->raised % 2 ? left : ty_scale(-1.0, left));
    }
    s->due = 0.0;
    return made;
}
