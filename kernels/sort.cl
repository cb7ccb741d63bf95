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
    int n, most, near; /* particles, most neighbours of one, cells on each side that they are in */
} crm_box;

/* Beds that are sorted together, get_global_id(1) counts them: where their particles are, in room for so many each, and how many. */
#define BEDS 8
typedef struct crm_beds {
    int slot[BEDS], n[BEDS];
} crm_beds;

static inline int cells_of(const crm_box *b)
{
    return b->cells[0] * b->cells[1] * b->cells[2];
}

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
    if (b->periodic[axis] && cells < 2 * b->near + 1) {
        for (int k = 0; k < cells; k++) {
            out[n++] = k;
        }
        return n;
    }
    for (int k = c - b->near; k <= c + b->near; k++) {
        if (b->periodic[axis]) {
            out[n++] = (k + cells) % cells;
        } else if (k >= 0 && k < cells) {
            out[n++] = k;
        }
    }
    return n;
}

/* The rows of cells around a place, in the order in which lists name them; along x as runs of cells that follow each other, two where they wrap. */
#define NEAR 5
typedef struct crm_around {
    int cx[2], wide[2], runs, cy[NEAR], cz[NEAR], ny, nz;
} crm_around;

static inline crm_around around_of(const crm_box *b, int4 x)
{
    crm_around a;
    int cell[NEAR], cells = around(b, 0, cell_of(b, 0, x.x), cell);
    a.ny = around(b, 1, cell_of(b, 1, x.y), a.cy);
    a.nz = around(b, 2, cell_of(b, 2, x.z), a.cz);
    a.runs = 1;
    a.cx[0] = cell[0];
    a.wide[0] = 1;
    for (int k = 1; k < cells; k++) {
        if (cell[k] == cell[k - 1] + 1) {
            a.wide[a.runs - 1]++;
        } else {
            a.cx[1] = cell[k];
            a.wide[1] = 1;
            a.runs = 2;
        }
    }
    return a;
}

/* While particles are sorted: their keys, and their order; `wide` numbers for each particle that there is room for. */
#define KEY(scratch, room)   (scratch)
#define ORDER(scratch, room) ((scratch) + (room))

__kernel void crm_key(__global const int4 *x, __global int *scratch, __global int *count, crm_box b, int room, int wide, crm_beds beds)
{
    int i = (int)get_global_id(0), bed = (int)get_global_id(1), slot = beds.slot[bed];
    if (i < beds.n[bed]) {
        __global int *key = KEY(scratch + (size_t)slot * (size_t)room * (size_t)wide, room);
        count += (size_t)slot * (size_t)(cells_of(&b) + 1);
        int4 at = x[(size_t)slot * (size_t)room + (size_t)i];
        int k = (cell_of(&b, 2, at.z) * b.cells[1] + cell_of(&b, 1, at.y)) * b.cells[0] + cell_of(&b, 0, at.x);
        key[i] = k;
        atomic_inc(&count[k]);
    }
}

/* before a sub-step; all: the last one was asked how it went */
__kernel void crm_reset(__global int *stat, int all)
{
    if (get_global_id(0) == 0) {
        stat[1] = stat[4] = stat[5] = 0;
        if (all) {
            stat[0] = stat[2] = stat[3] = 0;
        }
    }
}

__kernel void crm_clear_cells(__global int *count, int cells, crm_beds beds)
{
    int i = (int)get_global_id(0);
    if (i < cells) {
        count[(size_t)beds.slot[get_global_id(1)] * (size_t)(cells + 1) + (size_t)i] = 0;
    }
}

__kernel void crm_clear(__global int *a, int n)
{
    int i = (int)get_global_id(0);
    if (i < n) {
        a[i] = 0;
    }
}

/* Starts of cells from their counts, in chunks of 256, a group each: sums of chunks, starts of chunks (one group), starts of cells. */
#define SCAN 128 /* work items of these groups, two cells each */

/* the sum of what this item and those before it have */
static inline int scan_group(__local int *sum, int own)
{
    int item = (int)get_local_id(0);
    sum[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < SCAN; d *= 2) {
        int below = item >= d ? sum[item - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum[item] += below;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sum[item];
}
#define CHUNKS(cells) (((cells) + 2 * SCAN - 1) / (2 * SCAN)) /* of a bed */
__kernel void crm_scan_sum(__global const int *count, __global int *chunk, int cells, crm_beds beds)
{
    __local int sum[SCAN];
    size_t slot = (size_t)beds.slot[get_global_id(1)];
    count += slot * (size_t)(cells + 1);
    chunk += slot * (size_t)CHUNKS(cells);
    int k = 2 * (int)get_global_id(0);
    int all = scan_group(sum, (k < cells ? count[k] : 0) + (k + 1 < cells ? count[k + 1] : 0));
    if (get_local_id(0) == SCAN - 1) {
        chunk[get_group_id(0)] = all;
    }
}
__kernel void crm_scan_chunks(__global int *chunk, int cells, crm_beds beds)
{
    __local int sum[SCAN];
    int chunks = CHUNKS(cells);
    chunk += (size_t)beds.slot[get_global_id(1)] * (size_t)chunks;
    int before = 0;
    for (int first = 0; first < chunks; first += SCAN) {
        int c = first + (int)get_local_id(0), own = c < chunks ? chunk[c] : 0, upto = scan_group(sum, own);
        if (c < chunks) {
            chunk[c] = before + upto - own;
        }
        before += sum[SCAN - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
__kernel void crm_scan_cells(__global const int *count, __global const int *chunk, __global int *start, int cells, crm_beds beds)
{
    __local int sum[SCAN];
    size_t slot = (size_t)beds.slot[get_global_id(1)];
    count += slot * (size_t)(cells + 1);
    start += slot * (size_t)(cells + 1);
    chunk += slot * (size_t)CHUNKS(cells);
    int k = 2 * (int)get_global_id(0), a = k < cells ? count[k] : 0, b = k + 1 < cells ? count[k + 1] : 0;
    int upto = chunk[get_group_id(0)] + scan_group(sum, a + b);
    if (k < cells) {
        start[k] = upto - a - b;
    }
    if (k + 1 < cells) {
        start[k + 1] = upto - b;
    }
    if (k < cells && k + 2 >= cells) {
        start[cells] = upto;
    }
}

__kernel void crm_place(__global int *scratch, __global const int *start, __global int *count, int cells, int room, int wide, crm_beds beds)
{
    int i = (int)get_global_id(0), bed = (int)get_global_id(1);
    size_t slot = (size_t)beds.slot[bed];
    scratch += slot * (size_t)room * (size_t)wide;
    start += slot * (size_t)(cells + 1);
    count += slot * (size_t)(cells + 1);
    if (i < beds.n[bed]) {
        int key = KEY(scratch, room)[i];
        ORDER(scratch, room)[start[key] + atomic_dec(&count[key]) - 1] = i;
    }
}

/* particles keep their order within a cell, whatever order the atomics came in */
__kernel void crm_tidy(__global const int *start, __global int *scratch, int cells, int room, int wide, crm_beds beds)
{
    int c = (int)get_global_id(0);
    size_t slot = (size_t)beds.slot[get_global_id(1)];
    scratch += slot * (size_t)room * (size_t)wide;
    start += slot * (size_t)(cells + 1);
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
