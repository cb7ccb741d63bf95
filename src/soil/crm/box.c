/* src/soil/crm/box.c - places as integers, cells.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "box.h"
#include <math.h>
#include <string.h>

ty_status tyi_crm_box_make(const char *who, ty_vec3 low, ty_vec3 high, const bool *periodic, double reach, int near,
                           double least, double most, tyi_crm_box *out, ty_diag *diag)
{
    out->near = near;
    const double from[3] = { low.x, low.y, low.z }, to[3] = { high.x, high.y, high.z };
    for (int k = 0; k < 3; k++) {
        double length = to[k] - from[k], shortest = periodic[k] ? 2.0 * reach : least;
        if (!(length >= shortest && length <= most)) {
            return ty_fail(diag, TY_ERR_RANGE,
                           "%s: the box is %g m long along %c, but takes %g to %g m for particles of this size%s", who,
                           length, "xyz"[k], shortest, most, periodic[k] ? " (periodic)" : "");
        }
        out->corner[k] = from[k];
        out->periodic[k] = periodic[k];
        out->unit[k] = length / (periodic[k] ? 0x1p32 : 0x1p30);
        out->inv[k] = 1.0 / out->unit[k];
        out->low[k] = periodic[k] ? INT32_MIN : -(1 << 29);
        out->cells[k] = (int)fmax(floor(length * near / reach), 1.0);
        double units = ceil((periodic[k] ? 0x1p32 : 0x1p30) / out->cells[k]);
        out->cell[k] = (uint32_t)fmin(units, 4294967295.0);
    }
    return TY_OK;
}

size_t tyi_crm_box_cells(const tyi_crm_box *box)
{
    return (size_t)box->cells[0] * (size_t)box->cells[1] * (size_t)box->cells[2];
}

int32_t tyi_crm_box_units(const tyi_crm_box *box, int axis, double x)
{
    double u = rint((x - box->corner[axis]) * box->inv[axis]);
    if (box->periodic[axis]) {
        return (int32_t)((uint32_t)box->low[axis] + (uint32_t)(int64_t)u);
    }
    return (int32_t)(box->low[axis] + u);
}

tyi_crm_i4 tyi_crm_box_place(const tyi_crm_box *box, ty_vec3 x)
{
    return (tyi_crm_i4){ tyi_crm_box_units(box, 0, x.x), tyi_crm_box_units(box, 1, x.y), tyi_crm_box_units(box, 2, x.z),
                         0 };
}

ty_vec3 tyi_crm_box_point(const tyi_crm_box *box, tyi_crm_i4 x)
{
    double p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = box->corner[k] + box->unit[k] * ((double)x[k] - (double)box->low[k]);
    }
    return ty_vec3_make(p[0], p[1], p[2]);
}

int tyi_crm_box_outside(const tyi_crm_box *box, tyi_crm_i4 x)
{
    for (int k = 0; k < 3; k++) {
        if (!box->periodic[k] && (x[k] > TYI_CRM_OUTSIDE || x[k] < -TYI_CRM_OUTSIDE)) {
            return k;
        }
    }
    return -1;
}

bool tyi_crm_box_holds(const tyi_crm_box *box, ty_vec3 high, ty_vec3 x, int *axis)
{
    const double p[3] = { x.x, x.y, x.z }, to[3] = { high.x, high.y, high.z };
    for (*axis = 0; *axis < 3; ++*axis) {
        int k = *axis;
        if (!(box->periodic[k] ? fabs(p[k]) < 1e8 : p[k] >= box->corner[k] && p[k] <= to[k])) {
            return false;
        }
    }
    return true;
}

/* Particles outside the box count to its outermost cells; two that are neighbours stay in cells as near. */
static int cell_of(const tyi_crm_box *box, int axis, int32_t x)
{
    if (box->periodic[axis]) {
        return (int)(((uint32_t)x - (uint32_t)box->low[axis]) / box->cell[axis]);
    }
    int64_t from = (int64_t)x - box->low[axis];
    int64_t c = from < 0 ? 0 : from / box->cell[axis];
    return c < box->cells[axis] ? (int)c : box->cells[axis] - 1;
}

static uint32_t key_of(const tyi_crm_box *box, tyi_crm_i4 x)
{
    uint32_t cx = (uint32_t)cell_of(box, 0, x[0]), cy = (uint32_t)cell_of(box, 1, x[1]),
             cz = (uint32_t)cell_of(box, 2, x[2]);
    return (cz * (uint32_t)box->cells[1] + cy) * (uint32_t)box->cells[0] + cx;
}

void tyi_crm_box_count(const tyi_crm_box *box, const tyi_crm_i4 *x, size_t n, uint32_t *key, uint32_t *start)
{
    size_t cells = tyi_crm_box_cells(box);
    memset(start, 0, (cells + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++) {
        key[i] = key_of(box, x[i]);
        start[key[i] + 1]++;
    }
    for (size_t c = 0; c < cells; c++) {
        start[c + 1] += start[c];
    }
}

tyi_crm_device_box tyi_crm_box_send(const tyi_crm_box *box, double reach2, size_t n, int most)
{
    tyi_crm_device_box b = { .reach2 = (float)reach2, .n = (int32_t)n, .most = most, .near = box->near };
    for (int k = 0; k < 3; k++) {
        b.cells[k] = box->cells[k];
        b.cell[k] = box->cell[k];
        b.low[k] = box->low[k];
        b.periodic[k] = box->periodic[k];
        b.unit[k] = (float)box->unit[k];
        b.inv[k] = (float)box->inv[k];
    }
    return b;
}

/* The cells along an axis that lie near cell c, without one twice. */
static int around(const tyi_crm_box *box, int axis, int c, int *out)
{
    int n = 0, cells = box->cells[axis];
    if (box->periodic[axis] && cells < 2 * box->near + 1) {
        for (int k = 0; k < cells; k++) {
            out[n++] = k;
        }
        return n;
    }
    for (int k = c - box->near; k <= c + box->near; k++) {
        if (box->periodic[axis]) {
            out[n++] = (k + cells) % cells;
        } else if (k >= 0 && k < cells) {
            out[n++] = k;
        }
    }
    return n;
}

tyi_crm_around tyi_crm_box_around(const tyi_crm_box *box, tyi_crm_i4 x)
{
    tyi_crm_around a = { .runs = 1 };
    int cell[TYI_CRM_NEAR], cells = around(box, 0, cell_of(box, 0, x[0]), cell);
    a.ny = around(box, 1, cell_of(box, 1, x[1]), a.y);
    a.nz = around(box, 2, cell_of(box, 2, x[2]), a.z);
    a.x[0] = cell[0];
    for (int k = 0; k < cells; k++) {
        if (k && cell[k] != cell[k - 1] + 1) {
            a.x[a.runs++] = cell[k];
        }
        a.wide[a.runs - 1]++;
    }
    return a;
}
