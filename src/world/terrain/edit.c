/* src/world/terrain/edit.c - see edit.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "edit.h"
#include <string.h>
#include "core/core.h"

#define TILES  4096 /* room at the start */
#define N      TYI_TERRAIN_TILE_SAMPLES
#define RECORD (N * (3 * sizeof(float) + 3) + 256) /* [bytes] no record of a tile is longer */
#define FIELD  ((size_t)(2 * TY_TERRAIN_TILE + 1) * (2 * TY_TERRAIN_TILE + 1))

static uint64_t hash_of(int level, int32_t x, int32_t y)
{
    int32_t key[3] = { level, x, y };
    return tyi_hash(key, sizeof key, TYI_HASH_START);
}

tyi_terrain_edit_tile *tyi_terrain_edit_find(const tyi_terrain_edits *e, int level, int32_t x, int32_t y)
{
    for (uint32_t i = tyi_index_first(&e->index, hash_of(level, x, y)); i != TYI_NONE; i = e->index.next[i]) {
        tyi_terrain_edit_tile *tile = e->tile[i];
        if (tile->level == level && tile->x == x && tile->y == y) {
            return tile;
        }
    }
    return NULL;
}

/* room for one more */
static bool more_tiles(tyi_terrain_edits *e)
{
    tyi_terrain_edit_tile **list =
        tyi_list_room(e->alloc, e->tile, e->tiles, e->tiles + 1, &e->room, sizeof *list, TILES);
    e->tile = list ? list : e->tile;
    if (!list || (e->index.room < e->room && !tyi_index_make(&e->index, e->alloc, e->room))) {
        return false;
    }
    for (uint32_t i = 0; i < e->tiles; i++) {
        tyi_index_add(&e->index, hash_of(e->tile[i]->level, e->tile[i]->x, e->tile[i]->y), i);
    }
    return true;
}

static tyi_terrain_edit_tile *find_or_add(tyi_terrain_edits *e, int level, int32_t x, int32_t y)
{
    tyi_terrain_edit_tile *tile = tyi_terrain_edit_find(e, level, x, y);
    if (!tile && (e->tiles < e->index.room || more_tiles(e))) {
        tile = tyi_get(e->alloc, sizeof *tile);
        if (tile) {
            tile->level = level;
            tile->x = x;
            tile->y = y;
            tyi_index_add(&e->index, hash_of(level, x, y), (uint32_t)e->tiles);
            e->tile[e->tiles++] = tile;
        }
    }
    return tile;
}

ty_status tyi_terrain_edits_init(tyi_terrain_edits *e, int level, int levels, double spacing, const ty_alloc *alloc,
                                 ty_diag *diag)
{
    *e = (tyi_terrain_edits){ .alloc = alloc,
                              .level = level,
                              .levels = levels,
                              .spacing = spacing,
                              .budget = TYI_TERRAIN_EDIT_BYTES,
                              .moved = { .alloc = alloc } };
    ty_status status = tyi_terrain_journal_init(&e->journal, alloc, diag);
    e->record = tyi_get(alloc, RECORD);
    e->one = tyi_get(alloc, sizeof *e->one);
    e->field = tyi_get(alloc, FIELD * sizeof *e->field);
    pthread_mutex_init(&e->lock, NULL);
    pthread_rwlock_init(&e->in_use, NULL);
    if (status == TY_OK && (!more_tiles(e) || !e->record || !e->one || !e->field)) {
        status = ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for edits");
    }
    if (status != TY_OK) {
        tyi_terrain_edits_free(e);
    }
    return status;
}

void tyi_terrain_edits_free(tyi_terrain_edits *e)
{
    const ty_alloc *alloc = e->alloc;
    tyi_terrain_moved_free(&e->moved);
    tyi_terrain_edit_clear(e);
    tyi_terrain_journal_free(&e->journal);
    tyi_terrain_spill_free(&e->spill);
    if (e->one && e->one->more) {
        tyi_put(alloc, e->one->more, 2 * N);
    }
    tyi_put(alloc, e->tile, e->room * sizeof *e->tile);
    tyi_index_free(&e->index, alloc);
    tyi_put(alloc, e->record, e->record ? RECORD : 0);
    tyi_put(alloc, e->one, e->one ? sizeof *e->one : 0);
    tyi_put(alloc, e->field, e->field ? FIELD * sizeof *e->field : 0);
    pthread_mutex_destroy(&e->lock);
    pthread_rwlock_destroy(&e->in_use);
}

void tyi_terrain_edits_spread(const tyi_terrain_edits *e, int level, const int32_t rect[4], int32_t out[4])
{
    int32_t low[2] = { rect[0], rect[1] }, high[2] = { rect[0] + rect[2] - 1, rect[1] + rect[3] - 1 };
    for (int k = 0; k < 2; k++) {
        for (int l = e->level; l < level; l++) { /* coarser: sample i looks at 2i - 1 .. 2i + 1 */
            low[k] = low[k] >> 1;
            high[k] = (high[k] + 1) >> 1;
        }
        for (int l = e->level; l > level; l--) { /* finer: sample 2i + 1 looks at i - 1 .. i + 2 */
            low[k] = 2 * low[k] - 3;
            high[k] = 2 * high[k] + 3;
        }
        out[k] = low[k];
        out[2 + k] = high[k] - low[k] + 1;
    }
}

/* marks the coarse tiles above rect stale, making those that are not there yet */
static ty_status mark_coarse(tyi_terrain_edits *e, const int32_t rect[4], ty_diag *diag)
{
    for (int l = e->level + 1; l < e->levels; l++) {
        int32_t r[4];
        tyi_terrain_edits_spread(e, l, rect, r);
        for (int32_t y = tyi_terrain_edit_tile_of(r[1]); y <= tyi_terrain_edit_tile_of(r[1] + r[3] - 1); y++) {
            for (int32_t x = tyi_terrain_edit_tile_of(r[0]); x <= tyi_terrain_edit_tile_of(r[0] + r[2] - 1); x++) {
                tyi_terrain_edit_tile *tile = find_or_add(e, l, x, y);
                if (!tile) {
                    return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for an edit tile of level %d", l);
                }
                tile->stale = true;
            }
        }
    }
    return TY_OK;
}

/* ---- one edit ---- */

/* makes every tile that the edit touches, so that applying it cannot fail halfway */
static ty_status make_tiles(tyi_terrain_edits *e, const ty_edit *edit, ty_diag *diag)
{
    for (int32_t y = tyi_terrain_edit_tile_of(edit->j0); y <= tyi_terrain_edit_tile_of(edit->j0 + edit->ny - 1); y++) {
        for (int32_t x = tyi_terrain_edit_tile_of(edit->i0); x <= tyi_terrain_edit_tile_of(edit->i0 + edit->nx - 1);
             x++) {
            tyi_terrain_edit_tile *tile = find_or_add(e, e->level, x, y);
            tyi_terrain_edit_data *data = tile ? tyi_terrain_edit_make(e, tile, true) : NULL;
            if (data && (edit->material || edit->covered) && !data->more) {
                data->more = tyi_get(e->alloc, 2 * N);
                data = data->more ? data : NULL;
            }
            if (!data) {
                return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for an edit tile");
            }
        }
    }
    int32_t rect[4] = { edit->i0, edit->j0, edit->nx, edit->ny };
    return mark_coarse(e, rect, diag);
}

static void apply_to_tile(tyi_terrain_edit_tile *tile, tyi_terrain_edit_data *data, const ty_edit *edit)
{
    int i, j, nx = tyi_terrain_edit_overlap(edit->i0, edit->nx, tile->x, &i),
              ny = tyi_terrain_edit_overlap(edit->j0, edit->ny, tile->y, &j);
    for (int row = 0; row < ny; row++) {
        size_t from = (size_t)(j + row - edit->j0) * (size_t)edit->nx + (size_t)(i - edit->i0);
        size_t to =
            (size_t)(j + row - tile->y * TY_TERRAIN_TILE) * TY_TERRAIN_TILE + (size_t)(i - tile->x * TY_TERRAIN_TILE);
        for (int k = 0; k < nx && edit->change; k++) {
            data->change[to + (size_t)k] += edit->change[from + (size_t)k];
        }
        if (edit->pressed) {
            memcpy(data->pressed + to, edit->pressed + from, (size_t)nx * sizeof *edit->pressed);
        }
        if (edit->trace) {
            memcpy(data->trace + to, edit->trace + from, (size_t)nx);
        }
        if (edit->material) {
            memcpy(data->more + to, edit->material + from, (size_t)nx);
        }
        if (edit->covered) {
            memcpy(data->more + N + to, edit->covered + from, (size_t)nx);
        }
        if (edit->print) {
            memcpy(data->print + to, edit->print + from, (size_t)nx * sizeof *edit->print);
        }
    }
    tile->filed = false;
    tile->unsaved = true;
}

ty_status tyi_terrain_edits_apply(tyi_terrain_edits *e, const ty_edit *edit, ty_diag *diag)
{
    if (edit->nx < 1 || edit->ny < 1 || edit->nx > 16384 || edit->ny > 16384) {
        return ty_fail(diag, TY_ERR_RANGE, "terrain edit: %d x %d samples, but 1 to 16384 a side are accepted",
                       (int)edit->nx, (int)edit->ny);
    }
    bool ground =
        edit->change || edit->trace || edit->pressed || edit->material || edit->covered || edit->print || !edit->rock;
    pthread_mutex_lock(&e->lock);
    tyi_terrain_edit_trim(e);
    ty_status status = ground ? make_tiles(e, edit, diag) : TY_OK;
    pthread_mutex_unlock(&e->lock);
    if (status == TY_OK && edit->rock) {
        status = tyi_terrain_moved_put(&e->moved, edit->rock, diag);
    }
    if (status != TY_OK) {
        return status;
    }
    for (int32_t y = tyi_terrain_edit_tile_of(edit->j0);
         ground && y <= tyi_terrain_edit_tile_of(edit->j0 + edit->ny - 1); y++) {
        for (int32_t x = tyi_terrain_edit_tile_of(edit->i0); x <= tyi_terrain_edit_tile_of(edit->i0 + edit->nx - 1);
             x++) {
            tyi_terrain_edit_tile *tile = tyi_terrain_edit_find(e, e->level, x, y);
            apply_to_tile(tile, atomic_load_explicit(&tile->data, memory_order_relaxed), edit);
        }
    }
    return tyi_terrain_journal_append(&e->journal, e->level, edit, diag);
}

/* ---- all of them as bytes: a head, rocks, tiles; and again, for what is new since ---- */

typedef struct head {
    uint32_t magic, pad;
    uint64_t rocks; /* moved ones, which follow */
    uint64_t tiles; /* records after them */
    int32_t whole[4];
} head;
#define MAGIC 0x47445545u

/* its record, in e->record; 0: it is nowhere. With e->lock held. */
static size_t record_of(tyi_terrain_edits *e, tyi_terrain_edit_tile *tile)
{
    TYI_LOCKED(&e->lock);
    if (tile->filed) {
        return tyi_terrain_spill_read(&e->spill, e->record, tile->bytes, tile->at) ? tile->bytes : 0;
    }
    const tyi_terrain_edit_data *data = atomic_load(&tile->data);
    return data ? tyi_terrain_edit_encode(e, tile, data) : 0;
}

static bool told(const tyi_terrain_edits *e, const tyi_terrain_edit_tile *tile, bool all)
{
    return tile->level == e->level && (all || tile->unsaved); /* coarser tiles follow from the finer ones */
}

ty_status tyi_terrain_edits_save(tyi_terrain_edits *e, bool all, tyi_terrain_sink sink, void *user, ty_diag *diag)
{
    head h = { .magic = MAGIC, .rocks = e->moved.count };
    memcpy(h.whole, e->journal.whole, sizeof h.whole);
    for (size_t i = 0; i < e->tiles; i++) {
        h.tiles += told(e, e->tile[i], all);
    }
    pthread_mutex_lock(&e->lock);
    bool fine = sink(user, &h, sizeof h) && (!h.rocks || sink(user, e->moved.rock, h.rocks * sizeof *e->moved.rock));
    for (size_t i = 0; i < e->tiles && fine; i++) {
        if (told(e, e->tile[i], all)) {
            size_t bytes = record_of(e, e->tile[i]);
            fine = bytes && sink(user, e->record, bytes);
        }
    }
    for (size_t i = 0; i < e->tiles && fine && !all; i++) {
        e->tile[i]->unsaved = false;
    }
    pthread_mutex_unlock(&e->lock);
    return fine ? TY_OK : ty_fail(diag, TY_ERR_FILE, "terrain: the edits of the ground cannot be written");
}

void tyi_terrain_edits_unsave(tyi_terrain_edits *e)
{
    for (size_t i = 0; i < e->tiles; i++) {
        e->tile[i]->unsaved = e->tile[i]->level == e->level;
    }
}

uint64_t tyi_terrain_edits_size(tyi_terrain_edits *e)
{
    uint64_t bytes = 0;
    pthread_mutex_lock(&e->lock);
    for (size_t i = 0; i < e->tiles; i++) {
        bytes += e->tile[i]->level == e->level ? e->tile[i]->filed ? e->tile[i]->bytes : record_of(e, e->tile[i]) : 0;
    }
    pthread_mutex_unlock(&e->lock);
    return bytes;
}

/* the smallest rectangle around both; one without an area counts for nothing */
static void around(const int32_t a[4], const int32_t b[4], int32_t out[4])
{
    for (int k = 0; k < 2; k++) {
        bool only_a = b[2] < 1, only_b = a[2] < 1;
        int32_t low = only_a || (!only_b && a[k] < b[k]) ? a[k] : b[k];
        int32_t end_a = a[k] + a[2 + k], end_b = b[k] + b[2 + k];
        int32_t high = only_a || (!only_b && end_a > end_b) ? end_a : end_b;
        out[k] = low;
        out[2 + k] = high - low;
    }
}

/* the next record becomes a tile */
static ty_status load_tile(tyi_terrain_edits *e, uint64_t *left, tyi_terrain_source source, void *user, bool saved,
                           ty_diag *diag)
{
    size_t first = 24, bytes; /* magic, size, level, x, y */
    int32_t about[6] = { 0 };
    if (*left < first || !source(user, about, first)) {
        return ty_fail(diag, TY_ERR_FORMAT, "terrain: the saved edits end too early");
    }
    bytes = (uint32_t)about[1];
    if (bytes < first || bytes > RECORD || bytes > *left || about[2] != e->level) {
        return ty_fail(diag, TY_ERR_FORMAT, "terrain: the saved edits are damaged");
    }
    memcpy(e->record, about, first);
    *left -= bytes;
    if (!source(user, e->record + first, bytes - first)) {
        return ty_fail(diag, TY_ERR_FORMAT, "terrain: the saved edits end too early");
    }
    int32_t x = about[3], y = about[4],
            rect[4] = { x * TY_TERRAIN_TILE, y * TY_TERRAIN_TILE, TY_TERRAIN_TILE, TY_TERRAIN_TILE };
    tyi_terrain_edit_tile *tile = find_or_add(e, e->level, x, y);
    if (!tile || mark_coarse(e, rect, diag) != TY_OK) {
        return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for an edit tile");
    }
    if (!tyi_terrain_edit_take(e, tile, bytes)) {
        return ty_fail(diag, TY_ERR_FORMAT, "terrain: the saved edits are damaged, or there is no memory for them");
    }
    tile->unsaved = !saved;
    tyi_terrain_edit_trim(e);
    return TY_OK;
}

static ty_status load_part(tyi_terrain_edits *e, uint64_t *left, tyi_terrain_source source, void *user, bool saved,
                           int32_t whole[4], ty_diag *diag)
{
    head h;
    if (*left < sizeof h || !source(user, &h, sizeof h) || h.magic != MAGIC ||
        h.rocks > (*left - sizeof h) / sizeof(ty_rock)) {
        return ty_fail(diag, TY_ERR_FORMAT, "terrain: these bytes are no saved edits");
    }
    size_t rock_bytes = h.rocks * sizeof(ty_rock);
    ty_rock *rocks = tyi_get(e->alloc, rock_bytes + 1);
    ty_status status = rocks ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for moved rocks");
    if (status == TY_OK && rock_bytes && !source(user, rocks, rock_bytes)) {
        status = ty_fail(diag, TY_ERR_FORMAT, "terrain: the saved edits end too early");
    }
    if (status == TY_OK) {
        status = tyi_terrain_moved_load(&e->moved, rocks, h.rocks, diag);
    }
    tyi_put(e->alloc, rocks, rocks ? rock_bytes + 1 : 0);
    *left -= sizeof h + rock_bytes;
    memcpy(whole, h.whole, sizeof h.whole);
    for (uint64_t i = 0; i < h.tiles && status == TY_OK; i++) {
        status = load_tile(e, left, source, user, saved, diag);
    }
    return status;
}

/* what readers have to know after all of it became another: `whole` is around the edits now */
static void replaced(tyi_terrain_edits *e, const int32_t whole[4], int32_t changed[4])
{
    around(e->journal.whole, whole, changed);
    if (changed[2] > 0) {
        tyi_terrain_journal_note(&e->journal, changed);
    }
    memcpy(e->journal.whole, whole, 4 * sizeof *whole);
    tyi_terrain_journal_restart(&e->journal);
}

ty_status tyi_terrain_edits_load(tyi_terrain_edits *e, uint64_t bytes, tyi_terrain_source source, void *user,
                                 bool saved, int32_t changed[4], ty_diag *diag)
{
    int32_t whole[4] = { 0 };
    ty_status status = TY_OK;
    uint64_t left = bytes;
    pthread_mutex_lock(&e->lock);
    tyi_terrain_edit_clear(e);
    do {
        status = load_part(e, &left, source, user, saved, whole, diag);
    } while (left && status == TY_OK);
    pthread_mutex_unlock(&e->lock);
    replaced(e, whole, changed);
    return status;
}

ty_status tyi_terrain_edits_forget(tyi_terrain_edits *e, int32_t changed[4], ty_diag *diag)
{
    const int32_t none[4] = { 0 };
    pthread_mutex_lock(&e->lock);
    tyi_terrain_edit_clear(e);
    pthread_mutex_unlock(&e->lock);
    replaced(e, none, changed);
    return tyi_terrain_moved_load(&e->moved, NULL, 0, diag);
}

ty_status tyi_terrain_edits_each(tyi_terrain_edits *e, ty_status (*each)(void *user, const ty_edit *edit), void *user)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < e->tiles && status == TY_OK; i++) {
        tyi_terrain_edit_tile *tile = e->tile[i];
        if (tile->level != e->level) {
            continue;
        }
        pthread_mutex_lock(&e->lock);
        const tyi_terrain_edit_data *data = tyi_terrain_edit_peek(e, tile);
        pthread_mutex_unlock(&e->lock);
        if (!data) {
            return TY_ERR_FILE;
        }
        ty_edit edit = { .i0 = tile->x * TY_TERRAIN_TILE,
                         .j0 = tile->y * TY_TERRAIN_TILE,
                         .nx = TY_TERRAIN_TILE,
                         .ny = TY_TERRAIN_TILE,
                         .change = data->change,
                         .pressed = data->pressed,
                         .trace = data->trace,
                         .material = data->more,
                         .covered = data->more ? data->more + N : NULL,
                         .print = data->print };
        status = each(user, &edit);
    }
    return status;
}
