/* src/soil/crm/search.c - cells, sorting, neighbour lists.
 *
 * Lists look a little farther than the support (the skin) and are kept until some particle has moved by half of that. Eight
 * particles that follow each other share rows of a list; short ones are filled up with the particle itself, which adds
 * nothing to any sum.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "crm.h"
#include <string.h>

enum { LANES = TYI_CRM_LANES };

size_t tyi_crm_cells(const ty_crm *crm)
{
    return (size_t)crm->cells[0] * (size_t)crm->cells[1] * (size_t)crm->cells[2];
}

/* Particles outside the box count to its outermost cells; two that are neighbours stay in cells that touch. */
static int cell_of(const ty_crm *crm, int axis, int32_t x)
{
    if (crm->def.periodic[axis]) {
        return (int)(((uint32_t)x - (uint32_t)crm->low[axis]) / crm->cell[axis]);
    }
    int64_t from = (int64_t)x - crm->low[axis];
    int64_t c = from < 0 ? 0 : from / crm->cell[axis];
    return c < crm->cells[axis] ? (int)c : crm->cells[axis] - 1;
}

static uint32_t key_of(const ty_crm *crm, tyi_crm_i4 x)
{
    uint32_t cx = (uint32_t)cell_of(crm, 0, x[0]), cy = (uint32_t)cell_of(crm, 1, x[1]), cz = (uint32_t)cell_of(crm, 2, x[2]);
    return (cz * (uint32_t)crm->cells[1] + cy) * (uint32_t)crm->cells[0] + cx;
}

static void count_cells(ty_crm *crm, const tyi_crm_i4 *x)
{
    size_t cells = tyi_crm_cells(crm);
    memset(crm->start, 0, (cells + 1) * sizeof *crm->start);
    for (size_t i = 0; i < crm->n; i++) {
        crm->key[i] = key_of(crm, x[i]);
        crm->start[crm->key[i] + 1]++;
    }
    for (size_t c = 0; c < cells; c++) {
        crm->start[c + 1] += crm->start[c];
    }
}

/* Particles keep their order within a cell. */
void tyi_crm_sort(ty_crm *crm)
{
    tyi_crm_arrays *a = &crm->a, *b = &crm->spare, swap;
    count_cells(crm, a->x);
    for (size_t i = 0; i < crm->n; i++) {
        size_t to = crm->start[crm->key[i]]++;
        b->x[to] = a->x[i];
        b->v[to] = a->v[i];
        b->t0[to] = a->t0[i];
        b->t1[to] = a->t1[i];
        b->g[to] = a->g[i];
        b->touch[to] = a->touch[i];
        b->id[to] = a->id[i];
    }
    swap = *a;
    *a = *b;
    *b = swap;
    memcpy(crm->x0, a->x, crm->n * sizeof *crm->x0);
}

typedef struct search {
    ty_crm *crm;
    float reach2, unit[3];
} search;

/* Neighbours among the particles [from, to) of one row of cells, into found. Walls look only for soil. */
static int look(const search *s, size_t i, bool wall, uint32_t from, uint32_t to, int32_t *found, int count, int most)
{
    const tyi_crm_i4 *x = s->crm->x0;
    tyi_crm_i4 own = x[i];
    while (from < to) {
        uint8_t near[64];
        uint32_t n = to - from < 64 ? to - from : 64;
        for (uint32_t k = 0; k < n; k++) {
            tyi_crm_i4 other = x[from + k];
            float dx = (float)(int32_t)((uint32_t)own[0] - (uint32_t)other[0]) * s->unit[0];
            float dy = (float)(int32_t)((uint32_t)own[1] - (uint32_t)other[1]) * s->unit[1];
            float dz = (float)(int32_t)((uint32_t)own[2] - (uint32_t)other[2]) * s->unit[2];
            near[k] = (dx * dx + dy * dy + dz * dz < s->reach2) & (!wall | (other[3] != 0));
        }
        for (uint32_t k = 0; k < n; k++) {
            if (near[k] && from + k != i) {
                if (count == most) {
                    return most + 1;
                }
                found[count++] = (int32_t)(from + k);
            }
        }
        from += n;
    }
    return count;
}

/* The up to three cells along an axis that touch cell c, without one twice. */
static int around(const ty_crm *crm, int axis, int c, int *out)
{
    int n = 0, cells = crm->cells[axis];
    if (crm->def.periodic[axis] && cells < 3) {
        for (int k = 0; k < cells; k++) {
            out[n++] = k;
        }
        return n;
    }
    for (int k = c - 1; k <= c + 1; k++) {
        if (crm->def.periodic[axis]) {
            out[n++] = (k + cells) % cells;
        } else if (k >= 0 && k < cells) {
            out[n++] = k;
        }
    }
    return n;
}

static int find(const search *s, size_t i, int32_t *found, int most)
{
    const ty_crm *crm = s->crm;
    tyi_crm_i4 x = crm->x0[i];
    int cx[3], cy[3], cz[3], nx = around(crm, 0, cell_of(crm, 0, x[0]), cx), ny = around(crm, 1, cell_of(crm, 1, x[1]), cy),
                             nz = around(crm, 2, cell_of(crm, 2, x[2]), cz), count = 0;
    bool wall = x[3] == 0, run = cx[nx - 1] - cx[0] == nx - 1; /* cells along x follow each other: so do their particles */
    for (int k = 0; k < nz; k++) {
        for (int j = 0; j < ny; j++) {
            size_t row = ((size_t)cz[k] * (size_t)crm->cells[1] + (size_t)cy[j]) * (size_t)crm->cells[0];
            for (int c = 0; c < (run ? 1 : nx) && count <= most; c++) {
                const uint32_t *start = crm->start + row + cx[c];
                count = look(s, i, wall, start[0], start[run ? nx : 1], found, count, most);
            }
        }
    }
    return count;
}

static void search_block(void *user, size_t block, int worker)
{
    (void)worker;
    const search *s = user;
    ty_crm *crm = s->crm;
    size_t first = block * TYI_CRM_BLOCK, most = (size_t)crm->def.neighbours;
    crm->part[block].bad = -1;
    for (size_t g = first / LANES; g < (first + TYI_CRM_BLOCK) / LANES && g * LANES < crm->n; g++) {
        int32_t *list = crm->list + g * LANES * most, found[512];
        int rows = 0, counts[LANES];
        uint8_t kinds = 0;
        for (size_t lane = 0; lane < LANES; lane++) {
            size_t i = g * LANES + lane;
            int count = i < crm->n ? find(s, i, found, (int)most) : 0;
            if (count > (int)most) {
                crm->part[block].bad = crm->part[block].bad < 0 ? (int64_t)i : crm->part[block].bad;
                count = (int)most;
            }
            kinds |= i < crm->n ? (crm->x0[i][3] != 0 ? 1 : 2) : 0;
            counts[lane] = count;
            rows = count > rows ? count : rows;
            for (int k = 0; k < count; k++) {
                list[(size_t)k * LANES + lane] = found[k];
            }
        }
        for (size_t lane = 0; lane < LANES; lane++) {
            size_t i = g * LANES + lane, self = i < crm->n ? i : crm->n - 1;
            for (int k = counts[lane]; k < rows; k++) {
                list[(size_t)k * LANES + lane] = (int32_t)self;
            }
        }
        crm->length[g] = rows;
        crm->kinds[g] = kinds;
    }
}

bool tyi_crm_search(ty_crm *crm, size_t *who)
{
    double reach = crm->reach + crm->skin;
    search s = { crm, (float)(reach * reach), { (float)crm->unit[0], (float)crm->unit[1], (float)crm->unit[2] } };
    count_cells(crm, crm->x0); /* x0 is sorted: only the starts are made */
    tyi_tasks_for(crm->def.threads, crm->parts, search_block, &s);
    crm->counts.searches++;
    for (size_t b = 0; b < crm->parts; b++) {
        if (crm->part[b].bad >= 0) {
            *who = (size_t)crm->part[b].bad;
            return false;
        }
    }
    return true;
}
