/* src/soil/crm/search.c - cells, sorting, neighbour lists.
 *
 * Lists look a little farther than the support (the skin) and are kept until some particle has moved by half of that. Sixteen
 * particles that follow each other share rows of a list; short ones are filled up with the particle itself, which adds
 * nothing to any sum.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#define WIDE_LANES 8
#include "wide.h"
#include "bed.h"

/* Particles keep their order within a cell. */
void tyi_crm_sort(tyi_crm *crm)
{
    tyi_crm_arrays *a = &crm->a, *b = &crm->spare, swap;
    tyi_crm_box_count(&crm->box, a->x, crm->n, crm->key, crm->start);
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

enum { PIECE = 128 };

typedef struct search {
    tyi_crm *crm;
    float reach2, unit[3];
} search;

/* Neighbours among the particles [from, to) of one row of cells, into found. Walls look only for soil. */
HOT int look(const search *s, const ty_wide *own, int32_t i, bool wall, int32_t from, int32_t to, int32_t *found,
             int count)
{
    const tyi_crm_f4 *x = (const tyi_crm_f4 *)s->crm->x0;
    for (; from < to; from += LANES) {
        int32_t at[LANES], hit[LANES] __attribute__((aligned(4 * LANES)));
        for (int k = 0; k < LANES; k++) {
            at[k] =
                from +
                k; /* arrays are longer than the particles: past the end lies some other place, which is not taken */
        }
        ty_wide other[4];
        gather(x, at, other);
        ty_wide dx = apart(own[0], other[0], s->unit[0]), dy = apart(own[1], other[1], s->unit[1]),
                dz = apart(own[2], other[2], s->unit[2]);
        ty_mask near = dx * dx + dy * dy + dz * dz < TY_W(s->reach2);
        near &= wall ? other[3] > TY_W(0.0) : near;
        *(ty_mask *)hit = near;
        int n = to - from < LANES ? to - from : LANES;
        for (int k = 0; k < n; k++) { /* written and counted or not, without a branch */
            found[count] = from + k;
            count += (hit[k] != 0) & (from + k != i);
        }
    }
    return count;
}

/* found has room for more than `most`: a row of cells is looked through before it is counted */
PER_ISA static int find(const search *s, size_t i, int32_t *found, int most)
{
    const tyi_crm *crm = s->crm;
    tyi_crm_i4 x = crm->x0[i];
    tyi_crm_around a = tyi_crm_box_around(&crm->box, x);
    int count = 0;
    bool wall = x[3] == 0; /* cells along x follow each other: so do their particles */
    int32_t self[LANES];
    for (int k = 0; k < LANES; k++) {
        self[k] = (int32_t)i;
    }
    ty_wide own[4];
    gather((const tyi_crm_f4 *)crm->x0, self, own);
    for (int k = 0; k < a.nz; k++) {
        for (int j = 0; j < a.ny; j++) {
            size_t row = ((size_t)a.z[k] * (size_t)crm->box.cells[1] + (size_t)a.y[j]) * (size_t)crm->box.cells[0];
            for (int c = 0; c < a.runs; c++) {
                const uint32_t *start = crm->start + row + a.x[c];
                uint32_t from = start[0], to = start[a.wide[c]];
                while (from < to && count <= most) { /* piece by piece, so that found suffices */
                    uint32_t end = to - from > PIECE ? from + PIECE : to;
                    count = look(s, own, (int32_t)i, wall, (int32_t)from, (int32_t)end, found, count);
                    from = end;
                }
            }
        }
    }
    return count;
}

static void search_block(void *user, size_t block, int worker)
{
    (void)worker;
    const search *s = user;
    tyi_crm *crm = s->crm;
    size_t first = block * TYI_CRM_BLOCK, most = (size_t)crm->def.neighbours;
    crm->part[block].bad = -1;
    for (size_t g = first / TYI_CRM_LANES; g < (first + TYI_CRM_BLOCK) / TYI_CRM_LANES && g * TYI_CRM_LANES < crm->n;
         g++) {
        int32_t *list = crm->list + g * TYI_CRM_LANES * most, found[512 + PIECE + 1];
        int rows = 0, counts[TYI_CRM_LANES];
        uint8_t kinds = 0;
        for (size_t lane = 0; lane < TYI_CRM_LANES; lane++) {
            size_t i = g * TYI_CRM_LANES + lane;
            int count = i < crm->n ? find(s, i, found, (int)most) : 0;
            if (count > (int)most) {
                crm->part[block].bad = crm->part[block].bad < 0 ? (int64_t)i : crm->part[block].bad;
                count = (int)most;
            }
            kinds |= i < crm->n ? (crm->x0[i][3] != 0 ? 1 : 2) : 0;
            counts[lane] = count;
            rows = count > rows ? count : rows;
            for (int k = 0; k < count; k++) {
                list[(size_t)k * TYI_CRM_LANES + lane] = found[k];
            }
        }
        for (size_t lane = 0; lane < TYI_CRM_LANES; lane++) {
            size_t i = g * TYI_CRM_LANES + lane, self = i < crm->n ? i : crm->n - 1;
            for (int k = counts[lane]; k < rows; k++) {
                list[(size_t)k * TYI_CRM_LANES + lane] = (int32_t)self;
            }
        }
        crm->length[g] = rows;
        crm->kinds[g] = kinds;
    }
}

bool tyi_crm_search(tyi_crm *crm, size_t *who)
{
    double reach = crm->reach + crm->skin;
    search s = { crm,
                 (float)(reach * reach),
                 { (float)crm->box.unit[0], (float)crm->box.unit[1], (float)crm->box.unit[2] } };
    tyi_crm_box_count(&crm->box, crm->x0, crm->n, crm->key, crm->start); /* x0 is sorted: only the starts are made */
    tyi_tasks_for(tyi_crm_threads(crm), crm->parts, search_block, &s);
    crm->counts.searches++;
    for (size_t b = 0; b < crm->parts; b++) {
        if (crm->part[b].bad >= 0) {
            *who = (size_t)crm->part[b].bad;
            return false;
        }
    }
    return true;
}
