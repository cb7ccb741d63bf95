/* src/soil/dem/search.c - sorting, lists of neighbours, and where in them memories belong.
 *
 * Lists look a little farther than grains reach (the skin) and are kept until some grain may have moved by half of that. Memories stay at their
 * grains' homes; the new list is told where.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "dem.h"

/* Grains keep their order within a cell. */
static void sort(tyi_dem *dem)
{
    tyi_dem_arrays *a = &dem->a, *b = &dem->spare, swap;
    tyi_crm_box_count(&dem->box, a->x, dem->n, dem->key, dem->start);
    for (size_t i = 0; i < dem->n; i++) {
        size_t to = dem->start[dem->key[i]]++;
        b->x[to] = a->x[i];
        b->v[to] = a->v[i];
        b->w[to] = a->w[i];
        b->id[to] = a->id[i];
        b->home[to] = a->home[i];
        dem->place[a->home[i]] = (int32_t)to;
    }
    swap = *a;
    *a = *b;
    *b = swap;
    memcpy(dem->x0, a->x, dem->n * sizeof *dem->x0);
    tyi_crm_box_count(&dem->box, dem->x0, dem->n, dem->key, dem->start); /* sorted: only the starts are made */
}

/* those near grain i, into its list; how many there are, also where they do not fit */
static int list_one(tyi_dem *dem, const ty_k_dem_law *law, size_t i)
{
    tyi_crm_i4 own = dem->x0[i];
    tyi_crm_around a = tyi_crm_box_around(&dem->box, own);
    float reach = tyi_dem_float(own[3]) + (float)dem->skin;
    size_t most = (size_t)dem->def.neighbours;
    int count = 0;
    for (int z = 0; z < a.nz; z++) {
        for (int y = 0; y < a.ny; y++) {
            size_t row = ((size_t)a.z[z] * (size_t)dem->box.cells[1] + (size_t)a.y[y]) * (size_t)dem->box.cells[0];
            for (int c = 0; c < a.runs; c++) {
                const uint32_t *start = dem->start + row + a.x[c];
                for (uint32_t j = start[0]; j < start[a.wide[c]]; j++) {
                    ty_k_vec3 d = tyi_dem_apart(law, own, dem->x0[j]);
                    float far = reach + tyi_dem_float(dem->x0[j][3]);
                    if (j == i || !(ty_k_dot(d, d) < far * far)) {
                        continue;
                    }
                    if ((size_t)count < most) {
                        dem->list.entry[tyi_dem_at(i, (size_t)count, most)] = TY_K_DEM_ENTRY * j;
                    }
                    count++;
                }
            }
        }
    }
    return count;
}

/* entries of contacts that grain i remembers get their slots; those of others that are not near any more are free */
static void name_slots(tyi_dem *dem, size_t i)
{
    size_t most = (size_t)dem->def.neighbours, home = (size_t)dem->a.home[i];
    for (int k = 0; k < dem->slots; k++) {
        int32_t with = tyi_dem_with(&dem->slot[home * (size_t)dem->slots + (size_t)k]);
        if (!(dem->used[home] >> k & 1u) || with >= TY_K_DEM_BODY) {
            continue;
        }
        uint32_t other = TY_K_DEM_ENTRY * (uint32_t)dem->place[with];
        int c = 0;
        while (c < dem->list.length[i] && dem->list.entry[tyi_dem_at(i, (size_t)c, most)] != other) {
            c++;
        }
        if (c < dem->list.length[i]) {
            dem->list.entry[tyi_dem_at(i, (size_t)c, most)] += (uint32_t)k + 1;
        } else {
            dem->used[home] &= ~(1u << k);
        }
    }
}

typedef struct search {
    tyi_dem *dem;
    ty_k_dem_law law;
} search;

static void block(void *user, size_t number, int worker)
{
    (void)worker;
    const search *s = user;
    tyi_dem *dem = s->dem;
    size_t last = (number + 1) * TYI_DEM_BLOCK < dem->n ? (number + 1) * TYI_DEM_BLOCK : dem->n;
    dem->part[number].bad = -1;
    for (size_t i = number * TYI_DEM_BLOCK; i < last; i++) {
        bool fixed = dem->a.w[i][3] < 0.0f;
        int count = fixed ? 0 : list_one(dem, &s->law, i);
        if (count > dem->def.neighbours) {
            dem->part[number].bad = dem->part[number].bad < 0 ? (int64_t)i : dem->part[number].bad;
            count = dem->def.neighbours;
        }
        dem->list.length[i] = count;
        if (!fixed) {
            name_slots(dem, i);
        }
    }
}

bool tyi_dem_search(tyi_dem *dem, size_t *who)
{
    sort(dem);
    search s = { dem, tyi_dem_law(dem, 0.0) };
    tyi_tasks_for(tyi_dem_threads(dem), (dem->n + TYI_DEM_BLOCK - 1) / TYI_DEM_BLOCK, block, &s);
    dem->searched = true;
    dem->counts.searches++;
    for (size_t b = 0; b * TYI_DEM_BLOCK < dem->n; b++) {
        if (dem->part[b].bad >= 0) {
            *who = (size_t)dem->part[b].bad;
            return false;
        }
    }
    return true;
}
