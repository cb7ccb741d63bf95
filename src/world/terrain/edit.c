/* src/world/terrain/edit.c - see edit.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "edit.h"
#include <string.h>
#include "core/core.h"

#define BUCKETS 4096 /* tiles are found through this many chains; 4096 tiles of 128 x 128 x 2 cm are 2.6 hectares */

static size_t bucket_of(int level, int32_t x, int32_t y)
{
    int32_t key[3] = { level, x, y };
    return tyi_hash(key, sizeof key, TYI_HASH_START) % BUCKETS;
}

tyi_terrain_edit_tile *tyi_terrain_edit_find(const tyi_terrain_edits *e, int level, int32_t x, int32_t y)
{
    tyi_terrain_edit_tile *tile = e->bucket[bucket_of(level, x, y)];
    while (tile && (tile->level != level || tile->x != x || tile->y != y)) {
        tile = tile->next;
    }
    return tile;
}

static size_t tile_bytes(const tyi_terrain_edits *e, int level)
{
    return sizeof(tyi_terrain_edit_tile) + (level == e->level ? TY_TERRAIN_TILE * TY_TERRAIN_TILE : 0);
}

static tyi_terrain_edit_tile *find_or_add(tyi_terrain_edits *e, int level, int32_t x, int32_t y)
{
    tyi_terrain_edit_tile *tile = tyi_terrain_edit_find(e, level, x, y);
    if (!tile) {
        tile = tyi_get(e->alloc, tile_bytes(e, level));
        if (tile) {
            size_t b = bucket_of(level, x, y);
            tile->level = level;
            tile->x = x;
            tile->y = y;
            tile->next = e->bucket[b];
            e->bucket[b] = tile;
        }
    }
    return tile;
}

ty_status tyi_terrain_edits_init(tyi_terrain_edits *e, int level, int levels, const ty_alloc *alloc, ty_diag *diag)
{
    *e = (tyi_terrain_edits){ .alloc = alloc, .level = level, .levels = levels, .moved = { .alloc = alloc } };
    e->bucket = tyi_get(alloc, BUCKETS * sizeof *e->bucket);
    e->journal = tyi_get(alloc, TYI_TERRAIN_JOURNAL * sizeof *e->journal);
    if (!e->bucket || !e->journal) {
        tyi_put(alloc, e->bucket, BUCKETS * sizeof *e->bucket);
        tyi_put(alloc, e->journal, TYI_TERRAIN_JOURNAL * sizeof *e->journal);
        return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for the journal of edits");
    }
    pthread_mutex_init(&e->lock, NULL);
    return TY_OK;
}

void tyi_terrain_edits_free(tyi_terrain_edits *e)
{
    tyi_terrain_moved_free(&e->moved);
    for (size_t b = 0; b < BUCKETS; b++) {
        while (e->bucket[b]) {
            tyi_terrain_edit_tile *tile = e->bucket[b];
            e->bucket[b] = tile->next;
            tyi_put(e->alloc, tile, tile_bytes(e, tile->level));
        }
    }
    tyi_put(e->alloc, e->bucket, BUCKETS * sizeof *e->bucket);
    tyi_put(e->alloc, e->journal, TYI_TERRAIN_JOURNAL * sizeof *e->journal);
    pthread_mutex_destroy(&e->lock);
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

/* all tiles gone; version and journal stay, so that readers see what comes next as a change */
static void clear(tyi_terrain_edits *e)
{
    for (size_t b = 0; b < BUCKETS; b++) {
        while (e->bucket[b]) {
            tyi_terrain_edit_tile *tile = e->bucket[b];
            e->bucket[b] = tile->next;
            tyi_put(e->alloc, tile, tile_bytes(e, tile->level));
        }
    }
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

/* the record of one edit, which may have changed all of rect */
static void note(tyi_terrain_edits *e, const int32_t rect[4])
{
    memcpy(e->journal[e->version++ % TYI_TERRAIN_JOURNAL], rect, 4 * sizeof *rect);
}

/* a tile of the edit level with these changes */
static ty_status put_tile(tyi_terrain_edits *e, int32_t x, int32_t y, const float *change, const uint8_t *trace,
                          ty_diag *diag)
{
    tyi_terrain_edit_tile *tile = find_or_add(e, e->level, x, y);
    if (!tile) {
        return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for an edit tile");
    }
    memcpy(tile->change, change, sizeof tile->change);
    memcpy(tile->trace, trace, TY_TERRAIN_TILE * TY_TERRAIN_TILE);
    int32_t rect[4] = { x * TY_TERRAIN_TILE, y * TY_TERRAIN_TILE, TY_TERRAIN_TILE, TY_TERRAIN_TILE };
    return mark_coarse(e, rect, diag);
}

typedef struct saved_tile {
    int32_t x, y;
    float change[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
    uint8_t trace[TY_TERRAIN_TILE * TY_TERRAIN_TILE];
} saved_tile;

typedef struct saved_head {
    int32_t whole[4];
    uint64_t rocks; /* moved ones, which follow, then the tiles */
} saved_head;

size_t tyi_terrain_edits_save(const tyi_terrain_edits *e, void *out)
{
    size_t rocks = e->moved.count * sizeof *e->moved.rock, bytes = sizeof(saved_head) + rocks;
    if (out) {
        saved_head head = { .rocks = e->moved.count };
        memcpy(head.whole, e->whole, sizeof head.whole);
        memcpy(out, &head, sizeof head);
        if (rocks) {
            memcpy((char *)out + sizeof head, e->moved.rock, rocks);
        }
    }
    for (size_t b = 0; b < BUCKETS; b++) {
        for (const tyi_terrain_edit_tile *tile = e->bucket[b]; tile; tile = tile->next) {
            if (tile->level != e->level) {
                continue; /* coarser tiles follow from the finer ones */
            }
            if (out) {
                saved_tile *to = (saved_tile *)(void *)((char *)out + bytes);
                to->x = tile->x, to->y = tile->y;
                memcpy(to->change, tile->change, sizeof to->change);
                memcpy(to->trace, tile->trace, sizeof to->trace);
            }
            bytes += sizeof(saved_tile);
        }
    }
    return bytes;
}

ty_status tyi_terrain_edits_load(tyi_terrain_edits *e, const void *saved, size_t bytes, int32_t changed[4],
                                 ty_diag *diag)
{
    saved_head head = { 0 };
    memcpy(&head, saved, bytes < sizeof head ? 0 : sizeof head);
    size_t left = bytes < sizeof head ? 0 : bytes - sizeof head;
    const ty_rock *rocks = (const ty_rock *)(const void *)((const char *)saved + sizeof head);
    if (bytes < sizeof head || head.rocks > left / sizeof *rocks ||
        (left - head.rocks * sizeof *rocks) % sizeof(saved_tile)) {
        return ty_fail(diag, TY_ERR_FORMAT, "terrain: %zu bytes are no saved edits", bytes);
    }
    clear(e);
    ty_status status = tyi_terrain_moved_load(&e->moved, rocks, head.rocks, diag);
    for (size_t at = sizeof head + head.rocks * sizeof *rocks; at < bytes && status == TY_OK;
         at += sizeof(saved_tile)) {
        const saved_tile *tile = (const saved_tile *)(const void *)((const char *)saved + at);
        status = put_tile(e, tile->x, tile->y, tile->change, tile->trace, diag);
    }
    around(e->whole, head.whole, changed);
    memcpy(e->whole, head.whole, sizeof head.whole);
    if (changed[2] > 0) {
        note(e, changed);
    }
    return status;
}

/* makes every tile that the edit touches, so that applying it cannot fail halfway */
static ty_status make_tiles(tyi_terrain_edits *e, const ty_edit *edit, ty_diag *diag)
{
    for (int32_t y = tyi_terrain_edit_tile_of(edit->j0); y <= tyi_terrain_edit_tile_of(edit->j0 + edit->ny - 1); y++) {
        for (int32_t x = tyi_terrain_edit_tile_of(edit->i0); x <= tyi_terrain_edit_tile_of(edit->i0 + edit->nx - 1);
             x++) {
            if (!find_or_add(e, e->level, x, y)) {
                return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for an edit tile");
            }
        }
    }
    int32_t rect[4] = { edit->i0, edit->j0, edit->nx, edit->ny };
    return mark_coarse(e, rect, diag);
}

static void apply_to_tile(tyi_terrain_edit_tile *tile, const ty_edit *edit)
{
    int i, j, nx = tyi_terrain_edit_overlap(edit->i0, edit->nx, tile->x, &i),
              ny = tyi_terrain_edit_overlap(edit->j0, edit->ny, tile->y, &j);
    for (int row = 0; row < ny; row++) {
        size_t from = (size_t)(j + row - edit->j0) * (size_t)edit->nx + (size_t)(i - edit->i0);
        size_t to =
            (size_t)(j + row - tile->y * TY_TERRAIN_TILE) * TY_TERRAIN_TILE + (size_t)(i - tile->x * TY_TERRAIN_TILE);
        for (int k = 0; k < nx && edit->change; k++) {
            tile->change[to + (size_t)k] += edit->change[from + (size_t)k];
        }
        if (edit->trace) {
            memcpy(tile->trace + to, edit->trace + from, (size_t)nx);
        }
    }
}

ty_status tyi_terrain_edits_apply(tyi_terrain_edits *e, const ty_edit *edit, ty_diag *diag)
{
    if (edit->nx < 1 || edit->ny < 1 || edit->nx > 16384 || edit->ny > 16384) {
        return ty_fail(diag, TY_ERR_RANGE, "terrain edit: %d x %d samples, but 1 to 16384 a side are accepted",
                       (int)edit->nx, (int)edit->ny);
    }
    bool ground = edit->change || edit->trace || !edit->rock;
    ty_status status = ground ? make_tiles(e, edit, diag) : TY_OK;
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
            apply_to_tile(tyi_terrain_edit_find(e, e->level, x, y), edit);
        }
    }
    int32_t *row = e->journal[e->version % TYI_TERRAIN_JOURNAL], *w = e->whole;
    row[0] = edit->i0, row[1] = edit->j0, row[2] = edit->nx, row[3] = edit->ny;
    if (e->version++ == 0) {
        memcpy(w, row, 4 * sizeof *w);
    }
    for (int k = 0; k < 2; k++) {
        int32_t low = w[k] < row[k] ? w[k] : row[k];
        int32_t high = w[k] + w[2 + k] > row[k] + row[2 + k] ? w[k] + w[2 + k] : row[k] + row[2 + k];
        w[k] = low;
        w[2 + k] = high - low;
    }
    return TY_OK;
}

bool tyi_terrain_edits_rect(const tyi_terrain_edits *e, uint64_t version, int32_t rect[4])
{
    if (version < 1 || version > e->version) {
        return false;
    }
    const int32_t *row =
        version + TYI_TERRAIN_JOURNAL > e->version ? e->journal[(version - 1) % TYI_TERRAIN_JOURNAL] : e->whole;
    memcpy(rect, row, 4 * sizeof *rect);
    return true;
}
