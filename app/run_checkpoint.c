/* app/run_checkpoint.c - a run in the middle as one file, and back.
 *
 * Streams (telemetry.csv, samples, run.mcap) go on growing after a checkpoint; it notes how long they are, and a
 * resumed run cuts them back. Pictures made after it are made again with the same bytes. Same machine and build, as
 * ty_run_save().
 * SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "run.h"

static const char magic[16] = "tycho run 2";

/* the next block, which must be of this size */
static void get(ty_cdr_reader *r, void *out, size_t bytes)
{
    size_t size;
    const void *block = ty_cdr_reader_block(r, &size);
    r->failed = r->failed || size != bytes;
    if (!r->failed && bytes) {
        memcpy(out, block, bytes);
    }
}

/* ---- writing ---- */

/* how far a stream has come; -1: it is not there yet */
static int64_t length_of(FILE *f)
{
    return f && !fflush(f) && !fsync(fileno(f)) ? (int64_t)ftello(f) : -1;
}

static ty_status save_file(const char *folder, const ty_cdr *b, ty_diag *diag)
{
    char path[4300], part[4320];
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    snprintf(part, sizeof part, "%s.part", path);
    FILE *f = fopen(part, "wb");
    bool ok = f && fwrite(b->data, 1, b->size, f) == b->size && !fflush(f) && !fsync(fileno(f));
    int why = errno;
    ok = f && !fclose(f) && ok;
    if (!ok || rename(part, path)) {
        why = ok ? errno : why;
        unlink(part);
        return ty_fail(diag, TY_ERR_FILE, "%s cannot be written: %s", path, strerror(why));
    }
    return TY_OK;
}

ty_status run_checkpoint_write(const run_start *start, run_record *r, ty_run *run, run_mcap *mcap, int64_t next_row,
                               ty_diag *diag)
{
    ty_cdr b = { 0 }, recording = { 0 };
    void *state = NULL;
    size_t bytes = 0;
    ty_status status = ty_run_save(run, &state, &bytes, diag);
    if (status == TY_OK && mcap) {
        status = run_mcap_save(mcap, &recording, diag);
    }
    if (status == TY_OK) {
        int64_t csv = length_of(r->csv);
        ty_cdr_add_block(&b, magic, sizeof magic);
        ty_cdr_add_block(&b, start, sizeof *start);
        ty_cdr_add_block(&b, &next_row, sizeof next_row);
        ty_cdr_add_block(&b, &r->messages, sizeof r->messages);
        ty_cdr_add_block(&b, r->row, r->rows * sizeof *r->row);
        ty_cdr_add_block(&b, r->frame, r->frames * sizeof *r->frame);
        ty_cdr_add_block(&b, &csv, sizeof csv);
        ty_cdr_add_block(&b, &r->events, sizeof r->events);
        ty_cdr_add_block(&b, r->events.list, r->events.count * sizeof *r->events.list);
        for (size_t i = 0; i < r->sensors; i++) {
            int64_t samples = length_of(r->samples ? r->samples[i] : NULL);
            const run_kept none = { 0 }, *k = r->kept ? &r->kept[i] : &none;
            ty_cdr_add_block(&b, &samples, sizeof samples);
            ty_cdr_add_block(&b, k, sizeof *k);
            ty_cdr_add_block(&b, k->value, k->value ? run_kept_bytes(k) : 0);
        }
        ty_cdr_add_block(&b, recording.data, recording.size);
        ty_cdr_add_block(&b, state, bytes);
        status = b.failed ? ty_fail(diag, TY_ERR_MEMORY, "no memory for a checkpoint") : save_file(r->folder, &b, diag);
    }
    free(state);
    ty_cdr_free(&b);
    ty_cdr_free(&recording);
    return status;
}

/* ---- reading ---- */

ty_status run_checkpoint_read(const char *folder, run_start *start, ty_cdr *out, ty_diag *diag)
{
    char path[4300], part[65536], mark[sizeof magic] = { 0 };
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    FILE *f = fopen(path, "rb");
    if (!f) {
        return ty_fail(diag, TY_ERR_FILE,
                       "%s: %s; a run is resumed from the folder of one with --checkpoint that has not ended", path,
                       strerror(errno));
    }
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) {
        ty_cdr_add(out, part, n);
    }
    bool failed = ferror(f) || out->failed;
    fclose(f);
    ty_cdr_reader r = { out->data, out->data + out->size, failed };
    get(&r, mark, sizeof mark);
    get(&r, start, sizeof *start);
    if (r.failed || memcmp(mark, magic, sizeof mark)) {
        return ty_fail(diag, TY_ERR_FORMAT, "%s: not a checkpoint of this version of tycho", path);
    }
    start->scenario[sizeof start->scenario - 1] = start->settings[sizeof start->settings - 1] = '\0';
    return TY_OK;
}

/* opens a stream again, cut back to what it held */
static ty_status reopen(const char *path, int64_t length, FILE **out, ty_diag *diag)
{
    if (length < 0) {
        return TY_OK;
    }
    struct stat info;
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

static void *copy_list(ty_cdr_reader *r, size_t size, size_t *count)
{
    size_t bytes = 0;
    const void *block = ty_cdr_reader_block(r, &bytes);
    r->failed = r->failed || bytes % size;
    void *list = r->failed || !bytes ? NULL : malloc(bytes);
    r->failed = r->failed || (bytes && !list);
    if (list) {
        memcpy(list, block, bytes);
        *count = bytes / size;
    }
    return list;
}

static ty_status resume_samples(ty_cdr_reader *in, run_record *r, ty_run *run, ty_diag *diag)
{
    r->samples = calloc(r->sensors + 1, sizeof *r->samples);
    r->kept = calloc(r->sensors + 1, sizeof *r->kept);
    ty_status status = r->samples && r->kept ? TY_OK : ty_fail(diag, TY_ERR_MEMORY, "no memory to resume a run");
    for (size_t i = 0; i < r->sensors && status == TY_OK && !in->failed; i++) {
        int64_t length = -1;
        size_t bytes = 0;
        char path[4400];
        run_kept k = { 0 };
        get(in, &length, sizeof length);
        get(in, &k, sizeof k);
        const void *value = ty_cdr_reader_block(in, &bytes);
        if (!in->failed && bytes) {
            in->failed = bytes != run_kept_bytes(&k) || !(k.value = malloc(bytes));
        } else {
            k.value = NULL;
        }
        if (!in->failed && bytes) {
            memcpy(k.value, value, bytes);
        }
        r->kept[i] = in->failed ? (run_kept){ 0 } : k;
        run_samples_path(r, run, i, path, sizeof path);
        status = in->failed ? status : reopen(path, length, &r->samples[i], diag);
    }
    return status;
}

/* takes away what a killed run was writing under a name of its own process */
static void sweep(const char *folder)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        if (strstr(e->d_name, ".part-")) {
            unlinkat(dirfd(dir), e->d_name, 0);
        }
    }
    if (dir) {
        closedir(dir);
    }
}

ty_status run_checkpoint_resume(const ty_cdr *checkpoint, run_record *r, ty_run *run, run_mcap **mcap,
                                int64_t *next_row, ty_diag *diag)
{
    ty_cdr_reader in = { checkpoint->data, checkpoint->data + checkpoint->size, false };
    char mark[sizeof magic], path[4300];
    run_start start;
    int64_t csv = -1;
    size_t bytes = 0;
    get(&in, mark, sizeof mark);
    get(&in, &start, sizeof start);
    get(&in, next_row, sizeof *next_row);
    get(&in, &r->messages, sizeof r->messages);
    r->row = copy_list(&in, sizeof *r->row, &r->rows);
    r->frame = copy_list(&in, sizeof *r->frame, &r->frames);
    r->capacity = r->rows;
    r->frame_capacity = r->frames;
    get(&in, &csv, sizeof csv);
    get(&in, &r->events, sizeof r->events);
    r->events.count = 0; /* until its list is there */
    r->events.list = copy_list(&in, sizeof *r->events.list, &r->events.count);
    r->events.room = r->events.count;
    snprintf(path, sizeof path, "%s/telemetry.csv", r->folder);
    sweep(r->folder);
    ty_status status = in.failed ? TY_OK : reopen(path, csv, &r->csv, diag);
    if (status == TY_OK) {
        status = resume_samples(&in, r, run, diag);
    }
    const void *recording = ty_cdr_reader_block(&in, &bytes);
    snprintf(path, sizeof path, "%s/run.mcap", r->folder);
    if (status == TY_OK && !in.failed && bytes) {
        status = run_mcap_resume(path, run, r->scenario, recording, bytes, mcap, diag);
    }
    const void *state = ty_cdr_reader_block(&in, &bytes);
    if (status == TY_OK && in.failed) {
        status = ty_fail(diag, TY_ERR_FORMAT, "%s/checkpoint: it is damaged, or not of this scenario", r->folder);
    }
    return status == TY_OK ? ty_run_restore(run, state, bytes, diag) : status;
}

void run_checkpoint_remove(const char *folder)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    unlink(path);
}
