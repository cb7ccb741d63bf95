/* src/world/terrain/tone.c - see tone.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tone.h"
#include "core/core.h"
#include "k_bump.h"
#include "k_ground_tone.h"
#include "terrain.h"

#define OCTAVES 7
#define CELL    2.0   /* [m] of the narrowest */
#define KEY     0x7e3 /* numbers of its own */
#define SHOWN   4.0   /* [samples] across a crater whose halo is drawn */

bool tyi_terrain_tone_varies(const ty_terrain *terrain)
{
    const ty_tone_def *tone = &terrain->generator.def.tone;
    const ty_crater_def *crater = &terrain->generator.def.crater;
    return tone->field > 0.0 || (tone->halo > 0.0 && (crater->on || crater->places));
}

/* Adds the field: octaves of smooth noise, each as strong as k_ground_tone.h says, all together with the standard deviation
 * that is asked for. Where cells are much wider than samples it is computed at every eighth sample, counted from the
 * origin, with straight lines between. */
static void add_field(const tyi_terrain_generator *g, double d, int32_t i0, int32_t j0, int nx, int ny, float *out)
{
    double all = 0.0;
    for (int o = 0; o < OCTAVES; o++) {
        double w = ty_k_tone_weight(ldexp(CELL, o));
        all += w * w;
    }
    /* unit variance of one octave: see relief.c */
    double scale = g->def.tone.field / sqrt(all) * sqrt(3.0) * (231.0 / 181.0);
    for (int o = 0; o < OCTAVES; o++) {
        double cell = ldexp(CELL, o), strength = scale * ty_k_tone_weight(cell);
        uint32_t seed = g->relief.key + KEY + 131u * (uint32_t)o;
        int node = cell >= 64.0 * d ? 8 : 1;
        if (cell < 2.0 * d) {
            continue;
        }
        for (int j = 0; j < ny; j++) {
            int32_t y = j0 + j, b = y & ~(node - 1);
            double v = (double)(y - b) / node;
            double left = 0.0, right = 0.0;
            int32_t have = INT32_MIN;
            for (int i = 0; i < nx; i++) {
                int32_t x = i0 + i, a = x & ~(node - 1);
                if (a != have) {
                    double at[2][2] = { { 0 } };
                    for (int k = 0; k < 4; k++) {
                        int dx = k & 1, dy = k >> 1;
                        if ((dx && node == 1) || (dy && (node == 1 || v == 0.0))) {
                            continue;
                        }
                        at[dy][dx] = ty_k_noise2((a + dx * node) * d / cell, (b + dy * node) * d / cell, seed);
                    }
                    left = at[0][0] + v * (at[1][0] - at[0][0]);
                    right = at[0][1] + v * (at[1][1] - at[0][1]);
                    left = v == 0.0 ? at[0][0] : left;
                    right = v == 0.0 ? at[0][1] : right;
                    have = a;
                }
                double u = (double)(x - a) / node;
                out[(size_t)j * (size_t)nx + (size_t)i] +=
                    (float)(strength * (node == 1 ? left : left + u * (right - left)));
            }
        }
    }
}

static void add_halo(const tyi_terrain_crater_item *item, double strength, double d, int32_t i0, int32_t j0, int nx,
                     int ny, float *out)
{
    const ty_crater *c = &item->c;
    double r = 0.5 * c->diameter, reach = TY_K_TONE_REACH * r;
    int a = (int)fmax(ceil((c->x - reach) / d) - i0, 0.0), b = (int)fmin(floor((c->x + reach) / d) - i0, nx - 1);
    int e = (int)fmax(ceil((c->y - reach) / d) - j0, 0.0), f = (int)fmin(floor((c->y + reach) / d) - j0, ny - 1);
    for (int j = e; j <= f; j++) {
        for (int i = a; i <= b; i++) {
            double x = (i0 + i) * d - c->x, y = (j0 + j) * d - c->y, s = hypot(x, y) / r;
            double more = strength * ty_k_tone_halo(s, item->age) * ty_k_tone_rays(s, atan2(y, x), item->phase);
            out[(size_t)j * (size_t)nx + (size_t)i] *= (float)(1.0 + more);
        }
    }
}

void tyi_terrain_tone_grain(const ty_terrain *terrain, int level, int32_t i0, int32_t j0, int n, float *out)
{
    const tyi_terrain_generator *g = &terrain->generator;
    double d = 8.0 * ldexp(g->def.resolution, level);
    for (int k = 0; k < n * n; k++) {
        double x = (i0 / 8 + k % n) * d, y = (j0 / 8 + k / n) * d;
        out[k] = (float)fmin(tyi_terrain_relief_patch(&g->relief, x, y), 2.5);
    }
}

#define TRACKS_COARSEST 3 /* levels above the edits' own in which tracks still show: samples of some decimetres */

/* out NULL: only whether there are any */
static bool tracks(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int nx, int ny, float *out)
{
    int up = level - terrain->edits.level;
    uint8_t trace[(TY_TERRAIN_TILE + 1) << TRACKS_COARSEST], dust[(TY_TERRAIN_TILE + 1) << TRACKS_COARSEST];
    bool any = false;
    if (terrain->edits.tiles == 0 || up > TRACKS_COARSEST || nx > TY_TERRAIN_TILE + 1) {
        return false;
    }
    int32_t near[4];
    tyi_terrain_edits_spread(&terrain->edits, level, terrain->edits.journal.whole, near);
    if (near[0] >= i0 + nx || i0 >= near[0] + near[2] || near[1] >= j0 + ny || j0 >= near[1] + near[3]) {
        return false;
    }
    int step = up > 0 ? 1 << up : 1, down = up < 0 ? -up : 0;
    int32_t first = up > 0 ? i0 * step : i0 >> down;
    int count = up > 0 ? (nx - 1) * step + 1 : (int)(((i0 + nx - 1) >> down) - first) + 1;
    int32_t low = up > 0 ? j0 * step : j0 >> down;
    int rows = up > 0 ? (ny - 1) * step + 1 : (int)(((j0 + ny - 1) >> down) - low) + 1;
    if (!tyi_terrain_edits_marked(&terrain->edits, first, low, count, rows)) { /* most edits mark nothing */
        return false;
    }
    for (int j = 0; j < ny; j++) {
        int32_t row = up > 0 ? (j0 + j) * step : (j0 + j) >> down;
        tyi_terrain_edits_view(&terrain->edits, first, row, count, 1,
                               (tyi_terrain_edit_view){ .trace = trace, .material = dust });
        for (int i = 0; i < nx; i++) {
            int at = up > 0 ? i * step : (int)(((i0 + i) >> down) - first);
            any = any || trace[at] || dust[at];
            float *to = out ? &out[(size_t)j * (size_t)nx + (size_t)i] : NULL;
            if (dust[at] && to) {
                *to *= (float)ty_k_tone_dusted(dust[at] / 255.0);
            }
            if (trace[at] && to) {
                *to = -fabsf(*to);
            }
        }
        if (any && !out) {
            return true;
        }
    }
    return any;
}

bool tyi_terrain_tone_touched(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int nx, int ny)
{
    return tracks(terrain, level, i0, j0, nx, ny, NULL);
}

bool tyi_terrain_tone_tracks(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int nx, int ny, float *out)
{
    return tracks(terrain, level, i0, j0, nx, ny, out);
}

void tyi_terrain_tone(const ty_terrain *terrain, int level, int32_t i0, int32_t j0, int nx, int ny, float *out)
{
    const tyi_terrain_generator *g = &terrain->generator;
    double d = ldexp(g->def.resolution, level);
    for (int k = 0; k < nx * ny; k++) {
        out[k] = 1.0f;
    }
    if (g->def.tone.field > 0.0) {
        add_field(g, d, i0, j0, nx, ny, out);
    }
    for (size_t i = 0; i < g->def.crater.places && g->def.tone.halo > 0.0; i++) {
        /* freshness is (1 - age)^5, as of worn ones */
        tyi_terrain_crater_item item = { .c = g->def.crater.placed[i] };
        item.age = 1.0 - pow(item.c.freshness, 0.2);
        if (item.age < TY_K_TONE_LIFE && item.c.diameter >= SHOWN * d) {
            add_halo(&item, g->def.tone.halo, d, i0, j0, nx, ny, out);
        }
    }
    if (g->def.tone.halo > 0.0 && g->def.crater.on) {
        ty_rect rect = { i0 * d, j0 * d, (i0 + nx - 1) * d, (j0 + ny - 1) * d };
        double margin = 0.5 * TY_K_TONE_REACH;
        tyi_terrain_crater_walk w = tyi_terrain_craters_walk(&g->craters, rect, SHOWN * d, HUGE_VAL, margin);
        tyi_terrain_crater_item item;
        while (tyi_terrain_craters_next(&w, &item)) {
            double reach = margin * item.c.diameter;
            if (item.c.x + reach < rect.x0 || item.c.x - reach > rect.x1 || item.c.y + reach < rect.y0 ||
                item.c.y - reach > rect.y1) {
                continue;
            }
            tyi_terrain_crater_finish(&g->craters, &item);
            if (item.age < TY_K_TONE_LIFE && !(g->craters.keep && !g->craters.keep(g->craters.user, &item.c))) {
                add_halo(&item, g->def.tone.halo, d, i0, j0, nx, ny, out);
            }
        }
    }
    for (int k = 0; k < nx * ny; k++) {
        out[k] = fmaxf(out[k], 0.2f);
    }
}
