/* src/world/terrain/relief.c - see relief.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "relief.h"
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "k_bump.h"
#include "k_relief.h"
#include "k_spline.h"
#include "sizes.h"

/* The 4-point scheme turns a unit sample into a smooth hat of support -3..3; its values on a grid of 1/STEPS. */
#define DEPTH 5
#define STEPS (1 << DEPTH)
#define REACH (3 * STEPS)

static void basis(double hat[2 * REACH + 1])
{
    double coarse[2 * REACH + 1] = { 0 };
    int reach = 3; /* in samples of the present grid */
    coarse[reach] = 1.0;
    for (int d = 0; d < DEPTH; d++) {
        double fine[2 * REACH + 1] = { 0 };
        for (int k = -2 * reach; k <= 2 * reach; k++) {
            double v[4];
            for (int m = 0; m < 4; m++) {
                int i = (k >= 0 ? k / 2 : (k - 1) / 2) - 1 + m;
                v[m] = i < -reach || i > reach ? 0.0 : coarse[reach + i];
            }
            fine[2 * reach + k] = k % 2 ? ty_k_subdivide(v[0], v[1], v[2], v[3]) : v[1];
        }
        reach *= 2;
        memcpy(coarse, fine, sizeof coarse);
    }
    memcpy(hat, coarse, sizeof coarse);
}

/* Autocovariance along one axis, at a lag of whole steps, of unit noise interpolated along that axis, averaged
 * over the place in the cell. */
static double covariance_step(const double hat[2 * REACH + 1], int lag)
{
    double sum = 0.0;
    for (int k = -REACH; k + abs(lag) <= REACH; k++) {
        sum += hat[REACH + k] * hat[REACH + k + abs(lag)];
    }
    return sum / STEPS;
}

/* the same at any lag in samples */
static double covariance(const double hat[2 * REACH + 1], double lag)
{
    if (lag * STEPS >= 2.0 * REACH) {
        return 0.0;
    }
    int whole = (int)(lag * STEPS);
    double sum = 0.0;
    ty_real4 w = ty_k_spline_weights(lag * STEPS - whole);
    for (int m = 0; m < 4; m++) {
        sum += w[m] * covariance_step(hat, whole - 1 + m);
    }
    return sum;
}

double tyi_terrain_relief_structure(double hurst, double finest, double lag)
{
    double hat[2 * REACH + 1];
    basis(hat);
    double across = covariance(hat, 0.0); /* the other axis has lag 0 */
    double sum = 0.0;
    for (int l = 0;; l++) {
        double d = ldexp(finest, l), u = lag / d;
        /* at the finest level the samples themselves are compared: they are not interpolated */
        double part = l == 0 ? 1.0 : across * (across - covariance(hat, u));
        if (l > 0 && u < 1.0 / STEPS) { /* from here on the difference is slope times lag: a geometric series */
            return sum + 2.0 * pow(d, 2.0 * hurst) * part / (1.0 - exp2(2.0 * hurst - 2.0));
        }
        sum += 2.0 * pow(d, 2.0 * hurst) * part;
    }
}

#define WAVE 3.0 /* [samples] the middle of the wavelengths that a level adds */

/* mean square difference over a lag of noise with these strengths, as in tyi_terrain_relief_structure() */
static double differences(const double *sigma, double spacing0, int levels, double lag)
{
    double hat[2 * REACH + 1], sum = 0.0;
    basis(hat);
    double across = covariance(hat, 0.0);
    for (int l = 0; l < levels; l++) {
        double part = l == 0 ? 1.0 : across * (across - covariance(hat, lag / ldexp(spacing0, l)));
        sum += 2.0 * sigma[l] * sigma[l] * part;
    }
    return sum;
}

/* ---- the soil's own roughness ---- */

/* Crumbs and soft pits: H = 0.5, as undisturbed soil has from below a millimetre to a centimetre [helfenstein1999],
 * carried on to 30 cm, where craters take over. */
#define MICRO_HURST 0.5
#define MICRO_LONG  0.35 /* [m] longest wave */
#define MICRO_LAG   0.01
#define CRUMBS_MOST 0.025 /* [m] samples of levels whose crumbs stand up: they are twice as wide */
#define MICRO_WORD  64    /* added to the level: numbers of its own */

/* Soft hummocks and hollows between the crumbs and the craters: one bump in each cell of a level's spacing, at a random place
 * in it, so that no rows are seen from above; strength by photographs at eye height, docs/terrain.md. */
#define HOLLOWS_HURST  0.85
#define HOLLOWS_LEAST  0.03 /* [m] cells of the finest level; bumps are nearly three times as wide */
#define HOLLOWS_MOST   0.5
#define HOLLOWS_LAG    0.1
#define HUMMOCKS_MOST  0.06 /* [m] cells of levels that stand up */
#define PITS_MOST      0.12 /* [m] of those that lie deep; wider ones are even */
#define HOLLOWS_PATCHY 0.5  /* [-] of the crumbs' patchiness */
#define HOLLOWS_WORD   128  /* added to the level: numbers of its own */

/* so that the mean square difference over a lag [m] is `want` [m2] */
static void scale_to(double *sigma, double spacing0, int levels, double lag, double want)
{
    double got = differences(sigma, spacing0, levels, lag);
    for (int l = 0; l < levels && got > 0.0; l++) {
        sigma[l] *= sqrt(want / got);
    }
}

/* Autocorrelation at a lag [cells] of bumps at random places: that of one bump, for they do not know of each other. */
static double bumps_alike(double lag)
{
    enum { PARTS = 64 };
    double all = 0.0, apart = 0.0;
    for (int k = 0; k < PARTS * PARTS; k++) {
        double x = (2 * (k % PARTS) + 1) / (double)PARTS - 1.0, y = (2 * (k / PARTS) + 1) / (double)PARTS - 1.0;
        double far = x + lag / TY_K_RELIEF_BUMP_REACH, h = ty_k_relief_bump(x * x + y * y);
        all += h * h;
        apart += h * ty_k_relief_bump(far * far + y * y);
    }
    return apart / all;
}

static void add_hollows(tyi_terrain_relief *relief, const ty_relief_def *def, double spacing0, int levels)
{
    double rise = tan(def->hollows_deg * TY_DEG) * HOLLOWS_LAG, got = 0.0;
    for (int l = 0; l < levels; l++) {
        double d = ldexp(spacing0, l);
        relief->hollow[l] = d > HOLLOWS_LEAST && d <= HOLLOWS_MOST ? pow(d, HOLLOWS_HURST) : 0.0;
        if (relief->hollow[l] > 0.0) {
            got += 2.0 * relief->hollow[l] * relief->hollow[l] * (1.0 - bumps_alike(HOLLOWS_LAG / d));
        }
    }
    for (int l = 0; l < levels && got > 0.0; l++) {
        relief->hollow[l] *= rise / sqrt(got);
    }
}

static void init_micro(tyi_terrain_relief *relief, const ty_relief_def *def, double spacing0, int levels)
{
    relief->patchy = def->patchy;
    relief->crumbs = def->crumbs;
    double longest = def->hollows_deg > 0.0 ? 2.0 * HOLLOWS_LEAST : MICRO_LONG;
    for (int l = 0; l < levels && def->micro_deg > 0.0 && 2.0 * ldexp(spacing0, l) <= longest; l++) {
        relief->micro[l] = pow(ldexp(spacing0, l), MICRO_HURST);
    }
    /* a lag longer than 1 cm, where samples are so far apart, has a slope that falls with the exponent */
    double lag = fmax(MICRO_LAG, spacing0), rise = tan(def->micro_deg * TY_DEG) * MICRO_LAG;
    double want = rise * rise * pow(lag / MICRO_LAG, 2.0 * MICRO_HURST);
    scale_to(relief->micro, spacing0, levels, lag, want);
    if (def->hollows_deg > 0.0) {
        add_hollows(relief, def, spacing0, levels);
    }
}

void tyi_terrain_relief_init(tyi_terrain_relief *relief, const ty_relief_def *def, uint64_t seed, double spacing0,
                             int levels)
{
    TY_ASSERT(levels <= TYI_TERRAIN_MAX_LEVELS);
    *relief = (tyi_terrain_relief){ .key = tyi_terrain_seed_key(seed) };
    init_micro(relief, def, spacing0, levels);
    double want = tan(def->rms_slope_deg * TY_DEG) * def->baseline; /* [m] standard deviation of the difference */
    if (want <= 0.0) {
        return;
    }
    double unit = sqrt(tyi_terrain_relief_structure(def->hurst, spacing0, def->baseline));
    for (int l = 0; l < levels && 2.0 * ldexp(spacing0, l) <= def->outer; l++) {
        relief->sigma[l] = want / unit * pow(ldexp(spacing0, l), def->hurst);
        if (4.0 * ldexp(spacing0, l) > def->outer) {
            /* the longest waves stand in for all that are longer: within the site those are slopes */
            relief->sigma[l] /= sqrt(1.0 - exp2(2.0 * def->hurst - 2.0));
        }
        if (def->inner > 0.0) {
            double taper = ty_k_relief_taper(WAVE * ldexp(spacing0, l), def->inner);
            relief->sigma[l] *= taper > 1e-6 ? taper : 0.0;
        }
    }
}

void tyi_terrain_relief_scale(tyi_terrain_relief *relief, double spacing0, int levels, double lag, double want)
{
    scale_to(relief->sigma, spacing0, levels, lag, want);
}

static void add_noise(float sigma, float (*unit)(ty_u32), uint32_t key, int level, int32_t i0, int32_t j0, int nx,
                      int ny, double *h)
{
    for (int j = 0; j < ny; j++) {
        double *row = h + (size_t)j * (size_t)nx;
        for (int32_t block = i0 >> 2; block <= (i0 + nx - 1) >> 2; block++) {
            ty_k_u32x4 bits = ty_k_relief_bits(block, j0 + j, level, key);
            for (int k = 0; k < 4; k++) {
                int i = block * 4 + k - i0;
                if (i >= 0 && i < nx) {
                    row[i] += (double)(sigma * unit(bits.v[k]));
                }
            }
        }
    }
}

void tyi_terrain_relief_add(const tyi_terrain_relief *relief, int level, int32_t i0, int32_t j0, int nx, int ny,
                            double *h)
{
    float sigma = (float)relief->sigma[level];
    if (sigma > 0.0f) {
        add_noise(sigma, ty_k_relief_unit, relief->key, level, i0, j0, nx, ny, h);
    }
}

/* Patches of 0.25 to 4 m: five octaves of smooth noise, alike in strength, with unit variance in all. A lattice number
 * joined by the quintic has the variance (1/3) (181/231)^2 in the plane: the mean of w^2 + (1 - w)^2 along an axis, squared. */
#define PATCH_NODE 8 /* samples between the places where it is computed */
static double patch(const tyi_terrain_relief *relief, double patchy, double x, double y)
{
    if (!(patchy > 0.0)) {
        return 1.0;
    }
    double sum = 0.0;
    for (int o = 0; o < 5; o++) {
        double cell = ldexp(0.25, o);
        sum += ty_k_noise2(x / cell, y / cell, relief->key + 977u * (uint32_t)(o + 1));
    }
    return ty_k_relief_patch(sum / sqrt(5.0 / 3.0) * (231.0 / 181.0), patchy);
}

double tyi_terrain_relief_patch(const tyi_terrain_relief *relief, double x, double y)
{
    return patch(relief, relief->patchy, x, y);
}

/* [-] how much rougher the soil is in and around new craters */
static double clods_at(const tyi_terrain_clods *clods, double x, double y)
{
    double most = 0.0;
    for (int k = 0; k < clods->count; k++) {
        double s = hypot(x - clods->at[k].x, y - clods->at[k].y) / clods->at[k].r;
        most = fmax(most, ty_k_relief_clods(s, clods->at[k].freshness));
    }
    return 1.0 + most;
}

/* h += noise times strength: the strength at every eighth sample, counted from the origin, and straight lines between;
 * clods NULL: hummocks and hollows, which are less patchy, and alike in new craters and elsewhere */
static void add_patchy(const tyi_terrain_relief *relief, double spacing, int32_t i0, int32_t j0, int nx, int ny,
                       const tyi_terrain_clods *clods, const double *noise, double *h)
{
    enum { MOST = 20 };
    int32_t a = i0 >> 3, b = j0 >> 3;
    int m = (int)(((i0 + nx - 1) >> 3) - a) + 2, n = (int)(((j0 + ny - 1) >> 3) - b) + 2;
    double node[MOST][MOST];
    TY_ASSERT(m <= MOST && n <= MOST);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            double x = (double)(a + i) * PATCH_NODE * spacing, y = (double)(b + j) * PATCH_NODE * spacing;
            node[j][i] = clods ? patch(relief, relief->patchy, x, y) * clods_at(clods, x, y)
                               : patch(relief, HOLLOWS_PATCHY * relief->patchy, x, y);
        }
    }
    for (int j = 0; j < ny; j++) {
        int r = (int)(((j0 + j) >> 3) - b);
        double v = ((j0 + j) & (PATCH_NODE - 1)) / (double)PATCH_NODE;
        for (int i = 0; i < nx; i++) {
            int c = (int)(((i0 + i) >> 3) - a);
            double u = ((i0 + i) & (PATCH_NODE - 1)) / (double)PATCH_NODE;
            double low = node[r][c] + u * (node[r][c + 1] - node[r][c]);
            double high = node[r + 1][c] + u * (node[r + 1][c + 1] - node[r + 1][c]);
            size_t k = (size_t)j * (size_t)nx + (size_t)i;
            h[k] += noise[k] * (low + v * (high - low));
        }
    }
}

void tyi_terrain_relief_add_micro(const tyi_terrain_relief *relief, int level, double spacing, int32_t i0, int32_t j0,
                                  int nx, int ny, const tyi_terrain_clods *clods, double *h, double *scratch)
{
    if (relief->micro[level] <= 0.0) {
        return;
    }
    memset(scratch, 0, (size_t)nx * (size_t)ny * sizeof *scratch);
    /* larger ones than crumbs are pits */
    float sign = relief->crumbs && spacing > CRUMBS_MOST ? -1.0f : 1.0f;
    add_noise(sign * (float)relief->micro[level], relief->crumbs ? ty_k_relief_crumb : ty_k_relief_unit, relief->key,
              level + MICRO_WORD, i0, j0, nx, ny, scratch);
    add_patchy(relief, spacing, i0, j0, nx, ny, clods, scratch, h);
}

/* Samples of an axis that a bump covers, of n: [*first, *end), counted from its cell, which begins `from` samples after the
 * first of the block; the bump lies `in` samples inside it. */
static void bump_range(int from, float in, float reach, int n, int *first, int *end)
{
    int a = (int)ceilf(in - reach), b = (int)floorf(in + reach);
    *first = a > -from ? a : -from;
    *end = (b < n - 1 - from ? b : n - 1 - from) + 1;
}

/* Cells of one sample cannot show their bumps: these are wider there, with the same volume, so that no lattice is seen. */
#define BUMP_LEAST 1.7f /* [samples] reach */

/* The bumps of one level, in cells of 1 or 2 samples. Places are counted from cells, so that bits know nothing of the block. */
static void add_bumps(float sigma, float (*unit)(ty_u32), uint32_t key, int level, int samples, int32_t i0, int32_t j0,
                      int nx, int ny, double *h)
{
    int shift = samples - 1, margin = 2; /* cells: more than a bump's reach */
    float side = (float)samples, reach = (float)TY_K_RELIEF_BUMP_REACH * side;
    if (reach < BUMP_LEAST) {
        sigma *= reach * reach / (BUMP_LEAST * BUMP_LEAST);
        reach = BUMP_LEAST;
    }
    float per = 1.0f / reach;
    for (int32_t y = (j0 >> shift) - margin; y <= ((j0 + ny - 1) >> shift) + margin; y++) {
        for (int32_t x = (i0 >> shift) - margin; x <= ((i0 + nx - 1) >> shift) + margin; x++) {
            ty_k_u32x4 bits = ty_k_relief_bits(x, y, level + HOLLOWS_WORD, key);
            float cx = side * (float)ty_k_uniform(bits.v[0]), cy = side * (float)ty_k_uniform(bits.v[1]);
            float a = sigma * unit(bits.v[2]);
            int i, j, m, n, i_from = x * samples - i0, j_from = y * samples - j0;
            bump_range(i_from, cx, reach, nx, &i, &m);
            bump_range(j_from, cy, reach, ny, &j, &n);
            for (int v = j; v < n; v++) {
                float dy = ((float)v - cy) * per;
                double *row = h + (ptrdiff_t)(j_from + v) * nx + i_from;
                for (int u = i; u < m; u++) {
                    float dx = ((float)u - cx) * per;
                    row[u] += (double)(a * (float)ty_k_relief_bump((double)(dx * dx + dy * dy)));
                }
            }
        }
    }
}

void tyi_terrain_relief_add_hollows(const tyi_terrain_relief *relief, int level, double spacing, bool last, int32_t i0,
                                    int32_t j0, int nx, int ny, double *h, double *scratch)
{
    bool any = false;
    for (int l = level; l <= level + 1 && l < TYI_TERRAIN_MAX_LEVELS; l++) {
        if (!(relief->hollow[l] > 0.0) || (l == level && !last)) {
            continue;
        }
        if (!any) {
            memset(scratch, 0, (size_t)nx * (size_t)ny * sizeof *scratch);
            any = true;
        }
        double cell = ldexp(spacing, l - level), sign = cell > HUMMOCKS_MOST && cell <= PITS_MOST ? -1.0 : 1.0;
        add_bumps((float)(sign * TY_K_RELIEF_BUMP_UNIT * relief->hollow[l]),
                  cell <= PITS_MOST ? ty_k_relief_hummock : ty_k_relief_unit, relief->key, l, 1 + l - level, i0, j0, nx,
                  ny, scratch);
    }
    if (any) {
        add_patchy(relief, spacing, i0, j0, nx, ny, NULL, scratch, h);
    }
}
