/* src/world/terrain/patch.c - resident heights with their pyramid of bounds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "patch.h"
#include <string.h>
#include "core/core.h"
#include "inner.h"

static inline float minf(float a, float b)
{
    return a < b ? a : b;
}
static inline float maxf(float a, float b)
{
    return a > b ? a : b;
}

/* Bounds along one row of samples: cell i lies between samples i+1 and i+2, and the cubic there stays inside the
 * hull of its Bezier points p1, p1 + (p2 - p0)/6, p2 - (p3 - p1)/6, p2. */
TYI_PER_ISA static void row_bounds(const float *restrict h, int cells, float *restrict low, float *restrict high)
{
    const float sixth = 1.0f / 6.0f;
    for (int i = 0; i < cells; i++) {
        float a = h[i + 1], b = h[i + 2];
        float c = a + (b - h[i]) * sixth, d = b - (h[i + 3] - a) * sixth;
        low[i] = minf(minf(a, b), minf(c, d));
        high[i] = maxf(maxf(a, b), maxf(c, d));
    }
}

/* Bounds of a row of cells from the bounds of four rows of samples: the same hull across, with intervals. */
TYI_PER_ISA static void cell_bounds(const float *restrict l0, const float *restrict l1, const float *restrict l2,
                                    const float *restrict l3, const float *restrict h0, const float *restrict h1,
                                    const float *restrict h2, const float *restrict h3, int cells,
                                    float *restrict bottom, float *restrict top)
{
    const float sixth = 1.0f / 6.0f, slack = 1e-6f; /* slack: rounding of the surface's own evaluation */
    for (int i = 0; i < cells; i++) {
        float lc = l1[i] + (l2[i] - h0[i]) * sixth, ld = l2[i] - (h3[i] - l1[i]) * sixth;
        float hc = h1[i] + (h2[i] - l0[i]) * sixth, hd = h2[i] - (l3[i] - h1[i]) * sixth;
        float low = minf(minf(l1[i], l2[i]), minf(lc, ld)), high = maxf(maxf(h1[i], h2[i]), maxf(hc, hd));
        float margin = slack * (maxf(high, -low) + 1.0f);
        bottom[i] = low - margin;
        top[i] = high + margin;
    }
}

/* one row of a coarser level from two rows of the finer one; n nodes, all of which have two children across */
TYI_PER_ISA static void merge_rows(const float *restrict a, const float *restrict b, int n, float *restrict out,
                                   bool high)
{
    if (high) {
        for (int i = 0; i < n; i++) {
            out[i] = maxf(maxf(a[2 * i], a[2 * i + 1]), maxf(b[2 * i], b[2 * i + 1]));
        }
    } else {
        for (int i = 0; i < n; i++) {
            out[i] = minf(minf(a[2 * i], a[2 * i + 1]), minf(b[2 * i], b[2 * i + 1]));
        }
    }
}

/* level 0 of the pyramid for cells x0..x1, y0..y1 */
static void bound_cells(ty_terrain_patch *p, int x0, int x1, int y0, int y1)
{
    const ty_k_field *f = &p->field;
    int n = x1 - x0 + 1;
    float *low[4], *high[4]; /* bounds of four rows of samples, reused in turn */
    for (int k = 0; k < 4; k++) {
        low[k] = p->spare + (size_t)(2 * k) * (size_t)f->stride;
        high[k] = low[k] + f->stride;
    }
    for (int j = y0; j <= y1 + 3; j++) {
        row_bounds(p->h + (size_t)j * (size_t)f->stride + x0, n, low[j & 3], high[j & 3]);
        int y = j - 3;
        if (y >= y0) {
            size_t at = (size_t)y * (size_t)f->width[0] + (size_t)x0;
            cell_bounds(low[y & 3], low[(y + 1) & 3], low[(y + 2) & 3], low[(y + 3) & 3], high[y & 3],
                        high[(y + 1) & 3], high[(y + 2) & 3], high[(y + 3) & 3], n, p->bottom + at, p->top + at);
        }
    }
}

/* the pyramid over cells x0..x1, y0..y1 */
static void bound(ty_terrain_patch *p, int x0, int x1, int y0, int y1)
{
    const ty_k_field *f = &p->field;
    bound_cells(p, x0, x1, y0, y1);
    int rows = f->cy;
    for (int k = 1; k < f->levels; k++) {
        int width = f->width[k - 1];
        x0 >>= 1, x1 >>= 1, y0 >>= 1, y1 >>= 1;
        for (int y = y0; y <= y1; y++) {
            int second = 2 * y + 1 < rows ? 2 * y + 1 : 2 * y;
            for (int side = 0; side < 2; side++) {
                float *all = side ? p->top : p->bottom;
                const float *a = all + f->start[k - 1] + (size_t)(2 * y) * (size_t)width;
                const float *b = all + f->start[k - 1] + (size_t)second * (size_t)width;
                float *out = all + f->start[k] + (size_t)y * (size_t)f->width[k];
                int whole = 2 * x1 + 1 < width ? x1 : x1 - 1; /* the last column may have one child */
                merge_rows(a + 2 * x0, b + 2 * x0, whole - x0 + 1, out + x0, side);
                if (whole < x1) {
                    out[x1] = side ? maxf(a[2 * x1], b[2 * x1]) : minf(a[2 * x1], b[2 * x1]);
                }
            }
        }
        rows = (rows + 1) / 2;
    }
}

static void layout(ty_terrain_patch *p)
{
    ty_k_field *f = &p->field;
    *f = (ty_k_field){ .stride = p->nx, .cx = p->nx - 3, .cy = p->ny - 3 };
    int w = f->cx, r = f->cy;
    for (;;) {
        TY_ASSERT(f->levels < TY_K_FIELD_LEVELS);
        f->start[f->levels] = (ty_i32)p->nodes;
        f->width[f->levels++] = w;
        p->nodes += (size_t)w * (size_t)r;
        if (w == 1 && r == 1) {
            break;
        }
        w = (w + 1) / 2;
        r = (r + 1) / 2;
    }
}

static size_t samples(const ty_terrain_patch *p)
{
    return (size_t)p->nx * (size_t)p->ny;
}

#define SPARE_ROWS 8

void ty_terrain_patch_destroy(ty_terrain_patch *patch)
{
    if (patch) {
        tyi_put(patch->alloc, patch->natural, samples(patch) * sizeof(float));
        tyi_put(patch->alloc, patch->h, samples(patch) * sizeof(float));
        tyi_put(patch->alloc, patch->top, patch->nodes * sizeof(float));
        tyi_put(patch->alloc, patch->bottom, patch->nodes * sizeof(float));
        tyi_put(patch->alloc, patch->spare, SPARE_ROWS * (size_t)patch->nx * sizeof(float));
        tyi_terrain_rock_bins_free(&patch->bins, patch->alloc);
        tyi_put(patch->alloc, patch, sizeof *patch);
    }
}

static ty_status fill(ty_terrain_patch *p, int threads, ty_diag *diag)
{
    ty_terrain *t = p->terrain;
    /* heights are kept relative to the middle of the untouched ground */
    float middle = 0.0f;
    ty_status status =
        tyi_terrain_region(t, p->level, p->i0 + p->nx / 2, p->j0 + p->ny / 2, 1, 1, 0.0, false, &middle, 1, diag);
    p->z0 = (double)middle;
    if (status == TY_OK) {
        status = tyi_terrain_region(t, p->level, p->i0, p->j0, p->nx, p->ny, p->z0, false, p->natural, threads, diag);
    }
    if (status == TY_OK) {
        memcpy(p->h, p->natural, samples(p) * sizeof *p->h);
        tyi_terrain_edits_add(&t->edits, p->level, p->i0, p->j0, p->nx, p->ny, p->h);
        p->version = t->edits.journal.version;
        bound(p, 0, p->field.cx - 1, 0, p->field.cy - 1);
    }
    return status;
}

ty_status ty_terrain_patch_create(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int32_t nx, int32_t ny,
                                  int threads, ty_terrain_patch **out, ty_diag *diag)
{
    *out = NULL;
    if (level < 0 || level >= ty_terrain_levels(terrain) || nx < 4 || ny < 4 || nx > 16384 || ny > 16384) {
        return ty_fail(diag, TY_ERR_RANGE,
                       "patch: level %d with %d x %d samples, but levels 0 to %d with 4 to 16384 "
                       "samples a side are accepted",
                       level, (int)nx, (int)ny, ty_terrain_levels(terrain) - 1);
    }
    const ty_alloc *alloc = terrain->alloc;
    ty_terrain_patch *p = tyi_get(alloc, sizeof *p);
    if (!p) {
        return ty_fail(diag, TY_ERR_MEMORY, "patch: no memory");
    }
    p->terrain = terrain, p->alloc = alloc, p->level = level;
    p->i0 = i0, p->j0 = j0, p->nx = nx, p->ny = ny;
    p->d = ty_terrain_spacing(terrain, level);
    layout(p);
    p->natural = tyi_get(alloc, samples(p) * sizeof(float));
    p->h = tyi_get(alloc, samples(p) * sizeof(float));
    p->top = tyi_get(alloc, p->nodes * sizeof(float));
    p->bottom = tyi_get(alloc, p->nodes * sizeof(float));
    p->spare = tyi_get(alloc, SPARE_ROWS * (size_t)nx * sizeof(float));
    ty_status status = TY_OK;
    if (!p->natural || !p->h || !p->top || !p->bottom || !p->spare) {
        status = ty_fail(diag, TY_ERR_MEMORY, "patch: no memory for %d x %d samples", (int)nx, (int)ny);
    } else {
        status = fill(p, threads, diag);
    }
    if (status != TY_OK) {
        ty_terrain_patch_destroy(p);
        return status;
    }
    *out = p;
    return TY_OK;
}

/* takes the part of r (samples of the patch's level) that lies in the patch; false where there is none */
static bool clip(const ty_terrain_patch *p, const int32_t r[4], int *x0, int *x1, int *y0, int *y1)
{
    *x0 = r[0] > p->i0 ? r[0] - p->i0 : 0;
    *y0 = r[1] > p->j0 ? r[1] - p->j0 : 0;
    *x1 = (r[0] + r[2] < p->i0 + p->nx ? r[0] + r[2] - p->i0 : p->nx) - 1;
    *y1 = (r[1] + r[3] < p->j0 + p->ny ? r[1] + r[3] - p->j0 : p->ny) - 1;
    return *x0 <= *x1 && *y0 <= *y1;
}

static int limit(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

void tyi_terrain_patch_sync(ty_terrain_patch *patch)
{
    tyi_terrain_edits *e = &patch->terrain->edits;
    for (; patch->version < e->journal.version; patch->version++) {
        int32_t rect[4], r[4];
        int x0, x1, y0, y1;
        tyi_terrain_journal_rect(&e->journal, patch->version + 1, rect);
        tyi_terrain_edits_spread(e, patch->level, rect, r);
        if (!clip(patch, r, &x0, &x1, &y0, &y1)) {
            continue;
        }
        /* row by row, so that the changes are read straight into place */
        for (int y = y0; y <= y1; y++) {
            size_t at = (size_t)y * (size_t)patch->nx + (size_t)x0;
            memcpy(patch->h + at, patch->natural + at, (size_t)(x1 - x0 + 1) * sizeof(float));
            tyi_terrain_edits_add(e, patch->level, patch->i0 + x0, patch->j0 + y, x1 - x0 + 1, 1, patch->h + at);
        }
        /* a sample is part of the cells three before it */
        const ty_k_field *f = &patch->field;
        bound(patch, limit(x0 - 3, 0, f->cx - 1), limit(x1, 0, f->cx - 1), limit(y0 - 3, 0, f->cy - 1),
              limit(y1, 0, f->cy - 1));
    }
}

ty_rect ty_terrain_patch_rect(const ty_terrain_patch *p)
{
    return (ty_rect){ (p->i0 + 1) * p->d, (p->j0 + 1) * p->d, (p->i0 + p->nx - 2) * p->d, (p->j0 + p->ny - 2) * p->d };
}
