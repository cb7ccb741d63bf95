/* src/world/terrain/generate.c - see generate.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "generate.h"
#include <string.h>
#include "core/core.h"
#include "k_chart.h"
#include "k_crater.h"
#include "k_relief.h"
#include "lay.h"
#include "subdivide.h"

/* A crater is drawn on every level that has at least CRATER_MIN samples across it. From CRATER_FULL samples
 * across on its shape is complete, and finer levels take it over by interpolation. */
#define CRATER_MIN  4.0
#define CRATER_FULL 64.0
/* craters of this many base samples across are in the base already */
#define CRATER_IN_BASE 3.0

static ty_status add_base(const tyi_terrain_generator *g, int level, tyi_terrain_block b, double *h, ty_diag *diag)
{
    double d = ldexp(g->def.resolution, level), rise = tan(g->def.slope_deg * TY_DEG);
    double east = sin(g->def.slope_azimuth_deg * TY_DEG), north = cos(g->def.slope_azimuth_deg * TY_DEG);
    for (int j = 0; j < b.ny; j++) {
        double y = (b.j0 + j) * d, *row = h + (size_t)j * (size_t)b.nx;
        double lat[TYI_TERRAIN_BLOCK], lon[TYI_TERRAIN_BLOCK], height[TYI_TERRAIN_BLOCK] = { 0 };
        int rounds = g->def.base.spacing > 0.0 ? tyi_terrain_place_rounds(g, b.i0 * d, (b.i0 + b.nx - 1) * d, y) : 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < b.nx; i++) {
                tyi_terrain_place_below(g, (b.i0 + i) * d, y, height[i], &lat[i], &lon[i]);
            }
            ty_status status = g->def.base.sample(g->def.base.user, (size_t)b.nx, lat, lon, d, height, diag);
            if (status != TY_OK) {
                return status;
            }
            for (int i = 0; i < b.nx; i++) {
                height[i] = isnan(height[i]) ? g->def.base.outside : height[i];
            }
        }
        for (int i = 0; i < b.nx; i++) {
            double x = (b.i0 + i) * d;
            row[i] += ty_k_chart_z(g->def.radius, x * x + y * y, height[i]) + rise * (east * x + north * y);
        }
    }
    return TY_OK;
}

/* Craters that a layer shows already are left out where it lies: those of some of its samples across, by chance where
 * it fades. */
static bool keep_crater(const void *user, const ty_crater *c)
{
    const tyi_terrain_generator *g = user;
    double lat, lon, height, weight;
    tyi_terrain_place_below(g, c->x, c->y, 0.0, &lat, &lon);
    for (int k = 0; k < g->layers; k++) {
        const ty_terrain_layer *layer = &g->def.layer[k];
        if (c->diameter >= CRATER_IN_BASE * layer->spacing && tyi_terrain_laid_near(&g->laid[k], lat, lon, 0.0) &&
            layer->sample(layer->user, 1, &lat, &lon, 0.0, &height, &weight, NULL, NULL) == TY_OK) {
            double chance = c->x * 0.7548776662466927 / c->diameter + c->y * 0.5698402909980532 / c->diameter;
            if (weight > chance - floor(chance)) {
                return false;
            }
        }
    }
    return true;
}

static void add_craters(const tyi_terrain_generator *g, int level, tyi_terrain_block b, double d_min, double d_max,
                        double *h, float *f)
{
    double d = ldexp(g->def.resolution, level);
    size_t n = (size_t)b.nx * (size_t)b.ny;
    memset(f, 0, n * sizeof *f);
    tyi_terrain_craters_add(&g->craters, d_min, d_max, b.i0 * d, b.j0 * d, d, b.nx, b.ny, b.nx, f);
    for (size_t k = 0; k < n; k++) {
        h[k] += (double)f[k];
    }
}

#define ROUGH_FROM 16.0 /* [m] samples this far apart and nearer are as rough everywhere as at the site */

/* scales noise by how rough the ground is, as far as that counts at this level */
static void follow_base(const tyi_terrain_generator *g, int l, tyi_terrain_block b, double *noise)
{
    double d = ldexp(g->def.resolution, l), top = fmax(0.25 * g->def.base.spacing, 2.0 * ROUGH_FROM);
    double share = fmin(log(d / ROUGH_FROM) / log(top / ROUGH_FROM), 1.0);
    for (int j = 0; j < b.ny; j++) {
        double lat[TYI_TERRAIN_BLOCK], lon[TYI_TERRAIN_BLOCK], rough[TYI_TERRAIN_BLOCK];
        for (int i = 0; i < b.nx; i++) {
            tyi_terrain_place_below(g, (b.i0 + i) * d, (b.j0 + j) * d, 0.0, &lat[i], &lon[i]);
        }
        g->def.base.rough(g->def.base.rough_user, (size_t)b.nx, lat, lon, rough);
        for (int i = 0; i < b.nx; i++) {
            noise[(size_t)j * (size_t)b.nx + (size_t)i] *= pow(rough[i], share);
        }
    }
}

/* the noise of a level, as rough as the base has it, and quiet around layers that lie over it */
static ty_status add_relief(const tyi_terrain_generator *g, int l, tyi_terrain_block b, double *h, double *spare,
                            ty_diag *diag)
{
    bool rough = g->def.base.rough && ldexp(g->def.resolution, l) > ROUGH_FROM && g->relief.sigma[l] > 0.0,
         over = rough;
    for (int k = 0; k < g->layers; k++) {
        over = over || g->laid[k].level < l;
    }
    if (!over) {
        tyi_terrain_relief_add(&g->relief, l, b.i0, b.j0, b.nx, b.ny, h);
        return TY_OK;
    }
    size_t n = (size_t)b.nx * (size_t)b.ny;
    memset(spare, 0, n * sizeof *spare);
    tyi_terrain_relief_add(&g->relief, l, b.i0, b.j0, b.nx, b.ny, spare);
    if (rough) {
        follow_base(g, l, b, spare);
    }
    ty_status status = tyi_terrain_calm(g, 0, l, b, ldexp(g->def.resolution, l), spare, diag);
    for (size_t i = 0; i < n; i++) {
        h[i] += spare[i];
    }
    return status;
}

#define CLODS_LEAST   0.2  /* [m] smallest crater with clods */
#define CLODS_MOST    20.0 /* [m] largest */
#define CLODS_SAMPLES 16.0 /* across a crater whose clods a level can show; there are a few such in a block at most */

/* the new craters that make the soil of a block rougher */
static void find_clods(const tyi_terrain_generator *g, int level, tyi_terrain_block b, tyi_terrain_clods *out)
{
    double d = ldexp(g->def.resolution, level), reach = 0.5 * TY_K_RELIEF_CLODS_REACH;
    if (!(g->relief.micro[level] > 0.0) || !g->def.crater.on || !(g->def.crater.wear > 0.0)) {
        return;
    }
    ty_rect rect = { (b.i0 - 8) * d, (b.j0 - 8) * d, (b.i0 + b.nx + 8) * d, (b.j0 + b.ny + 8) * d };
    tyi_terrain_crater_walk w =
        tyi_terrain_craters_walk(&g->craters, rect, fmax(CLODS_LEAST, CLODS_SAMPLES * d), CLODS_MOST, reach);
    tyi_terrain_crater_item item;
    while (tyi_terrain_craters_next(&w, &item)) {
        const ty_crater *c = &item.c;
        double r = reach * c->diameter;
        if (c->x + r < rect.x0 || c->x - r > rect.x1 || c->y + r < rect.y0 || c->y - r > rect.y1) {
            continue;
        }
        tyi_terrain_crater_finish(&g->craters, &item);
        if (c->freshness > 0.6 && out->count < (int)(sizeof out->at / sizeof out->at[0]) &&
            !(g->craters.keep && !g->craters.keep(g->craters.user, c))) {
            out->at[out->count].x = c->x, out->at[out->count].y = c->y;
            out->at[out->count].r = 0.5 * c->diameter;
            out->at[out->count++].freshness = c->freshness;
        }
    }
}

ty_status tyi_terrain_generate(const tyi_terrain_generator *g, int level, int32_t i0, int32_t j0, int nx, int ny,
                               double *out, tyi_terrain_scratch *scratch, ty_diag *diag)
{
    TY_ASSERT(nx <= TYI_TERRAIN_BLOCK && ny <= TYI_TERRAIN_BLOCK && level >= 0 && level < TYI_TERRAIN_MAX_LEVELS);
    tyi_terrain_block chain[TYI_TERRAIN_MAX_LEVELS];
    int top = g->top_level > level ? g->top_level : level;
    int base_at = g->base_level > level ? g->base_level : level;
    chain[level] = (tyi_terrain_block){ i0, j0, nx, ny };
    for (int l = level + 1; l <= top; l++) {
        chain[l] = tyi_terrain_block_parent(chain[l - 1]);
    }
    tyi_terrain_clods clods = { 0 };
    find_clods(g, level, chain[level], &clods);
    double *coarse = scratch->a, *fine = scratch->b;
    memset(coarse, 0, (size_t)chain[top].nx * (size_t)chain[top].ny * sizeof *coarse);
    for (int l = top;; l--) {
        tyi_terrain_block b = chain[l];
        double d = ldexp(g->def.resolution, l);
        if (l == base_at) {
            ty_status read = add_base(g, l, b, coarse, diag);
            if (read != TY_OK) {
                return read;
            }
        }
        ty_status status = add_relief(g, l, b, coarse, scratch->c, diag);
        if (status != TY_OK) {
            return status;
        }
        tyi_terrain_relief_add_micro(&g->relief, l, d, b.i0, b.j0, b.nx, b.ny, &clods, coarse, scratch->c);
        tyi_terrain_relief_add_hollows(&g->relief, l, d, l == level, b.i0, b.j0, b.nx, b.ny, coarse, scratch->c);
        for (int k = 0; k < g->layers; k++) {
            if (l == (g->laid[k].level > level ? g->laid[k].level : level)) {
                status = tyi_terrain_lay(g, k, l, b, coarse, scratch, diag);
                if (status != TY_OK) {
                    return status;
                }
            }
        }
        double d_min = (l == level ? CRATER_MIN : CRATER_FULL) * d;
        double d_max = l == top ? (double)INFINITY : 2.0 * CRATER_FULL * d;
        if ((g->def.crater.on && d_min < g->def.crater.d_max) || g->def.crater.places) {
            add_craters(g, l, b, d_min, d_max, coarse, scratch->f);
        }
        if (l == level) {
            memcpy(out, coarse, (size_t)nx * (size_t)ny * sizeof *out);
            return TY_OK;
        }
        tyi_terrain_subdivide(coarse, b, fine, chain[l - 1], scratch->rows);
        double *swap = coarse;
        coarse = fine;
        fine = swap;
    }
}

void tyi_terrain_generate_micro(const tyi_terrain_generator *g, int level, int32_t i0, int32_t j0, int nx, int ny,
                                double *out, tyi_terrain_scratch *scratch)
{
    tyi_terrain_clods clods = { 0 };
    find_clods(g, level, (tyi_terrain_block){ i0, j0, nx, ny }, &clods);
    memset(out, 0, (size_t)nx * (size_t)ny * sizeof *out);
    tyi_terrain_relief_add_micro(&g->relief, level, ldexp(g->def.resolution, level), i0, j0, nx, ny, &clods, out,
                                 scratch->c);
}

/* The relief that is asked for is the roughness of the finished ground. Craters make part of it: in equilibrium
 * about what is measured on the Moon. So each level of the relief adds only what they leave, but never less than
 * RELIEF_LEAST of its power, since ground without any would be glassy between craters. Over a base the finished
 * ground shall also continue the base's spectrum: there craters that would make more than CRATER_MOST of the power
 * are thinned out. */
#define RELIEF_LEAST 0.25
#define CRATER_MOST  0.5

/* [-] the craters' power over that of a relief at diameter D [m] is D^exponent / ratio */
typedef struct balance {
    double ratio, exponent;
} balance;

/* Power of the craters over that of craters in full equilibrium with the depths of larger ones: in numbers, and in the
 * mean square of depth / diameter, .115^2 there and .2^2 / (1 + wear) for ages that are spread evenly. */
static double crater_power(const ty_crater_def *crater)
{
    return TY_K_CRATER_POWER * crater->density * (crater->wear > 0.0 ? 0.04 / (1.0 + crater->wear) / 0.0132 : 1.0);
}

static balance balance_of(const ty_relief_def *relief, const ty_crater_def *crater)
{
    double lag = relief->baseline, rise = tan(relief->rms_slope_deg * TY_DEG) * lag;
    double amplitude = rise * rise / ty_k_relief_structure(1.0, relief->hurst, lag);
    return (balance){ amplitude / crater_power(crater), 2.0 * relief->hurst - 2.0 };
}

static void share_power(const tyi_terrain_generator *g, tyi_terrain_relief *r, const ty_relief_def *law, bool over_base)
{
    balance b = balance_of(law, &g->def.crater);
    double most = over_base ? CRATER_MOST : 1.0 - RELIEF_LEAST;
    for (int l = 0; l < g->levels; l++) {
        double wave = 3.0 * ldexp(g->def.resolution, l); /* the middle of what level l adds */
        if (wave >= g->def.crater.d_min && wave < g->def.crater.d_max) {
            double full = ty_k_crater_held(wave, g->def.crater.age, g->def.crater.density) /
                          (g->def.crater.density * ty_k_crater_equilibrium(wave));
            r->sigma[l] *= sqrt(1.0 - fmin(most, full * pow(wave, -b.exponent) / b.ratio));
        }
    }
}

/* Relief with an end: what craters make of the slope that is asked for is known, and the noise makes the rest. */
static void meet_slope(tyi_terrain_generator *g, const ty_relief_def *law)
{
    double rise = tan(law->rms_slope_deg * TY_DEG) * law->baseline, all = rise * rise;
    double craters = g->def.crater.on ? tyi_terrain_craters_structure(&g->craters, law->baseline) : 0.0;
    tyi_terrain_relief_scale(&g->relief, g->def.resolution, g->levels, law->baseline,
                             fmax(all - craters, RELIEF_LEAST * all));
}

/* how much of the relief's strength level l adds: all of it below the base, above only what the base lacks */
static double gain(const double missing[TY_BASE_OCTAVES], double own, double spacing)
{
    double k = log2(spacing / own); /* octave of the table; 0: wavelengths of 2 to 4 base samples */
    if (k <= -1.0) {
        return 1.0;
    }
    double at = k + 1.0; /* -1 .. 3 become 0 .. 4 */
    int whole = (int)at;
    double power = 0.0;
    if (whole < TY_BASE_OCTAVES) {
        double low = whole == 0 ? 1.0 : missing[whole - 1];
        double high = missing[whole];
        power = low + (high - low) * (at - whole);
    }
    return sqrt(power);
}

/* finest level that reads a raster of this spacing directly */
static int level_of(const tyi_terrain_generator *g, double spacing)
{
    int level = 0;
    while (level < g->levels - 1 && ldexp(g->def.resolution, level) <= 0.5 * spacing) {
        level++;
    }
    return level;
}

/* takes in layer k: below its level its law holds everywhere; from there up what it lacks is kept for where it lies */
static void lay_down(tyi_terrain_generator *g, int k)
{
    const ty_terrain_layer *layer = &g->def.layer[k];
    tyi_terrain_laid *laid = &g->laid[g->layers++];
    ty_site middle = ty_site_make(layer->lat, layer->lon, g->def.radius);
    laid->level = laid->top = level_of(g, layer->spacing);
    laid->middle = ty_normalize(middle.W_in_M.p);
    laid->reach = layer->reach;
    ty_relief_def law = layer->relief;
    law.outer = INFINITY;
    law.inner = g->def.relief.inner;
    law.rms_slope_deg = g->def.detail ? law.rms_slope_deg : 0.0;
    tyi_terrain_relief_init(&laid->lacks, &law, g->def.seed, g->def.resolution, g->levels);
    if (g->def.crater.on && law.rms_slope_deg > 0.0) {
        share_power(g, &laid->lacks, &law, true);
    }
    for (int l = 0; l < g->levels; l++) {
        if (l < laid->level) {
            g->relief.sigma[l] = laid->lacks.sigma[l];
        }
        laid->lacks.sigma[l] *= gain(layer->missing, layer->spacing, ldexp(g->def.resolution, l));
        laid->top = laid->lacks.sigma[l] > 0.0 && l > laid->top ? l : laid->top;
    }
}

/* strength of the noise at the level nearest to a spacing, by a law [m] */
static double strength(const tyi_terrain_generator *g, const ty_relief_def *law, double spacing, double *d)
{
    ty_relief_def endless = *law;
    endless.outer = INFINITY;
    tyi_terrain_relief r;
    tyi_terrain_relief_init(&r, &endless, g->def.seed, g->def.resolution, g->levels);
    int l = (int)fmin(fmax(rint(log2(spacing / g->def.resolution)), 0.0), g->levels - 1);
    *d = ldexp(g->def.resolution, l);
    return fmax(r.sigma[l], 1e-12);
}

/* A law fitted at wavelengths of kilometres says little about centimetres: its exponent need be off by a tenth only.
 * So the relief goes through the strengths that the rasters have at their own spacings and the one that the ground
 * has at its baseline, by a power law between each two of them; below the last the ground's law holds. */
static void bridge(tyi_terrain_generator *g, const ty_relief_def *base)
{
    const ty_terrain_def *def = &g->def;
    double d[TY_TERRAIN_LAYERS + 2], sigma[TY_TERRAIN_LAYERS + 2], least = 1.5 * def->base.spacing;
    int n = 0;
    for (int k = -1; k <= def->layers; k++) {
        const ty_relief_def *law = k < 0 ? base : k < def->layers ? &def->layer[k].relief : &def->ground;
        double at = k < 0             ? def->base.spacing
                    : k < def->layers ? def->layer[k].spacing
                                      : fmin(def->ground.baseline, 0.5 * least);
        sigma[n] = strength(g, law, at, &d[n]);
        least = fmin(least, d[n]);
        n += n == 0 || d[n] < d[n - 1];
    }
    for (int l = 0; l < g->base_level; l++) {
        double at = ldexp(def->resolution, l);
        int k = 0;
        while (k + 2 < n && at < d[k + 1]) {
            k++;
        }
        double hurst = n > 1 ? log(sigma[k + 1] / sigma[k]) / log(d[k + 1] / d[k]) : base->hurst;
        hurst = at < d[n - 1] ? def->ground.hurst : hurst;
        k = at < d[n - 1] ? n - 1 : k;
        g->relief.sigma[l] = sigma[k] * pow(at / d[k], hurst);
        g->relief.sigma[l] *= base->inner > 0.0 ? ty_k_relief_taper(3.0 * at, base->inner) : 1.0;
    }
    if (def->crater.on) {
        tyi_terrain_relief all = g->relief; /* above the base nothing changes */
        share_power(g, &all, &def->ground, true);
        memcpy(g->relief.sigma, all.sigma, (size_t)g->base_level * sizeof *all.sigma);
    }
}

void tyi_terrain_generator_init(tyi_terrain_generator *g, const ty_terrain_def *def)
{
    *g = (tyi_terrain_generator){ .def = *def, .site = ty_site_make(def->lat, def->lon, def->radius) };
    bool over_base = def->base.spacing > 0.0, bare = over_base && !def->detail;
    /* the coarsest level has the longest wavelength of the relief, and at least 64 samples across the site */
    double coarsest = fmax(0.5 * def->relief.outer, def->extent / 64.0);
    if (over_base) {
        coarsest = fmax(def->extent / 64.0, def->base.spacing * exp2(TY_BASE_OCTAVES));
    }
    if (def->whole) { /* so coarse that few samples go round the Moon */
        coarsest = fmax(coarsest, def->radius / 16.0);
    }
    g->levels = 1;
    while (g->levels < TYI_TERRAIN_MAX_LEVELS && ldexp(def->resolution, g->levels) <= coarsest) {
        g->levels++;
    }
    ty_relief_def relief = def->relief;
    if (bare) { /* the base and nothing else */
        relief.rms_slope_deg = relief.micro_deg = relief.hollows_deg = 0.0;
        g->def.crater.on = false;
    }
    g->top_level = g->base_level = g->levels - 1;
    if (over_base) {
        relief.outer = INFINITY; /* the base holds what is longer */
        g->def.crater.d_max = fmin(def->crater.d_max, CRATER_IN_BASE * def->base.spacing);
        g->base_level = level_of(g, def->base.spacing);
    }
    tyi_terrain_relief_init(&g->relief, &relief, def->seed, def->resolution, g->levels);
    if (over_base) {
        g->top_level = g->base_level;
        for (int l = 0; l < g->levels; l++) {
            g->relief.sigma[l] *= gain(def->base.missing, def->base.spacing, ldexp(def->resolution, l));
            g->top_level = g->relief.sigma[l] > 0.0 && l > g->top_level ? l : g->top_level;
        }
    }
    g->craters.def = g->def.crater; /* those at given places, where none are generated */
    if (g->def.crater.on) {
        tyi_terrain_craters_init(&g->craters, &g->def.crater, def->seed);
        if (relief.rms_slope_deg > 0.0) {
            const ty_relief_def *finest = def->layers ? &def->layer[def->layers - 1].relief : &relief;
            finest = def->ground.rms_slope_deg > 0.0 ? &def->ground : finest;
            balance b = balance_of(finest, &g->def.crater);
            if (over_base && finest->rms_slope_deg > 0.0) {
                tyi_terrain_craters_thin(&g->craters, CRATER_MOST * b.ratio, b.exponent);
            }
            if (over_base || !(relief.inner > 0.0)) {
                share_power(g, &g->relief, &relief, over_base);
            }
        }
    }
    if (!over_base && relief.inner > 0.0) {
        meet_slope(g, &relief);
    }
    for (int k = 0; k < def->layers && over_base; k++) {
        lay_down(g, k);
        g->craters.keep = keep_crater;
        g->craters.user = g;
    }
    if (over_base && def->ground.rms_slope_deg > 0.0 && !bare) {
        bridge(g, &relief);
    }
}
