/* src/record/checkpoint.c - a run in the middle as one file, and back.
 *
 * Streams (telemetry, samples, run.mcap) go on growing after a checkpoint; it notes how long they are, and a resumed run
 * cuts them back. Pictures made after it are made again with the same bytes. Same machine and build, as ty_run_save().
 * Edits of the ground are such a stream too, `checkpoint.ground`: each checkpoint adds the tiles that changed since the last one. Where it holds
 * more than twice what there is, the next one begins a new file (`checkpoint.ground1`, and back).
 * The file is a head with a checksum over all that follows, then blocks, each at a multiple of 16 bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "record.h"
#include "sim/run.h"
#include "io/mcap.h"

typedef struct head {
    char magic[16];
    uint64_t sum;   /* of all that follows */
    uint64_t bytes; /* of the file */
} head;
#define SUMMED offsetof(head, bytes)
static const char magic[16] = "tycho record 4";

/* The plain numbers of a record. */
typedef struct numbers {
    uint64_t inputs, setting_count, rovers, sensors, messages, images, clouds;
    int64_t checkpoint, next_row, next_look, next_sun;
    uint64_t mcap, video;
    uint64_t ground_file, ground_bytes; /* which file has the ground's edits, and how much of it counts */
    ty_tone tone;
} numbers;

/* ---- blocks ---- */

static void put(tyi_io_cdr *b, const void *data, size_t bytes)
{
    const uint64_t size[2] = { bytes, 0 };
    tyi_io_cdr_add(b, size, sizeof size);
    tyi_io_cdr_add(b, data, bytes);
    (void)tyi_io_cdr_room(b, (16 - bytes % 16) % 16);
}

static const void *take(tyi_io_cdr_reader *r, size_t *bytes)
{
    uint64_t size[2] = { 0 };
    tyi_io_cdr_reader_get(r, size, sizeof size);
    *bytes = r->failed || size[0] > (uint64_t)(r->end - r->at) ? 0 : (size_t)size[0];
    r->failed = r->failed || size[0] != *bytes;
    const void *at = tyi_io_cdr_reader_take(r, *bytes);
    (void)tyi_io_cdr_reader_take(r, (16 - *bytes % 16) % 16);
    return r->failed ? NULL : at;
}

/* the next block, which must be of this size */
static void get(tyi_io_cdr_reader *r, void *out, size_t bytes)
{
    size_t size;
    const void *block = take(r, &size);
    r->failed = r->failed || size != bytes;
    if (!r->failed && bytes) {
        memcpy(out, block, bytes);
    }
}

/* the next block as elements, from malloc; NULL: there are none, or it failed */
static void *get_list(tyi_io_cdr_reader *r, size_t size, size_t *count)
{
    size_t bytes = 0;
    const void *block = take(r, &bytes);
    *count = 0;
    r->failed = r->failed || bytes % size;
    void *list = r->failed || !bytes ? NULL : malloc(bytes + 1);
    r->failed = r->failed || (bytes && !list);
    if (list) {
        memcpy(list, block, bytes);
        ((char *)list)[bytes] = '\0'; /* texts end */
        *count = bytes / size;
    }
    return list;
}

/* ---- the ground ---- */

static const char *ground_path(const ty_record *r, uint64_t number, char path[TYI_RECORD_PATH])
{
    return tyi_record_path(r, number % 2 ? "checkpoint.ground1" : "checkpoint.ground", path);
}

static bool ground_sink(void *user, const void *data, size_t bytes)
{
    ty_record *r = user;
    r->ground_bytes += bytes;
    return fwrite(data, 1, bytes, r->ground_out) == bytes;
}

static bool ground_source(void *user, void *data, size_t bytes)
{
    return fread(data, 1, bytes, user) == bytes;
}

#define SPARE_BYTES ((uint64_t)64 << 20) /* of tiles told more than once that are no reason for a new file */

/* the file to add to: the one of last time, or a new one */
static ty_status ground_open(ty_record *r, ty_diag *diag)
{
    char path[TYI_RECORD_PATH];
    tyi_terrain_edits *edits = &ty_world_terrain(ty_run_world(r->run))->edits;
    if (r->ground_out && r->ground_bytes > SPARE_BYTES &&
        r->ground_bytes > SPARE_BYTES + 2 * tyi_terrain_edits_size(edits)) {
        fclose(r->ground_out);
        r->ground_out = NULL;
        r->ground_file = r->ground_valid + 1;
    }
    if (!r->ground_out) {
        r->ground_out = fopen(ground_path(r, r->ground_file, path), "wb");
        r->ground_bytes = 0;
        tyi_terrain_edits_unsave(edits);
    }
    return r->ground_out ? TY_OK : ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
}

/* after the checkpoint that names the one: the other is of no use any more */
static void ground_sweep(ty_record *r)
{
    char path[TYI_RECORD_PATH];
    r->ground_valid = r->ground_file;
    unlink(ground_path(r, r->ground_file + 1, path));
}

static ty_status ground_close(ty_record *r, ty_status status, ty_diag *diag)
{
    if (status == TY_OK && (fflush(r->ground_out) || fsync(fileno(r->ground_out)))) {
        status = ty_fail(diag, TY_ERR_FILE, "the ground's edits cannot be written: %s", strerror(errno));
    }
    if (status != TY_OK && r->ground_out) { /* what it holds is not known: a new one next time */
        fclose(r->ground_out);
        r->ground_out = NULL;
        r->ground_file = r->ground_valid + 1;
    }
    return status;
}

/* ---- writing ---- */

/* How far a stream has come; -1: it is not there yet. What it holds must be on the disk before the checkpoint is. */
static ty_status put_length(tyi_io_cdr *b, FILE *f, ty_status status, ty_diag *diag)
{
    int64_t length = -1;
    if (f && status == TY_OK) {
        if (fflush(f) || fsync(fileno(f))) {
            return ty_fail(diag, TY_ERR_FILE, "a stream of the run cannot be written: %s", strerror(errno));
        }
        length = (int64_t)ftello(f);
    }
    put(b, &length, sizeof length);
    return status;
}

static ty_status put_all(tyi_io_cdr *b, ty_record *r, ty_diag *diag)
{
    numbers n = { .inputs = r->inputs,
                  .setting_count = r->setting_count,
                  .rovers = r->rovers,
                  .sensors = r->sensors,
                  .messages = r->messages,
                  .images = r->images,
                  .clouds = r->clouds,
                  .checkpoint = r->def.checkpoint,
                  .next_row = r->next_row,
                  .next_look = r->events.next_look,
                  .next_sun = r->events.next_sun,
                  .mcap = r->mcap != NULL,
                  .video = r->def.video,
                  .ground_file = r->ground_file,
                  .ground_bytes = r->ground_bytes,
                  .tone = r->tone };
    ty_status status = TY_OK;
    put(b, ty_version(), strlen(ty_version()));
    put(b, ty_built_with(), strlen(ty_built_with()));
    put(b, r->file, strlen(r->file));
    put(b, r->absolute, strlen(r->absolute));
    put(b, r->settings, r->setting_bytes);
    put(b, &n, sizeof n);
    for (size_t i = 0; i < r->rovers; i++) {
        put(b, &r->rover[i].sums, sizeof r->rover[i].sums);
        put(b, &r->rover[i].watch, sizeof r->rover[i].watch);
        put(b, r->rover[i].row, r->rover[i].rows * sizeof *r->rover[i].row);
        status = put_length(b, r->rover[i].csv, status, diag);
    }
    put(b, r->frame, r->frames * sizeof *r->frame);
    put(b, r->events.list, r->events.count * sizeof *r->events.list);
    for (size_t i = 0; i < r->sensors; i++) {
        const tyi_record_kept *k = &r->kept[i];
        status = put_length(b, r->samples[i], status, diag);
        put(b, k, sizeof *k);
        put(b, k->value, k->value ? tyi_record_kept_bytes(k) : 0);
    }
    return status;
}

/* one row more of what checkpoints took; where there is no room, every second one goes */
static void took(ty_record *r, tyi_record_save row)
{
    r->save_every = r->save_every ? r->save_every : 1;
    if (r->save_count++ % r->save_every) {
        return;
    }
    if (r->saves == TYI_RECORD_SAVES) {
        for (size_t i = 0; i < TYI_RECORD_SAVES / 2; i++) {
            r->save[i] = r->save[2 * i];
        }
        r->saves /= 2;
        r->save_every *= 2;
    }
    r->save[r->saves++] = row;
}

ty_status tyi_record_checkpoint_write(ty_record *r, ty_diag *diag)
{
    double start = tyi_now();
    tyi_io_cdr *b = &r->checkpoint, recording = { 0 };
    void *state = NULL;
    size_t bytes = 0;
    head h = { .sum = 0 };
    memcpy(h.magic, magic, sizeof h.magic);
    b->size = 0, b->failed = false;
    tyi_io_cdr_add(b, &h, sizeof h);
    if (tyi_record_writers_wait(r->writers, &r->late) != TY_OK) { /* a checkpoint says that its frames are there */
        return ty_fail(diag, r->late.status, "%s", r->late.text);
    }
    ty_status status = ground_open(r, diag);
    uint64_t before = r->ground_bytes;
    if (status == TY_OK) {
        tyi_sim_ground_file ground = { .sink = ground_sink, .user = r };
        status = ground_close(r, tyi_sim_save(r->run, &ground, &state, &bytes, diag), diag);
    }
    if (status == TY_OK && r->mcap) {
        status = tyi_record_mcap_save(r->mcap, &recording, diag);
    }
    if (status == TY_OK) {
        status = put_all(b, r, diag);
    }
    put(b, recording.data, recording.size);
    put(b, state, bytes);
    if (status == TY_OK && b->failed) {
        status = ty_fail(diag, TY_ERR_MEMORY, "no memory for a checkpoint");
    }
    if (status == TY_OK) {
        char path[TYI_RECORD_PATH];
        tyi_io_out out;
        head *to = (head *)(void *)b->data;
        to->bytes = b->size;
        to->sum = tyi_hash(b->data + SUMMED, b->size - SUMMED, TYI_HASH_START);
        status = tyi_io_out_open(&out, tyi_record_path(r, "checkpoint", path), diag);
        if (status == TY_OK) {
            bool lost = fwrite(b->data, 1, b->size, out.file) != b->size || fflush(out.file) || fsync(fileno(out.file));
            status = tyi_io_out_close(
                &out, lost ? ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno)) : TY_OK,
                diag);
        }
    }
    if (status == TY_OK) {
        ground_sweep(r);
        took(r, (tyi_record_save){ ty_seconds(ty_run_time(r->run)), tyi_now() - start, b->size,
                                   r->ground_bytes - before });
    }
    free(state);
    tyi_io_cdr_free(&recording);
    return status;
}

void tyi_record_checkpoint_remove(const ty_record *r)
{
    char path[TYI_RECORD_PATH];
    unlink(tyi_record_path(r, "checkpoint", path));
    unlink(ground_path(r, 0, path));
    unlink(ground_path(r, 1, path));
}

/* ---- reading ---- */

static ty_status read_file(const char *path, tyi_io_cdr *out, ty_diag *diag)
{
    char part[65536];
    FILE *f = fopen(path, "rb");
    if (!f) {
        return ty_fail(
            diag, TY_ERR_FILE,
            "%s: %s; a run is resumed from the folder of one that was stopped, or that has --checkpoint and has "
            "not ended",
            path, strerror(errno));
    }
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) {
        tyi_io_cdr_add(out, part, n);
    }
    bool failed = ferror(f) || out->failed;
    fclose(f);
    return failed ? ty_fail(diag, TY_ERR_FILE, "%s cannot be read", path) : TY_OK;
}

static tyi_io_cdr_reader blocks(const tyi_io_cdr *checkpoint)
{
    return (tyi_io_cdr_reader){ checkpoint->data + sizeof(head), checkpoint->data + checkpoint->size, false };
}

/* whether the next block is this text */
static bool is(tyi_io_cdr_reader *r, const char *text)
{
    size_t bytes;
    const void *block = take(r, &bytes);
    return block && bytes == strlen(text) && !memcmp(block, text, bytes);
}

ty_status tyi_record_checkpoint_read(ty_record *r, tyi_io_cdr *out, ty_diag *diag)
{
    char path[TYI_RECORD_PATH];
    tyi_record_path(r, "checkpoint", path);
    ty_status status = read_file(path, out, diag);
    if (status != TY_OK) {
        return status;
    }
    head h = { .sum = 0 };
    memcpy(&h, out->data, out->size < sizeof h ? out->size : sizeof h);
    if (out->size < sizeof h || memcmp(h.magic, magic, sizeof magic) != 0) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: not a checkpoint of this version of tycho", path);
    }
    if (h.bytes != out->size || h.sum != tyi_hash(out->data + SUMMED, out->size - SUMMED, TYI_HASH_START)) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: it is damaged, by its checksum", path);
    }
    tyi_io_cdr_reader in = blocks(out);
    if (!is(&in, ty_version()) || !is(&in, ty_built_with())) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: not a checkpoint of this version of tycho", path);
    }
    size_t bytes = 0;
    r->file = get_list(&in, 1, &bytes);
    char *absolute = get_list(&in, 1, &bytes);
    snprintf(r->absolute, sizeof r->absolute, "%s", absolute ? absolute : "");
    free(absolute);
    r->settings = get_list(&in, 1, &r->setting_bytes);
    numbers n = { 0 };
    get(&in, &n, sizeof n);
    r->inputs = n.inputs;
    r->setting_count = r->settings ? n.setting_count : 0;
    r->def.checkpoint = n.checkpoint;
    r->def.mcap = n.mcap != 0;
    r->def.video = r->def.video || n.video;
    r->tone = n.tone;
    return in.failed || !r->file ? ty_fail(diag, TY_ERR_FORMAT, "%s: it is damaged", path) : TY_OK;
}

/* opens a stream again, cut back to what it held */
static ty_status reopen(tyi_io_cdr_reader *in, const char *path, FILE **out, ty_diag *diag)
{
    int64_t length = -1;
    struct stat info;
    get(in, &length, sizeof length);
    if (in->failed || length < 0) {
        return TY_OK;
    }
    if (stat(path, &info) || info.st_size < length || truncate(path, (off_t)length)) {
        return ty_fail(diag, TY_ERR_FILE,
                       "%s: is not there as the checkpoint left it, and the run cannot go on from it", path);
    }
    *out = fopen(path, "r+");
    if (!*out || fseeko(*out, 0, SEEK_END)) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
    }
    return TY_OK;
}

/* all edits up to the checkpoint; the file goes on from there */
static ty_status resume_ground(ty_record *r, uint64_t number, uint64_t length, const void *state, size_t bytes,
                               ty_diag *diag)
{
    char path[TYI_RECORD_PATH];
    struct stat info;
    ground_path(r, number, path);
    if (stat(path, &info) || (uint64_t)info.st_size < length || truncate(path, (off_t)length)) {
        return ty_fail(diag, TY_ERR_FILE,
                       "%s: is not there as the checkpoint left it, and the run cannot go on from it", path);
    }
    r->ground_file = r->ground_valid = number;
    r->ground_bytes = length;
    r->ground_out = fopen(path, "r+b");
    if (!r->ground_out) {
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be read: %s", path, strerror(errno));
    }
    tyi_sim_ground_file ground = { .source = ground_source, .user = r->ground_out, .bytes = length };
    ty_status status = tyi_sim_restore(r->run, &ground, state, bytes, diag);
    if (status == TY_OK && fseeko(r->ground_out, 0, SEEK_END)) {
        status = ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
    }
    return status;
}

static ty_status get_rovers(tyi_io_cdr_reader *in, ty_record *r, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < r->rovers && status == TY_OK && !in->failed; i++) {
        tyi_record_rover *to = &r->rover[i];
        char file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
        get(in, &to->sums, sizeof to->sums);
        get(in, &to->watch, sizeof to->watch);
        to->row = get_list(in, sizeof *to->row, &to->rows);
        to->capacity = to->rows;
        tyi_record_telemetry_file(r, i, file);
        status = reopen(in, tyi_record_path(r, file, path), &to->csv, diag);
    }
    return status;
}

static ty_status get_samples(tyi_io_cdr_reader *in, ty_record *r, ty_diag *diag)
{
    ty_status status = TY_OK;
    for (size_t i = 0; i < r->sensors && status == TY_OK && !in->failed; i++) {
        char file[TYI_RECORD_FILE], path[TYI_RECORD_PATH];
        tyi_record_kept k = { 0 };
        size_t count = 0;
        tyi_record_samples_file(r, i, ".csv", file);
        status = reopen(in, tyi_record_path(r, file, path), &r->samples[i], diag);
        get(in, &k, sizeof k);
        k.value = get_list(in, sizeof *k.value, &count);
        in->failed = in->failed || (k.value && count * sizeof *k.value != tyi_record_kept_bytes(&k));
        r->kept[i] = k;
    }
    return status;
}

ty_status tyi_record_checkpoint_resume(const tyi_io_cdr *checkpoint, ty_record *r, ty_diag *diag)
{
    tyi_io_cdr_reader in = blocks(checkpoint);
    numbers n = { 0 };
    size_t bytes;
    for (int i = 0; i < 5; i++) {
        take(&in, &bytes);
    }
    get(&in, &n, sizeof n);
    if (in.failed || n.rovers != r->rovers || n.sensors != r->sensors) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s/checkpoint: it is not of this scenario", r->folder);
    }
    r->messages = n.messages, r->images = n.images, r->clouds = n.clouds;
    r->next_row = n.next_row;
    r->events.next_look = n.next_look, r->events.next_sun = n.next_sun;
    tyi_record_folder_sweep(r->folder);
    ty_status status = get_rovers(&in, r, diag);
    r->frame = get_list(&in, sizeof *r->frame, &r->frames);
    r->frame_capacity = r->frames;
    r->events.list = get_list(&in, sizeof *r->events.list, &r->events.count);
    r->events.room = r->events.count;
    if (status == TY_OK) {
        status = get_samples(&in, r, diag);
    }
    const void *recording = take(&in, &bytes);
    if (status == TY_OK && !in.failed && r->def.mcap) {
        status = tyi_record_mcap_open(r, recording, bytes, diag);
    }
    const void *state = take(&in, &bytes);
    if (status == TY_OK && in.failed) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s/checkpoint: it is damaged", r->folder);
    }
    return status == TY_OK ? resume_ground(r, n.ground_file, n.ground_bytes, state, bytes, diag) : status;
}
