/* src/dust/others.c - dust that blades, plumes and loose particles of soil raise.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include "k_dust.h"
#include "k_philox.h"
#include "parcels.h"

#define SLOWEST 0.3             /* [-] of a particle's speed: chosen, as of wheels */
#define ASTRAY  (15.0 * TY_DEG) /* most, away from a particle's way: chosen */
#define FLIGHT  0.6             /* [s] that what particles shed lives on the mean, as far as its number goes */

double tyi_dust_cut(const ty_dust_params *p, double width, double depth, double speed)
{
    if (!(depth > 0.0) || speed < p->threshold) {
        return 0.0;
    }
    return ty_k_dust_rate(p->fine, p->density, width, p->sheared * fmin(depth, p->layer) * speed, 0.0);
}

/* eight numbers of one parcel, 0 to 1 */
static void draw(const tyi_dust *dust, int source, uint64_t number, double u[8])
{
    ty_u32 key = (ty_u32)(dust->def.seed ^ dust->def.seed >> 32);
    for (ty_u32 half = 0; half < 2; half++) {
        ty_k_u32x4 r = ty_k_philox((ty_u32)number, (ty_u32)(number >> 32), (ty_u32)source, half, key, TY_RNG_DUST);
        for (int k = 0; k < 4; k++) {
            u[4 * half + (ty_u32)k] = ty_k_uniform(r.v[k]);
        }
    }
}

/* how many parcels a source makes in this step of what it is owed; 0: none, or they wait */
static size_t number_of(const tyi_dust *dust, const tyi_dust_source *s, double life)
{
    const ty_dust_params *p = &dust->def.params;
    double want = p->parcels * (dust->to - dust->from) / (life * tyi_dust_sources(dust));
    size_t n = (size_t)fmin(fmax(ceil(want), 1.0), TYI_DUST_BATCH);
    return s->due > 0.0 && (size_t)p->parcels - dust->count >= n ? n : 0;
}

static tyi_dust_parcel *put(tyi_dust *dust, size_t k, double mass, double size, int group)
{
    tyi_dust_parcel *p = &dust->parcel[dust->count + k];
    *p = (tyi_dust_parcel){ .mass = mass,
                            .area = (float)(mass * ty_k_dust_area(dust->def.params.grain, size)),
                            .group = group };
    dust->emitted += mass;
    return p;
}

size_t tyi_dust_blow(tyi_dust *dust, int jet, const tyi_dust_jet *j)
{
    int source = dust->def.wheels + jet;
    tyi_dust_source *s = &dust->source[source];
    double dt = dust->to - dust->from;
    s->due += j->rate * dt;
    size_t n = number_of(dust, s, fmax(j->life, 0.1));
    ty_vec3 left = ty_cross(j->normal, j->forward);
    for (size_t k = 0; k < n; k++) {
        double u[8];
        draw(dust, source, s->raised++, u);
        ty_k_vec3 go = ty_k_dust_fan(j->aside * (2.0 * u[0] - 1.0), j->low + (j->high - j->low) * u[1]);
        ty_vec3 flat = ty_add(ty_scale(go.x, j->forward), ty_scale(go.y, left));
        ty_vec3 to = ty_add(flat, ty_scale(go.z, j->normal)), from = ty_scale(j->radius, ty_normalize(flat));
        double late = dt * u[2];
        tyi_dust_parcel *p = put(dust, k, s->due / (double)n, tyi_dust_size(dust, u[3]), j->group);
        from = ty_add(from, ty_scale((u[4] - 0.5) * j->width, left));
        p->x = ty_sub(ty_add(j->p_W, from), ty_scale(late, j->v_W));
        p->v = ty_scale(j->slow + (j->fast - j->slow) * u[5], to);
        tyi_dust_part(p, ty_vec3_make(0, 0, 0), ty_cross(j->normal, ty_normalize(flat)));
        p->born = dust->to - late;
    }
    s->due = n ? 0.0 : s->due;
    return n;
}

/* Particles are drawn one after the other along the sum of their rates, evenly: each gets its share to a parcel. */
size_t tyi_dust_shed(tyi_dust *dust)
{
    const ty_dust_params *params = &dust->def.params;
    int source = dust->def.wheels + dust->def.jets;
    tyi_dust_source *s = &dust->source[source];
    double dt = dust->to - dust->from, sum = 0.0, so_far = 0.0;
    for (size_t i = 0; i < dust->seeds; i++) {
        sum += tyi_dust_cut(params, dust->seed[i].size, dust->seed[i].size, ty_norm(dust->seed[i].v_W));
    }
    s->due += sum * dt;
    size_t n = sum > 0.0 ? number_of(dust, s, FLIGHT) : 0, k = 0;
    for (size_t i = 0; i < dust->seeds && k < n; i++) {
        const tyi_dust_seed *from = &dust->seed[i];
        double v = ty_norm(from->v_W);
        so_far += tyi_dust_cut(params, from->size, from->size, v);
        for (; k < n && (((double)k + 0.5) * sum < so_far * (double)n || i + 1 == dust->seeds); k++) {
            double u[8];
            draw(dust, source, s->raised++, u);
            double turn = 2.0 * TY_PI * u[0], astray = ASTRAY * sqrt(u[1]), late = dt * u[2];
            ty_vec3 ahead = v > 0.0 ? ty_scale(1.0 / v, from->v_W) : ty_vec3_make(0, 0, 1);
            ty_vec3 other = fabs(ahead.z) < 0.7 ? ty_vec3_make(0, 0, 1) : ty_vec3_make(1, 0, 0);
            ty_vec3 a = ty_normalize(ty_cross(ahead, other)), b = ty_cross(ahead, a);
            ty_vec3 off = ty_add(ty_scale(cos(turn), a), ty_scale(sin(turn), b));
            tyi_dust_parcel *p = put(dust, k, s->due / (double)n, tyi_dust_size(dust, u[3]), from->group);
            p->v = ty_scale(v * (SLOWEST + (1.0 - SLOWEST) * u[4]),
                            ty_add(ty_scale(cos(astray), ahead), ty_scale(sin(astray), off)));
            tyi_dust_part(p, ty_vec3_make(0, 0, 0), k % 2 ? a : ty_scale(-1.0, a));
            ty_vec3 in = ty_vec3_make(u[5] - 0.5, u[6] - 0.5, u[7]);
            p->x = ty_sub(ty_add(from->p_W, ty_scale(from->size, in)), ty_scale(late, from->v_W));
            p->born = dust->to - late;
        }
    }
    s->due = n ? 0.0 : s->due;
    return n;
}

/* [s] until something at x with speed v is `far` from the middle, along one axis; INFINITY: never */
static double leaves(double x, double v, double a, double far)
{
    double high = ty_k_dust_enters(-0.5 * a, -v, far - x), low = ty_k_dust_enters(0.5 * a, v, far + x);
    return fabs(x) > far ? 0.0 : fmin(high >= 0.0 ? high : (double)INFINITY, low >= 0.0 ? low : (double)INFINITY);
}

/* what leaves the site is let go where it does */
void tyi_dust_leave_site(const tyi_dust *dust, tyi_dust_parcel *p, size_t n)
{
    double far = dust->half * (1.0 + 1e-9) + 1e-6;
    for (size_t i = 0; i < n; i++) {
        double x = leaves(p[i].x.x, p[i].v.x, dust->fall.x, far), y = leaves(p[i].x.y, p[i].v.y, dust->fall.y, far);
        p[i].lands = p[i].born + fmin(p[i].lands - p[i].born, fmin(x, y));
    }
}
