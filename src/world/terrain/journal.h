/* src/world/terrain/journal.h - the ground journal: one versioned record of edits, read by any number of readers, each at
 * its own pace.
 *
 * An entry is an edit as it was made: its level, its rectangle of samples, and what it changed (ty_edit). Entries stand in
 * segments, one after the other; a reader is a cursor, a place in them. A segment that every cursor has left is used again. Where a cursor
 * lags, segments between it and the newest go to a temporary file, so that memory is bounded by TYI_TERRAIN_SEGMENTS whatever a reader
 * does. What all have read lives on as the sum of its edits, tile by tile (edit.h), which a cursor that comes later begins with: it is
 * told to start over, copies that sum, and goes on with entries from there.
 *
 * One thread appends, each cursor belongs to one thread; they may be different ones. Rectangles of late versions are kept for readers
 * that need no data (patches, rings of the renderer): tyi_terrain_journal_rect().
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_TERRAIN_JOURNAL_H
#define TYI_TERRAIN_JOURNAL_H
#include <pthread.h>
#include "spill.h"
#include "tycho/terrain.h"

#define TYI_TERRAIN_RECTS    65536               /* versions of which the rectangle is remembered */
#define TYI_TERRAIN_SEGMENT  ((size_t)512 << 10) /* [bytes]; one that holds a larger entry is as long as that */
#define TYI_TERRAIN_SEGMENTS 8                   /* in memory, besides those that a cursor is reading */

typedef struct tyi_terrain_entry {
    uint64_t version; /* of the ground after it */
    int level;
    ty_edit edit; /* its arrays are valid until the cursor moves on */
} tyi_terrain_entry;

typedef struct tyi_terrain_segment {
    uint64_t number; /* counted from the first */
    char *bytes;     /* NULL: in the file alone */
    size_t room, used;
    bool placed, filed; /* it has a place in the file; what it holds is there */
    uint64_t slot;      /* that place */
    int reading;        /* cursors that hold an entry of it */
    struct tyi_terrain_segment *next;
} tyi_terrain_segment;

typedef struct tyi_terrain_cursor {
    struct tyi_terrain_journal *journal;
    tyi_terrain_segment *at; /* NULL: of the next one that is begun */
    size_t offset;
    bool restart; /* has to take the ground as it is before it goes on */
    bool held;    /* an entry of `at` is in its hands */
    struct tyi_terrain_cursor *next;
} tyi_terrain_cursor;

typedef struct tyi_terrain_journal {
    const ty_alloc *alloc;
    pthread_mutex_t lock; /* of segments and cursors */
    tyi_terrain_segment *first, *last, *spare;
    tyi_terrain_cursor *cursors;
    uint64_t begun;        /* segments so far */
    size_t resident, most; /* segments in memory; how many there may be */
    tyi_terrain_spill spill;
    int32_t (*rect)[4];
    int32_t whole[4]; /* i0, j0, nx, ny around all edits */
    uint64_t version;
} tyi_terrain_journal;

ty_status tyi_terrain_journal_init(tyi_terrain_journal *j, const ty_alloc *alloc, ty_diag *diag);
void tyi_terrain_journal_free(tyi_terrain_journal *j); /* all cursors are closed */

/* One more version, which changed rect. */
void tyi_terrain_journal_note(tyi_terrain_journal *j, const int32_t rect[4]);
/* The same with the edit that made it, for the cursors there are. TY_ERR_MEMORY: the ground has it, cursors will have to start over. */
ty_status tyi_terrain_journal_append(tyi_terrain_journal *j, int level, const ty_edit *edit, ty_diag *diag);
/* An edit as bytes, as segments hold it, for readers in other processes: out NULL: how many, a multiple of 8. And back, arrays in place; false:
 * it is not one. */
size_t tyi_terrain_entry_pack(const tyi_terrain_entry *entry, void *out);
bool tyi_terrain_entry_unpack(const void *data, size_t bytes, tyi_terrain_entry *out);
/* The ground was replaced by another one: all cursors start over. */
void tyi_terrain_journal_restart(tyi_terrain_journal *j);
/* The rectangle of a version, or all that was ever edited where it is no longer known; false past the newest. */
bool tyi_terrain_journal_rect(const tyi_terrain_journal *j, uint64_t version, int32_t rect[4]);

/* A new reader. It starts over first where anything was edited before. The cursor stays where it is in memory until it is closed. */
void tyi_terrain_cursor_open(tyi_terrain_journal *j, tyi_terrain_cursor *cursor);
void tyi_terrain_cursor_close(tyi_terrain_cursor *cursor); /* zeroed ones are allowed */
typedef enum tyi_terrain_reading {
    TYI_TERRAIN_NOTHING, /* up to date, or to `until` */
    TYI_TERRAIN_ENTRY,
    TYI_TERRAIN_RESTART, /* take the ground as it is now (tyi_terrain_edits_each()), then read on; said once */
    TYI_TERRAIN_LOST     /* the temporary file cannot be read; the next call says TYI_TERRAIN_RESTART */
} tyi_terrain_reading;
/* The next entry up to version `until`. The one before is given back. TYI_TERRAIN_RESTART is for the thread that appends: no entry may come
 * until the ground has been copied. */
tyi_terrain_reading tyi_terrain_cursor_read(tyi_terrain_cursor *cursor, uint64_t until, tyi_terrain_entry *out);
/* Past all there is: the reader has the ground as it is now. */
void tyi_terrain_cursor_skip(tyi_terrain_cursor *cursor);

#endif
