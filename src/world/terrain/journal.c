/* src/world/terrain/journal.c - see journal.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include "journal.h"
#include <string.h>
#include "core/core.h"

/* what an entry is in a segment; its data follows, at multiples of 8 */
typedef struct head {
    uint64_t version;
    uint32_t bytes, parts; /* bytes: of all of it */
    int32_t level, i0, j0, nx, ny, pad;
} head;
enum { CHANGE = 1, TRACE = 2, ROCK = 4, PRESSED = 8, MATERIAL = 16, COVERED = 32, PRINT = 64 };

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* ---- life ---- */

ty_status tyi_terrain_journal_init(tyi_terrain_journal *j, const ty_alloc *alloc, ty_diag *diag)
{
    *j = (tyi_terrain_journal){ .alloc = alloc, .most = TYI_TERRAIN_SEGMENTS };
    j->rect = tyi_get(alloc, TYI_TERRAIN_RECTS * sizeof *j->rect);
    if (!j->rect) {
        return ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for the journal of edits");
    }
    pthread_mutex_init(&j->lock, NULL);
    return TY_OK;
}

static void free_segment(const tyi_terrain_journal *j, tyi_terrain_segment *s)
{
    tyi_put(j->alloc, s->bytes, s->bytes ? s->room : 0);
    tyi_put(j->alloc, s, sizeof *s);
}

static void free_list(const tyi_terrain_journal *j, tyi_terrain_segment *s)
{
    while (s) {
        tyi_terrain_segment *next = s->next;
        free_segment(j, s);
        s = next;
    }
}

void tyi_terrain_journal_free(tyi_terrain_journal *j)
{
    TY_ASSERT(!j->cursors);
    free_list(j, j->first);
    free_list(j, j->spare);
    tyi_terrain_spill_free(&j->spill);
    tyi_put(j->alloc, j->rect, j->rect ? TYI_TERRAIN_RECTS * sizeof *j->rect : 0);
    if (j->rect) {
        pthread_mutex_destroy(&j->lock);
    }
}

/* ---- segments; all with the lock held ---- */

/* segments that every cursor has left are used again */
static void trim(tyi_terrain_journal *j)
{
    TYI_LOCKED(&j->lock);
    while (j->first && j->first != j->last) {
        const tyi_terrain_cursor *c = j->cursors;
        while (c && c->at != j->first) {
            c = c->next;
        }
        if (c) {
            return;
        }
        tyi_terrain_segment *gone = j->first;
        j->first = gone->next;
        j->resident -= gone->bytes != NULL;
        if (gone->room == TYI_TERRAIN_SEGMENT) {
            gone->next = j->spare;
            j->spare = gone;
        } else {
            free_segment(j, gone);
        }
    }
}

/* oldest first, into the file, until no more than allowed are in memory; where the file cannot be written they stay */
static void spill(tyi_terrain_journal *j)
{
    TYI_LOCKED(&j->lock);
    for (tyi_terrain_segment *s = j->first; s && s != j->last && j->resident > j->most; s = s->next) {
        if (!s->bytes || s->reading) {
            continue;
        }
        if (!s->filed) {
            s->filed = s->placed ? tyi_terrain_spill_write(&j->spill, s->bytes, s->used, s->slot)
                                 : tyi_terrain_spill_add(&j->spill, s->bytes, s->room, &s->slot);
            s->placed = s->placed || s->filed;
        }
        if (s->filed) {
            tyi_put(j->alloc, s->bytes, s->room);
            s->bytes = NULL;
            j->resident--;
        }
    }
}

static bool begin(tyi_terrain_journal *j, size_t bytes)
{
    TYI_LOCKED(&j->lock);
    size_t room = bytes > TYI_TERRAIN_SEGMENT ? bytes : TYI_TERRAIN_SEGMENT;
    tyi_terrain_segment *s = room == TYI_TERRAIN_SEGMENT ? j->spare : NULL;
    if (s) {
        j->spare = s->next;
    } else {
        s = tyi_get(j->alloc, sizeof *s);
    }
    if (s && !s->bytes) {
        s->bytes = tyi_get(j->alloc, room);
    }
    if (!s || !s->bytes) {
        tyi_put(j->alloc, s, s ? sizeof *s : 0);
        return false;
    }
    s->number = j->begun++;
    s->room = room, s->used = 0, s->filed = false, s->next = NULL;
    *(j->last ? &j->last->next : &j->first) = s;
    j->last = s;
    j->resident++;
    for (tyi_terrain_cursor *c = j->cursors; c; c = c->next) {
        c->offset = c->at ? c->offset : 0;
        c->at = c->at ? c->at : s;
    }
    return true;
}

/* ---- writing ---- */

static void grow_whole(tyi_terrain_journal *j, const int32_t rect[4])
{
    int32_t *w = j->whole;
    if (w[2] < 1) {
        memcpy(w, rect, 4 * sizeof *w);
    }
    for (int k = 0; k < 2; k++) {
        int32_t low = w[k] < rect[k] ? w[k] : rect[k];
        int32_t high = w[k] + w[2 + k] > rect[k] + rect[2 + k] ? w[k] + w[2 + k] : rect[k] + rect[2 + k];
        w[k] = low;
        w[2 + k] = high - low;
    }
}

void tyi_terrain_journal_note(tyi_terrain_journal *j, const int32_t rect[4])
{
    memcpy(j->rect[j->version++ % TYI_TERRAIN_RECTS], rect, 4 * sizeof *rect);
    grow_whole(j, rect);
}

static char *put(char *to, const void *data, size_t bytes)
{
    memcpy(to, data, bytes);
    return to + padded(bytes);
}

static void write_entry(char *to, head h, const ty_edit *e)
{
    size_t n = (size_t)e->nx * (size_t)e->ny;
    to = put(to, &h, sizeof h);
    to = e->rock ? put(to, e->rock, sizeof *e->rock) : to;
    to = e->change ? put(to, e->change, n * sizeof *e->change) : to;
    to = e->pressed ? put(to, e->pressed, n * sizeof *e->pressed) : to;
    to = e->trace ? put(to, e->trace, n) : to;
    to = e->material ? put(to, e->material, n) : to;
    to = e->covered ? put(to, e->covered, n) : to;
    to = e->print ? put(to, e->print, n * sizeof *e->print) : to;
}

static size_t entry_bytes(const ty_edit *e)
{
    size_t n = (size_t)e->nx * (size_t)e->ny, f = padded(n * sizeof(float)), b = padded(n);
    return sizeof(head) + (e->rock ? padded(sizeof *e->rock) : 0) + (e->change ? f : 0) + (e->pressed ? f : 0) +
           (e->trace ? b : 0) + (e->material ? b : 0) + (e->covered ? b : 0) + (e->print ? f : 0);
}

static head head_of(int level, const ty_edit *edit, size_t bytes, uint64_t version)
{
    return (head){ .version = version,
                   .bytes = (uint32_t)bytes,
                   .parts = (edit->change ? CHANGE : 0u) | (edit->trace ? TRACE : 0u) | (edit->rock ? ROCK : 0u) |
                            (edit->pressed ? PRESSED : 0u) | (edit->material ? MATERIAL : 0u) |
                            (edit->covered ? COVERED : 0u) | (edit->print ? PRINT : 0u),
                   .level = level,
                   .i0 = edit->i0,
                   .j0 = edit->j0,
                   .nx = edit->nx,
                   .ny = edit->ny };
}

ty_status tyi_terrain_journal_append(tyi_terrain_journal *j, int level, const ty_edit *edit, ty_diag *diag)
{
    int32_t rect[4] = { edit->i0, edit->j0, edit->nx, edit->ny };
    size_t bytes = entry_bytes(edit);
    tyi_terrain_journal_note(j, rect);
    pthread_mutex_lock(&j->lock);
    bool wanted = j->cursors != NULL, there = wanted;
    if (wanted && (!j->last || j->last->room - j->last->used < bytes)) {
        there = begin(j, bytes);
        trim(j);
        spill(j);
    }
    if (there) {
        write_entry(j->last->bytes + j->last->used, head_of(level, edit, bytes, j->version), edit);
        j->last->used += bytes;
    }
    for (tyi_terrain_cursor *c = j->cursors; c && !there; c = c->next) {
        c->restart = true;
    }
    pthread_mutex_unlock(&j->lock);
    return there || !wanted ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "terrain: no memory for the journal of edits");
}

void tyi_terrain_journal_restart(tyi_terrain_journal *j)
{
    pthread_mutex_lock(&j->lock);
    for (tyi_terrain_cursor *c = j->cursors; c; c = c->next) {
        c->restart = true;
    }
    pthread_mutex_unlock(&j->lock);
}

bool tyi_terrain_journal_rect(const tyi_terrain_journal *j, uint64_t version, int32_t rect[4])
{
    if (version < 1 || version > j->version) {
        return false;
    }
    const int32_t *row =
        version + TYI_TERRAIN_RECTS > j->version ? j->rect[(version - 1) % TYI_TERRAIN_RECTS] : j->whole;
    memcpy(rect, row, 4 * sizeof *rect);
    return true;
}

/* ---- reading ---- */

/* with the lock held */
static void let_go(tyi_terrain_cursor *c)
{
    if (c->held) {
        c->at->reading--;
        c->held = false;
    }
}

static void to_end(tyi_terrain_cursor *c)
{
    let_go(c);
    c->at = c->journal->last;
    c->offset = c->at ? c->at->used : 0;
    trim(c->journal);
}

void tyi_terrain_cursor_open(tyi_terrain_journal *j, tyi_terrain_cursor *c)
{
    pthread_mutex_lock(&j->lock);
    *c = (tyi_terrain_cursor){ .journal = j, .restart = j->version > 0, .next = j->cursors };
    j->cursors = c;
    to_end(c);
    pthread_mutex_unlock(&j->lock);
}

void tyi_terrain_cursor_close(tyi_terrain_cursor *c)
{
    tyi_terrain_journal *j = c->journal;
    if (!j) {
        return;
    }
    pthread_mutex_lock(&j->lock);
    let_go(c);
    tyi_terrain_cursor **at = &j->cursors;
    while (*at != c) {
        at = &(*at)->next;
    }
    *at = c->next;
    trim(j);
    pthread_mutex_unlock(&j->lock);
    *c = (tyi_terrain_cursor){ 0 };
}

void tyi_terrain_cursor_skip(tyi_terrain_cursor *c)
{
    pthread_mutex_lock(&c->journal->lock);
    to_end(c);
    c->restart = false;
    pthread_mutex_unlock(&c->journal->lock);
}

static const char *part(const char **at, uint32_t parts, uint32_t which, size_t bytes)
{
    const char *here = *at;
    *at += parts & which ? padded(bytes) : 0;
    return parts & which ? here : NULL;
}

static void read_entry(const char *at, tyi_terrain_entry *out)
{
    const head *h = (const head *)(const void *)at;
    size_t n = (size_t)h->nx * (size_t)h->ny;
    at += sizeof *h;
    *out = (tyi_terrain_entry){ .version = h->version, .level = h->level };
    ty_edit *e = &out->edit;
    e->i0 = h->i0, e->j0 = h->j0, e->nx = h->nx, e->ny = h->ny;
    e->rock = (const ty_rock *)(const void *)part(&at, h->parts, ROCK, sizeof *e->rock);
    e->change = (const float *)(const void *)part(&at, h->parts, CHANGE, n * sizeof(float));
    e->pressed = (const float *)(const void *)part(&at, h->parts, PRESSED, n * sizeof(float));
    e->trace = (const uint8_t *)part(&at, h->parts, TRACE, n);
    e->material = (const uint8_t *)part(&at, h->parts, MATERIAL, n);
    e->covered = (const uint8_t *)part(&at, h->parts, COVERED, n);
    e->print = (const uint32_t *)(const void *)part(&at, h->parts, PRINT, n * sizeof(uint32_t));
}

size_t tyi_terrain_entry_pack(const tyi_terrain_entry *entry, void *out)
{
    size_t bytes = entry_bytes(&entry->edit);
    if (out) {
        write_entry(out, head_of(entry->level, &entry->edit, bytes, entry->version), &entry->edit);
    }
    return bytes;
}

bool tyi_terrain_entry_unpack(const void *data, size_t bytes, tyi_terrain_entry *out)
{
    const head *h = data;
    if (bytes < sizeof *h || h->bytes != bytes || h->nx < 1 || h->ny < 1 || h->nx > 16384 || h->ny > 16384) {
        return false;
    }
    read_entry(data, out);
    return entry_bytes(&out->edit) == bytes;
}

/* the segment that a cursor stands in, in memory; false: it cannot be read */
static bool fetch(tyi_terrain_journal *j, tyi_terrain_segment *s)
{
    if (s->bytes) {
        return true;
    }
    s->bytes = tyi_get(j->alloc, s->room);
    if (!s->bytes) {
        return false;
    }
    j->resident++;
    if (!tyi_terrain_spill_read(&j->spill, s->bytes, s->used, s->slot)) {
        tyi_put(j->alloc, s->bytes, s->room);
        s->bytes = NULL;
        j->resident--;
    }
    return s->bytes;
}

static tyi_terrain_reading read_next(tyi_terrain_cursor *c, uint64_t until, tyi_terrain_entry *out)
{
    tyi_terrain_journal *j = c->journal;
    let_go(c);
    if (c->restart) {
        to_end(c);
        c->restart = false;
        return TYI_TERRAIN_RESTART;
    }
    if (c->at && c->offset == c->at->used && c->at->next) {
        c->at = c->at->next;
        c->offset = 0;
        trim(j);
        spill(j);
    }
    if (!c->at || c->offset == c->at->used) {
        return TYI_TERRAIN_NOTHING;
    }
    if (!fetch(j, c->at)) {
        c->restart = true;
        return TYI_TERRAIN_LOST;
    }
    const head *h = (const head *)(const void *)(c->at->bytes + c->offset);
    if (h->version > until) {
        return TYI_TERRAIN_NOTHING;
    }
    read_entry(c->at->bytes + c->offset, out);
    c->offset += h->bytes;
    c->at->reading++;
    c->held = true;
    return TYI_TERRAIN_ENTRY;
}

tyi_terrain_reading tyi_terrain_cursor_read(tyi_terrain_cursor *c, uint64_t until, tyi_terrain_entry *out)
{
    pthread_mutex_lock(&c->journal->lock);
    tyi_terrain_reading found = read_next(c, until, out);
    pthread_mutex_unlock(&c->journal->lock);
    return found;
}
