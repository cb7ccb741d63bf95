/* src/world/terrain/generate.c - see generate.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "generate.h"
#include <string.h>
#include "core.h"
#include "k_chart.h"
#include "k_crater.h"
#include "k_relief.h"
#include "subdivide.h"

/* A crater is drawn on every level that has at least CRATER_MIN samples across it. From CRATER_FULL samples
 * across on its shape is complete, and finer levels take it over by interpolation. */
#define CRATER_MIN  4.0
#define CRATER_FULL 64.0
/* craters of this many base samples across are in the base already */
#define CRATER_IN_BASE 3.0

/* the place on the sphere whose height stands at a point of the lattice, when that height is h */
static void place_below(const tyi_generator *g, double x, double y, double h, double *lat, double *lon)
{
    double R = g->def.radius, s2 = x * x + y * y, unused;
    ty_vec3 p = ty_vec3_make(x, y, ty_k_chart_flat_z(R, s2, h));
    if (s2 > TY_K_CHART_FLAT * R * TY_K_CHART_FLAT * R) {
        double s = sqrt(s2), c = ty_k_chart_angle(R, s, h);
        p = ty_vec3_make(R * sin(c) * x / s, R * sin(c) * y / s, R * (cos(c) - 1.0));
    }
    ty_site_geodetic(&g->site, p, lat, lon, &unused);
}

static ty_status add_base(const tyi_generator *g, int level, tyi_block b, double *h, ty_diag *diag)
{
    double d = ldexp(g->def.resolution, level);
    for (int j = 0; j < b.ny; j++) {
        double y = (b.j0 + j) * d, *row = h + (size_t)j * (size_t)b.nx;
        double lat[TYI_BLOCK], lon[TYI_BLOCK], height[TYI_BLOCK] = { 0 };
        /* the place below (x, y) depends on the height there: three rounds settle it to micrometres */
        for (int round = 0; round < 3 && g->def.base.spacing > 0.0; round++) {
            for (int i = 0; i < b.nx; i++) {
                place_below(g, (b.i0 + i) * d, y, height[i], &lat[i], &lon[i]);
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
            row[i] += ty_k_chart_z(g->def.radius, x * x + y * y, height[i]);
        }
    }
    return TY_OK;
}

static void add_craters(const tyi_generator *g, int level, tyi_block b, double d_min, double d_max, double *h, float *f)
{
    double d = ldexp(g->def.resolution, level);
    size_t n = (size_t)b.nx * (size_t)b.ny;
    memset(f, 0, n * sizeof *f);
    tyi_craters_add(&g->craters, d_min, d_max, b.i0 * d, b.j0 * d, d, b.nx, b.ny, b.nx, f);
    for (size_t k = 0; k < n; k++) {
        h[k] += (double)f[k];
    }
}

ty_status tyi_generate(const tyi_generator *g, int level, int32_t i0, int32_t j0, int nx, int ny, double *out,
                       tyi_scratch *scratch, ty_diag *diag)
{
    TY_ASSERT(nx <= TYI_BLOCK && ny <= TYI_BLOCK && level >= 0 && level < TYI_MAX_LEVELS);
    tyi_block chain[TYI_MAX_LEVELS];
    int top = g->top_level > level ? g->top_level : level;
    int base_at = g->base_level > level ? g->base_level : level;
    chain[level] = (tyi_block){ i0, j0, nx, ny };
    for (int l = level + 1; l <= top; l++) {
        chain[l] = tyi_block_parent(chain[l - 1]);
    }
    double *coarse = scratch->a, *fine = scratch->b;
    memset(coarse, 0, (size_t)chain[top].nx * (size_t)chain[top].ny * sizeof *coarse);
    for (int l = top;; l--) {
        tyi_block b = chain[l];
        double d = ldexp(g->def.resolution, l);
        if (l == base_at) {
            ty_status status = add_base(g, l, b, coarse, diag);
            if (status != TY_OK) {
                return status;
            }
        }
        tyi_relief_add(&g->relief, l, b.i0, b.j0, b.nx, b.ny, coarse);
        double d_min = (l == level ? CRATER_MIN : CRATER_FULL) * d;
        double d_max = l == top ? (double)INFINITY : 2.0 * CRATER_FULL * d;
        if (g->def.crater.on && d_min < g->def.crater.d_max) {
            add_craters(g, l, b, d_min, d_max, coarse, scratch->f);
        }
        if (l == level) {
            memcpy(out, coarse, (size_t)nx * (size_t)ny * sizeof *out);
            return TY_OK;
        }
        tyi_subdivide(coarse, b, fine, chain[l - 1], scratch->rows);
        double *swap = coarse;
        coarse = fine;
        fine = swap;
    }
}

/* The relief that is asked for is the roughness of the finished ground. Craters make part of it: in equilibrium about what
 * is measured on the Moon. So each level of the relief adds only what they leave, but never less than RELIEF_LEAST of its
 * power, since ground without any would be glassy between craters. Over a base the finished ground shall also continue the base's
 * spectrum: there craters that would make more than CRATER_MOST of the power are thinned out. */
#define RELIEF_LEAST 0.25
#define CRATER_MOST  0.5

static void share_power(tyi_generator *g, const ty_relief_def *relief, bool over_base)
{
    double lag = relief->baseline, rise = tan(relief->rms_slope_deg * TY_DEG) * lag;
    double amplitude = rise * rise / ty_k_relief_structure(1.0, relief->hurst, lag);
    double ratio = amplitude / TY_K_CRATER_POWER, exponent = 2.0 * relief->hurst - 2.0; /* power over craters' at D: ratio D^exponent */
    if (over_base) {
        tyi_craters_thin(&g->craters, CRATER_MOST * ratio, exponent);
    }
    double most = over_base ? CRATER_MOST : 1.0 - RELIEF_LEAST;
    for (int l = 0; l < g->levels; l++) {
        double wave = 3.0 * ldexp(g->def.resolution, l); /* the middle of what level l adds */
        if (wave >= g->def.crater.d_min && wave < g->def.crater.d_max) {
            double full = ty_k_crater_density(wave, g->def.crater.age) / ty_k_crater_equilibrium(wave);
            g->relief.sigma[l] *= sqrt(1.0 - fmin(most, full * pow(wave, -exponent) / ratio));
        }
    }
}

/* how much of the relief's strength level l adds: all of it below the base, above only what the base lacks */
static double gain(const ty_base *base, double spacing)
{
    double k = log2(spacing / base->spacing); /* octave of the table; 0: wavelengths of 2 to 4 base samples */
    if (k <= -1.0) {
        return 1.0;
    }
    double at = k + 1.0; /* -1 .. 3 become 0 .. 4 */
    int whole = (int)at;
    double power = 0.0;
    if (whole < TY_BASE_OCTAVES) {
        double low = whole == 0 ? 1.0 : base->missing[whole - 1];
        double high = base->missing[whole];
        power = low + (high - low) * (at - whole);
    }
    return sqrt(power);
}

void tyi_generator_init(tyi_generator *g, const ty_terrain_def *def)
{
    *g = (tyi_generator){ .def = *def, .site = ty_site_make(def->lat, def->lon, def->radius) };
    bool over_base = def->base.spacing > 0.0;
    /* the coarsest level has the longest wavelength of the relief, and at least 64 samples across the site */
    double coarsest = fmax(0.5 * def->relief.outer, def->extent / 64.0);
    if (over_base) {
        coarsest = fmax(def->extent / 64.0, def->base.spacing * exp2(TY_BASE_OCTAVES));
    }
    if (def->whole) { /* so coarse that few samples go round the Moon */
        coarsest = fmax(coarsest, def->radius / 16.0);
    }
    g->levels = 1;
    while (g->levels < TYI_MAX_LEVELS && ldexp(def->resolution, g->levels) <= coarsest) {
        g->levels++;
    }
    ty_relief_def relief = def->relief;
    g->top_level = g->base_level = g->levels - 1;
    if (over_base) {
        relief.outer = INFINITY; /* the base holds what is longer */
        g->def.crater.d_max = fmin(def->crater.d_max, CRATER_IN_BASE * def->base.spacing);
        g->base_level = 0;
        while (g->base_level < g->levels - 1 && ldexp(def->resolution, g->base_level) <= 0.5 * def->base.spacing) {
            g->base_level++;
        }
    }
    tyi_relief_init(&g->relief, &relief, def->seed, def->resolution, g->levels);
    if (over_base) {
        g->top_level = g->base_level;
        for (int l = 0; l < g->levels; l++) {
            g->relief.sigma[l] *= gain(&def->base, ldexp(def->resolution, l));
            g->top_level = g->relief.sigma[l] > 0.0 && l > g->top_level ? l : g->top_level;
        }
    }
    if (g->def.crater.on) {
        tyi_craters_init(&g->craters, &g->def.crater, def->seed);
        if (relief.rms_slope_deg > 0.0) {
            share_power(g, &relief, over_base);
        }
    }
}
