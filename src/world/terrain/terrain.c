/* src/world/terrain/terrain.c - the public terrain: life, levels, tiles, regions, points, catalogues, edits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "terrain.h"
#include <string.h>
#include "bed.h"
#include "core/core.h"
#include "k_chart.h"
#include "k_spline.h"
#include "inner.h"

ty_status ty_terrain_create(const ty_terrain_def *def, ty_terrain **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = ty_terrain_def_check(def, diag);
    if (status != TY_OK) {
        return status;
    }
    ty_terrain *t = tyi_get(def->alloc, sizeof *t);
    if (!t) {
        return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for %zu bytes", sizeof *t);
    }
    t->alloc = def->alloc;
    tyi_terrain_generator_init(&t->generator, def);
    if (def->edit_level >= t->generator.levels) {
        status = ty_fail(diag, TY_ERR_RANGE, "terrain: edit_level is %d, but this terrain has levels 0 to %d",
                         def->edit_level, t->generator.levels - 1);
    }
    if (status == TY_OK) {
        status = tyi_terrain_rocks_init(&t->rocks, &def->rock, &t->generator.craters, def->seed, t->alloc, diag);
    }
    if (status != TY_OK) {
        tyi_put(def->alloc, t, sizeof *t);
        return status;
    }
    status = tyi_terrain_edits_init(&t->edits, def->edit_level, t->generator.levels,
                                    ldexp(def->resolution, def->edit_level), t->alloc, diag);
    t->rocks.moved = &t->edits.moved;
    if (status != TY_OK) {
        tyi_terrain_rocks_free(&t->rocks);
        tyi_put(def->alloc, t, sizeof *t);
        return status;
    }
    status = tyi_terrain_tiles_init(&t->cache, &t->generator, &t->rocks, &t->edits, def->cache_bytes, t->alloc, diag);
    if (status != TY_OK) {
        tyi_terrain_edits_free(&t->edits);
        tyi_terrain_rocks_free(&t->rocks);
        tyi_put(def->alloc, t, sizeof *t);
        return status;
    }
    *out = t;
    return TY_OK;
}

void ty_terrain_destroy(ty_terrain *terrain)
{
    if (terrain) {
        tyi_terrain_tiles_free(&terrain->cache);
        tyi_terrain_edits_free(&terrain->edits);
        tyi_terrain_rocks_free(&terrain->rocks);
        tyi_put(terrain->alloc, terrain, sizeof *terrain);
    }
}

const ty_terrain_def *ty_terrain_get_def(const ty_terrain *terrain)
{
    return &terrain->generator.def;
}

const ty_site *ty_terrain_site(const ty_terrain *terrain)
{
    return &terrain->generator.site;
}

int ty_terrain_levels(const ty_terrain *terrain)
{
    return terrain->generator.levels;
}

double ty_terrain_spacing(const ty_terrain *terrain, int level)
{
    return ldexp(terrain->generator.def.resolution, level);
}

int ty_terrain_level(const ty_terrain *terrain, double spacing)
{
    int level = 0;
    while (level + 1 < terrain->generator.levels && ty_terrain_spacing(terrain, level + 1) <= spacing * (1.0 + 1e-12)) {
        level++;
    }
    return level;
}

ty_vec3 tyi_terrain_point(const ty_terrain *terrain, double x, double y, double z)
{
    ty_k_vec3 p = ty_k_chart_at(terrain->generator.def.radius, x, y, z).p;
    return ty_vec3_make(p.x, p.y, p.z);
}

void tyi_terrain_below(const ty_terrain *terrain, ty_vec3 p, double *x, double *y, double *height)
{
    double R = terrain->generator.def.radius, away = hypot(p.x, p.y), up = p.z + R;
    double s = ty_k_chart_s(R, atan2(away, up)), r = hypot(away, up);
    *x = away > 0.0 ? p.x * (s / away) : 0.0;
    *y = away > 0.0 ? p.y * (s / away) : 0.0;
    *height = r - R;
}

static ty_status check_level(const ty_terrain *t, int level, ty_diag *diag)
{
    if (level < 0 || level >= t->generator.levels) {
        return ty_fail(diag, TY_ERR_RANGE, "terrain: level %d, but there are levels 0 to %d", level,
                       t->generator.levels - 1);
    }
    return TY_OK;
}

ty_status ty_terrain_tile(ty_terrain *terrain, int level, int32_t x, int32_t y, float *out, double *z0, ty_diag *diag)
{
    ty_status status = check_level(terrain, level, diag);
    tyi_terrain_tile *tile = NULL;
    if (status == TY_OK) {
        status = tyi_terrain_tiles_get(&terrain->cache, level, x, y, &tile, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    for (int j = 0; j < TY_TERRAIN_TILE; j++) {
        memcpy(out + j * TY_TERRAIN_TILE, tile->h + (j + 1) * TYI_TERRAIN_TILE_SIDE + 1, TY_TERRAIN_TILE * sizeof *out);
    }
    *z0 = tile->z0;
    tyi_terrain_tiles_release(&terrain->cache, tile);
    return TY_OK;
}

/* a region is made in blocks, beside the cache: each block is written where it belongs */
typedef struct region_job {
    ty_terrain *t;
    int level;
    int32_t i0, j0, nx, ny;
    int across; /* blocks in a row */
    double z0;
    bool edits;
    float *out;
    tyi_terrain_scratch *scratch; /* one per worker */
    ty_status *status;            /* one per block, so that the first failing block is reported */
} region_job;

static void region_block(void *user, size_t index, int worker)
{
    region_job *job = user;
    int bx = (int)index % job->across * TY_TERRAIN_TILE, by = (int)index / job->across * TY_TERRAIN_TILE;
    int nx = job->nx - bx < TY_TERRAIN_TILE ? job->nx - bx : TY_TERRAIN_TILE,
        ny = job->ny - by < TY_TERRAIN_TILE ? job->ny - by : TY_TERRAIN_TILE;
    double z[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
    float h[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
    ty_terrain *t = job->t;
    int32_t i0 = job->i0 + bx, j0 = job->j0 + by;
    job->status[index] =
        tyi_terrain_generate(&t->generator, job->level, i0, j0, nx, ny, z, &job->scratch[worker], NULL);
    tyi_terrain_fillets_add(&t->rocks, ty_terrain_spacing(t, job->level), i0, j0, nx, ny, z);
    for (int k = 0; k < nx * ny; k++) {
        h[k] = (float)(z[k] - job->z0);
    }
    if (job->edits) {
        tyi_terrain_edits_add(&t->edits, job->level, i0, j0, nx, ny, h);
        tyi_terrain_press_bed(&t->generator, &t->edits, job->level, i0, j0, nx, ny, h, &job->scratch[worker]);
    }
    for (int j = 0; j < ny; j++) {
        memcpy(job->out + (size_t)(by + j) * (size_t)job->nx + (size_t)bx, h + j * nx, (size_t)nx * sizeof *h);
    }
}

#define FEW 16 /* blocks of a region, such as a tile of the renderer, that takes no memory of its own */

ty_status tyi_terrain_region(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int32_t nx, int32_t ny, double z0,
                             bool edits, float *out, int threads, ty_diag *diag)
{
    ty_status status = check_level(terrain, level, diag);
    if (status != TY_OK || nx < 1 || ny < 1) {
        return status;
    }
    threads = tyi_tasks_threads(threads);
    int across = (nx + TY_TERRAIN_TILE - 1) / TY_TERRAIN_TILE, down = (ny + TY_TERRAIN_TILE - 1) / TY_TERRAIN_TILE;
    size_t blocks = (size_t)across * (size_t)down, scratch_bytes = (size_t)threads * sizeof(tyi_terrain_scratch);
    region_job job = { terrain, level, i0, j0, nx, ny, across, z0, edits, out, NULL, NULL };
    ty_status few[FEW] = { TY_OK };
    job.scratch = threads == 1 ? tyi_terrain_tiles_scratch(&terrain->cache) : tyi_get(terrain->alloc, scratch_bytes);
    job.status = blocks <= FEW ? few : tyi_get(terrain->alloc, blocks * sizeof *job.status);
    if (!job.scratch || !job.status) {
        status = ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for a region of %d x %d samples", (int)nx, (int)ny);
    } else {
        tyi_tasks_for(threads, blocks, region_block, &job);
    }
    for (size_t b = 0; b < blocks && status == TY_OK; b++) {
        if (job.status[b] != TY_OK) { /* once more, for its sentence */
            int bx = (int)b % across * TY_TERRAIN_TILE, by = (int)b / across * TY_TERRAIN_TILE;
            double z;
            status = tyi_terrain_generate(&terrain->generator, level, i0 + bx, j0 + by, 1, 1, &z, job.scratch, diag);
            status = status == TY_OK ? ty_fail(diag, job.status[b], "terrain: a block could not be made") : status;
        }
    }
    if (threads == 1) {
        tyi_terrain_tiles_scratch_back(&terrain->cache, job.scratch);
    } else {
        tyi_put(terrain->alloc, job.scratch, scratch_bytes);
    }
    if (job.status != few) {
        tyi_put(terrain->alloc, job.status, blocks * sizeof *job.status);
    }
    return status;
}

ty_status ty_terrain_region(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int32_t nx, int32_t ny, double z0,
                            float *out, int threads, ty_diag *diag)
{
    return tyi_terrain_region(terrain, level, i0, j0, nx, ny, z0, true, out, threads, diag);
}

static void sample_tile(const tyi_terrain_tile *tile, double spacing, double gx, double gy, double *height,
                        ty_vec3 *normal)
{
    double u = gx - floor(gx), v = gy - floor(gy);
    int i = (int)((int64_t)floor(gx) - (int64_t)tile->x * TY_TERRAIN_TILE),
        j = (int)((int64_t)floor(gy) - (int64_t)tile->y * TY_TERRAIN_TILE);
    const float *h = tile->h + j * TYI_TERRAIN_TILE_SIDE + i;
    ty_k_ground g = ty_k_cell(h, TYI_TERRAIN_TILE_SIDE, u, v);
    *height = tile->z0 + g.z;
    if (normal) {
        *normal = ty_normalize(ty_vec3_make(-g.zx / spacing, -g.zy / spacing, 1.0));
    }
}

ty_status ty_terrain_sample(ty_terrain *terrain, int level, size_t n, const double *x, const double *y, double *height,
                            ty_vec3 *normal, ty_diag *diag)
{
    ty_status status = check_level(terrain, level, diag);
    double d = ty_terrain_spacing(terrain, level);
    tyi_terrain_tile *tile = NULL;
    for (size_t k = 0; k < n && status == TY_OK; k++) {
        double gx = x[k] / d, gy = y[k] / d;
        if (!(fabs(gx) < 1e9 && fabs(gy) < 1e9)) {
            status = ty_fail(diag, TY_ERR_RANGE, "terrain: the point (%g, %g) m is too far out, or not a number", x[k],
                             y[k]);
            break;
        }
        int32_t tx = (int32_t)floor(gx / TY_TERRAIN_TILE), ty = (int32_t)floor(gy / TY_TERRAIN_TILE);
        if (!tile || tile->x != tx || tile->y != ty) {
            tyi_terrain_tiles_release(&terrain->cache, tile);
            status = tyi_terrain_tiles_get(&terrain->cache, level, tx, ty, &tile, diag);
        }
        if (status == TY_OK) {
            sample_tile(tile, d, gx, gy, &height[k], normal ? &normal[k] : NULL);
        }
    }
    tyi_terrain_tiles_release(&terrain->cache, tile);
    return status;
}

size_t ty_terrain_craters(const ty_terrain *terrain, ty_rect rect, double d_min, double d_max, ty_crater *out,
                          size_t capacity)
{
    return tyi_terrain_craters_in(&terrain->generator.craters, rect, d_min, d_max, out, capacity);
}

size_t ty_terrain_rocks(const ty_terrain *terrain, ty_rect rect, double d_min, double d_max, ty_rock *out,
                        size_t capacity)
{
    return tyi_terrain_rocks_in(&terrain->rocks, rect, d_min, d_max, out, capacity);
}

const ty_rock_shape *ty_terrain_rock_shape(const ty_terrain *terrain, uint32_t shape)
{
    return tyi_terrain_rocks_shape(&terrain->rocks, shape);
}

ty_status ty_terrain_edit(ty_terrain *terrain, const ty_edit *edit, ty_diag *diag)
{
    ty_status status = tyi_terrain_edits_apply(&terrain->edits, edit, diag);
    if (status == TY_OK) {
        int32_t rect[4] = { edit->i0, edit->j0, edit->nx, edit->ny };
        if (edit->change || edit->print) {
            tyi_terrain_tiles_edited(&terrain->cache, rect);
        }
    }
    return status;
}

ty_status tyi_terrain_load(ty_terrain *terrain, uint64_t bytes, tyi_terrain_source source, void *user, bool saved,
                           ty_diag *diag)
{
    int32_t changed[4] = { 0 };
    ty_status status = tyi_terrain_edits_load(&terrain->edits, bytes, source, user, saved, changed, diag);
    if (changed[2] > 0) {
        tyi_terrain_tiles_edited(&terrain->cache, changed);
    }
    return status;
}

static ty_status copy_edit(void *user, const ty_edit *edit)
{
    return ty_terrain_edit(user, edit, NULL);
}

ty_status tyi_terrain_copy_edits(ty_terrain *from, ty_terrain *to, ty_diag *diag)
{
    const tyi_terrain_moved *moved = &from->edits.moved;
    double d = ty_terrain_spacing(from, from->edits.level);
    ty_status status = TY_OK;
    if (to->edits.journal.version) {
        int32_t changed[4] = { 0 };
        status = tyi_terrain_edits_forget(&to->edits, changed, diag);
        if (changed[2] > 0) {
            tyi_terrain_tiles_edited(&to->cache, changed);
        }
    }
    if (status == TY_OK) {
        status = tyi_terrain_edits_each(&from->edits, copy_edit, to);
    }
    for (size_t i = 0; i < moved->count && status == TY_OK; i++) {
        const ty_rock *rock = &moved->rock[i];
        ty_edit edit = { .i0 = (int32_t)floor(rock->x / d), .j0 = (int32_t)floor(rock->y / d), .nx = 1, .ny = 1 };
        edit.rock = rock;
        status = ty_terrain_edit(to, &edit, diag);
    }
    return status == TY_OK ? TY_OK : ty_fail(diag, status, "terrain: the edits of the ground cannot be copied");
}

uint64_t ty_terrain_version(const ty_terrain *terrain)
{
    return terrain->edits.journal.version;
}

uint64_t tyi_terrain_rock_version(const ty_terrain *terrain)
{
    return terrain->edits.moved.version;
}

double tyi_terrain_rock_most(const ty_terrain *terrain)
{
    const tyi_terrain_rocks *f = &terrain->rocks;
    return fmax(f->def.on ? f->def.d_max : 0.0, fmax(f->largest, terrain->edits.moved.largest));
}

size_t tyi_terrain_rocks_moved(const ty_terrain *terrain, const ty_rock **out)
{
    *out = terrain->edits.moved.rock;
    return terrain->edits.moved.count;
}

bool tyi_terrain_rock_find(const ty_terrain *terrain, uint64_t id, ty_rock *out)
{
    const ty_rock *moved = tyi_terrain_moved_find(&terrain->edits.moved, id);
    const tyi_terrain_rocks *f = &terrain->rocks;
    for (size_t i = 0; !moved && f->placed && i < f->def.places; i++) {
        moved = f->placed[i].id == id ? &f->placed[i] : NULL;
    }
    if (moved) {
        *out = *moved;
    }
    return moved != NULL;
}

ty_rock tyi_terrain_rock_finished(const ty_terrain *terrain, ty_rock rock)
{
    return tyi_terrain_rocks_finished(&terrain->rocks, rock);
}

bool tyi_terrain_edit_rect(const ty_terrain *terrain, uint64_t version, int32_t rect[4])
{
    return tyi_terrain_journal_rect(&terrain->edits.journal, version, rect);
}

void ty_terrain_edits(ty_terrain *terrain, int level, int32_t i0, int32_t j0, int32_t nx, int32_t ny, float *change,
                      uint8_t *trace)
{
    if (change) {
        memset(change, 0, (size_t)nx * (size_t)ny * sizeof *change);
        tyi_terrain_edits_add(&terrain->edits, level, i0, j0, nx, ny, change);
    }
    if (trace) {
        tyi_terrain_edits_view(&terrain->edits, i0, j0, nx, ny, (tyi_terrain_edit_view){ .trace = trace });
    }
}
