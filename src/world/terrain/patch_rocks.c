/* src/world/terrain/patch_rocks.c - where rocks stand, and rays against those of a patch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "k_rock.h"
#include "patch.h"
#include "inner.h"

static tyi_terrain_placed_rock placed(const ty_terrain *t, const ty_rock *rock, const ty_pose *pose)
{
    const ty_rock_shape *shape = ty_terrain_rock_shape(t, rock->shape);
    return (tyi_terrain_placed_rock){ pose->p,
                                      cos(rock->yaw),
                                      sin(rock->yaw),
                                      rock->scale,
                                      pose->p.z + rock->scale * (double)shape->height,
                                      rock->scale * (double)shape->radius,
                                      shape,
                                      rock->id,
                                      rock->diameter,
                                      rock->yaw,
                                      rock->burial,
                                      false };
}

typedef struct pose_job {
    ty_terrain *t;
    const ty_rock *rocks;
    ty_pose *poses;
    tyi_terrain_scratch *scratch; /* one per worker */
    ty_status *status;            /* one per worker: the first failure */
    ty_diag *diag;                /* one per worker */
} pose_job;

/* the spline through the 4 x 4 samples around the rock, at the coarsest level with four samples across it */
static ty_status place(const ty_terrain *t, const ty_rock *rock, tyi_terrain_scratch *scratch, ty_pose *pose,
                       ty_diag *diag)
{
    int level = ty_terrain_level(t, 0.25 * rock->diameter);
    double d = ty_terrain_spacing(t, level), gx = rock->x / d, gy = rock->y / d, z[16];
    ty_status status = tyi_terrain_generate(&t->generator, level, (int32_t)floor(gx) - 1, (int32_t)floor(gy) - 1, 4, 4,
                                            z, scratch, diag);
    float h[16];
    for (int k = 0; k < 16 && status == TY_OK; k++) {
        h[k] = (float)(z[k] - z[5]);
    }
    if (status == TY_OK) {
        double ground = z[5] + ty_k_cell(h, 4, gx - floor(gx), gy - floor(gy)).z;
        double sunk = rock->scale * rock->burial * (double)ty_terrain_rock_shape(t, rock->shape)->height;
        *pose =
            (ty_pose){ ty_vec3_make(rock->x, rock->y, ground - sunk), ty_quat_axis(ty_vec3_make(0, 0, 1), rock->yaw) };
    }
    return status;
}

ty_status tyi_terrain_place_rock(ty_terrain *t, const ty_rock *rock, tyi_terrain_placed_rock *out, ty_diag *diag)
{
    tyi_terrain_scratch *scratch = tyi_terrain_tiles_scratch(&t->cache);
    ty_pose pose = { 0 };
    ty_status status = scratch ? place(t, rock, scratch, &pose, diag)
                               : ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory to place a rock");
    tyi_terrain_tiles_scratch_back(&t->cache, scratch);
    if (status == TY_OK) {
        *out = placed(t, rock, &pose);
    }
    return status;
}

static void pose_one(void *user, size_t i, int worker)
{
    pose_job *job = user;
    ty_status status = place(job->t, &job->rocks[i], &job->scratch[worker], &job->poses[i], &job->diag[worker]);
    if (job->status[worker] == TY_OK) {
        job->status[worker] = status;
    }
}

ty_status tyi_terrain_rock_poses(ty_terrain *terrain, size_t n, const ty_rock *rocks, ty_pose *poses, int threads,
                                 ty_diag *diag)
{
    threads = tyi_tasks_threads(threads);
    size_t workers = (size_t)threads,
           bytes = workers * (sizeof(tyi_terrain_scratch) + sizeof(ty_status) + sizeof(ty_diag));
    char *room = tyi_get(terrain->alloc, bytes);
    if (!room) {
        return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory to place %zu rocks", n);
    }
    pose_job job = { terrain, rocks, poses, (tyi_terrain_scratch *)room, NULL, NULL };
    job.diag = (ty_diag *)(job.scratch + workers);
    job.status = (ty_status *)(job.diag + workers);
    tyi_tasks_for(threads, n, pose_one, &job);
    ty_status status = TY_OK;
    for (size_t w = 0; w < workers && status == TY_OK; w++) {
        if (job.status[w] != TY_OK) {
            status = ty_fail(diag, job.status[w], "%s", job.diag[w].text);
        }
    }
    tyi_put(terrain->alloc, room, bytes);
    return status;
}

void tyi_terrain_rock_bins_free(tyi_terrain_rock_bins *bins, const ty_alloc *alloc)
{
    size_t cells = (size_t)bins->nx * (size_t)bins->ny;
    tyi_put(alloc, bins->rock, bins->rocks * sizeof *bins->rock);
    tyi_put(alloc, bins->first, (cells + 1) * sizeof *bins->first);
    tyi_put(alloc, bins->list, bins->listed * sizeof *bins->list);
    tyi_put(alloc, bins->top, cells * sizeof *bins->top);
    *bins = (tyi_terrain_rock_bins){ 0 };
}

/* the bins that a rock touches: x0, y0, x1, y1, cut at the patch */
static void bins_of(const tyi_terrain_rock_bins *b, ty_rect r, const tyi_terrain_placed_rock *rock, int out[4])
{
    double low[2] = { rock->base.x - rock->radius - r.x0, rock->base.y - rock->radius - r.y0 };
    int n[2] = { b->nx, b->ny };
    for (int k = 0; k < 2; k++) {
        int a = (int)floor(low[k] / b->size), z = (int)floor((low[k] + 2.0 * rock->radius) / b->size);
        out[k] = a < 0 ? 0 : a >= n[k] ? n[k] - 1 : a;
        out[2 + k] = z < 0 ? 0 : z >= n[k] ? n[k] - 1 : z;
    }
}

/* counts, then places: list of rocks per bin in rock order */
static ty_status sort_into_bins(tyi_terrain_rock_bins *b, const ty_terrain_patch *p, ty_diag *diag)
{
    ty_rect r = ty_terrain_patch_rect(p);
    size_t cells = (size_t)b->nx * (size_t)b->ny;
    b->first = tyi_get(p->alloc, (cells + 1) * sizeof *b->first);
    b->top = tyi_get(p->alloc, cells * sizeof *b->top);
    if (!b->first || !b->top) {
        return ty_fail(diag, TY_ERR_MEMORY, "patch: no memory for %zu bins of rocks", cells);
    }
    for (size_t c = 0; c < cells; c++) {
        b->top[c] = -INFINITY;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < b->rocks; i++) {
            int at[4];
            bins_of(b, r, &b->rock[i], at);
            for (int y = at[1]; y <= at[3]; y++) {
                for (int x = at[0]; x <= at[2]; x++) {
                    size_t c = (size_t)y * (size_t)b->nx + (size_t)x;
                    if (pass == 0) {
                        b->first[c + 1]++;
                        b->top[c] = fmaxf(b->top[c], (float)(b->rock[i].top - p->z0) + 1e-3f);
                    } else {
                        b->list[b->first[c]++] = (uint32_t)i;
                    }
                }
            }
        }
        if (pass == 0) {
            for (size_t c = 0; c < cells; c++) {
                b->first[c + 1] += b->first[c];
            }
            b->listed = b->first[cells];
            b->list = tyi_get(p->alloc, b->listed * sizeof *b->list);
            if (!b->list) {
                return ty_fail(diag, TY_ERR_MEMORY, "patch: no memory for %zu rocks", b->rocks);
            }
        }
    }
    memmove(b->first + 1, b->first, cells * sizeof *b->first); /* placing moved every start to its end */
    b->first[0] = 0;
    return TY_OK;
}

ty_status ty_terrain_patch_add_rocks(ty_terrain_patch *patch, double d_min, ty_diag *diag)
{
    tyi_terrain_rock_bins *b = &patch->bins;
    ty_terrain *t = patch->terrain;
    tyi_terrain_rock_bins_free(b, patch->alloc);
    ty_rect r = ty_terrain_patch_rect(patch);
    size_t n = ty_terrain_rocks(t, r, d_min, INFINITY, NULL, 0);
    if (n == 0) {
        return TY_OK;
    }
    ty_rock *rocks = tyi_get(patch->alloc, n * sizeof *rocks);
    ty_pose *poses = tyi_get(patch->alloc, n * sizeof *poses);
    b->rock = tyi_get(patch->alloc, n * sizeof *b->rock);
    ty_status status = TY_OK;
    if (!rocks || !poses || !b->rock) {
        status = ty_fail(diag, TY_ERR_MEMORY, "patch: no memory for %zu rocks", n);
    } else {
        ty_terrain_rocks(t, r, d_min, INFINITY, rocks, n);
        status = tyi_terrain_rock_poses(t, n, rocks, poses, 0, diag);
    }
    b->rocks = b->rock ? n : 0;
    for (size_t i = 0; i < n && status == TY_OK; i++) {
        b->rock[i] = placed(t, &rocks[i], &poses[i]);
    }
    if (status == TY_OK) {
        b->size = fmax(8.0 * patch->d, sqrt((r.x1 - r.x0) * (r.y1 - r.y0) / (double)n)); /* about one rock a bin */
        b->nx = (int)ceil((r.x1 - r.x0) / b->size);
        b->ny = (int)ceil((r.y1 - r.y0) / b->size);
        status = sort_into_bins(b, patch, diag);
    }
    tyi_put(patch->alloc, rocks, n * sizeof *rocks);
    tyi_put(patch->alloc, poses, n * sizeof *poses);
    if (status != TY_OK) {
        tyi_terrain_rock_bins_free(b, patch->alloc);
    }
    return status;
}

void tyi_terrain_placed_rock_ray(const tyi_terrain_placed_rock *rock, const ty_ray *ray, ty_terrain_hit *hit)
{
    ty_k_rock at = { rock->base.x, rock->base.y, rock->base.z, rock->c, rock->s, rock->scale };
    ty_vec3 o = ray->origin, d = ray->direction;
    double far = fmin(hit->t, ray->t_max);
    ty_k_rock_hit h = ty_k_rock_ray(&rock->shape->plane[0][0], rock->shape->planes, at, o.x, o.y, o.z, d.x, d.y, d.z,
                                    ray->t_min, far);
    if (h.t >= 0.0 && h.t < hit->t) {
        *hit = (ty_terrain_hit){ h.t, ty_vec3_make(h.nx, h.ny, h.nz), rock->id };
    }
}

/* from bin to bin along the ray, until the hit so far lies before the next bin */
void tyi_terrain_rock_bins_ray(const tyi_terrain_rock_bins *b, const ty_terrain_patch *patch, const ty_ray *ray,
                               ty_terrain_hit *hit)
{
    ty_rect r = ty_terrain_patch_rect(patch);
    double p[2] = { (ray->origin.x - r.x0) / b->size, (ray->origin.y - r.y0) / b->size };
    double d[2] = { ray->direction.x / b->size, ray->direction.y / b->size };
    int n[2] = { b->nx, b->ny }, at[2];
    double t0 = ray->t_min, t1 = fmin(ray->t_max, hit->t);
    for (int k = 0; k < 2; k++) { /* the stretch over the bins */
        if (d[k] != 0.0) {
            double ta = -p[k] / d[k], tb = (n[k] - p[k]) / d[k];
            t0 = fmax(t0, fmin(ta, tb));
            t1 = fmin(t1, fmax(ta, tb));
        } else if (p[k] < 0.0 || p[k] > n[k]) {
            return;
        }
    }
    if (!(t0 <= t1)) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        int c = (int)floor(p[k] + t0 * d[k]);
        at[k] = c < 0 ? 0 : c >= n[k] ? n[k] - 1 : c;
    }
    double z = ray->origin.z - patch->z0, dz = ray->direction.z;
    while (t0 <= fmin(t1, hit->t)) {
        double exit[2];
        for (int k = 0; k < 2; k++) {
            exit[k] = d[k] == 0.0 ? (double)INFINITY : (at[k] + (d[k] > 0.0) - p[k]) / d[k];
        }
        int axis = exit[1] < exit[0];
        size_t c = (size_t)at[1] * (size_t)b->nx + (size_t)at[0];
        if (fmin(z + t0 * dz, z + fmin(exit[axis], t1) * dz) <= (double)b->top[c]) {
            for (uint32_t i = b->first[c]; i < b->first[c + 1]; i++) {
                tyi_terrain_placed_rock_ray(&b->rock[b->list[i]], ray, hit);
            }
        }
        t0 = exit[axis];
        at[axis] += d[axis] > 0.0 ? 1 : -1;
        if (at[axis] < 0 || at[axis] >= n[axis]) {
            return;
        }
    }
}
