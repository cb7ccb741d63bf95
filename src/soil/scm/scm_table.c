/* src/soil/scm_table.c - the profile of a wheel into a table of its underside: for every spin angle, the
 * lowest point over each place.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "scm.h"

static const double fine = TYI_SOIL_PROFILE_FINE; /* [m] of rim between spin angles, and of way between columns */
static const size_t most = 96u << 20;             /* bytes of a table; beyond, it is made coarser */

void tyi_soil_table_free(tyi_soil_table *t, const ty_alloc *alloc)
{
    tyi_put(alloc, t->at, (size_t)t->rows * (size_t)t->slices * (size_t)t->columns * sizeof *t->at);
    *t = (tyi_soil_table){ 0 };
}

/* the part of a segment over each column, where it is lower than what is there */
static void rasterise(const tyi_soil_table *t, double *height, double xa, double za, double xb, double zb)
{
    if (xa > xb) {
        double x = xa, z = za;
        xa = xb;
        za = zb;
        xb = x;
        zb = z;
    }
    int i = (int)ceil((xa - t->first) / t->step), end = (int)floor((xb - t->first) / t->step);
    double slope = xb > xa ? (zb - za) / (xb - xa) : 0.0;
    i = i < 0 ? 0 : i;
    end = end > t->columns - 1 ? t->columns - 1 : end;
    for (; i <= end; i++) {
        double z = za + slope * (t->first + i * t->step - xa);
        height[i] = z < height[i] ? z : height[i];
    }
}

/* lowest point over each column of a wheel turned forward by `angle`, above the outer circle's */
static void envelope(const tyi_soil_table *t, const tyi_soil_profile *p, const double *radius, double angle,
                     double *height)
{
    double column = t->sector / p->columns;
    int range = (int)(1.65 / column); /* somewhat more than the lower half */
    long start = lround(angle / column);
    double xa = 0.0, za = 0.0;
    for (int i = 0; i < t->columns; i++) {
        height[i] = 2.0 * p->outer;
    }
    for (int k = -range; k <= range; k++) {
        long at = (start + k) % p->columns;
        at = at < 0 ? at + p->columns : at;
        double theta = k * column, x = radius[at] * sin(theta), z = p->outer - radius[at] * cos(theta);
        if (k > -range) {
            rasterise(t, height, xa, za, x, z);
        }
        xa = x;
        za = z;
    }
}

/* mean and lowest within +- half a cell of each column; `work` holds the indices of a rising queue */
static void widen(const tyi_soil_table *t, const double *height, int half, int *work, tyi_soil_under *out)
{
    double sum = 0.0;
    int head = 0, tail = 0, n = t->columns;
    for (int i = 0; i < 2 * half + 1 && i < n; i++) {
        sum += height[i];
    }
    for (int i = 0, next = 0; i < n; i++) {
        for (; next < n && next <= i + half; next++) {
            while (tail > head && height[work[tail - 1]] >= height[next]) {
                tail--;
            }
            work[tail++] = next;
        }
        while (work[head] < i - half) {
            head++;
        }
        int first = i - half < 0 ? 0 : i + half >= n ? n - 1 - 2 * half : i - half;
        if (first > 0 && i - half == first) {
            sum += height[first + 2 * half] - height[first - 1];
        }
        double mean = sum / (2 * half + 1);
        out[i].point = (uint16_t)lround(ty_k_clamp(height[i] / t->unit, 0.0, 65535.0));
        out[i].mean = (uint16_t)lround(ty_k_clamp(mean / t->unit, 0.0, 65535.0));
        out[i].low = (uint16_t)lround(ty_k_clamp(height[work[head]] / t->unit, 0.0, 65535.0));
    }
}

/* the whole wheel first, then what carries, which may be the same */
static void make_row(const tyi_soil_table *t, const tyi_soil_profile *p, int slice, double angle, int half,
                     double *height, int *work, tyi_soil_under *out)
{
    size_t first = (size_t)slice * (size_t)p->columns;
    envelope(t, p, p->radius + first, angle, height);
    widen(t, height, half, work, out);
    for (int i = 0; i < t->columns; i++) {
        out[i].tip = out[i].point;
        out[i].tips = out[i].mean;
    }
    if (p->lug_h > 0.0) {
        envelope(t, p, p->carry + first, angle, height);
        widen(t, height, half, work, out);
    }
}

ty_status tyi_soil_table_make(tyi_soil_table *t, const tyi_soil_profile *p, double sector, double cell,
                              const ty_alloc *alloc, ty_diag *diag)
{
    double step = fine;
    *t = (tyi_soil_table){ .slices = p->slices, .sector = sector, .unit = 2.2 * p->outer / 65535.0 };
    do {
        t->step = step;
        t->columns = 2 * (int)(1.02 * p->outer / step) + 1;
        t->first = -step * (t->columns / 2);
        t->rows = (int)ceil(sector * p->outer / step);
        step *= 1.25;
    } while ((double)t->rows * t->columns * t->slices * (double)sizeof *t->at > (double)most);
    size_t cells = (size_t)t->rows * (size_t)t->slices * (size_t)t->columns;
    size_t columns = (size_t)t->columns;
    double *height = tyi_get(alloc, columns * sizeof *height);
    int *work = tyi_get(alloc, columns * sizeof *work);
    t->at = tyi_get(alloc, cells * sizeof *t->at);
    if (height && work && t->at) {
        int half = (int)lround(0.5 * cell / t->step);
        half = half < 1 ? 1 : half > t->columns / 4 ? t->columns / 4 : half;
        for (int row = 0; row < t->rows; row++) {
            for (int slice = 0; slice < t->slices; slice++) {
                make_row(t, p, slice, sector * row / t->rows, half, height, work,
                         t->at + ((size_t)row * (size_t)t->slices + (size_t)slice) * columns);
            }
        }
    }
    bool ok = height && work && t->at;
    tyi_put(alloc, height, columns * sizeof *height);
    tyi_put(alloc, work, columns * sizeof *work);
    if (!ok) {
        tyi_soil_table_free(t, alloc);
        return ty_fail(diag, TY_ERR_MEMORY, "scm: no memory for the profile of a wheel (%zu bytes)",
                       cells * sizeof *t->at);
    }
    return TY_OK;
}
