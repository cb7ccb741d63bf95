/* kernels/sort.cl - particles in cells, on a device: keys, starts of cells, an order that does not depend on how work items come in, the cells around one.
 * For kernels/crm.cl and dem.cl; the host's side is src/soil/crm/box.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "k_base.h"

#define GROUP 32 /* particles whose lists lie side by side */

/* the box: cells along each axis, [unit] of a cell and of the low corner, which axes are periodic, particles */
typedef struct crm_box {
    int cells[3];
    uint cell[3];
    int low[3];
    int periodic[3];
    float unit[3], inv[3], reach2;
    int n, most; /* particles, most neighbours of one */
} crm_box;

/* differences of positions wrap around periodic axes */
static inline float apart(int a, int b, float unit)
{
    return (float)(int)((uint)a - (uint)b) * unit;
}

static inline size_t first_of(int i, int most)
{
    return (size_t)(i / GROUP) * GROUP * (size_t)most + (size_t)(i % GROUP);
}

static inline int cell_of(const crm_box *b, int axis, int x)
{
    uint from = (uint)x - (uint)b->low[axis];
    if (b->periodic[axis]) {
        return (int)(from / b->cell[axis]);
    }
    if (x < b->low[axis]) {
        return 0;
    }
    uint c = from / b->cell[axis];
    return c < (uint)b->cells[axis] ? (int)c : b->cells[axis] - 1;
}

static inline int around(const crm_box *b, int axis, int c, int *out)
{
    int n = 0, cells = b->cells[axis];
    if (b->periodic[axis] && cells < 3) {
        for (int k = 0; k < cells; k++) {
            out[n++] = k;
        }
        return n;
    }
    for (int k = c - 1; k <= c + 1; k++) {
        if (b->periodic[axis]) {
            out[n++] = (k + cells) % cells;
        } else if (k >= 0 && k < cells) {
            out[n++] = k;
        }
    }
    return n;
}

/* The rows of cells around a place, in the order in which lists name them: cells along x follow each other, unless they wrap. */
typedef struct crm_around {
    int cx[3], cy[3], cz[3], nx, ny, nz, run;
} crm_around;

static inline crm_around around_of(const crm_box *b, int4 x)
{
    crm_around a;
    a.nx = around(b, 0, cell_of(b, 0, x.x), a.cx);
    a.ny = around(b, 1, cell_of(b, 1, x.y), a.cy);
    a.nz = around(b, 2, cell_of(b, 2, x.z), a.cz);
    a.run = a.cx[a.nx - 1] - a.cx[0] == a.nx - 1;
    return a;
}

/* While particles are sorted: their keys, and their order. */
#define KEY(scratch, room)   (scratch)
#define ORDER(scratch, room) ((scratch) + (room))

__kernel void crm_key(__global const int4 *x, __global int *key, __global int *count, crm_box b)
{
    int i = (int)get_global_id(0);
    if (i < b.n) {
        int4 at = x[i];
        int k = (cell_of(&b, 2, at.z) * b.cells[1] + cell_of(&b, 1, at.y)) * b.cells[0] + cell_of(&b, 0, at.x);
        key[i] = k;
        atomic_inc(&count[k]);
    }
}

/* before a sub-step; all: the last one was asked how it went */
__kernel void crm_reset(__global int *stat, int all)
{
    if (get_global_id(0) == 0) {
        stat[1] = 0;
        if (all) {
            stat[0] = stat[2] = stat[3] = 0;
        }
    }
}

__kernel void crm_clear(__global int *a, int n)
{
    int i = (int)get_global_id(0);
    if (i < n) {
        a[i] = 0;
    }
}

/* starts of cells from their counts, in chunks of 256: sums of chunks, starts of chunks (one item), starts of cells */
__kernel void crm_scan_sum(__global const int *count, __global int *chunk, int cells)
{
    int c = (int)get_global_id(0), sum = 0;
    if (c * 256 >= cells) {
        return;
    }
    for (int k = c * 256; k < c * 256 + 256 && k < cells; k++) {
        sum += count[k];
    }
    chunk[c] = sum;
}
__kernel void crm_scan_chunks(__global int *chunk, int chunks)
{
    int sum = 0;
    for (int c = 0; c < chunks; c++) {
        int own = chunk[c];
        chunk[c] = sum;
        sum += own;
    }
}
__kernel void crm_scan_cells(__global const int *count, __global const int *chunk, __global int *start, int cells)
{
    int c = (int)get_global_id(0);
    if (c * 256 >= cells) {
        return;
    }
    int sum = chunk[c];
    for (int k = c * 256; k < c * 256 + 256 && k < cells; k++) {
        start[k] = sum;
        sum += count[k];
        if (k == cells - 1) {
            start[cells] = sum;
        }
    }
}

__kernel void crm_place(__global int *scratch, __global const int *start, __global int *count, int n, int room)
{
    int i = (int)get_global_id(0);
    if (i < n) {
        int key = KEY(scratch, room)[i];
        ORDER(scratch, room)[start[key] + atomic_dec(&count[key]) - 1] = i;
    }
}

/* particles keep their order within a cell, whatever order the atomics came in */
__kernel void crm_tidy(__global const int *start, __global int *scratch, int cells, int room)
{
    int c = (int)get_global_id(0);
    __global int *order = ORDER(scratch, room);
    if (c >= cells) {
        return;
    }
    for (int k = start[c] + 1; k < start[c + 1]; k++) {
        int own = order[k], to = k;
        while (to > start[c] && order[to - 1] > own) {
            order[to] = order[to - 1];
            to--;
        }
        order[to] = own;
    }
}
