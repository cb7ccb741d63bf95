/* src/soil/patch/columns.c - what enters a patch: columns of a continuum at their stress at rest, or of grains cut out of a packing that repeats.
 *
 * The packing of grains is fixed to the ground, so that columns which enter later fit to those that stand. Where soil was moved, a grain that
 * enters beside it is as small as it must be not to press on it, or stays with the height field.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "patch.h"
#include <math.h>
#include <string.h>

#define STIRRED 0.1 /* [spacings] off its place across which soil was moved */
#define BELOW   2.0 /* [spacings] of fixed grains below a column */
#define RESTS   3.0 /* [-] support of a grain that has not moved yet */

static size_t slot(const tyi_soil_patch *p, int64_t i, int64_t j)
{
    int64_t a = i % p->side, b = j % p->side;
    return (size_t)((b < 0 ? b + p->side : b) * p->side + (a < 0 ? a + p->side : a));
}

static void entered(tyi_soil_patch *p, const ty_crm_particle *q)
{
    double volume = tyi_soil_patch_volume(p, q);
    p->s.entered += volume;
    if (p->ledger) {
        tyi_soil_patch_spread(p, p->told, q->x.x, q->x.y, volume);
    }
}

/* ---- a continuum ---- */

static void put_column(tyi_soil_patch *p, int64_t i, int64_t j, double top, int from, int to, bool wall)
{
    double weight = p->def->bekker.rho * p->site->gravity, k0 = p->facts.k0;
    for (int k = from; k < to && p->fresh_count < p->room; k++) {
        double deep = (k + 0.5) * p->d;
        ty_crm_particle *q = &p->fresh[p->fresh_count++];
        *q = (ty_crm_particle){ .x = { ((double)i + 0.5) * p->d, ((double)j + 0.5) * p->d, top - deep },
                                .wall = wall,
                                .id = p->s.next++ };
        if (!wall) {
            q->stress[2] = -weight * deep * cos(p->site->slope);
            q->stress[0] = q->stress[1] = k0 * q->stress[2];
            q->stress[4] = -weight * deep * sin(p->site->slope); /* holds what lies above */
            entered(p, q);
        }
    }
}

/* ---- grains ---- */

static int wrap(double x, double length, int cells)
{
    double u = x / length;
    int k = (int)((u - floor(u)) * cells);
    return k < cells ? k : cells - 1;
}

static size_t cell_at(const tyi_soil_patch *p, int i, int j, int k)
{
    const int *n = p->cells;
    return ((size_t)((k + n[2]) % n[2]) * (size_t)n[1] + (size_t)((j + n[1]) % n[1])) * (size_t)n[0] +
           (size_t)((i + n[0]) % n[0]);
}

/* grains that stay, by cells */
static void list_grains(tyi_soil_patch *p)
{
    memset(p->first, 0xff, (size_t)p->cells[0] * (size_t)p->cells[1] * (size_t)p->cells[2] * sizeof *p->first);
    for (size_t i = 0; i < tyi_soil_particles_count(&p->soil); i++) {
        ty_vec3 x = tyi_soil_particles_at(&p->soil, i).x;
        size_t c = cell_at(p, wrap(x.x, p->length[0], p->cells[0]), wrap(x.y, p->length[1], p->cells[1]),
                           wrap(x.z, p->length[2], p->cells[2]));
        p->after[i] = p->first[c];
        p->first[c] = (int32_t)i;
    }
}

/* the radius [m] with which a grain at x touches none of those, at most r */
static double free_radius(const tyi_soil_patch *p, ty_vec3 x, double r)
{
    int i = wrap(x.x, p->length[0], p->cells[0]), j = wrap(x.y, p->length[1], p->cells[1]),
        k = wrap(x.z, p->length[2], p->cells[2]);
    for (int n = 0; n < 27; n++) {
        size_t c = cell_at(p, i + n % 3 - 1, j + n / 3 % 3 - 1, k + n / 9 - 1);
        for (int32_t g = p->first[c]; g >= 0; g = p->after[g]) {
            ty_crm_particle q = tyi_soil_particles_at(&p->soil, (size_t)g);
            ty_vec3 e = ty_sub(q.x, x);
            e.x -= p->length[0] * rint(e.x / p->length[0]);
            e.y -= p->length[1] * rint(e.y / p->length[1]);
            e.z -= p->length[2] * rint(e.z / p->length[2]);
            r = fmin(r, ty_norm(e) - q.r);
        }
    }
    return r;
}

/* grains of the packing in a column whose centres lie above `low` and not above `high` [m] */
static void put_grains(tyi_soil_patch *p, int64_t i, int64_t j, double low, double high, double least, bool wall)
{
    const tyi_soil_tile *t = p->tile;
    int64_t a = i % TYI_SOIL_TILE, b = j % TYI_SOIL_TILE;
    a = a < 0 ? a + TYI_SOIL_TILE : a, b = b < 0 ? b + TYI_SOIL_TILE : b;
    double x0 = (double)(i - a) * p->d, y0 = (double)(j - b) * p->d;
    size_t column = (size_t)(b * TYI_SOIL_TILE + a);
    for (size_t g = t->start[column]; g < t->start[column + 1]; g++) {
        double n = floor((high - t->x[g].z) / t->length), z = t->x[g].z + n * t->length;
        for (; z > low && p->fresh_count < p->room; z -= t->length) {
            ty_crm_particle q = { .x = { x0 + t->x[g].x, y0 + t->x[g].y, z },
                                  .wall = wall,
                                  .support = RESTS,
                                  .id = (uint32_t)g + (uint32_t)t->count * (p->s.next & 0xffffu) };
            q.r = free_radius(p, q.x, t->r[g]);
            if (q.r < least) {
                continue;
            }
            p->fresh[p->fresh_count++] = q;
            if (!wall) {
                entered(p, &q);
            }
        }
    }
}

/* ---- either ---- */

static void put_either(tyi_soil_patch *p, int64_t i, int64_t j, double top, int layers, double least, bool wall)
{
    if (p->tile) {
        put_grains(p, i, j, top - layers * p->d, top, least, wall);
    } else {
        put_column(p, i, j, top, 0, layers, wall);
    }
}

ty_status tyi_soil_patch_enter(tyi_soil_patch *p, int64_t old_i, int64_t old_j, bool fresh, ty_diag *diag)
{
    int n = tyi_soil_patch_columns(p), rim = TYI_SOIL_PATCH_RIM;
    int below = p->tile ? (int)BELOW : rim;
    double least = 0.0;
    p->fresh_count = 0;
    if (p->tile) {
        tyi_dem_facts facts;
        ty_status status = tyi_dem_def_facts(&p->tile->grains, &facts, diag);
        if (status != TY_OK) {
            return status;
        }
        least = facts.smallest;
        p->s.next++;
        list_grains(p);
    }
    for (int b = 0; b < n; b++) {
        for (int a = 0; a < n; a++) {
            int64_t i = p->s.i0 + a - rim, j = p->s.j0 + b - rim;
            double top = p->height[b * n + a];
            bool inside = a >= rim && b >= rim && a < p->side + rim && b < p->side + rim;
            bool old = !fresh && i >= old_i && j >= old_j && i < old_i + p->side && j < old_j + p->side;
            if (inside && !old) {
                put_either(p, i, j, top, p->layers, least, false);
                p->floor[slot(p, i, j)] = top - p->layers * p->d;
            }
            if (inside) {
                put_either(p, i, j, p->floor[slot(p, i, j)], below, least, true);
            } else {
                put_either(p, i, j, top, p->layers + below, least, true);
            }
        }
    }
    return tyi_soil_particles_insert(&p->soil, p->fresh, p->fresh_count, diag);
}

bool tyi_soil_patch_stirred(const tyi_soil_patch *p, const ty_crm_particle *q, ty_vec3 x)
{
    double u = x.x / p->d - 0.5, v = x.y / p->d - 0.5, period = 1.0;
    if (p->tile) {
        ty_vec3 from = p->tile->x[q->id % p->tile->count];
        u = (x.x - from.x) / p->d, v = (x.y - from.y) / p->d, period = TYI_SOIL_TILE;
    }
    return fabs(u - period * rint(u / period)) > STIRRED || fabs(v - period * rint(v / period)) > STIRRED;
}
