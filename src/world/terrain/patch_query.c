/* src/world/terrain/patch_query.c - heights and rays on a patch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "patch.h"
#include "inner.h"

/* Points are taken in groups: all places are found first and their rows asked from memory, then evaluated, so
 * that the waits for memory overlap (random points on a large patch miss every cache). */
#define GROUP 16

TYI_PER_ISA static void sample(const ty_terrain_patch *patch, const float *heights, size_t n, const double *x,
                               const double *y, ty_terrain_ground *out)
{
    const ty_k_field f = patch->field;
    const double inv = 1.0 / patch->d, ox = patch->i0 + 1, oy = patch->j0 + 1;
    for (size_t start = 0; start < n; start += GROUP) {
        int count = n - start < GROUP ? (int)(n - start) : GROUP;
        double u[GROUP], v[GROUP];
        const float *at[GROUP];
        for (int k = 0; k < count; k++) {
            double gx = ty_k_clamp(x[start + (size_t)k] * inv - ox, 0.0, f.cx);
            double gy = ty_k_clamp(y[start + (size_t)k] * inv - oy, 0.0, f.cy);
            int i = (int)gx < f.cx ? (int)gx : f.cx - 1, j = (int)gy < f.cy ? (int)gy : f.cy - 1;
            u[k] = gx - i;
            v[k] = gy - j;
            at[k] = heights + (size_t)j * (size_t)f.stride + (size_t)i;
            for (int row = 0; row < 4 && count > 1; row++) {
                __builtin_prefetch(at[k] + row * f.stride);
            }
        }
        for (int k = 0; k < count; k++) {
            ty_k_ground g = ty_k_cell(at[k], f.stride, u[k], v[k]);
            out[start + (size_t)k] = (ty_terrain_ground){ patch->z0 + g.z, (float)(g.zx * inv), (float)(g.zy * inv) };
        }
    }
}

void ty_terrain_patch_sample(const ty_terrain_patch *patch, size_t n, const double *x, const double *y,
                             ty_terrain_ground *out)
{
    sample(patch, patch->h, n, x, y, out);
}

void tyi_terrain_patch_sample_natural(const ty_terrain_patch *patch, size_t n, const double *x, const double *y,
                                      ty_terrain_ground *out)
{
    sample(patch, patch->natural, n, x, y, out);
}

static ty_k_line line_of(const ty_terrain_patch *p, const ty_ray *ray)
{
    double inv = 1.0 / p->d;
    return (ty_k_line){ ray->origin.x * inv - (p->i0 + 1),
                        ray->origin.y * inv - (p->j0 + 1),
                        ray->origin.z - p->z0,
                        ray->direction.x * inv,
                        ray->direction.y * inv,
                        ray->direction.z };
}

/* Rays walk in lanes: the arrays below are a ty_k_walk per lane, turned over so that a step of all lanes is a few
 * vector operations. A lane that stops at a cell is tested by itself; a lane that is done takes the next ray. */
#define LANES 16

typedef struct lanes {
    double px[LANES], py[LANES], pz[LANES], dx[LANES], dy[LANES], dz[LANES], idx[LANES], idy[LANES];
    double t[LANES], t1[LANES], side[LANES];
    int32_t ix[LANES], iy[LANES], level[LANES], leaf[LANES], end[LANES];
} lanes;

static inline ty_k_walk get_lane(const lanes *l, int k)
{
    return (ty_k_walk){ l->px[k], l->py[k], l->pz[k],   l->dx[k], l->dy[k], l->dz[k],    l->idx[k],  l->idy[k],
                        l->t[k],  l->t1[k], l->side[k], l->ix[k], l->iy[k], l->level[k], l->leaf[k], l->end[k] };
}

static inline void put_lane(lanes *l, int k, ty_k_walk w)
{
    l->px[k] = w.px, l->py[k] = w.py, l->pz[k] = w.pz, l->dx[k] = w.dx, l->dy[k] = w.dy, l->dz[k] = w.dz;
    l->idx[k] = w.idx, l->idy[k] = w.idy, l->t[k] = w.t, l->t1[k] = w.t1, l->side[k] = w.side;
    l->ix[k] = w.ix, l->iy[k] = w.iy, l->level[k] = w.level, l->leaf[k] = w.leaf, l->end[k] = w.end;
}

TYI_PER_ISA static void step_lanes(lanes *restrict l, const ty_k_field *restrict f, const float *restrict top,
                                   const float *restrict bottom)
{
    float bound[LANES];
    for (int k = 0; k < LANES; k++) {
        int node = f->start[l->level[k]] + l->iy[k] * f->width[l->level[k]] + l->ix[k];
        bound[k] = (l->side[k] > 0.0 ? top : bottom)[node];
    }
#ifndef __clang__
#pragma GCC ivdep
#pragma GCC unroll 1
#endif
    for (int k = 0; k < LANES; k++) {
        ty_k_walk w = ty_k_walk_step(f->cx, f->cy, f->levels, (double)bound[k], get_lane(l, k));
        l->t[k] = w.t, l->ix[k] = w.ix, l->iy[k] = w.iy, l->level[k] = w.level, l->leaf[k] = w.leaf, l->end[k] = w.end;
    }
}

static void finish(const ty_terrain_patch *p, const ty_ray *ray, double t, ty_terrain_hit *hit)
{
    *hit = (ty_terrain_hit){ .t = INFINITY };
    if (t >= 0.0) {
        double x = ray->origin.x + t * ray->direction.x, y = ray->origin.y + t * ray->direction.y;
        ty_terrain_ground g;
        ty_terrain_patch_sample(p, 1, &x, &y, &g);
        hit->t = t;
        hit->normal = ty_terrain_ground_normal(g);
    }
    if (p->bins.rocks) {
        tyi_terrain_rock_bins_ray(&p->bins, p, ray, hit);
    }
}

TYI_PER_ISA void ty_terrain_patch_rays(const ty_terrain_patch *patch, size_t n, const ty_ray *rays,
                                       ty_terrain_hit *hits)
{
    const ty_k_field f = patch->field;
    lanes l;
    size_t which[LANES], next = 0;
    int busy = 0;
    for (int k = 0; k < LANES; k++) { /* idle lanes stand on a node that exists and have ended */
        put_lane(&l, k, (ty_k_walk){ .end = 1, .side = 1.0, .level = f.levels - 1 });
        which[k] = SIZE_MAX;
    }
    do {
        step_lanes(&l, &f, patch->top, patch->bottom);
        for (int k = 0; k < LANES; k++) {
            double t = -1.0;
            if (!l.leaf[k] && !l.end[k]) {
                continue;
            }
            if (!l.end[k] && (t = ty_k_walk_test(f, patch->h, get_lane(&l, k))) < 0.0) {
                continue;
            }
            if (which[k] != SIZE_MAX) { /* done: crossed at t, or not at all */
                finish(patch, &rays[which[k]], t, &hits[which[k]]);
                busy--;
            }
            which[k] = SIZE_MAX;
            ty_k_walk w = { .end = 1, .side = 1.0, .level = f.levels - 1 };
            while (w.end && next < n) {
                which[k] = next++;
                const ty_ray *ray = &rays[which[k]];
                w = ty_k_walk_start(f, patch->h, patch->top, line_of(patch, ray), ray->t_min, ray->t_max);
                if (w.end) {
                    finish(patch, ray, -1.0, &hits[which[k]]);
                    which[k] = SIZE_MAX;
                }
            }
            busy += !w.end;
            put_lane(&l, k, w);
        }
    } while (busy > 0 || next < n);
}

/* flatten: the kernel is long, and left to itself it would stay one function for the oldest instruction set */
TYI_PER_ISA __attribute__((flatten)) void ty_terrain_patch_horizon(const ty_terrain_patch *patch, ty_vec3 p_W,
                                                                   double near, double far, int n, const double *enough,
                                                                   double *slope)
{
    double inv = 1.0 / patch->d, px = p_W.x * inv - (patch->i0 + 1), py = p_W.y * inv - (patch->j0 + 1);
    for (int k = 0; k < n; k++) {
        double azimuth = 2.0 * TY_PI * k / n, steepest = fmax(slope[k], -1e9),
               most = enough ? enough[k] : (double)INFINITY;
        if (steepest >= most) {
            continue;
        }
        slope[k] = ty_k_field_horizon(patch->field, patch->h, patch->top, px, py, p_W.z - patch->z0, inv * sin(azimuth),
                                      inv * cos(azimuth), near, far, steepest, most);
    }
}
