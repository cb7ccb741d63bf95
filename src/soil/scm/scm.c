/* src/soil/scm.c - the grid of soil columns as a soil model: made, stepped for all bodies together,
 * saved and restored.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>
#include "scm.h"
#include "inner.h"
#include "scm_grid.h"

tyi_soil_scm_soil tyi_soil_scm_soil_default(void)
{
    return (
        tyi_soil_scm_soil){ .soil = ty_soil_params_default(), .elastic = 2e8, .repose = 35.0 * TY_DEG, .berm = 1.0 };
}

tyi_soil_scm_def tyi_soil_scm_def_default(void)
{
    return (tyi_soil_scm_def){
        .cell = 0.02, .bodies = 16, .reserve = 256, .threads = 1, .berms = true, .cookie = TYI_COOKIE
    };
}

static ty_status check_soil(const tyi_soil_scm_soil *s, ty_diag *diag)
{
    ty_k_bekker any;
    ty_wheel_shape wheel = { 0.1, 0.1, 0.0, 0 };
    if (!(s->elastic >= 1e3 && s->elastic <= 1e12)) {
        return ty_fail(diag, TY_ERR_RANGE, "scm: elastic is %g, but takes 1e3 to 1e12 Pa/m", s->elastic);
    }
    if (!(s->repose >= 0.01 && s->repose <= 1.5)) {
        return ty_fail(diag, TY_ERR_RANGE, "scm: repose is %g, but takes 0.01 to 1.5 rad", s->repose);
    }
    if (!(s->berm >= 0.0 && s->berm <= 1.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "scm: berm is %g, but takes 0 to 1", s->berm);
    }
    return tyi_soil_wheel_prepare(&s->soil, &wheel, &any, diag);
}

static ty_status check(const tyi_soil_scm_def *def, ty_diag *diag)
{
    if (def->cookie != TYI_COOKIE) {
        return ty_fail(diag, TY_ERR_DEF, "scm: the definition was not started from tyi_soil_scm_def_default()");
    }
    if (!(def->cell >= 1e-3 && def->cell <= 1.0)) {
        return ty_fail(diag, TY_ERR_RANGE, "scm: cell is %g, but takes 0.001 to 1 m", def->cell);
    }
    if (!def->soil || def->soils < 1 || def->soils > 255) {
        return ty_fail(diag, TY_ERR_RANGE, "scm: %d soils are given, but takes 1 to 255", def->soil ? def->soils : 0);
    }
    if (def->bodies < 1 || def->bodies > 1024 || def->reserve < 0 || def->reserve > 1 << 20) {
        return ty_fail(diag, TY_ERR_RANGE, "scm: bodies is %d and reserve %d, but takes 1 to 1024 and 0 to 1048576",
                       def->bodies, def->reserve);
    }
    ty_status status = TY_OK;
    for (int i = 0; i < def->soils && status == TY_OK; i++) {
        status = check_soil(&def->soil[i], diag);
    }
    return status;
}

static tyi_soil_scm_kind kind_of(const tyi_soil_scm_soil *s, double cell)
{
    return (tyi_soil_scm_kind){ .k_c = s->soil.k_c,
                                .k_phi = s->soil.k_phi,
                                .n = s->soil.n0,
                                .c = s->soil.c,
                                .tan_phi = tan(tyi_soil_shear_angle(&s->soil)),
                                .K = s->soil.kx,
                                .elastic = s->elastic,
                                .limit = tan(s->repose) * cell,
                                .berm = s->berm,
                                .damping = s->soil.damping,
                                .g = s->soil.g,
                                .unload = fmax(s->soil.unload, 1.0),
                                .shear_time = s->soil.shear_time,
                                .phi = tyi_soil_shear_angle(&s->soil),
                                .weight = s->soil.rho * s->soil.g,
                                .n1 = s->soil.n1,
                                .n1_skid = s->soil.n1_skid };
}

ty_status tyi_soil_scm_create(const tyi_soil_scm_def *def, tyi_soil_scm **out, ty_diag *diag)
{
    *out = NULL;
    ty_status status = check(def, diag);
    tyi_soil_scm *scm = status == TY_OK ? tyi_get(def->alloc, sizeof *scm) : NULL;
    if (!scm) {
        return status == TY_OK ? ty_fail(diag, TY_ERR_MEMORY, "scm: no memory") : status;
    }
    *scm = (tyi_soil_scm){ .alloc = def->alloc,
                           .cell = def->cell,
                           .kinds = def->soils,
                           .bodies = def->bodies,
                           .threads = def->threads,
                           .reserve = def->reserve,
                           .berms = def->berms,
                           .height = def->height,
                           .which = def->kind,
                           .change = def->change,
                           .pressed = def->pressed,
                           .user = def->user };
    size_t bodies = (size_t)def->bodies;
    scm->kind = tyi_get(def->alloc, (size_t)def->soils * sizeof *scm->kind);
    scm->slot = tyi_get(def->alloc, bodies * sizeof *scm->slot);
    scm->window = tyi_get(def->alloc, bodies * sizeof *scm->window);
    scm->queue = tyi_get(def->alloc, TYI_SOIL_SCM_QUEUE * sizeof *scm->queue);
    if (!scm->kind || !scm->slot || !scm->window || !scm->queue ||
        !tyi_soil_scm_tiles_reserve(scm, def->reserve > 16 ? def->reserve : 16)) {
        tyi_soil_scm_destroy(scm);
        return ty_fail(diag, TY_ERR_MEMORY, "scm: no memory for %d tiles", def->reserve);
    }
    for (int i = 0; i < def->soils; i++) {
        scm->kind[i] = kind_of(&def->soil[i], def->cell);
    }
    *out = scm;
    return TY_OK;
}

/* the arrays of a window in one block */
static size_t window_bytes(int room, int tiles)
{
    size_t nodes = (size_t)room * (size_t)room;
    return nodes * (sizeof(tyi_soil_hit) + 2 * sizeof(double) + 2 * sizeof(int)) + 2 * sizeof(double) +
           2 * sizeof(int) + (size_t)tiles * sizeof(tyi_soil_scm_tile *);
}

static void window_free(tyi_soil_scm *scm, tyi_soil_window *w)
{
    tyi_put(scm->alloc, w->hit, w->room ? window_bytes(w->room, w->tiles_room) : 0);
    w->hit = NULL;
    w->room = 0;
}

/* room for the widest shape, made when the first step or a new shape asks for it */
static bool window_make(tyi_soil_scm *scm, tyi_soil_window *w)
{
    double reach = 0.0;
    for (int i = 0; i < scm->shapes; i++) {
        reach = fmax(reach, tyi_soil_shape_reach(&scm->shape[i]) + scm->shape[i].outer * 0.5 + fabs(scm->shape[i].y0));
    }
    int room = 2 * (int)ceil(reach / scm->cell) + 8, side = room / TYI_SOIL_TILE + 2;
    if (w->room >= room) {
        return true;
    }
    window_free(scm, w);
    size_t nodes = (size_t)room * (size_t)room;
    w->tiles_room = side * side;
    char *block = tyi_get(scm->alloc, window_bytes(room, w->tiles_room));
    if (!block) {
        return false;
    }
    w->room = room;
    w->hit = (tyi_soil_hit *)(void *)block;
    w->tile = (tyi_soil_scm_tile **)(void *)(w->hit + nodes);
    w->area = (double *)(void *)(w->tile + w->tiles_room);
    w->edge = w->area + nodes + 1;
    w->label = (int *)(void *)(w->edge + nodes + 1);
    w->parent = w->label + nodes + 1;
    return true;
}

void tyi_soil_scm_destroy(tyi_soil_scm *scm)
{
    if (!scm) {
        return;
    }
    for (int i = 0; i < scm->bodies && scm->window; i++) {
        window_free(scm, &scm->window[i]);
    }
    for (int i = 0; i < scm->shapes; i++) {
        tyi_soil_table_free(&scm->shape[i].table, scm->alloc);
    }
    tyi_soil_scm_tiles_free(scm);
    tyi_put(scm->alloc, scm->kind, (size_t)scm->kinds * sizeof *scm->kind);
    tyi_put(scm->alloc, scm->slot, (size_t)scm->bodies * sizeof *scm->slot);
    tyi_put(scm->alloc, scm->window, (size_t)scm->bodies * sizeof *scm->window);
    tyi_put(scm->alloc, scm->queue, TYI_SOIL_SCM_QUEUE * sizeof *scm->queue);
    tyi_put(scm->alloc, scm, sizeof *scm);
}

/* ---- a step */

static bool finite3(ty_vec3 v, double most)
{
    return fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most; /* false for NaN */
}

static ty_status check_bodies(const tyi_soil_scm *scm, double dt, const tyi_soil_scm_body *body, int bodies,
                              ty_diag *diag)
{
    if (!(dt > 0.0 && dt <= 1.0) || bodies < 0 || bodies > scm->bodies) {
        return ty_fail(diag, TY_ERR_INPUT, "scm: a step of %g s with %d bodies, but takes up to 1 s and %d bodies", dt,
                       bodies, scm->bodies);
    }
    for (int i = 0; i < bodies; i++) {
        const ty_quat *q = &body[i].pose.q;
        double norm = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
        if (body[i].shape < 0 || body[i].shape >= scm->shapes) {
            return ty_fail(diag, TY_ERR_INPUT, "scm: body %d has shape %d, but there are %d", i, body[i].shape,
                           scm->shapes);
        }
        if (!finite3(body[i].pose.p, 1e7) || !finite3(body[i].v, 1e6) || !finite3(body[i].w, 1e6) ||
            !(fabs(norm - 1.0) < 1e-3)) {
            return ty_fail(diag, TY_ERR_INPUT, "scm: pose or velocity of body %d is not finite, or out of all bounds",
                           i);
        }
    }
    return TY_OK;
}

static bool windows_meet(const tyi_soil_window *a, const tyi_soil_window *b)
{
    return a->nx && b->nx && a->i0 < b->i0 + b->nx && b->i0 < a->i0 + a->nx && a->j0 < b->j0 + b->ny &&
           b->j0 < a->j0 + a->ny;
}

typedef struct work {
    tyi_soil_scm *scm;
    const tyi_soil_scm_body *body;
    tyi_soil_scm_load *load;
    double dt;
} work;

static void one_body(void *user, size_t i, int worker)
{
    work *w = user;
    (void)worker;
    tyi_soil_contact(w->scm, (int)i, &w->body[i], w->dt, &w->load[i]);
}

ty_status tyi_soil_scm_step(tyi_soil_scm *scm, double dt, const tyi_soil_scm_body *body, int bodies,
                            tyi_soil_scm_load *load, ty_diag *diag)
{
    ty_status status = check_bodies(scm, dt, body, bodies, diag);
    if (status != TY_OK) {
        return status;
    }
    bool apart = true, memory = true;
    scm->step++;
    for (int i = 0; i < bodies && memory; i++) {
        memory = window_make(scm, &scm->window[i]) && tyi_soil_window_place(scm, i, &body[i]);
        for (int k = 0; k < i; k++) {
            apart = apart && !windows_meet(&scm->window[i], &scm->window[k]);
        }
    }
    /* bodies that share columns go one after the other, in their order: the same for any threads */
    work job = { scm, body, load, dt };
    if (memory && apart && scm->threads != 1) {
        tyi_tasks_for(scm->threads, (size_t)bodies, one_body, &job);
    } else {
        for (int i = 0; i < bodies && memory; i++) {
            one_body(&job, (size_t)i, 0);
        }
    }
    for (int i = 0; i < bodies && memory && scm->berms; i++) {
        tyi_soil_berm(scm, i);
    }
    memory = memory && (!scm->berms || tyi_soil_flow(scm));
    return memory ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "scm: no memory for tile number %d", scm->tiles);
}

ty_status tyi_soil_scm_reserve(tyi_soil_scm *scm, int tiles, ty_diag *diag)
{
    bool memory = tyi_soil_scm_tiles_reserve(scm, scm->tiles + tiles);
    for (int i = 0; i < scm->bodies && memory; i++) {
        memory = window_make(scm, &scm->window[i]);
    }
    return memory ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "scm: no memory for %d more tiles", tiles);
}

/* ---- saving */

typedef struct head {
    char magic[8];
    double cell;
    uint64_t bytes;
    int32_t kinds, bodies, shapes, tiles;
    uint32_t step, queue;
} head;

static head head_of(const tyi_soil_scm *scm)
{
    head h = { .cell = scm->cell,
               .kinds = scm->kinds,
               .bodies = scm->bodies,
               .shapes = scm->shapes,
               .tiles = scm->tiles,
               .step = scm->step,
               .queue = scm->queue_count };
    memcpy(h.magic, "tyscm 2", 8);
    h.bytes = sizeof h + (uint64_t)scm->bodies * sizeof(tyi_soil_slot) + (uint64_t)scm->queue_count * sizeof(uint32_t) +
              (uint64_t)scm->tiles * sizeof(tyi_soil_scm_tile);
    return h;
}

size_t tyi_soil_scm_save_size(const tyi_soil_scm *scm)
{
    return (size_t)head_of(scm).bytes;
}

void tyi_soil_scm_save(const tyi_soil_scm *scm, void *out)
{
    char *at = out;
    head h = head_of(scm);
    memcpy(at, &h, sizeof h);
    at += sizeof h;
    memcpy(at, scm->slot, (size_t)scm->bodies * sizeof *scm->slot);
    at += (size_t)scm->bodies * sizeof *scm->slot;
    for (uint32_t k = 0; k < scm->queue_count; k++, at += sizeof(uint32_t)) {
        memcpy(at, &scm->queue[(scm->queue_head + k) & (TYI_SOIL_SCM_QUEUE - 1)], sizeof(uint32_t));
    }
    for (int i = 0; i < scm->tiles; i++, at += sizeof(tyi_soil_scm_tile)) {
        memcpy(at, scm->tile[i], sizeof(tyi_soil_scm_tile));
    }
}

/* nothing in the bytes points outside of what is there */
static bool content_ok(const char *at, const head *h)
{
    for (uint32_t k = 0; k < h->queue; k++, at += sizeof(uint32_t)) {
        uint32_t entry;
        memcpy(&entry, at, sizeof entry);
        if ((int64_t)(entry >> (2 * TYI_SOIL_TILE_BITS)) >= h->tiles) {
            return false;
        }
    }
    for (int i = 0; i < h->tiles; i++, at += sizeof(tyi_soil_scm_tile)) {
        tyi_soil_scm_tile tile;
        memcpy(&tile, at, sizeof tile);
        const int *d = tile.dirty;
        bool none = d[0] > d[2];
        if (!none && (d[0] < 0 || d[1] < 0 || d[2] >= TYI_SOIL_TILE || d[3] >= TYI_SOIL_TILE || d[1] > d[3])) {
            return false;
        }
        for (int k = 0; k < TYI_SOIL_TILE_NODES; k++) {
            if (tile.node[k].kind >= h->kinds || !isfinite(tile.node[k].rest)) {
                return false;
            }
        }
    }
    return true;
}

ty_status tyi_soil_scm_restore(tyi_soil_scm *scm, const void *bytes, size_t size, ty_diag *diag)
{
    const char *at = bytes;
    head h, own = head_of(scm);
    if (size >= sizeof h) {
        memcpy(&h, at, sizeof h);
    }
    if (size < sizeof h || memcmp(h.magic, own.magic, 8) || h.cell != own.cell || h.kinds != own.kinds ||
        h.bodies != own.bodies || h.shapes != own.shapes || h.tiles < 0 || h.queue > TYI_SOIL_SCM_QUEUE ||
        h.bytes != size ||
        size != sizeof h + (size_t)h.bodies * sizeof(tyi_soil_slot) + h.queue * sizeof(uint32_t) +
                    (size_t)h.tiles * sizeof(tyi_soil_scm_tile)) {
        return ty_fail(diag, TY_ERR_FORMAT,
                       "scm: the %zu bytes are not a saved grid of this spacing, soils, bodies and "
                       "shapes",
                       size);
    }
    if (!content_ok(at + sizeof h + (size_t)h.bodies * sizeof(tyi_soil_slot), &h)) {
        return ty_fail(diag, TY_ERR_FORMAT, "scm: the saved grid is damaged");
    }
    if (!tyi_soil_scm_tiles_reserve(scm, h.tiles)) {
        return ty_fail(diag, TY_ERR_MEMORY, "scm: no memory for %d tiles", h.tiles);
    }
    scm->spare += scm->tiles;
    scm->tiles = 0;
    tyi_index_clear(&scm->index);
    scm->step = h.step;
    scm->queue_head = 0;
    scm->queue_count = h.queue;
    at += sizeof h;
    memcpy(scm->slot, at, (size_t)scm->bodies * sizeof *scm->slot);
    at += (size_t)scm->bodies * sizeof *scm->slot;
    memcpy(scm->queue, at, h.queue * sizeof(uint32_t));
    at += h.queue * sizeof(uint32_t);
    for (int i = 0; i < h.tiles; i++, at += sizeof(tyi_soil_scm_tile)) {
        tyi_soil_scm_tile saved;
        memcpy(&saved, at, sizeof saved);
        tyi_soil_scm_tile *tile = tyi_soil_scm_tile_get(scm, saved.ti, saved.tj);
        if (tile) {
            *tile = saved;
        }
    }
    if (scm->tiles != h.tiles) { /* a tile twice: what waits to flow would miss its place */
        scm->queue_count = 0;
        return ty_fail(diag, TY_ERR_FORMAT, "scm: the saved grid is damaged");
    }
    return TY_OK;
}
