/* src/render/ground/ground.c - the ground as rings of tiles around the eye, each ring twice as coarse as
 * the one inside it.
 *
 * Rings stand on tiles of the next coarser ring, so that a tile is either wholly covered by a finer
 * ring or not at all. Towards its outer edge a ring's heights go over into those of the next ring,
 * and on the edge itself they lie on its straight cell edges: the surface has no gap and no step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "k_chart.h"
#include "k_shade.h"
#include "ground_ahead.h"
#include "ground_store.h"
#include "ground_supply.h"
#include "world/terrain/bed.h"
#include "world/terrain/terrain.h"
#include "world/terrain/tone.h"
#include "world/terrain/inner.h"

#define T       TYI_RENDER_TILE_CELLS
#define STRIDE  TYI_RENDER_TILE_STRIDE
#define SAMPLES ((size_t)STRIDE * STRIDE)
#define TONES   ((size_t)TYI_RENDER_TONES + (size_t)TYI_RENDER_GRAINS * TYI_RENDER_GRAINS)
#define BLEND   24 /* [cells] over which a ring goes over into the next */
#define COARSE  TYI_RENDER_COARSE

static size_t tiles_in(const tyi_render_ground *g)
{
    return (size_t)g->side * (size_t)g->side;
}

static size_t works_at_most(const tyi_render_ground *g)
{
    return tyi_render_ground_slots(g) + g->spares;
}

ty_status tyi_render_rings_init(tyi_render_ground *g, const ty_scene_def *def, ty_diag *diag)
{
    g->terrain = def->terrain;
    g->alloc = def->alloc;
    if (!g->terrain) {
        return TY_OK;
    }
    g->side = def->ring_cells / T;
    g->heights = tyi_get(def->alloc, sizeof *g->heights);
    if (!g->heights) {
        return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for the ground's tiles");
    }
    int level = ty_terrain_level(g->terrain, def->finest), levels = ty_terrain_levels(g->terrain);
    int most = def->rings > 0 ? def->rings : TYI_RENDER_MOST_RINGS;
    double reach = 0.0, far = ty_terrain_get_def(g->terrain)->whole ? TY_WHOLE_MOON : def->far;
    for (; level < levels && g->rings < most && g->rings < TYI_RENDER_MOST_RINGS && reach < far; level++) {
        tyi_render_ring *r = &g->ring[g->rings];
        r->level = level;
        r->d = ty_terrain_spacing(g->terrain, level);
        r->half = g->side / 2;
        ty_k_grain grain = ty_k_grain_make(r->d, def->ring_cells);
        r->grain_reach = (float)grain.reach, r->grain_first = grain.first;
        r->tile = tyi_get(def->alloc, tiles_in(g) * sizeof *r->tile);
        if (!r->tile) {
            return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for the ground's tiles");
        }
        g->rings++;
        reach = 0.5 * def->ring_cells * r->d;
    }
    double R = ty_terrain_site(g->terrain)->radius;
    g->closed = reach > 2.0 * TY_K_CHART_END * R;
    g->detail = def->detail_px;
    g->wait = def->wait;
    if (def->wait > 0.0) {
        g->supply = tyi_render_supply_start(g->terrain, 4 * tiles_in(g) + 256, def->alloc);
        if (!g->supply) {
            return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory, or no thread, for making ground beside the frames");
        }
    }
    g->version = ty_terrain_version(g->terrain);
    ty_status status = tyi_render_ahead_init(g, diag);
    if (status == TY_OK) {
        status = tyi_render_store_init(g, g->supply ? 0 : def->spare_tiles, diag);
    }
    g->work = tyi_get(def->alloc, works_at_most(g) * sizeof *g->work);
    g->work_ring = tyi_get(def->alloc, works_at_most(g) * sizeof *g->work_ring);
    return g->work && g->work_ring ? status : ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for the ground's tiles");
}

float tyi_render_grain_place(const tyi_render_ring *r, int32_t tile)
{
    return (float)ty_k_grain_place((double)tile * T, r->d);
}

void tyi_render_plot_free(const tyi_render_ground *g, tyi_render_plot *t)
{
    if (t->h) {
        tyi_render_heights_give(g->heights, t->slot);
    }
    tyi_put(g->alloc, t->natural, SAMPLES * sizeof(float));
    tyi_put(g->alloc, t->tone, TONES * sizeof(float));
    tyi_put(g->alloc, t->untrodden, t->untrodden ? TONES * sizeof(float) : 0);
    tyi_put(g->alloc, t->coarse, COARSE * COARSE * sizeof(float));
    tyi_render_shape_destroy(t->shape);
}

void tyi_render_rings_free(tyi_render_ground *g)
{
    const ty_alloc *alloc = g->alloc;
    tyi_render_supply_stop(g->supply);
    g->supply = NULL;
    for (int k = 0; k < g->rings; k++) {
        for (size_t i = 0; i < tiles_in(g); i++) {
            tyi_render_plot_free(g, &g->ring[k].tile[i]);
        }
        tyi_put(alloc, g->ring[k].tile, tiles_in(g) * sizeof(tyi_render_plot));
    }
    tyi_put(alloc, g->work, works_at_most(g) * sizeof *g->work);
    tyi_put(alloc, g->work_ring, works_at_most(g) * sizeof *g->work_ring);
    tyi_render_ahead_free(g);
    tyi_render_store_free(g);
    if (g->heights) {
        tyi_render_heights_free(g->heights, alloc, SAMPLES);
        tyi_put(alloc, g->heights, sizeof *g->heights);
    }
    g->heights = NULL;
    g->rings = 0;
}

/* [-] how much of the coarser ring's height a sample takes: 1 on its edge */
static double share(uint8_t edges, int i, int j)
{
    int away = BLEND; /* cells to the nearest edge */
    int to[4] = { i, T - i, j, T - j };
    for (int k = 0; k < 4; k++) {
        away = (edges >> k & 1) && to[k] < away ? to[k] : away;
    }
    double s = away > 0 ? 1.0 - (double)away / BLEND : 1.0;
    return s * s * (3.0 - 2.0 * s);
}

/* The coarser ring's surface at sample i, j of a tile, from c, whose first sample is two coarse
 * cells before the tile's: its spline, and on the edge the straight line between its samples. */
static double coarse_height(const float *c, uint8_t edges, int i, int j)
{
    int a = (i + 4) >> 1, b = (j + 4) >> 1;
    bool on_x = (edges & 1 && i == 0) || (edges & 2 && i == T), on_y = (edges & 4 && j == 0) || (edges & 8 && j == T);
    const float *p = c + b * COARSE + a;
    if (on_x && (j & 1)) {
        return 0.5 * ((double)p[0] + (double)p[COARSE]);
    }
    if (on_y && (i & 1)) {
        return 0.5 * ((double)p[0] + (double)p[1]);
    }
    return ty_k_cell(p - COARSE - 1, COARSE, 0.5 * (i & 1), 0.5 * (j & 1)).z;
}

static ty_status blend_edges(const tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *t, ty_diag *diag)
{
    float c[COARSE * COARSE];
    int32_t i0 = t->x * (T / 2) - 2, j0 = t->y * (T / 2) - 2;
    ty_status status = TY_OK;
    if (t->coarse) {
        memcpy(c, t->coarse, sizeof c);
        tyi_terrain_edits_add(&g->terrain->edits, r->level + 1, i0, j0, COARSE, COARSE, c);
    } else {
        status = ty_terrain_region(g->terrain, r->level + 1, i0, j0, COARSE, COARSE, t->z0, c, 1, diag);
    }
    for (int j = -1; j <= T + 1 && status == TY_OK; j++) {
        for (int i = -1; i <= T + 1; i++) {
            double s = share(t->edges, i, j);
            if (s > 0.0) {
                float *h = &t->h[(j + 1) * STRIDE + i + 1];
                *h = (float)((1.0 - s) * (double)*h + s * coarse_height(c, t->edges, i, j));
            }
        }
    }
    return status;
}

/* the ground before any edit, once for each place */
static ty_status generate_tile(const tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *t, ty_diag *diag)
{
    int32_t i0 = t->x * T, j0 = t->y * T;
    float middle = 0.0f;
    ty_status status =
        tyi_terrain_region(g->terrain, r->level, i0 + T / 2, j0 + T / 2, 1, 1, 0.0, false, &middle, 1, diag);
    t->z0 = (double)middle;
    if (status == TY_OK) {
        status =
            tyi_terrain_region(g->terrain, r->level, i0 - 1, j0 - 1, STRIDE, STRIDE, t->z0, false, t->natural, 1, diag);
    }
    t->known = status == TY_OK;
    return status;
}

/* the beds of ruts, where the ring is finer than they are kept */
static void press_bed(const tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *t)
{
    if (r->level < g->terrain->edits.level && ty_terrain_version(g->terrain)) {
        tyi_terrain_scratch *scratch = tyi_terrain_tiles_scratch(&g->terrain->cache);
        if (scratch) {
            tyi_terrain_press_bed(&g->terrain->generator, &g->terrain->edits, r->level, t->x * T - 1, t->y * T - 1,
                                  STRIDE, STRIDE, t->h, scratch);
        }
        tyi_terrain_tiles_scratch_back(&g->terrain->cache, scratch);
    }
}

/* whether there is room for the soil's brightness: always where it varies, else from the first track on */
static bool has_tone(const tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *t)
{
    if (!t->tone && tyi_terrain_tone_touched(g->terrain, r->level, t->x * T, t->y * T, T + 1, T + 1)) {
        t->tone = tyi_get(g->alloc, TONES * sizeof(float));
        t->toned = false;
    }
    return t->tone;
}

/* The soil's brightness without tracks. Where there were some before, it is kept: they come again with every edit. */
static void set_tone(const tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *t)
{
    const size_t bytes = TONES * sizeof *t->tone;
    bool here = t->tone_version > 0 && t->tone_level == r->level && t->tone_x == t->x && t->tone_y == t->y;
    if (t->toned && here) {
        return;
    }
    if (t->untrodden && here) {
        memcpy(t->tone, t->untrodden, bytes);
    } else {
        tyi_terrain_tone(g->terrain, r->level, t->x * T, t->y * T, T + 1, T + 1, t->tone);
        tyi_terrain_tone_grain(g->terrain, r->level, t->x * T, t->y * T, TYI_RENDER_GRAINS, t->tone + TYI_RENDER_TONES);
        tyi_put(g->alloc, t->untrodden, t->untrodden ? bytes : 0);
        t->untrodden = here ? tyi_get(g->alloc, bytes) : NULL;
        if (t->untrodden) {
            memcpy(t->untrodden, t->tone, bytes);
        }
    }
    t->toned = true, t->tone_level = r->level, t->tone_x = t->x, t->tone_y = t->y, t->tone_version++;
}

static void shape_tile(const tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *t)
{
    if (t->curved) {
        tyi_render_plot_bend(g, r, t);
    } else {
        tyi_render_shape_set_grid(t->shape, r->d, t->h + STRIDE + 1, STRIDE);
    }
    t->shaped = true;
}

static ty_status fill_tile(const tyi_render_ground *g, const tyi_render_ring *r, tyi_render_plot *t, ty_diag *diag)
{
    ty_status status = t->known ? TY_OK : generate_tile(g, r, t, diag);
    if (status == TY_OK) {
        memcpy(t->h, t->natural, SAMPLES * sizeof *t->h);
        tyi_terrain_edits_add(&g->terrain->edits, r->level, t->x * T - 1, t->y * T - 1, STRIDE, STRIDE, t->h);
        press_bed(g, r, t);
        status = t->edges ? blend_edges(g, r, t, diag) : TY_OK;
    }
    if (status == TY_OK) {
        if (has_tone(g, r, t)) {
            set_tone(g, r, t);
        }
        if (t->tone && tyi_terrain_tone_tracks(g->terrain, r->level, t->x * T, t->y * T, T + 1, T + 1, t->tone)) {
            t->toned = false, t->tone_version++; /* the next time anew, without these tracks */
        }
        tyi_render_plot_seat(g, r, t);
        t->shaped = false;
        if (!g->later) {
            shape_tile(g, r, t);
        }
        t->filled = t->fresh = true;
        t->version++;
    }
    return status;
}

static void fill_job(void *user, size_t k, int worker)
{
    (void)worker;
    tyi_render_ground *g = user;
    fill_tile(g, g->work_ring[k], g->work[k], NULL);
}

static void shape_job(void *user, size_t i, int worker)
{
    (void)worker;
    tyi_render_ground *g = user;
    tyi_render_plot *t;
    const tyi_render_ring *r = tyi_render_slot_tile(g, TYI_RENDER_SLOT_GROUND + (uint32_t)i, &t);
    if (t->wanted && t->filled && !t->shaped) {
        shape_tile(g, r, t);
    }
}

void tyi_render_ground_shapes(tyi_render_ground *g, int threads)
{
    if (g->owed) {
        tyi_tasks_for(threads, tyi_render_ground_slots(g), shape_job, g);
    }
}

/* a tile that an edit reaches must be filled anew; an edge's heights also depend on two samples of the next level
 * around it */
static void mark_tile(tyi_render_plot *t, const int32_t e[4])
{
    int32_t x = t->x * T, y = t->y * T, margin = t->edges ? 8 : 1;
    bool apart =
        x - margin >= e[0] + e[2] || x + T + margin < e[0] || y - margin >= e[1] + e[3] || y + T + margin < e[1];
    t->filled = t->filled && apart;
}

static void mark_edit(tyi_render_ground *g, const int32_t rect[4])
{
    int32_t all[TYI_RENDER_MOST_RINGS][4];
    for (int k = 0; k < g->rings; k++) {
        tyi_render_ring *r = &g->ring[k];
        int32_t *e = all[k];
        tyi_terrain_edits_spread(&g->terrain->edits, r->level, rect, e);
        for (size_t i = 0; i < tiles_in(g); i++) {
            mark_tile(&r->tile[i], e);
        }
        for (size_t i = 0; i < g->spares; i++) {
            tyi_render_spare *s = &g->spare[i];
            if (s->ring == r) {
                mark_tile(&s->plot, e);
                s->ring = s->plot.filled ? r : NULL;
            }
        }
    }
    tyi_render_store_mark(g, mark_tile, (const int32_t(*)[4])all);
}

static void take_edits(tyi_render_ground *g)
{
    uint64_t now = ty_terrain_version(g->terrain);
    int32_t rect[4];
    while (g->version < now) {
        g->version++;
        if (tyi_terrain_edit_rect(g->terrain, g->version, rect)) {
            mark_edit(g, rect);
        }
    }
}

void tyi_render_stand_at(const tyi_render_ground *g, const double at[2], tyi_render_stand *out)
{
    out->first = g->first;
    for (int k = 0; k < g->rings; k++) {
        double step = 2.0 * T * g->ring[k].d;
        out->c[k][0] = 2 * (int32_t)floor(at[0] / step + 0.5);
        out->c[k][1] = 2 * (int32_t)floor(at[1] / step + 0.5);
    }
}

uint8_t tyi_render_stand_edges(const tyi_render_ground *g, const tyi_render_stand *s, int k, int32_t x, int32_t y)
{
    int half = g->ring[k].half;
    if (k == g->rings - 1) {
        return 0;
    }
    unsigned west = x == s->c[k][0] - half, east = x == s->c[k][0] + half - 1, south = y == s->c[k][1] - half,
             north = y == s->c[k][1] + half - 1;
    return (uint8_t)(west | east << 1 | south << 2 | north << 3);
}

bool tyi_render_stand_wants(const tyi_render_ground *g, const tyi_render_stand *s, int k, int32_t x, int32_t y)
{
    const int32_t *in = s->c[k > s->first ? k - 1 : 0];
    int half = g->ring[k > s->first ? k - 1 : 0].half;
    bool covered =
        k > s->first && 2 * x >= in[0] - half && 2 * x < in[0] + half && 2 * y >= in[1] - half && 2 * y < in[1] + half;
    return k >= s->first && !covered && tyi_render_plot_exists(g, &g->ring[k], x, y);
}

bool tyi_render_plot_make(const tyi_render_ground *g, tyi_render_accel *accel, tyi_render_plot *t)
{
    if (!t->h) {
        t->h = tyi_render_heights_take(g->heights, g->alloc, SAMPLES, &t->slot)
                   ? tyi_render_heights_at(g->heights, t->slot, SAMPLES)
                   : NULL;
        t->natural = tyi_get(g->alloc, SAMPLES * sizeof(float));
        t->tone = tyi_terrain_tone_varies(g->terrain) ? tyi_get(g->alloc, TONES * sizeof(float)) : NULL;
        t->coarse = g->supply ? tyi_get(g->alloc, COARSE * COARSE * sizeof(float)) : NULL;
        t->shape = tyi_render_shape_grid(accel, T);
    }
    return t->h && t->natural && t->shape && (t->tone || !tyi_terrain_tone_varies(g->terrain)) &&
           (t->coarse || !g->supply);
}

/* keep: tiles that the ring loses are; which tiles of a ring are wanted, and which of them do not hold their heights yet */
static ty_status plan_ring(tyi_render_ground *g, tyi_render_accel *accel, bool keep, int k, ty_diag *diag)
{
    tyi_render_ring *r = &g->ring[k];
    int half = r->half;
    for (size_t i = 0; i < tiles_in(g) && 2 * half < g->side; i++) {
        r->tile[i].wanted = false; /* outside of it, too */
    }
    for (int32_t y = g->now.c[k][1] - half; y < g->now.c[k][1] + half; y++) {
        for (int32_t x = g->now.c[k][0] - half; x < g->now.c[k][0] + half; x++) {
            tyi_render_plot *t = tyi_render_ring_tile(g, r, x, y);
            uint8_t edges = tyi_render_stand_edges(g, &g->now, k, x, y);
            t->wanted = tyi_render_stand_wants(g, &g->now, k, x, y);
            bool right = t->filled && t->x == x && t->y == y && t->edges == edges;
            if (keep && t->filled && !right) {
                tyi_render_store_keep(g, r, t);
                t->wanted = tyi_render_stand_wants(g, &g->now, k, x, y);
            }
            if (!t->wanted || right || tyi_render_store_take(g, r, t, x, y, edges) ||
                tyi_render_ahead_take(g, r, t, x, y, edges)) {
                continue;
            }
            if (!tyi_render_plot_make(g, accel, t)) {
                return ty_fail(diag, TY_ERR_MEMORY, "scene: no memory for a tile of ground");
            }
            t->known = t->known && t->x == x && t->y == y;
            t->x = x, t->y = y, t->edges = edges;
            t->filled = false;
            g->work_ring[g->works] = r;
            g->work[g->works++] = t;
        }
    }
    return TY_OK;
}

#define LOW 1e-3 /* [-] of the Moon's radius: up to this height the ground below the eye is straight below in W */

/* where on the lattice the eye stands, how high, and which ring is the first that it can see */
static ty_status find_eye(tyi_render_ground *g, ty_vec3 eye, double at[2], ty_diag *diag)
{
    double R = ty_terrain_site(g->terrain)->radius, height, ground;
    tyi_terrain_below(g->terrain, eye, &at[0], &at[1], &height);
    if (fabs(eye.z) < LOW * R && hypot(eye.x, eye.y) < LOW * R * 100.0) {
        at[0] = eye.x, at[1] = eye.y;
    }
    int level = ty_terrain_level(g->terrain, fmax(1e-3 * fabs(height), g->ring[0].d));
    bool known = g->supply && tyi_render_rings_known(g, at[0], at[1], &ground);
    if (!g->supply) {
        ty_status status = ty_terrain_sample(g->terrain, level, 1, &at[0], &at[1], &ground, NULL, diag);
        if (status != TY_OK) {
            return status;
        }
        known = true;
    }
    g->above = known ? ty_norm(ty_sub(eye, tyi_terrain_point(g->terrain, at[0], at[1], ground))) : fabs(height);
    /* slopes of up to 45 deg: the nearest ground is not nearer than 0.7 of the height */
    double cell = g->detail * g->pixel * 0.7 * g->above;
    g->first = 0;
    while (g->first + 1 < g->rings && g->ring[g->first + 1].d <= cell) {
        g->first++;
    }
    return TY_OK;
}

/* A few tiles that only take an edit are filled sooner than other threads wake. */
static bool alone(const tyi_render_ground *g)
{
    bool known = g->works < TYI_RENDER_FEW;
    for (size_t k = 0; k < g->works && known; k++) {
        known = g->work[k]->known;
    }
    return known;
}

/* [-] of a tile: an eye that is elsewhere by more, and did not go there steadily, is taken for that of another sensor: the first one may come back. Less is how one on a rover
 * shakes */
#define APART 0.1

ty_status tyi_render_ground_update(tyi_render_ground *g, tyi_render_accel *accel, ty_vec3 eye, int threads,
                                   bool *changed, ty_diag *diag)
{
    if (!g->terrain) {
        return TY_OK;
    }
    take_edits(g);
    int first = g->first;
    double at[2];
    ty_status found = find_eye(g, eye, at, diag);
    if (found != TY_OK) {
        return found;
    }
    *changed = *changed || g->first != first;
    tyi_render_stand before = g->now;
    if (g->supply) {
        found = tyi_render_rings_follow(g, accel, at, changed, diag);
        if (found != TY_OK) {
            return found;
        }
        g->now.first = g->first;
    } else {
        tyi_render_stand_at(g, at, &g->now);
    }
    *changed = *changed || memcmp(&before, &g->now, sizeof before);
    g->works = 0;
    bool steady = tyi_render_ahead_steady(g, at);
    bool another = !steady && hypot(g->motion[0], g->motion[1]) > APART * T * g->ring[g->first].d;
    for (int k = 0; k < g->rings; k++) {
        ty_status status = plan_ring(g, accel, another, k, diag);
        if (status != TY_OK) {
            return status;
        }
    }
    *changed = *changed || g->works > 0;
    size_t needed = g->works;
    tyi_render_ahead_plan(g, accel, at, steady);
    tyi_tasks_for(alone(g) ? 1 : threads, g->works, fill_job, g);
    g->owed = g->owed || (g->later && g->works > 0);
    for (size_t k = 0; k < needed; k++) {
        if (!g->work[k]->filled) { /* once more, for its sentence */
            return fill_tile(g, g->work_ring[k], g->work[k], diag);
        }
    }
    return TY_OK;
}
