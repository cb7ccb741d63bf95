/* src/world/terrain/crater.c - which craters there are.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "core/core.h"
#include "crater.h"
#include "k_crater.h"

/* number above d per area that the ground holds [1/m2] */
static double held(const ty_crater_def *def, double d)
{
    return ty_k_crater_held(d, def->age, ty_k_crater_share(d, def->density, def->small, def->wear));
}

void tyi_terrain_craters_init(tyi_terrain_craters *f, const ty_crater_def *def, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    f->def = *def;
    f->def.d_min = fmax(def->d_min, ldexp(1.0, TYI_TERRAIN_CRATER_K0));
    f->def.d_max = fmin(def->d_max, ldexp(1.0, TYI_TERRAIN_CRATER_K0 + TYI_TERRAIN_CRATER_OCTAVES));
    f->key = tyi_terrain_seed_key(seed);
    for (int k = 0; k < TYI_TERRAIN_CRATER_OCTAVES; k++) {
        f->share[k] = 1.0;
        for (int j = 0; j <= TYI_TERRAIN_NODES; j++) {
            double d = exp2(TYI_TERRAIN_CRATER_K0 + k + (double)j / TYI_TERRAIN_NODES);
            f->octave[k].n[j] = held(def, d);
        }
    }
    for (int k = 0; k <= TYI_TERRAIN_CRATER_OCTAVES; k++) {
        f->life[k] = ty_k_crater_life(exp2(TYI_TERRAIN_CRATER_K0 + k));
    }
}

void tyi_terrain_craters_thin(tyi_terrain_craters *f, double scale, double exponent)
{
    for (int k = 0; k < TYI_TERRAIN_CRATER_OCTAVES; k++) {
        double middle = 1.5 * ldexp(1.0, TYI_TERRAIN_CRATER_K0 + k);
        f->share[k] = fmin(1.0, scale * pow(middle, exponent));
        for (int j = 0; j <= TYI_TERRAIN_NODES; j++) {
            f->octave[k].n[j] *= f->share[k];
        }
    }
}

double tyi_terrain_craters_density(const tyi_terrain_craters *f, double d)
{
    double sum = 0.0;
    for (int k = 0; f->def.on && k < TYI_TERRAIN_CRATER_OCTAVES; k++) {
        double low = fmax(fmax(d, f->def.d_min), ldexp(1.0, TYI_TERRAIN_CRATER_K0 + k));
        double high = fmin(f->def.d_max, ldexp(1.0, TYI_TERRAIN_CRATER_K0 + k + 1));
        if (low < high) {
            sum += f->share[k] * (held(&f->def, low) - held(&f->def, high));
        }
    }
    return sum;
}

double tyi_terrain_crater_reach(double diameter)
{
    return 0.5 * TY_K_CRATER_REACH * diameter;
}

/* first cell of the octave below the current one; false when there is none left */
static bool next_octave(tyi_terrain_crater_walk *w)
{
    w->k--;
    if (w->k < w->k_min) {
        return false;
    }
    const tyi_terrain_octave *o = &w->f->octave[w->k - TYI_TERRAIN_CRATER_K0];
    double side = tyi_terrain_cell_side(w->k), margin = w->margin * ldexp(1.0, w->k + 1);
    w->side = side;
    w->mean = tyi_terrain_octave_number(o) * side * side;
    w->x0 = (int32_t)floor((w->rect.x0 - margin) / side);
    w->x1 = (int32_t)floor((w->rect.x1 + margin) / side);
    w->y1 = (int32_t)floor((w->rect.y1 + margin) / side);
    w->y = (int32_t)floor((w->rect.y0 - margin) / side);
    w->x = w->x0 - 1;
    return true;
}

/* the next cell that holds anything */
static bool next_cell(tyi_terrain_crater_walk *w)
{
    do {
        if (++w->x > w->x1) {
            w->x = w->x0;
            w->y++;
        }
        if (w->y > w->y1) {
            if (!next_octave(w)) {
                return false;
            }
            w->x = w->x0;
        }
        ty_k_u32x4 r = ty_k_philox((uint32_t)w->x, (uint32_t)w->y, (uint32_t)w->k, TYI_TERRAIN_COUNT_WORD, w->f->key,
                                   TY_RNG_CRATER);
        w->n = tyi_terrain_poisson(w->mean, ty_k_uniform(r.v[0]));
        w->i = 0;
    } while (w->n == 0);
    return true;
}

tyi_terrain_crater_walk tyi_terrain_craters_walk(const tyi_terrain_craters *f, ty_rect rect, double d_min, double d_max,
                                                 double margin)
{
    tyi_terrain_crater_walk w = { .f = f, .rect = rect, .margin = margin };
    w.d_min = fmax(d_min, f->def.d_min);
    w.d_max = fmin(d_max, f->def.d_max);
    /* the octave above the highest, so that the first call enters that one */
    bool any = f->def.on && w.d_min < w.d_max && rect.x0 <= rect.x1 && rect.y0 <= rect.y1;
    if (any) {
        int top = ilogb(w.d_max);
        w.k = ldexp(1.0, top) < w.d_max ? top + 1 : top;
        w.k_min = ilogb(w.d_min);
        w.k = w.k > TYI_TERRAIN_CRATER_K0 + TYI_TERRAIN_CRATER_OCTAVES
                  ? TYI_TERRAIN_CRATER_K0 + TYI_TERRAIN_CRATER_OCTAVES
                  : w.k;
    }
    w.y = 1; /* past the end of an empty range of cells */
    return w;
}

bool tyi_terrain_craters_next(tyi_terrain_crater_walk *w, tyi_terrain_crater_item *item)
{
    for (;;) {
        while (w->i >= w->n) {
            if (!next_cell(w)) {
                return false;
            }
        }
        uint32_t i = w->i++;
        ty_k_u32x4 r = ty_k_philox((uint32_t)w->x, (uint32_t)w->y, (uint32_t)w->k, 2 * i, w->f->key, TY_RNG_CRATER);
        double d = tyi_terrain_octave_diameter(&w->f->octave[w->k - TYI_TERRAIN_CRATER_K0], w->k, ty_k_uniform(r.v[2]));
        if (d < w->d_min || d >= w->d_max) {
            continue;
        }
        *item = (tyi_terrain_crater_item){ .c.diameter = d, .x = w->x, .y = w->y, .k = w->k, .i = i };
        item->c.x = (w->x + ty_k_uniform(r.v[0])) * w->side;
        item->c.y = (w->y + ty_k_uniform(r.v[1])) * w->side;
        item->oval = TY_K_CRATER_OVAL * ty_k_uniform(r.v[3]);
        return true;
    }
}

void tyi_terrain_crater_finish(const tyi_terrain_craters *f, tyi_terrain_crater_item *item)
{
    ty_k_u32x4 r =
        ty_k_philox((uint32_t)item->x, (uint32_t)item->y, (uint32_t)item->k, 2 * item->i + 1, f->key, TY_RNG_CRATER);
    double z = ty_k_normal(ty_k_uniform(r.v[0]), ty_k_uniform(r.v[1]), 0);
    ty_k_crater_look look = ty_k_crater_look_at(item->c.diameter, z, f->def.wear);
    item->c.depth_ratio = look.ratio;
    item->c.freshness = look.freshness;
    item->old = look.old;
    item->rim = look.rim;
    item->age = ty_k_crater_age(z);
    item->angle = TY_PI * ty_k_uniform(r.v[2]);
    /* 16 bits are enough for each of these */
    item->phase = 2.0 * TY_PI * (double)(r.v[3] >> 16) / 65536.0;
    item->lobe = TY_K_CRATER_LOBE * (double)(r.v[3] & 0xffffu) / 65536.0;
}

/* [of life] when the crater was made, before now: a power law between octaves */
static double made(const tyi_terrain_craters *f, const tyi_terrain_crater_item *item)
{
    const double *life = &f->life[item->k - TYI_TERRAIN_CRATER_K0];
    return item->age * life[0] * pow(life[1] / life[0], log2(item->c.diameter) - item->k);
}

bool tyi_terrain_crater_wiped(const tyi_terrain_craters *f, const tyi_terrain_crater_item *item)
{
    if (!(f->def.wear > 0.0)) {
        return false;
    }
    double d = item->c.diameter, when = made(f, item);
    ty_rect here = { item->c.x, item->c.y, item->c.x, item->c.y };
    tyi_terrain_crater_walk w = tyi_terrain_craters_walk(f, here, 2.0 * d, 16.0 * d, 0.5);
    tyi_terrain_crater_item other;
    while (tyi_terrain_craters_next(&w, &other)) {
        double x = other.c.x - here.x0, y = other.c.y - here.y0;
        if (x * x + y * y < 0.25 * other.c.diameter * other.c.diameter) {
            tyi_terrain_crater_finish(f, &other);
            if (made(f, &other) < when) {
                return true;
            }
        }
    }
    return false;
}

size_t tyi_terrain_craters_in(const tyi_terrain_craters *f, ty_rect rect, double d_min, double d_max, ty_crater *out,
                              size_t capacity)
{
    tyi_terrain_crater_walk w = tyi_terrain_craters_walk(f, rect, d_min, d_max, 0.0);
    tyi_terrain_crater_item item;
    size_t total = 0;
    while (tyi_terrain_craters_next(&w, &item)) {
        if (item.c.x < rect.x0 || item.c.x >= rect.x1 || item.c.y < rect.y0 || item.c.y >= rect.y1 ||
            (f->keep && !f->keep(f->user, &item.c))) {
            continue;
        }
        tyi_terrain_crater_finish(f, &item);
        if (tyi_terrain_crater_wiped(f, &item)) {
            continue;
        }
        if (total < capacity) {
            out[total] = item.c;
        }
        total++;
    }
    for (size_t i = 0; i < f->def.places; i++) {
        const ty_crater *c = &f->def.placed[i];
        if (c->x >= rect.x0 && c->x < rect.x1 && c->y >= rect.y0 && c->y < rect.y1 && c->diameter >= d_min &&
            c->diameter < d_max) {
            if (total < capacity) {
                out[total] = *c;
            }
            total++;
        }
    }
    return total;
}
