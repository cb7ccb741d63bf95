/* src/world/terrain/rock.c - which rocks there are.
 *
 * Most rocks lie anywhere ("single"); a quarter of each octave are fragments that lie at a single
 * rock four times as large. Of kinds of ground a tenth are pieces that stick in a rock about twice as
 * large: together they are blocks with notches and steps, each convex by itself. Around fresh craters there are more of both: a cell draws as many as
 * its densest place would have, and each stays with the probability its own place gives it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "core/core.h"
#include "k_rock.h"
#include "rock.h"

#define FRAGMENTS      0.25  /* share of an octave that lies at larger rocks */
#define FRAGMENTS_MOST 3.0   /* [-] mean number at one rock */
#define PIECES         0.1   /* share of an octave that sticks in rocks an octave larger */
#define PIECES_MOST    0.5   /* [-] mean number in one rock */
#define PIECES_REACH   4.0   /* [m / 2^k] farthest a piece lies from its rock's middle */
#define UP             2     /* octaves from a fragment to its rock */
#define REACH          21.0  /* [m / 2^k] farthest a fragment lies from its rock, place_fragment() */
#define BLOCK          8     /* cells along the side of a block that shares its list of craters */
#define CRATER_RATIO   10.0  /* a crater moves rocks up to a tenth of its diameter */
#define ALONE          0.3   /* share of rocks that lie away from craters, where these can take the others, */
#define ALONE_BLOCKS   0.08  /* and of those from half a metre */
#define MEAN_MOST      400.0 /* [-] rocks in a cell: what tyi_terrain_poisson() can do */

/* craters that matter somewhere in a rectangle */
typedef struct near_crater {
    double x, y, r, strength; /* [m] [m] [m] [-] */
} near_crater;
typedef struct near_list {
    int count;
    bool full; /* there may be more */
    near_crater at[192];
} near_list;

typedef struct query {
    const tyi_terrain_rocks *f;
    ty_rect rect;
    double d_min, d_max;
    ty_rock *out;
    size_t capacity, total;
} query;

/* a single rock, whether or not it is asked for itself */
typedef struct single {
    int32_t cx, cy;
    uint32_t i;
    double x, y, d;
} single;

/* rocks per area and per diameter [1/m3] */
static double number(const ty_rock_def *def, double d)
{
    return def->exponent > 0.0 ? ty_k_rock_power_number(d, def->cover, def->exponent) : ty_k_rock_number(d, def->cover);
}

/* number above each node, summed from the largest rocks down; Simpson's rule between nodes */
static void fill_octaves(tyi_terrain_rocks *f)
{
    double n = 0.0;
    for (int k = TYI_TERRAIN_ROCK_OCTAVES - 1; k >= 0; k--) {
        f->octave[k].n[TYI_TERRAIN_NODES] = n;
        for (int j = TYI_TERRAIN_NODES - 1; j >= 0; j--) {
            double a = exp2(TYI_TERRAIN_ROCK_K0 + k + (double)j / TYI_TERRAIN_NODES);
            double b = exp2(TYI_TERRAIN_ROCK_K0 + k + (double)(j + 1) / TYI_TERRAIN_NODES);
            n += (b - a) / 6.0 * (number(&f->def, a) + 4.0 * number(&f->def, 0.5 * (a + b)) + number(&f->def, b));
            f->octave[k].n[j] = n;
        }
    }
    for (int k = TYI_TERRAIN_ROCK_OCTAVES - 1; k >= 0; k--) {
        double all = tyi_terrain_octave_number(&f->octave[k]);
        double above = k + UP < TYI_TERRAIN_ROCK_OCTAVES ? f->single[k + UP] : 0.0;
        f->fragments[k] = above > 1e-30 ? fmin(FRAGMENTS * all / above, FRAGMENTS_MOST) : 0.0;
        f->single[k] = all - f->fragments[k] * above;
        if (f->def.old > 0.0 && k + 1 < TYI_TERRAIN_ROCK_OCTAVES && f->single[k + 1] > 1e-30) {
            f->pieces[k] = fmin(PIECES * all / f->single[k + 1], PIECES_MOST);
            f->single[k] -= f->pieces[k] * f->single[k + 1];
        }
    }
}

/* Where rocks follow the power law, craters take rocks from the plain: most lie at fresh craters, as far as crater_boost
 * allows, and the mean over large ground stays the law. Blocks above half a metre come out of craters that reach below the
 * soil; few are left of craters that are gone. Ours: ALONE is asked for by counts of rocks in and beside deep craters. */
static void share_out(tyi_terrain_rocks *f)
{
    for (int i = 0; i < TYI_TERRAIN_ROCK_OCTAVES; i++) {
        f->alone[i] = 1.0;
        f->gain[i] = f->def.crater_boost - 1.0;
        if (!f->craters || !(f->def.exponent > 0.0)) {
            continue;
        }
        double from = CRATER_RATIO * ldexp(1.0, i + TYI_TERRAIN_ROCK_K0 + 1), mean = 0.0;
        for (double d = from, next; d < f->craters->def.d_max; d = next) {
            next = d * exp2(1.0 / TYI_TERRAIN_NODES);
            mean += (tyi_terrain_craters_density(f->craters, d) - tyi_terrain_craters_density(f->craters, next)) *
                    ty_k_rock_crater_mean(sqrt(d * next));
        }
        bool block = ldexp(1.0, i + TYI_TERRAIN_ROCK_K0) >= 0.5;
        double away = block ? ALONE_BLOCKS : ALONE;
        f->gain[i] = fmin(f->gain[i], mean > 0.0 ? (1.0 - away) / mean : 0.0);
        f->alone[i] = block ? away : 1.0 - f->gain[i] * mean;
    }
}

ty_status tyi_terrain_rocks_init(tyi_terrain_rocks *f, const ty_rock_def *def, const tyi_terrain_craters *craters,
                                 uint64_t seed, const ty_alloc *alloc, ty_diag *diag)
{
    memset(f, 0, sizeof *f);
    tyi_terrain_rock_library *library = tyi_get(alloc, sizeof *library);
    if (!library) {
        return ty_fail(diag, TY_ERR_MEMORY, "No memory for the shapes of rocks (%zu bytes).", sizeof *library);
    }
    f->def = *def;
    f->def.on = def->on && def->cover > 0.0;
    f->def.d_min = fmax(def->d_min, ldexp(1.0, TYI_TERRAIN_ROCK_K0));
    f->def.d_max = fmin(def->d_max, ldexp(1.0, TYI_TERRAIN_ROCK_K0 + TYI_TERRAIN_ROCK_OCTAVES));
    f->craters = def->crater_boost > 1.0 ? craters : NULL;
    f->key = tyi_terrain_seed_key(seed);
    f->alloc = alloc;
    f->library = library;
    if (f->def.on) {
        fill_octaves(f);
    }
    share_out(f);
    tyi_terrain_rock_library_make(library, f->key, def->old > 0.0);
    f->placed = def->places ? tyi_get(alloc, def->places * sizeof *f->placed) : NULL;
    if (def->places && !f->placed) {
        tyi_terrain_rocks_free(f);
        return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for %zu rocks at given places", def->places);
    }
    for (size_t i = 0; i < def->places; i++) {
        f->placed[i] = tyi_terrain_rocks_finished(f, def->placed[i]);
        f->largest = fmax(f->largest, nextafter(def->placed[i].diameter, HUGE_VAL));
    }
    return TY_OK;
}

void tyi_terrain_rocks_free(tyi_terrain_rocks *f)
{
    tyi_put(f->alloc, f->library, sizeof *f->library);
    tyi_put(f->alloc, f->placed, f->placed ? f->def.places * sizeof *f->placed : 0);
    f->library = NULL;
    f->placed = NULL;
}

const ty_rock_shape *tyi_terrain_rocks_shape(const tyi_terrain_rocks *f, uint32_t shape)
{
    return shape < TY_ROCK_SHAPES ? &f->library->shape[shape] : NULL;
}

/* number above d per area, not cut: the table with a power law between its nodes */
static double number_above(const tyi_terrain_rocks *f, double d)
{
    double at = (log2(d) - TYI_TERRAIN_ROCK_K0) * TYI_TERRAIN_NODES;
    at = fmin(fmax(at, 0.0), (double)TYI_TERRAIN_ROCK_OCTAVES * TYI_TERRAIN_NODES);
    int i = (int)fmin(at, (double)TYI_TERRAIN_ROCK_OCTAVES * TYI_TERRAIN_NODES - 1.0);
    const double *n = &f->octave[i / TYI_TERRAIN_NODES].n[i % TYI_TERRAIN_NODES];
    return n[1] > 0.0 ? n[0] * pow(n[1] / n[0], at - i) : n[0] * (1.0 - (at - i));
}

double tyi_terrain_rocks_density(const tyi_terrain_rocks *f, double d)
{
    if (!f->def.on || d >= f->def.d_max || f->def.d_min >= f->def.d_max) {
        return 0.0;
    }
    return number_above(f, fmax(d, f->def.d_min)) - number_above(f, f->def.d_max);
}

/* the craters that change the density of octave k's rocks in the rectangle */
static void find_craters(const tyi_terrain_rocks *f, int k, ty_rect rect, near_list *list)
{
    list->count = 0;
    list->full = false;
    if (!f->craters) {
        return;
    }
    double reach = 0.5 * TY_K_ROCK_CRATER_REACH;
    tyi_terrain_crater_walk w =
        tyi_terrain_craters_walk(f->craters, rect, CRATER_RATIO * ldexp(1.0, k + 1), HUGE_VAL, reach);
    tyi_terrain_crater_item item;
    while (tyi_terrain_craters_next(&w, &item)) {
        const ty_crater *c = &item.c;
        double r = reach * c->diameter;
        if (c->x + r < rect.x0 || c->x - r > rect.x1 || c->y + r < rect.y0 || c->y - r > rect.y1) {
            continue;
        }
        tyi_terrain_crater_finish(f->craters, &item);
        double strength = f->def.exponent > 0.0 ? ty_k_rock_crater_stones(c->freshness, c->diameter)
                                                : ty_k_rock_crater_strength(c->freshness, c->diameter);
        if (strength <= 0.0) {
            continue;
        }
        if (list->count == (int)(sizeof list->at / sizeof list->at[0])) {
            list->full = true;
            return;
        }
        list->at[list->count++] = (near_crater){ c->x, c->y, 0.5 * c->diameter, strength };
    }
}

/* what a crater does at s radii from its middle, of the most it does */
static double field(const tyi_terrain_rocks *f, double s)
{
    return f->def.exponent > 0.0 ? ty_k_rock_crater_field(s) : ty_k_rock_crater(s);
}

/* the largest effect of any crater at a place: the order of the list does not matter */
static double boost_at(const tyi_terrain_rocks *f, int k, const near_list *list, double x, double y)
{
    double most = 0.0;
    for (int i = 0; i < list->count; i++) {
        const near_crater *c = &list->at[i];
        most = fmax(most, c->strength * field(f, hypot(x - c->x, y - c->y) / c->r));
    }
    return f->alone[k - TYI_TERRAIN_ROCK_K0] + f->gain[k - TYI_TERRAIN_ROCK_K0] * most;
}

/* not less than boost_at() anywhere in the rectangle: it rises to the crest and falls beyond */
static double boost_most(const tyi_terrain_rocks *f, int k, const near_list *list, ty_rect rect)
{
    double most = 0.0;
    for (int i = 0; i < list->count; i++) {
        const near_crater *c = &list->at[i];
        double nx = fmax(fmax(rect.x0 - c->x, c->x - rect.x1), 0.0);
        double ny = fmax(fmax(rect.y0 - c->y, c->y - rect.y1), 0.0);
        double fx = fmax(c->x - rect.x0, rect.x1 - c->x), fy = fmax(c->y - rect.y0, rect.y1 - c->y);
        double nearest = hypot(nx, ny) / c->r, farthest = hypot(fx, fy) / c->r;
        double s = nearest > 1.0 ? nearest : (farthest < 1.0 ? farthest : 1.0);
        most = fmax(most, c->strength * field(f, s));
    }
    return f->alone[k - TYI_TERRAIN_ROCK_K0] + f->gain[k - TYI_TERRAIN_ROCK_K0] * most;
}

double tyi_terrain_rocks_boost(const tyi_terrain_rocks *f, int k, double x, double y)
{
    near_list list;
    find_craters(f, k, (ty_rect){ x, y, x, y }, &list);
    return boost_at(f, k, &list, x, y);
}

/* Octave, kind, cell and number, in 64 bits; the octave's part is never 0. Cells are told apart up
 * to 2^21 of them from the origin: 500 km for rocks of 1.5 cm. */
static uint64_t make_id(int k, bool fragment, int32_t cx, int32_t cy, uint32_t number)
{
    uint64_t octave = (uint64_t)(k - TYI_TERRAIN_ROCK_K0 + 1), mask = (1u << 22) - 1u;
    return octave << 58 | (uint64_t)fragment << 57 | ((uint64_t)(uint32_t)cx & mask) << 35 |
           ((uint64_t)(uint32_t)cy & mask) << 13 | number;
}

/* Rocks wear round and the soil comes up round them: a share of all lies so, and of the small ones half of the others,
 * as small ones wear first. The second half of the shapes is round. */
static void grow_old(const ty_rock_def *def, ty_k_u32x4 r, ty_rock *rock)
{
    double share = rock->diameter < 0.1 ? 0.5 : def->old, u = ty_k_uniform(r.v[2]);
    bool worn = ty_k_uniform(r.v[3]) < share;
    rock->shape = r.v[0] % (TY_ROCK_SHAPES / 2) + (worn ? TY_ROCK_SHAPES / 2 : 0);
    rock->burial = worn ? 0.4 + 0.4 * u : 0.1 + 0.2 * u;
}

#define WORN 0.4 /* [-] burial from which a rock is an old one */
#define SEEN 0.5 /* [-] of a fillet's height at the rock, where it meets the rock's side */

ty_rock tyi_terrain_rocks_finished(const tyi_terrain_rocks *f, ty_rock rock)
{
    if (rock.scale == 0.0) {
        double at = fmin(rock.burial, 0.99) * (TYI_TERRAIN_ROCK_BURIALS - 1);
        const float *area = &f->library->exposed[rock.shape][(int)at];
        double low = (double)area[0], high = (double)area[1];
        rock.scale = rock.diameter / sqrt(low + (at - (int)at) * (high - low));
    }
    return rock;
}

/* gives the rock its looks and hands it to the query, if that wants it */
static void emit(query *q, double x, double y, double d, uint64_t id, ty_k_u32x4 r)
{
    if (x < q->rect.x0 || x >= q->rect.x1 || y < q->rect.y0 || y >= q->rect.y1 || d < q->d_min || d >= q->d_max ||
        tyi_terrain_moved_find(q->f->moved, id)) {
        return;
    }
    if (q->total < q->capacity) {
        ty_rock rock = { .x = x, .y = y, .diameter = d, .id = id };
        rock.shape = r.v[0] % TY_ROCK_SHAPES;
        rock.yaw = 2.0 * TY_PI * ty_k_uniform(r.v[1]);
        rock.burial = 0.1 + 0.4 * ty_k_uniform(r.v[2]);
        if (q->f->def.old > 0.0) {
            grow_old(&q->f->def, r, &rock);
        }
        if (q->f->def.fillet > 0.0 && rock.burial >= WORN) { /* what is seen of it ends where the soil round it does */
            ty_rock seen = rock;
            seen.burial += SEEN * q->f->def.fillet * (1.0 - rock.burial);
            rock.scale = tyi_terrain_rocks_finished(q->f, seen).scale;
        }
        q->out[q->total] = tyi_terrain_rocks_finished(q->f, rock);
    }
    q->total++;
}

static ty_k_u32x4 rock_random(const tyi_terrain_rocks *f, int k, int32_t cx, int32_t cy, uint32_t word)
{
    return ty_k_philox((uint32_t)cx, (uint32_t)cy, (uint32_t)k, word, f->key, TY_RNG_ROCK);
}

/* words of fragments: apart from those of single rocks, 2 i and 2 i + 1 */
static uint32_t fragment_word(uint32_t rock, uint32_t fragment, uint32_t which)
{
    return 0x80000000u | rock << 8 | fragment << 1 | which;
}

/* a fragment of octave k at its rock: touching or up to two diameters away, more on one side */
static void place_fragment(query *q, const single *rock, int k, uint32_t j, double fan)
{
    ty_k_u32x4 r = rock_random(q->f, k, rock->cx, rock->cy, fragment_word(rock->i, j, 0));
    double d = tyi_terrain_octave_diameter(&q->f->octave[k - TYI_TERRAIN_ROCK_K0], k, ty_k_uniform(r.v[2]));
    double turn = 2.0 * ty_k_uniform(r.v[0]) - 1.0;
    double angle = fan + TY_PI * turn * fabs(turn);
    double away = fmin(-0.35 * log(ty_k_uniform(r.v[1])), 2.0);
    double distance = 0.5 * rock->d + 0.35 * d + away * rock->d;
    emit(q, rock->x + distance * cos(angle), rock->y + distance * sin(angle), d,
         make_id(k, true, rock->cx, rock->cy, rock->i << 4 | j),
         rock_random(q->f, k, rock->cx, rock->cy, fragment_word(rock->i, j, 1)));
}

static void emit_fragments(query *q, const single *rock, int k, double fan)
{
    ty_k_u32x4 r = rock_random(q->f, k, rock->cx, rock->cy, 0x40000000u | rock->i);
    uint32_t n = tyi_terrain_poisson(q->f->fragments[k - TYI_TERRAIN_ROCK_K0], ty_k_uniform(r.v[0]));
    for (uint32_t j = 0; j < n && j < 15; j++) { /* 15 is a piece's number */
        place_fragment(q, rock, k, j, fan);
    }
}

/* a piece of octave k in its rock: its middle lies near the rock's edge */
static void emit_piece(query *q, const single *rock, int k, double fan)
{
    ty_k_u32x4 r = rock_random(q->f, k, rock->cx, rock->cy, fragment_word(rock->i, 127, 0));
    if (ty_k_uniform(r.v[0]) >= q->f->pieces[k - TYI_TERRAIN_ROCK_K0]) {
        return;
    }
    double d = tyi_terrain_octave_diameter(&q->f->octave[k - TYI_TERRAIN_ROCK_K0], k, ty_k_uniform(r.v[1]));
    double away = 0.5 * rock->d * (0.55 + 0.35 * ty_k_uniform(r.v[2]));
    emit(q, rock->x + away * cos(fan), rock->y + away * sin(fan), d,
         make_id(k, true, rock->cx, rock->cy, rock->i << 4 | 15u),
         rock_random(q->f, k, rock->cx, rock->cy, fragment_word(rock->i, 127, 1)));
}

static ty_rect cell_rect(int k, int32_t x, int32_t y, int cells) /* a square of cells from (x, y) */
{
    double side = tyi_terrain_cell_side(k);
    return (ty_rect){ x * side, y * side, (x + cells) * side, (y + cells) * side };
}

/* what of single rocks a query is about: themselves, fragments UP octaves below, pieces one octave below */
typedef enum part { THEMSELVES, THEIR_FRAGMENTS, THEIR_PIECES } part;

/* single rocks of octave k in a cell */
static void visit_cell(query *q, int k, int32_t cx, int32_t cy, const near_list *list, part what)
{
    const tyi_terrain_rocks *f = q->f;
    double side = tyi_terrain_cell_side(k), most = boost_most(f, k, list, cell_rect(k, cx, cy, 1));
    double mean = fmin(f->single[k - TYI_TERRAIN_ROCK_K0] * side * side * most, MEAN_MOST);
    uint32_t n = tyi_terrain_poisson(mean, ty_k_uniform(rock_random(f, k, cx, cy, TYI_TERRAIN_COUNT_WORD).v[0]));
    for (uint32_t i = 0; i < n && i < 512; i++) {
        ty_k_u32x4 r = rock_random(f, k, cx, cy, 2 * i);
        single s = { .cx = cx, .cy = cy, .i = i };
        s.x = (cx + ty_k_uniform(r.v[0])) * side;
        s.y = (cy + ty_k_uniform(r.v[1])) * side;
        if (list->count && ty_k_uniform(r.v[3]) * most >= boost_at(f, k, list, s.x, s.y)) {
            continue;
        }
        s.d = tyi_terrain_octave_diameter(&f->octave[k - TYI_TERRAIN_ROCK_K0], k, ty_k_uniform(r.v[2]));
        r = rock_random(f, k, cx, cy, 2 * i + 1);
        if (what == THEIR_FRAGMENTS) {
            emit_fragments(q, &s, k - UP, 2.0 * TY_PI * ty_k_uniform(r.v[3]));
        } else if (what == THEIR_PIECES) {
            emit_piece(q, &s, k - 1, 2.0 * TY_PI * ty_k_uniform(r.v[3]) + 2.0);
        } else {
            emit(q, s.x, s.y, s.d, make_id(k, false, cx, cy, i), r);
        }
    }
}

/* a block of cells, as far as they come within reach of the query's rectangle */
static void visit_block(query *q, int k, const int32_t cells[4], const int32_t block[2], part what)
{
    int32_t x0 = block[0] * BLOCK, y0 = block[1] * BLOCK;
    near_list list;
    find_craters(q->f, k, cell_rect(k, x0, y0, BLOCK), &list);
    bool full = list.full;
    for (int32_t y = y0; y < y0 + BLOCK; y++) {
        for (int32_t x = x0; x < x0 + BLOCK; x++) {
            if (x < cells[0] || x > cells[2] || y < cells[1] || y > cells[3]) {
                continue;
            }
            if (full) { /* a list for each cell, so that it does not depend on its neighbours */
                find_craters(q->f, k, cell_rect(k, x, y, 1), &list);
            }
            visit_cell(q, k, x, y, &list, what);
        }
    }
}

static int32_t block_of(int32_t cell)
{
    return (cell >= 0 ? cell : cell - BLOCK + 1) / BLOCK;
}

static void visit_octave(query *q, int k, double reach, part what)
{
    double side = tyi_terrain_cell_side(k);
    int32_t cells[4] = { (int32_t)floor((q->rect.x0 - reach) / side), (int32_t)floor((q->rect.y0 - reach) / side),
                         (int32_t)floor((q->rect.x1 + reach) / side), (int32_t)floor((q->rect.y1 + reach) / side) };
    for (int32_t y = block_of(cells[1]); y <= block_of(cells[3]); y++) {
        for (int32_t x = block_of(cells[0]); x <= block_of(cells[2]); x++) {
            visit_block(q, k, cells, (int32_t[2]){ x, y }, what);
        }
    }
}

/* one that was not generated where it lies */
static void offer(query *q, const ty_rock *rock, double d_min, double d_max)
{
    bool in = rock->x >= q->rect.x0 && rock->x < q->rect.x1 && rock->y >= q->rect.y0 && rock->y < q->rect.y1;
    if (in && rock->diameter >= d_min && rock->diameter < d_max && rock->scale > 0.0) {
        if (q->total < q->capacity) {
            q->out[q->total] = *rock;
        }
        q->total++;
    }
}

size_t tyi_terrain_rocks_in(const tyi_terrain_rocks *f, ty_rect rect, double d_min, double d_max, ty_rock *out,
                            size_t capacity)
{
    query q = { .f = f, .rect = rect, .out = out, .capacity = capacity };
    q.d_min = fmax(d_min, f->def.d_min);
    q.d_max = fmin(d_max, f->def.d_max);
    if (!(rect.x0 < rect.x1 && rect.y0 < rect.y1)) {
        return 0;
    }
    for (int i = TYI_TERRAIN_ROCK_OCTAVES - 1; i >= 0 && f->def.on && q.d_min < q.d_max; i--) {
        int k = i + TYI_TERRAIN_ROCK_K0;
        if (ldexp(1.0, k) >= q.d_max || ldexp(1.0, k + 1) <= q.d_min) {
            continue;
        }
        visit_octave(&q, k, 0.0, THEMSELVES);
        if (f->fragments[i] > 0.0) {
            visit_octave(&q, k + UP, REACH * ldexp(1.0, k), THEIR_FRAGMENTS);
        }
        if (f->pieces[i] > 0.0) {
            visit_octave(&q, k + 1, PIECES_REACH * ldexp(1.0, k), THEIR_PIECES);
        }
    }
    for (size_t i = 0; f->placed && i < f->def.places; i++) {
        if (!tyi_terrain_moved_find(f->moved, f->placed[i].id)) {
            offer(&q, &f->placed[i], d_min, d_max);
        }
    }
    for (size_t i = 0; f->moved && i < f->moved->count; i++) {
        offer(&q, &f->moved->rock[i], d_min, d_max);
    }
    return q.total;
}

/* ---- soil round them ---- */

#define FILLET_SAMPLES 8.0 /* across a rock whose fillet a level shows in full; half of it shows nothing */
#define FILLET_LIST    512

/* one octave of rocks */
static void add_fillets(const tyi_terrain_rocks *f, int k, double d, int32_t i0, int32_t j0, int nx, int ny, double *z)
{
    ty_rock list[FILLET_LIST];
    double reach = 2.0 * ldexp(1.0, k + 1);
    ty_rect rect = { i0 * d - reach, j0 * d - reach, (i0 + nx - 1) * d + reach, (j0 + ny - 1) * d + reach };
    size_t n = tyi_terrain_rocks_in(f, rect, fmax(ldexp(1.0, k), 0.5 * FILLET_SAMPLES * d), ldexp(1.0, k + 1), list,
                                    FILLET_LIST);
    for (size_t m = 0; m < n && m < FILLET_LIST; m++) {
        const ty_rock *rock = &list[m];
        if (rock->burial < WORN) {
            continue;
        }
        double stands = rock->scale * (double)f->library->shape[rock->shape].height * (1.0 - rock->burial);
        double shown = fmin(rock->diameter / (0.5 * FILLET_SAMPLES * d) - 1.0, 1.0);
        double high = f->def.fillet * stands * shown * ty_k_rock_tone((uint32_t)rock->id ^ 0x5bd1e995u, 0.6, 1.4);
        double r = 0.5 * rock->diameter, out = r + TY_K_ROCK_FILLET_WIDE * high;
        int a = (int)fmax(ceil((rock->x - out) / d) - i0, 0.0), b = (int)fmin(floor((rock->x + out) / d) - i0, nx - 1);
        int e = (int)fmax(ceil((rock->y - out) / d) - j0, 0.0), g = (int)fmin(floor((rock->y + out) / d) - j0, ny - 1);
        for (int j = e; j <= g; j++) {
            for (int i = a; i <= b; i++) {
                double s = hypot((i0 + i) * d - rock->x, (j0 + j) * d - rock->y);
                z[(size_t)j * (size_t)nx + (size_t)i] += ty_k_rock_fillet(s, r, high);
            }
        }
    }
}

void tyi_terrain_fillets_add(const tyi_terrain_rocks *f, double d, int32_t i0, int32_t j0, int nx, int ny, double *z)
{
    if (!f->def.on || !(f->def.fillet > 0.0) || !(f->def.old > 0.0)) {
        return;
    }
    tyi_terrain_rocks still = *f;
    still.moved = NULL, still.placed = NULL; /* those have been put where they are */
    for (int k = TYI_TERRAIN_ROCK_K0 + TYI_TERRAIN_ROCK_OCTAVES - 1; ldexp(1.0, k + 1) > 0.5 * FILLET_SAMPLES * d;
         k--) {
        if (ldexp(1.0, k) < f->def.d_max && k >= TYI_TERRAIN_ROCK_K0) {
            add_fillets(&still, k, d, i0, j0, nx, ny, z);
        }
        if (k == TYI_TERRAIN_ROCK_K0) {
            break;
        }
    }
}
