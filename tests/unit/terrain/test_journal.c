/* The ground journal: readers at their own pace, memory that is bounded, saves that tell what is new.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <string.h>
#include "core/core.h"
#include "tyt.h"
#include "world/terrain/terrain.h"

static ty_terrain *make(void)
{
    ty_terrain_def def = ty_terrain_def_default();
    ty_terrain *t = NULL;
    ty_diag diag = { 0 };
    def.extent = 2000.0;
    def.rock.on = false;
    cr_assert(ty_terrain_create(&def, &t, &diag) == TY_OK, "%s", diag.text);
    return t;
}

/* a fixed sequence of edits along a way that crosses itself, all layers of them */
static void edit(ty_terrain *t, uint32_t k)
{
    enum { SIDE = 40 };
    static _Thread_local float change[SIDE * SIDE], pressed[SIDE * SIDE];
    static _Thread_local uint8_t trace[SIDE * SIDE], layer[SIDE * SIDE];
    uint32_t state = 12345u + 977u * k;
    int nx = 5 + (int)(k * 7 % 36), ny = 5 + (int)(k * 11 % 36);
    for (int i = 0; i < nx * ny; i++) {
        state = state * 1664525u + 1013904223u;
        change[i] = (float)(state >> 8) * (-0.03f / 16777216.0f);
        pressed[i] = -change[i];
        trace[i] = (uint8_t)(state >> 24);
        layer[i] = (uint8_t)(state >> 16);
    }
    double way = 0.1 * k, a = way / 60.0;
    ty_edit e = { .i0 = (int32_t)(1500.0 * sin(a)),
                  .j0 = (int32_t)(1500.0 * sin(2.0 * a)),
                  .nx = nx,
                  .ny = ny,
                  .change = k % 17 ? change : NULL,
                  .trace = k % 5 ? trace : NULL,
                  .pressed = k % 3 ? pressed : NULL,
                  .material = k % 101 == 0 ? layer : NULL,
                  .covered = k % 103 == 0 ? layer : NULL };
    cr_assert(ty_terrain_edit(t, &e, NULL) == TY_OK);
}

/* of all that can be read of the ground's edits, at its own level and three coarser ones, and of tiles made of them */
static uint64_t hash_of(ty_terrain *t)
{
    enum { W = 256, R = 1792 };
    static float change[W * W], pressed[W * W];
    static uint8_t a[W * W], b[W * W], c[W * W];
    uint64_t h = TYI_HASH_START;
    for (int32_t j = -R; j < R; j += W) {
        for (int32_t i = -R; i < R; i += W) {
            tyi_terrain_edit_view v = { .pressed = pressed, .trace = a, .material = b, .covered = c };
            ty_terrain_edits(t, t->edits.level, i, j, W, W, change, NULL);
            tyi_terrain_edits_view(&t->edits, i, j, W, W, v);
            h = tyi_hash(change, sizeof change, h);
            h = tyi_hash(pressed, sizeof pressed, h);
            h = tyi_hash(a, sizeof a, tyi_hash(b, sizeof b, tyi_hash(c, sizeof c, h)));
        }
    }
    for (int level = t->edits.level - 1; level < t->edits.level + 4; level += 1 + (level == t->edits.level - 1)) {
        for (int k = 0; k < 16; k++) {
            ty_terrain_edits(t, level, (k % 4 - 2) * W, (k / 4 - 2) * W, W, W, change, NULL);
            h = tyi_hash(change, sizeof change, h);
        }
    }
    double z0;
    for (int k = 0; k < 4; k++) {
        cr_assert(ty_terrain_tile(t, t->edits.level, k, k / 2, change, &z0, NULL) == TY_OK);
        h = tyi_hash(change, TY_TERRAIN_TILE * TY_TERRAIN_TILE * sizeof *change, h);
    }
    return h;
}

static void follow(tyi_terrain_cursor *c, ty_terrain *to, uint64_t until)
{
    tyi_terrain_entry entry;
    tyi_terrain_reading found;
    while ((found = tyi_terrain_cursor_read(c, until, &entry)) == TYI_TERRAIN_ENTRY) {
        cr_assert(tyi_terrain_follow(to, &entry, NULL) == TY_OK && entry.level == to->edits.level);
    }
    TY_CHECK(found == TYI_TERRAIN_NOTHING);
}

/* Four readers: one after every edit, one every 1000, one at the end that lags by more than memory holds, one that comes in the middle.
 * Controls: a reader that misses one entry, and the ground before. */
TY_TEST(journal, readers_at_any_pace_end_with_the_same_ground)
{
    enum { EDITS = 4000 };
    ty_terrain *from = make(), *to[4] = { make(), make(), make(), make() }, *control = make();
    tyi_terrain_cursor c[4] = { 0 }, missing = { 0 };
    uint64_t before = hash_of(from);
    from->edits.budget = to[0]->edits.budget = (size_t)3
                                               << 20; /* some twenty tiles: most of the ground is in the file */
    from->edits.journal.most = 3;
    for (int k = 0; k < 3; k++) {
        tyi_terrain_cursor_open(&from->edits.journal, &c[k]);
    }
    tyi_terrain_cursor_open(&from->edits.journal, &missing);
    size_t most = 0, segments = 0;
    for (uint32_t k = 0; k < EDITS; k++) {
        edit(from, k);
        most = from->edits.resident > most ? from->edits.resident : most;
        segments = from->edits.journal.resident > segments ? from->edits.journal.resident : segments;
        follow(&c[0], to[0], UINT64_MAX);
        if (k % 1000 == 999) {
            follow(&c[1], to[1], k - 500); /* as far as a window saw */
        }
        if (k == EDITS / 2) {
            tyi_terrain_entry entry;
            tyi_terrain_cursor_open(&from->edits.journal, &c[3]);
            TY_CHECK(tyi_terrain_cursor_read(&c[3], UINT64_MAX, &entry) == TYI_TERRAIN_RESTART);
            cr_assert(tyi_terrain_copy_edits(from, to[3], NULL) == TY_OK);
        }
    }
    for (int k = 0; k < 4; k++) {
        follow(&c[k], to[k], UINT64_MAX);
    }
    uint64_t want = hash_of(from);
    TY_CHECK(want != before && hash_of(control) == before);
    for (int k = 0; k < 4; k++) {
        TY_CHECK(hash_of(to[k]) == want);
    }
    tyi_terrain_entry entry;
    for (int k = 0; tyi_terrain_cursor_read(&missing, UINT64_MAX, &entry) == TYI_TERRAIN_ENTRY; k++) {
        cr_assert(k == 2321 || tyi_terrain_follow(control, &entry, NULL) == TY_OK);
    }
    TY_CHECK(hash_of(control) != want);
    /* memory kept to its bounds, and the lagging readers' entries were in the file */
    TY_CHECK(most < ((size_t)3 << 20) + 16 * sizeof(tyi_terrain_edit_data) && segments <= 3 + 2);
    TY_CHECK(from->edits.spill.end > (1u << 20) && from->edits.journal.spill.end > 8 * TYI_TERRAIN_SEGMENT);
    for (int k = 0; k < 4; k++) {
        tyi_terrain_cursor_close(&c[k]);
        ty_terrain_destroy(to[k]);
    }
    tyi_terrain_cursor_close(&missing);
    TY_CHECK(from->edits.journal.first == from->edits.journal.last);
    ty_terrain_destroy(control);
    ty_terrain_destroy(from);
    TY_ROW("readers of the ground at four paces end with the same bits", "the ground they follow",
           "4000 edits, 18 MiB behind");
}

typedef struct saved {
    char *bytes;
    size_t size, room, at;
} saved;

static bool sink(void *user, const void *data, size_t bytes)
{
    saved *s = user;
    if (s->size + bytes > s->room) {
        s->room = 2 * (s->size + bytes);
        s->bytes = realloc(s->bytes, s->room);
    }
    memcpy(s->bytes + s->size, data, bytes);
    s->size += bytes;
    return true;
}

static bool source(void *user, void *data, size_t bytes)
{
    saved *s = user;
    bool there = s->size - s->at >= bytes;
    memcpy(data, s->bytes + s->at, there ? bytes : 0);
    s->at += there ? bytes : 0;
    return there;
}

/* Saves one after the other tell what is new, and together the whole. Controls: the first alone, damaged bytes. */
TY_TEST(journal, saves_tell_what_is_new)
{
    ty_terrain *from = make(), *to = make();
    saved all = { 0 }, parts = { 0 };
    ty_diag diag = { 0 };
    from->edits.budget = (size_t)2 << 20;
    size_t last = 0, least = SIZE_MAX;
    for (uint32_t k = 0; k < 3000; k++) {
        edit(from, k);
        if (k % 300 == 299) {
            last = parts.size;
            cr_assert(tyi_terrain_edits_save(&from->edits, false, sink, &parts, &diag) == TY_OK, "%s", diag.text);
            least = parts.size - last < least ? parts.size - last : least;
        }
    }
    uint64_t want = hash_of(from);
    cr_assert(tyi_terrain_edits_save(&from->edits, true, sink, &all, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(all.size < parts.size && 4 * (parts.size - last) < all.size && least > 0);
    size_t nothing = parts.size;
    cr_assert(tyi_terrain_edits_save(&from->edits, false, sink, &parts, &diag) == TY_OK);
    TY_CHECK(parts.size - nothing < 100);
    cr_assert(tyi_terrain_load(to, all.size, source, &all, false, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(hash_of(to) == want);
    cr_assert(tyi_terrain_load(to, last, source, &parts, true, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(hash_of(to) != want);
    parts.at = 0;
    cr_assert(tyi_terrain_load(to, parts.size, source, &parts, true, &diag) == TY_OK, "%s", diag.text);
    TY_CHECK(hash_of(to) == want);
    for (size_t k = 0; k < 40; k++) {
        size_t at = parts.size / 41 * k + 60;
        parts.at = 0;
        parts.bytes[at] ^= 0x41;
        (void)tyi_terrain_load(to, parts.size, source, &parts, true, &diag); /* no crash; most are refused */
        parts.bytes[at] ^= 0x41;
    }
    all.at = 0;
    all.bytes[all.size / 2] ^= 1;
    TY_CHECK(tyi_terrain_load(to, all.size, source, &all, false, &diag) == TY_ERR_FORMAT);
    all.at = 0;
    TY_CHECK(tyi_terrain_load(to, all.size - 5, source, &all, false, &diag) == TY_ERR_FORMAT);
    free(all.bytes), free(parts.bytes);
    ty_terrain_destroy(to);
    ty_terrain_destroy(from);
}

/* A reader on a thread of its own. */
typedef struct reader {
    tyi_terrain_cursor cursor;
    ty_terrain *to;
    uint64_t until;
} reader;

static void *read_all(void *user)
{
    reader *r = user;
    tyi_terrain_entry entry;
    for (uint64_t at = 0; at < r->until;) {
        if (tyi_terrain_cursor_read(&r->cursor, UINT64_MAX, &entry) == TYI_TERRAIN_ENTRY) {
            at = entry.version;
            tyi_terrain_follow(r->to, &entry, NULL);
        }
    }
    return NULL;
}

TY_TEST(journal, readers_on_threads)
{
    enum { EDITS = 2000 };
    ty_terrain *from = make();
    reader r[2] = { { .to = make(), .until = EDITS }, { .to = make(), .until = EDITS } };
    pthread_t thread[2];
    from->edits.journal.most = 2;
    for (int k = 0; k < 2; k++) {
        tyi_terrain_cursor_open(&from->edits.journal, &r[k].cursor);
        cr_assert(pthread_create(&thread[k], NULL, read_all, &r[k]) == 0);
    }
    for (uint32_t k = 0; k < EDITS; k++) {
        edit(from, k);
    }
    uint64_t want = hash_of(from);
    for (int k = 0; k < 2; k++) {
        pthread_join(thread[k], NULL);
        tyi_terrain_cursor_close(&r[k].cursor);
        TY_CHECK(hash_of(r[k].to) == want);
        ty_terrain_destroy(r[k].to);
    }
    ty_terrain_destroy(from);
}
